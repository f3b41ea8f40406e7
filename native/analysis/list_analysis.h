/* list_analysis.h: what a script can observe of lists, and of how they are generated. */
#ifndef FVM_LIST_ANALYSIS_H
#define FVM_LIST_ANALYSIS_H

#include "game/guarded_memory.h"
#include "game/list_facts.h"

/* Analyses the script: returns what is proven for all positions that follow from the present
 * memory.  If the search may and does guard *guard, it may assume *guarded instead, which is the
 * same if that does not help. */
fvm_list_facts fvm_find_facts(fvm *vm, bool may_guard, fvm_guard *guard, fvm_list_facts *guarded);
/* Whether records of moves have texts, which no word reads that runs in a search: the same as the
 * fact texts_unread. */
bool fvm_are_texts_unread(fvm *vm);

#endif
