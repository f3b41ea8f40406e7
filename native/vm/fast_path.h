/* fast_path.h: stores without a write barrier, after one check for several cells.
 *
 * Code that writes move records uses it.  It owns the check whether raw stores are allowed.  If
 * they are allowed, the caller uses fvm_put_in, and must not cause translation of code before
 * its last raw store.  Otherwise the caller uses the accessors of vm.h. */
#ifndef FVM_FAST_PATH_H
#define FVM_FAST_PATH_H

#include "vm/vm.h"

enum { FVM_MARKS = 32 }; /* bytes of memory whose marks are read together */

static inline uint64_t fvm_marks_at(const fvm *vm, uint32_t cell) {
    uint64_t marks; /* vm->cells has spare bytes at its end */
    memcpy(&marks, vm->cells + cell, sizeof marks);
    return marks;
}

/* Marks the pages of `bytes` bytes (at least 1) from the address `at` on as written, and the bytes
 * as used. */
static inline void fvm_mark_written(fvm *vm, fvm_addr at, uint32_t bytes) {
    FVM_ASSERT(bytes > 0 && fvm_in(vm, at, bytes));
    if (FVM_UNLIKELY(at + bytes > vm->high))
        fvm_set_high(vm, at + bytes);
    for (fvm_addr page = at >> FVM_PAGE_SHIFT; page <= (at + bytes - 1) >> FVM_PAGE_SHIFT; page++)
        vm->dirty[page] = 1;
}

/* Returns whether raw stores to `bytes` bytes (at least 1) from the address `at` on are
 * allowed: `at` is aligned and no cell of the range is watched.  If so, marks the pages of the
 * range as written.  See also prepared_memory.h. */
static inline bool fvm_prepare_raw_stores(fvm *vm, fvm_addr at, uint32_t bytes) {
    if (FVM_UNLIKELY((at & 3) != 0 || at < FVM_DICTIONARY || !fvm_in(vm, at, bytes)))
        return false;
    for (uint32_t done = 0; done < bytes && (at + done) >> 2 < vm->marked_cells; done += FVM_MARKS)
        if (fvm_marks_at(vm, (at + done) >> 2) != 0)
            return false;
    fvm_mark_written(vm, at, bytes);
    return true;
}

/* The next two functions have vm->mem as a parameter, so that callers can load this pointer once:
 * after each store the compiler would otherwise load the field of the VM again. */
static inline fvm_cell fvm_cell_in(const uint8_t *mem, fvm_addr at) {
    fvm_cell value;
    memcpy(&value, mem + at, 4);
    return value;
}

static inline void fvm_put_in(uint8_t *mem, fvm_addr at, fvm_cell value) {
    memcpy(mem + at, &value, 4);
}

/* Charges one step. */
static inline fvm_status fvm_spend_one(fvm *vm) {
    if (FVM_UNLIKELY(vm->fuel <= 0))
        return fvm_spend(vm, 1);
    vm->fuel--;
    return FVM_OK;
}

/* Whether fvm_set may store to an address. */
static inline bool fvm_can_set(const fvm *vm, fvm_addr addr) {
    return (addr & 3) == 0 && (addr - FVM_LOW) >> 2 < vm->high_cells;
}

enum { FVM_PAGES_AT_ONCE = 8 }; /* pages whose marks are read together */

/* Returns the marks of the FVM_PAGES_AT_ONCE pages from `page` on; 0 if all these pages are clean.
 * vm->dirty has spare bytes at its end. */
static inline uint64_t fvm_pages_marked(const fvm *vm, uint32_t page) {
    uint64_t marks;
    memcpy(&marks, vm->dirty + page, FVM_PAGES_AT_ONCE);
    return marks;
}

/* Returns the first page from `page` on whose mark has one of the bits in `bits`; `end` if there is
 * no such page below `end`. */
static inline uint32_t fvm_next_marked(const fvm *vm, uint32_t page, uint32_t end, uint8_t bits) {
    while (page < end) {
        uint64_t marks = 0; /* of 64 pages: most of several hundred pages are clean */
        for (uint32_t at = 0; at < 64; at += FVM_PAGES_AT_ONCE)
            marks |= fvm_pages_marked(vm, page + at);
        if ((marks & 0x0101010101010101u * bits) == 0) {
            page += 64;
            continue;
        }
        if ((fvm_pages_marked(vm, page) & 0x0101010101010101u * bits) == 0) {
            page += FVM_PAGES_AT_ONCE;
            continue;
        }
        while ((vm->dirty[page] & bits) == 0)
            page++;
        return page < end ? page : end;
    }
    return end;
}

/* Returns the first page from `page` on with any mark; `end` if there is no such page below it. */
static inline uint32_t fvm_next_dirty(const fvm *vm, uint32_t page, uint32_t end) {
    return fvm_next_marked(vm, page, end, 0xFF);
}

/* Returns the address of the cell of a board position.  Returns 0 if the position or the board is
 * invalid; fvm_board_cell then reports the error. */
static inline fvm_addr fvm_square(const fvm *vm, fvm_cell pos) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board), cell = board + 4u * (uint32_t)pos;
    return board != 0 && pos >= 0 && pos < fvm_lib_get(vm, vm->lib.positions) && fvm_in(vm, cell, 4)
               ? cell
               : 0;
}

#endif
