/* transposition_table.h: a transposition table that searches in several threads may share. */
#ifndef FVM_CACHE_H
#define FVM_CACHE_H

#include "forthvm.h"

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_UPPER = 1, CACHE_LOWER = 2, CACHE_EXACT = 3 };

typedef struct {
    fvm_cell value;
    int32_t depth; /* 0 to 255 */
    int32_t kind;
    int32_t move;  /* index in the list of moves, -1 none */
} fvm_cached;

bool fvm_cache_find(const fvm_cache *cache, uint64_t key, fvm_cached *found);
void fvm_cache_put(fvm_cache *cache, uint64_t key, const fvm_cached *entry);

#endif
