/* ring_buffers.c: the two ring buffers of the image, queues of cells for scripts.
 *
 * It owns their layout at FVM_RINGS: the index of the next item to read, the index of the next item
 * to write, FVM_RING_ITEMS items. */
#include "vm/primitives.h"
#include "vm/vm.h"

static fvm_addr ring_at(int ring) { return (fvm_addr)(FVM_RINGS + ring * FVM_RING_BYTES); }

void fvm_ring_reset(fvm *vm, int ring) {
    fvm_put(vm, ring_at(ring), 0);
    fvm_put(vm, ring_at(ring) + 4, 0);
}

/* Here and in fvm_ring_remove, indexes are masked because scripts may overwrite them. */
void fvm_ring_add(fvm *vm, int ring, fvm_cell item) {
    uint32_t write = (uint32_t)fvm_get(vm, ring_at(ring) + 4) & (FVM_RING_ITEMS - 1);
    fvm_put(vm, ring_at(ring) + 8 + 4 * write, item);
    fvm_put(vm, ring_at(ring) + 4, (fvm_cell)((write + 1) & (FVM_RING_ITEMS - 1)));
}

fvm_cell fvm_ring_remove(fvm *vm, int ring) {
    uint32_t read = (uint32_t)fvm_get(vm, ring_at(ring)) & (FVM_RING_ITEMS - 1);
    fvm_put(vm, ring_at(ring), (fvm_cell)((read + 1) & (FVM_RING_ITEMS - 1)));
    return fvm_get(vm, ring_at(ring) + 8 + 4 * read);
}

fvm_cell fvm_ring_empty(fvm *vm, int ring) {
    return -(fvm_get(vm, ring_at(ring)) == fvm_get(vm, ring_at(ring) + 4));
}
