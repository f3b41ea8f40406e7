/* x64.c: the instructions of assembler.h for x86-64 and the System V calling convention.
 *
 * It owns encodings and what machine code shares; it must not know Forth beyond the layout
 * of the VM. */
#include "assembler.h"
#include "tier.h"

#if defined(FVM_TIER_X64)

#include <stddef.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

static const uint8_t number[FVM_REGS] = {
    [T0] = RCX, [T1] = RSI,  [T2] = RDI, [T3] = R8,  [T4] = R9,   [T5] = R10, [T6] = R11,
    [TOS] = R15, [SP] = R12, [RP] = R13, [FUEL] = R14, [VM] = RBX, [MEM] = RBP,
    [S0] = RAX,  [S1] = RDX,
};

static void byte(fvm_asm *as, int value) {
    if (as->at < as->end)
        *as->at++ = (uint8_t)value;
    else
        as->full = true;
}

static void four(fvm_asm *as, int32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        byte(as, (int)((uint32_t)value >> shift & 255));
}

static void eight(fvm_asm *as, uint64_t value) {
    four(as, (int32_t)(uint32_t)value);
    four(as, (int32_t)(uint32_t)(value >> 32));
}

static void rex(fvm_asm *as, bool wide, int reg, int index, int base, bool always) {
    int bits = wide << 3 | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3;
    if (bits != 0 || always)
        byte(as, 0x40 | bits);
}

static void opcode(fvm_asm *as, int op) {
    if (op > 255)
        byte(as, op >> 8);
    byte(as, op);
}

/* op reg, rm */
static void registers(fvm_asm *as, bool wide, int op, int reg, int rm) {
    rex(as, wide, reg, 0, rm, false);
    opcode(as, op);
    byte(as, 0xC0 | (reg & 7) << 3 | (rm & 7));
}

static void displaced(fvm_asm *as, int reg, int base, int index, int32_t offset) {
    bool small = offset >= -128 && offset < 128;
    int mode = small ? 0x40 : 0x80;
    if (index >= 0) {
        byte(as, mode | (reg & 7) << 3 | 4);
        byte(as, (index & 7) << 3 | (base & 7));
    } else {
        byte(as, mode | (reg & 7) << 3 | (base & 7));
        if ((base & 7) == RSP)
            byte(as, 0x24);
    }
    if (small)
        byte(as, offset & 255);
    else
        four(as, offset);
}

/* op reg, [base + index + offset]; index -1: none */
static void memory(fvm_asm *as, bool wide, int op, int reg, int base, int index,
                   int32_t offset) {
    rex(as, wide, reg, index < 0 ? 0 : index, base, op == 0x88 && reg >= RSP && reg < R8);
    opcode(as, op);
    displaced(as, reg, base, index, offset);
}

static int32_t field(size_t offset) { return (int32_t)offset; }
#define FIELD(name_) field(offsetof(fvm, name_))

/* --- registers -------------------------------------------------------------------------------- */

static void set(fvm_asm *as, int d, fvm_cell value) {
    rex(as, false, 0, 0, d, false);
    byte(as, 0xB8 | (d & 7));
    four(as, value);
}

static void set_pointer(fvm_asm *as, int d, uintptr_t value) {
    rex(as, true, 0, 0, d, true);
    byte(as, 0xB8 | (d & 7));
    eight(as, (uint64_t)value);
}

void fvm_asm_set(fvm_asm *as, fvm_reg d, fvm_cell value) { set(as, number[d], value); }

void fvm_asm_copy(fvm_asm *as, fvm_reg d, fvm_reg a) {
    if (d != a)
        registers(as, false, 0x8B, number[d], number[a]);
}

static const struct {
    uint8_t opcode; /* op reg, rm */
    uint8_t digit;  /* op rm, constant */
} alu[] = {[ADD] = {0x03, 0}, [SUB] = {0x2B, 5}, [AND] = {0x23, 4}, [OR] = {0x0B, 1}, [XOR] = {0x33, 6}};

static void constant(fvm_asm *as, bool wide, int digit, int rm, fvm_cell value) {
    bool small = value >= -128 && value < 128;
    rex(as, wide, 0, 0, rm, false);
    byte(as, small ? 0x83 : 0x81);
    byte(as, 0xC0 | digit << 3 | (rm & 7));
    if (small)
        byte(as, value & 255);
    else
        four(as, value);
}

/* These leave the flags that a comparison with 0 would. */
static void tested(fvm_asm *as, fvm_alu op, fvm_reg d) {
    if (op == AND || op == OR || op == XOR) {
        as->tested = as->at;
        as->tested_reg = d;
    }
}

void fvm_asm_op(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_reg b) {
    if (op == ADD && d != a && d != b) {
        int index = number[b], base = number[a];
        rex(as, false, number[d], index, base, false);
        byte(as, 0x8D);
        displaced(as, number[d], base, index, 0);
        return;
    }
    if (d == b && d != a) {
        if (op == SUB) { /* a - d */
            registers(as, false, 0xF7, 3, number[d]);
            registers(as, false, 0x03, number[d], number[a]);
            return;
        }
        fvm_reg other = a;
        a = b;
        b = other;
    }
    fvm_asm_copy(as, d, a);
    registers(as, false, op == MUL ? 0x0FAF : alu[op].opcode, number[d], number[b]);
    tested(as, op, d);
}

void fvm_asm_op_const(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_cell b) {
    if (op == SUB) {
        op = ADD;
        b = (fvm_cell)(0u - (uint32_t)b);
    }
    if (op == MUL) {
        if (b > 0 && (b & (b - 1)) == 0) {
            fvm_asm_copy(as, d, a);
            if (b > 1) {
                registers(as, false, 0xC1, 4, number[d]);
                byte(as, __builtin_ctz((unsigned)b));
            }
            return;
        }
        rex(as, false, number[d], 0, number[a], false);
        byte(as, 0x69);
        byte(as, 0xC0 | (number[d] & 7) << 3 | (number[a] & 7));
        four(as, b);
        return;
    }
    if (op == ADD && d != a) {
        memory(as, false, 0x8D, number[d], number[a], -1, b);
        return;
    }
    fvm_asm_copy(as, d, a);
    constant(as, false, alu[op].digit, number[d], b);
    tested(as, op, d);
}

void fvm_asm_halve(fvm_asm *as, fvm_reg d, fvm_reg a) {
    registers(as, false, 0x8B, RAX, number[a]);
    registers(as, false, 0xC1, 5, RAX); /* shr 31: the sign */
    byte(as, 31);
    if (d == a) {
        registers(as, false, 0x03, number[d], RAX);
    } else {
        fvm_asm_copy(as, d, a);
        registers(as, false, 0x03, number[d], RAX);
    }
    registers(as, false, 0xC1, 7, number[d]);
    byte(as, 1);
}

void fvm_asm_signed_byte(fvm_asm *as, fvm_reg d, fvm_reg a) {
    rex(as, false, number[d], 0, number[a], true);
    opcode(as, 0x0FBE);
    byte(as, 0xC0 | (number[d] & 7) << 3 | (number[a] & 7));
}

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
static void divide_by_power(fvm_asm *as, uint8_t quotient, uint8_t rest, int a, int shift, bool minus) {
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

void fvm_asm_divide_const(fvm_asm *as, uint8_t quotient, uint8_t rest, fvm_reg dividend, fvm_cell b) {
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

/* --- flags ---------------------------------------------------------------------------------------- */

static int condition(fvm_cond cond) {
    static const uint8_t codes[] = {[EQ] = 4,       [NE] = 5,    [LT] = 12,      [GE] = 13,
                                    [GT] = 15,      [LE] = 14,   [LOWER] = 2,    [ABOVE_EQ] = 3,
                                    [ABOVE] = 7,    [LOWER_EQ] = 6, [MINUS] = 8, [PLUS] = 9};
    return codes[cond];
}

void fvm_asm_compare(fvm_asm *as, fvm_reg a, fvm_reg b) {
    registers(as, false, 0x3B, number[a], number[b]);
}

void fvm_asm_compare_const(fvm_asm *as, fvm_reg a, fvm_cell b) {
    if (b != 0)
        constant(as, false, 7, number[a], b);
    else if (as->tested != as->at || as->tested_reg != a)
        registers(as, false, 0x85, number[a], number[a]);
}

void fvm_asm_flag(fvm_asm *as, fvm_cond cond, fvm_reg d) {
    byte(as, 0x0F);
    byte(as, 0x90 | condition(cond));
    byte(as, 0xC0 | RAX);
    rex(as, false, number[d], 0, RAX, false);
    opcode(as, 0x0FB6);
    byte(as, 0xC0 | (number[d] & 7) << 3 | RAX);
    registers(as, false, 0xF7, 3, number[d]);
}

void fvm_asm_spend(fvm_asm *as, fvm_cell steps) { constant(as, false, 5, R14, steps); }

/* --- memory ------------------------------------------------------------------------------------------ */

void fvm_asm_load(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    memory(as, false, 0x8B, number[d], number[base], -1, offset);
}

void fvm_asm_load_byte(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    memory(as, false, 0x0FBE, number[d], number[base], -1, offset);
}

void fvm_asm_store(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a) {
    memory(as, false, 0x89, number[a], number[base], -1, offset);
}

void fvm_asm_store_const(fvm_asm *as, fvm_reg base, int32_t offset, fvm_cell value) {
    memory(as, false, 0xC7, 0, number[base], -1, offset);
    four(as, value);
}

void fvm_asm_move_pointer(fvm_asm *as, fvm_reg d, int32_t bytes) {
    if (bytes != 0)
        constant(as, true, 0, number[d], bytes);
}

void fvm_asm_compare_pointer(fvm_asm *as, fvm_reg d, int32_t bytes, size_t offset) {
    int reg = number[d];
    if (bytes != 0) {
        memory(as, true, 0x8D, RAX, reg, -1, bytes); /* lea */
        reg = RAX;
    }
    memory(as, true, 0x3B, reg, RBX, -1, field(offset));
}

void fvm_asm_compare_field(fvm_asm *as, size_t offset, fvm_cell value) {
    memory(as, false, 0x81, 7, RBX, -1, field(offset));
    four(as, value);
}

void fvm_asm_compare_cell(fvm_asm *as, fvm_reg a, fvm_reg base, int32_t offset) {
    memory(as, false, 0x3B, number[a], number[base], -1, offset);
}

/* --- the image ------------------------------------------------------------------------------------------ */

void fvm_asm_check_read(fvm_asm *as, fvm_reg a, fvm_cell offset, uint32_t size) {
    memory(as, false, 0x8D, RAX, number[a], -1,
           (fvm_cell)((uint32_t)offset - (uint32_t)FVM_LOW));
    byte(as, 0x3D); /* cmp eax: a number takes no time to load */
    four(as, (fvm_cell)(size - FVM_LOW - 4));
}

/* A misaligned address, turned right by two, is beyond all cells. */
void fvm_asm_find_cell(fvm_asm *as, fvm_reg a, fvm_cell offset, bool single) {
    if (offset != 0)
        memory(as, false, 0x8D, RAX, number[a], -1, offset);
    else
        registers(as, false, 0x8B, RAX, number[a]);
    registers(as, false, 0x8B, RDX, RAX);
    registers(as, false, 0xC1, single ? 5 : 1, RDX); /* shr, ror */
    byte(as, 2);
    memory(as, false, 0x3B, RDX, RBX, -1, FIELD(whole_cells));
}

void fvm_asm_check_cell(fvm_asm *as, int32_t cells) {
    memory(as, false, 0x80, 7, RBP, RDX, cells);
    byte(as, 0);
}

void fvm_asm_read_cell(fvm_asm *as, fvm_reg d) { memory(as, false, 0x8B, number[d], RBP, RAX, 0); }

void fvm_asm_read(fvm_asm *as, fvm_reg d) {
    memory(as, false, 0x8B, number[d], RBP, RAX, FVM_LOW);
}

void fvm_asm_read_byte(fvm_asm *as, fvm_reg d) {
    memory(as, false, 0x0FBE, number[d], RBP, RAX, FVM_LOW);
}

void fvm_asm_read_known(fvm_asm *as, fvm_reg d, fvm_reg a, fvm_cell offset, bool single) {
    int index = number[a];
    if (offset != 0) /* the sum may wrap */
        memory(as, false, 0x8D, index = RAX, number[a], -1, offset);
    memory(as, false, single ? 0x0FBE : 0x8B, number[d], RBP, index, 0);
}

void fvm_asm_find_page(fvm_asm *as) {
    registers(as, false, 0xC1, 5, RDX); /* shr */
    byte(as, FVM_PAGE_SHIFT - 2);
}

void fvm_asm_test_page(fvm_asm *as, int32_t dirty) {
    memory(as, false, 0x80, 7, RBP, RDX, dirty);
    byte(as, FVM_WRITTEN);
}

void fvm_asm_mark_page(fvm_asm *as, int32_t dirty) {
    memory(as, false, 0xC6, 0, RBP, RDX, dirty);
    byte(as, FVM_WRITTEN);
}

void fvm_asm_write(fvm_asm *as, fvm_reg value) {
    memory(as, false, 0x89, number[value], RBP, RAX, 0);
}

void fvm_asm_write_byte(fvm_asm *as, fvm_reg value) {
    memory(as, false, 0x88, number[value], RBP, RAX, 0);
}

void fvm_asm_write_const(fvm_asm *as, fvm_cell value, bool single) {
    memory(as, false, single ? 0xC6 : 0xC7, 0, RBP, RAX, 0);
    if (single)
        byte(as, value & 255);
    else
        four(as, value);
}

void fvm_asm_test_byte(fvm_asm *as, int32_t offset) {
    memory(as, false, 0x80, 7, RBP, -1, offset);
    byte(as, 0);
}

void fvm_asm_put_byte(fvm_asm *as, int32_t offset, uint8_t value) {
    memory(as, false, 0xC6, 0, RBP, -1, offset);
    byte(as, value);
}

void fvm_asm_copy_byte(fvm_asm *as, int32_t offset, fvm_reg a) {
    memory(as, false, 0x88, number[a], RBP, -1, offset);
}

/* --- control ------------------------------------------------------------------------------------------------ */

uint8_t *fvm_asm_jump(fvm_asm *as, fvm_cond cond) {
    if (cond == ALWAYS) {
        byte(as, 0xE9);
    } else {
        byte(as, 0x0F);
        byte(as, 0x80 | condition(cond));
    }
    four(as, 0);
    return as->at - 4;
}

void fvm_asm_patch(uint8_t *jump, const uint8_t *target) {
    int32_t distance = (int32_t)(target - (jump + 4));
    memcpy(jump, &distance, 4);
}

void fvm_asm_jump_to(fvm_asm *as, fvm_cond cond, const uint8_t *target) {
    uint8_t *place = fvm_asm_jump(as, cond);
    if (!as->full)
        fvm_asm_patch(place, target);
}

uint8_t *fvm_asm_call(fvm_asm *as, const uint8_t *target) {
    byte(as, 0xE8);
    four(as, 0);
    if (!as->full)
        fvm_asm_patch(as->at - 4, target);
    return as->at - 4;
}

void fvm_asm_redirect(uint8_t *code, const uint8_t *target) {
    *code = 0xE9;
    fvm_asm_patch(code + 1, target);
}

/* Processors fetch and keep decoded code by lines of 32 or 64 bytes. */
void fvm_asm_align(fvm_asm *as) {
    static const uint8_t nops[9][9] = {{0x90},
                                       {0x66, 0x90},
                                       {0x0F, 0x1F, 0},
                                       {0x0F, 0x1F, 0x40, 0},
                                       {0x0F, 0x1F, 0x44, 0, 0},
                                       {0x66, 0x0F, 0x1F, 0x44, 0, 0},
                                       {0x0F, 0x1F, 0x80, 0, 0, 0, 0},
                                       {0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0},
                                       {0x66, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0}};
    for (size_t left = -(uintptr_t)as->at & 31; left > 0 && !as->full;) {
        size_t length = left < 9 ? left : 9;
        for (size_t i = 0; i < length; i++)
            byte(as, nops[length - 1][i]);
        left -= length;
    }
}

void fvm_asm_begin(fvm_asm *as) { (void)as; }

void fvm_asm_return(fvm_asm *as, fvm_addr at) {
    set(as, RDX, (fvm_cell)at);
    fvm_asm_move_pointer(as, RP, -4);
    byte(as, 0xC3);
}

void fvm_asm_find_target(fvm_asm *as, fvm_reg place, fvm_reg token) {
    fvm_asm_copy(as, place, token);
    constant(as, false, 4, number[place], 4 * FVM_TARGETS - 4);
    memory(as, false, 0x3B, number[token], RBX, number[place], FIELD(target_tokens));
}

void fvm_asm_call_target(fvm_asm *as, fvm_reg place) {
    rex(as, false, 0, number[place], RBX, false);
    byte(as, 0xFF);
    byte(as, 0x80 | 2 << 3 | 4);
    byte(as, 0x40 | (number[place] & 7) << 3 | RBX); /* twice the place: of pointers */
    four(as, FIELD(target_code));
}

/* --- what all code shares --------------------------------------------------------------------------------------- */

static void push(fvm_asm *as, int reg) {
    rex(as, false, 0, 0, reg, false);
    byte(as, 0x50 | (reg & 7));
}

static void pop(fvm_asm *as, int reg) {
    rex(as, false, 0, 0, reg, false);
    byte(as, 0x58 | (reg & 7));
}

static void save_state(fvm_asm *as) {
    memory(as, false, 0x89, R15, R12, -1, 0);
    memory(as, true, 0x89, R12, RBX, -1, FIELD(sp));
    memory(as, true, 0x89, R13, RBX, -1, FIELD(rp));
    memory(as, false, 0x89, R14, RBX, -1, FIELD(fuel));
}

static void load_state(fvm_asm *as) {
    memory(as, true, 0x8B, R12, RBX, -1, FIELD(sp));
    memory(as, false, 0x8B, R15, R12, -1, 0);
    memory(as, true, 0x8B, R13, RBX, -1, FIELD(rp));
    memory(as, false, 0x8B, R14, RBX, -1, FIELD(fuel));
}

static const uint8_t kept[] = {RBX, RBP, R12, R13, R14, R15};
enum { KEPT = sizeof kept };

static void ways_in_and_out(fvm_asm *as, fvm_runtime *runtime) {
    runtime->enter = as->at;
    for (int i = 0; i < KEPT; i++)
        push(as, kept[i]);
    registers(as, true, 0x8B, RBX, RDI);
    memory(as, true, 0xFF, 6, RBX, -1, FIELD(native_frame)); /* push: the outer one */
    memory(as, true, 0x8B, RBP, RBX, -1, FIELD(mem));
    load_state(as);
    memory(as, true, 0x89, RSP, RBX, -1, FIELD(native_frame));
    registers(as, false, 0xFF, 2, RSI); /* call rsi */
    runtime->returned = as->at;
    memory(as, false, 0x89, RDX, RBX, -1, FIELD(native_ip));
    memory(as, false, 0x8B, RAX, R13, -1, 4);
    runtime->go_to = as->at;
    set(as, RDX, FVM_LEFT_GO);
    uint8_t *leave = as->at;
    save_state(as);
    memory(as, true, 0x8B, RSP, RBX, -1, FIELD(native_frame));
    memory(as, true, 0x8F, 0, RBX, -1, FIELD(native_frame)); /* pop */
    for (int i = KEPT - 1; i >= 0; i--)
        pop(as, kept[i]);
    registers(as, true, 0xC1, 4, RDX);
    byte(as, 32);
    registers(as, false, 0x8B, RAX, RAX); /* the upper half goes */
    registers(as, true, 0x0B, RAX, RDX);
    byte(as, 0xC3);
    runtime->resume = as->at;
    set(as, RDX, FVM_LEFT_RESUME);
    fvm_asm_jump_to(as, ALWAYS, leave);
    runtime->give_up = as->at;
    fvm_asm_store_const(as, VM, FIELD(native_status), FVM_EXIT_VERIFY);
    set(as, RDX, FVM_LEFT_FAILED);
    fvm_asm_jump_to(as, ALWAYS, leave);
}

static void call_c(fvm_asm *as, fvm_runtime *runtime) {
    runtime->call_c = as->at;
    save_state(as);
    registers(as, true, 0x8B, R12, RSP); /* state is in the VM: these keep what is ours */
    registers(as, false, 0x8B, R13, RDX);
    constant(as, true, 4, RSP, -16);
    registers(as, true, 0x8B, RDI, RBX);
    registers(as, false, 0xFF, 2, RAX);
    registers(as, true, 0x8B, RSP, R12);
    registers(as, false, 0x85, RAX, RAX);
    uint8_t *failed = fvm_asm_jump(as, NE);
    load_state(as);
    byte(as, 0xC3);
    fvm_asm_patch(failed, as->at);
    memory(as, false, 0x89, RAX, RBX, -1, FIELD(native_status));
    registers(as, false, 0x8B, RAX, R13);
    load_state(as);
    set(as, RDX, FVM_LEFT_FAILED);
    fvm_asm_jump_to(as, ALWAYS, runtime->go_to + 5);
}

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime) {
    ways_in_and_out(as, runtime);
    call_c(as, runtime);
}

void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at) {
    set_pointer(as, RAX, (uintptr_t)function);
    set(as, RDX, (fvm_cell)at);
    fvm_asm_call(as, runtime->call_c);
}

void fvm_asm_published(const uint8_t *from, const uint8_t *to) {
    (void)from; /* the processor sees to it */
    (void)to;
}

#endif
