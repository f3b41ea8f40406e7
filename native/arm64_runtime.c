/* arm64_runtime.c: what all machine code shares on AArch64: the ways in and out, calls of C,
 * stores that are not usual, EXECUTE.
 *
 * It owns the layout of the host's stack under the procedure call standard; it must not know
 * Forth beyond the layout of the VM. */
#include "tier.h"

#if defined(FVM_TIER_ARM64)

#include "arm64.h"

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
    memory(as, LOAD_POINTER, X2, RVM, FIELD(native_frame)); /* the outer one */
    push(as, X2, ZERO);
    memory(as, LOAD_POINTER, RMEM, RVM, FIELD(mem));
    load_state(as);
    short_const(as, WIDE, X2, STACK, 0);
    memory(as, STORE_POINTER, X2, RVM, FIELD(native_frame));
    two(as, CALL_AT, 0, X1);
    runtime->go_to = as->at;
    set(as, RS1, FVM_LEFT_GO, 0);
    const uint8_t *leave = as->at;
    save_state(as);
    memory(as, LOAD_POINTER, X2, RVM, FIELD(native_frame));
    short_const(as, WIDE, STACK, X2, 0);
    pop(as, X2, X1);
    memory(as, STORE_POINTER, X2, RVM, FIELD(native_frame));
    for (int i = RTOS - 1; i >= RSP; i -= 2)
        pop(as, i, i + 1);
    pop(as, FRAME, LINK);
    three(as, OP_OR | WIDE | 32 << OP_SHIFT_LEFT, X0, RS0, RS1);
    put(as, RETURN);
    runtime->resume = as->at;
    set(as, RS1, FVM_LEFT_RESUME, 0);
    fvm_asm_jump_to(as, ALWAYS, leave);
    runtime->give_up = as->at;
    fvm_asm_store_const(as, VM, FIELD(native_status), FVM_EXIT_VERIFY);
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
    memory(as, STORE, X0, RVM, FIELD(native_status));
    move(as, RS0, RRP);
    load_state(as);
    set(as, RS1, FVM_LEFT_FAILED, 0);
    fvm_asm_jump_to(as, ALWAYS, leave);
}

/* S1: where a definition's code begins: there, if it has been compiled. */
static void tail(fvm_asm *as, fvm_runtime *runtime) {
    _Static_assert(sizeof(fvm_slot) == 16, "a slot's place");
    memory(as, LOAD, X0, RRP, 0);
    add_const(as, 0, X0, X0, -4);
    memory(as, STORE, X0, RVM, FIELD(native_ip));
    move(as, RS0, RS1);
    rotate_right(as, X0, RS1, 2);
    add_const(as, 0, X0, X0, -FVM_LOW / 4);
    memory(as, LOAD, X1, RVM, FIELD(hot_cells));
    compare(as, 0, X0, X1);
    fvm_asm_jump_to(as, ABOVE_EQ, runtime->go_to);
    add_const(as, 0, X0, X0, FVM_LOW / 4);
    memory(as, LOAD_POINTER, X1, RVM, FIELD(code));
    three(as, OP_ADD | WIDE | 4 << OP_SHIFT_LEFT, X0, X1, X0);
    memory(as, LOAD_POINTER, X1, RVM, FIELD(native_go));
    memory(as, LOAD_POINTER, X2, X0, (int32_t)offsetof(fvm_slot, go));
    compare(as, WIDE, X1, X2);
    fvm_asm_jump_to(as, NE, runtime->go_to);
    memory(as, LOAD, X0, X0, (int32_t)offsetof(fvm_slot, a));
    memory(as, LOAD_POINTER, X1, RVM, FIELD(native_code));
    three(as, OP_ADD | WIDE, X0, X0, X1);
    two(as, JUMP_AT, 0, X0);
}

/* S0: token, S1: where it comes back to. */
static void execute(fvm_asm *as, fvm_runtime *runtime) {
    uint8_t *odd[8];
    int odds = 0;
    runtime->execute = as->at;
    compare_span(as, X0, RS0, 0);
    odd[odds++] = fvm_asm_jump(as, ABOVE);
    fvm_asm_compare_pointer(as, RP, 0, offsetof(fvm, rstack_high));
    odd[odds++] = fvm_asm_jump(as, ABOVE_EQ);
    subtract_const(as, ZERO, RFUEL, 0);
    odd[odds++] = fvm_asm_jump(as, LE);
    three(as, LOAD | INDEXED, X0, RMEM, RS0);
    subtract_const(as, ZERO, X0, (fvm_cell)(FVM_CODE_TAG | FVM_OP_COLON));
    uint8_t *other = fvm_asm_jump(as, NE);
    fvm_asm_spend(as, 1);
    moving(as, STORE | MOVED_BEFORE, RS1, RRP, 4);
    add_const(as, 0, RS1, RS0, 4);
    tail(as, runtime);
    fvm_asm_patch(other, as->at);
    subtract_const(as, ZERO, X0, (fvm_cell)(FVM_CODE_TAG | FVM_OP_DOES));
    odd[odds++] = fvm_asm_jump(as, NE);
    memory(as, LOAD_BYTE, X0, RVM, FIELD(checked)); /* there it may be an array */
    subtract_const(as, ZERO, X0, 0);
    odd[odds++] = fvm_asm_jump(as, NE);
    compare_span(as, X0, RS0, 4);
    odd[odds++] = fvm_asm_jump(as, ABOVE);
    fvm_asm_compare_pointer(as, SP, 0, offsetof(fvm, stack_most) + sizeof(fvm_cell *));
    odd[odds++] = fvm_asm_jump(as, ABOVE);
    fvm_asm_spend(as, 1);
    moving(as, STORE | MOVED_BEFORE, RS1, RRP, 4);
    moving(as, STORE | MOVED_AFTER, RTOS, RSP, 4);
    add_const(as, 0, RTOS, RS0, 8);
    three(as, OP_ADD | WIDE, X0, RMEM, RS0);
    memory(as, LOAD, RS1, X0, 4);
    tail(as, runtime);
    for (int i = 0; i < odds; i++)
        fvm_asm_patch(odd[i], as->at);
    moving(as, STORE | MOVED_AFTER, RTOS, RSP, 4); /* the token back where it was */
    move(as, RTOS, RS0);
    add_const(as, 0, RS0, RS1, -4);
    fvm_asm_jump_to(as, ALWAYS, runtime->resume);
}

void fvm_asm_runtime(fvm_asm *as, fvm_runtime *runtime) {
    call_c(as, runtime, ways_in_and_out(as, runtime));
    execute(as, runtime);
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
