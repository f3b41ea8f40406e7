/* script_memory.c: the cells of the script's memory that moves change.
 *
 * It finds them by comparing the script's memory before and after each move, and keeps their
 * earlier values in a log.  A cell that has been found is logged before each later move, too.
 * Boards and turns are in search_stack.c. */
#include "search/script_memory.h"

#include "vm/page_restore.h"

#include <stdlib.h>

enum { MAX_CHANGING = 1024 }; /* cells */

/* Sets the bounds of the script's memory: above the library's last word, and below move lists and
 * cloned boards. */
static void find_bounds(const fvm *vm, fvm_script_memory *m) {
    const fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    const char *fence = "axiomFence";
    m->low = fvm_find_in(vm, FVM_K_FORTH, fence, (uint32_t)strlen(fence));
    m->high = start != 0 ? start : fvm_here(vm);
    if (m->low < FVM_DICTIONARY)
        m->low = FVM_DICTIONARY; /* without the word, include the library's variables */
    m->low &= ~(fvm_addr)(FVM_PAGE - 1);
    if (m->high < m->low || !fvm_in(vm, m->low, m->high - m->low))
        m->high = m->low;
}

static uint32_t page_count(const fvm_script_memory *m) {
    return (m->high - m->low + FVM_PAGE - 1) >> FVM_PAGE_SHIFT;
}

uint8_t *fvm_script_memory_copy(const fvm *vm, const fvm_script_memory *m) {
    const uint32_t size = page_count(m) << FVM_PAGE_SHIFT, available = vm->size - m->low;
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy != NULL)
        memcpy(copy, vm->mem + m->low, size <= available ? size : available);
    return copy;
}

bool fvm_script_memory_open(const fvm *vm, fvm_script_memory *m) {
    *m = (fvm_script_memory){.log_capacity = 1024};
    find_bounds(vm, m);
    fvm_scratch_find(vm, &m->scratch);
    m->shadow = fvm_script_memory_copy(vm, m);
    m->changing = malloc(MAX_CHANGING * sizeof *m->changing);
    m->log = malloc((size_t)m->log_capacity * sizeof *m->log);
    return m->shadow != NULL && m->changing != NULL && m->log != NULL;
}

void fvm_script_memory_close(fvm_script_memory *m) {
    free(m->shadow);
    free(m->changing);
    free(m->log);
}

/* --- the log ---------------------------------------------------------------------- */

/* Adds a cell to the log. */
static fvm_status log_cell(fvm *vm, fvm_script_memory *m, fvm_addr addr, fvm_cell value) {
    if (m->log_count == m->log_capacity) {
        fvm_saved_cell *grown = realloc(m->log, (size_t)m->log_capacity * 2 * sizeof *grown);
        if (grown == NULL)
            return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
        m->log = grown;
        m->log_capacity *= 2;
    }
    m->log[m->log_count++] = (fvm_saved_cell){addr, value};
    return FVM_OK;
}

fvm_status fvm_script_memory_log(fvm *vm, fvm_script_memory *m) {
    fvm_status status = FVM_OK;
    for (int32_t i = 0; i < m->changing_count && status == FVM_OK; i++)
        status = log_cell(vm, m, m->changing[i], fvm_get(vm, m->changing[i]));
    return status;
}

void fvm_script_memory_undo(fvm *vm, fvm_script_memory *m, int32_t count) {
    while (m->log_count > count) {
        const fvm_saved_cell *cell = &m->log[--m->log_count];
        fvm_put_if_changed(vm, cell->addr, cell->value);
    }
}

void fvm_script_memory_restore(fvm *vm, const fvm_script_memory *m, const uint8_t *copy) {
    for (fvm_addr at = m->low; at + 4 <= m->high; at += 4) {
        fvm_cell value;
        memcpy(&value, copy + (at - m->low), 4);
        fvm_put_if_changed(vm, at, value);
    }
}

/* --- tracking --------------------------------------------------------------------- */

/* The marks in vm->dirty of a page that differs from its shared copy. */
enum {
    WRITTEN = FVM_WRITTEN, /* the page has been written since tracking began */
    SHADOWED = 2           /* the page has been written only before, and equals its shadow */
};

/* The first page in [page, end) of the script's memory that has the mark WRITTEN, or `end`. */
static inline uint32_t next_written(const fvm *vm, const fvm_script_memory *m, uint32_t page,
                                    uint32_t end) {
    const uint32_t first = m->low >> FVM_PAGE_SHIFT;
    return fvm_next_marked(vm, first + page, first + end, WRITTEN) - first;
}

/* Prepared memory relies on the mark WRITTEN.  It is above the script's memory, unless a script has
 * damaged HERE. */
static inline void prepare_shadowed_marks(fvm *vm, const fvm_script_memory *m) {
    if (FVM_UNLIKELY(vm->prepared < m->high))
        fvm_forget_prepared(vm);
}

/* Copies written pages to the shadow and changes their marks to SHADOWED. */
void fvm_script_memory_begin_tracking(fvm *vm, fvm_script_memory *m) {
    const uint32_t count = page_count(m);
    prepare_shadowed_marks(vm, m);
    m->repetitions = fvm_get(vm, FVM_K_REPETITIONS);
    for (uint32_t p = 0; (p = next_written(vm, m, p, count)) < count; p++) {
        const size_t at = (size_t)p << FVM_PAGE_SHIFT;
        fvm_copy_page(m->shadow + at, vm->mem + m->low + at);
        vm->dirty[(m->low >> FVM_PAGE_SHIFT) + p] = SHADOWED;
    }
}

/* Whether a cell need not be added to `changing`, because it is there, or because it is the type of
 * the last move: every unmake restores it, and plain moves set it without tracking. */
static bool is_known(const fvm *vm, const fvm_script_memory *m, fvm_addr addr) {
    if (addr == vm->lib.last_move_type)
        return true;
    for (int32_t i = 0; i < m->changing_count; i++)
        if (m->changing[i] == addr)
            return true;
    return false;
}

/* Adds a cell to `changing`, which is not full. */
static void add_changing(fvm_script_memory *m, fvm_addr addr) {
    fvm_addr *const end = &m->changing[m->changing_count++];
    *end = addr;
    if (fvm_scratch_end(&m->scratch, addr) == addr) {
        fvm_addr *const first_scratch = &m->changing[m->position_count++];
        *end = *first_scratch;
        *first_scratch = addr;
    }
}

/* Adds the cells of a page that differ from the shadow to `changing` and to the log. */
static fvm_status compare_page(fvm *vm, fvm_script_memory *m, uint32_t p) {
    const uint8_t *before = m->shadow + ((size_t)p << FVM_PAGE_SHIFT);
    const fvm_addr start = m->low + (p << FVM_PAGE_SHIFT);
    fvm_status status = FVM_OK;
    for (uint32_t at = 0; at < FVM_PAGE && start + at < m->high && status == FVM_OK; at += 4) {
        const fvm_addr addr = start + at;
        fvm_cell value;
        if (at % FVM_LINE == 0 && !fvm_line_differs(before + at, vm->mem + addr)) {
            at += FVM_LINE - 4;
            continue;
        }
        if (memcmp(before + at, vm->mem + addr, 4) == 0 || is_known(vm, m, addr))
            continue;
        if (m->changing_count == MAX_CHANGING) {
            m->overflow = true;
            return FVM_OK;
        }
        add_changing(m, addr);
        memcpy(&value, before + at, 4);
        status = log_cell(vm, m, addr, value);
    }
    return status;
}

fvm_status fvm_script_memory_end_tracking(fvm *vm, fvm_script_memory *m) {
    const uint32_t count = page_count(m);
    fvm_status status = FVM_OK;
    /* A script may count the stored positions in a variable.  That variable will be restored, so
     * the kernel's count must be restored, too. */
    if (fvm_get(vm, FVM_K_REPETITIONS) != m->repetitions)
        status = log_cell(vm, m, FVM_K_REPETITIONS, m->repetitions);
    for (uint32_t p = 0;
         status == FVM_OK && !m->overflow && (p = next_written(vm, m, p, count)) < count; p++)
        status = compare_page(vm, m, p);
    return status;
}

static void restore_page(fvm *vm, const fvm_script_memory *m, uint32_t p) {
    const uint8_t *before = m->shadow + ((size_t)p << FVM_PAGE_SHIFT);
    const fvm_addr start = m->low + (p << FVM_PAGE_SHIFT), length = m->high - start;
    if (length >= FVM_PAGE)
        fvm_restore_page(vm, start >> FVM_PAGE_SHIFT, before);
    else
        fvm_restore_cells(vm, start, before, (length + 3) & ~(uint32_t)3);
    vm->dirty[start >> FVM_PAGE_SHIFT] = SHADOWED;
}

void fvm_script_memory_rollback(fvm *vm, fvm_script_memory *m) {
    const uint32_t count = page_count(m);
    prepare_shadowed_marks(vm, m);
    for (uint32_t p = 0; (p = next_written(vm, m, p, count)) < count; p++)
        restore_page(vm, m, p);
    fvm_put_if_changed(vm, FVM_K_REPETITIONS, m->repetitions);
}
