/* original_search.c: the original engine's alpha-beta search ($NegamaxMove), reproduced exactly.
 *
 * It owns the root and the iterations; the rules below the root are those of original_nodes.c. It
 * does not use search_stack.h. */
#include "search/original_search.h"
#include "search/assumptions.h"
#include "search/original_nodes.h"
#include "search/original_table.h"

#include <stdlib.h>

enum {
    GROWTH = 4, /* an iteration takes about four times as many steps as all iterations before it */
    PROVEN = FVM_WIN - 63 /* a score of at least this magnitude ends the search */
};

/* fvm_original.noise, by the engine's parameter variety (0 to 10). */
static const int32_t noise_of[] = {1, 7, 14, 20, 26, 33, 40, 45, 51, 58, 64};

/* The state between two moves of the root. */
typedef struct {
    fvm_original nodes;
    fvm_search_result result;
    int32_t depth;           /* of the iteration */
    int32_t next;            /* index of the move that is searched next */
    fvm_cell alpha;          /* the best value of this iteration */
    int64_t root_moves;      /* moves that have been searched, in all iterations */
    fvm_addr best, previous; /* the best move of this iteration, and of the one before */
    bool previous_searched;
} progress;

/* The state when memory began to be guarded, between two moves of the root: if an assumption was
 * wrong, the search continues from there. */
typedef struct {
    progress progress;
    fvm_addr *moves;
    fvm_snapshot *memory;   /* NULL: memory is not guarded */
    fvm_table_entry *table; /* a copy */
    uint64_t noise;
} saved_state;

typedef struct {
    fvm *vm;
    progress now;
    saved_state before;
    fvm_addr *moves;
    int32_t count;
    int32_t plies; /* of the VM, at the root */
    fvm_assumptions assumed;
} root_search;

/* Puts the table's move first in the root list, which later iterations also use. */
static void order_root(root_search *r) {
    fvm_original *s = &r->now.nodes;
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

/* --- assumptions ------------------------------------------------------------------ */

/* Sets what the nodes assume of lists. */
static void use_facts(root_search *r) {
    fvm *vm = r->vm;
    fvm_list_facts *const lists = &r->now.nodes.lists;
    *lists = r->assumed.facts;
    GAME(vm)->texts_unread = lists->texts_unread;
    if (vm->nesting > 0 && lists->leaves_differences) /* the game continues with this memory */
        *lists = (fvm_list_facts){.use = FVM_LIST_CONTENTS};
    if (vm->records_have_texts && !GAME(vm)->texts_unread) { /* each text is made */
        lists->ends_words = lists->can_be_continued = false;
        if (lists->use == FVM_LIST_COUNT)
            lists->use = FVM_LIST_CONTENTS;
    }
}

static void free_saved_state(saved_state *before) {
    fvm_snapshot_free(before->memory);
    free(before->table);
    before->memory = NULL;
    before->table = NULL;
}

/* Saves the state; false: no memory. */
static bool save_state(root_search *r) {
    saved_state *const before = &r->before;
    before->memory = fvm_snapshot_take(r->vm);
    before->table = fvm_original_table_copy(r->vm);
    before->noise = r->vm->noise_state;
    before->progress = r->now;
    memcpy(before->moves, r->moves, (size_t)r->count * sizeof *r->moves);
    return before->memory != NULL && before->table != NULL;
}

/* Begins to assume what the rest of this iteration, or the next one, can use if it is long. */
static void assume(root_search *r) {
    const progress *const p = &r->now;
    const int64_t steps = fvm_steps(r->vm) - p->nodes.first_steps, searched = p->root_moves;
    const int64_t of_iteration = searched > 0 ? steps / searched * (r->count - p->next) : 0;
    const int64_t rest = p->next == 0 ? GROWTH * steps : of_iteration;
    if (!fvm_assumptions_begin(&r->assumed, steps + of_iteration, rest, FVM_GUARD_FOR_LISTS))
        return;
    if (r->vm->guard == &r->assumed.guard && !save_state(r))
        fvm_assumptions_end(&r->assumed);
    use_facts(r);
}

/* After an assumption was wrong: continues the search where it began. */
static void continue_after_failure(root_search *r) {
    fvm *vm = r->vm;
    saved_state *const before = &r->before;
    r->now = before->progress;
    memcpy(r->moves, before->moves, (size_t)r->count * sizeof *r->moves);
    vm->noise_state = before->noise;
    GAME(vm)->plies = r->plies;
    fvm_original_table_restore(vm, before->table);
    fvm_original_fails(&r->now.nodes, fvm_snapshot_restore(vm, before->memory));
    free_saved_state(before);
    use_facts(r);
}

/* --- iterations ------------------------------------------------------------------- */

static void begin_iteration(root_search *r, int32_t depth) {
    progress *p = &r->now;
    fvm_lib_put(r->vm, r->vm->lib.iteration_depth, depth);
    p->depth = depth;
    p->next = 0;
    p->alpha = -(FVM_WIN + 1);
    p->best = 0;
    p->previous = p->result.best;
    p->previous_searched = p->previous == 0;
    p->nodes.nodes++;
    order_root(r);
}

/* Stores the result of this iteration. */
static void store_result(progress *p) {
    if (p->best != 0) {
        p->result.best = p->best;
        p->result.score = p->alpha;
    }
    p->result.depth = p->depth;
    p->result.nodes = p->nodes.nodes;
}

/* Searches the rest of an iteration; false: it was not completed. */
static bool iterate(root_search *r) {
    fvm *vm = r->vm;
    progress *p = &r->now;
    fvm_original *s = &p->nodes;
    const fvm_cell beta = FVM_WIN + 1;
    uint64_t key;
    while (p->next < r->count) {
        assume(r);
        const fvm_addr move = r->moves[p->next];
        fvm_lib_put(vm, vm->lib.root_move_index, p->next);
        const fvm_original_node node = {p->depth, 0, p->alpha, beta};
        const fvm_cell value = fvm_original_try_move(s, move, &node);
        p->root_moves++;
        if (!fvm_assumptions_hold(&r->assumed)) {
            continue_after_failure(r);
            if (s->status == FVM_OK)
                continue;
        }
        if (s->status != FVM_OK)
            return false;
        if (s->stopped)
            break;
        p->next++;
        p->previous_searched = p->previous_searched || move == p->previous;
        if (value >= beta) {
            /* This value means that the next position has no moves.  The move that leads
             * there is not chosen; the best move found before it in this iteration is chosen. */
            store_result(p);
            return false;
        }
        if (value > p->alpha) {
            p->alpha = value;
            p->best = move;
        }
    }
    if (s->stopped && (p->best == 0 || !p->previous_searched))
        return false;
    store_result(p);
    fvm_table_entry *entry;
    fvm_original_fails(s, fvm_original_find(vm, &entry, &key));
    fvm_original_fails(s, fvm_original_store(vm, entry, key, p->best != 0 ? FVM_EXACT : FVM_UPPER,
                                             p->alpha, p->depth, 0, p->best));
    report_best(s, p->best, p->alpha, p->depth);
    return !s->stopped;
}

/* Searches to one depth after the other. */
static void deepen(root_search *r) {
    fvm *vm = r->vm;
    const progress *p = &r->now;
    fvm_turn turn;
    fvm_cell *base = vm->sp;
    fvm_turn_save(vm, &turn);
    for (int32_t depth = 1; depth <= p->nodes.depth_limit; depth++) {
        begin_iteration(r, depth);
        const bool completed = iterate(r);
        fvm_turn_restore(vm, &turn);
        fvm_set_stack(vm, base);
        depth = p->depth; /* that of an earlier iteration, if a guard has failed */
        if (!completed || p->nodes.status != FVM_OK || p->result.score >= PROVEN ||
            p->result.score <= -PROVEN || p->result.score == 0 ||
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
    fvm_addr *moves = malloc(2 * (size_t)count * sizeof *moves);
    if (r == NULL || moves == NULL || !fvm_original_table_make(vm)) {
        free(r);
        free(moves);
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for the search");
    }
    *r = (root_search){.vm = vm,
                       .moves = moves,
                       .before.moves = moves + count,
                       .count = count,
                       .plies = GAME(vm)->plies};
    fvm_assumptions_open(&r->assumed, vm, &GAME(vm)->unguarded);
    fvm_move_list(vm, moves, count);
    const fvm_addr first = moves[0];
    const int variety = limits->variety < 0 ? 0 : limits->variety > 10 ? 10 : limits->variety;
    r->now.nodes =
        (fvm_original){.vm = vm,
                       .depth_limit = limits->depth_limit > 0 ? limits->depth_limit : 1,
                       .noise = noise_of[variety],
                       .node_limit = limits->node_limit,
                       .lists.use = FVM_LIST_CONTENTS,
                       .first_steps = fvm_steps(vm),
                       .deadline = limits->seconds > 0 ? fvm_now() + limits->seconds : 0};
    const fvm_cell searching = fvm_lib_get(vm, vm->lib.searching);
    const int32_t phase = vm->phase;
    const bool texts_unread = GAME(vm)->texts_unread;
    vm->phase = FVM_PHASE_SEARCH;
    fvm_lib_put(vm, vm->lib.searching, -1);
    fvm_lib_put(vm, vm->lib.root_move_count, count);
    fvm_lib_put(vm, vm->lib.ply, 0);
    /* so that searches are reproducible */
    memset(GAME(vm)->scan_hints, 0, sizeof GAME(vm)->scan_hints);
    deepen(r);
    fvm_assumptions_end(&r->assumed);
    free_saved_state(&r->before);
    const fvm_status status = r->now.nodes.status;
    *result = r->now.result;
    result->nodes = r->now.nodes.nodes;
    result->stopped = r->now.nodes.stopped;
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    if (result->best == 0)
        result->best = first;
    fvm_lib_put(vm, vm->lib.searching, searching);
    vm->phase = phase;
    GAME(vm)->plies = r->plies;
    GAME(vm)->texts_unread = texts_unread;
    free(moves);
    free(r);
    return status;
}
