/* move_list_reuse.h: whether generating a move list a second time can be omitted. */
#ifndef FVM_MOVE_LIST_REUSE_H
#define FVM_MOVE_LIST_REUSE_H

#include "game/game.h"

enum { FVM_REUSE_PAGES = 32, FVM_REUSE_CELLS = 5, FVM_GENERATION_CELLS = 13 };

/* Whether the next list may be reused: there is no list yet, no trace and no step limit. */
bool fvm_list_is_reusable(const fvm *vm);
/* Whether memory is zero from an address on. */
bool fvm_is_wiped(const fvm *vm, fvm_addr from);
/* The highest HERE during the generation of the list; memory above it is not wiped afterwards. */
fvm_addr fvm_list_top(const fvm *vm);
/* The cells that every generation writes before they can be read. */
void fvm_cells_of_generation(const fvm *vm, fvm_addr cells[FVM_GENERATION_CELLS]);

typedef struct {
    fvm *vm;
    fvm_addr here;
    uint64_t external_effects; /* vm->external_effects before the list was generated */
    int64_t steps; /* fvm_steps before the list was generated; then the steps of its generation */
    int count;     /* number of copied pages */
    uint32_t pages[FVM_REUSE_PAGES];
    uint8_t copies[FVM_REUSE_PAGES][FVM_PAGE];
    fvm_addr writes[FVM_GENERATION_CELLS];
    fvm_addr
        cells[FVM_REUSE_CELLS]; /* cells that locate the list: OnIsGameOver must not change them */
    fvm_cell values[FVM_REUSE_CELLS]; /* their values after the generation */
} fvm_list_reuse;

/* Must be called before the list is generated.  false: the list cannot be reused; then the
 * functions below must not be called. */
bool fvm_reuse_begin(fvm_list_reuse *reuse, fvm *vm);
/* Must be called after the list has been generated. */
void fvm_reuse_list_made(fvm_list_reuse *reuse);
/* Must be called after OnIsGameOver, even if it failed.  Returns whether a second list would have
 * the same number of moves.  *steps: the number of steps that generating it would use. */
bool fvm_reuse_possible(fvm_list_reuse *reuse, int64_t *steps);

#endif
