/* list_analysis.h: what a script can observe of lists, and of how they are generated. */
#ifndef FVM_LIST_ANALYSIS_H
#define FVM_LIST_ANALYSIS_H

#include "game/guarded_memory.h"
#include "game/list_facts.h"
#include "game/random_move.h"

/* Analyses the script.  This takes about 100 instructions for each byte of the dictionary. */
fvm_list_facts fvm_find_list_facts(fvm *vm);
/* The same, but assumes what cannot be proven about variables, as far as the level allows, if the
 * search guards them; guard->variables: how many it must guard. */
fvm_list_facts fvm_find_guarded_facts(fvm *vm, fvm_guard *guard, fvm_guard_level level);
/* Stores the move words that may add a pass, by a further analysis; returns their number, -1: there
 * are too many. */
int32_t fvm_find_passing_words(fvm *vm, fvm_addr passing[FVM_PASS_WORDS]);
/* Whether a search of so many steps is long enough for the analysis to pay, or the mode
 * demands it. */
bool fvm_is_worth_analysis(const fvm *vm, int64_t steps);

#endif
