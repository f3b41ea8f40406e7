/* window.h: memory for move lists and boards that is checked once; see window.c. */
#ifndef FVM_WINDOW_H
#define FVM_WINDOW_H

#include "vm/fast_path.h"

/* Opens the window, or makes it larger, so that it contains [start, end), which must be aligned;
 * false: it must remain closed. */
bool fvm_open_window(fvm *vm, fvm_addr start, fvm_addr end);

/* Whether the window is open and contains `bytes` bytes from an aligned address on; opens it if
 * necessary and possible. */
static inline bool fvm_reach_window(fvm *vm, fvm_addr at, uint32_t bytes) {
    const bool inside = at >= vm->window && at <= vm->window_end && vm->window_end - at >= bytes;
    return FVM_LIKELY(inside) || fvm_open_window(vm, at, at + bytes);
}

#endif
