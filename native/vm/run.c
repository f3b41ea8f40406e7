/* run.c: runs of words.
 *
 * It owns the nesting of runs, calls by the host, the host's access to the parameter stack, and
 * buffered output. */
#include "vm/decode.h"
#include "vm/primitives.h"
#include "vm/run.h"
#include "vm/vm.h"

#include "generated/ops.h"

/* --- runs ------------------------------------------------------------------------- */

/* Runs a word in the interpreter, and counts the run as a profile sample of the word. */
static fvm_status interpret(fvm *vm, fvm_addr cfa) {
    if (vm->inner == fvm_inner && fvm_opcode_at(vm, cfa) == FVM_OP_COLON)
        vm->jit.hooks->on_interpreted_run(vm, cfa + FVM_BODY);
    return vm->inner(vm, cfa);
}

/* Runs a word that may pop return stack cells above `base`; the caller restores vm->rp.  next: 0,
 * or the instruction of a move's code at which to start. */
static inline fvm_status run_above(fvm *vm, fvm_addr cfa, fvm_addr next, fvm_cell *base) {
    FVM_ASSERT(fvm_stacks_are_valid(vm, vm->sp) && base <= vm->rp);
    if (vm->nesting >= vm->max_nesting)
        return fvm_fail(vm, FVM_ERR_NESTING, vm->nesting, "runs are nested too deep");
    /* The work is charged so that the limits also end a loop in C that runs words without steps. */
    fvm_status status = vm->interrupted ? FVM_ERR_INTERRUPT : fvm_charge_work(vm, 16);
    if (status != FVM_OK) {
        fvm_record(vm, status, 0);
        return status;
    }
    fvm_cell *rbase = vm->rbase;
    if (vm->nesting == 0) {
        fvm_begin_stack(vm);
        if (!vm->generating && vm->source == NULL)
            fvm_begin_request(vm);
    }
    vm->nesting++;
    fvm_set_return_base(vm, base);
    if (next != 0)
        status = fvm_run_move_code(vm, cfa, next);
    else if (vm->rp < vm->rstack_high && fvm_can_enter(vm, cfa))
        status = fvm_enter_word(vm, cfa);
    else
        status = interpret(vm, cfa);
    FVM_ASSERT(fvm_stacks_are_valid(vm, vm->sp) && vm->nesting > 0);
    vm->nesting--;
    fvm_set_return_base(vm, rbase);
    return status;
}

fvm_status fvm_run(fvm *vm, fvm_addr cfa) {
    fvm_cell *rp = vm->rp;
    fvm_status status = run_above(vm, cfa, 0, rp);
    vm->rp = rp;
    return status;
}

fvm_status fvm_run_to_exit(fvm *vm, fvm_addr cfa) {
    fvm_status status = fvm_run(vm, cfa);
    return status == FVM_EXIT_VERIFY ? FVM_OK : status;
}

fvm_status fvm_run_move(fvm *vm, fvm_addr cfa, fvm_addr next) {
    fvm_cell *rp = vm->rp;
    fvm_status status = run_above(vm, cfa, next, rp);
    vm->rp = rp;
    return status == FVM_EXIT_VERIFY ? FVM_OK : status;
}

fvm_status fvm_run_token(fvm *vm, fvm_addr cfa, fvm_cell *base) {
    fvm_cell *rp = vm->rp;
    fvm_status status = run_above(vm, cfa, 0, base);
    if (status != FVM_OK || vm->rp < base)
        vm->rp = rp;
    return status == FVM_EXIT_VERIFY ? FVM_OK : status;
}

fvm_status fvm_call(fvm *vm, fvm_addr cfa, fvm_cell *result) {
    fvm_cell *base = vm->sp;
    fvm_status status = fvm_run_to_exit(vm, cfa);
    *result = vm->sp > base ? *vm->sp : 0;
    fvm_set_stack(vm, base);
    return status;
}

/* Runs a word for the host.  If the run leaves a negative depth, reports an underflow: outside of
 * checked mode, words may pop items below the base without an error. */
static fvm_status host_run(fvm *vm, fvm_addr cfa) {
    fvm_status status = fvm_run_to_exit(vm, cfa);
    if (vm->sp < vm->stack) {
        fvm_set_stack(vm, vm->stack);
        if (status == FVM_OK) {
            fvm_record(vm, FVM_ERR_STACK_UNDERFLOW, 0);
            status = FVM_ERR_STACK_UNDERFLOW;
        }
    }
    if (vm->nesting == 0)
        fvm_flush(vm);
    return status;
}

fvm_status fvm_execute(fvm *vm, fvm_addr cfa) {
    fvm_begin(vm, FVM_PHASE_CALL);
    vm->running = cfa;
    return host_run(vm, cfa);
}

fvm_status fvm_host_word(fvm *vm, fvm_cell body) {
    fvm_cell id = 0;
    if (fvm_load_cell(vm, (fvm_addr)body, &id) != FVM_OK)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a host word without a host");
    if (id < 0 && vm->standard && vm->service != NULL)
        return vm->service(vm, ~(uint32_t)id);
    if (vm->hooks.word == NULL)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a host word without a host");
    vm->external_effects++;
    const int result = vm->hooks.word(vm->host, id);
    if (result > 0)
        return FVM_ERR_HOST;
    vm->failed = vm->located = false; /* the host has handled failures of nested runs */
    if (result == 0)
        return FVM_OK;
    fvm_cell value = 0;
    fvm_pop(vm, &value);
    return fvm_fail(vm, (fvm_status)-result, value, "%s", "");
}

/* --- the parameter stack for the host --------------------------------------------- */

int32_t fvm_depth(const fvm *vm) { return fvm_depth_of(vm); }

fvm_status fvm_push(fvm *vm, fvm_cell value) { return fvm_put_top(vm, value); }

fvm_status fvm_pop(fvm *vm, fvm_cell *value) {
    *value = 0;
    /* Host words may pop below the base, like other words. */
    if (vm->nesting == 0 ? fvm_depth_of(vm) < 1 : fvm_need(vm, 1) != FVM_OK)
        return FVM_ERR_STACK_UNDERFLOW;
    *value = fvm_drop(vm);
    return FVM_OK;
}

fvm_cell fvm_pick(const fvm *vm, int32_t from_top) {
    if (from_top < 0 || from_top >= vm->sp - vm->stack)
        return 0;
    return vm->sp[-from_top];
}

void fvm_clear_stack(fvm *vm) {
    vm->sp = vm->stack;
    *vm->stack = 0;
}

/* --- output ----------------------------------------------------------------------- */

void fvm_flush(fvm *vm) {
    uint32_t length = vm->out_length;
    vm->out_length = 0;
    if (length > 0 && vm->hooks.output != NULL && vm->hooks.output(vm->host, vm->out, length) != 0)
        fvm_fail(vm, FVM_ERR_HOST, 0, "%s", "the output hook failed");
}

fvm_status fvm_emit(fvm *vm, const char *text, uint32_t length) {
    vm->external_effects++;
    while (length > 0) {
        if (vm->out_length == FVM_OUT_BYTES) {
            uint32_t bytes = vm->out_length;
            vm->out_length = 0;
            if (vm->hooks.output != NULL && vm->hooks.output(vm->host, vm->out, bytes) != 0)
                return FVM_ERR_HOST;
            FVM_TRY(fvm_charge_work(vm, bytes));
        }
        uint32_t copied = FVM_OUT_BYTES - vm->out_length;
        if (copied > length)
            copied = length;
        memcpy(vm->out + vm->out_length, text, copied);
        vm->out_length += copied;
        text += copied;
        length -= copied;
    }
    return FVM_OK;
}
