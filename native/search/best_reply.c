/* best_reply.c: the best reply of all opponents together (Schadd and Winands, 2011).
 *
 * For more than two players.  After the moves of the root's player one opponent moves, the one
 * with the reply that hurts most; then it is the root's player's turn again.  What OnNextTurn
 * decides about the turns between is passed over, so positions may be reached that play cannot
 * reach: that is the method's price.  Lots are averaged; no table. */
#include "search/iterative_deepening.h"

static fvm_cell ours(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta, bool listed,
                     int32_t passes);

/* The offset of the first slot from `offset` on that belongs to a player, -1 for none. */
static fvm_cell slot_of(fvm_thinker *t, fvm_cell offset, int32_t number) {
    fvm *vm = t->w->vm;
    fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order, 0);
    for (int32_t i = 0; i <= t->w->turns; i++) {
        fvm_cell player = 0;
        if (!fvm_in(vm, order + (fvm_addr)offset, 4) ||
            fvm_walk_failed(t->w, fvm_call(vm, (fvm_addr)fvm_get(vm, order + (fvm_addr)offset),
                                           &player)))
            return -1;
        if (FVM_PLAYER_NUMBER(player) == number)
            return offset;
        offset = fvm_plus(offset, 12);
        if (offset >= fvm_lib_get(vm, vm->lib.turn_limit, 0))
            offset = fvm_lib_get(vm, vm->lib.repeat_offset, 0);
    }
    return -1;
}

/* Makes it the turn of that slot, as the library does. */
static bool set_turn(fvm_thinker *t, fvm_cell offset) {
    fvm *vm = t->w->vm;
    fvm_addr word = fvm_find_in(vm, FVM_K_FORTH, "$SetTurn", 8);
    fvm_cell *base = vm->sp;
    if (offset < 0 || word == 0)
        return !fvm_walk_failed(t->w, fvm_fail(vm, FVM_ERR_LIBRARY, 0, "$SetTurn"));
    fvm_status status = fvm_put_top(vm, offset);
    if (status == FVM_OK)
        status = fvm_run_event(vm, word + 12);
    fvm_set_stack(vm, base);
    return !fvm_walk_failed(t->w, status);
}

static bool is_ours(const fvm_thinker *t) { return fvm_walk_mover(t->w) == t->root; }

/* The replies on the newest list, each to its end where it has parts; true when one refutes. */
static bool replies_on(fvm_thinker *t, int32_t depth, fvm_cell back, fvm_cell alpha,
                       fvm_cell *beta, fvm_cell *worst) {
    fvm_walk *w = t->w;
    int32_t first, count = fvm_think_choices(t, -1, &first);
    bool refuted = false;
    for (int32_t i = 0; i < count && !refuted; i++) {
        fvm_think_pick(t, first + i, first + count);
        fvm_choice choice = t->pool[first + i];
        fvm_step step = fvm_walk_make(w, choice.move);
        if (step == WALK_FAILED || (step == WALK_TURN && !set_turn(t, back)))
            return false;
        if (step == WALK_PARTIAL && w->ply < WALK_PLIES - 2) {
            t->result->nodes++;
            refuted = !fvm_think_stop(t) && replies_on(t, depth, back, alpha, beta, worst);
        } else {
            fvm_cell value = step == WALK_PARTIAL ? fvm_think_evaluate(t, 0)
                                                  : ours(t, depth - 1, alpha, *beta, false, 0);
            if (value < *worst)
                *worst = value;
            if (value < *beta)
                *beta = value;
            refuted = *beta <= alpha;
        }
        if (w->status != FVM_OK || t->stopped)
            return false;
        fvm_walk_undo(w);
        if (refuted)
            fvm_think_reward(t, &choice, depth);
    }
    t->pool_used = first;
    return refuted;
}

/* All replies of one opponent; true when one refutes. */
static bool replies_of(fvm_thinker *t, int32_t depth, fvm_cell offset, int32_t number,
                       fvm_cell alpha, fvm_cell *beta, fvm_cell *worst) {
    fvm_cell slot = slot_of(t, offset, number), back = slot_of(t, offset, t->root);
    if (slot < 0 || !set_turn(t, slot) || fvm_walk_failed(t->w, fvm_generate_turn(t->w->vm)))
        return false;
    return replies_on(t, depth, back, alpha, beta, worst);
}

/* It is some opponent's turn: the strongest reply of any. */
static fvm_cell theirs(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta) {
    fvm_walk *w = t->w;
    fvm *vm = w->vm;
    fvm_cell worst = THINK_INFINITY;
    int32_t count;
    fvm_addr list;
    t->result->nodes++;
    t->pv_length[w->ply] = 0;
    if (fvm_think_stop(t) || fvm_walk_failed(w, fvm_generate_turn(vm)))
        return 0;
    fvm_cell over = fvm_walk_over(w);
    if (w->status != FVM_OK || over == FVM_DRAW)
        return 0;
    if (over != FVM_UNKNOWN) {
        fvm_cell value = fvm_think_decided(t, over);
        return fvm_think_side(t, fvm_walk_viewer(w)) == 0 ? value : -value;
    }
    count = fvm_walk_list(w, &list);
    if (fvm_walk_chance(w) && count == 0) {
        if (w->ply >= WALK_PLIES - 2 || fvm_walk_pass(w) == WALK_FAILED)
            return 0;
        fvm_cell value = is_ours(t) ? ours(t, depth - 1, alpha, beta, false, 1)
                                    : theirs(t, depth - 1, alpha, beta);
        if (w->status == FVM_OK && !t->stopped)
            fvm_walk_undo(w);
        return value;
    }
    if (fvm_walk_chance(w)) {
        int64_t sum = 0;
        int32_t first;
        count = fvm_think_choices(t, -1, &first);
        t->lots = t->lots || count > 1;
        for (int32_t i = 0; i < count; i++) {
            if (fvm_walk_make(w, t->pool[first + i].move) == WALK_FAILED)
                return 0;
            sum += is_ours(t) ? ours(t, depth, -THINK_INFINITY, THINK_INFINITY, false, 0)
                              : theirs(t, depth, -THINK_INFINITY, THINK_INFINITY);
            if (w->status != FVM_OK || t->stopped)
                return 0;
            fvm_walk_undo(w);
        }
        t->pool_used = first;
        return (fvm_cell)(sum / count);
    }
    if (depth <= 0 || w->ply >= WALK_PLIES - 2)
        return fvm_think_evaluate(t, 0);
    fvm_cell offset = fvm_lib_get(vm, vm->lib.turn_offset, 0);
    fvm_turn turn;
    fvm_turn_save(vm, &turn);
    for (int32_t number = 1; number < WALK_NUMBERS; number++) {
        if (number == t->root || (t->seats >> number & 1) == 0 || fvm_think_side(t, number) == 0)
            continue;
        bool refuted = replies_of(t, depth, offset, number, alpha, &beta, &worst);
        if (w->status != FVM_OK || t->stopped)
            return 0;
        fvm_turn_restore(vm, &turn);
        if (refuted)
            return worst;
    }
    return worst == THINK_INFINITY ? fvm_think_evaluate(t, 0) : worst; /* nobody can reply */
}

static fvm_cell after(fvm_thinker *t, fvm_step step, int32_t depth, fvm_cell alpha, fvm_cell beta) {
    if (step == WALK_PARTIAL)
        return ours(t, depth - t->w->partial_cost, alpha, beta, true, 0);
    return is_ours(t) ? ours(t, depth - 1, alpha, beta, false, 0)
                      : theirs(t, depth - 1, alpha, beta);
}

static fvm_cell ours(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta, bool listed,
                     int32_t passes) {
    fvm_walk *w = t->w;
    int32_t count = 0, ply = w->ply, first;
    fvm_addr list;
    fvm_cell best = -THINK_INFINITY;
    t->result->nodes++;
    t->pv_length[ply] = 0;
    if (fvm_think_stop(t) || (!listed && fvm_walk_failed(w, fvm_generate_turn(w->vm))))
        return 0;
    count = fvm_walk_list(w, &list);
    if (!listed) {
        fvm_cell over = fvm_walk_over(w);
        if (w->status != FVM_OK || over == FVM_DRAW || (over == FVM_UNKNOWN && passes >= w->turns))
            return 0;
        if (over != FVM_UNKNOWN)
            return fvm_think_decided(t, over);
    }
    if ((depth <= 0 && (!listed || w->partial_cost > 0) && !fvm_think_goes_on(t, depth, count)) ||
        ply >= WALK_PLIES - 2)
        return w->status != FVM_OK ? 0 : fvm_think_evaluate(t, 0);
    if (count == 0) {
        if (fvm_walk_pass(w) == WALK_FAILED)
            return 0;
        best = is_ours(t) ? ours(t, depth - 1, alpha, beta, false, passes + 1)
                          : theirs(t, depth - 1, alpha, beta);
        if (w->status == FVM_OK && !t->stopped)
            fvm_walk_undo(w);
        return best;
    }
    count = fvm_think_choices(t, -1, &first);
    for (int32_t i = 0; i < count && best < beta; i++) {
        fvm_think_pick(t, first + i, first + count);
        fvm_choice choice = t->pool[first + i];
        fvm_step step = fvm_walk_make(w, choice.move);
        if (step == WALK_FAILED)
            return 0;
        fvm_cell value = after(t, step, depth, best > alpha ? best : alpha, beta);
        if (w->status != FVM_OK || t->stopped)
            return 0;
        fvm_walk_undo(w);
        if (value > best) {
            best = value;
            fvm_think_line(t, ply, choice.index);
        }
        if (value >= beta)
            fvm_think_reward(t, &choice, depth);
    }
    t->pool_used = first;
    return best;
}

fvm_cell fvm_brs_root(fvm_thinker *t, const fvm_choice *choice, int32_t depth, fvm_cell alpha,
                      fvm_cell beta) {
    fvm_step step = fvm_walk_make(t->w, choice->move);
    if (step == WALK_FAILED)
        return 0;
    fvm_cell value = after(t, step, depth, alpha, beta);
    if (t->w->status == FVM_OK)
        fvm_walk_undo(t->w);
    return value;
}
