/* original_nodes.c: the nodes of the original engine's search.
 *
 * It owns the rules of the original's search, including their faults, which
 * docs/explanation/search.md describes.  After a move only the board and the turn are restored, as
 * in the original.  The root and the iterations are in original_search.c. */
#include "search/original_nodes.h"
#include "search/node_list.h"
#include "search/original_table.h"
#include "vm/decode.h"

enum {
    MAX_PLIES = 1000, /* nested moves */
    CLOCK_INTERVAL = 100
};

/* Negates a value.  A script's evaluation may be any number, so values wrap, as in the original. */
static fvm_cell negative(fvm_cell value) { return (fvm_cell)(0u - (uint32_t)value); }

/* --- lists ------------------------------------------------------------------------ */

/* What a node needs to search its moves. */
static fvm_list_need needed_by_search(const fvm_original *s) {
    return fvm_has_first_moves(s->vm, &s->promises)
               ? (fvm_list_need){.moves = 1, .continuable = true}
               : (fvm_list_need){.moves = FVM_ALL_MOVES};
}

/* What a node needs of its list before hooks have run. */
static fvm_list_need needed_by_hooks(const fvm_original *s, int depth) {
    if (s->promises.unread)
        return (fvm_list_need){.moves = 0};
    if (depth <= 0 && s->promises.parts)
        return (fvm_list_need){.moves = 1};
    return needed_by_search(s);
}

static void generate(fvm_original *s, fvm_list_need need, fvm_node_list *list) {
    fvm_original_fails(s, fvm_node_list_generate(s->vm, need, list));
}

/* Returns the move after `move`, 0: it is the last one.  Adds as many moves to a list of first
 * moves as it has: a cut becomes less likely. */
static fvm_addr next_move(fvm_original *s, fvm_node_list *list, fvm_addr move) {
    fvm *vm = s->vm;
    const fvm_addr next = fvm_next_move(vm, move);
    int32_t count;
    fvm_addr first;
    if (next != 0 || list->state != FVM_FIRST_MOVES || !fvm_newest_list(vm, &count, &first) ||
        fvm_original_fails(s, fvm_node_list_continue(vm, list, count)))
        return next;
    return fvm_next_move(vm, move);
}

/* --- the table -------------------------------------------------------------------- */

/* The table's entry for a position. */
typedef struct {
    fvm_table_entry *entry; /* NULL: the table is not used */
    uint64_t key;           /* of the position */
    uint64_t move;          /* identity of the move to search first, 0: none */
} table_slot;

/* Finds the entry; returns whether its value, which is stored in *value, ends the search of the
 * node. */
static bool probe_table(fvm_original *s, const fvm_original_node *n, table_slot *slot,
                        fvm_cell *value) {
    *slot = (table_slot){NULL, 0, 0};
    if (n->ply >= s->depth_limit)
        return false;
    fvm_original_fails(s, fvm_original_find(s->vm, &slot->entry, &slot->key));
    const fvm_table_entry *const entry = slot->entry;
    if (entry->kind == 0 || entry->key != slot->key)
        return false;
    *value = fvm_original_value(entry, n->ply);
    slot->move = entry->kind != FVM_UPPER ? entry->move : 0;
    return entry->depth >= n->depth &&
           (entry->kind == FVM_EXACT || (entry->kind == FVM_LOWER && *value >= n->beta) ||
            (entry->kind == FVM_UPPER && *value <= n->alpha));
}

/* Stores the value of a node.  move: the best move, 0: none. */
static void store(fvm_original *s, const fvm_original_node *n, const table_slot *slot, int kind,
                  fvm_cell value, fvm_addr move) {
    if (slot->entry != NULL)
        fvm_original_fails(s, fvm_original_store(s->vm, slot->entry, slot->key, kind, value,
                                                 n->depth, n->ply, move));
}

/* The move of a list with this identity, 0: there is none. */
static fvm_addr find_move(fvm_original *s, fvm_node_list *list, fvm_addr move, uint64_t identity) {
    for (; move != 0 && s->status == FVM_OK; move = next_move(s, list, move)) {
        uint64_t id;
        fvm_original_fails(s, fvm_original_identity(s->vm, move, &id));
        if (id == identity)
            return move;
    }
    return move;
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

/* Fails because moves are nested too deep, and asks for what may cause it in this script. */
static void fail_too_deep(fvm_original *s) {
    fvm *vm = s->vm;
    const fvm_addr hook = vm->lib.on_terminal;
    const bool always_terminal = hook == 0 || fvm_hook_is_trivial(vm, hook, FVM_OP_TRUE);
    const char *cause = always_terminal ? "" : "OnIsTerminal? ever return TRUE, and does ";
    fvm_original_fails(
        s, fvm_fail(vm, FVM_ERR_NESTING, GAME(vm)->plies,
                    "the search went %d moves deep: does %severy chain of partial moves end?",
                    (int)GAME(vm)->plies, cause));
}

static fvm_cell search_node(fvm_original *s, const fvm_original_node *n, fvm_node_list *list);

/* The value after a partial move, for the player who continues.  *continues: false: there is no
 * continuation. */
static fvm_cell continue_turn(fvm_original *s, const fvm_original_node *n, bool *continues) {
    fvm *vm = s->vm;
    fvm_original_node next = *n;
    fvm_node_list list; /* `generate` sets its other fields */
    int32_t count;
    fvm_addr first;
    *continues = false;
    next.depth -= is_set(vm, vm->lib.combine_partial, true) ? 0 : 1;
    generate(s, needed_by_search(s), &list);
    if (s->status != FVM_OK)
        return 0;
    fvm_newest_list(vm, &count, &first);
    *continues = count > 0;
    if (*continues)
        return search_node(s, &next, &list);
    fvm_original_fails(s, fvm_free_list(vm));
    return 0;
}

/* The value after the end of a turn, for the player who moved. */
static fvm_cell end_turn(fvm_original *s, const fvm_original_node *n) {
    fvm *vm = s->vm;
    fvm_original_node next = *n;
    fvm_node_list list; /* `generate` sets its other fields */
    bool friends;
    const fvm_cell mover = fvm_lib_get(vm, vm->lib.player);
    list.state = FVM_NO_LIST;
    next.depth--;
    next.ply++;
    fvm_lib_put(vm, vm->lib.ply, next.ply);
    if (fvm_original_fails(s, fvm_next_turn(vm)) ||
        fvm_original_fails(s, fvm_friends(vm, mover, fvm_lib_get(vm, vm->lib.player), &friends)))
        return 0;
    if (friends)
        return search_node(s, &next, &list);
    next.alpha = negative(n->beta);
    next.beta = negative(n->alpha);
    return negative(search_node(s, &next, &list));
}

fvm_cell fvm_original_try_move(fvm_original *s, fvm_addr move, const fvm_original_node *n) {
    fvm *vm = s->vm;
    fvm_turn turn;
    fvm_cell value = 0;
    bool continues = false;
    FVM_ASSERT(move != 0 && !vm->generating);
    if (GAME(vm)->plies >= MAX_PLIES) {
        fail_too_deep(s);
        return 0;
    }
    GAME(vm)->plies++; /* after a failure, fvm_original_run restores the number */
    fvm_turn_save(vm, &turn);
    if (fvm_original_fails(s, fvm_clone_board(vm)) || fvm_original_fails(s, fvm_apply(vm, move)))
        return 0;
    if (fvm_lib_get(vm, vm->lib.partial) == -1)
        value = continue_turn(s, n, &continues);
    if (!continues && s->status == FVM_OK)
        value = end_turn(s, n);
    if (s->status == FVM_OK)
        fvm_original_fails(s, fvm_run_retract(vm));
    GAME(vm)->plies--;
    fvm_turn_restore(vm, &turn);
    return value;
}

/* --- hooks ------------------------------------------------------------------------ */

/* The value of OnEvaluate as the original changes it: never 0, which means a draw. */
static fvm_cell evaluate(fvm_original *s) {
    fvm_cell value;
    if (fvm_original_fails(s, fvm_run_evaluate(s->vm, &value)))
        return 0;
    value = (fvm_cell)(64u * (uint32_t)value);
    if (s->noise > 1)
        value += (fvm_cell)(fvm_original_random(s->vm) % (uint32_t)s->noise);
    return value == 0 ? 1 : value;
}

/* Decides a node at which the game is over, or which is terminal at depth 0 or below.  Returns
 * whether its value is decided, which is stored in *value. */
static bool decide_by_hooks(fvm_original *s, const fvm_original_node *n, fvm_cell *value) {
    fvm_cell over;
    bool terminal = false;
    *value = 0;
    if (fvm_original_fails(s, fvm_run_game_over(s->vm, &over)))
        return true;
    if (over == FVM_WIN)
        *value = FVM_WIN - n->ply;
    else if (over == FVM_LOSS)
        *value = n->ply - FVM_WIN;
    if (fvm_is_decided(over))
        return true;
    if (n->depth <= 0 && !fvm_original_fails(s, fvm_run_is_terminal(s->vm, &terminal)) && terminal)
        *value = evaluate(s);
    return terminal || s->status != FVM_OK;
}

/* Calls decide_by_hooks with two zero cells on the stack: in the original, hooks of a script find
 * them there. */
static bool decide_leaf(fvm_original *s, const fvm_original_node *n, fvm_cell *value) {
    fvm *vm = s->vm;
    fvm_cell *base = vm->sp;
    *value = 0;
    if (fvm_original_fails(s, fvm_put_top(vm, 0)) || fvm_original_fails(s, fvm_put_top(vm, 0)))
        return true;
    bool decided = decide_by_hooks(s, n, value);
    fvm_set_stack(vm, base);
    return decided;
}

/* --- a node ----------------------------------------------------------------------- */

/* Searches the table's move first, then all other moves in list order. */
static fvm_cell search_moves(fvm_original *s, const fvm_original_node *n, fvm_node_list *list,
                             const table_slot *slot) {
    fvm *vm = s->vm;
    fvm_original_node rest = *n; /* alpha rises */
    int32_t count;
    fvm_addr first, best = 0;
    if (!fvm_newest_list(vm, &count, &first) || count == 0)
        return n->alpha; /* the value of a node without moves */
    const fvm_addr preferred = slot->move != 0 ? find_move(s, list, first, slot->move) : 0;
    fvm_addr move = preferred != 0 ? preferred : first;
    while (move != 0 && s->status == FVM_OK) {
        const fvm_cell value = fvm_original_try_move(s, move, &rest);
        if (s->status != FVM_OK || s->stopped)
            return rest.alpha;
        if (value >= n->beta) {
            store(s, n, slot, FVM_LOWER, value, move);
            return value;
        }
        if (value > rest.alpha) {
            rest.alpha = value;
            best = move;
        }
        /* After the table's move, search the list from its start without that move. */
        move = move == preferred && preferred != first ? first : next_move(s, list, move);
        if (preferred != 0 && preferred != first && move == preferred)
            move = next_move(s, list, move);
    }
    if (s->status == FVM_OK)
        store(s, n, slot, best != 0 ? FVM_EXACT : FVM_UPPER, rest.alpha, best);
    return rest.alpha;
}

/* The value of the current position.  Its list has been generated after a partial move. */
static fvm_cell search_node(fvm_original *s, const fvm_original_node *n, fvm_node_list *list) {
    fvm_cell value;
    table_slot slot;
    FVM_ASSERT(GAME(s->vm)->plies > 0 && GAME(s->vm)->plies <= MAX_PLIES);
    FVM_ASSERT(list->state == FVM_NO_LIST || list->state == FVM_SHORT_LIST ||
               list->state == FVM_FIRST_MOVES || list->state == FVM_COMPLETE_LIST);
    /* Step 1.  Count the node.  At a limit its value is alpha. */
    s->nodes++;
    if (must_stop(s))
        return n->alpha;
    /* Step 2.  Generate as much of the list as hooks read. */
    if (n->depth > 0)
        fvm_original_prefetch(s->vm);
    if (list->state == FVM_NO_LIST)
        generate(s, needed_by_hooks(s, n->depth), list);
    if (s->status != FVM_OK)
        return n->alpha;
    /* Step 3.  Hooks decide the node if the game is over, and at the horizon.  Step 4.  If they do
     * not, the table may.  (The original generates the list first.) */
    const bool decided = decide_leaf(s, n, &value) || probe_table(s, n, &slot, &value);
    /* Step 5.  Search the moves, of which step 2 may have generated none. */
    if (!decided && (list->state == FVM_OMITTED_LIST || list->state == FVM_SHORT_LIST))
        fvm_original_fails(s, fvm_node_list_replace(s->vm, needed_by_search(s), list));
    if (!decided && s->status == FVM_OK)
        value = search_moves(s, n, list, &slot);
    /* Step 6.  Free the list. */
    if (s->status == FVM_OK)
        fvm_original_fails(s, fvm_node_list_free(s->vm, list));
    return value;
}
