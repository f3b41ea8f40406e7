/* move_list_reuse.h: decides whether generating a move list a second time can be omitted. */
#ifndef FVM_MOVE_LIST_REUSE_H
#define FVM_MOVE_LIST_REUSE_H

#include "game/game.h"

enum { FVM_REUSE_PAGES = 32, FVM_REUSE_CELLS = 5, FVM_GENERATION_CELLS = 13 };

/* Whether a list may be reused at all: there is no list yet, no trace and no step limit. */
bool fvm_list_is_reusable(const fvm *vm);
/* Whether memory is zero from there on.  A list is written to memory that has been wiped and is
 * wiped again afterwards, up to the highest HERE that it reaches; memory beyond is not wiped. */
bool fvm_is_wiped(const fvm *vm, fvm_addr from);
fvm_addr fvm_list_top(const fvm *vm); /* that highest HERE */
/* The cells that every generation writes before anything can read them. */
void fvm_cells_of_generation(const fvm *vm, fvm_addr cells[FVM_GENERATION_CELLS]);

typedef struct {
    fvm *vm;
    fvm_addr here;
    uint64_t external_effects; /* vm->external_effects before the list was generated */
    int64_t steps;             /* before the list was generated; then the steps of its generation */
    int count;                 /* copied pages */
    uint32_t pages[FVM_REUSE_PAGES];
    uint8_t copies[FVM_REUSE_PAGES][FVM_PAGE];
    fvm_addr writes[FVM_GENERATION_CELLS];
    fvm_addr cells[FVM_REUSE_CELLS]; /* where the list lies: they must stay as it leaves them */
    fvm_cell values[FVM_REUSE_CELLS];
} fvm_list_reuse;

/* Call before generating the list; false: it cannot be reused, and no other call is needed. */
bool fvm_reuse_begin(fvm_list_reuse *a, fvm *vm);
void fvm_reuse_list_made(fvm_list_reuse *a); /* it is there */
/* Call after OnIsGameOver, even if it failed: whether a second list would have the same number of
 * moves; *steps: the steps that generating it would take. */
bool fvm_reuse_possible(fvm_list_reuse *a, int64_t *steps);

#endif
