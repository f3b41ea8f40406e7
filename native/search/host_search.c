/* host_search.c: begins and ends a native search that the host runs.
 *
 * It owns the state of the VM before the search, which it restores.  Searches that a script may run
 * begin in engine_words.c. */
#include "search/host_search.h"

fvm_status fvm_host_search_begin(fvm *vm, double seconds, fvm_host_search *saved) {
    fvm_begin(vm, FVM_PHASE_SEARCH);
    if (vm->nesting > 0)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a search inside a run");
    const fvm_status status = fvm_bind(vm);
    if (status != FVM_OK)
        return status;
    saved->stack = vm->sp;
    saved->searching = fvm_lib_get(vm, vm->lib.searching);
    fvm_turn_save(vm, &saved->turn);
    saved->halt = fvm_halt_begin(vm, seconds, 0);
    vm->phase = FVM_PHASE_SEARCH;
    GAME(vm)->searching = true;
    fvm_lib_put(vm, vm->lib.searching, -1);
    return FVM_OK;
}

fvm_status fvm_host_search_end(fvm *vm, const fvm_host_search *saved, fvm_status status,
                               int32_t *stopped) {
    *stopped |= fvm_halt_end(vm, saved->halt, &status);
    /* A request to stop may arrive before the search begins, so it is cleared at the end, not at
     * the beginning. */
    vm->engine_status = 0;
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    fvm_turn_restore(vm, &saved->turn);
    fvm_lib_put(vm, vm->lib.searching, saved->searching);
    GAME(vm)->searching = false;
    fvm_set_stack(vm, saved->stack);
    fvm_flush(vm);
    return status;
}
