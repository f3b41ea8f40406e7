/* arrays.c: the bounds of array words, for checked mode.
 *
 * It owns the number of items of array words, cached in vm->array_sizes. */
#include "vm/primitives.h"
#include "vm/vm.h"

/* How many items the word at cfa has if it is an array: of cells (its DOES> part lies in
 * `[]`) or of the board ({array}, {carray}: offset and count in the body); else -1.
 * *settled: the answer is valid until a word is defined. */
static fvm_status count_items(fvm *vm, fvm_addr cfa, fvm_cell *count, bool *settled) {
    fvm_addr maker = fvm_word_at(vm, (fvm_addr)fvm_get(vm, cfa + 4)), next = 0;
    char name[16];
    fvm_status status = fvm_charge_work(vm, 0); /* fvm_word_at has noted its work */
    fvm_name(vm, maker, name, (int32_t)sizeof name);
    *count = -1;
    *settled = true;
    if (strcmp(name, "[]") == 0) {
        /* The body ends at the name of the next header. */
        for (fvm_addr nfa = fvm_latest(vm); status == FVM_OK && nfa > cfa && fvm_in(vm, nfa, 16);
             nfa = fvm_previous(vm, nfa)) {
            next = nfa;
            status = fvm_charge_work(vm, 2);
        }
        fvm_addr end = next != 0 ? (fvm_addr)fvm_get(vm, next) : fvm_here(vm);
        *count = end > cfa + 8 ? (fvm_cell)((end - cfa - 8) / 4) : 0;
        *settled = next != 0;
    } else if ((strcmp(name, "{array}") == 0 || strcmp(name, "{carray}") == 0) &&
               fvm_in(vm, cfa + 12, 4)) {
        *count = fvm_get(vm, cfa + 12);
    }
    return status;
}

/* Checked mode: checks an index for the word at cfa, which may be an array. */
fvm_status fvm_check_array(fvm *vm, fvm_addr cfa, fvm_cell index) {
    fvm_array_size *known = &vm->array_sizes[(cfa >> 2) % FVM_ARRAY_SIZES];
    fvm_cell headers = fvm_get(vm, FVM_K_HEADERS);
    fvm_addr latest = fvm_latest(vm);
    if (known->cfa != cfa || known->headers != headers || known->latest != latest) {
        bool settled;
        fvm_array_size found = {cfa, latest, headers, 0};
        fvm_status status = count_items(vm, cfa, &found.count, &settled);
        if (status != FVM_OK)
            return status;
        *known = found;
        if (!settled)
            known->cfa = 0;
    }
    if (known->count < 0 || (index >= 0 && index < known->count))
        return FVM_OK;
    char name[128];
    fvm_name(vm, cfa - 12, name, (int32_t)sizeof name);
    return fvm_fail(vm, FVM_ERR_BOUNDS, index, "%s", name);
}
