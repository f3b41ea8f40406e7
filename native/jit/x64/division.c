/* jit/x64/division.c: division on x86-64, by a register and by a constant.
 *
 * It owns how a quotient is computed by a multiplication or a shift; it must not know Forth. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

void fvm_asm_divide(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg a, fvm_reg b) {
    registers(as, false, 0x8B, RAX, number[a]);
    byte(as, 0x99); /* cdq */
    registers(as, false, 0xF7, 7, number[b]);
    if (quotient != NONE)
        registers(as, false, 0x8B, number[quotient], RAX);
    if (rest != NONE)
        registers(as, false, 0x8B, number[rest], RDX);
}

/* RAX, without its sign: a / 2^shift, rounded towards 0. */
static void divide_by_power(fvm_asm *as, uint8_t quotient, uint8_t rest, int a, int shift,
                            bool minus) {
    registers(as, false, 0x8B, RAX, a);
    byte(as, 0x99); /* cdq */
    constant(as, false, 4, RDX, (fvm_cell)((1u << shift) - 1));
    registers(as, false, 0x03, RAX, RDX);
    if (quotient != NONE) {
        registers(as, false, 0x8B, number[quotient], RAX);
        registers(as, false, 0xC1, 7, number[quotient]); /* sar */
        byte(as, shift);
        if (minus)
            registers(as, false, 0xF7, 3, number[quotient]);
    }
    if (rest != NONE) {
        constant(as, false, 4, RAX, (fvm_cell)(0u - (1u << shift)));
        registers(as, false, 0x8B, number[rest], a);
        registers(as, false, 0x2B, number[rest], RAX);
    }
}

/* By a product with 2^(32 + shift) / b, rounded up; see T. Granlund and P. Montgomery, Division by
 * Invariant Integers using Multiplication, 1994. */
static uint32_t inverse(uint32_t b, int *shift) {
    for (int s = 0;; s++) {
        uint64_t power = 1ull << (32 + s), product = power / b + 1;
        if (product * b - power < 2ull << s) {
            *shift = 32 + s;
            return (uint32_t)product;
        }
    }
}

void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg dividend,
                          fvm_cell b) {
    uint32_t size = b < 0 ? 0u - (uint32_t)b : (uint32_t)b;
    int a = number[dividend], shift;
    if ((size & (size - 1)) == 0) {
        divide_by_power(as, quotient, rest, a, __builtin_ctz(size), b < 0);
        return;
    }
    registers(as, true, 0x63, RAX, a); /* movsxd */
    set(as, RDX, (fvm_cell)inverse(size, &shift));
    registers(as, true, 0x0FAF, RAX, RDX);
    registers(as, true, 0xC1, 7, RAX); /* sar */
    byte(as, shift);
    registers(as, false, 0x8B, RDX, a);
    registers(as, false, 0xC1, 7, RDX);
    byte(as, 31);
    registers(as, false, 0x2B, RAX, RDX); /* rounded towards 0 */
    if (rest != NONE) {
        rex(as, false, RDX, 0, RAX, false);
        byte(as, 0x69); /* imul */
        byte(as, 0xC0 | RDX << 3 | RAX);
        four(as, (fvm_cell)size);
        registers(as, false, 0x8B, number[rest], a);
        registers(as, false, 0x2B, number[rest], RDX);
    }
    if (quotient != NONE) {
        registers(as, false, 0x8B, number[quotient], RAX);
        if (b < 0)
            registers(as, false, 0xF7, 3, number[quotient]);
    }
}

#endif
