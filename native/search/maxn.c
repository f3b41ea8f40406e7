/* maxn.c: max^n, for more than two players (Luckhardt and Irani, 1986).
 *
 * A position has a value for each player, and the player to move takes the move with the greatest
 * value for that player, the first of equals.  Chance nodes are averaged.  There is no pruning. */
#include "search/iterative_deepening.h"

#include <stdlib.h>

/* --- max^n ------------------------------------------------------------------------ */

typedef struct {
    fvm_cell of[WALK_NUMBERS];
} scores;

static void clamp(fvm_cell *value) {
    if (*value > THINK_NEAR_WIN)
        *value = THINK_NEAR_WIN;
    else if (*value < -THINK_NEAR_WIN)
        *value = -THINK_NEAR_WIN;
}

static void evaluate_all(fvm_thinker *t, scores *result) {
    for (int32_t number = 1; number < WALK_NUMBERS && t->w->status == FVM_OK; number++)
        if ((t->seats >> number & 1) != 0) {
            t->result->evaluations++;
            result->of[number] = fvm_walk_evaluate(t->w, number);
            clamp(&result->of[number]);
        }
}

/* Whoever wins beats all others but his friends, whoever loses is beaten by them. */
static void decide_all(fvm_thinker *t, fvm_cell over, scores *result) {
    int32_t viewer = fvm_walk_viewer(t->w);
    fvm_cell value = fvm_think_decided(t, over);
    for (int32_t number = 1; number < WALK_NUMBERS; number++)
        if ((t->seats >> number & 1) != 0)
            result->of[number] = (t->sides[viewer] >> number & 1) != 0 ? value : -value;
}

static void maxn(fvm_thinker *t, int32_t depth, bool listed, int32_t passes, scores *result);

static void average_lots(fvm_thinker *t, int32_t depth, scores *result) {
    int32_t first, count = fvm_think_choices(t, -1, &first), samples = t->options->samples;
    int64_t sums[WALK_NUMBERS] = {0};
    bool sample = samples > 0 && samples < count;
    t->lots = t->lots || count > 1;
    int32_t tried = sample ? samples : count;
    for (int32_t i = 0; i < tried; i++) {
        scores one = {{0}};
        int32_t at = sample ? (int32_t)(fvm_think_random(t) % (uint32_t)count) : i;
        fvm_step step = fvm_walk_make(t->w, t->pool[first + at].move);
        if (step == WALK_FAILED)
            return;
        maxn(t, depth, step == WALK_PARTIAL, 0, &one);
        if (t->w->status != FVM_OK || t->stopped)
            return;
        fvm_walk_undo(t->w);
        for (int32_t number = 0; number < WALK_NUMBERS; number++)
            sums[number] += one.of[number];
    }
    t->pool_used = first;
    t->pv_length[t->w->ply] = 0;
    for (int32_t number = 0; number < WALK_NUMBERS; number++)
        result->of[number] = tried > 0 ? (fvm_cell)(sums[number] / tried) : 0;
}

static void best_for_mover(fvm_thinker *t, int32_t depth, scores *result) {
    int32_t mover = fvm_walk_mover(t->w), ply = t->w->ply, first;
    int32_t count = fvm_think_choices(t, -1, &first);
    for (int32_t i = 0; i < count; i++) {
        scores one = {{0}};
        fvm_choice choice = t->pool[first + i];
        fvm_step step = fvm_walk_make(t->w, choice.move);
        if (step == WALK_FAILED)
            return;
        int32_t left = step == WALK_PARTIAL ? depth - t->w->partial_cost : depth - 1;
        maxn(t, left, step == WALK_PARTIAL, 0, &one);
        if (t->w->status != FVM_OK || t->stopped)
            return;
        fvm_walk_undo(t->w);
        if (i == 0 || one.of[mover] > result->of[mover]) {
            *result = one;
            fvm_think_line(t, ply, choice.index);
        }
    }
    t->pool_used = first;
}

static void maxn(fvm_thinker *t, int32_t depth, bool listed, int32_t passes, scores *result) {
    fvm_walk *w = t->w;
    int32_t count = 0;
    fvm_addr first;
    t->result->nodes++;
    t->pv_length[w->ply] = 0;
    if (fvm_think_stop(t) || (!listed && fvm_walk_failed(w, fvm_generate_turn(w->vm))))
        return;
    count = fvm_walk_list(w, &first);
    if (!listed) {
        fvm_cell over = fvm_walk_over(w);
        if (w->status != FVM_OK || over == FVM_DRAW || (over == FVM_UNKNOWN && passes >= w->turns))
            return;
        if (over != FVM_UNKNOWN) {
            decide_all(t, over, result);
            return;
        }
    }
    bool chance = fvm_walk_chance(w);
    bool horizon = depth <= 0 && (!listed || w->partial_cost > 0) && !chance;
    if ((horizon && !fvm_think_goes_on(t, depth, count)) || w->ply >= WALK_PLIES - 2) {
        evaluate_all(t, result);
        return;
    }
    if (count == 0) {
        if (fvm_walk_pass(w) == WALK_FAILED)
            return;
        maxn(t, depth - 1, false, passes + 1, result);
        if (w->status != FVM_OK || t->stopped)
            return;
        fvm_walk_undo(w);
        fvm_think_line(t, w->ply, -1);
    } else if (chance) {
        average_lots(t, depth, result);
    } else {
        best_for_mover(t, depth, result);
    }
}

fvm_cell fvm_maxn_root(fvm_thinker *t, const fvm_choice *choice, int32_t depth) {
    scores result = {{0}};
    fvm_step step = fvm_walk_make(t->w, choice->move);
    if (step == WALK_FAILED)
        return 0;
    int32_t left = step == WALK_PARTIAL ? depth - t->w->partial_cost : depth - 1;
    maxn(t, left, step == WALK_PARTIAL, 0, &result);
    if (t->w->status == FVM_OK)
        fvm_walk_undo(t->w);
    memcpy(t->scores, result.of, sizeof t->scores);
    return result.of[t->root];
}
