/* jit/x64/division.c: division on x86-64, by a register and by a constant.
 *
 * It owns the replacement of divisions by multiplications and shifts. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t remainder, fvm_reg a, fvm_reg b) {
    emit_registers(as, false, OP_LOAD, RAX, cpu_reg[a]);
    emit8(as, OP_CDQ);
    emit_registers(as, false, OP_UNARY, DIVIDE, cpu_reg[b]);
    if (quotient != NONE)
        emit_registers(as, false, OP_LOAD, cpu_reg[quotient], RAX);
    if (remainder != NONE)
        emit_registers(as, false, OP_LOAD, cpu_reg[remainder], RDX);
}

/* Divides by 2^shift, rounded towards 0, or by -2^shift if `minus`. */
static void divide_by_power(fvm_asm *as, uint8_t quotient, uint8_t remainder, int a, int shift,
                            bool minus) {
    emit_registers(as, false, OP_LOAD, RAX, a);
    emit8(as, OP_CDQ);
    emit_constant(as, false, CONST_AND, RDX, (fvm_cell)((1u << shift) - 1));
    emit_registers(as, false, OP_ADD, RAX, RDX);
    if (quotient != NONE) {
        emit_registers(as, false, OP_LOAD, cpu_reg[quotient], RAX);
        emit_registers(as, false, OP_SHIFT, SAR, cpu_reg[quotient]);
        emit8(as, shift);
        if (minus)
            emit_registers(as, false, OP_UNARY, NEGATE, cpu_reg[quotient]);
    }
    if (remainder != NONE) {
        emit_constant(as, false, CONST_AND, RAX, (fvm_cell)(0u - (1u << shift)));
        emit_registers(as, false, OP_LOAD, cpu_reg[remainder], a);
        emit_registers(as, false, OP_SUB, cpu_reg[remainder], RAX);
    }
}

/* Returns 2^*shift / b, rounded up: division by b is multiplication by this number and a shift to
 * the right by *shift bits.  Source: T. Granlund and P. Montgomery, Division by Invariant Integers
 * using Multiplication, 1994. */
static uint32_t inverse(uint32_t b, int *shift) {
    for (int s = 0;; s++) {
        uint64_t power = 1ull << (32 + s), product = power / b + 1;
        if (product * b - power < 2ull << s) {
            *shift = 32 + s;
            return (uint32_t)product;
        }
    }
}

void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t remainder, fvm_reg dividend,
                          fvm_cell b) {
    uint32_t absolute = b < 0 ? 0u - (uint32_t)b : (uint32_t)b;
    int a = cpu_reg[dividend], shift;
    if ((absolute & (absolute - 1)) == 0) {
        divide_by_power(as, quotient, remainder, a, __builtin_ctz(absolute), b < 0);
        return;
    }
    emit_registers(as, true, OP_SIGN_EXTEND, RAX, a);
    emit_set(as, RDX, (fvm_cell)inverse(absolute, &shift));
    emit_registers(as, true, OP_IMUL, RAX, RDX);
    emit_registers(as, true, OP_SHIFT, SAR, RAX);
    emit8(as, shift);
    emit_registers(as, false, OP_LOAD, RDX, a);
    emit_registers(as, false, OP_SHIFT, SAR, RDX);
    emit8(as, 31);
    emit_registers(as, false, OP_SUB, RAX, RDX); /* round towards 0 */
    if (remainder != NONE) {
        emit_rex(as, false, RDX, 0, RAX, false);
        emit8(as, OP_IMUL_CONST);
        emit8(as, MOD_REGISTER | RDX << 3 | RAX);
        emit32(as, (fvm_cell)absolute);
        emit_registers(as, false, OP_LOAD, cpu_reg[remainder], a);
        emit_registers(as, false, OP_SUB, cpu_reg[remainder], RDX);
    }
    if (quotient != NONE) {
        emit_registers(as, false, OP_LOAD, cpu_reg[quotient], RAX);
        if (b < 0)
            emit_registers(as, false, OP_UNARY, NEGATE, cpu_reg[quotient]);
    }
}

#endif
