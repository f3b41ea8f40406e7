/* scratch_memory.c: reads the table of the script's scratch memory.
 *
 * It owns the form of the table, a variable of the library: the number of ranges, then the begin
 * and the end of each. */
#include "vm/scratch_memory.h"

#include "vm/vm.h"

void fvm_scratch_find(const fvm *vm, fvm_scratch *scratch) {
    const fvm_addr table = vm->lib.scratch;
    const fvm_cell count = fvm_lib_get(vm, table);
    scratch->count = 0;
    if (count < 1 || count > FVM_SCRATCH_RANGES || !fvm_in(vm, table, 4 + 8 * (uint32_t)count))
        return;
    for (fvm_addr at = table + 4, last = 0; scratch->count < count; at += 8) {
        const fvm_addr begin = (fvm_addr)fvm_get(vm, at), end = (fvm_addr)fvm_get(vm, at + 4);
        if (begin < last || end < begin || ((begin | end) & 3) != 0 || end > vm->size) {
            scratch->count = 0;
            return;
        }
        scratch->ranges[scratch->count].begin = begin;
        scratch->ranges[scratch->count++].end = last = end;
    }
}
