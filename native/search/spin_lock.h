/* spin_lock.h: a lock for work of about a microsecond, which is less than a mutex takes to put a
 * thread to sleep. */
#ifndef FVM_SPIN_LOCK_H
#define FVM_SPIN_LOCK_H

#include "os/os.h"

#include <stdatomic.h>
#include <stdbool.h>

static inline void fvm_spin_lock(atomic_bool *locked) {
    enum { SPINS = 256 };
    for (int spins = 1; atomic_exchange_explicit(locked, true, memory_order_acquire);)
        while (atomic_load_explicit(locked, memory_order_relaxed))
            if (spins++ % SPINS == 0)
                fvm_yield();
}

static inline void fvm_spin_unlock(atomic_bool *locked) {
    atomic_store_explicit(locked, false, memory_order_release);
}

#endif
