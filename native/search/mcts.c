/* mcts.c: Monte Carlo tree search for any number of players.
 *
 * UCT (Kocsis and Szepesvari, 2006) with progressive history (Nijssen and Winands, 2011): moves
 * that were good in other positions are tried early.  Results of decided positions are propagated
 * as proofs (Winands, Bjornsson and Saito, 2008).  Each node stores the rewards of the player whose
 * move leads to it, so any turn order is possible.  Chance outcomes are selected at random.  A
 * playout that exceeds its limit is scored by OnEvaluate.  This file must not know how nodes are
 * allocated (mcts_tree.c). */
#include "search/mcts_tree.h"

#include <math.h>
#include <stdlib.h>

enum {
    HISTORY_MASK = FVM_TREE_HISTORY - 1,
    CLOCK_INTERVAL = 8 /* iterations between two readings of the clock */
};
static const double NEW_VALUE_WEIGHT = 0.02; /* of a value in the running mean of magnitudes */
/* Bounds of children that are selected before all others, or after them. */
static const double WON_BOUND = 1e6, UNVISITED_BOUND = 1e3, LOST_BOUND = -1e6;

typedef struct {
    fvm_search_stack *ss;
    fvm_tree *tree;
    const fvm_tree_options *options;
    fvm_tree_result *result;
    uint32_t choosers;              /* players who choose moves, a bit per player number */
    uint32_t sides[SEARCH_PLAYERS]; /* for each player, the players who win together with it */
    uint64_t random;                /* state of the random numbers */
    double deadline;                /* in seconds, by fvm_now; 0: none */
    int32_t clock_countdown;        /* iterations until the clock is read again */
    int32_t path[SEARCH_PLIES];     /* nodes from the root to the leaf */
    uint32_t slots[SEARCH_PLIES];   /* history slot of the move into each node of the path */
    int32_t path_length;
    float rewards[SEARCH_PLAYERS]; /* of the last playout or evaluation, by player number */
    int32_t playouts;              /* number of playouts begun */
    int64_t first_steps;           /* fvm_steps at the beginning of the search */
    bool selects_moves;            /* playouts use random move selection, without complete lists */
    bool evaluates_lists;          /* OnEvaluate needs the complete list even so */
    fvm_random_selection selection;
    /* state before the search, restored at its end */
    fvm_turn turn;
    fvm_cell *base;
    fvm_cell searching;
    fvm_halt outer;
} search;

static uint32_t next_random(search *s) { return fvm_next_random(&s->random); }

/* The n-th move after a move of a list. */
static fvm_addr nth_move(const fvm *vm, fvm_addr move, int32_t n) {
    while (n-- > 0 && move != 0)
        move = fvm_next_move(vm, move);
    return move;
}

/* --- rewards ---------------------------------------------------------------------- */

/* Sets the rewards of all players to the same value. */
static void reward_all(search *s, float reward) {
    for (int32_t i = 0; i < SEARCH_PLAYERS; i++)
        s->rewards[i] = reward;
}

/* The player number that represents a winning side in the proof of a node: the player whose move
 * leads to the node, if that player is on the side, else the side's lowest player number. */
static int32_t side_number(const search *s, int32_t winner, int32_t mover) {
    uint32_t side = s->sides[winner];
    int32_t first = 0;
    while ((side >> first & 1) == 0)
        first++;
    return (side >> mover & 1) != 0 ? mover : first;
}

/* Sets the rewards of a decided position and returns the proof of its node: a player number,
 * TREE_DRAWN, or 0 if the winners are on several sides.  mover: the player whose move leads to the
 * node. */
static int32_t reward_decided(search *s, fvm_cell over, int32_t mover) {
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
    return winner != 0 && (winners & ~s->sides[winner]) == 0 ? side_number(s, winner, mover) : 0;
}

/* Sets the rewards by OnEvaluate.  Values are divided by the running mean of their magnitude and
 * mapped to the range from 0 to 1. */
static void reward_evaluated(search *s) {
    reward_all(s, 0.5F);
    for (int32_t i = 1; i < SEARCH_PLAYERS; i++) {
        if ((s->choosers >> i & 1) == 0)
            continue;
        double value = fvm_search_evaluate(s->ss, i), size = fabs(value);
        s->tree->value_scale +=
            (size - s->tree->value_scale) * (s->tree->value_scale == 0 ? 1.0 : NEW_VALUE_WEIGHT);
        double scale = s->tree->value_scale > 1 ? s->tree->value_scale : 1;
        s->rewards[i] = (float)(0.5 + 0.5 * tanh(0.5 * value / scale));
    }
}

/* --- playouts --------------------------------------------------------------------- */

/* Whether outcomes of chance players need complete lists: if equal moves count once, an outcome
 * that several words generate must not be more likely. */
static bool chance_needs_lists(const fvm_search_stack *ss) {
    return ss->chance != 0 && fvm_lib_get(ss->vm, ss->vm->lib.unique_moves, 0) == -1;
}

/* Decides, before the second playout, whether playouts work without complete lists.  The analysis
 * takes about as long as a playout, so a search with a single playout omits it. */
static void analyse_generator(search *s) {
    if (s->playouts++ != 1)
        return;
    s->selects_moves = !chance_needs_lists(s->ss) && fvm_move_words_are_independent(s->ss->vm) &&
                       fvm_game_over_ignores_list(s->ss->vm);
    s->evaluates_lists = s->selects_moves && !fvm_evaluation_ignores_list(s->ss->vm);
    s->selection = (fvm_random_selection){.random = &s->random, .max_moves = 1};
}

/* A random move of the newest list, 0 if it is empty. */
static fvm_addr random_listed_move(search *s) {
    fvm_addr first;
    int32_t count = fvm_search_newest_list(s->ss, &first);
    return count > 0 ? nth_move(s->ss->vm, first, (int32_t)(next_random(s) % (uint32_t)count)) : 0;
}

/* Whether the step limit is reached.  Steps do not depend on the machine, so searches limited by
 * steps are reproducible. */
static bool out_of_steps(const search *s) {
    return s->options->steps > 0 && fvm_steps(s->ss->vm) - s->first_steps >= s->options->steps;
}

/* Whether a playout must end.  first_steps: fvm_steps at its beginning. */
static bool must_end_playout(const search *s, int64_t first_steps) {
    const int64_t limit = s->options->playout_steps;
    return out_of_steps(s) || (limit > 0 && fvm_steps(s->ss->vm) - first_steps >= limit);
}

/* Plays random moves from the position of the newest list, which is not decided, and sets the
 * rewards. */
static void play_out(search *s) {
    fvm_search_stack *ss = s->ss;
    int32_t passes = 0, max_plies = s->options->playout_plies;
    reward_all(s, 0.5F);
    analyse_generator(s);
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
            reward_decided(s, over, 0);
            return;
        }
    }
    if (selected && s->evaluates_lists &&
        (fvm_search_failed(ss, fvm_free_list(ss->vm)) || !fvm_search_generate(ss, 0)))
        return;
    reward_evaluated(s);
}

/* --- selection -------------------------------------------------------------------- */

static uint32_t history_slot(search *s, fvm_addr move) {
    fvm_move_cells cells;
    uint32_t id =
        fvm_move_cells_at(s->ss->vm, move, &cells) ? (uint32_t)fvm_get(s->ss->vm, cells.hash) : 0;
    return (uint32_t)fvm_mix(((uint64_t)(uint32_t)fvm_search_mover(s->ss) << 32) | id) &
           HISTORY_MASK;
}

/* Selects a child of a node by its upper confidence bound; returns the index of its move.  A small
 * random number breaks ties. */
static int32_t select_child(search *s, int32_t index, fvm_addr first, int32_t count) {
    const fvm_tree_node *node = &s->tree->nodes[index];
    int32_t best = 0, mover = fvm_search_mover(s->ss);
    double bound = -1e30, logarithm = log((double)node->visits + 1);
    fvm_addr move = first;
    for (int32_t i = 0; i < count && move != 0; i++, move = fvm_next_move(s->ss->vm, move)) {
        const fvm_tree_node *child = &s->tree->nodes[node->first + i];
        uint32_t slot = s->options->history > 0 ? history_slot(s, move) : 0;
        int32_t visits = s->options->history > 0 ? s->tree->history_visits[slot] : 0;
        double past_mean = visits > 0 ? (double)s->tree->history_sum[slot] / visits : 0.5;
        double value, noise = (next_random(s) & 0xFFFF) * 1e-9;
        if (child->proof == 0 && s->options->priors != 0) {
            double mean = child->visits > 0 ? (double)child->sum / child->visits : 0.5;
            value = mean + s->options->exploration * child->prior * sqrt((double)node->visits + 1) /
                               (1 + child->visits);
        } else if (child->proof != 0) {
            value = child->proof == mover        ? WON_BOUND
                    : child->proof == TREE_DRAWN ? 0.5
                                                 : LOST_BOUND;
        } else if (child->visits == 0) {
            value = UNVISITED_BOUND + past_mean; /* each child is selected once before any twice */
        } else {
            double mean = (double)child->sum / child->visits;
            value = mean + s->options->exploration * sqrt(logarithm / child->visits);
            if (s->options->history > 0)
                value += s->options->history * past_mean / (child->visits * (1 - mean) + 1);
        }
        if (value + noise > bound) {
            bound = value + noise;
            best = i;
        }
    }
    return best;
}

/* Derives the proof of a node from the proofs of its children. */
static void prove(search *s, int32_t index, int32_t mover, bool chance) {
    fvm_tree_node *node = &s->tree->nodes[index];
    bool all_proven = true, drawn = false;
    int32_t winner = 0, node_mover = index == 0 ? mover : node->mover;
    for (int32_t i = 0; i < node->count; i++) {
        int32_t proof = s->tree->nodes[node->first + i].proof;
        if (proof == 0) {
            all_proven = false;
            continue;
        }
        if (proof == mover && !chance) {
            node->proof = side_number(s, mover, node_mover);
            return;
        }
        drawn = drawn || proof == TREE_DRAWN;
        winner = winner == 0 || winner == proof ? proof : -1; /* -1: proofs differ */
    }
    if (!all_proven || node->count == 0)
        return;
    if (drawn && (!chance || winner == TREE_DRAWN))
        node->proof = TREE_DRAWN;
    else if (winner > 0)
        node->proof = side_number(s, winner, node_mover);
}

static void backpropagate(search *s) {
    for (int32_t i = 0; i < s->path_length; i++) {
        fvm_tree_node *node = &s->tree->nodes[s->path[i]];
        float reward = s->rewards[node->mover];
        node->visits++;
        node->sum += reward;
        if (i > 0) {
            s->tree->history_sum[s->slots[i]] += reward;
            s->tree->history_visits[s->slots[i]]++;
        }
    }
}

/* A selected leaf, and the nodes on the path to it. */
typedef struct {
    int32_t movers[SEARCH_PLIES]; /* numbers of the players to move at the nodes */
    bool chances[SEARCH_PLIES];   /* whether the nodes are chance nodes */
    int32_t index;                /* index of the leaf in the tree */
    int32_t count;                /* number of the leaf's moves */
    bool decided;                 /* the game is over at the leaf */
} leaf;

/* Selects a leaf by making moves from the root to a node without children.  lazy: a node gets its
 * children at its second visit; else the caller adds them at the first.  The newest list must be
 * the root's list.  Afterwards the search stack is at the leaf. */
static void select_leaf(search *s, leaf *l, bool lazy) {
    fvm_search_stack *ss = s->ss;
    fvm *vm = ss->vm;
    int32_t passes = 0;
    fvm_addr first;
    *l = (leaf){.index = 0};
    s->path_length = 1;
    s->path[0] = 0;
    l->count = fvm_search_newest_list(ss, &first);
    while (ss->ply < SEARCH_PLIES - 3) { /* a playout from the leaf needs frames, too */
        int32_t last = s->path_length - 1;
        l->movers[last] = fvm_search_mover(ss);
        l->chances[last] = fvm_search_is_chance(ss);
        fvm_tree_node *node = &s->tree->nodes[l->index];
        /* A position without moves has one child, a pass.  Chance nodes are not leaves. */
        if (node->first == 0 && ((lazy && (node->visits > 0 || l->index == 0)) ||
                                 (!lazy && l->chances[last]) || l->count == 0)) {
            if (!fvm_tree_expand(s->tree, l->index, l->count > 0 ? l->count : 1))
                return;
            node = &s->tree->nodes[l->index];
        }
        if (node->first == 0)
            return;
        int32_t children = l->count > 0 ? (l->count < node->count ? l->count : node->count) : 1;
        int32_t child = l->count == 0      ? 0
                        : l->chances[last] ? (int32_t)(next_random(s) % (uint32_t)children)
                                           : select_child(s, l->index, first, children);
        fvm_addr move = l->count > 0 ? nth_move(vm, first, child) : 0;
        s->slots[s->path_length] = move != 0 ? history_slot(s, move) : 0;
        l->index = node->first + child;
        s->tree->nodes[l->index].mover = l->movers[last];
        s->path[s->path_length++] = l->index;
        fvm_made step = move != 0 ? fvm_search_make(ss, move) : fvm_search_pass(ss);
        if (step == MADE_FAILED)
            return;
        passes = move != 0 ? 0 : passes + 1;
        if (step == MADE_TURN) {
            fvm_cell over = fvm_search_enter_turn(ss);
            if (ss->status != FVM_OK)
                return;
            if (over != FVM_UNKNOWN || passes >= ss->turn_order_length) {
                s->tree->nodes[l->index].proof = reward_decided(s, over, l->movers[last]);
                l->decided = true;
                return;
            }
        }
        l->count = fvm_search_newest_list(ss, &first);
    }
}

/* Propagates the proof of the leaf towards the root. */
static void prove_upwards(search *s, const leaf *l) {
    for (int32_t i = s->path_length - 2; i >= 0 && s->tree->nodes[s->path[i + 1]].proof != 0; i--)
        prove(s, s->path[i], l->movers[i], l->chances[i]);
}

/* One iteration: selection, playout, backpropagation. */
static void iterate(search *s) {
    leaf l;
    select_leaf(s, &l, true);
    if (s->ss->status == FVM_OK && !l.decided) {
        if (s->options->playout_plies > 0)
            play_out(s);
        else
            reward_evaluated(s);
        s->result->playouts++;
    }
    if (s->ss->status != FVM_OK)
        return;
    prove_upwards(s, &l);
    fvm_search_rollback(s->ss);
    backpropagate(s);
}

/* --- the search ------------------------------------------------------------------- */

static bool must_stop(search *s) {
    const fvm_tree_options *o = s->options;
    if (s->ss->vm->engine_status != 0 || s->tree->nodes[0].proof != 0 ||
        (s->result->iterations > 0 && out_of_steps(s)) ||
        (o->iterations > 0 && s->result->iterations >= o->iterations)) {
        s->result->stopped = s->ss->vm->engine_status != 0;
        return true;
    }
    if (s->deadline > 0 && --s->clock_countdown < 0) {
        s->clock_countdown = CLOCK_INTERVAL;
        return fvm_now() >= s->deadline;
    }
    return false;
}

/* Begins a search of the current position.  The newest list must be the position's list.  NULL:
 * failed with *status. */
static search *begin(fvm *vm, fvm_tree *tree, const fvm_tree_options *options,
                     fvm_tree_result *result, fvm_status *status) {
    fvm_addr first;
    *result = (fvm_tree_result){0};
    fvm_begin(vm, FVM_PHASE_SEARCH);
    *status =
        vm->nesting > 0 ? fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a search inside a run") : fvm_bind(vm);
    if (*status != FVM_OK)
        return NULL;
    search *s = calloc(1, sizeof *s);
    fvm_search_stack *ss = s != NULL ? fvm_search_open(vm, options->chance, false) : NULL;
    if (ss == NULL) {
        free(s);
        *status = fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
        return NULL;
    }
    *s = (search){.ss = ss,
                  .tree = tree,
                  .options = options,
                  .result = result,
                  .deadline = options->seconds > 0 ? fvm_now() + options->seconds : 0};
    s->first_steps = fvm_steps(vm);
    s->searching = fvm_lib_get(vm, vm->lib.searching, 0);
    s->base = vm->sp;
    fvm_turn_save(vm, &s->turn);
    s->outer = fvm_halt_begin(vm, options->seconds, 0);
    vm->phase = FVM_PHASE_SEARCH;
    vm->searching = true;
    fvm_lib_put(vm, vm->lib.searching, -1);
    if (fvm_search_newest_list(ss, &first) <= 0 && ss->status == FVM_OK)
        fvm_search_failed(ss, fvm_fail(vm, FVM_ERR_NO_MOVE, 0, "there are no moves"));
    s->choosers = fvm_search_choosers(ss);
    fvm_search_sides(ss, s->choosers, s->sides);
    fvm_search_checkpoint(ss);
    return s;
}

/* Ends a search and restores the state before it. */
static fvm_status end(search *s) {
    fvm *vm = s->ss->vm;
    fvm_status status = s->ss->status;
    if (fvm_halt_end(vm, s->outer, &status))
        s->result->stopped = 1;
    vm->engine_status = 0; /* a request to stop may precede the search, so it is cleared here */
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    fvm_search_close(s->ss);
    fvm_turn_restore(vm, &s->turn);
    fvm_lib_put(vm, vm->lib.searching, s->searching);
    vm->searching = false;
    fvm_set_stack(vm, s->base);
    if (vm->nesting == 0)
        fvm_flush(vm);
    free(s);
    return status;
}

fvm_status fvm_tree_grow(fvm *vm, fvm_tree *tree, const fvm_tree_options *options,
                         fvm_tree_result *result) {
    fvm_status status;
    search *s = begin(vm, tree, options, result, &status);
    if (s == NULL)
        return status;
    s->random = tree->random != 0 ? tree->random : options->seed; /* a new tree has no state */
    while (s->ss->status == FVM_OK && !must_stop(s)) {
        iterate(s);
        result->iterations += s->ss->status == FVM_OK; /* only completed iterations */
    }
    tree->random = s->random;
    return end(s);
}

fvm_status fvm_playouts(fvm *vm, fvm_tree *tree, const fvm_tree_options *options, double *sums,
                        fvm_tree_result *result) {
    fvm_status status;
    memset(sums, 0, SEARCH_PLAYERS * sizeof *sums);
    vm->engine_status = 0; /* ignore earlier requests to stop */
    search *s = begin(vm, tree, options, result, &status);
    if (s == NULL)
        return status;
    s->random = options->seed;
    while (s->ss->status == FVM_OK && !must_stop(s)) {
        play_out(s);
        fvm_search_rollback(s->ss);
        for (int32_t i = 0; i < SEARCH_PLAYERS && s->ss->status == FVM_OK; i++)
            sums[i] += s->rewards[i];
        result->playouts++;
        result->iterations++;
    }
    return end(s);
}

/* Copies the leaf's board for an external evaluator.  leaf_info->cells counts all cells, even if
 * there are more than `capacity`. */
static void copy_leaf(search *s, const leaf *l, fvm_cell *board, int32_t capacity,
                      fvm_leaf *leaf_info) {
    fvm *vm = s->ss->vm;
    fvm_addr from = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    fvm_cell bytes = fvm_lib_get(vm, vm->lib.board_size, 0);
    int32_t cells = bytes > 0 ? bytes / 4 : 0;
    if (!fvm_in(vm, from, (uint32_t)cells * 4))
        cells = 0;
    memcpy(board, vm->mem + from, (size_t)(cells < capacity ? cells : capacity) * sizeof *board);
    *leaf_info = (fvm_leaf){l->decided, l->count, fvm_search_mover(s->ss), cells};
}

fvm_status fvm_tree_select_leaf(fvm *vm, fvm_tree *tree, const fvm_tree_options *options,
                                fvm_cell *board, int32_t capacity, fvm_leaf *leaf_info) {
    fvm_status status;
    fvm_tree_result result;
    leaf l;
    *leaf_info = (fvm_leaf){0};
    vm->engine_status = 0; /* ignore earlier requests to stop */
    search *s = begin(vm, tree, options, &result, &status);
    if (s == NULL)
        return status;
    s->random = tree->random != 0 ? tree->random : options->seed;
    tree->path_length = 0;
    if (s->ss->status == FVM_OK)
        select_leaf(s, &l, false);
    if (s->ss->status == FVM_OK) {
        copy_leaf(s, &l, board, capacity, leaf_info);
        memcpy(tree->path, s->path, sizeof tree->path);
        tree->path_length = l.decided ? 0 : s->path_length;
        tree->leaf_moves = l.count;
        if (l.decided) {
            prove_upwards(s, &l);
            backpropagate(s);
        }
    }
    tree->random = s->random;
    return end(s);
}
