/* runtime_helpers.c: the runtime helpers, C functions that machine code calls for primitives.
 *
 * Their bodies are generated (generated/runtime_helpers.inc) and equal those of the interpreter's
 * handlers.  They work on the stacks of the VM. */
#include "vm/stack_checks.h"
#include "jit/runtime_helpers.h"
#include "vm/primitives.h"

#if defined(FVM_JIT)

#include "generated/ops.h"

#include <math.h>

#define FAIL(status_, value_)                                                                      \
    do {                                                                                           \
        vm->error.value = (value_);                                                                \
        return (status_);                                                                          \
    } while (0)
#define FALLIBLE(call_) FVM_TRY(call_)
#define SPEND FVM_TRY(fvm_spend(vm, 1))
#define LOAD_CELL(addr_, out_) FVM_TRY(fvm_load_cell(vm, (fvm_addr)(addr_), &(out_)))
#define LOAD_BYTE(addr_, out_) FVM_TRY(fvm_load_byte(vm, (fvm_addr)(addr_), &(out_)))
#define STORE_CELL(addr_, value_) FVM_TRY(fvm_store_cell(vm, (fvm_addr)(addr_), (value_)))
#define STORE_BYTE(addr_, value_) FVM_TRY(fvm_store_byte(vm, (fvm_addr)(addr_), (value_)))
#define NEXT return FVM_OK

/* The bodies use the interpreter's names for the stack pointers and the top. */
#define sp (vm->sp)
#define rp (vm->rp)
#define tos (*sp)

#define RUNTIME_HELPER(op_) static fvm_status runtime_helper_##op_(fvm *vm)
#include "generated/runtime_helpers.inc"
#undef RUNTIME_HELPER

fvm_status fvm_run_host_operand(fvm *vm) { return fvm_host_word(vm, vm->jit.inline_operand); }

const fvm_jit_primitive fvm_jit_primitives[] = {
#include "generated/runtime_helpers.inc"
};

#endif
