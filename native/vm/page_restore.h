/* page_restore.h: memory brought back to how it was; see page_restore.c. */
#ifndef FVM_PAGE_RESTORE_H
#define FVM_PAGE_RESTORE_H

#include "vm/fast_path.h"
#include "vm/vm.h"

/* In parts: for the whole, compilers take an instruction that is slow to start. */
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

/* Page `page` of memory becomes `from`.  Whether it is dirty is the caller's. */
void fvm_restore_page(fvm *vm, uint32_t page, const uint8_t *from);

/* As many whole cells from `start`, which is a multiple of 4, become `from`. */
void fvm_restore_cells(fvm *vm, fvm_addr start, const uint8_t *from, uint32_t length);

/* Every page written since the newest snapshot becomes as it was then. */
void fvm_restore_dirty(fvm *vm);

/* Which dictionary memory holds. */
typedef struct {
    fvm_cell latest, headers;
} fvm_dictionary_state;

fvm_dictionary_state fvm_dictionary_now(const fvm *vm);

/* After a restore: what was looked up in the dictionary that was there `before` is forgotten. */
void fvm_dictionary_restored(fvm *vm, fvm_dictionary_state before);

#endif
