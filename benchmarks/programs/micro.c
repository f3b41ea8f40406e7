/* micro.c: the small programs in C.  Usage: micro NAME SIZE MILLISECONDS
 * Each function run_NAME implements the algorithm of the word run-NAME in NAME.4th. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include <stdlib.h>
#include <string.h>

static int32_t fib(int32_t n) { return n < 2 ? 1 : fib(n - 1) + fib(n - 2); }

/* --- sieve --- */

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

static int32_t run_sieve(int32_t rounds) {
    int32_t last = 0;
    for (int32_t i = 0; i < rounds; i++) {
        last = sieve();
    }
    return last;
}

/* --- bubble sort --- */

static int32_t items[1000];

static int32_t run_bubble(int32_t n) {
    int32_t seed = 74755, sum = 0;
    for (int32_t i = 0; i < n; i++) {
        items[i] = seed = (seed * 1309 + 13849) & 65535;
    }
    for (int32_t top = n - 1; top > 0; top--) {
        for (int32_t i = 0; i < top; i++) {
            if (items[i] > items[i + 1]) {
                int32_t high = items[i];
                items[i] = items[i + 1];
                items[i + 1] = high;
            }
        }
    }
    for (int32_t i = 0; i < n; i++) {
        sum = (sum + items[i] * i) & 65535;
    }
    return sum;
}

/* --- matrices --- */

enum { ORDER = 40 };
static int32_t ma[ORDER][ORDER], mb[ORDER][ORDER], mc[ORDER][ORDER];

static void multiply(void) {
    for (int row = 0; row < ORDER; row++) {
        for (int col = 0; col < ORDER; col++) {
            int32_t sum = 0;
            for (int k = 0; k < ORDER; k++) {
                sum += ma[row][k] * mb[k][col];
            }
            mc[row][col] = sum;
        }
    }
}

static int32_t run_matmul(int32_t rounds) {
    int32_t sum = 0;
    for (int row = 0; row < ORDER; row++) {
        for (int col = 0; col < ORDER; col++) {
            ma[row][col] = (row * 3 + col) % 11;
            mb[row][col] = (row + col * 5) % 13;
        }
    }
    for (int32_t i = 0; i < rounds; i++) {
        multiply();
    }
    for (int row = 0; row < ORDER; row++) {
        for (int col = 0; col < ORDER; col++) {
            sum = (sum + mc[row][col] * (row + col + 1)) & 65535;
        }
    }
    return sum;
}

/* --- calls through pointers; not static, so that the compiler cannot resolve them --- */

static int32_t plus_one(int32_t n) { return n + 1; }
static int32_t plus_three(int32_t n) { return n + 3; }
static int32_t doubled(int32_t n) { return n + n; }
static int32_t flipped(int32_t n) { return n ^ 43690; }

int32_t (*actions[4])(int32_t) = {plus_one, plus_three, doubled, flipped};
int32_t (*outer)(int32_t, int32_t), (*middle)(int32_t, int32_t), (*inner)(int32_t, int32_t);

static int32_t by_table(int32_t n, int32_t i) { return actions[i & 3](n); }
static int32_t by_inner(int32_t n, int32_t i) { return inner(n + 7, i); }
static int32_t by_middle(int32_t n, int32_t i) { return i & 1 ? middle(n, i) : inner(n, i); }

static int32_t run_defer(int32_t rounds) {
    int32_t n = 1;
    inner = by_table;
    middle = by_inner;
    outer = by_middle;
    for (int32_t i = 0; i < rounds; i++) {
        n = outer(n, i) & 65535;
    }
    return n;
}

/* --- mobility: the squares that pieces of kind 1 can reach on an 8 x 8 board --- */

enum { NOWHERE = 64 };
static uint8_t board[64], links[8][64];
static const int steps[8][2] = {{-1, 0}, {1, 0},   {0, 1}, {0, -1},
                                {-1, 1}, {-1, -1}, {1, 1}, {1, -1}};

static void set_up(void) {
    for (int dir = 0; dir < 8; dir++) {
        for (int pos = 0; pos < 64; pos++) {
            int row = pos / 8 + steps[dir][0], col = pos % 8 + steps[dir][1];
            int in = row >= 0 && row < 8 && col >= 0 && col < 8;
            links[dir][pos] = (uint8_t)(in ? 8 * row + col : NOWHERE);
        }
    }
    for (int pos = 0; pos < 64; pos++) {
        board[pos] = (uint8_t)(pos * 5 % 7 % 3);
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
            while (links[dir][here] != NOWHERE) {
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

static int32_t run_scan(int32_t rounds) {
    int32_t sum = 0;
    set_up();
    for (int32_t i = 0; i < rounds; i++) {
        sum += scan_board();
    }
    return sum;
}

static const struct {
    const char *name;
    program *run;
} programs[] = {{"fib", fib},           {"sieve", run_sieve}, {"bubble", run_bubble},
                {"matmul", run_matmul}, {"defer", run_defer}, {"scan", run_scan}};

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 4 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(programs[i].name, argv[1]) == 0) {
            return measure(programs[i].run, atoi(argv[2]), atoi(argv[3]));
        }
    }
    return 2;
}
