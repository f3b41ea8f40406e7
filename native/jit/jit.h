/* jit.h: the machine-code tier as the rest of native/ sees it, and what its files share.
 *
 * Words that samples find hot are compiled (compile.c) into memory of the tier's own
 * (jit.c); the slots where such code begins go to it.  Machine code does the usual only:
 * whatever else comes up it leaves to the inner loop, at an instruction's beginning and with
 * the state as it is there.  So errors, limits and self-modification stay in one place. */
#ifndef FVM_TIER_H
#define FVM_TIER_H

#include "vm/vm.h"

#if !defined(FVM_NO_TIER) && defined(__GNUC__) && (defined(__linux__) || defined(__APPLE__))
#if defined(__x86_64__)
#define FVM_TIER_X64 1
#elif defined(__aarch64__)
#define FVM_TIER_ARM64 1
#endif
#endif
#if defined(FVM_TIER_X64) || defined(FVM_TIER_ARM64)
#define FVM_TIER 1
#define FVM_HAS_TIER true
#else
#define FVM_HAS_TIER false
#endif

/* Why machine code was left, and where the loop goes on. */
typedef enum {
    FVM_LEFT_GO = 1,     /* at that address */
    FVM_LEFT_RESUME = 2, /* there, and its instruction is to be interpreted */
    FVM_LEFT_FAILED = 3  /* the instruction there has failed, as vm->native_status says */
} fvm_left;

/* A step found the slice of fuel used up, on the way to that instruction. */
void fvm_tier_sample(fvm *vm, fvm_addr target);
/* Machine code went to an address: is there some? */
void fvm_tier_left(fvm *vm, fvm_addr target);
/* EXECUTE of a token was left to the interpreter. */
void fvm_tier_target(fvm *vm, fvm_addr token);
/* Runs the code of a slot until it is left: address | fvm_left << 32 */
uint64_t fvm_tier_enter(fvm *vm, fvm_cell code);
/* A cell that perhaps is stored to without a look rests under code from now on. */
void fvm_tier_marked(fvm *vm, fvm_addr addr);
static inline void fvm_tell_marked(fvm *vm, fvm_addr cell) {
    if (FVM_UNLIKELY(vm->watched[cell % FVM_WATCHED] != 0))
        fvm_tier_marked(vm, cell << 2);
}
void fvm_tier_flush(fvm *vm); /* all machine code is out of date */
void fvm_tier_changed(fvm *vm, fvm_addr addr); /* code that took its value for granted goes */
void fvm_tier_lowered(fvm *vm); /* less of the image is in use than before */
void fvm_tier_free(fvm *vm);

#endif
