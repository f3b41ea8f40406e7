/* units.h: the private state of the JIT, for units.c and jit.c only.
 *
 * A unit is machine code that begins at one address of compiled Forth code: at a body that is
 * called, or at the target of a backward jump. */
#ifndef FVM_UNITS_H
#define FVM_UNITS_H

#include "jit/compile.h"

enum {
    FVM_MAX_UNITS = 1024,
    FVM_SPARE_UNITS = 64,               /* units that one compilation may add */
    FVM_UNIT_TABLE = 2 * FVM_MAX_UNITS, /* entries of the hash table of units */
    FVM_SAMPLE_TABLE = 512,             /* entries of the hash table of profile samples */
    FVM_ARENA_BYTES = 1 << 22,
    FVM_CALL_STUB_BYTES = 24,
    FVM_MAX_QUEUED_UNITS = 24
};

typedef struct {
    fvm_addr at; /* address at which the unit begins; 0: unused entry */
    bool failed; /* it cannot be compiled */
    bool queued;
    bool in_progress; /* its callees are being compiled */
    fvm_callee_info info;
    const uint8_t *does_entry; /* if the unit is code after DOES>: the code that token calls enter
                                  (fvm_emit_does_entry); NULL: none */
    uint8_t *call_stub;        /* target of calls until the unit is compiled; NULL: no calls yet */
} fvm_unit;

struct fvm_jit {
    /* The memory of machine code, writable or executable, never both.  It contains the runtime
     * code, the call stubs and the code of units, in this order. */
    uint8_t *arena;
    uint8_t *call_stubs;
    uint8_t *next_call_stub;
    uint8_t *code;
    uint8_t *next_code;
    fvm_runtime runtime;
    const uint8_t *variable_entry; /* fvm_emit_variable_entry */
    fvm_unit units[FVM_UNIT_TABLE];
    int unit_count;
    struct {
        fvm_addr at;
        int32_t count;
    } samples[FVM_SAMPLE_TABLE];
    fvm_addr *slots; /* addresses whose slots enter machine code */
    int slot_count;
    int slot_capacity;
    int discards;                /* how often all code was discarded */
    int64_t compiled;            /* vm->jit.compiled when the last slice ended */
    int quiet_slices;            /* slices since something was compiled, or slices grew */
    double slice_start;          /* when the last of QUIET_SLICES began, by fvm_now */
    uint32_t constant_store_end; /* stores to constant addresses are below this one */
    uint32_t assumed_size;       /* minimal size of the image that code assumes */
    fvm_compiler compiler;
    fvm_graph graph;
    fvm_unit *queue[FVM_MAX_QUEUED_UNITS];
    int queue_count;
};

/* --- units.c ---------------------------------------------------------------------- */

/* Returns the unit of an address and creates it if needed; NULL: there are too many units. */
fvm_unit *fvm_unit_at(struct fvm_jit *jit, fvm_addr at);
/* Returns the unit of an address; NULL: it has none. */
const fvm_unit *fvm_find_unit(const struct fvm_jit *jit, fvm_addr at);
void fvm_queue_unit(struct fvm_jit *jit, fvm_unit *unit);
/* Compiles the queued units and the units that they call. */
void fvm_compile_queue(struct fvm_jit *jit, fvm *vm);
/* Marks a cell from which machine code was made as a watched cell: a store to it discards all
 * machine code. */
void fvm_mark_watched_cell(fvm *vm, fvm_addr addr);
/* Makes the arena writable or executable; false: the system refused. */
bool fvm_protect_arena(struct fvm_jit *jit, fvm_code_access access);

/* --- word_loop.c ------------------------------------------------------------------ */

const uint8_t *fvm_make_word_loop(fvm *vm, int32_t record_bytes); /* see fvm_jit_hooks */

/* --- jit.c ------------------------------------------------------------------------ */

/* Discards all units, because their code is out of date. */
void fvm_discard_code(fvm *vm);

#endif
