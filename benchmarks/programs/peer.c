/* peer.c: the three programs in C, for comparison. Usage: peer fib|sieve|scan
 * Prints microseconds and the answer. */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int32_t fib(int32_t n) { return n < 2 ? 1 : fib(n - 1) + fib(n - 2); }

static volatile int32_t thirty = 30; /* else the compiler may know the answer */

static int32_t run_fib(void) { return fib(thirty); }

enum { SIZE = 8190 };
static char flags[SIZE + 2];

static int32_t sieve(void) {
    int32_t count = 0;
    memset(flags, 1, SIZE);
    for (int32_t i = 0; i < SIZE; i++) {
        if (flags[i]) {
            int32_t step = 2 * i + 3;
            for (int32_t k = step + i; k < SIZE; k += step) {
                flags[k] = 0;
            }
            count++;
        }
    }
    return count;
}

static int32_t run_sieve(void) {
    int32_t last = 0;
    for (int i = 0; i < 300; i++) {
        last = sieve();
    }
    return last;
}

static int32_t board[64];
static int32_t links[8][64];
static const int steps[8][2] = {{-1, 0}, {1, 0},   {0, 1}, {0, -1},
                                {-1, 1}, {-1, -1}, {1, 1}, {1, -1}};

static void set_up(void) {
    for (int dir = 0; dir < 8; dir++) {
        for (int pos = 0; pos < 64; pos++) {
            int row = pos / 8 + steps[dir][0], col = pos % 8 + steps[dir][1];
            int in = row >= 0 && row < 8 && col >= 0 && col < 8;
            links[dir][pos] = in ? 8 * row + col : -1;
        }
    }
    for (int pos = 0; pos < 64; pos++) {
        board[pos] = pos * 5 % 7 % 3;
    }
}

static int32_t scan_board(void) {
    int32_t total = 0;
    for (int pos = 0; pos < 64; pos++) {
        if (board[pos] != 1) {
            continue;
        }
        for (int dir = 0; dir < 8; dir++) {
            int here = pos;
            while (links[dir][here] >= 0) {
                here = links[dir][here];
                if (board[here] != 0) {
                    break;
                }
                total++;
            }
            total += board[here] == 2 ? 3 : 0;
        }
    }
    return total;
}

static int32_t run_scan(void) {
    int32_t sum = 0;
    set_up();
    for (int i = 0; i < 2000; i++) {
        sum += scan_board();
    }
    return sum;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "";
    int32_t (*run)(void) = strcmp(name, "fib") == 0     ? run_fib
                           : strcmp(name, "sieve") == 0 ? run_sieve
                                                        : run_scan;
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    int32_t answer = run();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    printf("%lld %d\n",
           (long long)((after.tv_sec - before.tv_sec) * 1000000 +
                       (after.tv_nsec - before.tv_nsec) / 1000),
           (int)answer);
    return 0;
}
