/* wasm.c: the functions of os.h for WebAssembly, in which there is one VM and one thread. */
#include "os/os.h"

#if defined(FVM_OS_WASM)

#include <stdint.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 1 << 16 }; /* wasi-libc's sbrk adds whole pages only */

/* New memory is zero, and a browser provides a page when it is first used.  calloc would use all
 * pages. */
void *fvm_reserve(size_t bytes) {
    void *memory = sbrk((intptr_t)(bytes + PAGE - 1) & ~(intptr_t)(PAGE - 1));
    return memory == (void *)-1 ? NULL : memory;
}

void *fvm_reserve_addresses(size_t bytes) { return fvm_reserve(bytes); }

bool fvm_commit(void *from, size_t bytes) {
    (void)from;
    (void)bytes;
    return true;
}

/* The VM is never freed. */
void fvm_release(void *memory, size_t bytes) {
    (void)memory;
    (void)bytes;
}

double fvm_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void fvm_yield(void) {}

#endif
