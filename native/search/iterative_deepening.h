/* iterative_deepening.h: the state and functions that the depth-first searches share.
 *
 * Declares limits, move ordering, the principal variation, quiescence and values at leaves for
 * alpha_beta.c, maxn.c and best_reply.c. */
#ifndef FVM_ITERATIVE_DEEPENING_H
#define FVM_ITERATIVE_DEEPENING_H

#include "search/transposition_table.h"
#include "search/search_stack.h"

enum { SEARCH_WIN = FVM_WIN, SEARCH_NEAR_WIN = FVM_WIN - 100000, SEARCH_INFINITY = FVM_WIN + 1 };
enum { HISTORY_ENTRIES = 1 << 14, KILLER_MOVES = 2, TT_DEPTH_BIAS = 64 };

/* A move of a list with its rank in the move ordering. */
typedef struct {
    fvm_addr move;
    uint32_t id;   /* the same for the same move in other positions */
    int32_t index; /* in the list */
    int32_t rank;  /* moves of higher rank are searched first */
} fvm_ordered_move;

typedef struct {
    fvm_search_stack *ss;
    const fvm_deepening_options *options;
    fvm_tt *tt; /* NULL: none */
    fvm_deepening_result *result;
    double start, deadline;
    int32_t clock_countdown;
    bool stopped;
    uint64_t random;
    int32_t root;                   /* number of the player to move at the root (the viewer) */
    uint32_t allies;                /* players on the side of the root's player, a bit per number */
    uint32_t sides[SEARCH_PLAYERS]; /* the same for each player */
    int32_t independent; /* whether move words are independent: 0 not analysed, 1 yes, -1 no */
    bool chance_seen;    /* a chance player has had more than one move */
    uint32_t choosers;   /* players who choose moves, a bit per number */
    int32_t contestants; /* their number */
    fvm_cell scores[SEARCH_PLAYERS]; /* max^n: value of the last root move for each player */
    fvm_ordered_move *pool;          /* ordered moves of all nodes on the path */
    int32_t pool_used, pool_room;
    uint64_t path[SEARCH_PLIES]; /* position keys on the path from the root, 0 unknown */
    int32_t repetition_ply;      /* lowest ply whose repetition the current value depends on */
    uint32_t killers[SEARCH_PLIES][KILLER_MOVES];
    int32_t history[HISTORY_ENTRIES];
    int32_t pv[SEARCH_PLIES][FVM_LINE_MOVES];
    int32_t pv_length[SEARCH_PLIES];
} fvm_deepening;

static inline bool fvm_deepening_uses(const fvm_deepening *t, uint32_t feature) {
    return (t->options->features & feature) != 0;
}

bool fvm_deepening_stop(fvm_deepening *t); /* sets t->stopped if a limit is reached */
uint32_t fvm_deepening_random(fvm_deepening *t);
int32_t fvm_deepening_side(const fvm_deepening *t,
                           int32_t number); /* 0: the root's, 1: the others' */

/* Ranks the moves of the newest list; returns their number, -1 on failure.  *first: index of the
 * first one in t->pool.  table_move: index of the transposition table's move, -1 none. */
int32_t fvm_order_moves(fvm_deepening *t, int32_t table_move, int32_t *first);
/* The same for one move, by its index in the list. */
fvm_ordered_move fvm_order_one_move(fvm_deepening *t, int32_t index, int32_t table_move);
/* Whether moves are ordered by more than the table's move. */
bool fvm_has_move_order(const fvm_deepening *t);
/* Whether a list may be generated in part. */
bool fvm_may_shorten_list(fvm_deepening *t);
/* Swaps the move of highest rank in [at, end) to `at`. */
void fvm_order_pick(fvm_deepening *t, int32_t at, int32_t end);
/* Updates killers and history with a move that caused a cutoff. */
void fvm_order_cutoff(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth);
/* The principal variation at ply: move `index`, then that of the next ply. */
void fvm_deepening_extend_pv(fvm_deepening *t, int32_t ply, int32_t index);

/* The value of FVM_WIN or FVM_LOSS at this ply. */
fvm_cell fvm_deepening_decided(const fvm_deepening *t, fvm_cell over);

/* Whether the quiescence search may continue at this depth; whether it does, with `count` moves. */
bool fvm_quiescence_allowed(const fvm_deepening *t, int32_t depth);
bool fvm_quiescence_continues(fvm_deepening *t, int32_t depth, int32_t count);
/* The evaluation of the position for a side: 0 the root's, 1 the others'. */
fvm_cell fvm_deepening_evaluate(fvm_deepening *t, int32_t side);

/* The value of root move `choice` for the root's side (alpha_beta.c, maxn.c, best_reply.c). */
fvm_cell fvm_negamax_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                          fvm_cell alpha, fvm_cell beta);
fvm_cell fvm_maxn_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth);
fvm_cell fvm_brs_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                      fvm_cell alpha, fvm_cell beta);

#endif
