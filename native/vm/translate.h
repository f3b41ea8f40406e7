/* translate.h: how cells are read, shared by translate.c and those that build upon it. */
#ifndef FVM_TRANSLATE_H
#define FVM_TRANSLATE_H

#include "vm/vm.h"

#include "generated/ops.h"

/* The opcode of the word that the cell at addr names; *cfa: the word.  -1: none. */
int fvm_named_at(const fvm *vm, fvm_addr addr, fvm_addr *cfa);
/* Notes that translations rest on the cell at addr: FVM_CELL_… */
void fvm_mark(fvm *vm, fvm_addr addr, uint8_t how);
/* The operation and operands of the word at cfa, whose opcode is `code`, as one slot has them;
 * inlines: short library words have operations of their own, and what that rests on is marked. */
void fvm_decode_word(fvm *vm, fvm_addr cfa, int code, fvm_slot *slot, int *op, bool inlines);
enum { FVM_FARTHEST = 1 << 26 }; /* cells that a slot can say how far away another is */
/* Bytes from the slot behind that of ip to that of target; false: it has none, or is too far. */
bool fvm_away(fvm *vm, fvm_addr ip, fvm_addr target, fvm_cell *away);
/* Jumps and calls in the slot at ip, to where slots are, have operations of their own.  Such a slot
 * stays usable whatever becomes of the code there: stores to it start it anew. */
void fvm_direct(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op);
/* The longest superinstruction that the cells from ip on are, if any. */
bool fvm_find_superinstruction(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op);

/* Whether the cell behind a primitive belongs to it. */
static inline bool fvm_takes_inline(int op) {
    return op == FVM_OP_LIT || op == FVM_OP_BRANCH || op == FVM_OP_ZBRANCH ||
           op == FVM_OP_LOOP_STEP || op == FVM_OP_LOOP_ADD || op == FVM_OP_COMPILE;
}
/* Whether the fast loop has a call of that word in one slot, without a step. */
bool fvm_inlines(fvm *vm, fvm_addr cfa, int code);
/* The cell's marks have changed: code that stores to it without a write barrier ends. */
static inline void fvm_tell_marked(fvm *vm, fvm_addr cell) {
    if (FVM_UNLIKELY(vm->jit.watched[cell % FVM_WATCHED] != 0))
        vm->jit.hooks->marked(vm, cell << 2);
}

#endif
