/* assumptions.h: what a search assumes about the script, from when on, and until when.
 *
 * A search leaves out work on lists that nothing reads.  Some of this is proven for the script;
 * more may be assumed if memory is guarded, which checks the assumptions at run time
 * (game/guarded_memory.h).  Every search does the same:
 *
 *   1. fvm_assumptions_open: every list is complete.
 *   2. fvm_assumptions_begin, whenever it is at the root: once the search is long enough, analyses
 *      the script and guards memory.
 *   3. fvm_assumptions_hold, when it is at the root again: false if an assumption was wrong.  Then
 * the search undoes what it has done since it began, or since it guarded memory, and repeats it
 *      with what is proven.
 *   4. fvm_assumptions_end. */
#ifndef FVM_ASSUMPTIONS_H
#define FVM_ASSUMPTIONS_H

#include "game/guarded_memory.h"
#include "game/list_facts.h"

typedef struct {
    fvm *vm;
    atomic_bool *unguarded; /* see fvm_assumptions_open */
    uint64_t effects;       /* vm->external_effects at the beginning */
    bool analysed;          /* the script has been analysed */
    bool tried;             /* the search has tried to guard memory */
    fvm_list_facts facts;   /* what the search uses: one of the following two, or nothing */
    fvm_list_facts proven;
    fvm_list_facts guarded; /* if memory is guarded; the same as `proven` if that does not help */
    fvm_guard guard;
} fvm_assumptions;

/* What guarded memory must allow, so that it is worth its checks. */
typedef enum {
    FVM_GUARD_NEVER,
    FVM_GUARD_FOR_LISTS, /* lists of positions whose moves are not searched may be incomplete */
    FVM_GUARD_FOR_DRAWS  /* random moves may be drawn */
} fvm_guard_purpose;

/* unguarded: set when an assumption is wrong, and read by all searches that share it: they use only
 * what is proven.  NULL: the search does so, too. */
void fvm_assumptions_open(fvm_assumptions *a, fvm *vm, atomic_bool *unguarded);
/* Analyses the script and guards memory, unless that has been done, or the search is too short.
 * Facts hold in the present position and in those after it.  steps: how many the search takes, as
 * far as that is known; rest: how many of them are still to come, during which memory would be
 * guarded.  Returns whether a->facts have changed. */
bool fvm_assumptions_begin(fvm_assumptions *a, int64_t steps, int64_t rest,
                           fvm_guard_purpose purpose);
/* false: an assumption was wrong.  Then the failure is forgotten, and only what is proven is used
 * from now on. */
bool fvm_assumptions_hold(fvm_assumptions *a);
/* Ends the guard, if there is one.  What is proven may still be used. */
void fvm_assumptions_end(fvm_assumptions *a);
/* Whether a search may guard memory: the host runs it, and it is not traced. */
bool fvm_may_guard(const fvm *vm, const atomic_bool *unguarded);

#endif
