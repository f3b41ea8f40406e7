/* original_search.c: the original engine's alpha-beta search ($NegamaxMove), reproduced exactly.
 *
 * It owns the root and the iterations; the rules below the root are those of original_nodes.c. It
 * does not use search_stack.h. */
#include "search/original_search.h"
#include "search/original_nodes.h"
#include "search/original_table.h"

#include <stdlib.h>

enum {
    PROVEN = FVM_WIN - 63 /* a score of at least this magnitude ends the search */
};

/* fvm_original.noise, by the engine's parameter variety (0 to 10). */
static const int32_t noise_of[] = {1, 7, 14, 20, 26, 33, 40, 45, 51, 58, 64};

typedef struct {
    fvm *vm;
    fvm_original nodes;
    fvm_search_result result;
    fvm_addr *moves; /* of the root */
    int32_t count;
    fvm_addr best, previous; /* the best move of this iteration, and of the one before */
    bool previous_searched;
} root_search;

/* Puts the table's move first in the root list, which later iterations also use. */
static void order_root(root_search *r) {
    fvm_original *s = &r->nodes;
    uint64_t key;
    fvm_table_entry *entry;
    fvm_original_fails(s, fvm_original_find(s->vm, &entry, &key));
    if (entry->kind == 0 || entry->key != key || entry->kind == FVM_UPPER || entry->move == 0)
        return;
    for (int32_t i = 0; i < r->count && s->status == FVM_OK; i++) {
        fvm_addr move = r->moves[i];
        uint64_t id;
        if (fvm_original_fails(s, fvm_original_identity(s->vm, move, &id)) || id != entry->move)
            continue;
        memmove(r->moves + 1, r->moves, (size_t)i * sizeof *r->moves);
        r->moves[0] = move;
        return;
    }
}

static void report_best(fvm_original *s, fvm_addr move, fvm_cell score, int depth) {
    fvm *vm = s->vm;
    char text[FVM_TEXT_MAX + 1];
    uint32_t length;
    int64_t nodes = s->nodes;
    GAME(vm)->report.score = score;
    GAME(vm)->report.depth = depth;
    GAME(vm)->report.nodes = nodes;
    if (move == 0 || vm->hooks.report == NULL)
        return;
    int (*report)(void *, int32_t, const char *, fvm_cell) = vm->hooks.report;
    if ((fvm_decompile(vm, move, text, sizeof text, &length) == FVM_OK &&
         report(vm->host, FVM_REPORT_BEST, text, 0) != 0) ||
        report(vm->host, FVM_REPORT_SCORE, "", score) != 0 ||
        report(vm->host, FVM_REPORT_DEPTH, "", depth) != 0 ||
        report(vm->host, FVM_REPORT_NODES, "", nodes < INT32_MAX ? (fvm_cell)nodes : INT32_MAX) !=
            0)
        fvm_original_fails(s, FVM_ERR_HOST);
}

/* --- iterations ------------------------------------------------------------------- */

static void begin_iteration(root_search *r, int32_t depth) {
    fvm_lib_put(r->vm, r->vm->lib.iteration_depth, depth);
    r->best = 0;
    r->previous = r->result.best;
    r->previous_searched = r->previous == 0;
    r->nodes.nodes++;
    order_root(r);
}

/* Stores the result of an iteration. */
static void store_result(root_search *r, int32_t depth, fvm_cell alpha) {
    if (r->best != 0) {
        r->result.best = r->best;
        r->result.score = alpha;
    }
    r->result.depth = depth;
    r->result.nodes = r->nodes.nodes;
}

/* Searches an iteration; false: it was not completed. */
static bool iterate(root_search *r, int32_t depth) {
    fvm *vm = r->vm;
    fvm_original *s = &r->nodes;
    const fvm_cell beta = FVM_WIN + 1;
    fvm_cell alpha = -beta; /* the best value of this iteration */
    uint64_t key;
    begin_iteration(r, depth);
    for (int32_t i = 0; i < r->count; i++) {
        const fvm_addr move = r->moves[i];
        fvm_lib_put(vm, vm->lib.root_move_index, i);
        const fvm_original_node node = {depth, 0, alpha, beta};
        const fvm_cell value = fvm_original_try_move(s, move, &node);
        if (s->status != FVM_OK)
            return false;
        if (s->stopped)
            break;
        r->previous_searched = r->previous_searched || move == r->previous;
        if (value >= beta) {
            /* This value means that the next position has no moves.  The move that leads
             * there is not chosen; the best move found before it in this iteration is chosen. */
            store_result(r, depth, alpha);
            return false;
        }
        if (value > alpha) {
            alpha = value;
            r->best = move;
        }
    }
    if (s->stopped && (r->best == 0 || !r->previous_searched))
        return false;
    store_result(r, depth, alpha);
    fvm_table_entry *entry;
    fvm_original_fails(s, fvm_original_find(vm, &entry, &key));
    fvm_original_fails(s, fvm_original_store(vm, entry, key, r->best != 0 ? FVM_EXACT : FVM_UPPER,
                                             alpha, depth, 0, r->best));
    report_best(s, r->best, alpha, depth);
    return !s->stopped;
}

/* Searches to one depth after the other. */
static void deepen(root_search *r) {
    fvm *vm = r->vm;
    fvm_turn turn;
    fvm_cell *base = vm->sp;
    fvm_turn_save(vm, &turn);
    for (int32_t depth = 1; depth <= r->nodes.depth_limit; depth++) {
        const bool completed = iterate(r, depth);
        fvm_turn_restore(vm, &turn);
        fvm_set_stack(vm, base);
        if (!completed || r->nodes.status != FVM_OK || r->result.score >= PROVEN ||
            r->result.score <= -PROVEN || r->result.score == 0 ||
            vm->engine_status == FVM_STOP_SOON)
            return;
    }
}

fvm_status fvm_original_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result) {
    const int32_t count = fvm_move_list(vm, NULL, 0);
    *result = (fvm_search_result){0};
    if (count <= 0)
        return fvm_fail(vm, FVM_ERR_NO_MOVE, 0, "there are no moves");
    root_search *r = calloc(1, sizeof *r);
    fvm_addr *moves = malloc((size_t)count * sizeof *moves);
    if (r == NULL || moves == NULL || !fvm_original_table_make(vm)) {
        free(r);
        free(moves);
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for the search");
    }
    *r = (root_search){.vm = vm, .moves = moves, .count = count};
    fvm_move_list(vm, moves, count);
    const fvm_addr first = moves[0];
    const int variety = limits->variety < 0 ? 0 : limits->variety > 10 ? 10 : limits->variety;
    r->nodes = (fvm_original){.vm = vm,
                              .depth_limit = limits->depth_limit > 0 ? limits->depth_limit : 1,
                              .noise = noise_of[variety],
                              .node_limit = limits->node_limit,
                              .promises = fvm_find_promises(vm),
                              .deadline = limits->seconds > 0 ? fvm_now() + limits->seconds : 0};
    const fvm_cell searching = fvm_lib_get(vm, vm->lib.searching);
    const int32_t phase = vm->phase;
    const bool texts_unread = GAME(vm)->texts_unread;
    const int32_t plies = GAME(vm)->plies;
    GAME(vm)->texts_unread = r->nodes.promises.draws;
    vm->phase = FVM_PHASE_SEARCH;
    fvm_lib_put(vm, vm->lib.searching, -1);
    fvm_lib_put(vm, vm->lib.root_move_count, count);
    fvm_lib_put(vm, vm->lib.ply, 0);
    /* so that searches are reproducible */
    memset(GAME(vm)->scan_hints, 0, sizeof GAME(vm)->scan_hints);
    deepen(r);
    const fvm_status status = r->nodes.status;
    *result = r->result;
    result->nodes = r->nodes.nodes;
    result->stopped = r->nodes.stopped;
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    if (result->best == 0)
        result->best = first;
    fvm_lib_put(vm, vm->lib.searching, searching);
    vm->phase = phase;
    GAME(vm)->plies = plies;
    GAME(vm)->texts_unread = texts_unread;
    free(moves);
    free(r);
    return status;
}
