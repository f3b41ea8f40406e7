/* network.h: evaluations that were learned by self-play.
 *
 * A network values a position for one player, the view.  Its inputs are features: a piece of a type
 * and an owner at a place, a number of the board in a range, an entry of the turn order.  Owners,
 * places and turns are relative to the view, so that one set of weights serves all players.  Each
 * feature has a weight for each hidden unit, and one that is added to the value directly.  A
 * pattern is a few squares, with a table that has a weight for all that can stand on them together;
 * this is an n-tuple network (Lucas, 2008).  Without hidden units the network is linear.
 *
 *     value = unit * (bias + sum of direct weights + sum of the patterns' weights
 *                     + sum over hidden units of output * activation(sum))
 *             + own * OnEvaluate's value
 *     activation(x) = min(max(x, 0), 1)^2
 *
 * All numbers are integers, so the value is the same on all machines.  The logistic function of the
 * value divided by the unit is the expected score.  With `own` > 0 the network corrects OnEvaluate.
 * The design is that of the networks of shogi and chess programs (Nasu, 2018: "efficiently
 * updatable neural networks").  Functions for the host are declared in forthvm.h. */
#ifndef FVM_NETWORK_H
#define FVM_NETWORK_H

#include "game/game.h"

/* A pattern that contains a square. */
typedef struct {
    int32_t pattern;
    int32_t factor; /* the kind of the square times this is added to the index of the table */
} fvm_pattern_use;

struct fvm_network {
    fvm_network_spec spec; /* with its own arrays */
    int32_t *kinds;        /* [features]: number of a piece's type and owner, -1: other features */
    int32_t kind_count;    /* a square has one kind more: without a piece */
    int32_t squares;
    int32_t table_size;    /* number of weights of a pattern */
    int32_t *first_uses;   /* [squares + 1]: where the uses of a square begin */
    fvm_pattern_use *uses; /* [patterns * pattern_size] */
};

/* For each view its sums, with the board and the turn that they belong to. */
typedef struct fvm_network_sums fvm_network_sums;

/* The sums of all views, for an empty board; NULL: no memory. */
fvm_network_sums *fvm_network_sums_new(const fvm_network *net);
void fvm_network_sums_free(fvm_network_sums *sums);

/* The value of the position in memory for a player, by its number; 0 for a chance player, or if
 * the script has damaged the board's address.  The sums are updated by the cells that have changed
 * since the last call for this player, whatever has changed them. */
fvm_cell fvm_network_value_in(const fvm_network *net, fvm_network_sums *sums, const fvm *vm,
                              int32_t number);
/* The value of a network that uses OnEvaluate's value. */
fvm_cell fvm_network_sum(const fvm_network *net, fvm_cell value, fvm_cell evaluated);

#endif
