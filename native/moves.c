/* moves.c: generation of moves and the lists that hold them.
 *
 * It owns the scan over the board, the layout of lists and moves at HERE, and priorities.
 * What a move does is compiled by edits.c; what it is called is movetext.c's affair. */
#include "inner.h"
#include "quick.h"
#include "vm.h"

#include "generated/ops.h"

enum { LIST_BYTES = 12 }; /* previous list, count, first move */
enum { NO_PRIORITY = 1000, MAX_PRIORITIES = 128 };
enum { RECORD_BYTES = 16, RECORD_BYTES_140 = 20 }; /* of a move, before its code */

/* Version 140 keeps the text in the record, after the link. */
bool fvm_layout_140(const fvm *vm) { return vm->layout_140; }

bool fvm_move_cells_at(const fvm *vm, fvm_addr move, fvm_move_cells *cells) {
    uint32_t extra = fvm_layout_140(vm) ? 4 : 0;
    *cells = (fvm_move_cells){move, extra != 0 ? move + 4 : 0, move + 4 + extra,
                              move + 8 + extra, move + 12 + extra};
    return fvm_in(vm, move, 20 + extra);
}

/* --- the move under construction ----------------------------------------------------------------- */

static fvm_status begin_move(fvm *vm) {
    fvm_status status = fvm_align(vm);
    fvm_put(vm, FVM_K_BUILD, (fvm_cell)fvm_here(vm));
    fvm_text_restart(vm);
    return status == FVM_OK ? fvm_allot(vm, fvm_layout_140(vm) ? RECORD_BYTES_140 : RECORD_BYTES) : status;
}

static void drop_building(fvm *vm) {
    fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_BUILD);
    if (start != 0)
        fvm_put(vm, FVM_K_DP, (fvm_cell)start);
    fvm_put(vm, FVM_K_BUILD, 0);
}

fvm_status fvm_need_building(fvm *vm, const char *word) {
    if (vm->generating && fvm_get(vm, FVM_K_BUILD) != 0)
        return FVM_OK;
    return fvm_fail(vm, FVM_ERR_CONTEXT, 0,
                    "%s builds a move: it works only while moves are generated", word);
}

/* `$Pass` runs add-move and then sets $passed: the move added last was the pass. */
static void note_pass(fvm *vm) {
    fvm_move_cells cells;
    fvm_addr last = (fvm_addr)fvm_get(vm, FVM_K_LIST_TAIL);
    if (vm->pass_noted || fvm_lib_get(vm, vm->lib.passed, 0) != -1 || last == vm->scan_list + 8 ||
        !fvm_move_cells_at(vm, last, &cells))
        return;
    vm->pass_noted = true;
    fvm_put(vm, cells.hash, fvm_get(vm, cells.hash) | FVM_HASH_PASS);
}

static fvm_cell hash_of_move(const fvm *vm) {
    fvm_cell last = fvm_plus(fvm_get(vm, FVM_K_BUILD_LAST), 1);
    uint32_t where = (uint32_t)fvm_mix(((uint64_t)vm->scan_word << 32) |
                                       (uint32_t)fvm_lib_get(vm, vm->lib.from, 0));
    return (fvm_cell)((where << FVM_HASH_SHIFT) |
                      (uint32_t)(last > 0 && last <= FVM_HASH_LAST ? last : 0));
}

/* All of finish_move and begin_move where nothing stands in the way: no text, room for the next
 * record too, nothing translated; false: nothing is done. */
static bool finish_plainly(fvm *vm, fvm_status *status) {
    fvm_addr move = (fvm_addr)fvm_get(vm, FVM_K_BUILD), end = (fvm_addr)fvm_get(vm, FVM_K_DP);
    fvm_addr next = end + 4;
    fvm_addr tail = (fvm_addr)fvm_get(vm, FVM_K_LIST_TAIL), list = vm->scan_list;
    /* As they usually lie: the list, its last move, this one, its end. */
    if (fvm_layout_140(vm) || vm->source != NULL || ((list | tail | move | end) & 3) != 0 ||
        list < FVM_DICTIONARY || tail <= list || move <= tail || end < move + RECORD_BYTES ||
        !fvm_in(vm, list, next + RECORD_BYTES - list) || !fvm_kernel_plain(vm) ||
        (fvm_marks_at(vm, list >> 2) | fvm_marks_at(vm, tail >> 2) | fvm_marks_at(vm, move >> 2) |
         vm->cells[end >> 2]) != 0)
        return false;
    if (next > vm->high)
        fvm_set_high(vm, next);
    vm->dirty[list >> FVM_PAGE_SHIFT] = vm->dirty[(list + 4) >> FVM_PAGE_SHIFT] = 1;
    vm->dirty[tail >> FVM_PAGE_SHIFT] = vm->dirty[move >> FVM_PAGE_SHIFT] = 1;
    vm->dirty[(move + RECORD_BYTES) >> FVM_PAGE_SHIFT] = vm->dirty[end >> FVM_PAGE_SHIFT] = 1;
    fvm_raw(vm, end, (fvm_cell)vm->primitives[FVM_OP_RETURN]);
    fvm_raw(vm, FVM_K_DP, (fvm_cell)next);
    fvm_cell hash = hash_of_move(vm);
    fvm_raw(vm, move, 0);
    fvm_raw(vm, move + 4, vm->scan_type);
    fvm_raw(vm, move + 8, hash);
    fvm_raw(vm, move + 12, (fvm_cell)(FVM_CODE_TAG | FVM_OP_MOVE_CODE));
    fvm_raw(vm, tail, (fvm_cell)move);
    fvm_raw(vm, FVM_K_LIST_TAIL, (fvm_cell)move);
    fvm_raw(vm, list + 4, fvm_plus(fvm_get(vm, list + 4), 1));
    if ((fvm_cell)next > fvm_get(vm, FVM_K_TRANSIENT_TOP))
        fvm_raw(vm, FVM_K_TRANSIENT_TOP, (fvm_cell)next);
    *status = fvm_spend_one(vm);
    if (*status == FVM_OK) {
        fvm_raw(vm, FVM_K_BUILD, (fvm_cell)next);
        fvm_text_begin(vm);
        fvm_raw(vm, FVM_K_DP, (fvm_cell)(next + RECORD_BYTES));
    }
    return true;
}

static fvm_status finish_move(fvm *vm) {
    fvm_addr move = (fvm_addr)fvm_get(vm, FVM_K_BUILD);
    fvm_move_cells cells;
    fvm_cell text = 0;
    fvm_status status;
    note_pass(vm);
    if (finish_plainly(vm, &status))
        return status;
    status = fvm_comma(vm, (fvm_cell)vm->primitives[FVM_OP_RETURN]);
    if (status == FVM_OK && fvm_layout_140(vm))
        status = fvm_text_store(vm, &text);
    if (status != FVM_OK)
        return status;
    if (!fvm_move_cells_at(vm, move, &cells))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)move, "the list of moves was overwritten");
    fvm_put(vm, cells.link, 0);
    if (cells.text != 0)
        fvm_put(vm, cells.text, text);
    fvm_put(vm, cells.type, vm->scan_type);
    fvm_put(vm, cells.hash, hash_of_move(vm));
    fvm_put(vm, cells.cfa, (fvm_cell)(FVM_CODE_TAG | FVM_OP_MOVE_CODE));
    fvm_addr tail = (fvm_addr)fvm_get(vm, FVM_K_LIST_TAIL);
    fvm_addr list = vm->scan_list;
    if (!fvm_in(vm, tail, 4) || !fvm_in(vm, list, LIST_BYTES))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)tail, "the list of moves was overwritten");
    fvm_put(vm, tail, (fvm_cell)move);
    fvm_put(vm, FVM_K_LIST_TAIL, (fvm_cell)move);
    fvm_put(vm, list + 4, fvm_plus(fvm_get(vm, list + 4), 1));
    if ((fvm_cell)fvm_here(vm) > fvm_get(vm, FVM_K_TRANSIENT_TOP))
        fvm_put(vm, FVM_K_TRANSIENT_TOP, (fvm_cell)fvm_here(vm));
    status = fvm_spend(vm, 1);
    return status == FVM_OK ? begin_move(vm) : status;
}

fvm_status fvm_word_add_move(fvm *vm) {
    if (vm->generating && fvm_get(vm, FVM_K_BUILD) != 0)
        return finish_move(vm);
    return fvm_need_building(vm, "add-move");
}

/* --- lists ------------------------------------------------------------------------------------------ */

bool fvm_newest_list(const fvm *vm, int32_t *count, fvm_addr *first) {
    fvm_addr list = (fvm_addr)fvm_lib_get(vm, vm->lib.moves_list, 0);
    *count = 0;
    *first = 0;
    if (list == 0 || !fvm_in(vm, list, LIST_BYTES))
        return false;
    *count = fvm_get(vm, list + 4);
    *first = (fvm_addr)fvm_get(vm, list + 8);
    return true;
}

fvm_addr fvm_next_move(const fvm *vm, fvm_addr move) {
    if (!fvm_in(vm, move, 4))
        return 0;
    fvm_addr next = (fvm_addr)fvm_get(vm, move);
    return next > move ? next : 0; /* lists grow upwards: a link down would never end */
}

int32_t fvm_move_list(fvm *vm, fvm_addr *moves, int32_t room) {
    int32_t count, found = 0;
    fvm_addr move;
    if (!fvm_newest_list(vm, &count, &move))
        return 0;
    for (; move != 0 && found < count; move = fvm_next_move(vm, move)) {
        if (found < room)
            moves[found] = move;
        found++;
    }
    return found;
}

fvm_status fvm_free_list(fvm *vm) {
    fvm_addr list = (fvm_addr)fvm_lib_get(vm, vm->lib.moves_list, 0);
    if (vm->generating)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$DeallocateMoves inside a move word");
    if (list == 0 || !fvm_in(vm, list, LIST_BYTES))
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$DeallocateMoves without a list");
    fvm_put(vm, vm->lib.moves_list, fvm_get(vm, list));
    fvm_put(vm, FVM_K_DP, (fvm_cell)list);
    if (list == (fvm_addr)fvm_get(vm, FVM_K_HOST_LIST))
        fvm_put(vm, FVM_K_HOST_LIST, 0);
    return FVM_OK;
}

/* Takes the moves below the best priority out of the list; order stays. */
static fvm_status keep_best(fvm *vm, fvm_addr list) {
    fvm_addr ranks = (fvm_addr)fvm_lib_get(vm, vm->lib.priorities, 0);
    if (ranks == 0 || !fvm_in(vm, ranks, 4 * MAX_PRIORITIES))
        return FVM_OK;
    fvm_move_cells cells;
    fvm_cell best = INT32_MAX;
    for (int pass = 0; pass < 2; pass++) {
        fvm_addr link = list + 8;
        fvm_cell count = 0;
        for (fvm_addr move = (fvm_addr)fvm_get(vm, link); move != 0;
             move = fvm_next_move(vm, move)) {
            fvm_status status = fvm_toil(vm, 4);
            if (status != FVM_OK)
                return status;
            if (!fvm_move_cells_at(vm, move, &cells))
                return FVM_OK;
            fvm_cell type = fvm_get(vm, cells.type);
            fvm_cell rank = type > 0 && type < MAX_PRIORITIES
                                ? fvm_get(vm, ranks + 4u * (uint32_t)type)
                                : NO_PRIORITY;
            if (pass == 0) {
                best = rank < best ? rank : best;
            } else if (rank == best) {
                fvm_put(vm, link, (fvm_cell)move);
                link = move;
                count++;
            }
        }
        if (pass == 1) {
            fvm_put(vm, link, 0);
            fvm_put(vm, list + 4, count);
        }
    }
    return FVM_OK;
}

/* --- the scan ------------------------------------------------------------------------------------------ */

typedef struct {
    fvm_addr pieces;
    fvm_cell scan_types;
    fvm_cell scan_positions;
    fvm_cell demanded;
    bool any_drops;
    bool settable; /* $from, $pos and $piece are where variables usually are */
} scan;

static inline void set_variable(fvm *vm, const scan *s, fvm_addr variable, fvm_cell value) {
    if (FVM_LIKELY(s->settable))
        fvm_set(vm, variable, value);
    else
        fvm_lib_put(vm, variable, value);
}

/* One move word: the stack is set back to where it was, whatever the word left. */
static inline fvm_status run_scan_word(fvm *vm, const scan *s, fvm_addr word, fvm_cell type) {
    fvm_cell *base = vm->sp;
    vm->scan_word = word;
    vm->scan_type = type;
    set_variable(vm, s, vm->lib.pos,
                 s->settable ? fvm_get(vm, vm->lib.from) : fvm_lib_get(vm, vm->lib.from, 0));
    fvm_status status = fvm_run_event(vm, word);
    if (status != FVM_OK)
        return status;
    vm->sp = base;
    note_pass(vm);
    fvm_addr now = (fvm_addr)fvm_get(vm, FVM_K_BUILD);
    fvm_addr empty = now + (fvm_layout_140(vm) ? RECORD_BYTES_140 : RECORD_BYTES);
    /* Drop what the word left unfinished. */
    if (empty != (fvm_addr)fvm_get(vm, FVM_K_DP))
        fvm_put(vm, FVM_K_DP, (fvm_cell)empty);
    fvm_text_begin(vm);
    return FVM_OK;
}

static fvm_status run_moves_list(fvm *vm, const scan *s, fvm_addr list) {
    if (list == 0)
        return FVM_OK;
    list = fvm_body(vm, list);
    if (!fvm_in(vm, list, 4))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)list, "a list of move words is broken");
    fvm_cell count = fvm_get(vm, list);
    for (fvm_cell i = 0; i < count; i++) {
        fvm_addr pair = list + 4u + 8u * (uint32_t)i;
        if (!fvm_in(vm, pair, 8))
            return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)pair, "a list of move words is broken");
        fvm_cell type = fvm_get(vm, pair + 4);
        fvm_status status = fvm_toil(vm, 1);
        if (status != FVM_OK)
            return status;
        if (s->demanded != 0 && type != s->demanded)
            continue;
        status = run_scan_word(vm, s, (fvm_addr)fvm_get(vm, pair), type);
        if (status != FVM_OK)
            return status;
    }
    return FVM_OK;
}

static fvm_addr piece_list(const fvm *vm, const scan *s, fvm_cell type, uint32_t field) {
    fvm_addr at = s->pieces + 16u * ((uint32_t)type - 1) + field;
    return type >= 1 && type <= s->scan_types && fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
}

static fvm_status scan_drops(fvm *vm, const scan *s, fvm_cell for_player) {
    for (fvm_cell type = 1; type <= s->scan_types; type++) {
        fvm_addr drops = piece_list(vm, s, type, 8);
        fvm_status status = fvm_toil(vm, 1);
        if (status != FVM_OK)
            return status;
        if (drops == 0)
            continue;
        set_variable(vm, s, vm->lib.piece, type | for_player);
        status = run_moves_list(vm, s, drops);
        if (status != FVM_OK)
            return status;
    }
    return FVM_OK;
}

/* A position for one player: the words of his piece there, then all drops. */
static fvm_status scan_position(fvm *vm, const scan *s, fvm_cell pos, fvm_cell for_player) {
    fvm_addr cell = fvm_square(vm, pos);
    fvm_status status = fvm_toil(vm, 4);
    if (status == FVM_OK && cell == 0)
        status = fvm_board_cell(vm, pos, &cell);
    fvm_cell piece = status == FVM_OK ? fvm_get(vm, cell) : 0;
    bool own = piece != 0 && FVM_OWNER(piece) == for_player;
    /* Nothing runs there, and only the last position leaves its mark behind. */
    if (status == FVM_OK && !own && !s->any_drops && pos != s->scan_positions - 1)
        return FVM_OK;
    set_variable(vm, s, vm->lib.from, pos);
    set_variable(vm, s, vm->lib.pos, pos);
    if (status != FVM_OK)
        return status;
    if (own) {
        set_variable(vm, s, vm->lib.piece, piece);
        status = run_moves_list(vm, s, piece_list(vm, s, FVM_TYPE(piece), 4));
    }
    if (status == FVM_OK && s->any_drops)
        status = scan_drops(vm, s, for_player);
    return status;
}

/* How many positions from `pos` on, `most` at most, can be passed over as scan_position does. */
static fvm_cell idle_positions(fvm *vm, const scan *s, fvm_cell pos, fvm_cell most,
                               fvm_cell for_player) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    fvm_cell idle = 0;
    if (most > s->scan_positions - 1 - pos)
        most = s->scan_positions - 1 - pos;
    if (s->any_drops || most <= 0 || board == 0 ||
        pos + most > fvm_lib_get(vm, vm->lib.positions, 0) ||
        !fvm_in(vm, board, 4u * (uint32_t)(pos + most)))
        return 0;
    for (; idle < most; idle++) {
        fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)(pos + idle));
        if (piece != 0 && FVM_OWNER(piece) == for_player)
            break;
    }
    vm->toil += 4u * (uint32_t)idle; /* looked at by scan_position */
    return idle;
}

/* The number of a player, which his word leaves, however the library made it. */
static fvm_status player_constant(fvm *vm, int index, fvm_cell *player) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.players, 0);
    fvm_addr at = table + 4u * (uint32_t)index;
    *player = 0;
    if (table == 0 || !fvm_in(vm, at, 4))
        return FVM_OK;
    return fvm_call(vm, (fvm_addr)fvm_get(vm, at), player);
}

/* Every player who is no friend of `player`, position by position, each as current player. */
static fvm_status scan_others(fvm *vm, scan *s, fvm_cell player) {
    fvm_cell count = fvm_lib_get(vm, vm->lib.player_count, 0);
    fvm_cell others[32];
    int enemies = 0;
    for (int i = 0; i < count && i < 32; i++) {
        bool friends;
        fvm_cell other;
        fvm_status status = player_constant(vm, i, &other);
        if (status != FVM_OK)
            return status;
        if (other == 0 || (other & FVM_NEUTRAL) != 0)
            continue;
        status = fvm_friends(vm, other, player, &friends);
        if (status != FVM_OK)
            return status;
        if (!friends)
            others[enemies++] = other;
    }
    for (fvm_cell pos = 0; pos < s->scan_positions; pos++)
        for (int i = 0; i < enemies; i++) {
            fvm_set_player(vm, others[i]);
            fvm_lib_put(vm, vm->lib.for_player, others[i]);
            fvm_status status = scan_position(vm, s, pos, others[i]);
            if (status != FVM_OK)
                return status;
        }
    return FVM_OK;
}

static fvm_status scan_board(fvm *vm, scan *s, fvm_cell player, fvm_cell for_player, bool others) {
    s->pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    s->scan_positions = fvm_lib_get(vm, vm->lib.scan_positions, 0);
    fvm_cell positions = fvm_lib_get(vm, vm->lib.positions, 0);
    if (s->scan_positions <= 0 || s->scan_positions > positions)
        s->scan_positions = positions;
    s->scan_types = fvm_lib_get(vm, vm->lib.scan_piece_count, 0);
    fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count, 0);
    if (s->scan_types <= 0 || s->scan_types > types)
        s->scan_types = types;
    if (s->scan_types > FVM_TYPE(-1)) /* a cell of the board has no room for more */
        s->scan_types = FVM_TYPE(-1);
    s->settable = fvm_settable(vm, vm->lib.from) && fvm_settable(vm, vm->lib.pos) &&
                  fvm_settable(vm, vm->lib.piece);
    s->any_drops = false;
    for (fvm_cell type = 1; type <= s->scan_types; type++)
        s->any_drops = s->any_drops || piece_list(vm, s, type, 8) != 0;
    if (others)
        return scan_others(vm, s, player);
    /* Where a few moves are enough, they are looked for first where they were found before. */
    fvm_cell *hint = &vm->scan_hints[FVM_PLAYER_NUMBER(for_player)];
    fvm_cell start = vm->enough_moves > 0 && *hint < s->scan_positions ? *hint : 0;
    for (fvm_cell i = 0; i < s->scan_positions; i++) {
        fvm_cell pos = start + i < s->scan_positions ? start + i : start + i - s->scan_positions;
        if ((i & 15) != 0) { /* each sixteenth counts a step */
            fvm_cell left = s->scan_positions - 1 - i, most = 16 - (i & 15);
            fvm_cell idle = idle_positions(vm, s, pos, most < left ? most : left, for_player);
            i += idle;
            pos += idle;
        }
        fvm_status status = scan_position(vm, s, pos, for_player);
        if (status != FVM_OK)
            return status;
        if (vm->enough_moves > 0 && fvm_get(vm, vm->scan_list + 4) >= vm->enough_moves) {
            *hint = pos;
            return FVM_OK;
        }
        if ((i & 15) == 0 && (status = fvm_spend(vm, 1)) != FVM_OK)
            return status;
    }
    return FVM_OK;
}

static fvm_status forced_pass(fvm *vm, const scan *s, fvm_addr list) {
    if (fvm_lib_get(vm, vm->lib.pass_forced, 0) != -1 || fvm_get(vm, list + 4) != 0 ||
        fvm_lib_get(vm, vm->lib.partial, 0) == -1)
        return FVM_OK;
    if (vm->lib.raw_pass != 0)
        return run_scan_word(vm, s, vm->lib.raw_pass, 0);
    fvm_status status = finish_move(vm);
    fvm_lib_put(vm, vm->lib.passed, -1);
    note_pass(vm);
    return status;
}

/* `place`: whether from, here and current-piece are put back.  After the host's own lists they
 * stay where the scan ended, and moves see them so when they are applied (recorded). */
static fvm_status generate(fvm *vm, fvm_cell player, fvm_cell for_player, bool others,
                           fvm_cell type, bool place) {
    const fvm_addr kept[] = {vm->lib.player,     vm->lib.player_offset, vm->lib.player_name,
                             vm->lib.for_player, vm->lib.of_type,       vm->lib.from,
                             vm->lib.pos,        vm->lib.piece};
    const int keeps = place ? 8 : 5;
    fvm_cell values[8];
    if (vm->generating)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "moves are generated inside a move word");
    if (vm->lib.moves_list == 0 || vm->lib.pos == 0 || vm->lib.from == 0)
        return fvm_fail(vm, FVM_ERR_LIBRARY, 0, "$movesList, $from or $pos");
    if (vm->lib.on_generate != 0) {
        fvm_status status = fvm_event(vm, vm->lib.on_generate, FVM_PHASE_GENERATE);
        if (status != FVM_OK)
            return status;
    }
    for (int i = 0; i < keeps; i++)
        values[i] = fvm_lib_get(vm, kept[i], 0);
    int32_t phase = vm->phase;
    fvm_addr scan_word = vm->scan_word;
    vm->phase = FVM_PHASE_GENERATE;
    fvm_transient_begin(vm);
    fvm_status status = fvm_align(vm);
    fvm_addr list = fvm_here(vm);
    if (status == FVM_OK)
        status = fvm_allot(vm, LIST_BYTES);
    if (status != FVM_OK)
        return status;
    fvm_put(vm, list, fvm_lib_get(vm, vm->lib.moves_list, 0));
    fvm_put(vm, list + 4, 0);
    fvm_put(vm, list + 8, 0);
    fvm_put(vm, FVM_K_LIST_TAIL, (fvm_cell)(list + 8));
    fvm_lib_put(vm, vm->lib.passed, 0);
    vm->scan_list = list;
    vm->pass_noted = false;
    vm->generating = true;
    fvm_set_player(vm, player);
    fvm_lib_put(vm, vm->lib.for_player, for_player);
    fvm_lib_put(vm, vm->lib.of_type, type);
    scan s = {.demanded = type};
    status = begin_move(vm);
    if (status == FVM_OK)
        status = scan_board(vm, &s, player, for_player, others);
    if (status == FVM_OK)
        status = forced_pass(vm, &s, list);
    if (status == FVM_OK)
        status = keep_best(vm, list);
    if (status != FVM_OK)
        fvm_record(vm, status, 0); /* while the scan still says where it was */
    vm->generating = false;
    vm->scan_word = scan_word;
    drop_building(vm);
    for (int i = 0; i < keeps; i++)
        fvm_lib_put(vm, kept[i], values[i]);
    vm->phase = phase;
    if (status != FVM_OK) {
        fvm_put(vm, FVM_K_DP, (fvm_cell)list);
        return status;
    }
    fvm_put(vm, vm->lib.moves_list, (fvm_cell)list);
    return FVM_OK;
}

fvm_status fvm_generate(fvm *vm, fvm_cell player, bool others, fvm_cell type) {
    return generate(vm, player, FVM_OWNER(player), others, type, true);
}

fvm_status fvm_generate_turn(fvm *vm) {
    fvm_cell player = fvm_lib_get(vm, vm->lib.player, 0);
    return generate(vm, player, fvm_lib_get(vm, vm->lib.for_player, player), false,
                    fvm_lib_get(vm, vm->lib.of_type, 0), false);
}

fvm_status fvm_word_generate(fvm *vm) {
    fvm_status status = fvm_need(vm, 3);
    if (status != FVM_OK)
        return status;
    fvm_cell type = fvm_drop(vm);
    bool others = fvm_drop(vm) != 0;
    fvm_cell player = fvm_drop(vm);
    return fvm_generate(vm, player, others, type);
}
