/* page_restore.h: restores memory to an earlier state; see page_restore.c. */
#ifndef FVM_PAGE_RESTORE_H
#define FVM_PAGE_RESTORE_H

#include "vm/fast_path.h"
#include "vm/vm.h"

enum { FVM_LINE = 64 }; /* bytes compared together; divides FVM_PAGE */

/* Usually little of a page has changed, so equal lines are not written: a load that overlaps recent
 * stores of another size stalls, which costs more than the comparison. */
static inline bool fvm_line_differs(const uint8_t *a, const uint8_t *b) {
    uint64_t differ = 0;
    for (size_t at = 0; at < FVM_LINE; at += sizeof differ) {
        uint64_t one, two;
        memcpy(&one, a + at, sizeof one);
        memcpy(&two, b + at, sizeof two);
        differ |= one ^ two;
    }
    return differ != 0;
}

/* In parts, because for a whole page compilers emit a string instruction, which is slow to start.
 */
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

/* Copies `from` to page `page` of memory. The caller updates the page's mark. */
void fvm_restore_page(fvm *vm, uint32_t page, const uint8_t *from);

/* Copies `length` bytes of whole cells to `start`, which is a multiple of 4. */
void fvm_restore_cells(fvm *vm, fvm_addr start, const uint8_t *from, uint32_t length);

/* Restores every page written since the newest snapshot. */
void fvm_restore_dirty(fvm *vm);

/* Identifies the dictionary that is in memory. */
typedef struct {
    fvm_cell latest, headers;
} fvm_dictionary_state;

fvm_dictionary_state fvm_dictionary_now(const fvm *vm);

/* After a restore: drops cached results of searching the dictionary that was there `before`. */
void fvm_dictionary_restored(fvm *vm, fvm_dictionary_state before);

#endif
