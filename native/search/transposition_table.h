/* transposition_table.h: a transposition table that several threads may share without locks. */
#ifndef FVM_TRANSPOSITION_TABLE_H
#define FVM_TRANSPOSITION_TABLE_H

#include "forthvm.h"

#include <stdbool.h>
#include <stdint.h>

/* The kind of a stored value: an upper bound, a lower bound, or exact. */
enum { TT_UPPER = 1, TT_LOWER = 2, TT_EXACT = 3 };

typedef struct {
    fvm_cell value;
    int32_t depth; /* 0 to 255 */
    int32_t kind;
    int32_t move; /* index of the best move in the move list, -1: unknown */
} fvm_tt_entry;

/* Stores the entry with a key in *found; false: there is none. */
bool fvm_tt_find(const fvm_tt *tt, uint64_t key, fvm_tt_entry *found);
void fvm_tt_store(fvm_tt *tt, uint64_t key, const fvm_tt_entry *entry);

#endif
