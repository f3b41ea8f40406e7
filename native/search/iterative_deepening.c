/* iterative_deepening.c: the iterations of the depth-first searches.
 *
 * It owns the root, principal variations, limits, and the evaluation of positions.  alpha_beta.c,
 * maxn.c and best_reply.c search nodes; deepening_search.c begins and ends a search. */
#include "search/shared_search.h"

#include <stdio.h>
#include <stdlib.h>

enum { CLOCK_INTERVAL = 32 }; /* nodes between two readings of the clock */

/* --- limits and chance ------------------------------------------------------------ */

/* Learns of a better root move that another thread has found, or of its deeper iteration: then the
 * search of the current root move is useless.  The first thread completes all iterations, so it
 * ignores deeper ones.  Returns whether there is news. */
static bool hear(fvm_deepening *t) {
    if (t->claims == NULL)
        return false;
    const uint64_t best = fvm_best_found(t->claims);
    if (best <= t->heard ||
        (t->options->thread == 0 && fvm_best_depth(best) != fvm_best_depth(t->heard)))
        return false;
    t->heard = best;
    return true;
}

bool fvm_deepening_stop(fvm_deepening *t) {
    const fvm_deepening_options *o = t->options;
    if (t->ss->vm->engine_status != 0 || (o->nodes > 0 && t->result->nodes > o->nodes))
        t->stopped = true;
    else if (t->deadline > 0 && --t->clock_countdown < 0) {
        t->clock_countdown = CLOCK_INTERVAL;
        t->stopped = fvm_now() >= t->deadline;
    }
    if (!t->stopped && hear(t))
        t->stopped = t->behind = true;
    return t->stopped;
}

int32_t fvm_deepening_side(const fvm_deepening *t, int32_t number) {
    return (t->allies >> number & 1) != 0 ? 0 : 1;
}

bool fvm_deepening_enter(fvm_deepening *t, bool listed, int32_t passes, int32_t *count,
                         fvm_cell *over) {
    fvm_search_stack *ss = t->ss;
    fvm_addr first;
    *over = FVM_UNKNOWN;
    t->result->nodes++;
    t->pv_length[ss->ply] = 0;
    if (fvm_deepening_stop(t) || (!listed && !fvm_search_generate(ss)))
        return false;
    *count = fvm_search_newest_list(ss, &first);
    if (!listed)
        *over = fvm_search_game_over(ss);
    if (!listed && *over == FVM_UNKNOWN && passes >= ss->turn_order_length)
        *over = FVM_DRAW;
    return ss->status == FVM_OK;
}

/* In games with chance all wins have the same value, so averages do not depend on distances. */
fvm_cell fvm_deepening_decided(const fvm_deepening *t, fvm_cell over) {
    fvm_cell value = FVM_WIN - (t->options->chance != 0 ? 0 : t->ss->ply);
    return over == FVM_WIN ? value : -value;
}

/* With more than two players, positions are evaluated from the view of the root's player. */
fvm_cell fvm_deepening_evaluate(fvm_deepening *t, int32_t side) {
    bool many = t->contestants > 2;
    int32_t number = many                          ? t->root_player
                     : fvm_search_is_chance(t->ss) ? fvm_search_viewer(t->ss)
                                                   : 0;
    fvm_cell value = fvm_search_evaluate(t->ss, number);
    t->result->evaluations++;
    value = value > SEARCH_NEAR_WIN    ? SEARCH_NEAR_WIN
            : value < -SEARCH_NEAR_WIN ? -SEARCH_NEAR_WIN
                                       : value;
    return many && side != 0 ? -value : value;
}

int32_t fvm_outcomes_tried(const fvm_deepening *t, int32_t count) {
    const int32_t samples = t->options->samples;
    return samples > 0 && samples < count ? samples : count;
}

int32_t fvm_pick_outcome(fvm_deepening *t, int32_t i, int32_t count) {
    const bool all = fvm_outcomes_tried(t, count) == count;
    return all ? i : (int32_t)(fvm_next_random(&t->random) % (uint32_t)count);
}

bool fvm_quiescence_allowed(const fvm_deepening *t, int32_t depth) {
    return fvm_deepening_uses(t, FVM_USE_QUIESCENCE) && depth > -t->options->extension;
}

bool fvm_quiescence_continues(fvm_deepening *t, int32_t depth, int32_t count) {
    if (!fvm_quiescence_allowed(t, depth))
        return false;
    /* Once the search has reached a chance node with several outcomes, a single reply is not
     * extended: another such node would follow it, which multiplies the number of nodes. */
    return (count == 1 && !t->chance_seen) || !fvm_search_is_terminal(t->ss);
}

/* --- principal variations --------------------------------------------------------- */

void fvm_deepening_extend_pv(fvm_deepening *t, int32_t ply, int32_t index) {
    int32_t length = t->pv_length[ply + 1];
    if (length > FVM_LINE_MOVES - 1)
        length = FVM_LINE_MOVES - 1;
    t->pv[ply][0] = index;
    memcpy(t->pv[ply] + 1, t->pv[ply + 1], (size_t)length * sizeof t->pv[0][0]);
    t->pv_length[ply] = length + 1;
}

/* --- the root --------------------------------------------------------------------- */

typedef struct {
    fvm_deepening *t;
    fvm_ordered_move *moves;
    int32_t count;
    fvm_line *lines;
    fvm_shared_search *shared; /* NULL: the threads do not divide the moves */
} root;

static bool is_best_reply(const fvm_deepening *t) {
    return t->options->method == FVM_METHOD_BEST_REPLY && t->contestants > 2;
}

static fvm_cell root_value(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                           fvm_cell low, fvm_cell high) {
    if (t->options->method == FVM_METHOD_MAXN)
        return fvm_maxn_root(t, choice, depth);
    if (is_best_reply(t))
        return fvm_brs_root(t, choice, depth, low, high);
    return fvm_negamax_root(t, choice, depth, low, high);
}

/* The value of a root move that is better than `low`, or any value that is not.  first: no move has
 * been searched before. */
static fvm_cell value_above(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth,
                            fvm_cell low, bool first) {
    const bool narrow = fvm_deepening_uses(t, FVM_USE_PVS) && t->options->method != FVM_METHOD_MAXN;
    if (!first && narrow) {
        const fvm_cell value = root_value(t, choice, depth, low, low + 1);
        if (value <= low || fvm_deepening_ended(t))
            return value;
    }
    return root_value(t, choice, depth, low, SEARCH_INFINITY);
}

/* The same for the move at a rank; uses the result of a helper if there is one. */
static fvm_cell value_at(root *r, int32_t at, int32_t depth, fvm_cell low, bool first) {
    fvm_deepening *t = r->t;
    fvm_root_result result;
    fvm_root_state state = ROOT_FREE;
    while (r->shared != NULL &&
           (state = fvm_root_take_first(r->shared, at, &result)) == ROOT_TAKEN) {
        if (fvm_deepening_stop(t))
            return 0;
        fvm_yield(); /* a helper is searching the move */
    }
    if (state == ROOT_FREE)
        return value_above(t, &r->moves[at], depth, low, first);
    memcpy(t->scores, result.scores, sizeof t->scores);
    memcpy(t->pv[1], result.line, sizeof t->pv[1]);
    t->pv_length[1] = result.length;
    t->chance_seen = t->chance_seen || result.chance_seen;
    return result.value;
}

static uint64_t claim_at(const root *r, int32_t at, int32_t depth) {
    return fvm_claim_for(r->t->claims, r->t->path[0], depth, r->moves[at].index);
}

/* Moves the move at rank `from` up to rank `to`; the order of the other moves does not change. */
static void move_up(root *r, int32_t from, int32_t to) {
    const fvm_ordered_move moved = r->moves[from];
    memmove(r->moves + to + 1, r->moves + to, (size_t)(from - to) * sizeof moved);
    r->moves[to] = moved;
}

/* Moves the claimed moves before the first other one to the end; returns their number.  most: the
 * greatest number. */
static int32_t defer_claimed(root *r, int32_t at, int32_t depth, int32_t most) {
    int32_t deferred = 0;
    while (deferred < most && fvm_is_claimed(r->t->claims, claim_at(r, at, depth))) {
        const fvm_ordered_move claimed = r->moves[at];
        memmove(r->moves + at, r->moves + at + 1, (size_t)(r->count - 1 - at) * sizeof claimed);
        r->moves[r->count - 1] = claimed;
        deferred++;
    }
    return deferred;
}

/* Tells the other threads about a root move, which is better than those before it. */
static void share_best(fvm_deepening *t, int32_t depth, fvm_cell value, int32_t move) {
    if (t->claims == NULL)
        return;
    const uint64_t number = fvm_best_number(depth, value, move);
    t->heard = number > t->heard ? number : t->heard;
    fvm_share_best(t->claims, number);
}

/* After another thread has found a better move, puts it at the rank `at`, or leaves the moves as
 * they are if it is not among those from there on.  Returns false if the other thread searches a
 * deeper iteration. */
static bool catch_up(root *r, int32_t at, int32_t depth) {
    fvm_deepening *t = r->t;
    int32_t i = at;
    t->stopped = t->behind = false;
    while (i < r->count && r->moves[i].index != fvm_best_move(t->heard))
        i++;
    if (i < r->count)
        move_up(r, i, at);
    return fvm_best_depth(t->heard) == depth;
}

/* Searches the root moves with index `from` or higher, puts the best of them at index `from`, and
 * stores its variation as line number `from`.  (The lines with lower numbers begin with the moves
 * that have lower indexes.)  Returns false if the search was stopped before it had searched the
 * first of these moves, which was the best one in the previous iteration, or if another thread
 * searches a deeper iteration. */
static bool best_of_moves(root *r, int32_t from, int32_t depth) {
    fvm_deepening *t = r->t;
    fvm_line *line = &r->lines[from];
    bool found = false;
    fvm_cell low = -SEARCH_INFINITY;
    int32_t deferred = 0;
    const int32_t pool_used = t->pool_used;
    for (int32_t i = from; i < r->count; i++) {
        if (i > from)
            deferred += defer_claimed(r, i, depth, r->count - i - deferred);
        const uint64_t claim = claim_at(r, i, depth);
        fvm_begin_claim(t->claims, claim);
        const fvm_cell value = value_at(r, i, depth, low, i == from);
        fvm_end_claim(t->claims, claim);
        if (t->behind && t->ss->status == FVM_OK) {
            t->pool_used = pool_used;
            if (!catch_up(r, i--, depth))
                return false;
            continue;
        }
        const fvm_ordered_move choice = r->moves[i];
        if (fvm_deepening_ended(t))
            return found; /* the previous best move, which is the first, has been searched */
        if (found && value <= low)
            continue;
        fvm_deepening_extend_pv(t, 0, choice.index);
        line->score = value;
        line->depth = depth;
        line->length = t->pv_length[0];
        memcpy(line->moves, t->pv[0], sizeof line->moves);
        memcpy(line->scores, t->scores, sizeof line->scores);
        found = true;
        move_up(r, i, from);
        low = value;
        share_best(t, depth, low, r->moves[from].index);
        if (r->shared != NULL)
            fvm_root_raise(r->shared, low);
    }
    return found;
}

/* Calls best_of_moves, and offers the moves to helpers meanwhile.  Helpers of a search with windows
 * wait for the first move, which raises the lower bound. */
static bool best_of(root *r, int32_t from, int32_t depth) {
    const fvm_root_task task = {
        .depth = depth, .low = -SEARCH_INFINITY, .chance_seen = r->t->chance_seen};
    const bool open = r->t->options->method == FVM_METHOD_MAXN;
    fvm_shared_search *const shared = r->shared;
    if (shared != NULL && !fvm_root_offer(shared, &task, open, r->moves, from, r->count))
        r->shared = NULL;
    const bool found = best_of_moves(r, from, depth);
    if (shared != NULL)
        fvm_root_withdraw(shared);
    return found;
}

/* Searches moves that the first thread offers, until the search is stopped. */
static void help(root *r) {
    fvm_deepening *t = r->t;
    fvm_root_task task;
    fvm_root_result result;
    t->path[0] = fvm_search_position_key(t->ss);
    while (t->ss->status == FVM_OK && !fvm_deepening_stop(t)) {
        if (!fvm_root_take_last(r->shared, &task)) {
            fvm_yield();
            continue;
        }
        int32_t at = 0;
        while (at < r->count - 1 && r->moves[at].index != task.index)
            at++;
        t->chance_seen = t->chance_seen || task.chance_seen;
        result.value = value_above(t, &r->moves[at], task.depth, task.low, false);
        memcpy(result.scores, t->scores, sizeof result.scores);
        memcpy(result.line, t->pv[1], sizeof result.line);
        result.length = t->pv_length[1];
        result.chance_seen = t->chance_seen;
        const bool searched = !fvm_deepening_ended(t);
        fvm_root_finish(r->shared, &task, searched ? &result : NULL);
    }
}

enum { LINE_TEXT = 8192 }; /* size of the buffer for the text of a line, in bytes */

/* Writes the texts of a line's moves to a buffer of LINE_TEXT bytes, as many as it can contain. The
 * moves are made, because a text can be written only in the position of its move. */
static void write_line(fvm_deepening *t, const fvm_line *line, char *to) {
    fvm_search_stack *ss = t->ss;
    uint32_t used = 0, length;
    ss->needs_texts = true;
    for (int32_t i = 0; i < line->length && used + 3 < LINE_TEXT; i++) {
        fvm_addr move = 0;
        fvm_made step;
        if (line->moves[i] >= 0) {
            int32_t count = fvm_search_newest_list(ss, &move);
            if (line->moves[i] >= count)
                break;
            for (int32_t k = 0; k < line->moves[i]; k++)
                move = fvm_next_move(ss->vm, move);
            const uint32_t space = LINE_TEXT - used - 1;
            if (fvm_decompile(ss->vm, move, to + used, space, &length) != FVM_OK ||
                length + 1 >= space)
                break;
            used += length;
            to[used++] = '\n';
        }
        if (i + 1 == line->length)
            break;
        step = move != 0 ? fvm_search_make(ss, move) : fvm_search_pass(ss);
        if (step == MADE_FAILED ||
            (step == MADE_TURN && fvm_search_failed(ss, fvm_generate_turn(ss->vm))))
            break;
    }
    to[used] = 0;
    while (ss->ply > 0 && ss->status == FVM_OK)
        fvm_search_unmake(ss);
    ss->needs_texts = false;
}

/* Reports the score of each player in a line of max^n; false: the host failed. */
static bool report_scores(const fvm_deepening *t, const fvm_line *line) {
    fvm *vm = t->ss->vm;
    char text[SEARCH_PLAYERS * 12 + 1]; /* a cell has at most 11 characters */
    int used = 0;
    if (t->options->method != FVM_METHOD_MAXN)
        return true;
    for (int32_t i = 0; i < SEARCH_PLAYERS; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%d ", (int)line->scores[i]);
    return vm->hooks.report(vm->host, FVM_REPORT_SCORES, text, 0) == 0;
}

/* Reports a completed iteration to the host; false: the host or the script failed. */
static bool report_iteration(fvm_deepening *t, const root *r, int32_t depth) {
    fvm *vm = t->ss->vm;
    char text[LINE_TEXT];
    int64_t nodes = t->result->nodes;
    int (*report)(void *, int32_t, const char *, fvm_cell) = vm->hooks.report;
    fvm_cell node_count = nodes < INT32_MAX ? (fvm_cell)nodes : INT32_MAX;
    for (int32_t i = 0; report != NULL && i < t->result->lines; i++) {
        write_line(t, &r->lines[i], text);
        if (t->ss->status != FVM_OK)
            return false;
        if (report(vm->host, FVM_REPORT_SCORE, "", r->lines[i].score) != 0 ||
            report(vm->host, FVM_REPORT_DEPTH, "", depth) != 0 ||
            report(vm->host, FVM_REPORT_NODES, "", node_count) != 0 ||
            !report_scores(t, &r->lines[i]) || report(vm->host, FVM_REPORT_LINE, text, i) != 0)
            return !fvm_search_failed(t->ss, FVM_ERR_HOST);
    }
    return true;
}

/* Whether deeper searches cannot change the score: it is a win or loss within the searched depth.
 */
static bool is_decided(const fvm_deepening *t, const fvm_line *line) {
    fvm_cell size = line->score < 0 ? -line->score : line->score;
    return t->options->chance == 0 && size > SEARCH_NEAR_WIN && FVM_WIN - size <= line->depth;
}

static void iterate(root *r) {
    fvm_deepening *t = r->t;
    const fvm_deepening_options *o = t->options;
    int32_t lines = o->lines < r->count ? o->lines : r->count;
    for (int32_t depth = 1; depth <= o->depth; depth++) {
        const bool chance_seen = t->chance_seen;
        t->path[0] = fvm_search_position_key(t->ss);
        share_best(t, depth, -SEARCH_INFINITY, -1);
        int32_t extension = fvm_deepening_uses(t, FVM_USE_QUIESCENCE) ? o->extension : 0;
        if (o->method == FVM_METHOD_ALPHA_BETA)
            fvm_search_set_depth(t->ss, o->chance != 0 ? INT32_MAX : depth + extension);
        for (int32_t line = 0; line < lines; line++) {
            if (best_of(r, line, depth) && t->result->lines <= line)
                t->result->lines = line + 1;
            if (fvm_deepening_ended(t))
                return;
        }
        if (t->claims != NULL && fvm_best_depth(t->heard) > depth && o->thread > 0) {
            depth = fvm_best_depth(t->heard) - 1; /* continues where another thread is */
            continue;
        }
        if (t->chance_seen != chance_seen && fvm_deepening_uses(t, FVM_USE_QUIESCENCE)) {
            depth--; /* repeats the iteration: quiescence search must not extend single replies */
            continue;
        }
        t->result->depth = depth;
        if (!report_iteration(t, r, depth) || (is_decided(t, &r->lines[0]) && lines == 1))
            return;
        /* If more than half of the time is used, the next iteration would probably not complete. */
        if (t->deadline > 0 && fvm_now() - t->start > (t->deadline - t->start) / 2)
            return;
    }
}

fvm_status fvm_deepening_iterate(fvm_deepening *t, fvm_line *lines) {
    root r = {t, NULL, 0, lines, NULL};
    int32_t first;
    if (t->ss->status != FVM_OK)
        return t->ss->status;
    int32_t count = fvm_order_moves(t, -1, &first);
    if (count <= 0)
        return t->ss->status != FVM_OK
                   ? t->ss->status
                   : fvm_fail(t->ss->vm, FVM_ERR_NO_MOVE, 0, "there are no moves");
    fvm_order_sort(t, first, first + count);
    r.count = count;
    r.moves = malloc((size_t)count * sizeof *r.moves);
    if (r.moves == NULL)
        return fvm_fail(t->ss->vm, FVM_ERR_MEMORY, 0, "no memory to search");
    memcpy(r.moves, t->pool + first, (size_t)count * sizeof *r.moves);
    for (int32_t i = 0; i < t->options->lines; i++)
        lines[i] = (fvm_line){.moves = {r.moves[i < count ? i : 0].index}, .length = 1};
    if (t->options->method == FVM_METHOD_MAXN || is_best_reply(t))
        r.shared = t->options->shared;
    if (r.shared != NULL && t->options->thread > 0)
        help(&r);
    else
        iterate(&r);
    free(r.moves);
    return t->ss->status;
}
