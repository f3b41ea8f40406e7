/* move_list_reuse.h: a list of moves that need not be made twice to be counted. */
#ifndef FVM_MOVE_LIST_REUSE_H
#define FVM_MOVE_LIST_REUSE_H

#include "game/game.h"

enum { FVM_REUSE_PAGES = 32, FVM_REUSE_CELLS = 5, FVM_GENERATION_CELLS = 13 };

/* Whether two lists in a row can be alike at all: none is there, and nobody watches or counts. */
bool fvm_list_is_reusable(const fvm *vm);
/* Whether memory is zero from there on.  A list is written over memory that has been wiped, up to
 * the highest HERE that it reaches, where it is wiped again; what is beyond stays. */
bool fvm_is_wiped(const fvm *vm, fvm_addr from);
fvm_addr fvm_list_top(const fvm *vm); /* that highest HERE */
/* The cells that every generation writes before anybody may read them. */
void fvm_cells_of_generation(const fvm *vm, fvm_addr cells[FVM_GENERATION_CELLS]);

typedef struct {
    fvm *vm;
    fvm_addr here;
    uint64_t outside; /* what the host had noticed before the list */
    int64_t steps;    /* before it, then: what it took */
    int count;        /* copied pages */
    uint32_t pages[FVM_REUSE_PAGES];
    uint8_t copies[FVM_REUSE_PAGES][FVM_PAGE];
    fvm_addr writes[FVM_GENERATION_CELLS];
    fvm_addr cells[FVM_REUSE_CELLS]; /* where the list lies: they must stay as it leaves them */
    fvm_cell values[FVM_REUSE_CELLS];
} fvm_list_reuse;

/* Before the first list; false: this one cannot be kept, and there is nothing to end. */
bool fvm_reuse_begin(fvm_list_reuse *a, fvm *vm);
void fvm_reuse_list_made(fvm_list_reuse *a); /* it is there */
/* After the question, also where it failed: whether the second list would have as many moves,
 * and what steps it would take. */
bool fvm_reuse_possible(fvm_list_reuse *a, int64_t *steps);

#endif
