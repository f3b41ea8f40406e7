/* original_guard.c: assumptions of the original's search about memory, which are checked.
 *
 * It owns the state that is restored if an assumption turns out to be wrong: memory, table and
 * noise.  It must not know the search's own state (original_search.c). */
#include "search/original_guard.h"

#include <stdlib.h>

bool fvm_original_guard_begin(fvm *vm, fvm_original_guard *g) {
    g->memory = fvm_snapshot_take(vm);
    g->table = fvm_original_table_copy(vm);
    g->noise = vm->noise_state;
    if (g->memory != NULL && g->table != NULL && fvm_guard_begin(vm, &g->guard))
        return true;
    fvm_original_guard_end(vm, g);
    return false;
}

fvm_status fvm_original_guard_restore(fvm *vm, fvm_original_guard *g) {
    vm->unguarded = true;
    fvm_guard_clear_failure(vm);
    vm->noise_state = g->noise;
    fvm_original_table_restore(vm, g->table);
    const fvm_status status = fvm_snapshot_restore(vm, g->memory);
    fvm_original_guard_end(vm, g);
    return status;
}

void fvm_original_guard_end(fvm *vm, fvm_original_guard *g) {
    fvm_guard_end(vm, &g->guard);
    fvm_snapshot_free(g->memory);
    free(g->table);
    g->memory = NULL;
    g->table = NULL;
}
