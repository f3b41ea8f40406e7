/* primitives.h: functions that bodies of primitives and handlers call, besides those of ops.h. */
#ifndef FVM_PRIMITIVES_H
#define FVM_PRIMITIVES_H

#include "vm/vm.h"

fvm_status fvm_host_word(fvm *vm, fvm_cell id);
fvm_status fvm_check_array(fvm *vm, fvm_addr cfa, fvm_cell index);
fvm_status fvm_checked_board(fvm *vm, fvm_cell pos, fvm_cell *address);
fvm_status fvm_does(fvm *vm, fvm_addr part);
fvm_cell fvm_random_within(fvm *vm, int stream, fvm_cell low, fvm_cell high);
float fvm_random_float(fvm *vm, int stream);
fvm_cell fvm_clock(fvm *vm);
void fvm_ring_reset(fvm *vm, int ring);
void fvm_ring_add(fvm *vm, int ring, fvm_cell item);
fvm_cell fvm_ring_remove(fvm *vm, int ring);
fvm_cell fvm_ring_empty(fvm *vm, int ring);

/* Floats occupy one cell of the parameter stack. */
static inline float as_float(fvm_cell cell) {
    float value;
    memcpy(&value, &cell, 4);
    return value;
}

/* Every NaN becomes the one that x86 produces.  Which operand's bits or which sign a NaN has would
 * depend on the processor and on the order of the operands that the compiler chose. */
static inline fvm_cell as_cell(float value) {
    fvm_cell cell;
    memcpy(&cell, &value, 4);
    return value == value ? cell : (fvm_cell)0xFFC00000u;
}

#endif
