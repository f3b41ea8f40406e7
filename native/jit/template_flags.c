/* template_flags.c: which instructions have a template, and how many registers a template needs.
 *
 * For primitives, the fields `jit` and `registers` in primitives.def decide.  The templates are in
 * templates.c and memory_templates.c. */
#include "jit/templates.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

enum { MAX_REGISTERS = 4 }; /* of a template */

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

int fvm_template_registers(const fvm_state *state, const fvm_node *node) {
    const int registers = registers_of_template(state, node);
    return node->bound >= 0 && registers < MAX_REGISTERS ? MAX_REGISTERS : registers;
}

#endif
