/* mcts_tree.h: the tree of a Monte Carlo search, which later searches may continue. */
#ifndef FVM_MCTS_TREE_H
#define FVM_MCTS_TREE_H

#include "search/search_stack.h"
#include "search/spin_lock.h"

enum { TREE_DRAWN = 32 }; /* proof of a draw; smaller proofs are the player number of a winner */

struct fvm_tree {
    atomic_bool locked;   /* held by a search that reads or writes the tree (mcts.c) */
    fvm_tree_node *nodes; /* the root is the first; the children of a node are adjacent */
    int32_t used, capacity, max_nodes; /* numbers of nodes */
    /* progressive history: sums of rewards and visits, by a hash of player and move */
    float history_sum[FVM_TREE_HISTORY];
    int32_t history_visits[FVM_TREE_HISTORY];
    double value_scale; /* running mean of the magnitude of the values that OnEvaluate returns */
    uint64_t random;    /* state of the random numbers between searches */
    int32_t searches;   /* threads that grow the tree now */
    /* the selected leaf, until fvm_submit_leaves */
    int32_t path[SEARCH_PLIES]; /* nodes from the root to the leaf */
    int32_t path_length;        /* number of nodes of the path; 0: no leaf is selected */
    int32_t leaf_moves;         /* number of moves of the leaf */
    int32_t *leaf_actions;      /* actions of these moves */
    int32_t leaf_capacity;      /* number of items of leaf_actions */
};

static inline void fvm_tree_lock(fvm_tree *tree) { fvm_spin_lock(&tree->locked); }
static inline void fvm_tree_unlock(fvm_tree *tree) { fvm_spin_unlock(&tree->locked); }

/* Allocates `count` children of a node; false: the tree is full. */
bool fvm_tree_expand(fvm_tree *tree, int32_t node, int32_t count);
/* Stores the actions of the moves of the newest list, which belong to the selected leaf.
 * finder: NULL: action k is move k.  false: no memory. */
bool fvm_tree_store_actions(fvm *vm, fvm_tree *tree, fvm_action_finder *finder, int32_t moves);

#endif
