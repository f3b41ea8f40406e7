/* deepening_search.c: begins and ends the depth-first searches.
 *
 * The iterations are in iterative_deepening.c. */
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
                                  fvm_deepening_result *result) {
    fvm_deepening *t = calloc(1, sizeof *t);
    fvm_search_stack *ss = fvm_search_open(vm, options->chance, options->count_turns != 0);
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
    t->start = fvm_now();
    t->deadline = options->seconds > 0 ? t->start + options->seconds : 0;
    t->random = options->seed;
    find_sides(t);
    return t;
}

static fvm_status search(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt, fvm_line *lines,
                         fvm_deepening_result *result) {
    *result = (fvm_deepening_result){.lines = 1};
    for (int32_t i = 0; i < options->lines; i++)
        lines[i] = (fvm_line){.moves = {0}, .length = 1}; /* the first move, if stopped early */
    fvm_deepening *t = open_search(vm, options, tt, result);
    if (t == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
    fvm_lib_put(vm, vm->lib.ply, 0);
    const fvm_status status = fvm_deepening_iterate(t, lines);
    result->off_board_cells = t->ss->memory.changing_count;
    result->table_disabled = t->ss->memory.overflow;
    result->stopped = t->stopped;
    fvm_search_close(t->ss);
    free(t->pool);
    free(t);
    return status;
}

fvm_status fvm_deepening_search(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt,
                                fvm_line *lines, fvm_deepening_result *result) {
    fvm_host_search saved;
    fvm_status status = fvm_host_search_begin(vm, options->seconds, &saved);
    if (status != FVM_OK)
        return status;
    status = search(vm, options, tt, lines, result);
    return fvm_host_search_end(vm, &saved, status, &result->stopped);
}
