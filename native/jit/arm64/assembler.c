/* jit/arm64/assembler.c: the instructions of assembler.h for AArch64.
 *
 * It owns which of the processor's instructions implement each of them. arm64/encoding.h has their
 * encodings, arm64/runtime.c the code that all machine code shares. */
#include "jit/jit.h"

#if defined(FVM_JIT_ARM64)

#include "jit/arm64/encoding.h"

static const uint8_t number[FVM_REGS] = {
    [T0] = 9,       [T1] = 10,  [T2] = 11,    [T3] = 12,  [T4] = 13,
    [T5] = 14,      [T6] = 15,  [TOS] = RTOS, [SP] = RSP, [RP] = RRP,
    [FUEL] = RFUEL, [VM] = RVM, [MEM] = RMEM, [S0] = RS0, [S1] = RS1,
};

/* --- registers -------------------------------------------------------------------- */

void fvm_asm_set(fvm_asm *as, fvm_reg d, fvm_cell value) { set(as, number[d], value, 0); }

void fvm_asm_copy(fvm_asm *as, fvm_reg d, fvm_reg a) {
    if (d != a)
        move(as, number[d], number[a]);
}

static const uint32_t alu[] = {[ADD] = OP_ADD, [SUB] = OP_SUB, [MUL] = OP_MUL,
                               [AND] = OP_AND, [OR] = OP_OR,   [XOR] = OP_XOR};

void fvm_asm_op(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_reg b) {
    three(as, alu[op], number[d], number[a], number[b]);
}

/* Whether the one bits are contiguous, cyclically: only such masks can be encoded. */
static bool mask(uint32_t value, uint32_t *written) {
    if (value == 0 || value == ~0u)
        return false;
    uint32_t turns = 0;
    while ((value & 1) == 0 || value >> 31 != 0) { /* until the ones begin at bit 0 */
        value = value << 1 | value >> 31;
        turns++;
    }
    *written = turns << 16 | (uint32_t)(__builtin_popcount(value) - 1) << 10;
    return (value & (value + 1)) == 0;
}

void fvm_asm_op_const(fvm_asm *as, fvm_alu op, fvm_reg to, fvm_reg from, fvm_cell b) {
    int d = number[to], a = number[from];
    uint32_t value = (uint32_t)b, written;
    if (op == ADD || op == SUB) {
        add_const(as, 0, d, a, (fvm_cell)(op == ADD ? value : 0u - value));
    } else if (op == MUL && b > 0 && (value & (value - 1)) == 0) {
        int by = __builtin_ctz(value);
        bits(as, OP_BITS, d, a, -by & 31, 31 - by);
    } else if (op != MUL && mask(value, &written)) {
        two(as, AND_MASK + alu[op] - OP_AND + written, d, a);
    } else if (op == XOR && b == -1) {
        three(as, OP_OR_NOT, d, ZERO, a);
    } else {
        set(as, X8, b, 0);
        three(as, alu[op], d, a, X8);
    }
}

void fvm_asm_halve(fvm_asm *as, fvm_reg d, fvm_reg a) {
    shift_right(as, X8, number[a], 31); /* the sign */
    three(as, OP_ADD, X8, X8, number[a]);
    bits(as, OP_SIGNED_BITS, number[d], X8, 1, 31);
}

void fvm_asm_signed_byte(fvm_asm *as, fvm_reg d, fvm_reg a) {
    bits(as, OP_SIGNED_BITS, number[d], number[a], 0, 7);
}

void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg a, fvm_reg b) {
    three(as, OP_DIVIDE, X8, number[a], number[b]);
    if (rest != NONE)
        three(as, OP_MINUS_PRODUCT | (uint32_t)number[a] << 10, number[rest], X8, number[b]);
    if (quotient != NONE)
        move(as, number[quotient], X8);
}

void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg a, fvm_cell b) {
    fvm_asm_set(as, S1, b);
    fvm_asm_divide(as, quotient, rest, a, S1);
}

/* --- flags ------------------------------------------------------------------------ */

static const uint8_t condition[] = {[EQ] = 0,    [NE] = 1,       [LT] = 11,   [GE] = 10,
                                    [GT] = 12,   [LE] = 13,      [LOWER] = 3, [ABOVE_EQ] = 2,
                                    [ABOVE] = 8, [LOWER_EQ] = 9, [MINUS] = 4, [PLUS] = 5};

void fvm_asm_compare(fvm_asm *as, fvm_reg a, fvm_reg b) { compare(as, 0, number[a], number[b]); }

void fvm_asm_compare_const(fvm_asm *as, fvm_reg a, fvm_cell b) {
    subtract_const(as, ZERO, number[a], b);
}

void fvm_asm_flag(fvm_asm *as, fvm_cond cond, fvm_reg d) {
    /* 0 if the opposite holds, else ~0 */
    uint32_t opposite = condition[cond] ^ 1u;
    three(as, 0x5A800000u | opposite << 12, number[d], ZERO, ZERO);
}

void fvm_asm_spend(fvm_asm *as, fvm_cell steps) { subtract_const(as, RFUEL, RFUEL, steps); }

/* --- memory ----------------------------------------------------------------------- */

void fvm_asm_load(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    memory(as, LOAD, number[d], number[base], offset);
}

void fvm_asm_load_byte(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    memory(as, LOAD_SIGNED_BYTE, number[d], number[base], offset);
}

void fvm_asm_store(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a) {
    memory(as, STORE, number[a], number[base], offset);
}

/* Loads a constant; returns its register. */
static int constant(fvm_asm *as, fvm_cell value) {
    if (value == 0)
        return ZERO;
    set(as, X0, value, 0);
    return X0;
}

void fvm_asm_store_const(fvm_asm *as, fvm_reg base, int32_t offset, fvm_cell value) {
    memory(as, STORE, constant(as, value), number[base], offset);
}

void fvm_asm_move_pointer(fvm_asm *as, fvm_reg d, int32_t bytes) {
    if (bytes != 0)
        add_const(as, WIDE, number[d], number[d], bytes);
}

void fvm_asm_compare_pointer(fvm_asm *as, fvm_reg d, int32_t bytes, size_t field) {
    add_const(as, WIDE, X1, number[d], bytes);
    memory(as, LOAD_POINTER, X0, RVM, (int32_t)field);
    compare(as, WIDE, X1, X0);
}

void fvm_asm_compare_field(fvm_asm *as, size_t field, fvm_cell value) {
    memory(as, LOAD, X0, RVM, (int32_t)field);
    subtract_const(as, ZERO, X0, value);
}

void fvm_asm_compare_cell(fvm_asm *as, fvm_reg a, fvm_reg base, int32_t offset) {
    memory(as, LOAD, X0, number[base], offset);
    compare(as, 0, number[a], X0);
}

/* --- the image -------------------------------------------------------------------- */

void fvm_asm_check_read(fvm_asm *as, fvm_reg a, fvm_cell offset, uint32_t size) {
    (void)size; /* a constant is no shorter here */
    compare_span(as, RS0, number[a], (uint32_t)offset);
}

static void read_checked(fvm_asm *as, uint32_t op, fvm_reg d) {
    three(as, OP_ADD | WIDE, X8, RMEM, RS0);
    memory(as, op, number[d], X8, FVM_LOW);
}

void fvm_asm_read(fvm_asm *as, fvm_reg d) { read_checked(as, LOAD, d); }
void fvm_asm_read_byte(fvm_asm *as, fvm_reg d) { read_checked(as, LOAD_SIGNED_BYTE, d); }

void fvm_asm_read_known(fvm_asm *as, fvm_reg d, fvm_reg a, fvm_cell offset, bool single) {
    int index = number[a];
    if (offset != 0) /* the sum may wrap */
        add_const(as, 0, index = RS0, number[a], offset);
    three(as, (single ? LOAD_SIGNED_BYTE : LOAD) | INDEXED, number[d], RMEM, index);
}

/* An unaligned address, rotated right by two, is beyond all cells. */
void fvm_asm_find_cell(fvm_asm *as, fvm_reg a, fvm_cell offset, bool single) {
    add_const(as, 0, RS0, number[a], offset);
    if (single)
        shift_right(as, RS1, RS0, 2);
    else
        rotate_right(as, RS1, RS0, 2);
    memory(as, LOAD, X0, RVM, FIELD(whole_cells));
    compare(as, 0, RS1, X0);
}

void fvm_asm_check_cell(fvm_asm *as, int32_t cells) {
    indexed(as, LOAD_BYTE, X0, RS1, cells);
    subtract_const(as, ZERO, X0, 0);
}

void fvm_asm_read_cell(fvm_asm *as, fvm_reg d) { three(as, LOAD | INDEXED, number[d], RMEM, RS0); }

void fvm_asm_find_page(fvm_asm *as) { shift_right(as, RS1, RS1, FVM_PAGE_SHIFT - 2); }

void fvm_asm_test_page(fvm_asm *as, int32_t dirty) {
    indexed(as, LOAD_BYTE, X0, RS1, dirty);
    subtract_const(as, ZERO, X0, FVM_WRITTEN);
}

void fvm_asm_mark_page(fvm_asm *as, int32_t dirty) {
    set(as, X0, FVM_WRITTEN, 0);
    indexed(as, STORE_BYTE, X0, RS1, dirty);
}

void fvm_asm_write(fvm_asm *as, fvm_reg value) {
    three(as, STORE | INDEXED, number[value], RMEM, RS0);
}

void fvm_asm_write_byte(fvm_asm *as, fvm_reg value) {
    three(as, STORE_BYTE | INDEXED, number[value], RMEM, RS0);
}

void fvm_asm_write_const(fvm_asm *as, fvm_cell value, bool single) {
    three(as, (single ? STORE_BYTE : STORE) | INDEXED, constant(as, value), RMEM, RS0);
}

void fvm_asm_test_byte(fvm_asm *as, int32_t offset) {
    memory(as, LOAD_BYTE, X0, RMEM, offset);
    subtract_const(as, ZERO, X0, 0);
}

void fvm_asm_put_byte(fvm_asm *as, int32_t offset, uint8_t value) {
    memory(as, STORE_BYTE, constant(as, value), RMEM, offset);
}

void fvm_asm_copy_byte(fvm_asm *as, int32_t offset, fvm_reg a) {
    memory(as, STORE_BYTE, number[a], RMEM, offset);
}

/* --- control ---------------------------------------------------------------------- */

#define JUMP 0x14000000u    /* 26 bits: distance in instructions */
#define CALL 0x94000000u    /* the same; LINK becomes the next address */
#define JUMP_IF 0x54000000u /* 19 bits from bit 5 on */

/* The range of JUMP_IF, which is more than a unit of code. */
enum { REACH = 1 << 20 };

uint8_t *fvm_asm_jump(fvm_asm *as, fvm_cond cond) {
    put(as, cond == ALWAYS ? JUMP : JUMP_IF | condition[cond]);
    return as->at - 4;
}

void fvm_asm_patch(uint8_t *jump, const uint8_t *target) {
    uint32_t code, distance = (uint32_t)((target - jump) / 4);
    memcpy(&code, jump, 4);
    if ((code & 0xFF000000u) == JUMP_IF)
        code = (code & 0xFF00001Fu) | (distance & 0x7FFFF) << 5;
    else
        code = (code & 0xFC000000u) | (distance & 0x3FFFFFF);
    memcpy(jump, &code, 4);
}

void fvm_asm_jump_to(fvm_asm *as, fvm_cond cond, const uint8_t *target) {
    ptrdiff_t distance = target - as->at;
    if (cond != ALWAYS && (distance < -REACH || distance >= REACH)) {
        put(as, JUMP_IF | 2 << 5 | (condition[cond] ^ 1u)); /* skips the next instruction */
        cond = ALWAYS;
    }
    uint8_t *place = fvm_asm_jump(as, cond);
    if (!as->full)
        fvm_asm_patch(place, target);
}

/* LINK always holds the return address of this code: a caller saves it around a call. */
uint8_t *fvm_asm_call(fvm_asm *as, const uint8_t *target) {
    moving(as, STORE_POINTER | MOVED_BEFORE, LINK, STACK, -16);
    put(as, CALL);
    uint8_t *place = as->at - 4;
    if (!as->full)
        fvm_asm_patch(place, target);
    moving(as, LOAD_POINTER | MOVED_AFTER, LINK, STACK, 16);
    return place;
}

void fvm_asm_redirect(uint8_t *code, const uint8_t *target) {
    uint32_t jump = JUMP;
    memcpy(code, &jump, 4);
    fvm_asm_patch(code, target);
}

void fvm_asm_align(fvm_asm *as) { (void)as; }

void fvm_asm_begin(fvm_asm *as) { (void)as; }

void fvm_asm_return(fvm_asm *as, fvm_addr at) {
    set(as, RS1, (fvm_cell)at, 0);
    add_const(as, WIDE, RRP, RRP, -4);
    put(as, RETURN);
}

void fvm_asm_find_target(fvm_asm *as, fvm_reg place, fvm_reg token) {
    fvm_asm_op_const(as, AND, place, token, 4 * FVM_TARGETS - 4);
    three(as, OP_ADD | WIDE, X8, RVM, number[place]);
    memory(as, LOAD, X0, X8, FIELD(jit.target_tokens));
    compare(as, 0, number[token], X0);
}

void fvm_asm_call_target(fvm_asm *as, fvm_reg place) {
    three(as, OP_ADD | WIDE | 1 << OP_SHIFT_LEFT, X8, RVM, number[place]); /* of pointers */
    memory(as, LOAD_POINTER, X0, X8, FIELD(jit.target_code));
    moving(as, STORE_POINTER | MOVED_BEFORE, LINK, STACK, -16);
    two(as, CALL_AT, 0, X0);
    moving(as, LOAD_POINTER | MOVED_AFTER, LINK, STACK, 16);
}

#endif
