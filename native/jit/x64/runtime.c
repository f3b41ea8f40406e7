/* jit/x64/runtime.c: the code that all machine code shares on x86-64: entry, exits, calls of C.
 *
 * It owns the layout of the host's stack under the System V calling convention; it must not know
 * Forth beyond the layout of the VM. */
#include "jit/jit.h"

#if defined(FVM_JIT_X64)

#include "jit/x64/encoding.h"

static void push(fvm_asm *as, int reg) {
    rex(as, false, 0, 0, reg, false);
    byte(as, 0x50 | (reg & 7));
}

static void pop(fvm_asm *as, int reg) {
    rex(as, false, 0, 0, reg, false);
    byte(as, 0x58 | (reg & 7));
}

static void save_state(fvm_asm *as) {
    memory(as, false, 0x89, R15, R12, -1, 0);
    memory(as, true, 0x89, R12, RBX, -1, FIELD(sp));
    memory(as, true, 0x89, R13, RBX, -1, FIELD(rp));
    memory(as, false, 0x89, R14, RBX, -1, FIELD(fuel));
}

static void load_state(fvm_asm *as) {
    memory(as, true, 0x8B, R12, RBX, -1, FIELD(sp));
    memory(as, false, 0x8B, R15, R12, -1, 0);
    memory(as, true, 0x8B, R13, RBX, -1, FIELD(rp));
    memory(as, false, 0x8B, R14, RBX, -1, FIELD(fuel));
}

static const uint8_t kept[] = {RBX, RBP, R12, R13, R14, R15};
enum { KEPT = sizeof kept };

static void ways_in_and_out(fvm_asm *as, fvm_runtime *runtime) {
    runtime->enter = as->at;
    for (int i = 0; i < KEPT; i++)
        push(as, kept[i]);
    registers(as, true, 0x8B, RBX, RDI);
    memory(as, true, 0xFF, 6, RBX, -1, FIELD(jit.frame)); /* push the outer frame */
    memory(as, true, 0x8B, RBP, RBX, -1, FIELD(mem));
    load_state(as);
    memory(as, true, 0x89, RSP, RBX, -1, FIELD(jit.frame));
    registers(as, false, 0xFF, 2, RSI); /* call rsi */
    runtime->returned = as->at;
    memory(as, false, 0x89, RDX, RBX, -1, FIELD(jit.ip));
    memory(as, false, 0x8B, RAX, R13, -1, 4);
    runtime->go_to = as->at;
    set(as, RDX, FVM_LEFT_GO);
    uint8_t *leave = as->at;
    save_state(as);
    memory(as, true, 0x8B, RSP, RBX, -1, FIELD(jit.frame));
    memory(as, true, 0x8F, 0, RBX, -1, FIELD(jit.frame)); /* pop */
    for (int i = KEPT - 1; i >= 0; i--)
        pop(as, kept[i]);
    registers(as, true, 0xC1, 4, RDX);
    byte(as, 32);
    registers(as, false, 0x8B, RAX, RAX); /* clears the upper half */
    registers(as, true, 0x0B, RAX, RDX);
    byte(as, 0xC3);
    runtime->resume = as->at;
    set(as, RDX, FVM_LEFT_RESUME);
    fvm_asm_jump_to(as, ALWAYS, leave);
    runtime->abandon = as->at;
    fvm_asm_store_const(as, VM, FIELD(jit.status), FVM_EXIT_VERIFY);
    set(as, RDX, FVM_LEFT_FAILED);
    fvm_asm_jump_to(as, ALWAYS, leave);
}

static void call_c(fvm_asm *as, fvm_runtime *runtime) {
    runtime->call_c = as->at;
    save_state(as);
    registers(as, true, 0x8B, R12, RSP); /* saves RSP in a callee-saved register */
    registers(as, false, 0x8B, R13, RDX);
    constant(as, true, 4, RSP, -16);
    registers(as, true, 0x8B, RDI, RBX);
    registers(as, false, 0xFF, 2, RAX);
    registers(as, true, 0x8B, RSP, R12);
    registers(as, false, 0x85, RAX, RAX);
    uint8_t *failed = fvm_asm_jump(as, NE);
    load_state(as);
    byte(as, 0xC3);
    fvm_asm_patch(failed, as->at);
    memory(as, false, 0x89, RAX, RBX, -1, FIELD(jit.status));
    registers(as, false, 0x8B, RAX, R13);
    load_state(as);
    set(as, RDX, FVM_LEFT_FAILED);
    fvm_asm_jump_to(as, ALWAYS, runtime->go_to + 5);
}

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime) {
    ways_in_and_out(as, runtime);
    call_c(as, runtime);
}

void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at) {
    set_pointer(as, RAX, (uintptr_t)function);
    set(as, RDX, (fvm_cell)at);
    fvm_asm_call(as, runtime->call_c);
}

void fvm_asm_published(const uint8_t *from, const uint8_t *to) {
    (void)from; /* the processor keeps its caches coherent */
    (void)to;
}

#endif
