/* list_filter.c: OnMovesGenerated, with which a script removes moves from a complete list.
 *
 * It owns the interruption of a generation while the hook runs, and $RemoveMove.  Lists that the
 * hook generates are not filtered. */
#include "game/catch_frame.h"
#include "game/move_generation.h"

/* The hook may have freed or replaced the list. */
static fvm_status check_list(fvm *vm, fvm_addr list) {
    if ((fvm_addr)fvm_lib_get(vm, vm->lib.moves_list) == list)
        return FVM_OK;
    return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "OnMovesGenerated has freed the list of moves");
}

/* Prepares the list for a forced pass if it is empty. */
static void clear_if_empty(fvm *vm, fvm_addr list) {
    if (fvm_get(vm, list + FVM_LIST_LENGTH) != 0)
        return;
    fvm_list_clear(vm, list);
    fvm_lib_put(vm, vm->lib.passed, 0);
    GAME(vm)->pass_found = false;
}

fvm_status fvm_list_filter(fvm *vm) {
    const fvm_addr list = GAME(vm)->list, scan_word = vm->scan_word;
    const fvm_cell outer = fvm_lib_get(vm, vm->lib.moves_list);
    const bool pass_found = GAME(vm)->pass_found;
    const bool texts_depend_on_last_edit = GAME(vm)->texts_depend_on_last_edit;
    bool exited;
    FVM_ASSERT(vm->generating && !GAME(vm)->filtering);
    fvm_move_discard(vm);
    const fvm_addr end = fvm_here(vm);
    if (vm->nesting == 0)
        vm->running = vm->lib.on_generated;
    fvm_lib_put(vm, vm->lib.moves_list, (fvm_cell)list);
    vm->generating = false;
    GAME(vm)->filtering = true;
    fvm_status status = fvm_run_in_frame(vm, vm->lib.on_generated, &exited);
    GAME(vm)->filtering = false;
    if (status == FVM_OK)
        status = check_list(vm, list);
    fvm_lib_put(vm, vm->lib.moves_list, outer);
    if (status != FVM_OK)
        return status;
    vm->generating = true;
    GAME(vm)->list = list;
    vm->scan_word = scan_word;
    GAME(vm)->pass_found = pass_found;
    GAME(vm)->texts_depend_on_last_edit = texts_depend_on_last_edit;
    fvm_put(vm, FVM_K_DP, (fvm_cell)end);
    clear_if_empty(vm, list);
    return fvm_move_begin(vm);
}

fvm_status fvm_word_remove_move(fvm *vm) {
    int32_t count;
    fvm_addr first;
    FVM_TRY(fvm_need(vm, 1));
    const fvm_addr move = (fvm_addr)fvm_drop(vm);
    if (!GAME(vm)->filtering || vm->generating || !fvm_newest_list(vm, &count, &first))
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$RemoveMove outside OnMovesGenerated");
    const fvm_addr list = (fvm_addr)fvm_get(vm, vm->lib.moves_list);
    fvm_addr link = list + FVM_LIST_FIRST; /* the cell that leads to the move `at` */
    for (fvm_addr at = first; at != 0; link = at, at = fvm_next_move(vm, at)) {
        if (at == move && fvm_in(vm, move, 4)) {
            fvm_put(vm, link, (fvm_cell)fvm_next_move(vm, move));
            fvm_put(vm, list + FVM_LIST_LENGTH, fvm_plus(count, -1));
            return FVM_OK;
        }
        FVM_TRY(fvm_charge_work(vm, 2));
    }
    return fvm_fail(vm, FVM_ERR_CONTEXT, (fvm_cell)move,
                    "$RemoveMove of %d, which is not a move of the newest list", (int)move);
}
