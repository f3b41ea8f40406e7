/* iterative_deepening.c: our searches from the root: iterations, windows, lines, limits, the
 * order of moves.
 *
 * It owns what alpha_beta.c, maxn.c and best_reply.c share.  Moves are tried in this order: the
 * table's, captures (dearest victim, cheapest taker), killers (Akl and Newborn, 1977), then by history
 * (Schaeffer, 1989). */
#include "search/iterative_deepening.h"

#include <stdlib.h>

enum { CHANGES = 16, TABLE_RANK = 1 << 30, CAPTURE_RANK = 1 << 28, KILLER_RANK = 1 << 27 };
enum { MOST_HISTORY = 1 << 24, LOOKS = 32, MOST_AGAIN = 32, FEW_NODES = 200 };

/* --- limits and chance ------------------------------------------------------------ */

bool fvm_think_stop(fvm_thinker *t) {
    const fvm_think_options *o = t->options;
    if (t->w->vm->engine_status != 0 || (o->nodes > 0 && t->result->nodes > o->nodes))
        t->stopped = true;
    else if (t->deadline > 0 && --t->looks < 0) {
        t->looks = LOOKS;
        t->stopped = fvm_now() >= t->deadline;
    }
    return t->stopped;
}

uint32_t fvm_think_random(fvm_thinker *t) {
    t->random += 0x9E3779B97F4A7C15u;
    return (uint32_t)(fvm_mix(t->random) >> 32);
}

int32_t fvm_think_side(const fvm_thinker *t, int32_t number) {
    return (t->allies >> number & 1) != 0 ? 0 : 1;
}

/* With lots a win is a win: means of wins must not depend on the way to them. */
fvm_cell fvm_think_decided(const fvm_thinker *t, fvm_cell over) {
    fvm_cell value = THINK_WIN - (t->options->chance != 0 ? 0 : t->w->ply);
    return over == FVM_WIN ? value : -value;
}

/* What the position is worth to a side.  With more than two players the root's player is asked. */
fvm_cell fvm_think_evaluate(fvm_thinker *t, int32_t side) {
    bool many = t->contestants > 2;
    int32_t number = many ? t->root : fvm_walk_chance(t->w) ? fvm_walk_viewer(t->w) : 0;
    fvm_cell value = fvm_walk_evaluate(t->w, number);
    t->result->evaluations++;
    value = value > THINK_NEAR_WIN    ? THINK_NEAR_WIN
            : value < -THINK_NEAR_WIN ? -THINK_NEAR_WIN
                                      : value;
    return many && side != 0 ? -value : value;
}

/* Whether the search may go on beyond its depth, whatever is there. */
bool fvm_think_may_go_on(const fvm_thinker *t, int32_t depth) {
    return fvm_think_uses(t, FVM_USE_QUIESCENCE) && depth > -t->options->extension;
}

/* Whether it does. */
bool fvm_think_goes_on(fvm_thinker *t, int32_t depth, int32_t count) {
    if (!fvm_think_may_go_on(t, depth))
        return false;
    /* Lots would multiply with every single reply. */
    return (count == 1 && !t->lots) || !fvm_walk_terminal(t->w);
}

/* --- the order of moves ----------------------------------------------------------- */

static fvm_cell piece_value(const fvm *vm, fvm_cell piece) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    fvm_addr at = table + 16u * ((uint32_t)FVM_TYPE(piece) - 1) + 12;
    fvm_cell value = table != 0 && FVM_TYPE(piece) != 0 && fvm_in(vm, at, 4) ? fvm_get(vm, at) : 0;
    return value < 0 ? 0 : value > 100000 ? 100000 : value;
}

/* What a move takes from others, in values of pieces; -1: nothing.  Half of the value of the
 * piece that takes is counted against it, so that the cheaper one tries first. */
static int32_t capture_rank(fvm_thinker *t, fvm_addr move) {
    fvm *vm = t->w->vm;
    fvm_change changes[CHANGES];
    fvm_cell own = FVM_OWNER(fvm_lib_get(vm, vm->lib.player, 0));
    int32_t total = 0, count = fvm_move_changes(vm, move, changes, CHANGES);
    bool takes = false;
    for (int32_t i = 0; i < count && i < CHANGES; i++) {
        fvm_cell victim = changes[i].kind == FVM_CHANGE_CAPTURE || changes[i].kind == FVM_CHANGE_MOVE
                              ? changes[i].other
                              : 0;
        if (victim == 0 || FVM_OWNER(victim) == own)
            continue;
        takes = true;
        total += 16 * (1 + piece_value(vm, victim));
        if (changes[i].kind == FVM_CHANGE_MOVE)
            total -= piece_value(vm, changes[i].piece) / 8;
    }
    total = total < 0 ? 0 : total > CAPTURE_RANK / 2 ? CAPTURE_RANK / 2 : total;
    return takes ? total : -1;
}

static uint32_t history_slot(const fvm_thinker *t, uint32_t id) {
    return (uint32_t)fvm_mix(((uint64_t)(uint32_t)fvm_walk_mover(t->w) << 32) | id) &
           (THINK_HISTORY - 1);
}

static int32_t rank_of(fvm_thinker *t, const fvm_choice *choice, int32_t table_move) {
    if (choice->index == table_move)
        return TABLE_RANK;
    if (fvm_think_uses(t, FVM_USE_CAPTURES)) {
        int32_t captured = capture_rank(t, choice->move);
        if (captured >= 0)
            return CAPTURE_RANK + captured;
    }
    if (fvm_think_uses(t, FVM_USE_KILLERS))
        for (int32_t k = 0; k < THINK_KILLERS; k++)
            if (t->killers[t->w->ply][k] == choice->id)
                return KILLER_RANK - k;
    return fvm_think_uses(t, FVM_USE_HISTORY) ? t->history[history_slot(t, choice->id)] : 0;
}

static bool room_for(fvm_thinker *t, int32_t more) {
    if (t->pool_used + more <= t->pool_room)
        return true;
    int32_t room = 2 * (t->pool_used + more);
    fvm_choice *pool = realloc(t->pool, (size_t)room * sizeof *pool);
    if (pool == NULL) {
        fvm_walk_failed(t->w, fvm_fail(t->w->vm, FVM_ERR_MEMORY, 0, "no memory to search"));
        return false;
    }
    t->pool = pool;
    t->pool_room = room;
    return true;
}

int32_t fvm_think_choices(fvm_thinker *t, int32_t table_move, int32_t *first) {
    fvm *vm = t->w->vm;
    fvm_move_cells cells;
    fvm_addr move;
    int32_t index = 0, count = fvm_walk_list(t->w, &move);
    *first = t->pool_used;
    if (t->w->status != FVM_OK || !room_for(t, count))
        return -1;
    for (; index < count && move != 0; move = fvm_next_move(vm, move), index++) {
        fvm_choice *choice = &t->pool[t->pool_used++];
        bool sound = fvm_move_cells_at(vm, move, &cells);
        *choice = (fvm_choice){move, sound ? (uint32_t)fvm_get(vm, cells.hash) : 0, index, 0};
        choice->rank = rank_of(t, choice, table_move);
        if ((index & 63) == 63 && fvm_walk_failed(t->w, fvm_toil(vm, 4096)))
            return -1;
    }
    return index;
}

fvm_choice fvm_think_choice_at(fvm_thinker *t, int32_t index, int32_t table_move) {
    fvm_move_cells cells;
    fvm_choice choice = {.index = index};
    fvm_walk_list(t->w, &choice.move);
    for (int32_t i = 0; i < index && choice.move != 0; i++)
        choice.move = fvm_next_move(t->w->vm, choice.move);
    if (fvm_move_cells_at(t->w->vm, choice.move, &cells))
        choice.id = (uint32_t)fvm_get(t->w->vm, cells.hash);
    choice.rank = rank_of(t, &choice, table_move);
    return choice;
}

bool fvm_think_orders(const fvm_thinker *t) {
    return fvm_think_uses(t, FVM_USE_CAPTURES | FVM_USE_KILLERS | FVM_USE_HISTORY) ||
           t->options->seed != 0;
}

/* To know takes some time: many nodes are wanted first. */
bool fvm_think_alone(fvm_thinker *t) {
    if (t->alone == 0 && t->result->nodes > FEW_NODES)
        t->alone = fvm_move_words_are_independent(t->w->vm) ? 1 : -1;
    return t->alone > 0;
}

/* A seed decides between equals; without one the list does. */
static bool before(const fvm_thinker *t, const fvm_choice *a, const fvm_choice *b) {
    if (a->rank != b->rank)
        return a->rank > b->rank;
    if (t->options->seed != 0) {
        uint64_t one = fvm_mix(((uint64_t)t->options->seed << 32) ^ a->id);
        uint64_t two = fvm_mix(((uint64_t)t->options->seed << 32) ^ b->id);
        if (one != two)
            return one > two;
    }
    return a->index < b->index;
}

void fvm_think_pick(fvm_thinker *t, int32_t at, int32_t end) {
    int32_t best = at;
    for (int32_t i = at + 1; i < end; i++)
        if (before(t, &t->pool[i], &t->pool[best]))
            best = i;
    fvm_choice chosen = t->pool[best];
    t->pool[best] = t->pool[at];
    t->pool[at] = chosen;
}

void fvm_think_reward(fvm_thinker *t, const fvm_choice *choice, int32_t depth) {
    uint32_t *killers = t->killers[t->w->ply];
    int32_t *history = &t->history[history_slot(t, choice->id)];
    if (choice->rank >= CAPTURE_RANK && choice->rank != TABLE_RANK)
        return;
    if (killers[0] != choice->id) {
        killers[1] = killers[0];
        killers[0] = choice->id;
    }
    *history += depth > 0 ? depth * depth : 1;
    if (*history > MOST_HISTORY)
        for (int32_t i = 0; i < THINK_HISTORY; i++)
            t->history[i] /= 2;
}

void fvm_think_line(fvm_thinker *t, int32_t ply, int32_t index) {
    int32_t length = t->pv_length[ply + 1];
    if (length > FVM_LINE_MOVES - 1)
        length = FVM_LINE_MOVES - 1;
    t->pv[ply][0] = index;
    memcpy(t->pv[ply] + 1, t->pv[ply + 1], (size_t)length * sizeof t->pv[0][0]);
    t->pv_length[ply] = length + 1;
}

/* --- the root --------------------------------------------------------------------- */

typedef struct {
    fvm_thinker *t;
    fvm_choice *moves;
    int32_t count;
    fvm_line *lines;
} root;

static fvm_cell root_value(fvm_thinker *t, const fvm_choice *choice, int32_t depth, fvm_cell alpha,
                           fvm_cell beta) {
    if (t->options->method == FVM_THINK_MAXN)
        return fvm_maxn_root(t, choice, depth);
    if (t->options->method == FVM_THINK_BRS && t->contestants > 2)
        return fvm_brs_root(t, choice, depth, alpha, beta);
    return fvm_negamax_root(t, choice, depth, alpha, beta);
}

/* The best of the moves from `from` on; false if stopped before it is known. */
static bool best_of(root *r, int32_t from, int32_t depth, fvm_cell alpha, fvm_cell beta) {
    fvm_thinker *t = r->t;
    fvm_line *line = &r->lines[from];
    bool found = false;
    fvm_cell low = alpha;
    for (int32_t i = from; i < r->count; i++) {
        fvm_choice choice = r->moves[i];
        fvm_cell value;
        bool narrow = fvm_think_uses(t, FVM_USE_PVS) && t->options->method != FVM_THINK_MAXN;
        if (i == from || !narrow || low + 1 >= beta) {
            value = root_value(t, &choice, depth, low, beta);
        } else {
            value = root_value(t, &choice, depth, low, low + 1);
            if (value > low && value < beta && t->w->status == FVM_OK && !t->stopped)
                value = root_value(t, &choice, depth, low, beta);
        }
        if (t->w->status != FVM_OK || t->stopped)
            return found && i > from; /* the former best has been looked at */
        if (value <= low && found)
            continue;
        if (value > low || !found) {
            fvm_think_line(t, 0, choice.index);
            line->score = value;
            line->depth = depth;
            line->length = t->pv_length[0];
            memcpy(line->moves, t->pv[0], sizeof line->moves);
            found = true;
            /* It comes first, the others keep their order. */
            memcpy(t->result->scores, t->scores, sizeof t->result->scores);
            memmove(r->moves + from + 1, r->moves + from, (size_t)(i - from) * sizeof choice);
            r->moves[from] = choice;
        }
        if (value > low)
            low = value;
        if (value >= beta)
            break;
    }
    return found;
}

/* A narrow window around the former score; outside of it the search is done again. */
static bool aspire(root *r, int32_t from, int32_t depth) {
    fvm_thinker *t = r->t;
    fvm_line *line = &r->lines[from];
    fvm_line former = *line;
    fvm_cell score = former.score, size = score < 0 ? -score : score;
    if (!fvm_think_uses(t, FVM_USE_ASPIRATION) || t->options->method == FVM_THINK_MAXN ||
        former.depth == 0 || size > THINK_NEAR_WIN)
        return best_of(r, from, depth, -THINK_INFINITY, THINK_INFINITY);
    fvm_cell margin = 16 + size / 8;
    if (!best_of(r, from, depth, score - margin, score + margin)) {
        *line = former;
        return false;
    }
    if (line->score > score - margin && line->score < score + margin)
        return true;
    if (t->stopped || t->w->status != FVM_OK) {
        *line = former;
        return false;
    }
    return best_of(r, from, depth, -THINK_INFINITY, THINK_INFINITY);
}

enum { LINE_TEXT = 8192 };

/* The moves of a line as text, by making them; as many as there is room for. */
static void write_line(fvm_thinker *t, const fvm_line *line, char *to) {
    fvm_walk *w = t->w;
    uint32_t used = 0, length;
    for (int32_t i = 0; i < line->length && used + FVM_TEXT_MAX + 2 < LINE_TEXT; i++) {
        fvm_addr move = 0;
        fvm_step step;
        if (line->moves[i] >= 0) {
            int32_t count = fvm_walk_list(w, &move);
            if (line->moves[i] >= count)
                break;
            for (int32_t k = 0; k < line->moves[i]; k++)
                move = fvm_next_move(w->vm, move);
            if (fvm_decompile(w->vm, move, to + used, FVM_TEXT_MAX + 1, &length) != FVM_OK)
                break;
            used += length;
            to[used++] = '\n';
        }
        if (i + 1 == line->length)
            break;
        step = move != 0 ? fvm_walk_make(w, move) : fvm_walk_pass(w);
        if (step == WALK_FAILED ||
            (step == WALK_TURN && fvm_walk_failed(w, fvm_generate_turn(w->vm))))
            break;
    }
    to[used] = 0;
    while (w->ply > 0 && w->status == FVM_OK)
        fvm_walk_undo(w);
}

/* Tells the host what an iteration has found; false: the host or the script failed. */
static bool report(fvm_thinker *t, const root *r, int32_t depth) {
    fvm *vm = t->w->vm;
    char text[LINE_TEXT];
    int64_t nodes = t->result->nodes;
    int (*tell)(void *, int32_t, const char *, fvm_cell) = vm->hooks.report;
    fvm_cell counted = nodes < INT32_MAX ? (fvm_cell)nodes : INT32_MAX;
    for (int32_t i = 0; tell != NULL && i < t->result->lines; i++) {
        write_line(t, &r->lines[i], text);
        if (t->w->status != FVM_OK)
            return false;
        if (tell(vm->host, FVM_REPORT_SCORE, "", r->lines[i].score) != 0 ||
            tell(vm->host, FVM_REPORT_DEPTH, "", depth) != 0 ||
            tell(vm->host, FVM_REPORT_NODES, "", counted) != 0 ||
            tell(vm->host, FVM_REPORT_LINE, text, i) != 0)
            return !fvm_walk_failed(t->w, FVM_ERR_HOST);
    }
    return true;
}

static bool settled(const fvm_thinker *t, const fvm_line *line) {
    fvm_cell size = line->score < 0 ? -line->score : line->score;
    return t->options->chance == 0 && size > THINK_NEAR_WIN && THINK_WIN - size <= line->depth;
}

/* What comes to light on the way and changes what positions are worth, or their keys. */
static int32_t learned(const fvm_thinker *t) {
    bool lots = t->lots && fvm_think_uses(t, FVM_USE_QUIESCENCE);
    return t->w->outside_count + t->w->unbounded + lots;
}

static void iterate(root *r) {
    fvm_thinker *t = r->t;
    const fvm_think_options *o = t->options;
    int32_t lines = o->lines < r->count ? o->lines : r->count;
    int32_t again = 0;
    for (int32_t depth = 1; depth <= o->depth; depth++) {
        int32_t known = learned(t);
        t->path[0] = fvm_walk_place(t->w);
        int32_t beyond = fvm_think_uses(t, FVM_USE_QUIESCENCE) ? o->extension : 0;
        if (o->method == FVM_THINK_SIDES)
            fvm_walk_depth(t->w, o->chance != 0 ? INT32_MAX : depth + beyond);
        for (int32_t line = 0; line < lines; line++) {
            if (aspire(r, line, depth) && t->result->lines <= line)
                t->result->lines = line + 1;
            if (t->stopped || t->w->status != FVM_OK)
                return;
        }
        /* Memory that moves change has come to light, which earlier keys left out; or lots have. */
        if (learned(t) != known && again++ < MOST_AGAIN) {
            depth--;
            continue;
        }
        t->result->depth = depth;
        if (!report(t, r, depth) || (settled(t, &r->lines[0]) && lines == 1))
            return;
        /* Half of the time is gone: the next iteration would hardly end. */
        if (t->deadline > 0 && fvm_now() - t->start > (t->deadline - t->start) / 2)
            return;
    }
}

/* Who is on the root's side. */
static void find_sides(fvm_thinker *t) {
    t->root = fvm_walk_viewer(t->w);
    t->seats = fvm_walk_seats(t->w);
    for (int32_t number = 0; number < WALK_NUMBERS; number++)
        t->contestants += (int32_t)(t->seats >> number & 1);
    fvm_walk_sides(t->w, t->seats, t->sides);
    t->allies = t->sides[t->root];
}

static fvm_thinker *open_thinker(fvm *vm, const fvm_think_options *options, fvm_cache *cache,
                                 fvm_think_result *result) {
    fvm_thinker *t = calloc(1, sizeof *t);
    fvm_walk *w = fvm_walk_open(vm, options->chance, options->count_turns != 0);
    if (t == NULL || w == NULL) {
        free(t);
        if (w != NULL)
            fvm_walk_close(w);
        return NULL;
    }
    t->w = w;
    fvm_walk_briefly(w);
    t->options = options;
    t->cache = (options->features & FVM_USE_TABLE) != 0 ? cache : NULL;
    t->result = result;
    t->start = fvm_now();
    t->deadline = options->seconds > 0 ? t->start + options->seconds : 0;
    t->random = options->seed;
    find_sides(t);
    return t;
}

static fvm_status search_root(fvm_thinker *t, fvm_line *lines) {
    root r = {t, NULL, 0, lines};
    int32_t first;
    if (t->w->status != FVM_OK)
        return t->w->status;
    int32_t count = fvm_think_choices(t, -1, &first);
    if (count <= 0)
        return t->w->status != FVM_OK
                   ? t->w->status
                   : fvm_fail(t->w->vm, FVM_ERR_NO_MOVE, 0, "there are no moves");
    for (int32_t i = 0; i < count; i++)
        fvm_think_pick(t, first + i, first + count);
    r.count = count;
    r.moves = malloc((size_t)count * sizeof *r.moves);
    if (r.moves == NULL)
        return fvm_fail(t->w->vm, FVM_ERR_MEMORY, 0, "no memory to search");
    memcpy(r.moves, t->pool + first, (size_t)count * sizeof *r.moves);
    for (int32_t i = 0; i < t->options->lines; i++)
        lines[i] = (fvm_line){{r.moves[i < count ? i : 0].index}, 1, 0, 0};
    iterate(&r);
    free(r.moves);
    return t->w->status;
}

/* Cells that moves change and that nobody knew of at first are no part of earlier keys. */
static void outdated(fvm_thinker *t, fvm_cache *cache) {
    t->result->outside = t->w->outside_count;
    t->result->keyless = t->w->unbounded;
    if (t->w->outside_count > 0 && cache != NULL)
        fvm_cache_clear(cache);
}

fvm_status fvm_think(fvm *vm, const fvm_think_options *options, fvm_cache *cache, fvm_line *lines,
                     fvm_think_result *result) {
    *result = (fvm_think_result){.lines = 1};
    for (int32_t i = 0; i < options->lines; i++)
        lines[i] = (fvm_line){{0}, 1, 0, 0}; /* stopped before it began, it has the first move */
    fvm_begin(vm, FVM_PHASE_SEARCH);
    if (vm->nesting > 0)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a search inside a run");
    fvm_status status = fvm_bind(vm);
    if (status != FVM_OK)
        return status;
    fvm_thinker *t = open_thinker(vm, options, cache, result);
    if (t == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
    fvm_cell searching = fvm_lib_get(vm, vm->lib.searching, 0);
    fvm_cell *base = vm->sp;
    fvm_turn turn;
    fvm_turn_save(vm, &turn);
    fvm_halt outer = fvm_halt_begin(vm, options->seconds, 0);
    vm->phase = FVM_PHASE_SEARCH;
    vm->searching = true;
    fvm_lib_put(vm, vm->lib.searching, -1);
    fvm_lib_put(vm, vm->lib.ply, 0);
    status = search_root(t, lines);
    result->stopped = fvm_halt_end(vm, outer, &status) || t->stopped;
    vm->engine_status = 0; /* not before: it may have been told to stop already */
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    outdated(t, cache);
    fvm_walk_close(t->w);
    free(t->pool);
    free(t);
    fvm_turn_restore(vm, &turn);
    fvm_lib_put(vm, vm->lib.searching, searching);
    vm->searching = false;
    fvm_set_stack(vm, base);
    if (vm->nesting == 0)
        fvm_flush(vm);
    return status;
}
