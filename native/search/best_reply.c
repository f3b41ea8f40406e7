/* best_reply.c: best-reply search (Schadd and Winands, 2011), for more than two players.
 *
 * After a turn of the root's player only the opponent with the strongest reply moves.  Then the
 * root's player moves again.  OnNextTurn is not run for the omitted turns, so the search
 * reaches positions that cannot occur in a game; this is inherent in the method.  Chance outcomes
 * are averaged.  There is no transposition table. */
#include "search/iterative_deepening.h"

/* A node of the search.  Values are for the root's player. */
typedef struct {
    int32_t depth; /* plies to the horizon */
    fvm_cell alpha, beta;
    bool listed;    /* the list has been generated, because the position follows a partial move */
    int32_t passes; /* number of successive passes before the position */
} node;

/* The value of the current position, with the root's player or another one to move. */
static fvm_cell root_turn(fvm_deepening *t, const node *n);
static fvm_cell opponent_turn(fvm_deepening *t, const node *n);

static fvm_cell search_node(fvm_deepening *t, const node *n) {
    return fvm_search_mover(t->ss) == t->root_player ? root_turn(t, n) : opponent_turn(t, n);
}

/* The offset of a player's next entry in the turn order, at or after `offset`; -1: there is none.
 */
static fvm_cell find_turn(fvm_search_stack *ss, fvm_cell offset, int32_t number) {
    for (int32_t i = 0; i <= ss->turn_order_length; i++) {
        const int32_t found = fvm_search_player_at(ss, offset);
        if (found < 0 || found == number)
            return found < 0 ? -1 : offset;
        offset = fvm_search_next_offset(ss, offset);
    }
    return -1;
}

/* Sets the turn to the entry of the turn order at an offset, by the library's $SetTurn. */
static bool set_turn(fvm_deepening *t, fvm_cell offset) {
    fvm *vm = t->ss->vm;
    fvm_addr word = fvm_find_in(vm, FVM_K_FORTH, "$SetTurn", 8);
    fvm_cell *base = vm->sp;
    if (offset < 0 || word == 0)
        return !fvm_search_failed(t->ss, fvm_fail(vm, FVM_ERR_LIBRARY, 0, "$SetTurn"));
    fvm_status status = fvm_put_top(vm, offset);
    if (status == FVM_OK)
        status = fvm_run_to_exit(vm, word + FVM_HEADER_BYTES);
    fvm_set_stack(vm, base);
    return !fvm_search_failed(t->ss, status);
}

/* The replies at a node.  The strongest one has the lowest value. */
typedef struct {
    node after;           /* what is searched after a reply: stronger replies lower beta */
    fvm_cell lowest;      /* the lowest value of a reply so far */
    fvm_cell root_offset; /* of the root's player in the turn order */
} replies;

/* Searches the replies in the newest list; a sequence of partial moves is one reply.  Returns
 * whether a reply refutes the position: its value is at most alpha. */
static bool search_replies(fvm_deepening *t, replies *r) {
    fvm_search_stack *ss = t->ss;
    int32_t first;
    const int32_t count = fvm_order_moves(t, -1, &first);
    bool refuted = false;
    for (int32_t i = 0; i < count && !refuted; i++) {
        fvm_order_pick(t, first, first + i, first + count);
        const fvm_ordered_move choice = t->pool[first + i];
        const fvm_made step = fvm_search_make(ss, choice.move);
        if (step == MADE_FAILED || (step == MADE_TURN && !set_turn(t, r->root_offset)))
            return false;
        if (step == MADE_PARTIAL && !fvm_deepening_deepest(t)) {
            t->result->nodes++;
            refuted = !fvm_deepening_stop(t) && search_replies(t, r);
        } else {
            const fvm_cell value =
                step == MADE_PARTIAL ? fvm_deepening_evaluate(t, 0) : root_turn(t, &r->after);
            if (value < r->lowest)
                r->lowest = value;
            if (value < r->after.beta)
                r->after.beta = value;
            refuted = r->after.beta <= r->after.alpha;
        }
        if (fvm_deepening_ended(t))
            return false;
        fvm_search_unmake(ss);
        if (refuted)
            fvm_order_cutoff(t, &choice, r->after.depth + 1);
    }
    t->pool_used = first;
    return refuted;
}

/* Searches all replies of one opponent; returns whether a reply refutes the position.  offset: that
 * of the turn in the turn order. */
static bool search_opponent(fvm_deepening *t, fvm_cell offset, int32_t number, replies *r) {
    const fvm_cell turn = find_turn(t->ss, offset, number);
    r->root_offset = find_turn(t->ss, offset, t->root_player);
    return turn >= 0 && set_turn(t, turn) && fvm_search_generate(t->ss) && search_replies(t, r);
}

/* The value of a position for the opponents' strongest reply: each opponent may have the turn. */
static fvm_cell strongest_reply(fvm_deepening *t, const node *n) {
    fvm *vm = t->ss->vm;
    const fvm_cell offset = fvm_lib_get(vm, vm->lib.turn_offset);
    replies r = {.after = {n->depth - 1, n->alpha, n->beta, false, 0}, .lowest = SEARCH_INFINITY};
    fvm_turn turn;
    fvm_turn_save(vm, &turn);
    for (int32_t number = 1; number < SEARCH_PLAYERS; number++) {
        /* Only players on the other side who choose moves are opponents. */
        const bool chooses = (t->choosers >> number & 1) != 0;
        const bool on_root_side = fvm_deepening_side(t, number) == 0;
        if (number == t->root_player || !chooses || on_root_side)
            continue;
        const bool refuted = search_opponent(t, offset, number, &r);
        if (fvm_deepening_ended(t))
            return 0;
        fvm_turn_restore(vm, &turn);
        if (refuted)
            return r.lowest;
    }
    const bool no_replies = r.lowest == SEARCH_INFINITY;
    return no_replies ? fvm_deepening_evaluate(t, 0) : r.lowest;
}

/* The value of the position after a pass. */
static fvm_cell pass(fvm_deepening *t, const node *n) {
    if (fvm_search_pass(t->ss) == MADE_FAILED)
        return 0;
    const node next = {n->depth - 1, n->alpha, n->beta, false, n->passes + 1};
    const fvm_cell value = search_node(t, &next);
    if (!fvm_deepening_ended(t))
        fvm_search_unmake(t->ss);
    return value;
}

/* The mean value of the chance outcomes in the newest list. */
static fvm_cell average_outcomes(fvm_deepening *t, int32_t depth) {
    fvm_search_stack *ss = t->ss;
    const node next = {depth, -SEARCH_INFINITY, SEARCH_INFINITY, false, 0};
    int64_t sum = 0;
    int32_t first;
    const int32_t count = fvm_order_moves(t, -1, &first), tried = fvm_outcomes_tried(t, count);
    t->chance_seen = t->chance_seen || count > 1;
    for (int32_t i = 0; i < tried; i++) {
        const int32_t outcome = fvm_pick_outcome(t, i, count);
        if (fvm_search_make(ss, t->pool[first + outcome].move) == MADE_FAILED)
            return 0;
        sum += search_node(t, &next);
        if (fvm_deepening_ended(t))
            return 0;
        fvm_search_unmake(ss);
    }
    t->pool_used = first;
    return tried > 0 ? (fvm_cell)(sum / tried) : 0;
}

static fvm_cell opponent_turn(fvm_deepening *t, const node *n) {
    fvm_search_stack *ss = t->ss;
    int32_t count;
    fvm_cell over;
    if (!fvm_deepening_enter(t, false, 0, &count, &over) || over == FVM_DRAW)
        return 0;
    if (over != FVM_UNKNOWN) {
        /* The result of OnIsGameOver is for the viewer (search_stack.h), the returned value for the
         * root's player. */
        const fvm_cell value = fvm_deepening_decided(t, over);
        return fvm_deepening_side(t, fvm_search_viewer(ss)) == 0 ? value : -value;
    }
    const bool deepest = fvm_deepening_deepest(t);
    if (fvm_search_is_chance(ss) && count > 0)
        return average_outcomes(t, n->depth);
    if (fvm_search_is_chance(ss)) {
        node passing = *n;
        passing.passes = 0;
        return deepest ? 0 : pass(t, &passing);
    }
    return n->depth <= 0 || deepest ? fvm_deepening_evaluate(t, 0) : strongest_reply(t, n);
}

/* Makes a move of the root's player, searches the position and unmakes the move. */
static fvm_cell search_move(fvm_deepening *t, fvm_addr move, const node *n) {
    fvm_search_stack *ss = t->ss;
    const fvm_made step = fvm_search_make(ss, move);
    if (step == MADE_FAILED)
        return 0;
    const bool partial = step == MADE_PARTIAL;
    const node next = {n->depth - (partial ? ss->partial_cost : 1), n->alpha, n->beta, partial, 0};
    const fvm_cell value = partial ? root_turn(t, &next) : search_node(t, &next);
    if (!fvm_deepening_ended(t))
        fvm_search_unmake(ss);
    return value;
}

static fvm_cell root_turn(fvm_deepening *t, const node *n) {
    fvm_search_stack *ss = t->ss;
    node rest = *n; /* alpha rises */
    int32_t count, ply = ss->ply, first;
    fvm_cell over, best = -SEARCH_INFINITY;
    if (!fvm_deepening_enter(t, n->listed, n->passes, &count, &over) || over == FVM_DRAW)
        return 0;
    if (over != FVM_UNKNOWN)
        return fvm_deepening_decided(t, over);
    if ((fvm_deepening_horizon(t, n->depth, n->listed) &&
         !fvm_quiescence_continues(t, n->depth, count)) ||
        fvm_deepening_deepest(t))
        return ss->status != FVM_OK ? 0 : fvm_deepening_evaluate(t, 0);
    if (count == 0)
        return pass(t, n);
    count = fvm_order_moves(t, -1, &first);
    for (int32_t i = 0; i < count && best < n->beta; i++) {
        fvm_order_pick(t, first, first + i, first + count);
        const fvm_ordered_move choice = t->pool[first + i];
        rest.alpha = best > n->alpha ? best : n->alpha;
        const fvm_cell value = search_move(t, choice.move, &rest);
        if (fvm_deepening_ended(t))
            return 0;
        if (value > best) {
            best = value;
            fvm_deepening_extend_pv(t, ply, choice.index);
        }
        if (value >= n->beta)
            fvm_order_cutoff(t, &choice, n->depth);
    }
    t->pool_used = first;
    return best;
}

fvm_cell fvm_brs_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                      fvm_cell alpha, fvm_cell beta) {
    return search_move(t, choice->move, &(node){depth, alpha, beta, false, 0});
}
