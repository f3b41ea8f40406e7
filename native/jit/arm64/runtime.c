/* jit/arm64/runtime.c: the code that all machine code shares on AArch64: entry, exits, calls of C.
 *
 * It owns the layout of the host's stack under the procedure call standard; it must not know
 * Forth beyond the layout of the VM. */
#include "jit/jit.h"

#if defined(FVM_JIT_ARM64)

#include "jit/arm64/encoding.h"

static void push(fvm_asm *as, int a, int b) { two(as, STORE_PAIR | (uint32_t)b << 10, a, STACK); }
static void pop(fvm_asm *as, int a, int b) { two(as, LOAD_PAIR | (uint32_t)b << 10, a, STACK); }

static void save_state(fvm_asm *as) {
    memory(as, STORE, RTOS, RSP, 0);
    memory(as, STORE_POINTER, RSP, RVM, FIELD(sp));
    memory(as, STORE_POINTER, RRP, RVM, FIELD(rp));
    memory(as, STORE, RFUEL, RVM, FIELD(fuel));
}

static void load_state(fvm_asm *as) {
    memory(as, LOAD_POINTER, RSP, RVM, FIELD(sp));
    memory(as, LOAD, RTOS, RSP, 0);
    memory(as, LOAD_POINTER, RRP, RVM, FIELD(rp));
    memory(as, LOAD, RFUEL, RVM, FIELD(fuel));
}

static const uint8_t *ways_in_and_out(fvm_asm *as, fvm_runtime *runtime) {
    runtime->enter = as->at;
    push(as, FRAME, LINK);
    for (int i = RSP; i < RTOS; i += 2)
        push(as, i, i + 1);
    move_wide(as, RVM, X0);
    memory(as, LOAD_POINTER, X2, RVM, FIELD(jit.frame)); /* the outer one */
    push(as, X2, ZERO);
    memory(as, LOAD_POINTER, RMEM, RVM, FIELD(mem));
    load_state(as);
    short_const(as, WIDE, X2, STACK, 0);
    memory(as, STORE_POINTER, X2, RVM, FIELD(jit.frame));
    two(as, CALL_AT, 0, X1);
    runtime->returned = as->at;
    memory(as, STORE, RS1, RVM, FIELD(jit.ip));
    memory(as, LOAD, RS0, RRP, 4);
    runtime->go_to = as->at;
    set(as, RS1, FVM_LEFT_GO, 0);
    const uint8_t *leave = as->at;
    save_state(as);
    memory(as, LOAD_POINTER, X2, RVM, FIELD(jit.frame));
    short_const(as, WIDE, STACK, X2, 0);
    pop(as, X2, X1);
    memory(as, STORE_POINTER, X2, RVM, FIELD(jit.frame));
    for (int i = RTOS - 1; i >= RSP; i -= 2)
        pop(as, i, i + 1);
    pop(as, FRAME, LINK);
    three(as, OP_OR | WIDE | 32 << OP_SHIFT_LEFT, X0, RS0, RS1);
    put(as, RETURN);
    runtime->resume = as->at;
    set(as, RS1, FVM_LEFT_RESUME, 0);
    fvm_asm_jump_to(as, ALWAYS, leave);
    runtime->abandon = as->at;
    fvm_asm_store_const(as, VM, FIELD(jit.status), FVM_EXIT_VERIFY);
    set(as, RS1, FVM_LEFT_FAILED, 0);
    fvm_asm_jump_to(as, ALWAYS, leave);
    return leave;
}

static void call_c(fvm_asm *as, fvm_runtime *runtime, const uint8_t *leave) {
    runtime->call_c = as->at;
    save_state(as);
    move_wide(as, RSP, LINK); /* state is in the VM: these keep what is ours */
    move(as, RRP, RS1);
    move_wide(as, X0, RVM);
    two(as, CALL_AT, 0, RS0);
    subtract_const(as, ZERO, X0, 0);
    uint8_t *failed = fvm_asm_jump(as, NE);
    move_wide(as, LINK, RSP);
    load_state(as);
    put(as, RETURN);
    fvm_asm_patch(failed, as->at);
    memory(as, STORE, X0, RVM, FIELD(jit.status));
    move(as, RS0, RRP);
    load_state(as);
    set(as, RS1, FVM_LEFT_FAILED, 0);
    fvm_asm_jump_to(as, ALWAYS, leave);
}

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime) {
    call_c(as, runtime, ways_in_and_out(as, runtime));
}

void fvm_asm_call_c(fvm_asm *as, const fvm_runtime *runtime, fvm_status (*function)(fvm *),
                    fvm_addr at) {
    set_pointer(as, RS0, (uintptr_t)function);
    set(as, RS1, (fvm_cell)at, 0);
    fvm_asm_call(as, runtime->call_c);
}

void fvm_asm_published(const uint8_t *from, const uint8_t *to) {
    __builtin___clear_cache((char *)(uintptr_t)from, (char *)(uintptr_t)to);
}

#endif
