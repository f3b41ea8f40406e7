/* original_guard.h: assumptions of the original's search about memory, which are checked.
 *
 * A long search may assume that words write memory before they read it, where that cannot be proven
 * (game/guarded_memory.h).  If a word breaks the assumption, the search restores the state when the
 * guard began, between two moves of the root, and continues from there without the assumption.
 *
 * Included by original_search.c only. */
#ifndef FVM_ORIGINAL_GUARD_H
#define FVM_ORIGINAL_GUARD_H

#include "game/guarded_memory.h"
#include "game/list_facts.h"
#include "search/original_table.h"

typedef struct {
    fvm_guard guard;
    fvm_list_facts facts; /* if the guard has checks: what the search may assume */
    fvm_snapshot *memory; /* before the guard began; NULL: it has not begun */
    fvm_table_entry *table;
    uint64_t noise;
} fvm_original_guard;

/* Begins to guard memory; returns false if that is not possible. */
bool fvm_original_guard_begin(fvm *vm, fvm_original_guard *g);
/* After a word has read guarded memory before it was written: ends the guard and restores memory
 * and the table. */
fvm_status fvm_original_guard_restore(fvm *vm, fvm_original_guard *g);
/* Ends the guard, and frees what has been saved. */
void fvm_original_guard_end(fvm *vm, fvm_original_guard *g);

#endif
