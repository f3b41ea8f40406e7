/* dictionary_services.c: searches of word lists, and source positions, for the interpreter that is
 * written in Forth. */
#include "forth2012/services.h"

enum { MAX_HEADERS = 1 << 20 }; /* scripts may have damaged a list so that it is a cycle */

static uint8_t upper(uint8_t c) { return c >= 'a' && c <= 'z' ? (uint8_t)(c - 32) : c; }

static bool is_name(const fvm *vm, fvm_addr text, const uint8_t *name, uint32_t length) {
    if (!fvm_in(vm, text, length + 1) || vm->mem[text + length] != 0)
        return false;
    for (uint32_t i = 0; i < length; i++)
        if (upper(vm->mem[text + i]) != upper(name[i]))
            return false;
    return true;
}

fvm_status fvm_service_search(fvm *vm) {
    fvm_status status = fvm_need(vm, 3);
    if (status != FVM_OK)
        return status;
    const fvm_addr list = (fvm_addr)fvm_drop(vm);
    const uint32_t length = (uint32_t)fvm_drop(vm);
    const fvm_addr text = (fvm_addr)fvm_drop(vm);
    fvm_addr nfa = 0;
    uint32_t steps = 0;
    if (length > 0 && fvm_in(vm, text, length) && fvm_in(vm, list, 4))
        nfa = (fvm_addr)fvm_get(vm, list);
    while (nfa != 0 && steps++ < MAX_HEADERS) {
        if (!fvm_in_header(vm, nfa)) {
            nfa = 0;
            break;
        }
        if ((fvm_get(vm, nfa + FVM_HEADER_FLAGS) & FVM_FLAG_HIDDEN) == 0 &&
            is_name(vm, (fvm_addr)fvm_get(vm, nfa), vm->mem + text, length))
            break;
        nfa = (fvm_addr)fvm_get(vm, nfa + FVM_HEADER_LINK);
    }
    status = fvm_charge_work(vm, 16 + 2 * steps);
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
