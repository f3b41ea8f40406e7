/* action_finder.c: finds the numbers of the moves of a list.
 *
 * It owns two things.  A cache leads from a move's code to its main movement, because most moves
 * have been seen before and decoding one takes longer than generating it.  And moves that compete
 * for a number are ordered by their descriptions, which decide the choices and spare numbers they
 * get.  action_keys.c describes moves, and action_space.c computes numbers. */
#include "encoding/encoding.h"

#include <stdlib.h>

enum {
    SLOTS = 1 << 13,      /* of the cache */
    MOST_CELLS = 64,      /* longer moves are not cached */
    ARENA_CELLS = 1 << 18 /* when they are used, the cache is cleared */
};

typedef struct {
    uint64_t hash;
    uint32_t start; /* index of the move's cells in the arena */
    int32_t count;  /* number of these cells; 0: the slot is empty */
    fvm_movement movement;
} slot;

/* A move of the list. */
typedef struct {
    fvm_addr address;
    fvm_movement movement;
} found_move;

/* A move that competes with others of the list. */
typedef struct {
    const found_move *move;
    int32_t index;         /* in the list */
    int32_t number;        /* of the first choice; -1: the move needs a spare number */
    int32_t slot;          /* of spare numbers */
    int32_t start, length; /* of its description in `cells` */
    const fvm_cell *description;
    const uint8_t *code;
    int32_t code_length;
} contender;

/* Where a number occurred last. */
typedef struct {
    int64_t list;   /* number of the list */
    bool contested; /* several moves of the list have it */
} occurrence;

struct fvm_action_finder {
    fvm_action_space space;
    found_move *moves; /* of the list */
    contender *contenders;
    int32_t capacity; /* number of items of both */
    int32_t contender_count;
    fvm_cell *cells; /* descriptions of the contenders */
    int32_t cell_capacity;
    int64_t unnumbered; /* moves without a number since fvm_take_unnumbered */
    fvm_movement first; /* of the first of them */
    int64_t list;       /* number of lists whose moves have been numbered */
    occurrence *numbers;
    uint32_t used; /* cells of the arena */
    fvm_cell *arena;
    slot slots[SLOTS];
};

fvm_action_finder *fvm_action_finder_new(const fvm_action_space *space) {
    fvm_action_finder *finder = calloc(1, sizeof *finder);
    if (finder == NULL || !fvm_space_copy(&finder->space, space)) {
        free(finder);
        return NULL;
    }
    const size_t size = (size_t)fvm_space_size(&finder->space);
    finder->numbers = calloc(size + 1, sizeof *finder->numbers);
    finder->arena = malloc(ARENA_CELLS * sizeof *finder->arena);
    if (finder->numbers != NULL && finder->arena != NULL)
        return finder;
    fvm_action_finder_free(finder);
    return NULL;
}

void fvm_action_finder_free(fvm_action_finder *finder) {
    if (finder == NULL)
        return;
    fvm_space_free(&finder->space);
    free(finder->moves);
    free(finder->contenders);
    free(finder->cells);
    free(finder->numbers);
    free(finder->arena);
    free(finder);
}

/* --- the cache -------------------------------------------------------------------- */

/* A move's code without its links, on which its main movement depends. */
typedef struct {
    uint64_t hash;
    int32_t count; /* 0: the move cannot be cached */
    fvm_cell cells[MOST_CELLS];
} move_key;

/* end: the end of the move's record. */
static void find_key(const fvm *vm, fvm_addr move, fvm_addr end, move_key *key) {
    fvm_move_cells at;
    key->count = 0;
    key->hash = 0;
    if (!fvm_move_cells_at(vm, move, &at) || end <= at.cfa || (end & 3) != 0 ||
        end - at.cfa > 4 * MOST_CELLS || !fvm_in(vm, at.cfa, end - at.cfa))
        return;
    key->count = (int32_t)(end - at.cfa) / 4;
    memcpy(key->cells, vm->mem + at.cfa, (size_t)key->count * 4);
    uint64_t hash = (uint32_t)key->count;
    for (int32_t i = 0; i < key->count; i++)
        hash = (hash ^ (uint32_t)key->cells[i]) * 0x9E3779B97F4A7C15u;
    key->hash = hash ^ hash >> 32;
}

static slot *slot_of(fvm_action_finder *finder, const move_key *key) {
    return &finder->slots[key->hash % SLOTS];
}

static bool is_cached(const fvm_action_finder *finder, const slot *s, const move_key *key) {
    return s->hash == key->hash && s->count == key->count &&
           memcmp(finder->arena + s->start, key->cells, (size_t)key->count * 4) == 0;
}

static void cache(fvm_action_finder *finder, const move_key *key, fvm_movement movement) {
    if (finder->used + MOST_CELLS > ARENA_CELLS) {
        memset(finder->slots, 0, sizeof finder->slots);
        finder->used = 0;
    }
    *slot_of(finder, key) = (slot){key->hash, finder->used, key->count, movement};
    memcpy(finder->arena + finder->used, key->cells, (size_t)key->count * 4);
    finder->used += (uint32_t)key->count;
}

/* The main movement of a move.  end: the end of its record. */
static fvm_movement find_movement(fvm *vm, fvm_action_finder *finder, fvm_addr move, fvm_addr end) {
    move_key key;
    bool reads_board;
    find_key(vm, move, end, &key);
    const slot *s = slot_of(finder, &key);
    if (key.count > 0 && is_cached(finder, s, &key))
        return s->movement;
    const fvm_movement movement = fvm_main_movement(vm, move, &reads_board);
    if (key.count > 0 && !reads_board)
        cache(finder, &key, movement);
    return movement;
}

/* --- moves that compete ----------------------------------------------------------- */

static int compare_cells(const fvm_cell *a, int32_t a_length, const fvm_cell *b, int32_t b_length) {
    for (int32_t i = 0; i < a_length && i < b_length; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return (a_length > b_length) - (a_length < b_length);
}

/* Compares what two moves do; 0: they are equal. */
static int compare_effects(const contender *a, const contender *b) {
    const int compared = compare_cells(a->description, a->length, b->description, b->length);
    if (compared != 0)
        return compared;
    if (a->code_length != b->code_length)
        return a->code_length < b->code_length ? -1 : 1;
    return memcmp(a->code, b->code, (size_t)a->code_length);
}

/* The order of contenders: those for the same number, or for spare numbers of the same position,
 * are adjacent.  Equal moves are in the order of the list, so that each order is complete. */
static int compare(const void *left, const void *right) {
    const contender *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->number < 0 && a->slot != b->slot)
        return a->slot < b->slot ? -1 : 1;
    const int compared = compare_effects(a, b);
    return compared != 0 ? compared : (a->index > b->index) - (a->index < b->index);
}

/* Appends the description of a contender to the cells; false: no memory. */
static bool describe(fvm *vm, fvm_action_finder *finder, contender *c, fvm_cell own) {
    const contender *last = c == finder->contenders ? NULL : c - 1;
    c->start = last == NULL ? 0 : last->start + last->length;
    c->length = fvm_describe_move(vm, c->move->address, own, finder->cells + c->start,
                                  finder->cell_capacity - c->start);
    if (c->length <= finder->cell_capacity - c->start)
        return true;
    const int64_t needed = 2 * ((int64_t)c->start + c->length);
    if (needed > INT32_MAX / 2)
        return false;
    fvm_cell *grown = realloc(finder->cells, (size_t)needed * sizeof *grown);
    if (grown == NULL)
        return false;
    finder->cells = grown;
    finder->cell_capacity = (int32_t)needed;
    fvm_describe_move(vm, c->move->address, own, grown + c->start, c->length);
    return true;
}

/* Collects the moves that compete with others or have no number; false: no memory. */
static bool collect(fvm *vm, fvm_action_finder *finder, const int32_t *numbers, int32_t count) {
    const fvm_cell own = fvm_own_pieces(vm);
    finder->contender_count = 0;
    for (int32_t i = 0; i < count; i++) {
        if (numbers[i] >= 0 && !finder->numbers[numbers[i]].contested)
            continue;
        contender *c = &finder->contenders[finder->contender_count++];
        const found_move *move = &finder->moves[i];
        *c = (contender){.move = move, .index = i, .number = numbers[i]};
        c->slot = fvm_space_slot(&finder->space, move->movement);
        if (!describe(vm, finder, c, own))
            return false;
    }
    for (contender *c = finder->contenders; c < finder->contenders + finder->contender_count; c++) {
        fvm_addr start;
        const int32_t length = fvm_move_code(vm, c->move->address, &start);
        const bool is_readable = length > 0 && fvm_in(vm, start, (uint32_t)length);
        c->code = vm->mem + (is_readable ? start : 0);
        c->code_length = is_readable ? length : 0;
        c->description = finder->cells + c->start;
    }
    return true;
}

static void sort(const fvm_action_finder *finder) {
    qsort(finder->contenders, (size_t)finder->contender_count, sizeof *finder->contenders, compare);
}

/* Gives the contenders for a number the choices of its movement, as long as there are any.  Returns
 * whether a contender needs a spare number. */
static bool give_choices(const fvm_action_finder *finder, int32_t *numbers) {
    bool needs_spare = false;
    int32_t rank = 0;
    contender previous = {.number = -1};
    sort(finder);
    for (contender *c = finder->contenders; c < finder->contenders + finder->contender_count; c++) {
        const contender now = *c;
        if (now.number >= 0 && now.number == previous.number)
            rank += compare_effects(&now, &previous) != 0;
        else
            rank = 0;
        previous = now;
        if (now.number >= 0 && rank > 0)
            c->number = numbers[now.index] =
                fvm_space_choice(&finder->space, now.move->movement, now.number, rank);
        needs_spare = needs_spare || c->number < 0;
    }
    return needs_spare;
}

/* Gives spare numbers to the contenders that have no other number. */
static void give_spares(fvm_action_finder *finder, int32_t *numbers) {
    int32_t rank = 0;
    sort(finder); /* those without a number come first */
    for (int32_t i = 0; i < finder->contender_count && finder->contenders[i].number < 0; i++) {
        const contender *c = &finder->contenders[i];
        const bool same_slot = i > 0 && c->slot == c[-1].slot;
        const bool equal = same_slot && compare_effects(c, c - 1) == 0;
        rank = same_slot ? rank + !equal : 0;
        numbers[c->index] = fvm_space_spare(&finder->space, c->slot, rank);
        if (numbers[c->index] < 0 && !equal && finder->unnumbered++ == 0)
            finder->first = c->move->movement;
    }
}

/* --- lists of moves --------------------------------------------------------------- */

static bool reserve(fvm_action_finder *finder, int32_t count) {
    if (count <= finder->capacity)
        return true;
    const size_t items = (size_t)count * 2;
    found_move *moves = realloc(finder->moves, items * sizeof *moves);
    finder->moves = moves != NULL ? moves : finder->moves;
    contender *contenders = realloc(finder->contenders, items * sizeof *contenders);
    finder->contenders = contenders != NULL ? contenders : finder->contenders;
    if (moves == NULL || contenders == NULL)
        return false;
    finder->capacity = (int32_t)items;
    return true;
}

/* Stores the number of each movement.  Returns whether moves compete or have no number. */
static bool number_movements(fvm *vm, fvm_action_finder *finder, fvm_addr move, int32_t *numbers,
                             int32_t *count) {
    bool contested = false;
    int32_t i = 0;
    finder->list++;
    for (; i < *count && move != 0; i++) {
        const fvm_addr next = fvm_next_move(vm, move), end = next != 0 ? next : fvm_here(vm);
        const fvm_movement movement = find_movement(vm, finder, move, end);
        finder->moves[i] = (found_move){move, movement};
        numbers[i] = fvm_space_number(&finder->space, movement);
        move = next;
        if (numbers[i] < 0) {
            contested = true;
            continue;
        }
        occurrence *last = &finder->numbers[numbers[i]];
        const bool repeated = last->list == finder->list;
        *last = (occurrence){finder->list, repeated};
        contested = contested || repeated;
    }
    *count = i;
    return contested;
}

/* A player to move can always choose an action: if no move has a number, the first one gets 0. */
static void lend_number(int32_t *numbers, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (numbers[i] >= 0)
            return;
    if (count > 0)
        numbers[0] = 0;
}

int32_t fvm_find_actions(fvm *vm, fvm_action_finder *finder, int32_t *numbers, int32_t capacity) {
    int32_t count;
    fvm_addr move;
    if (!fvm_newest_list(vm, &count, &move))
        return 1;
    count = count < capacity ? count : capacity;
    if (!reserve(finder, count))
        return 0;
    if (number_movements(vm, finder, move, numbers, &count)) {
        if (!collect(vm, finder, numbers, count))
            return 0;
        if (give_choices(finder, numbers))
            give_spares(finder, numbers);
    }
    lend_number(numbers, count);
    return 1;
}

int64_t fvm_take_unnumbered(fvm_action_finder *finder, fvm_cell *movement) {
    const int64_t unnumbered = finder->unnumbered;
    movement[0] = finder->first.from;
    movement[1] = finder->first.to;
    movement[2] = finder->first.type;
    finder->unnumbered = 0;
    return unnumbered;
}
