/* traced_interpreter.c: the second instance of the inner interpreter, which shows every token to
 * trace.c.
 *
 * It owns the decoding of each cell before it runs, and the record of open calls.  It has the
 * handlers of the instance in vm/ but neither translated code nor superinstructions: a slot
 * contains one token.  What a run does and what steps it counts is the same in both. */
#define FVM_TRACED 1 /* for special_opcodes.def: operations of translated code do not occur */
#include "trace/trace.h"
#include "vm/handler_macros.h"

#define SPEND_TO(target_) SPEND
#define GOTO(target_)                                                                              \
    do {                                                                                           \
        cold.ip = (target_);                                                                       \
        NEXT;                                                                                      \
    } while (0)
/* A call.  If translated code runs it as one slot, it counts no step and needs no room. */
#define ENTER                                                                                      \
    do {                                                                                           \
        if (FVM_UNLIKELY(rp >= vm->rstack_high && !inlined))                                       \
            FAIL(FVM_ERR_RETURN_OVERFLOW, 0);                                                      \
        *++rp = ip[-1].b;                                                                          \
        fvm_trace_enter(trace, (int32_t)(rp - vm->rstack), cold.at, cold.token,                    \
                        (int32_t)(sp - vm->stack));                                                \
    } while (0)
#define SPEND_CALL                                                                                 \
    do {                                                                                           \
        if (!inlined)                                                                              \
            SPEND;                                                                                 \
    } while (0)
#define RETURN                                                                                     \
    do {                                                                                           \
        cold.ip = (fvm_addr) * rp--;                                                               \
        NEXT;                                                                                      \
    } while (0)
#define EXECUTE_AT_ONCE(token_, back_)
#define NEXT goto next
#define BEFORE_EXECUTE                                                                             \
    do {                                                                                           \
        inlined = false;                                                                           \
        FVM_TRACE_TOKEN(cold.at, cold.token, true, (void)0);                                       \
    } while (0)

fvm_status fvm_inner_traced(fvm *vm, fvm_addr word) {
#include "vm/dispatch_targets.inc"
    fvm_trace *const trace = vm->trace;
    bool inlined = false; /* the call at hand is one slot in translated code, and counts no step */
    uint8_t *const mem = vm->mem;
    fvm_slot scratch[4];
    const fvm_slot *ip;
    fvm_cell *sp, *rp;
    fvm_cell tos;
    int32_t fuel;
    fvm_status status;
    one_by_one cold = {FVM_K_STOP, FVM_K_STOP - 4, word, FVM_K_STOP, 0, 0};

    ip = scratch + 1;
    RESTORE;
    goto execute;

/* clang-format off: labels, cases and handlers are laid out by hand. */
#if !defined(FVM_COMPUTED_GOTO)
dispatch:
    switch ((ip++)->go) {
#endif
    /* Decodes and runs the next cell. */
    next:
        {
            if (cold.op == FVM_OP_RETURN)
                fvm_trace_leave(trace, (int32_t)(rp - vm->rstack));
            bool shown = false;
        decode:
            if (fvm_in(vm, cold.ip, 4)) /* otherwise the error is attributed to the jump */
                cold.at = cold.ip;
            ip = scratch + 1;
            const fvm_instruction decoded = fvm_decode(vm, cold.ip);
            cold.token = decoded.token;
            if (FVM_UNLIKELY(decoded.op < 0)) {
                SAVE;
                /* Reports the error. */
                status = fvm_translate(vm, cold.ip, scratch, &cold.op, &cold.length, false);
                goto failed;
            }
            if (!shown) {
                shown = true;
                /* The hook may have changed the cell. */
                FVM_TRACE_TOKEN(cold.at, cold.token, false, goto decode);
            }
            scratch[0].b = (fvm_cell)(cold.ip + 4);
            cold.op = fvm_operation_of(vm, &decoded, scratch, false);
            inlined =
                (cold.op == FVM_OP_COLON || cold.op == FVM_OP_DOES) && fvm_is_inlined(vm, &decoded);
            scratch[0].go = GO_OF(cold.op);
            cold.ip += decoded.length;
            ip = scratch;
            DISPATCH;
        }
#include "vm/common_handlers.inc"
#if !defined(FVM_COMPUTED_GOTO)
    default:
        status = FVM_ERR_BAD_CODE;
        goto failed;
    }
#endif
    /* clang-format on */

failed:
    SAVE;
    vm->fault_ip = cold.at;
    fvm_trace_failed(vm, status, cold.at, cold.token);
    return status;
stopped:
    SAVE;
    return FVM_OK;
}
