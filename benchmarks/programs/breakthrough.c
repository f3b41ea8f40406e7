/* breakthrough.c: Breakthrough 8x8 in C: perft, alpha-beta and random playouts.
 * Usage: breakthrough perft|negamax|playouts|score|plies SIZE MILLISECONDS
 * Implements the algorithms of breakthrough.4th.  `perft` prints the number of leaves, `negamax`
 * the number of nodes of the alpha-beta search and `score` its value, `playouts` the number of
 * games that White wins and `plies` the number of their plies. */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include <stdlib.h>
#include <string.h>

/* Squares 0 (a8) to 63 (h1) contain 0 (empty), 1 (White, moves upwards and first) or 2 (Black). */
typedef struct {
    int8_t at[64];
    int men[3];
} board;
typedef struct {
    int8_t from, to, taken;
} move;

static void begin(board *b) {
    memset(b, 0, sizeof *b);
    for (int i = 0; i < 16; i++) {
        b->at[i] = 2;
        b->at[48 + i] = 1;
    }
    b->men[1] = b->men[2] = 16;
}

/* Writes the moves of a side to the list and returns their number. */
static int moves(const board *b, int side, move *list) {
    int count = 0, ahead = side == 1 ? -8 : 8;
    for (int from = 0; from < 64; from++) {
        int to = from + ahead;
        if (b->at[from] != side || to < 0 || to > 63)
            continue;
        if (b->at[to] == 0)
            list[count++] = (move){(int8_t)from, (int8_t)to, 0};
        if ((from & 7) != 0 && b->at[to - 1] != side)
            list[count++] = (move){(int8_t)from, (int8_t)(to - 1), b->at[to - 1]};
        if ((from & 7) != 7 && b->at[to + 1] != side)
            list[count++] = (move){(int8_t)from, (int8_t)(to + 1), b->at[to + 1]};
    }
    return count;
}

static void make(board *b, int side, move m) {
    b->at[m.to] = (int8_t)side;
    b->at[m.from] = 0;
    b->men[m.taken] -= m.taken != 0;
}

static void unmake(board *b, int side, move m) {
    b->at[m.from] = (int8_t)side;
    b->at[m.to] = m.taken;
    b->men[m.taken] += m.taken != 0;
}

/* Returns whether a move, which has just been made, wins. */
static int won(const board *b, int side, move m) {
    return (side == 1 ? m.to < 8 : m.to > 55) || b->men[3 - side] == 0;
}

static uint64_t perft(board *b, int side, int depth) {
    move list[64];
    int count = moves(b, side, list);
    uint64_t sum = 0;
    if (depth == 1)
        return (uint64_t)count;
    for (int i = 0; i < count; i++) {
        make(b, side, list[i]);
        if (!won(b, side, list[i]))
            sum += perft(b, 3 - side, depth - 1);
        unmake(b, side, list[i]);
    }
    return sum;
}

static uint64_t nodes;

/* Returns the alpha-beta value by material for the side to move; earlier wins are worth more. */
static int search(board *b, int side, int depth, int alpha, int beta) {
    move list[64];
    int count, best = -1000000;
    nodes++;
    if (depth == 0)
        return b->men[side] - b->men[3 - side];
    count = moves(b, side, list);
    for (int i = 0; i < count; i++) {
        int value;
        make(b, side, list[i]);
        if (won(b, side, list[i])) {
            nodes++;
            value = 100000 + depth;
        } else {
            value = -search(b, 3 - side, depth - 1, -beta, -alpha);
        }
        unmake(b, side, list[i]);
        if (value > best)
            best = value;
        if (value > alpha)
            alpha = value;
        if (alpha >= beta)
            break;
    }
    return best;
}

static int32_t seed;
static int random_below(int limit) {
    seed = (int32_t)(((uint32_t)seed * 1103515245u + 12345u) & 0x7FFFFFFFu);
    return (seed >> 16) % limit;
}

static int64_t plies;
static int playout(board *b) {
    move list[64];
    int side = 1;
    begin(b);
    for (;;) {
        move m = list[random_below(moves(b, side, list))];
        make(b, side, m);
        plies++;
        if (won(b, side, m))
            return side;
        side = 3 - side;
    }
}

static int32_t run_perft(int32_t depth) {
    board b;
    begin(&b);
    return (int32_t)perft(&b, 1, depth);
}

static int32_t run_score(int32_t depth) {
    board b;
    begin(&b);
    nodes = 0;
    return search(&b, 1, depth, -1000000, 1000000);
}

static int32_t run_negamax(int32_t depth) {
    run_score(depth);
    return (int32_t)nodes;
}

static int32_t run_playouts(int32_t games) {
    board b;
    int32_t wins = 0;
    seed = 1;
    plies = 0;
    for (int32_t game = 0; game < games; game++)
        wins += playout(&b) == 1;
    return wins;
}

static int32_t run_plies(int32_t games) {
    run_playouts(games);
    return (int32_t)plies;
}

static const struct {
    const char *name;
    program *run;
} programs[] = {{"perft", run_perft},
                {"negamax", run_negamax},
                {"playouts", run_playouts},
                {"score", run_score},
                {"plies", run_plies}};

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 4 && i < sizeof programs / sizeof *programs; i++) {
        if (strcmp(programs[i].name, argv[1]) == 0)
            return measure(programs[i].run, atoi(argv[2]), atoi(argv[3]));
    }
    return 2;
}
