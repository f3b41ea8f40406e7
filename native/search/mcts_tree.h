/* mcts_tree.h: the tree of a Monte Carlo search, which may be kept for the next search. */
#ifndef FVM_MCTS_TREE_H
#define FVM_MCTS_TREE_H

#include "search/search_stack.h"

enum { TREE_DRAWN = 32 }; /* proof of a draw; lower values are the winner's player number */

struct fvm_tree {
    fvm_tree_node *nodes; /* the root is the first; the children of a node are adjacent */
    int32_t used, room, most;
    /* progressive history: rewards of each move in all positions, by player and move */
    float history_sum[FVM_TREE_HISTORY];
    int32_t history_visits[FVM_TREE_HISTORY];
    double scale;    /* running mean of the magnitude of OnEvaluate's values */
    uint64_t random; /* state of the random numbers between searches */
    /* the path from the root to a leaf that waits for fvm_tree_backpropagate */
    int32_t path[SEARCH_PLIES];
    int32_t length;  /* 0: no leaf waits */
    int32_t waiting; /* number of the leaf's moves */
};

/* Allocates children of a node; false: the tree is full. */
bool fvm_tree_expand(fvm_tree *tree, int32_t node, int32_t count);

#endif
