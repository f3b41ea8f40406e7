/* Breakthrough 8x8 by hand: perft, random playouts and alpha-beta, as fast as plain C is.
 *
 * breakthrough perft N | playouts N SEED | search DEPTH.  Prints microseconds of processor time
 * and the answer last: leaves; games that White won and plies; score and nodes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Squares 0 (a8) to 63 (h1); 0 empty, 1 White (moves up), 2 Black. */
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

/* Material, for the side to move; a win by its distance. */
static int search(board *b, int side, int depth, int ply, int alpha, int beta) {
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
            value = 100000 - ply - 1;
        } else {
            value = -search(b, 3 - side, depth - 1, ply + 1, -beta, -alpha);
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

static uint64_t state;
static uint32_t draw(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

int main(int count, char **words) {
    board b;
    int number = count > 2 ? atoi(words[2]) : 1;
    begin(&b);
    clock_t start = clock();
    char answer[80] = "";
    if (count < 3)
        return 2;
    if (strcmp(words[1], "perft") == 0) {
        snprintf(answer, sizeof answer, "%llu", (unsigned long long)perft(&b, 1, number));
    } else if (strcmp(words[1], "search") == 0) {
        int score = search(&b, 1, number, 0, -1000000, 1000000);
        snprintf(answer, sizeof answer, "%d %llu", score, (unsigned long long)nodes);
    } else {
        uint64_t plies = 0, white = 0;
        state = count > 3 ? (uint64_t)atoi(words[3]) : 1;
        for (int game = 0; game < number; game++) {
            move list[64];
            int side = 1;
            begin(&b);
            for (;;) {
                move m = list[draw() % (uint32_t)moves(&b, side, list)];
                make(&b, side, m);
                plies++;
                if (won(&b, side, m))
                    break;
                side = 3 - side;
            }
            white += side == 1;
        }
        snprintf(answer, sizeof answer, "%llu %llu", (unsigned long long)white,
                 (unsigned long long)plies);
    }
    printf("%ld %s\n", (long)((double)(clock() - start) * 1e6 / CLOCKS_PER_SEC), answer);
    return 0;
}
