/* callees.h: the definitions that machine code calls (units.c). */
#ifndef FVM_CALLEES_H
#define FVM_CALLEES_H

#include "jit/jit.h"

/* The properties of compiled code that callers use. */
typedef struct {
    const uint8_t *code;         /* NULL: not compiled */
    bool preserves_return_stack; /* it changes no cell of the return stack below its frame */
    bool net_known;
    int16_t net; /* number of items that a call adds */
} fvm_callee_info;

struct fvm_compiler;
/* Returns the address to call for the definition at addr. */
const uint8_t *fvm_jit_call_target(struct fvm_compiler *c, fvm_addr addr);
const fvm_callee_info *fvm_jit_callee_info(const fvm *vm, fvm_addr addr); /* NULL: not compiled */

#endif
