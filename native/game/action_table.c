/* action_table.c: finds the numbers of moves, given the descriptions of all actions.
 *
 * A table is a hash table with open addressing, and never changes, so that several threads can read
 * it.  This file must not know what descriptions mean (action_keys.c). */
#include "game/game.h"

#include <stdlib.h>

/* An entry: a description and its hash; length -1: the entry is empty. */
typedef struct {
    uint64_t hash;
    uint32_t start; /* index of its first cell */
    int32_t length; /* number of its cells */
    int32_t number;
} entry;

struct fvm_action_table {
    int32_t detail;
    int32_t size; /* number of actions */
    uint32_t mask;
    entry *entries;
    fvm_cell *cells;
};

static uint64_t hash_of(const fvm_cell *cells, int32_t length) {
    uint64_t hash = (uint64_t)length;
    for (int32_t i = 0; i < length; i++)
        hash = fvm_mix(hash ^ (uint32_t)cells[i]);
    return hash;
}

/* The entry with a description, or the empty entry where it can be added. */
static entry *find(const fvm_action_table *table, uint64_t hash, const fvm_cell *cells,
                   int32_t length) {
    for (uint32_t slot = (uint32_t)hash;; slot++) {
        entry *e = &table->entries[slot & table->mask];
        if (e->length < 0 ||
            (e->hash == hash && e->length == length &&
             memcmp(table->cells + e->start, cells, (size_t)length * sizeof *cells) == 0))
            return e;
    }
}

/* Adds the actions; false: the descriptions are damaged. */
static bool fill(fvm_action_table *table, int32_t count) {
    int32_t at = 0;
    for (; table->size < (int32_t)(table->mask / 2) && at < count; table->size++) {
        const int32_t length = table->cells[at++];
        if (length < 0 || length > count - at)
            return false;
        const uint64_t hash = hash_of(table->cells + at, length);
        entry *e = find(table, hash, table->cells + at, length);
        if (e->length < 0) /* of equal descriptions, the first counts */
            *e = (entry){hash, (uint32_t)at, length, table->size};
        at += length;
    }
    return at == count;
}

fvm_action_table *fvm_action_table_new(int32_t detail, int32_t actions, const fvm_cell *cells,
                                       int32_t count) {
    fvm_action_table *table = calloc(1, sizeof *table);
    if (table == NULL || actions < 0 || actions > INT32_MAX / 8 || count < 0) {
        free(table);
        return NULL;
    }
    uint32_t slots = 16;
    while (slots / 2 <= (uint32_t)actions + 1)
        slots *= 2;
    table->detail = detail;
    table->mask = slots - 1;
    table->entries = malloc(slots * sizeof *table->entries);
    table->cells = malloc(((size_t)count + 1) * sizeof *cells);
    for (uint32_t slot = 0; table->entries != NULL && slot < slots; slot++)
        table->entries[slot] = (entry){.length = -1};
    if (table->entries != NULL && table->cells != NULL) {
        memcpy(table->cells, cells, (size_t)count * sizeof *cells);
        if (fill(table, count) && table->size == actions)
            return table;
    }
    fvm_action_table_free(table);
    return NULL;
}

void fvm_action_table_free(fvm_action_table *table) {
    if (table == NULL)
        return;
    free(table->entries);
    free(table->cells);
    free(table);
}

/* Returns the number of the action with a description; -1: there is none. */
static int32_t number_of(const fvm_action_table *table, const fvm_cell *cells, int32_t length) {
    const entry *e = find(table, hash_of(cells, length), cells, length);
    return e->length < 0 ? -1 : e->number;
}

/* --- lists of moves --------------------------------------------------------------- */

/* Where an action occurred last: the number of the list, and the address of the move. */
typedef struct {
    int32_t list;
    fvm_addr move;
} occurrence;

struct fvm_action_finder {
    const fvm_action_table *table;
    fvm_cell *cells; /* descriptions of the moves of a list */
    int32_t capacity;
    int32_t unknown;     /* index in `cells` of the unknown move: its length, its description */
    int32_t list;        /* number of lists whose moves have been numbered */
    occurrence *actions; /* by number */
};

fvm_action_finder *fvm_action_finder_new(const fvm_action_table *table) {
    fvm_action_finder *finder = calloc(1, sizeof *finder);
    if (finder == NULL)
        return NULL;
    finder->table = table;
    finder->unknown = -1;
    finder->actions = calloc((size_t)table->size + 1, sizeof *finder->actions);
    if (finder->actions == NULL) {
        free(finder);
        return NULL;
    }
    return finder;
}

void fvm_action_finder_free(fvm_action_finder *finder) {
    if (finder == NULL)
        return;
    free(finder->cells);
    free(finder->actions);
    free(finder);
}

/* Writes the descriptions of the newest list; returns the number of their cells. */
static int32_t describe(fvm *vm, fvm_action_finder *finder) {
    const int32_t detail = finder->table->detail;
    const int32_t needed = fvm_list_actions(vm, detail, finder->cells, finder->capacity);
    if (needed <= finder->capacity)
        return needed;
    fvm_cell *grown = realloc(finder->cells, (size_t)needed * 2 * sizeof *grown);
    if (grown == NULL)
        return needed;
    finder->cells = grown;
    finder->capacity = 2 * needed;
    return fvm_list_actions(vm, detail, finder->cells, finder->capacity);
}

/* Whether two moves of the newest list do the same. */
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
    const int32_t cells = describe(vm, finder);
    if (cells < 0)
        return FVM_ACTIONS_TOO_LONG;
    if (cells > finder->capacity)
        return FVM_ACTIONS_NO_MEMORY;
    finder->unknown = -1;
    finder->list++;
    for (int32_t i = 0, at = 0; i < count && i < capacity && at < cells;
         i++, move = fvm_next_move(vm, move)) {
        const int32_t length = finder->cells[at];
        const int32_t action = number_of(finder->table, finder->cells + at + 1, length);
        if (action < 0) {
            finder->unknown = at;
            return FVM_ACTIONS_UNKNOWN;
        }
        occurrence *last = &finder->actions[action];
        if (last->list == finder->list && !are_equal(vm, last->move, move))
            return FVM_ACTIONS_COLLISION;
        *last = (occurrence){finder->list, move};
        numbers[i] = action;
        at += 1 + length;
    }
    return FVM_ACTIONS_FOUND;
}

int32_t fvm_unknown_action(const fvm_action_finder *finder, fvm_cell *cells, int32_t capacity) {
    if (finder->unknown < 0)
        return 0;
    const int32_t length = finder->cells[finder->unknown];
    const int32_t copied = length < capacity ? length : capacity;
    if (copied > 0)
        memcpy(cells, finder->cells + finder->unknown + 1, (size_t)copied * sizeof *cells);
    return length;
}
