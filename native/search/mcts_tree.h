/* mcts_tree.h: the tree of a Monte Carlo search, which outlives the search. */
#ifndef FVM_MCTS_TREE_H
#define FVM_MCTS_TREE_H

#include "search/search_stack.h"

enum { TREE_DRAWN = 32 }; /* proof: nobody wins; numbers of players are below */

struct fvm_tree {
    fvm_tree_node *nodes; /* the root first; the children of a node lie together */
    int32_t used, room, most;
    /* what moves were worth wherever they were played, by player and move */
    float history_sum[FVM_TREE_HISTORY];
    int32_t history_visits[FVM_TREE_HISTORY];
    double scale; /* what OnEvaluate's numbers are usually like */
    uint64_t random; /* for ways down one by one */
    /* the way down to a leaf that waits for an answer */
    int32_t path[SEARCH_PLIES];
    int32_t length; /* 0: none waits */
    int32_t waiting; /* moves of that leaf */
};

/* Room for children; false: the tree is full. */
bool fvm_tree_expand(fvm_tree *tree, int32_t node, int32_t count);

#endif
