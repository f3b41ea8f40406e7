/* mcts.c: Monte Carlo tree search for any number of players.
 *
 * UCT (Kocsis and Szepesvari, 2006) with progressive history (Nijssen and Winands, 2011): moves
 * that were good in other positions are tried early.  Results of decided positions are propagated
 * as proofs (Winands, Bjornsson and Saito, 2008).  Each node stores the rewards of the player whose
 * move leads to it, so any turn order is possible.  Chance outcomes are selected at random.
 *
 * Several threads, each with its own VM, may search one tree (Chaslot, Winands and Van den Herik,
 * 2008).  A thread holds the tree's lock while it selects a child and while it stores a result, not
 * while it runs the script.  A visit counts as soon as a node is selected, its reward only after
 * the playout: this virtual loss makes other threads prefer other nodes.  One thread alone gets the
 * same results as without it, because it does not count its own unfinished visit.
 *
 * mcts_tree.c allocates nodes, and playout.c makes playouts. */
#include "search/mcts.h"

#include <math.h>
#include <stdlib.h>

enum {
    HISTORY_MASK = FVM_TREE_HISTORY - 1,
    CLOCK_INTERVAL = 8 /* iterations between two readings of the clock */
};
/* Bounds of children that are selected before all others, or after them. */
static const double WON_BOUND = 1e6, UNVISITED_BOUND = 1e3, LOST_BOUND = -1e6;

/* --- selection -------------------------------------------------------------------- */

static uint32_t history_slot(fvm_mcts *s, fvm_addr move) {
    fvm_move_cells cells;
    uint32_t id = fvm_move_cells_at(s->ss->vm, move, &cells) ? fvm_move_key(s->ss->vm, &cells) : 0;
    return (uint32_t)fvm_mix(((uint64_t)(uint32_t)fvm_search_mover(s->ss) << 32) | id) &
           HISTORY_MASK;
}

/* Selects a child of a node by its upper confidence bound; returns the index of its move.  A small
 * random number breaks ties.  The node has been visited before the visit that is counted now. */
static int32_t select_child(fvm_mcts *s, int32_t index, fvm_addr first, int32_t count) {
    const fvm_tree_node *node = &s->tree->nodes[index];
    int32_t best = 0, mover = fvm_search_mover(s->ss);
    double bound = -1e30, logarithm = log((double)node->visits);
    fvm_addr move = first;
    for (int32_t i = 0; i < count && move != 0; i++, move = fvm_next_move(s->ss->vm, move)) {
        const fvm_tree_node *child = &s->tree->nodes[node->first + i];
        uint32_t slot = s->options->history > 0 ? history_slot(s, move) : 0;
        int32_t visits = s->options->history > 0 ? s->tree->history_visits[slot] : 0;
        double past_mean = visits > 0 ? (double)s->tree->history_sum[slot] / visits : 0.5;
        double value, noise = (fvm_next_random(&s->random) & 0xFFFF) * 1e-9;
        if (child->proof == 0 && s->options->priors != 0) {
            double mean = child->visits > 0 ? (double)child->sum / child->visits : 0.5;
            value = mean + s->options->exploration * child->prior * sqrt((double)node->visits) /
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
static void prove(fvm_mcts *s, int32_t index, int32_t mover, bool chance) {
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
            node->proof = fvm_mcts_side_number(s, mover, node_mover);
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
        node->proof = fvm_mcts_side_number(s, winner, node_mover);
}

/* Adds a node to the path and counts the visit.  The caller holds the lock if threads share the
 * tree. */
static void enter_node(fvm_mcts *s, int32_t index) {
    s->tree->nodes[index].visits++;
    s->path[s->path_length++] = index;
}

/* Begins a path at the root; false: the root is proven, or has enough visits. */
static bool begin_path(fvm_mcts *s) {
    const int32_t most = s->options->root_visits;
    fvm_tree_lock(s->tree);
    const fvm_tree_node *root = &s->tree->nodes[0];
    const bool begins = root->proof == 0 && (most == 0 || root->visits < most);
    s->path_length = 0;
    if (begins)
        enter_node(s, 0);
    fvm_tree_unlock(s->tree);
    return begins;
}

/* Does not count the visits of the path, which has no result. */
static void discard_path(fvm_mcts *s) {
    fvm_tree_lock(s->tree);
    while (s->path_length > 0)
        s->tree->nodes[s->path[--s->path_length]].visits--;
    fvm_tree_unlock(s->tree);
}

/* Adds the rewards to the nodes of the path, whose visits are counted already.  The caller holds
 * the lock. */
static void backpropagate(fvm_mcts *s) {
    for (int32_t i = 0; i < s->path_length; i++) {
        fvm_tree_node *node = &s->tree->nodes[s->path[i]];
        float reward = s->rewards[node->mover];
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
    int32_t proof;                /* of a decided leaf */
} leaf;

/* Selects a child of the last node of the path, and adds it to the path; false: the node is a leaf.
 * first: the first of the node's moves.  *move: the move to the child; 0: a pass. */
static bool select_next(fvm_mcts *s, leaf *l, bool lazy, fvm_addr first, fvm_addr *move) {
    const int32_t last = s->path_length - 1;
    fvm_tree *tree = s->tree;
    const fvm_tree_node *node = &tree->nodes[l->index];
    /* A position without moves has one child, a pass.  Chance nodes are not leaves if an evaluator
     * or a network evaluates. */
    const bool passes_chance = !lazy || s->ss->network != NULL;
    if (node->first == 0 && ((lazy && (node->visits > 1 || l->index == 0)) ||
                             (passes_chance && l->chances[last]) || l->count == 0)) {
        if (!fvm_tree_expand(tree, l->index, l->count > 0 ? l->count : 1))
            return false;
        node = &tree->nodes[l->index];
    }
    if (node->first == 0)
        return false;
    int32_t children = l->count > 0 ? (l->count < node->count ? l->count : node->count) : 1;
    int32_t child = l->count == 0      ? 0
                    : l->chances[last] ? (int32_t)(fvm_next_random(&s->random) % (uint32_t)children)
                                       : select_child(s, l->index, first, children);
    *move = l->count > 0 ? fvm_nth_move(s->ss->vm, first, child) : 0;
    s->slots[s->path_length] = *move != 0 ? history_slot(s, *move) : 0;
    l->index = node->first + child;
    tree->nodes[l->index].mover = l->movers[last];
    enter_node(s, l->index);
    return true;
}

/* Selects a leaf by making moves from the root, with which the path begins, to a node without
 * children.  lazy: a node gets its children at its second visit; else the caller adds them at the
 * first.  The newest list must be the root's list.  Afterwards the search stack is at the leaf. */
static void select_leaf(fvm_mcts *s, leaf *l, bool lazy) {
    fvm_search_stack *ss = s->ss;
    int32_t passes = 0;
    fvm_addr first, move;
    *l = (leaf){.index = 0};
    l->count = fvm_search_newest_list(ss, &first);
    while (ss->ply < SEARCH_PLIES - 3) { /* a playout from the leaf needs frames, too */
        int32_t last = s->path_length - 1;
        l->movers[last] = fvm_search_mover(ss);
        l->chances[last] = fvm_search_is_chance(ss);
        fvm_tree_lock(s->tree);
        const bool selected = select_next(s, l, lazy, first, &move);
        fvm_tree_unlock(s->tree);
        if (!selected)
            return;
        fvm_made step = move != 0 ? fvm_search_make(ss, move) : fvm_search_pass(ss);
        if (step == MADE_FAILED)
            return;
        passes = move != 0 ? 0 : passes + 1;
        if (step == MADE_TURN) {
            fvm_cell over = fvm_search_enter_turn(ss);
            if (ss->status != FVM_OK)
                return;
            if (over != FVM_UNKNOWN || passes >= ss->turn_order_length) {
                l->decided = true;
                l->proof = fvm_mcts_reward_decided(s, over, l->movers[last]);
                return;
            }
        }
        l->count = fvm_search_newest_list(ss, &first);
    }
}

/* Stores the result of a leaf: its proof, which is propagated towards the root, and the rewards. */
static void store_result(fvm_mcts *s, const leaf *l) {
    fvm_tree_lock(s->tree);
    if (l->decided)
        s->tree->nodes[l->index].proof = l->proof;
    for (int32_t i = s->path_length - 2; i >= 0 && s->tree->nodes[s->path[i + 1]].proof != 0; i--)
        prove(s, s->path[i], l->movers[i], l->chances[i]);
    backpropagate(s);
    fvm_tree_unlock(s->tree);
}

/* One iteration after begin_path: selection, playout, backpropagation. */
static void iterate(fvm_mcts *s) {
    leaf l;
    select_leaf(s, &l, true);
    if (s->ss->status == FVM_OK && !l.decided) {
        if (s->options->playout_plies > 0)
            fvm_mcts_play_out(s);
        else
            fvm_mcts_reward_evaluated(s);
    }
    if (s->ss->status != FVM_OK) {
        discard_path(s);
        return;
    }
    s->result->playouts += !l.decided;
    s->result->iterations++; /* only completed iterations */
    store_result(s, &l);
    fvm_search_rollback(s->ss);
}

/* --- the search ------------------------------------------------------------------- */

static bool must_stop(fvm_mcts *s) {
    const fvm_tree_options *o = s->options;
    if (s->ss->vm->engine_status != 0 || (s->result->iterations > 0 && fvm_mcts_out_of_steps(s)) ||
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
static fvm_mcts *begin(fvm *vm, fvm_tree *tree, const fvm_tree_options *options,
                       fvm_tree_result *result, fvm_status *status) {
    fvm_addr first;
    fvm_host_search saved;
    *result = (fvm_tree_result){0};
    *status = fvm_host_search_begin(vm, options->seconds, &saved);
    if (*status != FVM_OK)
        return NULL;
    fvm_mcts *s = calloc(1, sizeof *s);
    fvm_search_stack *ss = s != NULL ? fvm_search_open(vm, options->chance, false) : NULL;
    if (ss == NULL || !fvm_search_use_network(ss, options->network)) {
        if (ss != NULL)
            fvm_search_close(ss);
        free(s);
        *status = fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
        *status = fvm_host_search_end(vm, &saved, *status, &result->stopped);
        return NULL;
    }
    *s = (fvm_mcts){.ss = ss,
                    .tree = tree,
                    .options = options,
                    .result = result,
                    .saved = saved,
                    .deadline = options->seconds > 0 ? fvm_now() + options->seconds : 0};
    s->first_steps = fvm_steps(vm);
    if (fvm_search_newest_list(ss, &first) <= 0 && ss->status == FVM_OK)
        fvm_search_failed(ss, fvm_fail(vm, FVM_ERR_NO_MOVE, 0, "there are no moves"));
    s->choosers = fvm_search_choosers(ss);
    fvm_search_sides(ss, s->choosers, s->sides);
    fvm_mcts_choose_lists(s);
    fvm_search_checkpoint(ss);
    return s;
}

/* Ends a search and restores the state before it. */
static fvm_status end(fvm_mcts *s) {
    fvm *vm = s->ss->vm;
    const fvm_status status = s->ss->status;
    int32_t *stopped = &s->result->stopped;
    const fvm_host_search saved = s->saved;
    fvm_search_close(s->ss);
    free(s);
    return fvm_host_search_end(vm, &saved, status, stopped);
}

/* A search of the tree begins.  Returns the state of the random numbers; a new tree has none. */
static uint64_t begin_random(fvm_tree *tree, const fvm_tree_options *options) {
    fvm_tree_lock(tree);
    tree->searches++;
    const uint64_t state = tree->random != 0 ? tree->random : options->seed;
    fvm_tree_unlock(tree);
    return state;
}

static void store_random(fvm_mcts *s) {
    fvm_tree_lock(s->tree);
    s->tree->random = s->random;
    fvm_tree_unlock(s->tree);
}

fvm_status fvm_tree_grow(fvm *vm, fvm_tree *tree, const fvm_tree_options *options,
                         fvm_tree_result *result) {
    fvm_status status;
    fvm_mcts *s = begin(vm, tree, options, result, &status);
    if (s == NULL)
        return status;
    s->random = begin_random(tree, options);
    if (options->thread != 0)
        s->random = fvm_mix(s->random + (uint32_t)options->thread);
    while (s->ss->status == FVM_OK && !must_stop(s) && begin_path(s)) {
        iterate(s);
    }
    fvm_tree_lock(tree);
    tree->searches--;
    fvm_tree_unlock(tree);
    if (options->thread == 0)
        store_random(s);
    return end(s);
}

fvm_status fvm_playouts(fvm *vm, fvm_tree *tree, const fvm_tree_options *options, double *sums,
                        fvm_tree_result *result) {
    fvm_status status;
    memset(sums, 0, SEARCH_PLAYERS * sizeof *sums);
    vm->engine_status = 0; /* ignore earlier requests to stop */
    fvm_mcts *s = begin(vm, tree, options, result, &status);
    if (s == NULL)
        return status;
    s->random = options->seed;
    while (s->ss->status == FVM_OK && !must_stop(s)) {
        fvm_mcts_play_out(s);
        fvm_search_rollback(s->ss);
        for (int32_t i = 0; i < SEARCH_PLAYERS && s->ss->status == FVM_OK; i++)
            sums[i] += s->rewards[i];
        result->playouts++;
        result->iterations++;
    }
    return end(s);
}

/* --- leaves that the host evaluates ------------------------------------------------ */

/* Stores a leaf that is not decided in a row of the host's arrays. */
static fvm_status store_leaf(fvm_mcts *s, const leaf *l, fvm_action_finder *finder,
                             const fvm_leaf_arrays *leaves, int32_t row) {
    fvm *vm = s->ss->vm;
    const fvm_addr from = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const size_t bytes = (size_t)leaves->cells * sizeof *leaves->boards;
    if (fvm_in(vm, from, (uint32_t)bytes))
        memcpy(leaves->boards + (size_t)row * (size_t)leaves->cells, vm->mem + from, bytes);
    if (!fvm_tree_store_actions(vm, s->tree, finder, l->count))
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for actions");
    leaves->moves[row] = l->count;
    leaves->movers[row] = fvm_search_mover(s->ss);
    leaves->roots[row] = s->path_length == 1;
    memcpy(s->tree->path, s->path, (size_t)s->path_length * sizeof *s->path);
    s->tree->path_length = s->path_length;
    return FVM_OK;
}

/* Descends from the root until it reaches a leaf that is not decided, or the root has its visits.
 */
static fvm_status select_row(fvm *vm, const fvm_tree_options *options, fvm_action_finder *finder,
                             const fvm_tree_root *root, const fvm_leaf_arrays *leaves,
                             int32_t row) {
    fvm_status status;
    fvm_tree_result result;
    leaf l = {.decided = true};
    fvm_mcts *s = begin(vm, root->tree, options, &result, &status);
    if (s == NULL)
        return status;
    s->random = root->tree->random != 0 ? root->tree->random : root->seed;
    while (s->ss->status == FVM_OK && l.decided && root->tree->nodes[0].visits < root->visits) {
        s->path_length = 0;
        enter_node(s, 0);
        select_leaf(s, &l, false);
        if (s->ss->status == FVM_OK && l.decided) {
            store_result(s, &l);
            fvm_search_rollback(s->ss);
        }
    }
    if (s->ss->status == FVM_OK && !l.decided)
        s->ss->status = store_leaf(s, &l, finder, leaves, row);
    if (s->ss->status != FVM_OK || !l.decided)
        discard_path(s); /* fvm_submit_leaves counts the visits */
    store_random(s);
    return end(s);
}

fvm_status fvm_select_leaves(fvm *vm, const fvm_tree_options *options, fvm_action_finder *finder,
                             const fvm_tree_root *roots, const int32_t *rows, int32_t count,
                             const fvm_leaf_arrays *leaves) {
    fvm_status status = FVM_OK;
    vm->engine_status = 0; /* ignore earlier requests to stop */
    for (int32_t i = 0; i < count && status == FVM_OK; i++) {
        const int32_t row = rows[i];
        roots[row].tree->path_length = 0;
        leaves->moves[row] = 0;
        if (roots[row].tree->nodes[0].visits >= roots[row].visits)
            continue;
        status = fvm_snapshot_restore(vm, roots[row].listed);
        if (status == FVM_OK)
            status = select_row(vm, options, finder, &roots[row], leaves, row);
    }
    return status;
}
