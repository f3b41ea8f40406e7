/* move_list_reuse.c: decides whether a second generation would give the same move list.
 *
 * A host generates the list, runs OnIsGameOver and generates the list again.  The second list is
 * the same if neither the first generation nor OnIsGameOver has changed memory that a generation
 * reads.  This file owns the check: it compares memory before and after, except scratch memory and
 * the cells that every generation writes before it reads them. */
#include "game/move_list_reuse.h"
#include "vm/page_restore.h"

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
           !vm->records_have_texts && lib->last_pos == 0 && fvm_get(vm, FVM_K_TRANSIENT) == 0 &&
           fvm_get(vm, FVM_K_HOST_LIST) == 0 && fvm_lib_get(vm, lib->moves_list) == 0 &&
           (fvm_here(vm) & 3) == 0 && fvm_depth_of(vm) == 0;
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
    const fvm_library *lib = &vm->lib;
    /* Every generation writes these cells before they can be read. */
    const fvm_addr written[] = {
        FVM_K_DP,        FVM_K_BUILD,         FVM_K_LIST_TAIL, FVM_K_LAST_POS,  FVM_K_TEXT_CONTEXT,
        FVM_K_TRANSIENT, FVM_K_TRANSIENT_TOP, FVM_K_HOST_LIST, lib->moves_list, lib->from,
        lib->pos,        lib->piece,          lib->passed};
    fvm_scratch scratch;
    fvm_scratch_find(vm, &scratch);
    const fvm_ignored ignored = {written, sizeof written / sizeof *written, &scratch};
    return !first->text_depends_on_last_edit && has_no_other_effects(first) &&
           fvm_memory_is_unchanged(vm, &scratch) &&
           fvm_snapshot_differs_only(before, after, (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT),
                                     &ignored);
}
