/* measure.h: runs a program repeatedly for at least a given time and prints the processor time. */
#ifndef MEASURE_H
#define MEASURE_H
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef int32_t program(int32_t size);

static inline double seconds_used(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Prints the microseconds of processor time of all runs, the number of runs and the last result. */
static inline int measure(program *run, int32_t size, int milliseconds) {
    volatile int32_t unknown_size = size; /* prevents constant folding of the result */
    double began = seconds_used(), took;
    long runs = 0;
    int32_t result;
    do {
        result = run(unknown_size);
        runs++;
        took = seconds_used() - began;
    } while (took < 1e-3 * milliseconds);
    printf("%.0f %ld %d\n", 1e6 * took, runs, (int)result);
    return 0;
}

#endif
