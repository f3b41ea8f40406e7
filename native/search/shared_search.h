/* shared_search.h: what the threads of one search share besides the transposition table. */
#ifndef FVM_SHARED_SEARCH_H
#define FVM_SHARED_SEARCH_H

#include "search/iterative_deepening.h"

/* How a helper is to search a move. */
typedef struct {
    int32_t offer;     /* number of the offer */
    int32_t depth;     /* of the iteration */
    fvm_cell low;      /* the lower bound of the window */
    bool chance_seen;  /* see fvm_deepening */
    int32_t at, index; /* the move: its rank in the order of the root, its index in the list */
} fvm_root_task;

typedef struct {
    fvm_cell value;
    fvm_cell scores[SEARCH_PLAYERS]; /* max^n: value for each player */
    int32_t line[FVM_LINE_MOVES];    /* the variation after the move */
    int32_t length;                  /* of the variation */
    bool chance_seen;                /* see fvm_deepening */
} fvm_root_result;

/* The claims of the threads. */
fvm_claims *fvm_shared_search_claims(fvm_shared_search *shared);

/* Offers the moves of an iteration from rank `from` on; false: no memory.  open: helpers may take
 * moves at once; else after fvm_root_raise. */
bool fvm_root_offer(fvm_shared_search *shared, const fvm_root_task *task, bool open,
                    const fvm_ordered_move *moves, int32_t from, int32_t count);
/* Sets the lower bound of the window. */
void fvm_root_raise(fvm_shared_search *shared, fvm_cell low);
/* Ends the offer. */
void fvm_root_withdraw(fvm_shared_search *shared);
/* States of a move: no thread searches it, a thread searches it, a helper has its result. */
typedef enum { ROOT_FREE, ROOT_TAKEN, ROOT_DONE } fvm_root_state;
/* The first thread takes a move if it is free.  Returns the state before; ROOT_DONE: *result is the
 * result of a helper. */
fvm_root_state fvm_root_take_first(fvm_shared_search *shared, int32_t at, fvm_root_result *result);
/* A helper takes the last move; false: there is none now. */
bool fvm_root_take_last(fvm_shared_search *shared, fvm_root_task *task);
/* A helper stores its result; NULL: it was stopped. */
void fvm_root_finish(fvm_shared_search *shared, const fvm_root_task *task,
                     const fvm_root_result *result);

#endif
