/* jit/x64/runtime.c: code that all machine code shares on x86-64: entry, exits and calls of C.
 *
 * It owns the layout of the host's stack under the System V calling convention; it must not know
 * Forth beyond the layout of the VM. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

static void push(fvm_asm *as, int reg) {
    emit_rex(as, false, 0, 0, reg, false);
    emit8(as, 0x50 | (reg & 7));
}

static void pop(fvm_asm *as, int reg) {
    emit_rex(as, false, 0, 0, reg, false);
    emit8(as, 0x58 | (reg & 7));
}

static void save_state(fvm_asm *as) {
    emit_memory(as, false, 0x89, R15, R12, -1, 0);
    emit_memory(as, true, 0x89, R12, RBX, -1, FIELD(sp));
    emit_memory(as, true, 0x89, R13, RBX, -1, FIELD(rp));
    emit_memory(as, false, 0x89, R14, RBX, -1, FIELD(fuel));
}

static void load_state(fvm_asm *as) {
    emit_memory(as, true, 0x8B, R12, RBX, -1, FIELD(sp));
    emit_memory(as, false, 0x8B, R15, R12, -1, 0);
    emit_memory(as, true, 0x8B, R13, RBX, -1, FIELD(rp));
    emit_memory(as, false, 0x8B, R14, RBX, -1, FIELD(fuel));
}

static const uint8_t callee_saved[] = {RBX, RBP, R12, R13, R14, R15};
enum { CALLEE_SAVED = sizeof callee_saved };

static void emit_entry_and_exits(fvm_asm *as, fvm_runtime *runtime) {
    runtime->enter = as->at;
    for (int i = 0; i < CALLEE_SAVED; i++)
        push(as, callee_saved[i]);
    emit_registers(as, true, 0x8B, RBX, RDI);
    emit_memory(as, true, 0xFF, 6, RBX, -1, FIELD(jit.frame)); /* push the outer frame */
    emit_memory(as, true, 0x8B, RBP, RBX, -1, FIELD(mem));
    load_state(as);
    emit_memory(as, true, 0x89, RSP, RBX, -1, FIELD(jit.frame));
    emit_registers(as, false, 0xFF, 2, RSI); /* call rsi */
    runtime->returned = as->at;
    emit_memory(as, false, 0x89, RDX, RBX, -1, FIELD(jit.ip));
    emit_memory(as, false, 0x8B, RAX, R13, -1, 4);
    runtime->go_to = as->at;
    emit_set(as, RDX, FVM_LEFT_GO);
    uint8_t *leave = as->at;
    save_state(as);
    emit_memory(as, true, 0x8B, RSP, RBX, -1, FIELD(jit.frame));
    emit_memory(as, true, 0x8F, 0, RBX, -1, FIELD(jit.frame)); /* pop */
    for (int i = CALLEE_SAVED - 1; i >= 0; i--)
        pop(as, callee_saved[i]);
    emit_registers(as, true, 0xC1, 4, RDX);
    emit8(as, 32);
    emit_registers(as, false, 0x8B, RAX, RAX); /* clears the upper half */
    emit_registers(as, true, 0x0B, RAX, RDX);
    emit8(as, 0xC3);
    runtime->resume = as->at;
    emit_set(as, RDX, FVM_LEFT_RESUME);
    fvm_asm_jump_to(as, ALWAYS, leave);
    runtime->abandon = as->at;
    fvm_asm_store_const(as, VM, FIELD(jit.status), FVM_EXIT_VERIFY);
    emit_set(as, RDX, FVM_LEFT_FAILED);
    fvm_asm_jump_to(as, ALWAYS, leave);
}

static void emit_call_c(fvm_asm *as, fvm_runtime *runtime) {
    runtime->call_c = as->at;
    save_state(as);
    emit_registers(as, true, 0x8B, R12, RSP); /* saves RSP in a callee-saved register */
    emit_registers(as, false, 0x8B, R13, RDX);
    emit_constant(as, true, 4, RSP, -16);
    emit_registers(as, true, 0x8B, RDI, RBX);
    emit_registers(as, false, 0xFF, 2, RAX);
    emit_registers(as, true, 0x8B, RSP, R12);
    emit_registers(as, false, 0x85, RAX, RAX);
    uint8_t *failed = fvm_asm_jump(as, NE);
    load_state(as);
    emit8(as, 0xC3);
    fvm_asm_patch(failed, as->at);
    emit_memory(as, false, 0x89, RAX, RBX, -1, FIELD(jit.status));
    emit_registers(as, false, 0x8B, RAX, R13);
    load_state(as);
    emit_set(as, RDX, FVM_LEFT_FAILED);
    fvm_asm_jump_to(as, ALWAYS, runtime->go_to + 5);
}

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime) {
    emit_entry_and_exits(as, runtime);
    emit_call_c(as, runtime);
}

void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at) {
    emit_set_pointer(as, RAX, (uintptr_t)function);
    emit_set(as, RDX, (fvm_cell)at);
    fvm_asm_call(as, runtime->call_c);
}

void fvm_asm_publish(const uint8_t *from, const uint8_t *to) {
    (void)from; /* the processor keeps its caches coherent */
    (void)to;
}

#endif
