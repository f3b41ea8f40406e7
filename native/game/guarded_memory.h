/* guarded_memory.h: run-time checks of what a search assumes about memory.
 *
 * Where the analysis of lists cannot prove that words write a variable or an array before they read
 * it, a search may assume it and check: each list, each hook, and each word whose moves are drawn
 * begin with FVM_UNWRITTEN in this memory, and the instructions that read it fail if they find this
 * value.  A search also assumes that indexes stay within their arrays and positions on the board;
 * the instructions that compute addresses from them fail otherwise.  After a failure the search
 * must repeat what it has done, and assumes nothing. */
#ifndef FVM_GUARDED_MEMORY_H
#define FVM_GUARDED_MEMORY_H

#include "game/game.h"

enum {
    FVM_GUARDED_VARIABLES = 32,
    FVM_GUARDED_CELLS = 2048 /* of all variables */
};

typedef struct fvm_guard {
    int32_t variables;
    fvm_addr start[FVM_GUARDED_VARIABLES];
    fvm_cell cells[FVM_GUARDED_VARIABLES];
    int32_t reads;
    fvm_addr read[FVM_GUARDED_READS]; /* where @, +!, ++ or -- read them */
    int32_t bounds;
    fvm_bound bound[FVM_BOUNDS];        /* indexes that must be in range */
    fvm_cell before[FVM_GUARDED_CELLS]; /* the cells' values when the guard began */
} fvm_guard;

/* Begins to check reads; false: there are too many. */
bool fvm_guard_begin(fvm *vm, fvm_guard *guard);
/* Ends a guard that has begun, and restores the memory that it has guarded. */
void fvm_guard_end(fvm *vm, const fvm_guard *guard);
/* Whether a word has read guarded memory before it was written, or an index was out of bounds. */
bool fvm_guard_failed(const fvm *vm, const fvm_guard *guard);
/* Forgets such a failure, which is not one of the script. */
void fvm_guard_clear_failure(fvm *vm);
/* Stores FVM_UNWRITTEN in the guarded variables; for the following function. */
void fvm_guard_fill(fvm *vm);
/* A list begins or continues, a word whose moves are drawn begins, or a hook of a position: what
 * has been written before counts as unwritten. */
static inline void fvm_guard_forget(fvm *vm) {
    if (FVM_UNLIKELY(vm->guard != NULL))
        fvm_guard_fill(vm);
}

#endif
