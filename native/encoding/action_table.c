/* action_table.c: finds the number of an action, given its description.
 *
 * A table is a hash table with open addressing, and never changes, so that several threads can read
 * it.  This file must not know what descriptions mean (action_keys.c). */
#include "encoding/encoding.h"

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

int32_t fvm_action_detail_of(const fvm_action_table *table) { return table->detail; }

int32_t fvm_action_count(const fvm_action_table *table) { return table->size; }

int32_t fvm_action_number(const fvm_action_table *table, const fvm_cell *cells, int32_t length) {
    const entry *e = find(table, hash_of(cells, length), cells, length);
    return e->length < 0 ? -1 : e->number;
}
