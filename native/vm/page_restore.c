/* page_restore.c: pages back as they were in the newest snapshot, fast.
 *
 * Searches and counts take back what little has been written, over and over.  It owns that most of
 * it needs neither a look at single cells nor at what hangs on them; pages and copies are
 * snapshot.c's. */
#include "vm/fast_path.h"
#include "vm/vm.h"

enum { PART = FVM_PAGE / 8, BLOCK = 32 }; /* bytes; a block's marks are looked at together */

/* Whether something hangs on the cells of a page. */
static bool is_marked(const fvm *vm, fvm_addr start) {
    uint64_t marks[FVM_PAGE / 4 / 8], some = 0;
    memcpy(marks, vm->cells + (start >> 2), sizeof marks);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        some |= marks[i];
    return some != 0;
}

static void put_cell_back(fvm *vm, fvm_addr at, const uint8_t *from) {
    if (vm->cells[at >> 2] != 0 && memcmp(from, vm->mem + at, 4) != 0)
        fvm_touch(vm, at, 4);
    memcpy(vm->mem + at, from, 4);
}

static void put_block_back(fvm *vm, fvm_addr at, const uint8_t *from) {
    uint64_t marks;
    memcpy(&marks, vm->cells + (at >> 2), sizeof marks);
    if (marks == 0)
        memcpy(vm->mem + at, from, BLOCK);
    else if (memcmp(from, vm->mem + at, BLOCK) != 0)
        for (uint32_t cell = 0; cell < BLOCK; cell += 4)
            put_cell_back(vm, at + cell, from + cell);
}

static void put_parts_back(fvm *vm, fvm_addr start, const uint8_t *from) {
    for (uint32_t at = 0; at < FVM_PAGE; at += PART)
        if (memcmp(from + at, vm->mem + start + at, PART) != 0)
            for (uint32_t block = at; block < at + PART; block += BLOCK)
                put_block_back(vm, start + block, from + block);
}

/* In parts: for the whole compilers take an instruction that is slow to start. */
static void copy_page(uint8_t *to, const uint8_t *from) {
    for (uint32_t at = 0; at < FVM_PAGE; at += PART)
        memcpy(to + at, from + at, PART);
}

void fvm_pages_back(fvm *vm) {
    static const uint8_t zeros[FVM_PAGE];
    const uint32_t count = (vm->high + FVM_PAGE - 1) >> FVM_PAGE_SHIFT;
    for (uint32_t page = 0; (page = fvm_next_dirty(vm, page, count)) < count; page++) {
        const uint8_t *from = vm->pages[page] != NULL ? vm->pages[page]->bytes : zeros;
        fvm_addr start = page << FVM_PAGE_SHIFT;
        if (is_marked(vm, start))
            put_parts_back(vm, start, from);
        else
            copy_page(vm->mem + start, from);
        vm->dirty[page] = 0;
    }
}
