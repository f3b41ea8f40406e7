/* array_fills.h: the arrays of a script, and the loops that write all cells of an array.
 *
 * For the analysis of lists only (word_code.c, word_flow.c). */
#ifndef FVM_ARRAY_FILLS_H
#define FVM_ARRAY_FILLS_H

#include "game/stack_effects.h"

/* The array of which a word computes the addresses of cells from indexes; -1: none.  Such words are
 * those made by `[]`, and definitions of the form `CELLS table +`. */
int32_t fvm_find_array(const fvm_flow *f, int32_t word);
/* The number of cells of an array. */
fvm_cell fvm_array_cells(const fvm_flow *f, int32_t array);
/* The numbered arrays of which all cells have been written when a loop ends.  back: the address of
 * the branch to its beginning.  Adds to *overrun those of which the loop uses cells that do not
 * exist. */
fvm_variables fvm_filled_arrays(fvm_stack_effects *effects, const fvm_code *code, fvm_addr back,
                                fvm_variables *overrun);

#endif
