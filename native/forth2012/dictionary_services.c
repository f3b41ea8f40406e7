/* dictionary_services.c: searches of word lists, and source positions, for the interpreter that is
 * written in Forth. */
#include "forth2012/services.h"

fvm_status fvm_service_search(fvm *vm) {
    FVM_TRY(fvm_need(vm, 3));
    const fvm_addr list = (fvm_addr)fvm_drop(vm);
    const uint32_t length = (uint32_t)fvm_drop(vm);
    const fvm_addr text = (fvm_addr)fvm_drop(vm);
    const char *const name = (const char *)vm->mem + text;
    const fvm_addr nfa =
        length > 0 && fvm_in(vm, text, length) ? fvm_search_list(vm, list, name, length, true) : 0;
    fvm_status status = fvm_charge_work(vm, 16);
    return status == FVM_OK ? fvm_put_top(vm, (fvm_cell)nfa) : status;
}

fvm_status fvm_service_at(fvm *vm) {
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        vm->token_pos = (uint32_t)fvm_drop(vm);
    return status;
}

fvm_status fvm_service_type(fvm *vm) {
    fvm_cell addr, length;
    fvm_status status = fvm_drop_two(vm, &addr, &length);
    if (status != FVM_OK || length <= 0)
        return status;
    if (!fvm_in(vm, (fvm_addr)addr, (uint32_t)length))
        return fvm_fail(vm, FVM_ERR_ADDRESS, addr, "TYPE");
    return fvm_emit(vm, (const char *)vm->mem + (fvm_addr)addr, (uint32_t)length);
}
