/* jit/x64/division.c: division on x86-64, by a register and by a constant.
 *
 * It owns the replacement of divisions by multiplications and shifts; it must not know Forth. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t remainder, fvm_reg a, fvm_reg b) {
    emit_registers(as, false, 0x8B, RAX, number[a]);
    emit8(as, 0x99); /* cdq */
    emit_registers(as, false, 0xF7, 7, number[b]);
    if (quotient != NONE)
        emit_registers(as, false, 0x8B, number[quotient], RAX);
    if (remainder != NONE)
        emit_registers(as, false, 0x8B, number[remainder], RDX);
}

/* Divides by 2^shift, rounded towards 0, or by -2^shift if `minus`. */
static void divide_by_power(fvm_asm *as, uint8_t quotient, uint8_t remainder, int a, int shift,
                            bool minus) {
    emit_registers(as, false, 0x8B, RAX, a);
    emit8(as, 0x99); /* cdq */
    emit_constant(as, false, 4, RDX, (fvm_cell)((1u << shift) - 1));
    emit_registers(as, false, 0x03, RAX, RDX);
    if (quotient != NONE) {
        emit_registers(as, false, 0x8B, number[quotient], RAX);
        emit_registers(as, false, 0xC1, 7, number[quotient]); /* sar */
        emit8(as, shift);
        if (minus)
            emit_registers(as, false, 0xF7, 3, number[quotient]);
    }
    if (remainder != NONE) {
        emit_constant(as, false, 4, RAX, (fvm_cell)(0u - (1u << shift)));
        emit_registers(as, false, 0x8B, number[remainder], a);
        emit_registers(as, false, 0x2B, number[remainder], RAX);
    }
}

/* Returns 2^*shift / b, rounded up: division by b is multiplication by this number and a shift. See
 * T. Granlund and P. Montgomery, Division by Invariant Integers using Multiplication, 1994. */
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
    uint32_t size = b < 0 ? 0u - (uint32_t)b : (uint32_t)b;
    int a = number[dividend], shift;
    if ((size & (size - 1)) == 0) {
        divide_by_power(as, quotient, remainder, a, __builtin_ctz(size), b < 0);
        return;
    }
    emit_registers(as, true, 0x63, RAX, a); /* movsxd */
    emit_set(as, RDX, (fvm_cell)inverse(size, &shift));
    emit_registers(as, true, 0x0FAF, RAX, RDX);
    emit_registers(as, true, 0xC1, 7, RAX); /* sar */
    emit8(as, shift);
    emit_registers(as, false, 0x8B, RDX, a);
    emit_registers(as, false, 0xC1, 7, RDX);
    emit8(as, 31);
    emit_registers(as, false, 0x2B, RAX, RDX); /* round towards 0 */
    if (remainder != NONE) {
        emit_rex(as, false, RDX, 0, RAX, false);
        emit8(as, 0x69); /* imul */
        emit8(as, 0xC0 | RDX << 3 | RAX);
        emit32(as, (fvm_cell)size);
        emit_registers(as, false, 0x8B, number[remainder], a);
        emit_registers(as, false, 0x2B, number[remainder], RDX);
    }
    if (quotient != NONE) {
        emit_registers(as, false, 0x8B, number[quotient], RAX);
        if (b < 0)
            emit_registers(as, false, 0xF7, 3, number[quotient]);
    }
}

#endif
