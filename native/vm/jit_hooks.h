/* jit_hooks.h: the interface between VM and JIT: the state that both use, and a struct of hooks.
 *
 * Words that profile samples show to be hot are compiled to machine code, which handles common
 * cases only.  In all other cases machine code takes a side exit: the interpreter repeats the
 * current instruction from its beginning.  So only the interpreter handles errors, limits and
 * self-modifying code.
 *
 * It owns the interface; it must not know how machine code is made.  Without a JIT the hooks are
 * fvm_no_jit (no_jit.c) and no slot leads to machine code. */
#ifndef FVM_JIT_HOOKS_H
#define FVM_JIT_HOOKS_H

#include "forthvm.h"

#include <stdbool.h>

enum {
    FVM_TARGETS = 1024 /* entries of the table that maps tokens to machine code */
};

/* How the inner interpreter continues at the address that machine code returns. */
typedef enum {
    FVM_JIT_CONTINUE = 1,  /* runs the slot of the address */
    FVM_JIT_INTERPRET = 2, /* decodes the instruction at the address and ignores its slot */
    FVM_JIT_FAILED = 3     /* reports that this instruction failed with vm->jit.status */
} fvm_jit_exit;

/* The functions that the VM calls. */
typedef struct {
    bool available; /* the JIT can generate machine code */
    /* A step to `target` has used up the slice of fuel. */
    void (*on_slice_end)(fvm *vm, fvm_addr target);
    /* Machine code has exited to the interpreter, which continues at `target`. */
    void (*on_side_exit)(fvm *vm, fvm_addr target);
    /* Machine code has exited to the interpreter at EXECUTE of a token. */
    void (*on_token_exit)(fvm *vm, fvm_addr token);
    void (*on_image_shrunk)(fvm *vm); /* vm->high or vm->size may have become lower */
    void (*discard_code)(fvm *vm);    /* discards all machine code */
    void (*free)(fvm *vm);
} fvm_jit_hooks;

extern const fvm_jit_hooks fvm_no_jit;

/* The state of the JIT in the VM. Machine code and the inner interpreter access it directly. */
typedef struct {
    const fvm_jit_hooks *hooks;
    struct fvm_jit *state; /* private to the JIT; NULL: nothing has been compiled */
    bool disabled;         /* by an option, or because there is no JIT */
    int32_t slice;         /* maximum number of steps between profile samples */
    int32_t unsampled;     /* steps since the last sample */
    uint32_t slice_random; /* random state for the length of slices, which varies */
    int64_t compiled;      /* definitions and loops compiled so far */
    uint32_t epoch;        /* number of times that all machine code was discarded */
    intptr_t go;           /* the handler of slots with machine code */
    const uint8_t *code;   /* base address for operand a of such slots */
    /* Runs machine code; returns address | fvm_jit_exit << 32. */
    uint64_t (*enter)(fvm *vm, const uint8_t *code);
    int32_t entered;         /* number of nested runs of machine code */
    int32_t status;          /* of an instruction that failed in machine code */
    fvm_cell inline_operand; /* inline operand of an instruction, for its runtime helper */
    uint64_t resume;         /* result of `enter` for fvm_inner; 0: fvm_inner starts at a word */
    fvm_addr ip;             /* where machine code last returned or executed a token */
    fvm_addr target_tokens[FVM_TARGETS];     /* tokens that machine code calls directly */
    const uint8_t *target_code[FVM_TARGETS]; /* machine code of these tokens */
} fvm_jit_state;

#endif
