/* page_restore.c: restores memory to an earlier state, page by page.
 *
 * It owns the copying of bytes, with the write barrier for watched cells that change.  Snapshots,
 * library images, searches and sandboxed evaluations restore memory through it.  Only
 * fvm_restore_dirty uses which pages are dirty. */
#include "vm/page_restore.h"

/* Numbers of bytes that are read together. */
enum { LINE = FVM_LINE, MARKS = 8 };

const uint8_t fvm_zero_page[FVM_PAGE];

static inline void restore_cell(fvm *vm, fvm_addr at, const uint8_t *from) {
    if (vm->cells[at >> 2] != 0 && memcmp(from, vm->mem + at, 4) != 0)
        fvm_write_barrier(vm, at, 4);
    memcpy(vm->mem + at, from, 4);
}

/* Whether one of `count` cells (a multiple of 8) from `start` on is watched. */
static inline bool is_marked(const fvm *vm, fvm_addr start, uint32_t count) {
    uint64_t some = 0;
    for (uint32_t cell = 0; cell < count; cell += MARKS)
        some |= fvm_marks_at(vm, (start >> 2) + cell);
    return some != 0;
}

/* Restores a line that differs from `from`.  Most of its cells are equal, and the marks of equal
 * cells need not be read. */
static void restore_line(fvm *vm, fvm_addr start, const uint8_t *from) {
    if (!is_marked(vm, start, LINE / 4)) {
        memcpy(vm->mem + start, from, LINE);
        return;
    }
    for (uint32_t at = 0; at < LINE; at += 8) {
        if (memcmp(from + at, vm->mem + start + at, 8) == 0)
            continue;
        restore_cell(vm, start + at, from + at);
        restore_cell(vm, start + at + 4, from + at + 4);
    }
}

void fvm_restore_cells(fvm *vm, fvm_addr start, const uint8_t *from, uint32_t length) {
    uint32_t at = 0;
    for (; at + LINE <= length; at += LINE)
        if (fvm_line_differs(from + at, vm->mem + start + at))
            restore_line(vm, start + at, from + at);
    for (; at + 4 <= length; at += 4)
        restore_cell(vm, start + at, from + at);
}

void fvm_restore_page(fvm *vm, uint32_t page, const uint8_t *from) {
    fvm_restore_cells(vm, page << FVM_PAGE_SHIFT, from, FVM_PAGE);
}

void fvm_restore_dirty(fvm *vm) {
    const uint32_t count = (vm->high + FVM_PAGE - 1) >> FVM_PAGE_SHIFT;
    fvm_forget_prepared(vm);
    for (uint32_t page = 0; (page = fvm_next_dirty(vm, page, count)) < count; page++) {
        fvm_restore_page(vm, page, fvm_page_bytes(vm->pages[page]));
        vm->dirty[page] = 0;
    }
}

fvm_dictionary_state fvm_dictionary_now(const fvm *vm) {
    return (fvm_dictionary_state){fvm_get(vm, FVM_K_FORTH), fvm_get(vm, FVM_K_HEADERS)};
}

void fvm_dictionary_restored(fvm *vm, fvm_dictionary_state before) {
    const fvm_dictionary_state now = fvm_dictionary_now(vm);
    if (before.latest == now.latest && before.headers == now.headers)
        return;
    vm->bound_latest = 0; /* fvm_bind must find the hooks again */
    memset(vm->array_sizes, 0, sizeof vm->array_sizes);
}
