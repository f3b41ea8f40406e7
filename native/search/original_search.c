/* original_search.c: the original engine's alpha-beta search ($NegamaxMove), reproduced exactly.
 *
 * It owns the root, the iterations, and when the script is analysed; the rules below the root are
 * those of original_nodes.c.  This file must not know the searches that use search_stack.h. */
#include "search/original_search.h"
#include "search/original_guard.h"
#include "search/original_nodes.h"

#include <stdlib.h>

enum {
    GROWTH = 4, /* an iteration takes about four times as many steps as all iterations before it */
    PROVEN = FVM_WIN - 63 /* a score of at least this magnitude ends the search */
};

/* fvm_original.noise, by the engine's parameter variety (0 to 10). */
static const int32_t noise_of[] = {1, 7, 14, 20, 26, 33, 40, 45, 51, 58, 64};

typedef struct {
    fvm_addr *moves;
    int32_t count;
} root_list;

/* Puts the table's move first in the root list, which later iterations also use. */
static void order_root(fvm_original *s, root_list *root) {
    uint64_t key;
    fvm_table_entry *entry;
    fvm_original_fails(s, fvm_original_find(s->vm, &entry, &key));
    if (entry->kind == 0 || entry->key != key || entry->kind == FVM_UPPER || entry->move == 0)
        return;
    for (int32_t i = 0; i < root->count && s->status == FVM_OK; i++) {
        fvm_addr move = root->moves[i];
        uint64_t id;
        if (fvm_original_fails(s, fvm_original_identity(s->vm, move, &id)) || id != entry->move)
            continue;
        memmove(root->moves + 1, root->moves, (size_t)i * sizeof *root->moves);
        root->moves[0] = move;
        return;
    }
}

static void report_best(fvm_original *s, fvm_addr move, fvm_cell score, int depth) {
    fvm *vm = s->vm;
    char text[FVM_TEXT_MAX + 1];
    uint32_t length;
    int64_t nodes = s->nodes;
    vm->best_score = score;
    vm->best_depth = depth;
    vm->best_nodes = nodes;
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

/* Finds what the script observes of lists. */
static void use_facts(fvm_original *s, fvm_list_facts facts) {
    fvm *vm = s->vm;
    s->lists = facts;
    vm->texts_unread = s->lists.texts_unread;
    if (vm->nesting > 0 && s->lists.leaves_differences) /* the game continues with this memory */
        s->lists = (fvm_list_facts){.use = FVM_LIST_CONTENTS};
    if (vm->records_have_texts && !vm->texts_unread) { /* each text is made */
        s->lists.counts_moves = s->lists.ends_words = s->lists.can_be_continued = false;
        if (s->lists.use == FVM_LIST_COUNT)
            s->lists.use = FVM_LIST_CONTENTS;
    }
}

/* Finds what the script observes of lists, once it is expected that the search uses enough steps
 * until it has searched the rest of the root's moves, too. */
static void prove_lists(fvm_original *s, int32_t rest) {
    fvm *vm = s->vm;
    const int64_t steps = fvm_steps(vm) - s->first_steps, searched = s->root_moves++;
    const int64_t expected = searched > 0 ? steps / searched * (searched + rest) : 0;
    if (s->proven || (!vm->records_have_texts &&
                      (vm->complete_lists == 1 || !fvm_is_worth_analysis(vm, expected))))
        return;
    s->proven = true;
    use_facts(s, fvm_find_list_facts(vm));
}

/* Searches to one depth; false: the iteration was not completed. */
static bool iterate(fvm_original *s, root_list *root, int depth, fvm_search_result *result) {
    fvm *vm = s->vm;
    fvm_cell alpha = -(FVM_WIN + 1), beta = FVM_WIN + 1;
    fvm_addr best = 0, previous = result->best;
    bool previous_searched = previous == 0;
    uint64_t key;
    s->nodes++;
    order_root(s, root);
    for (int32_t i = 0; i < root->count; i++) {
        fvm_addr move = root->moves[i];
        fvm_lib_put(vm, vm->lib.root_move_index, i);
        prove_lists(s, root->count - i);
        fvm_cell value = fvm_original_try_move(s, move, depth, alpha, beta, 0);
        if (s->status != FVM_OK)
            return false;
        if (s->stopped)
            break;
        previous_searched = previous_searched || move == previous;
        if (value >= beta) {
            /* This value means that the next position has no moves (rule 5).  The move that leads
             * there is not chosen; the best move found before it in this iteration is chosen. */
            if (best != 0) {
                result->best = best;
                result->score = alpha;
            }
            result->depth = depth;
            result->nodes = s->nodes;
            return false;
        }
        if (value > alpha) {
            alpha = value;
            best = move;
        }
    }
    if (s->stopped && (best == 0 || !previous_searched))
        return false;
    if (best != 0) {
        result->best = best;
        result->score = alpha;
    }
    result->depth = depth;
    result->nodes = s->nodes;
    fvm_table_entry *entry;
    fvm_original_fails(s, fvm_original_find(vm, &entry, &key));
    fvm_original_fails(s, fvm_original_store(vm, entry, key, best != 0 ? FVM_EXACT : FVM_UPPER,
                                             alpha, depth, 0, best));
    report_best(s, best, alpha, depth);
    return !s->stopped;
}

/* Whether the next iteration is long enough for guarding memory to pay, if it allows more. */
static bool may_guard(const fvm_original *s) {
    const fvm *vm = s->vm;
    const int64_t expected = GROWTH * (fvm_steps(vm) - s->first_steps);
    if (s->guarded || !fvm_original_may_guard(vm) || vm->external_effects != s->first_effects)
        return false;
    return vm->complete_lists == FVM_GUARD_ALWAYS ||
           (vm->complete_lists == 0 && s->proven && fvm_is_worth_analysis(vm, expected) &&
            (s->lists.use == FVM_LIST_CONTENTS || s->lists.game_over_use == FVM_LIST_CONTENTS));
}

fvm_status fvm_search_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result) {
    fvm_turn turn;
    fvm_status status = FVM_OK;
    *result = (fvm_search_result){0};
    root_list root = {NULL, fvm_move_list(vm, NULL, 0)};
    if (root.count <= 0)
        return fvm_fail(vm, FVM_ERR_NO_MOVE, 0, "there are no moves");
    root.moves = malloc(2 * (size_t)root.count * sizeof *root.moves); /* and a copy */
    if (!fvm_original_table_make(vm) || root.moves == NULL) {
        free(root.moves);
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for the search");
    }
    fvm_move_list(vm, root.moves, root.count);
    fvm_addr first = root.moves[0];
    int variety = limits->variety < 0 ? 0 : limits->variety > 10 ? 10 : limits->variety;
    fvm_original s = {.vm = vm,
                      .depth_limit = limits->depth_limit > 0 ? limits->depth_limit : 1,
                      .noise = noise_of[variety],
                      .node_limit = limits->node_limit,
                      .lists.use = FVM_LIST_CONTENTS,
                      .first_steps = fvm_steps(vm),
                      .first_effects = vm->external_effects,
                      .deadline = limits->seconds > 0 ? fvm_now() + limits->seconds : 0};
    fvm_original before = s; /* see original_guard.h */
    fvm_search_result result_before = *result;
    int depth_before = 1;
    fvm_original_guard guarded = {.memory = NULL};
    const size_t root_bytes = (size_t)root.count * sizeof *root.moves;
    fvm_cell searching = fvm_lib_get(vm, vm->lib.searching, 0);
    int32_t phase = vm->phase;
    int32_t plies = vm->plies;
    const bool texts_unread = vm->texts_unread;
    fvm_cell *base = vm->sp;
    vm->phase = FVM_PHASE_SEARCH;
    fvm_lib_put(vm, vm->lib.searching, -1);
    fvm_lib_put(vm, vm->lib.root_move_count, root.count);
    fvm_lib_put(vm, vm->lib.ply, 0);
    fvm_turn_save(vm, &turn);
    memset(vm->scan_hints, 0, sizeof vm->scan_hints); /* so that searches are reproducible */
    for (int depth = 1; depth <= s.depth_limit; depth++) {
        fvm_lib_put(vm, vm->lib.iteration_depth, depth);
        if (may_guard(&s)) {
            s.guarded = s.proven = true;
            fvm_list_facts facts;
            if (fvm_original_guard_begin(vm, &guarded, &facts)) {
                before = s;
                result_before = *result;
                depth_before = depth;
                memcpy(root.moves + root.count, root.moves, root_bytes);
                use_facts(&s, facts);
            }
        }
        bool completed = iterate(&s, &root, depth, result);
        const bool repeats = fvm_original_guard_failed(vm, &guarded);
        if (repeats) {
            s = before;
            fvm_original_fails(&s, fvm_original_guard_restore(vm, &guarded));
            *result = result_before;
            depth = depth_before - 1;
            memcpy(root.moves, root.moves + root.count, root_bytes);
            vm->phase = FVM_PHASE_SEARCH;
            vm->plies = plies;
        }
        fvm_turn_restore(vm, &turn);
        fvm_set_stack(vm, base);
        if (repeats && s.status == FVM_OK)
            continue;
        if (!completed || s.status != FVM_OK || result->score >= PROVEN ||
            result->score <= -PROVEN || result->score == 0 || vm->engine_status == FVM_STOP_SOON)
            break;
    }
    fvm_original_guard_end(vm, &guarded);
    result->nodes = s.nodes;
    result->stopped = s.stopped;
    status = s.status;
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    if (result->best == 0)
        result->best = first;
    fvm_lib_put(vm, vm->lib.searching, searching);
    vm->phase = phase;
    vm->plies = plies;
    vm->texts_unread = texts_unread;
    free(root.moves);
    return status;
}
