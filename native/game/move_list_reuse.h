/* move_list_reuse.h: decides whether the second generation of a move list can be omitted.
 *
 * A host generates the list of a position, runs OnIsGameOver and generates the list again.  The
 * second list often equals the first. */
#ifndef FVM_MOVE_LIST_REUSE_H
#define FVM_MOVE_LIST_REUSE_H

#include "game/game.h"

enum {
    FVM_REUSE_PAGES = 64,     /* if more pages are dirty, the list is not reused */
    FVM_REUSE_CELLS = 5,      /* size of fvm_list_reuse.cells */
    FVM_GENERATION_CELLS = 13 /* size of fvm_list_reuse.written */
};

/* The first generation of a list. */
typedef struct {
    fvm *vm;
    uint64_t external_effects;      /* vm->external_effects before the list was generated */
    int64_t start_steps;            /* fvm_steps before the list was generated */
    int64_t steps;                  /* number of steps of the generation */
    bool text_depends_on_last_edit; /* see fvm_texts_depend_on_last_edit */
} fvm_first_list;

/* Must be called before the list is generated.  false: the list cannot be reused, for example
 * because another list exists, or because a trace or a step limit is active. */
bool fvm_first_list_begin(fvm_first_list *first, fvm *vm);
/* Must be called after the list has been generated. */
void fvm_first_list_made(fvm_first_list *first);
/* Must be called after OnIsGameOver.  Returns whether a second list would equal the first.  before,
 * after: the states before and after the generation of the first list. */
bool fvm_first_list_is_reusable(const fvm_first_list *first, const fvm_snapshot *before,
                                const fvm_snapshot *after);

/* The first generation of a list, for a caller that has no snapshots and needs only the number of
 * moves.  It contains copies of the dirty pages. */
typedef struct {
    fvm_first_list first;
    fvm_addr here; /* HERE before the generation */
    int count;     /* number of copied pages */
    uint32_t pages[FVM_REUSE_PAGES];
    uint8_t copies[FVM_REUSE_PAGES][FVM_PAGE];
    fvm_addr written[FVM_GENERATION_CELLS]; /* cells that a generation writes before it reads */
    fvm_scratch scratch;
    fvm_addr cells[FVM_REUSE_CELLS];  /* cells that locate the list and must not change */
    fvm_cell values[FVM_REUSE_CELLS]; /* values of these cells after the generation */
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
