/* window.c: memory in which move lists and boards are written without a check for each store.
 *
 * While the window is open, raw stores (fast_path.h) to it and to the kernel's variables are
 * allowed: none of these cells is watched, their pages are marked as written, and no source text is
 * interpreted, whose positions would have to be stored.  The window stays open from list to list.
 * Whatever changes one of these conditions closes it: marks of cells (fvm_mark_cell), copies of
 * pages, which clear their marks (snapshots, sandboxes, move_list_reuse.c), smaller images and the
 * outer interpreter.
 *
 * In the execution tier without the JIT the window is never open, so that tests which compare the
 * tiers also compare both ways to store.  This file must not know what the memory contains. */
#include "vm/window.h"

static bool is_off(const fvm *vm) { return vm->jit.disabled && vm->jit.hooks->available; }

/* Whether a variable of the kernel that lists and boards change is watched. */
static bool kernel_is_watched(const fvm *vm) {
    return (vm->cells[FVM_K_DP >> 2] | fvm_marks_at(vm, FVM_K_BUILD >> 2) |
            fvm_marks_at(vm, FVM_K_OVER >> 2)) != 0;
}

/* Whether [start, end) can belong to the window, whose pages it marks as written. */
static bool add_to_window(fvm *vm, fvm_addr start, fvm_addr end) {
    return start >= end || fvm_prepare_raw_stores(vm, start, end - start);
}

bool fvm_open_window(fvm *vm, fvm_addr start, fvm_addr end) {
    const fvm_addr page_end = (end + FVM_PAGE - 1) & ~(fvm_addr)(FVM_PAGE - 1);
    const bool wraps = end < start; /* a script may have set HERE to any number */
    const bool joined = start <= vm->window_end && end >= vm->window && vm->window_end != 0;
    const fvm_addr low = joined ? vm->window : start, high = joined ? vm->window_end : start;
    fvm_close_window(vm);
    if (page_end > end && page_end <= vm->size)
        end = page_end;
    if (is_off(vm) || wraps || vm->source != NULL || kernel_is_watched(vm) || (end & 3) != 0 ||
        !add_to_window(vm, start, low) || !add_to_window(vm, high, end))
        return false;
    vm->dirty[0] = FVM_WRITTEN;
    vm->window = start < low ? start : low;
    vm->window_end = end > high ? end : high;
    return true;
}
