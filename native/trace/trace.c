/* trace.c: where traced runs stop, and what they count and log.
 *
 * It owns the trace attached to a VM and decides when to call the host.  The loop is in
 * traced_interpreter.c. */
#include "trace/trace.h"

#include <stdlib.h>

enum {
    MAX_WATCH = 1 << 20 /* maximum length of a watched range in bytes */
};

_Static_assert(FVM_TRACE_RUN_CELL == FVM_K_STOP - 4, "the cell before the end of a run");

/* Saves state that snapshots do not contain but on which runs depend, so that the same runs can be
 * repeated. */
static void save_search_state(const fvm *vm, fvm_trace *trace) {
    size_t bytes = vm->search_table_bytes;
    trace->noise_state = vm->noise_state;
    trace->table = bytes > 0 ? malloc(bytes) : NULL;
    if (trace->table != NULL)
        memcpy(trace->table, vm->search_table, bytes);
}

static void restore_search_state(fvm *vm, const fvm_trace *trace) {
    size_t bytes = vm->search_table_bytes;
    vm->noise_state = trace->noise_state;
    if (trace->table != NULL && bytes > 0)
        memcpy(vm->search_table, trace->table, bytes);
    else
        fvm_search_reset(vm);
}

static void text_failed(fvm *vm, fvm_status status);

fvm_status fvm_trace_attach(fvm *vm) {
    if (vm->nesting > 0)
        return FVM_ERR_CONTEXT;
    if (vm->trace != NULL)
        return FVM_OK;
    fvm_trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL)
        return FVM_ERR_MEMORY;
    trace->marks = fvm_reserve(fvm_trace_cells(vm));
    if (trace->marks == NULL) {
        free(trace);
        return FVM_ERR_MEMORY;
    }
    trace->stop_at = UINT64_MAX;
    trace->run_start_interval = 1;
    save_search_state(vm, trace);
    vm->trace = trace;
    vm->inner = fvm_trace_run;
    vm->text_failed = text_failed;
    return FVM_OK;
}

static void free_watch(fvm_watch *watch) {
    free(watch->value);
    free(watch->old);
    *watch = (fvm_watch){0, 0, 0, NULL, NULL};
}

void fvm_trace_detach(fvm *vm) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL || vm->nesting > 0)
        return;
    for (int i = 0; i < FVM_TRACE_WATCHES; i++)
        free_watch(&trace->watches[i]);
    fvm_release(trace->marks, fvm_trace_cells(vm));
    fvm_release(trace->counts, fvm_trace_cells(vm) * sizeof *trace->counts);
    free(trace->log);
    free(trace->table);
    free(trace);
    vm->trace = NULL;
    vm->inner = fvm_inner;
    vm->text_failed = NULL;
}

/* --- requests of the host --------------------------------------------------------- */

void fvm_trace_update_stop(fvm_trace *trace) {
    uint64_t at = trace->target != 0 ? trace->target : UINT64_MAX;
    if (trace->sample_every != 0 && trace->next_sample < at)
        at = trace->next_sample;
    if (trace->until_set || trace->watch_count > 0)
        at = 0;
    if (trace->suppressed_until > at)
        at = trace->suppressed_until;
    trace->stop_at = at;
}

static fvm_addr watch_at(const fvm *vm, const fvm_watch *watch) {
    return watch->addr + (watch->base != 0 ? (fvm_addr)fvm_get(vm, watch->base) : 0);
}

/* Returns whether a watched range has changed since the last check; false for a range outside the
 * image. */
static bool check_watch(const fvm *vm, fvm_watch *watch) {
    fvm_addr at = watch_at(vm, watch);
    if (watch->length == 0 || !fvm_in(vm, at, watch->length) ||
        memcmp(vm->mem + at, watch->value, watch->length) == 0)
        return false;
    memcpy(watch->old, watch->value, watch->length);
    memcpy(watch->value, vm->mem + at, watch->length);
    return true;
}

/* Returns the watched ranges that have changed since the last check, one bit per index. */
static uint64_t check_watches(fvm *vm, fvm_trace *trace) {
    uint64_t changed = 0;
    for (int i = 0; i < trace->watch_count; i++)
        if (check_watch(vm, &trace->watches[i]))
            changed |= (uint64_t)1 << i;
    return changed;
}

void fvm_trace_restart(fvm *vm, int same_runs) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL)
        return;
    trace->steps = 0;
    trace->next_sample = trace->sample_every;
    trace->frame_count = 0;
    trace->run = 0;
    trace->depth = 0;
    trace->skip.run = 0;
    trace->suppressed_until = 0;
    if (!same_runs) {
        trace->run_start_count = 0;
        trace->run_start_interval = 1;
    }
    trace->point = (fvm_trace_point){0};
    restore_search_state(vm, trace);
    check_watches(vm, trace);
    fvm_trace_update_stop(trace);
}

void fvm_trace_stop_at(fvm *vm, uint64_t step) {
    if (vm->trace == NULL)
        return;
    vm->trace->target = step;
    fvm_trace_update_stop(vm->trace);
}

void fvm_trace_skip_to(fvm *vm, uint64_t step) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL || vm->nesting > 0)
        return;
    trace->skip.run = 0;
    for (int32_t i = trace->run_start_count - 1; i >= 0; i--)
        if (trace->run_starts[i].steps < step) {
            trace->skip = trace->run_starts[i];
            break;
        }
    trace->suppressed_until = step;
    fvm_trace_update_stop(trace);
}

void fvm_trace_go_until(fvm *vm, const fvm_trace_until *until) {
    if (vm->trace == NULL)
        return;
    vm->trace->until_set = until != NULL;
    if (until != NULL)
        vm->trace->until = *until;
    vm->trace->until_runs = vm->trace->point.runs;
    vm->trace->suppressed_until = 0;
    fvm_trace_update_stop(vm->trace);
}

void fvm_trace_pause(fvm *vm) {
    if (vm->trace != NULL)
        vm->trace->pause = 1;
}

void fvm_trace_stop_failures(fvm *vm, int on) {
    if (vm->trace != NULL)
        vm->trace->stop_at_failures = on != 0;
}

void fvm_trace_mark(fvm *vm, fvm_addr addr, int32_t set, int32_t clear) {
    if (vm->trace == NULL || addr >= vm->limit)
        return;
    uint8_t *mark = &vm->trace->marks[addr >> 2];
    *mark = (uint8_t)((*mark & ~clear) | (set & (FVM_MARK_CELLS | FVM_MARK_WORDS)));
}

fvm_status fvm_trace_watch(fvm *vm, int32_t index, fvm_addr base, fvm_addr addr, uint32_t length) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL)
        return FVM_OK;
    if (index < 0 || index >= FVM_TRACE_WATCHES || length > MAX_WATCH)
        return FVM_ERR_LIMIT;
    if (base != 0 && !fvm_in(vm, base, 4))
        return FVM_ERR_ADDRESS;
    fvm_watch *watch = &trace->watches[index];
    free_watch(watch);
    if (length > 0) {
        fvm_watch made = {base, addr, length, calloc(1, length), calloc(1, length)};
        if (made.value == NULL || made.old == NULL) {
            free_watch(&made);
            return FVM_ERR_MEMORY;
        }
        *watch = made;
        check_watch(vm, watch);
        memcpy(watch->old, watch->value, length);
    }
    trace->watch_count = 0;
    for (int i = 0; i < FVM_TRACE_WATCHES; i++)
        if (trace->watches[i].length > 0)
            trace->watch_count = i + 1;
    fvm_trace_update_stop(trace);
    return FVM_OK;
}

fvm_status fvm_trace_watched(const fvm *vm, int32_t index, void *old, void *now) {
    if (vm->trace == NULL || index < 0 || index >= FVM_TRACE_WATCHES)
        return FVM_ERR_LIMIT;
    const fvm_watch *watch = &vm->trace->watches[index];
    if (watch->length > 0) {
        memcpy(old, watch->old, watch->length);
        memcpy(now, watch->value, watch->length);
    }
    return FVM_OK;
}

/* --- before each token ------------------------------------------------------------ */

fvm_status fvm_trace_call_host(fvm *vm, fvm_trace *trace, int32_t reasons) {
    if (vm->hooks.trace == NULL || trace->in_hook)
        return FVM_OK;
    trace->point.reasons = reasons;
    trace->in_hook = true;
    const bool timed = vm->request_seconds > 0 && vm->timed_request == vm->request;
    const double remaining = timed ? vm->request_end - fvm_now() : 0;
    fvm_begin_request(vm); /* runs made by the hook have their own time limit */
    int result = vm->hooks.trace(vm->host, reasons);
    trace->in_hook = false;
    if (trace->sandboxed)
        fvm_trace_sandbox_end(vm);
    fvm_begin_request(vm);
    if (timed) { /* the time used by the hook does not count */
        vm->timed_request = vm->request;
        vm->request_end = fvm_now() + remaining;
    }
    (void)check_watches(vm, trace); /* changes made by the host are not reported */
    fvm_trace_update_stop(trace);
    return result == 0 ? FVM_OK : result == 1 ? FVM_ERR_INTERRUPT : FVM_ERR_HOST;
}

/* Returns the number of cells on the return stack: 0 also at a stop at its underflow, where rp is
 * below the stack. */
static int32_t return_depth(const fvm *vm) {
    return vm->rp > vm->rstack ? (int32_t)(vm->rp - vm->rstack) : 0;
}

static void set_point(fvm *vm, fvm_trace *trace, fvm_addr at, fvm_addr word, bool executed) {
    fvm_trace_point *point = &trace->point;
    point->steps = trace->steps;
    point->ip = at == FVM_TRACE_RUN_CELL || at == FVM_K_STOP ? 0 : at;
    point->word = word;
    point->executed = executed;
    point->status = FVM_OK;
    point->nesting = vm->nesting;
    point->calls = trace->frame_count;
    point->cells = return_depth(vm);
    point->phase = vm->phase;
    point->generator = vm->generating ? vm->scan_word : 0;
    point->changed = 0;
    point->text = vm->source != NULL ? vm->token_pos : 0;
    point->source = point->ip != 0 ? fvm_source_at(vm, point->ip) : point->text;
}

/* Whether the condition of fvm_trace_go_until is true. */
static bool reached_until(const fvm_trace *trace) {
    const fvm_trace_point *point = &trace->point;
    const fvm_trace_until *until = &trace->until;
    if (!trace->until_set || point->calls > until->most_calls ||
        point->nesting > until->most_runs ||
        (point->executed && point->ip != 0) || /* run by EXECUTE, a token that was checked before */
        (!point->executed && point->ip == 0))  /* the token that ends the run */
        return false;
    if (point->source < until->source)
        return false;
    if (point->ip != 0 && point->runs != trace->until_runs) /* the host runs the line again */
        return true;
    return point->calls != until->calls || point->source < until->from ||
           point->source >= until->to;
}

fvm_status fvm_trace_before_token(fvm *vm, fvm_addr at, fvm_addr word, bool executed) {
    fvm_trace *trace = vm->trace;
    fvm_addr previous_ip = trace->point.ip;
    fvm_status status = FVM_OK;
    if (trace->steps < trace->suppressed_until) { /* marks are suppressed as well */
        if (trace->pause == 0)
            return FVM_OK;
        trace->pause = 0;
        set_point(vm, trace, at, word, executed);
        trace->point.before = 0;
        return fvm_trace_call_host(vm, trace, FVM_TRACE_PAUSE);
    }
    if (trace->suppressed_until != 0) {
        trace->suppressed_until = 0;
        (void)check_watches(vm, trace); /* changes before this step are not reported */
        fvm_trace_update_stop(trace);
    }
    set_point(vm, trace, at, word, executed);
    trace->point.before = trace->watch_count > 0 ? previous_ip : 0;
    int marks =
        (trace->marks[at >> 2] & FVM_MARK_CELLS) | (trace->marks[word >> 2] & FVM_MARK_WORDS);
    if (executed && trace->point.ip != 0)
        marks &= ~FVM_MARK_CELLS; /* already checked for the token EXECUTE in the cell */
    if (trace->sample_every != 0 && trace->steps >= trace->next_sample) {
        trace->next_sample = trace->steps + trace->sample_every;
        fvm_trace_update_stop(trace);
        status = fvm_trace_write_record(vm, trace, FVM_LOG_SAMPLE);
    }
    if (status == FVM_OK && (marks & (FVM_MARK_CELL_LOG | FVM_MARK_WORD_LOG)) != 0)
        status = fvm_trace_write_record(vm, trace, FVM_LOG_MARK);
    if (status != FVM_OK)
        return status;
    trace->point.changed = check_watches(vm, trace);
    int32_t reasons = 0;
    if (trace->target != 0 && trace->steps >= trace->target) {
        trace->target = 0;
        reasons |= FVM_TRACE_TARGET;
    }
    if ((marks & (FVM_MARK_CELL | FVM_MARK_WORD)) != 0)
        reasons |= FVM_TRACE_BREAK;
    if (reached_until(trace))
        reasons |= FVM_TRACE_UNTIL;
    if (trace->point.changed != 0)
        reasons |= FVM_TRACE_WATCH;
    if (trace->pause != 0) {
        trace->pause = 0;
        reasons |= FVM_TRACE_PAUSE;
    }
    return reasons != 0 ? fvm_trace_call_host(vm, trace, reasons) : FVM_OK;
}

/* Records the beginning of a run.  If the table is full, first doubles run_start_interval and
 * removes the entries that are no multiples of it. */
static void record_run_start(fvm_trace *trace) {
    if (trace->run % trace->run_start_interval != 0 || trace->depth > FVM_TRACE_MAX_DEPTH ||
        (trace->run_start_count > 0 &&
         trace->run_starts[trace->run_start_count - 1].run >= trace->run))
        return;
    if (trace->run_start_count == FVM_TRACE_RUN_STARTS) {
        trace->run_start_interval *= 2;
        int32_t count = 0;
        for (int32_t i = 0; i < trace->run_start_count; i++)
            if (trace->run_starts[i].run % trace->run_start_interval == 0)
                trace->run_starts[count++] = trace->run_starts[i];
        trace->run_start_count = count;
        if (trace->run % trace->run_start_interval != 0)
            return;
    }
    fvm_run_start *entry = &trace->run_starts[trace->run_start_count++];
    *entry = (fvm_run_start){trace->steps, trace->run, trace->depth, {0}};
    memcpy(entry->outer_runs, trace->open_runs, (size_t)trace->depth * sizeof *entry->outer_runs);
}

/* Whether the newest run ends before the run trace->skip begins. */
static bool is_skipped(const fvm_trace *trace) {
    if (trace->run >= trace->skip.run)
        return false;
    for (int32_t i = 0; i < trace->skip.depth; i++)
        if (trace->skip.outer_runs[i] == trace->run)
            return false;
    return true;
}

static fvm_status run_traced(fvm *vm, fvm_addr word) {
    fvm_trace *trace = vm->trace;
    int32_t outer_frames = vm->nesting > 1 ? trace->frame_count : 0;
    fvm_addr outer_ip = trace->point.ip, at = trace->at, outer_at = trace->outer_at;
    trace->frame_count = outer_frames;
    trace->point.ip = 0;
    trace->outer_at = vm->nesting > 1 ? at : FVM_TRACE_RUN_CELL;
    fvm_status status = fvm_inner_traced(vm, word);
    trace->frame_count = outer_frames;
    trace->point.ip = outer_ip;
    trace->at = at;
    trace->outer_at = outer_at;
    return status;
}

fvm_status fvm_trace_run(fvm *vm, fvm_addr word) {
    fvm_trace *trace = vm->trace;
    int32_t depth = vm->nesting - 1;
    trace->run++;
    trace->depth = depth;
    if (vm->nesting == 1)
        trace->point.runs++;
    if (is_skipped(trace))
        return fvm_inner(vm, word);
    if (trace->skip.run == trace->run && trace->skip.run != 0) {
        trace->steps = trace->skip.steps;
        trace->skip.run = 0;
    }
    record_run_start(trace);
    if (depth < FVM_TRACE_MAX_DEPTH)
        trace->open_runs[depth] = trace->run;
    return run_traced(vm, word);
}

static bool stops_at_failure(const fvm *vm, fvm_status status) {
    return vm->trace->stop_at_failures && !vm->located && status != FVM_EXIT_VERIFY &&
           status != FVM_ERR_INTERRUPT && !(status == FVM_ERR_HOST && !vm->failed);
}

/* at: the address of the cell of the failed token, as in the untraced interpreter. */
void fvm_trace_failed(fvm *vm, fvm_status status, fvm_addr at, fvm_addr word) {
    fvm_trace *trace = vm->trace;
    if (stops_at_failure(vm, status)) {
        set_point(vm, trace, at, word, false);
        trace->point.status = (int32_t)status;
        (void)fvm_trace_call_host(vm, trace, FVM_TRACE_FAILURE);
    }
    fvm_record(vm, status, at);
}

/* A token of a text failed that no word has run, such as an unknown word. */
static void text_failed(fvm *vm, fvm_status status) {
    const bool stops = stops_at_failure(vm, status);
    fvm_record(vm, status, 0);
    if (stops) {
        set_point(vm, vm->trace, FVM_TRACE_RUN_CELL, 0, false);
        vm->trace->point.nesting++; /* as for the words that the text runs */
        vm->trace->point.status = (int32_t)status;
        (void)fvm_trace_call_host(vm, vm->trace, FVM_TRACE_FAILURE);
    }
}

void fvm_trace_get_point(const fvm *vm, fvm_trace_point *point) {
    *point = vm->trace != NULL ? vm->trace->point : (fvm_trace_point){0};
    if (vm->trace != NULL)
        point->steps = vm->trace->steps;
}

int32_t fvm_trace_calls(const fvm *vm, fvm_addr *cells, fvm_addr *words, int32_t *depths,
                        int32_t capacity) {
    if (vm->trace == NULL)
        return 0;
    int32_t count = vm->trace->frame_count;
    for (int32_t i = 0; i < count && i < capacity; i++) {
        const fvm_frame *frame = &vm->trace->frames[count - 1 - i];
        cells[i] = frame->call == FVM_TRACE_RUN_CELL ? 0 : frame->call;
        words[i] = frame->word;
        depths[i] = frame->depth;
    }
    return count;
}

int32_t fvm_trace_return_stack(const fvm *vm, fvm_cell *cells, int32_t capacity) {
    int32_t count = return_depth(vm);
    for (int32_t i = 0; i < count && i < capacity; i++)
        cells[i] = vm->rp[-i];
    return count;
}
