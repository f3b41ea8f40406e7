/* translate.c: translates cells of definitions to slots for the inner interpreter.
 *
 * It owns the choice of operations, and the recognition of short library words.  Every cell on
 * which a slot depends is marked, so that a store to it resets the slot (memory.c). */
#include "vm/translate.h"

void fvm_mark(fvm *vm, fvm_addr addr, uint8_t how) {
    fvm_mark_cell(vm, addr >> 2, how);
    if ((addr & 3) != 0)
        fvm_mark_cell(vm, (addr >> 2) + 1, how);
}

/* Returns the opcode of the word whose token is in the cell at an address; -1: not a token. */
static inline int opcode_of_token(const fvm *vm, fvm_addr at, fvm_addr *word) {
    *word = fvm_in_cell(vm, at) ? (fvm_addr)fvm_get(vm, at) : 0;
    return fvm_opcode_at(vm, *word);
}

static bool fetches_body(fvm *vm, fvm_addr cfa);

static void mark_deep(fvm *vm, fvm_addr body, int cells) {
    for (int i = 0; i < cells; i++)
        fvm_mark(vm, body + 4u * (fvm_addr)i, FVM_CELL_DEEP);
}

/* Recognizes a definition of the form `n *`, for example CELLS. */
static bool literal_scale(fvm *vm, fvm_addr body, fvm_slot *slot, int *op) {
    fvm_addr word;
    if (opcode_of_token(vm, body + 8, &word) != FVM_OP_MUL ||
        opcode_of_token(vm, body + 12, &word) != FVM_OP_RETURN)
        return false;
    mark_deep(vm, body, 4);
    slot->a = fvm_get(vm, body + 4);
    *op = FVM_OP_SCALE;
    return true;
}

/* Recognizes short definitions that are called very often: `variable @` and `variable !` (such as
 * the words `here`, `from` and `to`), `n *` and `constant *`.  See also fvm_may_be_inlined. */
static bool short_definition(fvm *vm, fvm_addr body, fvm_slot *slot, int *op) {
    fvm_addr first = 0, second, third;
    int first_op = opcode_of_token(vm, body, &first);
    if (first_op == FVM_OP_LIT)
        return literal_scale(vm, body, slot, op);
    int second_op = opcode_of_token(vm, body + 4, &second);
    int result = first_op == FVM_OP_VAR && second_op == FVM_OP_FETCH   ? FVM_OP_READ
                 : first_op == FVM_OP_VAR && second_op == FVM_OP_STORE ? FVM_OP_WRITE
                 : first_op == FVM_OP_DOES && second_op == FVM_OP_MUL  ? FVM_OP_SCALE
                                                                       : -1;
    if (result < 0 || opcode_of_token(vm, body + 8, &third) != FVM_OP_RETURN)
        return false;
    if (result == FVM_OP_SCALE &&
        (vm->checked || !fvm_in(vm, first + FVM_DOES_BODY, 4) || !fetches_body(vm, first)))
        return false;
    slot->a = (fvm_cell)fvm_body(vm, first);
    if (result == FVM_OP_SCALE) {
        fvm_mark(vm, first + FVM_DOES_BODY, FVM_CELL_DEEP); /* the slot contains the value */
        slot->a = fvm_get(vm, first + FVM_DOES_BODY);
    }
    mark_deep(vm, body, 3);
    fvm_mark(vm, first, FVM_CELL_DEEP);
    *op = result;
    return true;
}

/* Recognizes a call, in the cell at addr, of a definition of the form `n *`.  *factor: n. */
static bool call_scales(fvm *vm, fvm_addr addr, fvm_cell *factor) {
    fvm_addr word;
    fvm_slot slot;
    int op = -1;
    if (opcode_of_token(vm, addr, &word) != FVM_OP_COLON ||
        !short_definition(vm, word + FVM_BODY, &slot, &op) || op != FVM_OP_SCALE)
        return false;
    fvm_mark(vm, word, FVM_CELL_DEEP);
    *factor = slot.a;
    return true;
}

/* Recognizes a definition of the form `CELLS variable +`, which computes the address of an item. */
static bool table_definition(fvm *vm, fvm_addr body, fvm_slot *slot, int *op) {
    fvm_addr word, table;
    fvm_cell factor;
    if (opcode_of_token(vm, body + 4, &table) != FVM_OP_VAR ||
        opcode_of_token(vm, body + 8, &word) != FVM_OP_ADD ||
        opcode_of_token(vm, body + 12, &word) != FVM_OP_RETURN || !call_scales(vm, body, &factor))
        return false;
    mark_deep(vm, body, 4);
    fvm_mark(vm, table, FVM_CELL_DEEP);
    slot->a = (fvm_cell)(table + FVM_BODY);
    slot->b = factor;
    *op = FVM_OP_INDEX;
    return true;
}

/* Recognizes a DOES> part of the form `SWAP n * +` or `SWAP CELLS +`.  Words defined by [] have
 * such a part. */
static bool indexes_body(fvm *vm, fvm_addr cfa, fvm_slot *slot) {
    fvm_addr word, part = (fvm_addr)fvm_get(vm, cfa + FVM_DOES_PART);
    fvm_cell factor;
    int cells;
    if (vm->checked || opcode_of_token(vm, part, &word) != FVM_OP_SWAP)
        return false;
    if (opcode_of_token(vm, part + 4, &word) == FVM_OP_LIT &&
        opcode_of_token(vm, part + 12, &word) == FVM_OP_MUL) {
        factor = fvm_get(vm, part + 8);
        cells = 4;
    } else if (call_scales(vm, part + 4, &factor)) {
        cells = 2;
    } else {
        return false;
    }
    fvm_addr end = part + 4u * (fvm_addr)cells;
    if (opcode_of_token(vm, end, &word) != FVM_OP_ADD ||
        opcode_of_token(vm, end + 4, &word) != FVM_OP_RETURN)
        return false;
    fvm_mark(vm, cfa + FVM_DOES_PART, FVM_CELL_DEEP);
    mark_deep(vm, part, cells + 2);
    slot->b = factor;
    return true;
}

/* Recognizes a DOES> part of the form `@`.  Words defined by CONSTANT have such a part. */
static bool fetches_body(fvm *vm, fvm_addr cfa) {
    if (!fvm_in(vm, cfa + FVM_DOES_PART, 4))
        return false;
    fvm_addr part = (fvm_addr)fvm_get(vm, cfa + FVM_DOES_PART), first, second;
    if (opcode_of_token(vm, part, &first) != FVM_OP_FETCH ||
        opcode_of_token(vm, part + 4, &second) != FVM_OP_RETURN)
        return false;
    fvm_mark(vm, cfa + FVM_DOES_PART, FVM_CELL_DEEP);
    fvm_mark(vm, part, FVM_CELL_DEEP);
    fvm_mark(vm, part + 4, FVM_CELL_DEEP);
    return true;
}

int fvm_word_operation(fvm *vm, fvm_addr cfa, int op, fvm_slot *slot, bool inlines) {
    if (inlines)
        fvm_mark(vm, cfa, FVM_CELL_DEEP);
    slot->a = (fvm_cell)(cfa + (op == FVM_OP_DOES ? FVM_DOES_BODY : FVM_BODY));
    if (op == FVM_OP_DOES && vm->checked && fvm_in(vm, cfa, 16))
        op = FVM_OP_ARRAY;
    if (!inlines)
        return op;
    if (op == FVM_OP_COLON && !short_definition(vm, cfa + FVM_BODY, slot, &op))
        (void)table_definition(vm, cfa + FVM_BODY, slot, &op);
    else if (op == FVM_OP_DOES && fetches_body(vm, cfa))
        op = FVM_OP_CONSTANT;
    else if (op == FVM_OP_DOES && fvm_in(vm, cfa, 16) && indexes_body(vm, cfa, slot))
        op = FVM_OP_INDEX;
    return op;
}

/* Stores in *distance the number of bytes from the slot that follows the slot of ip to the slot of
 * target.  Returns false if target has no slot or the distance is too large. */
static bool slot_distance(fvm *vm, fvm_addr ip, fvm_addr target, fvm_cell *distance) {
    int64_t cells = ((int64_t)target - (int64_t)ip) / 4 - 1;
    if (!fvm_make_translatable(vm, target) || cells > FVM_MAX_SLOT_DISTANCE ||
        cells < -FVM_MAX_SLOT_DISTANCE)
        return false;
    *distance = (fvm_cell)(cells * (int64_t)sizeof(fvm_slot));
    return true;
}

void fvm_use_direct_target(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    int direct = *op == FVM_OP_COLON       ? FVM_OP_CALL
                 : *op == FVM_OP_BRANCH    ? FVM_OP_JUMP
                 : *op == FVM_OP_ZBRANCH   ? FVM_OP_JUMP_ZERO
                 : *op == FVM_OP_LOOP_STEP ? FVM_OP_LOOP_BACK
                 : *op == FVM_OP_LOOP_ADD  ? FVM_OP_LOOP_BACK_BY
                                           : -1;
    if (direct >= 0 && slot_distance(vm, ip, (fvm_addr)slot->a, &slot->a))
        *op = direct;
}

fvm_status fvm_translate(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op, uint32_t *length,
                         bool stored) {
    if (!fvm_in(vm, ip, 4)) {
        if (ip == 0) /* IF, ELSE and WHILE compile the operand 0, which the closing word replaces */
            return fvm_fail(vm, FVM_ERR_CONTROL, 0,
                            "an IF, ELSE or WHILE that was never closed, or a return address lost");
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)ip, "a return or jump to address %d",
                        (int)ip);
    }
    FVM_TRY(fvm_charge_work(vm, 16));
    const fvm_instruction decoded = fvm_decode(vm, ip);
    if (decoded.op < 0)
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)decoded.token, "%s", "");
    *slot = (fvm_slot){0, 0, (fvm_cell)(ip + 4)};
    *length = decoded.length;
    /* Short words are also inlined in untranslated code, because the number of steps must not
     * depend on the address of code. */
    *op = fvm_operation_of(vm, &decoded, slot, true);
    if (!stored)
        return FVM_OK;
    for (fvm_addr at = ip; at < ip + decoded.length; at += 4)
        fvm_mark(vm, at, FVM_CELL_CODE);
    if (!fvm_find_superinstruction(vm, ip, slot, op))
        fvm_use_direct_target(vm, ip, slot, op);
    return FVM_OK;
}

int fvm_operation_at(fvm *vm, fvm_addr ip, fvm_slot *slot, uint32_t *length) {
    const fvm_instruction decoded = fvm_decode(vm, ip);
    *slot = (fvm_slot){0, 0, (fvm_cell)(ip + 4)};
    *length = decoded.length;
    return decoded.op < 0 ? -1 : fvm_operation_of(vm, &decoded, slot, true);
}

fvm_status fvm_translate_word(fvm *vm, fvm_addr cfa, fvm_addr back, fvm_slot *slot, int *op) {
    const fvm_instruction call = {.token = cfa, .op = fvm_opcode_at(vm, cfa)};
    if (call.op < 0)
        return fvm_fail(vm, FVM_ERR_BAD_CODE, (fvm_cell)cfa, "%s", "");
    *slot = (fvm_slot){0, 0, (fvm_cell)back};
    *op = fvm_operation_of(vm, &call, slot, false);
    return FVM_OK;
}

bool fvm_is_inlined(fvm *vm, const fvm_instruction *decoded) {
    fvm_slot slot = {0, 0, 0};
    const int op = fvm_operation_of(vm, decoded, &slot, true);
    return op != FVM_OP_COLON && op != FVM_OP_DOES;
}
