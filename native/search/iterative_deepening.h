/* iterative_deepening.h: what our searches share: options, counters, when to stop, the order of
 * moves. */
#ifndef FVM_THINK_H
#define FVM_THINK_H

#include "search/transposition_table.h"
#include "search/search_stack.h"

enum { THINK_WIN = FVM_WIN, THINK_NEAR_WIN = FVM_WIN - 100000, THINK_INFINITY = FVM_WIN + 1 };
enum { THINK_HISTORY = 1 << 14, THINK_KILLERS = 2, THINK_DEPTH_BIAS = 64 };

/* A move of a list and how early it is tried. */
typedef struct {
    fvm_addr move;
    uint32_t id; /* the same for the same move in other positions */
    int32_t index;
    int32_t rank;
} fvm_choice;

typedef struct {
    fvm_walk *w;
    const fvm_think_options *options;
    fvm_cache *cache; /* NULL: none, or the game's positions have no key */
    fvm_think_result *result;
    double start, deadline;
    int32_t looks;
    bool stopped;
    uint64_t random;
    int32_t root;         /* number of the player to move at the root (the viewer) */
    uint32_t allies;      /* numbers on his side, a bit each */
    uint32_t sides[WALK_NUMBERS]; /* and on each player's */
    int32_t alone;        /* whether move words stand alone: 0 nobody has asked, 1 yes, -1 no */
    bool lots;            /* a chance player has had more than one move */
    uint32_t seats;       /* players who choose moves, a bit per number */
    int32_t contestants;  /* how many */
    fvm_cell scores[WALK_NUMBERS]; /* maxn: what the last root move is worth to each */
    fvm_choice *pool;     /* choices of all open nodes */
    int32_t pool_used, pool_room;
    uint64_t path[WALK_PLIES]; /* keys on the way down, 0 unknown */
    int32_t rests; /* least ply of a position whose repetition the value under way rests on */
    uint32_t killers[WALK_PLIES][THINK_KILLERS];
    int32_t history[THINK_HISTORY];
    int32_t pv[WALK_PLIES][FVM_LINE_MOVES];
    int32_t pv_length[WALK_PLIES];
} fvm_thinker;

static inline bool fvm_think_uses(const fvm_thinker *t, uint32_t feature) {
    return (t->options->features & feature) != 0;
}

bool fvm_think_stop(fvm_thinker *t); /* a limit is reached: t->stopped */
uint32_t fvm_think_random(fvm_thinker *t);
int32_t fvm_think_side(const fvm_thinker *t, int32_t number); /* 0: the root's, 1: the others' */

/* The newest list as choices, ranked; their number, -1 on failure.  *first: in t->pool. */
int32_t fvm_think_choices(fvm_thinker *t, int32_t table_move, int32_t *first);
/* One of them, by its place in the list. */
fvm_choice fvm_think_choice_at(fvm_thinker *t, int32_t index, int32_t table_move);
bool fvm_think_orders(const fvm_thinker *t); /* besides the table's move */
bool fvm_think_alone(fvm_thinker *t); /* a list may be made as far as it is wanted */
/* The choice of highest rank from `at` on comes to `at`. */
void fvm_think_pick(fvm_thinker *t, int32_t at, int32_t end);
void fvm_think_reward(fvm_thinker *t, const fvm_choice *choice, int32_t depth); /* it cut */
void fvm_think_line(fvm_thinker *t, int32_t ply, int32_t index); /* the pv below ply, and index */

fvm_cell fvm_think_decided(const fvm_thinker *t, fvm_cell over); /* WIN or LOSS at this ply */

bool fvm_think_may_go_on(const fvm_thinker *t, int32_t depth);
bool fvm_think_goes_on(fvm_thinker *t, int32_t depth, int32_t count); /* beyond the horizon */
fvm_cell fvm_think_evaluate(fvm_thinker *t, int32_t side); /* two sides */

/* The value of root move `choice` for the root's side (alpha_beta.c, maxn.c, best_reply.c). */
fvm_cell fvm_negamax_root(fvm_thinker *t, const fvm_choice *choice, int32_t depth, fvm_cell alpha,
                          fvm_cell beta);
fvm_cell fvm_maxn_root(fvm_thinker *t, const fvm_choice *choice, int32_t depth);
fvm_cell fvm_brs_root(fvm_thinker *t, const fvm_choice *choice, int32_t depth, fvm_cell alpha,
                      fvm_cell beta);

#endif
