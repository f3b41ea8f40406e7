/* list_analysis.h: what a script can observe of lists, and of how they are generated. */
#ifndef FVM_LIST_ANALYSIS_H
#define FVM_LIST_ANALYSIS_H

#include "game/guarded_memory.h"
#include "game/list_facts.h"

/* Analyses the script.  This takes about 15 instructions for each byte of the dictionary. */
fvm_list_facts fvm_find_list_facts(fvm *vm);
/* The same, and finds what else may be assumed of memory, as far as the level allows, if the search
 * guards *guard; guard->variables is 0 if that is nothing, and *guarded is not set. */
fvm_list_facts fvm_find_guarded_facts(fvm *vm, fvm_guard_level level, fvm_guard *guard,
                                      fvm_list_facts *guarded);
/* Whether a search of so many steps is long enough for the analysis to pay, or the mode
 * demands it. */
bool fvm_is_worth_analysis(const fvm *vm, int64_t steps);

#endif
