/* translate.c: what a cell of a definition means, as a slot for the inner interpreter.
 *
 * It owns decoding, fused pairs and the recognition of short library words; it must not know
 * how slots are run.  Every cell whose value a slot depends on is marked, so that a store to
 * it undoes the translation (memory.c). */
#include "vm.h"

#include "generated/ops.h"

/* -1: no word at cfa. */
int fvm_opcode_at(const fvm *vm, fvm_addr cfa) {
    if (!fvm_in(vm, cfa, 4))
        return -1;
    uint32_t field = (uint32_t)fvm_get(vm, cfa);
    if ((field & FVM_CODE_MASK) != FVM_CODE_TAG)
        return -1;
    int op = (int)(field & ~FVM_CODE_MASK);
    if (op < FVM_PRIMITIVES || (op >= FVM_OP_COLON && op <= FVM_OP_WORD_LIST))
        return op;
    return -1;
}

static bool takes_inline(int op) {
    return op == FVM_OP_LIT || op == FVM_OP_BRANCH || op == FVM_OP_ZBRANCH ||
           op == FVM_OP_LOOP_STEP || op == FVM_OP_LOOP_ADD || op == FVM_OP_COMPILE;
}

static void mark(fvm *vm, fvm_addr addr, uint8_t how) {
    vm->cells[addr >> 2] |= how;
    if ((addr & 3) != 0)
        vm->cells[(addr >> 2) + 1] |= how;
}

/* The opcode of the word that the cell at addr names; *cfa: the word.  -1: none. */
static int named_at(const fvm *vm, fvm_addr addr, fvm_addr *cfa) {
    if (!fvm_in(vm, addr, 4))
        return -1;
    *cfa = (fvm_addr)fvm_get(vm, addr);
    return fvm_opcode_at(vm, *cfa);
}

static bool fetches_body(fvm *vm, fvm_addr cfa);

static void mark_deep(fvm *vm, fvm_addr body, int cells) {
    for (int i = 0; i < cells; i++)
        mark(vm, body + 4u * (fvm_addr)i, FVM_CELL_DEEP);
}

/* Definitions that scripts and the library call all the time become one slot: a variable
 * with @ or ! (here, from, to and the readers of $-variables), a constant with * (CELLS). */
static bool short_definition(fvm *vm, fvm_addr body, fvm_slot *slot, int *op) {
    fvm_addr first = 0, second, third;
    int what = named_at(vm, body, &first);
    int act = named_at(vm, body + 4, &second);
    int made = what == FVM_OP_VAR && act == FVM_OP_FETCH   ? FVM_OP_READ
               : what == FVM_OP_VAR && act == FVM_OP_STORE ? FVM_OP_WRITE
               : what == FVM_OP_DOES && act == FVM_OP_MUL  ? FVM_OP_SCALE
                                                           : -1;
    if (made < 0 || named_at(vm, body + 8, &third) != FVM_OP_RETURN)
        return false;
    if (made == FVM_OP_SCALE &&
        (vm->checked || !fvm_in(vm, first + 8, 4) || !fetches_body(vm, first)))
        return false;
    slot->a = (fvm_cell)fvm_body(vm, first);
    if (made == FVM_OP_SCALE) {
        mark(vm, first + 8, FVM_CELL_DEEP); /* the value itself goes into the slot */
        slot->a = fvm_get(vm, first + 8);
    }
    mark_deep(vm, body, 3);
    mark(vm, first, FVM_CELL_DEEP);
    *op = made;
    return true;
}

/* A call of CELLS, or of what is built like it, at addr: its factor. */
static bool scales(fvm *vm, fvm_addr addr, fvm_cell *factor) {
    fvm_addr word;
    fvm_slot slot;
    int op = -1;
    if (named_at(vm, addr, &word) != FVM_OP_COLON ||
        !short_definition(vm, word + 4, &slot, &op) || op != FVM_OP_SCALE)
        return false;
    mark(vm, word, FVM_CELL_DEEP);
    *factor = slot.a;
    return true;
}

/* `CELLS table +`, the way to an item of a table. */
static bool table_definition(fvm *vm, fvm_addr body, fvm_slot *slot, int *op) {
    fvm_addr word, table;
    fvm_cell factor;
    if (named_at(vm, body + 4, &table) != FVM_OP_VAR ||
        named_at(vm, body + 8, &word) != FVM_OP_ADD ||
        named_at(vm, body + 12, &word) != FVM_OP_RETURN || !scales(vm, body, &factor))
        return false;
    mark_deep(vm, body, 4);
    mark(vm, table, FVM_CELL_DEEP);
    slot->a = (fvm_cell)(table + 4);
    slot->b = factor;
    *op = FVM_OP_INDEX;
    return true;
}

/* A DOES> part of the form `SWAP n * +` or `SWAP CELLS +`: what [] makes. */
static bool indexes_body(fvm *vm, fvm_addr cfa, fvm_slot *slot) {
    fvm_addr word, part = (fvm_addr)fvm_get(vm, cfa + 4);
    fvm_cell factor;
    int cells;
    if (vm->checked || named_at(vm, part, &word) != FVM_OP_SWAP)
        return false;
    if (named_at(vm, part + 4, &word) == FVM_OP_LIT &&
        named_at(vm, part + 12, &word) == FVM_OP_MUL) {
        factor = fvm_get(vm, part + 8);
        cells = 4;
    } else if (scales(vm, part + 4, &factor)) {
        cells = 2;
    } else {
        return false;
    }
    fvm_addr rest = part + 4u * (fvm_addr)cells;
    if (named_at(vm, rest, &word) != FVM_OP_ADD || named_at(vm, rest + 4, &word) != FVM_OP_RETURN)
        return false;
    mark(vm, cfa + 4, FVM_CELL_DEEP);
    mark_deep(vm, part, cells + 2);
    slot->b = factor;
    return true;
}

/* A DOES> part of the form `@`: what CONSTANT makes. */
static bool fetches_body(fvm *vm, fvm_addr cfa) {
    if (!fvm_in(vm, cfa + 4, 4))
        return false;
    fvm_addr part = (fvm_addr)fvm_get(vm, cfa + 4), first, second;
    if (named_at(vm, part, &first) != FVM_OP_FETCH ||
        named_at(vm, part + 4, &second) != FVM_OP_RETURN)
        return false;
    mark(vm, cfa + 4, FVM_CELL_DEEP);
    mark(vm, part, FVM_CELL_DEEP);
    mark(vm, part + 4, FVM_CELL_DEEP);
    return true;
}

static void decode_word(fvm *vm, fvm_addr cfa, int code, fvm_slot *slot, int *op, bool hot) {
    *op = code;
    if (code < FVM_PRIMITIVES)
        return;
    if (hot)
        mark(vm, cfa, FVM_CELL_DEEP);
    slot->a = (fvm_cell)(cfa + (code == FVM_OP_DOES ? 8 : 4));
    if (code == FVM_OP_DOES && vm->checked && fvm_in(vm, cfa, 16))
        *op = FVM_OP_ARRAY;
    if (!hot)
        return;
    if (code == FVM_OP_COLON && !short_definition(vm, cfa + 4, slot, op))
        (void)table_definition(vm, cfa + 4, slot, op);
    else if (*op == FVM_OP_DOES && fetches_body(vm, cfa))
        *op = FVM_OP_CONSTANT;
    else if (*op == FVM_OP_DOES && fvm_in(vm, cfa, 16) && indexes_body(vm, cfa, slot))
        *op = FVM_OP_INDEX;
}

/* LIT, comparison, 0BRANCH with a jump ahead (as IF makes): b is the target. */
static bool fuse_compare(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    fvm_addr word, target;
    int made = *op == FVM_OP_LIT_EQ   ? FVM_OP_LIT_EQ_BRANCH
               : *op == FVM_OP_LIT_LT ? FVM_OP_LIT_LT_BRANCH
               : *op == FVM_OP_LIT_GT ? FVM_OP_LIT_GT_BRANCH
                                      : -1;
    if (made < 0 || named_at(vm, ip + 12, &word) != FVM_OP_ZBRANCH || !fvm_in(vm, ip + 16, 4) ||
        (target = (fvm_addr)fvm_get(vm, ip + 16)) <= ip || !fvm_heat(vm, target))
        return false;
    mark(vm, ip + 12, FVM_CELL_CODE);
    mark(vm, ip + 16, FVM_CELL_CODE);
    slot->b = (fvm_cell)(target >> 2);
    *op = made;
    return true;
}

/* DUP, literal, comparison, 0BRANCH with a jump ahead. */
static bool fuse_look(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    fvm_addr word, target;
    if (named_at(vm, ip + 4, &word) != FVM_OP_LIT || !fvm_in(vm, ip + 20, 4) ||
        named_at(vm, ip + 16, &word) != FVM_OP_ZBRANCH)
        return false;
    int compare = named_at(vm, ip + 12, &word);
    int made = compare == FVM_OP_EQ   ? FVM_OP_DUP_LIT_EQ_BRANCH
               : compare == FVM_OP_LT ? FVM_OP_DUP_LIT_LT_BRANCH
               : compare == FVM_OP_GT ? FVM_OP_DUP_LIT_GT_BRANCH
                                      : -1;
    target = (fvm_addr)fvm_get(vm, ip + 20);
    if (made < 0 || target <= ip || !fvm_heat(vm, target))
        return false;
    for (fvm_addr at = ip + 4; at <= ip + 20; at += 4)
        mark(vm, at, FVM_CELL_CODE);
    slot->a = fvm_get(vm, ip + 8);
    slot->b = (fvm_cell)(target >> 2);
    *op = made;
    return true;
}

/* CELLS, a variable, +, and perhaps @. */
static bool fuse_table(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    fvm_addr word, table;
    if (named_at(vm, ip + 4, &table) != FVM_OP_VAR || named_at(vm, ip + 8, &word) != FVM_OP_ADD)
        return false;
    slot->b = slot->a; /* the factor */
    slot->a = (fvm_cell)(table + 4);
    mark(vm, table, FVM_CELL_DEEP);
    mark(vm, ip + 4, FVM_CELL_CODE);
    mark(vm, ip + 8, FVM_CELL_CODE);
    *op = FVM_OP_SCALE_VAR_ADD;
    if (named_at(vm, ip + 12, &word) == FVM_OP_FETCH) {
        mark(vm, ip + 12, FVM_CELL_CODE);
        *op = FVM_OP_SCALE_VAR_ADD_FETCH;
    }
    return true;
}

static int fused(int op, int next) {
    static const struct {
        int first, second, made;
    } pairs[] = {
        {FVM_OP_LIT, FVM_OP_ADD, FVM_OP_LIT_ADD},
        {FVM_OP_LIT, FVM_OP_SUB, FVM_OP_LIT_ADD},
        {FVM_OP_LIT, FVM_OP_MUL, FVM_OP_LIT_MUL},
        {FVM_OP_LIT, FVM_OP_AND, FVM_OP_LIT_AND},
        {FVM_OP_LIT, FVM_OP_EQ, FVM_OP_LIT_EQ},
        {FVM_OP_LIT, FVM_OP_LT, FVM_OP_LIT_LT},
        {FVM_OP_LIT, FVM_OP_GT, FVM_OP_LIT_GT},
        {FVM_OP_VAR, FVM_OP_FETCH, FVM_OP_VAR_FETCH},
        {FVM_OP_VAR, FVM_OP_STORE, FVM_OP_VAR_STORE},
        {FVM_OP_VAR, FVM_OP_ADD_STORE, FVM_OP_VAR_ADD_STORE},
        {FVM_OP_VAR, FVM_OP_ADD, FVM_OP_VAR_ADD},
        {FVM_OP_I, FVM_OP_ADD, FVM_OP_I_ADD},
        {FVM_OP_OVER, FVM_OP_ADD, FVM_OP_OVER_ADD},
        {FVM_OP_SWAP, FVM_OP_DROP, FVM_OP_SWAP_DROP},
        {FVM_OP_ADD, FVM_OP_FETCH, FVM_OP_ADD_FETCH},
        {FVM_OP_ADD, FVM_OP_C_FETCH, FVM_OP_ADD_C_FETCH},
        {FVM_OP_ZEQ, FVM_OP_ZBRANCH, FVM_OP_ZEQ_BRANCH},
        {FVM_OP_NOT, FVM_OP_ZBRANCH, FVM_OP_ZEQ_BRANCH},
        {FVM_OP_ZLT, FVM_OP_ZBRANCH, FVM_OP_ZLT_BRANCH},
        {FVM_OP_ZGT, FVM_OP_ZBRANCH, FVM_OP_ZGT_BRANCH},
        {FVM_OP_EQ, FVM_OP_ZBRANCH, FVM_OP_EQ_BRANCH},
        {FVM_OP_NE, FVM_OP_ZBRANCH, FVM_OP_NE_BRANCH},
        {FVM_OP_LT, FVM_OP_ZBRANCH, FVM_OP_LT_BRANCH},
        {FVM_OP_GT, FVM_OP_ZBRANCH, FVM_OP_GT_BRANCH},
        {FVM_OP_LE, FVM_OP_ZBRANCH, FVM_OP_LE_BRANCH},
        {FVM_OP_GE, FVM_OP_ZBRANCH, FVM_OP_GE_BRANCH},
        {FVM_OP_DUP, FVM_OP_ZBRANCH, FVM_OP_DUP_BRANCH},
        {FVM_OP_INDEX, FVM_OP_FETCH, FVM_OP_INDEX_FETCH},
        {FVM_OP_BOARD, FVM_OP_FETCH, FVM_OP_BOARD_FETCH},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].first == op && pairs[i].second == next)
            return pairs[i].made;
    return -1;
}

/* A pair that goes on with a third word. */
static int fused_further(int made, int next) {
    switch (made) {
    case FVM_OP_VAR_ADD:
        return next == FVM_OP_FETCH     ? FVM_OP_VAR_ADD_FETCH
               : next == FVM_OP_C_FETCH ? FVM_OP_VAR_ADD_C_FETCH
               : next == FVM_OP_C_STORE ? FVM_OP_VAR_ADD_C_STORE
                                        : made;
    case FVM_OP_I_ADD:
        return next == FVM_OP_FETCH     ? FVM_OP_I_ADD_FETCH
               : next == FVM_OP_C_FETCH ? FVM_OP_I_ADD_C_FETCH
                                        : made;
    default:
        return made;
    }
}

/* OVER, a variable, +. */
static bool fuse_over(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    fvm_addr word, table;
    if (named_at(vm, ip + 4, &table) != FVM_OP_VAR || named_at(vm, ip + 8, &word) != FVM_OP_ADD)
        return false;
    mark(vm, table, FVM_CELL_DEEP);
    mark(vm, ip + 4, FVM_CELL_CODE);
    mark(vm, ip + 8, FVM_CELL_CODE);
    slot->a = (fvm_cell)(table + 4);
    *op = FVM_OP_OVER_VAR_ADD;
    return true;
}

static void fuse(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op, uint32_t length) {
    fvm_addr word;
    if ((*op == FVM_OP_DUP && fuse_look(vm, ip, slot, op)) ||
        (*op == FVM_OP_SCALE && fuse_table(vm, ip, slot, op)) ||
        (*op == FVM_OP_OVER && fuse_over(vm, ip, slot, op)))
        return;
    int next = named_at(vm, ip + length, &word);
    int made = next < 0 ? -1 : fused(*op, next);
    if (made < 0)
        return;
    if (next == FVM_OP_ZBRANCH) {
        if (!fvm_in(vm, ip + 8, 4))
            return;
        fvm_addr target = (fvm_addr)fvm_get(vm, ip + 8);
        if (!fvm_heat(vm, target))
            return;
        slot->a = (fvm_cell)(target >> 2);
        mark(vm, ip + 8, FVM_CELL_CODE);
    } else if (next == FVM_OP_SUB) {
        slot->a = (fvm_cell)(0u - (uint32_t)slot->a);
    }
    mark(vm, ip + length, FVM_CELL_CODE);
    *op = fused_further(made, named_at(vm, ip + length + 4, &word));
    if (*op != made)
        mark(vm, ip + length + 4, FVM_CELL_CODE);
    if (*op >= FVM_OP_LIT_EQ && *op <= FVM_OP_LIT_GT)
        (void)fuse_compare(vm, ip, slot, op);
}

/* Calls and jumps to where translated code can be: their a is the slot to go to.  Such a
 * slot stays usable whatever becomes of the code there: stores to it start it anew. */
static bool direct(fvm *vm, fvm_slot *slot, int *op) {
    int made = *op == FVM_OP_COLON       ? FVM_OP_CALL
               : *op == FVM_OP_BRANCH    ? FVM_OP_JUMP
               : *op == FVM_OP_ZBRANCH   ? FVM_OP_JUMP_ZERO
               : *op == FVM_OP_LOOP_STEP ? FVM_OP_LOOP_BACK
               : *op == FVM_OP_LOOP_ADD  ? FVM_OP_LOOP_BACK_BY
                                         : -1;
    if (made < 0 || !fvm_heat(vm, (fvm_addr)slot->a))
        return false;
    slot->a = (fvm_cell)((uint32_t)slot->a >> 2);
    *op = made;
    return true;
}

fvm_status fvm_translate(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op, uint32_t *length,
                         bool hot) {
    if (!fvm_in(vm, ip, 4)) {
        if (ip == 0) /* what IF, ELSE and WHILE leave until they are closed */
            return fvm_fail(vm, FVM_ERR_CONTROL, 0,
                            "an IF, ELSE or WHILE that was never closed, or a return address lost");
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)ip, "a return or jump to address %d",
                        (int)ip);
    }
    fvm_status status = fvm_toil(vm, 16);
    if (status != FVM_OK)
        return status;
    fvm_addr cfa = 0;
    int code = named_at(vm, ip, &cfa);
    if (code < 0)
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)cfa, "%s", "");
    *slot = (fvm_slot){0, 0, (fvm_cell)(ip + 4)};
    *length = 4;
    decode_word(vm, cfa, code, slot, op, hot);
    if (hot)
        mark(vm, ip, FVM_CELL_CODE);
    if (takes_inline(code)) {
        if (!fvm_in(vm, ip + 4, 4))
            return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)cfa, "%s", "");
        slot->a = fvm_get(vm, ip + 4);
        *length = 8;
        if (hot)
            mark(vm, ip + 4, FVM_CELL_CODE);
    }
    if (hot && !direct(vm, slot, op))
        fuse(vm, ip, slot, op, *length);
    return FVM_OK;
}

fvm_status fvm_translate_word(fvm *vm, fvm_addr cfa, fvm_addr back, fvm_slot *slot, int *op) {
    int code = fvm_opcode_at(vm, cfa);
    if (code < 0)
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)cfa, "%s", "");
    *slot = (fvm_slot){0, 0, (fvm_cell)back};
    decode_word(vm, cfa, code, slot, op, false);
    return FVM_OK;
}
