/* prepared_memory.c: memory in which move lists and boards are written without a check for each
 * store.
 *
 * Raw stores (fast_path.h) to prepared memory, and while any memory is prepared to the kernel's
 * variables, are allowed: none of these cells is watched, their pages are marked as written, and no
 * source text is interpreted, whose positions would have to be stored.  Memory stays prepared from
 * list to list.  Whatever changes one of these conditions calls fvm_forget_prepared: fvm_mark_cell,
 * whatever changes the marks of pages (snapshots, sandboxes, script_memory.c), smaller images and
 * the outer interpreter.
 *
 * In the execution tier without the JIT no memory is prepared, so that tests which compare the
 * tiers also compare both ways to store. */
#include "vm/prepared_memory.h"

static bool is_off(const fvm *vm) { return vm->jit.disabled && vm->jit.hooks->available; }

/* Whether a variable of the kernel that lists and boards change is watched. */
static bool kernel_is_watched(const fvm *vm) {
    return (vm->cells[FVM_K_DP >> 2] | fvm_marks_at(vm, FVM_K_BUILD >> 2) |
            fvm_marks_at(vm, FVM_K_OVER >> 2)) != 0;
}

/* Whether [start, end) can be prepared; marks its pages as written. */
static bool prepare(fvm *vm, fvm_addr start, fvm_addr end) {
    return start >= end || fvm_prepare_raw_stores(vm, start, end - start);
}

bool fvm_prepare_memory(fvm *vm, fvm_addr start, fvm_addr end) {
    const fvm_addr page_end = (end + FVM_PAGE - 1) & ~(fvm_addr)(FVM_PAGE - 1);
    const bool wraps = end < start; /* a script may have set HERE to any number */
    const bool joined = start <= vm->prepared_end && end >= vm->prepared && vm->prepared_end != 0;
    const fvm_addr low = joined ? vm->prepared : start, high = joined ? vm->prepared_end : start;
    fvm_forget_prepared(vm);
    if (page_end > end && page_end <= vm->size)
        end = page_end;
    if (is_off(vm) || wraps || vm->source != NULL || kernel_is_watched(vm) || (end & 3) != 0 ||
        !prepare(vm, start, low) || !prepare(vm, high, end))
        return false;
    vm->dirty[0] = FVM_WRITTEN;
    vm->prepared = start < low ? start : low;
    vm->prepared_end = end > high ? end : high;
    return true;
}
