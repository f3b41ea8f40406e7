/* memory_templates.c: instruction templates that read and write the image.
 *
 * It owns which addresses need no check at run time, and the checks of all others. */
#include "jit/templates.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

/* Whether machine code may access a constant address without a check of the image's size. */
static bool inside(fvm_compiler *c, fvm_cell addr) {
    if (!fvm_in(c->vm, (fvm_addr)addr, 4))
        return false;
    c->size = c->vm->size; /* a smaller image discards the code */
    return true;
}

static void fetch_fixed(fvm_compiler *c, fvm_addr addr, bool byte) {
    const fvm_value *held = byte ? NULL : fvm_held(c, addr);
    if (held != NULL) {
        fvm_value value = *held;
        if (value.kind == FVM_REG)
            c->state.uses[value.reg]++;
        fvm_give(c, value);
        return;
    }
    fvm_reg d = fvm_free_reg(c);
    if (byte)
        fvm_asm_load_byte(&c->as, d, MEM, (int32_t)addr);
    else
        fvm_asm_load(&c->as, d, MEM, (int32_t)addr);
    fvm_give_reg(c, d);
    if (!byte)
        fvm_hold(c, addr, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)d});
}

static void fetch(fvm_compiler *c, bool byte) {
    fvm_value a = fvm_take(c);
    if (fvm_is_const(a) && inside(c, a.n)) {
        fetch_fixed(c, (fvm_addr)a.n, byte);
        return;
    }
    a = fvm_as_sum(c, a);
    fvm_cell n = a.kind == FVM_SUM ? a.n : 0;
    bool known = fvm_is_readable(c, a);
    if (!known) {
        fvm_asm_check_read(&c->as, (fvm_reg)a.reg, n, c->vm->size);
        c->size = c->vm->size; /* a smaller image discards the code */
        fvm_on(c, ABOVE);
        fvm_set_readable(c, a);
    }
    fvm_release_value(c, a);
    fvm_reg d = fvm_result_reg(c, a);
    if (known)
        fvm_asm_read_known(&c->as, d, (fvm_reg)a.reg, n, byte);
    else if (byte)
        fvm_asm_read_byte(&c->as, d);
    else
        fvm_asm_read(&c->as, d);
    fvm_give_reg(c, d);
}

/* Emits the checks before a store: the cell has no marks and is in used memory; then marks its
 * page. */
static void check_fixed(fvm_compiler *c, fvm_addr addr) {
    addr &= ~3u;
    if (c->vm->cells[addr >> 2] != 0 || !fvm_jit_watch(c->vm, addr)) {
        fvm_asm_test_byte(&c->as, c->cells_at + (int32_t)(addr >> 2));
        fvm_on(c, NE);
    }
    if (fvm_note_page(c, addr))
        fvm_asm_put_byte(&c->as, c->dirty_at + (int32_t)(addr >> FVM_PAGE_SHIFT), 1);
}

/* Whether code may store to a constant address without a check of the used memory. */
static bool fixed(fvm_compiler *c, fvm_value a, bool byte) {
    fvm_addr end = (fvm_addr)a.n + (byte ? 1 : 4);
    if (!fvm_is_const(a) || !inside(c, a.n) || (!byte && (a.n & 3) != 0) || end > c->vm->high)
        return false;
    if (end > c->top)
        c->top = end;
    return true;
}

/* From here on the cell is known to be readable and its page to be marked. */
static void check_cell(fvm_compiler *c, fvm_value a, bool byte) {
    fvm_asm_find_cell(&c->as, (fvm_reg)a.reg, a.kind == FVM_SUM ? a.n : 0, byte);
    fvm_on(c, ABOVE_EQ);
    fvm_asm_check_cell(&c->as, c->cells_at);
    fvm_on(c, NE);
    fvm_mark_page(c);
    if (!byte)
        fvm_set_readable(c, a);
}

/* Releases both values. */
static void store_to(fvm_compiler *c, fvm_value a, fvm_value value, bool byte) {
    bool at_once = fixed(c, a, byte);
    if (!at_once)
        a = fvm_as_sum(c, a);
    if (!fvm_is_const(value) || (at_once && byte))
        value = fvm_in_reg(c, value);
    fvm_reg reg = (fvm_reg)value.reg;
    fvm_release_value(c, a);
    fvm_release_value(c, value);
    if (at_once) {
        check_fixed(c, (fvm_addr)a.n);
        if (byte)
            fvm_asm_copy_byte(&c->as, a.n, reg);
        else if (fvm_is_const(value))
            fvm_asm_store_const(&c->as, MEM, a.n, value.n);
        else
            fvm_asm_store(&c->as, MEM, a.n, reg);
        if (byte)
            fvm_stored(c, (fvm_addr)a.n, (fvm_addr)a.n + 1);
        else
            fvm_hold(c, (fvm_addr)a.n, value);
        return;
    }
    check_cell(c, a, byte);
    fvm_stored(c, 0, UINT32_MAX);
    if (fvm_is_const(value))
        fvm_asm_write_const(&c->as, value.n, byte);
    else if (byte)
        fvm_asm_write_byte(&c->as, reg);
    else
        fvm_asm_write(&c->as, reg);
}

static void store(fvm_compiler *c, bool byte) {
    fvm_value a = fvm_take(c);
    store_to(c, a, fvm_take(c), byte);
}

static void add_to(fvm_compiler *c, fvm_reg d, fvm_reg a, fvm_value by) {
    if (fvm_is_const(by))
        fvm_asm_op_const(&c->as, ADD, d, a, by.n);
    else
        fvm_asm_op(&c->as, ADD, d, a, (fvm_reg)by.reg);
}

static void add_store_fixed(fvm_compiler *c, fvm_addr addr, fvm_value by) {
    check_fixed(c, addr);
    const fvm_value *held = fvm_held(c, addr);
    bool known = held != NULL && held->kind == FVM_REG;
    fvm_reg a = known ? (fvm_reg)held->reg : FVM_REGS, d = fvm_free_reg(c);
    if (!known)
        fvm_asm_load(&c->as, a = d, MEM, (int32_t)addr);
    add_to(c, d, a, by);
    fvm_asm_store(&c->as, MEM, (int32_t)addr, d);
    fvm_value sum = {.kind = FVM_REG, .reg = (uint8_t)d};
    fvm_hold(c, addr, sum);
    fvm_release_value(c, sum);
}

/* Adds to a cell. */
static void add_store(fvm_compiler *c, fvm_value a, fvm_value by) {
    if (fixed(c, a, false)) {
        add_store_fixed(c, (fvm_addr)a.n, by);
    } else {
        a = fvm_as_sum(c, a);
        check_cell(c, a, false);
        fvm_reg d = fvm_free_reg(c);
        fvm_asm_read_cell(&c->as, d);
        add_to(c, d, d, by);
        fvm_asm_write(&c->as, d);
        fvm_release_value(c, a);
        fvm_release_value(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)d});
        fvm_stored(c, 0, UINT32_MAX);
    }
    fvm_release_value(c, by);
}

static void add_store_const(fvm_compiler *c, fvm_cell n) {
    add_store(c, fvm_take(c), (fvm_value){.kind = FVM_CONST, .n = n});
}

/* The address of a position's board cell: a variable of the library has the board's address. */
static void board(fvm_compiler *c) {
    fvm_addr variable = c->vm->lib.board;
    if (variable == 0)
        fvm_on(c, ALWAYS);
    fvm_emit_alu_const(c, MUL, 4);
    fvm_give_const(c, (fvm_cell)variable);
    fetch(c, false);
    fvm_emit_add(c);
}

bool fvm_emit_memory(fvm_compiler *c, const fvm_node *node) {
    switch (node->op) {
    case FVM_OP_FETCH:
        if (node->folds) {
            fvm_drop_top(c);
            fvm_give_const(c, fvm_get(c->vm, (fvm_addr)node->a));
            return true;
        }
        fetch(c, false);
        return true;
    case FVM_OP_F_FETCH:
        fetch(c, false);
        return true;
    case FVM_OP_C_FETCH:
        fetch(c, true);
        return true;
    case FVM_OP_STORE:
    case FVM_OP_F_STORE:
        store(c, false);
        return true;
    case FVM_OP_C_STORE:
        store(c, true);
        return true;
    case FVM_OP_ADD_STORE: {
        fvm_value a = fvm_take(c);
        add_store(c, a, fvm_take_reg(c));
        return true;
    }
    case FVM_OP_INC_STORE:
        add_store_const(c, 1);
        return true;
    case FVM_OP_DEC_STORE:
        add_store_const(c, -1);
        return true;
    case FVM_OP_HERE:
        fvm_give_const(c, FVM_K_DP);
        fetch(c, false);
        return true;
    case FVM_OP_CONSTANT:
        if (node->folds) {
            fvm_give_const(c, fvm_get(c->vm, (fvm_addr)node->a));
            return true;
        }
        fvm_give_const(c, node->a);
        fetch(c, false);
        return true;
    case FVM_OP_READ:
        fvm_give_const(c, node->a);
        fetch(c, false);
        return true;
    case FVM_OP_WRITE:
        fvm_give_const(c, node->a);
        store(c, false);
        return true;
    case FVM_OP_SCALE:
        fvm_emit_alu_const(c, MUL, node->a);
        return true;
    case FVM_OP_INDEX:
        fvm_emit_alu_const(c, MUL, node->b);
        fvm_give_sum(c, fvm_take(c), node->a);
        return true;
    case FVM_OP_BOARD:
        board(c);
        return true;
    default:
        return false;
    }
}

#endif
