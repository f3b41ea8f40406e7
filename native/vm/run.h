/* run.h: prepares the stacks for a run; a fast path for callers that run many short words. */
#ifndef FVM_RUN_H
#define FVM_RUN_H

#include "vm/vm.h"

#include "generated/ops.h"

/* Sets the base of the return stack: the words of the run may pop only cells above it, and may use
 * a loop's index only if the three cells of the loop lie above it. */
static inline void fvm_set_return_base(fvm *vm, fvm_cell *base) {
    vm->rbase = base;
    vm->rloop = base + 3;
}

/* Zeroes the FVM_STACK_GRACE cells below the base of the parameter stack, which a word may pop. For
 * one memset of the whole range compilers emit a string instruction, which starts slowly; the
 * barrier prevents compilers from merging the parts. */
static inline void fvm_clear_grace(fvm_cell *stack) {
    enum { PART = 16 };
#pragma GCC unroll 4
    for (int cell = FVM_STACK_GRACE; cell > 0; cell -= PART) {
        memset(stack - cell, 0, PART * sizeof(fvm_cell));
        __asm__ volatile("" ::: "memory");
    }
}

/* Prepares the parameter stack for an outermost run.  A word may pop a few cells below the base,
 * which read as 0.  In interpreted text the cell of depth 0 keeps its value if the stack is empty,
 * as in the original: in `1 + .`, + pops one item too many and stores 1 in that cell, and . prints
 * it.  The words of a game do not see what others have left there: a search may omit some of them.
 */
static inline void fvm_begin_stack(fvm *vm) {
    fvm_clear_grace(vm->stack);
    if (vm->sp > vm->stack || vm->phase > FVM_PHASE_CALL)
        *vm->stack = 0;
}

/* The part of fvm_run_move between the begin and the end of a run (move_code.c). */
fvm_status fvm_run_move_code(fvm *vm, fvm_addr cfa, fvm_addr next);

/* --- words with machine code ------------------------------------------------------ */

/* Whether machine code can be entered now. */
static inline bool fvm_may_enter(const fvm *vm) {
    return vm->inner == fvm_inner && vm->fuel > 0 && !vm->near_limit;
}

/* Whether the word is a definition with machine code. */
static inline bool fvm_has_code(const fvm *vm, fvm_addr cfa) {
    return (cfa & 3) == 0 && (cfa + FVM_BODY - FVM_LOW) >> 2 < vm->translated_cells &&
           vm->code[(cfa + FVM_BODY) >> 2].go == vm->jit.go &&
           fvm_get(vm, cfa) == (fvm_cell)(FVM_CODE_TAG | FVM_OP_COLON);
}

static inline bool fvm_can_enter(const fvm *vm, fvm_addr cfa) {
    return fvm_may_enter(vm) && fvm_has_code(vm, cfa);
}

/* Whether machine code has ended the run of a word, as $Exit does, so that the interpreter has
 * nothing to do. */
static inline bool fvm_exit_ends_word(const fvm *vm, uint64_t native_exit) {
    return native_exit >> 32 == FVM_JIT_ENDED ||
           (native_exit >> 32 == FVM_JIT_FAILED && vm->jit.status == FVM_EXIT_VERIFY &&
            vm->fuel >= 0);
}

/* Runs a word for which fvm_can_enter is true, without starting the interpreter unless machine code
 * exits to it: most runs are short.  The return stack must have a free cell. */
static inline fvm_status fvm_enter_word(fvm *vm, fvm_addr cfa) {
    FVM_ASSERT(fvm_can_enter(vm, cfa) && vm->rp < vm->rstack_high);
    *++vm->rp = FVM_K_STOP;
    vm->fuel--;
    uint64_t native_exit = vm->jit.enter(vm, vm->jit.code + vm->code[(cfa + FVM_BODY) >> 2].a);
    if (native_exit == (FVM_K_STOP | (uint64_t)FVM_JIT_CONTINUE << 32) &&
        (fvm_addr)fvm_get(vm, FVM_K_STOP) == vm->primitives[FVM_OP_STOP])
        return FVM_OK;
    if (fvm_exit_ends_word(vm, native_exit))
        return FVM_EXIT_VERIFY;
    vm->jit.resume = native_exit;
    return fvm_inner(vm, cfa); /* not vm->inner: this run began untraced */
}

/* Whether fvm_run_directly may be called: the word has machine code, and no limit is near
 * (fvm_run_directly adds 16 units of unmetered work). */
static inline bool fvm_can_run_directly(const fvm *vm, fvm_addr cfa) {
    return fvm_can_enter(vm, cfa) && !vm->interrupted &&
           vm->unmetered_work < FVM_WORK_BETWEEN_CHECKS - 32;
}

/* A fast path for fvm_run: runs a word for which fvm_can_run_directly is true.  `rp` must equal
 * vm->rp and the base of the return stack, and the return stack must have a free cell.  The caller
 * restores vm->rp. */
static inline fvm_status fvm_run_directly(fvm *vm, fvm_addr cfa, fvm_cell *rp) {
    FVM_ASSERT(rp == vm->rbase && fvm_can_run_directly(vm, cfa));
    vm->unmetered_work += 16;
    if (vm->nesting++ == 0)
        fvm_begin_stack(vm);
    vm->rp = rp;
    fvm_status status = fvm_enter_word(vm, cfa);
    vm->nesting--;
    return status;
}

#endif
