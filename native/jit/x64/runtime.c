/* jit/x64/runtime.c: code that all machine code shares on x86-64: entry, exits and calls of C.
 *
 * It owns the calling convention of C functions and the layout of the host's stack. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

/* The calling convention: registers of the first arguments; registers that functions preserve, so
 * machine code saves those that it uses; bytes above the return address that a called function may
 * overwrite.  Machine code uses no vector registers. */
#if defined(FVM_OS_WIN64_CALLS)
enum { ARGUMENT_1 = RCX, ARGUMENT_2 = RDX, CALLEE_BYTES = 32 };
static const uint8_t callee_saved[] = {RBX, RBP, RSI, RDI, R12, R13, R14, R15};
#else /* System V */
enum { ARGUMENT_1 = RDI, ARGUMENT_2 = RSI, CALLEE_BYTES = 0 };
static const uint8_t callee_saved[] = {RBX, RBP, R12, R13, R14, R15};
#endif
enum { CALLEE_SAVED = sizeof callee_saved };

static void push(fvm_asm *as, int reg) {
    emit_rex(as, false, 0, 0, reg, false);
    emit8(as, 0x50 | (reg & 7));
}

static void pop(fvm_asm *as, int reg) {
    emit_rex(as, false, 0, 0, reg, false);
    emit8(as, 0x58 | (reg & 7));
}

/* Emits code that stores the registers of the stacks and of the fuel to the VM. */
static void save_state(fvm_asm *as) {
    emit_memory(as, false, OP_STORE, R15, R12, -1, 0);
    emit_memory(as, true, OP_STORE, R12, RBX, -1, FIELD(sp));
    emit_memory(as, true, OP_STORE, R13, RBX, -1, FIELD(rp));
    emit_memory(as, false, OP_STORE, R14, RBX, -1, FIELD(fuel));
}

/* Emits code that loads these registers from the VM. */
static void load_state(fvm_asm *as) {
    emit_memory(as, true, OP_LOAD, R12, RBX, -1, FIELD(sp));
    emit_memory(as, false, OP_LOAD, R15, R12, -1, 0);
    emit_memory(as, true, OP_LOAD, R13, RBX, -1, FIELD(rp));
    emit_memory(as, false, OP_LOAD, R14, RBX, -1, FIELD(fuel));
}

/* Adds a number to vm->jit.entered. */
static void count_entry(fvm_asm *as, int32_t change) {
    emit_memory(as, false, OP_CONST, CONST_ADD, RBX, -1, FIELD(jit.entered));
    emit32(as, change);
}

/* Returns the address of the code that leaves machine code: S0 is the address at which the
 * interpreter continues, S1 the fvm_jit_exit. */
static const uint8_t *emit_entry_and_exits(fvm_asm *as, fvm_runtime *runtime) {
    runtime->enter = as->at;
    for (int i = 0; i < CALLEE_SAVED; i++)
        push(as, callee_saved[i]);
    emit_registers(as, true, OP_LOAD, RBX, ARGUMENT_1);
    emit_memory(as, true, OP_LOAD, RBP, RBX, -1, FIELD(mem));
    count_entry(as, 1);
    load_state(as);
    emit_registers(as, false, OP_INDIRECT, CALL_RM, ARGUMENT_2);
    fvm_asm_compare_const(as, S1, 0);
    uint8_t *left = fvm_asm_jump(as, EQ);
    uint8_t *return_to = fvm_asm_call(as, as->at);
    fvm_asm_patch(left, as->at);
    fvm_asm_load(as, T0, VM, FIELD(jit.last_exit));
    fvm_asm_compare_const(as, T0, FVM_JIT_ENDED);
    uint8_t *saved = fvm_asm_jump(as, NE);
    fvm_asm_set(as, S1, FVM_JIT_ENDED);
    uint8_t *leave_ended = fvm_asm_call(as, as->at);
    fvm_asm_patch(saved, as->at);
    count_entry(as, -1);
    for (int i = CALLEE_SAVED - 1; i >= 0; i--)
        pop(as, callee_saved[i]);
    emit8(as, OP_RETURN);
    fvm_asm_patch(return_to, as->at);
    runtime->returned = as->at;
    emit_memory(as, false, OP_STORE, RDX, RBX, -1, FIELD(jit.ip));
    emit_memory(as, false, OP_LOAD, RAX, R13, -1, 4);
    runtime->go_to = as->at;
    emit_set(as, RDX, FVM_JIT_CONTINUE);
    const uint8_t *leave = runtime->leave = as->at;
    save_state(as);
    fvm_asm_store(as, VM, FIELD(jit.last_exit), S1);
    emit_registers(as, true, OP_SHIFT, SHL, RDX); /* the result is S0 | S1 << 32 */
    emit8(as, 32);
    emit_registers(as, false, OP_LOAD, RAX, RAX); /* clears the upper half */
    emit_registers(as, true, OP_OR, RAX, RDX);
    emit_registers(as, false, OP_XOR, RDX, RDX);
    runtime->leave_caller = as->at;
    emit8(as, OP_RETURN);
    runtime->resume = as->at;
    emit_set(as, RDX, FVM_JIT_INTERPRET);
    fvm_asm_jump_to(as, ALWAYS, leave);
    runtime->abandon = as->at;
    fvm_asm_store_const(as, VM, FIELD(jit.last_exit), FVM_JIT_ENDED);
    emit_registers(as, false, OP_XOR, RDX, RDX);
    emit8(as, OP_RETURN);
    fvm_asm_patch(leave_ended, leave);
    return leave;
}

/* Emits the code that calls C functions, see fvm_runtime. */
static void emit_call_c(fvm_asm *as, fvm_runtime *runtime, const uint8_t *leave) {
    runtime->call_c = as->at;
    save_state(as);
    /* R12 and R13 are callee-saved and free now, so they preserve RSP and S1. */
    emit_registers(as, true, OP_LOAD, R12, RSP);
    emit_registers(as, false, OP_LOAD, R13, RDX);
    emit_constant(as, true, CONST_AND, RSP, -16); /* the alignment that a C function requires */
    if (CALLEE_BYTES > 0)
        emit_constant(as, true, CONST_SUB, RSP, CALLEE_BYTES);
    emit_registers(as, true, OP_LOAD, ARGUMENT_1, RBX);
    emit_registers(as, false, OP_INDIRECT, CALL_RM, RAX);
    emit_registers(as, true, OP_LOAD, RSP, R12);
    emit_registers(as, false, OP_TEST, RAX, RAX);
    uint8_t *failed = fvm_asm_jump(as, NE);
    emit_registers(as, false, OP_LOAD, RDX, R13); /* not 0 */
    load_state(as);
    emit8(as, OP_RETURN);
    fvm_asm_patch(failed, as->at);
    emit_memory(as, false, OP_STORE, RAX, RBX, -1, FIELD(jit.status));
    emit_registers(as, false, OP_LOAD, RAX, R13);
    load_state(as);
    emit_set(as, RDX, FVM_JIT_FAILED);
    fvm_asm_jump_to(as, ALWAYS, leave);
}

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime) {
    const uint8_t *leave = emit_entry_and_exits(as, runtime);
    emit_call_c(as, runtime, leave);
}

void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at) {
    emit_set_pointer(as, RAX, (uintptr_t)function);
    emit_set(as, RDX, (fvm_cell)at);
    fvm_asm_call(as, runtime->call_c);
}

#endif
