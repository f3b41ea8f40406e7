/* alpha_beta.c: alpha-beta for two sides over any turn order.
 *
 * Principal variation search (Marsland and Campbell, 1982) with a transposition table.  The value
 * of a node is that of the side of its viewer (search_stack.h); its sign changes where the side
 * changes, not at each ply.  With more than two players all opponents are one side ("paranoid",
 * Sturtevant and Korf, 2000), and positions are evaluated from the view of the root's player.
 * Partial moves and chance nodes cost no depth.  Chance outcomes are averaged (expectimax, Michie
 * 1966).  docs/explanation/search.md states the rules of the search.  This file must not know the
 * root of the search (iterative_deepening.c). */
#include "search/iterative_deepening.h"

static fvm_cell node(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta, bool listed,
                     int32_t passes);

/* Whether the value of the current node may be stored in the table.  A value that depends on the
 * repetition of an earlier position of the path is valid only on this path. */
static bool is_path_independent(const fvm_deepening *t) { return t->repetition_ply >= t->ss->ply; }

static int32_t side_to_move(fvm_deepening *t) {
    return fvm_deepening_side(t, fvm_search_viewer(t->ss));
}

/* Searches the position after a move; returns its value for `side`. */
static fvm_cell search_after(fvm_deepening *t, fvm_made step, int32_t side, int32_t depth,
                             fvm_cell alpha, fvm_cell beta) {
    bool listed = step == MADE_PARTIAL;
    return side_to_move(t) == side ? node(t, depth, alpha, beta, listed, 0)
                                   : -node(t, depth, -beta, -alpha, listed, 0);
}

/* Makes a move, searches the position and unmakes the move; returns the move's value for `side`.
 * first: this is the first move of a node, which is searched with the full window. */
static fvm_cell search_move(fvm_deepening *t, const fvm_ordered_move *choice, int32_t side,
                            int32_t depth, fvm_cell alpha, fvm_cell beta, bool first) {
    fvm_made step = fvm_search_make(t->ss, choice->move);
    fvm_cell value;
    if (step == MADE_FAILED)
        return 0;
    int32_t next_depth = step == MADE_PARTIAL ? depth - t->ss->partial_cost : depth - 1;
    if (first || !fvm_deepening_uses(t, FVM_USE_PVS) || beta - 1 <= alpha) {
        value = search_after(t, step, side, next_depth, alpha, beta);
    } else {
        /* The first search leaves a list and library variables, which the second one must not see;
         * the move remains made. */
        fvm_cell *base = t->ss->vm->sp;
        fvm_turn turn;
        fvm_turn_save(t->ss->vm, &turn);
        value = search_after(t, step, side, next_depth, alpha, alpha + 1);
        if (value > alpha && value < beta && t->ss->status == FVM_OK && !t->stopped) {
            fvm_turn_restore(t->ss->vm, &turn);
            fvm_set_stack(t->ss->vm, base);
            value = search_after(t, step, side, next_depth, alpha, beta);
        }
    }
    if (t->ss->status == FVM_OK)
        fvm_search_unmake(t->ss);
    return value;
}

/* --- the table -------------------------------------------------------------------- */

/* Converts a value between the search, which counts distances of wins from the root, and the table,
 * which counts them from the position.  In games with chance all wins have the same value. */
static fvm_cell adjust_win(const fvm_deepening *t, fvm_cell value, int32_t plies) {
    if (t->options->chance != 0)
        return value;
    return value > SEARCH_NEAR_WIN    ? value + plies
           : value < -SEARCH_NEAR_WIN ? value - plies
                                      : value;
}

/* Whether the table contains a value that ends the search of the node.  Only values of exactly this
 * depth are used, so that results do not depend on the contents of the table.  *table_move: index
 * of the table's move. */
static bool find_cutoff(fvm_deepening *t, uint64_t key, int32_t depth, bool horizon, fvm_cell alpha,
                        fvm_cell beta, int32_t *table_move, fvm_cell *value) {
    fvm_tt_entry found;
    if (!fvm_tt_find(t->tt, key, &found))
        return false;
    *table_move = found.move;
    bool leaf = horizon && found.kind == TT_EXACT;
    /* With PVS a cutoff in a full window would shorten the principal variation, so only exact
     * values of leaves are used there. */
    if (found.depth != depth + TT_DEPTH_BIAS ||
        (!leaf && fvm_deepening_uses(t, FVM_USE_PVS) && beta - 1 > alpha))
        return false;
    *value = adjust_win(t, found.value, -t->ss->ply);
    bool cutoff = found.kind == TT_EXACT || (found.kind == TT_LOWER && *value >= beta) ||
                  (found.kind == TT_UPPER && *value <= alpha);
    t->result->tt_cutoffs += cutoff;
    return cutoff;
}

static void store_value(fvm_deepening *t, uint64_t key, int32_t depth, fvm_cell value, int32_t kind,
                        int32_t move) {
    fvm_tt_entry entry = {adjust_win(t, value, t->ss->ply), depth + TT_DEPTH_BIAS, kind, move};
    fvm_tt_store(t->tt, key, &entry);
}

/* --- chance nodes ----------------------------------------------------------------- */

enum { MAX_OUTCOMES = 64 }; /* different outcomes whose values are stored */

/* The mean value of the chance outcomes for `side`; equal outcomes are searched once. */
static fvm_cell average_outcomes(fvm_deepening *t, int32_t depth, int32_t count, int32_t side) {
    fvm_search_stack *ss = t->ss;
    uint64_t keys[MAX_OUTCOMES];
    fvm_cell values[MAX_OUTCOMES];
    int32_t first, distinct = 0, tried = fvm_outcomes_tried(t, count);
    int64_t sum = 0;
    if (fvm_order_moves(t, -1, &first) < 0)
        return 0;
    t->chance_seen = t->chance_seen || count > 1;
    for (int32_t i = 0; i < tried; i++) {
        int32_t outcome = fvm_pick_outcome(t, i, count);
        fvm_made step = fvm_search_make(ss, t->pool[first + outcome].move);
        if (step == MADE_FAILED)
            return 0;
        uint64_t key = t->tt != NULL ? fvm_search_key(ss) : 0;
        int32_t equal = 0; /* index of an equal outcome; `distinct`: there is none */
        while (equal < distinct && (key == 0 || keys[equal] != key))
            equal++;
        fvm_cell value = equal < distinct ? values[equal]
                                          : search_after(t, step, side, depth, -SEARCH_INFINITY,
                                                         SEARCH_INFINITY);
        if (ss->status != FVM_OK || t->stopped)
            return 0;
        if (equal == distinct && distinct < MAX_OUTCOMES) {
            keys[distinct] = key;
            values[distinct++] = value;
        }
        sum += value;
        fvm_search_unmake(ss);
    }
    t->pool_used = first;
    t->pv_length[ss->ply] = 0; /* the variation ends here: it depends on the outcome */
    return tried > 0 ? (fvm_cell)(sum / tried) : 0;
}

/* --- a node ----------------------------------------------------------------------- */

static bool is_repetition(fvm_deepening *t, uint64_t key) {
    for (int32_t i = t->ss->ply - 1; i >= 0; i--)
        if (t->path[i] == key) {
            t->repetition_ply = t->repetition_ply < i ? t->repetition_ply : i;
            return true;
        }
    return false;
}

/* The best move of a node so far.  move: its index, -1: none.  low: the lower bound of the window,
 * raised by better moves. */
typedef struct {
    fvm_cell value, low;
    int32_t move;
} best_move;

/* Updates the best move with the value of a move; returns whether it causes a cutoff. */
static bool update_best(fvm_deepening *t, best_move *best, const fvm_ordered_move *choice,
                        fvm_cell value, fvm_cell beta, int32_t depth) {
    if (value > best->value) {
        best->value = value;
        best->move = choice->index;
    }
    if (value > best->low) {
        best->low = value;
        fvm_deepening_extend_pv(t, t->ss->ply, choice->index);
    }
    if (value >= beta)
        fvm_order_cutoff(t, choice, depth);
    return value >= beta;
}

/* Whether the list of a position at the horizon may be incomplete, or only counted.  Quiescence
 * search generates it again after hooks have run, which lists that must be complete may not allow.
 */
static bool may_shorten_list(const fvm_deepening *t, int32_t depth) {
    const fvm_list_facts *facts = &t->ss->assumed.facts;
    const bool repeatable = facts->use <= FVM_LIST_EMPTINESS && facts->can_follow_hooks;
    return facts->use <= FVM_LIST_COUNT && facts->has_first_moves &&
           (repeatable || !fvm_quiescence_allowed(t, depth));
}

/* What a short list contains: no more than hooks and quiescence search observe.  Where hooks read
 * whether the list is empty, one move is enough.  Quiescence search extends a single reply, and two
 * moves show that there are more.  list_facts.h says what is proven. */
static fvm_list_part short_part(const fvm_deepening *t, int32_t depth) {
    const fvm_list_facts *facts = &t->ss->assumed.facts;
    const bool all = facts->use == FVM_LIST_COUNT;
    const int32_t some = fvm_quiescence_allowed(t, depth) ? 2 : 1;
    return (fvm_list_part){.moves = all ? 0 : some, .counted = all || facts->ends_words};
}

/* Whether nothing reads a short list, so that it may be omitted. */
static bool may_omit_list(const fvm_deepening *t, int32_t depth) {
    return t->ss->assumed.facts.use == FVM_LIST_UNREAD && !fvm_quiescence_allowed(t, depth);
}

/* The number of moves up to the one that is searched before the others are ordered; 0: all moves
 * are ordered.  If that search causes a cutoff, as it usually does, the other moves need not be
 * ordered, nor generated. */
static int32_t first_moves_needed(fvm_deepening *t, int32_t table_move) {
    return table_move >= 0 ? table_move + 1 : fvm_has_move_order(t) ? 0 : 1;
}

/* Searches a move and updates the best move; returns whether it causes a cutoff.  first: no move of
 * the node has been searched. */
static bool search_choice(fvm_deepening *t, best_move *best, const fvm_ordered_move *choice,
                          int32_t side, int32_t depth, fvm_cell beta, uint64_t key, bool first) {
    const uint64_t claim = fvm_claim_for(t->claims, key, depth, choice->index);
    fvm_begin_claim(t->claims, claim);
    const fvm_cell value = search_move(t, choice, side, depth, best->low, beta, first);
    fvm_end_claim(t->claims, claim);
    return t->ss->status == FVM_OK && !t->stopped &&
           update_best(t, best, choice, value, beta, depth);
}

/* The first moves of a list, the last of which is searched before the others are ordered. */
typedef struct {
    int32_t count;      /* 0: all moves are ordered first, or the list is not searched */
    bool is_part;       /* the other moves have not been generated */
    fvm_list_rest rest; /* set if is_part */
} first_moves;

/* Searches the moves of a node. */
static fvm_cell search_moves(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                             int32_t side, uint64_t key, int32_t table_move, first_moves *begun) {
    fvm_search_stack *ss = t->ss;
    int32_t first = t->pool_used, count = 0, i = 0, deferred = 0;
    fvm_ordered_move choice;
    best_move best = {-SEARCH_INFINITY, alpha, -1};
    bool cut = false, ordered = false;
    if (begun->count > 0) {
        choice = fvm_order_one_move(t, begun->count - 1, table_move);
        cut = search_choice(t, &best, &choice, side, depth, beta, key, true);
        if (ss->status != FVM_OK || t->stopped)
            return 0;
        if (!cut && begun->is_part && !fvm_search_continue_list(ss, &begun->rest))
            return 0;
    }
    if (!cut)
        count = fvm_order_moves(t, table_move, &first);
    ordered = t->is_ordered;
    if (count < 0)
        return 0; /* stopped, or out of memory */
    if (begun->count > 0 && count > 0) {
        if (!ordered)
            fvm_order_pick(t, first, first + count); /* picks the move that was searched above */
        i = 1;
    }
    for (; i < count && !cut; i++) {
        if (!ordered)
            fvm_order_pick(t, first + i, first + count);
        choice = t->pool[first + i];
        if (i > 0 &&
            fvm_is_claimed(t->claims, fvm_claim_for(t->claims, key, depth, choice.index))) {
            t->pool[first + deferred++] = choice; /* in the place of a move that was searched */
            continue;
        }
        cut = search_choice(t, &best, &choice, side, depth, beta, key, i == 0);
        if (ss->status != FVM_OK || t->stopped)
            return 0;
    }
    for (i = 0; i < deferred && !cut; i++) {
        choice = t->pool[first + i];
        cut = search_choice(t, &best, &choice, side, depth, beta, key, false);
        if (ss->status != FVM_OK || t->stopped)
            return 0;
    }
    t->pool_used = first;
    if (key != 0 && is_path_independent(t))
        store_value(t, key, depth, best.value,
                    best.value >= beta   ? TT_LOWER
                    : best.value > alpha ? TT_EXACT
                                         : TT_UPPER,
                    best.value > alpha ? best.move : -1);
    return best.value;
}

/* Returns the position's key for the transposition table; 0: do not use the table.  *repetition:
 * set to true if the position has occurred on the path to this node. */
static uint64_t node_key(fvm_deepening *t, bool listed, bool chance, bool *repetition) {
    fvm_search_stack *ss = t->ss;
    uint64_t key = 0;
    if (fvm_deepening_uses(t, FVM_USE_REPETITION) && !listed && !chance && !ss->memory.overflow) {
        uint64_t position = fvm_search_position_key(ss);
        t->path[ss->ply] = position;
        *repetition = is_repetition(t, position);
        key = ss->count_turns ? 0 : position;
    }
    if (t->tt == NULL)
        return 0;
    return key == 0 && !ss->memory.overflow ? fvm_search_key(ss) : key;
}

/* Passes for a player who has no moves. */
static fvm_cell pass(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta, int32_t side,
                     int32_t passes) {
    if (fvm_search_pass(t->ss) == MADE_FAILED)
        return 0;
    fvm_cell value = side_to_move(t) == side
                         ? node(t, depth - 1, alpha, beta, false, passes + 1)
                         : -node(t, depth - 1, -beta, -alpha, false, passes + 1);
    if (t->ss->status != FVM_OK || t->stopped)
        return 0;
    fvm_search_unmake(t->ss);
    fvm_deepening_extend_pv(t, t->ss->ply, -1);
    return value;
}

/* Generates the list of a node, or its first moves.  short_list: the node is at the horizon. */
static bool make_list(fvm_deepening *t, int32_t depth, bool short_list, first_moves *begun) {
    const bool begins = begun->count > 0 && t->ss->assumed.facts.can_be_begun;
    if (!begins && !short_list)
        return fvm_search_generate(t->ss);
    const fvm_list_part part = short_list
                                   ? short_part(t, depth)
                                   : (fvm_list_part){.moves = begun->count, .rest = &begun->rest};
    return fvm_search_generate_part(t->ss, part);
}

/* Replaces a short list, at whose position quiescence search continues, by the complete list.
 * *count: the number of moves. */
static bool complete_list(fvm_search_stack *ss, int32_t *count) {
    fvm_addr first;
    if (fvm_search_failed(ss, fvm_free_list(ss->vm)) || !fvm_search_generate(ss))
        return false;
    *count = fvm_search_newest_list(ss, &first);
    return true;
}

/* The value of a node.  The table is probed first, because generating moves is expensive. */
static fvm_cell search_node(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                            bool listed, int32_t passes) {
    fvm_search_stack *ss = t->ss;
    int32_t table_move = -1;
    fvm_addr first;
    fvm_cell value = 0;
    bool repetition = false;
    t->result->nodes++;
    t->pv_length[ss->ply] = 0;
    t->path[ss->ply] = 0;
    if (fvm_deepening_stop(t))
        return 0;
    int32_t side = side_to_move(t);
    bool chance = fvm_search_is_chance(ss);
    bool horizon = depth <= 0 && (!listed || ss->partial_cost > 0) && !chance;
    uint64_t key = node_key(t, listed, chance, &repetition);
    if (repetition)
        return 0;
    if (key != 0 && passes == 0 &&
        find_cutoff(t, key, depth, horizon, alpha, beta, &table_move, &value))
        return value;
    bool deepest = ss->ply >= SEARCH_PLIES - 2;
    bool short_list = horizon && !listed && may_shorten_list(t, depth);
    first_moves begun;
    begun.count = listed || horizon || chance || deepest ? 0 : first_moves_needed(t, table_move);
    const bool omitted = short_list && may_omit_list(t, depth);
    if (omitted ? !fvm_search_omit_list(ss) : !listed && !make_list(t, depth, short_list, &begun))
        return 0;
    begun.is_part = begun.count > 0 && ss->vm->list_is_part;
    int32_t count = 0;
    if (short_list && !omitted) /* the moves need not be stored */
        fvm_newest_list(ss->vm, &count, &first);
    else if (!short_list)
        count = fvm_search_newest_list(ss, &first);
    if (begun.count > count) /* the table's move is that of another position */
        begun.count = 0;
    if (!listed) {
        fvm_cell over = fvm_search_game_over(ss);
        if (ss->status != FVM_OK)
            return 0;
        if (over != FVM_UNKNOWN) {
            value = over == FVM_DRAW ? 0 : fvm_deepening_decided(t, over);
            if (key != 0)
                store_value(t, key, depth, value, TT_EXACT, -1);
            return value;
        }
        if (passes >= ss->turn_order_length)
            return 0; /* as many passes as the turn order has entries: a draw */
    }
    if (deepest || (horizon && !fvm_quiescence_continues(t, depth, count))) {
        value = ss->status != FVM_OK ? 0 : fvm_deepening_evaluate(t, side);
        if (key != 0 && !deepest && ss->status == FVM_OK)
            store_value(t, key, depth, value, TT_EXACT, -1);
        return value;
    }
    if (short_list && !complete_list(ss, &count))
        return 0;
    if (count == 0)
        return pass(t, depth, alpha, beta, side, passes);
    if (!chance)
        return search_moves(t, depth, alpha, beta, side, key, table_move, &begun);
    value = average_outcomes(t, depth, count, side);
    if (key != 0 && ss->status == FVM_OK && !t->stopped && is_path_independent(t))
        store_value(t, key, depth, value, TT_EXACT, -1);
    return value;
}

/* Calls search_node and updates the repetition ply.  listed: the list has been generated, because
 * the position follows a partial move.  passes: number of successive passes before the position. */
static fvm_cell node(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta, bool listed,
                     int32_t passes) {
    int32_t outer = t->repetition_ply;
    t->repetition_ply = INT32_MAX;
    fvm_cell value = search_node(t, depth, alpha, beta, listed, passes);
    if (is_path_independent(t))
        t->repetition_ply = INT32_MAX;
    t->repetition_ply = t->repetition_ply < outer ? t->repetition_ply : outer;
    return value;
}

fvm_cell fvm_negamax_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                          fvm_cell alpha, fvm_cell beta) {
    return search_move(t, choice, 0, depth, alpha, beta, true);
}
