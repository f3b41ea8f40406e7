/* calls.c: machine code for calls of definitions, tokens and C functions.
 *
 * It owns the return addresses that a call pushes, including those of inlined calls, and the checks
 * after a call.  return_stack.c decides which checks are needed; units.c finds the code of
 * callees. */
#include "jit/calls.h"
#include "jit/runtime_helpers.h"
#include "jit/side_exits.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

#include <stddef.h>

/* Emits code that stores the return addresses of inlined calls above RP, outermost first.  context:
 * the innermost inlined call. */
static void push_callers(fvm_compiler *c, int context) {
    const fvm_context *inner = &c->graph->contexts[context];
    if (inner->outer < 0)
        return;
    push_callers(c, inner->outer);
    fvm_asm_store_const(&c->as, RP, 4 * inner->depth, (fvm_cell)inner->return_to);
}

void fvm_emit_push_returns(fvm_compiler *c, int context, fvm_addr return_to) {
    int depth = c->graph->contexts[context].depth;
    push_callers(c, context);
    if (return_to != 0)
        fvm_asm_store_const(&c->as, RP, 4 * ++depth, (fvm_cell)return_to);
    fvm_asm_add_to_pointer(&c->as, RP, 4 * depth);
}

/* Emits code that removes the return addresses of the inlined calls from the return stack. */
static void pop_callers(fvm_compiler *c, int context) {
    fvm_asm_add_to_pointer(&c->as, RP, -4 * c->graph->contexts[context].depth);
}

/* Emits checks that the callee has not changed or removed the return addresses of the inlined
 * calls.  If it has, the interpreter continues at S0. */
static void check_callers(fvm_compiler *c, int context) {
    int depth = c->graph->contexts[context].depth;
    for (; context > 0; context = c->graph->contexts[context].outer) {
        const fvm_context *inner = &c->graph->contexts[context];
        fvm_asm_load(&c->as, T0, RP, -4 * (depth - inner->depth));
        fvm_asm_compare_const(&c->as, T0, (fvm_cell)inner->return_to);
        fvm_asm_jump_to(&c->as, NE, c->runtime->go_to);
    }
}

/* Emits the code after a call by which the calling code also leaves if the called code has left. */
static void leave_with_callee(fvm_compiler *c) {
    fvm_asm_compare_const(&c->as, S1, 0);
    fvm_asm_jump_to(&c->as, EQ, c->runtime->leave_caller);
}

/* Emits the code after a call.  Unless the return is certain, the code checks that the callee has
 * returned to the address after the call. */
static void after_call(fvm_compiler *c, const fvm_node *node, bool return_certain) {
    leave_with_callee(c);
    if (!return_certain) {
        fvm_asm_load(&c->as, S0, RP, 4);
        fvm_asm_compare_const(&c->as, S0, (fvm_cell)c->graph->nodes[node->next].at);
        fvm_asm_jump_to(&c->as, NE, c->runtime->returned);
        check_callers(c, node->context);
    }
    pop_callers(c, node->context);
    fvm_set_canonical_state(c);
}

/* Pops the token of EXECUTE and pushes the address of the body of its word, after the check that
 * the word has the expected DOES> part. */
static void pop_does_token(fvm_compiler *c, fvm_addr does_part) {
    fvm_value token = fvm_to_reg(c, fvm_pop_value(c));
    fvm_asm_check_read(&c->as, fvm_register_plus(token.reg, FVM_DOES_PART), c->vm->size);
    c->assumed_size = c->vm->size; /* a smaller image discards the code */
    fvm_side_exit_if(c, ABOVE);
    fvm_asm_compare_checked(&c->as, 0, (fvm_cell)does_part);
    fvm_side_exit_if(c, NE);
    fvm_asm_compare_checked(&c->as, -FVM_DOES_PART, (fvm_cell)(FVM_CODE_TAG | FVM_OP_DOES));
    fvm_side_exit_if(c, NE);
    fvm_push_value(c, (fvm_value){.kind = FVM_SUM, .reg = token.reg, .n = FVM_DOES_BODY});
}

void fvm_emit_call_argument(fvm_compiler *c, const fvm_node *node) {
    if (node->op == FVM_OP_EXECUTE && node->does_part != 0) {
        pop_does_token(c, node->does_part);
    } else if (node->op == FVM_OP_EXECUTE) {
        fvm_value token = fvm_pop_value(c);
        if (token.kind != FVM_CONST || token.n != (fvm_cell)node->token) {
            token = fvm_to_reg(c, token);
            fvm_asm_compare_const(&c->as, (fvm_reg)token.reg, (fvm_cell)node->token);
            fvm_side_exit_if(c, NE);
        }
        fvm_release_value(c, token);
    }
    if (node->op == FVM_OP_DOES || (node->op == FVM_OP_EXECUTE && node->a != 0))
        fvm_push_const(c, node->a);
}

void fvm_emit_definition_call(fvm_compiler *c, const fvm_node *node) {
    fvm_emit_call_argument(c, node);
    fvm_charge_steps(c, node->steps);
    fvm_spill_all(c, &c->state);
    fvm_emit_push_returns(c, node->context, node->at + 4);
    const uint8_t *callee = fvm_jit_call_target(c, (fvm_addr)node->b);
    if (callee != NULL)
        fvm_asm_call(&c->as, callee);
    after_call(c, node, node->preserves_return_stack);
}

/* Allocates a register other than TOS: the canonical state before a call needs TOS. */
static fvm_reg alloc_reg_except_tos(fvm_compiler *c) {
    fvm_reg reg = fvm_alloc_reg(c);
    if (reg != TOS)
        return reg;
    fvm_reg other = fvm_alloc_reg(c);
    fvm_release_value(c, (fvm_value){.kind = FVM_REG, .reg = TOS});
    return other;
}

/* Emits a call of the token on the stack.  The table vm->jit.target_tokens contains the tokens
 * whose machine code can be called; for other tokens the code takes a side exit. */
void fvm_emit_token_call(fvm_compiler *c, const fvm_node *node) {
    fvm_value token = fvm_to_reg(c, fvm_pop_value(c));
    if (token.reg == TOS) {
        fvm_reg other = fvm_alloc_reg(c);
        fvm_asm_copy(&c->as, other, TOS);
        fvm_release_value(c, token);
        token.reg = (uint8_t)other;
    }
    fvm_reg index = alloc_reg_except_tos(c);
    fvm_asm_find_token(&c->as, index, (fvm_reg)token.reg);
    fvm_side_exit_if(c, NE);
    fvm_charge_steps(c, node->steps);
    fvm_spill_all(c, &c->state);
    fvm_emit_push_returns(c, node->context, node->at + 4);
    fvm_asm_copy(&c->as, S0, (fvm_reg)token.reg); /* for fvm_emit_does_entry */
    fvm_asm_call_target(&c->as, index);
    after_call(c, node, true);
}

/* Emits code that token calls enter: it expects the token in S0 and pushes token + offset.  Returns
 * the jump that it takes if the parameter stack is full. */
static uint8_t *emit_push_body(fvm_asm *as, fvm_cell offset) {
    fvm_asm_copy(as, T1, S0);
    fvm_asm_compare_pointer(as, SP, 0, offsetof(fvm, stack_most) + sizeof(fvm_cell *));
    uint8_t *full = fvm_asm_jump(as, ABOVE);
    fvm_asm_store(as, SP, 0, TOS);
    fvm_asm_add_to_pointer(as, SP, 4);
    fvm_asm_op_const(as, ADD, TOS, T1, offset);
    return full;
}

/* Emits the target of that jump: it restores the state before EXECUTE, including the step that was
 * charged, and exits to the interpreter. */
static void emit_full_stack_exit(fvm_asm *as, const fvm_runtime *runtime, uint8_t *full) {
    if (!as->full)
        fvm_asm_patch(full, as->at);
    fvm_asm_subtract_fuel(as, -1);
    fvm_asm_load(as, T0, RP, 0); /* the return address, 4 bytes after EXECUTE */
    fvm_asm_add_to_pointer(as, RP, -4);
    fvm_asm_store(as, SP, 0, TOS);
    fvm_asm_add_to_pointer(as, SP, 4);
    fvm_asm_copy(as, TOS, T1);
    fvm_asm_op_const(as, ADD, S0, T0, -4);
    fvm_asm_jump_to(as, ALWAYS, runtime->resume);
}

const uint8_t *fvm_emit_does_entry(fvm_compiler *c) {
    const uint8_t *start = c->as.at;
    uint8_t *full = emit_push_body(&c->as, 8);
    fvm_asm_jump_to(&c->as, ALWAYS, c->entries[0].code);
    emit_full_stack_exit(&c->as, c->runtime, full);
    return start;
}

/* Only EXECUTE of a definition costs a step, so this code gives it back. */
const uint8_t *fvm_emit_variable_entry(fvm_asm *as, const fvm_runtime *runtime) {
    const uint8_t *start = as->at;
    uint8_t *full = emit_push_body(as, 4);
    fvm_asm_subtract_fuel(as, -1);
    fvm_asm_return(as, FVM_LOW); /* to the address that the call has pushed, so without errors */
    emit_full_stack_exit(as, runtime, full);
    return start;
}

void fvm_emit_function_call(fvm_compiler *c, const fvm_node *node) {
    const bool host = node->op == FVM_OP_HOST;
    fvm_charge_steps(c, node->steps);
    fvm_spill_all(c, &c->state);
    fvm_emit_push_returns(c, node->context, 0);
    fvm_word_function function = host ? fvm_run_host_operand : fvm_c_function_of(c->vm, node->op);
    if (host)
        fvm_asm_store_const(&c->as, VM, offsetof(fvm, jit.inline_operand), node->a);
    fvm_asm_call_c(&c->as, c->runtime, function, node->at);
    leave_with_callee(c);
    pop_callers(c, node->context);
    fvm_set_canonical_state(c);
    fvm_begin_instruction(c, node->next);
    /* The function may have discarded this code or used up nearly all steps. */
    fvm_asm_compare_field(&c->as, offsetof(fvm, jit.epoch), (fvm_cell)c->vm->jit.epoch);
    fvm_side_exit_if(c, NE);
    fvm_asm_compare_field(&c->as, offsetof(fvm, near_limit), 0);
    fvm_side_exit_if(c, NE);
}

#endif
