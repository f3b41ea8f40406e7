/* original_uct.c: the Monte Carlo tree search of the library's {UCT} engine ($UCTMove).
 *
 * UCT (Kocsis and Szepesvari, 2006): select by upper confidence bounds, add a node, play random
 * moves to the end, and add the result to the nodes on the path.  Each node stores the player whose
 * move leads to it, so any number of players and any turn order are possible.  The algorithm of the
 * original engine is not known; it is only known that the word reports a move.  This file owns the
 * tree; it does not use mcts.c. */
#include "search/original_search.h"
#include "game/promises.h"

#include <math.h>
#include <stdlib.h>

enum {
    ITERATIONS = 2000, /* of a search without a time limit */
    MAX_PATH = 512,    /* nodes from the root to a leaf */
    MAX_NODES = 1 << 20
};
static const double UNVISITED_BOUND = 1e9; /* children without visits are chosen first */

typedef struct {
    int32_t first; /* index of the first child; 0: not expanded */
    int32_t count; /* number of children */
    int32_t visits;
    int32_t mover; /* number of the player whose move leads to this node */
    float sum;     /* sum of the mover's rewards */
} tree_node;

typedef struct {
    fvm *vm;
    tree_node *nodes;
    int32_t used, capacity; /* numbers of nodes */
    int32_t path[MAX_PATH]; /* nodes from the root to the leaf of this iteration */
    int32_t path_length;
    float rewards[FVM_MAX_PLAYERS]; /* of this iteration, by player number */
} tree;

static int32_t mover_number(const fvm *vm) {
    return FVM_PLAYER_NUMBER(fvm_lib_get(vm, vm->lib.player));
}

static bool expand(tree *t, int32_t index, int32_t count) {
    if (t->used + count > t->capacity) {
        int32_t capacity = t->capacity * 2 > t->used + count ? t->capacity * 2 : t->used + count;
        if (capacity > MAX_NODES)
            return false;
        tree_node *grown = realloc(t->nodes, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        t->nodes = grown;
        t->capacity = capacity;
    }
    memset(t->nodes + t->used, 0, (size_t)count * sizeof *t->nodes);
    t->nodes[index].first = t->used;
    t->nodes[index].count = count;
    t->used += count;
    return true;
}

/* Returns the child with the highest upper confidence bound.  The comparison begins with a random
 * child, so that ties are broken at random. */
static int32_t choose_child(tree *t, int32_t index, int32_t count) {
    const tree_node *node = &t->nodes[index];
    int32_t best = 0, children = node->count < count ? node->count : count;
    int32_t from = (int32_t)(fvm_original_random(t->vm) % (uint32_t)children);
    double bound = -1, logarithm = log((double)node->visits + 1);
    for (int32_t k = 0; k < children; k++) {
        int32_t i = (from + k) % children;
        const tree_node *child = &t->nodes[node->first + i];
        double value = child->visits == 0 ? UNVISITED_BOUND
                                          : (double)child->sum / child->visits +
                                                sqrt(2 * logarithm / child->visits);
        if (value > bound) {
            bound = value;
            best = i;
        }
    }
    return best;
}

/* Sets the rewards of a decided position.  over: result for the player to move. */
static void set_rewards(tree *t, fvm_cell over) {
    int32_t number = mover_number(t->vm);
    for (int32_t i = 0; i < FVM_MAX_PLAYERS; i++)
        t->rewards[i] = over == FVM_WIN    ? (i == number ? 1.0F : 0.0F)
                        : over == FVM_LOSS ? (i == number ? 0.0F : 1.0F)
                                           : 0.5F;
}

/* Generates the list of the position after a move; *over: result of OnIsGameOver. */
static fvm_status enter_position(fvm *vm, bool partial, int32_t *count, fvm_addr *first,
                                 fvm_cell *over) {
    fvm_status status = fvm_generate_turn(vm);
    *over = FVM_UNKNOWN;
    if (status != FVM_OK)
        return status;
    fvm_newest_list(vm, count, first);
    if (partial && *count == 0) { /* no continuation: the turn ends */
        status = fvm_free_list(vm);
        if (status == FVM_OK)
            status = fvm_next_turn(vm);
        return status == FVM_OK ? enter_position(vm, false, count, first, over) : status;
    }
    return partial ? FVM_OK : fvm_run_game_over(vm, over);
}

static fvm_status make_move(fvm *vm, fvm_addr move, bool *partial) {
    fvm_status status = fvm_clone_board(vm);
    if (status == FVM_OK)
        status = fvm_apply(vm, move);
    *partial = fvm_lib_get(vm, vm->lib.partial) == -1;
    return status == FVM_OK && !*partial ? fvm_next_turn(vm) : status;
}

static bool is_decided(fvm_cell over) { return fvm_is_decided(over); }

/* Selects a leaf and runs a playout from it; the caller restores board, turn and HERE. */
static fvm_status iterate(tree *t) {
    fvm *vm = t->vm;
    int32_t count, index = 0;
    fvm_addr first;
    fvm_cell over = FVM_UNKNOWN;
    bool in_tree = true;
    fvm_newest_list(vm, &count, &first);
    t->path_length = 1;
    t->path[0] = 0;
    set_rewards(t, FVM_DRAW);
    for (int32_t plies = 0; plies < MAX_PATH - 1; plies++) {
        bool partial = false;
        if (is_decided(over)) {
            set_rewards(t, over);
            return FVM_OK;
        }
        if (count <= 0)
            return FVM_OK; /* no moves and no result: a draw */
        if (in_tree && t->nodes[index].first == 0 && !expand(t, index, count))
            in_tree = false;
        int32_t choice = in_tree ? choose_child(t, index, count)
                                 : (int32_t)(fvm_original_random(vm) % (uint32_t)count);
        int32_t number = mover_number(vm);
        if (in_tree) {
            index = t->nodes[index].first + choice;
            t->nodes[index].mover = number;
            t->path[t->path_length++] = index;
            in_tree = t->nodes[index].visits > 0;
        }
        fvm_addr move = fvm_nth_move(vm, first, choice);
        fvm_status status = move != 0 ? make_move(vm, move, &partial) : FVM_OK;
        if (status == FVM_OK)
            status = enter_position(vm, partial, &count, &first, &over);
        if (status != FVM_OK)
            return status;
    }
    return FVM_OK;
}

static void backpropagate(tree *t) {
    for (int32_t i = 0; i < t->path_length; i++) {
        tree_node *node = &t->nodes[t->path[i]];
        node->visits++;
        node->sum += t->rewards[node->mover];
    }
}

static fvm_status grow_tree(tree *t, double deadline, int32_t *best) {
    fvm *vm = t->vm;
    fvm_turn turn;
    fvm_cell *base = vm->sp;
    fvm_turn_save(vm, &turn);
    for (int32_t i = 0; deadline > 0 || i < ITERATIONS; i++) {
        if (vm->engine_status != 0 || (deadline > 0 && fvm_now() >= deadline))
            break;
        fvm_status status = iterate(t);
        fvm_turn_restore(vm, &turn);
        fvm_set_stack(vm, base);
        if (status != FVM_OK)
            return status;
        backpropagate(t);
    }
    const tree_node *root = &t->nodes[0];
    for (int32_t i = 1; i < root->count; i++)
        if (t->nodes[root->first + i].visits > t->nodes[root->first + *best].visits)
            *best = i;
    return FVM_OK;
}

fvm_status fvm_word_uct(fvm *vm) {
    int32_t count, best = 0;
    fvm_addr first;
    uint32_t length;
    if (vm->generating)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a search inside a move word");
    if (!fvm_newest_list(vm, &count, &first) || count <= 0)
        return fvm_fail(vm, FVM_ERR_NO_MOVE, 0, "there are no moves");
    tree t = {.vm = vm, .used = 1, .capacity = 4096};
    t.nodes = calloc((size_t)t.capacity, sizeof *t.nodes);
    if (t.nodes == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for the search");
    fvm_cell time = fvm_lib_get(vm, vm->lib.search_time);
    fvm_status status = FVM_OK;
    const bool texts_unread = GAME(vm)->texts_unread;
    GAME(vm)->texts_unread = fvm_find_promises(vm).draws;
    if (count > 1)
        status = grow_tree(&t, time > 0 ? fvm_now() + time / 1000.0 : 0, &best);
    GAME(vm)->texts_unread = texts_unread;
    if (status == FVM_OK) {
        const tree_node *root = &t.nodes[0];
        const tree_node *chosen = &t.nodes[root->first + (root->first != 0 ? best : 0)];
        fvm_report *const report = &GAME(vm)->report;
        report->move = fvm_nth_move(vm, first, best);
        status = fvm_decompile(vm, report->move, report->best, sizeof report->best, &length);
        report->has_best = status == FVM_OK;
        /* The mean reward in thousandths. */
        report->score =
            chosen->visits > 0 ? (fvm_cell)(1000.0F * chosen->sum / (float)chosen->visits) : 0;
        report->nodes = t.nodes[0].visits;
        report->depth = 0;
    }
    free(t.nodes);
    return status;
}
