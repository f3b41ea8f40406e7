/* guarded_memory.c: run-time checks of what a search assumes about memory.
 *
 * It owns the memory that is guarded, and the addresses of the instructions that check what they
 * read, or their index (translate.c makes them do so).  analysis/lasting_effects.c and
 * analysis/memory_accesses.c find these instructions.
 */
#include "game/guarded_memory.h"

/* Makes the instruction at an address check what it reads, from now on; false: there are too many.
 */
static bool add_read(fvm *vm, fvm_addr at) {
    for (int32_t i = 0; i < vm->guarded_reads; i++)
        if (vm->guarded_read[i] == at)
            return true;
    if (vm->guarded_reads == FVM_GUARDED_READS)
        return false;
    vm->guarded_read[vm->guarded_reads++] = at;
    fvm_write_barrier(vm, at, 4); /* discards what has been translated from the cell */
    return true;
}

static bool has_bounds(const fvm *vm, const fvm_guard *guard) {
    bool same = vm->guarded_bounds == guard->bounds;
    for (int32_t i = 0; i < guard->bounds && same; i++) {
        const fvm_bound *const a = &vm->guarded_bound[i], *const b = &guard->bound[i];
        same = a->at == b->at && a->sum == b->sum && a->start == b->start && a->limit == b->limit;
    }
    return same;
}

/* Lets only these instructions check their indexes, from now on. */
static void set_bounds(fvm *vm, const fvm_guard *guard) {
    if (has_bounds(vm, guard))
        return;
    const int32_t before = vm->guarded_bounds;
    vm->guarded_bounds = 0;
    for (int32_t i = 0; i < before; i++)
        fvm_write_barrier(vm, vm->guarded_bound[i].at, 4);
    memcpy(vm->guarded_bound, guard->bound, sizeof vm->guarded_bound);
    vm->guarded_bounds = guard->bounds;
    for (int32_t i = 0; i < guard->bounds; i++)
        fvm_write_barrier(vm, guard->bound[i].at, 4);
}

bool fvm_guard_begin(fvm *vm, fvm_guard *guard) {
    for (int32_t i = 0; i < guard->reads; i++)
        if (!add_read(vm, guard->read[i]))
            return false;
    set_bounds(vm, guard);
    fvm_cell *before = guard->before;
    for (int32_t i = 0; i < guard->variables; i++)
        for (fvm_cell cell = 0; cell < guard->cells[i]; cell++)
            *before++ = fvm_get(vm, guard->start[i] + 4u * (uint32_t)cell);
    vm->guard = guard;
    vm->guard_failed = false;
    return true;
}

void fvm_guard_fill(fvm *vm) {
    const fvm_guard *const guard = vm->guard;
    for (int32_t i = 0; i < guard->variables; i++) {
        const uint32_t bytes = 4 * (uint32_t)guard->cells[i];
        fvm_write_barrier(vm, guard->start[i], bytes);
        memset(vm->mem + guard->start[i], FVM_UNWRITTEN_BYTE, bytes);
    }
}

void fvm_guard_end(fvm *vm, const fvm_guard *guard) {
    if (vm->guard != guard)
        return;
    const fvm_cell *before = guard->before;
    for (int32_t i = 0; i < guard->variables; i++)
        for (fvm_cell cell = 0; cell < guard->cells[i]; cell++)
            fvm_put(vm, guard->start[i] + 4u * (uint32_t)cell, *before++);
    vm->guard = NULL;
}

bool fvm_guard_failed(const fvm *vm, const fvm_guard *guard) {
    return vm->guard == guard && vm->guard_failed;
}

void fvm_guard_clear_failure(fvm *vm) {
    vm->failed = vm->located = vm->guard_failed = false;
    vm->error.status = FVM_OK;
}
