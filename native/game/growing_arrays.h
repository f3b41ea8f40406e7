/* growing_arrays.h: the arrays of a script that it uses as growing lists or stacks.
 *
 * Included by growing_arrays.c and word_flow.c only. */
#ifndef FVM_GROWING_ARRAYS_H
#define FVM_GROWING_ARRAYS_H

#include "game/stack_effects.h"

/* Finds the growing arrays, and the instructions that read only cells that they have gained: see
 * f->cell_use.  Must be called when all variables have numbers.  reached: the words that run;
 * begins: those that the host runs. */
void fvm_find_growing_arrays(fvm_flow *f, fvm_stack_effects *effects, const bool *reached,
                             const bool *begins);

#endif
