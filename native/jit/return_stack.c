/* return_stack.c: the effect of a definition on the return stack.
 *
 * It owns the level at each instruction (the number of cells that the definition has pushed on the
 * return stack), and whether the definition preserves the cells that its caller has pushed.  If it
 * preserves them, it returns to the instruction after its call and leaves the return addresses of
 * the callers unchanged, so the caller needs no check after the call. */
#include "jit/graph.h"
#include "jit/runtime_helpers.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

enum { UNREACHED = -1000, UNKNOWN = -1001, MAX_LEVEL = 100 };

typedef struct {
    fvm_graph *graph;
    int16_t work[2 * FVM_MAX_NODES]; /* a node is queued at most twice: when its level is set, and
                                        when the level becomes UNKNOWN */
    int count;
} worklist;

/* Sets the level of a successor to `level`; UNKNOWN if paths reach it with different levels. */
static void set_level(worklist *list, int successor, int level) {
    int16_t *known = &list->graph->nodes[successor].level;
    if (*known == level || *known == UNKNOWN)
        return;
    *known = (int16_t)(*known == UNREACHED && level >= -MAX_LEVEL && level <= MAX_LEVEL ? level
                                                                                        : UNKNOWN);
    list->work[list->count++] = (int16_t)successor;
}

/* Computes the level of each node; the level of the first node is 0. */
static void propagate(worklist *list) {
    fvm_graph *graph = list->graph;
    for (int i = 0; i < graph->count; i++)
        graph->nodes[i].level = UNREACHED;
    list->count = 0;
    set_level(list, 0, 0);
    while (list->count > 0) {
        const fvm_node *node = &graph->nodes[list->work[--list->count]];
        int required, added;
        fvm_return_effect(node, &required, &added);
        int level = node->level + added;
        if (node->level == UNKNOWN ||
            (node->kind == FVM_NODE_CALL && !node->preserves_return_stack))
            level = UNKNOWN;
        switch (node->kind) {
        case FVM_NODE_RETURN:
        case FVM_NODE_EXIT:
            break;
        case FVM_NODE_BRANCH:
            set_level(list, node->target, level);
            if (level != UNKNOWN && node->op != FVM_OP_ZBRANCH)
                level -= FVM_LOOP_CELLS; /* the loop ends */
            set_level(list, node->next, level);
            break;
        default:
            set_level(list, node->next, level);
        }
    }
}

/* Returns whether a node pops or changes cells below the frame. */
static bool goes_below(const fvm_node *node) {
    if (node->op >= 0 && node->op < FVM_PRIMITIVES && fvm_jit_primitives[node->op].rchanges)
        return node->level < fvm_jit_primitives[node->op].rpopped;
    return node->kind == FVM_NODE_RETURN && node->level != 0;
}

static void analyze_levels(worklist *list) {
    fvm_graph *graph = list->graph;
    propagate(list);
    graph->levels_known = graph->preserves_return_stack = true;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->level == UNKNOWN)
            graph->levels_known = graph->preserves_return_stack = false;
        else if (node->level != UNREACHED && goes_below(node))
            graph->preserves_return_stack = false;
    }
}

static bool is_recursive_call(const fvm_graph *graph, const fvm_node *node) {
    return node->kind == FVM_NODE_CALL && (fvm_addr)node->b == graph->contexts[0].start;
}

static bool callee_preserves_return_stack(const fvm_graph *graph, const fvm_node *node) {
    const fvm_callee_info *callee = fvm_jit_callee_info(graph->vm, (fvm_addr)node->b);
    return callee != NULL && callee->preserves_return_stack;
}

static void analyze_calls(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        node->preserves_return_stack =
            node->kind == FVM_NODE_CALL &&
            graph->nodes[node->next].at ==
                node->at + 4 && /* no text follows, as after a word like ." */
            (is_recursive_call(graph, node) || callee_preserves_return_stack(graph, node));
    }
}

static void raise_to(int16_t *value, int other) {
    if (*value < other)
        *value = (int16_t)other;
}

/* Computes minimal depth and maximal growth of the return stack in the definition, so that one
 * check at its beginning is enough. */
static void sum_requirements(fvm_graph *graph) {
    fvm_node *first = &graph->nodes[0];
    for (int i = 0; i < graph->count; i++)
        graph->nodes[i].rmin_depth = graph->nodes[i].rmax_growth = 0;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        int required, added, inlined_calls = graph->contexts[node->context].depth;
        if (node->level == UNREACHED)
            continue;
        fvm_return_effect(node, &required, &added);
        if (node->steps > 0 && node->kind != FVM_NODE_PLAIN)
            added = 1; /* a call pushes its return address */
        raise_to(&first->rmin_depth, required - node->level);
        raise_to(&first->rmax_growth, node->level + inlined_calls + (added > 0 ? added : 0));
    }
}

void fvm_graph_analyze_return_stack(fvm_graph *graph) {
    worklist list = {.graph = graph};
    analyze_calls(graph);
    analyze_levels(&list);
    /* analyze_calls has assumed that recursive calls preserve the return stack: correct this. */
    if (!graph->preserves_return_stack) {
        bool recursive = false;
        for (int i = 0; i < graph->count; i++)
            if (graph->nodes[i].preserves_return_stack &&
                is_recursive_call(graph, &graph->nodes[i])) {
                graph->nodes[i].preserves_return_stack = false;
                recursive = true;
            }
        if (recursive)
            analyze_levels(&list);
    }
    if (graph->levels_known)
        sum_requirements(graph);
}

#endif
