/* compile.c: generates machine code for a graph of instructions.
 *
 * It owns the order of code, control-flow joins, jumps, fuel accounting, and side exits to the
 * interpreter.  At joins and calls the top of the stack is in TOS and all other items are in their
 * canonical stack slots. */
#include "jit/compile.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

#include <stddef.h>
#include <stdlib.h>

/* A path still to be compiled, with its register state. */
typedef struct {
    int16_t node;
    uint8_t *jump;
    fvm_state state;
} pending;

typedef struct {
    pending *items;
    int count;
    int room;
} agenda;

/* --- side exits ----------------------------------------------------------------- */

fvm_stub *fvm_add_stub(fvm_compiler *c) {
    if (c->stub_count == c->stub_room) {
        int room = c->stub_room == 0 ? 64 : 2 * c->stub_room;
        fvm_stub *grown = realloc(c->stubs, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            c->failed = true;
            return NULL;
        }
        c->stubs = grown;
        c->stub_room = room;
    }
    fvm_stub *stub = &c->stubs[c->stub_count++];
    memset(stub, 0, sizeof *stub);
    return stub;
}

int fvm_resume(fvm_compiler *c) {
    if (c->resume >= 0)
        return c->resume;
    fvm_stub *stub = fvm_add_stub(c);
    if (stub == NULL)
        return 0;
    const fvm_node *node = &c->graph->nodes[c->node];
    stub->kind = FVM_STUB_SIDE_EXIT;
    stub->state = c->before;
    stub->context = node->context;
    stub->at = node->at;
    c->resume = c->stub_count - 1;
    return c->resume;
}

void fvm_on(fvm_compiler *c, fvm_cond cond) {
    int index = fvm_resume(c);
    uint8_t *jump = fvm_asm_jump(&c->as, cond);
    if (c->failed)
        return;
    fvm_stub *stub = &c->stubs[index];
    if (stub->count == FVM_STUB_JUMPS)
        c->failed = true;
    else
        stub->jumps[stub->count++] = jump;
}

/* In a loop with one store, the mark is tested first: setting it is another store. */
void fvm_mark_page(fvm_compiler *c) {
    fvm_asm_find_page(&c->as);
    if (!c->graph->nodes[c->node].alone) {
        fvm_asm_mark_page(&c->as, c->dirty_at);
        return;
    }
    fvm_asm_test_page(&c->as, c->dirty_at);
    uint8_t *jump = fvm_asm_jump(&c->as, NE);
    fvm_stub *stub = fvm_add_stub(c);
    if (stub == NULL)
        return;
    stub->kind = FVM_STUB_BARRIER;
    stub->jumps[stub->count++] = jump;
    stub->back = c->as.at;
}

static void to_interpreter(fvm_compiler *c, fvm_state *state, int context, fvm_addr at) {
    if (state->unpaid_steps != 0)
        fvm_asm_spend(&c->as, state->unpaid_steps);
    fvm_values_spill(c, state);
    fvm_asm_set(&c->as, S0, (fvm_cell)at);
    const uint8_t *way = c->exits[context];
    if (way == NULL) { /* most have more of them */
        c->exits[context] = c->as.at;
        fvm_push_returns(c, context, 0);
        way = c->runtime->resume;
    }
    fvm_asm_jump_to(&c->as, ALWAYS, way);
}

/* --- depths, steps ---------------------------------------------------------------- */

/* Checks of the stacks; a side exit if they fail. */
enum { LIMITS = 4 }; /* vm->stack_least and stack_most have limits for up to this many cells */

static void check_items(fvm_compiler *c, int needs) {
    if (needs > 0) {
        int ready = needs < LIMITS ? needs : 0;
        fvm_asm_compare_pointer(&c->as, SP, -4 * (needs - ready),
                                offsetof(fvm, stack_least) + (size_t)ready * sizeof(fvm_cell *));
        fvm_on(c, LOWER);
    }
}

static void check_room(fvm_compiler *c, int room) {
    if (room > 0) {
        int ready = room < LIMITS ? room : 0;
        fvm_asm_compare_pointer(&c->as, SP, 4 * (room - ready),
                                offsetof(fvm, stack_most) + (size_t)ready * sizeof(fvm_cell *));
        fvm_on(c, ABOVE);
    }
}

static void check_returns(fvm_compiler *c, int rneeds, int rroom) {
    if (rneeds > 0) {
        fvm_asm_compare_pointer(&c->as, RP, -4 * rneeds, offsetof(fvm, rbase));
        fvm_on(c, LOWER);
    }
    if (rroom > 0) {
        fvm_asm_compare_pointer(&c->as, RP, 4 * rroom, offsetof(fvm, rstack_high));
        fvm_on(c, ABOVE);
    }
}

/* For the code from here to the next roots. */
static void check_depths(fvm_compiler *c, const fvm_node *root) {
    check_items(c, root->needs);
    check_room(c, root->room);
    if (!c->graph->levels_known) /* else it was checked at the entry */
        check_returns(c, root->rneeds, root->rroom);
}

void fvm_begin_node(fvm_compiler *c, int index) {
    c->node = index;
    c->resume = -1;
    c->before = c->state;
}

/* --- steps ------------------------------------------------------------------------ */

enum { MOST_OWED = FVM_OVERRUN - 4 };

/* Deferred fuel accounting: the steps of several instructions are subtracted at once, after they
 * were made, so a slice may exceed its fuel slightly.  Code is not entered near the limit of steps,
 * or without fuel. */
void fvm_pay(fvm_compiler *c, int steps) {
    steps += c->state.unpaid_steps;
    c->state.unpaid_steps = 0;
    if (steps == 0)
        return;
    fvm_asm_spend(&c->as, steps);
    c->before.unpaid_steps -= steps;
    c->resume = -1;
    fvm_on(c, MINUS);
}

/* Exits to the interpreter at a leader without fuel; the register state is that of the leader. */
static void on_unpaid(fvm_compiler *c, fvm_node *node, fvm_cond cond) {
    fvm_stub *stub = node->unpaid != 0 ? &c->stubs[node->unpaid - 1] : NULL;
    if (stub == NULL || stub->count == FVM_STUB_JUMPS) {
        stub = fvm_add_stub(c);
        if (stub == NULL)
            return;
        node->unpaid = c->stub_count;
        stub->kind = FVM_STUB_SIDE_EXIT;
        fvm_values_begin(&stub->state, node->shape);
        stub->context = node->context;
        stub->at = node->at;
    }
    stub->jumps[stub->count++] = fvm_asm_jump(&c->as, cond);
}

/* Whether a loop's limit is known to be the one that a leader assumes. */
static bool is_limited(const fvm_state *state, const fvm_node *node) {
    return state->limited && state->limit == node->shape.limit;
}

/* Puts all where a leader wants it; what is unpaid_steps more than there is paid. */
static void conform(fvm_compiler *c, const fvm_state *state, fvm_node *node) {
    int more = state->unpaid_steps - node->shape.unpaid_steps;
    fvm_values_conform(c, state, node->shape);
    if (more != 0)
        fvm_asm_spend(&c->as, more);
    if (more > 0)
        on_unpaid(c, node, MINUS);
    if (node->shape.limited && !is_limited(state, node)) {
        fvm_asm_load(&c->as, S0, RP, -4);
        fvm_asm_compare_const(&c->as, S0, node->shape.limit);
        on_unpaid(c, node, NE);
    }
}

/* --- jumps ------------------------------------------------------------------------ */

static void add_pending(fvm_compiler *c, agenda *todo, int node, uint8_t *jump) {
    if (todo->count == todo->room) {
        int room = todo->room == 0 ? 32 : 2 * todo->room;
        pending *grown = realloc(todo->items, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            c->failed = true;
            return;
        }
        todo->items = grown;
        todo->room = room;
    }
    todo->items[todo->count++] = (pending){.node = (int16_t)node, .jump = jump, .state = c->state};
}

static bool reads_cell(const fvm_graph *graph, fvm_addr at) {
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        if ((node->op == FVM_OP_READ || node->op == FVM_OP_VAR || node->op == FVM_OP_LIT) &&
            (fvm_addr)node->a == at)
            return true;
    }
    return false;
}

/* The first path to a leader decides its register state. */
static fvm_register_state shape_of(fvm_compiler *c, int target) {
    fvm_node *node = &c->graph->nodes[target];
    if (node->shape.count != 0)
        return node->shape;
    node->shape = node->uneven ? FVM_CANONICAL_STATE
                               : fvm_values_register_state(&c->state, node->head ? node->carry : 0);
    node->shape.unpaid_steps = node->head || node->uneven ? 0 : (uint8_t)c->state.unpaid_steps;
    if (node->head && node->calls)
        node->shape.index = 0;
    else if (node->head && node->counts && !node->uneven)
        fvm_values_count(&c->state, &node->shape);
    if (node->head && node->counts && !node->calls && !node->shifts && !node->uneven) {
        node->shape.limited = c->state.limited;
        node->shape.limit = c->state.limit;
    }
    if (node->head && !node->calls && !node->uneven)
        for (int i = 0; i < FVM_HELD; i++)
            if (c->state.held[i].at != 0 && reads_cell(c->graph, c->state.held[i].at))
                fvm_values_carry(&c->state, &node->shape, i);
    return node->shape;
}

/* Directs the conditional jump just emitted to a node. */
static void aim(fvm_compiler *c, agenda *todo, uint8_t *jump, int target) {
    if (!c->graph->nodes[target].leader) {
        add_pending(c, todo, target, jump);
        return;
    }
    fvm_stub *stub = fvm_add_stub(c);
    if (stub == NULL)
        return;
    shape_of(c, target);
    stub->kind = FVM_STUB_JOIN;
    stub->node = (int16_t)target;
    stub->state = c->state;
    stub->jumps[stub->count++] = jump;
    add_pending(c, todo, target, NULL);
}

/* Emits a jump to a node; c->state is unchanged. */
static void go_to(fvm_compiler *c, agenda *todo, int target) {
    fvm_node *node = &c->graph->nodes[target];
    if (node->leader && node->code != NULL) {
        conform(c, &c->state, node);
        fvm_asm_jump_to(&c->as, ALWAYS, node->code);
    } else {
        aim(c, todo, fvm_asm_jump(&c->as, ALWAYS), target);
    }
}

/* The same for a backward jump, which counts a step. */
static void go_back(fvm_compiler *c, agenda *todo, int target) {
    fvm_node *node = &c->graph->nodes[target];
    c->state.unpaid_steps++;
    bool known = !node->shape.limited || is_limited(&c->state, node);
    if (node->leader && node->code != NULL && known &&
        c->state.unpaid_steps > node->shape.unpaid_steps) {
        fvm_values_conform(c, &c->state, node->shape);
        fvm_asm_spend(&c->as, c->state.unpaid_steps - node->shape.unpaid_steps);
        fvm_asm_jump_to(&c->as, PLUS, node->code);
        on_unpaid(c, node, ALWAYS);
    } else {
        go_to(c, todo, target);
    }
    c->state.unpaid_steps--;
}

static void branch_zero(fvm_compiler *c, agenda *todo, const fvm_node *node) {
    fvm_value flag = fvm_take(c);
    if (flag.kind == FVM_CONST) {
        if (flag.n == 0) {
            if (node->back)
                go_back(c, todo, node->target);
            else
                go_to(c, todo, node->target);
            c->state = c->before; /* the next node is not reached from here */
            fvm_drop_top(c);
        }
        return;
    }
    if (flag.kind == FVM_SUM)
        flag = fvm_in_reg(c, flag);
    fvm_cond cond = fvm_test_flag(c, flag);
    fvm_release_value(c, flag);
    if (!node->back) {
        aim(c, todo, fvm_asm_jump(&c->as, fvm_opposite(cond)), node->target);
        return;
    }
    uint8_t *out = fvm_asm_jump(&c->as, cond);
    go_back(c, todo, node->target);
    if (!c->as.full)
        fvm_asm_patch(out, c->as.at);
}

static void loop_by_any(fvm_compiler *c, fvm_reg index, fvm_reg by, uint8_t *out[2]) {
    fvm_asm_compare_const(&c->as, by, 0);
    uint8_t *down = fvm_asm_jump(&c->as, LT);
    fvm_asm_compare_cell(&c->as, index, RP, -4);
    out[0] = fvm_asm_jump(&c->as, GE);
    uint8_t *on = fvm_asm_jump(&c->as, ALWAYS);
    if (!c->as.full)
        fvm_asm_patch(down, c->as.at);
    fvm_asm_compare_cell(&c->as, index, RP, -4);
    out[1] = fvm_asm_jump(&c->as, LT);
    if (!c->as.full)
        fvm_asm_patch(on, c->as.at);
}

static void loop_end(fvm_compiler *c, agenda *todo, const fvm_node *node) {
    uint8_t *out[2] = {NULL, NULL};
    fvm_value by = {.kind = FVM_CONST, .n = 1};
    if (node->op == FVM_OP_LOOP_ADD)
        by = fvm_take_reg(c);
    if (by.kind == FVM_CONST) {
        fvm_reg index = fvm_index_add(c, by.n);
        if (c->state.limited)
            fvm_asm_compare_const(&c->as, index, c->state.limit);
        else
            fvm_asm_compare_cell(&c->as, index, RP, -4);
        out[0] = fvm_asm_jump(&c->as, by.n >= 0 ? GE : LT);
    } else {
        fvm_reg from = fvm_index_reg(c), index = fvm_free_reg(c);
        fvm_asm_op(&c->as, ADD, index, from, (fvm_reg)by.reg);
        fvm_index_set(c, index);
        loop_by_any(c, index, (fvm_reg)by.reg, out);
        fvm_release_value(c, by);
    }
    go_back(c, todo, node->target);
    for (int i = 0; i < 2; i++)
        if (out[i] != NULL && !c->as.full)
            fvm_asm_patch(out[i], c->as.at);
    fvm_index_drop(c);
    c->state.limited = false;
    fvm_asm_move_pointer(&c->as, RP, -12);
}

/* --- the graph -------------------------------------------------------------------- */

/* Whether a node emits no code and only continues. */
static bool passes(const fvm_node *node) {
    return node->steps == 0 && ((node->kind == FVM_NODE_INLINE && node->op == FVM_OP_RETURN) ||
                                (node->kind == FVM_NODE_JUMP && !node->back));
}

/* The 0BRANCH that directly follows a leader; -1: there is none. */
static int test_behind(const fvm_graph *graph, int index) {
    for (int rounds = 0; rounds < FVM_MAX_INLINE; rounds++) {
        const fvm_node *node = &graph->nodes[index];
        if (node->uneven || node->head)
            return -1;
        if (node->kind == FVM_NODE_BRANCH && node->op == FVM_OP_ZBRANCH && !node->back)
            return index;
        if (!passes(node))
            return -1;
        index = node->next;
    }
    return -1;
}

/* Jump threading: this path reaches a leader with a flag for the 0BRANCH there.  A constant decides
 * now; a comparison becomes a jump here without a flag.  Returns the node to continue at. *alone:
 * the node is compiled for this path only. */
static int short_cut(fvm_compiler *c, int index, bool *alone) {
    for (;;) {
        int test = test_behind(c->graph, index);
        const fvm_value *flag = fvm_values_top(&c->state);
        *alone = test >= 0 && flag != NULL && flag->kind == FVM_FLAG;
        if (*alone)
            return test;
        if (test < 0 || flag == NULL || flag->kind != FVM_CONST)
            return index;
        const fvm_node *node = &c->graph->nodes[test];
        index = flag->n == 0 ? node->target : node->next;
        fvm_drop_top(c);
        if (!c->graph->nodes[index].leader)
            return index;
    }
}

static void leave(fvm_compiler *c, const fvm_node *node) {
    if (node->op == FVM_OP_EXIT) {
        fvm_pay(c, 0);
        fvm_values_spill(c, &c->state);
        fvm_asm_jump_to(&c->as, ALWAYS, c->runtime->abandon);
    } else {
        to_interpreter(c, &c->state, node->context, node->at);
    }
}

/* Compiles from a node on, in state c->state, until the path ends or reaches compiled code. */
static void emit_run(fvm_compiler *c, agenda *todo, int index) {
    while (!c->failed && !c->as.full) {
        bool alone = false;
        if (c->graph->nodes[index].leader)
            index = short_cut(c, index, &alone);
        fvm_node *node = &c->graph->nodes[index];
        if (node->leader && !alone) {
            shape_of(c, index);
            conform(c, &c->state, node);
            if (node->code != NULL) {
                fvm_asm_jump_to(&c->as, ALWAYS, node->code);
                return;
            }
            fvm_values_begin(&c->state, node->shape);
            if (node->head)
                fvm_asm_align(&c->as);
            node->code = c->as.at;
            fvm_asm_join(&c->as);
            if (node->uneven) { /* the first node is checked at its entry otherwise */
                fvm_begin_node(c, index);
                check_depths(c, node);
            }
        }
        fvm_values_room(c, fvm_template_registers(&c->state, node));
        fvm_begin_node(c, index);
        if (c->state.unpaid_steps >= MOST_OWED)
            fvm_pay(c, 0);
        switch (node->kind) {
        case FVM_NODE_PLAIN:
            fvm_emit_template(c, node);
            c->state.unpaid_steps += node->steps;
            break;
        case FVM_NODE_INLINE:
            fvm_before_call(c, node);
            c->state.unpaid_steps += node->steps;
            break;
        case FVM_NODE_JUMP:
            if (node->back) {
                go_back(c, todo, node->next);
                return;
            }
            break;
        case FVM_NODE_BRANCH:
            if (node->op == FVM_OP_ZBRANCH)
                branch_zero(c, todo, node);
            else
                loop_end(c, todo, node);
            break;
        case FVM_NODE_CALL:
            fvm_call_native(c, node);
            break;
        case FVM_NODE_C:
            fvm_call_function(c, node);
            break;
        case FVM_NODE_EXECUTE:
            fvm_call_token(c, node);
            break;
        case FVM_NODE_RETURN:
            fvm_pay(c, node->steps);
            fvm_values_spill(c, &c->state);
            /* An error of the return is reported at its `;`, which is EXIT's own for EXIT. */
            fvm_asm_return(&c->as, node->op == FVM_OP_RETURN ? node->at : (fvm_addr)node->a + 8);
            return;
        default:
            leave(c, node);
            return;
        }
        index = node->next;
    }
}

static void emit_stub(fvm_compiler *c, int index) {
    fvm_stub stub = c->stubs[index]; /* the array may move */
    const uint8_t *start = c->as.at;
    if (stub.kind == FVM_STUB_JOIN) {
        fvm_node *target = &c->graph->nodes[stub.node];
        if (fvm_values_fit(&stub.state, target->shape)) {
            start = target->code;
        } else {
            conform(c, &stub.state, target);
            fvm_asm_jump_to(&c->as, ALWAYS, target->code);
        }
    } else if (stub.kind == FVM_STUB_BARRIER) {
        fvm_asm_mark_page(&c->as, c->dirty_at);
        fvm_asm_jump_to(&c->as, ALWAYS, stub.back);
    } else {
        to_interpreter(c, &stub.state, stub.context, stub.at);
    }
    if (!c->as.full)
        for (int i = 0; i < stub.count; i++)
            fvm_asm_patch(stub.jumps[i], start);
}

/* Joins first: conforming adds jumps to side exits, also to those that the main code made. */
static void emit_stubs(fvm_compiler *c) {
    for (int joins = 1; joins >= 0; joins--)
        for (int i = 0; i < c->stub_count && !c->failed && !c->as.full; i++)
            if ((c->stubs[i].kind == FVM_STUB_JOIN) == joins)
                emit_stub(c, i);
}

static void check_entry(fvm_compiler *c, const fvm_node *node) {
    const fvm_node *first = &c->graph->nodes[0], *root = &c->graph->nodes[node->region];
    if (c->graph->levels_known)
        check_returns(c, first->rneeds + node->level, first->rroom - node->level);
    if (node->root)
        return; /* everything else is checked there */
    check_items(c, root->needs + node->depth);
    check_room(c, root->room - node->depth);
    if (!c->graph->levels_known)
        check_returns(c, root->rneeds + node->rdepth, root->rroom - node->rdepth);
}

/* Emits the entries for the interpreter. */
static void emit_entries(fvm_compiler *c) {
    for (int i = 1; i < c->graph->count && !c->failed && !c->as.full; i++) {
        fvm_node *node = &c->graph->nodes[i];
        if (!node->entry || node->code == NULL || node->kind == FVM_NODE_LEAVE)
            continue;
        if (c->entry_count == FVM_MAX_ENTRIES)
            return;
        c->entries[c->entry_count].at = node->at;
        c->entries[c->entry_count++].code = c->as.at;
        fvm_asm_begin(&c->as);
        fvm_values_start(c);
        fvm_begin_node(c, i);
        check_entry(c, node);
        conform(c, &c->state, node);
        fvm_asm_jump_to(&c->as, ALWAYS, node->code);
    }
}

bool fvm_compile(fvm_compiler *c, fvm_addr root) {
    c->stub_count = c->entry_count = 0;
    memset(c->exits, 0, sizeof c->exits);
    c->exits[0] = c->runtime->resume;
    c->failed = false;
    if (!fvm_graph_finish(c->graph))
        return false;
    agenda todo = {NULL, 0, 0};
    c->entries[c->entry_count].at = root;
    c->entries[c->entry_count++].code = c->as.at;
    fvm_asm_begin(&c->as);
    fvm_values_start(c);
    fvm_begin_node(c, 0);
    const fvm_node *first = &c->graph->nodes[0];
    check_items(c, first->needs);
    c->with_items = c->as.at;
    check_room(c, first->room);
    check_returns(c, first->rneeds, first->rroom);
    c->checked = c->as.at;
    emit_run(c, &todo, 0);
    while (todo.count > 0 && !c->failed && !c->as.full) {
        pending next = todo.items[--todo.count];
        if (next.jump == NULL) { /* a leader */
            if (c->graph->nodes[next.node].code != NULL)
                continue;
            fvm_values_begin(&c->state, c->graph->nodes[next.node].shape);
        } else {
            fvm_asm_patch(next.jump, c->as.at);
            c->state = next.state;
        }
        emit_run(c, &todo, next.node);
    }
    free(todo.items);
    emit_entries(c);
    emit_stubs(c);
    return !c->failed && !c->as.full;
}

#endif
