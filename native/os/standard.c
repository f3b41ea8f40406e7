/* standard.c: the functions of os.h with the standard library only.  There is no machine code. */
#include "os/os.h"

#if defined(FVM_OS_STANDARD)

#include <stdlib.h>
#include <time.h>

void *fvm_reserve(size_t bytes) { return calloc(1, bytes); }

void *fvm_reserve_addresses(size_t bytes) { return fvm_reserve(bytes); }

bool fvm_commit(void *from, size_t bytes) {
    (void)from;
    (void)bytes;
    return true;
}

void fvm_release(void *memory, size_t bytes) {
    (void)bytes;
    free(memory);
}

void *fvm_reserve_code(size_t bytes) {
    (void)bytes;
    return NULL;
}

void fvm_release_code(void *memory, size_t bytes) { fvm_release(memory, bytes); }

bool fvm_protect_code(void *memory, size_t bytes, fvm_code_access access) {
    (void)memory;
    (void)bytes;
    return access == FVM_WRITABLE;
}

void fvm_publish_code(const void *from, const void *to) {
    (void)from;
    (void)to;
}

/* In seconds.  Runs ask for the time much more often, so a longer step of the time of day means
 * that the clock was set ahead, or that no run needed the time. */
static const double largest_step = 1.0;

double fvm_now(void) {
    static _Thread_local double last, now;
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    double time = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    double step = time - last;
    last = time;
    if (step > 0)
        now += step < largest_step ? step : largest_step;
    return now;
}

void fvm_yield(void) {}

#endif
