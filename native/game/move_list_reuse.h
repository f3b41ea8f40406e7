/* move_list_reuse.h: decides whether the second generation of a move list can be omitted.
 *
 * A host generates the list of a position, runs OnIsGameOver and generates the list again.  The
 * second list often equals the first. */
#ifndef FVM_MOVE_LIST_REUSE_H
#define FVM_MOVE_LIST_REUSE_H

#include "game/game.h"

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

#endif
