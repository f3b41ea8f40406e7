/* state.h: the state of a VM outside the image, and its constants.
 *
 * It owns struct fvm; layout.h defines the layout of the image.  Everything that can influence a
 * script between runs is in the image (random streams, ring buffers, repetition) or on the
 * parameter stack, so these two make a complete snapshot.  It must not declare functions: vm.h
 * does. */
#ifndef FVM_STATE_H
#define FVM_STATE_H

#include "forthvm.h"
#include "vm/jit_hooks.h"
#include "vm/layout.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define FVM_LIKELY(x) __builtin_expect(!!(x), 1)
#define FVM_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FVM_PREFETCH(address) __builtin_prefetch(address)
#define FVM_NOINLINE __attribute__((noinline)) /* saves registers in the caller's common case */
#define FVM_COLD __attribute__((noinline, cold))

/* Calls a function that may fail; after a failure, returns its status from the calling function. */
#define FVM_TRY(call_)                                                                             \
    do {                                                                                           \
        const fvm_status status_ = (call_);                                                        \
        if (status_ != FVM_OK)                                                                     \
            return status_;                                                                        \
    } while (0)

/* States an invariant.  CI checks invariants in the builds with sanitizers.  What scripts can
 * change, as all cells of the image, is not an invariant. */
#if defined(FVM_ASSERTIONS)
#undef NDEBUG
#include <assert.h>
#define FVM_ASSERT(condition_) assert(condition_)
#else
#define FVM_ASSERT(condition_) ((void)0)
#endif

/* --- sizes ------------------------------------------------------------------------ */

/* Sizes of parts of the image, in the order of their addresses (layout.h). */
enum {
    FVM_RANDOM_CELLS = 102,
    FVM_RANDOM_STREAMS = 3,
    FVM_RING_ITEMS = 4096,
    FVM_RING_BYTES = 8 + 4 * FVM_RING_ITEMS,
    FVM_REPETITION_ITEMS = 16384,
    FVM_PAD_BYTES = 0x10000,
    FVM_TEXT_BYTES = 0x1000, /* size of the buffer at FVM_TEXT */
    FVM_TEXT_MAX = 1023      /* longest move text of version 140 */
};

enum {
    FVM_PAGE_SHIFT = 9,
    FVM_PAGE = 1 << FVM_PAGE_SHIFT,
    FVM_STACK_CELLS = 6144, /* the original worked with 5000 items and crashed at 6300 */
    FVM_RETURN_CELLS = 4096,
    FVM_STACK_GRACE = 64,     /* cells below the base that a word may pop, except in checked mode */
    FVM_STACK_LIMITS = 6,     /* number of entries of stack_least, stack_most and stack_floor */
    FVM_STACK_PAD = 128,      /* cells allocated below the base */
    FVM_MAX_NESTING = 48,     /* nested runs, each of which uses C stack */
    FVM_MAX_CATCHES = 400,    /* nested runs of CATCH, which use less */
    FVM_FUEL_SLICE = 4096,    /* default for the steps between profile samples */
    FVM_LONG_SLICE = 1 << 16, /* the same when nothing has been compiled for long */
    FVM_EAGER_SLICE = 3,      /* for tests: nearly everything is compiled to machine code */
    FVM_WORK_BETWEEN_CHECKS = 1 << 18, /* about a millisecond of unmetered work */
    FVM_OVERRUN = 64,     /* maximum number of steps by which machine code defers fuel accounting */
    FVM_SUPER_CELLS = 8,  /* largest number of cells of a superinstruction */
    FVM_OUT_BYTES = 8192, /* size of the output buffer */
    FVM_MAX_WARNINGS = 32 /* further warnings are dropped */
};

/* Addresses of the stacks, for SP@ and RP@; loads and stores at these addresses access the stacks.
 * The return stack is directly below the parameter stack, as in the original. */
#define FVM_RSTACK_ADDR 0x70000000u
#define FVM_STACK_ADDR (FVM_RSTACK_ADDR + 4u * FVM_RETURN_CELLS)

/* Marks of a watched cell: the translated code or index entry that must be discarded when the cell
 * changes. */
enum {
    FVM_CELL_CODE = 1,        /* the slot translated from the cell */
    FVM_CELL_DEEP = 2,        /* slots anywhere: the cell is a code field or in an inlined body */
    FVM_CELL_NAME = 4,        /* the name index: the cell belongs to an indexed header */
    FVM_CELL_NATIVE = 8,      /* machine code compiled from the cell */
    FVM_CELL_MOVE_WORDS = 16, /* the table of move words (game/move_words.c) */
    FVM_CELL_FORBIDDEN = 32   /* the cell is below FVM_LOW and must not be written */
};

/* Mark of a page in vm->dirty: written since the last snapshot.  script_memory.c defines another
 * mark. */
enum { FVM_WRITTEN = 1 };

/* A slot: the translated form of one cell.  `go` is the address of the handler's label, or without
 * computed goto its case number; `a` is an operand, `b` the address of the next cell or a second
 * operand.  An untranslated slot has the handler that translates it. */
typedef struct {
    intptr_t go;
    fvm_cell a;
    fvm_cell b;
} fvm_slot;

/* Operations of slots, besides the primitives (ops.h) and the code fields (layout.h). */
enum {
    FVM_OP_CONSTANT = FVM_OP_WORD_LIST + 1, /* a DOES> word that fetches its body */
    FVM_OP_ARRAY,                           /* a DOES> word that may be an array, in checked mode */
    FVM_OP_CHECKED_BOARD,                   /* board[] in checked mode */
    FVM_OP_NATIVE,                          /* machine code at jit.code + a, see jit_hooks.h */
    /* calls and jumps to a target that has a slot */
    FVM_OP_CALL,
    FVM_OP_JUMP,
    FVM_OP_JUMP_ZERO,
    FVM_OP_LOOP_BACK,
    FVM_OP_LOOP_BACK_BY,
    FVM_OP_READ,  /* a definition that consists of a variable and @ */
    FVM_OP_WRITE, /* a definition that consists of a variable and ! */
    FVM_OP_SCALE, /* a definition that consists of a constant and *, for example CELLS */
    FVM_OP_INDEX, /* a definition of the form `CELLS variable +`, or a word defined by [] */
    FVM_OP_SUPER  /* the first superinstruction; the others follow */
};

/* Flags of a primitive; primitives.def explains them. */
enum {
    FVM_PRIM_IMMEDIATE = 1,
    FVM_PRIM_HIDDEN = 2,
    FVM_PRIM_INLINE = 4,
    FVM_PRIM_PURE = 8,
    FVM_PRIM_READS_MOVE_LIST = 16,
    FVM_PRIM_JIT = 32,
    FVM_PRIM_ADDRESS = 64
};

/* DO pushes this value on the return stack below limit and index of a loop.  The search for callers
 * recognizes it and skips the cells of the loop. */
#define LOOP_MARK ((fvm_cell)0x4C4F4F50)

/* A code field consists of this tag and an opcode. */
#define FVM_CODE_TAG 0x7E560000u

/* The text being interpreted. */
typedef struct fvm_source {
    const char *text;
    uint32_t length;
    uint32_t at;              /* offset of the next byte to read */
    uint32_t base;            /* source position of the first byte */
    struct fvm_source *outer; /* the text that loads this one; NULL: none */
    fvm_cell *rbase;          /* tokens may pop return stack cells above this one */
} fvm_source;

typedef struct fvm_page {
    uint32_t refs;
    uint8_t bytes[FVM_PAGE];
} fvm_page;
typedef struct fvm_page_group fvm_page_group; /* snapshot.c */

/* Addresses of library variables, and tokens of library words; 0: the library has none. */
typedef struct {
#define FVM_LIBRARY_VARIABLE(field, name) fvm_addr field;
#define FVM_LIBRARY_WORD(field, name) fvm_addr field;
#include "tables/library_names.def"
#undef FVM_LIBRARY_VARIABLE
#undef FVM_LIBRARY_WORD
} fvm_library;

/* A copy of the top items of the parameter stack, made before a move word runs.  If the move word
 * pops some of them, they are restored: the original engine resets its stack pointer after a move
 * word, so that the items reappear. */
typedef struct {
    fvm_cell *sp;
    int32_t count;
    fvm_cell items[FVM_STACK_GRACE]; /* in order, the top item last */
} fvm_saved_stack;

typedef struct fvm_names fvm_names; /* name_index.c */
typedef struct fvm_trace fvm_trace; /* trace/trace.h */

typedef struct {
    uint32_t pos; /* source position */
    char text[200];
} fvm_warning_record;

/* Cached number of items of an array word, valid while the dictionary is unchanged. */
enum { FVM_ARRAY_SIZES = 256 };
typedef struct {
    fvm_addr cfa;
    fvm_addr latest;  /* fvm_latest when `count` was determined */
    fvm_cell headers; /* FVM_K_HEADERS at that time */
    fvm_cell count;   /* -1: the word is not an array */
} fvm_array_size;

/* A halt: the forced end of the words that an engine runs. */
typedef struct {
    bool on;        /* words may be ended */
    bool requested; /* a call of fvm_engine_stop has been noticed */
    double at;      /* time of the end by fvm_now; 0: not determined yet */
    double grace;   /* seconds from the request to the end */
} fvm_halt;

/* The function of a primitive without a body; it pops and pushes through vm->sp. */
typedef fvm_status (*fvm_word_function)(fvm *vm);
/* Runs a word of the Forth 2012 library that is written in C (forth2012/services.h). */
typedef fvm_status (*fvm_service_function)(fvm *vm, uint32_t number);
/* Executes the edits with which the code of the move at `cfa` begins (game/apply_edits.c).  Returns
 * the address of the next instruction, or one of the results below. */
typedef fvm_addr (*fvm_edits_function)(fvm *vm, fvm_addr cfa);
/* The whole move has been applied; or nothing was done. */
enum { FVM_APPLIED = 0, FVM_NOT_BEGUN = 1 };

/* The owner of a VM may have a struct that begins with it, as struct fvm_game. */
struct fvm {
    /* The fields that the inner interpreter uses most come first. */
    uint32_t span4;            /* size - FVM_LOW - 4 */
    uint32_t translated_cells; /* number of cells from FVM_LOW on that may be translated */
    fvm_cell *stack_least[FVM_STACK_LIMITS]; /* [n]: lowest sp at which a word may pop n items */
    fvm_cell *stack_most[FVM_STACK_LIMITS];  /* [n]: highest sp at which a word may push n items */
    fvm_cell *stack_floor[FVM_STACK_LIMITS]; /* [n]: lowest sp at which machine code may pop n
                                                items: not those below the base */
    fvm_cell *rbase;                         /* base of the return stack for the current run */
    fvm_cell *rloop;                         /* lowest rp with the cells of a loop above rbase */
    fvm_cell *rstack_high;                   /* highest rp */
    uint8_t *cells;                          /* per cell: marks, FVM_CELL_… */
    uint32_t marked_cells;                   /* no cell from this number on has marks */
    fvm_addr prepared, prepared_end;         /* see vm/prepared_memory.c */
    uint8_t *dirty;       /* per page: whether it was written since the last snapshot */
    uint32_t high;        /* bytes of memory in use: all bytes above are zero */
    uint32_t high_cells;  /* complete cells from FVM_LOW to `high` */
    uint32_t whole_cells; /* complete cells from address 0 to `high` */
    bool checked;         /* checked mode */
    bool at_prompt;       /* FVM_OPT_PROMPT */
    fvm_addr fence;       /* lowest HERE that ALLOT may set; 0: FVM_DICTIONARY */
    bool standard;        /* Forth 2012: words cannot pop items below the base of the stack */

    /* the image */
    uint8_t *mem;
    uint32_t size;             /* number of readable bytes */
    uint32_t limit;            /* largest possible size */
    uint32_t translated_limit; /* code above, such as moves, is not translated */
    uint32_t slots_ready;      /* slots of cells below this address are initialized */
    intptr_t untranslated;     /* `go` of an untranslated slot */
    uint32_t *map;             /* per cell: source position */
    fvm_slot *code;            /* per cell: slot */

    /* stacks; item k of the parameter stack is stack[k + 1], the top is *sp */
    fvm_cell *stack; /* value of sp at depth 0 */
    fvm_cell *sp;
    fvm_cell *rstack;      /* value of rp at depth 0 */
    fvm_cell *rp;          /* top of the return stack */
    fvm_cell above_stacks; /* the cell that scripts read above the tops, see memory.c */

    /* running */
    fvm_addr *primitives;           /* per opcode: CFA */
    const fvm_word_function *words; /* per opcode: function; NULL: the handler has a body */
    fvm_service_function service;   /* runs host words with negative numbers */
    fvm_edits_function apply_edits; /* fvm_apply_edits, in a folder above vm/ */
    int32_t nesting;                /* number of nested runs */
    int32_t max_nesting;            /* FVM_MAX_NESTING, and 1 for each run of CATCH */
    int32_t fuel;                   /* steps left in the current slice */
    int32_t near_limit;             /* few steps remain: machine code could exceed steps_limit */
    int64_t fuel_granted;           /* steps granted for the current slice */
    int64_t steps;                  /* steps used in earlier slices */
    int64_t steps_limit;            /* 0: none */
    double deadline;                /* by fvm_now; 0: none */
    double next_poll;               /* time of the next call of the poll hook; 0: not scheduled */
    double request_seconds;         /* time limit of a request, 0: none; see fvm_begin_request */
    double request_end;             /* time at which `timed_request` must have ended, by fvm_now */
    uint32_t request;               /* number of the current request */
    uint32_t timed_request;         /* number of the last request whose time was checked */
    uint32_t unmetered_work;        /* since the limits were last checked; see fvm_charge_work */
    _Atomic int32_t interrupted;
    _Atomic uintptr_t only_user;   /* the thread that makes moves without a lock; 0: none */
    _Atomic uintptr_t mover;       /* the thread inside fvm_loop_make_unlocked; 0: none */
    _Atomic int32_t engine_status; /* requested by fvm_engine_stop */
    int32_t phase;                 /* fvm_phase */
    bool failed;                   /* `error` contains status, value and text of a failure */
    bool located;                  /* `error` also contains the address and the callers */
    fvm_error error;
    fvm_addr running;  /* token that the outer interpreter or the host runs */
    fvm_addr fault_ip; /* cell that failed in the inner interpreter */

    /* options and host */
    int32_t version;      /* emulated version of the original engine: 140, 150 or 151 */
    bool has_140_faults;  /* version is 140, and its faults are reproduced too */
    bool fixed_clock;     /* SYSTEM-TIME returns `clock` */
    bool keeps_all_moves; /* OnMovesGenerated does not run, see FVM_OPT_UNFILTERED */
    fvm_list_mode list_mode;
    fvm_promise promises; /* of the host */
    int64_t clock;
    fvm_hooks hooks;
    void *host;
    char out[FVM_OUT_BYTES];
    uint32_t out_length;
    uint64_t external_effects; /* number of outputs and host words: they cannot be undone */

    /* outer interpreter */
    fvm_source *source;       /* NULL: no text is being interpreted */
    uint32_t next_base;       /* source position of the next text */
    uint32_t token_pos;       /* source position of the current token */
    uint32_t token_length;    /* length of the token at PAD */
    fvm_addr open_word;       /* NFA of the unfinished definition, 0: none */
    fvm_addr open_dp;         /* HERE before the unfinished definition */
    fvm_cell open_depth;      /* depth of the parameter stack before the unfinished definition */
    int32_t sections[16];     /* open sections: indexes of their names */
    uint32_t section_pos[16]; /* source positions at which the open sections begin */
    int32_t section_count;
    fvm_warning_record warnings[FVM_MAX_WARNINGS];
    int32_t warning_count;

    /* snapshots */
    fvm_page **pages;        /* per page: its last shared copy; NULL: zeros */
    fvm_page_group **groups; /* per group of pages: its last shared copy; NULL: none */
    uint32_t pages_end;      /* pages with this number and higher ones have no copy */

    /* the library */
    fvm_library lib;
    fvm_addr library_end; /* end of the primitives and of the library's variables */
    bool bound;           /* the library's variables have been found */
    /* The library is that of version 140: a record of a move contains the address of a text, and
     * the code field at +16 instead of +12. */
    bool records_have_texts;
    fvm_addr bound_latest; /* newest word when the hooks were found */
    fvm_cell bound_headers;
    fvm_names *names;                            /* index of the basic word list (name_index.c) */
    fvm_array_size array_sizes[FVM_ARRAY_SIZES]; /* checked mode */

    /* move words, which errors, traces and machine code name; game/game_state.h has the rest */
    bool generating;         /* a move list is being generated */
    bool move_words_changed; /* the script's tables of move words have changed */
    fvm_addr scan_word;      /* move word being run */
    fvm_cell scan_type;      /* move type of scan_word */

    /* engines; tracing saves and restores all but `halt` */
    fvm_halt halt;
    uint64_t noise_state; /* random state of the noise on leaf scores */
    void *search_table;   /* transposition table of fvm_search_axiom; not part of snapshots */
    size_t search_table_bytes;

    fvm_jit_state jit;

    /* tracing, see trace/trace.h */
    fvm_status (*inner)(fvm *vm, fvm_addr cfa); /* fvm_inner or fvm_trace_run */
    fvm_trace *trace;                           /* NULL: no tracing */
    void (*text_failed)(fvm *vm,
                        fvm_status status); /* a token of a text failed; NULL: no tracing */
};

#endif
