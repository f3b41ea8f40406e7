/* random.c: random numbers for the generators, the same on every machine.
 *
 * Owns the algorithm (xorshift64*). */
#include "fuzz.h"

uint32_t fz_next(fz_random *random) {
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)((x * 0x2545F4914F6CDD1Du) >> 32);
}

uint32_t fz_below(fz_random *random, uint32_t limit) {
    return limit == 0 ? 0 : (uint32_t)(((uint64_t)fz_next(random) * limit) >> 32);
}
