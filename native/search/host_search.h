/* host_search.h: begins and ends a native search that the host runs. */
#ifndef FVM_HOST_SEARCH_H
#define FVM_HOST_SEARCH_H

#include "game/game.h"

/* The state of the VM before a search. */
typedef struct {
    fvm_turn turn;
    fvm_cell *stack;
    fvm_cell searching; /* $searching */
    fvm_halt halt;
} fvm_host_search;

/* Saves the state and begins to watch the time.  seconds: 0: no limit.  Fails inside a run. */
fvm_status fvm_host_search_begin(fvm *vm, double seconds, fvm_host_search *saved);
/* Restores the state and returns the status of the search; *stopped is set if its time is up. */
fvm_status fvm_host_search_end(fvm *vm, const fvm_host_search *saved, fvm_status status,
                               int32_t *stopped);

#endif
