/* transposition_table.c: the transposition table.
 *
 * It owns the entries and their replacement.  Entries are read and written without locks: an entry
 * contains the exclusive or of key and data, so that an entry written by two threads at the same
 * time does not match (Hyatt and Mann, "A lock-less transposition table implementation", 2002).
 * Slots form pairs; the first slot of a pair prefers deeper entries.  Each entry contains the age
 * of the table.  Clearing the table only increments the age; every 64th time it also overwrites the
 * entries. */
#include "search/transposition_table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;
} entry;

struct fvm_tt {
    uint64_t mask; /* number of pairs - 1 */
    uint64_t age;
    entry slots[];
};

enum { MIN_PAIRS = 512, MOVE_NONE = 0xFFFF, DEPTH_SHIFT = 48, AGE_SHIFT = 58, AGES = 64 };

fvm_tt *fvm_tt_new(int64_t bytes) {
    uint64_t pairs = MIN_PAIRS;
    while ((int64_t)(pairs * 4 * sizeof(entry)) <= bytes && pairs < (uint64_t)1 << 32)
        pairs *= 2;
    fvm_tt *tt = calloc(1, sizeof *tt + 2 * pairs * sizeof(entry));
    if (tt != NULL)
        tt->mask = pairs - 1;
    return tt;
}

void fvm_tt_free(fvm_tt *tt) { free(tt); }

void fvm_tt_clear(fvm_tt *tt) {
    if (++tt->age < AGES)
        return;
    memset(tt->slots, 0, 2 * (tt->mask + 1) * sizeof(entry));
    tt->age = 0;
}

/* From bit 0: value 32 bits, move 16, depth 8, kind 2, age 6. */
static uint64_t packed(const fvm_tt_entry *e) {
    uint64_t move = e->move < 0 || e->move >= MOVE_NONE ? MOVE_NONE : (uint64_t)e->move;
    uint64_t depth = e->depth < 0 ? 0 : e->depth > 255 ? 255 : (uint64_t)e->depth;
    return (uint64_t)(uint32_t)e->value | move << 32 | depth << DEPTH_SHIFT |
           (uint64_t)e->kind << 56;
}

static fvm_tt_entry unpacked(uint64_t data) {
    int32_t move = (int32_t)(data >> 32 & 0xFFFF);
    return (fvm_tt_entry){(fvm_cell)(uint32_t)data, (int32_t)(data >> DEPTH_SHIFT & 0xFF),
                          (int32_t)(data >> 56 & 3), move == MOVE_NONE ? -1 : move};
}

static uint64_t load(const _Atomic uint64_t *at) {
    return atomic_load_explicit(at, memory_order_relaxed);
}

/* The data of an entry; 0 if the entry was stored before the last clearing. */
static uint64_t load_data(const fvm_tt *tt, const entry *e) {
    uint64_t data = load(&e->data);
    return data >> AGE_SHIFT == tt->age ? data : 0;
}

static void store(_Atomic uint64_t *at, uint64_t value) {
    atomic_store_explicit(at, value, memory_order_relaxed);
}

bool fvm_tt_find(const fvm_tt *tt, uint64_t key, fvm_tt_entry *found) {
    const entry *pair = &tt->slots[2 * (key & tt->mask)];
    for (int i = 0; i < 2; i++) {
        uint64_t data = load_data(tt, &pair[i]);
        if (data != 0 && (load(&pair[i].check) ^ data) == key) {
            *found = unpacked(data);
            return true;
        }
    }
    return false;
}

/* --- storing ------------------------------------------------------------------------- */

/* The first slot of a pair contains the deeper entry, the second the newest. */
void fvm_tt_store(fvm_tt *tt, uint64_t key, const fvm_tt_entry *e) {
    entry *pair = &tt->slots[2 * (key & tt->mask)];
    uint64_t data = packed(e) | tt->age << AGE_SHIFT, old = load_data(tt, &pair[0]);
    bool same_key = (load(&pair[0].check) ^ old) == key;
    int slot = same_key || old == 0 || (int32_t)(old >> DEPTH_SHIFT & 0xFF) <= e->depth ? 0 : 1;
    store(&pair[slot].data, data);
    store(&pair[slot].check, key ^ data);
}
