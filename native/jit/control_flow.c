/* control_flow.c: builds the graph of instructions that is compiled.
 *
 * It owns which cells are reached from the root and which calls are inlined.  It decodes code with
 * translate.c, so that steps are counted as in the interpreter.  It must not know stack depths
 * (stack_depths.c), nor how an instruction is compiled. */
#include "jit/compile.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

enum {
    UNSEEN = -1,
    HASH = 4096,
    SHORT = 14,
    MANY = FVM_MAX_NODES * 2 / 3,
    FEW = 200,   /* nodes up to which a recursive definition is inlined in itself */
    UNROLLED = 3 /* levels of that */
};

typedef struct {
    fvm_graph *graph;
    fvm *vm;
    int16_t table[HASH];
    bool full;
} builder;

/* The node of an instruction; a new one is appended and expanded later. */
static int16_t node_at(builder *b, int context, fvm_addr at) {
    fvm_graph *graph = b->graph;
    uint32_t hash = (at >> 2) * 2654435761u + (uint32_t)context * 40503u;
    for (uint32_t i = hash >> 8;; i++) {
        int16_t *place = &b->table[i % HASH];
        if (*place == UNSEEN) {
            if (graph->count == FVM_MAX_NODES) {
                b->full = true;
                return 0;
            }
            *place = (int16_t)graph->count++;
            graph->nodes[*place] = (fvm_node){.at = at, .context = (int16_t)context};
            return *place;
        }
        const fvm_node *node = &graph->nodes[*place];
        if (node->at == at && node->context == context)
            return *place;
    }
}

void fvm_graph_forget(fvm_graph *graph) {
    memset(graph->decoded, 0xFF, sizeof graph->decoded); /* an address without code */
}

/* The instruction at an address, from a cache; op -1: there is none. */
static const fvm_decoded *decoded(builder *b, fvm_addr at) {
    fvm_decoded *found = &b->graph->decoded[at / 4 % FVM_DECODED];
    if (found->at != at) {
        fvm_slot slot = {0, 0, 0};
        found->at = at;
        found->length = 4;
        found->op = (int16_t)(fvm_make_translatable(b->vm, at)
                                  ? fvm_decode(b->vm, at, &slot, &found->length)
                                  : -1);
        found->a = slot.a;
        found->b = slot.b;
    }
    return found;
}

static int op_at(builder *b, fvm_addr at) { return decoded(b, at)->op; }

/* Whether the body is `R> DROP ;`, as of EXIT. */
static bool drops_return(builder *b, fvm_addr body) {
    return op_at(b, body) == FVM_OP_FROM_R && op_at(b, body + 4) == FVM_OP_DROP &&
           op_at(b, body + 8) == FVM_OP_RETURN;
}

/* Whether a definition can be inlined: it is short and does not access the return stack. */
static bool short_enough(builder *b, fvm_addr body) {
    fvm_addr furthest = body;
    for (fvm_addr at = body; at < body + 4 * FVM_MAX_INLINE;) {
        const fvm_decoded *found = decoded(b, at);
        fvm_addr target = (fvm_addr)found->a;
        switch (found->op) {
        case -1:
        case FVM_OP_TO_R:
        case FVM_OP_FROM_R:
        case FVM_OP_R:
        case FVM_OP_R_FETCH:
        case FVM_OP_RP_FETCH:
        case FVM_OP_I:
        case FVM_OP_J:
        case FVM_OP_K:
        case FVM_OP_DO_START:
        case FVM_OP_LOOP_STEP:
        case FVM_OP_LOOP_ADD:
        case FVM_OP_LEAVE:
        case FVM_OP_DOES_PART:
        case FVM_OP_STOP:
            return false;
        case FVM_OP_BRANCH:
        case FVM_OP_ZBRANCH:
            if (target < body || target >= body + 4 * FVM_MAX_INLINE)
                return false;
            if (target > furthest)
                furthest = target;
            break;
        case FVM_OP_RETURN:
            if (at >= furthest)
                return true;
            break;
        default:
            break;
        }
        at += found->length;
    }
    return false;
}

/* Whether a definition may be inlined inside itself.  The root definition may, UNROLLED levels
 * deep, while the graph is small.  A DOES> part may if it belongs to another word, as with a DEFER
 * that calls another. */
static bool may_recur(const fvm_graph *graph, int inner, fvm_addr body, fvm_addr word) {
    int levels = 0;
    bool whole = body == graph->contexts[0].start;
    for (int i = inner; i >= 0; i = graph->contexts[i].outer)
        levels += graph->contexts[i].start == body && (whole || graph->contexts[i].body == word);
    return levels == 0 || (whole && levels <= UNROLLED && graph->count < FEW);
}

/* A new context for an inlined call, or -1. */
static int inlined(builder *b, const fvm_node *node, fvm_addr body) {
    fvm_graph *graph = b->graph;
    const fvm_context *outer = &graph->contexts[node->context];
    fvm_addr word = node->op == FVM_OP_DOES ? (fvm_addr)node->a : 0;
    if (graph->context_count == FVM_MAX_CONTEXTS || graph->count > MANY ||
        outer->depth == FVM_MAX_INLINE_DEPTH || !may_recur(graph, node->context, body, word) ||
        !short_enough(b, body))
        return -1;
    graph->contexts[graph->context_count] = (fvm_context){.start = body,
                                                          .back = node->at + 4,
                                                          .body = word,
                                                          .outer = node->context,
                                                          .depth = (int16_t)(outer->depth + 1)};
    return graph->context_count++;
}

/* `R> DUP ... "SIZE + >R`: as (S") and (ABORT"), it returns after the text that follows the call.
 * This is a guess, checked after the return. */
static bool takes_text(builder *b, fvm_addr body) {
    bool taken = false, moved = false;
    for (fvm_addr at = body; at < body + 4 * SHORT;) {
        const fvm_decoded *found = decoded(b, at);
        if (found->op < 0 || found->op == FVM_OP_RETURN)
            return false;
        taken |= found->op == FVM_OP_FROM_R;
        if (moved && found->op == FVM_OP_TO_R)
            return true;
        moved = taken && found->op == FVM_OP_ADD;
        at += found->length;
    }
    return false;
}

/* The address after a text: "SIZE bytes further. */
static fvm_addr behind_text(fvm *vm, fvm_addr text) {
    uint32_t most = 255, length = 0;
    while (length < most && fvm_in(vm, text + length, 1) && vm->mem[text + length] != 0)
        length++;
    return text + (length + 5) / 4 * 4;
}

/* Adds the successor of a call, where the interpreter may enter. */
static void follow(builder *b, int index, fvm_addr at) {
    fvm_graph *graph = b->graph;
    int16_t next = node_at(b, graph->nodes[index].context, at);
    graph->nodes[index].next = next;
    graph->nodes[next].leader = true;
    graph->nodes[next].entry |= graph->nodes[next].context == 0;
}

static void expand_call(builder *b, int index, fvm_addr body) {
    fvm_graph *graph = b->graph;
    fvm_node *node = &graph->nodes[index];
    const fvm_context *context = &graph->contexts[node->context];
    node->steps = 1;
    if (node->op == FVM_OP_COLON && drops_return(b, body)) {
        node->dropping = true;
        node->kind = FVM_NODE_RETURN;
        if (node->context != 0) {
            node->kind = FVM_NODE_INLINE;
            node->next = node_at(b, context->outer, context->back);
        }
        return;
    }
    if (!fvm_make_translatable(b->vm, body)) {
        node->kind = FVM_NODE_LEAVE;
        node->steps = 0;
        return;
    }
    if (takes_text(b, body)) {
        node->kind = FVM_NODE_CALL;
        node->b = (fvm_cell)body;
        follow(b, index, behind_text(b->vm, node->at + 4));
        return;
    }
    int made = inlined(b, node, body);
    if (made >= 0) {
        node->kind = FVM_NODE_INLINE;
        node->next = node_at(b, made, body);
    } else {
        node->kind = FVM_NODE_CALL;
        node->b = (fvm_cell)body;
        const fvm_known *known = fvm_jit_known(b->vm, body);
        node->net_known = known != NULL && known->net_known;
        node->net = node->net_known ? known->net : 0;
        follow(b, index, node->at + 4);
    }
}

/* In `DOES> @ EXECUTE`, as DEFER makes, the token is assumed to be what the body contains now: a
 * store there discards the code. */
static void expand_execute(builder *b, int index) {
    fvm_graph *graph = b->graph;
    fvm_node *node = &graph->nodes[index];
    const fvm_context *context = &graph->contexts[node->context];
    if (context->body != 0 && node->at == context->start + 4 &&
        op_at(b, context->start) == FVM_OP_FETCH && !fvm_jit_changes(b->vm, context->body)) {
        fvm_addr token = (fvm_addr)fvm_get(b->vm, context->body);
        if (fvm_opcode_at(b->vm, token) == FVM_OP_COLON) {
            node->a = (fvm_cell)token;
            expand_call(b, index, token + 4);
            if (node->kind != FVM_NODE_LEAVE)
                return;
        }
    }
    node->kind = FVM_NODE_EXECUTE;
    node->steps = 1; /* for a definition; other tokens take a side exit */
    follow(b, index, node->at + 4);
}

static void expand_jump(builder *b, int index, uint32_t length) {
    fvm_graph *graph = b->graph;
    fvm_node *node = &graph->nodes[index];
    fvm_addr target = (fvm_addr)node->a;
    if (!fvm_make_translatable(b->vm, target) || target == node->at + 4) {
        node->kind = FVM_NODE_LEAVE;
        return;
    }
    int16_t to = node_at(b, node->context, target);
    node->back = target <= node->at;
    if (node->back) {
        graph->nodes[to].leader = true;
        graph->nodes[to].entry |= node->context == 0;
    }
    if (node->op == FVM_OP_BRANCH) {
        node->kind = FVM_NODE_JUMP;
        node->next = to;
    } else {
        node->kind = FVM_NODE_BRANCH;
        node->target = to;
        node->next = node_at(b, node->context, node->at + length);
    }
}

/* Inlined calls have no return address on the return stack, but code that short_enough has not seen
 * may read it, for example after a jump into an inline number. */
static bool uses_return_stack(int op) {
    switch (op) {
    case FVM_OP_TO_R:
    case FVM_OP_FROM_R:
    case FVM_OP_R:
    case FVM_OP_R_FETCH:
    case FVM_OP_I:
    case FVM_OP_J:
    case FVM_OP_K:
    case FVM_OP_DO_START:
    case FVM_OP_LOOP_STEP:
    case FVM_OP_LOOP_ADD:
    case FVM_OP_LEAVE:
        return true;
    default:
        return false;
    }
}

static void expand(builder *b, int index) {
    fvm_graph *graph = b->graph;
    fvm_node *node = &graph->nodes[index];
    fvm_decoded found = *decoded(b, node->at);
    int op = found.op;
    uint32_t length = found.length;
    node->op = found.op;
    node->a = found.a;
    node->b = found.b;
    if (node->context != 0 && uses_return_stack(op)) {
        node->kind = FVM_NODE_LEAVE;
        return;
    }
    switch (op) {
    case FVM_OP_RETURN:
        node->kind = FVM_NODE_RETURN;
        if (node->context != 0) {
            node->kind = FVM_NODE_INLINE;
            node->next = node_at(b, graph->contexts[node->context].outer,
                                 graph->contexts[node->context].back);
        }
        return;
    case FVM_OP_BRANCH:
    case FVM_OP_ZBRANCH:
    case FVM_OP_LOOP_STEP:
    case FVM_OP_LOOP_ADD:
        expand_jump(b, index, length);
        return;
    case FVM_OP_COLON:
        expand_call(b, index, (fvm_addr)found.a);
        return;
    case FVM_OP_DOES:
        expand_call(b, index, (fvm_addr)fvm_get(b->vm, (fvm_addr)found.a - 4));
        return;
    case FVM_OP_EXECUTE:
        expand_execute(b, index);
        return;
    case FVM_OP_CONSTANT:
        node->folds = !fvm_jit_changes(b->vm, (fvm_addr)node->a);
        break;
    case FVM_OP_FETCH: {
        const fvm_context *context = &graph->contexts[node->context];
        node->folds = context->body != 0 && node->at == context->start &&
                      !fvm_jit_changes(b->vm, context->body);
        node->a = (fvm_cell)context->body;
        break;
    }
    case FVM_OP_LIT: /* 3 PICK */
        if (node->a >= 0 && node->a < FVM_MOST_PICKED &&
            op_at(b, node->at + length) == FVM_OP_PICK) {
            node->op = FVM_OP_PICK;
            length += 4;
        }
        break;
    case FVM_OP_DO_START:
    case FVM_OP_TO_R:
        node->steps = 1;
        break;
    default:
        break;
    }
    if (op == FVM_OP_COMPILE) {
        node->kind = FVM_NODE_C;
        node->net_known = true;
        follow(b, index, node->at + length);
    } else if (op >= 0 && op != FVM_OP_PICK && fvm_jit_has_template(node->op)) {
        node->kind = FVM_NODE_PLAIN;
        node->next = node_at(b, node->context, node->at + length);
    } else if (op >= 0 && op < FVM_PRIMITIVES && fvm_helper_of(b->vm, op) != NULL) {
        node->kind = FVM_NODE_C;
        /* Primitives with a body in the table have known effects; others may run words. */
        node->net_known = fvm_helpers[op].exact;
        node->net = (int16_t)(fvm_helpers[op].left - fvm_helpers[op].taken);
        follow(b, index, node->at + length);
    } else {
        node->kind = FVM_NODE_LEAVE;
    }
}

/* What a DOES> part fetches first is its body's value only where it is not jumped back to. */
static bool fold_once(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        fvm_node *node = &graph->nodes[i];
        if (node->op == FVM_OP_FETCH && node->preds > 1)
            node->folds = false;
    }
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->op != FVM_OP_EXECUTE || node->kind == FVM_NODE_EXECUTE)
            continue;
        bool folded = false; /* the @ before it */
        for (int j = 0; j < graph->count && !folded; j++)
            folded = graph->nodes[j].folds && graph->nodes[j].op == FVM_OP_FETCH &&
                     graph->nodes[j].next == i;
        if (node->preds > 1 || !folded)
            return false;
    }
    return true;
}

bool fvm_graph_trace(fvm_graph *graph, fvm *vm, fvm_addr root) {
    builder made = {.graph = graph, .vm = vm}, *b = &made;
    memset(b->table, 0xFF, sizeof b->table);
    graph->vm = vm;
    graph->count = 0;
    graph->context_count = 1;
    graph->contexts[0] = (fvm_context){.start = root, .outer = -1};
    node_at(b, 0, root);
    graph->nodes[0].root = graph->nodes[0].leader = graph->nodes[0].entry = true;
    for (int i = 0; i < graph->count && !b->full; i++)
        expand(b, i);
    return !b->full && graph->nodes[0].kind != FVM_NODE_LEAVE;
}

bool fvm_graph_finish(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->kind != FVM_NODE_RETURN && node->kind != FVM_NODE_LEAVE)
            graph->nodes[node->next].preds++;
        if (node->kind == FVM_NODE_BRANCH)
            graph->nodes[node->target].preds++;
    }
    for (int i = 0; i < graph->count; i++)
        graph->nodes[i].leader |= graph->nodes[i].preds > 1;
    if (!fold_once(graph) || !fvm_graph_depths(graph))
        return false;
    fvm_graph_frames(graph);
    return true;
}

#endif
