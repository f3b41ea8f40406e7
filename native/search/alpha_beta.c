/* alpha_beta.c: alpha-beta for two sides over any turn order.
 *
 * Principal variation search (Marsland and Campbell, 1982) with a transposition table.  A value
 * belongs to the side of the player whose turn it is, or of the next one who draws no lots;
 * it changes its sign where the side changes, whatever the ply.  With more than two players all
 * others are one side ("paranoid", Sturtevant and Korf, 2000), and positions are evaluated as
 * the root's player sees them.  Partial moves and lots cost no depth.  Lots are averaged
 * (expectimax, Michie 1966).  The rules of the search stand in docs/explanation/search.md. */
#include "search/iterative_deepening.h"

static fvm_cell node(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta, bool listed,
                     int32_t passes);

/* A value that rests on a repetition higher up holds on this way only: it is not remembered. */
static bool holds_anywhere(const fvm_thinker *t) { return t->rests >= t->w->ply; }

static int32_t side_here(fvm_thinker *t) { return fvm_think_side(t, fvm_walk_viewer(t->w)); }

/* The position that `step` led to, for `side`. */
static fvm_cell below(fvm_thinker *t, fvm_step step, int32_t side, int32_t depth, fvm_cell alpha,
                      fvm_cell beta) {
    bool listed = step == WALK_PARTIAL;
    return side_here(t) == side ? node(t, depth, alpha, beta, listed, 0)
                                : -node(t, depth, -beta, -alpha, listed, 0);
}

/* Makes the move and takes it back: its value for `side`. */
static fvm_cell try(fvm_thinker *t, const fvm_choice *choice, int32_t side, int32_t depth,
                    fvm_cell alpha, fvm_cell beta, bool first) {
    fvm_step step = fvm_walk_make(t->w, choice->move);
    fvm_cell value;
    if (step == WALK_FAILED)
        return 0;
    int32_t left = step == WALK_PARTIAL ? depth - t->w->partial_cost : depth - 1;
    if (first || !fvm_think_uses(t, FVM_USE_PVS) || beta - 1 <= alpha) {
        value = below(t, step, side, left, alpha, beta);
    } else {
        fvm_cell *base = t->w->vm->sp;
        fvm_turn turn;
        fvm_turn_save(t->w->vm, &turn);
        value = below(t, step, side, left, alpha, alpha + 1);
        if (value > alpha && value < beta && t->w->status == FVM_OK && !t->stopped) {
            fvm_turn_restore(t->w->vm, &turn);
            fvm_set_stack(t->w->vm, base);
            value = below(t, step, side, left, alpha, beta);
        }
    }
    if (t->w->status == FVM_OK)
        fvm_walk_undo(t->w);
    return value;
}

/* --- the table -------------------------------------------------------------------- */

/* Wins count from the position, not from the root; with lots they are all alike. */
static fvm_cell shifted(const fvm_thinker *t, fvm_cell value, int32_t plies) {
    if (t->options->chance != 0)
        return value;
    return value > THINK_NEAR_WIN    ? value + plies
           : value < -THINK_NEAR_WIN ? value - plies
                                     : value;
}

/* Only values of exactly this depth answer: so a search is worth what its depth says. */
static bool answered(fvm_thinker *t, uint64_t key, int32_t depth, bool horizon, fvm_cell alpha,
                     fvm_cell beta, int32_t *table_move, fvm_cell *value) {
    fvm_cached found;
    if (!fvm_cache_find(t->cache, key, &found))
        return false;
    *table_move = found.move;
    bool ends = horizon && found.kind == CACHE_EXACT;
    if (found.depth != depth + THINK_DEPTH_BIAS ||
        (!ends && fvm_think_uses(t, FVM_USE_PVS) && beta - 1 > alpha)) /* the line goes on */
        return false;
    *value = shifted(t, found.value, -t->w->ply);
    bool is = found.kind == CACHE_EXACT || (found.kind == CACHE_LOWER && *value >= beta) ||
              (found.kind == CACHE_UPPER && *value <= alpha);
    t->result->hits += is;
    return is;
}

static void remember(fvm_thinker *t, uint64_t key, int32_t depth, fvm_cell value, int32_t kind,
                     int32_t move) {
    fvm_cached entry = {shifted(t, value, t->w->ply), depth + THINK_DEPTH_BIAS, kind, move};
    fvm_cache_put(t->cache, key, &entry);
}

/* --- lots ------------------------------------------------------------------------- */

enum { MOST_OUTCOMES = 64 };

/* The mean over the lots, for the side of the viewer; equal outcomes are searched once. */
static fvm_cell draw(fvm_thinker *t, int32_t depth, int32_t count, int32_t side) {
    fvm_walk *w = t->w;
    uint64_t keys[MOST_OUTCOMES];
    fvm_cell values[MOST_OUTCOMES];
    int32_t first, known = 0, tried = 0, samples = t->options->samples;
    int64_t sum = 0;
    if (fvm_think_choices(t, -1, &first) < 0)
        return 0;
    bool sample = samples > 0 && samples < count;
    t->lots = t->lots || count > 1;
    for (int32_t i = 0; i < count && (!sample || i < samples); i++) {
        int32_t at = sample ? (int32_t)(fvm_think_random(t) % (uint32_t)count) : i;
        fvm_step step = fvm_walk_make(w, t->pool[first + at].move);
        if (step == WALK_FAILED)
            return 0;
        uint64_t key = t->cache != NULL ? fvm_walk_key(w) : 0;
        int32_t same = 0;
        while (same < known && (key == 0 || keys[same] != key))
            same++;
        fvm_cell value = same < known ? values[same]
                                      : below(t, step, side, depth, -THINK_INFINITY, THINK_INFINITY);
        if (w->status != FVM_OK || t->stopped)
            return 0;
        if (same == known && known < MOST_OUTCOMES) {
            keys[known] = key;
            values[known++] = value;
        }
        sum += value;
        tried++;
        fvm_walk_undo(w);
    }
    t->pool_used = first;
    t->pv_length[w->ply] = 0; /* what follows depends on the lot */
    return tried > 0 ? (fvm_cell)(sum / tried) : 0;
}

/* --- a node ----------------------------------------------------------------------- */

static bool repeated(fvm_thinker *t, uint64_t key) {
    for (int32_t i = t->w->ply - 1; i >= 0; i--)
        if (t->path[i] == key) {
            t->rests = t->rests < i ? t->rests : i;
            return true;
        }
    return false;
}

/* The best of the moves of a node so far. */
typedef struct {
    fvm_cell best, low;
    int32_t move;
} weighed;

/* Whether the node is cut off. */
static bool weigh(fvm_thinker *t, weighed *of, const fvm_choice *choice, fvm_cell value,
                  fvm_cell beta, int32_t depth) {
    if (value > of->best) {
        of->best = value;
        of->move = choice->index;
    }
    if (value > of->low) {
        of->low = value;
        fvm_think_line(t, t->w->ply, choice->index);
    }
    if (value >= beta)
        fvm_think_reward(t, choice, depth);
    return value >= beta;
}

/* So many moves of the list tell which one is tried first; 0: all of them.  Most lists of which the
 * first move is known are not wanted any longer after it. */
static int32_t enough_for_first(fvm_thinker *t, int32_t table_move) {
    if (!t->w->brief || !fvm_think_alone(t))
        return 0;
    return table_move >= 0 ? table_move + 1 : fvm_think_orders(t) ? 0 : 1;
}

/* early: moves that the list stopped at, of which the last is tried before there are others; 0: it
 * is whole. */
static fvm_cell search_moves(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                             int32_t side, uint64_t key, int32_t table_move, int32_t early) {
    fvm_walk *w = t->w;
    int32_t first = t->pool_used, count = 0, i = 0;
    fvm_choice choice;
    weighed of = {-THINK_INFINITY, alpha, -1};
    bool cut = false;
    if (early > 0) {
        choice = fvm_think_choice_at(t, early - 1, table_move);
        fvm_cell value = try(t, &choice, side, depth, of.low, beta, true);
        if (w->status != FVM_OK || t->stopped)
            return 0;
        cut = weigh(t, &of, &choice, value, beta, depth);
        if (!cut && (fvm_walk_failed(w, fvm_free_list(w->vm)) || !fvm_walk_generate(w, 0)))
            return 0;
    }
    if (!cut)
        count = fvm_think_choices(t, table_move, &first);
    if (count < 0)
        return 0; /* stopped, or there is no memory */
    if (early > 0 && count > 0) {
        fvm_think_pick(t, first, first + count); /* that one again */
        i = 1;
    }
    for (; i < count && !cut; i++) {
        fvm_think_pick(t, first + i, first + count);
        choice = t->pool[first + i];
        fvm_cell value = try(t, &choice, side, depth, of.low, beta, i == 0);
        if (w->status != FVM_OK || t->stopped)
            return 0;
        cut = weigh(t, &of, &choice, value, beta, depth);
    }
    t->pool_used = first;
    if (key != 0 && holds_anywhere(t))
        remember(t, key, depth, of.best,
                 of.best >= beta ? CACHE_LOWER : of.best > alpha ? CACHE_EXACT : CACHE_UPPER,
                 of.best > alpha ? of.move : -1);
    return of.best;
}

/* The key of the position under which values are remembered, 0: none; *again: it has been on the
 * way here, or in the game, before. */
static uint64_t key_here(fvm_thinker *t, bool listed, bool chance, bool *again) {
    fvm_walk *w = t->w;
    uint64_t key = 0;
    if (fvm_think_uses(t, FVM_USE_REPETITION) && !listed && !chance && !w->unbounded) {
        uint64_t place = fvm_walk_place(w);
        t->path[w->ply] = place;
        *again = repeated(t, place);
        key = w->count_turns ? 0 : place;
    }
    if (t->cache == NULL)
        return 0;
    return key == 0 && !w->unbounded ? fvm_walk_key(w) : key;
}

/* The host passes for a player without moves. */
static fvm_cell pass(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta, int32_t side,
                     int32_t passes) {
    if (fvm_walk_pass(t->w) == WALK_FAILED)
        return 0;
    fvm_cell value = side_here(t) == side
                         ? node(t, depth - 1, alpha, beta, false, passes + 1)
                         : -node(t, depth - 1, -beta, -alpha, false, passes + 1);
    if (t->w->status != FVM_OK || t->stopped)
        return 0;
    fvm_walk_undo(t->w);
    fvm_think_line(t, t->w->ply, -1);
    return value;
}

/* last: at the horizon one move tells that there are some, two that it is no single reply. */
static bool make_list(fvm_thinker *t, int32_t depth, bool last, int32_t early) {
    if (early > 0)
        return fvm_walk_generate_first(t->w, early);
    return fvm_walk_generate(t->w, !last ? 0 : fvm_think_may_go_on(t, depth) ? 2 : 1);
}

/* The table is asked before moves are made: that is what costs most. */
static fvm_cell value_of(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta, bool listed,
                         int32_t passes) {
    fvm_walk *w = t->w;
    int32_t table_move = -1;
    fvm_addr first;
    fvm_cell value = 0;
    bool again = false;
    t->result->nodes++;
    t->pv_length[w->ply] = 0;
    t->path[w->ply] = 0;
    if (fvm_think_stop(t))
        return 0;
    int32_t side = side_here(t);
    bool chance = fvm_walk_chance(w);
    bool horizon = depth <= 0 && (!listed || w->partial_cost > 0) && !chance;
    uint64_t key = key_here(t, listed, chance, &again);
    if (again)
        return 0;
    if (key != 0 && passes == 0 &&
        answered(t, key, depth, horizon, alpha, beta, &table_move, &value))
        return value;
    bool last = horizon && !listed && w->brief;
    int32_t early = listed || horizon || chance ? 0 : enough_for_first(t, table_move);
    if (!listed && !make_list(t, depth, last, early))
        return 0;
    int32_t count = fvm_walk_list(w, &first);
    if (!listed) {
        fvm_cell over = fvm_walk_over(w);
        if (w->status != FVM_OK)
            return 0;
        if (over != FVM_UNKNOWN) {
            value = over == FVM_DRAW ? 0 : fvm_think_decided(t, over);
            if (key != 0)
                remember(t, key, depth, value, CACHE_EXACT, -1);
            return value;
        }
        if (passes >= w->turns)
            return 0; /* a whole round without a move */
    }
    bool deepest = w->ply >= WALK_PLIES - 2;
    if (deepest || (horizon && !fvm_think_goes_on(t, depth, count))) {
        value = w->status != FVM_OK ? 0 : fvm_think_evaluate(t, side);
        if (key != 0 && !deepest && w->status == FVM_OK)
            remember(t, key, depth, value, CACHE_EXACT, -1);
        return value;
    }
    if (last && count > 1) { /* it goes on: now all of them are wanted */
        if (fvm_walk_failed(w, fvm_free_list(w->vm)) || !fvm_walk_generate(w, 0))
            return 0;
        count = fvm_walk_list(w, &first);
    }
    if (count == 0)
        return pass(t, depth, alpha, beta, side, passes);
    if (!chance)
        return search_moves(t, depth, alpha, beta, side, key, table_move,
                            count >= early ? early : 0);
    value = draw(t, depth, count, side);
    if (key != 0 && w->status == FVM_OK && !t->stopped && holds_anywhere(t))
        remember(t, key, depth, value, CACHE_EXACT, -1);
    return value;
}

static fvm_cell node(fvm_thinker *t, int32_t depth, fvm_cell alpha, fvm_cell beta, bool listed,
                     int32_t passes) {
    int32_t outer = t->rests;
    t->rests = INT32_MAX;
    fvm_cell value = value_of(t, depth, alpha, beta, listed, passes);
    if (holds_anywhere(t))
        t->rests = INT32_MAX;
    t->rests = t->rests < outer ? t->rests : outer;
    return value;
}

fvm_cell fvm_negamax_root(fvm_thinker *t, const fvm_choice *choice, int32_t depth, fvm_cell alpha,
                          fvm_cell beta) {
    return try(t, choice, 0, depth, alpha, beta, true);
}
