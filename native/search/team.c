/* team.c: what the threads of one search share besides the transposition table.
 *
 * Threads of alpha-beta share claims (claims.h).  Max^n and best-reply searches have no
 * transposition table through which threads could help each other.  Instead, threads search
 * different moves of the root.  The first thread owns the
 * iterations: it offers the moves of each one and takes them in order, from the front; the others,
 * the helpers, take them from the back and leave their results.  The first thread evaluates all
 * results in order, so the value and the best move are those of one thread.  This file must not
 * know how a move is searched.
 *
 * It may assume that all threads have the same position and the same list of moves.  Results of an
 * earlier offer are discarded.  A helper that is stopped gives its move back. */
#include "search/team.h"
#include "search/spin_lock.h"

#include <stdlib.h>

typedef struct {
    fvm_root_state state;
    int32_t index; /* of the move in the list */
    fvm_root_result result;
} offered_move;

struct fvm_team {
    fvm_claims claims;
    atomic_bool locked; /* the lock of the following fields */
    fvm_root_task task; /* the task of the current offer, except its move */
    bool open;          /* helpers may take moves */
    int32_t from, count, capacity;
    offered_move *moves;
};

static void lock(fvm_team *team) { fvm_spin_lock(&team->locked); }
static void unlock(fvm_team *team) { fvm_spin_unlock(&team->locked); }

fvm_team *fvm_team_new(void) { return calloc(1, sizeof(fvm_team)); }

void fvm_team_free(fvm_team *team) {
    if (team != NULL)
        free(team->moves);
    free(team);
}

fvm_claims *fvm_team_claims(fvm_team *team) { return &team->claims; }

bool fvm_root_offer(fvm_team *team, const fvm_root_task *task, bool open,
                    const fvm_ordered_move *moves, int32_t from, int32_t count) {
    bool offered = true;
    lock(team);
    if (count > team->capacity) {
        offered_move *grown = realloc(team->moves, (size_t)count * sizeof *grown);
        offered = grown != NULL;
        team->moves = offered ? grown : team->moves;
        team->capacity = offered ? count : team->capacity;
    }
    const int32_t offer = team->task.offer + 1;
    team->task = *task;
    team->task.offer = offer;
    team->open = open;
    team->from = from;
    team->count = offered ? count : 0;
    for (int32_t i = from; i < team->count; i++) {
        team->moves[i].state = ROOT_FREE;
        team->moves[i].index = moves[i].index;
    }
    unlock(team);
    return offered;
}

void fvm_root_raise(fvm_team *team, fvm_cell low) {
    lock(team);
    team->task.low = low;
    team->open = true;
    unlock(team);
}

void fvm_root_withdraw(fvm_team *team) {
    lock(team);
    team->task.offer++;
    team->count = 0;
    unlock(team);
}

fvm_root_state fvm_root_take_first(fvm_team *team, int32_t at, fvm_root_result *result) {
    lock(team);
    offered_move *move = &team->moves[at];
    const fvm_root_state state = move->state;
    if (state == ROOT_FREE)
        move->state = ROOT_TAKEN;
    else if (state == ROOT_DONE)
        *result = move->result;
    unlock(team);
    return state;
}

bool fvm_root_take_last(fvm_team *team, fvm_root_task *task) {
    bool taken = false;
    lock(team);
    for (int32_t i = team->count; team->open && !taken && i-- > team->from;) {
        if (team->moves[i].state != ROOT_FREE)
            continue;
        team->moves[i].state = ROOT_TAKEN;
        *task = team->task;
        task->at = i;
        task->index = team->moves[i].index;
        taken = true;
    }
    unlock(team);
    return taken;
}

void fvm_root_finish(fvm_team *team, const fvm_root_task *task, const fvm_root_result *result) {
    lock(team);
    if (task->offer == team->task.offer) {
        team->moves[task->at].state = result != NULL ? ROOT_DONE : ROOT_FREE;
        if (result != NULL)
            team->moves[task->at].result = *result;
    }
    unlock(team);
}
