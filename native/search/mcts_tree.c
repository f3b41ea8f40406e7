/* mcts_tree.c: the tree of a Monte Carlo search.
 *
 * It owns the nodes: allocation, reading, writing, and changes of the root.  mcts.c searches the
 * tree. */
#include "search/mcts_tree.h"

#include <math.h>
#include <stdlib.h>

enum { INITIAL_CAPACITY = 4096 }; /* nodes */

fvm_tree *fvm_tree_new(int32_t max_nodes) {
    fvm_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL)
        return NULL;
    tree->max_nodes = max_nodes > 1 ? max_nodes : 1;
    tree->capacity = tree->max_nodes < INITIAL_CAPACITY ? tree->max_nodes : INITIAL_CAPACITY;
    tree->nodes = calloc((size_t)tree->capacity, sizeof *tree->nodes);
    if (tree->nodes == NULL) {
        free(tree);
        return NULL;
    }
    tree->used = 1;
    return tree;
}

void fvm_tree_free(fvm_tree *tree) {
    if (tree == NULL)
        return;
    free(tree->leaf_actions);
    free(tree->nodes);
    free(tree);
}

void fvm_tree_clear(fvm_tree *tree) {
    memset(tree->nodes, 0, sizeof *tree->nodes);
    memset(tree->history_sum, 0, sizeof tree->history_sum);
    memset(tree->history_visits, 0, sizeof tree->history_visits);
    tree->value_scale = 0;
    tree->random = 0;
    tree->path_length = 0;
    tree->used = 1;
}

bool fvm_tree_expand(fvm_tree *tree, int32_t node, int32_t count) {
    if (count > tree->max_nodes - tree->used)
        return false;
    if (tree->used + count > tree->capacity) {
        int32_t capacity =
            tree->capacity > tree->max_nodes / 2 ? tree->max_nodes : tree->capacity * 2;
        capacity = capacity < tree->used + count ? tree->used + count : capacity;
        fvm_tree_node *grown = realloc(tree->nodes, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        tree->nodes = grown;
        tree->capacity = capacity;
    }
    memset(tree->nodes + tree->used, 0, (size_t)count * sizeof *tree->nodes);
    tree->nodes[node].first = tree->used;
    tree->nodes[node].count = count;
    tree->used += count;
    return true;
}

int32_t fvm_tree_size(const fvm_tree *tree) { return tree->used; }

int32_t fvm_tree_read(const fvm_tree *tree, int32_t from, fvm_tree_node *nodes, int32_t count) {
    if (from < 0 || from > tree->used)
        return 0;
    if (count > tree->used - from)
        count = tree->used - from;
    memcpy(nodes, tree->nodes + from, (size_t)count * sizeof *nodes);
    return count;
}

/* Whether the fields of a node are valid in a tree of `count` nodes. */
static bool is_valid_node(const fvm_tree_node *node, int32_t index, int32_t count) {
    if (node->visits < 0 || node->mover < 0 || node->mover >= SEARCH_PLAYERS || node->proof < 0 ||
        node->proof > TREE_DRAWN || !(node->sum >= 0) ||
        !(node->sum <= (float)node->visits + 1.0F) || !(node->prior >= 0 && node->prior <= 1))
        return false;
    if (node->first == 0)
        return node->count == 0;
    return node->first > index && node->count >= 0 && node->count <= count - node->first;
}

/* Whether the nodes are a tree: children follow their parent, and each node but the root has
 * exactly one parent. */
static bool is_valid_tree(const fvm_tree_node *nodes, int32_t count) {
    bool *has_parent = calloc((size_t)count, sizeof *has_parent);
    bool valid = has_parent != NULL;
    int32_t children = 0;
    for (int32_t i = 0; i < count && valid; i++) {
        valid = is_valid_node(&nodes[i], i, count);
        for (int32_t k = 0; valid && nodes[i].first != 0 && k < nodes[i].count; k++) {
            valid = !has_parent[nodes[i].first + k];
            has_parent[nodes[i].first + k] = true;
            children++;
        }
    }
    free(has_parent);
    return valid && children == count - 1;
}

int32_t fvm_tree_write(fvm_tree *tree, const fvm_tree_node *nodes, int32_t count) {
    if (count < 1 || count > tree->max_nodes || !is_valid_tree(nodes, count))
        return 0;
    fvm_tree_clear(tree);
    if (count > 1 && !fvm_tree_expand(tree, 0, count - 1)) {
        fvm_tree_clear(tree);
        return 0;
    }
    memcpy(tree->nodes, nodes, (size_t)count * sizeof *nodes);
    tree->used = count;
    return 1;
}

void fvm_tree_get_state(const fvm_tree *tree, fvm_tree_state *state) {
    state->random = tree->random;
    state->scale = tree->value_scale;
    memcpy(state->sums, tree->history_sum, sizeof state->sums);
    memcpy(state->visits, tree->history_visits, sizeof state->visits);
}

int32_t fvm_tree_set_state(fvm_tree *tree, const fvm_tree_state *state) {
    if (!isfinite(state->scale) || state->scale < 0)
        return 0;
    for (int32_t i = 0; i < FVM_TREE_HISTORY; i++)
        if (state->visits[i] < 0 || !(state->sums[i] >= 0) ||
            !(state->sums[i] <= (float)state->visits[i] + 1.0F))
            return 0;
    tree->random = state->random;
    tree->value_scale = state->scale;
    memcpy(tree->history_sum, state->sums, sizeof state->sums);
    memcpy(tree->history_visits, state->visits, sizeof state->visits);
    return 1;
}

/* --- leaves that the host evaluates ------------------------------------------------ */

static bool is_share(float number) { return number >= 0 && number <= 1; } /* false for NaN */

static bool is_valid(const fvm_tree *tree, const float *priors, int32_t stride,
                     const float *rewards) {
    bool valid = true;
    for (int32_t player = 0; player < SEARCH_PLAYERS && valid; player++)
        valid = is_share(rewards[player]);
    for (int32_t move = 0; tree->path_length > 0 && move < tree->leaf_moves && valid; move++) {
        const int32_t action = tree->leaf_actions[move];
        valid = action < stride && (action < 0 || is_share(priors[action]));
    }
    return valid;
}

static void submit_leaf(fvm_tree *tree, const float *priors, const float *rewards) {
    if (tree->path_length == 0)
        return;
    const int32_t leaf = tree->path[tree->path_length - 1];
    if (tree->nodes[leaf].first == 0 && fvm_tree_expand(tree, leaf, tree->leaf_moves))
        for (int32_t move = 0; move < tree->leaf_moves; move++) {
            const int32_t action = tree->leaf_actions[move];
            tree->nodes[tree->nodes[leaf].first + move].prior = action < 0 ? 0 : priors[action];
        }
    for (int32_t i = 0; i < tree->path_length; i++) {
        fvm_tree_node *node = &tree->nodes[tree->path[i]];
        node->visits++;
        node->sum += rewards[node->mover];
    }
    tree->path_length = 0;
}

int32_t fvm_submit_leaves(const fvm_tree_root *roots, int32_t count, const float *priors,
                          int32_t stride, const float *rewards, int32_t reward_stride) {
    const size_t p = (size_t)stride, r = (size_t)reward_stride;
    for (int32_t row = 0; row < count; row++)
        if (reward_stride < SEARCH_PLAYERS ||
            !is_valid(roots[row].tree, priors + (size_t)row * p, stride, rewards + (size_t)row * r))
            return row;
    for (int32_t row = 0; row < count; row++)
        submit_leaf(roots[row].tree, priors + (size_t)row * p, rewards + (size_t)row * r);
    return -1;
}

/* Copies the subtree of the child breadth first, so that siblings are adjacent. */
int32_t fvm_tree_follow(fvm_tree *tree, int32_t child) {
    const fvm_tree_node *root = &tree->nodes[0];
    if (child < 0 || child >= root->count)
        return 0;
    fvm_tree_node *copy = malloc((size_t)tree->used * sizeof *copy);
    if (copy == NULL)
        return 0;
    int32_t used = 1;
    copy[0] = tree->nodes[root->first + child];
    for (int32_t i = 0; i < used; i++) {
        if (copy[i].first == 0)
            continue;
        memcpy(copy + used, tree->nodes + copy[i].first, (size_t)copy[i].count * sizeof *copy);
        copy[i].first = used;
        used += copy[i].count;
    }
    memcpy(tree->nodes, copy, (size_t)used * sizeof *copy);
    tree->used = used;
    free(copy);
    return 1;
}

bool fvm_tree_store_actions(fvm *vm, fvm_tree *tree, fvm_action_finder *finder, int32_t moves) {
    if (moves > tree->leaf_capacity) {
        const int32_t capacity = moves < INT32_MAX / 8 ? 2 * moves : moves;
        int32_t *actions = realloc(tree->leaf_actions, (size_t)capacity * sizeof *actions);
        if (actions == NULL)
            return false;
        tree->leaf_actions = actions;
        tree->leaf_capacity = capacity;
    }
    tree->leaf_moves = moves;
    if (finder != NULL)
        return fvm_find_actions(vm, finder, tree->leaf_actions, moves) != 0;
    for (int32_t move = 0; move < moves; move++)
        tree->leaf_actions[move] = move;
    return true;
}

int32_t fvm_leaf_actions(const fvm_tree *tree, int32_t *actions, int32_t capacity) {
    const int32_t copied = tree->leaf_moves < capacity ? tree->leaf_moves : capacity;
    if (copied > 0)
        memcpy(actions, tree->leaf_actions, (size_t)copied * sizeof *actions);
    return tree->leaf_moves;
}
