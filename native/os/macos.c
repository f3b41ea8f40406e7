/* macos.c: the functions of os.h for macOS.
 *
 * With the hardened runtime a process may contain machine code only if its signature says so.
 * Otherwise the system refuses the memory on Apple's processors, and to make it executable on
 * Intel's. */
#include "os/os.h"

#if defined(FVM_OS_MACOS)

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

static void *map_memory(size_t bytes, int access, int flags) {
    void *memory = mmap(NULL, bytes, access, flags | MAP_PRIVATE | MAP_ANON, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *fvm_reserve(size_t bytes) { return map_memory(bytes, PROT_READ | PROT_WRITE, MAP_NORESERVE); }

void *fvm_reserve_addresses(size_t bytes) { return fvm_reserve(bytes); }

bool fvm_commit(void *from, size_t bytes) {
    (void)from;
    (void)bytes;
    return true;
}

void fvm_release(void *memory, size_t bytes) {
    if (memory != NULL)
        munmap(memory, bytes);
}

#if defined(__aarch64__)

/* mprotect cannot make memory executable.  All memory with MAP_JIT is either writable or executable
 * for a thread; at its start it is executable. */
void *fvm_reserve_code(size_t bytes) {
    if (!pthread_jit_write_protect_supported_np())
        return NULL; /* the memory would be writable and executable */
    void *memory = map_memory(bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_JIT);
    if (memory != NULL)
        fvm_protect_code(memory, bytes, FVM_WRITABLE);
    return memory;
}

bool fvm_protect_code(void *memory, size_t bytes, fvm_code_access access) {
    (void)memory;
    (void)bytes;
    pthread_jit_write_protect_np(access == FVM_EXECUTABLE);
    return true;
}

#else

void *fvm_reserve_code(size_t bytes) { return map_memory(bytes, PROT_READ | PROT_WRITE, 0); }

bool fvm_protect_code(void *memory, size_t bytes, fvm_code_access access) {
    return mprotect(memory, bytes, PROT_READ | (access == FVM_WRITABLE ? PROT_WRITE : PROT_EXEC)) ==
           0;
}

#endif

void fvm_release_code(void *memory, size_t bytes) { munmap(memory, bytes); }

void fvm_publish_code(const void *from, const void *to) {
    __builtin___clear_cache((char *)from, (char *)to);
}

double fvm_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void fvm_yield(void) { sched_yield(); }

#endif
