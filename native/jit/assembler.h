/* assembler.h: the interface of the assemblers, the same for every processor.
 *
 * It owns the names of registers and instructions that the compiler uses; x64/assembler.c and
 * arm64/assembler.c encode them.  Operations are on 32 bits and wrap; host addresses have 64 bits.
 * d is the destination and may also be an operand.  Any instruction may change the scratch
 * registers S0 and S1 unless its comment excludes that. */
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
    FVM_ALLOCATABLE_REGS,
    SP = FVM_ALLOCATABLE_REGS, /* vm->sp, 64 bits */
    RP,                        /* vm->rp, 64 bits */
    FUEL,
    VM,  /* 64 bits */
    MEM, /* vm->mem, 64 bits */
    S0,
    S1,
    FVM_REGS
} fvm_reg;

typedef enum { ADD, SUB, MUL, AND, OR, XOR } fvm_alu;

/* LT to LE compare signed numbers, LOWER to LOWER_EQ unsigned numbers. */
typedef enum { EQ, NE, LT, GE, GT, LE, LOWER, ABOVE_EQ, ABOVE, LOWER_EQ, ALWAYS } fvm_cond;

/* Code under construction.  When it reaches `end`, `full` is set and no more code is written. */
typedef struct {
    uint8_t *at;
    uint8_t *end;
    bool full;
} fvm_asm;

/* The negated condition. */
static inline fvm_cond fvm_opposite(fvm_cond cond) {
    static const uint8_t table[] = {NE, EQ, GE, LT, LE, GT, ABOVE_EQ, LOWER, LOWER_EQ, ABOVE};
    return (fvm_cond)table[cond];
}

/* The condition after exchanging the operands: a < b is b > a. */
static inline fvm_cond fvm_swapped(fvm_cond cond) {
    static const uint8_t table[] = {EQ, NE, GT, LE, LT, GE, ABOVE, LOWER_EQ, LOWER, ABOVE_EQ};
    return (fvm_cond)table[cond];
}

/* --- registers --------------------------------------------------------------------- */

void fvm_asm_set(fvm_asm *as, fvm_reg d, fvm_cell value);
void fvm_asm_copy(fvm_asm *as, fvm_reg d, fvm_reg a);
void fvm_asm_op(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_reg b);
void fvm_asm_op_const(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_cell b);
void fvm_asm_halve(fvm_asm *as, fvm_reg d, fvm_reg a); /* divided by 2, truncated */
void fvm_asm_signed_byte(fvm_asm *as, fvm_reg d, fvm_reg a);
/* Signed division.  b must not be 0, nor -1 if a is INT32_MIN.  quotient and remainder are the
 * registers of the results; NONE: the result is not computed. */
enum { NONE = 255 };
void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t remainder, fvm_reg a, fvm_reg b);
/* Division by a constant other than 0, -1 and INT32_MIN.  a must not be a result register. */
void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t remainder, fvm_reg a, fvm_cell b);

/* --- flags: only copies, loads and stores of registers preserve them ---------------- */

void fvm_asm_compare(fvm_asm *as, fvm_reg a, fvm_reg b);
void fvm_asm_compare_const(fvm_asm *as, fvm_reg a, fvm_cell b);
void fvm_asm_flag(fvm_asm *as, fvm_cond cond, fvm_reg d); /* -1 if the condition holds, else 0 */

/* Subtracts steps from FUEL; the condition LT holds if FUEL was smaller. */
void fvm_asm_subtract_fuel(fvm_asm *as, fvm_cell steps);

/* --- memory at host addresses ----------------------------------------------------- */

void fvm_asm_load(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset);
void fvm_asm_load_byte(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset); /* sign-extended */
void fvm_asm_store(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a);
void fvm_asm_load_pointer(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset);
void fvm_asm_store_pointer(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a);
/* d = d op the cell at base + offset; not for MUL. */
void fvm_asm_op_cell(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg base, int32_t offset);
/* Loads the pointer at base + 8 * index. */
void fvm_asm_load_pointer_at(fvm_asm *as, fvm_reg d, fvm_reg base, fvm_reg index);
/* The next two preserve S0. */
void fvm_asm_store_const(fvm_asm *as, fvm_reg base, int32_t offset, fvm_cell value);
void fvm_asm_add_to_pointer(fvm_asm *as, fvm_reg d, int32_t bytes); /* d has 64 bits */
/* Compares d + bytes, 64 bits, with the pointer at VM + field.  field: an offset in bytes. */
void fvm_asm_compare_pointer(fvm_asm *as, fvm_reg d, int32_t bytes, size_t field);
void fvm_asm_compare_field(fvm_asm *as, size_t field, fvm_cell value); /* 32 bits at VM + field */
void fvm_asm_compare_cell(fvm_asm *as, fvm_reg a, fvm_reg base, int32_t offset);

/* --- the image: addresses may wrap, which the checks detect ------------------------- */

/* The address base + 4 * index + offset.  base and index are registers; NONE: 0.  At least one of
 * them is a register. */
typedef struct {
    uint8_t base, index;
    fvm_cell offset;
} fvm_address;

static inline fvm_address fvm_register_plus(uint8_t base, fvm_cell offset) {
    return (fvm_address){.base = base, .index = NONE, .offset = offset};
}

void fvm_asm_compute_address(fvm_asm *as, fvm_reg d, fvm_address a);

/* There are three ways to access the image.  A "checked" address is left in S0 by
 * fvm_asm_check_read, minus FVM_LOW; code can only read there.  A "found" address is left in S0 by
 * fvm_asm_find_cell; code can read and write there.  A "fixed" address is a constant. */

/* Checks an address; the condition ABOVE holds if no cell can be read there.  The code is used only
 * while the image has at least `size` bytes. */
void fvm_asm_check_read(fvm_asm *as, fvm_address a, uint32_t size);
/* Read at the checked address; S0 must not have changed since the check. */
void fvm_asm_read_checked(fvm_asm *as, fvm_reg d);
void fvm_asm_compare_checked(fvm_asm *as, int32_t offset, fvm_cell value); /* at it + offset */
void fvm_asm_read_checked_byte(fvm_asm *as, fvm_reg d);                    /* sign-extended */
/* Two checks before a store at an address: if ABOVE_EQ holds after the first or NE after the
 * second, only the interpreter can store there.  The first check sets S0 to the address and S1 to
 * the number of the cell (the address / 4).  marks: offset of the cells' marks from MEM. */
void fvm_asm_find_cell(fvm_asm *as, fvm_address a, bool byte);
void fvm_asm_check_cell(fvm_asm *as, int32_t marks);
void fvm_asm_read_found(fvm_asm *as, fvm_reg d); /* reads the cell at the found address */
/* Marks the page of the found address as written and sets S1 to the number of the page.
 * marks: offset of the pages' marks from MEM. */
void fvm_asm_mark_page(fvm_asm *as, int32_t marks);
void fvm_asm_write_found(fvm_asm *as, fvm_reg value); /* stores a cell at the found address */
void fvm_asm_write_found_byte(fvm_asm *as, fvm_reg value);
void fvm_asm_write_found_const(fvm_asm *as, fvm_cell value, bool byte);
/* Compare a byte at MEM + offset with 0, or store a byte there. */
void fvm_asm_compare_fixed_byte(fvm_asm *as, int32_t offset);
void fvm_asm_store_fixed_byte_const(fvm_asm *as, int32_t offset, uint8_t value);
void fvm_asm_store_fixed_byte(fvm_asm *as, int32_t offset, fvm_reg a);

/* --- control ---------------------------------------------------------------------- */

/* Emits a jump whose target is set later by fvm_asm_patch; returns the address of the jump. */
uint8_t *fvm_asm_jump(fvm_asm *as, fvm_cond cond);
void fvm_asm_jump_to(fvm_asm *as, fvm_cond cond, const uint8_t *target);
/* Returns the address of the call, for fvm_asm_patch. */
uint8_t *fvm_asm_call(fvm_asm *as, const uint8_t *target);
void fvm_asm_patch(uint8_t *jump, const uint8_t *target); /* sets the target of a jump or call */
/* Overwrites code that fvm_asm_set has emitted with a jump. */
void fvm_asm_redirect(uint8_t *code, const uint8_t *target);
/* Pops a return address and returns to the calling machine code.  Sets S1 to error_address, which
 * is not 0: if the code then jumps to `returned`, S1 is the address that an error in the return
 * address reports. */
void fvm_asm_return(fvm_asm *as, fvm_addr error_address);
/* Sets `index` to the byte offset of a token's entry in vm->jit.target_tokens; the condition NE
 * holds if the entry contains another token. */
void fvm_asm_find_token(fvm_asm *as, fvm_reg index, fvm_reg token);
/* Calls the machine code of the token found by fvm_asm_find_token (vm->jit.target_code); preserves
 * S0. */
void fvm_asm_call_target(fvm_asm *as, fvm_reg index);
/* Calls the machine code at vm->jit.code + offset; changes `offset`. */
void fvm_asm_call_offset(fvm_asm *as, fvm_reg offset);

/* --- the entry and exits that all code shares (fvm_asm_runtime) -------------------- */

/* Addresses of shared code. */
typedef struct {
    /* uint64_t enter(fvm *vm, const uint8_t *code): as vm->jit.enter */
    const uint8_t *enter;
    /* Targets of jumps that exit to the interpreter.  They return to the calling machine code with
     * S1 = 0; it jumps to `leave_caller`, which returns to the next outer machine code, and so on
     * up to `enter`.  Each call is followed by a return, because processors predict the targets of
     * returns from a stack of calls: after a call without a return they mispredict the returns of
     * all outer functions. */
    const uint8_t *returned; /* it continues at the return address that was popped */
    const uint8_t *go_to;    /* it continues at the address in S0 */
    const uint8_t *resume;   /* it continues at the address in S0, and interprets the instruction
                                there even if the slot enters machine code */
    const uint8_t *leave;    /* it exits with S0 and the fvm_jit_exit in S1 */
    const uint8_t *abandon;  /* it ends the run, as after $Exit; the state is not saved yet */
    const uint8_t *leave_caller; /* target after a call that has returned with S1 = 0 */
    /* Target of calls.  It calls the C function fvm_status (*)(fvm *) in S0; S1 contains the
     * address that an error reports, which is not 0. */
    const uint8_t *call_c;
} fvm_runtime;

/* Emits the shared code. */
void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime);
/* Calls a C function; an error exits to the interpreter, which reports it at the address `at`. */
void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at);

#endif
