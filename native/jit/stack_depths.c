/* stack_depths.c: the depth of both stacks at each instruction of a graph.
 *
 * Depths are relative to roots: nodes at which the code checks the stacks for all instructions up
 * to the next roots.  It owns the choice of roots, the minimal depth and maximal growth at each
 * root, and the number of items that a definition adds. */
#include "jit/graph.h"
#include "jit/runtime_helpers.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

enum { MAX_DEPTH = 500 }; /* of both stacks, relative to a root */

typedef struct {
    fvm_graph *graph;
    int16_t work[FVM_MAX_NODES];
    int count;
    bool too_deep; /* a depth exceeds MAX_DEPTH */
} worklist;

void fvm_node_effect(const fvm_node *node, int *popped, int *pushed) {
    *popped = *pushed = 0;
    switch (node->op) {
    case FVM_OP_PICK:
        if (node->kind == FVM_NODE_PLAIN) {
            *popped = node->a + 1;
            *pushed = node->a + 3; /* LIT pushes the number before PICK pops it */
        }
        return;
    case FVM_OP_LIT:
    case FVM_OP_VAR:
    case FVM_OP_CONSTANT:
    case FVM_OP_READ:
    case FVM_OP_DOES:
        *pushed = 1;
        return;
    case FVM_OP_WRITE:
    case FVM_OP_ZBRANCH:
    case FVM_OP_LOOP_ADD:
        *popped = 1;
        return;
    case FVM_OP_EXECUTE:
        *popped = 1;
        *pushed = node->a != 0 || node->does_part != 0;
        return;
    case FVM_OP_SCALE:
    case FVM_OP_INDEX:
        *popped = *pushed = 1;
        return;
    default:
        if (node->op < FVM_PRIMITIVES && node->kind == FVM_NODE_PLAIN) {
            *popped = fvm_jit_primitives[node->op].popped;
            *pushed = fvm_jit_primitives[node->op].pushed;
        }
    }
}

void fvm_return_effect(const fvm_node *node, int *required, int *added) {
    *required = *added = 0;
    if (node->op >= 0 && node->op < FVM_PRIMITIVES) {
        const fvm_jit_primitive *primitive = &fvm_jit_primitives[node->op];
        *required = primitive->rpopped;
        *added = primitive->rpushed - primitive->rpopped;
    }
    if (node->kind == FVM_NODE_RETURN) {
        *required = 1;
        *added = -1;
    }
}

/* Sets the depths of a successor.  If a different path has set other depths, the successor becomes
 * a root and the function returns false. */
static bool set_depths(worklist *list, int successor, int region, int depth, int rdepth) {
    fvm_node *node = &list->graph->nodes[successor];
    if (node->root) {
        node->depth_varies |= node->region != region || depth != 0 || rdepth != 0;
        return true;
    }
    if (!node->depths_known) {
        node->depths_known = true;
        node->region = (int16_t)region;
        node->depth = (int16_t)depth;
        node->rdepth = (int16_t)rdepth;
        list->work[list->count++] = (int16_t)successor;
        return true;
    }
    if (node->region == region && node->depth == depth && node->rdepth == rdepth)
        return true;
    node->root = node->leader = node->depth_varies = true;
    return false;
}

/* Computes the depths of all nodes.  false: list->too_deep is set, or new roots have been added, so
 * that the depths must be computed again. */
static bool propagate(worklist *list) {
    fvm_graph *graph = list->graph;
    list->count = 0;
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        node->depths_known = node->root;
        node->region = (int16_t)i;
        node->depth = node->rdepth = 0;
        if (node->root)
            list->work[list->count++] = (int16_t)i;
    }
    bool consistent = true;
    while (list->count > 0) { /* one pass finds all conflicts */
        const fvm_node *node = &graph->nodes[list->work[--list->count]];
        int popped, pushed, required, added;
        fvm_node_effect(node, &popped, &pushed);
        fvm_return_effect(node, &required, &added);
        int depth = node->depth - popped + pushed, rdepth = node->rdepth + added;
        if (node->kind == FVM_NODE_PLAIN && node->op == FVM_OP_PICK)
            depth--;
        list->too_deep =
            depth > MAX_DEPTH || depth < -MAX_DEPTH || rdepth > MAX_DEPTH || rdepth < -MAX_DEPTH;
        if (list->too_deep)
            return false;
        switch (node->kind) {
        case FVM_NODE_BRANCH:
            consistent &= set_depths(list, node->target, node->region, depth, rdepth);
            if (node->op != FVM_OP_ZBRANCH)
                rdepth -= FVM_LOOP_CELLS; /* the loop ends */
            consistent &= set_depths(list, node->next, node->region, depth, rdepth);
            break;
        case FVM_NODE_PLAIN:
        case FVM_NODE_JUMP:
        case FVM_NODE_INLINE:
            consistent &= set_depths(list, node->next, node->region, depth, rdepth);
            break;
        case FVM_NODE_CALL:
        case FVM_NODE_HELPER:
            if (node->net_known)
                consistent &= set_depths(list, node->next, node->region, depth + node->net, rdepth);
            break;
        default: /* the successors of all other kinds of nodes are roots */
            break;
        }
    }
    return consistent;
}

static void mark_loop_heads(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->backward)
            graph->nodes[node->kind == FVM_NODE_JUMP ? node->next : node->target].loop_head = true;
    }
}

static void raise_to(int16_t *value, int other) {
    if (*value < other)
        *value = (int16_t)other;
}

/* Stores the indices of the successors of a node up to the next checks of the stacks; -1: none. The
 * first node is a root, but loops to it make no check unless its depth varies: entries before such
 * loops check for it (check_entry in compile.c). */
static void find_successors(const fvm_graph *graph, const fvm_node *node, int found[2]) {
    const bool ends = node->kind == FVM_NODE_EXECUTE || node->kind == FVM_NODE_RETURN ||
                      node->kind == FVM_NODE_EXIT;
    const bool branches = node->kind == FVM_NODE_BRANCH;
    found[0] = ends || graph->nodes[node->next].depth_varies ? -1 : node->next;
    found[1] = !branches || graph->nodes[node->target].depth_varies ? -1 : node->target;
}

/* The number of items below the root that an instruction uses. */
static int items_used(const fvm_node *node) {
    int popped, pushed;
    fvm_node_effect(node, &popped, &pushed);
    if (node->kind == FVM_NODE_HELPER && node->op != FVM_OP_HOST)
        popped = fvm_jit_primitives[node->op].popped;
    return popped - node->depth;
}

/* Computes min_depth of all nodes: first the items that any path uses, then fewer until nothing
 * changes.  An endless loop keeps the first number, which is too large but safe. */
static void find_minimal_depths(fvm_graph *graph) {
    int16_t most = 0;
    for (int i = 0; i < graph->count; i++)
        raise_to(&most, items_used(&graph->nodes[i]));
    for (int i = 0; i < graph->count; i++)
        graph->nodes[i].min_depth = most;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = graph->count - 1; i >= 0; i--) {
            fvm_node *node = &graph->nodes[i];
            const int before = node->min_depth;
            const bool branches = node->kind == FVM_NODE_BRANCH;
            int next[2], after = branches ? most : 0;
            find_successors(graph, node, next);
            for (int k = 0; k < 2; k++) {
                const int there = next[k] >= 0 ? graph->nodes[next[k]].min_depth : 0;
                if (branches ? there < after : there > after)
                    after = there;
            }
            node->min_depth = (int16_t)after;
            raise_to(&node->min_depth, items_used(node));
            changed |= node->min_depth != before;
        }
    }
}

/* Chooses where the code checks the depth: at roots, and after a branch on the path that uses more
 * items than the other.  Code after a word that leaves either x and TRUE, or only FALSE, then needs
 * no x on the path for FALSE. */
static void place_depth_checks(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        int next[2];
        if (node->root)
            raise_to(&node->checked_depth, node->min_depth);
        if (node->kind != FVM_NODE_BRANCH)
            continue;
        find_successors(graph, node, next);
        for (int k = 0; k < 2; k++)
            if (next[k] >= 0 && graph->nodes[next[k]].min_depth > node->min_depth)
                raise_to(&graph->nodes[next[k]].checked_depth, graph->nodes[next[k]].min_depth);
    }
}

/* Computes maximal growth of both stacks, and minimal depth of the return stack, for each root. */
static void sum_requirements(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        fvm_node *root = &graph->nodes[node->region];
        int popped, pushed, required, added;
        int inlined_calls = graph->contexts[node->context].depth;
        fvm_node_effect(node, &popped, &pushed);
        fvm_return_effect(node, &required, &added);
        if (node->op == FVM_OP_INDEX || node->op == FVM_OP_SCALE || node->op == FVM_OP_WRITE)
            pushed += 2; /* the definition that this instruction replaces pushes two more items */
        if (node->op == FVM_OP_COLON && node->drops_return_address)
            pushed += 1; /* R> pushes the return address before DROP */
        if (node->steps > 0 && node->kind != FVM_NODE_PLAIN)
            added = 1; /* a call pushes its return address */
        raise_to(&root->max_growth, node->depth - popped + pushed);
        raise_to(&root->rmin_depth, required - node->rdepth);
        raise_to(&root->rmax_growth, node->rdepth + inlined_calls + (added > 0 ? added : 0));
    }
}

/* Sets *net to the number of items that the definition adds; false: the number is unknown, or
 * returns differ in it. */
static bool net_effect(fvm_graph *graph, int16_t *net) {
    bool found = false;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->kind != FVM_NODE_RETURN || !node->depths_known)
            continue;
        if (node->region != 0 || node->rdepth != 0 || (found && node->depth != *net))
            return false;
        *net = node->depth;
        found = true;
    }
    return found;
}

/* Computes all depths.  The node after an instruction that adds an unknown number of items is a
 * root. */
static bool count_depths(worklist *list) {
    fvm_graph *graph = list->graph;
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        if (node->kind == FVM_NODE_EXECUTE ||
            ((node->kind == FVM_NODE_CALL || node->kind == FVM_NODE_HELPER) && !node->net_known))
            graph->nodes[node->next].root = graph->nodes[node->next].leader =
                graph->nodes[node->next].depth_varies = true;
    }
    while (!propagate(list)) /* each time it adds a root */
        if (list->too_deep)
            return false;
    graph->net_known = net_effect(graph, &graph->net);
    return true;
}

bool fvm_graph_analyze_depths(fvm_graph *graph) {
    worklist list = {.graph = graph};
    if (!count_depths(&list))
        return false;
    mark_loop_heads(graph);
    sum_requirements(graph);
    find_minimal_depths(graph);
    place_depth_checks(graph);
    return true;
}

#endif
