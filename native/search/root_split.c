/* root_split.c: the moves of the root, divided among threads.
 *
 * Max^n and best-reply searches have no transposition table through which threads could help each
 * other.  Instead, threads search different moves of the root.  The first thread owns the
 * iterations: it offers the moves of each one and takes them in order, from the front; the others,
 * the helpers, take them from the back and leave their results.  The first thread evaluates all
 * results in order, so the value and the best move are those of one thread.  This file must not
 * know how a move is searched.
 *
 * It may assume that all threads have the same position and the same list of moves.  Results of an
 * earlier offer are discarded.  A helper that is stopped gives its move back. */
#include "search/root_split.h"
#include "search/spin_lock.h"

#include <stdlib.h>

typedef struct {
    fvm_root_state state;
    int32_t index; /* of the move in the list */
    fvm_root_result result;
} offered_move;

struct fvm_root_split {
    atomic_bool locked;
    fvm_root_task task; /* the task of the current offer, except its move */
    bool open;          /* helpers may take moves */
    int32_t from, count, capacity;
    offered_move *moves;
};

static void lock(fvm_root_split *split) { fvm_spin_lock(&split->locked); }
static void unlock(fvm_root_split *split) { fvm_spin_unlock(&split->locked); }

fvm_root_split *fvm_root_split_new(void) { return calloc(1, sizeof(fvm_root_split)); }

void fvm_root_split_free(fvm_root_split *split) {
    if (split != NULL)
        free(split->moves);
    free(split);
}

bool fvm_root_offer(fvm_root_split *split, const fvm_root_task *task, bool open,
                    const fvm_ordered_move *moves, int32_t from, int32_t count) {
    bool offered = true;
    lock(split);
    if (count > split->capacity) {
        offered_move *grown = realloc(split->moves, (size_t)count * sizeof *grown);
        offered = grown != NULL;
        split->moves = offered ? grown : split->moves;
        split->capacity = offered ? count : split->capacity;
    }
    const int32_t offer = split->task.offer + 1;
    split->task = *task;
    split->task.offer = offer;
    split->open = open;
    split->from = from;
    split->count = offered ? count : 0;
    for (int32_t i = from; i < split->count; i++) {
        split->moves[i].state = ROOT_FREE;
        split->moves[i].index = moves[i].index;
    }
    unlock(split);
    return offered;
}

void fvm_root_raise(fvm_root_split *split, fvm_cell low) {
    lock(split);
    split->task.low = low;
    split->open = true;
    unlock(split);
}

void fvm_root_withdraw(fvm_root_split *split) {
    lock(split);
    split->task.offer++;
    split->count = 0;
    unlock(split);
}

fvm_root_state fvm_root_take_first(fvm_root_split *split, int32_t at, fvm_root_result *result) {
    lock(split);
    offered_move *move = &split->moves[at];
    const fvm_root_state state = move->state;
    if (state == ROOT_FREE)
        move->state = ROOT_TAKEN;
    else if (state == ROOT_DONE)
        *result = move->result;
    unlock(split);
    return state;
}

bool fvm_root_take_last(fvm_root_split *split, fvm_root_task *task) {
    bool taken = false;
    lock(split);
    for (int32_t i = split->count; split->open && !taken && i-- > split->from;) {
        if (split->moves[i].state != ROOT_FREE)
            continue;
        split->moves[i].state = ROOT_TAKEN;
        *task = split->task;
        task->at = i;
        task->index = split->moves[i].index;
        taken = true;
    }
    unlock(split);
    return taken;
}

void fvm_root_finish(fvm_root_split *split, const fvm_root_task *task,
                     const fvm_root_result *result) {
    lock(split);
    if (task->offer == split->task.offer) {
        split->moves[task->at].state = result != NULL ? ROOT_DONE : ROOT_FREE;
        if (result != NULL)
            split->moves[task->at].result = *result;
    }
    unlock(split);
}
