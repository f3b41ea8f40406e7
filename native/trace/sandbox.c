/* sandbox.c: what a host runs to find something out where a traced run has stopped.
 *
 * It owns the state that such a run must not change, and puts it back.  It must not know what
 * is found out. */
#include "trace/trace.h"
#include "vm/page_restore.h"

#include <stdlib.h>

/* What an evaluation on the side may change.  No snapshot: a search may be using the marks of
 * dirty pages for itself (search_stack.c), so that pages without one are not what snapshots
 * share. */
typedef struct fvm_sandbox {
    uint8_t *memory; /* bytes below `high`, then zeros to the end of the page */
    uint8_t *dirty;  /* a mark per page of them, and of some behind */
    uint32_t high, size, soft_limit;
    fvm_addr here;
    fvm_cell stack[FVM_STACK_PAD + FVM_STACK_CELLS + FVM_STACK_GRACE];
    fvm_error error;
    bool failed, placed;
    int32_t phase, fuel, section_count, warning_count;
    int64_t fuel_given, steps, steps_limit;
    double deadline;
    fvm_addr running, fault_ip, open_word, open_dp;
    fvm_cell open_depth;
    uint32_t token_pos, token_length, unmetered_work;
    int32_t depth;
} aside;

static size_t pages_of(uint32_t size) { return size / FVM_PAGE + 1; }

static void free_aside(aside *kept) {
    free(kept->memory);
    free(kept->dirty);
    free(kept);
}

static void restore(fvm *vm, const aside *kept) {
    const fvm_dictionary_state before = fvm_dictionary_now(vm);
    for (fvm_addr cell = kept->here >> 2; cell < fvm_here(vm) >> 2 && cell < vm->size >> 2; cell++)
        vm->map[cell] = 0; /* what was defined there is gone */
    for (fvm_addr page = 0; page << FVM_PAGE_SHIFT < vm->high; page++) {
        const size_t at = (size_t)page << FVM_PAGE_SHIFT;
        if (vm->dirty[page])
            fvm_restore_page(vm, page, at < kept->high ? kept->memory + at : fvm_zero_page);
    }
    fvm_dictionary_restored(vm, before);
    fvm_set_high(vm, kept->high);
    vm->size = kept->size;
    vm->span4 = vm->size - FVM_LOW - 4;
    vm->jit.hooks->image_shrunk(vm);
    vm->soft_limit = kept->soft_limit; /* memory may have said something else for a while */
    uint32_t end = vm->soft_limit < vm->slots_ready ? vm->soft_limit : vm->slots_ready;
    vm->translated_cells = end > FVM_LOW ? (end - FVM_LOW) >> 2 : 0;
    memcpy(vm->dirty, kept->dirty, pages_of(kept->size));
}

fvm_status fvm_trace_sandbox_begin(fvm *vm) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL || !trace->in_hook || trace->aside)
        return FVM_ERR_CONTEXT;
    aside *kept = malloc(sizeof *kept);
    if (kept == NULL)
        return FVM_ERR_MEMORY;
    *kept = (aside){
        .memory = calloc(pages_of(vm->high), FVM_PAGE),
        .dirty = malloc(pages_of(vm->size)),
        .high = vm->high,
        .size = vm->size,
        .soft_limit = vm->soft_limit,
        .here = fvm_here(vm),
        .error = vm->error,
        .failed = vm->failed,
        .placed = vm->placed,
        .phase = vm->phase,
        .fuel = vm->fuel,
        .section_count = vm->section_count,
        .warning_count = vm->warning_count,
        .fuel_given = vm->fuel_given,
        .steps = vm->steps,
        .steps_limit = vm->steps_limit,
        .deadline = vm->deadline,
        .running = vm->running,
        .fault_ip = vm->fault_ip,
        .open_word = vm->open_word,
        .open_dp = vm->open_dp,
        .open_depth = vm->open_depth,
        .token_pos = vm->token_pos,
        .token_length = vm->token_length,
        .unmetered_work = vm->unmetered_work,
        .depth = fvm_depth_of(vm),
    };
    if (kept->memory == NULL || kept->dirty == NULL) {
        free_aside(kept);
        return FVM_ERR_MEMORY;
    }
    memcpy(kept->memory, vm->mem, vm->high);
    memcpy(kept->dirty, vm->dirty, pages_of(vm->size));
    memset(vm->dirty, 0, pages_of(vm->size));
    memcpy(kept->stack, vm->stack_memory, sizeof kept->stack);
    trace->kept = kept;
    trace->aside = true;
    vm->inner = fvm_inner;
    vm->failed = vm->placed = false;
    fvm_flush(vm); /* what the run has printed comes first, as what the side prints comes at once */
    return FVM_OK;
}

void fvm_trace_sandbox_end(fvm *vm) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL || !trace->aside)
        return;
    fvm_flush(vm);
    aside *kept = trace->kept;
    trace->kept = NULL;
    trace->aside = false;
    vm->inner = fvm_trace_run;
    restore(vm, kept);
    memcpy(vm->stack_memory, kept->stack, sizeof kept->stack);
    vm->sp = vm->stack + kept->depth;
    vm->error = kept->error;
    vm->failed = kept->failed;
    vm->placed = kept->placed;
    vm->phase = kept->phase;
    vm->fuel = kept->fuel;
    vm->section_count = kept->section_count;
    vm->warning_count = kept->warning_count;
    vm->fuel_given = kept->fuel_given;
    vm->steps = kept->steps;
    vm->steps_limit = kept->steps_limit;
    vm->deadline = kept->deadline;
    vm->running = kept->running;
    vm->fault_ip = kept->fault_ip;
    vm->open_word = kept->open_word;
    vm->open_dp = kept->open_dp;
    vm->open_depth = kept->open_depth;
    vm->token_pos = kept->token_pos;
    vm->token_length = kept->token_length;
    vm->unmetered_work = kept->unmetered_work;
    free_aside(kept);
}
