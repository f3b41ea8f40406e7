/* scratch_memory.h: the ranges of memory that a script declares with {scratch ... scratch}.
 *
 * What a list of moves or OnIsGameOver leaves there influences nothing later. */
#ifndef FVM_SCRATCH_MEMORY_H
#define FVM_SCRATCH_MEMORY_H

#include "forthvm.h"

enum { FVM_SCRATCH_RANGES = 16 }; /* the constant `#ScratchRanges` of the library */

/* The ranges in ascending order of their addresses.  Each range consists of whole cells. */
typedef struct {
    int32_t count;
    struct {
        fvm_addr begin, end;
    } ranges[FVM_SCRATCH_RANGES];
} fvm_scratch;

/* Stores the ranges that the script has declared; none if it has damaged their table. */
void fvm_scratch_find(const fvm *vm, fvm_scratch *scratch);

/* The end of the range that contains a cell; `at` if no range does. */
static inline fvm_addr fvm_scratch_end(const fvm_scratch *scratch, fvm_addr at) {
    for (int32_t i = 0; i < scratch->count; i++)
        if (at >= scratch->ranges[i].begin && at < scratch->ranges[i].end)
            return scratch->ranges[i].end;
    return at;
}

#endif
