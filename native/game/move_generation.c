/* move_generation.c: generates move lists.
 *
 * It owns the state during generation: the current player, the list, and forced passes.
 * board_scan.c runs the move words on board positions; what they add to the list is in move_list.c
 * and move_edits.c. */
#include "vm/primitives.h"
#include "vm/run.h"
#include "vm/prepared_memory.h"
#include "game/board_scan.h"
#include "game/game.h"

/* A forced pass has the move type of the last {move} entry to which a scan has come, as in the
 * original: also one of another type than the list demands, or in an earlier list. */
static void note_last_type(fvm *vm, const fvm_scan *s, fvm_cell owner) {
    fvm_cell type;
    if (fvm_lib_get(vm, vm->lib.pass_forced) != 0 && fvm_last_scanned_type(vm, s, owner, &type))
        fvm_put(vm, FVM_K_LAST_TYPE, type);
}

/* Adds a pass to an empty list if the script forces passes. */
static fvm_status add_forced_pass(fvm *vm, const fvm_scan *s, fvm_addr list) {
    if (fvm_lib_get(vm, vm->lib.pass_forced) != -1 || fvm_get(vm, list + FVM_LIST_LENGTH) != 0 ||
        fvm_lib_get(vm, vm->lib.partial) == -1)
        return FVM_OK;
    const fvm_cell type = fvm_get(vm, FVM_K_LAST_TYPE);
    if (vm->lib.raw_pass != 0) {
        GAME(vm)->list_part.moves = 0; /* lets the word set $passed after it has added the pass */
        return fvm_scan_run_word(vm, s, vm->lib.raw_pass, type);
    }
    vm->scan_type = type;
    fvm_status status = fvm_move_finish(vm);
    fvm_lib_put(vm, vm->lib.passed, -1);
    fvm_pass_check(vm);
    return status;
}

/* Which moves to generate. */
typedef struct {
    fvm_cell owner; /* the player whose pieces move */
    fvm_cell type;  /* move type, 0: every type */
    bool others;    /* the pieces of all players who are not friends of `owner` move instead */
    bool continues; /* continue the newest list at *part.rest; false: make a new list */
    fvm_list_part part;
    fvm_random_selection *selection; /* for a random move; NULL: none is selected */
} request;

/* Runs the move words, then sets `here` to `from`. */
static fvm_status scan_for(fvm *vm, fvm_scan *s, const request *r) {
    FVM_TRY(fvm_scan_begin(vm, s));
    GAME(vm)->list_is_part = false;
    fvm_status status = r->others              ? fvm_scan_board_for_others(vm, s, r->owner)
                        : r->selection != NULL ? fvm_random_move(vm, s, r->owner, r->selection)
                        : r->continues         ? fvm_scan_rest(vm, s, r->owner, r->part.rest)
                                               : fvm_scan_board(vm, s, r->owner);
    if (status == FVM_OK) {
        fvm_lib_put(vm, vm->lib.pos, fvm_lib_get(vm, vm->lib.from));
        if (!r->continues) /* a part that continues a list may follow other lists */
            note_last_type(vm, s, r->owner);
    }
    return status;
}

/* Allocates an empty list at HERE. */
static fvm_status begin_list(fvm *vm, fvm_addr *list) {
    fvm_transient_begin(vm);
    fvm_status status = fvm_align(vm);
    *list = fvm_here(vm);
    if (status == FVM_OK)
        status = fvm_allot(vm, FVM_LIST_BYTES);
    if (status != FVM_OK)
        return status;
    fvm_put(vm, *list, fvm_lib_get(vm, vm->lib.moves_list));
    fvm_list_clear(vm, *list);
    if (!fvm_text_is_reset(vm)) /* after a failed move word */
        fvm_text_reset(vm);
    fvm_lib_put(vm, vm->lib.passed, 0);
    return FVM_OK;
}

/* Prepares the newest list for more moves. */
static fvm_status reopen_list(fvm *vm, fvm_addr *list) {
    fvm_status status = FVM_OK;
    int32_t count;
    fvm_addr move;
    *list = (fvm_addr)fvm_lib_get(vm, vm->lib.moves_list);
    if (!fvm_newest_list(vm, &count, &move))
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "there is no list of moves");
    fvm_addr tail = *list + FVM_LIST_FIRST;
    for (; move != 0 && status == FVM_OK; move = fvm_next_move(vm, move)) {
        tail = move;
        status = fvm_charge_work(vm, 2);
    }
    fvm_put(vm, FVM_K_LIST_TAIL, (fvm_cell)tail);
    if (!fvm_text_is_reset(vm))
        fvm_text_reset(vm);
    return status;
}

/* Does the same as begin_list and fvm_move_begin in the common case; false: nothing has been done.
 */
static inline bool begin_fast(fvm *vm, fvm_addr *list) {
    uint8_t *const mem = vm->mem;
    const fvm_addr here = fvm_here(vm), build = here + FVM_LIST_BYTES;
    const fvm_addr code = build + fvm_record_bytes(vm);
    if (FVM_UNLIKELY(fvm_cell_in(mem, FVM_K_TRANSIENT) == 0 || !fvm_text_is_reset(vm) ||
                     (here & 3) != 0 || !fvm_ensure_prepared(vm, here, code - here)))
        return false;
    *list = here;
    fvm_put_in(mem, here, fvm_cell_in(mem, vm->lib.moves_list));
    fvm_put_in(mem, here + FVM_LIST_LENGTH, 0);
    fvm_put_in(mem, here + FVM_LIST_FIRST, 0);
    fvm_put_in(mem, FVM_K_LIST_TAIL, (fvm_cell)(here + FVM_LIST_FIRST));
    fvm_put_in(mem, FVM_K_BUILD, (fvm_cell)build);
    fvm_put_in(mem, FVM_K_DP, (fvm_cell)code);
    fvm_lib_put(vm, vm->lib.passed, 0);
    return true;
}

/* Generates the moves of a list.  begun: its first move is under construction. */
static fvm_status fill_list(fvm *vm, const request *r, fvm_addr list, bool begun) {
    fvm_scan s; /* fvm_save_stack sets the stack, scan_for the other fields */
    fvm_addr scan_word = vm->scan_word;
    FVM_ASSERT(!vm->generating && fvm_in(vm, list, FVM_LIST_BYTES));
    s.demanded_type = r->type;
    s.other_count = r->others ? 0 : -1;
    GAME(vm)->list = list;
    GAME(vm)->pass_found = false;
    GAME(vm)->list_part = r->part;
    GAME(vm)->best_rank = INT32_MAX;
    GAME(vm)->found_moves = 0;
    vm->generating = true;
    GAME(vm)->makes_texts = vm->records_have_texts && !GAME(vm)->texts_unread;
    GAME(vm)->texts_depend_on_last_edit = false;
    fvm_save_stack(vm, &s.stack);
    fvm_status status = begun ? FVM_OK : fvm_move_begin(vm);
    if (status == FVM_OK)
        status = scan_for(vm, &s, r);
    if (status == FVM_OK && !r->others && fvm_list_has_filter(vm))
        status = fvm_list_filter(vm);
    if (status == FVM_OK)
        status = add_forced_pass(vm, &s, list);
    if (status == FVM_OK && !r->part.counted)
        status = fvm_list_remove_low_priorities(vm, list);
    if (status == FVM_OK && !r->part.counted && (r->selection == NULL || r->selection->chosen < 0))
        status = fvm_list_remove_equal(vm, list);
    if (status != FVM_OK)
        fvm_record(vm, status, 0); /* while vm->scan_word is still the failed move word */
    vm->generating = false;
    GAME(vm)->list_part = (fvm_list_part){0};
    vm->scan_word = scan_word;
    fvm_move_discard(vm);
    return status;
}

/* Checks that a list can be generated, and runs OnGenerateMoves. */
static fvm_status prepare(fvm *vm) {
    if (vm->generating)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "moves are generated inside a move word");
    if (vm->lib.moves_list == 0 || vm->lib.pos == 0 || vm->lib.from == 0)
        return fvm_fail(vm, FVM_ERR_LIBRARY, 0, "$movesList, $from or $pos");
    return fvm_run_hook(vm, vm->lib.on_generate, FVM_PHASE_GENERATE);
}

/* Begins a request for a list.  If a script's engine searches, vm->nesting is greater than 0. */
static inline void begin_request(fvm *vm) {
    GAME(vm)->collecting_comment = false; /* in the original, a list ends the comment */
    if (vm->nesting == 0 || vm->phase == FVM_PHASE_SEARCH)
        fvm_begin_request(vm);
}

/* Generates a list.  `from`, `here` and `current-piece` keep the values of the last move word, as
 * in the original: applied moves, OnIsGameOver and OnEvaluate can read them. */
static fvm_status make_list(fvm *vm, const request *r) {
    fvm_addr list;
    int32_t phase = vm->phase;
    begin_request(vm);
    vm->phase = FVM_PHASE_GENERATE;
    const bool begun = !r->continues && begin_fast(vm, &list);
    fvm_status status = begun          ? FVM_OK
                        : r->continues ? reopen_list(vm, &list)
                                       : begin_list(vm, &list);
    if (status == FVM_OK) {
        status = fill_list(vm, r, list, begun);
        fvm_put(vm, status == FVM_OK ? vm->lib.moves_list : (fvm_addr)FVM_K_DP, (fvm_cell)list);
    }
    vm->phase = phase;
    return status;
}

/* Generates a list of the moves of `player`, or if `others` is true, of all players who are not
 * friends of `player`.  type: the move type that is generated; 0: every type.
 *
 * While move words run, the current player is `player`; with `others` it is the player for whom the
 * word runs.  The for-player and $ofType remain those of the turn (recorded in
 * tests/golden/Generate.jsonl). */
static fvm_status generate(fvm *vm, fvm_cell player, bool others, fvm_cell type) {
    FVM_TRY(prepare(vm));
    const fvm_addr saved[] = {vm->lib.player, vm->lib.player_offset, vm->lib.player_name};
    enum { SAVED = sizeof saved / sizeof *saved };
    fvm_cell values[SAVED];
    for (int i = 0; i < SAVED; i++)
        values[i] = fvm_lib_get(vm, saved[i]);
    if (!others)
        fvm_set_player(vm, player);
    const request r = {.owner = FVM_OWNER(player), .type = type, .others = others};
    fvm_status status = make_list(vm, &r);
    for (int i = 0; i < SAVED; i++)
        fvm_lib_put(vm, saved[i], values[i]);
    return status;
}

/* The player whose pieces move in this turn. */
static inline fvm_cell for_player(const fvm *vm) {
    return fvm_lib_get_or(vm, vm->lib.for_player, fvm_lib_get(vm, vm->lib.player));
}

/* Generates the moves of the for-player's pieces; the current player remains the player to move.
 * Sets the owner and the type of the request. */
static fvm_status generate_turn(fvm *vm, request r) {
    FVM_TRY(prepare(vm));
    const fvm_cell player = fvm_lib_get(vm, vm->lib.player);
    const fvm_cell owner = for_player(vm);
    const fvm_cell name = fvm_lib_get(vm, vm->lib.player_name);
    r.owner = FVM_OWNER(owner);
    r.type = fvm_lib_get(vm, vm->lib.of_type);
    if (owner != player)
        fvm_lib_put(vm, vm->lib.player_name, fvm_player_name_at(vm, owner));
    fvm_status status = make_list(vm, &r);
    if (owner != player)
        fvm_lib_put(vm, vm->lib.player_name, name);
    return status;
}

fvm_status fvm_generate_turn(fvm *vm) { return generate_turn(vm, (request){0}); }

/* Generates a part of a list, or the next part of the newest one. */
static fvm_status generate_part(fvm *vm, fvm_list_part part, bool continues) {
    FVM_ASSERT(part.moves >= 0 && !(part.counted && part.rest != NULL));
    FVM_ASSERT(!continues || part.rest != NULL);
    const bool selects = part.rest != NULL || part.moves > 1;
    part.rank = selects && fvm_lib_get(vm, vm->lib.of_type) == 0 ? fvm_best_rank(vm) : 0;
    return generate_turn(vm, (request){.continues = continues, .part = part});
}

fvm_status fvm_generate_part(fvm *vm, fvm_list_part part) { return generate_part(vm, part, false); }

fvm_status fvm_continue_list(fvm *vm, fvm_list_rest *rest, int32_t moves) {
    const fvm_scan_variables saved = fvm_scan_variables_save(vm);
    const fvm_status status =
        generate_part(vm, (fvm_list_part){.moves = moves, .rest = rest}, true);
    fvm_scan_variables_restore(vm, &saved);
    return status;
}

fvm_status fvm_omit_list(fvm *vm) {
    FVM_ASSERT(!vm->generating);
    fvm_scan s; /* no words run, so fvm_scan_begin sets all fields but these */
    fvm_status status = prepare(vm);
    s.demanded_type = fvm_lib_get(vm, vm->lib.of_type);
    s.other_count = -1;
    begin_request(vm);
    if (status == FVM_OK)
        status = fvm_align(vm);
    if (status == FVM_OK)
        status = fvm_scan_begin(vm, &s);
    if (status != FVM_OK)
        return status;
    GAME(vm)->list_is_part = true;
    fvm_lib_put(vm, vm->lib.passed, 0);
    fvm_scan_set_final_variables(vm, &s, FVM_OWNER(for_player(vm)));
    note_last_type(vm, &s, FVM_OWNER(for_player(vm)));
    return FVM_OK;
}

fvm_status fvm_generate_random(fvm *vm, fvm_random_selection *selection) {
    return generate_turn(vm, (request){.selection = selection});
}

fvm_status fvm_complete_drawn_list(fvm *vm) {
    const fvm_scan_variables saved = fvm_scan_variables_save(vm);
    FVM_TRY(fvm_free_list(vm));
    const fvm_status status = generate_turn(vm, (request){0});
    fvm_scan_variables_restore(vm, &saved);
    return status;
}

fvm_status fvm_word_generate(fvm *vm) {
    FVM_TRY(fvm_need(vm, 3));
    fvm_cell type = fvm_drop(vm);
    bool others = fvm_drop(vm) != 0;
    fvm_cell player = fvm_drop(vm);
    const bool list_is_part = GAME(vm)->list_is_part; /* of the position's list */
    fvm_status status = generate(vm, player, others, type);
    GAME(vm)->list_is_part = list_is_part;
    return status;
}
