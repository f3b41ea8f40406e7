/* runtime_helpers.h: the properties of primitives, and the C functions that machine code calls. */
#ifndef FVM_RUNTIME_HELPERS_H
#define FVM_RUNTIME_HELPERS_H

#include "jit/jit.h"

/* The properties of a primitive, from primitives.def. */
typedef struct {
    int8_t popped;
    int8_t pushed;
    int8_t rpopped; /* from the return stack */
    int8_t rpushed;
    int8_t registers; /* allocated by its template; -1: depends on the operands */
    bool rchanges;    /* it changes or removes the `rpopped` cells; false: it only reads them */
    bool exact;       /* `popped` and `pushed` are its only effects on the parameter stack */
    fvm_word_function function; /* the runtime helper; NULL: none, see fvm_c_function_of */
} fvm_jit_primitive;
extern const fvm_jit_primitive fvm_jit_primitives[]; /* by opcode */
/* Returns the C function of a primitive; NULL: only the interpreter implements it. */
static inline fvm_word_function fvm_c_function_of(const fvm *vm, int op) {
    return vm->words[op] != NULL ? vm->words[op] : fvm_jit_primitives[op].function;
}
/* Runs the host word whose body is at vm->jit.inline_operand. */
fvm_status fvm_run_host_operand(fvm *vm);

#endif
