/* compile.c: generates machine code for a graph of instructions.
 *
 * It owns the order of code, control-flow joins, jumps and stubs.  At calls the top of the stack is
 * in TOS and all other items are in their canonical stack slots.  side_exits.c compiles exits to
 * the interpreter. */
#include "jit/calls.h"
#include "jit/runtime_helpers.h"
#include "jit/side_exits.h"
#include "jit/templates.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

#include <stdlib.h>

/* A path that is not compiled yet. */
typedef struct {
    int16_t node;    /* the first node of the path */
    uint8_t *jump;   /* the jump to the path; NULL: the node is a leader, reached through stubs */
    fvm_state state; /* register state at the jump */
} pending;

typedef struct {
    pending *items;
    int count;
    int capacity;
} worklist;

/* --- control-flow joins ------------------------------------------------------------- */

/* Emits code that establishes the entry state of a leader.  The difference between the uncharged
 * steps of both states is subtracted from FUEL. */
static void emit_entry_state(fvm_compiler *c, const fvm_state *state, fvm_node *node) {
    int steps = state->uncharged_steps - node->entry_state.uncharged_steps;
    fvm_conform_to_entry_state(c, state, node->entry_state);
    if (steps != 0)
        fvm_asm_subtract_fuel(&c->as, steps);
    if (steps > 0)
        fvm_fuel_exit_if(c, node, LT);
}

/* --- jumps ------------------------------------------------------------------------ */

/* Adds a path that begins with the register state c->state. */
static void add_pending(fvm_compiler *c, worklist *todo, int node, uint8_t *jump) {
    if (todo->count == todo->capacity) {
        int capacity = todo->capacity == 0 ? 32 : 2 * todo->capacity;
        pending *grown = realloc(todo->items, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            c->failed = true;
            return;
        }
        todo->items = grown;
        todo->capacity = capacity;
    }
    todo->items[todo->count++] = (pending){.node = (int16_t)node, .jump = jump, .state = c->state};
}

/* Returns the entry state of a leader, which the first path that reaches it chooses. */
static fvm_entry_state entry_state_of(fvm_compiler *c, int target) {
    fvm_node *node = &c->graph->nodes[target];
    if (node->entry_state.count != 0)
        return node->entry_state;
    node->entry_state =
        node->depth_varies ? FVM_CANONICAL_STATE : fvm_choose_entry_state(&c->state);
    node->entry_state.uncharged_steps =
        node->loop_head || node->depth_varies ? 0 : (uint8_t)c->state.uncharged_steps;
    return node->entry_state;
}

/* Returns whether the code that begins at a node only tests a flag that is known: a constant, or a
 * comparison whose operands are in registers.  Such code is short and is repeated on each path,
 * instead of a join for which each path would compute the flag. */
static bool tests_known_flag(const fvm_compiler *c, int index) {
    enum { MAX_REPEATED = 6 }; /* instructions */
    if (!fvm_is_known_flag(&c->state))
        return false;
    for (int i = 0; i < MAX_REPEATED; i++) {
        const fvm_node *node = &c->graph->nodes[index];
        if (node->loop_head || node->depth_varies)
            return false;
        if (node->kind == FVM_NODE_BRANCH)
            return node->op == FVM_OP_ZBRANCH;
        const bool negates = node->op == FVM_OP_NOT || node->op == FVM_OP_ZEQ;
        const bool moves_no_item = (node->kind == FVM_NODE_JUMP && !node->backward) ||
                                   (node->kind == FVM_NODE_INLINE &&
                                    (node->op == FVM_OP_COLON || node->op == FVM_OP_RETURN));
        if (!moves_no_item && (node->kind != FVM_NODE_PLAIN || !negates))
            return false;
        index = node->next;
    }
    return false;
}

/* Makes a node the target of a jump that was just emitted. */
static void set_jump_target(fvm_compiler *c, worklist *todo, uint8_t *jump, int target) {
    if (!c->graph->nodes[target].leader || tests_known_flag(c, target)) {
        add_pending(c, todo, target, jump);
        return;
    }
    fvm_stub *stub = fvm_add_stub(c);
    if (stub == NULL)
        return;
    entry_state_of(c, target);
    stub->kind = FVM_STUB_JOIN;
    stub->node = (int16_t)target;
    stub->state = c->state;
    stub->jumps[stub->count++] = jump;
    add_pending(c, todo, target, NULL);
}

/* Emits a jump to a node; c->state is unchanged. */
static void emit_jump(fvm_compiler *c, worklist *todo, int target) {
    fvm_node *node = &c->graph->nodes[target];
    if (node->leader && node->code != NULL) {
        emit_entry_state(c, &c->state, node);
        fvm_asm_jump_to(&c->as, ALWAYS, node->code);
    } else {
        set_jump_target(c, todo, fvm_asm_jump(&c->as, ALWAYS), target);
    }
}

/* Emits a backward jump to a node, which charges a step; c->state is unchanged. */
static void emit_backward_jump(fvm_compiler *c, worklist *todo, int target) {
    fvm_node *node = &c->graph->nodes[target];
    c->state.uncharged_steps++;
    if (node->leader && node->code != NULL &&
        c->state.uncharged_steps > node->entry_state.uncharged_steps) {
        fvm_conform_to_entry_state(c, &c->state, node->entry_state);
        fvm_asm_subtract_fuel(&c->as, c->state.uncharged_steps - node->entry_state.uncharged_steps);
        fvm_asm_jump_to(&c->as, GE, node->code);
        fvm_fuel_exit_if(c, node, ALWAYS);
    } else {
        emit_jump(c, todo, target);
    }
    c->state.uncharged_steps--;
}

/* Makes a node the target of a jump that was just emitted, where `value` is 0. */
static void set_target_at_zero(fvm_compiler *c, worklist *todo, uint8_t *jump, int target,
                               fvm_value value) {
    const fvm_state state = c->state;
    fvm_replace_by_zero(&c->state, value);
    if (!tests_known_flag(c, target))
        c->state = state; /* a register may already be where a join needs it */
    set_jump_target(c, todo, jump, target);
    c->state = state;
}

enum { PATH_ENDS = -1 };

/* Emits 0BRANCH; returns the index of the next node of the path, or PATH_ENDS. */
static int emit_zero_branch(fvm_compiler *c, worklist *todo, const fvm_node *node) {
    const fvm_value flag = fvm_pop_value(c);
    if (flag.kind == FVM_CONST && flag.n != 0)
        return node->next;
    if (flag.kind == FVM_CONST && node->backward) {
        emit_backward_jump(c, todo, node->target);
        return PATH_ENDS;
    }
    if (flag.kind == FVM_CONST)
        return node->target;
    const fvm_cond cond = fvm_test_flag(c, flag);
    fvm_release_value(c, flag);
    if (!node->backward) {
        set_target_at_zero(c, todo, fvm_asm_jump(&c->as, fvm_opposite(cond)), node->target, flag);
        return node->next;
    }
    uint8_t *out = fvm_asm_jump(&c->as, cond);
    emit_backward_jump(c, todo, node->target);
    if (!c->as.full)
        fvm_asm_patch(out, c->as.at);
    return node->next;
}

/* Emits the test of +LOOP for a step of unknown sign; out[] are the jumps out of the loop. */
static void emit_loop_test(fvm_compiler *c, fvm_reg index, fvm_reg step, uint8_t *out[2]) {
    fvm_asm_compare_const(&c->as, step, 0);
    uint8_t *down = fvm_asm_jump(&c->as, LT);
    fvm_asm_compare_cell(&c->as, index, RP, -4);
    out[0] = fvm_asm_jump(&c->as, GE);
    uint8_t *stay = fvm_asm_jump(&c->as, ALWAYS);
    if (!c->as.full)
        fvm_asm_patch(down, c->as.at);
    fvm_asm_compare_cell(&c->as, index, RP, -4);
    out[1] = fvm_asm_jump(&c->as, LT);
    if (!c->as.full)
        fvm_asm_patch(stay, c->as.at);
}

/* Emits (LOOP) or (+LOOP). */
static void emit_loop_end(fvm_compiler *c, worklist *todo, const fvm_node *node) {
    uint8_t *out[2] = {NULL, NULL};
    fvm_value step = {.kind = FVM_CONST, .n = 1};
    if (node->op == FVM_OP_LOOP_ADD)
        step = fvm_pop_reg_or_const(c);
    fvm_reg index = fvm_alloc_reg(c);
    fvm_asm_load(&c->as, index, RP, 0);
    if (step.kind == FVM_CONST)
        fvm_asm_op_const(&c->as, ADD, index, index, step.n);
    else
        fvm_asm_op(&c->as, ADD, index, index, (fvm_reg)step.reg);
    fvm_asm_store(&c->as, RP, 0, index);
    if (step.kind == FVM_CONST) {
        fvm_asm_compare_cell(&c->as, index, RP, -4);
        out[0] = fvm_asm_jump(&c->as, step.n >= 0 ? GE : LT);
    } else {
        emit_loop_test(c, index, (fvm_reg)step.reg, out);
    }
    fvm_release_value(c, step);
    fvm_release_value(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)index});
    emit_backward_jump(c, todo, node->target);
    for (int i = 0; i < 2; i++)
        if (out[i] != NULL && !c->as.full)
            fvm_asm_patch(out[i], c->as.at);
    fvm_asm_add_to_pointer(&c->as, RP, -4 * FVM_LOOP_CELLS);
}

/* --- the graph -------------------------------------------------------------------- */

enum { MAX_UNCHARGED = FVM_OVERRUN - 4 }; /* one instruction defers at most 4 more steps */

/* Emits an exit to the interpreter at a node. */
static void emit_exit(fvm_compiler *c, const fvm_node *node) {
    if (node->op == FVM_OP_EXIT) {
        fvm_charge_steps(c, 0);
        fvm_spill_all(c, &c->state);
        fvm_asm_jump_to(&c->as, ALWAYS, c->runtime->abandon);
    } else if (node->begins_piece) { /* the interpreter may enter machine code here */
        fvm_prepare_exit(c, &c->state, node->at);
        fvm_asm_jump_to(&c->as, ALWAYS, c->runtime->go_to);
    } else {
        fvm_emit_side_exit(c, &c->state, node->context, node->at);
    }
}

/* Checks both stacks for the code from a root to the next roots (see fvm_node). */
static void check_stacks(fvm_compiler *c, const fvm_node *root) {
    fvm_check_depth(c, root->checked_depth);
    fvm_check_growth(c, root->max_growth);
    if (!c->graph->levels_known) /* known levels are checked at the entry of the definition */
        fvm_check_return_stack(c, root->rmin_depth, root->rmax_growth);
}

enum { MAX_REGISTERS = 4 }; /* of a template */

/* Each operand that must be loaded needs a register.  The result needs another register, because
 * the operands stay live until the result is computed. */
static int registers_of_operands(const fvm_state *state, int operands) {
    int registers = 1;
    for (int i = 0; i < operands; i++)
        registers += fvm_needs_load(state, i);
    return registers;
}

/* Without the check of an index. */
static int registers_of_template(const fvm_state *state, const fvm_node *node) {
    if (node->op == FVM_OP_EXECUTE)
        return registers_of_operands(state, 1);
    if (node->kind == FVM_NODE_INLINE || node->kind == FVM_NODE_JUMP || node->op == FVM_OP_VAR)
        return 0;
    switch (node->op) {
    case FVM_OP_READ:
    case FVM_OP_CONSTANT:
    case FVM_OP_WRITE:
        return 1;
    case FVM_OP_SCALE:
    case FVM_OP_INDEX:
        return registers_of_operands(state, 1);
    default:
        break;
    }
    if (node->op < 0 || node->op >= FVM_PRIMITIVES)
        return MAX_REGISTERS;
    const fvm_jit_primitive *primitive = &fvm_jit_primitives[node->op];
    return primitive->registers >= 0 ? primitive->registers
                                     : registers_of_operands(state, primitive->popped);
}

/* Compiles a path from a node with the register state c->state, up to compiled code, a return or an
 * exit. */
static void emit_path(fvm_compiler *c, worklist *todo, int index) {
    bool repeats = false; /* the code up to the next branch may be emitted more than once */
    while (!c->failed && !c->as.full && index != PATH_ENDS) {
        fvm_node *node = &c->graph->nodes[index];
        int next = node->next;
        if (node->leader && tests_known_flag(c, index)) {
            repeats = true;
        } else if (node->leader) {
            entry_state_of(c, index);
            emit_entry_state(c, &c->state, node);
            if (node->code != NULL) {
                fvm_asm_jump_to(&c->as, ALWAYS, node->code);
                return;
            }
            fvm_set_entry_state(&c->state, node->entry_state);
            node->code = c->as.at;
            /* If the depth does not vary, earlier code has checked the stacks, except for items
             * that only this path uses: see below. */
            if (node->depth_varies) {
                fvm_begin_instruction(c, index);
                check_stacks(c, node);
            }
        }
        fvm_reserve_registers(c, registers_of_template(&c->state, node));
        fvm_begin_instruction(c, index);
        if (!node->root && node->checked_depth > 0)
            fvm_check_depth(c, node->checked_depth + node->depth - c->state.top);
        if (c->state.uncharged_steps >= MAX_UNCHARGED)
            fvm_charge_steps(c, 0);
        switch (node->kind) {
        case FVM_NODE_PLAIN:
            fvm_emit_template(c, node);
            c->state.uncharged_steps += node->steps;
            break;
        case FVM_NODE_INLINE:
            fvm_emit_call_argument(c, node);
            c->state.uncharged_steps += node->steps;
            break;
        case FVM_NODE_JUMP:
            if (node->backward) {
                emit_backward_jump(c, todo, node->next);
                return;
            }
            break;
        case FVM_NODE_BRANCH:
            if (repeats)
                c->graph->nodes[node->next].leader = c->graph->nodes[node->target].leader = true;
            repeats = false;
            if (node->op == FVM_OP_ZBRANCH)
                next = emit_zero_branch(c, todo, node);
            else
                emit_loop_end(c, todo, node);
            break;
        case FVM_NODE_CALL:
            fvm_emit_definition_call(c, node);
            break;
        case FVM_NODE_HELPER:
            fvm_emit_function_call(c, node);
            break;
        case FVM_NODE_EXECUTE:
            fvm_emit_token_call(c, node);
            break;
        case FVM_NODE_RETURN:
            fvm_charge_steps(c, node->steps);
            fvm_spill_all(c, &c->state);
            /* Errors are reported at the address of this return: the `;`, or, if the word EXIT is
             * called, the `;` that ends the definition of EXIT. */
            fvm_asm_return(&c->as, node->op == FVM_OP_RETURN ? node->at : (fvm_addr)node->a + 8);
            return;
        default:
            emit_exit(c, node);
            return;
        }
        index = next;
    }
}

static void emit_stub(fvm_compiler *c, int index) {
    fvm_stub stub = c->stubs[index]; /* a copy: fvm_add_stub may move the array */
    const uint8_t *start = c->as.at;
    if (stub.kind == FVM_STUB_JOIN) {
        fvm_node *target = &c->graph->nodes[stub.node];
        if (fvm_matches_entry_state(&stub.state, target->entry_state)) {
            start = target->code;
        } else {
            emit_entry_state(c, &stub.state, target);
            fvm_asm_jump_to(&c->as, ALWAYS, target->code);
        }
    } else {
        fvm_emit_side_exit(c, &stub.state, stub.context, stub.at);
    }
    if (!c->as.full)
        for (int i = 0; i < stub.count; i++)
            fvm_asm_patch(stub.jumps[i], start);
}

/* Emits joins first, because they may add jumps to side-exit stubs. */
static void emit_stubs(fvm_compiler *c) {
    for (int joins = 1; joins >= 0; joins--)
        for (int i = 0; i < c->stub_count && !c->failed && !c->as.full; i++)
            if ((c->stubs[i].kind == FVM_STUB_JOIN) == joins)
                emit_stub(c, i);
}

/* Checks the return stack at an entry, where it contains at least one cell of the current run: the
 * return address of the call, or what the interpreter has found there (inner_interpreter.c). */
static void check_return_stack_at_entry(fvm_compiler *c, int depth, int growth) {
    fvm_check_return_stack(c, depth > 1 ? depth : 0, growth);
}

/* Emits the stack checks for an entry at a node after the beginning of the definition. */
static void check_entry(fvm_compiler *c, const fvm_node *node) {
    const fvm_node *first = &c->graph->nodes[0], *root = &c->graph->nodes[node->region];
    if (c->graph->levels_known)
        check_return_stack_at_entry(c, first->rmin_depth + node->level,
                                    first->rmax_growth - node->level);
    if (node->root)
        return; /* the code of the root makes the other checks */
    int below = node->min_depth;
    if (node->region == 0 && !first->depth_varies && first->checked_depth > below)
        below = first->checked_depth; /* loops to the first node make no check */
    fvm_check_depth(c, below + node->depth);
    fvm_check_growth(c, root->max_growth - node->depth);
    if (!c->graph->levels_known)
        check_return_stack_at_entry(c, root->rmin_depth + node->rdepth,
                                    root->rmax_growth - node->rdepth);
}

/* Emits the code by which the interpreter enters at nodes after the beginning. */
static void emit_entries(fvm_compiler *c) {
    for (int i = 1; i < c->graph->count && !c->failed && !c->as.full; i++) {
        fvm_node *node = &c->graph->nodes[i];
        if (!node->entry || node->code == NULL || node->kind == FVM_NODE_EXIT)
            continue;
        if (c->entry_count == FVM_MAX_ENTRIES)
            return;
        c->entries[c->entry_count].at = node->at;
        c->entries[c->entry_count++].code = c->as.at;
        fvm_set_canonical_state(c);
        fvm_begin_instruction(c, i);
        check_entry(c, node);
        emit_entry_state(c, &c->state, node);
        fvm_asm_jump_to(&c->as, ALWAYS, node->code);
    }
}

bool fvm_compile(fvm_compiler *c, fvm_addr root) {
    c->stub_count = c->entry_count = 0;
    memset(c->exits, 0, sizeof c->exits);
    c->exits[0] = c->runtime->resume;
    c->failed = false;
    if (!fvm_graph_analyze(c->graph))
        return false;
    worklist todo = {NULL, 0, 0};
    c->entries[c->entry_count].at = root;
    c->entries[c->entry_count++].code = c->as.at;
    fvm_set_canonical_state(c);
    fvm_begin_instruction(c, 0);
    const fvm_node *first = &c->graph->nodes[0];
    if (!first->depth_varies) { /* else emit_path makes these checks */
        fvm_check_depth(c, first->checked_depth);
        fvm_check_growth(c, first->max_growth);
    }
    check_return_stack_at_entry(c, first->rmin_depth, first->rmax_growth);
    emit_path(c, &todo, 0);
    while (todo.count > 0 && !c->failed && !c->as.full) {
        pending next = todo.items[--todo.count];
        if (next.jump == NULL) { /* a leader */
            if (c->graph->nodes[next.node].code != NULL)
                continue;
            fvm_set_entry_state(&c->state, c->graph->nodes[next.node].entry_state);
        } else {
            fvm_asm_patch(next.jump, c->as.at);
            c->state = next.state;
        }
        emit_path(c, &todo, next.node);
    }
    free(todo.items);
    emit_entries(c);
    emit_stubs(c);
    return !c->failed && !c->as.full;
}

#endif
