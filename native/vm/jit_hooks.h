/* jit_hooks.h: the interface between VM and JIT: the state that both use, and a struct of hooks.
 *
 * Words that profile samples show to be hot are compiled to machine code, which handles common
 * cases only.  In all other cases machine code takes a side exit: the interpreter repeats the
 * current instruction from its beginning.  So only the interpreter handles errors, limits and
 * self-modifying code.
 *
 * It owns the interface.  Without a JIT the hooks are fvm_no_jit (no_jit.c) and no slot leads to
 * machine code. */
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
    FVM_JIT_FAILED = 3,    /* reports that this instruction failed with vm->jit.status */
    FVM_JIT_ENDED = 4,     /* ends the run: $Exit */
    FVM_JIT_WORD_LOOP = 5  /* not the interpreter, but the caller of a word loop continues */
} fvm_jit_exit;

/* --- the word loop: machine code that scans board positions and runs move words ------ */

/* A move word with all that is needed to run it, or the end of a sequence of words. */
typedef struct {
    fvm_addr word;  /* CFA */
    fvm_cell type;  /* move type; at the end of a sequence: not 0 if the drop words follow */
    fvm_cell piece; /* piece type for which this word and those after it run; 0: unchanged */
    uint32_t code;  /* offset of the machine code from jit.code; 0: C runs the word */
    fvm_addr pair;  /* address in the script's list of move words; 0: the end of a sequence */
} fvm_loop_word;

/* Where the word loop stopped: the address part of FVM_JIT_WORD_LOOP. */
enum { FVM_BEFORE_WORD = 0, FVM_AFTER_WORD = 1 };

/* The word loop stops before a word without machine code or without fuel, before the position
 * `end`, and after a word that leaves something to do: items missing on the stack, a pass, an
 * unfinished move or text, skipped words, or `stop`. */
typedef struct {
    const uint8_t *code; /* the loop; NULL: there is none */
    uint32_t epoch;      /* value of jit.epoch when code and offsets of code were found */
    int32_t stop;        /* not 0: stop after the current word */
    fvm_loop_word *next;
    fvm_cell *sp;        /* stack pointer before each word */
    fvm_cell pass_bits;  /* the bits of $passed that stop the loop */
    fvm_cell player;     /* owner of the pieces that move and that are dropped */
    fvm_cell owner_mask; /* FVM_OWNER_MASK; 0: words run at all positions, because of drops */
    fvm_cell pos;        /* the position being scanned */
    fvm_cell end;        /* the loop scans positions below this one; 0: only the next sequence */
    fvm_addr board;
    uint32_t types;          /* number of piece types */
    fvm_loop_word **moves;   /* by piece type: its move words; [0]: an empty sequence */
    fvm_loop_word *no_moves; /* moves[0], of types without a list */
    fvm_loop_word *drops;    /* the drop words of all types */
} fvm_word_loop;

/* The functions that the VM calls. */
typedef struct {
    bool available; /* the JIT can generate machine code */
    /* A step to `target` has used up the slice of fuel. */
    void (*on_slice_end)(fvm *vm, fvm_addr target);
    /* The host runs a definition without machine code, which begins at `target`. */
    void (*on_interpreted_run)(fvm *vm, fvm_addr target);
    /* Machine code has exited to the interpreter, which continues at `target`. */
    void (*on_side_exit)(fvm *vm, fvm_addr target);
    /* Machine code has exited to the interpreter at EXECUTE of a token; at: its address. */
    void (*on_token_exit)(fvm *vm, fvm_addr token, fvm_addr at);
    void (*on_image_shrunk)(fvm *vm); /* vm->high or vm->size may have become lower */
    /* The script stores to a cell from which machine code was compiled. */
    void (*on_watched_store)(fvm *vm, fvm_addr cell);
    void (*discard_code)(fvm *vm);                                   /* discards all machine code */
    const uint8_t *(*make_word_loop)(fvm *vm, int32_t record_bytes); /* NULL: impossible now */
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
    int64_t side_exits;    /* instructions that machine code has left to the interpreter so far */
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
    int32_t last_exit;                       /* the fvm_jit_exit of the last exit */
    fvm_word_loop loop;
} fvm_jit_state;

#endif
