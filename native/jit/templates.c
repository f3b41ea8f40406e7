/* templates.c: instruction templates: machine code for single primitives.
 *
 * It owns the templates of all primitives that do not access the image (memory_templates.c).  For
 * primitives without a template, machine code calls a runtime helper (runtime_helpers.c) or exits
 * to the interpreter.  If a primitive would fail, its template takes a side exit and the
 * interpreter reports the error. */
#include "jit/side_exits.h"
#include "jit/templates.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

/* Converts a value to FVM_REG or FVM_SUM. */
static fvm_value to_sum(fvm_compiler *c, fvm_value value) {
    return value.kind == FVM_SUM || value.kind == FVM_REG ? value : fvm_to_reg(c, value);
}

fvm_value fvm_to_address(fvm_compiler *c, fvm_value value) {
    return value.kind == FVM_INDEXED ? value : to_sum(c, value);
}

void fvm_push_sum(fvm_compiler *c, fvm_value value, fvm_cell n) {
    if (value.kind == FVM_CONST || value.kind == FVM_INDEXED) {
        value.n = fvm_plus(value.n, n);
        fvm_push_value(c, value);
        return;
    }
    value = to_sum(c, value);
    n = value.kind == FVM_SUM ? fvm_plus(value.n, n) : n;
    value.kind = n == 0 ? FVM_REG : FVM_SUM;
    value.n = n;
    fvm_push_value(c, value);
}

/* Whether a register can be added to a value without emitting code. */
static bool lacks_other(fvm_value value) {
    return value.kind == FVM_INDEXED && value.other == NONE;
}

/* Pushes the sum of a value that lacks a second register, and another value. */
static void push_indexed(fvm_compiler *c, fvm_value indexed, fvm_value base) {
    base = to_sum(c, base);
    indexed.other = base.reg;
    fvm_push_sum(c, indexed, base.kind == FVM_SUM ? base.n : 0);
}

void fvm_emit_add(fvm_compiler *c) {
    fvm_value b = fvm_pop_value(c), a = fvm_pop_value(c);
    if (fvm_is_const(b) || fvm_is_const(a)) {
        fvm_push_sum(c, fvm_is_const(b) ? a : b, fvm_is_const(b) ? b.n : a.n);
        return;
    }
    if (lacks_other(a) || lacks_other(b)) {
        push_indexed(c, lacks_other(a) ? a : b, lacks_other(a) ? b : a);
        return;
    }
    a = to_sum(c, a);
    b = to_sum(c, b);
    fvm_cell n = fvm_plus(a.kind == FVM_SUM ? a.n : 0, b.kind == FVM_SUM ? b.n : 0);
    fvm_release_value(c, a);
    fvm_release_value(c, b);
    fvm_reg d = fvm_alloc_result_reg(c, a);
    fvm_asm_op(&c->as, ADD, d, (fvm_reg)a.reg, (fvm_reg)b.reg);
    fvm_push_sum(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)d}, n);
}

/* Multiplies the top item by 4, which emits no code yet: it is often the index of a cell. */
static void scale(fvm_compiler *c) {
    fvm_value value = fvm_pop_value(c);
    if (fvm_is_const(value)) {
        fvm_push_const(c, (fvm_cell)(4u * (uint32_t)value.n));
        return;
    }
    value = to_sum(c, value);
    const uint32_t n = value.kind == FVM_SUM ? (uint32_t)value.n : 0;
    fvm_push_value(
        c,
        (fvm_value){.kind = FVM_INDEXED, .reg = value.reg, .other = NONE, .n = (fvm_cell)(4 * n)});
}

/* Emits an operation whose operands are the two top items. */
static void alu(fvm_compiler *c, fvm_alu op) {
    if (op == MUL && fvm_is_top_const(&c->state, 4)) {
        fvm_drop_value(c);
        scale(c);
        return;
    }
    fvm_value b = fvm_pop_reg_or_const(c);
    fvm_value a = fvm_pop_reg_or_const(c);
    if (fvm_is_const(a) && op != SUB) {
        fvm_value swap = a;
        a = b;
        b = swap;
    }
    if (fvm_is_const(a))
        a = fvm_to_reg(c, a);
    fvm_release_value(c, a);
    fvm_release_value(c, b);
    fvm_reg d = fvm_alloc_result_reg(c, a);
    if (fvm_is_const(b))
        fvm_asm_op_const(&c->as, op, d, (fvm_reg)a.reg, b.n);
    else
        fvm_asm_op(&c->as, op, d, (fvm_reg)a.reg, (fvm_reg)b.reg);
    fvm_push_reg(c, d);
}

void fvm_emit_alu_const(fvm_compiler *c, fvm_alu op, fvm_cell n) {
    fvm_push_const(c, n);
    alu(c, op);
}

/* cond: EQ to LE. */
static bool holds(fvm_cond cond, fvm_cell a, fvm_cell b) {
    const bool results[] = {a == b, a != b, a<b, a >= b, a> b, a <= b};
    return results[cond];
}

/* Pushes the flag of a comparison of the two top items; its code is emitted where it is used. */
static void compare(fvm_compiler *c, fvm_cond cond) {
    fvm_value b = fvm_pop_reg_or_const(c);
    fvm_value a = fvm_pop_reg_or_const(c);
    if (fvm_is_const(a) && fvm_is_const(b)) {
        fvm_push_const(c, holds(cond, a.n, b.n) ? -1 : 0);
        return;
    }
    if (fvm_is_const(a)) {
        fvm_value swap = a;
        a = b;
        b = swap;
        cond = fvm_swapped(cond);
    }
    fvm_push_value(c, (fvm_value){.kind = FVM_FLAG,
                                  .reg = a.reg,
                                  .other = fvm_is_const(b) ? NONE : b.reg,
                                  .cond = (uint8_t)cond,
                                  .n = b.n});
}

/* After a comparison, 0= and NOT invert its condition, and 0<> changes nothing. */
static void compare_zero(fvm_compiler *c, fvm_cond cond) {
    fvm_value a = fvm_pop_value(c);
    if (a.kind == FVM_FLAG && (cond == EQ || cond == NE)) {
        if (cond == EQ)
            a.cond = (uint8_t)fvm_opposite((fvm_cond)a.cond);
        fvm_push_value(c, a);
        return;
    }
    fvm_push_value(c, a);
    fvm_push_const(c, 0);
    compare(c, cond);
}

/* Emits a division of the two top items, and pushes the requested results. */
static void divide(fvm_compiler *c, bool quotient, bool remainder) {
    fvm_value b = fvm_pop_reg_or_const(c), a = fvm_pop_reg_or_const(c);
    if (fvm_is_const(a))
        a = fvm_to_reg(c, a);
    if (!fvm_is_const(b)) {
        fvm_asm_compare_const(&c->as, (fvm_reg)b.reg, 0);
        fvm_side_exit_if(c, EQ);
        fvm_asm_compare_const(&c->as, (fvm_reg)b.reg, -1);
        fvm_side_exit_if(c, EQ); /* the interpreter handles INT32_MIN / -1 */
    } else if (b.n == 0 || b.n == -1 || b.n == INT32_MIN) {
        fvm_side_exit_if(c, ALWAYS);
        b.n = 2; /* any valid divisor: the code after the side exit does not run */
    }
    uint8_t q = NONE, r = NONE;
    if (remainder)
        r = (uint8_t)fvm_alloc_reg(c);
    if (quotient)
        q = (uint8_t)fvm_alloc_reg(c);
    if (fvm_is_const(b))
        fvm_asm_divide_const(&c->as, q, r, (fvm_reg)a.reg, b.n);
    else
        fvm_asm_divide(&c->as, q, r, (fvm_reg)a.reg, (fvm_reg)b.reg);
    fvm_release_value(c, a);
    fvm_release_value(c, b);
    if (remainder)
        fvm_push_reg(c, (fvm_reg)r);
    if (quotient)
        fvm_push_reg(c, (fvm_reg)q);
}

/* --- the return stack ------------------------------------------------------------- */

/* Stores a value in the return stack; cell: number of cells above the top. */
static void store_return(fvm_compiler *c, int cell, fvm_value value) {
    if (fvm_is_const(value))
        fvm_asm_store_const(&c->as, RP, 4 * cell, value.n);
    else
        fvm_asm_store(&c->as, RP, 4 * cell, (fvm_reg)value.reg);
    fvm_release_value(c, value);
}

/* Pushes a copy of a cell of the return stack; cell: number of cells below the top. */
static void copy_return(fvm_compiler *c, int cell) {
    fvm_reg d = fvm_alloc_reg(c);
    fvm_asm_load(&c->as, d, RP, -4 * cell);
    fvm_push_reg(c, d);
}

static void start_loop(fvm_compiler *c) {
    fvm_value start = fvm_pop_reg_or_const(c), limit = fvm_pop_reg_or_const(c);
    fvm_asm_store_const(&c->as, RP, 4, LOOP_MARK);
    store_return(c, 2, limit);
    store_return(c, 3, start);
    fvm_asm_add_to_pointer(&c->as, RP, 4 * FVM_LOOP_CELLS);
}

/* --- selection by opcode ------------------------------------------------------------------ */

static bool emit_stack(fvm_compiler *c, int op) {
    fvm_value a, b, top;
    switch (op) {
    case FVM_OP_DUP:
        fvm_push_value(c, fvm_copy_item(c, 0));
        return true;
    case FVM_OP_OVER:
        fvm_push_value(c, fvm_copy_item(c, 1));
        return true;
    case FVM_OP_TWO_DUP:
        fvm_push_value(c, fvm_copy_item(c, 1));
        fvm_push_value(c, fvm_copy_item(c, 1));
        return true;
    case FVM_OP_TWO_DROP:
        fvm_drop_value(c);
        fvm_drop_value(c);
        return true;
    case FVM_OP_DROP:
    case FVM_OP_SET_TURN:
        fvm_drop_value(c);
        return true;
    case FVM_OP_SWAP:
        top = fvm_pop_value(c);
        a = fvm_pop_value(c);
        fvm_push_value(c, top);
        fvm_push_value(c, a);
        return true;
    case FVM_OP_ROT:
        top = fvm_pop_value(c);
        b = fvm_pop_value(c);
        a = fvm_pop_value(c);
        fvm_push_value(c, b);
        fvm_push_value(c, top);
        fvm_push_value(c, a);
        return true;
    default:
        return false;
    }
}

static bool emit_arithmetic(fvm_compiler *c, int op) {
    switch (op) {
    case FVM_OP_ADD:
        fvm_emit_add(c);
        return true;
    case FVM_OP_SUB: {
        fvm_value b = fvm_pop_value(c);
        if (fvm_is_const(b)) {
            fvm_push_sum(c, fvm_pop_value(c), (fvm_cell)(0u - (uint32_t)b.n));
        } else {
            fvm_push_value(c, b);
            alu(c, SUB);
        }
        return true;
    }
    case FVM_OP_MUL:
        alu(c, MUL);
        return true;
    case FVM_OP_AND:
        alu(c, AND);
        return true;
    case FVM_OP_OR:
        alu(c, OR);
        return true;
    case FVM_OP_XOR:
        alu(c, XOR);
        return true;
    case FVM_OP_INVERT:
        fvm_emit_alu_const(c, XOR, -1);
        return true;
    case FVM_OP_INC:
        fvm_push_sum(c, fvm_pop_value(c), 1);
        return true;
    case FVM_OP_DEC:
        fvm_push_sum(c, fvm_pop_value(c), -1);
        return true;
    case FVM_OP_INC_2:
        fvm_push_sum(c, fvm_pop_value(c), 2);
        return true;
    case FVM_OP_DEC_2:
        fvm_push_sum(c, fvm_pop_value(c), -2);
        return true;
    case FVM_OP_DOUBLE:
        fvm_emit_alu_const(c, MUL, 2);
        return true;
    case FVM_OP_DIV:
        divide(c, true, false);
        return true;
    case FVM_OP_MOD:
        divide(c, false, true);
        return true;
    case FVM_OP_DIV_MOD:
        divide(c, true, true);
        return true;
    case FVM_OP_HALVE:
    case FVM_OP_C_TO_N: {
        fvm_value a = fvm_to_reg(c, fvm_pop_value(c));
        fvm_release_value(c, a);
        fvm_reg d = fvm_alloc_result_reg(c, a);
        if (op == FVM_OP_HALVE)
            fvm_asm_halve(&c->as, d, (fvm_reg)a.reg);
        else
            fvm_asm_signed_byte(&c->as, d, (fvm_reg)a.reg);
        fvm_push_reg(c, d);
        return true;
    }
    default:
        return false;
    }
}

static bool emit_comparison(fvm_compiler *c, int op) {
    switch (op) {
    case FVM_OP_EQ:
    case FVM_OP_ON_FRIENDS:
        compare(c, EQ);
        return true;
    case FVM_OP_NE:
        compare(c, NE);
        return true;
    case FVM_OP_LT:
        compare(c, LT);
        return true;
    case FVM_OP_GT:
        compare(c, GT);
        return true;
    case FVM_OP_LE:
        compare(c, LE);
        return true;
    case FVM_OP_GE:
        compare(c, GE);
        return true;
    case FVM_OP_ZEQ:
    case FVM_OP_NOT:
        compare_zero(c, EQ);
        return true;
    case FVM_OP_ZNE:
        compare_zero(c, NE);
        return true;
    case FVM_OP_ZLT:
        compare_zero(c, LT);
        return true;
    case FVM_OP_ZGT:
        compare_zero(c, GT);
        return true;
    default:
        return false;
    }
}

static bool emit_return_stack(fvm_compiler *c, int op) {
    switch (op) {
    case FVM_OP_TO_R:
        store_return(c, 1, fvm_pop_reg_or_const(c));
        fvm_asm_add_to_pointer(&c->as, RP, 4);
        return true;
    case FVM_OP_FROM_R:
        copy_return(c, 0);
        fvm_asm_add_to_pointer(&c->as, RP, -4);
        return true;
    case FVM_OP_R:
    case FVM_OP_R_FETCH:
    case FVM_OP_I:
        copy_return(c, 0);
        return true;
    case FVM_OP_J:
        copy_return(c, FVM_LOOP_CELLS);
        return true;
    case FVM_OP_K:
        copy_return(c, 2 * FVM_LOOP_CELLS);
        return true;
    case FVM_OP_DO_START:
        start_loop(c);
        return true;
    case FVM_OP_LEAVE: /* the limit becomes the index */
        copy_return(c, 0);
        store_return(c, -1, fvm_pop_value(c));
        return true;
    default:
        return false;
    }
}

static fvm_cell constant_of(const fvm_node *node) {
    switch (node->op) {
    case FVM_OP_TRUE:
        return -1;
    case FVM_OP_DP:
        return FVM_K_DP;
    case FVM_OP_PAD:
        return FVM_PAD;
    case FVM_OP_STATE:
        return FVM_K_STATE;
    case FVM_OP_BASE:
        return FVM_K_BASE;
    case FVM_OP_CONTEXT:
        return FVM_K_CONTEXT;
    case FVM_OP_CURRENT:
        return FVM_K_CURRENT;
    case FVM_OP_LIT:
    case FVM_OP_VAR:
        return node->a;
    default: /* FALSE */
        return 0;
    }
}

void fvm_emit_template(fvm_compiler *c, const fvm_node *node) {
    if (node->op == FVM_OP_PICK)
        fvm_push_value(c, fvm_copy_item(c, node->a));
    else if (!emit_stack(c, node->op) && !emit_arithmetic(c, node->op) &&
             !emit_comparison(c, node->op) && !fvm_emit_memory(c, node) &&
             !emit_return_stack(c, node->op))
        fvm_push_const(c, constant_of(node));
}

#endif
