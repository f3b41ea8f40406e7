/* translate.h: decoding of compiled cells, for the translator, the superinstructions and the JIT.
 */
#ifndef FVM_TRANSLATE_H
#define FVM_TRANSLATE_H

#include "vm/vm.h"

#include "generated/ops.h"

/* The opcode of the word that the cell at addr names; *cfa: the word.  -1: none. */
int fvm_named_at(const fvm *vm, fvm_addr addr, fvm_addr *cfa);
/* Marks the cell at addr, because translations depend on it: FVM_CELL_… */
void fvm_mark(fvm *vm, fvm_addr addr, uint8_t how);
/* The operation and operands of the word at cfa, whose opcode is `code`, as one slot has them;
 * inlines: short library words have operations of their own, and the cells that this depends on are
 * marked. */
void fvm_decode_word(fvm *vm, fvm_addr cfa, int code, fvm_slot *slot, int *op, bool inlines);
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

/* Whether a primitive takes the next cell as its inline operand. */
static inline bool fvm_takes_inline(int op) {
    return op == FVM_OP_LIT || op == FVM_OP_BRANCH || op == FVM_OP_ZBRANCH ||
           op == FVM_OP_LOOP_STEP || op == FVM_OP_LOOP_ADD || op == FVM_OP_COMPILE;
}
/* Whether the inner interpreter runs a call of that word as one slot, without counting a step. */
bool fvm_inlines(fvm *vm, fvm_addr cfa, int code);
/* The cell's marks have changed: machine code that stores to it without a write barrier is
 * discarded. */
static inline void fvm_notify_marked(fvm *vm, fvm_addr cell) {
    if (FVM_UNLIKELY(vm->jit.watched[cell % FVM_WATCHED] != 0))
        vm->jit.hooks->on_cell_marked(vm, cell << 2);
}

#endif
