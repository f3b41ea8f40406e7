/* traced_interpreter.c: the traced instance of the inner interpreter, which reports every token to
 * trace.c.
 *
 * It owns the decoding of each instruction, and the list of open calls.  It has the same handlers
 * as vm/inner_interpreter.c but no translated code: a slot contains one token.  Both instances have
 * the same results and count the same steps. */
#define FVM_TRACED 1 /* excludes operations of translated code from special_opcodes.def */
#include "trace/trace.h"
#include "vm/handler_macros.h"

#define SPEND_TO(target_) SPEND
#define GOTO(target_)                                                                              \
    do {                                                                                           \
        decoder.ip = (target_);                                                                    \
        NEXT;                                                                                      \
    } while (0)
/* Begins a call.  A call that translated code inlines is exempt from the limit of the return stack
 * here, and from the step in SPEND_CALL, so that steps and errors are the same in all tiers. */
#define ENTER                                                                                      \
    do {                                                                                           \
        if (FVM_UNLIKELY(rp >= vm->rstack_high && !inlined))                                       \
            FAIL(FVM_ERR_RETURN_OVERFLOW, 0);                                                      \
        *++rp = ip[-1].b;                                                                          \
        fvm_trace_enter(trace, (int32_t)(rp - vm->rstack), decoder.at, decoder.token,              \
                        (int32_t)(sp - vm->stack));                                                \
    } while (0)
#define SPEND_CALL                                                                                 \
    do {                                                                                           \
        if (!inlined)                                                                              \
            SPEND;                                                                                 \
    } while (0)
#define RETURN                                                                                     \
    do {                                                                                           \
        if (FVM_UNLIKELY(rp <= vm->rbase))                                                         \
            goto lost_return;                                                                      \
        decoder.ip = (fvm_addr) * rp--;                                                            \
        NEXT;                                                                                      \
    } while (0)
#define EXECUTE_DIRECTLY(token_, back_)
#define NEXT goto next
#define BEFORE_EXECUTE                                                                             \
    do {                                                                                           \
        inlined = false;                                                                           \
        FVM_TRACE_TOKEN(decoder.at, decoder.token, true, (void)0);                                 \
    } while (0)

fvm_status fvm_inner_traced(fvm *vm, fvm_addr word) {
#include "vm/dispatch_targets.inc"
    fvm_trace *const trace = vm->trace;
    bool inlined = false; /* translated code inlines the current call */
    uint8_t *const mem = vm->mem;
    fvm_slot scratch[4];
    const fvm_slot *ip;
    fvm_cell *sp, *rp;
    fvm_cell tos;
    int32_t fuel;
    fvm_status status;
    decoder_state decoder = {FVM_K_STOP, FVM_TRACE_RUN_CELL, word, FVM_K_STOP, 0, 0};

    ip = scratch + 1;
    RESTORE;
    goto execute;

/* clang-format off: labels, cases and handlers are laid out by hand. */
#if defined(FVM_SWITCH)
dispatch:
    switch ((ip++)->go) {
#endif
    /* Decodes and executes the next instruction. */
    next:
        {
            if (decoder.op == FVM_OP_RETURN)
                fvm_trace_leave(trace, (int32_t)(rp - vm->rstack));
            bool reported = false;
        decode:
            if (fvm_in(vm, decoder.ip, 4)) /* otherwise the error is reported at the jump */
                decoder.at = decoder.ip;
            ip = scratch + 1;
            const fvm_instruction decoded = fvm_decode(vm, decoder.ip);
            decoder.token = decoded.token;
            if (FVM_UNLIKELY(decoded.op < 0)) {
                SAVE;
                /* fvm_translate records the error. */
                status =
                    fvm_translate(vm, decoder.ip, scratch, &decoder.op, &decoder.length, false);
                goto failed;
            }
            if (!reported) {
                reported = true;
                /* Decodes the cell again after a stop, because the hook may have changed it. */
                FVM_TRACE_TOKEN(decoder.at, decoder.token, false, goto decode);
            }
            scratch[0].b = (fvm_cell)(decoder.ip + 4);
            decoder.op = fvm_operation_of(vm, &decoded, scratch, false);
            inlined = (decoder.op == FVM_OP_COLON || decoder.op == FVM_OP_DOES) &&
                      fvm_is_inlined(vm, &decoded);
            scratch[0].go = GO_OF(decoder.op);
            decoder.ip += decoded.length;
            ip = scratch;
            DISPATCH;
        }
#include "vm/common_handlers.inc"
#if defined(FVM_SWITCH)
    default:
        status = FVM_ERR_BAD_CODE;
        goto failed;
    }
#endif
    /* clang-format on */

failed:
    SAVE;
    vm->fault_ip = decoder.at;
    fvm_trace_failed(vm, status, decoder.at, decoder.token);
    return status;
stopped:
    SAVE;
    return FVM_OK;
}
