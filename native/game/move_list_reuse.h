/* move_list_reuse.h: a list of moves that need not be made twice to be counted. */
#ifndef FVM_AGAIN_H
#define FVM_AGAIN_H

#include "game/game.h"

enum { FVM_AGAIN_PAGES = 32, FVM_AGAIN_CELLS = 5, FVM_LIST_WRITES = 13 };

/* Whether two lists in a row can be alike at all: none is there, and nobody watches or counts. */
bool fvm_list_repeats(const fvm *vm);
/* Whether memory is zero from there on.  A list is written over memory that has been wiped, up to
 * the highest HERE that it reaches, where it is wiped again; what is beyond stays. */
bool fvm_is_wiped(const fvm *vm, fvm_addr from);
fvm_addr fvm_list_top(const fvm *vm); /* that highest HERE */
/* The cells that every generation writes before anybody may read them. */
void fvm_list_writes(const fvm *vm, fvm_addr cells[FVM_LIST_WRITES]);

typedef struct {
    fvm *vm;
    fvm_addr here;
    uint64_t outside; /* what the host had noticed before the list */
    int64_t steps;    /* before it, then: what it took */
    int count;        /* copied pages */
    uint32_t pages[FVM_AGAIN_PAGES];
    uint8_t copies[FVM_AGAIN_PAGES][FVM_PAGE];
    fvm_addr writes[FVM_LIST_WRITES];
    fvm_addr cells[FVM_AGAIN_CELLS]; /* where the list lies: they must stay as it leaves them */
    fvm_cell values[FVM_AGAIN_CELLS];
} fvm_again;

/* Before the first list; false: this one cannot be kept, and there is nothing to end. */
bool fvm_again_begin(fvm_again *a, fvm *vm);
void fvm_again_listed(fvm_again *a); /* it is there */
/* After the question, also where it failed: whether the second list would have as many moves,
 * and what steps it would take. */
bool fvm_again_same(fvm_again *a, int64_t *steps);

#endif
