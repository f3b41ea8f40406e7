/* memory_accesses.h: whether words use memory only where the analysis knows it. */
#ifndef FVM_MEMORY_ACCESSES_H
#define FVM_MEMORY_ACCESSES_H

#include "analysis/entry_words.h"
#include "game/guarded_memory.h"

/* How the words that run in a search find the memory that they use. */
typedef enum {
    FVM_ACCESS_NAMED,   /* by the names of variables, and of data of the board */
    FVM_ACCESS_INDEXED, /* also by indexes, which must be in the bounds of the guard */
    FVM_ACCESS_COMPUTED /* by addresses that they compute, or there are too many bounds: they may
                           use any memory */
} fvm_access;

/* After fvm_add_search_words: finds this, and the bounds of all indexes. */
fvm_access fvm_find_access(const fvm_entry_words *w, fvm_guard *guard);

#endif
