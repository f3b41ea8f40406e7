/* stack_depths.c: the depth of both stacks at each instruction of a graph.
 *
 * Depths are relative to roots.  It owns the choice of roots, the items and room required between
 * one root and the next (so that one check at the root is enough), the number of items that a
 * definition adds, and how many items a loop uses.  It must not know machine code. */
#include "jit/compile.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

typedef struct {
    fvm_graph *graph;
    int16_t work[FVM_MAX_NODES];
    int works;
    bool guessing; /* paths with a recursive call are ignored */
} walker;

void fvm_node_effect(const fvm_node *node, int *taken, int *left) {
    *taken = *left = 0;
    switch (node->op) {
    case FVM_OP_PICK:
        if (node->kind == FVM_NODE_PLAIN) {
            *taken = node->a + 1;
            *left = node->a + 3; /* the number itself was on the stack before */
        }
        return;
    case FVM_OP_LIT:
    case FVM_OP_VAR:
    case FVM_OP_CONSTANT:
    case FVM_OP_READ:
    case FVM_OP_DOES:
        *left = 1;
        return;
    case FVM_OP_WRITE:
    case FVM_OP_ZBRANCH:
    case FVM_OP_LOOP_ADD:
    case FVM_OP_EXECUTE:
        *taken = 1;
        return;
    case FVM_OP_SCALE:
    case FVM_OP_INDEX:
        *taken = *left = 1;
        return;
    default:
        if (node->op < FVM_PRIMITIVES && node->kind == FVM_NODE_PLAIN) {
            *taken = fvm_helpers[node->op].taken;
            *left = fvm_helpers[node->op].left;
        }
    }
}

void fvm_return_effect(const fvm_node *node, int *needed, int *added) {
    *needed = *added = 0;
    switch (node->op) {
    case FVM_OP_TO_R:
        *added = 1;
        break;
    case FVM_OP_FROM_R:
        *needed = 1;
        *added = -1;
        break;
    case FVM_OP_R:
    case FVM_OP_R_FETCH:
    case FVM_OP_I:
        *needed = 1;
        break;
    case FVM_OP_J:
        *needed = 4;
        break;
    case FVM_OP_K:
        *needed = 7;
        break;
    case FVM_OP_DO_START:
        *added = 3;
        break;
    case FVM_OP_LOOP_STEP:
    case FVM_OP_LOOP_ADD:
    case FVM_OP_LEAVE:
        *needed = 3;
        break;
    default:
        break;
    }
}

/* Sets the depths of a successor; false: it has different ones already, and becomes a root. */
static bool reach(walker *b, int to, int region, int depth, int rdepth) {
    fvm_node *node = &b->graph->nodes[to];
    if (node->root) {
        node->uneven |= node->region != region || depth != 0 || rdepth != 0;
        return true;
    }
    if (!node->known) {
        node->known = true;
        node->region = (int16_t)region;
        node->depth = (int16_t)depth;
        node->rdepth = (int16_t)rdepth;
        b->work[b->works++] = (int16_t)to;
        return true;
    }
    if (node->region == region && node->depth == depth && node->rdepth == rdepth)
        return true;
    node->root = node->leader = node->uneven = true;
    return false;
}

static bool spread(walker *b) {
    fvm_graph *graph = b->graph;
    b->works = 0;
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        node->known = node->root;
        node->region = (int16_t)i;
        node->depth = node->rdepth = 0;
        if (node->root)
            b->work[b->works++] = (int16_t)i;
    }
    bool settled = true;
    while (b->works > 0) { /* one pass finds all conflicts */
        const fvm_node *node = &graph->nodes[b->work[--b->works]];
        int taken, left, needed, added;
        fvm_node_effect(node, &taken, &left);
        fvm_return_effect(node, &needed, &added);
        int depth = node->depth - taken + left, rdepth = node->rdepth + added;
        if (node->kind == FVM_NODE_PLAIN && node->op == FVM_OP_PICK)
            depth--;
        if (depth > 500 || depth < -500 || rdepth > 500 || rdepth < -500)
            return false;
        switch (node->kind) {
        case FVM_NODE_BRANCH:
            settled &= reach(b, node->target, node->region, depth, rdepth);
            if (node->op != FVM_OP_ZBRANCH)
                rdepth -= 3;
            settled &= reach(b, node->next, node->region, depth, rdepth);
            break;
        case FVM_NODE_PLAIN:
        case FVM_NODE_JUMP:
        case FVM_NODE_INLINE:
            settled &= reach(b, node->next, node->region, depth, rdepth);
            break;
        case FVM_NODE_CALL:
        case FVM_NODE_C:
            if (node->net_known && !(b->guessing && node->net > 1000))
                settled &= reach(b, node->next, node->region, depth + node->net, rdepth);
            break;
        default: /* successors of the other kinds are roots */
            break;
        }
    }
    return settled;
}

/* For each inlined context, the address of the call in `outer` that contains it; 0: not inside
 * `outer`.  A context has a higher index than the one that contains it. */
static void find_places(const fvm_graph *graph, int outer, fvm_addr places[FVM_MAX_CONTEXTS]) {
    for (int i = 0; i < graph->context_count; i++) {
        const fvm_context *context = &graph->contexts[i];
        places[i] = i <= outer || context->outer < outer ? 0
                    : context->outer == outer            ? context->back - 4
                                                         : places[context->outer];
    }
}

static bool stores_anywhere(int op) {
    return op == FVM_OP_STORE || op == FVM_OP_C_STORE || op == FVM_OP_ADD_STORE ||
           op == FVM_OP_INC_STORE || op == FVM_OP_DEC_STORE;
}

/* Finds how many items from the top down a loop uses, and whether it has only one store. */
static void analyze_loop(fvm_graph *graph, const fvm_node *end, fvm_node *head) {
    fvm_addr places[FVM_MAX_CONTEXTS];
    int low = head->depth, most = FVM_CARRIED;
    bool shifts = false;
    int stores = 0;
    fvm_node *store = NULL;
    find_places(graph, head->context, places);
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        fvm_addr at = node->context == head->context ? node->at : places[node->context];
        if (at < head->at || at > end->at || !node->known)
            continue;
        int taken, left, needed, added;
        fvm_return_effect(node, &needed, &added);
        shifts |= node != end && (added != 0 || node->op == FVM_OP_LEAVE);
        if (stores_anywhere(node->op)) {
            stores++;
            store = &graph->nodes[i];
        }
        fvm_node_effect(node, &taken, &left);
        if (node->region != head->region || node->kind == FVM_NODE_CALL ||
            node->kind == FVM_NODE_C || node->kind == FVM_NODE_EXECUTE) {
            most = 1; /* everything is spilled there */
            head->calls = true;
        } else if (node->depth - taken < low) {
            low = node->depth - taken;
        }
    }
    int carry = head->depth - low;
    carry = carry < 1 ? 1 : carry > most ? most : carry;
    head->carry = (uint8_t)(head->head && head->carry < carry ? head->carry : carry);
    head->head = true;
    head->shifts |= shifts;
    if (stores == 1 && !head->calls)
        store->alone = true;
    head->counts |= end->op == FVM_OP_LOOP_STEP || end->op == FVM_OP_LOOP_ADD;
}

static void analyze_loops(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->back && node->known)
            analyze_loop(graph, node,
                         &graph->nodes[node->kind == FVM_NODE_JUMP ? node->next : node->target]);
    }
}

static void at_least(int16_t *value, int other) {
    if (*value < other)
        *value = (int16_t)other;
}

static void sum_up(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        fvm_node *root = &graph->nodes[node->region];
        int taken, left, needed, added;
        int inner = graph->contexts[node->context].depth;
        fvm_node_effect(node, &taken, &left);
        fvm_return_effect(node, &needed, &added);
        if (node->op == FVM_OP_INDEX || node->op == FVM_OP_SCALE || node->op == FVM_OP_WRITE)
            left += 2; /* as the definition itself would */
        if (node->op == FVM_OP_COLON && node->dropping)
            left += 1; /* its return address, before it is dropped */
        if (node->steps > 0 && node->kind != FVM_NODE_PLAIN)
            added = 1;
        at_least(&root->needs, taken - node->depth);
        at_least(&root->room, node->depth - taken + left);
        at_least(&root->rneeds, needed - node->rdepth);
        at_least(&root->rroom, node->rdepth + inner + (added > 0 ? added : 0));
    }
}

/* The number of items that the definition adds, if it is the same at every return. */
static bool whole(fvm_graph *graph, int16_t *net) {
    bool found = false;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->kind != FVM_NODE_RETURN || !node->known)
            continue;
        if (node->region != 0 || node->rdepth != 0 || (found && node->depth != *net))
            return false;
        *net = node->depth;
        found = true;
    }
    return found;
}

/* After an instruction that adds an unknown number of items, depths are unknown: a root follows. */
static bool count_depths(walker *b) {
    fvm_graph *graph = b->graph;
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        if (node->kind == FVM_NODE_EXECUTE ||
            ((node->kind == FVM_NODE_CALL || node->kind == FVM_NODE_C) && !node->net_known))
            graph->nodes[node->next].root = graph->nodes[node->next].leader =
                graph->nodes[node->next].uneven = true;
    }
    for (int rounds = 0; !spread(b); rounds++)
        if (rounds == graph->count)
            return false;
    graph->net_known = whole(graph, &graph->net);
    return true;
}

static void set_own_calls(fvm_graph *graph, bool known, int16_t net) {
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        if (node->kind == FVM_NODE_CALL && (fvm_addr)node->b == graph->contexts[0].start) {
            node->net_known = known;
            node->net = net;
        }
    }
}

/* The number of items that recursion adds is guessed from the paths without recursion, then
 * verified. */
static bool count_with_recursion(walker *b) {
    fvm_graph *graph = b->graph;
    static const int16_t nowhere = 30000; /* greater than any depth: ends the path */
    int16_t guess = 0;
    set_own_calls(graph, true, nowhere);
    b->guessing = true;
    spread(b);
    b->guessing = false;
    bool guessed = whole(graph, &guess);
    set_own_calls(graph, guessed, guess);
    if (!count_depths(b))
        return false;
    if (guessed && graph->net_known && graph->net == guess)
        return true;
    set_own_calls(graph, false, 0);
    return count_depths(b);
}

bool fvm_graph_depths(fvm_graph *graph) {
    walker made = {.graph = graph};
    if (!count_with_recursion(&made))
        return false;
    analyze_loops(graph);
    sum_up(graph);
    return true;
}

#endif
