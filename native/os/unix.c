/* unix.c: the functions of os.h for Linux and other systems with POSIX, except macOS. */
#include "os/os.h"

#if defined(FVM_OS_UNIX)

#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0
#endif

static void *map_memory(size_t bytes, int flags) {
    flags |= MAP_PRIVATE | MAP_ANON;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void *fvm_reserve(size_t bytes) { return map_memory(bytes, MAP_NORESERVE); }

void *fvm_reserve_addresses(size_t bytes) { return fvm_reserve(bytes); }

/* Linux provides the pages at once, which takes less time than a page fault for each; without it,
 * the first accesses provide them. */
bool fvm_commit(void *from, size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
    const uintptr_t page = 4096, start = (uintptr_t)from & ~(page - 1);
    madvise((void *)start, (uintptr_t)from + bytes - start, MADV_POPULATE_WRITE);
#else
    (void)from;
    (void)bytes;
#endif
    return true;
}

void fvm_release(void *memory, size_t bytes) {
    if (memory != NULL)
        munmap(memory, bytes);
}

void *fvm_reserve_code(size_t bytes) { return map_memory(bytes, 0); }

void fvm_release_code(void *memory, size_t bytes) { munmap(memory, bytes); }

bool fvm_protect_code(void *memory, size_t bytes, fvm_code_access access) {
    return mprotect(memory, bytes, PROT_READ | (access == FVM_WRITABLE ? PROT_WRITE : PROT_EXEC)) ==
           0;
}

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
