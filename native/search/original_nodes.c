/* original_nodes.c: the nodes of the original engine's search.
 *
 * It owns the rules of the original's search, including their faults, which
 * docs/explanation/search.md describes.  After a move only the board and the turn are restored, as
 * in the original.  A list of which the script can observe less is generated in part, and continued
 * while its moves are searched (see list_facts.h).  It must not know the root and the iterations
 * (original_search.c). */
#include "search/original_nodes.h"
#include "game/guarded_memory.h"
#include "search/original_table.h"
#include "vm/decode.h"

enum {
    MAX_PLIES = 1000, /* nested moves */
    CLOCK_INTERVAL = 100
};

/* The list of a node. */
typedef struct {
    enum {
        NOT_GENERATED,
        OMITTED_LIST, /* nothing reads the list, so there is none */
        SHORT_LIST,   /* what hooks read; to search its moves, it must be generated again */
        FIRST_MOVES,  /* the first moves, to which others can be added */
        COMPLETE_LIST
    } state;
    fvm_addr start;     /* of an omitted list */
    fvm_list_rest rest; /* of the first moves */
} node_list;

/* Negates a value.  A script's evaluation may be any number, so values wrap, as in the original. */
static fvm_cell negative(fvm_cell value) { return (fvm_cell)(0u - (uint32_t)value); }

/* Returns the table's entry for the position and stores the position's key in *key. */
static fvm_table_entry *find_entry(fvm_original *s, uint64_t *key) {
    fvm_table_entry *entry;
    fvm_original_fails(s, fvm_original_find(s->vm, &entry, key));
    return entry;
}

static uint64_t identity(fvm_original *s, fvm_addr move) {
    uint64_t id;
    fvm_original_fails(s, fvm_original_identity(s->vm, move, &id));
    return id;
}

/* Stores the value of a position in an entry of the table.  move: the best move, 0: none. */
static void store(fvm_original *s, fvm_table_entry *entry, uint64_t key, int kind, fvm_cell value,
                  int depth, int ply, fvm_addr move) {
    fvm_original_fails(s, fvm_original_store(s->vm, entry, key, kind, value, depth, ply, move));
}

/* --- moves ------------------------------------------------------------------------ */

static bool must_stop(fvm_original *s) {
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
    return variable == 0 ? otherwise : fvm_lib_get(vm, variable) != 0;
}

/* What hooks read of a list: at interior nodes only OnIsGameOver runs. */
static fvm_list_use list_use(const fvm_original *s, int depth) {
    return depth > 0 && s->lists.can_be_continued ? s->lists.game_over_use : s->lists.use;
}

/* Generates the list of a position: at depth > 0 as many first moves as `use` needs, if others can
 * be added, else the moves that hooks read. */
static void generate(fvm_original *s, node_list *list, int depth, fvm_list_use use) {
    fvm *vm = s->vm;
    const bool searched = depth > 0, continuable = searched && s->lists.can_be_continued;
    const bool complete =
        use == FVM_LIST_CONTENTS ||
        (searched && !continuable && (use != FVM_LIST_UNREAD || !s->lists.can_follow_hooks));
    const bool counted = !complete && !searched && (use == FVM_LIST_COUNT || s->lists.ends_words);
    if (!complete && use == FVM_LIST_UNREAD) {
        fvm_original_fails(s, fvm_omit_list(vm, &s->lists));
        list->state = OMITTED_LIST;
        list->start = fvm_here(vm);
        return;
    }
    const fvm_list_part part = {.moves = !complete && use != FVM_LIST_COUNT,
                                .counted = counted,
                                .rest = continuable ? &list->rest : NULL};
    fvm_original_fails(s, fvm_generate_part(vm, &s->lists, part));
    list->state = !vm->list_is_part && !counted ? COMPLETE_LIST
                  : continuable                 ? FIRST_MOVES
                                                : SHORT_LIST;
}

/* Frees the list of a position, also one that has been omitted: what hooks have appended to the
 * dictionary since is dropped. */
static bool end_list(fvm_original *s, const node_list *list) {
    if (list->state != OMITTED_LIST)
        return !fvm_original_fails(s, fvm_free_list(s->vm));
    fvm_set_here_back(s->vm, list->start);
    return true;
}

/* Generates a list whose moves can be searched instead of the present one, after hooks have run:
 * what they left in `from`, `here` and the current piece remains. */
static void generate_again(fvm_original *s, node_list *list, int depth) {
    const fvm_scan_variables saved = fvm_scan_variables_save(s->vm);
    if (!end_list(s, list))
        return;
    const bool continuable = depth > 0 && s->lists.can_be_continued;
    generate(s, list, depth, continuable ? FVM_LIST_EMPTINESS : FVM_LIST_CONTENTS);
    fvm_scan_variables_restore(s->vm, &saved);
}

/* Returns the move after `move`, 0: it is the last one.  Adds as many moves to a list of first
 * moves as it has: a cut becomes less likely. */
static fvm_addr next_move(fvm_original *s, node_list *list, fvm_addr move) {
    fvm *vm = s->vm;
    const fvm_addr next = fvm_next_move(vm, move);
    int32_t count;
    fvm_addr first;
    if (next != 0 || list->state != FIRST_MOVES || !fvm_newest_list(vm, &count, &first) ||
        fvm_original_fails(s, fvm_continue_list(vm, &s->lists, &list->rest, count)))
        return next;
    if (!vm->list_is_part)
        list->state = COMPLETE_LIST;
    return fvm_next_move(vm, move);
}

/* Fails because moves are nested too deep, and asks for what may cause it in this script. */
static void fail_too_deep(fvm_original *s) {
    fvm *vm = s->vm;
    const fvm_addr hook = vm->lib.on_terminal;
    const bool always_terminal = hook == 0 || fvm_hook_is_trivial(vm, hook, FVM_OP_TRUE);
    const char *cause = always_terminal ? "" : "OnIsTerminal? ever return TRUE, and does ";
    fvm_original_fails(
        s, fvm_fail(vm, FVM_ERR_NESTING, vm->plies,
                    "the search went %d moves deep: does %severy chain of partial moves end?",
                    (int)vm->plies, cause));
}

static fvm_cell node(fvm_original *s, int depth, fvm_cell alpha, fvm_cell beta, int ply,
                     node_list *list);

fvm_cell fvm_original_try_move(fvm_original *s, fvm_addr move, int depth, fvm_cell alpha,
                               fvm_cell beta, int ply) {
    fvm *vm = s->vm;
    fvm_turn turn;
    fvm_cell value = 0;
    int32_t count = 0;
    fvm_addr first;
    bool friends = true, continues = false;
    node_list list; /* `generate` sets the other fields */
    list.state = NOT_GENERATED;
    if (vm->plies >= MAX_PLIES) {
        fail_too_deep(s);
        return 0;
    }
    vm->plies++; /* after a failure, fvm_original_run restores the number */
    fvm_turn_save(vm, &turn);
    if (fvm_original_fails(s, fvm_clone_board(vm)) || fvm_original_fails(s, fvm_apply(vm, move)))
        return 0;
    if (fvm_lib_get(vm, vm->lib.partial) == -1) {
        const int remaining = depth - (is_set(vm, vm->lib.combine_partial, true) ? 0 : 1);
        const fvm_list_use use = list_use(s, remaining);
        generate(s, &list, remaining, use == FVM_LIST_UNREAD ? FVM_LIST_EMPTINESS : use);
        if (s->status != FVM_OK)
            return 0;
        fvm_newest_list(vm, &count, &first);
        continues = count > 0;
        if (continues)
            value = node(s, remaining, alpha, beta, ply, &list);
        else if (fvm_original_fails(s, fvm_free_list(vm)))
            return 0;
    }
    if (!continues) {
        list.state = NOT_GENERATED;
        fvm_cell mover = fvm_lib_get(vm, vm->lib.player);
        fvm_lib_put(vm, vm->lib.ply, ply + 1);
        if (fvm_original_fails(s, fvm_next_turn(vm)) ||
            fvm_original_fails(s,
                               fvm_friends(vm, mover, fvm_lib_get(vm, vm->lib.player), &friends)))
            return 0;
        value = friends
                    ? node(s, depth - 1, alpha, beta, ply + 1, &list)
                    : negative(node(s, depth - 1, negative(beta), negative(alpha), ply + 1, &list));
    }
    if (s->status == FVM_OK)
        fvm_original_fails(s, fvm_run_retract(vm));
    vm->plies--;
    fvm_turn_restore(vm, &turn);
    return value;
}

static fvm_cell evaluate(fvm_original *s) {
    fvm *vm = s->vm;
    fvm_cell value = 0;
    fvm_cell *base = vm->sp;
    fvm_guard_forget(vm);
    if (vm->lib.on_evaluate != 0 &&
        fvm_original_fails(s, fvm_run_hook(vm, vm->lib.on_evaluate, FVM_PHASE_EVALUATE)))
        return 0;
    value = vm->sp > base ? *vm->sp : 0;
    fvm_set_stack(vm, base);
    value = (fvm_cell)(64u * (uint32_t)value);
    if (s->noise > 1)
        value += (fvm_cell)(fvm_original_random(vm) % (uint32_t)s->noise);
    return value == 0 ? 1 : value;
}

static bool is_terminal(fvm_original *s) {
    bool terminal;
    fvm_guard_forget(s->vm);
    fvm_original_fails(s, fvm_run_is_terminal(s->vm, &terminal));
    return terminal;
}

/* Decides a node at which the game is over, or which is terminal at depth 0 or below.  Returns
 * whether its value is decided, which is stored in *value. */
static bool decide_by_hooks(fvm_original *s, int depth, int ply, fvm_cell *value) {
    fvm_cell over;
    *value = 0;
    fvm_guard_forget(s->vm);
    if (fvm_original_fails(s, fvm_run_game_over(s->vm, &over)))
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

/* Calls decide_by_hooks with two zero cells on the stack: in the original, hooks of a script find
 * them there. */
static bool decide_leaf(fvm_original *s, int depth, int ply, fvm_cell *value) {
    fvm *vm = s->vm;
    fvm_cell *base = vm->sp;
    *value = 0;
    if (fvm_original_fails(s, fvm_put_top(vm, 0)) || fvm_original_fails(s, fvm_put_top(vm, 0)))
        return true;
    vm->hook_lists = s->lists.hook_lists;
    bool decided = decide_by_hooks(s, depth, ply, value);
    vm->hook_lists = (fvm_list_part){0};
    fvm_set_stack(vm, base);
    return decided;
}

/* The move of a list with this identity, 0: there is none. */
static fvm_addr find_move(fvm_original *s, node_list *list, fvm_addr first, uint64_t id) {
    fvm_addr move = first;
    while (move != 0 && identity(s, move) != id && s->status == FVM_OK)
        move = next_move(s, list, move);
    return move;
}

/* Searches the table's move first, then all other moves in list order. */
static fvm_cell search_list(fvm_original *s, node_list *list, int depth, fvm_cell alpha,
                            fvm_cell beta, int ply, fvm_table_entry *entry, uint64_t key,
                            uint64_t table_move) {
    fvm *vm = s->vm;
    int32_t count;
    fvm_addr first, best = 0;
    if (!fvm_newest_list(vm, &count, &first) || count == 0)
        return alpha; /* the value of a node without moves */
    const fvm_addr preferred = table_move != 0 ? find_move(s, list, first, table_move) : 0;
    fvm_addr move = preferred != 0 ? preferred : first;
    while (move != 0 && s->status == FVM_OK) {
        fvm_cell value = fvm_original_try_move(s, move, depth, alpha, beta, ply);
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
        move = move == preferred && preferred != first ? first : next_move(s, list, move);
        if (preferred != 0 && preferred != first && move == preferred)
            move = next_move(s, list, move);
    }
    if (entry != NULL && s->status == FVM_OK)
        store(s, entry, key, best != 0 ? FVM_EXACT : FVM_UPPER, alpha, depth, ply, best);
    return alpha;
}

/* The value of a position. */
static fvm_cell node(fvm_original *s, int depth, fvm_cell alpha, fvm_cell beta, int ply,
                     node_list *list) {
    fvm *vm = s->vm;
    fvm_cell value = alpha;
    uint64_t key = 0, table_move = 0;
    fvm_table_entry *entry = NULL;
    bool cutoff = false;
    s->nodes++;
    if (must_stop(s))
        return alpha;
    if (depth > 0)
        fvm_original_prefetch(vm);
    if (list->state == NOT_GENERATED)
        generate(s, list, depth, list_use(s, depth));
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
        if (!cutoff && (list->state == OMITTED_LIST || list->state == SHORT_LIST))
            generate_again(s, list, depth);
        if (!cutoff && s->status == FVM_OK)
            value = search_list(s, list, depth, alpha, beta, ply, entry, key, table_move);
    }
    if (s->status == FVM_OK)
        end_list(s, list);
    return value;
}
