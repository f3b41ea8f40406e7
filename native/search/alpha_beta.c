/* alpha_beta.c: alpha-beta for two sides over any turn order.
 *
 * Principal variation search (Marsland and Campbell, 1982) with a transposition table.  The value
 * of a node is that of the side of its viewer (search_stack.h); its sign changes where the side
 * changes, not at each ply.  With more than two players all opponents are one side ("paranoid",
 * Sturtevant and Korf, 2000), and positions are evaluated from the view of the root's player.
 * Partial moves and chance nodes cost no depth.  Chance outcomes are averaged (expectimax, Michie
 * 1966).  docs/explanation/search.md states the rules of the search.  The root of the search is in
 * iterative_deepening.c. */
#include "search/iterative_deepening.h"
#include "search/node_list.h"

/* A node of the search. */
typedef struct {
    int32_t depth;        /* plies to the horizon */
    fvm_cell alpha, beta; /* alpha rises while moves are searched */
    bool listed;    /* the list has been generated, because the position follows a partial move */
    int32_t passes; /* number of successive passes before the position */
    int32_t side;   /* of the viewer, for which values are */
    /* What search_node finds out: */
    bool chance;        /* a chance player has the turn */
    bool horizon;       /* evaluated, unless quiescence search continues */
    bool deepest;       /* evaluated, because the search stack is full */
    uint64_t key;       /* of the position in the table; 0: the table is not used */
    int32_t table_move; /* index of the table's move, -1: none */
    /* The list up to this move is generated first, and this move is searched before the others are
     * ordered.  If it causes a cutoff, as it usually does, the others are not needed.  0: none. */
    int32_t first_moves;
    int32_t count;     /* of moves */
    bool captures;     /* only captures are searched, because a network has valued the position */
    fvm_cell best;     /* that value, then the greatest value of a move so far */
    int32_t best_move; /* its index, -1: none */
} node;

static fvm_cell search_node(fvm_deepening *t, node *n);

/* --- a move ----------------------------------------------------------------------- */

/* Whether the value of the current node may be stored in the table.  A value that depends on the
 * repetition of an earlier position of the path is valid only on this path. */
static bool is_path_independent(const fvm_deepening *t) { return t->repetition_ply >= t->ss->ply; }

/* The value of a node for `side`; its window is also for this side.  Updates the repetition ply. */
static fvm_cell value_for(fvm_deepening *t, int32_t side, node n) {
    const int32_t outer = t->repetition_ply;
    const fvm_cell alpha = n.alpha, beta = n.beta;
    n.side = fvm_deepening_side(t, fvm_search_viewer(t->ss));
    if (n.side != side) {
        n.alpha = -beta;
        n.beta = -alpha;
    }
    t->repetition_ply = INT32_MAX;
    const fvm_cell value = search_node(t, &n);
    if (is_path_independent(t))
        t->repetition_ply = INT32_MAX;
    t->repetition_ply = t->repetition_ply < outer ? t->repetition_ply : outer;
    return n.side == side ? value : -value;
}

/* Makes a move of a node, searches the position and unmakes the move; returns the move's value.
 * first: this is the first move of the node, which is searched with the full window. */
static fvm_cell search_move(fvm_deepening *t, const node *n, fvm_addr move, bool first) {
    fvm_search_stack *ss = t->ss;
    const fvm_made step = fvm_search_make(ss, move);
    if (step == MADE_FAILED)
        return 0;
    const bool partial = step == MADE_PARTIAL;
    node next = {.depth = n->depth - (partial ? ss->partial_cost : 1),
                 .alpha = n->alpha,
                 .beta = n->beta,
                 .listed = partial};
    fvm_cell value;
    if (first || !fvm_deepening_uses(t, FVM_USE_PVS) || n->beta - 1 <= n->alpha) {
        value = value_for(t, n->side, next);
    } else {
        /* The first search leaves a list and library variables, which the second one must not see;
         * the move remains made. */
        fvm_cell *base = ss->vm->sp;
        fvm_turn turn;
        fvm_turn_save(ss->vm, &turn);
        next.beta = n->alpha + 1;
        value = value_for(t, n->side, next);
        if (value > n->alpha && value < n->beta && !fvm_deepening_ended(t)) {
            fvm_turn_restore(ss->vm, &turn);
            fvm_set_stack(ss->vm, base);
            next.beta = n->beta;
            value = value_for(t, n->side, next);
        }
    }
    if (ss->status == FVM_OK)
        fvm_search_unmake(ss);
    return value;
}

/* Passes for a player who has no moves. */
static fvm_cell pass(fvm_deepening *t, const node *n) {
    if (fvm_search_pass(t->ss) == MADE_FAILED)
        return 0;
    const node next = {
        .depth = n->depth - 1, .alpha = n->alpha, .beta = n->beta, .passes = n->passes + 1};
    const fvm_cell value = value_for(t, n->side, next);
    if (fvm_deepening_ended(t))
        return 0;
    fvm_search_unmake(t->ss);
    fvm_deepening_extend_pv(t, t->ss->ply, -1);
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
 * depth are used, so that results do not depend on the contents of the table. */
static bool find_cutoff(fvm_deepening *t, node *n, fvm_cell *value) {
    fvm_tt_entry found;
    if (!fvm_tt_find(t->tt, n->key, &found))
        return false;
    n->table_move = found.move;
    const bool leaf = n->horizon && found.kind == TT_EXACT;
    /* With PVS a cutoff in a full window would shorten the principal variation, so only exact
     * values of leaves are used there. */
    if (found.depth != n->depth + TT_DEPTH_BIAS ||
        (!leaf && fvm_deepening_uses(t, FVM_USE_PVS) && n->beta - 1 > n->alpha))
        return false;
    *value = adjust_win(t, found.value, -t->ss->ply);
    const bool cutoff = found.kind == TT_EXACT || (found.kind == TT_LOWER && *value >= n->beta) ||
                        (found.kind == TT_UPPER && *value <= n->alpha);
    t->result->tt_cutoffs += cutoff;
    return cutoff;
}

/* Stores the value of a node, unless the table is not used or the search ends. */
static void store_value(fvm_deepening *t, const node *n, fvm_cell value, int32_t kind,
                        int32_t move) {
    const fvm_tt_entry entry = {adjust_win(t, value, t->ss->ply), n->depth + TT_DEPTH_BIAS, kind,
                                move};
    if (n->key != 0 && !fvm_deepening_ended(t))
        fvm_tt_store(t->tt, n->key, &entry);
}

static bool is_repetition(fvm_deepening *t, uint64_t key) {
    for (int32_t i = t->ss->ply - 1; i >= 0; i--)
        if (t->path[i] == key) {
            t->repetition_ply = t->repetition_ply < i ? t->repetition_ply : i;
            return true;
        }
    return false;
}

/* Finds the position's key for the transposition table.  Returns whether the position has occurred
 * on the path to the node. */
static bool find_key(fvm_deepening *t, node *n) {
    fvm_search_stack *ss = t->ss;
    bool repetition = false;
    if (fvm_deepening_uses(t, FVM_USE_REPETITION) && !n->listed && !n->chance &&
        !ss->memory.overflow) {
        const uint64_t position = fvm_search_position_key(ss);
        t->path[ss->ply] = position;
        repetition = is_repetition(t, position);
        n->key = ss->count_turns ? 0 : position;
    }
    if (t->tt == NULL)
        n->key = 0;
    else if (n->key == 0 && !ss->memory.overflow)
        n->key = fvm_search_key(ss);
    /* With more than two players, values depend on the root's player. */
    if (n->key != 0 && t->contestants > 2)
        n->key ^= fvm_mix(0xE000000000000000u | (uint32_t)t->root_player);
    return repetition;
}

/* --- chance nodes ----------------------------------------------------------------- */

enum { MAX_OUTCOMES = 64 }; /* different outcomes whose values are stored */

/* The mean value of the chance outcomes; equal outcomes are searched once. */
static fvm_cell average_outcomes(fvm_deepening *t, const node *n) {
    fvm_search_stack *ss = t->ss;
    uint64_t keys[MAX_OUTCOMES];
    fvm_cell values[MAX_OUTCOMES];
    int32_t first, distinct = 0;
    const int32_t tried = fvm_outcomes_tried(t, n->count);
    int64_t sum = 0;
    if (fvm_order_moves(t, -1, &first) < 0)
        return 0;
    t->chance_seen = t->chance_seen || n->count > 1;
    for (int32_t i = 0; i < tried; i++) {
        const int32_t outcome = fvm_pick_outcome(t, i, n->count);
        const fvm_made step = fvm_search_make(ss, t->pool[first + outcome].move);
        if (step == MADE_FAILED)
            return 0;
        const node next = {.depth = n->depth,
                           .alpha = -SEARCH_INFINITY,
                           .beta = SEARCH_INFINITY,
                           .listed = step == MADE_PARTIAL};
        const uint64_t key = t->tt != NULL ? fvm_search_key(ss) : 0;
        int32_t equal = 0; /* index of an equal outcome; `distinct`: there is none */
        while (equal < distinct && (key == 0 || keys[equal] != key))
            equal++;
        const fvm_cell value = equal < distinct ? values[equal] : value_for(t, n->side, next);
        if (fvm_deepening_ended(t))
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

/* What a node needs of its list.  At the horizon this is what hooks read.  Quiescence search
 * extends a single reply, and two moves show that there are more; to continue, it generates the
 * list again. */
static fvm_list_need needed_moves(const fvm_deepening *t, const node *n) {
    const fvm_promises *const p = &t->ss->promises;
    if (n->horizon && p->parts && !fvm_quiescence_allowed(t, n->depth))
        return (fvm_list_need){.moves = p->unread ? 0 : 1};
    if (n->horizon && fvm_has_first_moves(t->ss->vm, p))
        return (fvm_list_need){.moves = 2};
    if (n->first_moves > 0 && fvm_has_first_moves(t->ss->vm, p))
        return (fvm_list_need){.moves = n->first_moves, .continuable = true};
    return (fvm_list_need){.moves = FVM_ALL_MOVES};
}

/* Generates the list of a node, unless it has been generated, and counts the moves. */
static bool generate_moves(fvm_deepening *t, node *n, fvm_node_list *list) {
    fvm_search_stack *ss = t->ss;
    fvm_addr first;
    const bool none = n->listed || n->horizon || n->chance || n->deepest;
    n->first_moves = none                    ? 0
                     : n->table_move >= 0    ? n->table_move + 1
                     : fvm_has_move_order(t) ? 0
                                             : 1;
    list->state = FVM_COMPLETE_LIST;
    if (!n->listed &&
        fvm_search_failed(ss, fvm_node_list_generate(ss->vm, needed_moves(t, n), list)))
        return false;
    n->count = 0;
    if (list->state == FVM_SHORT_LIST) /* whose moves need not be stored */
        fvm_newest_list(ss->vm, &n->count, &first);
    else if (list->state != FVM_OMITTED_LIST)
        n->count = fvm_search_newest_list(ss, &first);
    if (n->first_moves > n->count) /* the table's move is that of another position */
        n->first_moves = 0;
    return true;
}

/* Replaces the list of a position at which quiescence search continues by the complete list. */
static bool complete_list(fvm_deepening *t, node *n, fvm_node_list *list) {
    fvm_search_stack *ss = t->ss;
    fvm_addr first;
    const fvm_list_need all = {.moves = FVM_ALL_MOVES};
    if (list->state != FVM_SHORT_LIST)
        return true;
    if (fvm_search_failed(ss, fvm_node_list_replace(ss->vm, all, list)))
        return false;
    n->count = fvm_search_newest_list(ss, &first);
    return true;
}

/* Searches a move and updates the best move; returns whether it causes a cutoff.  first: no move of
 * the node has been searched. */
static bool search_choice(fvm_deepening *t, node *n, const fvm_ordered_move *choice, bool first) {
    const uint64_t claim = fvm_claim_for(t->claims, n->key, n->depth, choice->index);
    fvm_begin_claim(t->claims, claim);
    const fvm_cell value = search_move(t, n, choice->move, first);
    fvm_end_claim(t->claims, claim);
    if (fvm_deepening_ended(t))
        return false;
    if (value > n->best) {
        n->best = value;
        n->best_move = choice->index;
    }
    if (value > n->alpha) {
        n->alpha = value;
        fvm_deepening_extend_pv(t, t->ss->ply, choice->index);
    }
    if (value >= n->beta)
        fvm_order_cutoff(t, choice, n->depth);
    return value >= n->beta;
}

/* Whether quiescence search tries the captures of a position at which the search would end: a
 * network alone, without OnEvaluate, does not see what is about to be captured. */
static bool tries_captures(const fvm_deepening *t, const node *n) {
    const fvm_network *const net = t->ss->network;
    return net != NULL && net->spec.own == 0 && !n->deepest &&
           fvm_quiescence_allowed(t, n->depth) && fvm_deepening_uses(t, FVM_USE_CAPTURES);
}

/* Values a position by the network: the value if the player does not capture.  Returns whether this
 * decides the node. */
static bool stand_pat(fvm_deepening *t, node *n) {
    n->captures = true;
    n->best = fvm_deepening_evaluate(t, n->side);
    n->alpha = n->best > n->alpha ? n->best : n->alpha;
    return n->best >= n->beta || n->count == 0;
}

/* Searches the moves of a node. */
static fvm_cell search_moves(fvm_deepening *t, node *n, fvm_node_list *list) {
    fvm_search_stack *ss = t->ss;
    const fvm_cell alpha = n->alpha;
    int32_t first = t->pool_used, count = 0, i = 0, deferred = 0;
    fvm_ordered_move choice;
    bool cut = false;
    if (!n->captures)
        n->best = -SEARCH_INFINITY;
    n->best_move = -1;
    /* Step 7.  Search one move before the others are ordered, or generated. */
    if (n->first_moves > 0) {
        choice = fvm_order_one_move(t, n->first_moves - 1, n->table_move);
        cut = search_choice(t, n, &choice, true);
        if (fvm_deepening_ended(t) ||
            (!cut && list->state == FVM_FIRST_MOVES &&
             fvm_search_failed(ss, fvm_node_list_continue(ss->vm, list, 0))))
            return 0;
    }
    /* Step 8.  Order the moves. */
    if (!cut)
        count = fvm_order_moves(t, n->captures ? -1 : n->table_move, &first);
    const bool ordered = t->is_ordered;
    if (count < 0)
        return 0; /* stopped, or out of memory */
    if (n->first_moves > 0 && count > 0) {
        if (!ordered) /* picks the move that was searched above */
            fvm_order_pick(t, first, first, first + count);
        i = 1;
    }
    /* Step 9.  Search them, except for those that other threads are searching. */
    for (; i < count && !cut; i++) {
        if (!ordered)
            fvm_order_pick(t, first, first + i, first + count);
        choice = t->pool[first + i];
        if (n->captures && !fvm_order_is_capture(&choice))
            break;
        const uint64_t claim = fvm_claim_for(t->claims, n->key, n->depth, choice.index);
        if (i > 0 && fvm_is_claimed(t->claims, claim)) {
            t->pool[first + deferred++] = choice; /* in the place of a move that was searched */
            continue;
        }
        cut = search_choice(t, n, &choice, i == 0);
        if (fvm_deepening_ended(t))
            return 0;
    }
    /* Step 10.  Search the moves of other threads, whose values the table now often contains. */
    for (i = 0; i < deferred && !cut; i++) {
        choice = t->pool[first + i];
        cut = search_choice(t, n, &choice, false);
        if (fvm_deepening_ended(t))
            return 0;
    }
    t->pool_used = first;
    /* Step 11.  Store the value. */
    const int32_t kind = n->best >= n->beta ? TT_LOWER : n->best > alpha ? TT_EXACT : TT_UPPER;
    if (is_path_independent(t))
        store_value(t, n, n->best, kind, n->best > alpha ? n->best_move : -1);
    return n->best;
}

/* The value of the current position for the side of its viewer. */
static fvm_cell search_node(fvm_deepening *t, node *n) {
    fvm_search_stack *ss = t->ss;
    fvm_node_list list; /* fvm_node_list_generate sets its other fields */
    fvm_cell value = 0;
    FVM_ASSERT(ss->ply >= 0 && ss->ply < SEARCH_PLIES);
    FVM_ASSERT(-SEARCH_INFINITY <= n->alpha && n->alpha < n->beta && n->beta <= SEARCH_INFINITY);
    FVM_ASSERT(n->side >= 0 && n->side < SEARCH_PLAYERS && n->passes >= 0);
    /* Step 1.  Count the node, and stop at a limit. */
    t->result->nodes++;
    t->pv_length[ss->ply] = 0;
    t->path[ss->ply] = 0;
    if (fvm_deepening_stop(t))
        return 0;
    n->chance = fvm_search_is_chance(ss);
    n->horizon = fvm_deepening_horizon(t, n->depth, n->listed) && !n->chance;
    n->deepest = fvm_deepening_deepest(t);
    n->key = 0;
    n->table_move = -1;
    /* Step 2.  A repetition is a draw, and the table may contain the value.  Both are tested first,
     * because generating moves is expensive. */
    if (find_key(t, n))
        return 0;
    if (n->key != 0 && n->passes == 0 && find_cutoff(t, n, &value))
        return value;
    /* Step 3.  Generate as much of the list as the next steps need. */
    if (!generate_moves(t, n, &list))
        return 0;
    /* Step 4.  The game may be over.  As many passes as the turn order has entries are a draw. */
    if (!n->listed) {
        const fvm_cell over = fvm_search_game_over(ss);
        if (ss->status != FVM_OK)
            return 0;
        if (over != FVM_UNKNOWN) {
            value = over == FVM_DRAW ? 0 : fvm_deepening_decided(t, over);
            store_value(t, n, value, TT_EXACT, -1);
            return value;
        }
        if (n->passes >= ss->turn_order_length)
            return 0;
    }
    /* Step 5.  Evaluate the position at the horizon, unless quiescence search continues. */
    const bool ends =
        n->deepest || (n->horizon && !fvm_quiescence_continues(t, n->depth, n->count));
    if (ends && tries_captures(t, n) && ss->status == FVM_OK) {
        if (stand_pat(t, n)) {
            store_value(t, n, n->best, n->count == 0 ? TT_EXACT : TT_LOWER, -1);
            return n->best;
        }
    } else if (ends) {
        value = ss->status != FVM_OK ? 0 : fvm_deepening_evaluate(t, n->side);
        if (!n->deepest)
            store_value(t, n, value, TT_EXACT, -1);
        return value;
    }
    if (!complete_list(t, n, &list))
        return 0;
    /* Step 6.  A player without moves passes; the outcomes of chance are averaged. */
    if (n->count == 0)
        return pass(t, n);
    if (!n->chance)
        return search_moves(t, n, &list); /* steps 7 to 11 */
    value = average_outcomes(t, n);
    if (is_path_independent(t))
        store_value(t, n, value, TT_EXACT, -1);
    return value;
}

fvm_cell fvm_negamax_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                          fvm_cell alpha, fvm_cell beta) {
    const node root = {.depth = depth, .alpha = alpha, .beta = beta};
    return search_move(t, &root, choice->move, true);
}
