/* memory.c: access to the image.
 *
 * It owns the bounds checks, the growth of the image, the write barrier (which resets slots and
 * marks pages), and the primitives that copy and fill memory, which charge steps while they run. */
#include "vm/fast_path.h"
#include "vm/vm.h"

#include "generated/ops.h"

/* Makes the slots of the cells with the numbers from `from` to `to` - 1 untranslated.  The memory
 * of slots is committed up to vm->slots_ready only. */
static void reset_slots(fvm *vm, uint32_t from, uint32_t to) {
    const fvm_slot empty = {vm->untranslated, 0, 0};
    for (uint32_t cell = from; cell < to; cell++)
        vm->code[cell] = empty;
}

/* SPARE_SLOTS: additional slots after the last initialized one, because a superinstruction may end
 * in them.  SLOT_RANGE: maximum number of bytes of the image whose slots are initialized in one
 * step. */
enum { SPARE_SLOTS = FVM_SUPER_CELLS + 4, SLOT_RANGE = 1 << 18 };

/* Boards and moves, which are above FVM_K_TRANSIENT, are never translated.  Code below it is
 * translated if its slots are initialized. */
void fvm_update_translated_limit(fvm *vm) {
    uint32_t transient = (uint32_t)fvm_get(vm, FVM_K_TRANSIENT);
    vm->translated_limit = transient != 0 && transient < vm->size ? transient & ~3u : vm->size;
    uint32_t end = vm->translated_limit < vm->slots_ready ? vm->translated_limit : vm->slots_ready;
    vm->translated_cells = end > FVM_LOW ? (end - FVM_LOW) >> 2 : 0;
}

bool fvm_make_translatable(fvm *vm, fvm_addr addr) {
    if ((addr & 3) != 0 || addr < FVM_LOW || addr >= vm->translated_limit)
        return false;
    if (addr >= vm->slots_ready) {
        uint32_t ready = (addr | 0xFFFF) + 1; /* the next multiple of 64 KiB */
        if (ready > vm->limit)
            ready = vm->limit; /* there are no slots above the limit */
        /* Code far above slots_ready is executed untranslated until its slots are initialized. */
        if (ready - vm->slots_ready > SLOT_RANGE)
            ready = vm->slots_ready + SLOT_RANGE;
        const uint32_t from = vm->slots_ready >> 2, to = (ready >> 2) + SPARE_SLOTS;
        if (!fvm_commit(vm->code + from, (to - from) * sizeof *vm->code))
            return false;
        reset_slots(vm, from, to);
        vm->unmetered_work += (ready - vm->slots_ready) >> 2;
        vm->slots_ready = ready;
        fvm_update_translated_limit(vm);
    }
    return (addr - FVM_LOW) >> 2 < vm->translated_cells;
}

/* Marks the code fields of primitives as watched: slots depend on them, and a script may overwrite
 * them. */
void fvm_mark_primitives(fvm *vm) {
    for (int op = 0; op < FVM_PRIMITIVES; op++)
        fvm_mark_cell(vm, vm->primitives[op] >> 2, FVM_CELL_DEEP);
    /* Because of these marks, machine code need not compare addresses with FVM_LOW. */
    memset(vm->cells, FVM_CELL_FORBIDDEN, FVM_LOW / 4);
}

void fvm_flush_code(fvm *vm) {
    uint32_t used = vm->high < vm->slots_ready ? vm->high : vm->slots_ready;
    reset_slots(vm, 0, (used + 3) >> 2);
    memset(vm->cells, 0, (vm->high + 3) >> 2);
    /* This work is charged when code is next translated, which checks the limits. */
    vm->unmetered_work += (used >> 2) + (vm->high >> 6);
    fvm_mark_primitives(vm);
    vm->move_words_changed = true;
    vm->jit.loop.stop = true;
    fvm_names_clear(vm); /* the marks of the indexed headers have been cleared */
    vm->jit.hooks->discard_code(vm);
}

enum { BLOCK = FVM_MARKS / 4 }; /* cells whose marks are read together */

/* Whether a cell in [first, last] has marks. */
static bool has_marks(const fvm *vm, uint32_t first, uint32_t last) {
    uint64_t found = 0;
    if (last - first < BLOCK) {
        for (uint32_t cell = first; cell <= last; cell++)
            found |= vm->cells[cell];
        return found != 0;
    }
    for (uint32_t cell = first; cell + BLOCK <= last; cell += BLOCK)
        found |= fvm_marks_at(vm, cell);
    return (found | fvm_marks_at(vm, last - (BLOCK - 1))) != 0;
}

/* Does what the marks of cells in [first, last] demand before a store, and removes them. */
FVM_NOINLINE static void remove_marks(fvm *vm, uint32_t first, uint32_t last) {
    for (uint32_t cell = first; cell <= last; cell++) {
        const uint8_t marks = vm->cells[cell];
        if (marks == 0)
            continue;
        if (marks & FVM_CELL_NAME)
            fvm_names_clear(vm);
        if (marks & FVM_CELL_MOVE_WORDS) {
            vm->move_words_changed = true;
            vm->jit.loop.stop = true;
        }
        if (marks & FVM_CELL_NATIVE)
            vm->jit.hooks->on_watched_store(vm, 4 * cell);
        if (marks & FVM_CELL_DEEP) {
            fvm_flush_code(vm);
            break;
        }
        uint32_t from = cell >= FVM_SUPER_CELLS ? cell - (FVM_SUPER_CELLS - 1) : 0;
        if (marks & FVM_CELL_CODE)
            for (uint32_t slot = from; slot <= cell; slot++)
                vm->code[slot].go = vm->untranslated;
        vm->cells[cell] = 0;
    }
}

void fvm_write_barrier(fvm *vm, fvm_addr addr, uint32_t length) {
    if (length == 0)
        return;
    const uint32_t first = addr >> 2, used = vm->high >> 2;
    uint32_t last = (addr + length - 1) >> 2;
    last = last < used ? last : used;
    if (first <= last && has_marks(vm, first, last))
        remove_marks(vm, first, last);
    fvm_mark_written(vm, addr, length);
}

fvm_status fvm_grow(fvm *vm, uint32_t size) {
    if (size <= vm->size)
        return FVM_OK;
    if (size > vm->limit)
        return fvm_fail(vm, FVM_ERR_MEMORY, (fvm_cell)vm->limit,
                        "the script needs more than %u bytes of memory", vm->limit);
    uint32_t new_size = vm->size;
    while (new_size < size)
        new_size = new_size > vm->limit / 2 ? vm->limit : new_size * 2;
    vm->size = new_size;
    vm->span4 = new_size - FVM_LOW - 4;
    vm->jit.hooks->discard_code(vm); /* machine code compares addresses with the old size */
    fvm_update_translated_limit(vm);
    return FVM_OK;
}

void fvm_image_restored(fvm *vm, uint32_t high, uint32_t size) {
    FVM_ASSERT(high <= size && size <= vm->limit);
    fvm_forget_prepared(vm);
    fvm_set_high(vm, high);
    vm->size = size;
    vm->span4 = size - FVM_LOW - 4;
    vm->jit.hooks->on_image_shrunk(vm);
    if (high < vm->library_end) {        /* the restored image is older than the library */
        vm->jit.hooks->discard_code(vm); /* it contains addresses of variables */
        vm->lib = (fvm_library){0};
        vm->library_end = 0;
        vm->bound = false;
        vm->bound_latest = 0;
    }
}

/* Returns the stack cell at an address in the range of SP@ or RP@; NULL if the address is outside
 * these ranges.  Addresses above the top of a stack yield one shared cell that is set to 0, because
 * the contents of stack memory above the top depend on the execution tier. */
static fvm_cell *stack_cell(fvm *vm, fvm_addr addr) {
    bool on_parameter_stack = addr >= FVM_STACK_ADDR;
    uint32_t offset = addr - (on_parameter_stack ? FVM_STACK_ADDR : FVM_RSTACK_ADDR);
    uint32_t capacity = on_parameter_stack ? FVM_STACK_CELLS : FVM_RETURN_CELLS;
    if ((addr & 3) != 0 || offset >= 4u * capacity)
        return NULL;
    fvm_cell *cell = (on_parameter_stack ? vm->stack : vm->rstack) + 1 + offset / 4;
    if (cell <= (on_parameter_stack ? vm->sp : vm->rp))
        return cell;
    vm->above_stacks = 0;
    return &vm->above_stacks;
}

/* Returns whether `length` bytes from `addr` on can be accessed.  If they are above the current
 * size but below HERE, grows memory up to HERE: a script may have changed DP directly. */
static bool make_usable(fvm *vm, fvm_addr addr, uint32_t length) {
    if (fvm_in(vm, addr, length))
        return true;
    uint32_t here = fvm_here(vm);
    return addr >= FVM_LOW && addr < here && here <= vm->limit && length <= here - addr &&
           fvm_grow(vm, here) == FVM_OK;
}

static fvm_status fail_address(fvm *vm, fvm_addr addr) {
    return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)addr, "%s", "");
}

fvm_status fvm_load_cell(fvm *vm, fvm_addr addr, fvm_cell *value) {
    if (make_usable(vm, addr, 4)) {
        *value = fvm_get(vm, addr);
        return FVM_OK;
    }
    fvm_cell *cell = stack_cell(vm, addr);
    if (cell == NULL)
        return fail_address(vm, addr);
    *value = *cell;
    return FVM_OK;
}

fvm_status fvm_store_cell(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (make_usable(vm, addr, 4)) {
        fvm_put(vm, addr, value);
        return FVM_OK;
    }
    fvm_cell *cell = stack_cell(vm, addr);
    if (cell == NULL)
        return fail_address(vm, addr);
    if (addr < FVM_STACK_ADDR && vm->jit.entered > 0)
        vm->jit.hooks->discard_code(vm); /* suspended machine code depends on return addresses */
    *cell = value;
    return FVM_OK;
}

fvm_status fvm_load_byte(fvm *vm, fvm_addr addr, fvm_cell *value) {
    fvm_cell *cell = NULL;
    if (make_usable(vm, addr, 1))
        *value = (int8_t)vm->mem[addr];
    else if ((cell = stack_cell(vm, addr & ~3u)) != NULL)
        *value = (int8_t)(uint8_t)((uint32_t)*cell >> (8 * (addr & 3)));
    else
        return fail_address(vm, addr);
    return FVM_OK;
}

fvm_status fvm_store_byte(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (!make_usable(vm, addr, 1))
        return fail_address(vm, addr);
    fvm_write_barrier(vm, addr, 1);
    vm->mem[addr] = (uint8_t)value;
    return FVM_OK;
}

fvm_status fvm_load_half(fvm *vm, fvm_addr addr, fvm_cell *value) {
    int16_t half;
    if (!make_usable(vm, addr, 2))
        return fail_address(vm, addr);
    memcpy(&half, vm->mem + addr, 2);
    *value = half;
    return FVM_OK;
}

fvm_status fvm_store_half(fvm *vm, fvm_addr addr, fvm_cell value) {
    int16_t half = (int16_t)(uint16_t)(uint32_t)value;
    if (!make_usable(vm, addr, 2))
        return fail_address(vm, addr);
    fvm_write_barrier(vm, addr, 2);
    memcpy(vm->mem + addr, &half, 2);
    return FVM_OK;
}

enum { CHUNK = 1 << 16 }; /* bytes copied or filled between two checks of the budget */

fvm_status fvm_copy(fvm *vm, fvm_addr from, fvm_addr to, uint32_t bytes, uint32_t unit) {
    if (bytes == 0)
        return FVM_OK;
    if (!make_usable(vm, from, bytes))
        return fail_address(vm, from);
    if (!make_usable(vm, to, bytes))
        return fail_address(vm, to);
    for (uint32_t done = 0; done < bytes;) {
        uint32_t chunk = bytes - done < CHUNK ? bytes - done : CHUNK;
        fvm_write_barrier(vm, to + done, chunk);
        if (to > from && to - from < bytes) {
            /* The target overlaps the source at a higher address: copying unit by unit repeats the
             * bytes between the two addresses. */
            for (uint32_t i = 0; i < chunk; i += unit) {
                uint32_t count = chunk - i < unit ? chunk - i : unit;
                memmove(vm->mem + to + done + i, vm->mem + from + done + i, count);
            }
        } else {
            memmove(vm->mem + to + done, vm->mem + from + done, chunk);
        }
        done += chunk;
        FVM_TRY(fvm_spend(vm, chunk / 64));
    }
    return FVM_OK;
}

fvm_status fvm_fill(fvm *vm, fvm_addr addr, uint32_t bytes, int value) {
    if (bytes == 0)
        return FVM_OK;
    if (!make_usable(vm, addr, bytes))
        return fail_address(vm, addr);
    for (uint32_t done = 0; done < bytes;) {
        uint32_t chunk = bytes - done < CHUNK ? bytes - done : CHUNK;
        fvm_write_barrier(vm, addr + done, chunk);
        memset(vm->mem + addr + done, value, chunk);
        done += chunk;
        FVM_TRY(fvm_spend(vm, chunk / 64));
    }
    return FVM_OK;
}

fvm_status fvm_string_length(fvm *vm, fvm_addr addr, uint32_t *length) {
    if (!make_usable(vm, addr, 1))
        return fail_address(vm, addr);
    const uint8_t *end = memchr(vm->mem + addr, 0, vm->size - addr);
    if (end == NULL)
        return fail_address(vm, vm->size);
    *length = (uint32_t)(end - (vm->mem + addr));
    return fvm_spend(vm, *length / 64);
}

fvm_status fvm_string_copy(fvm *vm, fvm_addr addr, char *to, uint32_t size) {
    uint32_t length = 0;
    to[0] = 0;
    FVM_TRY(fvm_string_length(vm, addr, &length));
    if (length >= size)
        length = size - 1;
    memcpy(to, vm->mem + addr, length);
    to[length] = 0;
    return FVM_OK;
}

/* --- primitives ------------------------------------------------------------------- */

static fvm_status drop_three(fvm *vm, fvm_cell *a, fvm_cell *b, fvm_cell *c) {
    FVM_TRY(fvm_need(vm, 3));
    *c = fvm_drop(vm);
    *b = fvm_drop(vm);
    *a = fvm_drop(vm);
    return FVM_OK;
}

fvm_status fvm_word_move(fvm *vm) {
    fvm_cell from, to, cells;
    fvm_status status = drop_three(vm, &from, &to, &cells);
    if (status != FVM_OK || cells <= 0)
        return status;
    if (cells > INT32_MAX / 4)
        return fail_address(vm, (fvm_addr)from);
    return fvm_copy(vm, (fvm_addr)from, (fvm_addr)to, 4u * (uint32_t)cells, 4);
}

fvm_status fvm_word_cmove(fvm *vm) {
    fvm_cell from, to, bytes;
    fvm_status status = drop_three(vm, &from, &to, &bytes);
    if (status != FVM_OK || bytes <= 0)
        return status;
    return fvm_copy(vm, (fvm_addr)from, (fvm_addr)to, (uint32_t)bytes, 1);
}

fvm_status fvm_word_fill(fvm *vm) {
    fvm_cell addr, bytes, value;
    fvm_status status = drop_three(vm, &addr, &bytes, &value);
    if (status != FVM_OK || bytes <= 0)
        return status;
    return fvm_fill(vm, (fvm_addr)addr, (uint32_t)bytes, value & 0xFF);
}

fvm_status fvm_word_count_cells(fvm *vm) {
    fvm_cell wanted, addr, cells, times = 0;
    FVM_TRY(drop_three(vm, &wanted, &addr, &cells));
    if (cells > 0 && (cells > INT32_MAX / 4 || !fvm_in(vm, (fvm_addr)addr, 4u * (uint32_t)cells)))
        return fail_address(vm, (fvm_addr)addr);
    for (fvm_cell i = 0; i < cells; i++)
        times += fvm_cell_in(vm->mem + addr, 4u * (uint32_t)i) == wanted;
    fvm_status status = cells > 0 ? fvm_spend(vm, (uint32_t)cells / 16) : FVM_OK;
    return status == FVM_OK ? fvm_put_top(vm, times) : status;
}

/* --- access by the host ----------------------------------------------------------- */

uint32_t fvm_memory_size(const fvm *vm) { return vm->size; }

fvm_status fvm_read(fvm *vm, fvm_addr addr, void *to, uint32_t length) {
    if (!fvm_in(vm, addr, length))
        return FVM_ERR_ADDRESS;
    memcpy(to, vm->mem + addr, length);
    return FVM_OK;
}

fvm_status fvm_write(fvm *vm, fvm_addr addr, const void *from, uint32_t length) {
    if (!fvm_in(vm, addr, length))
        return FVM_ERR_ADDRESS;
    fvm_write_barrier(vm, addr, length);
    memcpy(vm->mem + addr, from, length);
    return FVM_OK;
}
