/* move_list_reuse.c: whether a move list generated a second time would have the same length.
 *
 * A host generates the list, asks OnIsGameOver and generates the list again.  The second list is
 * the same if neither the first generation nor OnIsGameOver has changed memory that a generation
 * reads, which is found by comparing pages with copies.  This file owns what is compared and which
 * cells are ignored; it must not know what the list is for.  (host_loop.c reuses whole lists, by
 * comparing snapshots that its callers need anyway.) */
#include "game/move_list_reuse.h"
#include "vm/page_restore.h"

#include <stdlib.h>

static uint32_t pages_below(fvm_addr here) { return (here + FVM_PAGE - 1) >> FVM_PAGE_SHIFT; }

/* A page that was not written, and that no snapshot has, is zero. */
bool fvm_is_wiped(const fvm *vm, fvm_addr from) {
    while (from < vm->high) {
        const uint32_t page = from >> FVM_PAGE_SHIFT;
        const fvm_addr next = (page + 1) << FVM_PAGE_SHIFT;
        if ((vm->dirty[page] != 0 || vm->pages[page] != NULL) &&
            memcmp(vm->mem + from, fvm_zero_page, next - from) != 0)
            return false;
        from = next;
    }
    return true;
}

fvm_addr fvm_list_top(const fvm *vm) {
    const fvm_addr here = fvm_here(vm), top = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT_TOP);
    return here > top ? here : top;
}

bool fvm_list_is_reusable(const fvm *vm) {
    const fvm_library *lib = &vm->lib;
    return vm->bound && vm->trace == NULL && vm->nesting == 0 && vm->steps_limit == 0 &&
           lib->on_generate == 0 && !vm->layout_140 && lib->last_pos == 0 &&
           fvm_get(vm, FVM_K_TRANSIENT) == 0 && fvm_get(vm, FVM_K_HOST_LIST) == 0 &&
           fvm_lib_get(vm, lib->moves_list, 0) == 0 && (fvm_here(vm) & 3) == 0 &&
           fvm_depth_of(vm) == 0;
}

void fvm_cells_of_generation(const fvm *vm, fvm_addr cells[FVM_GENERATION_CELLS]) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr written[FVM_GENERATION_CELLS] = {
        FVM_K_DP,        FVM_K_BUILD,         FVM_K_LIST_TAIL, FVM_K_LAST_POS,  FVM_K_TEXT_CONTEXT,
        FVM_K_TRANSIENT, FVM_K_TRANSIENT_TOP, FVM_K_HOST_LIST, lib->moves_list, lib->from,
        lib->pos,        lib->piece,          lib->passed};
    memcpy(cells, written, sizeof written);
}

static void restore_dirty_flags(fvm_list_reuse *a) {
    for (int i = 0; i < a->count; i++)
        a->vm->dirty[a->pages[i]] = 1;
}

/* Copies the pages that have changed since the last snapshot; the snapshot has the others. */
static bool take_copies(fvm_list_reuse *a) {
    fvm *vm = a->vm;
    const uint32_t end = pages_below(a->here);
    for (uint32_t page = 0; (page = fvm_next_dirty(vm, page, end)) < end;) {
        if (a->count == FVM_REUSE_PAGES) {
            restore_dirty_flags(a);
            return false;
        }
        fvm_copy_page(a->copies[a->count], vm->mem + ((size_t)page << FVM_PAGE_SHIFT));
        a->pages[a->count++] = page;
        vm->dirty[page++] = 0;
    }
    return true;
}

bool fvm_reuse_begin(fvm_list_reuse *a, fvm *vm) {
    a->vm = vm;
    a->here = fvm_here(vm);
    a->external_effects = vm->external_effects;
    a->steps = fvm_steps(vm);
    a->count = 0;
    return fvm_list_is_reusable(vm) && fvm_in(vm, a->here, 4) && fvm_is_wiped(vm, a->here) &&
           take_copies(a);
}

void fvm_reuse_list_made(fvm_list_reuse *a) {
    const fvm *vm = a->vm;
    const fvm_addr cells[FVM_REUSE_CELLS] = {FVM_K_DP, FVM_K_TRANSIENT, FVM_K_HOST_LIST,
                                             FVM_K_BUILD, vm->lib.moves_list};
    memcpy(a->cells, cells, sizeof cells);
    for (int i = 0; i < FVM_REUSE_CELLS; i++)
        a->values[i] = fvm_get(vm, cells[i]);
    a->steps = fvm_steps(vm) - a->steps;
}

/* The page before the generation; if there is no copy, one is made in `room`. */
static uint8_t *page_copy(fvm_list_reuse *a, uint32_t page, uint8_t *room) {
    for (int i = 0; i < a->count; i++)
        if (a->pages[i] == page)
            return a->copies[i];
    fvm_copy_page(room, fvm_page_bytes(a->vm->pages[page]));
    return room;
}

/* Cells that every generation writes may differ: their new values are put into the copy. */
static bool page_is_unchanged(fvm_list_reuse *a, uint32_t page) {
    const fvm *vm = a->vm;
    const fvm_addr start = page << FVM_PAGE_SHIFT;
    const uint32_t length = a->here - start < FVM_PAGE ? a->here - start : FVM_PAGE;
    uint8_t room[FVM_PAGE], *before = page_copy(a, page, room);
    for (int i = 0; i < FVM_GENERATION_CELLS; i++)
        if (a->writes[i] >> FVM_PAGE_SHIFT == page && (a->writes[i] & 3) == 0)
            memcpy(before + (a->writes[i] - start), vm->mem + a->writes[i], 4);
    return memcmp(before, vm->mem + start, length) == 0;
}

static bool memory_is_unchanged(fvm_list_reuse *a) {
    const fvm *vm = a->vm;
    const uint32_t end = pages_below(a->here);
    fvm_cells_of_generation(vm, a->writes);
    for (uint32_t page = 0; (page = fvm_next_dirty(vm, page, end)) < end; page++)
        if (!page_is_unchanged(a, page))
            return false;
    return true;
}

bool fvm_reuse_possible(fvm_list_reuse *a, int64_t *steps) {
    const fvm *vm = a->vm;
    bool same = vm->external_effects == a->external_effects &&
                fvm_lib_get(vm, vm->lib.passed, 0) == 0 && fvm_depth_of(vm) == 0 &&
                fvm_is_wiped(vm, fvm_list_top(vm));
    for (int i = 0; i < FVM_REUSE_CELLS && same; i++)
        same = fvm_get(vm, a->cells[i]) == a->values[i];
    same = same && memory_is_unchanged(a);
    restore_dirty_flags(a);
    *steps = a->steps;
    return same;
}
