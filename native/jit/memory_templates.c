/* memory_templates.c: instruction templates that read and write the image.
 *
 * It owns which addresses need no check at run time, and the checks of all other addresses. */
#include "jit/side_exits.h"
#include "jit/templates.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

#include <stddef.h>

/* Returns whether code may access a constant address without a check of the image's size. */
static bool assume_readable(fvm_compiler *c, fvm_cell addr) {
    if (!fvm_in(c->vm, (fvm_addr)addr, 4))
        return false;
    c->assumed_size = c->vm->size; /* a smaller image discards the code */
    return true;
}

/* Emits @ or C@ for a constant address. */
static void fetch_fixed(fvm_compiler *c, fvm_addr addr, bool byte) {
    fvm_reg d = fvm_alloc_reg(c);
    if (byte)
        fvm_asm_load_byte(&c->as, d, MEM, (int32_t)addr);
    else
        fvm_asm_load(&c->as, d, MEM, (int32_t)addr);
    fvm_push_reg(c, d);
}

/* Emits @ or C@. */
static void fetch(fvm_compiler *c, bool byte) {
    fvm_value a = fvm_pop_value(c);
    if (fvm_is_const(a) && assume_readable(c, a.n)) {
        fetch_fixed(c, (fvm_addr)a.n, byte);
        return;
    }
    a = fvm_to_address(c, a);
    fvm_asm_check_read(&c->as, fvm_address_of(a), c->vm->size);
    c->assumed_size = c->vm->size; /* a smaller image discards the code */
    fvm_side_exit_if(c, ABOVE);
    fvm_release_value(c, a);
    fvm_reg d = fvm_alloc_result_reg(c, a);
    if (byte)
        fvm_asm_read_checked_byte(&c->as, d);
    else
        fvm_asm_read_checked(&c->as, d);
    fvm_push_reg(c, d);
}

/* Emits @, or for a cell that does not change pushes its value. */
static void fetch_cell(fvm_compiler *c, const fvm_node *node) {
    const fvm_addr cell = node->settled_cell;
    if (cell == 0 || !fvm_is_top_const(&c->state, (fvm_cell)cell) ||
        !assume_readable(c, (fvm_cell)cell)) {
        fetch(c, false);
        return;
    }
    fvm_drop_value(c);
    fvm_push_const(c, fvm_get(c->vm, cell));
}

/* Emits the code before a store to a constant address: it checks that the cell has no marks, and
 * marks the page as written. */
static void prepare_fixed_store(fvm_compiler *c, fvm_addr addr) {
    addr &= ~3u;
    fvm_asm_compare_fixed_byte(&c->as, c->cell_marks + (int32_t)(addr >> 2));
    fvm_side_exit_if(c, NE);
    fvm_asm_store_fixed_byte_const(&c->as, c->page_marks + (int32_t)(addr >> FVM_PAGE_SHIFT),
                                   FVM_WRITTEN);
}

/* Returns whether `a` is a constant address to which code may store without a check of the used
 * memory. */
static bool assume_writable(fvm_compiler *c, fvm_value a, bool byte) {
    fvm_addr end = (fvm_addr)a.n + (byte ? 1 : 4);
    if (!fvm_is_const(a) || !assume_readable(c, a.n) || (!byte && (a.n & 3) != 0) ||
        end > c->vm->high)
        return false;
    if (end > c->constant_store_end)
        c->constant_store_end = end;
    return true;
}

/* Emits the code before a store to a computed address: it checks the address and the marks of the
 * cell, and marks the page as written. */
static void prepare_computed_store(fvm_compiler *c, fvm_value a, bool byte) {
    fvm_asm_find_cell(&c->as, fvm_address_of(a), byte);
    fvm_side_exit_if(c, ABOVE_EQ);
    fvm_asm_check_cell(&c->as, c->cell_marks);
    fvm_side_exit_if(c, NE);
    fvm_asm_mark_page(&c->as, c->page_marks);
}

/* Emits a store and releases both values. */
static void store_to(fvm_compiler *c, fvm_value a, fvm_value value, bool byte) {
    bool is_fixed = assume_writable(c, a, byte);
    if (!is_fixed)
        a = fvm_to_address(c, a);
    if (!fvm_is_const(value) || (is_fixed && byte))
        value = fvm_to_reg(c, value);
    fvm_reg reg = (fvm_reg)value.reg;
    fvm_release_value(c, a);
    fvm_release_value(c, value);
    if (is_fixed) {
        prepare_fixed_store(c, (fvm_addr)a.n);
        if (byte)
            fvm_asm_store_fixed_byte(&c->as, a.n, reg);
        else if (fvm_is_const(value))
            fvm_asm_store_const(&c->as, MEM, a.n, value.n);
        else
            fvm_asm_store(&c->as, MEM, a.n, reg);
        return;
    }
    prepare_computed_store(c, a, byte);
    if (fvm_is_const(value))
        fvm_asm_write_found_const(&c->as, value.n, byte);
    else if (byte)
        fvm_asm_write_found_byte(&c->as, reg);
    else
        fvm_asm_write_found(&c->as, reg);
}

/* Emits ! or C!. */
static void store(fvm_compiler *c, bool byte) {
    fvm_value a = fvm_pop_value(c);
    store_to(c, a, fvm_pop_value(c), byte);
}

static void add_to(fvm_compiler *c, fvm_reg d, fvm_value n) {
    if (fvm_is_const(n))
        fvm_asm_op_const(&c->as, ADD, d, d, n.n);
    else
        fvm_asm_op(&c->as, ADD, d, d, (fvm_reg)n.reg);
}

static void add_store_fixed(fvm_compiler *c, fvm_addr addr, fvm_value n) {
    prepare_fixed_store(c, addr);
    fvm_reg d = fvm_alloc_reg(c);
    fvm_asm_load(&c->as, d, MEM, (int32_t)addr);
    add_to(c, d, n);
    fvm_asm_store(&c->as, MEM, (int32_t)addr, d);
    fvm_release_value(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)d});
}

/* Emits code that adds to a cell, and releases `n`. */
static void add_store(fvm_compiler *c, fvm_value a, fvm_value n) {
    if (assume_writable(c, a, false)) {
        add_store_fixed(c, (fvm_addr)a.n, n);
    } else {
        a = fvm_to_address(c, a);
        prepare_computed_store(c, a, false);
        fvm_reg d = fvm_alloc_reg(c);
        fvm_asm_read_found(&c->as, d);
        add_to(c, d, n);
        fvm_asm_write_found(&c->as, d);
        fvm_release_value(c, a);
        fvm_release_value(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)d});
    }
    fvm_release_value(c, n);
}

static void add_store_const(fvm_compiler *c, fvm_cell n) {
    add_store(c, fvm_pop_value(c), (fvm_value){.kind = FVM_CONST, .n = n});
}

/* Emits code that appends a cell to the dictionary, and releases the value.  While a text is
 * interpreted, the interpreter does it: it also records the place in the text. */
static void append_cell(fvm_compiler *c, fvm_value value) {
    enum { HALF = sizeof(int32_t) }; /* of a pointer of 64 bits */
    const fvm_value dp = {.kind = FVM_CONST, .n = FVM_K_DP};
    const fvm_reg here = fvm_alloc_reg(c);
    if (!assume_writable(c, dp, false))
        fvm_side_exit_if(c, ALWAYS);
    for (size_t half = 0; half < sizeof(fvm_source *); half += HALF) {
        fvm_asm_compare_field(&c->as, offsetof(fvm, source) + half, 0);
        fvm_side_exit_if(c, NE);
    }
    prepare_fixed_store(c, FVM_K_DP);
    fvm_asm_load(&c->as, here, MEM, FVM_K_DP);
    fvm_asm_compare_const(&c->as, here, FVM_DICTIONARY);
    fvm_side_exit_if(c, LOWER);
    prepare_computed_store(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)here}, false);
    if (fvm_is_const(value))
        fvm_asm_write_found_const(&c->as, value.n, false);
    else
        fvm_asm_write_found(&c->as, (fvm_reg)value.reg);
    fvm_asm_op_const(&c->as, ADD, here, here, 4);
    fvm_asm_store(&c->as, MEM, FVM_K_DP, here);
    fvm_release_value(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)here});
    fvm_release_value(c, value);
}

/* Replaces a board position by the address of its board cell.  A variable of the library contains
 * the address of the board. */
static void board_cell(fvm_compiler *c) {
    fvm_addr variable = c->vm->lib.board;
    if (variable == 0)
        fvm_side_exit_if(c, ALWAYS);
    fvm_emit_alu_const(c, MUL, 4);
    fvm_push_const(c, (fvm_cell)variable);
    fetch(c, false);
    fvm_emit_add(c);
}

/* Replaces a piece by the value of its type, which is in a table of the library. */
static void piece_value(fvm_compiler *c) {
    const fvm_cell stride = (fvm_cell)fvm_value_stride(c->vm);
    const fvm_value piece = fvm_to_reg(c, fvm_pop_value(c));
    const fvm_reg d = fvm_alloc_reg(c);
    if (!assume_readable(c, (fvm_cell)c->vm->lib.pieces))
        fvm_side_exit_if(c, ALWAYS);
    fvm_asm_op_const(&c->as, AND, d, (fvm_reg)piece.reg, FVM_TYPE_MASK);
    fvm_asm_op_const(&c->as, MUL, d, d, stride);
    fvm_asm_load(&c->as, S0, MEM, (int32_t)c->vm->lib.pieces);
    fvm_asm_compare_const(&c->as, S0, 0);
    fvm_side_exit_if(c, EQ); /* there is no table */
    fvm_asm_op(&c->as, ADD, d, d, S0);
    fvm_asm_check_read(&c->as, fvm_register_plus((uint8_t)d, FVM_FIELD_VALUE - stride),
                       c->vm->size);
    c->assumed_size = c->vm->size; /* a smaller image discards the code */
    fvm_side_exit_if(c, ABOVE);
    fvm_asm_read_checked(&c->as, d);
    fvm_release_value(c, piece);
    fvm_push_reg(c, d);
}

bool fvm_emit_memory(fvm_compiler *c, const fvm_node *node) {
    switch (node->op) {
    case FVM_OP_FETCH:
        fetch_cell(c, node);
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
        fvm_value a = fvm_pop_value(c);
        add_store(c, a, fvm_pop_reg_or_const(c));
        return true;
    }
    case FVM_OP_INC_STORE:
        add_store_const(c, 1);
        return true;
    case FVM_OP_DEC_STORE:
        add_store_const(c, -1);
        return true;
    case FVM_OP_COMMA:
        append_cell(c, fvm_pop_reg_or_const(c));
        return true;
    case FVM_OP_COMPILE:
        append_cell(c, (fvm_value){.kind = FVM_CONST, .n = node->a});
        return true;
    case FVM_OP_HERE:
        fvm_push_const(c, FVM_K_DP);
        fetch(c, false);
        return true;
    case FVM_OP_CONSTANT:
    case FVM_OP_READ:
        fvm_push_const(c, node->a);
        fetch_cell(c, node);
        return true;
    case FVM_OP_WRITE:
        fvm_push_const(c, node->a);
        store(c, false);
        return true;
    case FVM_OP_SCALE:
        fvm_emit_alu_const(c, MUL, node->a);
        return true;
    case FVM_OP_INDEX:
        fvm_emit_alu_const(c, MUL, node->b);
        fvm_push_sum(c, fvm_pop_value(c), node->a);
        return true;
    case FVM_OP_BOARD:
        board_cell(c);
        return true;
    case FVM_OP_PIECE_VALUE:
        piece_value(c);
        return true;
    default:
        return false;
    }
}

#endif
