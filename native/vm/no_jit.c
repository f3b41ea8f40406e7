/* no_jit.c: the hooks of a VM without a JIT, which have no effect. */
#include "vm/jit_hooks.h"

#include <stddef.h>

static void ignore_address(fvm *vm, fvm_addr addr) {
    (void)vm;
    (void)addr;
}

static void ignore_token(fvm *vm, fvm_addr token, fvm_addr at) {
    (void)at;
    ignore_address(vm, token);
}

static const uint8_t *no_code(fvm *vm, int32_t bytes) {
    (void)bytes;
    (void)vm;
    return NULL;
}

static void ignore_call(fvm *vm) { (void)vm; }

const fvm_jit_hooks fvm_no_jit = {
    .available = false,
    .on_slice_end = ignore_address,
    .on_interpreted_run = ignore_address,
    .on_side_exit = ignore_address,
    .on_token_exit = ignore_token,
    .on_image_shrunk = ignore_call,
    .on_watched_store = ignore_address,
    .discard_code = ignore_call,
    .make_word_loop = no_code,
    .free = ignore_call,
};
