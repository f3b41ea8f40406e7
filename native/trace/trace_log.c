/* trace_log.c: the counts and the log of a trace.
 *
 * It owns the number of executions of each cell, and the records of the log.  trace.c writes the
 * records. */
#include "trace/trace.h"

#include <stdlib.h>

enum {
    LOG_HEAD = 17,    /* cells of a record before its open calls */
    MAX_LOG = 1 << 26 /* maximum capacity of the log in cells */
};

fvm_status fvm_trace_count(fvm *vm, int on) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL)
        return FVM_OK;
    fvm_release(trace->counts, fvm_trace_cells(vm) * sizeof *trace->counts);
    trace->counts = NULL;
    if (!on)
        return FVM_OK;
    trace->counts = fvm_reserve(fvm_trace_cells(vm) * sizeof *trace->counts);
    return trace->counts != NULL ? FVM_OK : FVM_ERR_MEMORY;
}

uint32_t fvm_trace_counts(const fvm *vm, fvm_addr first, uint64_t *counts, uint32_t cells) {
    if (vm->trace == NULL || vm->trace->counts == NULL || first >= vm->limit)
        return 0;
    uint32_t available = (vm->limit - first) / 4;
    if (cells > available)
        cells = available;
    memcpy(counts, vm->trace->counts + (first >> 2), cells * sizeof *counts);
    return cells;
}

fvm_status fvm_trace_log(fvm *vm, int32_t capacity, uint64_t sample_every) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL)
        return FVM_OK;
    if (capacity < 0 || capacity > MAX_LOG)
        return FVM_ERR_LIMIT;
    free(trace->log);
    trace->log = capacity > 0 ? malloc((size_t)capacity * sizeof *trace->log) : NULL;
    trace->log_capacity = trace->log != NULL ? capacity : 0;
    trace->log_used = 0;
    trace->log_lost = 0;
    trace->sample_every = sample_every;
    trace->next_sample = trace->steps + sample_every;
    fvm_trace_update_stop(trace);
    return capacity > 0 && trace->log == NULL ? FVM_ERR_MEMORY : FVM_OK;
}

int32_t fvm_trace_take_log(fvm *vm, fvm_cell *to, int32_t capacity) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL)
        return 0;
    int32_t taken = 0;
    while (taken < trace->log_used && taken + trace->log[taken] <= capacity)
        taken += trace->log[taken];
    if (taken == 0)
        return 0;
    memcpy(to, trace->log, (size_t)taken * sizeof *to);
    trace->log_used -= taken;
    memmove(trace->log, trace->log + taken, (size_t)trace->log_used * sizeof *to);
    return taken;
}

uint64_t fvm_trace_lost(const fvm *vm) { return vm->trace != NULL ? vm->trace->log_lost : 0; }

fvm_status fvm_trace_write_record(fvm *vm, fvm_trace *trace, int kind) {
    int32_t length = LOG_HEAD + trace->frame_count;
    if (trace->log_used + length > trace->log_capacity) {
        FVM_TRY(fvm_trace_call_host(vm, trace, FVM_TRACE_FULL));
        if (trace->log_used + length > trace->log_capacity) {
            trace->log_lost++;
            return FVM_OK;
        }
    }
    const fvm_trace_point *point = &trace->point;
    const fvm_cell *sp = vm->sp;
    int32_t depth = fvm_depth_of(vm);
    const fvm_cell head[LOG_HEAD] = {
        length,
        kind,
        (fvm_cell)(uint32_t)point->steps,
        (fvm_cell)(uint32_t)(point->steps >> 32),
        (fvm_cell)point->ip,
        (fvm_cell)point->word,
        depth,
        depth > 0 ? sp[0] : 0,
        depth > 1 ? sp[-1] : 0,
        point->cells,
        fvm_get(vm, FVM_K_BUILD),
        fvm_lib_get_or(vm, vm->lib.from, -1),
        fvm_lib_get_or(vm, vm->lib.pos, -1),
        fvm_lib_get_or(vm, vm->lib.piece, -1),
        (fvm_cell)(vm->generating ? vm->scan_word : 0),
        vm->phase,
        trace->frame_count,
    };
    fvm_cell *to = trace->log + trace->log_used;
    memcpy(to, head, sizeof head);
    for (int32_t i = 0; i < trace->frame_count; i++)
        to[LOG_HEAD + i] = (fvm_cell)trace->frames[trace->frame_count - 1 - i].call;
    trace->log_used += length;
    return FVM_OK;
}
