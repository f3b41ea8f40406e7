/* word_flow.h: which variables and arrays of a script compiled words read before they write them.
 *
 * For the analysis of lists only (list_analysis.c). */
#ifndef FVM_WORD_FLOW_H
#define FVM_WORD_FLOW_H

#include "analysis/word_code.h"

/* The numbered variables that are arrays. */
fvm_variables fvm_flow_arrays(const fvm_program *p);
/* Computes the flow of the words in `reached`.  tokens: the words that EXECUTE may run. */
void fvm_flow_compute(fvm_program *p, const bool *reached, const bool *tokens);
/* The numbered variables whose addresses words in `reached` use in other ways. */
fvm_variables fvm_flow_escaped(const fvm_program *p, const bool *reached);

#endif
