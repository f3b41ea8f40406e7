/* mcts.h: the state of a Monte Carlo tree search, for mcts.c and playout.c. */
#ifndef FVM_MCTS_H
#define FVM_MCTS_H

#include "game/random_move.h"
#include "search/host_search.h"
#include "search/mcts_tree.h"

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
    int64_t first_steps;           /* fvm_steps at the beginning of the search */
    bool selects_moves;            /* playouts use random move selection, without complete lists */
    fvm_random_selection selection;
    fvm_host_search saved; /* the state before the search */
} fvm_mcts;

/* The player number that represents a winning side in the proof of a node: the player whose move
 * leads to the node, if that player is on the side, else the side's lowest player number. */
int32_t fvm_mcts_side_number(const fvm_mcts *s, int32_t winner, int32_t mover);
/* Sets the rewards of a decided position and returns the proof of its node: a player number,
 * TREE_DRAWN, or 0 if the winners are on several sides.  mover: the player whose move leads to the
 * node. */
int32_t fvm_mcts_reward_decided(fvm_mcts *s, fvm_cell over, int32_t mover);
/* Sets the rewards by OnEvaluate. */
void fvm_mcts_reward_evaluated(fvm_mcts *s);
/* Whether the step limit is reached.  Steps do not depend on the machine, so searches limited by
 * steps are reproducible. */
bool fvm_mcts_out_of_steps(const fvm_mcts *s);
/* Finds out at the root whether playouts work without complete lists. */
void fvm_mcts_choose_lists(fvm_mcts *s);
/* Plays random moves from the position of the newest list, which is not decided, and sets the
 * rewards. */
void fvm_mcts_play_out(fvm_mcts *s);

#endif
