/* exceptions.c: CATCH and THROW.
 *
 * It owns the throw codes of the errors of the VM, and what CATCH restores: the depths of the
 * stacks and the input.  Ends of a run that the host requests are no exceptions: limits,
 * interrupts, QUIT and errors of Python functions pass CATCH. */
#include "forth2012/services.h"

#include "vm/run.h"

static const struct {
    fvm_status status;
    fvm_cell code;
} codes[] = {
    {FVM_ERR_ABORT, -1},           {FVM_ERR_MESSAGE, -2},         {FVM_ERR_STACK_OVERFLOW, -3},
    {FVM_ERR_STACK_UNDERFLOW, -4}, {FVM_ERR_RETURN_OVERFLOW, -5}, {FVM_ERR_RETURN_UNDERFLOW, -6},
    {FVM_ERR_MEMORY, -8},          {FVM_ERR_ADDRESS, -9},         {FVM_ERR_DIVISION, -10},
    {FVM_ERR_UNDEFINED, -13},      {FVM_ERR_END_OF_SOURCE, -16},  {FVM_ERR_BAD_CODE, -9},
    {FVM_ERR_CONTEXT, -21},        {FVM_ERR_CONTROL, -22},        {FVM_ERR_NO_FILE, -38},
    {FVM_ERR_UNSET_DEFER, -21},    {FVM_ERR_BOUNDS, -9},          {FVM_ERR_NESTING, -53},
};
enum { CODES = sizeof codes / sizeof *codes };

/* Returns the throw code of a failure; 0: CATCH must not catch it. */
static fvm_cell code_of(const fvm *vm, fvm_status status) {
    if (status == FVM_ERR_THROW)
        return vm->error.value;
    for (int i = 0; i < CODES; i++)
        if (codes[i].status == status)
            return codes[i].code;
    return 0;
}

fvm_status fvm_service_catch(fvm *vm) {
    FVM_TRY(fvm_need(vm, 1));
    const fvm_addr token = (fvm_addr)fvm_drop(vm);
    fvm_cell *const sp = vm->sp;
    const fvm_cell floats = fvm_get(vm, FVM_K_FLOAT_TOP), locals = fvm_get(vm, FVM_K_LOCALS_TOP);
    const fvm_addr input = (fvm_addr)fvm_get(vm, FVM_K_INPUT);
    const bool has_input = fvm_in(vm, input, 4 * FVM_INPUT_CELLS);
    fvm_cell saved[FVM_INPUT_CELLS] = {0};
    for (uint32_t n = 0; has_input && n < FVM_INPUT_CELLS; n++)
        saved[n] = fvm_get(vm, input + 4 * n);
    const bool deeper = vm->max_nesting < FVM_MAX_NESTING + FVM_MAX_CATCHES;
    vm->max_nesting += deeper;
    fvm_status status = fvm_run(vm, token);
    vm->max_nesting -= deeper;
    if (status == FVM_OK)
        return fvm_put_top(vm, 0);
    const fvm_cell code = code_of(vm, status);
    if (code == 0)
        return status;
    fvm_set_stack(vm, sp);
    fvm_put(vm, FVM_K_FLOAT_TOP, floats);
    fvm_put(vm, FVM_K_LOCALS_TOP, locals);
    if (has_input)
        for (uint32_t n = 0; n < FVM_INPUT_CELLS; n++)
            fvm_put(vm, input + 4 * n, saved[n]);
    vm->failed = vm->located = false;
    vm->error.status = FVM_OK;
    return fvm_put_top(vm, code);
}

/* Fails with the error of a code, with the text as its detail. */
fvm_status fvm_service_throw(fvm *vm) {
    FVM_TRY(fvm_need(vm, 3));
    const fvm_cell code = fvm_drop(vm);
    uint32_t length = (uint32_t)fvm_drop(vm);
    const fvm_addr addr = (fvm_addr)fvm_drop(vm);
    if (!fvm_in(vm, addr, length))
        length = 0;
    fvm_status status = FVM_ERR_THROW;
    for (int i = CODES - 1; i >= 0; i--)
        if (codes[i].code == code)
            status = codes[i].status;
    if (status == FVM_ERR_MESSAGE && length == 0)
        status = FVM_ERR_ABORT;
    return fvm_fail(vm, status, code, "%.*s", length > 1000 ? 1000 : (int)length,
                    (const char *)vm->mem + addr);
}
