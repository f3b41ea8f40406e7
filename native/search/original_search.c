/* original_search.c: the original engine's alpha-beta search ($NegamaxMove), reproduced exactly.
 *
 * It owns the rules of the original's search, including their faults.  axiom-search.md, a note of
 * observations of the original engine, numbers the rules; comments quote these numbers.  After a
 * move only the board and the turn are restored, as in the original.  A list of which the script
 * can observe less is generated in part, and completed if its moves are searched (list_effects.c
 * decides). This file must not know the searches that use search_stack.h. */
#include "search/original_search.h"
#include "game/list_effects.h"
#include "search/original_guard.h"
#include "search/original_table.h"

#include "generated/ops.h"

#include <stdlib.h>

enum {
    MAX_PLIES = 1000, /* nested moves */
    CLOCK_INTERVAL = 100,
    GROWTH = 4, /* an iteration takes about so many times the steps of all iterations before it */
    PROVEN = FVM_WIN - 63 /* a score of at least this magnitude ends the search */
};
typedef struct {
    fvm *vm;
    int32_t depth_limit;
    int32_t noise; /* number of random values that may be added to an evaluation */
    int64_t nodes, node_limit;
    double deadline;         /* in seconds, by fvm_now; 0: none */
    int32_t clock_countdown; /* nodes until the clock is read again */
    bool stopped;
    fvm_status status;
    fvm_list_facts lists;     /* what the script observes of a list whose moves are not searched */
    int64_t begun, continued; /* lists of which the first moves were searched first; how many of
                                 them had to be completed */
    bool proven;              /* `lists` has been found; before that, every list is complete */
    int64_t first_steps;      /* fvm_steps at the beginning */
    uint64_t first_effects;   /* vm->external_effects at the beginning */
    int64_t root_moves;       /* searches of moves of the root that have begun */
    bool guarded;             /* it has been tried to guard memory, see original_guard.h */
} search;

/* How much of the newest list has been generated. */
typedef enum { NO_LIST, PART_OF_LIST, COMPLETE_LIST } list_state;

/* search.noise, by the engine's parameter variety (0 to 10). */
static const int32_t noise_of[] = {1, 7, 14, 20, 26, 33, 40, 45, 51, 58, 64};

/* Stores a failure, unless an earlier one is stored; returns whether the search has failed. */
static bool failed(search *s, fvm_status status) {
    if (status != FVM_OK && s->status == FVM_OK)
        s->status = status;
    return s->status != FVM_OK;
}

/* Negates a value.  A script's evaluation may be any number, so values wrap, as in the original. */
static fvm_cell negative(fvm_cell value) { return (fvm_cell)(0u - (uint32_t)value); }

/* Returns the table's entry for the position and stores the position's key in *key. */
static fvm_table_entry *find_entry(search *s, uint64_t *key) {
    fvm_table_entry *entry;
    failed(s, fvm_original_find(s->vm, &entry, key));
    return entry;
}

static uint64_t identity(search *s, fvm_addr move) {
    uint64_t id;
    failed(s, fvm_original_identity(s->vm, move, &id));
    return id;
}

/* Stores the value of a position in an entry of the table.  move: the best move, 0: none. */
static void store(search *s, fvm_table_entry *entry, uint64_t key, int kind, fvm_cell value,
                  int depth, int ply, fvm_addr move) {
    failed(s, fvm_original_store(s->vm, entry, key, kind, value, depth, ply, move));
}

/* --- moves ------------------------------------------------------------------------ */

static bool must_stop(search *s) {
    fvm *vm = s->vm;
    if (vm->engine_status == FVM_STOP_NOW || (s->node_limit > 0 && s->nodes >= s->node_limit))
        s->stopped = true;
    else if (s->deadline > 0 && --s->clock_countdown < 0) {
        s->clock_countdown = CLOCK_INTERVAL;
        s->stopped = fvm_now() >= s->deadline;
    }
    return s->stopped;
}

/* Whether a variable is not 0; `otherwise` if the library does not have it. */
static bool is_set(const fvm *vm, fvm_addr variable, bool otherwise) {
    return variable == 0 ? otherwise : fvm_lib_get(vm, variable, 0) != 0;
}

/* Whether the first moves of a list are searched before the others are generated, because a cut is
 * likely. */
static bool may_begin(const search *s) {
    return s->lists.can_be_continued && 2 * s->continued <= s->begun + 16;
}

/* What hooks read of a list: at interior nodes only OnIsGameOver runs. */
static fvm_list_use list_use(const search *s, int depth) {
    return depth > 0 && s->lists.can_be_continued ? s->lists.game_over_use : s->lists.use;
}

/* Generates the list of a position; only as much as `use` needs if its moves may stay unsearched.
 */
static list_state generate(search *s, int depth, fvm_list_use use) {
    fvm *vm = s->vm;
    const bool searched = depth > 0, begins = searched && may_begin(s);
    const bool complete =
        use == FVM_LIST_CONTENTS ||
        (searched && !begins && (use != FVM_LIST_UNREAD || !s->lists.can_follow_hooks));
    const bool counted = !complete && !searched && (use == FVM_LIST_COUNT || s->lists.ends_words);
    const fvm_list_part part = {.moves = complete || use == FVM_LIST_COUNT     ? 0
                                         : begins || use == FVM_LIST_EMPTINESS ? 1
                                                                               : FVM_NO_MOVES,
                                .first = begins,
                                .counted = counted};
    failed(s, fvm_generate_part(vm, &s->lists, &part));
    return vm->list_is_part || counted ? PART_OF_LIST : COMPLETE_LIST;
}

/* Replaces the list by the complete list, after hooks have run: what they left in `from`, `here`
 * and the current piece remains. */
static void complete_list(search *s) {
    fvm *vm = s->vm;
    const fvm_addr variables[] = {vm->lib.from, vm->lib.pos, vm->lib.piece};
    fvm_cell values[3];
    for (int i = 0; i < 3; i++)
        values[i] = fvm_lib_get(vm, variables[i], 0);
    if (failed(s, fvm_free_list(vm)) || failed(s, fvm_generate_turn(vm)))
        return;
    for (int i = 0; i < 3; i++)
        fvm_lib_put(vm, variables[i], values[i]);
}

static fvm_cell node(search *s, int depth, fvm_cell alpha, fvm_cell beta, int ply, list_state list);

/* Applies the move to a clone of the board, searches the position and unmakes the move; returns the
 * value for the player who moved. */
static fvm_cell try_move(search *s, fvm_addr move, int depth, fvm_cell alpha, fvm_cell beta,
                         int ply) {
    fvm *vm = s->vm;
    fvm_turn turn;
    fvm_cell value = 0;
    int32_t count = 0;
    fvm_addr first;
    bool friends = true, continues = false;
    list_state list = NO_LIST;
    if (vm->plies >= MAX_PLIES) {
        failed(s, fvm_fail(vm, FVM_ERR_NESTING, vm->plies,
                           "the search went %d moves deep: does OnIsTerminal? ever return TRUE?",
                           (int)vm->plies));
        return 0;
    }
    vm->plies++; /* after a failure, fvm_search_run restores the number */
    fvm_turn_save(vm, &turn);
    if (failed(s, fvm_clone_board(vm)) || failed(s, fvm_apply(vm, move)))
        return 0;
    if (fvm_lib_get(vm, vm->lib.partial, 0) == -1) {
        const int remaining = depth - (is_set(vm, vm->lib.combine_partial, true) ? 0 : 1);
        const fvm_list_use use = list_use(s, remaining);
        list = generate(s, remaining, use == FVM_LIST_UNREAD ? FVM_LIST_EMPTINESS : use);
        if (s->status != FVM_OK)
            return 0;
        fvm_newest_list(vm, &count, &first);
        continues = count > 0;
        if (continues)
            value = node(s, remaining, alpha, beta, ply, list);
        else if (failed(s, fvm_free_list(vm)))
            return 0;
    }
    if (!continues) {
        fvm_cell mover = fvm_lib_get(vm, vm->lib.player, 0);
        fvm_lib_put(vm, vm->lib.ply, ply + 1);
        if (failed(s, fvm_next_turn(vm)) ||
            failed(s, fvm_friends(vm, mover, fvm_lib_get(vm, vm->lib.player, 0), &friends)))
            return 0;
        value =
            friends
                ? node(s, depth - 1, alpha, beta, ply + 1, NO_LIST)
                : negative(node(s, depth - 1, negative(beta), negative(alpha), ply + 1, NO_LIST));
    }
    if (s->status == FVM_OK)
        failed(s, fvm_run_hook(vm, vm->lib.on_retract, FVM_PHASE_SEARCH));
    vm->plies--;
    fvm_turn_restore(vm, &turn);
    return value;
}

static fvm_cell evaluate(search *s) {
    fvm *vm = s->vm;
    fvm_cell value = 0;
    fvm_cell *base = vm->sp;
    fvm_guard_forget(vm);
    if (vm->lib.on_evaluate != 0 &&
        failed(s, fvm_run_hook(vm, vm->lib.on_evaluate, FVM_PHASE_EVALUATE)))
        return 0;
    value = vm->sp > base ? *vm->sp : 0;
    fvm_set_stack(vm, base);
    value = (fvm_cell)(64u * (uint32_t)value);
    if (s->noise > 1)
        value += (fvm_cell)(fvm_search_random(vm) % (uint32_t)s->noise);
    return value == 0 ? 1 : value;
}

/* Returns the result of OnIsTerminal?; true if the script does not define it. */
static bool is_terminal(search *s) {
    fvm *vm = s->vm;
    fvm_cell *base = vm->sp;
    if (vm->lib.on_terminal == 0)
        return true;
    fvm_guard_forget(vm);
    failed(s, fvm_run_to_exit(vm, vm->lib.on_terminal));
    bool result = vm->sp > base ? *vm->sp != 0 : false;
    fvm_set_stack(vm, base);
    return result;
}

/* Applies rule 1 (the game is over) and rule 2 (a terminal position at depth 0 or below is
 * evaluated) to a node.  Returns whether they decide the node's value, which is stored in *value.
 */
static bool apply_leaf_rules(search *s, int depth, int ply, fvm_cell *value) {
    fvm_cell over;
    *value = 0;
    fvm_guard_forget(s->vm);
    if (failed(s, fvm_run_game_over(s->vm, &over)))
        return true;
    if (over == FVM_WIN)
        *value = FVM_WIN - ply;
    else if (over == FVM_LOSS)
        *value = ply - FVM_WIN;
    if (over == FVM_WIN || over == FVM_LOSS || over == FVM_DRAW)
        return true;
    if (depth > 0 || !is_terminal(s))
        return s->status != FVM_OK;
    *value = evaluate(s);
    return true;
}

/* Calls apply_leaf_rules with two zero cells on the stack: in the original, hooks of a script find
 * them there. */
static bool decide_leaf(search *s, int depth, int ply, fvm_cell *value) {
    fvm *vm = s->vm;
    fvm_cell *base = vm->sp;
    *value = 0;
    if (failed(s, fvm_put_top(vm, 0)) || failed(s, fvm_put_top(vm, 0)))
        return true;
    vm->generated_lists = s->lists.generated_lists;
    bool decided = apply_leaf_rules(s, depth, ply, value);
    vm->generated_lists = FVM_COMPLETE_LISTS;
    fvm_set_stack(vm, base);
    return decided;
}

/* Completes a list of which all moves have been searched.  Returns its first move that has not. */
static fvm_addr continue_list(search *s) {
    s->continued++;
    int32_t searched, count;
    fvm_addr move;
    fvm_newest_list(s->vm, &searched, &move);
    complete_list(s);
    if (s->status != FVM_OK || !fvm_newest_list(s->vm, &count, &move))
        return 0;
    while (searched-- > 0 && move != 0)
        move = fvm_next_move(s->vm, move);
    return move;
}

/* Rule 4: searches the table's move first, then all other moves in list order.  is_part: the list
 * consists of the first moves of the complete list. */
static fvm_cell search_list(search *s, int depth, fvm_cell alpha, fvm_cell beta, int ply,
                            fvm_table_entry *entry, uint64_t key, uint64_t table_move,
                            bool is_part) {
    fvm *vm = s->vm;
    int32_t count;
    fvm_addr first, preferred = 0, best = 0;
    if (!fvm_newest_list(vm, &count, &first) || count == 0)
        return alpha; /* rule 5: the value of a node without moves */
    if (table_move != 0)
        for (fvm_addr m = first; m != 0 && preferred == 0 && s->status == FVM_OK;
             m = fvm_next_move(vm, m))
            if (identity(s, m) == table_move)
                preferred = m;
    fvm_addr move = preferred != 0 ? preferred : first;
    while (move != 0) {
        fvm_cell value = try_move(s, move, depth, alpha, beta, ply);
        if (s->status != FVM_OK || s->stopped)
            return alpha;
        if (value >= beta) {
            if (entry != NULL)
                store(s, entry, key, FVM_LOWER, value, depth, ply, move);
            return value;
        }
        if (value > alpha) {
            alpha = value;
            best = move;
        }
        /* After the table's move, search the list from its start without that move. */
        move = move == preferred && preferred != first ? first : fvm_next_move(vm, move);
        if (preferred != 0 && preferred != first && move == preferred)
            move = fvm_next_move(vm, move);
        if (move == 0 && is_part) {
            move = continue_list(s);
            is_part = false;
        }
    }
    if (entry != NULL)
        store(s, entry, key, best != 0 ? FVM_EXACT : FVM_UPPER, alpha, depth, ply, best);
    return alpha;
}

/* The value of a position.  list: how much of its list has been generated. */
static fvm_cell node(search *s, int depth, fvm_cell alpha, fvm_cell beta, int ply,
                     list_state list) {
    fvm *vm = s->vm;
    fvm_cell value = alpha;
    uint64_t key = 0, table_move = 0;
    fvm_table_entry *entry = NULL;
    bool cutoff = false;
    s->nodes++;
    if (must_stop(s))
        return alpha;
    if (list == NO_LIST)
        list = generate(s, depth, list_use(s, depth));
    if (s->status != FVM_OK)
        return alpha;
    if (!decide_leaf(s, depth, ply, &value)) {
        if (ply < s->depth_limit) {
            entry = find_entry(s, &key);
            if (entry->kind != 0 && entry->key == key) {
                value = fvm_original_value(entry, ply);
                if (entry->depth >= depth)
                    cutoff = entry->kind == FVM_EXACT ||
                             (entry->kind == FVM_LOWER && value >= beta) ||
                             (entry->kind == FVM_UPPER && value <= alpha);
                if (entry->kind != FVM_UPPER)
                    table_move = entry->move;
            }
        }
        const bool begins = depth > 0 && list == PART_OF_LIST && table_move == 0 && may_begin(s);
        if (!cutoff && list == PART_OF_LIST && !begins)
            complete_list(s);
        s->begun += !cutoff && begins;
        if (!cutoff && s->status == FVM_OK)
            value = search_list(s, depth, alpha, beta, ply, entry, key, table_move, begins);
    }
    if (s->status == FVM_OK)
        failed(s, fvm_free_list(vm));
    return value;
}

/* --- the root --------------------------------------------------------------------- */

typedef struct {
    fvm_addr *moves;
    int32_t count;
} root_list;

/* Puts the table's move first in the root list, which later iterations also use. */
static void order_root(search *s, root_list *root) {
    uint64_t key;
    const fvm_table_entry *entry = find_entry(s, &key);
    if (entry->kind == 0 || entry->key != key || entry->kind == FVM_UPPER || entry->move == 0)
        return;
    for (int32_t i = 0; i < root->count && s->status == FVM_OK; i++) {
        fvm_addr move = root->moves[i];
        if (identity(s, move) != entry->move)
            continue;
        memmove(root->moves + 1, root->moves, (size_t)i * sizeof *root->moves);
        root->moves[0] = move;
        return;
    }
}

static void report_best(search *s, fvm_addr move, fvm_cell score, int depth) {
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
        failed(s, FVM_ERR_HOST);
}

/* Finds what the script observes of lists. */
static void use_facts(search *s, fvm_list_facts facts) {
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
static void prove_lists(search *s, int32_t rest) {
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
static bool iterate(search *s, root_list *root, int depth, fvm_search_result *result) {
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
        fvm_cell value = try_move(s, move, depth, alpha, beta, 0);
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
    fvm_table_entry *entry = find_entry(s, &key);
    store(s, entry, key, best != 0 ? FVM_EXACT : FVM_UPPER, alpha, depth, 0, best);
    report_best(s, best, alpha, depth);
    return !s->stopped;
}

/* Whether the next iteration is long enough for guarding memory to pay, if it allows more. */
static bool may_guard(const search *s) {
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
    search s = {.vm = vm,
                .depth_limit = limits->depth_limit > 0 ? limits->depth_limit : 1,
                .noise = noise_of[variety],
                .node_limit = limits->node_limit,
                .lists.use = FVM_LIST_CONTENTS,
                .first_steps = fvm_steps(vm),
                .first_effects = vm->external_effects,
                .deadline = limits->seconds > 0 ? fvm_now() + limits->seconds : 0};
    search before = s; /* see original_guard.h */
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
            failed(&s, fvm_original_guard_restore(vm, &guarded));
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
