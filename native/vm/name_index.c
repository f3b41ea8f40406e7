/* name_index.c: a hash table of the names in the basic word list.
 *
 * It owns the table, which is outside the image and always agrees with the list: a store to an
 * indexed header (marked FVM_CELL_NAME) clears the table, and when the list becomes shorter
 * (FORGET, a restored snapshot), the newest entries are removed.  Flags are not in the table: each
 * search reads them from the header. */
#include "vm/name_index.h"

#include <stdlib.h>

enum { BUCKETS = 4096, MAX_NAME = 4096, MAX_HEADERS = 1 << 20 };

typedef struct {
    fvm_addr nfa;
    uint32_t hash;
    int32_t older; /* next older entry in the same bucket, -1: none */
} entry;

struct fvm_names {
    entry *entries; /* oldest first */
    int32_t count, capacity;
    int32_t heads[BUCKETS];
};

static uint32_t hash_of(const uint8_t *name, uint32_t length) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ name[i]) * 16777619u;
    return hash;
}

void fvm_names_free(fvm *vm) {
    if (vm->names != NULL)
        free(vm->names->entries);
    free(vm->names);
    vm->names = NULL;
}

void fvm_names_clear(fvm *vm) {
    if (vm->names == NULL)
        return;
    vm->names->count = 0;
    memset(vm->names->heads, 0xFF, sizeof vm->names->heads);
}

/* The length of the name of a header; -1 if the header is damaged or the name is too long. */
static int32_t name_length(const fvm *vm, fvm_addr nfa) {
    if (!fvm_in_header(vm, nfa))
        return -1;
    fvm_addr text = (fvm_addr)fvm_get(vm, nfa);
    if (!fvm_in(vm, text, 1))
        return -1;
    uint32_t max_length = vm->size - text < MAX_NAME ? vm->size - text : MAX_NAME;
    const uint8_t *end = memchr(vm->mem + text, 0, max_length);
    return end != NULL ? (int32_t)(end - (vm->mem + text)) : -1;
}

static void mark_cell(fvm *vm, fvm_addr cell, bool on) {
    if (on)
        fvm_mark_cell(vm, cell, FVM_CELL_NAME);
    else
        vm->cells[cell] &= (uint8_t)~FVM_CELL_NAME;
}

/* Sets or clears the marks of a header and of its name, which has `length` bytes. */
static void mark(fvm *vm, fvm_addr nfa, uint32_t length, bool on) {
    fvm_addr text = (fvm_addr)fvm_get(vm, nfa);
    for (fvm_addr cell = text >> 2; cell <= (text + length) >> 2; cell++)
        mark_cell(vm, cell, on);
    mark_cell(vm, nfa >> 2, on); /* the address of the name */
    mark_cell(vm, (nfa + FVM_HEADER_LINK) >> 2, on);
}

static bool add(fvm *vm, fvm_addr nfa) {
    fvm_names *names = vm->names;
    int32_t length = name_length(vm, nfa);
    if (length < 0 || (nfa & 3) != 0)
        return false;
    if (names->count == names->capacity) {
        int32_t capacity = names->capacity == 0 ? 2048 : names->capacity * 2;
        entry *grown = realloc(names->entries, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        names->entries = grown;
        names->capacity = capacity;
    }
    uint32_t hash = hash_of(vm->mem + fvm_get(vm, nfa), (uint32_t)length);
    int32_t *head = &names->heads[hash % BUCKETS];
    names->entries[names->count] = (entry){nfa, hash, *head};
    *head = names->count++;
    mark(vm, nfa, (uint32_t)length, true);
    vm->unmetered_work += 16 + (uint32_t)length;
    return true;
}

static void remove_newest(fvm *vm) {
    fvm_names *names = vm->names;
    entry *last = &names->entries[--names->count];
    names->heads[last->hash % BUCKETS] = last->older;
    int32_t length = name_length(vm, last->nfa);
    if (length >= 0)
        mark(vm, last->nfa, (uint32_t)length, false);
}

/* Updates the table from the list; false: the list cannot be indexed. */
static bool update(fvm *vm) {
    fvm_names *names = vm->names;
    fvm_addr head = (fvm_addr)fvm_get(vm, FVM_K_FORTH);
    if (names == NULL) {
        names = vm->names = calloc(1, sizeof *names);
        if (names == NULL)
            return false;
        fvm_names_clear(vm);
    }
    while (names->count > 0 && names->entries[names->count - 1].nfa > head)
        remove_newest(vm);
    fvm_addr newest = names->count > 0 ? names->entries[names->count - 1].nfa : 0;
    if (newest == head)
        return true;
    /* Count the headers that are not indexed yet; the list begins with its newest header. */
    int32_t missing = 0;
    fvm_addr nfa = head;
    while (nfa != newest) {
        if (nfa == 0 || !fvm_in_header(vm, nfa)) {
            /* The list does not contain the newest indexed header: index the complete list. */
            fvm_names_clear(vm);
            if (newest == 0)
                return false;
            return update(vm);
        }
        fvm_addr older = (fvm_addr)fvm_get(vm, nfa + FVM_HEADER_LINK);
        if (older >= nfa)
            return false;
        nfa = older;
        if (++missing > MAX_HEADERS)
            return false;
    }
    fvm_addr *list = malloc(sizeof *list * (size_t)missing);
    if (list == NULL)
        return false;
    nfa = head;
    for (int32_t i = missing; i > 0; i--, nfa = (fvm_addr)fvm_get(vm, nfa + FVM_HEADER_LINK))
        list[i - 1] = nfa;
    bool complete = true;
    for (int32_t i = 0; i < missing && complete; i++)
        complete = add(vm, list[i]);
    free(list);
    if (!complete)
        fvm_names_clear(vm);
    return complete;
}

bool fvm_names_find(fvm *vm, const char *name, uint32_t length, fvm_addr *nfa) {
    if (!update(vm))
        return false;
    const fvm_names *names = vm->names;
    uint32_t hash = hash_of((const uint8_t *)name, length);
    *nfa = 0;
    for (int32_t i = names->heads[hash % BUCKETS]; i >= 0; i = names->entries[i].older) {
        const entry *e = &names->entries[i];
        if (e->hash != hash)
            continue;
        fvm_addr text = (fvm_addr)fvm_get(vm, e->nfa);
        if (fvm_in(vm, text, length + 1) && vm->mem[text + length] == 0 &&
            memcmp(vm->mem + text, name, length) == 0 &&
            (fvm_get(vm, e->nfa + FVM_HEADER_FLAGS) & FVM_FLAG_HIDDEN) == 0) {
            *nfa = e->nfa;
            return true;
        }
    }
    return true;
}
