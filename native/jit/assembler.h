/* assembler.h: the interface of the assemblers, the same for every processor.
 *
 * It owns the names of registers and instructions that the compiler uses;
 * x64/assembler.c and arm64/assembler.c encode them.  It must not know Forth.  Operations are on
 * 32 bits and wrap; host addresses have 64 bits.  Any instruction may change the scratch registers
 * S0 and S1 unless its comment excludes that. */
#ifndef FVM_ASSEMBLER_H
#define FVM_ASSEMBLER_H

#include "vm/vm.h"

typedef enum {
    T0, /* allocatable registers, caller-saved */
    T1,
    T2,
    T3,
    T4,
    T5,
    T6,
    TOS, /* top of the parameter stack at control-flow joins */
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

/* Code under construction.  At `end` nothing more is written and `full` is set. */
typedef struct {
    uint8_t *at;
    uint8_t *end;
    bool full;
    const uint8_t *tested; /* if this is `at`: the flags are those of comparing tested_reg with 0 */
    fvm_reg tested_reg;    /* set where an instruction sets these flags anyway */
} fvm_asm;

/* A control-flow join: the flags are unknown from here on. */
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
/* b is not 0, and not -1 if a is INT32_MIN; NONE: that result is not needed. */
enum { NONE = 255 };
void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg a, fvm_reg b);
/* The same by a constant, which is not 0, -1 or INT32_MIN; neither result is put into a. */
void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg a, fvm_cell b);

/* --- flags: set by these, kept by copies, loads and stores of registers only ------ */

void fvm_asm_compare(fvm_asm *as, fvm_reg a, fvm_reg b);
void fvm_asm_compare_const(fvm_asm *as, fvm_reg a, fvm_cell b);
void fvm_asm_flag(fvm_asm *as, fvm_cond cond, fvm_reg d); /* -1 if the condition holds, else 0 */

void fvm_asm_spend(fvm_asm *as, fvm_cell steps); /* from FUEL; MINUS: there was less */

/* --- memory at host addresses ----------------------------------------------------- */

void fvm_asm_load(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset);
void fvm_asm_load_byte(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset); /* sign-extended */
void fvm_asm_store(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a);
/* These two preserve S0. */
void fvm_asm_store_const(fvm_asm *as, fvm_reg base, int32_t offset, fvm_cell value);
void fvm_asm_move_pointer(fvm_asm *as, fvm_reg d, int32_t bytes); /* d, 64 bits, plus bytes */
/* Compares d + bytes, 64 bits, with the pointer at VM + field. */
void fvm_asm_compare_pointer(fvm_asm *as, fvm_reg d, int32_t bytes, size_t field);
void fvm_asm_compare_field(fvm_asm *as, size_t field, fvm_cell value); /* 32 bits at VM + field */
void fvm_asm_compare_cell(fvm_asm *as, fvm_reg a, fvm_reg base, int32_t offset);

/* --- the image: a + offset is an address; it may wrap, which the checks detect ------------ */

/* Compares; ABOVE: no cell can be read at a + offset.  The image has at least `size` bytes. */
void fvm_asm_check_read(fvm_asm *as, fvm_reg a, fvm_cell offset, uint32_t size);
/* At the address checked last; S0 and S1 must not have changed since. */
void fvm_asm_read(fvm_asm *as, fvm_reg d);
void fvm_asm_read_byte(fvm_asm *as, fvm_reg d); /* sign-extended */
/* Reads at a + offset, which is known to be readable. */
void fvm_asm_read_known(fvm_asm *as, fvm_reg d, fvm_reg a, fvm_cell offset, bool byte);
/* Two checks before a store at a + offset: ABOVE_EQ after the first or NE after the second means
 * that only the interpreter can store there. cells: offset of the cells' marks from MEM.  S0 is the
 * address, S1 the number of the cell. */
void fvm_asm_find_cell(fvm_asm *as, fvm_reg a, fvm_cell offset, bool byte);
void fvm_asm_check_cell(fvm_asm *as, int32_t cells);
void fvm_asm_read_cell(fvm_asm *as, fvm_reg d); /* of the cell found last */
void fvm_asm_find_page(fvm_asm *as);            /* S1: the page of the cell found last */
/* Compares; EQ: the page is marked as written. dirty: offset of the marks from MEM. */
void fvm_asm_test_page(fvm_asm *as, int32_t dirty);
void fvm_asm_mark_page(fvm_asm *as, int32_t dirty);
void fvm_asm_write(fvm_asm *as, fvm_reg value); /* to the address found last */
void fvm_asm_write_byte(fvm_asm *as, fvm_reg value);
void fvm_asm_write_const(fvm_asm *as, fvm_cell value, bool byte);
/* A byte at MEM + offset: compared with 0, set. */
void fvm_asm_test_byte(fvm_asm *as, int32_t offset);
void fvm_asm_put_byte(fvm_asm *as, int32_t offset, uint8_t value);
void fvm_asm_copy_byte(fvm_asm *as, int32_t offset, fvm_reg a);

/* --- control ---------------------------------------------------------------------- */

/* A jump whose target is set later by fvm_asm_patch; returns the address of the jump. */
uint8_t *fvm_asm_jump(fvm_asm *as, fvm_cond cond);
void fvm_asm_jump_to(fvm_asm *as, fvm_cond cond, const uint8_t *target);
/* Returns the address of the call, for fvm_asm_patch. */
uint8_t *fvm_asm_call(fvm_asm *as, const uint8_t *target);
void fvm_asm_patch(uint8_t *jump, const uint8_t *target);    /* a jump, a conditional one, a call */
void fvm_asm_redirect(uint8_t *code, const uint8_t *target); /* an fvm_asm_set becomes a jump */
void fvm_asm_align(fvm_asm *as);                             /* a loop begins here */
void fvm_asm_begin(fvm_asm *as);                             /* the entry of a called function */
/* Pops a return address and continues there; S1 is `at`, for the error if that is not code. */
void fvm_asm_return(fvm_asm *as, fvm_addr at);
/* The index of a token in vm->jit.target_tokens; NE: it is not there. */
void fvm_asm_find_target(fvm_asm *as, fvm_reg place, fvm_reg token);
void fvm_asm_call_target(fvm_asm *as, fvm_reg place); /* preserves S0 */

/* --- the entry and the exits shared by all code (fvm_asm_runtime) ------------ */

typedef struct {
    /* fvm_left enter(fvm *vm, const uint8_t *code): runs code until it leaves */
    const uint8_t *enter;
    /* These are jumped to; they leave, and the interpreter continues there: */
    const uint8_t *returned; /* at the popped return address */
    const uint8_t *go_to;    /* at S0 */
    const uint8_t *resume;   /* at S0, and runs the instruction there itself */
    const uint8_t *abandon;  /* nowhere: the run ends, as after $Exit */
    const uint8_t *call_c;   /* called, S0: status function(vm) (64 bits), S1: address for errors */
} fvm_runtime;

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime);
void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at);
/* Makes new code visible to the instruction cache. */
void fvm_asm_published(const uint8_t *from, const uint8_t *to);

#endif
