/* library_image.c: saves the memory of a VM to a library image, and loads it.
 *
 * A process that loads a library image need not interpret the library.  This file owns the format:
 * memory, and the source position of each cell, page by page.
 *
 * Library images are untrusted input.  Contents of memory are as safe as those that scripts write;
 * all other data is checked before the VM is changed. */
#include "vm/page_restore.h"

enum {
    MAGIC = 0x31494D46, /* also detects another byte order */
    ALL_PARTS = 3,
    PAGE_CELLS = FVM_PAGE / 4
};

typedef struct {
    uint32_t magic;
    uint32_t high;
    uint32_t next_base;
    uint32_t token_pos;
    uint32_t token_length;
    uint32_t pages; /* number of page records that follow */
    int64_t steps;
} header;

/* The header of a page record.  Its parts follow, each of FVM_PAGE bytes. */
typedef struct {
    uint32_t number;
    uint32_t parts; /* bits: 1 bytes of memory, 2 source positions; absent parts are all zeros */
} page_record;

uint64_t fvm_digest(const void *bytes, uint32_t length) {
    const uint8_t *from = bytes;
    uint64_t sum = 0x9E3779B97F4A7C15u ^ length;
    for (uint32_t at = 0; at < length; at += 8) {
        uint64_t word = 0;
        memcpy(&word, from + at, length - at < 8 ? length - at : 8);
        sum = (sum ^ word) * 0xD6E8FEB86659FD93u;
        sum ^= sum >> 32;
    }
    return sum;
}

/* Whether the VM has no state besides memory that an image would have to contain. */
static bool is_idle(const fvm *vm) {
    return vm->nesting == 0 && vm->source == NULL && vm->open_word == 0 && vm->section_count == 0 &&
           vm->warning_count == 0 && vm->trace == NULL && fvm_depth_of(vm) == 0;
}

static uint32_t pages_below(uint32_t high) { return (high + FVM_PAGE - 1) >> FVM_PAGE_SHIFT; }

uint32_t fvm_image_save(const fvm *vm, void *to, uint32_t capacity) {
    uint8_t *out = to;
    header top = {.magic = MAGIC,
                  .high = vm->high,
                  .next_base = vm->next_base,
                  .token_pos = vm->token_pos,
                  .token_length = vm->token_length,
                  .steps = fvm_steps(vm)};
    uint32_t length = sizeof top;
    if (!is_idle(vm))
        return 0;
    for (uint32_t number = 0; number < pages_below(vm->high); number++) {
        const void *contents[] = {vm->mem + ((size_t)number << FVM_PAGE_SHIFT),
                                  vm->map + (size_t)number * PAGE_CELLS};
        page_record page = {.number = number};
        for (int i = 0; i < 2; i++)
            if (memcmp(contents[i], fvm_zero_page, FVM_PAGE) != 0)
                page.parts |= 1u << i;
        if (page.parts == 0)
            continue;
        uint32_t more = sizeof page + FVM_PAGE * (page.parts == ALL_PARTS ? 2 : 1);
        if (length + more <= capacity) {
            memcpy(out + length, &page, sizeof page);
            uint32_t at = length + sizeof page;
            for (int i = 0; i < 2; i++)
                if (page.parts & 1u << i) {
                    memcpy(out + at, contents[i], FVM_PAGE);
                    at += FVM_PAGE;
                }
        }
        length += more;
        top.pages++;
    }
    if (length <= capacity)
        memcpy(out, &top, sizeof top);
    return length;
}

/* Reads the record at *at and advances *at.  parts: addresses of its parts; NULL: all zeros.
 * Returns false if the record is malformed. */
static bool next_page(const uint8_t *from, uint32_t length, uint32_t *at, page_record *page,
                      const uint8_t *parts[2]) {
    if (length - *at < sizeof *page)
        return false;
    memcpy(page, from + *at, sizeof *page);
    *at += sizeof *page;
    for (int i = 0; i < 2; i++) {
        parts[i] = NULL;
        if (!(page->parts & 1u << i))
            continue;
        if (length - *at < FVM_PAGE)
            return false;
        parts[i] = from + *at;
        *at += FVM_PAGE;
    }
    return (page->parts & ~(uint32_t)ALL_PARTS) == 0;
}

/* Whether bytes that no word can write, below FVM_LOW or above top->high, are zero. */
static bool is_zero_outside(const header *top, const page_record *page, const uint8_t *bytes) {
    if (bytes == NULL)
        return true;
    uint32_t start = page->number << FVM_PAGE_SHIFT;
    if (start == 0 && memcmp(bytes, fvm_zero_page, FVM_LOW) != 0)
        return false;
    uint32_t used = top->high - start;
    return used >= FVM_PAGE || memcmp(bytes + used, fvm_zero_page, FVM_PAGE - used) == 0;
}

static bool well_formed(const fvm *vm, const uint8_t *from, uint32_t length, header *top) {
    if (length < sizeof *top)
        return false;
    memcpy(top, from, sizeof *top);
    if (top->magic != MAGIC || top->high < FVM_DICTIONARY || top->high > vm->size ||
        top->token_length >= FVM_PAD_BYTES || top->steps < 0 || top->steps > INT32_MAX)
        return false;
    uint32_t at = sizeof *top, next = 0;
    for (uint32_t i = 0; i < top->pages; i++) {
        page_record page;
        const uint8_t *parts[2] = {NULL, NULL};
        if (!next_page(from, length, &at, &page, parts) || page.number < next ||
            page.number >= pages_below(top->high) || !is_zero_outside(top, &page, parts[0]))
            return false;
        next = page.number + 1;
    }
    return at == length;
}

static void set_page(fvm *vm, uint32_t number, const uint8_t *parts[2]) {
    const uint8_t *bytes = parts[0] != NULL ? parts[0] : fvm_zero_page;
    const uint8_t *positions = parts[1] != NULL ? parts[1] : fvm_zero_page;
    if (memcmp(vm->mem + ((size_t)number << FVM_PAGE_SHIFT), bytes, FVM_PAGE) != 0) {
        fvm_restore_page(vm, number, bytes);
        vm->dirty[number] = 1;
    }
    uint32_t *map = vm->map + (size_t)number * PAGE_CELLS;
    if (memcmp(map, positions, FVM_PAGE) != 0)
        memcpy(map, positions, FVM_PAGE);
}

fvm_status fvm_image_load(fvm *vm, const void *from, uint32_t length, uint32_t next_base) {
    header top;
    if (!is_idle(vm) || !well_formed(vm, from, length, &top) || top.next_base != next_base)
        return FVM_ERR_CONTEXT;
    uint32_t count = pages_below(vm->high > top.high ? vm->high : top.high), number = 0;
    uint32_t at = sizeof top;
    const uint8_t *zero_parts[2] = {NULL, NULL};
    for (uint32_t i = 0; i < top.pages; i++) {
        page_record page;
        const uint8_t *parts[2] = {NULL, NULL};
        next_page(from, length, &at, &page, parts);
        while (number < page.number)
            set_page(vm, number++, zero_parts);
        set_page(vm, number++, parts);
    }
    while (number < count)
        set_page(vm, number++, zero_parts);
    fvm_image_restored(vm, top.high, vm->size);
    vm->next_base = top.next_base;
    vm->token_pos = top.token_pos;
    vm->token_length = top.token_length;
    vm->steps += top.steps;
    vm->bound_latest = 0; /* fvm_bind must find the hooks again */
    fvm_update_translated_limit(vm);
    return FVM_OK;
}
