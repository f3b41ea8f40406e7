/* clock.c: the time that limits are measured by.
 *
 * It owns what happens when the clock of the system is set to another time.  It must not know the
 * limits. */
#include "vm/vm.h"

#include <time.h>

#if defined(CLOCK_MONOTONIC) && !defined(FVM_NO_MONOTONIC_CLOCK)

double fvm_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#else

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

#endif
