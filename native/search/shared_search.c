/* shared_search.c: what the threads of one search share besides the transposition table.
 *
 * Threads of alpha-beta share claims (claims.h).  Max^n and best-reply searches have no
 * transposition table through which threads could help each other.  Instead, threads search
 * different moves of the root.  The first thread owns the
 * iterations: it offers the moves of each one and takes them in order, from the front; the others,
 * the helpers, take them from the back and leave their results.  The first thread evaluates all
 * results in order, so the value and the best move are those of one thread.
 *
 * It may assume that all threads have the same position and the same list of moves.  Results of an
 * earlier offer are discarded.  A helper that is stopped gives its move back. */
#include "search/shared_search.h"
#include "search/spin_lock.h"

#include <stdlib.h>

typedef struct {
    fvm_root_state state;
    int32_t index; /* of the move in the list */
    fvm_root_result result;
} offered_move;

struct fvm_shared_search {
    fvm_claims claims;
    atomic_bool locked; /* the lock of the following fields */
    fvm_root_task task; /* the task of the current offer, except its move */
    bool open;          /* helpers may take moves */
    int32_t from, count, capacity;
    offered_move *moves;
};

static void lock(fvm_shared_search *shared) { fvm_spin_lock(&shared->locked); }
static void unlock(fvm_shared_search *shared) { fvm_spin_unlock(&shared->locked); }

fvm_shared_search *fvm_shared_search_new(void) { return calloc(1, sizeof(fvm_shared_search)); }

void fvm_shared_search_free(fvm_shared_search *shared) {
    if (shared != NULL)
        free(shared->moves);
    free(shared);
}

fvm_claims *fvm_shared_search_claims(fvm_shared_search *shared) { return &shared->claims; }

bool fvm_root_offer(fvm_shared_search *shared, const fvm_root_task *task, bool open,
                    const fvm_ordered_move *moves, int32_t from, int32_t count) {
    bool offered = true;
    lock(shared);
    if (count > shared->capacity) {
        offered_move *grown = realloc(shared->moves, (size_t)count * sizeof *grown);
        offered = grown != NULL;
        shared->moves = offered ? grown : shared->moves;
        shared->capacity = offered ? count : shared->capacity;
    }
    const int32_t offer = shared->task.offer + 1;
    shared->task = *task;
    shared->task.offer = offer;
    shared->open = open;
    shared->from = from;
    shared->count = offered ? count : 0;
    for (int32_t i = from; i < shared->count; i++) {
        shared->moves[i].state = ROOT_FREE;
        shared->moves[i].index = moves[i].index;
    }
    unlock(shared);
    return offered;
}

void fvm_root_raise(fvm_shared_search *shared, fvm_cell low) {
    lock(shared);
    shared->task.low = low;
    shared->open = true;
    unlock(shared);
}

void fvm_root_withdraw(fvm_shared_search *shared) {
    lock(shared);
    shared->task.offer++;
    shared->count = 0;
    unlock(shared);
}

fvm_root_state fvm_root_take_first(fvm_shared_search *shared, int32_t at, fvm_root_result *result) {
    lock(shared);
    offered_move *move = &shared->moves[at];
    const fvm_root_state state = move->state;
    if (state == ROOT_FREE)
        move->state = ROOT_TAKEN;
    else if (state == ROOT_DONE)
        *result = move->result;
    unlock(shared);
    return state;
}

bool fvm_root_take_last(fvm_shared_search *shared, fvm_root_task *task) {
    bool taken = false;
    lock(shared);
    for (int32_t i = shared->count; shared->open && !taken && i-- > shared->from;) {
        if (shared->moves[i].state != ROOT_FREE)
            continue;
        shared->moves[i].state = ROOT_TAKEN;
        *task = shared->task;
        task->at = i;
        task->index = shared->moves[i].index;
        taken = true;
    }
    unlock(shared);
    return taken;
}

void fvm_root_finish(fvm_shared_search *shared, const fvm_root_task *task,
                     const fvm_root_result *result) {
    lock(shared);
    if (task->offer == shared->task.offer) {
        shared->moves[task->at].state = result != NULL ? ROOT_DONE : ROOT_FREE;
        if (result != NULL)
            shared->moves[task->at].result = *result;
    }
    unlock(shared);
}
