/* sandbox.c: sandboxed evaluation: runs that the host starts while a traced run is stopped.
 *
 * It owns the copy of the state that these runs may change, and restores this state. */
#include "trace/trace.h"
#include "vm/page_restore.h"

#include <stdlib.h>

/* The state that an evaluation may change.  A snapshot cannot be used, because snapshots use and
 * clear the dirty flags of pages, which a running search also uses (script_memory.c). */
typedef struct fvm_sandbox {
    uint8_t *memory; /* copy of the bytes below `high`; zeros up to the end of the page */
    uint8_t *dirty;  /* copy of the dirty flags of all pages */
    uint32_t high, size, translated_limit;
    fvm_addr here;
    fvm_cell stack[FVM_STACK_PAD + FVM_STACK_CELLS + FVM_STACK_GRACE];
    fvm_error error;
    bool failed, located;
    int32_t phase, fuel, section_count, warning_count;
    int64_t fuel_granted, steps, steps_limit;
    double deadline;
    fvm_addr running, fault_ip, open_word, open_dp;
    fvm_cell open_depth;
    uint32_t token_pos, token_length, unmetered_work;
    int32_t depth;
} sandbox_state;

static size_t pages_of(uint32_t size) { return size / FVM_PAGE + 1; }

static void free_state(sandbox_state *saved) {
    free(saved->memory);
    free(saved->dirty);
    free(saved);
}

static void restore(fvm *vm, const sandbox_state *saved) {
    const fvm_dictionary_state before = fvm_dictionary_now(vm);
    for (fvm_addr cell = saved->here >> 2; cell < fvm_here(vm) >> 2 && cell < vm->size >> 2; cell++)
        vm->map[cell] = 0; /* source positions of definitions that are removed */
    for (fvm_addr page = 0; page << FVM_PAGE_SHIFT < vm->high; page++) {
        const size_t at = (size_t)page << FVM_PAGE_SHIFT;
        if (vm->dirty[page])
            fvm_restore_page(vm, page, at < saved->high ? saved->memory + at : fvm_zero_page);
    }
    fvm_dictionary_restored(vm, before);
    fvm_image_restored(vm, saved->high, saved->size);
    vm->translated_limit = saved->translated_limit; /* the evaluation may have changed it */
    uint32_t end = vm->translated_limit < vm->slots_ready ? vm->translated_limit : vm->slots_ready;
    vm->translated_cells = end > FVM_LOW ? (end - FVM_LOW) >> 2 : 0;
    memcpy(vm->dirty, saved->dirty, pages_of(saved->size));
}

fvm_status fvm_trace_sandbox_begin(fvm *vm) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL || !trace->in_hook || trace->sandboxed)
        return FVM_ERR_CONTEXT;
    sandbox_state *saved = malloc(sizeof *saved);
    if (saved == NULL)
        return FVM_ERR_MEMORY;
    *saved = (sandbox_state){
        .memory = calloc(pages_of(vm->high), FVM_PAGE),
        .dirty = malloc(pages_of(vm->size)),
        .high = vm->high,
        .size = vm->size,
        .translated_limit = vm->translated_limit,
        .here = fvm_here(vm),
        .error = vm->error,
        .failed = vm->failed,
        .located = vm->located,
        .phase = vm->phase,
        .fuel = vm->fuel,
        .section_count = vm->section_count,
        .warning_count = vm->warning_count,
        .fuel_granted = vm->fuel_granted,
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
    if (saved->memory == NULL || saved->dirty == NULL) {
        free_state(saved);
        return FVM_ERR_MEMORY;
    }
    memcpy(saved->memory, vm->mem, vm->high);
    memcpy(saved->dirty, vm->dirty, pages_of(vm->size));
    memset(vm->dirty, 0, pages_of(vm->size));
    fvm_forget_prepared(vm);
    memcpy(saved->stack, vm->stack - FVM_STACK_PAD, sizeof saved->stack);
    trace->saved = saved;
    trace->sandboxed = true;
    vm->inner = fvm_inner;
    vm->failed = vm->located = false;
    fvm_flush(vm); /* print the output of the traced run before that of the evaluation */
    return FVM_OK;
}

void fvm_trace_sandbox_end(fvm *vm) {
    fvm_trace *trace = vm->trace;
    if (trace == NULL || !trace->sandboxed)
        return;
    fvm_flush(vm);
    sandbox_state *saved = trace->saved;
    trace->saved = NULL;
    trace->sandboxed = false;
    vm->inner = fvm_trace_run;
    restore(vm, saved);
    memcpy(vm->stack - FVM_STACK_PAD, saved->stack, sizeof saved->stack);
    vm->sp = vm->stack + saved->depth;
    vm->error = saved->error;
    vm->failed = saved->failed;
    vm->located = saved->located;
    vm->phase = saved->phase;
    vm->fuel = saved->fuel;
    vm->section_count = saved->section_count;
    vm->warning_count = saved->warning_count;
    vm->fuel_granted = saved->fuel_granted;
    vm->steps = saved->steps;
    vm->steps_limit = saved->steps_limit;
    vm->deadline = saved->deadline;
    vm->running = saved->running;
    vm->fault_ip = saved->fault_ip;
    vm->open_word = saved->open_word;
    vm->open_dp = saved->open_dp;
    vm->open_depth = saved->open_depth;
    vm->token_pos = saved->token_pos;
    vm->token_length = saved->token_length;
    vm->unmetered_work = saved->unmetered_work;
    free_state(saved);
}
