/* calls.c: machine code for calls of definitions, tokens and C functions.
 *
 * It owns the return addresses during a call, including those of inlined calls, and the checks
 * after a call (return_stack.c decides which are needed).  It must not know where the code of
 * callees is (jit.c). */
#include "jit/compile.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

#include <stddef.h>

/* Pushes the return addresses of inlined calls, outermost first. */
static void push_callers(fvm_compiler *c, int context) {
    const fvm_context *inner = &c->graph->contexts[context];
    if (inner->outer < 0)
        return;
    push_callers(c, inner->outer);
    fvm_asm_store_const(&c->as, RP, 4 * inner->depth, (fvm_cell)inner->back);
}

void fvm_push_returns(fvm_compiler *c, int context, fvm_addr back) {
    int depth = c->graph->contexts[context].depth;
    push_callers(c, context);
    if (back != 0)
        fvm_asm_store_const(&c->as, RP, 4 * ++depth, (fvm_cell)back);
    fvm_asm_move_pointer(&c->as, RP, 4 * depth);
}

static void pop_callers(fvm_compiler *c, int context) {
    fvm_asm_move_pointer(&c->as, RP, -4 * c->graph->contexts[context].depth);
}

/* Checks that the return addresses of inlined calls are still on top of the return stack: the
 * callee may have popped or changed them.  Then the interpreter continues at S0. */
static void check_callers(fvm_compiler *c, int context) {
    int depth = c->graph->contexts[context].depth;
    for (; context > 0; context = c->graph->contexts[context].outer) {
        const fvm_context *inner = &c->graph->contexts[context];
        fvm_asm_load(&c->as, T0, RP, -4 * (depth - inner->depth));
        fvm_asm_compare_const(&c->as, T0, (fvm_cell)inner->back);
        fvm_asm_jump_to(&c->as, NE, c->runtime->go_to);
    }
}

/* Code after a call: checks, unless `certain`, that the callee has returned here. */
static void came_back(fvm_compiler *c, const fvm_node *node, bool certain) {
    if (!certain) {
        fvm_asm_load(&c->as, S0, RP, 4);
        fvm_asm_compare_const(&c->as, S0, (fvm_cell)c->graph->nodes[node->next].at);
        fvm_asm_jump_to(&c->as, NE, c->runtime->returned);
        check_callers(c, node->context);
    }
    pop_callers(c, node->context);
    fvm_values_start(c);
}

void fvm_before_call(fvm_compiler *c, const fvm_node *node) {
    if (node->op == FVM_OP_DOES)
        fvm_give_const(c, node->a);
    else if (node->op == FVM_OP_EXECUTE)
        fvm_drop_top(c);
}

static const uint8_t *callee_of(fvm_compiler *c, const fvm_node *node) {
    fvm_addr body = (fvm_addr)node->b;
    if (node->checked && body == c->graph->contexts[0].start)
        return c->with_items;
    return node->checked ? fvm_jit_known(c->vm, body)->checked
                         : fvm_jit_callee(c, body, node->preserves_return_stack);
}

void fvm_call_native(fvm_compiler *c, const fvm_node *node) {
    fvm_before_call(c, node);
    fvm_pay(c, node->steps);
    fvm_values_spill(c, &c->state);
    fvm_push_returns(c, node->context, node->at + 4);
    const uint8_t *callee = callee_of(c, node);
    if (callee != NULL)
        fvm_asm_call(&c->as, callee);
    came_back(c, node, node->preserves_return_stack);
}

/* A free register other than TOS, which is loaded before the call. */
static fvm_reg beside_top(fvm_compiler *c) {
    fvm_reg reg = fvm_free_reg(c);
    if (reg != TOS)
        return reg;
    fvm_reg other = fvm_free_reg(c);
    fvm_release_value(c, (fvm_value){.kind = FVM_REG, .reg = TOS});
    return other;
}

/* Calls by the table of tokens (jit.c); a side exit if the token is not there. */
void fvm_call_token(fvm_compiler *c, const fvm_node *node) {
    fvm_value token = fvm_in_reg(c, fvm_take(c));
    if (token.reg == TOS) {
        fvm_reg other = fvm_free_reg(c);
        fvm_asm_copy(&c->as, other, TOS);
        fvm_release_value(c, token);
        token.reg = (uint8_t)other;
    }
    fvm_reg place = beside_top(c);
    fvm_asm_find_target(&c->as, place, (fvm_reg)token.reg);
    fvm_on(c, NE);
    fvm_pay(c, node->steps);
    fvm_values_spill(c, &c->state);
    fvm_push_returns(c, node->context, node->at + 4);
    fvm_asm_copy(&c->as, S0, (fvm_reg)token.reg); /* for fvm_compile_does */
    fvm_asm_call_target(&c->as, place);
    came_back(c, node, true);
}

/* S0: the token.  Without room for the body, restores the state before EXECUTE and exits. */
const uint8_t *fvm_compile_does(fvm_compiler *c) {
    fvm_asm *as = &c->as;
    const uint8_t *start = as->at;
    fvm_asm_copy(as, T1, S0);
    fvm_asm_compare_pointer(as, SP, 0, offsetof(fvm, stack_most) + sizeof(fvm_cell *));
    uint8_t *full = fvm_asm_jump(as, ABOVE);
    fvm_asm_store(as, SP, 0, TOS);
    fvm_asm_move_pointer(as, SP, 4);
    fvm_asm_op_const(as, ADD, TOS, T1, 8);
    fvm_asm_jump_to(as, ALWAYS, c->entries[0].code);
    if (!as->full)
        fvm_asm_patch(full, as->at);
    fvm_asm_spend(as, -1);
    fvm_asm_load(as, T0, RP, 0);
    fvm_asm_move_pointer(as, RP, -4);
    fvm_asm_store(as, SP, 0, TOS);
    fvm_asm_move_pointer(as, SP, 4);
    fvm_asm_copy(as, TOS, T1);
    fvm_asm_op_const(as, ADD, S0, T0, -4);
    fvm_asm_jump_to(as, ALWAYS, c->runtime->resume);
    return start;
}

void fvm_call_function(fvm_compiler *c, const fvm_node *node) {
    fvm_pay(c, node->steps);
    fvm_values_spill(c, &c->state);
    fvm_push_returns(c, node->context, 0);
    fvm_word_function function = fvm_helper_of(c->vm, node->op);
    if (node->op == FVM_OP_COMPILE) {
        function = fvm_compile_inline_operand;
        fvm_asm_store_const(&c->as, VM, offsetof(fvm, jit.inline_operand), node->a);
    }
    fvm_asm_call_c(&c->as, c->runtime, function, node->at);
    pop_callers(c, node->context);
    fvm_values_start(c);
    fvm_begin_node(c, node->next);
    fvm_asm_compare_field(&c->as, offsetof(fvm, jit.epoch), (fvm_cell)c->vm->jit.epoch);
    fvm_on(c, NE);
    fvm_asm_compare_field(&c->as, offsetof(fvm, near_limit), 0);
    fvm_on(c, NE);
}

#endif
