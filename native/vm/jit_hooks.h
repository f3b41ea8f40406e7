/* jit_hooks.h: all that the VM knows of the JIT: the state that both use, and a struct of hooks.
 *
 * Words that profile samples find hot become machine code.  Machine code does the common case
 * only: for everything else it exits to the interpreter, at the beginning of an instruction and
 * with the state as it is there.  So errors, limits and self-modification stay in one place.
 *
 * It owns the interface; it must not know how machine code is made.  Without a JIT the hooks are
 * fvm_no_jit (no_jit.c) and no slot leads to machine code. */
#ifndef FVM_JIT_HOOKS_H
#define FVM_JIT_HOOKS_H

#include "forthvm.h"

#include <stdbool.h>

enum {
    FVM_WATCHED = 256,  /* places of cells that machine code stores to without a write barrier */
    FVM_TARGETS = 1024, /* tokens whose code is kept ready, by their addresses */
};

/* Why machine code was left, and where the inner interpreter goes on. */
typedef enum {
    FVM_LEFT_GO = 1,     /* at that address */
    FVM_LEFT_RESUME = 2, /* there, and its instruction is to be interpreted */
    FVM_LEFT_FAILED = 3  /* the instruction there has failed, as vm->jit.status says */
} fvm_left;

/* What the VM calls. */
typedef struct {
    bool available; /* machine code can be made */
    /* A step found the slice of fuel used up, on the way to that instruction. */
    void (*sample)(fvm *vm, fvm_addr target);
    /* Machine code went to an address; it may be worth compiling. */
    void (*left)(fvm *vm, fvm_addr target);
    /* EXECUTE of a token was left to the interpreter. */
    void (*target)(fvm *vm, fvm_addr token);
    /* Runs the code of a slot until it is left: address | fvm_left << 32 */
    uint64_t (*enter)(fvm *vm, fvm_cell code);
    /* A cell that machine code perhaps stores to without a write barrier needs one from now on. */
    void (*marked)(fvm *vm, fvm_addr addr);
    void (*changed)(fvm *vm, fvm_addr addr); /* code that takes the cell's value for granted ends */
    void (*image_shrunk)(fvm *vm);           /* less of the image is in use than before */
    void (*flush)(fvm *vm);                  /* all machine code is out of date */
    void (*free)(fvm *vm);
} fvm_jit_hooks;

extern const fvm_jit_hooks fvm_no_jit;

/* Its state in the VM: machine code and the inner interpreter use it directly. */
typedef struct {
    const fvm_jit_hooks *hooks;
    struct fvm_jit *own; /* the JIT's own; NULL: nothing has been compiled */
    bool disabled;       /* by an option, or because there is none */
    int32_t slice;       /* steps between samples, at most */
    int32_t unsampled;   /* steps since the last sample */
    uint32_t unevenness; /* random: slices have uneven lengths */
    int64_t compiled;    /* definitions and loops, ever */
    uint32_t epoch;      /* counts how often all machine code went out of date */
    intptr_t go;         /* what a slot with machine code goes to */
    const uint8_t *code; /* where such a slot's a counts from */
    void *frame;         /* host stack of the innermost machine code, NULL: none runs */
    int32_t status;      /* of the instruction that failed */
    fvm_cell given;      /* what an instruction has in line, for a function */
    uint64_t resume;     /* where the loop begins instead of at a word, 0: nowhere */
    fvm_addr ip;         /* where machine code last returned or executed a token */
    fvm_addr target_tokens[FVM_TARGETS]; /* tokens that machine code may call at once */
    const uint8_t *target_code[FVM_TARGETS];
    uint8_t watched[FVM_WATCHED]; /* not 0: perhaps `marked` wants to know of such a cell */
} fvm_jit_state;

#endif
