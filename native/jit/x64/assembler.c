/* jit/x64/assembler.c: implements the instructions of assembler.h for x86-64.
 *
 * It owns how each instruction is encoded. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

/* --- registers -------------------------------------------------------------------- */

void fvm_asm_set(fvm_asm *as, fvm_reg d, fvm_cell value) { emit_set(as, cpu_reg[d], value); }

void fvm_asm_copy(fvm_asm *as, fvm_reg d, fvm_reg a) {
    if (d != a)
        emit_registers(as, false, OP_LOAD, cpu_reg[d], cpu_reg[a]);
}

static const struct {
    uint8_t opcode; /* of the instruction `op reg, rm` */
    uint8_t digit;  /* of the instruction `op rm, constant`, see emit_constant */
} alu[] = {[ADD] = {OP_ADD, 0},
           [SUB] = {OP_SUB, 5},
           [AND] = {OP_AND, 4},
           [OR] = {OP_OR, 1},
           [XOR] = {OP_XOR, 6}};

void fvm_asm_op(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg a, fvm_reg b) {
    if (op == ADD && d != a && d != b) {
        emit_memory(as, false, OP_LEA, cpu_reg[d], cpu_reg[a], cpu_reg[b], 0);
        return;
    }
    if (d == b && d != a) {
        if (op == SUB) { /* a - d */
            emit_registers(as, false, OP_UNARY, NEGATE, cpu_reg[d]);
            emit_registers(as, false, OP_ADD, cpu_reg[d], cpu_reg[a]);
            return;
        }
        fvm_reg other = a;
        a = b;
        b = other;
    }
    fvm_asm_copy(as, d, a);
    emit_registers(as, false, op == MUL ? OP_IMUL : alu[op].opcode, cpu_reg[d], cpu_reg[b]);
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
                emit_registers(as, false, OP_SHIFT, SHL, cpu_reg[d]);
                emit8(as, __builtin_ctz((unsigned)b));
            }
            return;
        }
        emit_rex(as, false, cpu_reg[d], 0, cpu_reg[a], false);
        emit8(as, OP_IMUL_CONST);
        emit8(as, MOD_REGISTER | (cpu_reg[d] & 7) << 3 | (cpu_reg[a] & 7));
        emit32(as, b);
        return;
    }
    if (op == ADD && d != a) {
        emit_memory(as, false, OP_LEA, cpu_reg[d], cpu_reg[a], -1, b);
        return;
    }
    fvm_asm_copy(as, d, a);
    emit_constant(as, false, alu[op].digit, cpu_reg[d], b);
}

void fvm_asm_halve(fvm_asm *as, fvm_reg d, fvm_reg a) {
    emit_registers(as, false, OP_LOAD, RAX, cpu_reg[a]);
    emit_registers(as, false, OP_SHIFT, SHR, RAX); /* the sign */
    emit8(as, 31);
    fvm_asm_copy(as, d, a);
    emit_registers(as, false, OP_ADD, cpu_reg[d], RAX);
    emit_registers(as, false, OP_SHIFT, SAR, cpu_reg[d]);
    emit8(as, 1);
}

void fvm_asm_signed_byte(fvm_asm *as, fvm_reg d, fvm_reg a) {
    emit_rex(as, false, cpu_reg[d], 0, cpu_reg[a], true);
    emit_opcode(as, OP_SIGN_EXTEND_BYTE);
    emit8(as, MOD_REGISTER | (cpu_reg[d] & 7) << 3 | (cpu_reg[a] & 7));
}

/* --- flags ------------------------------------------------------------------------ */

static int condition_code(fvm_cond cond) {
    static const uint8_t codes[] = {[EQ] = 4,    [NE] = 5,      [LT] = 12,   [GE] = 13,
                                    [GT] = 15,   [LE] = 14,     [LOWER] = 2, [ABOVE_EQ] = 3,
                                    [ABOVE] = 7, [LOWER_EQ] = 6};
    return codes[cond];
}

void fvm_asm_compare(fvm_asm *as, fvm_reg a, fvm_reg b) {
    emit_registers(as, false, OP_COMPARE, cpu_reg[a], cpu_reg[b]);
}

void fvm_asm_compare_const(fvm_asm *as, fvm_reg a, fvm_cell b) {
    if (b != 0)
        emit_constant(as, false, CONST_COMPARE, cpu_reg[a], b);
    else
        emit_registers(as, false, OP_TEST, cpu_reg[a], cpu_reg[a]);
}

void fvm_asm_flag(fvm_asm *as, fvm_cond cond, fvm_reg d) {
    emit8(as, 0x0F); /* setcc al, then d = -al */
    emit8(as, 0x90 | condition_code(cond));
    emit8(as, MOD_REGISTER | RAX);
    emit_rex(as, false, cpu_reg[d], 0, RAX, false);
    emit_opcode(as, OP_ZERO_EXTEND_BYTE);
    emit8(as, MOD_REGISTER | (cpu_reg[d] & 7) << 3 | RAX);
    emit_registers(as, false, OP_UNARY, NEGATE, cpu_reg[d]);
}

void fvm_asm_subtract_fuel(fvm_asm *as, fvm_cell steps) {
    emit_constant(as, false, CONST_SUB, R14, steps);
}

/* --- memory ----------------------------------------------------------------------- */

void fvm_asm_load(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, false, OP_LOAD, cpu_reg[d], cpu_reg[base], -1, offset);
}

void fvm_asm_load_byte(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, false, OP_SIGN_EXTEND_BYTE, cpu_reg[d], cpu_reg[base], -1, offset);
}

void fvm_asm_store(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a) {
    emit_memory(as, false, OP_STORE, cpu_reg[a], cpu_reg[base], -1, offset);
}

void fvm_asm_load_pointer(fvm_asm *as, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, true, OP_LOAD, cpu_reg[d], cpu_reg[base], -1, offset);
}

void fvm_asm_op_cell(fvm_asm *as, fvm_alu op, fvm_reg d, fvm_reg base, int32_t offset) {
    emit_memory(as, false, alu[op].opcode, cpu_reg[d], cpu_reg[base], -1, offset);
}

void fvm_asm_load_pointer_at(fvm_asm *as, fvm_reg d, fvm_reg base, fvm_reg index) {
    emit_rex(as, true, cpu_reg[d], cpu_reg[index], cpu_reg[base], false);
    emit8(as, OP_LOAD);
    emit8(as, MOD_OFFSET_8 | (cpu_reg[d] & 7) << 3 | RM_SIB);
    emit8(as, SIB_INDEX_8 | (cpu_reg[index] & 7) << 3 | (cpu_reg[base] & 7));
    emit8(as, 0);
}

void fvm_asm_store_pointer(fvm_asm *as, fvm_reg base, int32_t offset, fvm_reg a) {
    emit_memory(as, true, OP_STORE, cpu_reg[a], cpu_reg[base], -1, offset);
}

void fvm_asm_store_const(fvm_asm *as, fvm_reg base, int32_t offset, fvm_cell value) {
    emit_memory(as, false, OP_STORE_CONST, 0, cpu_reg[base], -1, offset);
    emit32(as, value);
}

void fvm_asm_add_to_pointer(fvm_asm *as, fvm_reg d, int32_t bytes) {
    if (bytes != 0)
        emit_constant(as, true, CONST_ADD, cpu_reg[d], bytes);
}

void fvm_asm_compare_pointer(fvm_asm *as, fvm_reg d, int32_t bytes, size_t offset) {
    int reg = cpu_reg[d];
    if (bytes != 0) {
        emit_memory(as, true, OP_LEA, RAX, reg, -1, bytes);
        reg = RAX;
    }
    emit_memory(as, true, OP_COMPARE, reg, RBX, -1, field(offset));
}

void fvm_asm_compare_field(fvm_asm *as, size_t offset, fvm_cell value) {
    emit_memory(as, false, OP_CONST, CONST_COMPARE, RBX, -1, field(offset));
    emit32(as, value);
}

void fvm_asm_compare_cell(fvm_asm *as, fvm_reg a, fvm_reg base, int32_t offset) {
    emit_memory(as, false, OP_COMPARE, cpu_reg[a], cpu_reg[base], -1, offset);
}

/* --- the image -------------------------------------------------------------------- */

/* d = a */
static void compute_address(fvm_asm *as, int d, fvm_address a) {
    const int base = a.base != NONE ? cpu_reg[a.base] : -1;
    if (a.index != NONE)
        emit_scaled_address(as, d, base, cpu_reg[a.index], a.offset);
    else if (a.offset != 0)
        emit_memory(as, false, OP_LEA, d, base, -1, a.offset);
    else
        emit_registers(as, false, OP_LOAD, d, base);
}

void fvm_asm_compute_address(fvm_asm *as, fvm_reg d, fvm_address a) {
    compute_address(as, cpu_reg[d], a);
}

void fvm_asm_check_read(fvm_asm *as, fvm_address a, uint32_t size) {
    a.offset = (fvm_cell)((uint32_t)a.offset - (uint32_t)FVM_LOW);
    compute_address(as, RAX, a);
    emit8(as, 0x3D); /* cmp eax with a constant, which is faster than with a field of the VM */
    emit32(as, (fvm_cell)(size - FVM_LOW - 4));
}

/* The number of a cell is its address rotated right by two bits.  For an unaligned address the
 * rotation gives a number above all cell numbers, so one comparison is enough. */
void fvm_asm_find_cell(fvm_asm *as, fvm_address a, bool one_byte) {
    compute_address(as, RAX, a);
    emit_registers(as, false, OP_LOAD, RDX, RAX);
    emit_registers(as, false, OP_SHIFT, one_byte ? SHR : ROR, RDX);
    emit8(as, 2);
    emit_memory(as, false, OP_COMPARE, RDX, RBX, -1, FIELD(whole_cells));
}

void fvm_asm_check_cell(fvm_asm *as, int32_t marks) {
    emit_memory(as, false, OP_COMPARE_BYTE, CONST_COMPARE, RBP, RDX, marks);
    emit8(as, 0);
}

void fvm_asm_read_found(fvm_asm *as, fvm_reg d) {
    emit_memory(as, false, OP_LOAD, cpu_reg[d], RBP, RAX, 0);
}

void fvm_asm_read_checked(fvm_asm *as, fvm_reg d) {
    emit_memory(as, false, OP_LOAD, cpu_reg[d], RBP, RAX, FVM_LOW);
}

void fvm_asm_compare_checked(fvm_asm *as, int32_t offset, fvm_cell value) {
    emit_memory(as, false, OP_CONST, CONST_COMPARE, RBP, RAX, FVM_LOW + offset);
    emit32(as, value);
}

void fvm_asm_read_checked_byte(fvm_asm *as, fvm_reg d) {
    emit_memory(as, false, OP_SIGN_EXTEND_BYTE, cpu_reg[d], RBP, RAX, FVM_LOW);
}

void fvm_asm_mark_page(fvm_asm *as, int32_t marks) {
    emit_registers(as, false, OP_SHIFT, SHR, RDX);
    emit8(as, FVM_PAGE_SHIFT - 2);
    emit_memory(as, false, OP_STORE_BYTE_CONST, 0, RBP, RDX, marks);
    emit8(as, FVM_WRITTEN);
}

void fvm_asm_write_found(fvm_asm *as, fvm_reg value) {
    emit_memory(as, false, OP_STORE, cpu_reg[value], RBP, RAX, 0);
}

void fvm_asm_write_found_byte(fvm_asm *as, fvm_reg value) {
    emit_memory(as, false, OP_STORE_BYTE, cpu_reg[value], RBP, RAX, 0);
}

void fvm_asm_write_found_const(fvm_asm *as, fvm_cell value, bool one_byte) {
    emit_memory(as, false, one_byte ? OP_STORE_BYTE_CONST : OP_STORE_CONST, 0, RBP, RAX, 0);
    if (one_byte)
        emit8(as, value & 255);
    else
        emit32(as, value);
}

void fvm_asm_compare_fixed_byte(fvm_asm *as, int32_t offset) {
    emit_memory(as, false, OP_COMPARE_BYTE, CONST_COMPARE, RBP, -1, offset);
    emit8(as, 0);
}

void fvm_asm_store_fixed_byte_const(fvm_asm *as, int32_t offset, uint8_t value) {
    emit_memory(as, false, OP_STORE_BYTE_CONST, 0, RBP, -1, offset);
    emit8(as, value);
}

void fvm_asm_store_fixed_byte(fvm_asm *as, int32_t offset, fvm_reg a) {
    emit_memory(as, false, OP_STORE_BYTE, cpu_reg[a], RBP, -1, offset);
}

/* --- control ---------------------------------------------------------------------- */

uint8_t *fvm_asm_jump(fvm_asm *as, fvm_cond cond) {
    if (cond == ALWAYS) {
        emit8(as, OP_JUMP);
    } else {
        emit8(as, 0x0F);
        emit8(as, 0x80 | condition_code(cond));
    }
    emit32(as, 0);
    return as->at - 4;
}

void fvm_asm_patch(uint8_t *jump, const uint8_t *target) {
    int32_t distance = (int32_t)(target - (jump + 4));
    memcpy(jump, &distance, 4);
}

void fvm_asm_jump_to(fvm_asm *as, fvm_cond cond, const uint8_t *target) {
    uint8_t *jump = fvm_asm_jump(as, cond);
    if (!as->full)
        fvm_asm_patch(jump, target);
}

uint8_t *fvm_asm_call(fvm_asm *as, const uint8_t *target) {
    emit8(as, OP_CALL);
    emit32(as, 0);
    if (!as->full)
        fvm_asm_patch(as->at - 4, target);
    return as->at - 4;
}

void fvm_asm_redirect(uint8_t *code, const uint8_t *target) {
    *code = OP_JUMP;
    fvm_asm_patch(code + 1, target);
}

void fvm_asm_return(fvm_asm *as, fvm_addr error_address) {
    emit_set(as, RDX, (fvm_cell)error_address);
    fvm_asm_add_to_pointer(as, RP, -4);
    emit8(as, OP_RETURN);
}

void fvm_asm_find_token(fvm_asm *as, fvm_reg index, fvm_reg token) {
    fvm_asm_copy(as, index, token);
    emit_constant(as, false, CONST_AND, cpu_reg[index], 4 * FVM_TARGETS - 4);
    emit_memory(as, false, OP_COMPARE, cpu_reg[token], RBX, cpu_reg[index],
                FIELD(jit.target_tokens));
}

void fvm_asm_call_target(fvm_asm *as, fvm_reg index) {
    emit_rex(as, false, 0, cpu_reg[index], RBX, false);
    emit8(as, OP_INDIRECT);
    emit8(as, MOD_OFFSET_32 | CALL_RM << 3 | RM_SIB);
    /* The index is a byte offset in a table of 4-byte tokens.  It is doubled, because the entries
     * of target_code are pointers of 8 bytes. */
    emit8(as, SIB_DOUBLE_INDEX | (cpu_reg[index] & 7) << 3 | RBX);
    emit32(as, FIELD(jit.target_code));
}

void fvm_asm_call_offset(fvm_asm *as, fvm_reg offset) {
    emit_memory(as, true, OP_ADD, cpu_reg[offset], RBX, -1, FIELD(jit.code));
    emit_registers(as, false, OP_INDIRECT, CALL_RM, cpu_reg[offset]);
}

#endif
