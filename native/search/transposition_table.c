/* transposition_table.c: the transposition table.
 *
 * Entries are read and written without locks: each half says what the other must be, so that a
 * torn entry is no entry (Hyatt and Mann, "A lock-less transposition table implementation",
 * 2002).  A deeper entry of the same search is kept, in pairs of slots.  Entries bear the age of
 * the table, so that clearing it touches no memory most times. */
#include "search/transposition_table.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;
} entry;

struct fvm_cache {
    uint64_t mask; /* pairs of entries, less 1 */
    uint64_t age;
    entry slots[];
};

enum { LEAST_PAIRS = 512, MOVE_NONE = 0xFFFF, AGE_SHIFT = 58, AGES = 64 };

fvm_cache *fvm_cache_new(int64_t bytes) {
    uint64_t pairs = LEAST_PAIRS;
    while ((int64_t)(pairs * 4 * sizeof(entry)) <= bytes && pairs < (uint64_t)1 << 32)
        pairs *= 2;
    fvm_cache *cache = calloc(1, sizeof *cache + 2 * pairs * sizeof(entry));
    if (cache != NULL)
        cache->mask = pairs - 1;
    return cache;
}

void fvm_cache_free(fvm_cache *cache) { free(cache); }

void fvm_cache_clear(fvm_cache *cache) {
    if (++cache->age < AGES)
        return;
    memset(cache->slots, 0, 2 * (cache->mask + 1) * sizeof(entry));
    cache->age = 0;
}

/* value 32 bits, move 16, depth 8, kind 2, age 6 */
static uint64_t packed(const fvm_cached *e) {
    uint64_t move = e->move < 0 || e->move >= MOVE_NONE ? MOVE_NONE : (uint64_t)e->move;
    uint64_t depth = e->depth < 0 ? 0 : e->depth > 255 ? 255 : (uint64_t)e->depth;
    return (uint64_t)(uint32_t)e->value | move << 32 | depth << 48 | (uint64_t)e->kind << 56;
}

static fvm_cached unpacked(uint64_t data) {
    int32_t move = (int32_t)(data >> 32 & 0xFFFF);
    return (fvm_cached){(fvm_cell)(uint32_t)data, (int32_t)(data >> 48 & 0xFF),
                        (int32_t)(data >> 56 & 3), move == MOVE_NONE ? -1 : move};
}

static uint64_t load(const _Atomic uint64_t *at) {
    return atomic_load_explicit(at, memory_order_relaxed);
}

/* 0: nothing of this age. */
static uint64_t load_data(const fvm_cache *cache, const entry *e) {
    uint64_t data = load(&e->data);
    return data >> AGE_SHIFT == cache->age ? data : 0;
}

static void store(_Atomic uint64_t *at, uint64_t value) {
    atomic_store_explicit(at, value, memory_order_relaxed);
}

bool fvm_cache_find(const fvm_cache *cache, uint64_t key, fvm_cached *found) {
    const entry *pair = &cache->slots[2 * (key & cache->mask)];
    for (int i = 0; i < 2; i++) {
        uint64_t data = load_data(cache, &pair[i]);
        if (data != 0 && (load(&pair[i].check) ^ data) == key) {
            *found = unpacked(data);
            return true;
        }
    }
    return false;
}

/* The first of a pair goes to the deeper search, the second to the latest. */
void fvm_cache_put(fvm_cache *cache, uint64_t key, const fvm_cached *e) {
    entry *pair = &cache->slots[2 * (key & cache->mask)];
    uint64_t data = packed(e) | cache->age << AGE_SHIFT, old = load_data(cache, &pair[0]);
    bool same = (load(&pair[0].check) ^ old) == key;
    int slot = same || old == 0 || (int32_t)(old >> 48 & 0xFF) <= e->depth ? 0 : 1;
    store(&pair[slot].data, data);
    store(&pair[slot].check, key ^ data);
}
