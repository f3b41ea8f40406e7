/* translate.h: operations of slots, for the translator, superinstructions and the JIT. */
#ifndef FVM_TRANSLATE_H
#define FVM_TRANSLATE_H

#include "vm/decode.h"

/* Marks the cell at addr as watched.  how: FVM_CELL_… */
void fvm_mark(fvm *vm, fvm_addr addr, uint8_t how);
/* Returns the operation of the slot for an instruction, and sets the slot's operands.  inlines:
 * short library words have special operations, and the cells on which these depend are marked. */
int fvm_word_operation(fvm *vm, fvm_addr cfa, int op, fvm_slot *slot, bool inlines);
static inline int fvm_operation_of(fvm *vm, const fvm_instruction *decoded, fvm_slot *slot,
                                   bool inlines) {
    if (decoded->op >= FVM_PRIMITIVES)
        return fvm_word_operation(vm, decoded->token, decoded->op, slot, inlines);
    slot->a = decoded->operand;
    return decoded->op == FVM_OP_BOARD && vm->checked ? FVM_OP_CHECKED_BOARD : decoded->op;
}
/* Whether translated code executes the called word in one slot, without a step. */
bool fvm_is_inlined(fvm *vm, const fvm_instruction *decoded);
/* A quick check before fvm_is_inlined: false if the definition's last word is not one with which
 * the inlined definitions end, except `variable !`. */
static inline bool fvm_may_be_inlined(const fvm *vm, fvm_addr body) {
    const int last = fvm_has_opcode(vm, body + 8, FVM_OP_RETURN)    ? fvm_opcode_in(vm, body + 4)
                     : fvm_has_opcode(vm, body + 12, FVM_OP_RETURN) ? fvm_opcode_in(vm, body + 8)
                                                                    : -1;
    return last == FVM_OP_FETCH || last == FVM_OP_MUL || last == FVM_OP_ADD;
}
/* The largest distance of two slots, in cells, that an operand can express. */
enum { FVM_MAX_SLOT_DISTANCE = 1 << 26 };
/* If the target of a jump or call has a slot, replaces the operation by one whose operand is the
 * distance to that slot.  The new operation remains valid when the code at the target changes,
 * because the write barrier then resets the target's slot. */
void fvm_use_direct_target(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op);
/* Finds the longest superinstruction for the cells from ip on; false: there is none. */
bool fvm_find_superinstruction(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op);

#endif
