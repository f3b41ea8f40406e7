/* vm.h: the internal interface of the VM, for the files of native/ only.
 *
 * It owns the accessors, which are the only code that touches image memory, and the declarations of
 * what the files of vm/ offer each other and the folders above. */
#ifndef FVM_VM_H
#define FVM_VM_H

#include "vm/state.h"

#if defined(__GNUC__)
#define FVM_PRINTF(text_, first_) __attribute__((format(printf, text_, first_)))
#else
#define FVM_PRINTF(text_, first_)
#endif

/* Makes a VM with the given functions of words and the given JIT. The host calls fvm_new and
 * fvm_free (assemble.c). */
fvm *fvm_vm_new(uint32_t size, uint32_t limit, const fvm_word_function *words,
                const fvm_jit_hooks *jit);
void fvm_vm_free(fvm *vm);

/* --- accessors -------------------------------------------------------------------- */

static inline bool fvm_in(const fvm *vm, fvm_addr addr, uint32_t length) {
    return addr >= FVM_LOW && addr <= vm->size && length <= vm->size - addr;
}

/* Unchecked: the caller has called fvm_in, or the address is a kernel cell. */
static inline fvm_cell fvm_get(const fvm *vm, fvm_addr addr) {
    fvm_cell value;
    memcpy(&value, vm->mem + addr, 4);
    return value;
}

/* Addition that wraps, because scripts may have stored any number in a cell. */
static inline fvm_cell fvm_plus(fvm_cell a, fvm_cell b) {
    return (fvm_cell)((uint32_t)a + (uint32_t)b);
}

static inline void fvm_set_high(fvm *vm, uint32_t high) {
    vm->high = high;
    vm->high_cells = (high - FVM_LOW) >> 2;
    vm->whole_cells = high >> 2;
}

void fvm_write_barrier(fvm *vm, fvm_addr addr, uint32_t length); /* before bytes change */

/* Unchecked like fvm_get; with the write barrier for translations and snapshots. */
static inline void fvm_put(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (FVM_UNLIKELY((addr & 3) != 0 || vm->cells[addr >> 2] != 0 || addr + 4 > vm->high))
        fvm_write_barrier(vm, addr, 4);
    vm->dirty[addr >> FVM_PAGE_SHIFT] = 1;
    memcpy(vm->mem + addr, &value, 4);
}

/* Checked; they also serve the addresses of SP@ and RP@. */
fvm_status fvm_load_cell(fvm *vm, fvm_addr addr, fvm_cell *value);
fvm_status fvm_store_cell(fvm *vm, fvm_addr addr, fvm_cell value);
fvm_status fvm_load_byte(fvm *vm, fvm_addr addr, fvm_cell *value);
fvm_status fvm_store_byte(fvm *vm, fvm_addr addr, fvm_cell value);
fvm_status fvm_load_half(fvm *vm, fvm_addr addr, fvm_cell *value);
fvm_status fvm_store_half(fvm *vm, fvm_addr addr, fvm_cell value);
fvm_status fvm_copy(fvm *vm, fvm_addr from, fvm_addr to, uint32_t bytes, uint32_t unit);
fvm_status fvm_fill(fvm *vm, fvm_addr addr, uint32_t bytes, int value);
fvm_status fvm_string_length(fvm *vm, fvm_addr addr, uint32_t *length);
fvm_status fvm_string_copy(fvm *vm, fvm_addr addr, char *to, uint32_t size);
void *fvm_reserve(size_t bytes); /* zeroed, lazily backed; NULL: none */
void fvm_release(void *memory, size_t bytes);
fvm_status fvm_grow(fvm *vm, uint32_t size); /* makes addresses below size usable */
void fvm_flush_code(fvm *vm);
void fvm_mark_primitives(fvm *vm);
void fvm_update_translated_limit(fvm *vm);          /* after a change of the memory's size */
bool fvm_make_translatable(fvm *vm, fvm_addr addr); /* false: code at addr is never translated */
bool fvm_pages_new(fvm *vm, uint32_t pages);        /* snapshot.c; false: no memory */
void fvm_pages_free(fvm *vm, uint32_t pages);
bool fvm_pages_untouched(fvm *vm); /* memory is as in the newest snapshot */
/* Whether b differs from a, below `end`, in no other cells than these. */
bool fvm_snapshot_differs_only(const fvm_snapshot *a, const fvm_snapshot *b, fvm_addr end,
                               const fvm_addr *cells, size_t count);
void fvm_names_drop(fvm *vm); /* name_index.c: a header was written over */

/* --- stacks from C ---------------------------------------------------------------- */

static inline int32_t fvm_depth_of(const fvm *vm) { return (int32_t)(vm->sp - vm->stack); }

static inline fvm_status fvm_need(fvm *vm, int32_t cells) {
    return vm->sp - vm->stack_least[0] >= cells ? FVM_OK : FVM_ERR_STACK_UNDERFLOW;
}

static inline fvm_cell fvm_drop(fvm *vm) { return *vm->sp--; } /* after fvm_need */

/* Sets the depth that the stack had before a run.  Where the run took more items than it left,
 * the missing ones are 0: what lies above the top depends on the execution tier, and so it must
 * never become an item. */
static inline void fvm_set_stack(fvm *vm, fvm_cell *sp) {
    while (FVM_UNLIKELY(vm->sp < sp))
        *++vm->sp = 0;
    vm->sp = sp;
}

/* The stack items of a caller. A move word may take some of them without replacing them: the
 * original then reset its stack pointer, so that the items reappeared. */
typedef struct {
    fvm_cell *sp;
    int32_t count;
    fvm_cell items[FVM_STACK_GRACE]; /* the topmost ones; no word takes more */
} fvm_saved_stack;

static inline void fvm_save_stack(const fvm *vm, fvm_saved_stack *mark) {
    int32_t depth = fvm_depth_of(vm);
    mark->sp = vm->sp;
    mark->count = depth < 0 ? 0 : depth < FVM_STACK_GRACE ? depth : FVM_STACK_GRACE;
    memcpy(mark->items, vm->sp - mark->count + 1, (size_t)mark->count * sizeof *mark->items);
}

/* Resets the stack to the marked depth and restores the items that are missing. */
static inline void fvm_restore_stack(fvm *vm, const fvm_saved_stack *mark) {
    const fvm_cell *const first = mark->sp - mark->count + 1;
    while (FVM_UNLIKELY(vm->sp < mark->sp)) {
        vm->sp++;
        *vm->sp = vm->sp >= first ? mark->items[vm->sp - first] : 0;
    }
    vm->sp = mark->sp;
}

static inline fvm_status fvm_drop_two(fvm *vm, fvm_cell *a, fvm_cell *b) {
    fvm_status status = fvm_need(vm, 2);
    if (status != FVM_OK)
        return status;
    *b = fvm_drop(vm);
    *a = fvm_drop(vm);
    return FVM_OK;
}

static inline fvm_status fvm_put_top(fvm *vm, fvm_cell value) {
    if (vm->sp > vm->stack_most[1])
        return FVM_ERR_STACK_OVERFLOW;
    *++vm->sp = value;
    return FVM_OK;
}

/* --- errors (errors.c) ------------------------------------------------------------ */

/* Records a failure with a text, unless the run has one already; returns status. */
fvm_status fvm_fail(fvm *vm, fvm_status status, fvm_cell value, const char *format, ...)
    FVM_PRINTF(4, 5);
void fvm_record(fvm *vm, fvm_status status, fvm_addr ip); /* adds the address and the callers */
void fvm_begin(fvm *vm, fvm_phase phase); /* a host call starts: clears old failures */
void fvm_warn(fvm *vm, const char *format, ...) FVM_PRINTF(2, 3);

/* --- running (inner_interpreter.c, run.c) ----------------------------------------- */

fvm_status fvm_inner(fvm *vm, fvm_addr cfa);
fvm_status fvm_run(fvm *vm, fvm_addr cfa);         /* may return FVM_EXIT_VERIFY */
fvm_status fvm_run_to_exit(fvm *vm, fvm_addr cfa); /* $Exit ends it without error */
/* The same for an interpreted token: what it leaves on the return stack above `base` stays. */
fvm_status fvm_run_token(fvm *vm, fvm_addr cfa, fvm_cell *base);
fvm_status fvm_call(fvm *vm, fvm_addr cfa, fvm_cell *result); /* pops one result, 0 if none */
fvm_status fvm_spend(fvm *vm, uint32_t steps);                /* from long primitives */
fvm_status fvm_refuel(fvm *vm);                 /* fuel is used up: limits, interrupt */
fvm_status fvm_refuel_at(fvm *vm, fvm_addr ip); /* the same, at that instruction */
fvm_status
fvm_refuel_after_steps(fvm *vm,
                       fvm_addr ip);  /* the same, for steps made before they were charged */
fvm_status fvm_check_limits(fvm *vm); /* interrupt, deadline and poll, now */
/* Between these two calls, running words may be ended with FVM_ERR_STOPPED: after `seconds` plus
 * `grace` at the latest, if `seconds` is not 0. fvm_halt_end returns whether they were, and clears
 * the failure. */
fvm_halt fvm_halt_begin(fvm *vm, double seconds, double grace);
bool fvm_halt_end(fvm *vm, fvm_halt outer, fvm_status *status);
double fvm_now(void);

/* A question is one request to the script by the host or a search: interpret a text, run a word,
 * generate a list of moves. A search makes many, and each has the whole time limit. The clock is
 * not read before the first check of the limits, so short questions cost nothing. */
static inline void fvm_begin_request(fvm *vm) { vm->request++; }

/* Charges work that counts no steps, such as following a list that a script may have made long, or
 * filling a cache. The unit is a few nanoseconds. The limits are checked after every
 * FVM_WORK_BETWEEN_CHECKS units. */
static inline fvm_status fvm_charge_work(fvm *vm, uint32_t work) {
    vm->unmetered_work =
        work > FVM_WORK_BETWEEN_CHECKS ? FVM_WORK_BETWEEN_CHECKS : vm->unmetered_work + work;
    if (FVM_LIKELY(vm->unmetered_work < FVM_WORK_BETWEEN_CHECKS))
        return FVM_OK;
    vm->unmetered_work = 0;
    return fvm_check_limits(vm);
}

/* --- translation (translate.c): the one interface to it --------------------------- */

/* Decodes the instruction at ip; *length: its bytes; hot: may use superinstructions and mark cells.
 */
fvm_status fvm_translate(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op, uint32_t *length, bool hot);
/* The same without superinstructions; returns the operation, -1 if there is no instruction. */
int fvm_operation_at(fvm *vm, fvm_addr ip, fvm_slot *slot, uint32_t *length);
/* Decodes the word at cfa as if the cell before `back` named it. */
fvm_status fvm_translate_word(fvm *vm, fvm_addr cfa, fvm_addr back, fvm_slot *slot, int *op);

/* --- dictionary and source (dictionary.c, outer_interpreter.c) -------------------- */

fvm_status fvm_comma(fvm *vm, fvm_cell value);
fvm_status fvm_append_cells(fvm *vm, const fvm_cell *cells, uint32_t count);
fvm_status fvm_allot(fvm *vm, int32_t bytes);
fvm_status fvm_align(fvm *vm);
fvm_status fvm_header(fvm *vm, const char *name, uint32_t length, int op);
fvm_addr fvm_find_name(const fvm *vm, const char *name, uint32_t length);
fvm_addr fvm_find_in(const fvm *vm, fvm_addr list, const char *name, uint32_t length);
int fvm_primitive_flags(int op); /* FVM_PRIM_…; 0: not a primitive */
void fvm_install_primitives(fvm *vm);
bool fvm_read_token(fvm *vm); /* to PAD; false at the end */
fvm_status fvm_read_name(fvm *vm, const char *what, const char **name, uint32_t *length);
bool fvm_parse_number(const char *text, uint32_t length, int base, fvm_cell *value);
uint32_t fvm_format_number(fvm_cell value, int base, char *to); /* at least 40 bytes */
uint32_t fvm_format_float(float value, char *to);
fvm_status fvm_emit(fvm *vm, const char *text, uint32_t length);
void fvm_drop_open_word(fvm *vm);
void fvm_cut_lists(fvm *vm, fvm_addr addr);

/* --- variables of the library -------------------------------------------------------- */

static inline fvm_cell fvm_lib_get(const fvm *vm, fvm_addr variable, fvm_cell otherwise) {
    return variable != 0 && fvm_in(vm, variable, 4) ? fvm_get(vm, variable) : otherwise;
}
static inline void fvm_lib_put(fvm *vm, fvm_addr variable, fvm_cell value) {
    if (variable != 0 && fvm_in(vm, variable, 4))
        fvm_put(vm, variable, value);
}

static inline uint64_t fvm_mix(uint64_t z) {
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

#endif
