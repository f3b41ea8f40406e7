/* again.c: whether a list of moves that is made a second time would have as many moves as before.
 *
 * A host asks for the list, asks OnIsGameOver and asks for the list again.  The second list is the
 * first again if neither the first one nor the question has changed anything that making a list
 * looks at, and that shows in memory: pages are compared with how they were.  It owns what is
 * compared and which cells do not count; it must not know what is done with the list.  (loop.c
 * keeps whole lists by snapshots, which somebody wants there anyway.) */
#include "again.h"

#include <stdlib.h>

enum { GROUP = 8, PART = 256, BLOCK = 32 }; /* flags of pages, bytes: looked at together */

static bool none_dirty(const fvm *vm, uint32_t page) {
    uint64_t flags;
    memcpy(&flags, vm->dirty + page, GROUP);
    return flags == 0;
}

/* The pages up to HERE.  Above it are lists, which both times begin in wiped memory; what lies
 * further up may not be written. */
static uint32_t pages_below(fvm_addr here) { return (here + FVM_PAGE - 1) >> FVM_PAGE_SHIFT; }

bool fvm_list_repeats(const fvm *vm) {
    const fvm_library *lib = &vm->lib;
    return vm->bound && vm->trace == NULL && vm->nesting == 0 && vm->steps_limit == 0 &&
           lib->on_generate == 0 && !vm->layout_140 && lib->last_pos == 0 &&
           fvm_get(vm, FVM_K_TRANSIENT) == 0 && fvm_get(vm, FVM_K_HOST_LIST) == 0 &&
           fvm_lib_get(vm, lib->moves_list, 0) == 0 && (fvm_here(vm) & 3) == 0 &&
           fvm_depth_of(vm) == 0;
}

void fvm_list_writes(const fvm *vm, fvm_addr cells[FVM_LIST_WRITES]) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr written[FVM_LIST_WRITES] = {
        FVM_K_DP,           FVM_K_BUILD,         FVM_K_LIST_TAIL,  FVM_K_LAST_POS,
        FVM_K_CHANGED_KIND, FVM_K_CHANGED_TO,    FVM_K_BUILD_LAST, FVM_K_TEXT_LENGTH,
        FVM_K_TRANSIENT,    FVM_K_TRANSIENT_TOP, FVM_K_HOST_LIST,  lib->moves_list,
        lib->from,          lib->pos,            lib->piece,       lib->passed};
    memcpy(cells, written, sizeof written);
}

static void put_flags_back(fvm_again *a) {
    for (int i = 0; i < a->count; i++)
        a->vm->dirty[a->pages[i]] = 1;
    for (int i = 0; i < a->above; i++)
        a->vm->dirty[a->pages_above[i]] = 1;
}

/* What has been written above HERE so far is nobody's; what is from now on will show. */
static bool clear_above(fvm_again *a) {
    fvm *vm = a->vm;
    const uint32_t end = pages_below(vm->high);
    for (uint32_t page = pages_below(a->here); page < end; page++) {
        if (page % GROUP == 0 && none_dirty(vm, page)) {
            page += GROUP - 1;
            continue;
        }
        if (vm->dirty[page] == 0)
            continue;
        if (a->above == FVM_AGAIN_PAGES) {
            put_flags_back(a);
            return false;
        }
        a->pages_above[a->above++] = page;
        vm->dirty[page] = 0;
    }
    return true;
}

/* Whether something was written above the list, where no list wipes it away. */
static bool written_above(const fvm_again *a) {
    const fvm *vm = a->vm;
    const uint32_t end = pages_below(vm->high);
    for (uint32_t page = pages_below(fvm_here(vm)); page < end; page++)
        if (page % GROUP == 0 && none_dirty(vm, page))
            page += GROUP - 1;
        else if (vm->dirty[page] != 0)
            return true;
    return false;
}

/* Takes copies of what has changed since the last snapshot; the rest is there already. */
static bool take_copies(fvm_again *a) {
    fvm *vm = a->vm;
    const uint32_t end = pages_below(a->here);
    for (uint32_t page = 0; page < end; page++) {
        if (page % GROUP == 0 && none_dirty(vm, page)) {
            page += GROUP - 1;
            continue;
        }
        if (vm->dirty[page] == 0)
            continue;
        if (a->count == FVM_AGAIN_PAGES) {
            put_flags_back(a);
            return false;
        }
        memcpy(a->copies[a->count], vm->mem + ((size_t)page << FVM_PAGE_SHIFT), FVM_PAGE);
        a->pages[a->count++] = page;
        vm->dirty[page] = 0;
    }
    return true;
}

bool fvm_again_begin(fvm_again *a, fvm *vm) {
    a->vm = vm;
    a->here = fvm_here(vm);
    a->outside = vm->outside;
    a->steps = fvm_steps(vm);
    a->count = a->above = 0;
    return fvm_list_repeats(vm) && fvm_in(vm, a->here, 4) && take_copies(a) && clear_above(a);
}

void fvm_again_listed(fvm_again *a) {
    const fvm *vm = a->vm;
    const fvm_addr cells[FVM_AGAIN_CELLS] = {FVM_K_DP, FVM_K_TRANSIENT, FVM_K_HOST_LIST,
                                             FVM_K_BUILD, vm->lib.moves_list};
    memcpy(a->cells, cells, sizeof cells);
    for (int i = 0; i < FVM_AGAIN_CELLS; i++)
        a->values[i] = fvm_get(vm, cells[i]);
    a->steps = fvm_steps(vm) - a->steps;
}

static bool is_rewritten(const fvm *vm, fvm_addr addr) {
    fvm_addr written[FVM_LIST_WRITES];
    fvm_list_writes(vm, written);
    for (int i = 0; i < FVM_LIST_WRITES; i++)
        if (written[i] == addr)
            return true;
    return false;
}

static bool is_as_before(const fvm_again *a, uint32_t page, const uint8_t *before) {
    const fvm *vm = a->vm;
    const fvm_addr start = page << FVM_PAGE_SHIFT;
    const uint8_t *now = vm->mem + start;
    for (uint32_t block = 0; block < FVM_PAGE; block += BLOCK) {
        if (block % PART == 0 && memcmp(before + block, now + block, PART) == 0) {
            block += PART - BLOCK;
            continue;
        }
        if (memcmp(before + block, now + block, BLOCK) == 0)
            continue;
        for (uint32_t at = block; at < block + BLOCK && start + at < a->here; at += 4)
            if (memcmp(before + at, now + at, 4) != 0 && !is_rewritten(vm, start + at))
                return false;
    }
    return true;
}

static const uint8_t *copy_of(const fvm_again *a, uint32_t page) {
    static const uint8_t zeros[FVM_PAGE];
    for (int i = 0; i < a->count; i++)
        if (a->pages[i] == page)
            return a->copies[i];
    return a->vm->pages[page] != NULL ? a->vm->pages[page]->bytes : zeros;
}

static bool memory_is_as_before(const fvm_again *a) {
    const fvm *vm = a->vm;
    const uint32_t end = pages_below(a->here);
    for (uint32_t page = 0; page < end; page++) {
        if (page % GROUP == 0 && none_dirty(vm, page)) {
            page += GROUP - 1;
            continue;
        }
        if (vm->dirty[page] != 0 && !is_as_before(a, page, copy_of(a, page)))
            return false;
    }
    return true;
}

bool fvm_again_same(fvm_again *a, int64_t *steps) {
    const fvm *vm = a->vm;
    bool same = vm->outside == a->outside && fvm_lib_get(vm, vm->lib.passed, 0) == 0 &&
                fvm_depth_of(vm) == 0 && !written_above(a) && memory_is_as_before(a);
    for (int i = 0; i < FVM_AGAIN_CELLS && same; i++)
        same = fvm_get(vm, a->cells[i]) == a->values[i];
    put_flags_back(a);
    *steps = a->steps;
    return same;
}
