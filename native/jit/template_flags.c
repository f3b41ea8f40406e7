/* template_flags.c: which instructions have a template, and how many registers a template needs.
 *
 * For primitives, a flag of the record in primitives.def decides.  The templates are in templates.c
 * and memory_templates.c. */
#include "jit/templates.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

bool fvm_jit_has_template(int op) {
    switch (op) {
    case FVM_OP_VAR:
    case FVM_OP_CONSTANT:
    case FVM_OP_READ:
    case FVM_OP_WRITE:
    case FVM_OP_SCALE:
    case FVM_OP_INDEX:
        return true;
    default:
        return (fvm_primitive_flags(op) & FVM_PRIM_JIT) != 0;
    }
}

/* Each operand that must be loaded needs a register.  The result needs another one, because the
 * operands stay live until it is computed. */
int fvm_template_registers(const fvm_state *state, const fvm_node *node) {
    int top = fvm_needs_load(state, 0), second = fvm_needs_load(state, 1);
    if (node->kind == FVM_NODE_INLINE || node->kind == FVM_NODE_JUMP)
        return 0;
    switch (node->op) {
    case FVM_OP_LIT:
    case FVM_OP_VAR:
    case FVM_OP_DROP:
    case FVM_OP_TWO_DROP:
    case FVM_OP_TRUE:
    case FVM_OP_FALSE:
        return 0;
    case FVM_OP_DUP:
    case FVM_OP_OVER:
    case FVM_OP_PICK:
    case FVM_OP_I:
    case FVM_OP_J:
    case FVM_OP_K:
    case FVM_OP_R:
    case FVM_OP_R_FETCH:
    case FVM_OP_FROM_R:
    case FVM_OP_READ:
    case FVM_OP_CONSTANT:
    case FVM_OP_WRITE:
    case FVM_OP_INC:
    case FVM_OP_DEC:
    case FVM_OP_TO_R:
    case FVM_OP_LEAVE:
    case FVM_OP_ZBRANCH:
    case FVM_OP_ZEQ:
    case FVM_OP_ZNE:
    case FVM_OP_NOT:
        return 1;
    case FVM_OP_SWAP:
    case FVM_OP_TWO_DUP:
    case FVM_OP_LOOP_STEP:
        return 2;
    case FVM_OP_FETCH:
    case FVM_OP_C_FETCH:
    case FVM_OP_INC_STORE:
    case FVM_OP_DEC_STORE:
    case FVM_OP_SCALE:
    case FVM_OP_INDEX:
    case FVM_OP_HALVE:
        return top + 1;
    case FVM_OP_EQ:
    case FVM_OP_NE:
    case FVM_OP_LT:
    case FVM_OP_GT:
    case FVM_OP_LE:
    case FVM_OP_GE:
    case FVM_OP_STORE:
    case FVM_OP_C_STORE:
    case FVM_OP_ADD:
    case FVM_OP_SUB:
    case FVM_OP_MUL:
    case FVM_OP_AND:
    case FVM_OP_OR:
    case FVM_OP_XOR:
    case FVM_OP_ADD_STORE:
        return top + second + 1;
    default:
        return 4;
    }
}

#endif
