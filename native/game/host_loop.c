/* host_loop.c: what a host's own loop over moves needs, several calls of host_protocol.c in one.
 *
 * It owns no rule of play: the order of the questions is States' (forthvm/game/states.py), and
 * what happens is what host_protocol.c's functions do one by one.  A call from Python into C
 * costs about as much as applying a move, so a loop that makes and takes back every move should
 * need one for each. */
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

fvm_snapshot *fvm_loop_arrive(fvm *vm) {
    fvm_game_free_lists(vm);
    return fvm_snapshot_take(vm);
}

/* --- a list that need not be made twice ------------------------------------------- */

/* The original's host makes a list, asks OnIsGameOver and makes the list again.  The second one
 * is the first again if neither the making nor the question changed anything that making a list
 * looks at.  That shows when it is over: what a generation reads without having written it is in
 * memory, and memory can be compared.  The cells that every generation writes before anything can
 * read them do not count. */

typedef struct {
    fvm *vm;
    uint64_t outside; /* what the host had noticed before the first list */
    int64_t steps;    /* before it, then: what it took */
    bool by_text;     /* some text in it depends on the square edited last before */
} first_list;

static bool may_be_kept(const fvm *vm) {
    return fvm_list_is_reusable(vm) && fvm_lib_get(vm, vm->lib.priorities, 0) == 0 &&
           fvm_is_wiped(vm, fvm_here(vm));
}

static bool is_list_again(const first_list *first, const fvm_snapshot *arrived,
                          const fvm_snapshot *listed) {
    const fvm *vm = first->vm;
    fvm_addr written[FVM_GENERATION_CELLS];
    fvm_cells_of_generation(vm, written);
    return vm->outside == first->outside && !first->by_text &&
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

/* Asks, and makes the list again if it has to be. */
static fvm_status ask_and_list(fvm *vm, const fvm_snapshot *arrived, fvm_listing *turn) {
    int32_t count;
    first_list first = {vm, vm->outside, fvm_steps(vm), false};
    const bool watched = may_be_kept(vm);
    fvm_status status = fvm_game_generate(vm, &count);
    first.steps = fvm_steps(vm) - first.steps;
    first.by_text = vm->began_with_change;
    if (status == FVM_OK && watched)
        status = take(vm, &turn->listed);
    if (status == FVM_OK)
        status = fvm_game_over(vm, &turn->code);
    turn->asked = status == FVM_OK;
    if (status != FVM_OK)
        return status;
    if (watched && is_list_again(&first, arrived, turn->listed))
        return fvm_spend(vm, (uint32_t)first.steps); /* as if it had been made */
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
