/* deepening_search.c: begins and ends the depth-first searches.
 *
 * It owns the second attempt after an assumption was wrong.  The iterations are in
 * iterative_deepening.c. */
#include "search/host_search.h"
#include "search/shared_search.h"

#include <stdlib.h>

/* Determines the sides of players. */
static void find_sides(fvm_deepening *t) {
    t->root_player = fvm_search_viewer(t->ss);
    t->choosers = fvm_search_choosers(t->ss);
    for (int32_t number = 0; number < SEARCH_PLAYERS; number++)
        t->contestants += (int32_t)(t->choosers >> number & 1);
    fvm_search_sides(t->ss, t->choosers, t->sides);
    t->allies = t->sides[t->root_player];
}

static fvm_deepening *open_search(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt,
                                  double start, fvm_deepening_result *result) {
    fvm_deepening *t = calloc(1, sizeof *t);
    fvm_search_stack *ss =
        fvm_search_open(vm, options->chance, options->count_turns != 0,
                        tt != NULL ? fvm_tt_unguarded(tt) : &GAME(vm)->unguarded);
    if (t == NULL || ss == NULL || !fvm_search_begin_keys(ss) ||
        !fvm_search_use_network(ss, options->network)) {
        free(t);
        if (ss != NULL)
            fvm_search_close(ss);
        return NULL;
    }
    t->ss = ss;
    t->options = options;
    t->tt = (options->features & FVM_USE_TABLE) != 0 ? tt : NULL;
    if (t->tt != NULL && options->shared != NULL && options->method == FVM_METHOD_ALPHA_BETA)
        t->claims = fvm_shared_search_claims(options->shared);
    t->result = result;
    t->start = start;
    t->first_steps = fvm_steps(vm);
    t->deadline = options->seconds > 0 ? t->start + options->seconds : 0;
    t->random = options->seed;
    find_sides(t);
    return t;
}

/* Searches from the first iteration on.  *holds: false: an assumption was wrong, which ended the
 * search.  What has been found before is valid. */
static fvm_status search_once(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt,
                              double start, fvm_line *lines, fvm_deepening_result *result,
                              bool *holds) {
    *result = (fvm_deepening_result){.lines = 1};
    for (int32_t i = 0; i < options->lines; i++)
        lines[i] = (fvm_line){.moves = {0}, .length = 1}; /* the first move, if stopped early */
    *holds = true;
    fvm_deepening *t = open_search(vm, options, tt, start, result);
    if (t == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
    fvm_lib_put(vm, vm->lib.ply, 0);
    fvm_status status = fvm_deepening_iterate(t, lines);
    result->off_board_cells = t->ss->memory.changing_count;
    result->table_disabled = t->ss->memory.overflow;
    *holds = fvm_search_assumptions_hold(t->ss);
    result->stopped = t->stopped || !*holds;
    status = *holds ? status : FVM_OK;
    fvm_search_close(t->ss);
    free(t->pool);
    free(t);
    return status;
}

/* Searches again with what is proven.  If the time allows only fewer iterations, keeps the deeper
 * result. */
static fvm_status search_again(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt,
                               double start, fvm_line *lines, fvm_deepening_result *result) {
    const fvm_deepening_result first = *result;
    const size_t bytes = (size_t)options->lines * sizeof *lines;
    fvm_line *first_lines = malloc(bytes);
    bool holds;
    if (first_lines == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
    memcpy(first_lines, lines, bytes);
    const fvm_status status = search_once(vm, options, tt, start, lines, result, &holds);
    if (result->depth < first.depth) {
        memcpy(lines, first_lines, bytes);
        result->depth = first.depth;
        result->lines = first.lines;
    }
    free(first_lines);
    return status;
}

/* What is restored after an assumption was wrong, so that the second attempt has the same result as
 * if there had been no first one. */
typedef struct {
    const fvm_host_search *saved;
    fvm_snapshot *memory; /* NULL: nothing is assumed */
    fvm_tt *tt;           /* NULL: there is none */
} search_start;

static search_start save_start(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt,
                               const fvm_host_search *saved) {
    const atomic_bool *const unguarded = tt != NULL ? fvm_tt_unguarded(tt) : &GAME(vm)->unguarded;
    const bool may_assume =
        options->method == FVM_METHOD_ALPHA_BETA && fvm_may_guard(vm, unguarded);
    const search_start start = {saved, may_assume ? fvm_snapshot_take(vm) : NULL,
                                may_assume && options->shared == NULL ? tt : NULL};
    if (start.tt != NULL)
        fvm_tt_begin_undo(tt);
    return start;
}

static void restore_start(fvm *vm, const search_start *start) {
    if (start->memory != NULL)
        fvm_snapshot_restore(vm, start->memory);
    if (start->tt != NULL)
        fvm_tt_undo(start->tt);
    fvm_turn_restore(vm, &start->saved->turn);
    fvm_set_stack(vm, start->saved->stack);
}

static void free_start(const search_start *start) {
    fvm_snapshot_free(start->memory);
    if (start->tt != NULL)
        fvm_tt_end_undo(start->tt);
}

fvm_status fvm_deepening_search(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt,
                                fvm_line *lines, fvm_deepening_result *result) {
    fvm_host_search saved;
    fvm_status status = fvm_host_search_begin(vm, options->seconds, &saved);
    if (status != FVM_OK)
        return status;
    const double time = fvm_now();
    const search_start start = save_start(vm, options, tt, &saved);
    bool holds;
    status = search_once(vm, options, tt, time, lines, result, &holds);
    if (!holds && vm->engine_status == 0) {
        restore_start(vm, &start);
        status = search_again(vm, options, tt, time, lines, result);
    }
    free_start(&start);
    return fvm_host_search_end(vm, &saved, status, &result->stopped);
}
