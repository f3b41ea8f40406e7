/* iterative_deepening.h: what our searches share: options, counters, when to stop, the order of
 * moves. */
#ifndef FVM_ITERATIVE_DEEPENING_H
#define FVM_ITERATIVE_DEEPENING_H

#include "search/transposition_table.h"
#include "search/search_stack.h"

enum { SEARCH_WIN = FVM_WIN, SEARCH_NEAR_WIN = FVM_WIN - 100000, SEARCH_INFINITY = FVM_WIN + 1 };
enum { HISTORY_ENTRIES = 1 << 14, KILLER_MOVES = 2, TT_DEPTH_BIAS = 64 };

/* A move of a list and how early it is tried. */
typedef struct {
    fvm_addr move;
    uint32_t id; /* the same for the same move in other positions */
    int32_t index;
    int32_t rank;
} fvm_ordered_move;

typedef struct {
    fvm_search_stack *ss;
    const fvm_deepening_options *options;
    fvm_tt *tt; /* NULL: none, or the game's positions have no key */
    fvm_deepening_result *result;
    double start, deadline;
    int32_t clock_countdown;
    bool stopped;
    uint64_t random;
    int32_t root;         /* number of the player to move at the root (the viewer) */
    uint32_t allies;      /* numbers on his side, a bit each */
    uint32_t sides[SEARCH_PLAYERS]; /* and on each player's */
    int32_t generator_pure;       /* whether move words stand alone: 0 nobody has asked, 1 yes, -1 no */
    bool chance_seen;          /* a chance player has had more than one move */
    uint32_t choosers;       /* players who choose moves, a bit per number */
    int32_t contestants;  /* how many */
    fvm_cell scores[SEARCH_PLAYERS]; /* maxn: what the last root move is worth to each */
    fvm_ordered_move *pool;     /* choices of all open nodes */
    int32_t pool_used, pool_room;
    uint64_t path[SEARCH_PLIES]; /* keys on the way down, 0 unknown */
    int32_t repetition_ply; /* least ply of a position whose repetition the value under way rests on */
    uint32_t killers[SEARCH_PLIES][KILLER_MOVES];
    int32_t history[HISTORY_ENTRIES];
    int32_t pv[SEARCH_PLIES][FVM_LINE_MOVES];
    int32_t pv_length[SEARCH_PLIES];
} fvm_deepening;

static inline bool fvm_deepening_uses(const fvm_deepening *t, uint32_t feature) {
    return (t->options->features & feature) != 0;
}

bool fvm_deepening_stop(fvm_deepening *t); /* a limit is reached: t->stopped */
uint32_t fvm_deepening_random(fvm_deepening *t);
int32_t fvm_deepening_side(const fvm_deepening *t, int32_t number); /* 0: the root's, 1: the others' */

/* The newest list as choices, ranked; their number, -1 on failure.  *first: in t->pool. */
int32_t fvm_order_moves(fvm_deepening *t, int32_t table_move, int32_t *first);
/* One of them, by its place in the list. */
fvm_ordered_move fvm_order_one_move(fvm_deepening *t, int32_t index, int32_t table_move);
bool fvm_has_move_order(const fvm_deepening *t); /* besides the table's move */
bool fvm_may_shorten_list(fvm_deepening *t); /* a list may be made as far as it is wanted */
/* The choice of highest rank from `at` on comes to `at`. */
void fvm_order_pick(fvm_deepening *t, int32_t at, int32_t end);
void fvm_order_cutoff(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth); /* it cut */
void fvm_deepening_extend_pv(fvm_deepening *t, int32_t ply, int32_t index); /* the pv below ply, and index */

fvm_cell fvm_deepening_decided(const fvm_deepening *t, fvm_cell over); /* WIN or LOSS at this ply */

bool fvm_quiescence_allowed(const fvm_deepening *t, int32_t depth);
bool fvm_quiescence_continues(fvm_deepening *t, int32_t depth, int32_t count); /* beyond the horizon */
fvm_cell fvm_deepening_evaluate(fvm_deepening *t, int32_t side); /* two sides */

/* The value of root move `choice` for the root's side (alpha_beta.c, maxn.c, best_reply.c). */
fvm_cell fvm_negamax_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth, fvm_cell alpha,
                          fvm_cell beta);
fvm_cell fvm_maxn_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth);
fvm_cell fvm_brs_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth, fvm_cell alpha,
                      fvm_cell beta);

#endif
