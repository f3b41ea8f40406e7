/* vm.h: the internals of the VM, for the files of native/ only.
 *
 * It owns the state outside the image and the accessors, which are the only code that touches image
 * memory (layout.h defines its layout).  Everything that can influence a script lives in the image
 * (random streams, ring buffers, repetition), so that a snapshot of its pages and of the parameter
 * stack is the whole state between runs. */
#ifndef FVM_VM_H
#define FVM_VM_H

#include "forthvm.h"
#include "vm/jit_hooks.h"
#include "vm/layout.h"

#include <stdbool.h>
#include <string.h>

#if defined(__GNUC__)
#define FVM_PRINTF(text_, first_) __attribute__((format(printf, text_, first_)))
#else
#define FVM_PRINTF(text_, first_)
#endif

#if defined(__GNUC__)
#define FVM_LIKELY(x) __builtin_expect(!!(x), 1)
#define FVM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FVM_COLD __attribute__((noinline, cold)) /* keeps registers free where it is called */
#else
#define FVM_LIKELY(x) (x)
#define FVM_UNLIKELY(x) (x)
#define FVM_COLD
#endif

/* --- the image, from low to high -------------------------------------------------- */

/* Addresses: layout.h. */
enum {
    FVM_RANDOM_CELLS = 102,
    FVM_RANDOM_STREAMS = 3,
    FVM_RING_ITEMS = 4096,
    FVM_RING_BYTES = 8 + 4 * FVM_RING_ITEMS,
    FVM_REPETITION_ITEMS = 16384,
    FVM_PAD_BYTES = 0x10000,
    FVM_TEXT_BYTES = 0x1000,
    FVM_TEXT_MAX = 1023 /* longest move text that version 140 takes */
};

enum {
    FVM_PAGE_SHIFT = 10,
    FVM_PAGE = 1 << FVM_PAGE_SHIFT,
    FVM_STACK_CELLS = 6144, /* the original took 5000, and crashed at 6300 */
    FVM_RETURN_CELLS = 4096,
    FVM_STACK_GRACE = 64, /* cells a word may take below the base, unless checked */
    FVM_STACK_PAD = 128,  /* physical room below the base */
    FVM_MAX_NESTING = 48, /* runs inside runs: each takes C stack */
    FVM_FUEL_SLICE = 4096,
    FVM_EAGER_SLICE = 3, /* for tests: so that nearly everything becomes machine code */
    FVM_WORK_BETWEEN_CHECKS = 1 << 18, /* about a millisecond of unmetered work */
    FVM_OVERRUN = 64, /* steps that machine code may make before it subtracts them from the fuel */
    FVM_SUPER_CELLS = 8, /* largest number of cells of a superinstruction */
    FVM_OUT_BYTES = 8192,
    FVM_MAX_WARNINGS = 32
};

/* The addresses that SP@ and RP@ return; loads and stores there access the stacks.  The return
 * stack lies directly below the parameter stack, as in the original. */
#define FVM_RSTACK_ADDR 0x70000000u
#define FVM_STACK_ADDR (FVM_RSTACK_ADDR + 4u * FVM_RETURN_CELLS)

/* Per cell of the image: what a store to it must undo. */
enum {
    FVM_CELL_CODE = 1,    /* translated code was read from here */
    FVM_CELL_DEEP = 2,    /* translations anywhere depend on it: a code field, an inlined body */
    FVM_CELL_NAME = 4,    /* a header that name_index.c has indexed */
    FVM_CELL_NATIVE = 8,  /* machine code was made from here */
    FVM_CELL_FOLDED = 16, /* machine code assumes this value, which is data */
    FVM_CELL_NONE = 32    /* below FVM_LOW: nothing may be stored there */
};

enum { FVM_WRITTEN = 1 }; /* the mark of a page; search_stack.c has another one for dirty pages */

/* One cell of translated code: the handler to go to (a label of inner_interpreter.c, or a number
 * where the compiler has no computed goto) and its operands; b is the address of the next cell. A
 * slot not translated yet goes to the handler that translates. */
typedef struct {
    intptr_t go;
    fvm_cell a;
    fvm_cell b;
} fvm_slot;

/* What translated slots hold beside the primitives of ops.h and the code fields of layout.h. */
enum {
    FVM_OP_CONSTANT = FVM_OP_WORD_LIST + 1, /* a DOES> word that fetches its body */
    FVM_OP_ARRAY,                           /* a DOES> word that may be an array, in checked mode */
    FVM_OP_NATIVE,                          /* machine code: a is where, see jit_hooks.h */
    /* as the primitives, to a target known to be translatable */
    FVM_OP_CALL,
    FVM_OP_JUMP,
    FVM_OP_JUMP_ZERO,
    FVM_OP_LOOP_BACK,
    FVM_OP_LOOP_BACK_BY,
    FVM_OP_READ,  /* a definition that is a variable and @ */
    FVM_OP_WRITE, /* a definition that is a variable and ! */
    FVM_OP_SCALE, /* a definition that is a constant and *: CELLS */
    FVM_OP_INDEX, /* a definition that is CELLS, a variable and +; a word of [] */
    FVM_OP_SUPER  /* and on: superinstructions, as in superinstructions.def */
};

/* Flags of a primitive; primitives.def says what they mean. */
enum {
    FVM_PRIM_IMMEDIATE = 1,
    FVM_PRIM_HIDDEN = 2,
    FVM_PRIM_INLINE = 4,
    FVM_PRIM_PURE = 8,
    FVM_PRIM_READS_MOVE_LIST = 16,
    FVM_PRIM_JIT = 32
};
int fvm_primitive_flags(int op); /* 0: op is no primitive */

/* What a loop leaves under its limit and index, so that a trace can step over it. */
#define LOOP_MARK ((fvm_cell)0x4C4F4F50)

/* Code fields hold this tag and an opcode; a cell with any other value is not a code field. */
#define FVM_CODE_TAG 0x7E560000u
#define FVM_CODE_MASK 0xFFFF0000u

/* The text being interpreted. */
typedef struct fvm_source {
    const char *text;
    uint32_t length;
    uint32_t at;
    uint32_t base;
    struct fvm_source *outer;
    fvm_cell *rbase; /* its tokens may take what lies above on the return stack */
} fvm_source;

typedef struct fvm_page {
    uint32_t refs;
    uint8_t bytes[FVM_PAGE];
} fvm_page;
typedef struct fvm_page_group fvm_page_group; /* snapshot.c */

/* Addresses of library variables and tokens of library words, found by name. */
typedef struct {
#define FVM_LIBRARY_VARIABLE(field, name) fvm_addr field;
#define FVM_LIBRARY_WORD(field, name) fvm_addr field;
#include "tables/library_names.def"
#undef FVM_LIBRARY_VARIABLE
#undef FVM_LIBRARY_WORD
} fvm_library;

typedef struct fvm_names fvm_names; /* name_index.c */
typedef struct fvm_trace fvm_trace; /* trace.c */

typedef struct {
    uint32_t pos;
    char text[200];
} fvm_warning_record;

/* Items of an array word, as found when that many headers were there; -1: no array. */
enum { FVM_ARRAY_SIZES = 256 };
typedef struct {
    fvm_addr cfa;
    fvm_addr latest;
    fvm_cell headers;
    fvm_cell count;
} fvm_array_size;

/* When to end the words that an engine runs, whatever they do. */
typedef struct {
    bool on;
    bool asked;   /* fvm_engine_stop was noticed */
    double at;    /* on the clock of fvm_now, 0: not yet */
    double grace; /* seconds from the request to the end */
} fvm_halt;

/* A primitive that is a function of its own; it takes its items from vm->sp. */
typedef fvm_status (*fvm_word_function)(fvm *vm);

struct fvm {
    /* The fields that the inner interpreter uses most come first. */
    uint32_t span4;            /* size - FVM_LOW - 4 */
    uint32_t translated_cells; /* number of cells from FVM_LOW on that may be translated */
    fvm_cell *stack_least[6];  /* [n]: lowest sp with n items that a word may take */
    fvm_cell *stack_most[6];   /* [n]: highest sp with room for n */
    fvm_cell *rbase;           /* rp may not go below in this run */
    fvm_cell *rloop;           /* rbase and a loop */
    fvm_cell *rstack_high;
    uint8_t *cells;       /* FVM_CELL_… per cell */
    uint8_t *dirty;       /* per page: written since the last snapshot */
    uint32_t high;        /* bytes that may differ from zero */
    uint32_t high_cells;  /* whole cells from FVM_LOW to there */
    uint32_t whole_cells; /* whole cells from address 0 on */
    bool checked;

    /* the image */
    uint8_t *mem;
    uint32_t size;         /* readable bytes */
    uint32_t limit;        /* size may grow to this */
    uint32_t soft_limit;   /* code above runs untranslated: moves run once or twice */
    uint32_t slots_ready;  /* slots below are filled in */
    intptr_t untranslated; /* what a slot goes to at first */
    uint32_t *map;         /* source position per cell */
    fvm_slot *code;        /* translated code per cell */

    /* stacks; item k of the parameter stack is stack[k + 1], the top *sp */
    fvm_cell *stack; /* depth 0 */
    fvm_cell *sp;
    fvm_cell *rstack;
    fvm_cell *rp;          /* top of the return stack */
    fvm_cell above_stacks; /* what scripts find above the top of either, see memory.c */

    /* running */
    fvm_addr *primitives;           /* CFA per opcode */
    const fvm_word_function *words; /* per opcode: what implements it; NULL: its handler */
    int32_t nesting;
    int32_t fuel;         /* steps left before the slow check */
    int32_t near_limit;   /* few steps remain: machine code could exceed steps_limit */
    int64_t fuel_granted; /* steps handed out and not yet accounted */
    int64_t steps;        /* steps accounted */
    int64_t steps_limit;  /* 0 none */
    double deadline;      /* 0 none, else on the clock of fvm_now */
    double next_poll;
    double request_seconds;  /* limit of one question, 0 none; see fvm_begin_request */
    double request_end;      /* of the question that was timed last */
    uint32_t request;        /* number of the current request */
    uint32_t timed_request;  /* the one that request_end belongs to */
    uint32_t unmetered_work; /* since the limits were last checked; see fvm_charge_work */
    _Atomic int32_t interrupted;
    _Atomic int32_t engine_status;
    int32_t phase;
    bool failed;  /* error holds status, value and text of this run's failure */
    bool located; /* error also holds the address and the callers */
    fvm_error error;
    fvm_addr running;  /* token that the outer interpreter runs */
    fvm_addr fault_ip; /* cell that failed, left by the inner interpreter */

    /* options and host */
    int32_t version;
    bool exact_140;
    bool fixed_clock;
    int64_t clock;
    fvm_hooks hooks;
    void *host;
    char out[FVM_OUT_BYTES];
    uint32_t out_length;
    uint64_t external_effects; /* number of outputs and calls of host words so far, which cannot be
                                  undone */

    /* outer interpreter */
    fvm_source *source;
    uint32_t next_base;
    uint32_t token_pos;
    uint32_t token_length;
    fvm_addr open_word; /* NFA of an unfinished definition, 0 none */
    fvm_addr open_dp;   /* HERE before it */
    fvm_cell open_depth;
    int32_t sections[16]; /* open sections: index of the name; positions beside it */
    uint32_t section_pos[16];
    int32_t section_count;
    fvm_warning_record warnings[FVM_MAX_WARNINGS];
    int32_t warning_count;

    /* snapshots */
    fvm_page **pages; /* per page: the shared copy equal to memory unless dirty; NULL zero */
    fvm_page_group **groups;

    /* games */
    fvm_library lib;
    bool bound;            /* the library's variables have been looked up */
    bool layout_140;       /* its moves keep their text: code field at +16, not +12 */
    fvm_addr bound_latest; /* newest word when the event words were looked up */
    fvm_cell bound_headers;
    fvm_names *names;
    bool generating;
    bool commenting; /* the host asked for the result: ^ words write the result comment */
    uint32_t comment_length;
    char comment[FVM_TEXT_MAX + 1]; /* the last result comment */
    bool scan_plain;                /* variables are accessible directly, and no texts are kept */
    int32_t enough_moves;    /* generation may stop when the list has this many moves; 0: never */
    bool first_moves;        /* those moves must be the first of the whole list */
    fvm_cell scan_hints[32]; /* by player: where generation stopped the last time */
    bool searching;
    int32_t plies;      /* moves made by searches and not unmade yet, nested searches included */
    fvm_addr scan_word; /* move word being run */
    fvm_cell scan_type; /* its move type */
    fvm_addr scan_list; /* list being filled */
    bool pass_noted;    /* its pass has been found */
    bool began_with_change; /* some move did: its text depends on the move before */
    char best[FVM_TEXT_MAX + 1];
    char current[FVM_TEXT_MAX + 1];
    fvm_cell best_score;
    fvm_cell best_depth;
    int64_t best_nodes;
    bool has_best;
    fvm_array_size array_sizes[FVM_ARRAY_SIZES]; /* checked mode */
    fvm_addr best_move;                          /* what a built-in search chose */
    double engine_deadline;                      /* SearchStatus@ says stop soon after it */
    int64_t engine_nodes; /* the same after this many reported nodes; 0: no limit */
    fvm_halt halt;
    uint64_t noise_state; /* of leaf noise */
    void *search_table;   /* of the original's search; snapshots do not hold it */
    size_t search_table_bytes;

    fvm_jit_state jit;

    /* tracing, see trace/trace.h */
    fvm_status (*inner)(fvm *vm, fvm_addr cfa); /* one of the two inner loops */
    fvm_trace *trace;                           /* NULL: no tracing */

    /* Last, so that the fields above have small offsets. */
    fvm_cell return_memory[16 + FVM_RETURN_CELLS + 16];
    fvm_cell stack_memory[FVM_STACK_PAD + FVM_STACK_CELLS + FVM_STACK_GRACE + 16];
};

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
/* Decodes without superinstructions; returns the opcode, -1 if there is no word. */
int fvm_decode(fvm *vm, fvm_addr ip, fvm_slot *slot, uint32_t *length);
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
int fvm_opcode_at(const fvm *vm, fvm_addr cfa); /* -1: no word */
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
