/* page_restore.h: restores memory to an earlier state; see page_restore.c. */
#ifndef FVM_PAGE_RESTORE_H
#define FVM_PAGE_RESTORE_H

#include "vm/fast_path.h"
#include "vm/vm.h"

enum { FVM_LINE = 64 }; /* bytes compared together; divides FVM_PAGE */

/* Whether two lines differ.  Equal lines are not written in a restore: most lines of a page are
 * equal, and a load that overlaps a recent store of another size stalls, which costs more than the
 * comparison. */
static inline bool fvm_line_differs(const uint8_t *a, const uint8_t *b) {
    /* compilers turn memcmp into eight comparisons, each with a branch */
    typedef uint64_t vector __attribute__((vector_size(16), aligned(1), may_alias));
    const vector *x = (const vector *)a, *y = (const vector *)b;
    const vector differ = (x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3]);
    return (differ[0] | differ[1]) != 0;
}

/* The cells of a line that differ, a bit each. */
static inline uint32_t fvm_changed_cells(const uint8_t *a, const uint8_t *b) {
    typedef int32_t vector __attribute__((vector_size(16), aligned(1), may_alias));
    typedef uint64_t halves __attribute__((vector_size(16)));
    const vector *x = (const vector *)a, *y = (const vector *)b;
    const halves bits = (halves)(((x[0] != y[0]) & (vector){1, 2, 4, 8}) |
                                 ((x[1] != y[1]) & (vector){16, 32, 64, 128}) |
                                 ((x[2] != y[2]) & (vector){256, 512, 1024, 2048}) |
                                 ((x[3] != y[3]) & (vector){4096, 8192, 16384, 32768}));
    const uint64_t both = bits[0] | bits[1];
    return (uint32_t)(both | both >> 32);
}

/* The same among the first `count` cells of two lines. */
static inline uint32_t fvm_changed_among(const uint8_t *a, const uint8_t *b, uint32_t count) {
    const uint32_t changed = fvm_changed_cells(a, b);
    return count < FVM_LINE / 4 ? changed & ((1u << count) - 1) : changed;
}

/* Copies a page in parts: for one memcpy of a page compilers emit a string instruction, which
 * starts slowly. */
static inline void fvm_copy_page(uint8_t *to, const uint8_t *from) {
    enum { PART = FVM_PAGE / 8 };
    for (uint32_t at = 0; at < FVM_PAGE; at += PART)
        memcpy(to + at, from + at, PART);
}

extern const uint8_t fvm_zero_page[FVM_PAGE];

/* The bytes of a page's copy; NULL stands for zeros. */
static inline const uint8_t *fvm_page_bytes(const fvm_page *copy) {
    return copy != NULL ? copy->bytes : fvm_zero_page;
}

/* Copies `from` to page `page` of memory. The caller updates vm->dirty[page]. */
void fvm_restore_page(fvm *vm, uint32_t page, const uint8_t *from);

/* Copies `length` bytes of whole cells to `start`, which is a multiple of 4. */
void fvm_restore_cells(fvm *vm, fvm_addr start, const uint8_t *from, uint32_t length);

/* Restores every page written since the newest snapshot. */
void fvm_restore_dirty(fvm *vm);

/* Two numbers that change whenever words are defined or removed. */
typedef struct {
    fvm_cell latest, headers;
} fvm_dictionary_state;

fvm_dictionary_state fvm_dictionary_now(const fvm *vm);

/* Must be called after a restore.  If the dictionary has changed, clears what was cached from it:
 * the addresses of hooks and the sizes of arrays. */
void fvm_dictionary_restored(fvm *vm, fvm_dictionary_state before);

#endif
