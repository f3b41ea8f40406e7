/* batches.c: playouts and evaluations of all rows.
 *
 * row_states.c makes moves in rows. */
#include "search/search_stack.h"
#include "vector/vector.h"

#include <stdlib.h>

static bool failed(fvm_vector *v, int32_t row, fvm_status status) {
    v->problem_row = row;
    if (status != FVM_OK)
        fvm_vector_fail(v, FVM_VECTOR_FAILED);
    return status != FVM_OK;
}

static uint32_t chance_players(const fvm_vector *v) {
    uint32_t chance = 0;
    for (int32_t player = 0; player < v->o.player_count; player++)
        if (v->o.players[player].chance != 0)
            chance |= (uint32_t)1 << FVM_PLAYER_NUMBER(v->o.players[player].cell);
    return chance;
}

/* --- playouts --------------------------------------------------------------------- */

/* Rewards are from 0 to 1. */
static void write_returns(const fvm_vector *v, const double *sums, int32_t count, float *returns) {
    for (int32_t player = 0; player < v->o.player_count; player++) {
        const fvm_vector_player *p = &v->o.players[player];
        if (p->column >= 0)
            returns[p->column] = (float)(2 * sums[FVM_PLAYER_NUMBER(p->cell)] / count - 1);
    }
}

int32_t fvm_vector_playouts(fvm_vector *v, int32_t count, int32_t plies, uint64_t seed,
                            float *returns) {
    fvm_tree_options options = {
        .iterations = count, .chance = chance_players(v), .playout_plies = plies};
    fvm_tree_result result;
    fvm_tree *tree = fvm_tree_new(1);
    double sums[SEARCH_PLAYERS];
    bool ok = tree != NULL;
    v->problem = 0;
    if (!ok)
        failed(v, 0, fvm_fail(v->vm, FVM_ERR_MEMORY, 0, "no memory for playouts"));
    for (int32_t row = 0; ok && row < v->o.rows; row++) {
        options.seed = (uint32_t)fvm_mix(fvm_mix(seed + 1) ^ (uint32_t)(v->o.first_row + row));
        fvm_tree_clear(tree);
        fvm_budget(v->vm, v->o.steps, v->o.seconds);
        ok = !failed(v, row, fvm_vector_restore(v, row)) &&
             !failed(v, row, fvm_playouts(v->vm, tree, &options, sums, &result));
        if (ok)
            write_returns(v, sums, count, returns + (size_t)row * (size_t)v->o.columns);
    }
    fvm_tree_free(tree);
    return ok;
}

/* --- evaluations ------------------------------------------------------------------ */

/* Runs OnEvaluate for each player with a column. */
static bool evaluate_row(fvm_vector *v, fvm_search_stack *ss, int32_t row, fvm_cell *values) {
    for (int32_t player = 0; player < v->o.player_count; player++) {
        const fvm_vector_player *p = &v->o.players[player];
        if (p->column < 0)
            continue;
        if (failed(v, row, fvm_vector_restore(v, row)))
            return false;
        fvm_begin(v->vm, FVM_PHASE_EVALUATE);
        fvm_budget(v->vm, v->o.steps, v->o.seconds);
        values[p->column] = fvm_search_evaluate(ss, FVM_PLAYER_NUMBER(p->cell));
        if (ss->status != FVM_OK)
            fvm_record(v->vm, ss->status, 0);
        if (failed(v, row, ss->status))
            return false;
    }
    return true;
}

int32_t fvm_vector_evaluate(fvm_vector *v, fvm_cell *values) {
    v->problem = 0;
    if (failed(v, 0, fvm_vector_restore(v, 0)) || failed(v, 0, fvm_bind(v->vm)))
        return 0;
    fvm_search_stack *ss = fvm_search_open(v->vm, chance_players(v), false);
    bool ok = ss != NULL;
    if (!ok)
        failed(v, 0, fvm_fail(v->vm, FVM_ERR_MEMORY, 0, "no memory for evaluations"));
    for (int32_t row = 0; ok && row < v->o.rows; row++)
        ok = evaluate_row(v, ss, row, values + (size_t)row * (size_t)v->o.columns);
    if (ss != NULL)
        fvm_search_close(ss);
    return ok;
}
