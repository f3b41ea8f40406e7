/* board_scan.c: scans the board and runs the move words of pieces and drops.
 *
 * It owns which move words run for which piece, on which board position, and in which order.  It
 * must not know what the words add to the list (move_list.c, move_edits.c), nor the purpose of the
 * list (move_generation.c). */
#include "vm/primitives.h"
#include "vm/run.h"
#include "game/board_scan.h"
#include "game/game.h"

/* Prepares a move word: sets `here` to `from`. */
static inline void begin_word(fvm *vm, const fvm_scan *s, fvm_addr word, fvm_cell type) {
    vm->scan_word = word;
    vm->scan_type = type;
    fvm_scan_set(vm, s, vm->lib.pos, fvm_scan_get(vm, s, vm->lib.from));
}

/* After a move word: restores the stack, marks a pass, and discards an unfinished move. */
static inline void end_word(fvm *vm, const fvm_scan *s) {
    fvm_restore_stack(vm, &s->stack);
    if (FVM_UNLIKELY(fvm_scan_get(vm, s, vm->lib.passed) == -1))
        fvm_pass_check(vm);
    fvm_addr code_start = (fvm_addr)fvm_get(vm, FVM_K_BUILD) + (fvm_addr)fvm_record_bytes(vm);
    if (FVM_UNLIKELY(code_start != (fvm_addr)fvm_get(vm, FVM_K_DP)))
        fvm_put(vm, FVM_K_DP, (fvm_cell)code_start);
    if (FVM_UNLIKELY(!fvm_text_is_reset(vm)))
        fvm_text_reset(vm);
}

fvm_status fvm_scan_run_word(fvm *vm, const fvm_scan *s, fvm_addr word, fvm_cell type) {
    begin_word(vm, s, word, type);
    fvm_status status = fvm_run_to_exit(vm, word);
    if (status == FVM_OK)
        end_word(vm, s);
    return status;
}

enum { MAX_WORDS = 128 }; /* the constant `#Moves` of the library */

/* Runs the move word of a pair if its move type is generated.  pair: address of word and type. */
static fvm_status run_pair(fvm *vm, const fvm_scan *s, fvm_addr pair) {
    fvm_cell type = fvm_get(vm, pair + 4);
    fvm_status status = fvm_charge_work(vm, 1);
    if (status != FVM_OK || (s->demanded_type != 0 && type != s->demanded_type))
        return status;
    return fvm_scan_run_word(vm, s, (fvm_addr)fvm_get(vm, pair), type);
}

/* Fast path for fvm_scan_run_word, allowed if vm->fast_scan is set.  rp: the return stack pointer
 * before the word. */
static inline fvm_status run_fast(fvm *vm, const fvm_scan *s, fvm_addr word, fvm_cell type,
                                  fvm_cell *rp) {
    uint8_t *const mem = vm->mem, *const dirty = vm->dirty;
    const uint8_t *const marks = vm->cells;
    const fvm_addr pos = vm->lib.pos;
    vm->scan_word = word;
    vm->scan_type = type;
    if (FVM_UNLIKELY(marks[pos >> 2] != 0))
        fvm_write_barrier(vm, pos, 4);
    dirty[pos >> FVM_PAGE_SHIFT] = 1;
    fvm_put_in(mem, pos, fvm_cell_in(mem, vm->lib.from));
    fvm_status status = fvm_run_directly(vm, word, rp);
    vm->rp = rp;
    if (FVM_UNLIKELY(status != FVM_OK && status != FVM_EXIT_VERIFY))
        return status;
    fvm_restore_stack(vm, &s->stack);
    if (FVM_UNLIKELY(fvm_cell_in(mem, vm->lib.passed) == -1))
        fvm_pass_check(vm);
    fvm_addr code_start = (fvm_addr)fvm_cell_in(mem, FVM_K_BUILD) + (fvm_addr)fvm_record_bytes(vm);
    if (FVM_UNLIKELY(code_start != (fvm_addr)fvm_cell_in(mem, FVM_K_DP)))
        fvm_put(vm, FVM_K_DP, (fvm_cell)code_start);
    if (FVM_UNLIKELY(!fvm_text_is_reset(vm)))
        fvm_text_reset(vm);
    return FVM_OK;
}

static inline bool has_enough_moves(const fvm *vm) {
    return vm->enough_moves > 0 && fvm_get(vm, vm->scan_list + 4) >= vm->enough_moves;
}

/* How many of the next `count` words must be skipped after a word that has run: a word may know
 * that the words after it would add no move, either.  Clears the word's request. */
static inline fvm_cell take_skip(fvm *vm, const fvm_scan *s, fvm_cell count) {
    const fvm_cell skip = s->skip_words != 0 ? fvm_get(vm, s->skip_words) : 0;
    if (FVM_LIKELY(skip == 0))
        return 0;
    fvm_set(vm, s->skip_words, 0);
    if (skip < 0 || vm->keeps_all_moves)
        return 0;
    return skip < count ? skip : count;
}

fvm_status fvm_scan_run_pairs(fvm *vm, const fvm_scan *s, fvm_addr pair, fvm_cell count) {
    fvm_cell *const rp = vm->rp, *const rbase = vm->rbase;
    const bool fast = rp < vm->rstack_high && vm->nesting < FVM_MAX_NESTING && vm->fast_scan;
    const fvm_cell demanded_type = s->demanded_type;
    fvm_status status = FVM_OK;
    fvm_set_return_base(vm, rp);
    for (; count > 0 && status == FVM_OK; count--, pair += 8) {
        fvm_addr word = (fvm_addr)fvm_get(vm, pair);
        fvm_cell type = fvm_get(vm, pair + 4);
        if (FVM_UNLIKELY(!fast || !fvm_can_run_directly(vm, word))) {
            status = run_pair(vm, s, pair);
        } else {
            vm->unmetered_work++;
            if (demanded_type == 0 || type == demanded_type)
                status = run_fast(vm, s, word, type, rp);
        }
        if (FVM_UNLIKELY(has_enough_moves(vm)))
            break;
        const fvm_cell skip = take_skip(vm, s, count - 1);
        count -= skip;
        pair += 8u * (uint32_t)skip;
    }
    fvm_set_return_base(vm, rbase);
    return status;
}

/* Runs a list of any form, with a check of each address. */
static fvm_status run_any_list(fvm *vm, const fvm_scan *s, fvm_addr pair, fvm_cell count) {
    for (; count-- > 0; pair += 8) {
        if (!fvm_in(vm, pair, 8))
            return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)pair, "a list of move words is damaged");
        fvm_status status = run_pair(vm, s, pair);
        if (status != FVM_OK)
            return status;
        const fvm_cell skip = take_skip(vm, s, count);
        count -= skip;
        pair += 8u * (uint32_t)skip;
    }
    return FVM_OK;
}

/* Returns the number of pairs in a list that has the usual form: a variable that contains the count
 * and is followed by the pairs.  -1: the list has another form. */
static inline int32_t pairs_of_variable(const fvm *vm, fvm_addr list, fvm_addr *pairs) {
    if (!fvm_in(vm, list, 4 + 4 + 8 * MAX_WORDS) ||
        (uint32_t)fvm_get(vm, list) != (FVM_CODE_TAG | FVM_OP_VAR))
        return -1;
    fvm_cell count = fvm_get(vm, list + 4);
    *pairs = list + 8;
    return count <= MAX_WORDS ? (count > 0 ? count : 0) : -1;
}

/* Runs the move words of a list; 0: there is no list. */
static fvm_status run_moves_list(fvm *vm, const fvm_scan *s, fvm_addr list) {
    fvm_addr pairs;
    if (list == 0)
        return FVM_OK;
    int32_t count = pairs_of_variable(vm, list, &pairs);
    if (FVM_LIKELY(count >= 0))
        return fvm_scan_run_pairs(vm, s, pairs, count);
    list = fvm_body(vm, list);
    if (!fvm_in(vm, list, 4))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)list, "a list of move words is damaged");
    return run_any_list(vm, s, list + 4, fvm_get(vm, list));
}

/* The list of move words (or drop words) of a piece type, 0: none. */
static fvm_addr piece_list(const fvm *vm, const fvm_scan *s, fvm_cell type, uint32_t field) {
    fvm_addr at = s->pieces + FVM_PIECE_BYTES * ((uint32_t)type - 1) + field;
    return type >= 1 && type <= s->scan_types && fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
}

int32_t fvm_scan_find_words(const fvm *vm, const fvm_scan *s, fvm_cell type, uint32_t field,
                            fvm_addr *pairs) {
    fvm_addr list = piece_list(vm, s, type, field);
    return list == 0 ? 0 : pairs_of_variable(vm, list, pairs);
}

static fvm_status drop_for(fvm *vm, const fvm_scan *s, fvm_cell type, fvm_addr drops,
                           fvm_cell player) {
    fvm_scan_set(vm, s, vm->lib.piece, type | player);
    return run_moves_list(vm, s, drops);
}

/* Runs the drop words of a piece type for each player of s->others. */
static fvm_status drop_for_others(fvm *vm, const fvm_scan *s, fvm_cell type, fvm_addr drops) {
    fvm_status status = FVM_OK;
    for (int i = 0; i < s->other_count && status == FVM_OK; i++) {
        fvm_name_player(vm, s->others[i]); /* $playerOffset does not change */
        status = drop_for(vm, s, type, drops, s->others[i]);
    }
    return status;
}

static fvm_status scan_drops(fvm *vm, const fvm_scan *s, fvm_cell player) {
    const bool for_others = s->other_count >= 0;
    for (fvm_cell type = 1; type <= s->scan_types; type++) {
        fvm_addr drops = piece_list(vm, s, type, FVM_FIELD_DROPS);
        fvm_status status = fvm_charge_work(vm, 1);
        if (status == FVM_OK && drops != 0)
            status = for_others ? drop_for_others(vm, s, type, drops)
                                : drop_for(vm, s, type, drops, player);
        if (status != FVM_OK)
            return status;
    }
    return FVM_OK;
}

/* Stores the piece at a board position in *piece, 0: none. */
static inline fvm_status piece_at(fvm *vm, const fvm_scan *s, fvm_cell pos, fvm_cell *piece) {
    fvm_addr board = (fvm_addr)fvm_scan_get(vm, s, vm->lib.board);
    fvm_addr cell = board + 4u * (uint32_t)pos;
    fvm_status status = fvm_charge_work(vm, 4);
    if (status == FVM_OK && FVM_UNLIKELY(board == 0 || pos < 0 || !fvm_in(vm, cell, 4) ||
                                         pos >= fvm_scan_get(vm, s, vm->lib.positions)))
        status = fvm_board_cell(vm, pos, &cell);
    *piece = status == FVM_OK ? fvm_get(vm, cell) : 0;
    return status;
}

/* Scans a board position for one player: runs the move words of the player's piece there, then all
 * drops. */
static fvm_status scan_position(fvm *vm, const fvm_scan *s, fvm_cell pos, fvm_cell for_player) {
    fvm_cell piece;
    fvm_status status = piece_at(vm, s, pos, &piece);
    bool own = piece != 0 && FVM_OWNER(piece) == for_player;
    /* Scripts can read `from` and `here` only while a word runs, or after the last position.  If
     * no word runs at this position, they need not be set. */
    if (status == FVM_OK && !own && !s->any_drops && pos != s->scan_positions - 1)
        return FVM_OK;
    fvm_scan_set(vm, s, vm->lib.from, pos);
    fvm_scan_set(vm, s, vm->lib.pos, pos);
    if (status != FVM_OK)
        return status;
    if (own) {
        fvm_scan_set(vm, s, vm->lib.piece, piece);
        status = run_moves_list(vm, s, piece_list(vm, s, FVM_TYPE(piece), FVM_FIELD_MOVES));
    }
    if (status == FVM_OK && s->any_drops)
        status = scan_drops(vm, s, for_player);
    return status;
}

/* Stores the constant of a player in *player, by running the player's word: a library may define it
 * in any way. */
static fvm_status player_constant(fvm *vm, int index, fvm_cell *player) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.players, 0);
    fvm_addr at = table + 4u * (uint32_t)index;
    *player = 0;
    if (table == 0 || !fvm_in(vm, at, 4))
        return FVM_OK;
    return fvm_call(vm, (fvm_addr)fvm_get(vm, at), player);
}

/* Stores in *other whether `owner` is neither neutral nor a friend of `player`. */
static fvm_status is_other(fvm *vm, fvm_cell owner, fvm_cell player, bool *other) {
    bool friends = false;
    *other = (owner & FVM_NEUTRAL) == 0;
    fvm_status status = *other ? fvm_friends(vm, owner, player, &friends) : FVM_OK;
    *other = *other && !friends;
    return status;
}

/* Collects the players who are not friends of `player` in s->others. */
static fvm_status collect_others(fvm *vm, fvm_scan *s, fvm_cell player) {
    fvm_cell count = fvm_lib_get(vm, vm->lib.player_count, 0);
    s->other_count = 0;
    for (int i = 0; i < count && i < FVM_MAX_PLAYERS; i++) {
        bool other = false;
        fvm_cell owner;
        fvm_status status = player_constant(vm, i, &owner);
        if (status == FVM_OK && owner != 0)
            status = is_other(vm, owner, player, &other);
        if (status != FVM_OK)
            return status;
        if (other)
            s->others[s->other_count++] = owner;
    }
    return FVM_OK;
}

/* Scans a board position for the players who are not friends of `player`: runs the move words of
 * the piece there for its owner, then all drops.  A piece without an owner belongs to player 0. */
static fvm_status scan_position_for_others(fvm *vm, const fvm_scan *s, fvm_cell pos,
                                           fvm_cell player) {
    fvm_cell piece;
    bool other = false;
    fvm_status status = piece_at(vm, s, pos, &piece);
    fvm_scan_set(vm, s, vm->lib.from, pos);
    fvm_scan_set(vm, s, vm->lib.pos, pos);
    fvm_addr moves =
        status == FVM_OK && piece != 0 ? piece_list(vm, s, FVM_TYPE(piece), FVM_FIELD_MOVES) : 0;
    if (moves != 0)
        status = is_other(vm, FVM_OWNER(piece), player, &other);
    if (status == FVM_OK && other) {
        fvm_set_player(vm, FVM_OWNER(piece));
        fvm_scan_set(vm, s, vm->lib.piece, piece);
        status = run_moves_list(vm, s, moves);
    }
    if (status == FVM_OK && s->any_drops)
        status = scan_drops(vm, s, player);
    return status;
}

fvm_status fvm_scan_board_for_others(fvm *vm, fvm_scan *s, fvm_cell player) {
    fvm_status status = collect_others(vm, s, player);
    for (fvm_cell pos = 0; pos < s->scan_positions && status == FVM_OK; pos++)
        status = scan_position_for_others(vm, s, pos, player);
    return status;
}

void fvm_scan_begin(fvm *vm, fvm_scan *s) {
    s->pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    s->scan_positions = fvm_lib_get(vm, vm->lib.scan_positions, 0);
    fvm_cell positions = fvm_lib_get(vm, vm->lib.positions, 0);
    if (s->scan_positions <= 0 || s->scan_positions > positions)
        s->scan_positions = positions;
    s->scan_types = fvm_lib_get(vm, vm->lib.scan_piece_count, 0);
    fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count, 0);
    if (s->scan_types <= 0 || s->scan_types > types)
        s->scan_types = types;
    if (s->scan_types > FVM_TYPE(-1)) /* the largest type in a board cell */
        s->scan_types = FVM_TYPE(-1);
    s->any_drops = false;
    s->skip_words = fvm_can_set(vm, vm->lib.skip_words) ? vm->lib.skip_words : 0;
    take_skip(vm, s, 0);
    for (fvm_cell type = 1; type <= s->scan_types; type++)
        s->any_drops = s->any_drops || piece_list(vm, s, type, FVM_FIELD_DROPS) != 0;
}

/* The first board position in [pos, end) that scan_position would not skip, or `end`.  *own: the
 * player's piece there, 0: unknown. */
static inline fvm_cell next_own_position(fvm *vm, const fvm_scan *s, fvm_cell pos, fvm_cell end,
                                         fvm_cell for_player, fvm_cell *own) {
    fvm_addr board = (fvm_addr)fvm_scan_get(vm, s, vm->lib.board);
    *own = 0;
    if (board == 0 || pos >= end || end > fvm_scan_get(vm, s, vm->lib.positions) ||
        (uint32_t)end > vm->size / 4 || !fvm_in(vm, board, 4u * (uint32_t)end))
        return pos;
    const uint8_t *const first = vm->mem + board + 4u * (uint32_t)pos;
    const uint8_t *const last = vm->mem + board + 4u * (uint32_t)end, *at = first;
    for (; at < last; at += 4) {
        fvm_cell piece = fvm_cell_in(at, 0);
        if (FVM_OWNER(piece) == for_player && piece != 0) {
            *own = piece;
            break;
        }
    }
    vm->unmetered_work += (uint32_t)(at - first); /* charged when a word runs */
    return pos + (fvm_cell)((at - first) / 4);
}

/* Does the same as scan_position if no piece type has drops and the player's piece on the position
 * is known. */
static inline fvm_status scan_own_piece(fvm *vm, const fvm_scan *s, fvm_cell pos, fvm_cell piece) {
    fvm_status status = fvm_charge_work(vm, 4);
    fvm_scan_set(vm, s, vm->lib.from, pos);
    fvm_scan_set(vm, s, vm->lib.pos, pos);
    if (status != FVM_OK)
        return status;
    fvm_scan_set(vm, s, vm->lib.piece, piece);
    return run_moves_list(vm, s, piece_list(vm, s, FVM_TYPE(piece), FVM_FIELD_MOVES));
}

enum { POSITIONS_PER_STEP = 16 }; /* a scan uses a step at each board position that is a multiple */

/* Does the same as fvm_scan_board if all moves are generated and no piece type has drops.  Visits
 * only the player's pieces and the last position, because `from` and `here` contain the last
 * position after a scan. */
static fvm_status scan_pieces(fvm *vm, const fvm_scan *s, fvm_cell for_player) {
    const uint32_t last = (uint32_t)s->scan_positions - 1;
    fvm_status status = FVM_OK;
    for (uint32_t pos = 0; pos <= last && status == FVM_OK; pos++) {
        fvm_cell own;
        /* The number of multiples of POSITIONS_PER_STEP below pos. */
        const uint32_t steps_before = (pos + POSITIONS_PER_STEP - 1) / POSITIONS_PER_STEP;
        pos = (uint32_t)next_own_position(vm, s, (fvm_cell)pos, (fvm_cell)last, for_player, &own);
        const uint32_t steps =
            (pos + POSITIONS_PER_STEP - 1) / POSITIONS_PER_STEP - steps_before; /* skipped ones */
        if (steps > 0 && (status = fvm_spend(vm, steps)) != FVM_OK)
            return status;
        status = own != 0 ? scan_own_piece(vm, s, (fvm_cell)pos, own)
                          : scan_position(vm, s, (fvm_cell)pos, for_player);
        if (status == FVM_OK && pos % POSITIONS_PER_STEP == 0)
            status = fvm_spend_one(vm);
    }
    return status;
}

fvm_status fvm_scan_board(fvm *vm, const fvm_scan *s, fvm_cell for_player) {
    if (s->scan_positions <= 0) /* a script may set $positions */
        return FVM_OK;
    const fvm_cell last = s->scan_positions - 1;
    if (!s->any_drops && vm->enough_moves <= 0)
        return scan_pieces(vm, s, for_player);
    /* If a few moves are enough and may be any moves of the list, begin at the position where the
     * previous scan of this kind stopped. */
    fvm_cell *hint = &vm->scan_hints[FVM_PLAYER_NUMBER(for_player)];
    const bool uses_hint = vm->enough_moves > 0 && !vm->needs_first_moves;
    fvm_cell start = uses_hint && *hint <= last ? *hint : 0;
    for (fvm_cell i = 0; i <= last; i++) {
        /* The positions from `start` to the last, then those from 0 to `start`. */
        fvm_cell pos = i <= last - start ? start + i : i - (last - start) - 1;
        if (i % POSITIONS_PER_STEP != 0 && !s->any_drops) { /* skip positions without own pieces */
            fvm_cell until_step = POSITIONS_PER_STEP - i % POSITIONS_PER_STEP;
            fvm_cell max = until_step < last - i ? until_step : last - i;
            fvm_cell end = max < last - pos ? pos + max : last;
            fvm_cell own, next = next_own_position(vm, s, pos, end, for_player, &own);
            i += next - pos;
            pos = next;
        }
        fvm_status status = scan_position(vm, s, pos, for_player);
        if (status != FVM_OK)
            return status;
        if (has_enough_moves(vm)) {
            if (uses_hint)
                *hint = pos;
            fvm_scan_set_final_variables(vm, s, for_player);
            return FVM_OK;
        }
        if (i % POSITIONS_PER_STEP == 0 && (status = fvm_spend(vm, 1)) != FVM_OK)
            return status;
    }
    return FVM_OK;
}
