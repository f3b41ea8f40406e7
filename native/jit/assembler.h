/* assembler.h: what machine code is made of, the same for every processor.
 *
 * It owns the names of registers and instructions that compile.c and stack_cache.c use;
 * x64/assembler.c and arm64/assembler.c encode them.  It must not know Forth.  Operations are on
 * 32 bits and wrap; host addresses have 64.  Scratch registers S0 and S1 may change in any
 * instruction whose line does not say otherwise. */
#ifndef FVM_ASSEMBLER_H
#define FVM_ASSEMBLER_H

#include "vm/vm.h"

typedef enum {
    T0, /* free registers: a C function may change them */
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    TOS, /* top of the parameter stack, where code of different origin meets */
    FVM_FREE_REGS,
    SP = FVM_FREE_REGS, /* vm->sp, 64 bits */
    RP,                 /* vm->rp, 64 bits */
    FUEL,
    VM,  /* 64 bits */
    MEM, /* vm->mem, 64 bits */
    S0,
    S1,
    FVM_REGS
} fvm_reg;

typedef enum { ADD, SUB, MUL, AND, OR, XOR } fvm_alu;

typedef enum {
    EQ,
    NE,
    LT,
    GE,
    GT,
    LE,
    LOWER,
    ABOVE_EQ,
    ABOVE,
    LOWER_EQ,
    MINUS,
    PLUS,
    ALWAYS
} fvm_cond;

/* Code under construction.  Beyond the end nothing is written and `full` is set. */
typedef struct {
    uint8_t *at;
    uint8_t *end;
    bool full;
    const uint8_t *tested; /* up to there the flags are those of a comparison of ... */
    fvm_reg tested_reg;    /* ... with 0, for a processor that has them by the way */
} fvm_asm;

/* Other code will come here, with other flags. */
static inline void fvm_asm_join(fvm_asm *as) { as->tested = NULL; }

static inline fvm_cond fvm_opposite(fvm_cond cond) {
    static const uint8_t table[] = {NE, EQ, GE, LT, LE, GT, ABOVE_EQ, LOWER, LOWER_EQ, ABOVE};
    return (fvm_cond)table[cond];
}

/* a < b is b > a */
static inline fvm_cond fvm_swapped(fvm_cond cond) {
    static const uint8_t table[] = {EQ, NE, GT, LE, LT, GE, ABOVE, LOWER_EQ, LOWER, ABOVE_EQ};
    return (fvm_cond)table[cond];
}

/* --- registers: d may be any of the operands -------------------------------------- */

void fvm_asm_set(fvm_asm *as, fvm_reg d, fvm_cell value);
void fvm_asm_copy(fvm_asm *as, fvm_reg d, fvm_reg a);
void fvm_asm_op(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_reg b);
void fvm_asm_op_const(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_cell b);
void fvm_asm_halve(fvm_asm *as, fvm_reg d, fvm_reg a); /* divided by 2, truncated */
void fvm_asm_signed_byte(fvm_asm *as, fvm_reg d, fvm_reg a);
/* b is neither 0 nor, with a the least number, -1; NONE for what is not wanted. */
enum { NONE = 255 };
void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg a, fvm_reg b);
/* The same by a number, neither 0 nor -1 nor the least; neither result goes where a is. */
void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg a, fvm_cell b);

/* --- flags: set by these, kept by copies, loads and stores of registers only ------ */

void fvm_asm_compare(fvm_asm *as, fvm_reg a, fvm_reg b);
void fvm_asm_compare_const(fvm_asm *as, fvm_reg a, fvm_cell b);
void fvm_asm_flag(fvm_asm *as, fvm_cond cond, fvm_reg d); /* -1 where it holds, else 0 */

void fvm_asm_spend(fvm_asm *as, fvm_cell steps); /* from FUEL; MINUS: there were less */

/* --- memory at host addresses ----------------------------------------------------- */

void fvm_asm_load(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset);
void fvm_asm_load_byte(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset); /* sign-extended */
void fvm_asm_store(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a);
/* These two keep S0. */
void fvm_asm_store_const(fvm_asm *as, fvm_reg base, int32_t offset, fvm_cell value);
void fvm_asm_move_pointer(fvm_asm *as, fvm_reg d, int32_t bytes); /* d, 64 bits, plus bytes */
/* Compares d + bytes, 64 bits, with the pointer at VM + field. */
void fvm_asm_compare_pointer(fvm_asm *as, fvm_reg d, int32_t bytes, size_t field);
void fvm_asm_compare_field(fvm_asm *as, size_t field, fvm_cell value); /* 32 bits at VM + field */
void fvm_asm_compare_cell(fvm_asm *as, fvm_reg a, fvm_reg base, int32_t offset);

/* --- the image: a + offset is an address in it, or wraps and is caught ------------ */

/* Compares, so that ABOVE means: no cell can be read at a + offset.  The image has at least `size`
 * bytes, as it has now. */
void fvm_asm_check_read(fvm_asm *as, fvm_reg a, fvm_cell offset, uint32_t size);
void fvm_asm_read(fvm_asm *as, fvm_reg d); /* what was checked last; scratch registers as then */
void fvm_asm_read_byte(fvm_asm *as, fvm_reg d); /* sign-extended */
/* What is at a + offset, which is known to be good. */
void fvm_asm_read_known(fvm_asm *as, fvm_reg d, fvm_reg a, fvm_cell offset, bool byte);
/* Compares, so that ABOVE_EQ, and after the second NE, means: only the interpreter can store at
 * a + offset; cells: where their marks are, from MEM.  S0 holds the address, S1 the cell. */
void fvm_asm_find_cell(fvm_asm *as, fvm_reg a, fvm_cell offset, bool byte);
void fvm_asm_check_cell(fvm_asm *as, int32_t cells);
void fvm_asm_read_cell(fvm_asm *as, fvm_reg d); /* what was found, as the next two do */
void fvm_asm_find_page(fvm_asm *as);            /* of what was found: S1 */
/* Compares, so that EQ means: it is marked as written; dirty: where the marks are, from MEM. */
void fvm_asm_test_page(fvm_asm *as, int32_t dirty);
void fvm_asm_mark_page(fvm_asm *as, int32_t dirty);
void fvm_asm_write(fvm_asm *as, fvm_reg value); /* to what was found last */
void fvm_asm_write_byte(fvm_asm *as, fvm_reg value);
void fvm_asm_write_const(fvm_asm *as, fvm_cell value, bool byte);
/* A byte at MEM + offset: compared with 0, set. */
void fvm_asm_test_byte(fvm_asm *as, int32_t offset);
void fvm_asm_put_byte(fvm_asm *as, int32_t offset, uint8_t value);
void fvm_asm_copy_byte(fvm_asm *as, int32_t offset, fvm_reg a);

/* --- control ---------------------------------------------------------------------- */

/* A jump whose target is given later: returns its place. */
uint8_t *fvm_asm_jump(fvm_asm *as, fvm_cond cond);
void fvm_asm_jump_to(fvm_asm *as, fvm_cond cond, const uint8_t *target);
uint8_t *fvm_asm_call(fvm_asm *as, const uint8_t *target);   /* its place, for fvm_asm_patch */
void fvm_asm_patch(uint8_t *jump, const uint8_t *target);    /* a jump, a conditional one, a call */
void fvm_asm_redirect(uint8_t *code, const uint8_t *target); /* an fvm_asm_set becomes a jump */
void fvm_asm_align(fvm_asm *as);                             /* a loop begins here */
void fvm_asm_begin(fvm_asm *as);                             /* what was called, before all else */
/* Takes an address off the return stack and goes back, with `at` in S1 should it lead nowhere. */
void fvm_asm_return(fvm_asm *as, fvm_addr at);
/* The place of a token among vm->jit.target_tokens; NE: it is not there. */
void fvm_asm_find_target(fvm_asm *as, fvm_reg place, fvm_reg token);
void fvm_asm_call_target(fvm_asm *as, fvm_reg place); /* keeps S0 until it is there */

/* --- what all code shares (fvm_asm_runtime): entered and left by these ------------ */

typedef struct {
    /* fvm_left enter(fvm *vm, const uint8_t *code): runs from code on until it leaves */
    const uint8_t *enter;
    const uint8_t *returned; /* jumped to: leaves; it goes on at what a return took off */
    const uint8_t *go_to;    /* jumped to: leaves; the loop goes on at S0 */
    const uint8_t *resume;   /* jumped to: leaves; the instruction at S0 is to be interpreted */
    const uint8_t *abandon;  /* jumped to: leaves, as after $Exit */
    const uint8_t *call_c;   /* called, S0: status function(vm) (64 bits), S1: address for errors */
} fvm_runtime;

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime);
void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at);
void fvm_asm_published(const uint8_t *from, const uint8_t *to); /* caches know of new code */

#endif
