/* state.h: the state of a VM, and the constants and records that it consists of.
 *
 * It owns struct fvm: everything outside the image (layout.h defines the layout of the image).
 * Everything that can influence a script lives in the image (random streams, ring buffers,
 * repetition), so that a snapshot of its pages and of the parameter stack is the whole state
 * between runs.  It must not know functions: include vm.h, which declares them. */
#ifndef FVM_STATE_H
#define FVM_STATE_H

#include "forthvm.h"
#include "vm/jit_hooks.h"
#include "vm/layout.h"

#include <stdbool.h>
#include <string.h>

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

#endif
