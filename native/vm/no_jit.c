/* no_jit.c: the hooks of a VM without a JIT, which do nothing. */
#include "vm/jit_hooks.h"

static void ignore(fvm *vm, fvm_addr addr) {
    (void)vm;
    (void)addr;
}

static void ignore_all(fvm *vm) { (void)vm; }

static uint64_t enter(fvm *vm, fvm_cell code) {
    (void)vm;
    return (uint32_t)code | (uint64_t)FVM_LEFT_GO << 32;
}

const fvm_jit_hooks fvm_no_jit = {
    .available = false,
    .sample = ignore,
    .left = ignore,
    .target = ignore,
    .enter = enter,
    .marked = ignore,
    .changed = ignore,
    .image_shrunk = ignore_all,
    .flush = ignore_all,
    .free = ignore_all,
};
