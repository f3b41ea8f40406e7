/* action_finder.c: finds the numbers of the moves of a list.
 *
 * Describing a move takes longer than generating it, and most moves have been seen before.  So this
 * file owns a cache: from a move's record, without its links, to the number of its action.  It must
 * not know how descriptions are made (action_keys.c) nor compared (action_table.c). */
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
    int32_t action;
} slot;

/* Where an action occurred last: the number of the list, and the address of the move. */
typedef struct {
    int64_t list;
    fvm_addr move;
} occurrence;

struct fvm_action_finder {
    const fvm_action_table *table;
    fvm_cell *cells; /* the description of a move */
    int32_t capacity;
    int32_t unknown;     /* length of the description in `cells` if it is no action, else -1 */
    int64_t list;        /* number of lists whose moves have been numbered */
    occurrence *actions; /* by number */
    uint32_t used;       /* cells of the arena */
    fvm_cell *arena;
    slot slots[SLOTS];
};

fvm_action_finder *fvm_action_finder_new(const fvm_action_table *table) {
    fvm_action_finder *finder = calloc(1, sizeof *finder);
    if (finder == NULL)
        return NULL;
    finder->table = table;
    finder->unknown = -1;
    finder->actions = calloc((size_t)fvm_action_count(table) + 1, sizeof *finder->actions);
    finder->arena = malloc(ARENA_CELLS * sizeof *finder->arena);
    if (finder->actions != NULL && finder->arena != NULL)
        return finder;
    fvm_action_finder_free(finder);
    return NULL;
}

void fvm_action_finder_free(fvm_action_finder *finder) {
    if (finder == NULL)
        return;
    free(finder->cells);
    free(finder->actions);
    free(finder->arena);
    free(finder);
}

/* --- the cache -------------------------------------------------------------------- */

/* What the number of a move depends on: the mover, the flag of passes, the move type and code. */
typedef struct {
    uint64_t hash;
    int32_t count; /* 0: the move cannot be cached */
    fvm_cell cells[MOST_CELLS];
} move_key;

/* end: the end of the move's record. */
static void find_key(const fvm *vm, fvm_addr move, fvm_addr end, fvm_cell own, move_key *key) {
    fvm_move_cells at;
    key->count = 0;
    key->hash = 0;
    if (!fvm_move_cells_at(vm, move, &at) || end <= at.cfa || (end & 3) != 0 ||
        end - at.cfa > 4 * (MOST_CELLS - 2) || !fvm_in(vm, at.cfa, end - at.cfa))
        return;
    const int32_t count = (int32_t)(end - at.cfa) / 4;
    key->cells[0] = own | (fvm_get(vm, at.hash) & FVM_HASH_PASS);
    key->cells[1] = fvm_get(vm, at.type);
    memcpy(key->cells + 2, vm->mem + at.cfa, (size_t)count * 4);
    key->count = count + 2;
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

static void cache(fvm_action_finder *finder, const move_key *key, int32_t action) {
    if (finder->used + MOST_CELLS > ARENA_CELLS) {
        memset(finder->slots, 0, sizeof finder->slots);
        finder->used = 0;
    }
    *slot_of(finder, key) = (slot){key->hash, finder->used, key->count, action};
    memcpy(finder->arena + finder->used, key->cells, (size_t)key->count * 4);
    finder->used += (uint32_t)key->count;
}

/* --- lists of moves --------------------------------------------------------------- */

/* Writes the description of a move; returns the number of its cells. */
static int32_t describe(fvm *vm, fvm_action_finder *finder, fvm_addr move, fvm_cell own,
                        bool *reads_board) {
    const int32_t detail = fvm_action_detail_of(finder->table);
    const int32_t needed =
        fvm_move_action(vm, move, own, detail, finder->cells, finder->capacity, reads_board);
    if (needed <= finder->capacity)
        return needed;
    fvm_cell *grown = realloc(finder->cells, (size_t)(uint32_t)needed * 2 * sizeof *grown);
    if (grown == NULL)
        return needed;
    finder->cells = grown;
    finder->capacity = 2 * needed;
    return fvm_move_action(vm, move, own, detail, finder->cells, finder->capacity, reads_board);
}

/* Stores the number of a move.  end: the end of its record. */
static fvm_actions_result find_action(fvm *vm, fvm_action_finder *finder, fvm_addr move,
                                      fvm_addr end, fvm_cell own, int32_t *number) {
    move_key key;
    bool reads_board = false;
    find_key(vm, move, end, own, &key);
    const slot *s = slot_of(finder, &key);
    if (key.count > 0 && is_cached(finder, s, &key)) {
        *number = s->action;
        return FVM_ACTIONS_FOUND;
    }
    const int32_t length = describe(vm, finder, move, own, &reads_board);
    if (length < 0)
        return FVM_ACTIONS_TOO_LONG;
    if (length > finder->capacity)
        return FVM_ACTIONS_NO_MEMORY;
    *number = fvm_action_number(finder->table, finder->cells, length);
    if (*number < 0) {
        finder->unknown = length;
        return FVM_ACTIONS_UNKNOWN;
    }
    if (key.count > 0 && !reads_board)
        cache(finder, &key, *number);
    return FVM_ACTIONS_FOUND;
}

/* Whether two moves of the list do the same. */
static bool are_equal(fvm *vm, fvm_addr a, fvm_addr b) {
    fvm_addr start[2];
    const int32_t length = fvm_move_code(vm, a, &start[0]);
    return length == fvm_move_code(vm, b, &start[1]) &&
           fvm_move_type(vm, a) == fvm_move_type(vm, b) && fvm_in(vm, start[0], (uint32_t)length) &&
           fvm_in(vm, start[1], (uint32_t)length) &&
           memcmp(vm->mem + start[0], vm->mem + start[1], (size_t)length) == 0;
}

fvm_actions_result fvm_find_actions(fvm *vm, fvm_action_finder *finder, int32_t *numbers,
                                    int32_t capacity) {
    int32_t count;
    fvm_addr move;
    if (!fvm_newest_list(vm, &count, &move))
        count = 0;
    const fvm_cell own = fvm_own_pieces(vm);
    finder->unknown = -1;
    finder->list++;
    for (int32_t i = 0; i < count && i < capacity && move != 0; i++) {
        const fvm_addr next = fvm_next_move(vm, move), end = next != 0 ? next : fvm_here(vm);
        const fvm_actions_result result = find_action(vm, finder, move, end, own, &numbers[i]);
        if (result != FVM_ACTIONS_FOUND)
            return result;
        occurrence *last = &finder->actions[numbers[i]];
        if (last->list == finder->list && !are_equal(vm, last->move, move))
            return FVM_ACTIONS_COLLISION;
        *last = (occurrence){finder->list, move};
        move = next;
    }
    return FVM_ACTIONS_FOUND;
}

int32_t fvm_unknown_action(const fvm_action_finder *finder, fvm_cell *cells, int32_t capacity) {
    const int32_t length = finder->unknown > 0 ? finder->unknown : 0;
    const int32_t copied = length < capacity ? length : capacity;
    if (copied > 0)
        memcpy(cells, finder->cells, (size_t)copied * sizeof *cells);
    return length;
}
