/* search_stack.c: make and unmake for all native searches.
 *
 * It owns the state that unmake restores: the board (a clone), the turn, and the cells of the
 * script's memory that moves change (script_memory.c finds them).  After a checkpoint, as in
 * playouts, all changed pages are restored together. Queries about positions are in
 * position_queries.c. */
#include "search/search_stack.h"

#include "vm/decode.h"

#include <stdlib.h>

bool fvm_search_failed(fvm_search_stack *ss, fvm_status status) {
    if (status != FVM_OK && ss->status == FVM_OK)
        ss->status = status;
    return ss->status != FVM_OK;
}

/* --- opening ---------------------------------------------------------------------- */

/* Whether OnNextTurn is the library's and every word in the turn order only returns a value: then
 * the change of turns changes only variables of the library, and need not be tracked. */
static bool has_plain_turns(const fvm_search_stack *ss) {
    const fvm *vm = ss->vm;
    const fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order);
    enum { ENTRY_CELLS = FVM_TURN_BYTES / 4, MOVE_TYPE = 2 };
    for (int32_t cell = 0; cell < ss->turn_order_length * ENTRY_CELLS; cell++) {
        const fvm_addr at = order + 4u * (uint32_t)cell;
        const fvm_addr word = fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
        if (cell % ENTRY_CELLS == MOVE_TYPE)
            continue;
        if (fvm_does_part(vm, word) == 0 || fvm_does_part(vm, word) >= ss->memory.low)
            return false;
    }
    return vm->lib.on_next_turn < ss->memory.low;
}

fvm_search_stack *fvm_search_open(fvm *vm, uint32_t chance, bool count_turns) {
    fvm_search_stack *ss = calloc(1, sizeof *ss);
    if (ss == NULL)
        return NULL;
    ss->vm = vm;
    ss->chance = chance;
    ss->count_turns = count_turns;
    ss->promises = fvm_find_promises(vm);
    ss->partial_cost = fvm_lib_get_or(vm, vm->lib.combine_partial, -1) == 0 ? 1 : 0;
    /* so that searches are reproducible */
    memset(GAME(vm)->scan_hints, 0, sizeof GAME(vm)->scan_hints);
    ss->iteration_depth = fvm_lib_get(vm, vm->lib.iteration_depth);
    fvm_lib_put(vm, vm->lib.iteration_depth, 0);
    /* $turnLimit contains the size of the turn order in bytes. */
    ss->turn_order_length = fvm_lib_get(vm, vm->lib.turn_limit) / FVM_TURN_BYTES;
    const bool opened = fvm_script_memory_open(vm, &ss->memory);
    ss->plain_turns = has_plain_turns(ss);
    if (opened)
        return ss;
    fvm_search_close(ss);
    return NULL;
}

bool fvm_search_begin_keys(fvm_search_stack *ss) {
    ss->root_memory = fvm_script_memory_copy(ss->vm, &ss->memory);
    return ss->root_memory != NULL;
}

bool fvm_search_use_network(fvm_search_stack *ss, const fvm_network *network) {
    ss->network = network;
    ss->network_sums = network != NULL ? fvm_network_sums_new(network) : NULL;
    return network == NULL || ss->network_sums != NULL;
}

void fvm_search_set_depth(fvm_search_stack *ss, int32_t plies) {
    ss->counts_plies = true;
    fvm_lib_put(ss->vm, ss->vm->lib.iteration_depth, plies);
}

void fvm_search_close(fvm_search_stack *ss) {
    if (ss->checkpointed)
        fvm_search_rollback(ss);
    while (ss->ply > 0)
        fvm_search_unmake(ss);
    fvm_lib_put(ss->vm, ss->vm->lib.iteration_depth, ss->iteration_depth);
    fvm_script_memory_close(&ss->memory);
    fvm_network_sums_free(ss->network_sums);
    free(ss->root_memory);
    free(ss);
}

/* --- checkpoints ------------------------------------------------------------------ */

/* The cells of kernel and library that evaluating a position may change: `from`, `here`, the
 * current piece, and the indexes of the ring buffers.  Random streams are not restored, because
 * chance outcomes must differ between playouts. */
static void checkpoint_cells(const fvm *vm, fvm_addr cells[CHECKPOINT_CELLS]) {
    const fvm_addr second_ring = FVM_RINGS + FVM_RING_BYTES;
    const fvm_addr changed[CHECKPOINT_CELLS] = {vm->lib.from,   vm->lib.pos,   vm->lib.piece,
                                                FVM_RINGS,      FVM_RINGS + 4, second_ring,
                                                second_ring + 4};
    memcpy(cells, changed, sizeof changed);
}

void fvm_search_checkpoint(fvm_search_stack *ss) {
    fvm_addr cells[CHECKPOINT_CELLS];
    checkpoint_cells(ss->vm, cells);
    for (int i = 0; i < CHECKPOINT_CELLS; i++)
        ss->checkpoint_values[i] = fvm_lib_get(ss->vm, cells[i]);
    fvm_script_memory_begin_tracking(ss->vm, &ss->memory);
    ss->checkpointed = true;
}

void fvm_search_rollback(fvm_search_stack *ss) {
    fvm_addr cells[CHECKPOINT_CELLS];
    while (ss->ply > 0)
        fvm_search_unmake(ss);
    fvm_script_memory_rollback(ss->vm, &ss->memory);
    checkpoint_cells(ss->vm, cells);
    for (int i = 0; i < CHECKPOINT_CELLS; i++)
        if (cells[i] != 0)
            fvm_put_if_changed(ss->vm, cells[i], ss->checkpoint_values[i]);
}

/* --- moves ------------------------------------------------------------------------ */

/* Stores a copy of the script's memory in a frame; false: no memory. */
static bool save_memory(fvm_search_stack *ss, fvm_search_frame *frame, const uint8_t *memory) {
    const uint32_t bytes = ss->memory.high - ss->memory.low;
    frame->memory_copy = malloc(bytes + 1);
    if (frame->memory_copy == NULL) {
        fvm_search_failed(ss, fvm_fail(ss->vm, FVM_ERR_MEMORY, 0, "no memory to search"));
        return false;
    }
    memcpy(frame->memory_copy, memory, bytes);
    return true;
}

/* Except in the first position, the texts of lists need not be made if the script promises that no
 * word reads them. */
static void set_texts_unread(const fvm_search_stack *ss) {
    const bool unread = ss->promises.draws && !ss->needs_texts && ss->ply > 0;
    GAME(ss->vm)->texts_unread = unread;
    GAME(ss->vm)->omits_items = unread && ss->vm->version != 140;
}

/* Saves the state before a move in a new frame; NULL: failed. */
static fvm_search_frame *push_frame(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    fvm_search_frame *frame = &ss->frames[ss->ply];
    if (ss->ply >= SEARCH_PLIES - 1) {
        fvm_search_failed(ss, fvm_fail(vm, FVM_ERR_NESTING, ss->ply,
                                       "the search went %d moves deep", (int)ss->ply));
        return NULL;
    }
    fvm_turn_save(vm, &frame->turn);
    frame->sp = vm->sp;
    frame->log_start = ss->memory.log_count;
    frame->memory_copy = NULL;
    if (ss->memory.overflow ? !save_memory(ss, frame, vm->mem + ss->memory.low)
                            : fvm_search_failed(ss, fvm_script_memory_log(vm, &ss->memory)))
        return NULL;
    ss->ply++;
    set_texts_unread(ss);
    return frame;
}

/* Begins to track the changes of a move, unless the checkpoint tracks them or the move's frame
 * contains all memory; returns whether it has begun. */
static bool begin_tracking(fvm_search_stack *ss) {
    const bool tracking = !ss->memory.overflow && !ss->checkpointed;
    if (tracking)
        fvm_script_memory_begin_tracking(ss->vm, &ss->memory);
    return tracking;
}

/* Finds the changes since begin_tracking.  If the move has changed too many cells, its frame gets
 * the shadow, which contains the script's memory before the move. */
static void end_tracking(fvm_search_stack *ss) {
    fvm_search_failed(ss, fvm_script_memory_end_tracking(ss->vm, &ss->memory));
    if (ss->memory.overflow)
        save_memory(ss, &ss->frames[ss->ply - 1], ss->memory.shadow);
}

/* Ends the turn.  OnNextTurn may change memory, so its changes are tracked, too. */
static fvm_made next_turn(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    if (ss->counts_plies)
        fvm_lib_put(vm, vm->lib.ply, fvm_plus(fvm_lib_get(vm, vm->lib.ply), 1));
    const bool tracking = !ss->plain_turns && begin_tracking(ss);
    fvm_search_failed(ss, fvm_next_turn(vm));
    if (tracking)
        end_tracking(ss);
    return ss->status != FVM_OK ? MADE_FAILED : MADE_TURN;
}

/* Applies a move and tracks its changes.  Edits change only the clone of the board, which is above
 * the script's memory unless the script has damaged the kernel's cells, and cells that every unmake
 * restores. */
static bool apply(fvm_search_stack *ss, fvm_addr move) {
    const fvm_addr board = (fvm_addr)fvm_lib_get(ss->vm, ss->vm->lib.board);
    const bool on_clone = board >= ss->memory.high;
    fvm_move_rest rest;
    if (on_clone && fvm_apply_plain(ss->vm, move, &rest))
        return true;
    const bool tracking = begin_tracking(ss);
    fvm_search_failed(ss, on_clone ? fvm_apply_rest(ss->vm, &rest) : fvm_apply(ss->vm, move));
    if (tracking)
        end_tracking(ss);
    return ss->status == FVM_OK;
}

/* Ends the turn after a move, unless the move is partial and has a continuation. */
static fvm_made finish_move(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    fvm_addr first;
    if (fvm_lib_get(vm, vm->lib.partial) != -1)
        return next_turn(ss);
    if (fvm_search_failed(ss, fvm_generate_turn(vm)))
        return MADE_FAILED;
    if (fvm_search_newest_list(ss, &first) > 0)
        return MADE_PARTIAL;
    return fvm_search_failed(ss, fvm_free_list(vm)) ? MADE_FAILED : next_turn(ss);
}

fvm_made fvm_search_make(fvm_search_stack *ss, fvm_addr move) {
    FVM_ASSERT(move != 0 && !ss->vm->generating && ss->status == FVM_OK);
    if (push_frame(ss) == NULL || fvm_search_failed(ss, fvm_clone_board(ss->vm)) ||
        !apply(ss, move))
        return MADE_FAILED;
    return finish_move(ss);
}

bool fvm_search_begin_playout(fvm_search_stack *ss) {
    return push_frame(ss) != NULL && !fvm_search_failed(ss, fvm_clone_board(ss->vm));
}

fvm_made fvm_search_playout_move(fvm_search_stack *ss, fvm_addr move, bool first) {
    if ((move != 0 && !apply(ss, move)) || (!first && fvm_search_failed(ss, fvm_free_list(ss->vm))))
        return MADE_FAILED;
    return move != 0 ? finish_move(ss) : next_turn(ss);
}

fvm_made fvm_search_pass(fvm_search_stack *ss) {
    FVM_ASSERT(!ss->vm->generating && ss->status == FVM_OK);
    if (push_frame(ss) == NULL || fvm_search_failed(ss, fvm_clone_board(ss->vm)))
        return MADE_FAILED;
    return next_turn(ss);
}

fvm_cell fvm_search_undone_game_over(fvm_search_stack *ss) {
    const bool tracking = ss->ply > 0 && begin_tracking(ss);
    const fvm_cell over = fvm_search_game_over(ss);
    if (tracking)
        end_tracking(ss);
    return over;
}

/* OnRetractMove is not run, because this function restores all changes of the move. */
void fvm_search_unmake(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    FVM_ASSERT(ss->ply > 0);
    fvm_search_frame *frame = &ss->frames[--ss->ply];
    set_texts_unread(ss);
    if (frame->memory_copy != NULL) {
        fvm_script_memory_restore(vm, &ss->memory, frame->memory_copy);
        free(frame->memory_copy);
        frame->memory_copy = NULL;
    }
    /* The log is restored after the copy: its values may be older than those of the copy. */
    fvm_script_memory_undo(vm, &ss->memory, frame->log_start);
    fvm_turn_restore(vm, &frame->turn);
    fvm_set_stack(vm, frame->sp);
}

/* --- lists of moves ---------------------------------------------------------------- */

bool fvm_search_generate(fvm_search_stack *ss) {
    return !fvm_search_failed(ss, fvm_generate_turn(ss->vm));
}

int32_t fvm_search_newest_list(fvm_search_stack *ss, fvm_addr *first) {
    int32_t stored_count, count = 0;
    if (!fvm_newest_list(ss->vm, &stored_count, first))
        return 0;
    /* A script may have damaged the list. */
    for (fvm_addr move = *first; move != 0 && count < stored_count;
         move = fvm_next_move(ss->vm, move))
        if ((++count & 1023) == 0 && fvm_search_failed(ss, fvm_charge_work(ss->vm, 4096)))
            return 0;
    return count;
}

fvm_cell fvm_search_enter_turn(fvm_search_stack *ss) {
    return fvm_search_failed(ss, fvm_generate_turn(ss->vm)) ? FVM_DRAW : fvm_search_game_over(ss);
}

fvm_cell fvm_search_random_move(fvm_search_stack *ss, fvm_random_selection *selection,
                                fvm_addr *move) {
    *move = 0;
    if (fvm_search_failed(ss, fvm_generate_random(ss->vm, selection)))
        return FVM_DRAW;
    int32_t count = fvm_search_newest_list(ss, move), index = selection->chosen;
    if (index < 0 && count > 0) /* the list is complete */
        index = (int32_t)(fvm_next_random(selection->random) % (uint32_t)count);
    while (index-- > 0 && *move != 0)
        *move = fvm_next_move(ss->vm, *move);
    return fvm_search_game_over(ss);
}
