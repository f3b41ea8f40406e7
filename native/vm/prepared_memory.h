/* prepared_memory.h: memory for move lists, boards and turns that is checked once. */
#ifndef FVM_PREPARED_MEMORY_H
#define FVM_PREPARED_MEMORY_H

#include "vm/fast_path.h"

/* Prepares [start, end), which must be aligned, in addition to the memory that is prepared already
 * if both adjoin; false: no memory is prepared then. */
bool fvm_prepare_memory(fvm *vm, fvm_addr start, fvm_addr end);

/* Whether `bytes` bytes from an aligned address on are prepared. */
static inline bool fvm_is_prepared(const fvm *vm, fvm_addr at, uint32_t bytes) {
    return at >= vm->prepared && at <= vm->prepared_end && vm->prepared_end - at >= bytes;
}

/* The same; prepares them if possible. */
static inline bool fvm_ensure_prepared(fvm *vm, fvm_addr at, uint32_t bytes) {
    return FVM_LIKELY(fvm_is_prepared(vm, at, bytes)) || fvm_prepare_memory(vm, at, at + bytes);
}

#endif
