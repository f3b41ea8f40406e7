/* windows.c: the functions of os.h for Windows. */
#include "os/os.h"

#if defined(FVM_OS_WINDOWS)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static void *allocate(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void *fvm_reserve(size_t bytes) { return allocate(bytes); }

void *fvm_reserve_addresses(size_t bytes) {
    return VirtualAlloc(NULL, bytes, MEM_RESERVE, PAGE_READWRITE);
}

bool fvm_commit(void *from, size_t bytes) {
    return VirtualAlloc(from, bytes, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

void fvm_release(void *memory, size_t bytes) {
    (void)bytes;
    if (memory != NULL)
        VirtualFree(memory, 0, MEM_RELEASE);
}

void *fvm_reserve_code(size_t bytes) { return allocate(bytes); }

void fvm_release_code(void *memory, size_t bytes) { fvm_release(memory, bytes); }

/* The system refuses to make memory executable in a process that prohibits dynamic code. */
bool fvm_protect_code(void *memory, size_t bytes, fvm_code_access access) {
    DWORD old;
    return VirtualProtect(memory, bytes,
                          access == FVM_WRITABLE ? PAGE_READWRITE : PAGE_EXECUTE_READ, &old) != 0;
}

void fvm_publish_code(const void *from, const void *to) {
    FlushInstructionCache(GetCurrentProcess(), from,
                          (size_t)((const char *)to - (const char *)from));
}

double fvm_now(void) {
    LARGE_INTEGER ticks, frequency; /* these calls cannot fail */
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    return (double)ticks.QuadPart / (double)frequency.QuadPart;
}

void fvm_yield(void) { SwitchToThread(); }

#endif
