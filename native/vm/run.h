/* run.h: how a run begins and ends, for run.c and for callers that make very many runs. */
#ifndef FVM_RUN_H
#define FVM_RUN_H

#include "vm/vm.h"

#include "generated/ops.h"

static inline void fvm_set_return_base(fvm *vm, fvm_cell *base) {
    vm->rbase = base;
    vm->rloop = base + 3;
}

/* Zeroes the cells below the base that a word may read. In parts, because for the whole range
 * compilers emit a string instruction, which is slow to start. */
static inline void fvm_clear_grace(fvm_cell *stack) {
    enum { PART = 16 };
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
    for (int cell = FVM_STACK_GRACE; cell > 0; cell -= PART) {
        memset(stack - cell, 0, PART * sizeof(fvm_cell));
#if defined(__GNUC__)
        __asm__ volatile("" ::: "memory"); /* parts stay parts */
#endif
    }
}

/* The parameter stack for a run that is inside no other.  A word may take a few cells too many:
 * they read as 0.  The cell of depth 0 keeps what the last token left there (`1 + .` prints 1,
 * recorded). */
static inline void fvm_begin_stack(fvm *vm) {
    fvm_clear_grace(vm->stack);
    if (vm->sp > vm->stack)
        *vm->stack = 0;
}

/* A fast path of fvm_run_to_exit for callers that run very many words with machine code. */

/* Whether it applies: the word is a definition with machine code, and no limit is near. */
static inline bool fvm_can_run_directly(const fvm *vm, fvm_addr cfa) {
    return (cfa & 3) == 0 && (cfa + 4 - FVM_LOW) >> 2 < vm->translated_cells &&
           vm->code[(cfa >> 2) + 1].go == vm->jit.go && vm->inner == fvm_inner && vm->fuel > 0 &&
           !vm->near_limit && !vm->interrupted &&
           vm->unmetered_work < FVM_WORK_BETWEEN_CHECKS - 32 &&
           fvm_get(vm, cfa) == (fvm_cell)(FVM_CODE_TAG | FVM_OP_COLON);
}

/* Call it only if fvm_can_run_directly. vm->rp is `rp`, the base of the return stack, which has
 * room for one more cell; the caller restores vm->rp. $Exit ends the word as a return does. */
static inline fvm_status fvm_run_directly(fvm *vm, fvm_addr cfa, fvm_cell *rp) {
    fvm_status status = FVM_OK;
    vm->unmetered_work += 16;
    if (vm->nesting++ == 0)
        fvm_begin_stack(vm);
    rp[1] = FVM_K_STOP;
    vm->rp = rp + 1;
    vm->fuel--;
    uint64_t left = vm->jit.hooks->enter(vm, vm->code[(cfa >> 2) + 1].a);
    bool returned = left == (FVM_K_STOP | (uint64_t)FVM_LEFT_GO << 32) &&
                    (fvm_addr)fvm_get(vm, FVM_K_STOP) == vm->primitives[FVM_OP_STOP];
    if (!returned && (left >> 32 != FVM_LEFT_FAILED || vm->jit.status != FVM_EXIT_VERIFY)) {
        vm->jit.resume = left;
        status = fvm_inner(vm, cfa); /* also if tracing has begun meanwhile */
        if (status == FVM_EXIT_VERIFY)
            status = FVM_OK;
    }
    vm->nesting--;
    return status;
}

#endif
