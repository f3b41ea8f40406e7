/* double_numbers.c: multiplication and division with numbers of 64 bits. */
#include "forth2012/services.h"

fvm_status fvm_service_um_star(fvm *vm) {
    fvm_cell a, b;
    fvm_status status = fvm_drop_two(vm, &a, &b);
    if (status == FVM_OK)
        fvm_push_double(vm, (uint64_t)(uint32_t)a * (uint32_t)b);
    return status;
}

fvm_status fvm_service_m_star(fvm *vm) {
    fvm_cell a, b;
    fvm_status status = fvm_drop_two(vm, &a, &b);
    if (status == FVM_OK)
        fvm_push_double(vm, (uint64_t)((int64_t)a * b));
    return status;
}

/* Pops the operands of a division.  A divisor of 0 is an error. */
static fvm_status drop_operands(fvm *vm, uint64_t *dividend, fvm_cell *divisor) {
    FVM_TRY(fvm_need(vm, 3));
    *divisor = fvm_drop(vm);
    *dividend = fvm_drop_double(vm);
    return *divisor != 0 ? FVM_OK : fvm_fail(vm, FVM_ERR_DIVISION, 0, "%s", "");
}

/* A quotient that is too large is truncated to a cell. */
static fvm_status push_result(fvm *vm, uint64_t rem, uint64_t quot) {
    *++vm->sp = (fvm_cell)(uint32_t)rem;
    *++vm->sp = (fvm_cell)(uint32_t)quot;
    return FVM_OK;
}

fvm_status fvm_service_um_mod(fvm *vm) {
    uint64_t dividend;
    fvm_cell divisor;
    fvm_status status = drop_operands(vm, &dividend, &divisor);
    const uint64_t by = (uint32_t)divisor;
    return status == FVM_OK ? push_result(vm, dividend % by, dividend / by) : status;
}

static fvm_status divide(fvm *vm, bool floored) {
    uint64_t dividend;
    fvm_cell divisor;
    FVM_TRY(drop_operands(vm, &dividend, &divisor));
    const int64_t by = divisor, value = (int64_t)dividend;
    if (by == -1) /* the quotient of the smallest number has no representation */
        return push_result(vm, 0, 0 - dividend);
    int64_t quot = value / by, rem = value % by;
    if (floored && rem != 0 && (rem < 0) != (by < 0)) {
        quot--;
        rem += by;
    }
    return push_result(vm, (uint64_t)rem, (uint64_t)quot);
}

fvm_status fvm_service_sm_rem(fvm *vm) { return divide(vm, false); }
fvm_status fvm_service_fm_mod(fvm *vm) { return divide(vm, true); }
