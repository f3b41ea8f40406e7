/* memory_accesses.h: whether words use memory only where the analysis knows it. */
#ifndef FVM_MEMORY_ACCESSES_H
#define FVM_MEMORY_ACCESSES_H

#include "analysis/entry_words.h"
#include "game/guarded_memory.h"

/* How the words that run in a search find the memory that they use. */
typedef enum {
    FVM_ACCESS_NAMED,   /* by the names of variables, and of data of the board */
    FVM_ACCESS_INDEXED, /* also by indexes, which must be in bounds: see fvm_find_bounds */
    FVM_ACCESS_COMPUTED /* by addresses that they compute: they may use any memory */
} fvm_access;

fvm_access fvm_find_access(const fvm_entry_words *w);
/* Adds the bounds of all indexes to a guard; false: there are too many. */
bool fvm_find_bounds(const fvm_entry_words *w, fvm_guard *guard);

#endif
