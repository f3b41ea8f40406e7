/* x64/encoding.h: emits x86-64 instructions, for the files of this folder only.
 *
 * It owns instruction encodings and the numbers of registers. */
#ifndef FVM_X64_H
#define FVM_X64_H

#include "jit/assembler.h"

#include <stddef.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

static const uint8_t number[FVM_REGS] = {
    [T0] = RCX,   [T1] = RSI, [T2] = RDI,  [T3] = R8,  [T4] = R9,
    [T5] = R10,   [T6] = R11, [TOS] = R15, [SP] = R12, [RP] = R13,
    [FUEL] = R14, [VM] = RBX, [MEM] = RBP, [S0] = RAX, [S1] = RDX,
};

static inline void emit8(fvm_asm *as, int value) {
    if (as->at < as->end)
        *as->at++ = (uint8_t)value;
    else
        as->full = true;
}

static inline void emit32(fvm_asm *as, int32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        emit8(as, (int)((uint32_t)value >> shift & 255));
}

static inline void emit64(fvm_asm *as, uint64_t value) {
    emit32(as, (int32_t)(uint32_t)value);
    emit32(as, (int32_t)(uint32_t)(value >> 32));
}

static inline void emit_rex(fvm_asm *as, bool wide, int reg, int index, int base, bool always) {
    int bits = wide << 3 | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3;
    if (bits != 0 || always)
        emit8(as, 0x40 | bits);
}

static inline void emit_opcode(fvm_asm *as, int op) {
    if (op > 255)
        emit8(as, op >> 8);
    emit8(as, op);
}

/* op reg, rm */
static inline void emit_registers(fvm_asm *as, bool wide, int op, int reg, int rm) {
    emit_rex(as, wide, reg, 0, rm, false);
    emit_opcode(as, op);
    emit8(as, 0xC0 | (reg & 7) << 3 | (rm & 7));
}

static inline void emit_operand(fvm_asm *as, int reg, int base, int index, int32_t offset) {
    bool small = offset >= -128 && offset < 128;
    int mode = small ? 0x40 : 0x80;
    if (index >= 0) {
        emit8(as, mode | (reg & 7) << 3 | 4);
        emit8(as, (index & 7) << 3 | (base & 7));
    } else {
        emit8(as, mode | (reg & 7) << 3 | (base & 7));
        if ((base & 7) == RSP)
            emit8(as, 0x24);
    }
    if (small)
        emit8(as, offset & 255);
    else
        emit32(as, offset);
}

/* op reg, [base + index + offset]; index -1: no index */
static inline void emit_memory(fvm_asm *as, bool wide, int op, int reg, int base, int index,
                               int32_t offset) {
    emit_rex(as, wide, reg, index < 0 ? 0 : index, base, op == 0x88 && reg >= RSP && reg < R8);
    emit_opcode(as, op);
    emit_operand(as, reg, base, index, offset);
}

static inline int32_t field(size_t offset) { return (int32_t)offset; }
#define FIELD(name_) field(offsetof(fvm, name_))

static inline void emit_set(fvm_asm *as, int d, fvm_cell value) {
    emit_rex(as, false, 0, 0, d, false);
    emit8(as, 0xB8 | (d & 7));
    emit32(as, value);
}

static inline void emit_set_pointer(fvm_asm *as, int d, uintptr_t value) {
    emit_rex(as, true, 0, 0, d, true);
    emit8(as, 0xB8 | (d & 7));
    emit64(as, (uint64_t)value);
}

/* op rm, constant: digit selects the operation */
static inline void emit_constant(fvm_asm *as, bool wide, int digit, int rm, fvm_cell value) {
    bool small = value >= -128 && value < 128;
    emit_rex(as, wide, 0, 0, rm, false);
    emit8(as, small ? 0x83 : 0x81);
    emit8(as, 0xC0 | digit << 3 | (rm & 7));
    if (small)
        emit8(as, value & 255);
    else
        emit32(as, value);
}

#endif
