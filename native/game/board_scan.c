/* board_scan.c: scans the board and runs the move words of pieces and drops.
 *
 * It owns which move words run for which piece, on which board position, and in which order.  The
 * words add moves to the list in move_list.c and move_edits.c; move_generation.c uses the list. */
#include "vm/primitives.h"
#include "vm/run.h"
#include "game/game.h"
#include "game/move_words.h"

/* Prepares a move word: sets `here` to `from`. */
static inline void begin_word(fvm *vm, fvm_addr word, fvm_cell type) {
    vm->scan_word = word;
    vm->scan_type = type;
    fvm_lib_put(vm, vm->lib.pos, fvm_lib_get(vm, vm->lib.from));
}

/* After a move word: restores the stack, marks a pass, and discards an unfinished move. */
static inline void end_word(fvm *vm, const fvm_scan *s) {
    fvm_restore_stack(vm, &s->stack);
    fvm_pass_check(vm);
    fvm_addr code_start = (fvm_addr)fvm_get(vm, FVM_K_BUILD) + fvm_record_bytes(vm);
    if (FVM_UNLIKELY(code_start != (fvm_addr)fvm_get(vm, FVM_K_DP)))
        fvm_put(vm, FVM_K_DP, (fvm_cell)code_start);
    if (FVM_UNLIKELY(!fvm_text_is_reset(vm)))
        fvm_text_reset(vm);
}

fvm_status fvm_scan_run_word(fvm *vm, const fvm_scan *s, fvm_addr word, fvm_cell type) {
    begin_word(vm, word, type);
    fvm_status status = fvm_run_to_exit(vm, word);
    if (status == FVM_OK)
        end_word(vm, s);
    return status;
}

/* Runs one word of a table without the word loop, for the current piece. */
static fvm_status run_word(fvm *vm, const fvm_scan *s, const fvm_loop_word *word) {
    FVM_TRY(fvm_charge_work(vm, 1));
    if (!fvm_in(vm, word->pair, 8))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)word->pair,
                        "a list of move words is damaged");
    /* A word before it may have changed the list. */
    return fvm_scan_run_word(vm, s, (fvm_addr)fvm_get(vm, word->pair),
                             fvm_get(vm, word->pair + FVM_PAIR_TYPE));
}

fvm_status fvm_scan_run_single(fvm *vm, const fvm_scan *s, const fvm_loop_word *word) {
    const fvm_status status = run_word(vm, s, word);
    if (FVM_UNLIKELY(fvm_lib_get(vm, vm->lib.skip_words) != 0))
        fvm_lib_put(vm, vm->lib.skip_words, 0); /* there are no words after it to skip */
    return status;
}

/* Whether the word loop may begin at an item: a word with machine code, or an end after which there
 * are positions to scan.  No limit must be near, and the loop must be allowed to store to its
 * variables. */
static bool can_loop(fvm *vm, fvm_loop_word *at) {
    fvm_word_loop *const loop = &vm->jit.loop;
    if (loop->epoch != vm->jit.epoch) {
        fvm_move_tables_forget_code(vm);
        loop->code = NULL;
        loop->epoch = vm->jit.epoch;
    }
    if (vm->move_words_changed || !fvm_may_enter(vm) || vm->interrupted ||
        vm->unmetered_work >= FVM_WORK_BETWEEN_CHECKS - 32 || vm->rp >= vm->rstack_high ||
        vm->nesting >= FVM_MAX_NESTING ||
        (at->pair != 0 ? !fvm_has_code(vm, at->word) : loop->pos + 1 >= loop->end) ||
        (vm->cells[vm->lib.from >> 2] | vm->cells[vm->lib.pos >> 2] |
         vm->cells[vm->lib.piece >> 2]) != 0 ||
        (fvm_addr)fvm_get(vm, FVM_K_STOP) != vm->primitives[FVM_OP_STOP])
        return false;
    if (at->pair != 0)
        at->code = (uint32_t)vm->code[(at->word >> 2) + 1].a;
    if (loop->code == NULL)
        loop->code = vm->jit.hooks->make_word_loop(vm, (int32_t)fvm_record_bytes(vm));
    return loop->code != NULL;
}

/* Runs the word loop until it stops.  *at: the item to begin with; afterwards the next item. */
static fvm_status run_loop(fvm *vm, const fvm_scan *s, fvm_loop_word **at) {
    fvm_word_loop *const loop = &vm->jit.loop;
    fvm_cell *const rp = vm->rp;
    fvm_status status = FVM_OK;
    loop->next = *at;
    loop->stop = false;
    loop->sp = vm->sp;
    loop->pass_bits = GAME(vm)->pass_found || GAME(vm)->list_part.counted ? 0 : -1;
    vm->unmetered_work += 16; /* as fvm_run charges; each word of the loop uses a step */
    if (vm->nesting++ == 0)
        fvm_begin_stack(vm);
    const uint64_t result = vm->jit.enter(vm, loop->code);
    if (result >> 32 != FVM_JIT_WORD_LOOP && !fvm_exit_ends_word(vm, result)) {
        /* The interpreter completes the word. */
        vm->jit.resume = result;
        status = fvm_inner(vm, vm->scan_word); /* not vm->inner: this run began untraced */
    }
    vm->nesting--;
    vm->rp = rp;
    *at = loop->next;
    if (status != FVM_OK && status != FVM_EXIT_VERIFY)
        return status;
    if (result != (FVM_BEFORE_WORD | (uint64_t)FVM_JIT_WORD_LOOP << 32))
        end_word(vm, s);
    return FVM_OK;
}

static inline bool has_enough_moves(const fvm *vm) {
    return GAME(vm)->list_part.moves > 0 && GAME(vm)->found_moves >= GAME(vm)->list_part.moves;
}

/* Skips the words that the last word has requested to skip: a word may know that the words after it
 * in its list would add no move, either.  Clears the request.  next: the item after the word that
 * has run.  Returns the item to continue with. */
static inline fvm_loop_word *skip_words(fvm *vm, fvm_loop_word *next) {
    const fvm_cell skip = fvm_lib_get(vm, vm->lib.skip_words);
    if (FVM_LIKELY(skip == 0))
        return next;
    fvm_lib_put(vm, vm->lib.skip_words, 0);
    if (skip < 0 || vm->keeps_all_moves)
        return next;
    const fvm_addr last = next[-1].pair;
    while (next->pair != 0 && next->piece == 0 && (next->pair - last) / 8 <= (uint32_t)skip)
        next++;
    return next;
}

/* Stores the piece at a board position in *piece, 0: none. */
static inline fvm_status piece_at(fvm *vm, fvm_cell pos, fvm_cell *piece) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    fvm_addr cell = board + 4u * (uint32_t)pos;
    fvm_status status = fvm_charge_work(vm, 4);
    if (status == FVM_OK && FVM_UNLIKELY(board == 0 || pos < 0 || !fvm_in(vm, cell, 4) ||
                                         pos >= fvm_lib_get(vm, vm->lib.positions)))
        status = fvm_board_cell(vm, pos, &cell);
    *piece = status == FVM_OK ? fvm_get(vm, cell) : 0;
    return status;
}

FVM_COLD static fvm_status out_of_memory(fvm *vm) {
    return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for the table of move words");
}

/* Sets the loop's words to those of the current table, which is made again if it has changed. */
static fvm_status select_words(fvm *vm, const fvm_scan *s) {
    fvm_word_loop *const loop = &vm->jit.loop;
    if (!fvm_move_table_select(vm, s))
        return out_of_memory(vm);
    fvm_move_table *const t = GAME(vm)->move_tables[0];
    loop->types = (uint32_t)t->types;
    loop->moves = t->starts;
    loop->no_moves = t->starts[0];
    loop->drops = t->words + FVM_DROPS_AT;
    loop->owner_mask = t->has_drops ? 0 : FVM_OWNER_MASK;
    return FVM_OK;
}

/* Finds the next item after the end of a sequence, *at: the drop words of the position, or words of
 * the next position below `end`; NULL: there is none. */
static fvm_status next_sequence(fvm *vm, const fvm_scan *s, fvm_loop_word **at, fvm_cell end) {
    fvm_word_loop *const loop = &vm->jit.loop;
    fvm_status status = FVM_OK;
    if ((*at)->type != 0) {
        *at = loop->drops;
        return FVM_OK;
    }
    *at = NULL;
    while (++loop->pos < end) {
        fvm_cell piece;
        if (FVM_UNLIKELY(vm->move_words_changed) && (status = select_words(vm, s)) != FVM_OK)
            return status;
        if ((status = piece_at(vm, loop->pos, &piece)) != FVM_OK)
            return status;
        const bool own = piece != 0 && FVM_OWNER(piece) == loop->player;
        /* Scripts can read `from` only while a word runs, or after the last position.  If no word
         * runs at this position, it need not be set.  Each word sets `here`, and so does the end of
         * the scan. */
        if (!own && loop->owner_mask != 0 && loop->pos != s->scan_positions - 1)
            continue;
        fvm_lib_put(vm, vm->lib.from, loop->pos);
        *at =
            fvm_move_sequence(GAME(vm)->move_tables[0], own ? FVM_TYPE(piece) : 0, FVM_FIELD_MOVES);
        if (*at != loop->no_moves) /* the type has a list of move words */
            fvm_lib_put(vm, vm->lib.piece, piece);
        return FVM_OK;
    }
    return FVM_OK;
}

/* Whether words have overwritten items of the stack below their own. */
static bool has_changed_items(const fvm_saved_stack *stack) {
    return memcmp(stack->sp - stack->count + 1, stack->items,
                  (size_t)stack->count * sizeof *stack->items) != 0;
}

/* Stores in list_part.rest that the scan stops before an item.  false: it may not stop,
 * because the next word may read what other words have left on the stack. */
static bool save_rest(fvm *vm, const fvm_scan *s, const fvm_loop_word *next) {
    fvm_list_rest *const rest = GAME(vm)->list_part.rest;
    if (has_changed_items(&s->stack))
        return false;
    rest->pos = vm->jit.loop.pos;
    rest->from = fvm_lib_get(vm, vm->lib.from);
    rest->piece = fvm_lib_get(vm, vm->lib.piece);
    rest->passed = fvm_lib_get(vm, vm->lib.passed);
    rest->pass_found = GAME(vm)->pass_found;
    rest->next = (uint32_t)(next - GAME(vm)->move_tables[0]->words);
    rest->bottom = *vm->stack;
    fvm_save_stack(vm, &rest->stack);
    return true;
}

/* Restores what the next word can observe. */
static void restore_rest(fvm *vm, fvm_scan *s, const fvm_list_rest *rest) {
    const fvm_saved_stack *const stack = &rest->stack;
    fvm_lib_put(vm, vm->lib.from, rest->from);
    fvm_lib_put(vm, vm->lib.piece, rest->piece);
    fvm_lib_put(vm, vm->lib.passed, rest->passed);
    GAME(vm)->pass_found = rest->pass_found;
    *vm->stack = rest->bottom;
    memcpy(stack->sp - stack->count + 1, stack->items, (size_t)stack->count * sizeof *stack->items);
    fvm_save_stack(vm, &s->stack);
}

/* Runs words, beginning with the item `at`, up to the end of the last position below `end`, or
 * until there are enough moves.  The current position is loop.pos. */
static fvm_status run_words(fvm *vm, const fvm_scan *s, fvm_loop_word *at, fvm_cell end) {
    fvm_cell *const rbase = vm->rbase;
    fvm_status status = FVM_OK;
    fvm_set_return_base(vm, vm->rp);
    while (status == FVM_OK && at != NULL) {
        if (can_loop(vm, at))
            status = run_loop(vm, s, &at);
        else if (at->pair != 0) {
            if (at->piece != 0)
                fvm_lib_put(vm, vm->lib.piece, at->piece | vm->jit.loop.player);
            status = run_word(vm, s, at++);
        }
        if (status != FVM_OK)
            break;
        at = skip_words(vm, at);
        if (has_enough_moves(vm) && (GAME(vm)->list_part.rest == NULL || save_rest(vm, s, at))) {
            GAME(vm)->list_is_part = true;
            break;
        }
        if (at->pair == 0)
            status = next_sequence(vm, s, &at, end);
    }
    fvm_set_return_base(vm, rbase);
    return status;
}

/* Runs one sequence of words at the current position. */
static fvm_status run_sequence(fvm *vm, const fvm_scan *s, fvm_loop_word *at) {
    vm->jit.loop.pos = vm->jit.loop.end = 0;
    return at->pair != 0 ? run_words(vm, s, at, 0) : FVM_OK;
}

/* Runs the drop words of each piece type for each player of s->others. */
static fvm_status drop_for_others(fvm *vm, const fvm_scan *s, const fvm_move_table *t) {
    fvm_status status = fvm_charge_work(vm, (uint32_t)t->types);
    for (fvm_cell type = 1; type <= t->types; type++) {
        fvm_loop_word *const drops = fvm_move_sequence(t, type, FVM_FIELD_DROPS);
        for (int i = 0; i < s->other_count && status == FVM_OK; i++) {
            if (drops == t->words + FVM_NO_WORDS_AT)
                break;
            fvm_name_player(vm, s->others[i]); /* $playerOffset does not change */
            fvm_lib_put(vm, vm->lib.piece, type | s->others[i]);
            status = run_sequence(vm, s, drops);
        }
    }
    return status;
}

/* Stores the constant of a player in *player, by running the player's word: a library may define it
 * in any way. */
static fvm_status player_constant(fvm *vm, int index, fvm_cell *player) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.players);
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
    fvm_cell count = fvm_lib_get(vm, vm->lib.player_count);
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
    fvm_status status = piece_at(vm, pos, &piece);
    if (vm->move_words_changed && !fvm_move_table_select(vm, s))
        return out_of_memory(vm);
    const fvm_move_table *const t = GAME(vm)->move_tables[0];
    fvm_lib_put(vm, vm->lib.from, pos);
    fvm_lib_put(vm, vm->lib.pos, pos);
    fvm_loop_word *const moves = fvm_move_sequence(t, FVM_TYPE(piece), FVM_FIELD_MOVES);
    if (status == FVM_OK && piece != 0 && moves != t->words + FVM_NO_WORDS_AT)
        status = is_other(vm, FVM_OWNER(piece), player, &other);
    if (status == FVM_OK && other) {
        fvm_set_player(vm, FVM_OWNER(piece));
        fvm_lib_put(vm, vm->lib.piece, piece);
        status = run_sequence(vm, s, moves);
    }
    return status == FVM_OK && t->last_drop_type != 0 ? drop_for_others(vm, s, t) : status;
}

fvm_status fvm_scan_board_for_others(fvm *vm, fvm_scan *s, fvm_cell player) {
    fvm_status status = collect_others(vm, s, player);
    for (fvm_cell pos = 0; pos < s->scan_positions && status == FVM_OK; pos++)
        status = scan_position_for_others(vm, s, pos, player);
    return status;
}

fvm_status fvm_scan_begin(fvm *vm, fvm_scan *s) {
    s->pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces);
    s->scan_positions = fvm_lib_get(vm, vm->lib.scan_positions);
    fvm_cell positions = fvm_lib_get(vm, vm->lib.positions);
    if (s->scan_positions <= 0 || s->scan_positions > positions)
        s->scan_positions = positions;
    s->scan_types = fvm_lib_get(vm, vm->lib.scan_piece_count);
    fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count);
    if (s->scan_types <= 0 || s->scan_types > types)
        s->scan_types = types;
    if (s->scan_types > FVM_TYPE(-1)) /* the largest type in a board cell */
        s->scan_types = FVM_TYPE(-1);
    if (s->scan_types < 0) /* a script may set the variable */
        s->scan_types = 0;
    fvm_lib_put(vm, vm->lib.skip_words, 0);
    if (!fvm_move_table_select(vm, s))
        return out_of_memory(vm);
    return FVM_OK;
}

/* Runs the words from the item with the index `next` on, at the position `pos` and then at the
 * positions after it, below `end`. */
static fvm_status scan_positions(fvm *vm, const fvm_scan *s, fvm_cell pos, uint32_t next,
                                 fvm_cell end) {
    fvm_word_loop *const loop = &vm->jit.loop;
    const fvm_cell last = s->scan_positions - 1;
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    loop->pos = pos;
    loop->board = board;
    /* The word loop leaves the last position to next_sequence. */
    loop->end = end <= last ? end : last;
    if (board == 0 || loop->player == 0 || end > fvm_lib_get(vm, vm->lib.positions) ||
        (uint32_t)end > vm->size / 4 || !fvm_in(vm, board, 4u * (uint32_t)end))
        loop->end = 0;
    const fvm_status status = run_words(vm, s, GAME(vm)->move_tables[0]->words + next, end);
    if (status != FVM_OK)
        return status;
    /* The scan uses a step at each board position that is a multiple of 16. */
    const uint32_t first = (uint32_t)(pos + 1);
    const uint32_t scanned = (uint32_t)(loop->pos < end ? loop->pos + 1 : end);
    return fvm_spend(vm, (scanned + 15) / 16 - (first + 15) / 16);
}

fvm_status fvm_scan_board(fvm *vm, const fvm_scan *s, fvm_cell for_player) {
    fvm_status status = select_words(vm, s);
    if (status != FVM_OK || s->scan_positions <= 0) /* a script may set $positions */
        return status;
    const fvm_cell last = s->scan_positions - 1;
    vm->jit.loop.player = for_player;
    /* If a few moves are enough and may be any moves of the list, begin at the position where the
     * previous scan of this kind stopped. */
    fvm_cell *hint = &GAME(vm)->scan_hints[FVM_PLAYER_NUMBER(for_player)];
    const bool uses_hint = GAME(vm)->list_part.moves > 0 && GAME(vm)->list_part.rest == NULL;
    const fvm_cell start = uses_hint && *hint <= last ? *hint : 0;
    status = scan_positions(vm, s, start - 1, FVM_POSITION_END, last + 1);
    if (status == FVM_OK && start > 0 && !GAME(vm)->list_is_part)
        status = scan_positions(vm, s, -1, FVM_POSITION_END, start);
    if (status != FVM_OK)
        return status;
    if (GAME(vm)->list_is_part && uses_hint)
        *hint = vm->jit.loop.pos;
    if (GAME(vm)->list_is_part || start > 0) {
        fvm_scan_set_final_variables(vm, s, for_player);
    } else if (GAME(vm)->move_tables[0]->final_type != 0) {
        fvm_lib_put(vm, vm->lib.piece, GAME(vm)->move_tables[0]->final_type | for_player);
    }
    return FVM_OK;
}

fvm_status fvm_scan_rest(fvm *vm, fvm_scan *s, fvm_cell for_player, const fvm_list_rest *rest) {
    FVM_TRY(select_words(vm, s));
    if (rest->next >= GAME(vm)->move_tables[0]->count || rest->pos >= s->scan_positions)
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)rest->next,
                        "the lists of move words have changed during a search");
    vm->jit.loop.player = for_player;
    restore_rest(vm, s, rest);
    return scan_positions(vm, s, rest->pos, rest->next, s->scan_positions);
}
