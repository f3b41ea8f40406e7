/* jit/arm64/assembler.c: implements the instructions of assembler.h for AArch64.
 *
 * It owns the choice of processor instructions.  arm64/encoding.h encodes them; arm64/runtime.c
 * has the code that all machine code shares. */
#include "jit/jit.h"

#if defined(FVM_JIT_ARM64)

#include "jit/arm64/encoding.h"

/* The register of the processor for each register of assembler.h. */
static const uint8_t cpu_reg[FVM_REGS] = {
    [T0] = 9,       [T1] = 10,  [T2] = 11,    [T3] = 12,  [T4] = 13,
    [T5] = 14,      [T6] = 15,  [TOS] = RTOS, [SP] = RSP, [RP] = RRP,
    [FUEL] = RFUEL, [VM] = RVM, [MEM] = RMEM, [S0] = RS0, [S1] = RS1,
};

/* --- registers -------------------------------------------------------------------- */

void fvm_asm_set(fvm_asm *as, fvm_reg d, fvm_cell value) { emit_set(as, cpu_reg[d], value, 0); }

void fvm_asm_copy(fvm_asm *as, fvm_reg d, fvm_reg a) {
    if (d != a)
        emit_move(as, cpu_reg[d], cpu_reg[a]);
}

static const uint32_t alu[] = {[ADD] = OP_ADD, [SUB] = OP_SUB, [MUL] = OP_MUL,
                               [AND] = OP_AND, [OR] = OP_OR,   [XOR] = OP_XOR};

void fvm_asm_op(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_reg b) {
    emit_dnm(as, alu[op], cpu_reg[d], cpu_reg[a], cpu_reg[b]);
}

/* Encodes a mask for AND_MASK.  false: the mask cannot be encoded, because its one bits are not
 * contiguous; bit 0 counts as following bit 31. */
static bool encode_mask(uint32_t value, uint32_t *encoded) {
    if (value == 0 || value == ~0u)
        return false;
    uint32_t rotation = 0;
    while ((value & 1) == 0 || value >> 31 != 0) { /* until the ones begin at bit 0 */
        value = value << 1 | value >> 31;
        rotation++;
    }
    *encoded = rotation << 16 | (uint32_t)(__builtin_popcount(value) - 1) << 10;
    return (value & (value + 1)) == 0;
}

void fvm_asm_op_const(fvm_asm *as, fvm_alu op, fvm_reg to, fvm_reg from, fvm_cell b) {
    int d = cpu_reg[to], a = cpu_reg[from];
    uint32_t value = (uint32_t)b, encoded;
    if (op == ADD || op == SUB) {
        emit_add_const(as, 0, d, a, (fvm_cell)(op == ADD ? value : 0u - value));
    } else if (op == MUL && b > 0 && (value & (value - 1)) == 0) {
        int shift = __builtin_ctz(value);
        emit_bit_field(as, OP_BITS, d, a, -shift & 31, 31 - shift); /* shifts to the left */
    } else if (op != MUL && encode_mask(value, &encoded)) {
        emit_dn(as, AND_MASK + alu[op] - OP_AND + encoded, d, a);
    } else if (op == XOR && b == -1) {
        emit_dnm(as, OP_OR_NOT, d, ZERO, a);
    } else {
        emit_set(as, X8, b, 0);
        emit_dnm(as, alu[op], d, a, X8);
    }
}

void fvm_asm_halve(fvm_asm *as, fvm_reg d, fvm_reg a) {
    emit_shift_right(as, X8, cpu_reg[a], 31); /* the sign */
    emit_dnm(as, OP_ADD, X8, X8, cpu_reg[a]);
    emit_bit_field(as, OP_SIGNED_BITS, cpu_reg[d], X8, 1, 31);
}

void fvm_asm_signed_byte(fvm_asm *as, fvm_reg d, fvm_reg a) {
    emit_bit_field(as, OP_SIGNED_BITS, cpu_reg[d], cpu_reg[a], 0, 7);
}

void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t remainder, fvm_reg a, fvm_reg b) {
    emit_dnm(as, OP_DIVIDE, X8, cpu_reg[a], cpu_reg[b]);
    if (remainder != NONE)
        emit_dnm(as, OP_MINUS_PRODUCT | (uint32_t)cpu_reg[a] << 10, cpu_reg[remainder], X8,
                 cpu_reg[b]);
    if (quotient != NONE)
        emit_move(as, cpu_reg[quotient], X8);
}

void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t remainder, fvm_reg a, fvm_cell b) {
    fvm_asm_set(as, S1, b);
    fvm_asm_divide(as, quotient, remainder, a, S1);
}

/* --- flags ------------------------------------------------------------------------ */

static const uint8_t condition_code[] = {[EQ] = 0,    [NE] = 1,      [LT] = 11,   [GE] = 10,
                                         [GT] = 12,   [LE] = 13,     [LOWER] = 3, [ABOVE_EQ] = 2,
                                         [ABOVE] = 8, [LOWER_EQ] = 9};

void fvm_asm_compare(fvm_asm *as, fvm_reg a, fvm_reg b) {
    emit_compare(as, 0, cpu_reg[a], cpu_reg[b]);
}

void fvm_asm_compare_const(fvm_asm *as, fvm_reg a, fvm_cell b) {
    emit_subtract_const(as, ZERO, cpu_reg[a], b);
}

void fvm_asm_flag(fvm_asm *as, fvm_cond cond, fvm_reg d) {
    /* csinv: 0 if the opposite condition holds, else ~0 */
    uint32_t opposite = condition_code[cond] ^ 1u;
    emit_dnm(as, 0x5A800000u | opposite << 12, cpu_reg[d], ZERO, ZERO);
}

void fvm_asm_subtract_fuel(fvm_asm *as, fvm_cell steps) {
    emit_subtract_const(as, RFUEL, RFUEL, steps);
}

/* --- memory ----------------------------------------------------------------------- */

void fvm_asm_load(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, LOAD, cpu_reg[d], cpu_reg[base], offset);
}

void fvm_asm_load_byte(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, LOAD_SIGNED_BYTE, cpu_reg[d], cpu_reg[base], offset);
}

void fvm_asm_store(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a) {
    emit_memory(as, STORE, cpu_reg[a], cpu_reg[base], offset);
}

void fvm_asm_load_pointer(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, LOAD_POINTER, cpu_reg[d], cpu_reg[base], offset);
}

void fvm_asm_op_cell(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, LOAD, X0, cpu_reg[base], offset);
    emit_dnm(as, alu[op], cpu_reg[d], cpu_reg[d], X0);
}

void fvm_asm_load_pointer_at(fvm_asm *as, fvm_reg d, fvm_reg base, fvm_reg index) {
    emit_dnm(as, OP_ADD | WIDE | 3 << OP_SHIFT_LEFT, X8, cpu_reg[base], cpu_reg[index]);
    emit_memory(as, LOAD_POINTER, cpu_reg[d], X8, 0);
}

void fvm_asm_store_pointer(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a) {
    emit_memory(as, STORE_POINTER, cpu_reg[a], cpu_reg[base], offset);
}

/* Loads a constant and returns its register. */
static int load_constant(fvm_asm *as, fvm_cell value) {
    if (value == 0)
        return ZERO;
    emit_set(as, X0, value, 0);
    return X0;
}

void fvm_asm_store_const(fvm_asm *as, fvm_reg base, int32_t offset, fvm_cell value) {
    emit_memory(as, STORE, load_constant(as, value), cpu_reg[base], offset);
}

void fvm_asm_add_to_pointer(fvm_asm *as, fvm_reg d, int32_t bytes) {
    if (bytes != 0)
        emit_add_const(as, WIDE, cpu_reg[d], cpu_reg[d], bytes);
}

void fvm_asm_compare_pointer(fvm_asm *as, fvm_reg d, int32_t bytes, size_t field) {
    emit_add_const(as, WIDE, X1, cpu_reg[d], bytes);
    emit_memory(as, LOAD_POINTER, X0, RVM, (int32_t)field);
    emit_compare(as, WIDE, X1, X0);
}

void fvm_asm_compare_field(fvm_asm *as, size_t field, fvm_cell value) {
    emit_memory(as, LOAD, X0, RVM, (int32_t)field);
    emit_subtract_const(as, ZERO, X0, value);
}

void fvm_asm_compare_cell(fvm_asm *as, fvm_reg a, fvm_reg base, int32_t offset) {
    emit_memory(as, LOAD, X0, cpu_reg[base], offset);
    emit_compare(as, 0, cpu_reg[a], X0);
}

/* --- the image -------------------------------------------------------------------- */

/* d = a */
static void compute_address(fvm_asm *as, int d, fvm_address a) {
    int sum = a.base != NONE ? cpu_reg[a.base] : ZERO;
    if (a.index != NONE) {
        emit_dnm(as, OP_ADD | 2u << OP_SHIFT_LEFT, d, sum, cpu_reg[a.index]);
        sum = d;
    }
    if (a.index == NONE || a.offset != 0)
        emit_add_const(as, 0, d, sum, a.offset);
}

void fvm_asm_compute_address(fvm_asm *as, fvm_reg d, fvm_address a) {
    compute_address(as, cpu_reg[d], a);
}

void fvm_asm_check_read(fvm_asm *as, fvm_address a, uint32_t size) {
    /* Comparing with the field vm->span4 is as fast here as comparing with a constant computed from
     * `size`. */
    (void)size;
    a.offset = (fvm_cell)((uint32_t)a.offset - (uint32_t)FVM_LOW);
    compute_address(as, RS0, a);
    emit_memory(as, LOAD, X1, RVM, FIELD(span4));
    emit_compare(as, 0, RS0, X1);
}

/* S0 contains the checked address minus FVM_LOW, which fvm_asm_check_read has set. */
static void read_checked(fvm_asm *as, uint32_t op, fvm_reg d) {
    emit_dnm(as, OP_ADD | WIDE, X8, RMEM, RS0);
    emit_memory(as, op, cpu_reg[d], X8, FVM_LOW);
}

void fvm_asm_read_checked(fvm_asm *as, fvm_reg d) { read_checked(as, LOAD, d); }
void fvm_asm_read_checked_byte(fvm_asm *as, fvm_reg d) { read_checked(as, LOAD_SIGNED_BYTE, d); }

void fvm_asm_compare_checked(fvm_asm *as, int32_t offset, fvm_cell value) {
    emit_dnm(as, OP_ADD | WIDE, X8, RMEM, RS0);
    emit_memory(as, LOAD, X0, X8, FVM_LOW + offset);
    emit_subtract_const(as, ZERO, X0, value);
}

/* The number of a cell is its address rotated right by two bits.  For an unaligned address the
 * rotation gives a number above all cell numbers, so one comparison is enough. */
void fvm_asm_find_cell(fvm_asm *as, fvm_address a, bool one_byte) {
    compute_address(as, RS0, a);
    if (one_byte)
        emit_shift_right(as, RS1, RS0, 2);
    else
        emit_rotate_right(as, RS1, RS0, 2);
    emit_memory(as, LOAD, X0, RVM, FIELD(whole_cells));
    emit_compare(as, 0, RS1, X0);
}

void fvm_asm_check_cell(fvm_asm *as, int32_t marks) {
    emit_indexed_byte(as, LOAD_BYTE, X0, RS1, marks);
    emit_subtract_const(as, ZERO, X0, 0);
}

/* S0 contains the found address, which fvm_asm_find_cell has set. */
void fvm_asm_read_found(fvm_asm *as, fvm_reg d) {
    emit_dnm(as, LOAD | INDEXED, cpu_reg[d], RMEM, RS0);
}

void fvm_asm_mark_page(fvm_asm *as, int32_t marks) {
    emit_shift_right(as, RS1, RS1, FVM_PAGE_SHIFT - 2);
    emit_set(as, X0, FVM_WRITTEN, 0);
    emit_indexed_byte(as, STORE_BYTE, X0, RS1, marks);
}

void fvm_asm_write_found(fvm_asm *as, fvm_reg value) {
    emit_dnm(as, STORE | INDEXED, cpu_reg[value], RMEM, RS0);
}

void fvm_asm_write_found_byte(fvm_asm *as, fvm_reg value) {
    emit_dnm(as, STORE_BYTE | INDEXED, cpu_reg[value], RMEM, RS0);
}

void fvm_asm_write_found_const(fvm_asm *as, fvm_cell value, bool one_byte) {
    emit_dnm(as, (one_byte ? STORE_BYTE : STORE) | INDEXED, load_constant(as, value), RMEM, RS0);
}

/* Compares the byte at MEM + offset, a fixed address, with 0. */
void fvm_asm_compare_fixed_byte(fvm_asm *as, int32_t offset) {
    emit_memory(as, LOAD_BYTE, X0, RMEM, offset);
    emit_subtract_const(as, ZERO, X0, 0);
}

void fvm_asm_store_fixed_byte_const(fvm_asm *as, int32_t offset, uint8_t value) {
    emit_memory(as, STORE_BYTE, load_constant(as, value), RMEM, offset);
}

void fvm_asm_store_fixed_byte(fvm_asm *as, int32_t offset, fvm_reg a) {
    emit_memory(as, STORE_BYTE, cpu_reg[a], RMEM, offset);
}

/* --- control ---------------------------------------------------------------------- */

#define JUMP 0x14000000u    /* 26 bits: distance in instructions */
#define CALL 0x94000000u    /* as JUMP; LINK becomes the address of the next instruction */
#define JUMP_IF 0x54000000u /* 19 bits from bit 5 on */

/* The range of JUMP_IF in bytes.  The code of a unit is shorter, so jumps within a unit reach their
 * targets. */
enum { JUMP_IF_RANGE = 1 << 20 };

uint8_t *fvm_asm_jump(fvm_asm *as, fvm_cond cond) {
    emit(as, cond == ALWAYS ? JUMP : JUMP_IF | condition_code[cond]);
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
    if (cond != ALWAYS && (distance < -JUMP_IF_RANGE || distance >= JUMP_IF_RANGE)) {
        emit(as, JUMP_IF | 2 << 5 | (condition_code[cond] ^ 1u)); /* skips the next instruction */
        cond = ALWAYS;
    }
    uint8_t *jump = fvm_asm_jump(as, cond);
    if (!as->full)
        fvm_asm_patch(jump, target);
}

/* LINK contains the return address of the current code, so a call saves and restores it.  STACK
 * moves before the store (pre-indexed) and after the load (post-indexed). */
uint8_t *fvm_asm_call(fvm_asm *as, const uint8_t *target) {
    emit_unscaled(as, STORE_POINTER | MOVED_BEFORE, LINK, STACK, -16);
    emit(as, CALL);
    uint8_t *call = as->at - 4;
    if (!as->full)
        fvm_asm_patch(call, target);
    emit_unscaled(as, LOAD_POINTER | MOVED_AFTER, LINK, STACK, 16);
    return call;
}

void fvm_asm_redirect(uint8_t *code, const uint8_t *target) {
    uint32_t jump = JUMP;
    memcpy(code, &jump, 4);
    fvm_asm_patch(code, target);
}

/* error_address in S1 is used only if the return address is not valid, see assembler.h. */
void fvm_asm_return(fvm_asm *as, fvm_addr error_address) {
    emit_set(as, RS1, (fvm_cell)error_address, 0);
    emit_add_const(as, WIDE, RRP, RRP, -4);
    emit(as, RETURN);
}

void fvm_asm_find_token(fvm_asm *as, fvm_reg index, fvm_reg token) {
    fvm_asm_op_const(as, AND, index, token, 4 * FVM_TARGETS - 4);
    emit_dnm(as, OP_ADD | WIDE, X8, RVM, cpu_reg[index]);
    emit_memory(as, LOAD, X0, X8, FIELD(jit.target_tokens));
    emit_compare(as, 0, cpu_reg[token], X0);
}

void fvm_asm_call_target(fvm_asm *as, fvm_reg index) {
    /* The index is a byte offset in a table of 4-byte tokens.  It is doubled, because the entries
     * of target_code are pointers of 8 bytes. */
    emit_dnm(as, OP_ADD | WIDE | 1 << OP_SHIFT_LEFT, X8, RVM, cpu_reg[index]);
    emit_memory(as, LOAD_POINTER, X0, X8, FIELD(jit.target_code));
    emit_unscaled(as, STORE_POINTER | MOVED_BEFORE, LINK, STACK, -16);
    emit_dn(as, CALL_AT, 0, X0);
    emit_unscaled(as, LOAD_POINTER | MOVED_AFTER, LINK, STACK, 16);
}

void fvm_asm_call_offset(fvm_asm *as, fvm_reg offset) {
    emit_memory(as, LOAD_POINTER, X8, RVM, FIELD(jit.code));
    emit_dnm(as, OP_ADD | WIDE, X8, X8, cpu_reg[offset]);
    emit_unscaled(as, STORE_POINTER | MOVED_BEFORE, LINK, STACK, -16);
    emit_dn(as, CALL_AT, 0, X8);
    emit_unscaled(as, LOAD_POINTER | MOVED_AFTER, LINK, STACK, 16);
}

#endif
