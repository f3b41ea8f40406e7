/* best_reply.c: best-reply search (Schadd and Winands, 2011), for more than two players.
 *
 * After a turn of the root's player only the opponent with the strongest reply moves.  Then the
 * root's player moves again.  OnNextTurn is not run for the omitted turns, so the search
 * reaches positions that cannot occur in a game; this is inherent in the method.  Chance outcomes
 * are averaged.  There is no transposition table. */
#include "search/iterative_deepening.h"

/* The value of the current position for the root's player.  passes: number of successive passes
 * before the position. */
static fvm_cell node(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                     int32_t passes);
/* The same with the root's player to move.  listed: the moves are generated already, because the
 * position follows a partial move. */
static fvm_cell root_turn(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                          bool listed, int32_t passes);

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

/* Searches the replies in the newest list; a sequence of partial moves is one reply.  root_offset:
 * offset of the root's player in the turn order.  Values are for the root's player, so the
 * strongest reply has the lowest value.  *lowest: the lowest value of any reply so far.  *beta: the
 * upper bound of the window, lowered by stronger replies.  Returns whether a reply refutes the
 * position: its value is at most alpha. */
static bool search_replies(fvm_deepening *t, int32_t depth, fvm_cell root_offset, fvm_cell alpha,
                           fvm_cell *beta, fvm_cell *lowest) {
    fvm_search_stack *ss = t->ss;
    int32_t first, count = fvm_order_moves(t, -1, &first);
    bool refuted = false;
    for (int32_t i = 0; i < count && !refuted; i++) {
        fvm_order_pick(t, first + i, first + count);
        fvm_ordered_move choice = t->pool[first + i];
        fvm_made step = fvm_search_make(ss, choice.move);
        if (step == MADE_FAILED || (step == MADE_TURN && !set_turn(t, root_offset)))
            return false;
        if (step == MADE_PARTIAL && ss->ply < SEARCH_PLIES - 2) {
            t->result->nodes++;
            refuted = !fvm_deepening_stop(t) &&
                      search_replies(t, depth, root_offset, alpha, beta, lowest);
        } else {
            fvm_cell value = step == MADE_PARTIAL ? fvm_deepening_evaluate(t, 0)
                                                  : root_turn(t, depth - 1, alpha, *beta, false, 0);
            if (value < *lowest)
                *lowest = value;
            if (value < *beta)
                *beta = value;
            refuted = *beta <= alpha;
        }
        if (fvm_deepening_ended(t))
            return false;
        fvm_search_unmake(ss);
        if (refuted)
            fvm_order_cutoff(t, &choice, depth);
    }
    t->pool_used = first;
    return refuted;
}

/* Searches all replies of one opponent; returns whether a reply refutes the position. */
static bool search_opponent(fvm_deepening *t, int32_t depth, fvm_cell offset, int32_t number,
                            fvm_cell alpha, fvm_cell *beta, fvm_cell *lowest) {
    fvm_cell turn = find_turn(t->ss, offset, number),
             root_offset = find_turn(t->ss, offset, t->root_player);
    if (turn < 0 || !set_turn(t, turn) || !fvm_search_generate(t->ss))
        return false;
    return search_replies(t, depth, root_offset, alpha, beta, lowest);
}

/* The value of a position for the opponents' strongest reply: each opponent may have the turn. */
static fvm_cell strongest_reply(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta) {
    fvm *vm = t->ss->vm;
    fvm_cell lowest = SEARCH_INFINITY, offset = fvm_lib_get(vm, vm->lib.turn_offset);
    fvm_turn turn;
    fvm_turn_save(vm, &turn);
    for (int32_t number = 1; number < SEARCH_PLAYERS; number++) {
        /* Only players on the other side who choose moves are opponents. */
        const bool chooses = (t->choosers >> number & 1) != 0;
        const bool on_root_side = fvm_deepening_side(t, number) == 0;
        if (number == t->root_player || !chooses || on_root_side)
            continue;
        bool refuted = search_opponent(t, depth, offset, number, alpha, &beta, &lowest);
        if (fvm_deepening_ended(t))
            return 0;
        fvm_turn_restore(vm, &turn);
        if (refuted)
            return lowest;
    }
    const bool no_replies = lowest == SEARCH_INFINITY;
    return no_replies ? fvm_deepening_evaluate(t, 0) : lowest;
}

/* The value of the position after a pass. */
static fvm_cell pass(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                     int32_t passes) {
    if (fvm_search_pass(t->ss) == MADE_FAILED)
        return 0;
    const fvm_cell value = node(t, depth - 1, alpha, beta, passes + 1);
    if (!fvm_deepening_ended(t))
        fvm_search_unmake(t->ss);
    return value;
}

/* The mean value of the chance outcomes in the newest list. */
static fvm_cell average_outcomes(fvm_deepening *t, int32_t depth) {
    fvm_search_stack *ss = t->ss;
    int64_t sum = 0;
    int32_t first, count = fvm_order_moves(t, -1, &first);
    const int32_t tried = fvm_outcomes_tried(t, count);
    t->chance_seen = t->chance_seen || count > 1;
    for (int32_t i = 0; i < tried; i++) {
        const int32_t outcome = fvm_pick_outcome(t, i, count);
        if (fvm_search_make(ss, t->pool[first + outcome].move) == MADE_FAILED)
            return 0;
        sum += node(t, depth, -SEARCH_INFINITY, SEARCH_INFINITY, 0);
        if (fvm_deepening_ended(t))
            return 0;
        fvm_search_unmake(ss);
    }
    t->pool_used = first;
    return tried > 0 ? (fvm_cell)(sum / tried) : 0;
}

/* The value of a position with an opponent, or a chance player, to move. */
static fvm_cell opponent_turn(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta) {
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
    const bool deepest = ss->ply >= SEARCH_PLIES - 2;
    if (fvm_search_is_chance(ss) && count > 0)
        return average_outcomes(t, depth);
    if (fvm_search_is_chance(ss))
        return deepest ? 0 : pass(t, depth, alpha, beta, 0);
    return depth <= 0 || deepest ? fvm_deepening_evaluate(t, 0)
                                 : strongest_reply(t, depth, alpha, beta);
}

static fvm_cell node(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                     int32_t passes) {
    return fvm_search_mover(t->ss) == t->root_player
               ? root_turn(t, depth, alpha, beta, false, passes)
               : opponent_turn(t, depth, alpha, beta);
}

/* Searches the position after a move of the root's player. */
static fvm_cell search_after(fvm_deepening *t, fvm_made step, int32_t depth, fvm_cell alpha,
                             fvm_cell beta) {
    if (step == MADE_PARTIAL)
        return root_turn(t, depth - t->ss->partial_cost, alpha, beta, true, 0);
    return node(t, depth - 1, alpha, beta, 0);
}

static fvm_cell root_turn(fvm_deepening *t, int32_t depth, fvm_cell alpha, fvm_cell beta,
                          bool listed, int32_t passes) {
    fvm_search_stack *ss = t->ss;
    int32_t count, ply = ss->ply, first;
    fvm_cell over, best = -SEARCH_INFINITY;
    if (!fvm_deepening_enter(t, listed, passes, &count, &over) || over == FVM_DRAW)
        return 0;
    if (over != FVM_UNKNOWN)
        return fvm_deepening_decided(t, over);
    if ((depth <= 0 && (!listed || ss->partial_cost > 0) &&
         !fvm_quiescence_continues(t, depth, count)) ||
        ply >= SEARCH_PLIES - 2)
        return ss->status != FVM_OK ? 0 : fvm_deepening_evaluate(t, 0);
    if (count == 0)
        return pass(t, depth, alpha, beta, passes);
    count = fvm_order_moves(t, -1, &first);
    for (int32_t i = 0; i < count && best < beta; i++) {
        fvm_order_pick(t, first + i, first + count);
        fvm_ordered_move choice = t->pool[first + i];
        fvm_made step = fvm_search_make(ss, choice.move);
        if (step == MADE_FAILED)
            return 0;
        fvm_cell value = search_after(t, step, depth, best > alpha ? best : alpha, beta);
        if (fvm_deepening_ended(t))
            return 0;
        fvm_search_unmake(ss);
        if (value > best) {
            best = value;
            fvm_deepening_extend_pv(t, ply, choice.index);
        }
        if (value >= beta)
            fvm_order_cutoff(t, &choice, depth);
    }
    t->pool_used = first;
    return best;
}

fvm_cell fvm_brs_root(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                      fvm_cell alpha, fvm_cell beta) {
    fvm_made step = fvm_search_make(t->ss, choice->move);
    if (step == MADE_FAILED)
        return 0;
    fvm_cell value = search_after(t, step, depth, alpha, beta);
    if (t->ss->status == FVM_OK)
        fvm_search_unmake(t->ss);
    return value;
}
