/* playout.c: playouts, and the rewards of positions.
 *
 * A playout makes random moves to the end of the game, or to its limit, where OnEvaluate scores it.
 * Rewards are from 0 to 1, one for each player.  Of the tree it uses only the running mean of the
 * values of OnEvaluate; nodes are in mcts.c. */
#include "search/mcts.h"

#include <math.h>

static const double NEW_VALUE_WEIGHT = 0.02; /* of a value in the running mean of magnitudes */

/* --- rewards ---------------------------------------------------------------------- */

/* Sets the rewards of all players to the same value. */
static void reward_all(fvm_mcts *s, float reward) {
    for (int32_t i = 0; i < SEARCH_PLAYERS; i++)
        s->rewards[i] = reward;
}

int32_t fvm_mcts_side_number(const fvm_mcts *s, int32_t winner, int32_t mover) {
    uint32_t side = s->sides[winner];
    int32_t first = 0;
    while ((side >> first & 1) == 0)
        first++;
    return (side >> mover & 1) != 0 ? mover : first;
}

int32_t fvm_mcts_reward_decided(fvm_mcts *s, fvm_cell over, int32_t mover) {
    int32_t viewer = fvm_search_viewer(s->ss), winner = 0;
    if (over == FVM_DRAW || over == FVM_UNKNOWN) {
        reward_all(s, 0.5F);
        return TREE_DRAWN;
    }
    uint32_t side = s->sides[viewer], winners = over == FVM_WIN ? side : s->choosers & ~side;
    for (int32_t i = 0; i < SEARCH_PLAYERS; i++) {
        s->rewards[i] = (winners >> i & 1) != 0 ? 1.0F : 0.0F;
        winner = winner == 0 && (winners >> i & 1) != 0 ? i : winner;
    }
    return winner != 0 && (winners & ~s->sides[winner]) == 0
               ? fvm_mcts_side_number(s, winner, mover)
               : 0;
}

/* Adds the magnitude of a value to the running mean, and returns the mean, at least 1. */
static double update_scale(fvm_tree *tree, double size) {
    fvm_tree_lock(tree);
    tree->value_scale +=
        (size - tree->value_scale) * (tree->value_scale == 0 ? 1.0 : NEW_VALUE_WEIGHT);
    const double scale = tree->value_scale > 1 ? tree->value_scale : 1;
    fvm_tree_unlock(tree);
    return scale;
}

/* Values are divided by a unit and mapped to the range from 0 to 1 by the logistic function.  The
 * unit of OnEvaluate is the running mean of the magnitudes. */
void fvm_mcts_reward_evaluated(fvm_mcts *s) {
    reward_all(s, 0.5F);
    for (int32_t i = 1; i < SEARCH_PLAYERS; i++) {
        if ((s->choosers >> i & 1) == 0)
            continue;
        const double value = fvm_search_evaluate(s->ss, i);
        if (s->ss->status != FVM_OK)
            return;
        const double unit =
            s->ss->network != NULL ? s->ss->network->spec.unit : update_scale(s->tree, fabs(value));
        s->rewards[i] = (float)(0.5 + 0.5 * tanh(0.5 * value / unit));
    }
}

/* --- playouts --------------------------------------------------------------------- */

/* Whether random moves need complete lists: if equal moves count once, an outcome of a chance
 * player that several words generate must not be more likely, nor one of the few moves that
 * priorities leave. */
static bool needs_unique_moves(const fvm_search_stack *ss) {
    const fvm_library *lib = &ss->vm->lib;
    return (ss->chance != 0 || fvm_lib_get(ss->vm, lib->priorities) != 0) &&
           fvm_lib_get(ss->vm, lib->unique_moves) == -1;
}

void fvm_mcts_choose_lists(fvm_mcts *s) {
    fvm_random_begin(s->ss->vm, &s->selection, &s->random);
    s->selects_moves = s->ss->promises.draws && !needs_unique_moves(s->ss);
}

/* A random move of the newest list, 0 if it is empty. */
static fvm_addr random_listed_move(fvm_mcts *s) {
    fvm_addr first;
    int32_t count = fvm_search_newest_list(s->ss, &first);
    return count > 0 ? fvm_nth_move(s->ss->vm, first,
                                    (int32_t)(fvm_next_random(&s->random) % (uint32_t)count))
                     : 0;
}

bool fvm_mcts_out_of_steps(const fvm_mcts *s) {
    return s->options->steps > 0 && fvm_steps(s->ss->vm) - s->first_steps >= s->options->steps;
}

/* Whether a playout must end.  first_steps: fvm_steps at its beginning. */
static bool must_end_playout(const fvm_mcts *s, int64_t first_steps) {
    const int64_t limit = s->options->playout_steps;
    return fvm_mcts_out_of_steps(s) || (limit > 0 && fvm_steps(s->ss->vm) - first_steps >= limit);
}

void fvm_mcts_play_out(fvm_mcts *s) {
    fvm_search_stack *ss = s->ss;
    int32_t passes = 0, max_plies = s->options->playout_plies;
    reward_all(s, 0.5F);
    if (!fvm_search_begin_playout(ss))
        return;
    bool selected = false; /* `move` has been selected without a complete list */
    fvm_addr move = 0;
    int64_t first_steps = fvm_steps(ss->vm);
    for (int32_t plies = 0; plies < max_plies && !must_end_playout(s, first_steps); plies++) {
        if (!selected)
            move = random_listed_move(s);
        passes = move != 0 ? 0 : passes + 1;
        fvm_made step = fvm_search_playout_move(ss, move, plies == 0);
        s->result->plies++;
        if (step == MADE_FAILED)
            return;
        selected = step == MADE_TURN && s->selects_moves;
        if (step == MADE_PARTIAL)
            continue;
        fvm_cell over =
            selected ? fvm_search_random_move(ss, &s->selection, &move) : fvm_search_enter_turn(ss);
        if (ss->status != FVM_OK)
            return;
        if (over != FVM_UNKNOWN || passes >= ss->turn_order_length) {
            fvm_mcts_reward_decided(s, over, 0);
            return;
        }
    }
    if (selected && !ss->promises.parts && fvm_search_failed(ss, fvm_complete_drawn_list(ss->vm)))
        return;
    fvm_mcts_reward_evaluated(s);
}
