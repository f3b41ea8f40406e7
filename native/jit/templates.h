/* templates.h: instruction templates. */
#ifndef FVM_TEMPLATES_H
#define FVM_TEMPLATES_H

#include "jit/compile.h"

void fvm_emit_template(fvm_compiler *c, const fvm_node *node);

/* The next functions are for templates.c and memory_templates.c only. */
static inline bool fvm_is_const(fvm_value value) { return value.kind == FVM_CONST; }

/* Converts a value to FVM_REG, FVM_SUM or FVM_INDEXED. */
fvm_value fvm_to_address(fvm_compiler *c, fvm_value value);
/* Pushes value + n. */
void fvm_push_sum(fvm_compiler *c, fvm_value value, fvm_cell n);
void fvm_emit_add(fvm_compiler *c);
/* Emits an operation whose operands are the top item and n. */
void fvm_emit_alu_const(fvm_compiler *c, fvm_alu op, fvm_cell n);
/* Emits the template of a node that accesses the image; false: the node is of another kind. */
bool fvm_emit_memory(fvm_compiler *c, const fvm_node *node);

#endif
