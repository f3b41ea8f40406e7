/* jit/arm64/runtime.c: code that all machine code shares on AArch64: entry, exits and calls of C.
 *
 * It owns the layout of the host's stack under the procedure call standard. */
#include "jit/jit.h"

#if defined(FVM_JIT_ARM64)

#include "jit/arm64/encoding.h"

static void push(fvm_asm *as, int a, int b) {
    emit_dn(as, STORE_PAIR | (uint32_t)b << 10, a, STACK);
}
static void pop(fvm_asm *as, int a, int b) { emit_dn(as, LOAD_PAIR | (uint32_t)b << 10, a, STACK); }

/* Emits code that stores the registers of the stacks and of the fuel to the VM. */
static void save_state(fvm_asm *as) {
    emit_memory(as, STORE, RTOS, RSP, 0);
    emit_memory(as, STORE_POINTER, RSP, RVM, FIELD(sp));
    emit_memory(as, STORE_POINTER, RRP, RVM, FIELD(rp));
    emit_memory(as, STORE, RFUEL, RVM, FIELD(fuel));
}

/* Emits code that loads these registers from the VM. */
static void load_state(fvm_asm *as) {
    emit_memory(as, LOAD_POINTER, RSP, RVM, FIELD(sp));
    emit_memory(as, LOAD, RTOS, RSP, 0);
    emit_memory(as, LOAD_POINTER, RRP, RVM, FIELD(rp));
    emit_memory(as, LOAD, RFUEL, RVM, FIELD(fuel));
}

/* Adds a number to vm->jit.entered. */
static void count_entry(fvm_asm *as, int32_t change) {
    emit_memory(as, LOAD, X2, RVM, FIELD(jit.entered));
    emit_add_const(as, 0, X2, X2, change);
    emit_memory(as, STORE, X2, RVM, FIELD(jit.entered));
}

/* Returns the address of the code that leaves machine code: S0 is the address at which the
 * interpreter continues, S1 the fvm_jit_exit. */
static const uint8_t *emit_entry_and_exits(fvm_asm *as, fvm_runtime *runtime) {
    runtime->enter = as->at;
    push(as, FRAME, LINK);
    for (int i = RSP; i < RTOS; i += 2)
        push(as, i, i + 1);
    emit_move_wide(as, RVM, X0);
    emit_memory(as, LOAD_POINTER, RMEM, RVM, FIELD(mem));
    count_entry(as, 1);
    load_state(as);
    emit_dn(as, CALL_AT, 0, X1);
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
    for (int i = RTOS - 1; i >= RSP; i -= 2)
        pop(as, i, i + 1);
    pop(as, FRAME, LINK);
    emit(as, RETURN);
    fvm_asm_patch(return_to, as->at);
    runtime->returned = as->at;
    emit_memory(as, STORE, RS1, RVM, FIELD(jit.ip));
    emit_memory(as, LOAD, RS0, RRP, 4);
    runtime->go_to = as->at; /* the interpreter runs the slot, which may enter machine code */
    emit_set(as, RS1, FVM_JIT_CONTINUE, 0);
    const uint8_t *leave = runtime->leave = as->at;
    save_state(as);
    fvm_asm_store(as, VM, FIELD(jit.last_exit), S1);
    emit_dnm(as, OP_OR | WIDE | 32 << OP_SHIFT_LEFT, X0, RS0, RS1); /* S0 | S1 << 32 */
    emit_set(as, RS1, 0, 0);
    runtime->leave_caller = as->at;
    emit(as, RETURN);
    runtime->resume = as->at; /* the interpreter decodes the instruction and ignores its slot */
    emit_set(as, RS1, FVM_JIT_INTERPRET, 0);
    fvm_asm_jump_to(as, ALWAYS, leave);
    runtime->abandon = as->at;
    fvm_asm_store_const(as, VM, FIELD(jit.last_exit), FVM_JIT_ENDED);
    emit_set(as, RS1, 0, 0);
    emit(as, RETURN);
    fvm_asm_patch(leave_ended, leave);
    return leave;
}

/* Emits the code that calls C functions, see fvm_runtime. */
static void emit_call_c(fvm_asm *as, fvm_runtime *runtime, const uint8_t *leave) {
    runtime->call_c = as->at;
    save_state(as);
    /* RSP and RRP are callee-saved and free now, so they preserve LINK and S1. */
    emit_move_wide(as, RSP, LINK);
    emit_move(as, RRP, RS1);
    emit_move_wide(as, X0, RVM);
    emit_dn(as, CALL_AT, 0, RS0);
    emit_subtract_const(as, ZERO, X0, 0);
    emit_move_wide(as, LINK, RSP);
    uint8_t *failed = fvm_asm_jump(as, NE);
    emit_move(as, RS1, RRP); /* not 0 */
    load_state(as);
    emit(as, RETURN);
    fvm_asm_patch(failed, as->at);
    emit_memory(as, STORE, X0, RVM, FIELD(jit.status));
    emit_move(as, RS0, RRP);
    load_state(as);
    emit_set(as, RS1, FVM_JIT_FAILED, 0);
    fvm_asm_jump_to(as, ALWAYS, leave);
}

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime) {
    const uint8_t *leave = emit_entry_and_exits(as, runtime);
    emit_call_c(as, runtime, leave);
}

void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at) {
    emit_set_pointer(as, RS0, (uintptr_t)function);
    emit_set(as, RS1, (fvm_cell)at, 0);
    fvm_asm_call(as, runtime->call_c);
}

#endif
