/* return_stack.c: the effect of a definition on the return stack.
 *
 * It owns the level of the return stack at each instruction, whether cells below the frame are
 * preserved, and the checks that a caller makes for its callee.  A definition that preserves the
 * return stack returns to its call, with the return addresses of the callers unchanged: no check is
 * needed.  It must not know machine code. */
#include "jit/compile.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

enum { UNSEEN = -1000, UNSURE = -1001, MOST = 100 };

typedef struct {
    fvm_graph *graph;
    int16_t work[2 * FVM_MAX_NODES]; /* a node is queued for a level, and again if that is unsure */
    int works;
} walker;

static void reach(walker *b, int to, int level) {
    int16_t *known = &b->graph->nodes[to].level;
    if (*known == level || *known == UNSURE)
        return;
    *known = (int16_t)(*known == UNSEEN && level >= -MOST && level <= MOST ? level : UNSURE);
    b->work[b->works++] = (int16_t)to;
}

static void spread(walker *b) {
    fvm_graph *graph = b->graph;
    for (int i = 0; i < graph->count; i++)
        graph->nodes[i].level = UNSEEN;
    b->works = 0;
    reach(b, 0, 0);
    while (b->works > 0) {
        const fvm_node *node = &graph->nodes[b->work[--b->works]];
        int needed, added, end = node->op == FVM_OP_ZBRANCH ? 0 : 3; /* a loop's cells */
        fvm_return_effect(node, &needed, &added);
        int level = node->level + added;
        if (node->level == UNSURE || (node->kind == FVM_NODE_CALL && !node->preserves_return_stack))
            level = UNSURE;
        switch (node->kind) {
        case FVM_NODE_RETURN:
        case FVM_NODE_LEAVE:
            break;
        case FVM_NODE_BRANCH:
            reach(b, node->target, level);
            reach(b, node->next, level == UNSURE ? UNSURE : level - end);
            break;
        default:
            reach(b, node->next, level);
        }
    }
}

/* Whether a node pops or changes cells below the frame. */
static bool goes_below(const fvm_node *node) {
    int needed, added;
    switch (node->op) {
    case FVM_OP_FROM_R:
    case FVM_OP_LEAVE:
    case FVM_OP_LOOP_STEP:
    case FVM_OP_LOOP_ADD:
        fvm_return_effect(node, &needed, &added);
        return node->level < needed;
    default:
        return node->kind == FVM_NODE_RETURN && node->level != 0;
    }
}

static void analyze_levels(walker *b) {
    fvm_graph *graph = b->graph;
    spread(b);
    graph->levels_known = graph->preserves_return_stack = true;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->level == UNSURE)
            graph->levels_known = graph->preserves_return_stack = false;
        else if (node->level != UNSEEN && goes_below(node))
            graph->preserves_return_stack = false;
    }
}

static bool calls_itself(const fvm_graph *graph, const fvm_node *node) {
    return node->kind == FVM_NODE_CALL && (fvm_addr)node->b == graph->contexts[0].start;
}

static void analyze_calls(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        node->preserves_return_stack =
            node->kind == FVM_NODE_CALL &&
            graph->nodes[node->next].at == node->at + 4 && /* takes no text */
            (calls_itself(graph, node) ||
             fvm_jit_preserves_return_stack(graph->vm, (fvm_addr)node->b));
    }
}

static void at_least(int16_t *value, int other) {
    if (*value < other)
        *value = (int16_t)other;
}

/* Sums up the requirements, so that one check at the beginning is enough. */
static void sum_up_returns(fvm_graph *graph) {
    fvm_node *first = &graph->nodes[0];
    for (int i = 0; i < graph->count; i++)
        graph->nodes[i].rneeds = graph->nodes[i].rroom = 0;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        int needed, added, inner = graph->contexts[node->context].depth;
        if (node->level == UNSEEN)
            continue;
        fvm_return_effect(node, &needed, &added);
        if (node->steps > 0 && node->kind != FVM_NODE_PLAIN)
            added = 1;
        at_least(&first->rneeds, needed - node->level);
        at_least(&first->rroom, node->level + inner + (added > 0 ? added : 0));
    }
}

/* Adds the stack checks of a callee to those of the caller, unless they need too much room. */
static void check_for(fvm_graph *graph, fvm_node *node, const fvm_known *callee) {
    fvm_node *first = &graph->nodes[0], *root = &graph->nodes[node->region];
    int depth = node->depth + (node->op == FVM_OP_DOES) - (node->op == FVM_OP_EXECUTE);
    int level = node->level + graph->contexts[node->context].depth + 1;
    if (depth + callee->room > MOST || level + callee->rroom > MOST)
        return;
    at_least(&root->needs, callee->needs - depth);
    at_least(&root->room, depth + callee->room);
    at_least(&first->rneeds, callee->rneeds - level);
    at_least(&first->rroom, level + callee->rroom);
    node->checked = true;
}

static void check_for_all(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        if (!node->preserves_return_stack || !node->known || node->level == UNSEEN ||
            calls_itself(graph, node))
            continue;
        const fvm_known *callee = fvm_jit_known(graph->vm, (fvm_addr)node->b);
        if (callee != NULL && callee->checked != NULL)
            check_for(graph, node, callee);
    }
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        if (calls_itself(graph, node) && node->preserves_return_stack && node->known)
            node->checked = graph->nodes[node->region].needs + node->depth +
                                (node->op == FVM_OP_DOES) - (node->op == FVM_OP_EXECUTE) >=
                            graph->nodes[0].needs;
    }
}

void fvm_graph_frames(fvm_graph *graph) {
    walker made = {.graph = graph};
    analyze_calls(graph);
    analyze_levels(&made);
    if (!graph->preserves_return_stack) { /* recursive calls do not preserve it either */
        bool recurs = false;
        for (int i = 0; i < graph->count; i++)
            if (graph->nodes[i].preserves_return_stack && calls_itself(graph, &graph->nodes[i])) {
                graph->nodes[i].preserves_return_stack = false;
                recurs = true;
            }
        if (recurs)
            analyze_levels(&made);
    }
    if (graph->levels_known) {
        sum_up_returns(graph);
        check_for_all(graph);
    }
}

#endif
