/* trace.h: the state of a trace, shared by traced_interpreter.c, trace.c and trace_log.c.
 *
 * The traced interpreter counts tokens, tracks open calls, and makes a few cheap checks before each
 * token.  If one of them succeeds, trace.c makes further checks and may call the host. */
#ifndef FVM_TRACE_H
#define FVM_TRACE_H

#include "vm/translate.h"
#include "vm/vm.h"

#include "generated/ops.h"

/* An open call. */
typedef struct {
    int32_t return_depth; /* depth of the return stack, including the return address */
    fvm_addr call;        /* address of the calling cell */
    fvm_addr word;        /* CFA of the called word */
    int32_t depth;        /* depth of the parameter stack at the call */
} fvm_frame;

/* The kinds of log records. */
enum { FVM_LOG_MARK = 1, FVM_LOG_SAMPLE = 2 };

enum {
    FVM_TRACE_WATCHES = 64,
    FVM_TRACE_FRAMES = FVM_RETURN_CELLS + 32,
    FVM_TRACE_MAX_DEPTH = 6,    /* maximum number of outer runs of a recorded run */
    FVM_TRACE_RUN_STARTS = 4096 /* maximum number of recorded beginnings of runs */
};

/* The recorded beginning of a run, so that a repeated trace can skip earlier runs. */
typedef struct {
    uint64_t steps;                           /* number of steps before the run */
    uint64_t run;                             /* number of the run, from 1, including nested runs */
    int32_t depth;                            /* number of outer runs */
    uint64_t outer_runs[FVM_TRACE_MAX_DEPTH]; /* numbers of the outer runs, outermost first */
} fvm_run_start;

typedef struct {
    fvm_addr base; /* address of a cell whose value is added to addr; 0: none */
    fvm_addr addr;
    uint32_t length; /* length of the range; 0: this entry is unused */
    uint8_t *value;  /* contents at the last check */
    uint8_t *old;    /* contents before the last change */
} fvm_watch;

struct fvm_trace {
    /* read and written before each token */
    uint64_t steps;        /* number of tokens so far */
    uint64_t stop_at;      /* trace.c checks each token from this step on */
    uint8_t *marks;        /* per cell: FVM_MARK_… */
    uint64_t *counts;      /* per cell: number of executions; NULL: not counted */
    _Atomic int32_t pause; /* fvm_trace_pause was called */
    fvm_addr at;           /* the cell of the current token */
    fvm_addr outer_at;     /* the cell whose token began the current run; for a run of the host,
                              FVM_TRACE_RUN_CELL */
    int32_t frame_count;   /* number of open calls */
    fvm_frame frames[FVM_TRACE_FRAMES];

    /* the host's requests */
    uint64_t target;           /* step set by fvm_trace_stop_at; 0: none */
    uint64_t suppressed_until; /* there are no stops before this step */
    fvm_trace_until until;     /* condition of fvm_trace_go_until, if until_set */
    uint64_t until_runs;       /* point.runs when the condition was set */
    bool until_set;
    bool stop_at_failures; /* stop at failures */
    fvm_watch watches[FVM_TRACE_WATCHES];
    int32_t watch_count;            /* index of the last used watch, plus one */
    uint64_t sample_every;          /* steps between samples in the log; 0: no samples */
    uint64_t next_sample;           /* step of the next sample */
    fvm_cell *log;                  /* records; NULL: no log */
    int32_t log_capacity, log_used; /* numbers of cells */
    uint64_t log_lost;              /* number of lost records */

    /* copies of state that snapshots do not contain, made when the trace was attached */
    uint64_t noise_state; /* vm->noise_state */
    void *table;          /* vm->search_table */

    /* runs */
    uint64_t run;                                   /* number of the newest run */
    int32_t depth;                                  /* number of open runs */
    uint64_t open_runs[FVM_TRACE_MAX_DEPTH];        /* numbers of the open runs, outermost first */
    fvm_run_start run_starts[FVM_TRACE_RUN_STARTS]; /* in ascending order of `run` */
    int32_t run_start_count;
    /* The beginning of a run is recorded if the number of the run is a multiple of this. */
    uint64_t run_start_interval;
    fvm_run_start skip; /* runs that end before this run begins are not traced; skip.run 0: none */

    fvm_trace_point point;     /* the current stop */
    bool in_hook;              /* the trace hook is running */
    bool sandboxed;            /* a sandboxed evaluation has begun */
    struct fvm_sandbox *saved; /* state before the sandboxed evaluation */
};

/* The number of cells with marks and counts: the cells of the image and, as in vm->cells, 64 more.
 */
static inline size_t fvm_trace_cells(const fvm *vm) { return vm->limit / 4 + 64; }

/* Runs a word in the traced interpreter (traced_interpreter.c). */
fvm_status fvm_inner_traced(fvm *vm, fvm_addr word);
/* Runs a word for the host or for a primitive.  The run is traced unless it ends before
 * trace->skip begins. */
fvm_status fvm_trace_run(fvm *vm, fvm_addr word);
/* Checks whether to stop before a token.  at: the address of its cell; executed: the token is
 * executed by EXECUTE, the host or interpreted text. */
fvm_status fvm_trace_before_token(fvm *vm, fvm_addr at, fvm_addr word, bool executed);
/* Reports a failure to the host, then writes the error record. */
void fvm_trace_failed(fvm *vm, fvm_status status, fvm_addr at, fvm_addr word);
/* Computes trace->stop_at from the host's requests. */
void fvm_trace_update_stop(fvm_trace *trace);
/* Calls the trace hook, unless it is running already. */
fvm_status fvm_trace_call_host(fvm *vm, fvm_trace *trace, int32_t reasons);
/* Appends a record to the log (trace_log.c); if the log is full, calls the host first.  kind:
 * FVM_LOG_… */
fvm_status fvm_trace_write_record(fvm *vm, fvm_trace *trace, int kind);

/* Adds an open call.  return_depth: depth of the return stack, including the return address. */
static inline void fvm_trace_enter(fvm_trace *trace, int32_t return_depth, fvm_addr call,
                                   fvm_addr word, int32_t depth) {
    while (trace->frame_count > 0 &&
           trace->frames[trace->frame_count - 1].return_depth >= return_depth)
        trace->frame_count--;
    if (call == FVM_TRACE_RUN_CELL)
        call = trace->outer_at;
    trace->frames[trace->frame_count++] = (fvm_frame){return_depth, call, word, depth};
}

/* Removes the calls that a return has ended.  return_depth: depth of the return stack after the
 * return.  Only returns end calls, because a word may pop its return address and push it later. */
static inline void fvm_trace_leave(fvm_trace *trace, int32_t return_depth) {
    while (trace->frame_count > 0 &&
           trace->frames[trace->frame_count - 1].return_depth > return_depth)
        trace->frame_count--;
}

/* Counts a token and checks whether to stop.  A token that EXECUTE runs is a step, but no execution
 * of a cell: the cell is that of EXECUTE, which has been counted.  after_stop_: statement to
 * execute after a stop. */
#define FVM_TRACE_TOKEN(at_, word_, executed_, after_stop_)                                        \
    do {                                                                                           \
        trace->steps++;                                                                            \
        trace->at = (at_);                                                                         \
        if (FVM_UNLIKELY(trace->counts != NULL && !(executed_)))                                   \
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
