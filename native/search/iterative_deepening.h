/* iterative_deepening.h: the state and the functions that the depth-first searches share.
 *
 * Declares limits, move ordering, principal variations, quiescence and values of leaves for
 * alpha_beta.c, maxn.c and best_reply.c. */
#ifndef FVM_ITERATIVE_DEEPENING_H
#define FVM_ITERATIVE_DEEPENING_H

#include "search/claims.h"
#include "search/transposition_table.h"
#include "search/search_stack.h"

/* Values of magnitude above SEARCH_NEAR_WIN are wins and losses: FVM_WIN minus the distance in
 * plies. */
enum { SEARCH_NEAR_WIN = FVM_WIN - 100000, SEARCH_INFINITY = FVM_WIN + 1 };
enum {
    HISTORY_ENTRIES = 1 << 14,
    KILLER_MOVES = 2,  /* per ply */
    TT_DEPTH_BIAS = 64 /* added to depths in the table, because quiescence has negative depths */
};

/* A move of a list with its rank in the move ordering. */
typedef struct {
    fvm_addr move;
    uint32_t id;   /* hash of the move word and its board position; the same in all positions */
    int32_t index; /* index in the list */
    int32_t rank;  /* moves of higher rank are searched first */
} fvm_ordered_move;

typedef struct {
    fvm_search_stack *ss;
    const fvm_deepening_options *options;
    fvm_tt *tt;         /* NULL: none */
    fvm_claims *claims; /* NULL: threads share no claims */
    uint64_t heard;     /* number of the best root move that this thread knows (claims.h) */
    bool behind;        /* the search of a root move has ended because of `heard` */
    fvm_deepening_result *result;
    double start, deadline;  /* in seconds, by fvm_now; deadline 0: none */
    int32_t clock_countdown; /* nodes until the clock is read again */
    bool stopped;            /* a limit has been reached */
    uint64_t random;         /* state of the random numbers */
    int32_t root_player;     /* number of the viewer at the root, called "the root's player" */
    uint32_t allies;         /* players on the side of the root's player, a bit per number */
    uint32_t sides[SEARCH_PLAYERS]; /* for each player, the players on its side */
    bool chance_seen;               /* the search has reached a chance node with several outcomes */
    uint32_t choosers;              /* players who choose moves, a bit per number */
    int32_t contestants;            /* number of choosers */
    fvm_cell scores[SEARCH_PLAYERS]; /* max^n: value of the last root move for each player */
    fvm_ordered_move *pool;          /* ordered moves of all nodes on the path */
    int32_t pool_used, pool_capacity;
    bool is_ordered; /* the moves that fvm_order_moves appended last are in the order of ranks */
    uint64_t path[SEARCH_PLIES]; /* position keys on the path from the root, 0: unknown */
    int32_t repetition_ply;      /* repetition ply of the current value; INT32_MAX: none */
    uint32_t killers[SEARCH_PLIES][KILLER_MOVES];
    int32_t history[HISTORY_ENTRIES];
    int32_t pv[SEARCH_PLIES][FVM_LINE_MOVES]; /* by ply: the principal variation from this ply on,
                                                 as indexes in move lists; -1: a pass */
    int32_t pv_length[SEARCH_PLIES];
} fvm_deepening;

static inline bool fvm_deepening_uses(const fvm_deepening *t, uint32_t feature) {
    return (t->options->features & feature) != 0;
}

/* Whether the search has failed or a limit is reached: then values mean nothing. */
static inline bool fvm_deepening_ended(const fvm_deepening *t) {
    return t->ss->status != FVM_OK || t->stopped;
}

/* Whether the search stack is full: the position is evaluated. */
static inline bool fvm_deepening_deepest(const fvm_deepening *t) {
    return t->ss->ply >= SEARCH_PLIES - 2;
}
/* Whether a node is at the horizon.  listed: it follows a partial move. */
static inline bool fvm_deepening_horizon(const fvm_deepening *t, int32_t depth, bool listed) {
    return depth <= 0 && (!listed || t->ss->partial_cost > 0);
}

/* Searches the position to one depth after the other, and stores the best lines; or helps the
 * thread that does so. */
fvm_status fvm_deepening_iterate(fvm_deepening *t, fvm_line *lines);
/* Returns t->stopped, which it sets if a limit is reached. */
bool fvm_deepening_stop(fvm_deepening *t);
/* The side of a player: 0 for the side of the root's player, 1 for all others. */
int32_t fvm_deepening_side(const fvm_deepening *t, int32_t number);

/* Ranks the moves of the newest list and appends them to t->pool; returns their number, -1 on
 * failure.  *first: index in t->pool of the first appended move.  table_move: index in the list of
 * the transposition table's move, -1: none. */
int32_t fvm_order_moves(fvm_deepening *t, int32_t table_move, int32_t *first);
/* Ranks one move, by its index in the list. */
fvm_ordered_move fvm_order_one_move(fvm_deepening *t, int32_t index, int32_t table_move);
/* Whether the options order moves other than the table's move. */
bool fvm_has_move_order(const fvm_deepening *t);
/* Moves the move of highest rank in [at, end) to `at`, for one `at` after the other from `first`
 * on; not necessary if t->is_ordered was true after fvm_order_moves. */
void fvm_order_pick(fvm_deepening *t, int32_t first, int32_t at, int32_t end);
/* Whether a move that has been ordered captures, if that determines the order. */
bool fvm_order_is_capture(const fvm_ordered_move *choice);
/* Puts all moves in [first, end) in the order in which fvm_order_pick would pick them. */
void fvm_order_sort(fvm_deepening *t, int32_t first, int32_t end);
/* Updates killers and history with a move that caused a cutoff. */
void fvm_order_cutoff(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth);
/* Sets the principal variation of a ply to the move `index` (-1: a pass), followed by the variation
 * of the next ply. */
void fvm_deepening_extend_pv(fvm_deepening *t, int32_t ply, int32_t index);

/* Begins a node: generates its list and runs OnIsGameOver.  listed: both have been done, because
 * the position follows a partial move.  passes: the number of successive passes before it; as many
 * as the turn order has entries are a draw.  *over: FVM_UNKNOWN if the game continues.  false: the
 * search has failed or stops. */
bool fvm_deepening_enter(fvm_deepening *t, bool listed, int32_t passes, int32_t *count,
                         fvm_cell *over);
/* The value of a decided position at the current ply.  over: FVM_WIN or FVM_LOSS. */
fvm_cell fvm_deepening_decided(const fvm_deepening *t, fvm_cell over);

/* The number of chance outcomes to search of `count`. */
int32_t fvm_outcomes_tried(const fvm_deepening *t, int32_t count);
/* The index of the i-th outcome to search: i, or a random index if not all outcomes are searched.
 */
int32_t fvm_pick_outcome(fvm_deepening *t, int32_t i, int32_t count);

/* Whether options allow quiescence search at this depth. */
bool fvm_quiescence_allowed(const fvm_deepening *t, int32_t depth);
/* Whether the quiescence search continues in the current position, which has `count` moves. */
bool fvm_quiescence_continues(fvm_deepening *t, int32_t depth, int32_t count);
/* Evaluates the position for a side, as numbered by fvm_deepening_side. */
fvm_cell fvm_deepening_evaluate(fvm_deepening *t, int32_t side);

/* The value of the root move `choice` for the root's player (alpha_beta.c, maxn.c,
 * best_reply.c). */
fvm_cell fvm_negamax_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                          fvm_cell alpha, fvm_cell beta);
fvm_cell fvm_maxn_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth);
fvm_cell fvm_brs_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                      fvm_cell alpha, fvm_cell beta);

#endif
