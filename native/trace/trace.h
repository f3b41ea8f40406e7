/* trace.h: the data that the traced instance of the inner interpreter (traced_interpreter.c) shares
 * with trace.c.
 *
 * The loop counts tokens, tracks open calls, and makes a few cheap checks before each token.  If
 * one of them succeeds, trace.c checks further and may call the host. */
#ifndef FVM_TRACE_H
#define FVM_TRACE_H

#include "vm/translate.h"
#include "vm/vm.h"

#include "generated/ops.h"

/* An open call. */
typedef struct {
    int32_t at;    /* depth of the return stack, including the return address */
    fvm_addr call; /* cell of the call */
    fvm_addr word; /* CFA of the called word */
    int32_t depth; /* of the parameter stack at the call */
} fvm_frame;

enum {
    FVM_TRACE_WATCHES = 64,
    FVM_TRACE_FRAMES = FVM_RETURN_CELLS + 32,
    FVM_TRACE_DEEP = 6,      /* depth of nested runs that an entry can describe */
    FVM_TRACE_ENTRIES = 4096 /* recorded beginnings of runs */
};

/* The beginning of a run: the counters at that time, and the runs that contain it. */
typedef struct {
    uint64_t steps;
    uint64_t run;                    /* its number, from 1, including nested runs */
    uint64_t runs;                   /* number of runs started by the host */
    int32_t depth;                   /* of `inside` */
    uint64_t inside[FVM_TRACE_DEEP]; /* numbers of the runs around it, outermost first */
} fvm_entry;

typedef struct {
    fvm_addr base; /* 0, or a cell whose value is added to addr */
    fvm_addr addr;
    uint32_t length; /* 0: free */
    uint8_t *value;  /* the contents at the last check */
    uint8_t *old;    /* the contents before the last change */
} fvm_watch;

struct fvm_trace {
    /* read before each token */
    uint64_t steps;
    uint64_t stop_at; /* from this step on trace.c checks each token */
    uint8_t *marks;   /* FVM_MARK_… per cell */
    uint64_t *counts; /* tokens per cell; NULL: not counted */
    _Atomic int32_t pause;
    int32_t frame_count;
    fvm_frame frames[FVM_TRACE_FRAMES];

    /* the host's requests */
    uint64_t target;
    uint64_t quiet; /* nothing stops before this step */
    fvm_trace_until until;
    bool until_set;
    bool runs;
    bool failures;
    fvm_watch watches[FVM_TRACE_WATCHES];
    int32_t watch_count; /* one more than the last in use */
    uint64_t sample_every, next_sample;
    fvm_cell *log;
    int32_t log_room, log_used;
    uint64_t log_lost;

    /* state outside snapshots, copied when the trace was attached */
    uint64_t noise_state;
    void *table;                          /* the original search's table */
    uint64_t run;                         /* number of the newest run */
    int32_t depth;                        /* open runs */
    uint64_t open[FVM_TRACE_DEEP];        /* their numbers, outermost first */
    fvm_entry entries[FVM_TRACE_ENTRIES]; /* one for each `entry_every` runs, in order */
    int32_t entry_count;
    uint64_t entry_every;
    fvm_entry skip; /* runs that end before this entry run untraced; skip.run 0: none */

    fvm_trace_point point;
    bool in_hook;
    bool sandboxed;
    struct fvm_sandbox *saved;
};

/* The number of cells with marks and counts: those of the image and as many after its end as in
 * vm->cells. */
static inline size_t fvm_trace_cells(const fvm *vm) { return vm->limit / 4 + 64; }

/* Runs a word in the traced interpreter (traced_interpreter.c). */
fvm_status fvm_inner_traced(fvm *vm, fvm_addr word);
/* Runs a word for the host or for a primitive: traced, unless the run is to be skipped. */
fvm_status fvm_trace_run(fvm *vm, fvm_addr word);
/* Checks whether to stop before a token.  at: the address of its cell; executed: the word is
 * executed by EXECUTE, the host or text. */
fvm_status fvm_trace_before_token(fvm *vm, fvm_addr at, fvm_addr word, bool executed);
/* Reports a failure to the host, then records it. */
void fvm_trace_failed(fvm *vm, fvm_status status, fvm_addr at, fvm_addr word);
/* Computes the first step at which more than the marks must be checked. */
void fvm_trace_update_stop(fvm_trace *trace);
/* Calls the trace hook, unless it is running already. */
fvm_status fvm_trace_call_host(fvm *vm, fvm_trace *trace, int32_t reasons);
/* Appends a record to the log (trace_log.c); if the log is full, calls the host first.  kind: 1 for
 * a mark, 2 for a sample. */
fvm_status fvm_trace_write_record(fvm *vm, fvm_trace *trace, int kind);

/* A call begins; its return address is the at-th cell of the return stack. */
static inline void fvm_trace_enter(fvm_trace *trace, int32_t at, fvm_addr call, fvm_addr word,
                                   int32_t depth) {
    while (trace->frame_count > 0 && trace->frames[trace->frame_count - 1].at >= at)
        trace->frame_count--;
    trace->frames[trace->frame_count++] = (fvm_frame){at, call, word, depth};
}

/* A definition has returned, and `left` cells remain on the return stack.  Nothing else ends a
 * call: a word may remove its return address for a while. */
static inline void fvm_trace_leave(fvm_trace *trace, int32_t left) {
    while (trace->frame_count > 0 && trace->frames[trace->frame_count - 1].at > left)
        trace->frame_count--;
}

/* Before each token; after_stop_: a statement to run after the host has been called. */
#define FVM_TRACE_TOKEN(at_, word_, executed_, after_stop_)                                        \
    do {                                                                                           \
        trace->steps++;                                                                            \
        if (FVM_UNLIKELY(trace->counts != NULL))                                                   \
            trace->counts[(at_) >> 2]++;                                                           \
        if (FVM_UNLIKELY(trace->steps >= trace->stop_at || trace->pause != 0 ||                    \
                         (trace->marks[(at_) >> 2] & FVM_MARK_CELLS) != 0 ||                       \
                         (trace->marks[(word_) >> 2] & FVM_MARK_WORDS) != 0)) {                    \
            SAVE;                                                                                  \
            status = fvm_trace_before_token(vm, (at_), (word_), (executed_));                      \
            RESTORE;                                                                               \
            if (status != FVM_OK)                                                                  \
                goto failed;                                                                       \
            after_stop_;                                                                           \
        }                                                                                          \
    } while (0)

#endif
