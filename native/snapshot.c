/* snapshot.c: saved states as pages shared between the VM and its snapshots.
 *
 * vm->pages[p] is a shared copy equal to page p of memory unless the page is dirty; NULL
 * stands for a page of zeros.  Taking a snapshot copies dirty pages only, restoring one
 * copies the pages that differ. */
#include "vm.h"

#include <stdlib.h>

struct fvm_snapshot {
    uint32_t page_count;
    uint32_t high;
    uint32_t size; /* of the VM's memory */
    int32_t depth;
    fvm_cell *stack;
    fvm_page *pages[];
};

static fvm_page *keep(fvm_page *page) {
    if (page != NULL)
        page->refs++;
    return page;
}

static void let_go(fvm_page *page) {
    if (page != NULL && --page->refs == 0)
        free(page);
}

static bool all_zero(const uint8_t *bytes) {
    return bytes[0] == 0 && memcmp(bytes, bytes + 1, FVM_PAGE - 1) == 0;
}

static uint32_t pages_used(const fvm *vm) {
    return (vm->high + FVM_PAGE - 1) >> FVM_PAGE_SHIFT;
}

static bool clean(fvm *vm, uint32_t page) {
    if (!vm->dirty[page])
        return true;
    const uint8_t *bytes = vm->mem + ((size_t)page << FVM_PAGE_SHIFT);
    fvm_page *copy = NULL;
    if (!all_zero(bytes)) {
        copy = malloc(sizeof *copy);
        if (copy == NULL)
            return false;
        copy->refs = 1;
        memcpy(copy->bytes, bytes, FVM_PAGE);
    }
    let_go(vm->pages[page]);
    vm->pages[page] = copy;
    vm->dirty[page] = 0;
    return true;
}

static fvm_snapshot *allocate(uint32_t pages, int32_t depth) {
    fvm_snapshot *made = calloc(1, sizeof *made + pages * sizeof made->pages[0]);
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
    uint32_t count = pages_used(vm);
    fvm_snapshot *made = allocate(count, fvm_depth_of(vm));
    if (made == NULL)
        return NULL;
    made->high = vm->high;
    made->size = vm->size;
    for (int32_t i = 0; i < made->depth; i++)
        made->stack[i] = vm->stack[i + 1];
    for (uint32_t page = 0; page < count; page++) {
        if (!clean(vm, page)) {
            made->page_count = page;
            fvm_snapshot_free(made);
            return NULL;
        }
        made->pages[page] = keep(vm->pages[page]);
    }
    return made;
}

static void put_back(fvm *vm, uint32_t number, fvm_page *page) {
    static const uint8_t zeros[FVM_PAGE];
    const uint8_t *from = page != NULL ? page->bytes : zeros;
    fvm_addr start = number << FVM_PAGE_SHIFT;
    uint8_t *to = vm->mem + start;
    /* Translations depend on some cells: those that change must say so. */
    const uint8_t *marks = vm->cells + (start >> 2);
    static const uint8_t unmarked[FVM_PAGE / 4];
    if (memcmp(marks, unmarked, sizeof unmarked) != 0)
        for (uint32_t at = 0; at < FVM_PAGE; at += 4)
            if (marks[at / 4] != 0 && memcmp(from + at, to + at, 4) != 0)
                fvm_touch(vm, start + at, 4);
    memcpy(to, from, FVM_PAGE);
    if (vm->pages[number] != page) {
        let_go(vm->pages[number]);
        vm->pages[number] = keep(page);
    }
    vm->dirty[number] = 0;
}

fvm_status fvm_snapshot_restore(fvm *vm, const fvm_snapshot *snapshot) {
    if (snapshot->size > vm->limit)
        return FVM_ERR_MEMORY;
    if (vm->nesting > 0)
        return FVM_ERR_CONTEXT;
    fvm_cell latest = fvm_get(vm, FVM_K_FORTH), headers = fvm_get(vm, FVM_K_HEADERS);
    uint32_t count = pages_used(vm);
    if (count < snapshot->page_count)
        count = snapshot->page_count;
    for (uint32_t page = 0; page < count; page++) {
        fvm_page *wanted = page < snapshot->page_count ? snapshot->pages[page] : NULL;
        if (vm->dirty[page] || vm->pages[page] != wanted)
            put_back(vm, page, wanted);
    }
    if (latest != fvm_get(vm, FVM_K_FORTH) || headers != fvm_get(vm, FVM_K_HEADERS)) {
        vm->bound_latest = 0; /* another dictionary: events are looked up again */
        memset(vm->array_sizes, 0, sizeof vm->array_sizes);
    }
    vm->high = snapshot->high;
    if (vm->size != snapshot->size) {
        vm->size = snapshot->size;
        vm->span4 = vm->size - FVM_LOW - 4;
    }
    fvm_set_hot(vm);
    for (int32_t i = 0; i < snapshot->depth; i++)
        vm->stack[i + 1] = snapshot->stack[i];
    vm->sp = vm->stack + snapshot->depth;
    vm->rp = vm->rstack;
    return FVM_OK;
}

void fvm_snapshot_free(fvm_snapshot *snapshot) {
    if (snapshot == NULL)
        return;
    for (uint32_t page = 0; page < snapshot->page_count; page++)
        let_go(snapshot->pages[page]);
    free(snapshot->stack);
    free(snapshot);
}

static const fvm_page *page_of(const fvm_snapshot *s, uint32_t page) {
    return page < s->page_count ? s->pages[page] : NULL;
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
    for (uint32_t page = 0; page < count; page++)
        if (!fvm_snapshot_page_same(a, b, page))
            return 0;
    return 1;
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
        uint32_t inside = at & (FVM_PAGE - 1), part = FVM_PAGE - inside;
        if (part > length - done)
            part = length - done;
        const fvm_page *page = page_of(s, at >> FVM_PAGE_SHIFT);
        if (page == NULL)
            memset((uint8_t *)to + done, 0, part);
        else
            memcpy((uint8_t *)to + done, page->bytes + inside, part);
        done += part;
    }
    return length;
}

int32_t fvm_snapshot_stack(const fvm_snapshot *s, fvm_cell *cells, int32_t room) {
    for (int32_t i = 0; i < s->depth && i < room; i++)
        cells[i] = s->stack[i];
    return s->depth;
}

fvm_snapshot *fvm_snapshot_patch(const fvm_snapshot *base, const fvm_addr *addrs,
                                 const fvm_cell *cells, int32_t count, const fvm_cell *stack,
                                 int32_t depth) {
    uint32_t pages = base->page_count;
    if (depth < 0 || depth > FVM_STACK_CELLS || count < 0)
        return NULL;
    for (int32_t i = 0; i < count; i++) {
        if (addrs[i] < FVM_LOW || addrs[i] > base->size - 4 || (addrs[i] & 3) != 0)
            return NULL;
        if ((addrs[i] >> FVM_PAGE_SHIFT) + 1 > pages)
            pages = (addrs[i] >> FVM_PAGE_SHIFT) + 1;
    }
    fvm_snapshot *made = allocate(pages, depth);
    if (made == NULL)
        return NULL;
    made->high = base->high > pages << FVM_PAGE_SHIFT ? base->high : pages << FVM_PAGE_SHIFT;
    if (pages == base->page_count)
        made->high = base->high;
    made->size = base->size;
    for (int32_t i = 0; i < depth; i++)
        made->stack[i] = stack[i];
    for (uint32_t page = 0; page < pages; page++)
        made->pages[page] = keep(page < base->page_count ? base->pages[page] : NULL);
    for (int32_t i = 0; i < count; i++) {
        uint32_t page = addrs[i] >> FVM_PAGE_SHIFT;
        fvm_page *own = made->pages[page];
        if (own == NULL || own->refs > 1) {
            fvm_page *copy = calloc(1, sizeof *copy);
            if (copy == NULL) {
                fvm_snapshot_free(made);
                return NULL;
            }
            if (own != NULL)
                memcpy(copy->bytes, own->bytes, FVM_PAGE);
            copy->refs = 1;
            let_go(own);
            made->pages[page] = own = copy;
        }
        memcpy(own->bytes + (addrs[i] & (FVM_PAGE - 1)), &cells[i], 4);
    }
    return made;
}
