/* jit_hooks.h: the interface between VM and JIT: the state that both use, and a struct of hooks.
 *
 * Words that profile samples find hot are compiled to machine code, which handles the common case
 * only. For everything else it takes a side exit: the interpreter repeats the current instruction
 * from its beginning. So errors, limits and self-modifying code are handled in one place.
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

/* How the inner interpreter continues after machine code, at an address that is returned, too. */
typedef enum {
    FVM_JIT_CONTINUE = 1,  /* runs the slot there */
    FVM_JIT_INTERPRET = 2, /* decodes the first instruction and ignores its slot */
    FVM_JIT_FAILED = 3     /* reports that the instruction there failed with vm->jit.status */
} fvm_jit_exit;

/* The functions that the VM calls. */
typedef struct {
    bool available; /* machine code can be made */
    /* The slice of fuel was used up by a step to `target`. */
    void (*on_slice_end)(fvm *vm, fvm_addr target);
    /* Machine code has exited to the interpreter, which continues at `target`. */
    void (*on_side_exit)(fvm *vm, fvm_addr target);
    /* Machine code has exited to the interpreter at EXECUTE of a token. */
    void (*on_token_exit)(fvm *vm, fvm_addr token);
    /* Runs the machine code of a slot; returns address | fvm_jit_exit << 32. */
    uint64_t (*enter)(fvm *vm, fvm_cell code);
    void (*on_image_shrunk)(fvm *vm); /* less of the image is in use than before */
    void (*discard_code)(fvm *vm);    /* all machine code is out of date */
    void (*free)(fvm *vm);
} fvm_jit_hooks;

extern const fvm_jit_hooks fvm_no_jit;

/* The state of the JIT in the VM. Machine code and the inner interpreter access it directly. */
typedef struct {
    const fvm_jit_hooks *hooks;
    struct fvm_jit *state;   /* private to the JIT; NULL: nothing has been compiled */
    bool disabled;           /* by an option, or because there is no JIT */
    int32_t slice;           /* steps between samples, at most */
    int32_t unsampled;       /* steps since the last sample */
    uint32_t slice_random;   /* random state for the length of slices, which varies */
    int64_t compiled;        /* definitions and loops compiled so far */
    uint32_t epoch;          /* counts how often all machine code went out of date */
    intptr_t go;             /* the handler of slots with machine code */
    const uint8_t *code;     /* base address for operand a of such slots */
    void *frame;             /* host stack pointer of the innermost machine code; NULL: none runs */
    int32_t status;          /* of an instruction that failed in machine code */
    fvm_cell inline_operand; /* inline operand of an instruction, for its C function */
    uint64_t resume;         /* where to continue after machine code; 0: start at a word */
    fvm_addr ip;             /* where machine code last returned or executed a token */
    fvm_addr target_tokens[FVM_TARGETS]; /* tokens that machine code calls directly */
    const uint8_t *target_code[FVM_TARGETS];
} fvm_jit_state;

#endif
