/* host_loop.c: combines calls of host_protocol.c for a host's loop over moves.
 *
 * A call from Python into C costs about as much as applying a move, so a loop that makes and
 * unmakes moves should need one call for each.  This file owns no rules: the order of calls is that
 * of States (forthvm/game/states.py), and the effects are those of host_protocol.c's functions. */
#include "game/move_list_reuse.h"

#include <stdlib.h>

int32_t fvm_loop_make(fvm *vm, const fvm_snapshot *listed, fvm_addr move) {
    int32_t partial;
    fvm_status status = fvm_snapshot_restore(vm, listed);
    if (status != FVM_OK) {
        fvm_begin(vm, FVM_PHASE_APPLY);
        return (int32_t)fvm_fail(vm, status, 0, "a state can be restored only between runs");
    }
    fvm_budget(vm, 0, 0);
    status = fvm_game_make(vm, move, &partial);
    return status == FVM_OK && partial ? FVM_LOOP_PARTIAL : (int32_t)status;
}

fvm_snapshot *fvm_loop_snapshot(fvm *vm) {
    fvm_game_free_lists(vm);
    return fvm_snapshot_take(vm);
}

/* --- move-list reuse -------------------------------------------------------------- */

/* The original's host generates a list, asks OnIsGameOver and generates the list again.  The second
 * list is the same if neither the generation nor OnIsGameOver has changed memory that a generation
 * reads.  This is checked afterwards by comparing memory, without the cells that every generation
 * writes before anything can read them. */

typedef struct {
    fvm *vm;
    uint64_t external_effects; /* vm->external_effects before the first list was generated */
    int64_t steps;             /* before it was generated; then the steps of its generation */
    bool by_text;              /* the text of a move depends on the square of the last edit */
} first_list;

static bool may_be_reused(const fvm *vm) {
    return fvm_list_is_reusable(vm) && fvm_lib_get(vm, vm->lib.priorities, 0) == 0 &&
           fvm_is_wiped(vm, fvm_here(vm));
}

static bool is_same_list(const first_list *first, const fvm_snapshot *arrived,
                         const fvm_snapshot *listed) {
    const fvm *vm = first->vm;
    fvm_addr written[FVM_GENERATION_CELLS];
    fvm_cells_of_generation(vm, written);
    return vm->external_effects == first->external_effects && !first->by_text &&
           fvm_lib_get(vm, vm->lib.passed, 0) == 0 && fvm_depth_of(vm) == 0 &&
           fvm_pages_untouched((fvm *)vm) &&
           fvm_snapshot_differs_only(arrived, listed, (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT),
                                     written, FVM_GENERATION_CELLS) &&
           fvm_is_wiped(vm, fvm_list_top(vm));
}

/* --- listing ---------------------------------------------------------------------- */

static fvm_status take(fvm *vm, fvm_snapshot **snapshot) {
    *snapshot = fvm_snapshot_take(vm);
    return *snapshot != NULL ? FVM_OK : fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for a snapshot");
}

static fvm_status make_list(fvm *vm, fvm_listing *turn) {
    int32_t count;
    fvm_status status = fvm_game_generate(vm, &count);
    return status == FVM_OK ? take(vm, &turn->listed) : status;
}

/* Generates the list, asks OnIsGameOver, and generates the list again unless it can be reused. */
static fvm_status ask_and_list(fvm *vm, const fvm_snapshot *arrived, fvm_listing *turn) {
    int32_t count;
    first_list first = {vm, vm->external_effects, fvm_steps(vm), false};
    const bool checked = may_be_reused(vm);
    fvm_status status = fvm_game_generate(vm, &count);
    first.steps = fvm_steps(vm) - first.steps;
    first.by_text = vm->began_with_change;
    if (status == FVM_OK && checked)
        status = take(vm, &turn->listed);
    if (status == FVM_OK)
        status = fvm_game_over(vm, &turn->code);
    turn->asked = status == FVM_OK;
    if (status != FVM_OK)
        return status;
    if (checked && is_same_list(&first, arrived, turn->listed))
        return fvm_spend(vm, (uint32_t)first.steps); /* as if it had been generated */
    fvm_snapshot_free(turn->listed);
    turn->listed = NULL;
    return make_list(vm, turn);
}

fvm_status fvm_loop_list(fvm *vm, const fvm_snapshot *arrived, fvm_listing *turn) {
    turn->listed = NULL;
    turn->count = 0;
    turn->turn = fvm_lib_get(vm, vm->lib.player_offset, -1);
    fvm_budget(vm, 0, 0);
    fvm_status status = turn->asked ? make_list(vm, turn) : ask_and_list(vm, arrived, turn);
    if (status != FVM_OK) {
        fvm_snapshot_free(turn->listed);
        turn->listed = NULL;
    } else {
        turn->count = fvm_move_list(vm, turn->moves, turn->room);
    }
    return status;
}
