/* vector.c: rows of positions that the host steps together.
 *
 * It owns the host's arrays, new games, undo, and samples of legal actions.  row_states.c makes the
 * moves.  Only one thread uses the rows of a VM; other threads step the rows of other VMs at the
 * same time. */
#include "vector/vector.h"

#include <stdlib.h>

enum { MOST_GAMES_IN_A_STEP = 1000 }; /* games that chance players alone decide */

/* --- creation --------------------------------------------------------------------- */

/* A copy of an array; NULL: no memory. */
static void *copied(const void *items, int32_t count, size_t size) {
    void *copy = malloc((size_t)count * size + 1);
    if (copy != NULL && count > 0)
        memcpy(copy, items, (size_t)count * size);
    return copy;
}

static bool allocate_boards(fvm_vector *v) {
    bool allocated = true;
    for (int32_t row = 0; row < v->o.rows && allocated; row++)
        allocated = fvm_row_allocate_boards(v, &v->rows[row].states[0]) &&
                    fvm_row_allocate_boards(v, &v->rows[row].states[1]);
    return allocated;
}

fvm_vector *fvm_vector_new(fvm *vm, const fvm_vector_options *options) {
    fvm_vector *v = calloc(1, sizeof *v);
    if (v == NULL)
        return NULL;
    v->vm = vm;
    v->o = *options;
    v->o.players = copied(options->players, options->player_count, sizeof *v->o.players);
    v->o.viewers = copied(options->viewers, options->turn_count, sizeof *v->o.viewers);
    v->o.starts = copied(options->starts, options->start_count, sizeof *v->o.starts);
    v->o.plans = NULL;
    if (options->plans != NULL)
        v->o.plans = copied(options->plans, options->player_count, sizeof *v->o.plans);
    v->rows = calloc((size_t)options->rows, sizeof *v->rows);
    v->boards = calloc((size_t)(options->history > 0 ? options->history : 1), sizeof *v->boards);
    if ((v->o.plans != NULL) == (options->plans != NULL) && v->o.players != NULL &&
        v->o.viewers != NULL && v->o.starts != NULL && v->rows != NULL && v->boards != NULL &&
        allocate_boards(v))
        return v;
    fvm_vector_free(v);
    return NULL;
}

void fvm_vector_free(fvm_vector *v) {
    if (v == NULL)
        return;
    for (int32_t row = 0; v->rows != NULL && row < v->o.rows; row++)
        for (int i = 0; i < 2; i++) {
            fvm_row_release(&v->rows[row].states[i]);
            free(v->rows[row].states[i].moves);
            free(v->rows[row].states[i].actions);
            free(v->rows[row].states[i].boards);
            free(v->rows[row].history[i]);
        }
    free((void *)v->o.players);
    free((void *)v->o.viewers);
    free((void *)v->o.starts);
    free((void *)v->o.plans);
    free(v->rows);
    free(v->boards);
    free(v);
}

/* --- the host's arrays ------------------------------------------------------------ */

static fvm_row_state *current(const fvm_vector *v, int32_t row) {
    fvm_row *r = &v->rows[row];
    return &r->states[r->now];
}

static float *rewards_of(const fvm_vector *v, const fvm_vector_arrays *a, int32_t row) {
    return a->rewards + (size_t)row * (size_t)v->o.columns;
}

/* Writes the arrays of a row, except rewards and ends of games.  Its position is in memory. */
static void write_row(const fvm_vector *v, const fvm_vector_arrays *a, int32_t row) {
    const fvm_row_state *s = current(v, row);
    const size_t actions = (size_t)v->o.actions;
    uint8_t *mask = a->masks + (size_t)row * actions;
    memset(mask, 0, actions);
    for (int32_t i = 0; i < s->count; i++)
        if (s->actions[i] >= 0)
            mask[s->actions[i]] = 1;
    a->movers[row] = s->player;
    a->counts[row] = s->count;
    a->plies[row] = s->plies;
    if (v->o.plans != NULL)
        fvm_row_observe(v, s, a->observations + (size_t)row * fvm_observation_size(v->o.plans[0]));
}

static void clear_ends(const fvm_vector *v, const fvm_vector_arrays *a, int32_t row) {
    memset(rewards_of(v, a, row), 0, (size_t)v->o.columns * sizeof(float));
    a->done[row] = a->truncated[row] = 0;
}

/* --- steps ------------------------------------------------------------------------ */

/* Makes the moves of chance players and the passes of players without moves, up to the end of the
 * game, its maximum length, or a position where a player chooses. */
static fvm_row_result advance(fvm_vector *v, int32_t row, fvm_row_state *s, fvm_row_result result) {
    while (result == ROW_CONTINUES && s->plies < v->o.max_plies) {
        if (s->count == 0)
            result = fvm_row_pass(v, row, s);
        else if (fvm_row_is_chance(v, s))
            result = fvm_row_make(v, row, s, s, fvm_row_draw(v, s));
        else
            break;
    }
    return result;
}

/* Numbers the moves of a state; false: no memory. */
static bool number(fvm_vector *v, fvm_row_state *s) {
    if (fvm_find_actions(v->vm, v->o.finder, s->actions, s->count) != 0)
        return true;
    fvm_fail(v->vm, FVM_ERR_MEMORY, 0, "no memory for actions");
    fvm_vector_fail(v, FVM_VECTOR_FAILED);
    return false;
}

/* Begins the next game, or a later one in which a player has a choice. */
static bool begin_game(fvm_vector *v, int32_t row, fvm_row_state *s) {
    for (int i = 0; i < MOST_GAMES_IN_A_STEP; i++) {
        s->episode++;
        const fvm_row_result result = advance(v, row, s, fvm_row_begin(v, row, s));
        if (result == ROW_FAILED)
            return false;
        if (result == ROW_CONTINUES && s->plies < v->o.max_plies)
            return number(v, s);
    }
    fvm_vector_fail(v, FVM_VECTOR_ENDLESS);
    return false;
}

void fvm_vector_begin(fvm_vector *v) {
    v->problem = 0;
    v->seed_before = v->seed;
    for (int32_t row = 0; row < v->o.rows; row++)
        v->rows[row].stepped = false;
}

/* Makes the other state the current one, and returns it. */
static fvm_row_state *exchange(const fvm_vector *v, fvm_row *r) {
    fvm_row_state *s = &r->states[1 - r->now];
    const fvm_row_state *before = &r->states[r->now];
    r->now = 1 - r->now;
    r->stepped = true;
    s->history = before->history;
    s->plies = before->plies;
    s->episode = before->episode;
    s->random = before->random;
    fvm_row_copy_boards(v, before, s);
    return s;
}

/* Steps a row whose current state is `s`, after exchange. */
static bool step_row(fvm_vector *v, const fvm_vector_arrays *a, int32_t row, int32_t index) {
    fvm_row *r = &v->rows[row];
    const fvm_row_state *before = &r->states[r->now];
    fvm_row_state *s = exchange(v, r);
    const fvm_row_result result = advance(v, row, s, fvm_row_make(v, row, before, s, index));
    if (result == ROW_FAILED)
        return false;
    if (result == ROW_CONTINUES && s->plies < v->o.max_plies)
        return number(v, s);
    a->done[row] = result == ROW_DECIDED;
    a->truncated[row] = result == ROW_CONTINUES;
    if (result == ROW_DECIDED && !fvm_row_rewards(v, s, rewards_of(v, a, row)))
        return false;
    s->history = 1 - before->history; /* undo needs the other one */
    return begin_game(v, row, s);
}

/* Index of an action in the list of a state; -1: the action is illegal. */
static int32_t index_of(const fvm_row_state *s, int32_t action) {
    int32_t index = 0;
    while (index < s->count && s->actions[index] != action)
        index++;
    return index < s->count ? index : -1;
}

int32_t fvm_vector_illegal(const fvm_vector *v, const int32_t *actions) {
    for (int32_t row = 0; row < v->o.rows; row++)
        if (index_of(current(v, row), actions[row]) < 0)
            return row;
    return -1;
}

int32_t fvm_vector_step(fvm_vector *v, const fvm_vector_arrays *a, const int32_t *actions) {
    for (int32_t row = 0; row < v->o.rows; row++) {
        clear_ends(v, a, row);
        if (!step_row(v, a, row, index_of(current(v, row), actions[row]))) {
            v->problem_row = row;
            return 0;
        }
        write_row(v, a, row);
    }
    return 1;
}

/* Begins the next game in a row. */
static bool begin_row(fvm_vector *v, const fvm_vector_arrays *a, int32_t row, bool first) {
    const int32_t history = current(v, row)->history;
    fvm_row_state *s = exchange(v, &v->rows[row]);
    s->history = 1 - history;
    s->episode = first ? -1 : s->episode;
    clear_ends(v, a, row);
    if (!begin_game(v, row, s)) {
        v->problem_row = row;
        return false;
    }
    write_row(v, a, row);
    return true;
}

int32_t fvm_vector_reset(fvm_vector *v, const fvm_vector_arrays *a, uint64_t seed) {
    v->seed = seed;
    for (int32_t row = 0; row < v->o.rows; row++)
        if (!begin_row(v, a, row, true))
            return 0;
    for (int32_t row = 0; row < v->o.rows; row++)
        v->rows[row].sample = fvm_row_random(v, row, 0, 3);
    return 1;
}

int32_t fvm_vector_restart(fvm_vector *v, const fvm_vector_arrays *a, int32_t row) {
    return begin_row(v, a, row, false);
}

void fvm_vector_undo(fvm_vector *v, const fvm_vector_arrays *a) {
    v->seed = v->seed_before;
    for (int32_t row = 0; row < v->o.rows; row++) {
        fvm_row *r = &v->rows[row];
        if (r->stepped)
            r->now = 1 - r->now;
        r->stepped = false;
        clear_ends(v, a, row);
        if (current(v, row)->listed != NULL && fvm_vector_restore(v, row) == FVM_OK)
            write_row(v, a, row);
    }
}

int32_t fvm_vector_problem(const fvm_vector *v, int32_t *row) {
    *row = v->problem_row;
    return v->problem;
}

/* --- queries ---------------------------------------------------------------------- */

void fvm_vector_sample(fvm_vector *v, int32_t seeded, uint64_t seed, int32_t *actions) {
    for (int32_t row = 0; row < v->o.rows; row++) {
        const fvm_row_state *s = current(v, row);
        uint64_t *random = &v->rows[row].sample;
        if (seeded)
            *random = fvm_mix(fvm_mix(seed + 1) ^ (uint32_t)(v->o.first_row + row));
        int32_t index = (int32_t)(fvm_next_random(random) % (uint32_t)s->count);
        while (s->actions[index] < 0) /* at least one move has a number */
            index = index > 0 ? index - 1 : s->count - 1;
        actions[row] = s->actions[index];
    }
}

int32_t fvm_vector_history(const fvm_vector *v, int32_t row, int32_t *moves, int32_t capacity,
                           int32_t *start, int32_t *seed) {
    const fvm_row_state *s = current(v, row);
    for (int32_t i = 0; i < s->plies && i < capacity; i++)
        moves[i] = v->rows[row].history[s->history][i];
    *start = (v->o.first_row + row + s->episode) % v->o.start_count;
    *seed = fvm_row_seed(v, row, s->episode);
    return s->plies;
}

fvm_status fvm_vector_restore(fvm_vector *v, int32_t row) {
    return fvm_snapshot_restore(v->vm, current(v, row)->listed);
}
