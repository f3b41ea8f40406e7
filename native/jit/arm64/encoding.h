/* arm64/encoding.h: emits AArch64 instructions, for the files of this folder only.
 *
 * It owns instruction encodings and the numbers of registers.  An instruction of assembler.h may
 * use X0 to X8 as temporaries: X8 for addresses and constants, the others for loaded values. */
#ifndef FVM_ARM64_H
#define FVM_ARM64_H

#include "jit/assembler.h"

#include <stddef.h>

/* Register 31 is ZERO, which reads as 0; in some instructions it is the stack pointer, STACK. */
enum { X0, X1, X2, X8 = 8, FRAME = 29, LINK, ZERO, STACK = ZERO };
enum { RS0 = 16, RS1, RSP = 19, RRP, RFUEL, RVM, RMEM, RTOS }; /* 18 is reserved for the system */

static inline void emit(fvm_asm *as, uint32_t code) {
    as->full |= as->end - as->at < 4;
    if (as->full)
        return;
    memcpy(as->at, &code, 4);
    as->at += 4;
}

/* --- encodings -------------------------------------------------------------------- */

/* d is the register of the result; n and m are the registers of the operands. */

#define WIDE 0x80000000u /* 64 bits, not 32 */

#define OP_ADD 0x0B000000u /* d, n, m */
#define OP_SUB 0x4B000000u
#define OP_AND 0x0A000000u
#define OP_OR 0x2A000000u
#define OP_XOR 0x4A000000u
#define OP_OR_NOT 0x2A200000u
#define OP_MUL 0x1B007C00u
#define OP_MINUS_PRODUCT 0x1B008000u /* d = a - n * m; bits 10 to 14 contain the register a */
#define OP_DIVIDE 0x1AC00C00u
#define OP_FUNNEL 0x13800000u /* n == m: rotated right by the number from bit 10 on */
#define OP_SHIFT_LEFT 10      /* bit position of a constant by which m is shifted left (ADD, SUB) */
#define SET_FLAGS 0x20000000u /* ADD, SUB; d may be ZERO */
#define ADD_CONST 0x11000000u /* d, n, 12 bits from bit 10 on; SUB: plus OP_SUB - OP_ADD */
#define TIMES_4096 0x00400000u /* with ADD_CONST: the constant counts multiples of 4096 */
#define AND_MASK 0x12000000u   /* d, n, a mask; OR: plus OP_OR - OP_AND, XOR likewise */
#define OP_BITS 0x53000000u    /* unsigned bit field: shifts */
#define OP_SIGNED_BITS 0x13000000u

static inline void emit_dnm(fvm_asm *as, uint32_t op, int d, int n, int m) {
    emit(as, op | (uint32_t)m << 16 | (uint32_t)n << 5 | (uint32_t)d);
}

static inline void emit_dn(fvm_asm *as, uint32_t op, int d, int n) { emit_dnm(as, op, d, n, 0); }
static inline void emit_move(fvm_asm *as, int d, int a) { emit_dnm(as, OP_OR, d, ZERO, a); }
static inline void emit_move_wide(fvm_asm *as, int d, int a) {
    emit_dnm(as, OP_OR | WIDE, d, ZERO, a);
}

/* d = bits of n, for OP_BITS and OP_SIGNED_BITS.  rotated and last are the processor's operands
 * immr and imms: if last >= rotated, the bits from `rotated` to `last` move to bit 0; else the bits
 * from 0 to `last` move to bit 32 - rotated. */
static inline void emit_bit_field(fvm_asm *as, uint32_t op, int d, int n, int rotated, int last) {
    emit_dn(as, op | (uint32_t)rotated << 16 | (uint32_t)last << 10, d, n);
}

static inline void emit_shift_right(fvm_asm *as, int d, int n, int by) {
    emit_bit_field(as, OP_BITS, d, n, by, 31);
}

static inline void emit_rotate_right(fvm_asm *as, int d, int n, int by) {
    emit_dnm(as, OP_FUNNEL | (uint32_t)by << 10, d, n, n);
}

#define MOVE_ZEROS 0x52800000u /* d, 16 bits; the other bits become 0 */
#define MOVE_ONES 0x12800000u  /* d, 16 bits, inverted; the other bits become 1 */
#define MOVE_PART 0x72800000u  /* d, 16 bits; the other bits are unchanged */

static inline void emit_move_part(fvm_asm *as, uint32_t op, int d, uint64_t value, int index) {
    uint32_t bits = (uint32_t)(value >> 16 * index) & 0xFFFF;
    emit(as, op | (uint32_t)index << 21 | bits << 5 | (uint32_t)d);
}

/* Sets a register; wide (WIDE or 0): the value is sign-extended to 64 bits, else zero-extended. */
static inline void emit_set(fvm_asm *as, int d, fvm_cell value, uint32_t wide) {
    uint32_t bits = (uint32_t)value;
    if (value < 0 && (wide || bits >> 16 == 0xFFFF)) {
        emit_move_part(as, MOVE_ONES | wide, d, ~bits, 0);
        if (bits >> 16 != 0xFFFF)
            emit_move_part(as, MOVE_PART | wide, d, bits, 1);
    } else if ((bits & 0xFFFF) == 0) {
        emit_move_part(as, MOVE_ZEROS, d, bits, 1);
    } else {
        emit_move_part(as, MOVE_ZEROS, d, bits, 0);
        if (bits >> 16 != 0)
            emit_move_part(as, MOVE_PART, d, bits, 1);
    }
}

static inline void emit_set_pointer(fvm_asm *as, int d, uintptr_t value) {
    emit_move_part(as, MOVE_ZEROS | WIDE, d, value, 0);
    for (int index = 1; index < 4; index++)
        if (value >> 16 * index & 0xFFFF)
            emit_move_part(as, MOVE_PART | WIDE, d, value, index);
}

/* Adds or subtracts a constant in one instruction, if it can be encoded. */
static inline bool emit_short_const(fvm_asm *as, uint32_t flags, int d, int n, fvm_cell value) {
    uint32_t size = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    uint32_t op = ADD_CONST | flags | (value < 0 ? OP_SUB - OP_ADD : 0);
    if (size < 4096)
        emit_dn(as, op | size << 10, d, n);
    else if (size < 1 << 24 && (size & 4095) == 0)
        emit_dn(as, op | TIMES_4096 | size >> 12 << 10, d, n);
    else
        return false;
    return true;
}

static inline void emit_add_const(fvm_asm *as, uint32_t wide, int d, int n, fvm_cell value) {
    if (emit_short_const(as, wide, d, n, value))
        return;
    if (value > -(1 << 24) && value < 1 << 24) {
        fvm_cell remainder = value % 4096;
        emit_short_const(as, wide, d, n, value - remainder);
        emit_short_const(as, wide, d, d, remainder);
    } else {
        emit_set(as, X8, value, wide);
        emit_dnm(as, OP_ADD | wide, d, n, X8);
    }
}

/* d = n - value, with flags.  Adding -value sets the same flags unless value is 0. */
static inline void emit_subtract_const(fvm_asm *as, int d, int n, fvm_cell value) {
    if (value == 0) {
        emit_dnm(as, OP_SUB | SET_FLAGS, d, n, ZERO);
    } else if (value == INT32_MIN || !emit_short_const(as, SET_FLAGS, d, n, -value)) {
        emit_set(as, X8, value, 0);
        emit_dnm(as, OP_SUB | SET_FLAGS, d, n, X8);
    }
}

#define LOAD 0x80400000u
#define STORE 0x80000000u
#define LOAD_BYTE 0x00400000u
#define LOAD_SIGNED_BYTE 0x00C00000u
#define STORE_BYTE 0x00000000u
#define LOAD_POINTER 0xC0400000u
#define STORE_POINTER 0xC0000000u
#define SCALED 0x39000000u   /* with one of the above: at n + size * (12 bits from bit 10 on) */
#define UNSCALED 0x38000000u /* at n + (9 bits, signed, from bit 12 on) */
#define MOVED_AFTER 0x400u   /* with UNSCALED: post-indexed */
#define MOVED_BEFORE 0xC00u  /* with UNSCALED: pre-indexed */
#define INDEXED 0x38206800u  /* at n + m */

static inline void emit_unscaled(fvm_asm *as, uint32_t op, int reg, int base, int offset) {
    emit_dn(as, op | UNSCALED | ((uint32_t)offset & 511) << 12, reg, base);
}

/* Accesses base + offset, for any offset. */
static inline void emit_memory(fvm_asm *as, uint32_t op, int reg, int base, int32_t offset) {
    int shift = (int)(op >> 30), unaligned = (1 << shift) - 1;
    if (offset >= 0 && offset < 4096 << shift && (offset & unaligned) == 0) {
        emit_dn(as, op | SCALED | (uint32_t)offset >> shift << 10, reg, base);
    } else if (offset >= -256 && offset < 256) {
        emit_unscaled(as, op, reg, base, offset);
    } else if (offset >= -(1 << 23) && offset < 1 << 24 && (offset & unaligned) == 0) {
        emit_short_const(as, WIDE, X8, base, offset & ~4095);
        emit_memory(as, op, reg, X8, offset & 4095);
    } else {
        emit_set(as, X8, offset, WIDE);
        emit_dnm(as, op | INDEXED, reg, base, X8);
    }
}

/* Accesses a byte at MEM + index + offset. */
static inline void emit_indexed_byte(fvm_asm *as, uint32_t op, int reg, int index, int32_t offset) {
    emit_set(as, X8, offset, WIDE);
    emit_dnm(as, OP_ADD | WIDE, X8, X8, index);
    emit_dnm(as, op | INDEXED, reg, RMEM, X8);
}

#define FIELD(name_) ((int32_t)offsetof(fvm, name_))

static inline void emit_compare(fvm_asm *as, uint32_t wide, int a, int b) {
    emit_dnm(as, OP_SUB | SET_FLAGS | wide, ZERO, a, b);
}

#define CALL_AT 0xD63F0000u
#define RETURN 0xD65F03C0u
#define STORE_PAIR 0xA9BF0000u /* pushes two registers (16 bytes); bits 10 to 14: the second */
#define LOAD_PAIR 0xA8C10000u  /* pops two registers (16 bytes) */

#endif
