/* snapshot.c: snapshots, which share copies of pages with the VM and with each other.
 *
 * vm->pages[p] is a shared copy of page p, NULL for zeros; memory differs from it only if the page
 * is dirty.  Taking a snapshot copies the dirty pages; restoring one copies the pages that differ.
 *
 * Groups of page copies are shared as well: vm->groups[g] contains the same copies as vm->pages, or
 * is NULL.  So the cost of a snapshot depends on the number of changed pages, not on the size of
 * memory. */
#include "vm/page_restore.h"

#include <stdlib.h>

enum { GROUP = 2 * FVM_PAGES_AT_ONCE }; /* pages in a group */

struct fvm_page_group {
    uint32_t refs;
    fvm_page *pages[GROUP];
};

struct fvm_snapshot {
    uint32_t page_count;
    uint32_t high;
    uint32_t image_size; /* vm->size */
    int32_t depth;
    fvm_cell *stack;
    fvm_page_group *groups[];
};

static fvm_page *retain_page(fvm_page *page) {
    if (page != NULL)
        page->refs++;
    return page;
}

static void release_page(fvm_page *page) {
    FVM_ASSERT(page == NULL || page->refs > 0);
    if (page != NULL && --page->refs == 0)
        free(page);
}

static void release_group(fvm_page_group *group) {
    FVM_ASSERT(group == NULL || group->refs > 0);
    if (group == NULL || --group->refs > 0)
        return;
    for (int i = 0; i < GROUP; i++)
        release_page(group->pages[i]);
    free(group);
}

static bool all_zero(const uint8_t *bytes) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, FVM_PAGE - 1) == 0;
}

static uint32_t pages_used(const fvm *vm) { return (vm->high + FVM_PAGE - 1) >> FVM_PAGE_SHIFT; }

static uint32_t groups_of(uint32_t pages) { return (pages + GROUP - 1) / GROUP; }

static bool any_dirty(const fvm *vm, uint32_t group) {
    const uint32_t first = group * GROUP;
    return (fvm_pages_marked(vm, first) | fvm_pages_marked(vm, first + GROUP / 2)) != 0;
}

/* Drops the shared group of a page whose copy in vm->pages is about to change. */
static void unshare_group(fvm *vm, uint32_t page) {
    fvm_page_group **group = &vm->groups[page / GROUP];
    if (*group != NULL) {
        release_group(*group);
        *group = NULL;
    }
}

/* Replaces the copy of a page.  copy: with a reference for the VM. */
static void set_copy(fvm *vm, uint32_t page, fvm_page *copy) {
    unshare_group(vm, page);
    release_page(vm->pages[page]);
    vm->pages[page] = copy;
    if (page >= vm->pages_end)
        vm->pages_end = page + 1;
}

static bool copy_dirty_page(fvm *vm, uint32_t page) {
    const uint8_t *bytes = vm->mem + ((size_t)page << FVM_PAGE_SHIFT);
    fvm_page *copy = NULL;
    if (!all_zero(bytes)) {
        copy = malloc(sizeof *copy);
        if (copy == NULL)
            return false;
        copy->refs = 1;
        memcpy(copy->bytes, bytes, FVM_PAGE);
    }
    set_copy(vm, page, copy);
    vm->dirty[page] = 0;
    return true;
}

/* Copies the dirty pages of a group and returns the group, with a reference for the caller; NULL:
 * no memory. */
static fvm_page_group *current_group(fvm *vm, uint32_t number) {
    uint32_t first = number * GROUP;
    if (any_dirty(vm, number))
        for (uint32_t page = first; page < first + GROUP; page++)
            if (vm->dirty[page] && !copy_dirty_page(vm, page))
                return NULL;
    fvm_page_group *group = vm->groups[number];
    if (group == NULL) {
        group = malloc(sizeof *group);
        if (group == NULL)
            return NULL;
        group->refs = 1;
        for (uint32_t i = 0; i < GROUP; i++)
            group->pages[i] = retain_page(vm->pages[first + i]);
        vm->groups[number] = group;
    }
    group->refs++;
    return group;
}

static fvm_snapshot *allocate(uint32_t pages, int32_t depth) {
    fvm_snapshot *made = calloc(1, sizeof *made + groups_of(pages) * sizeof made->groups[0]);
    if (made == NULL)
        return NULL;
    made->page_count = pages;
    made->depth = depth > 0 ? depth : 0;
    made->stack = made->depth > 0 ? malloc((size_t)made->depth * sizeof(fvm_cell)) : NULL;
    if (made->depth > 0 && made->stack == NULL) {
        free(made);
        return NULL;
    }
    return made;
}

fvm_snapshot *fvm_snapshot_take(fvm *vm) {
    fvm_forget_prepared(vm);
    uint32_t count = pages_used(vm);
    fvm_snapshot *made = allocate(count, fvm_depth_of(vm));
    if (made == NULL)
        return NULL;
    made->high = vm->high;
    made->image_size = vm->size;
    for (int32_t i = 0; i < made->depth; i++)
        made->stack[i] = vm->stack[i + 1];
    for (uint32_t group = 0; group < groups_of(count); group++) {
        made->groups[group] = current_group(vm, group);
        if (made->groups[group] == NULL) {
            fvm_snapshot_free(made);
            return NULL;
        }
    }
    return made;
}

static void restore_page(fvm *vm, uint32_t number, fvm_page *page) {
    fvm_restore_page(vm, number, fvm_page_bytes(page));
    if (vm->pages[number] != page) {
        set_copy(vm, number, retain_page(page));
    }
    vm->dirty[number] = 0;
}

static void restore_group(fvm *vm, uint32_t number, fvm_page_group *target) {
    bool same = vm->groups[number] == target && target != NULL;
    if (same && !any_dirty(vm, number))
        return;
    for (uint32_t i = 0; i < GROUP; i++) {
        uint32_t page = number * GROUP + i;
        fvm_page *copy = target != NULL ? target->pages[i] : NULL;
        if (vm->dirty[page] || (!same && vm->pages[page] != copy))
            restore_page(vm, page, copy);
    }
    if (!same && target != NULL) {
        target->refs++;
        release_group(vm->groups[number]);
        vm->groups[number] = target;
    }
}

fvm_status fvm_snapshot_restore(fvm *vm, const fvm_snapshot *snapshot) {
    if (snapshot->image_size > vm->limit)
        return FVM_ERR_MEMORY;
    if (vm->nesting > 0)
        return FVM_ERR_CONTEXT;
    const fvm_dictionary_state before = fvm_dictionary_now(vm);
    uint32_t stored = groups_of(snapshot->page_count), count = groups_of(pages_used(vm));
    if (count < stored)
        count = stored;
    if (count == stored &&
        memcmp(vm->groups, snapshot->groups, count * sizeof *snapshot->groups) == 0)
        fvm_restore_dirty(vm); /* the VM was last restored to the same snapshot: the common case */
    else
        for (uint32_t group = 0; group < count; group++)
            restore_group(vm, group, group < stored ? snapshot->groups[group] : NULL);
    fvm_dictionary_restored(vm, before);
    fvm_image_restored(vm, snapshot->high, snapshot->image_size);
    fvm_update_translated_limit(vm);
    *vm->stack = 0;
    for (int32_t i = 0; i < snapshot->depth; i++)
        vm->stack[i + 1] = snapshot->stack[i];
    vm->sp = vm->stack + snapshot->depth;
    vm->rp = vm->rstack;
    return FVM_OK;
}

void fvm_snapshot_free(fvm_snapshot *snapshot) {
    if (snapshot == NULL)
        return;
    for (uint32_t group = 0; group < groups_of(snapshot->page_count); group++)
        release_group(snapshot->groups[group]);
    free(snapshot->stack);
    free(snapshot);
}

bool fvm_pages_new(fvm *vm, uint32_t pages) {
    vm->pages = fvm_reserve(((size_t)pages + GROUP) * sizeof *vm->pages);
    vm->groups = fvm_reserve((size_t)groups_of(pages) * sizeof *vm->groups);
    return vm->pages != NULL && vm->groups != NULL;
}

void fvm_pages_free(fvm *vm, uint32_t pages) {
    for (uint32_t group = 0; vm->groups != NULL && group < groups_of(pages); group++)
        release_group(vm->groups[group]);
    for (uint32_t page = 0; page < vm->pages_end; page++)
        release_page(vm->pages[page]);
    fvm_release(vm->pages, ((size_t)pages + GROUP) * sizeof *vm->pages);
    fvm_release(vm->groups, (size_t)groups_of(pages) * sizeof *vm->groups);
}

static const fvm_page *page_of(const fvm_snapshot *s, uint32_t page) {
    return page < s->page_count ? s->groups[page / GROUP]->pages[page % GROUP] : NULL;
}

int fvm_snapshot_page_same(const fvm_snapshot *a, const fvm_snapshot *b, uint32_t page) {
    const fvm_page *one = page_of(a, page), *two = page_of(b, page);
    if (one == two)
        return 1;
    if (one == NULL)
        return all_zero(two->bytes);
    if (two == NULL)
        return all_zero(one->bytes);
    return memcmp(one->bytes, two->bytes, FVM_PAGE) == 0;
}

int fvm_snapshot_equal(const fvm_snapshot *a, const fvm_snapshot *b) {
    if (a->depth != b->depth)
        return 0;
    if (a->depth > 0 && memcmp(a->stack, b->stack, (size_t)a->depth * sizeof(fvm_cell)) != 0)
        return 0;
    uint32_t count = a->page_count > b->page_count ? a->page_count : b->page_count;
    for (uint32_t group = 0; group < groups_of(count); group++) {
        bool in_both = group < groups_of(a->page_count) && group < groups_of(b->page_count);
        if (in_both && a->groups[group] == b->groups[group])
            continue;
        for (uint32_t i = 0; i < GROUP; i++)
            if (!fvm_snapshot_page_same(a, b, group * GROUP + i))
                return 0;
    }
    return 1;
}

/* Whether two pages, which begin at `start`, are equal below `end` except for ignored cells. */
static bool pages_differ_only(const uint8_t *one, const uint8_t *two, fvm_addr start, fvm_addr end,
                              const fvm_ignored *ignored) {
    const uint32_t length = end - start < FVM_PAGE ? end - start : FVM_PAGE;
    for (uint32_t at = 0; at < length; at += 4) {
        size_t i = 0;
        if ((at & 63) == 0 && at + 64 <= length && memcmp(one + at, two + at, 64) == 0) {
            at += 60;
            continue;
        }
        if (memcmp(one + at, two + at, 4) == 0)
            continue;
        while (i < ignored->count && ignored->cells[i] != start + at)
            i++;
        if (i < ignored->count)
            continue;
        const fvm_addr scratch_end = fvm_scratch_end(ignored->scratch, start + at);
        if (scratch_end == start + at)
            return false;
        at = scratch_end - start - 4;
    }
    return true;
}

/* Compares dirty pages with their copies up to the first difference, and clears the dirty flags of
 * equal pages. */
bool fvm_memory_is_unchanged(fvm *vm, const fvm_scratch *scratch) {
    fvm_forget_prepared(vm);
    const fvm_ignored ignored = {.scratch = scratch};
    for (uint32_t group = 0; group < groups_of(pages_used(vm)); group++) {
        if (!any_dirty(vm, group))
            continue;
        for (uint32_t page = group * GROUP; page < (group + 1) * GROUP; page++) {
            const uint8_t *copy = fvm_page_bytes(vm->pages[page]);
            if (vm->dirty[page] == 0)
                continue;
            const fvm_addr start = page << FVM_PAGE_SHIFT;
            if (memcmp(vm->mem + start, copy, FVM_PAGE) == 0)
                vm->dirty[page] = 0;
            else if (!pages_differ_only(vm->mem + start, copy, start, start + FVM_PAGE, &ignored))
                return false;
        }
    }
    return true;
}

bool fvm_snapshot_differs_only(const fvm_snapshot *a, const fvm_snapshot *b, fvm_addr end,
                               const fvm_ignored *ignored) {
    uint32_t pages = (end + FVM_PAGE - 1) >> FVM_PAGE_SHIFT;
    for (uint32_t page = 0; page < pages; page++) {
        uint32_t group = page / GROUP;
        bool in_both = group < groups_of(a->page_count) && group < groups_of(b->page_count);
        if (in_both && a->groups[group] == b->groups[group]) {
            page |= GROUP - 1;
            continue;
        }
        const fvm_page *one = page_of(a, page), *two = page_of(b, page);
        if (one != two && !pages_differ_only(fvm_page_bytes(one), fvm_page_bytes(two),
                                             page << FVM_PAGE_SHIFT, end, ignored))
            return false;
    }
    return true;
}

void fvm_snapshot_restore_range(fvm *vm, const fvm_snapshot *s, fvm_addr begin, fvm_addr end) {
    while (begin < end) {
        const uint32_t page = begin >> FVM_PAGE_SHIFT, next = (page + 1) << FVM_PAGE_SHIFT;
        const uint32_t length = (end < next ? end : next) - begin;
        const uint8_t *bytes = fvm_page_bytes(page_of(s, page)) + begin % FVM_PAGE;
        if (!fvm_in(vm, begin, length))
            return;
        if (memcmp(vm->mem + begin, bytes, length) != 0) {
            fvm_restore_cells(vm, begin, bytes, length);
            vm->dirty[page] = 1;
        }
        begin = next;
    }
}

/* Returns a hash of the cells of a page that differ from the page `base`. */
static uint64_t page_key(const fvm_page *page, const fvm_page *base, fvm_addr start) {
    const uint8_t *one = fvm_page_bytes(page), *two = fvm_page_bytes(base);
    uint64_t key = 0;
    for (uint32_t at = 0; at < FVM_PAGE; at += FVM_LINE) {
        if (!fvm_line_differs(one + at, two + at))
            continue;
        for (uint32_t cell = at; cell < at + FVM_LINE; cell += 4) {
            uint32_t value;
            memcpy(&value, one + cell, 4);
            if (memcmp(one + cell, two + cell, 4) != 0)
                key ^= fvm_mix((uint64_t)(start + cell) << 32 | value);
        }
    }
    return key;
}

uint64_t fvm_snapshot_key(const fvm_snapshot *s, const fvm_snapshot *base, uint64_t salt) {
    uint32_t count = s->page_count > base->page_count ? s->page_count : base->page_count;
    uint64_t key = fvm_mix(salt);
    for (uint32_t page = 0; page < count; page++) {
        const fvm_page *one = page_of(s, page), *two = page_of(base, page);
        if (one != two)
            key ^= page_key(one, two, page << FVM_PAGE_SHIFT);
    }
    for (int32_t i = 0; i < s->depth; i++)
        key ^= fvm_mix(fvm_mix((uint64_t)i + 1) ^ (uint32_t)s->stack[i]);
    return key;
}

uint32_t fvm_page_size(void) { return FVM_PAGE; }

uint32_t fvm_snapshot_size(const fvm_snapshot *s) { return s->page_count << FVM_PAGE_SHIFT; }

uint32_t fvm_snapshot_read(const fvm_snapshot *s, fvm_addr addr, void *to, uint32_t length) {
    uint32_t size = fvm_snapshot_size(s);
    if (addr >= size)
        return 0;
    if (length > size - addr)
        length = size - addr;
    for (uint32_t done = 0; done < length;) {
        fvm_addr at = addr + done;
        uint32_t offset = at & (FVM_PAGE - 1), part = FVM_PAGE - offset;
        if (part > length - done)
            part = length - done;
        const fvm_page *page = page_of(s, at >> FVM_PAGE_SHIFT);
        if (page == NULL)
            memset((uint8_t *)to + done, 0, part);
        else
            memcpy((uint8_t *)to + done, page->bytes + offset, part);
        done += part;
    }
    return length;
}

int32_t fvm_snapshot_stack(const fvm_snapshot *s, fvm_cell *cells, int32_t capacity) {
    for (int32_t i = 0; i < s->depth && i < capacity; i++)
        cells[i] = s->stack[i];
    return s->depth;
}

/* Writes a cell of a snapshot whose groups are not shared.  Returns false if there is no memory. */
static bool write_cell(fvm_snapshot *made, fvm_addr addr, fvm_cell cell) {
    uint32_t page = addr >> FVM_PAGE_SHIFT;
    fvm_page **entry = &made->groups[page / GROUP]->pages[page % GROUP];
    if (*entry == NULL || (*entry)->refs > 1) {
        fvm_page *copy = calloc(1, sizeof *copy);
        if (copy == NULL)
            return false;
        if (*entry != NULL)
            memcpy(copy->bytes, (*entry)->bytes, FVM_PAGE);
        copy->refs = 1;
        release_page(*entry);
        *entry = copy;
    }
    memcpy((*entry)->bytes + (addr & (FVM_PAGE - 1)), &cell, 4);
    return true;
}

fvm_snapshot *fvm_snapshot_patch(const fvm_snapshot *base, const fvm_addr *addrs,
                                 const fvm_cell *cells, int32_t count, const fvm_cell *stack,
                                 int32_t depth) {
    uint32_t pages = base->page_count, high = base->high;
    if (depth < 0 || depth > FVM_STACK_CELLS || count < 0)
        return NULL;
    for (int32_t i = 0; i < count; i++) {
        if (addrs[i] < FVM_LOW || addrs[i] > base->image_size - 4 || (addrs[i] & 3) != 0)
            return NULL;
        if ((addrs[i] >> FVM_PAGE_SHIFT) + 1 > pages)
            pages = (addrs[i] >> FVM_PAGE_SHIFT) + 1;
        if (addrs[i] + 4 > high)
            high = addrs[i] + 4;
    }
    fvm_snapshot *made = allocate(pages, depth);
    if (made == NULL)
        return NULL;
    made->high = high;
    made->image_size = base->image_size;
    for (int32_t i = 0; i < depth; i++)
        made->stack[i] = stack[i];
    bool complete = true;
    for (uint32_t number = 0; number < groups_of(pages) && complete; number++) {
        fvm_page_group *group = made->groups[number] = calloc(1, sizeof *group);
        complete = group != NULL;
        for (uint32_t i = 0; i < GROUP && complete; i++)
            group->pages[i] = retain_page((fvm_page *)page_of(base, number * GROUP + i));
        if (complete)
            group->refs = 1;
    }
    for (int32_t i = 0; i < count && complete; i++)
        complete = write_cell(made, addrs[i], cells[i]);
    if (complete)
        return made;
    fvm_snapshot_free(made);
    return NULL;
}
