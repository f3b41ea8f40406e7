/* errors.c: the error record, and warnings.
 *
 * A failure is recorded once, where it happens: fvm_fail records its status, value and text,
 * fvm_record its address and callers.  Outer runs only return the status. */
#include "vm/decode.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
    fvm_status status;
    const char *name;
} names[] = {
    {FVM_OK, "no error"},
    {FVM_ERR_STACK_UNDERFLOW, "stack underflow"},
    {FVM_ERR_STACK_OVERFLOW, "stack overflow"},
    {FVM_ERR_RETURN_UNDERFLOW, "return stack underflow"},
    {FVM_ERR_RETURN_OVERFLOW, "recursion too deep (return stack overflow)"},
    {FVM_ERR_ADDRESS, "address outside the memory"},
    {FVM_ERR_DIVISION, "division by zero"},
    {FVM_ERR_UNDEFINED, "undefined word"},
    {FVM_ERR_BAD_CODE, "not a word"},
    {FVM_ERR_UNSET_DEFER, "a DEFER was run before it was set"},
    {FVM_ERR_ABORT, "ABORT"},
    {FVM_ERR_QUIT, "QUIT"},
    {FVM_ERR_MESSAGE, "error raised by the script"},
    {FVM_ERR_STEPS, "step limit reached"},
    {FVM_ERR_TIME, "time limit reached"},
    {FVM_ERR_INTERRUPT, "interrupted"},
    {FVM_ERR_MEMORY, "memory limit reached"},
    {FVM_ERR_NESTING, "nested too deep"},
    {FVM_ERR_CONTROL, "unbalanced control structure"},
    {FVM_ERR_SECTION, "section not balanced"},
    {FVM_ERR_LIMIT, "limit exceeded"},
    {FVM_ERR_CONTEXT, "word not allowed here"},
    {FVM_ERR_MOVE, "a move that cannot be built"},
    {FVM_ERR_MOVE_TEXT, "move text too long"},
    {FVM_ERR_PARTIAL, "text of a partial move does not begin with `partial`"},
    {FVM_ERR_NO_MOVE, "the search did not produce a move"},
    {FVM_ERR_END_OF_SOURCE, "the source ends where a name is needed"},
    {FVM_ERR_HOST, "a hook of the host failed"},
    {FVM_ERR_NO_FILE, "file not found"},
    {FVM_ERR_LIBRARY, "the library lacks a word"},
    {FVM_ERR_BOUNDS, "index outside an array"},
    {FVM_ERR_NO_GAME, "no game"},
    {FVM_ERR_STOPPED, "the engine was stopped"},
    {FVM_ERR_THROW, "THROW without CATCH"},
};

const char *fvm_status_name(fvm_status status) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            return names[i].name;
    return "unknown error";
}

const fvm_error *fvm_last_error(const fvm *vm) { return &vm->error; }

void fvm_begin(fvm *vm, fvm_phase phase) {
    vm->phase = (int32_t)phase;
    if (vm->nesting == 0) {
        vm->failed = vm->located = false;
        vm->error.status = FVM_OK;
        if (vm->source == NULL)
            fvm_begin_request(vm);
    }
}

fvm_status fvm_fail(fvm *vm, fvm_status status, fvm_cell value, const char *format, ...) {
    if (vm->failed)
        return status;
    vm->failed = true;
    vm->error.status = (int32_t)status;
    vm->error.value = value;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(vm->error.text, sizeof vm->error.text, format, arguments);
    va_end(arguments);
    return status;
}

/* Stores the name of the unset DEFER word in the error text.  The body of a DEFER word, which is a
 * DOES> word, contains the token of its action.  So the unset word is the innermost called DOES>
 * word whose body contains the token `action`. */
static void name_unset_defer(fvm *vm, fvm_addr action) {
    fvm_addr callers[65];
    int count = 0;
    for (int i = 0; i < vm->error.trace_count; i++) {
        fvm_addr at = vm->error.trace[i];
        if (fvm_in(vm, at, 4))
            callers[count++] = (fvm_addr)fvm_get(vm, at);
    }
    callers[count++] = vm->running;
    for (int i = 0; i < count; i++) {
        fvm_addr cfa = callers[i];
        if (fvm_opcode_at(vm, cfa) == FVM_OP_DOES && fvm_in(vm, cfa + FVM_DOES_BODY, 4) &&
            (fvm_addr)fvm_get(vm, cfa + FVM_DOES_BODY) == action) {
            fvm_name(vm, cfa - FVM_HEADER_BYTES, vm->error.text, (int32_t)sizeof vm->error.text);
            return;
        }
    }
}

void fvm_record(fvm *vm, fvm_status status, fvm_addr ip) {
    fvm_error *error = &vm->error;
    if (status == FVM_EXIT_VERIFY || vm->located)
        return;
    vm->located = true;
    if (!vm->failed) {
        vm->failed = true;
        error->status = (int32_t)status;
        error->text[0] = 0;
    }
    error->phase = vm->phase;
    error->ip = ip == FVM_K_STOP - 4 || ip == FVM_K_STOP ? 0 : ip;
    error->word = error->ip != 0 && fvm_in(vm, ip, 4) ? (fvm_addr)fvm_get(vm, ip) : vm->running;
    error->source_pos = vm->source != NULL ? vm->token_pos : 0;
    error->trace_count = error->trace_total = 0;
    for (fvm_cell *at = vm->rp; at > vm->rstack; at--) {
        if (at - vm->rstack >= 3 && at[-2] == LOOP_MARK) {
            at -= 2;
            continue;
        }
        /* The cell before a return address contains the called token.  The return address of a
         * nested run is FVM_K_STOP, which is not a call. */
        fvm_addr call = (fvm_addr)*at - 4;
        if (!fvm_in(vm, call, 4) || (fvm_addr)*at == FVM_K_STOP ||
            fvm_opcode_at(vm, (fvm_addr)fvm_get(vm, call)) < FVM_PRIMITIVES)
            continue;
        error->trace_total++;
        if (error->trace_count < (int32_t)(sizeof error->trace / sizeof *error->trace))
            error->trace[error->trace_count++] = call;
    }
    error->from = error->piece = -1;
    error->player = fvm_lib_get_or(vm, vm->lib.player, -1);
    if (vm->generating) {
        error->from = fvm_lib_get_or(vm, vm->lib.from, -1);
        error->piece = fvm_lib_get_or(vm, vm->lib.piece, -1);
    }
    if ((status == FVM_ERR_BAD_CODE || status == FVM_ERR_CONTROL) && vm->rp - vm->rstack >= 2 &&
        vm->rp[-1] == LOOP_MARK) {
        /* The definition returned to the index of the loop instead of its return address. */
        error->status = FVM_ERR_CONTROL;
        snprintf(error->text, sizeof error->text, "EXIT inside DO … LOOP, or DO without LOOP");
    }
    error->steps = fvm_steps(vm);
    if (status == FVM_ERR_UNSET_DEFER)
        name_unset_defer(vm, vm->primitives[FVM_OP_UNSET]);
    else if (status == FVM_ERR_ABORT) {
        name_unset_defer(vm, vm->primitives[FVM_OP_ABORT]);
        if (error->text[0] != 0)
            error->status = FVM_ERR_UNSET_DEFER;
    }
}

void fvm_warn(fvm *vm, const char *format, ...) {
    if (vm->warning_count >= FVM_MAX_WARNINGS)
        return;
    fvm_warning_record *record = &vm->warnings[vm->warning_count++];
    record->pos = vm->source != NULL ? vm->token_pos : 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(record->text, sizeof record->text, format, arguments);
    va_end(arguments);
}

int32_t fvm_warning(const fvm *vm, int32_t index, char *buffer, int32_t size, uint32_t *pos) {
    if (index < 0 || index >= vm->warning_count || size < 0)
        return -1;
    *pos = vm->warnings[index].pos;
    return (int32_t)snprintf(buffer, (size_t)size, "%s", vm->warnings[index].text);
}
