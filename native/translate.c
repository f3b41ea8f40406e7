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

/* A definition of the form `variable @` or `variable !`: worth one slot, as they are the
 * words that scripts call most (here, from, to, $-variables' readers). */
static bool short_definition(fvm *vm, fvm_addr body, fvm_slot *slot, int *op) {
    fvm_addr first, second, third;
    if (named_at(vm, body, &first) != FVM_OP_VAR)
        return false;
    int act = named_at(vm, body + 4, &second);
    if ((act != FVM_OP_FETCH && act != FVM_OP_STORE) ||
        named_at(vm, body + 8, &third) != FVM_OP_RETURN)
        return false;
    mark(vm, body, FVM_CELL_DEEP);
    mark(vm, body + 4, FVM_CELL_DEEP);
    mark(vm, body + 8, FVM_CELL_DEEP);
    mark(vm, first, FVM_CELL_DEEP);
    slot->a = (fvm_cell)(first + 4);
    *op = act == FVM_OP_FETCH ? FVM_OP_FETCH_VAR : FVM_OP_STORE_VAR;
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
    if (code == FVM_OP_COLON)
        (void)short_definition(vm, cfa + 4, slot, op);
    else if (code == FVM_OP_DOES && fetches_body(vm, cfa))
        *op = FVM_OP_CONSTANT;
}

static void fuse(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op, uint32_t *length) {
    fvm_addr word;
    int next = named_at(vm, ip + *length, &word);
    if (next < 0)
        return;
    int made = -1;
    switch (*op) {
    case FVM_OP_LIT:
        made = next == FVM_OP_ADD  ? FVM_OP_LIT_ADD
               : next == FVM_OP_EQ ? FVM_OP_LIT_EQ
               : next == FVM_OP_LT ? FVM_OP_LIT_LT
               : next == FVM_OP_GT ? FVM_OP_LIT_GT
                                   : -1;
        break;
    case FVM_OP_VAR:
        made = next == FVM_OP_FETCH   ? FVM_OP_FETCH_VAR
               : next == FVM_OP_STORE ? FVM_OP_STORE_VAR
                                      : -1;
        slot->c = 1;
        break;
    case FVM_OP_ZEQ:
    case FVM_OP_NOT:
    case FVM_OP_EQ:
    case FVM_OP_LT:
    case FVM_OP_GT:
    case FVM_OP_DUP:
        if (next != FVM_OP_ZBRANCH || !fvm_in(vm, ip + 8, 4))
            return;
        made = *op == FVM_OP_EQ    ? FVM_OP_EQ_BRANCH
               : *op == FVM_OP_LT  ? FVM_OP_LT_BRANCH
               : *op == FVM_OP_GT  ? FVM_OP_GT_BRANCH
               : *op == FVM_OP_DUP ? FVM_OP_DUP_BRANCH
                                   : FVM_OP_ZEQ_BRANCH;
        slot->a = fvm_get(vm, ip + 8);
        mark(vm, ip + 8, FVM_CELL_CODE);
        break;
    case FVM_OP_I:
        made = next == FVM_OP_ADD ? FVM_OP_I_ADD : -1;
        break;
    case FVM_OP_SWAP:
        made = next == FVM_OP_DROP ? FVM_OP_SWAP_DROP : -1;
        break;
    case FVM_OP_ADD:
        made = next == FVM_OP_FETCH ? FVM_OP_ADD_FETCH : -1;
        break;
    default:
        break;
    }
    if (made < 0)
        return;
    mark(vm, ip + *length, FVM_CELL_CODE);
    *op = made;
}

fvm_status fvm_translate(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op, uint32_t *length,
                         bool hot) {
    if (!fvm_in(vm, ip, 4)) {
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)ip, "a return or jump to address %d",
                        (int)ip);
    }
    fvm_addr cfa;
    int code = named_at(vm, ip, &cfa);
    if (code < 0)
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)cfa, "%s", "");
    *slot = (fvm_slot){0, 0, (fvm_cell)(ip + 4), 0};
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
    if (hot)
        fuse(vm, ip, slot, op, length);
    return FVM_OK;
}

fvm_status fvm_translate_word(fvm *vm, fvm_addr cfa, fvm_addr back, fvm_slot *slot, int *op) {
    int code = fvm_opcode_at(vm, cfa);
    if (code < 0)
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)cfa, "%s", "");
    *slot = (fvm_slot){0, 0, (fvm_cell)back, 0};
    decode_word(vm, cfa, code, slot, op, false);
    return FVM_OK;
}
