/* side_exits.c: exits from machine code to the interpreter, and checks that cause them.
 *
 * It owns the stubs of side exits, the checks of both stacks, and deferred fuel accounting.  The
 * checks are in compile.c, templates.c and calls.c. */
#include "jit/side_exits.h"
#include "jit/calls.h"

#if defined(FVM_JIT)

#include <stddef.h>
#include <stdlib.h>

/* --- side exits ----------------------------------------------------------------- */

fvm_stub *fvm_add_stub(fvm_compiler *c) {
    if (c->stub_count == c->stub_capacity) {
        int capacity = c->stub_capacity == 0 ? 64 : 2 * c->stub_capacity;
        fvm_stub *grown = realloc(c->stubs, (size_t)capacity * sizeof *grown);
        if (grown == NULL) {
            c->failed = true;
            return NULL;
        }
        c->stubs = grown;
        c->stub_capacity = capacity;
    }
    fvm_stub *stub = &c->stubs[c->stub_count++];
    memset(stub, 0, sizeof *stub);
    return stub;
}

/* Returns the index of the side-exit stub for the current instruction. */
static int side_exit_stub(fvm_compiler *c) {
    if (c->side_exit >= 0)
        return c->side_exit;
    fvm_stub *stub = fvm_add_stub(c);
    if (stub == NULL)
        return 0;
    const fvm_node *node = &c->graph->nodes[c->node];
    stub->kind = FVM_STUB_SIDE_EXIT;
    stub->state = c->state_before;
    stub->context = node->context;
    stub->at = node->at;
    c->side_exit = c->stub_count - 1;
    return c->side_exit;
}

void fvm_side_exit_if(fvm_compiler *c, fvm_cond cond) {
    int index = side_exit_stub(c);
    uint8_t *jump = fvm_asm_jump(&c->as, cond);
    if (c->failed)
        return;
    fvm_stub *stub = &c->stubs[index];
    if (stub->count == FVM_STUB_JUMPS)
        c->failed = true;
    else
        stub->jumps[stub->count++] = jump;
}

void fvm_prepare_exit(fvm_compiler *c, fvm_state *state, fvm_addr at) {
    if (state->uncharged_steps != 0)
        fvm_asm_subtract_fuel(&c->as, state->uncharged_steps);
    fvm_spill_all(c, state);
    fvm_asm_set(&c->as, S0, (fvm_cell)at);
}

/* A context is the definition being compiled, or an inlined call (graph.h). */
void fvm_emit_side_exit(fvm_compiler *c, fvm_state *state, int context, fvm_addr at) {
    fvm_prepare_exit(c, state, at);
    const uint8_t *exit_code = c->exits[context];
    if (exit_code == NULL) { /* the context's first exit, to which its later exits jump */
        c->exits[context] = c->as.at;
        fvm_emit_push_returns(c, context, 0);
        exit_code = c->runtime->resume;
    }
    fvm_asm_jump_to(&c->as, ALWAYS, exit_code);
}

/* --- stack checks: a side exit if they fail ---------------------------------------- */

/* For fewer items than FVM_STACK_LIMITS, the code compares SP with the limit for that number of
 * items in vm->stack_floor or vm->stack_most.  For more items it compares a computed address with
 * the limit for 0 items. */

void fvm_check_depth(fvm_compiler *c, int depth) {
    if (depth > 0) {
        int limit = depth < FVM_STACK_LIMITS ? depth : 0;
        fvm_asm_compare_pointer(&c->as, SP, -4 * (depth - limit),
                                offsetof(fvm, stack_floor) + (size_t)limit * sizeof(fvm_cell *));
        fvm_side_exit_if(c, LOWER);
    }
}

void fvm_check_growth(fvm_compiler *c, int growth) {
    if (growth > 0) {
        int limit = growth < FVM_STACK_LIMITS ? growth : 0;
        fvm_asm_compare_pointer(&c->as, SP, 4 * (growth - limit),
                                offsetof(fvm, stack_most) + (size_t)limit * sizeof(fvm_cell *));
        fvm_side_exit_if(c, ABOVE);
    }
}

void fvm_check_return_stack(fvm_compiler *c, int depth, int growth) {
    if (depth > 0) {
        fvm_asm_compare_pointer(&c->as, RP, -4 * depth, offsetof(fvm, rbase));
        fvm_side_exit_if(c, LOWER);
    }
    if (growth > 0) {
        fvm_asm_compare_pointer(&c->as, RP, 4 * growth, offsetof(fvm, rstack_high));
        fvm_side_exit_if(c, ABOVE);
    }
}

void fvm_begin_instruction(fvm_compiler *c, int index) {
    c->node = index;
    c->side_exit = -1;
    c->state_before = c->state;
}

/* --- fuel ------------------------------------------------------------------------- */

/* Deferred fuel accounting: the steps of several instructions are subtracted at once, after the
 * instructions have run, so a slice may exceed its fuel by up to FVM_OVERRUN steps.  Therefore the
 * interpreter enters machine code only if fuel remains and the limit of steps is not near. */
void fvm_charge_steps(fvm_compiler *c, int steps) {
    steps += c->state.uncharged_steps;
    c->state.uncharged_steps = 0;
    if (steps == 0)
        return;
    fvm_asm_subtract_fuel(&c->as, steps);
    /* After a side exit the interpreter executes the instruction again and charges its steps, so
     * the stub must refund them: it subtracts their negative from FUEL. */
    c->state_before.uncharged_steps -= steps;
    c->side_exit = -1; /* the stub for the earlier state cannot be shared */
    fvm_side_exit_if(c, LT);
}

void fvm_fuel_exit_if(fvm_compiler *c, fvm_node *node, fvm_cond cond) {
    fvm_stub *stub = node->fuel_exit_stub != 0 ? &c->stubs[node->fuel_exit_stub - 1] : NULL;
    if (stub == NULL || stub->count == FVM_STUB_JUMPS) {
        stub = fvm_add_stub(c);
        if (stub == NULL)
            return;
        node->fuel_exit_stub = c->stub_count;
        stub->kind = FVM_STUB_SIDE_EXIT;
        fvm_set_entry_state(&stub->state, node->entry_state);
        stub->context = node->context;
        stub->at = node->at;
    }
    stub->jumps[stub->count++] = fvm_asm_jump(&c->as, cond);
}

#endif
