/* vm.h: the internal interface of the VM, for the files of native/ only.
 *
 * It owns the accessors of the image, and declares the functions of vm/ that other files use. */
#ifndef FVM_VM_H
#define FVM_VM_H

#include "os/os.h"
#include "vm/scratch_memory.h"
#include "vm/state.h"

#define FVM_PRINTF(text_, first_) __attribute__((format(printf, text_, first_)))

/* Returns a new VM.  bytes: size of the struct that begins with it; all other fields are 0.  words:
 * the functions of primitives, by opcode.  The host calls fvm_new and fvm_free (assemble.c). */
fvm *fvm_vm_new(size_t bytes, uint32_t size, uint32_t limit, const fvm_word_function *words,
                const fvm_jit_hooks *jit);
void fvm_vm_free(fvm *vm);

/* --- accessors -------------------------------------------------------------------- */

/* Whether `length` bytes from an address on are in the image.  Addresses below FVM_LOW wrap, so
 * that one comparison of 64 bits is enough. */
static inline bool fvm_in(const fvm *vm, fvm_addr addr, uint32_t length) {
    return (int64_t)(addr - FVM_LOW) + length - 4 <= vm->span4;
}

/* fvm_in for a cell, with one comparison: addresses below FVM_LOW wrap. */
static inline bool fvm_in_cell(const fvm *vm, fvm_addr addr) { return addr - FVM_LOW <= vm->span4; }

/* fvm_in for a header and its code field. */
static inline bool fvm_in_header(const fvm *vm, fvm_addr nfa) {
    return fvm_in(vm, nfa, FVM_HEADER_BYTES + 4);
}

/* Loads a cell without a check: the caller has called fvm_in, or the address is a kernel cell. */
static inline fvm_cell fvm_get(const fvm *vm, fvm_addr addr) {
    fvm_cell value;
    FVM_ASSERT(addr <= vm->size - 4);
    memcpy(&value, vm->mem + addr, 4);
    return value;
}

/* Addition that wraps, because scripts may have stored any number in a cell. */
static inline fvm_cell fvm_plus(fvm_cell a, fvm_cell b) {
    return (fvm_cell)((uint32_t)a + (uint32_t)b);
}

/* Sets the number of bytes in use.  All bytes at and above `high` must be zero. */
static inline void fvm_set_high(fvm *vm, uint32_t high) {
    FVM_ASSERT(high >= FVM_DICTIONARY && high <= vm->limit);
    vm->high = high;
    vm->high_cells = (high - FVM_LOW) >> 2;
    vm->whole_cells = high >> 2;
}

static inline void fvm_forget_prepared(fvm *vm) { vm->prepared_end = 0; }

/* Marks a cell, given by its number (FVM_CELL_…). */
static inline void fvm_mark_cell(fvm *vm, uint32_t cell, uint8_t how) {
    FVM_ASSERT(cell < vm->limit / 4);
    vm->cells[cell] |= how;
    if (cell >= vm->marked_cells)
        vm->marked_cells = cell + 1;
    /* Cells of the kernel, or prepared memory: see prepared_memory.c. */
    if (cell < FVM_DICTIONARY / 4 || cell >= vm->prepared / 4)
        fvm_forget_prepared(vm);
}

/* Must be called before bytes change: discards the slots, machine code and index entries that
 * depend on watched cells, and marks the pages as written. */
void fvm_write_barrier(fvm *vm, fvm_addr addr, uint32_t length);

/* Stores a cell with the write barrier, but without a check of the address, like fvm_get. */
static inline void fvm_put(fvm *vm, fvm_addr addr, fvm_cell value) {
    FVM_ASSERT(fvm_in_cell(vm, addr));
    if (FVM_UNLIKELY((addr & 3) != 0 || vm->cells[addr >> 2] != 0 || addr + 4 > vm->high))
        fvm_write_barrier(vm, addr, 4);
    vm->dirty[addr >> FVM_PAGE_SHIFT] = 1;
    memcpy(vm->mem + addr, &value, 4);
}

/* Stores a cell at an aligned address below `high`, with the write barrier. */
static inline void fvm_set(fvm *vm, fvm_addr addr, fvm_cell value) {
    FVM_ASSERT((addr & 3) == 0 && fvm_in_cell(vm, addr) && addr + 4 <= vm->high);
    if (FVM_UNLIKELY(vm->cells[addr >> 2] != 0))
        fvm_write_barrier(vm, addr, 4);
    vm->dirty[addr >> FVM_PAGE_SHIFT] = 1;
    memcpy(vm->mem + addr, &value, 4);
}

/* Checked loads and stores; they also access the stacks at the addresses of SP@ and RP@. */
fvm_status fvm_load_cell(fvm *vm, fvm_addr addr, fvm_cell *value);
fvm_status fvm_store_cell(fvm *vm, fvm_addr addr, fvm_cell value);
fvm_status fvm_load_byte(fvm *vm, fvm_addr addr, fvm_cell *value);
fvm_status fvm_store_byte(fvm *vm, fvm_addr addr, fvm_cell value);
fvm_status fvm_load_half(fvm *vm, fvm_addr addr, fvm_cell *value);
fvm_status fvm_store_half(fvm *vm, fvm_addr addr, fvm_cell value);
/* Copies from low to high addresses, `unit` bytes at a time. */
fvm_status fvm_copy(fvm *vm, fvm_addr from, fvm_addr to, uint32_t bytes, uint32_t unit);
fvm_status fvm_fill(fvm *vm, fvm_addr addr, uint32_t bytes, int value);
fvm_status fvm_string_length(fvm *vm, fvm_addr addr, uint32_t *length);
/* Copies a zero-terminated string, truncated to size - 1 bytes. */
fvm_status fvm_string_copy(fvm *vm, fvm_addr addr, char *to, uint32_t size);
/* Grows the image to at least `size` bytes. */
fvm_status fvm_grow(fvm *vm, uint32_t size);
void fvm_flush_code(fvm *vm); /* resets all slots */
void fvm_mark_primitives(fvm *vm);
/* Sets `high` and the size after memory has been restored; both may become lower. */
void fvm_image_restored(fvm *vm, uint32_t high, uint32_t size);
/* Must be called after a change of the memory's size or of FVM_K_TRANSIENT. */
void fvm_update_translated_limit(fvm *vm);
/* Initializes the slot of the cell at addr if necessary.  Returns false if code at addr cannot be
 * translated. */
bool fvm_make_translatable(fvm *vm, fvm_addr addr);

/* snapshot.c */
bool fvm_pages_new(fvm *vm, uint32_t pages); /* false: no memory */
void fvm_pages_free(fvm *vm, uint32_t pages);
/* Whether memory equals the newest snapshot, except for scratch memory. */
bool fvm_memory_is_unchanged(fvm *vm, const fvm_scratch *scratch);
/* Restores whole cells in [begin, end). */
void fvm_snapshot_restore_range(fvm *vm, const fvm_snapshot *s, fvm_addr begin, fvm_addr end);
/* Cells and ranges that may differ. */
typedef struct {
    const fvm_addr *cells;
    size_t count; /* of the cells */
    const fvm_scratch *scratch;
} fvm_ignored;
/* Whether a and b are equal below `end` except for ignored cells. */
bool fvm_snapshot_differs_only(const fvm_snapshot *a, const fvm_snapshot *b, fvm_addr end,
                               const fvm_ignored *ignored);

void fvm_names_clear(fvm *vm); /* clears the name index (name_index.c) */

/* --- stacks from C ---------------------------------------------------------------- */

static inline int32_t fvm_depth_of(const fvm *vm) { return (int32_t)(vm->sp - vm->stack); }

/* Whether a stack pointer and the return stack pointer are in bounds.  A run that failed may have
 * popped the address to which the outermost word returns. */
static inline bool fvm_stacks_are_valid(const fvm *vm, const fvm_cell *sp) {
    return sp >= vm->stack_least[0] && sp <= vm->stack_most[0] && vm->rp >= vm->rstack - 1 &&
           vm->rp <= vm->rstack_high;
}

/* Checks that a word may pop `cells` items. */
static inline fvm_status fvm_need(fvm *vm, int32_t cells) {
    return vm->sp - vm->stack_least[0] >= cells ? FVM_OK : FVM_ERR_STACK_UNDERFLOW;
}

/* Pops an item; the caller has called fvm_need. */
static inline fvm_cell fvm_drop(fvm *vm) {
    FVM_ASSERT(vm->sp > vm->stack_least[0]);
    return *vm->sp--;
}

/* Sets the stack pointer to its value before a run.  Items that the run has popped become 0:
 * memory above the top depends on the execution tier and must not become visible as items. */
static inline void fvm_set_stack(fvm *vm, fvm_cell *sp) {
    FVM_ASSERT(fvm_stacks_are_valid(vm, sp));
    while (FVM_UNLIKELY(vm->sp < sp))
        *++vm->sp = 0;
    vm->sp = sp;
}

static inline void fvm_save_stack(const fvm *vm, fvm_saved_stack *saved) {
    int32_t depth = fvm_depth_of(vm);
    saved->sp = vm->sp;
    saved->count = depth < 0 ? 0 : depth < FVM_STACK_GRACE ? depth : FVM_STACK_GRACE;
    memcpy(saved->items, vm->sp - saved->count + 1, (size_t)saved->count * sizeof *saved->items);
}

/* Restores the saved depth and the items that have been popped. */
static inline void fvm_restore_stack(fvm *vm, const fvm_saved_stack *saved) {
    FVM_ASSERT(fvm_stacks_are_valid(vm, saved->sp) && saved->count <= FVM_STACK_GRACE);
    const fvm_cell *const first = saved->sp - saved->count + 1;
    while (FVM_UNLIKELY(vm->sp < saved->sp)) {
        vm->sp++;
        *vm->sp = vm->sp >= first ? saved->items[vm->sp - first] : 0;
    }
    vm->sp = saved->sp;
}

static inline fvm_status fvm_drop_two(fvm *vm, fvm_cell *a, fvm_cell *b) {
    FVM_TRY(fvm_need(vm, 2));
    *b = fvm_drop(vm);
    *a = fvm_drop(vm);
    return FVM_OK;
}

/* Pushes an item. */
static inline fvm_status fvm_put_top(fvm *vm, fvm_cell value) {
    if (vm->sp > vm->stack_most[1])
        return FVM_ERR_STACK_OVERFLOW;
    *++vm->sp = value;
    return FVM_OK;
}

/* --- errors (errors.c) ------------------------------------------------------------ */

/* Records status, value and text of a failure, unless a failure is recorded already; returns
 * status. */
fvm_status fvm_fail(fvm *vm, fvm_status status, fvm_cell value, const char *format, ...)
    FVM_PRINTF(4, 5);
/* Completes the error record of a failed run with the address of the failed cell and its callers.
 */
void fvm_record(fvm *vm, fvm_status status, fvm_addr ip);
void fvm_begin(fvm *vm, fvm_phase phase); /* begins a call by the host: clears old failures */
void fvm_warn(fvm *vm, const char *format, ...) FVM_PRINTF(2, 3);

/* --- running (inner_interpreter.c, run.c) ----------------------------------------- */

fvm_status fvm_inner(fvm *vm, fvm_addr cfa);
fvm_status fvm_run(fvm *vm, fvm_addr cfa);         /* returns FVM_EXIT_VERIFY after $Exit */
fvm_status fvm_run_to_exit(fvm *vm, fvm_addr cfa); /* returns FVM_OK after $Exit */
/* Does the same as fvm_run_to_exit for a move's code, from the instruction `next` on: those before
 * it have been executed, and the step of the run has been charged. */
fvm_status fvm_run_move(fvm *vm, fvm_addr cfa, fvm_addr next);
/* Runs an interpreted token, which may pop and push cells above `base` on the return stack. */
fvm_status fvm_run_token(fvm *vm, fvm_addr cfa, fvm_cell *base);
/* Runs a word and pops one result; 0 if it pushed none. */
fvm_status fvm_call(fvm *vm, fvm_addr cfa, fvm_cell *result);

/* --- limits (limits.c) ------------------------------------------------------------ */

fvm_status fvm_spend(fvm *vm, uint32_t steps); /* charges steps of a long primitive */
/* Checks the limits and begins a slice, after a step that found no fuel. */
fvm_status fvm_refuel(fvm *vm);
/* Calls fvm_refuel and takes a profile sample at ip. */
fvm_status fvm_refuel_at(fvm *vm, fvm_addr ip);
/* Calls fvm_refuel_at after deferred fuel accounting, which has made the fuel negative. */
fvm_status fvm_refuel_after_steps(fvm *vm, fvm_addr ip);
fvm_status fvm_check_limits(fvm *vm); /* checks interrupt and time, and polls the host */
/* From fvm_halt_begin to fvm_halt_end, words may be ended with FVM_ERR_STOPPED, at the latest
 * `seconds` plus `grace` after the beginning (seconds 0: only after fvm_engine_stop).  fvm_halt_end
 * clears that failure and returns whether there was one. */
fvm_halt fvm_halt_begin(fvm *vm, double seconds, double grace);
bool fvm_halt_end(fvm *vm, fvm_halt outer, fvm_status *status);

/* Begins a request: the host or a search interprets a text, runs a word or generates a move list.
 * A search makes many requests, and each has the full time limit.  The clock is first read when the
 * limits are checked, so short requests cost nothing. */
static inline void fvm_begin_request(fvm *vm) { vm->request++; }

/* Charges unmetered work: work without steps, such as traversing a list of unknown length or
 * filling a cache.  The unit is a few nanoseconds.  The limits are checked after every
 * FVM_WORK_BETWEEN_CHECKS units. */
static inline fvm_status fvm_charge_work(fvm *vm, uint32_t work) {
    vm->unmetered_work =
        work > FVM_WORK_BETWEEN_CHECKS ? FVM_WORK_BETWEEN_CHECKS : vm->unmetered_work + work;
    if (FVM_LIKELY(vm->unmetered_work < FVM_WORK_BETWEEN_CHECKS))
        return FVM_OK;
    vm->unmetered_work = 0;
    return fvm_check_limits(vm);
}

/* --- translation (translate.c) ---------------------------------------------------- */

/* Decodes the instruction at ip.  *length: its length in bytes.  stored: the caller will store the
 * slot in vm->code, so the slot may be a superinstruction and its cells are marked. */
fvm_status fvm_translate(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op, uint32_t *length,
                         bool stored);
/* Decodes without superinstructions; returns the operation, or -1 if the cell is not a token. */
int fvm_operation_at(fvm *vm, fvm_addr ip, fvm_slot *slot, uint32_t *length);
/* Decodes a call of the word at cfa that returns to `back`. */
fvm_status fvm_translate_word(fvm *vm, fvm_addr cfa, fvm_addr back, fvm_slot *slot, int *op);

/* --- dictionary and source (dictionary.c, outer_interpreter.c) -------------------- */

fvm_status fvm_comma(fvm *vm, fvm_cell value); /* appends a cell to the dictionary */
fvm_status fvm_allot(fvm *vm, int32_t bytes);
fvm_status fvm_align(fvm *vm);
fvm_addr fvm_find_name(const fvm *vm, const char *name, uint32_t length);
fvm_addr fvm_find_in(const fvm *vm, fvm_addr list, const char *name, uint32_t length);
/* The same without the name index.  fold: ignores letter case. */
fvm_addr fvm_search_list(const fvm *vm, fvm_addr list, const char *name, uint32_t length,
                         bool fold);
int fvm_primitive_flags(int op); /* FVM_PRIM_…; 0: not a primitive */
void fvm_install_primitives(fvm *vm);
/* Reads a name.  what: the word that reads the name, for the error message. */
fvm_status fvm_read_name(fvm *vm, const char *what, const char **name, uint32_t *length);
bool fvm_parse_number(const char *text, uint32_t length, int base, fvm_cell *value);
/* Write text of at most 40 bytes and return its length. */
uint32_t fvm_format_number(fvm_cell value, int base, char *to);
fvm_status fvm_emit(fvm *vm, const char *text, uint32_t length);
void fvm_drop_open_word(fvm *vm);           /* removes an unfinished definition */
void fvm_cut_lists(fvm *vm, fvm_addr addr); /* removes words at or above addr from word lists */

/* --- variables of the library -------------------------------------------------------- */

/* A variable of the library is a cell for which fvm_set may be called, or 0: the library does not
 * have it (fvm_bind checks this, and fvm_image_restored forgets variables that no
 * longer exist).  A missing variable reads as 0, like all memory below FVM_LOW, and stores to it
 * have no effect. */
static inline fvm_cell fvm_lib_get(const fvm *vm, fvm_addr variable) {
    return fvm_get(vm, variable);
}
static inline fvm_cell fvm_lib_get_or(const fvm *vm, fvm_addr variable, fvm_cell otherwise) {
    return variable != 0 ? fvm_get(vm, variable) : otherwise;
}
static inline void fvm_lib_put(fvm *vm, fvm_addr variable, fvm_cell value) {
    if (FVM_LIKELY(variable != 0))
        fvm_set(vm, variable, value);
}

/* The distance of entries for piece-value: version 140 takes the size of a cell instead of that of
 * an entry. */
static inline uint32_t fvm_value_stride(const fvm *vm) {
    return vm->has_140_faults ? 4 : FVM_PIECE_BYTES;
}

/* Returns a 64-bit hash of z (splitmix64). */
static inline uint64_t fvm_mix(uint64_t z) {
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

#endif
