/* jit/x64/assembler.c: the instructions of assembler.h for x86-64.
 *
 * It owns how each of them is encoded; it must not know Forth beyond the layout of the VM. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

/* --- registers -------------------------------------------------------------------- */

void fvm_asm_set(fvm_asm *as, fvm_reg d, fvm_cell value) { set(as, number[d], value); }

void fvm_asm_copy(fvm_asm *as, fvm_reg d, fvm_reg a) {
    if (d != a)
        registers(as, false, 0x8B, number[d], number[a]);
}

static const struct {
    uint8_t opcode; /* op reg, rm */
    uint8_t digit;  /* op rm, constant */
} alu[] = {
    [ADD] = {0x03, 0}, [SUB] = {0x2B, 5}, [AND] = {0x23, 4}, [OR] = {0x0B, 1}, [XOR] = {0x33, 6}};

/* These set the same flags as a comparison with 0. */
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

/* --- flags ------------------------------------------------------------------------ */

static int condition(fvm_cond cond) {
    static const uint8_t codes[] = {[EQ] = 4,    [NE] = 5,       [LT] = 12,   [GE] = 13,
                                    [GT] = 15,   [LE] = 14,      [LOWER] = 2, [ABOVE_EQ] = 3,
                                    [ABOVE] = 7, [LOWER_EQ] = 6, [MINUS] = 8, [PLUS] = 9};
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

/* --- memory ----------------------------------------------------------------------- */

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

/* --- the image -------------------------------------------------------------------- */

void fvm_asm_check_read(fvm_asm *as, fvm_reg a, fvm_cell offset, uint32_t size) {
    memory(as, false, 0x8D, RAX, number[a], -1, (fvm_cell)((uint32_t)offset - (uint32_t)FVM_LOW));
    byte(as, 0x3D); /* cmp eax: a constant needs no load */
    four(as, (fvm_cell)(size - FVM_LOW - 4));
}

/* An unaligned address, rotated right by two, is beyond all cells. */
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

void fvm_asm_read(fvm_asm *as, fvm_reg d) { memory(as, false, 0x8B, number[d], RBP, RAX, FVM_LOW); }

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

/* --- control ---------------------------------------------------------------------- */

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

/* Processors fetch code and cache decoded instructions in blocks of 32 or 64 bytes. */
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
    memory(as, false, 0x3B, number[token], RBX, number[place], FIELD(jit.target_tokens));
}

void fvm_asm_call_target(fvm_asm *as, fvm_reg place) {
    rex(as, false, 0, number[place], RBX, false);
    byte(as, 0xFF);
    byte(as, 0x80 | 2 << 3 | 4);
    byte(as, 0x40 | (number[place] & 7) << 3 | RBX); /* scaled by two: the table has pointers */
    four(as, FIELD(jit.target_code));
}

#endif
