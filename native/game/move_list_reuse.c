/* move_list_reuse.c: decides whether a second generation would give the same move list.
 *
 * A host generates the list, runs OnIsGameOver and generates the list again.  The second list is
 * the same if neither the first generation nor OnIsGameOver has changed memory that a generation
 * reads.  This file owns the check: it compares memory before and after, except scratch memory and
 * the cells that every generation writes before it reads them.  If the caller has snapshots, these
 * are compared; else this file copies pages and compares memory with the copies.  It must not know
 * the purpose of the list. */
#include "game/move_list_reuse.h"
#include "vm/page_restore.h"

static uint32_t pages_below(fvm_addr here) { return (here + FVM_PAGE - 1) >> FVM_PAGE_SHIFT; }

/* Whether all memory from an address upwards is zero.  A page that is not dirty and has no shared
 * copy contains zeros. */
static bool is_wiped(const fvm *vm, fvm_addr from) {
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

/* The highest HERE during the generation of the list.  The list's memory below it is wiped later;
 * memory above it must be zero already. */
static fvm_addr list_top(const fvm *vm) {
    const fvm_addr here = fvm_here(vm), top = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT_TOP);
    return here > top ? here : top;
}

/* Whether the next list may be reused: there is no list yet, no trace and no step limit. */
static bool may_be_reused(const fvm *vm) {
    const fvm_library *lib = &vm->lib;
    return vm->bound && vm->trace == NULL && vm->nesting == 0 && vm->steps_limit == 0 &&
           lib->on_generate == 0 && !vm->records_have_texts && lib->last_pos == 0 &&
           fvm_get(vm, FVM_K_TRANSIENT) == 0 && fvm_get(vm, FVM_K_HOST_LIST) == 0 &&
           fvm_lib_get(vm, lib->moves_list) == 0 && (fvm_here(vm) & 3) == 0 &&
           fvm_depth_of(vm) == 0;
}

/* The cells that every generation writes before they can be read. */
static void cells_of_generation(const fvm *vm, fvm_addr cells[FVM_GENERATION_CELLS]) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr written[FVM_GENERATION_CELLS] = {
        FVM_K_DP,        FVM_K_BUILD,         FVM_K_LIST_TAIL, FVM_K_LAST_POS,  FVM_K_TEXT_CONTEXT,
        FVM_K_TRANSIENT, FVM_K_TRANSIENT_TOP, FVM_K_HOST_LIST, lib->moves_list, lib->from,
        lib->pos,        lib->piece,          lib->passed};
    memcpy(cells, written, sizeof written);
}

/* --- the first list --------------------------------------------------------------- */

bool fvm_first_list_begin(fvm_first_list *first, fvm *vm) {
    const fvm_addr here = fvm_here(vm);
    *first = (fvm_first_list){
        .vm = vm, .external_effects = vm->external_effects, .start_steps = fvm_steps(vm)};
    return may_be_reused(vm) && fvm_in(vm, here, 4) && is_wiped(vm, here);
}

void fvm_first_list_made(fvm_first_list *first) {
    first->steps = fvm_steps(first->vm) - first->start_steps;
    first->text_depends_on_last_edit = fvm_texts_depend_on_last_edit(first->vm) != 0;
}

/* Whether the generation and OnIsGameOver had no effects other than on memory below HERE. */
static bool has_no_other_effects(const fvm_first_list *first) {
    const fvm *vm = first->vm;
    return vm->external_effects == first->external_effects &&
           fvm_lib_get(vm, vm->lib.passed) == 0 && fvm_depth_of(vm) == 0 &&
           is_wiped(vm, list_top(vm));
}

bool fvm_first_list_is_reusable(const fvm_first_list *first, const fvm_snapshot *before,
                                const fvm_snapshot *after) {
    fvm *vm = first->vm;
    fvm_addr written[FVM_GENERATION_CELLS];
    fvm_scratch scratch;
    cells_of_generation(vm, written);
    fvm_scratch_find(vm, &scratch);
    const fvm_ignored ignored = {written, FVM_GENERATION_CELLS, &scratch};
    return !first->text_depends_on_last_edit && has_no_other_effects(first) &&
           fvm_memory_is_unchanged(vm, &scratch) &&
           fvm_snapshot_differs_only(before, after, (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT),
                                     &ignored);
}

/* --- callers without snapshots ---------------------------------------------------- */

static void restore_dirty_flags(fvm_list_reuse *reuse) {
    for (int i = 0; i < reuse->count; i++)
        reuse->first.vm->dirty[reuse->pages[i]] = 1;
}

/* Copies the dirty pages and clears their flags.  The other pages equal their shared copies. */
static bool copy_dirty_pages(fvm_list_reuse *reuse) {
    fvm *vm = reuse->first.vm;
    const uint32_t end = pages_below(reuse->here);
    fvm_forget_prepared(vm);
    for (uint32_t page = 0; (page = fvm_next_dirty(vm, page, end)) < end;) {
        if (reuse->count == FVM_REUSE_PAGES) {
            restore_dirty_flags(reuse);
            return false;
        }
        fvm_copy_page(reuse->copies[reuse->count], vm->mem + ((size_t)page << FVM_PAGE_SHIFT));
        reuse->pages[reuse->count++] = page;
        vm->dirty[page++] = 0;
    }
    return true;
}

bool fvm_reuse_begin(fvm_list_reuse *reuse, fvm *vm) {
    reuse->here = fvm_here(vm);
    reuse->count = 0;
    return fvm_first_list_begin(&reuse->first, vm) && copy_dirty_pages(reuse);
}

void fvm_reuse_list_made(fvm_list_reuse *reuse) {
    const fvm *vm = reuse->first.vm;
    const fvm_addr cells[FVM_REUSE_CELLS] = {FVM_K_DP, FVM_K_TRANSIENT, FVM_K_HOST_LIST,
                                             FVM_K_BUILD, vm->lib.moves_list};
    memcpy(reuse->cells, cells, sizeof cells);
    for (int i = 0; i < FVM_REUSE_CELLS; i++)
        reuse->values[i] = fvm_get(vm, cells[i]);
    fvm_first_list_made(&reuse->first);
}

/* Returns the contents of a page before the generation: its copy, or if there is none, the shared
 * page, which is copied to `buffer`. */
static uint8_t *page_copy(fvm_list_reuse *reuse, uint32_t page, uint8_t *buffer) {
    for (int i = 0; i < reuse->count; i++)
        if (reuse->pages[i] == page)
            return reuse->copies[i];
    fvm_copy_page(buffer, fvm_page_bytes(reuse->first.vm->pages[page]));
    return buffer;
}

/* Copies the part of memory in [begin, end) that is on a page to the page's copy. */
static void make_equal(const fvm *vm, uint8_t *copy, uint32_t page, fvm_addr begin, fvm_addr end) {
    const fvm_addr start = page << FVM_PAGE_SHIFT;
    const fvm_addr first = begin > start ? begin : start;
    const fvm_addr last = end < start + FVM_PAGE ? end : start + FVM_PAGE;
    if (first < last)
        memcpy(copy + (first - start), vm->mem + first, last - first);
}

/* Whether a page is unchanged except for scratch memory and the cells that every generation writes.
 * These are made equal in the copy before the comparison. */
static bool page_is_unchanged(fvm_list_reuse *reuse, uint32_t page) {
    const fvm *vm = reuse->first.vm;
    const fvm_addr start = page << FVM_PAGE_SHIFT;
    const uint32_t length = reuse->here - start < FVM_PAGE ? reuse->here - start : FVM_PAGE;
    uint8_t buffer[FVM_PAGE], *before = page_copy(reuse, page, buffer);
    for (int i = 0; i < FVM_GENERATION_CELLS; i++)
        make_equal(vm, before, page, reuse->written[i], reuse->written[i] + 4);
    for (int32_t i = 0; i < reuse->scratch.count; i++)
        make_equal(vm, before, page, reuse->scratch.ranges[i].begin, reuse->scratch.ranges[i].end);
    return memcmp(before, vm->mem + start, length) == 0;
}

static bool memory_is_unchanged(fvm_list_reuse *reuse) {
    const fvm *vm = reuse->first.vm;
    const uint32_t end = pages_below(reuse->here);
    cells_of_generation(vm, reuse->written);
    fvm_scratch_find(vm, &reuse->scratch);
    for (uint32_t page = 0; (page = fvm_next_dirty(vm, page, end)) < end; page++)
        if (!page_is_unchanged(reuse, page))
            return false;
    return true;
}

bool fvm_reuse_possible(fvm_list_reuse *reuse, int64_t *steps) {
    const fvm *vm = reuse->first.vm;
    bool same = has_no_other_effects(&reuse->first);
    for (int i = 0; i < FVM_REUSE_CELLS && same; i++)
        same = fvm_get(vm, reuse->cells[i]) == reuse->values[i];
    same = same && memory_is_unchanged(reuse);
    restore_dirty_flags(reuse);
    *steps = reuse->first.steps;
    return same;
}
