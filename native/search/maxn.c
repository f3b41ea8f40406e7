/* maxn.c: max^n, for more than two players (Luckhardt and Irani, 1986).
 *
 * A position has a value for each player.  The player to move chooses the move whose value for this
 * player is the greatest; of several such moves, the first.  Chance outcomes are averaged.  There
 * is no pruning. */
#include "search/iterative_deepening.h"

/* The values of a position by player number. */
typedef struct {
    fvm_cell of[SEARCH_PLAYERS];
} scores;

static void clamp(fvm_cell *value) {
    if (*value > SEARCH_NEAR_WIN)
        *value = SEARCH_NEAR_WIN;
    else if (*value < -SEARCH_NEAR_WIN)
        *value = -SEARCH_NEAR_WIN;
}

static void evaluate_all(fvm_deepening *t, scores *result) {
    for (int32_t number = 1; number < SEARCH_PLAYERS && t->ss->status == FVM_OK; number++)
        if ((t->choosers >> number & 1) != 0) {
            t->result->evaluations++;
            result->of[number] = fvm_search_evaluate(t->ss, number);
            clamp(&result->of[number]);
        }
}

/* Sets the scores of a decided position: the viewer's side wins or loses against all others. */
static void score_decided(fvm_deepening *t, fvm_cell over, scores *result) {
    int32_t viewer = fvm_search_viewer(t->ss);
    fvm_cell value = fvm_deepening_decided(t, over);
    for (int32_t number = 1; number < SEARCH_PLAYERS; number++)
        if ((t->choosers >> number & 1) != 0)
            result->of[number] = (t->sides[viewer] >> number & 1) != 0 ? value : -value;
}

static void maxn(fvm_deepening *t, int32_t depth, bool listed, int32_t passes, scores *result);

static void average_outcomes(fvm_deepening *t, int32_t depth, scores *result) {
    int32_t first, count = fvm_order_moves(t, -1, &first), tried = fvm_outcomes_tried(t, count);
    int64_t sums[SEARCH_PLAYERS] = {0};
    t->chance_seen = t->chance_seen || count > 1;
    for (int32_t i = 0; i < tried; i++) {
        scores outcome = {{0}};
        int32_t index = fvm_pick_outcome(t, i, count);
        fvm_made step = fvm_search_make(t->ss, t->pool[first + index].move);
        if (step == MADE_FAILED)
            return;
        maxn(t, depth, step == MADE_PARTIAL, 0, &outcome);
        if (fvm_deepening_ended(t))
            return;
        fvm_search_unmake(t->ss);
        for (int32_t number = 0; number < SEARCH_PLAYERS; number++)
            sums[number] += outcome.of[number];
    }
    t->pool_used = first;
    t->pv_length[t->ss->ply] = 0;
    for (int32_t number = 0; number < SEARCH_PLAYERS; number++)
        result->of[number] = tried > 0 ? (fvm_cell)(sums[number] / tried) : 0;
}

/* Makes a move, searches the position and unmakes the move, unless the search has ended. */
static void search_move(fvm_deepening *t, fvm_addr move, int32_t depth, scores *result) {
    const fvm_made step = fvm_search_make(t->ss, move);
    if (step == MADE_FAILED)
        return;
    const bool partial = step == MADE_PARTIAL;
    maxn(t, depth - (partial ? t->ss->partial_cost : 1), partial, 0, result);
    if (!fvm_deepening_ended(t))
        fvm_search_unmake(t->ss);
}

static void search_moves(fvm_deepening *t, int32_t depth, scores *result) {
    int32_t mover = fvm_search_mover(t->ss), ply = t->ss->ply, first;
    int32_t count = fvm_order_moves(t, -1, &first);
    for (int32_t i = 0; i < count; i++) {
        scores child = {{0}};
        const fvm_ordered_move choice = t->pool[first + i];
        search_move(t, choice.move, depth, &child);
        if (fvm_deepening_ended(t))
            return;
        if (i == 0 || child.of[mover] > result->of[mover]) {
            *result = child;
            fvm_deepening_extend_pv(t, ply, choice.index);
        }
    }
    t->pool_used = first;
}

static void maxn(fvm_deepening *t, int32_t depth, bool listed, int32_t passes, scores *result) {
    fvm_search_stack *ss = t->ss;
    int32_t count;
    fvm_cell over;
    if (!fvm_deepening_enter(t, listed, passes, &count, &over) || over == FVM_DRAW)
        return;
    if (over != FVM_UNKNOWN) {
        score_decided(t, over, result);
        return;
    }
    bool chance = fvm_search_is_chance(ss);
    bool horizon = fvm_deepening_horizon(t, depth, listed) && !chance;
    if ((horizon && !fvm_quiescence_continues(t, depth, count)) || fvm_deepening_deepest(t)) {
        evaluate_all(t, result);
        return;
    }
    if (count == 0) {
        if (fvm_search_pass(ss) == MADE_FAILED)
            return;
        maxn(t, depth - 1, false, passes + 1, result);
        if (fvm_deepening_ended(t))
            return;
        fvm_search_unmake(ss);
        fvm_deepening_extend_pv(t, ss->ply, -1);
    } else if (chance) {
        average_outcomes(t, depth, result);
    } else {
        search_moves(t, depth, result);
    }
}

fvm_cell fvm_maxn_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth) {
    scores result = {{0}};
    search_move(t, choice->move, depth, &result);
    memcpy(t->scores, result.of, sizeof t->scores);
    return result.of[t->root_player];
}
