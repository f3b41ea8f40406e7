/* random.c: the random streams, the clock and timers.
 *
 * The generator is a linear congruential generator with a shuffle table of 97 numbers.  It returns
 * the same numbers as the original engine (source: axiom-observed.md, section g, notes on the
 * original's behaviour; and the golden recordings).  Its state is in the image. */
#include "vm/primitives.h"
#include "vm/vm.h"

#include <stdlib.h>
#include <time.h>

/* Modulus, multiplier and increment of the generator; length of the table. */
enum { M = 714025, A = 1366, C = 150889, SLOTS = 97 };

/* The cells of a stream's state.  STARTED: nonzero if the table is filled; X: last number of the
 * congruential generator; Y: last number returned. */
enum { SEED = 0, STARTED = 1, X = 2, Y = 3, TABLE = 4 };
static fvm_addr cell_of(int stream, int cell) {
    return (fvm_addr)(FVM_K_RANDOM + 4 * (stream * FVM_RANDOM_CELLS + cell));
}

void fvm_seed(fvm *vm, int32_t stream, fvm_cell seed) {
    if (stream < 1 || stream > FVM_RANDOM_STREAMS)
        return;
    fvm_put(vm, cell_of(stream - 1, SEED), seed);
    fvm_put(vm, cell_of(stream - 1, STARTED), 0);
}

static fvm_cell step(fvm_cell x) { return (fvm_cell)(((int64_t)A * x + C) % M); }

/* Fills the table from the seed. */
static void start(fvm *vm, int stream) {
    int64_t seed = fvm_get(vm, cell_of(stream, SEED));
    /* 32-bit arithmetic as in the original, then C's remainder. */
    fvm_cell x = (fvm_cell)((uint32_t)C - (uint32_t)seed);
    x = abs(x % M);
    for (int i = 0; i < SLOTS; i++) {
        x = step(x);
        fvm_put(vm, cell_of(stream, TABLE + i), x);
    }
    x = step(x);
    fvm_put(vm, cell_of(stream, X), x);
    fvm_put(vm, cell_of(stream, Y), x);
    fvm_put(vm, cell_of(stream, STARTED), -1);
}

static bool is_valid_number(fvm_cell value) { return value >= 0 && value < M; }

/* Returns the next number of a stream, from 0 to M - 1. */
static fvm_cell draw(fvm *vm, int stream) {
    fvm_cell x = fvm_get(vm, cell_of(stream, X)), y = fvm_get(vm, cell_of(stream, Y));
    /* In the original, a negative seed restarts the stream for every number.  The checks of x and y
     * are needed because a script may have overwritten the state. */
    if (fvm_get(vm, cell_of(stream, STARTED)) == 0 || fvm_get(vm, cell_of(stream, SEED)) < 0 ||
        !is_valid_number(x) || !is_valid_number(y)) {
        start(vm, stream);
        x = fvm_get(vm, cell_of(stream, X));
        y = fvm_get(vm, cell_of(stream, Y));
    }
    int j = (int)((int64_t)SLOTS * y / M);
    y = fvm_get(vm, cell_of(stream, TABLE + j));
    if (!is_valid_number(y))
        y = 0;
    x = step(x);
    fvm_put(vm, cell_of(stream, TABLE + j), x);
    fvm_put(vm, cell_of(stream, X), x);
    fvm_put(vm, cell_of(stream, Y), y);
    return y;
}

/* Returns y / M, computed like the original: 1/M is rounded to single precision, the product is
 * not. */
static double to_unit_interval(fvm_cell y) { return (double)y * (double)(1.0f / (float)M); }

fvm_cell fvm_random_within(fvm *vm, int stream, fvm_cell low, fvm_cell high) {
    double span = (double)(fvm_cell)((uint32_t)high - (uint32_t)low + 1u);
    /* The original truncates the product, not the sum: 5 1 RAND-WITHIN returns 3 to 5. */
    fvm_cell offset = (fvm_cell)(to_unit_interval(draw(vm, stream)) * span);
    return (fvm_cell)((uint32_t)low + (uint32_t)offset);
}

float fvm_random_float(fvm *vm, int stream) { return (float)to_unit_interval(draw(vm, stream)); }

/* Stores 64 random bits from the third stream, so that hash keys do not change the random numbers
 * of a script. */
fvm_status fvm_word_rand64(fvm *vm) {
    FVM_TRY(fvm_need(vm, 1));
    fvm_addr addr = (fvm_addr)fvm_drop(vm);
    /* splitmix64 over a counter, because the generator above has too few distinct values. */
    uint64_t z = ((uint64_t)(uint32_t)fvm_get(vm, cell_of(2, X)) << 32) |
                 (uint32_t)fvm_get(vm, cell_of(2, Y));
    z += 0x9E3779B97F4A7C15u;
    fvm_put(vm, cell_of(2, X), (fvm_cell)(z >> 32));
    fvm_put(vm, cell_of(2, Y), (fvm_cell)(uint32_t)z);
    z ^= (uint64_t)(uint32_t)fvm_get(vm, cell_of(2, SEED)) * 0xD1342543DE82EF95u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    fvm_status status = fvm_store_cell(vm, addr, (fvm_cell)(uint32_t)z);
    return status == FVM_OK ? fvm_store_cell(vm, addr + 4, (fvm_cell)(z >> 32)) : status;
}

fvm_cell fvm_clock(fvm *vm) {
    return (fvm_cell)(uint32_t)(vm->fixed_clock ? (uint64_t)vm->clock : (uint64_t)time(NULL));
}

/* A timer consists of two cells: the low and the high half of the milliseconds of the monotonic
 * clock at its start. */
static int64_t milliseconds(void) { return (int64_t)(fvm_now() * 1000.0); }

fvm_status fvm_word_start_timer(fvm *vm) {
    FVM_TRY(fvm_need(vm, 1));
    fvm_addr addr = (fvm_addr)fvm_drop(vm);
    int64_t now = milliseconds();
    fvm_status status = fvm_store_cell(vm, addr, (fvm_cell)(uint32_t)now);
    return status == FVM_OK ? fvm_store_cell(vm, addr + 4, (fvm_cell)(now >> 32)) : status;
}

fvm_status fvm_word_read_timer(fvm *vm) {
    fvm_cell low, high;
    FVM_TRY(fvm_need(vm, 1));
    fvm_addr addr = (fvm_addr)fvm_drop(vm);
    FVM_TRY(fvm_load_cell(vm, addr, &low));
    FVM_TRY(fvm_load_cell(vm, addr + 4, &high));
    uint64_t started = ((uint64_t)(uint32_t)high << 32) | (uint32_t)low;
    return fvm_put_top(vm, (fvm_cell)(uint32_t)((uint64_t)milliseconds() - started));
}
