/* side_exits.h: exits from machine code to the interpreter, and the checks that cause them. */
#ifndef FVM_SIDE_EXITS_H
#define FVM_SIDE_EXITS_H

#include "jit/compile.h"

enum { FVM_STUB_JUMPS = 8 }; /* jumps that share an out-of-line stub */

/* Out-of-line stubs are emitted after the main path. */
typedef enum {
    FVM_STUB_SIDE_EXIT, /* spills all items; the interpreter continues at `at` */
    FVM_STUB_JOIN       /* establishes the register state of a leader and jumps there */
} fvm_stub_kind;

typedef struct fvm_stub {
    uint8_t kind;    /* fvm_stub_kind */
    int16_t context; /* of a side exit: its context */
    int16_t node;    /* of a join: index of the leader */
    int16_t count;   /* number of jumps */
    fvm_addr at;
    uint8_t *jumps[FVM_STUB_JUMPS]; /* the jumps that lead to the stub */
    fvm_state state;                /* register state at the jumps */
} fvm_stub;

/* Emits a jump to the side-exit stub for the current instruction. */
void fvm_side_exit_if(fvm_compiler *c, fvm_cond cond);
/* Adds an empty stub; NULL: out of memory.  The pointer is valid until the next call. */
fvm_stub *fvm_add_stub(fvm_compiler *c);
/* Emits the beginning of an exit to the interpreter at an address, which S0 then contains: charges
 * the uncharged steps and spills all items. */
void fvm_prepare_exit(fvm_compiler *c, fvm_state *state, fvm_addr at);
/* Emits a side exit: code that spills all items and enters the interpreter at an address. */
void fvm_emit_side_exit(fvm_compiler *c, fvm_state *state, int context, fvm_addr at);
/* Sets the current instruction, which side exits repeat. */
void fvm_begin_instruction(fvm_compiler *c, int index);
/* Emit checks that a stack contains `depth` items, or has space for `growth` more; 0: no check. */
void fvm_check_depth(fvm_compiler *c, int depth);
void fvm_check_growth(fvm_compiler *c, int growth);
void fvm_check_return_stack(fvm_compiler *c, int depth, int growth);
/* Emits code that subtracts the uncharged steps and `steps`, those of the current instruction, from
 * FUEL.  It must precede all effects of the instruction. */
void fvm_charge_steps(fvm_compiler *c, int steps);
/* Emits a jump to the stub that exits to the interpreter at a leader because the fuel is used up.
 * The register state is the entry state of the leader. */
void fvm_fuel_exit_if(fvm_compiler *c, fvm_node *leader, fvm_cond cond);

#endif
