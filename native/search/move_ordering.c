/* move_ordering.c: the order in which a node's moves are searched.
 *
 * It owns ranks, killer moves and the history table.  The transposition table's move comes first,
 * then captures (most valuable victim, least valuable attacker), killers (Akl and Newborn, 1977),
 * then other moves by history (Schaeffer, 1989). */
#include "search/iterative_deepening.h"

#include <stdlib.h>

/* Lowest ranks of the groups of moves; moves that are ordered by history are below. */
enum { TABLE_RANK = 1 << 30, CAPTURE_RANK = 1 << 28, KILLER_RANK = 1 << 27 };
enum {
    MAX_CHANGES = 16,        /* changes of a move that its rank depends on */
    MAX_HISTORY = 1 << 24,   /* if an entry exceeds it, all entries of the history are halved */
    MAX_PIECE_VALUE = 100000 /* greater values count as this value in ranks of captures */
};

static fvm_cell piece_value(const fvm *vm, fvm_cell piece) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces);
    fvm_addr at = table + FVM_PIECE_BYTES * ((uint32_t)FVM_TYPE(piece) - 1) + FVM_FIELD_VALUE;
    fvm_cell value = table != 0 && FVM_TYPE(piece) != 0 && fvm_in(vm, at, 4) ? fvm_get(vm, at) : 0;
    return value < 0 ? 0 : value > MAX_PIECE_VALUE ? MAX_PIECE_VALUE : value;
}

/* The rank of a capture: the sum of the captured pieces' values, minus a part of the capturing
 * piece's value, so that less valuable attackers come first.  -1: the move captures nothing. */
static int32_t capture_rank(fvm_deepening *t, fvm_addr move) {
    fvm *vm = t->ss->vm;
    fvm_change changes[MAX_CHANGES];
    fvm_move_cells cells;
    if (fvm_move_cells_at(vm, move, &cells) && fvm_captures_nothing(vm, cells.cfa))
        return -1;
    fvm_cell own = FVM_OWNER(fvm_lib_get(vm, vm->lib.player));
    int32_t total = 0, count = fvm_move_changes(vm, move, changes, MAX_CHANGES);
    bool captures = false;
    for (int32_t i = 0; i < count && i < MAX_CHANGES; i++) {
        fvm_cell victim =
            changes[i].kind == FVM_CHANGE_CAPTURE || changes[i].kind == FVM_CHANGE_MOVE
                ? changes[i].other
                : 0;
        if (victim == 0 || FVM_OWNER(victim) == own)
            continue;
        captures = true;
        /* The factors 16 and 1/8 let the victim's value outweigh the attacker's. */
        total += 16 * (1 + piece_value(vm, victim));
        if (changes[i].kind == FVM_CHANGE_MOVE)
            total -= piece_value(vm, changes[i].piece) / 8;
    }
    total = total < 0 ? 0 : total > CAPTURE_RANK / 2 ? CAPTURE_RANK / 2 : total;
    return captures ? total : -1;
}

bool fvm_order_is_capture(const fvm_ordered_move *choice) {
    return choice->rank >= CAPTURE_RANK && choice->rank < TABLE_RANK;
}

static uint32_t history_slot(const fvm_deepening *t, uint32_t id) {
    return (uint32_t)fvm_mix(((uint64_t)(uint32_t)fvm_search_mover(t->ss) << 32) | id) &
           (HISTORY_ENTRIES - 1);
}

static int32_t rank_of(fvm_deepening *t, const fvm_ordered_move *choice, int32_t table_move) {
    if (choice->index == table_move)
        return TABLE_RANK;
    if (fvm_deepening_uses(t, FVM_USE_CAPTURES)) {
        int32_t capture = capture_rank(t, choice->move);
        if (capture >= 0)
            return CAPTURE_RANK + capture;
    }
    if (fvm_deepening_uses(t, FVM_USE_KILLERS))
        for (int32_t k = 0; k < KILLER_MOVES; k++)
            if (t->killers[t->ss->ply][k] == choice->id)
                return KILLER_RANK - k;
    return fvm_deepening_uses(t, FVM_USE_HISTORY) ? t->history[history_slot(t, choice->id)] : 0;
}

/* Grows t->pool so that `more` moves can be appended; false: no memory. */
static bool reserve_moves(fvm_deepening *t, int32_t more) {
    if (t->pool_used + more <= t->pool_capacity)
        return true;
    int32_t capacity = 2 * (t->pool_used + more);
    fvm_ordered_move *pool = realloc(t->pool, (size_t)capacity * sizeof *pool);
    if (pool == NULL) {
        fvm_search_failed(t->ss, fvm_fail(t->ss->vm, FVM_ERR_MEMORY, 0, "no memory to search"));
        return false;
    }
    t->pool = pool;
    t->pool_capacity = capacity;
    return true;
}

int32_t fvm_order_moves(fvm_deepening *t, int32_t table_move, int32_t *first) {
    fvm *vm = t->ss->vm;
    fvm_move_cells cells;
    fvm_addr move;
    int32_t index = 0, count = fvm_search_newest_list(t->ss, &move);
    *first = t->pool_used;
    t->is_ordered = t->options->seed == 0;
    if (t->ss->status != FVM_OK || !reserve_moves(t, count))
        return -1;
    for (; index < count && move != 0; move = fvm_next_move(vm, move), index++) {
        fvm_ordered_move *choice = &t->pool[t->pool_used++];
        bool valid = fvm_move_cells_at(vm, move, &cells);
        *choice = (fvm_ordered_move){move, valid ? fvm_move_key(vm, &cells) : 0, index, 0};
        choice->rank = rank_of(t, choice, table_move);
        t->is_ordered &= index == 0 || choice->rank <= choice[-1].rank;
        if ((index & 63) == 63 && fvm_search_failed(t->ss, fvm_charge_work(vm, 4096)))
            return -1;
    }
    return index;
}

fvm_ordered_move fvm_order_one_move(fvm_deepening *t, int32_t index, int32_t table_move) {
    fvm_move_cells cells;
    fvm_ordered_move choice = {.index = index};
    fvm_search_newest_list(t->ss, &choice.move);
    for (int32_t i = 0; i < index && choice.move != 0; i++)
        choice.move = fvm_next_move(t->ss->vm, choice.move);
    if (fvm_move_cells_at(t->ss->vm, choice.move, &cells))
        choice.id = fvm_move_key(t->ss->vm, &cells);
    choice.rank = rank_of(t, &choice, table_move);
    return choice;
}

bool fvm_has_move_order(const fvm_deepening *t) {
    return fvm_deepening_uses(t, FVM_USE_CAPTURES | FVM_USE_KILLERS | FVM_USE_HISTORY) ||
           t->options->seed != 0;
}

/* Whether a is searched before b.  Moves of equal rank are in an order that depends on the seed, or
 * without a seed in the order of the list. */
static bool precedes(const fvm_deepening *t, const fvm_ordered_move *a, const fvm_ordered_move *b) {
    if (a->rank != b->rank)
        return a->rank > b->rank;
    if (t->options->seed != 0) {
        uint64_t hash_a = fvm_mix(((uint64_t)t->options->seed << 32) ^ a->id);
        uint64_t hash_b = fvm_mix(((uint64_t)t->options->seed << 32) ^ b->id);
        if (hash_a != hash_b)
            return hash_a > hash_b;
    }
    return a->index < b->index;
}

static void pick(fvm_deepening *t, int32_t at, int32_t end) {
    int32_t best = at;
    for (int32_t i = at + 1; i < end; i++)
        if (precedes(t, &t->pool[i], &t->pool[best]))
            best = i;
    fvm_ordered_move chosen = t->pool[best];
    t->pool[best] = t->pool[at];
    t->pool[at] = chosen;
}

void fvm_order_pick(fvm_deepening *t, int32_t first, int32_t at, int32_t end) {
    enum { PICKED = 4 }; /* if so many moves cause no cutoff, the others are sorted */
    if (at - first < PICKED)
        pick(t, at, end);
    else if (at - first == PICKED)
        fvm_order_sort(t, at, end);
}

/* Shellsort with the gaps of Ciura (2001), because most lists are almost in order. */
void fvm_order_sort(fvm_deepening *t, int32_t first, int32_t end) {
    static const int32_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++)
        for (int32_t i = first + gaps[g]; i < end; i++) {
            const fvm_ordered_move moved = t->pool[i];
            int32_t to = i;
            for (; to - gaps[g] >= first && precedes(t, &moved, &t->pool[to - gaps[g]]);
                 to -= gaps[g])
                t->pool[to] = t->pool[to - gaps[g]];
            t->pool[to] = moved;
        }
}

void fvm_order_cutoff(fvm_deepening *t, const fvm_ordered_move *choice, int32_t depth) {
    uint32_t *killers = t->killers[t->ss->ply];
    int32_t *history = &t->history[history_slot(t, choice->id)];
    if (choice->rank >= CAPTURE_RANK && choice->rank != TABLE_RANK)
        return;
    if (killers[0] != choice->id) {
        killers[1] = killers[0];
        killers[0] = choice->id;
    }
    *history += depth > 0 ? depth * depth : 1;
    if (*history > MAX_HISTORY)
        for (int32_t i = 0; i < HISTORY_ENTRIES; i++)
            t->history[i] /= 2;
}
