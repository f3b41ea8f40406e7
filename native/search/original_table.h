/* original_table.h: the transposition table of the original engine's search.
 *
 * Included by original_search.c and original_nodes.c only. */
#ifndef FVM_ORIGINAL_TABLE_H
#define FVM_ORIGINAL_TABLE_H

#include "game/game.h"

enum { FVM_UPPER = 1, FVM_LOWER = 2, FVM_EXACT = 3 };

typedef struct {
    uint64_t key;
    uint64_t move; /* identity of a move, 0: none */
    fvm_cell value;
    int16_t depth;
    uint8_t kind; /* FVM_UPPER, FVM_LOWER or FVM_EXACT; 0: empty */
} fvm_table_entry;

/* Makes the table of a VM, unless it exists; false: no memory. */
bool fvm_original_table_make(fvm *vm);
/* Stores in *entry the entry of the current position, and in *key the position's key. */
fvm_status fvm_original_find(fvm *vm, fvm_table_entry **entry, uint64_t *key);
/* Begins to load the entry of the current position into the cache, because most are not there. */
void fvm_original_prefetch(fvm *vm);
/* Stores in *id a hash that identifies a move, never 0.  It depends on the move's code, on the move
 * word, and on the board position where the word ran. */
fvm_status fvm_original_identity(fvm *vm, fvm_addr move, uint64_t *id);
/* The value of an entry, for a position `ply` plies from the root. */
fvm_cell fvm_original_value(const fvm_table_entry *entry, int ply);
/* Replaces an entry.  move: the best move, 0: none. */
fvm_status fvm_original_store(fvm *vm, fvm_table_entry *entry, uint64_t key, int kind,
                              fvm_cell value, int depth, int ply, fvm_addr move);

#endif
