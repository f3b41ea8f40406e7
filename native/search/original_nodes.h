/* original_nodes.h: the nodes of the original engine's search.
 *
 * Included by original_search.c and original_nodes.c only. */
#ifndef FVM_ORIGINAL_NODES_H
#define FVM_ORIGINAL_NODES_H

#include "game/promises.h"
#include "search/original_search.h"

typedef struct {
    fvm *vm;
    int32_t depth_limit;
    int32_t noise; /* number of random values that may be added to an evaluation */
    int64_t nodes, node_limit;
    double deadline;         /* in seconds, by fvm_now; 0: none */
    int32_t clock_countdown; /* nodes until the clock is read again */
    bool stopped;
    fvm_status status;
    fvm_promises promises;
} fvm_original;

/* What a node is searched with. */
typedef struct {
    int depth; /* plies to the horizon */
    int ply;   /* turns from the root */
    fvm_cell alpha, beta;
} fvm_original_node;

/* Stores a failure, unless an earlier one is stored; returns whether the search has failed. */
static inline bool fvm_original_fails(fvm_original *s, fvm_status status) {
    if (status != FVM_OK && s->status == FVM_OK)
        s->status = status;
    return s->status != FVM_OK;
}

/* Applies a move of a node to a clone of the board, searches the position and unmakes the move;
 * returns the value for the player who moved. */
fvm_cell fvm_original_try_move(fvm_original *s, fvm_addr move, const fvm_original_node *n);

#endif
