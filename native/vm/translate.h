/* translate.h: the operations that slots run, for the translator, superinstructions and the JIT. */
#ifndef FVM_TRANSLATE_H
#define FVM_TRANSLATE_H

#include "vm/decode.h"

/* Marks the cell at addr, because translations depend on it: FVM_CELL_… */
void fvm_mark(fvm *vm, fvm_addr addr, uint8_t how);
/* The operation that runs an instruction; sets the slot's operands.  inlines: short library words
 * have operations of their own, and the cells that these depend on are marked. */
int fvm_word_operation(fvm *vm, fvm_addr cfa, int op, fvm_slot *slot, bool inlines);
static inline int fvm_operation_of(fvm *vm, const fvm_instruction *decoded, fvm_slot *slot,
                                   bool inlines) {
    if (decoded->op >= FVM_PRIMITIVES)
        return fvm_word_operation(vm, decoded->token, decoded->op, slot, inlines);
    slot->a = decoded->operand;
    return decoded->op;
}
/* Whether the inner interpreter runs a call as one slot, without counting a step. */
bool fvm_is_inlined(fvm *vm, const fvm_instruction *decoded);
enum {
    FVM_MAX_SLOT_DISTANCE = 1 << 26
}; /* largest distance of two slots, in cells, that an operand can express */
/* The distance in bytes from the slot after that of ip to that of target; false: target has no
 * slot, or is too far away. */
bool fvm_slot_distance(fvm *vm, fvm_addr ip, fvm_addr target, fvm_cell *away);
/* Replaces a jump or call in the slot at ip by the operation that goes directly to the slot of its
 * target, if there is one. It stays valid when the code there changes: the store resets that slot.
 */
void fvm_use_direct_target(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op);
/* Finds the longest superinstruction that matches the cells from ip on; false: none does. */
bool fvm_find_superinstruction(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op);

/* The cell's marks have changed: machine code that stores to it without a write barrier is
 * discarded. */
static inline void fvm_notify_marked(fvm *vm, fvm_addr cell) {
    if (FVM_UNLIKELY(vm->jit.watched[cell % FVM_WATCHED] != 0))
        vm->jit.hooks->on_cell_marked(vm, cell << 2);
}

#endif
