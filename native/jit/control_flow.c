/* control_flow.c: builds the graph of the instructions to compile.
 *
 * It owns which instructions are reached from the root and which calls are inlined.  It decodes
 * code with translate.c, so that steps are counted as in the interpreter.  Stack depths are in
 * stack_depths.c. */
#include "jit/graph.h"
#include "jit/runtime_helpers.h"
#include "vm/decode.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

enum {
    NO_NODE = -1,
    MAX_INLINE_CELLS = 48, /* cells of a definition that is inlined */
    MAX_INLINE_DEPTH = 8,  /* nested inlined calls */
    TABLE_SIZE = 4096,
    MAX_FORGOTTEN = 8, /* addresses at which tokens are unknown, because paths differ in them */
    MAX_NODES_TO_INLINE = FVM_MAX_NODES * 2 / 3, /* in larger graphs no more calls are inlined */
    PIECE_BYTES = 2048 /* blocks that limit the pieces of a definition too long for one graph */
};

typedef struct {
    fvm_graph *graph;
    fvm *vm;
    int16_t table[TABLE_SIZE];         /* hash table of nodes by address and context */
    bool full;                         /* the graph needs more than FVM_MAX_NODES nodes */
    fvm_addr start, end;               /* the code of the definition that may be in the graph */
    int index;                         /* the node that is expanded */
    fvm_addr tokens[FVM_KNOWN_TOKENS]; /* for the successors of this node */
    fvm_addr forgotten[MAX_FORGOTTEN]; /* addresses before which all tokens are unknown */
    int forgotten_count;
    bool stale; /* a node was expanded before `forgotten` had its address */
} builder;

/* Whether an instruction has a template.  For primitives, the field `jit` in primitives.def
 * decides. */
static bool has_template(int op) {
    return op == FVM_OP_VAR || op == FVM_OP_CONSTANT || op == FVM_OP_READ || op == FVM_OP_WRITE ||
           op == FVM_OP_SCALE || op == FVM_OP_INDEX ||
           (fvm_primitive_flags(op) & FVM_PRIM_JIT) != 0;
}

/* --- expected tokens ---------------------------------------------------------------- */

/* A move word often runs a direction whose token a word before it has pushed, for example in
 * `: step ( 'dir -- ) EXECUTE verify ; : step-n ['] n step ;`.  Such calls are inlined or direct.
 * A word made by DEFER runs the token in its first body cell, which rarely changes: while that
 * token is not fetched yet, the item contains the address of the cell, marked by IN_CELL.
 * Tokens are followed along the paths of the graph.  They need not be right, because the code
 * compares the item with the token; so calls may be assumed to change only the top item. */

enum { IN_CELL = 1 };

static bool is_forgotten(const builder *b, fvm_addr at) {
    if (b->forgotten_count > MAX_FORGOTTEN)
        return true;
    for (int i = 0; i < b->forgotten_count; i++)
        if (b->forgotten[i] == at)
            return true;
    return false;
}

/* Sets the tokens of a node that a path has reached, or reconciles them if several paths have. */
static void set_tokens(builder *b, int node_index, bool first) {
    fvm_node *node = &b->graph->nodes[node_index];
    for (int i = 0; i < FVM_KNOWN_TOKENS; i++)
        if (first) {
            node->tokens[i] = is_forgotten(b, node->at) ? 0 : b->tokens[i];
        } else if (node->tokens[i] != 0 && node->tokens[i] != b->tokens[i]) {
            node->tokens[i] = 0;
            if (node_index <= b->index && !is_forgotten(b, node->at)) {
                if (b->forgotten_count < MAX_FORGOTTEN)
                    b->forgotten[b->forgotten_count] = node->at;
                b->forgotten_count++;
                b->stale = true;
            }
        }
}

static void pop_and_push_tokens(builder *b, int popped, int pushed) {
    fvm_addr before[FVM_KNOWN_TOKENS];
    memcpy(before, b->tokens, sizeof before);
    for (int i = 0; i < FVM_KNOWN_TOKENS; i++) {
        int from = i - pushed + popped;
        b->tokens[i] = i < pushed || from >= FVM_KNOWN_TOKENS ? 0 : before[from];
    }
}

/* Returns a number if it is the token of a definition, else 0. */
static fvm_addr token_of(const fvm *vm, fvm_cell number) {
    fvm_addr token = (fvm_addr)number;
    int op = (token & 3) == 0 ? fvm_opcode_at(vm, token) : -1;
    bool does = op == FVM_OP_DOES && !vm->checked && fvm_in(vm, token, 8);
    return op == FVM_OP_COLON || does ? token : 0;
}

/* Returns what b->tokens contains for the address of a cell. */
static fvm_addr cell_token(const fvm *vm, fvm_addr cell) {
    return (cell & 3) == 0 && fvm_in(vm, cell, 4) ? cell | IN_CELL : 0;
}

fvm_addr fvm_last_does_part(const fvm *vm, fvm_addr at) {
    const fvm_slot *slot = &vm->code[at >> 2]; /* the interpreter's EXECUTE stores its token */
    const bool interpreted = slot->go != vm->untranslated && slot->go != vm->jit.go;
    return interpreted ? fvm_does_part(vm, token_of(vm, slot->a)) : 0;
}

/* Sets the tokens after an instruction with a template. */
static void pass_tokens(builder *b, const fvm_node *node) {
    const fvm_addr *const before = node->tokens;
    int popped, pushed;
    fvm_node_effect(node, &popped, &pushed);
    if (node->op == FVM_OP_PICK)
        pop_and_push_tokens(b, 0, 1);
    else
        pop_and_push_tokens(b, popped, pushed);
    if (node->op == FVM_OP_LIT)
        b->tokens[0] = token_of(b->vm, node->a);
    if (node->op == FVM_OP_FETCH && (before[0] & IN_CELL) != 0)
        b->tokens[0] = token_of(b->vm, fvm_get(b->vm, before[0] - IN_CELL));
    if (node->op == FVM_OP_DUP)
        b->tokens[0] = b->tokens[1] = before[0];
    if (node->op == FVM_OP_OVER)
        b->tokens[0] = b->tokens[2] = before[1];
    if (node->op == FVM_OP_SWAP)
        b->tokens[0] = before[1];
    if (node->op == FVM_OP_SWAP || node->op == FVM_OP_OVER)
        b->tokens[1] = before[0];
}

/* --- nodes ------------------------------------------------------------------------ */

/* Returns the node of an instruction.  A new node is appended and expanded later. */
static int16_t node_at(builder *b, int context, fvm_addr at) {
    fvm_graph *graph = b->graph;
    uint32_t hash = (at >> 2) * 2654435761u + (uint32_t)context * 40503u;
    for (uint32_t i = hash >> 8;; i++) {
        int16_t *entry = &b->table[i % TABLE_SIZE];
        if (*entry == NO_NODE) {
            if (graph->count == FVM_MAX_NODES) {
                b->full = true;
                return 0;
            }
            *entry = (int16_t)graph->count++;
            graph->nodes[*entry] = (fvm_node){.at = at, .context = (int16_t)context};
            set_tokens(b, *entry, true);
            return *entry;
        }
        const fvm_node *node = &graph->nodes[*entry];
        if (node->at == at && node->context == context) {
            set_tokens(b, *entry, false);
            return *entry;
        }
    }
}

void fvm_graph_clear_decoded(fvm_graph *graph) {
    memset(graph->decoded, 0xFF, sizeof graph->decoded); /* no instruction is at 0xFFFFFFFF */
}

/* Returns the instruction at an address, from a cache; op is -1 if there is none. */
static const fvm_decoded *decoded(builder *b, fvm_addr at) {
    fvm_decoded *found = &b->graph->decoded[at / 4 % FVM_DECODED_CELLS];
    if (found->at != at) {
        fvm_slot slot = {0, 0, 0};
        found->at = at;
        found->length = 4;
        found->op = (int16_t)(fvm_make_translatable(b->vm, at)
                                  ? fvm_operation_at(b->vm, at, &slot, &found->length)
                                  : -1);
        found->a = slot.a;
        found->b = slot.b;
    }
    return found;
}

static int op_at(builder *b, fvm_addr at) { return decoded(b, at)->op; }

/* Returns whether a body is `R> DROP ;`, like that of EXIT. */
static bool is_exit_body(builder *b, fvm_addr body) {
    return op_at(b, body) == FVM_OP_FROM_R && op_at(b, body + 4) == FVM_OP_DROP &&
           op_at(b, body + 8) == FVM_OP_RETURN;
}

/* Whether an operation neither reads nor changes the return stack. */
static bool avoids_return_stack(int op) {
    return op < 0 || op >= FVM_PRIMITIVES ||
           (fvm_jit_primitives[op].rpopped == 0 && fvm_jit_primitives[op].rpushed == 0);
}

/* Returns whether a definition can be inlined: it is short and does not access the return stack. */
static bool can_inline(builder *b, fvm_addr body) {
    fvm_addr last_target = body; /* of a jump */
    for (fvm_addr at = body; at < body + 4 * MAX_INLINE_CELLS;) {
        const fvm_decoded *found = decoded(b, at);
        fvm_addr target = (fvm_addr)found->a;
        if (!avoids_return_stack(found->op))
            return false;
        switch (found->op) {
        case -1:
        case FVM_OP_RP_FETCH:
        case FVM_OP_DOES_PART:
        case FVM_OP_STOP:
            return false;
        case FVM_OP_BRANCH:
        case FVM_OP_ZBRANCH:
            if (target < body || target >= body + 4 * MAX_INLINE_CELLS)
                return false;
            if (target > last_target)
                last_target = target;
            break;
        case FVM_OP_RETURN:
            if (at >= last_target)
                return true;
            break;
        default:
            break;
        }
        at += found->length;
    }
    return false;
}

/* Returns whether the code of a context belongs to a definition or to an inlined copy of it. */
static bool is_inside(const fvm_graph *graph, int context, fvm_addr body) {
    for (int i = context; i >= 0; i = graph->contexts[i].outer)
        if (graph->contexts[i].start == body)
            return true;
    return false;
}

/* Returns a new context for an inlined call; -1: the call is not inlined. */
static int new_inline_context(builder *b, const fvm_node *node, fvm_addr body) {
    fvm_graph *graph = b->graph;
    const fvm_context *outer = &graph->contexts[node->context];
    if (graph->context_count == FVM_MAX_CONTEXTS || graph->count > MAX_NODES_TO_INLINE ||
        outer->depth == MAX_INLINE_DEPTH || is_inside(graph, node->context, body) ||
        !can_inline(b, body))
        return -1;
    graph->contexts[graph->context_count] = (fvm_context){.start = body,
                                                          .return_to = node->at + 4,
                                                          .outer = node->context,
                                                          .depth = (int16_t)(outer->depth + 1)};
    return graph->context_count++;
}

/* Returns the body cell that an instruction reads and that has had the same value so far; 0: none.
 * The cells of words defined by CONSTANT and DEFER rarely change. */
static fvm_addr settled_cell(builder *b, const fvm_node *node) {
    fvm_addr cell = 0;
    if (node->op == FVM_OP_CONSTANT)
        cell = (fvm_addr)node->a;
    if (node->op == FVM_OP_FETCH && (node->tokens[0] & IN_CELL) != 0 &&
        b->graph->contexts[node->context].start == node->at) /* after DOES> */
        cell = node->tokens[0] - IN_CELL;
    return (cell & 3) == 0 && fvm_in(b->vm, cell, 4) && !*fvm_varies(b->graph, cell) ? cell : 0;
}

/* Adds the successor of a call, at which the interpreter may enter. */
static void add_successor(builder *b, int index, fvm_addr at) {
    fvm_graph *graph = b->graph;
    int16_t next = node_at(b, graph->nodes[index].context, at);
    graph->nodes[index].next = next;
    graph->nodes[next].leader = true;
    graph->nodes[next].entry |= graph->nodes[next].context == 0;
}

/* Returns whether the graph is one of several pieces of a definition. */
static bool is_piece(const builder *b) { return b->end != UINT32_MAX; }

/* Returns the node after the inlined call of a context.  In a piece, the interpreter enters there:
 * while the code before the call is interpreted, the interpreter makes the call and returns to this
 * node. */
static int16_t node_after(builder *b, const fvm_context *context) {
    const int16_t node = node_at(b, context->outer, context->return_to);
    if (context->outer == 0 && is_piece(b))
        b->graph->nodes[node].leader = b->graph->nodes[node].entry = true;
    return node;
}

/* Sets the kind and the successor of a node that calls a definition with this body. */
static void expand_call(builder *b, int index, fvm_addr body) {
    fvm_graph *graph = b->graph;
    fvm_node *node = &graph->nodes[index];
    const fvm_context *context = &graph->contexts[node->context];
    node->steps = 1;
    if (node->op == FVM_OP_COLON && is_exit_body(b, body)) {
        node->drops_return_address = true;
        node->kind = FVM_NODE_RETURN;
        if (node->context != 0) {
            node->kind = FVM_NODE_INLINE;
            node->next = node_after(b, context);
        }
        return;
    }
    if (!fvm_make_translatable(b->vm, body)) {
        node->kind = FVM_NODE_EXIT;
        node->steps = 0;
        return;
    }
    int inner = new_inline_context(b, node, body);
    if (inner >= 0) {
        node->kind = FVM_NODE_INLINE;
        node->next = node_at(b, inner, body);
    } else {
        node->kind = FVM_NODE_CALL;
        node->b = (fvm_cell)body;
        const fvm_callee_info *known = fvm_jit_callee_info(b->vm, body);
        node->net_known = known != NULL && known->net_known;
        node->net = node->net_known ? known->net : 0;
        if (node->net_known)
            pop_and_push_tokens(b, node->net < 1 ? 1 - node->net : 0,
                                node->net < 1 ? 1 : node->net);
        else
            memset(b->tokens, 0, sizeof b->tokens);
        add_successor(b, index, node->at + 4);
    }
}

/* Expands EXECUTE as a call of the expected token, or of the expected DOES> part of any token;
 * false: nothing is expected. */
static bool expand_known_token(builder *b, int index) {
    fvm_node *node = &b->graph->nodes[index];
    node->token = node->a = 0;
    const int unexpected = *fvm_unexpected_tokens(b->graph, node->at);
    if (node->tokens[0] != 0 && (node->tokens[0] & IN_CELL) == 0 &&
        unexpected < FVM_MAX_UNEXPECTED_TOKENS) {
        node->token = node->tokens[0];
    } else {
        if (unexpected < FVM_MAX_UNEXPECTED_PARTS)
            node->does_part = fvm_last_does_part(b->vm, node->at);
        if (node->does_part == 0)
            return false;
        pop_and_push_tokens(b, 1, 1);
        expand_call(b, index, node->does_part);
        return true;
    }
    fvm_addr body = node->token + FVM_BODY;
    if (fvm_opcode_at(b->vm, node->token) == FVM_OP_DOES) {
        body = (fvm_addr)fvm_get(b->vm, body);
        node->a = (fvm_cell)(node->token + FVM_DOES_BODY);
    }
    pop_and_push_tokens(b, 1, node->a != 0);
    if (node->a != 0)
        b->tokens[0] = cell_token(b->vm, (fvm_addr)node->a);
    expand_call(b, index, body);
    return true;
}

/* Sets the kind and the successors of a node that jumps.  length: of the instruction, in bytes. */
static void expand_jump(builder *b, int index, uint32_t length) {
    fvm_graph *graph = b->graph;
    fvm_node *node = &graph->nodes[index];
    fvm_addr target = (fvm_addr)node->a;
    /* A jump may lead into its own operand, the cell after it: the interpreter executes it. */
    if (!fvm_make_translatable(b->vm, target) || target == node->at + 4) {
        node->kind = FVM_NODE_EXIT;
        return;
    }
    int16_t target_node = node_at(b, node->context, target);
    node->backward = target <= node->at;
    if (node->backward) {
        graph->nodes[target_node].leader = true;
        graph->nodes[target_node].entry |= node->context == 0;
    }
    if (node->op == FVM_OP_BRANCH) {
        node->kind = FVM_NODE_JUMP;
        node->next = target_node;
    } else {
        node->kind = FVM_NODE_BRANCH;
        node->target = target_node;
        node->next = node_at(b, node->context, node->at + length);
    }
}

/* Returns whether a host word is a function in C: its number is negative. */
static bool is_service(const fvm *vm, fvm_cell body) {
    return fvm_in(vm, (fvm_addr)body, 4) && fvm_get(vm, (fvm_addr)body) < 0;
}

/* Decodes the instruction of a node and sets its kind and its successors. */
static void expand(builder *b, int index) {
    fvm_graph *graph = b->graph;
    fvm_node *node = &graph->nodes[index];
    const fvm_decoded found = *decoded(b, node->at);
    const int op = found.op;
    uint32_t length = found.length; /* in bytes */
    if (node->context == 0 && (node->at < b->start || node->at >= b->end)) {
        node->op = -1;
        node->kind = FVM_NODE_EXIT;
        node->begins_piece = true;
        return;
    }
    memcpy(b->tokens, node->tokens, sizeof b->tokens);
    node->op = (int16_t)op;
    node->a = found.a;
    node->b = found.b;
    /* The return address of an inlined call is not on the return stack, so the inlined code must
     * not access the return stack.  can_inline has checked the code, but a jump may lead into the
     * operand of a literal and run this operand as code that was not checked. */
    if (node->context != 0 && !avoids_return_stack(op)) {
        node->kind = FVM_NODE_EXIT;
        return;
    }
    switch (op) {
    case FVM_OP_RETURN:
        node->kind = FVM_NODE_RETURN;
        if (node->context != 0) {
            node->kind = FVM_NODE_INLINE;
            node->next = node_after(b, &graph->contexts[node->context]);
        }
        return;
    case FVM_OP_ZBRANCH:
    case FVM_OP_LOOP_ADD:
        pop_and_push_tokens(b, 1, 0);
        expand_jump(b, index, length);
        return;
    case FVM_OP_BRANCH:
    case FVM_OP_LOOP_STEP:
        expand_jump(b, index, length);
        return;
    case FVM_OP_COLON:
        expand_call(b, index, (fvm_addr)found.a);
        return;
    case FVM_OP_DOES:
        pop_and_push_tokens(b, 0, 1);
        b->tokens[0] = cell_token(b->vm, (fvm_addr)found.a);
        expand_call(b, index, (fvm_addr)fvm_get(b->vm, (fvm_addr)found.a - 4));
        return;
    case FVM_OP_EXECUTE:
        if (expand_known_token(b, index))
            return;
        memset(b->tokens, 0, sizeof b->tokens);
        node->kind = FVM_NODE_EXECUTE;
        node->steps = 1; /* for a token of a definition; other tokens take a side exit */
        add_successor(b, index, node->at + 4);
        return;
    case FVM_OP_LIT: /* `n PICK` becomes one node */
        if (node->a >= 0 && node->a < FVM_MAX_PICK && op_at(b, node->at + length) == FVM_OP_PICK) {
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
    if (op == FVM_OP_HOST && is_service(b->vm, node->a)) {
        node->kind = FVM_NODE_HELPER;
        memset(b->tokens, 0, sizeof b->tokens);
        add_successor(b, index, node->at + length);
    } else if (op >= 0 && op != FVM_OP_PICK && has_template(node->op)) {
        node->kind = FVM_NODE_PLAIN;
        node->settled_cell = settled_cell(b, node);
        pass_tokens(b, node);
        node->next = node_at(b, node->context, node->at + length);
    } else if (op >= 0 && op < FVM_PRIMITIVES && fvm_c_function_of(b->vm, op) != NULL) {
        node->kind = FVM_NODE_HELPER;
        /* The effects of primitives with a body in primitives.def are known.  Other primitives may
         * run words that leave other items; tokens need not be right. */
        node->net_known = fvm_jit_primitives[op].exact;
        node->net = (int16_t)(fvm_jit_primitives[op].pushed - fvm_jit_primitives[op].popped);
        pop_and_push_tokens(b, fvm_jit_primitives[op].popped, fvm_jit_primitives[op].pushed);
        add_successor(b, index, node->at + length);
    } else {
        node->kind = FVM_NODE_EXIT;
    }
}

/* Builds the graph from the code of the definition between two addresses. */
static bool build_between(fvm_graph *graph, fvm *vm, fvm_addr root, fvm_addr start, fvm_addr end) {
    builder new_builder = {.graph = graph, .vm = vm, .start = start, .end = end};
    builder *b = &new_builder;
    do {
        memset(b->table, 0xFF, sizeof b->table);
        memset(b->tokens, 0, sizeof b->tokens);
        b->stale = false;
        graph->vm = vm;
        graph->count = 0;
        graph->context_count = 1;
        graph->contexts[0] = (fvm_context){.start = root, .outer = -1};
        node_at(b, 0, root);
        graph->nodes[0].root = graph->nodes[0].leader = graph->nodes[0].entry = true;
        for (b->index = 0; b->index < graph->count && !b->full; b->index++)
            expand(b, b->index);
    } while (b->stale && !b->full);
    return !b->full && graph->nodes[0].kind != FVM_NODE_EXIT;
}

/* A definition that is too long is compiled in pieces: a piece exits to the interpreter where its
 * code ends, and the code there becomes another piece when it is hot.  Wherever they begin, pieces
 * end at multiples of PIECE_BYTES, so there are few; the first one may have only a few
 * instructions. */
bool fvm_graph_build(fvm_graph *graph, fvm *vm, fvm_addr root) {
    const fvm_addr piece = root / PIECE_BYTES * PIECE_BYTES;
    if (build_between(graph, vm, root, 0, UINT32_MAX))
        return true;
    return graph->count == FVM_MAX_NODES &&
           build_between(graph, vm, root, piece, piece + PIECE_BYTES);
}

bool fvm_graph_analyze(fvm_graph *graph) {
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if (node->kind != FVM_NODE_RETURN && node->kind != FVM_NODE_EXIT)
            graph->nodes[node->next].preds++;
        if (node->kind == FVM_NODE_BRANCH)
            graph->nodes[node->target].preds++;
    }
    for (int i = 0; i < graph->count; i++)
        graph->nodes[i].leader |= graph->nodes[i].preds > 1;
    if (!fvm_graph_analyze_depths(graph))
        return false;
    fvm_graph_analyze_return_stack(graph);
    return true;
}

#endif
