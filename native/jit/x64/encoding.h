/* x64/encoding.h: emits x86-64 instructions, for the files of this folder only.
 *
 * It owns instruction encodings and the numbers of registers. */
#ifndef FVM_X64_H
#define FVM_X64_H

#include "jit/assembler.h"

#include <stddef.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

/* Opcodes of the form op reg, rm unless noted.  rm is a register or memory operand; op /n means
 * that n in the field for reg selects the operation. */
enum {
    OP_ADD = 0x03,
    OP_OR = 0x0B,
    OP_AND = 0x23,
    OP_SUB = 0x2B,
    OP_XOR = 0x33,
    OP_COMPARE = 0x3B,
    OP_SIGN_EXTEND = 0x63,  /* 32 to 64 bits */
    OP_IMUL_CONST = 0x69,   /* a 32-bit constant follows */
    OP_COMPARE_BYTE = 0x80, /* op /7 rm, constant */
    OP_CONST = 0x81,        /* op /CONST_ADD rm, constant, and so on */
    OP_TEST = 0x85,
    OP_STORE_BYTE = 0x88,
    OP_STORE = 0x89,
    OP_LOAD = 0x8B, /* or copies a register */
    OP_LEA = 0x8D,
    OP_CDQ = 0x99,   /* RDX := sign of RAX */
    OP_SHIFT = 0xC1, /* op /SHL rm, 8-bit constant, and so on */
    OP_RETURN = 0xC3,
    OP_STORE_BYTE_CONST = 0xC6, /* op /0 rm, constant */
    OP_STORE_CONST = 0xC7,      /* op /0 rm, constant */
    OP_CALL = 0xE8,             /* a 32-bit distance follows */
    OP_JUMP = 0xE9,             /* a 32-bit distance follows */
    OP_UNARY = 0xF7,            /* op /NEGATE rm, or op /DIVIDE rm (RDX:RAX by rm) */
    OP_INDIRECT = 0xFF,         /* op /CALL_RM rm */
    OP_IMUL = 0x0FAF,
    OP_ZERO_EXTEND_BYTE = 0x0FB6,
    OP_SIGN_EXTEND_BYTE = 0x0FBE
};
enum { ROR = 1, SHL = 4, SHR = 5, SAR = 7 }; /* operations of OP_SHIFT */
enum { NEGATE = 3, DIVIDE = 7 };             /* operations of OP_UNARY */
enum { CALL_RM = 2 };                        /* operation of OP_INDIRECT */
enum { CONST_ADD = 0, CONST_AND = 4, CONST_SUB = 5, CONST_COMPARE = 7 }; /* for emit_constant */
/* Bits of the ModRM byte, which describes the operands, and of the SIB byte, which may follow. */
enum {
    MOD_REGISTER = 0xC0,  /* both operands are registers */
    MOD_OFFSET_8 = 0x40,  /* the memory operand has an 8-bit offset */
    MOD_OFFSET_32 = 0x80, /* the memory operand has a 32-bit offset */
    RM_SIB = 4,           /* instead of a base register: a SIB byte with base and index follows */
    SIB_NO_INDEX = 0x20,  /* SIB byte: there is no index register */
    SIB_TIMES_4 = 0x80,   /* SIB byte: the index counts four times */
    SIB_NO_BASE = 5,      /* SIB byte: there is no base register, but an offset of 32 bits */
    SIB_DOUBLE_INDEX = 0x40, /* SIB byte: the index is multiplied by 2 */
    SIB_INDEX_8 = 0xC0       /* SIB byte: the index is multiplied by 8 */
};

/* The register of the processor for each register of assembler.h. */
static const uint8_t cpu_reg[FVM_REGS] = {
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

/* Emits the prefix that selects 64 bits or the registers R8 to R15, if it is needed or `always`. */
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
    emit8(as, MOD_REGISTER | (reg & 7) << 3 | (rm & 7));
}

/* Emits the operand [base + index + offset]; index -1: no index.  scale: SIB_TIMES_4, or 0. */
static inline void emit_operand(fvm_asm *as, int reg, int base, int index, int scale,
                                int32_t offset) {
    bool small = offset >= -128 && offset < 128;
    int mode = small ? MOD_OFFSET_8 : MOD_OFFSET_32;
    if (index >= 0) {
        emit8(as, mode | (reg & 7) << 3 | RM_SIB);
        emit8(as, scale | (index & 7) << 3 | (base & 7));
    } else {
        emit8(as, mode | (reg & 7) << 3 | (base & 7));
        if ((base & 7) == RM_SIB) /* RSP and R12 have the number 4, like RM_SIB */
            emit8(as, SIB_NO_INDEX | RSP);
    }
    if (small)
        emit8(as, offset & 255);
    else
        emit32(as, offset);
}

/* op reg, [base + index + offset]; index -1: no index */
static inline void emit_memory(fvm_asm *as, bool wide, int op, int reg, int base, int index,
                               int32_t offset) {
    emit_rex(as, wide, reg, index < 0 ? 0 : index, base,
             op == OP_STORE_BYTE && reg >= RSP && reg < R8);
    emit_opcode(as, op);
    emit_operand(as, reg, base, index, 0, offset);
}

/* d = base + 4 * index + offset; base -1: no base */
static inline void emit_scaled_address(fvm_asm *as, int d, int base, int index, int32_t offset) {
    emit_rex(as, false, d, index, base < 0 ? 0 : base, false);
    emit_opcode(as, OP_LEA);
    if (base >= 0) {
        emit_operand(as, d, base, index, SIB_TIMES_4, offset);
        return;
    }
    emit8(as, (d & 7) << 3 | RM_SIB);
    emit8(as, SIB_TIMES_4 | (index & 7) << 3 | SIB_NO_BASE);
    emit32(as, offset);
}

/* Converts the offset of a field of the VM; FIELD takes the name of the field. */
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

/* op rm, constant.  digit: the operation, for example CONST_ADD. */
static inline void emit_constant(fvm_asm *as, bool wide, int digit, int rm, fvm_cell value) {
    bool small = value >= -128 && value < 128;
    emit_rex(as, wide, 0, 0, rm, false);
    emit8(as, small ? 0x83 : OP_CONST);
    emit8(as, MOD_REGISTER | digit << 3 | (rm & 7));
    if (small)
        emit8(as, value & 255);
    else
        emit32(as, value);
}

#endif
