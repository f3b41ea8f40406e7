/* row_states.c: makes moves in the rows of a vector.
 *
 * It owns the order of calls, which is that of the class States (forthvm/game/states.py), the
 * results of games, and the numbers of moves.  It handles one row at a time; steps of all rows,
 * undo and the host's arrays are in vector.c. */
#include "vector/vector.h"

#include <stdlib.h>

/* --- random numbers --------------------------------------------------------------- */

uint64_t fvm_row_random(const fvm_vector *v, int32_t row, int32_t episode, uint32_t purpose) {
    const uint64_t number = (uint64_t)(uint32_t)(v->o.first_row + row);
    const uint64_t game = fvm_mix(number << 32 | (uint32_t)episode);
    return fvm_mix(fvm_mix(v->seed + 0x9E3779B97F4A7C15u) ^ (game + purpose));
}

/* A negative seed would restart the stream for each number. */
fvm_cell fvm_row_seed(const fvm_vector *v, int32_t row, int32_t episode) {
    return (fvm_cell)(fvm_row_random(v, row, episode, 1) >> 33);
}

int32_t fvm_row_draw(const fvm_vector *v, fvm_row_state *s) {
    const uint32_t count = (uint32_t)s->count;
    const uint32_t doubled = v->o.players[s->player].chance == 2;
    const uint32_t drawn = fvm_next_random(&s->random) % (count + doubled);
    return drawn < count ? (int32_t)drawn : 0;
}

/* --- lists ------------------------------------------------------------------------ */

void fvm_vector_fail(fvm_vector *v, int32_t problem) {
    if (v->problem == 0)
        v->problem = problem;
}

static bool failed(fvm_vector *v, fvm_status status) {
    if (status != FVM_OK)
        fvm_vector_fail(v, FVM_VECTOR_FAILED);
    return status != FVM_OK;
}

static bool no_memory(fvm_vector *v) {
    return failed(v, fvm_fail(v->vm, FVM_ERR_MEMORY, 0, "no memory for positions"));
}

void fvm_row_release(fvm_row_state *s) {
    fvm_snapshot_free(s->listed);
    s->listed = NULL;
}

/* Copies the addresses of the moves in memory. */
static bool copy_moves(fvm_vector *v, fvm_row_state *s, int32_t count) {
    if (count > s->capacity) {
        const size_t items = (size_t)count + 32;
        fvm_addr *moves = realloc(s->moves, items * sizeof *moves);
        s->moves = moves != NULL ? moves : s->moves;
        int32_t *actions = realloc(s->actions, items * sizeof *actions);
        s->actions = actions != NULL ? actions : s->actions;
        if (moves == NULL || actions == NULL)
            return !no_memory(v);
        s->capacity = (int32_t)items;
    }
    s->count = count;
    fvm_move_list(v->vm, s->moves, count);
    return true;
}

/* Whether the turn that follows a move of a sequence of partial moves has no moves. */
static bool must_end_turn(const fvm_row_state *s) { return s->partial != 0 && s->count == 0; }

/* Lists the moves of a position that has just been reached. */
static bool list(fvm_vector *v, fvm_row_state *s) {
    fvm_listing listing = {.moves = s->moves,
                           .capacity = s->capacity,
                           .result = FVM_UNKNOWN,
                           .steps = v->o.steps,
                           .seconds = v->o.seconds};
    fvm_snapshot *arrived = fvm_loop_snapshot(v->vm);
    fvm_row_release(s);
    if (arrived == NULL)
        return !no_memory(v);
    const fvm_status status =
        fvm_loop_list(v->vm, arrived, s->partial ? FVM_LOOP_LIST_ONLY : FVM_LOOP_BOTH, &listing);
    fvm_snapshot_free(arrived);
    if (failed(v, status))
        return false;
    s->listed = listing.state;
    s->code = s->partial != 0 ? FVM_UNKNOWN : listing.result;
    s->player = fvm_lib_get_or(v->vm, v->vm->lib.player_offset, -1) / 4;
    if (s->player < 0 || s->player >= v->o.player_count)
        return !failed(v, fvm_fail(v->vm, FVM_ERR_CONTEXT, s->player,
                                   "the script's turn is of a player that does not exist"));
    return copy_moves(v, s, listing.count);
}

static bool is_decided(const fvm_vector *v, const fvm_row_state *s) {
    return s->code == FVM_WIN || s->code == FVM_LOSS || s->code == FVM_DRAW ||
           s->skipped >= v->o.turn_count;
}

/* Lists the moves after a move or at the start. */
static fvm_row_result arrive(fvm_vector *v, fvm_row_state *s) {
    if (!list(v, s))
        return ROW_FAILED;
    if (must_end_turn(s)) {
        s->partial = 0;
        if (failed(v, fvm_game_end_turn(v->vm)) || !list(v, s))
            return ROW_FAILED;
    }
    return is_decided(v, s) ? ROW_DECIDED : ROW_CONTINUES;
}

/* --- moves ------------------------------------------------------------------------ */

/* Adds an item to the history of a state. */
static bool record(fvm_vector *v, int32_t row, fvm_row_state *s, int32_t index) {
    fvm_row *r = &v->rows[row];
    int32_t *capacity = &r->capacity[s->history], **items = &r->history[s->history];
    if (s->plies >= *capacity) {
        int32_t *grown = realloc(*items, ((size_t)*capacity * 2 + 64) * sizeof *grown);
        if (grown == NULL)
            return !no_memory(v);
        *items = grown;
        *capacity = *capacity * 2 + 64;
    }
    (*items)[s->plies++] = index;
    return true;
}

fvm_row_result fvm_row_begin(fvm_vector *v, int32_t row, fvm_row_state *s) {
    const fvm_vector_start *start =
        &v->o.starts[(v->o.first_row + row + s->episode) % v->o.start_count];
    if (failed(v, fvm_snapshot_restore(v->vm, start->memory)))
        return ROW_FAILED;
    const fvm_cell seed = fvm_row_seed(v, row, s->episode);
    fvm_seed(v->vm, 1, seed);
    fvm_seed(v->vm, 2, seed);
    s->random = fvm_row_random(v, row, s->episode, 2);
    s->partial = start->partial;
    s->skipped = start->skipped;
    s->plies = 0;
    s->board_count = 0;
    return arrive(v, s);
}

/* Restores a state before a move from it to `to`. */
static fvm_status prepare(fvm_vector *v, const fvm_row_state *from, fvm_row_state *to) {
    const fvm_status status = fvm_snapshot_restore(v->vm, from->listed);
    if (status != FVM_OK)
        return fvm_fail(v->vm, status, 0, "a state cannot be restored");
    fvm_row_push_board(v, to);
    fvm_budget(v->vm, v->o.steps, v->o.seconds);
    return FVM_OK;
}

fvm_row_result fvm_row_make(fvm_vector *v, int32_t row, const fvm_row_state *from,
                            fvm_row_state *to, int32_t index) {
    int32_t partial = 0;
    if (failed(v, prepare(v, from, to)) ||
        failed(v, fvm_game_make(v->vm, from->moves[index], &partial)) || !record(v, row, to, index))
        return ROW_FAILED;
    to->partial = partial;
    to->skipped = 0;
    return arrive(v, to);
}

fvm_row_result fvm_row_pass(fvm_vector *v, int32_t row, fvm_row_state *s) {
    if (failed(v, prepare(v, s, s)) || failed(v, fvm_game_end_turn(v->vm)) ||
        !record(v, row, s, -1))
        return ROW_FAILED;
    s->partial = 0;
    s->skipped++;
    return arrive(v, s);
}

bool fvm_row_is_chance(const fvm_vector *v, const fvm_row_state *s) {
    return v->o.players[s->player].chance != 0;
}

/* --- results ---------------------------------------------------------------------- */

/* Index of the player from whose view OnIsGameOver returns its result. */
static int32_t viewer_of(const fvm_vector *v, const fvm_row_state *s) {
    const fvm_vector_player *mover = &v->o.players[s->player];
    const int32_t turn = fvm_lib_get(v->vm, v->vm->lib.turn_offset) / FVM_TURN_BYTES;
    const bool known = turn >= 0 && turn < v->o.turn_count && v->o.viewers[turn] >= 0;
    return mover->chance != 0 && known ? v->o.viewers[turn] : s->player;
}

/* Whether a player wins and loses together with the viewer: both call each other friends. */
static bool is_on_side(fvm_vector *v, int32_t player, int32_t viewer, bool *ok) {
    const fvm_cell a = v->o.players[viewer].cell, b = v->o.players[player].cell;
    bool friends = false, friends_reversed = false;
    if (player == viewer || !v->o.friends)
        return player == viewer;
    *ok = *ok && !failed(v, fvm_friends(v->vm, a, b, &friends)) &&
          !failed(v, fvm_friends(v->vm, b, a, &friends_reversed));
    return friends && friends_reversed;
}

bool fvm_row_rewards(fvm_vector *v, const fvm_row_state *s, float *rewards) {
    const int32_t viewer = viewer_of(v, s);
    bool ok = true;
    fvm_begin(v->vm, FVM_PHASE_GAME_OVER);
    if (s->code != FVM_WIN && s->code != FVM_LOSS)
        return true;
    for (int32_t player = 0; player < v->o.player_count; player++) {
        const int32_t column = v->o.players[player].column;
        if (column < 0)
            continue;
        const bool wins = is_on_side(v, player, viewer, &ok) == (s->code == FVM_WIN);
        rewards[column] = wins ? 1.0F : -1.0F;
    }
    return ok;
}
