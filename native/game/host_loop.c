/* host_loop.c: combines calls of host_protocol.c for a host's loop over moves.
 *
 * A call from Python into C costs about as much as applying a move, so a loop over moves should
 * need only one call to make a move and one to list moves.  This file owns no rules: it calls
 * functions of host_protocol.c in the same order as the class States (forthvm/game/states.py). */
#include "game/move_list_reuse.h"
#include "vm/page_restore.h"

int32_t fvm_loop_make(fvm *vm, const fvm_snapshot *state, fvm_addr move) {
    int32_t partial;
    fvm_status status = fvm_snapshot_restore(vm, state);
    if (status != FVM_OK) {
        fvm_begin(vm, FVM_PHASE_APPLY);
        return (int32_t)fvm_fail(vm, status, 0, "a state can be restored only between runs");
    }
    fvm_budget(vm, 0, 0);
    status = fvm_game_make(vm, move, &partial);
    return status == FVM_OK && partial ? FVM_LOOP_PARTIAL : (int32_t)status;
}

/* --- moves without the host's lock ------------------------------------------------ */

/* A number that differs between threads. */
static uintptr_t this_thread(void) {
    static _Thread_local char object;
    return (uintptr_t)&object;
}

void fvm_loop_own(fvm *vm) { vm->only_user = this_thread(); }

void fvm_loop_share(fvm *vm) { vm->only_user = 0; }

int32_t fvm_loop_unlocked_move(const fvm *vm) { return vm->mover != 0; }

int32_t fvm_loop_make_unlocked(fvm *vm, const fvm_snapshot *state, fvm_addr move) {
    const uintptr_t me = this_thread();
    if (vm->only_user != me || vm->mover != 0)
        return FVM_LOOP_LOCK_NEEDED;
    vm->mover = me;
    if (vm->only_user == 0) { /* another thread may have missed the store above */
        vm->mover = 0;
        return FVM_LOOP_LOCK_NEEDED;
    }
    int32_t status = fvm_loop_make(vm, state, move);
    if (status == FVM_OK)
        vm->mover = 0;
    return status;
}

void fvm_loop_end_unlocked(fvm *vm) {
    if (vm->mover == this_thread())
        vm->mover = 0;
}

/* --- snapshots -------------------------------------------------------------------- */

fvm_snapshot *fvm_loop_snapshot(fvm *vm) {
    fvm_game_free_lists(vm);
    return fvm_snapshot_take(vm);
}

/* --- listing ---------------------------------------------------------------------- */

static fvm_status take_snapshot(fvm *vm, fvm_snapshot **snapshot) {
    *snapshot = fvm_snapshot_take(vm);
    return *snapshot != NULL ? FVM_OK : fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for a snapshot");
}

static fvm_status make_list(fvm *vm, fvm_listing *listing) {
    int32_t count;
    fvm_status status = fvm_game_generate(vm, &count);
    return status == FVM_OK ? take_snapshot(vm, &listing->state) : status;
}

/* Generates the list, runs OnIsGameOver, and generates the list again unless it can be reused, or
 * is not needed. */
static fvm_status run_game_over_and_list(fvm *vm, const fvm_snapshot *current,
                                         fvm_loop_purpose purpose, fvm_listing *listing) {
    int32_t count;
    fvm_first_list first;
    const bool unlimited = listing->steps == 0 && listing->seconds == 0;
    const bool reusable = fvm_first_list_begin(&first, vm) && unlimited;
    fvm_status status = fvm_game_generate(vm, &count);
    fvm_first_list_made(&first);
    if (status == FVM_OK && reusable)
        status = take_snapshot(vm, &listing->state);
    if (status == FVM_OK)
        status = fvm_game_over(vm, &listing->result);
    if (status != FVM_OK)
        return status;
    if (reusable && fvm_first_list_is_reusable(&first, current, listing->state)) {
        fvm_restore_dirty(vm); /* OnIsGameOver may have changed scratch memory */
        return fvm_spend(vm, (uint32_t)first.steps); /* as if the second list were generated */
    }
    fvm_snapshot_free(listing->state);
    listing->state = NULL;
    if (purpose == FVM_LOOP_RESULT && fvm_is_decided(listing->result))
        return FVM_OK;
    return make_list(vm, listing);
}

fvm_status fvm_loop_list(fvm *vm, const fvm_snapshot *current, fvm_loop_purpose purpose,
                         fvm_listing *listing) {
    listing->state = NULL;
    listing->count = 0;
    listing->player_offset = fvm_lib_get_or(vm, vm->lib.player_offset, -1);
    fvm_budget(vm, listing->steps, listing->seconds);
    fvm_status status = purpose == FVM_LOOP_LIST_ONLY
                            ? make_list(vm, listing)
                            : run_game_over_and_list(vm, current, purpose, listing);
    if (status != FVM_OK) {
        fvm_snapshot_free(listing->state);
        listing->state = NULL;
    } else if (listing->state != NULL) {
        listing->count = fvm_move_list(vm, listing->moves, listing->capacity);
    }
    return status;
}
