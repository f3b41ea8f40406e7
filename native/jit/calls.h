/* calls.h: machine code for calls of definitions, tokens and C functions. */
#ifndef FVM_CALLS_H
#define FVM_CALLS_H

#include "jit/compile.h"

/* Emits code that pushes the return addresses of the inlined calls that contain the current
 * instruction, then return_to, the return address of a call (0: no call). */
void fvm_emit_push_returns(fvm_compiler *c, int context, fvm_addr return_to);
/* Returns the address to call for the definition at addr (units.c). */
const uint8_t *fvm_jit_call_target(fvm_compiler *c, fvm_addr addr);
/* Pops the token of EXECUTE, if the call is one of an expected token.  If the callee is code after
 * DOES>, pushes the address of the body of the called word. */
void fvm_emit_call_argument(fvm_compiler *c, const fvm_node *node);
void fvm_emit_definition_call(fvm_compiler *c, const fvm_node *node);
void fvm_emit_token_call(fvm_compiler *c, const fvm_node *node);
void fvm_emit_function_call(fvm_compiler *c, const fvm_node *node);
/* For a definition that is code after DOES>: emits the code that token calls enter.  It pushes the
 * address of the body of the called word and continues at c->entries[0]. */
const uint8_t *fvm_emit_does_entry(fvm_compiler *c);
/* Emits the code that calls of a variable's token enter: it pushes the address of the body. */
const uint8_t *fvm_emit_variable_entry(fvm_asm *as, const fvm_runtime *runtime);

#endif
