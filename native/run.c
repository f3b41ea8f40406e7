/* run.c: the life of a VM, runs of words, and their limits.
 *
 * It owns creation and options, the nesting of runs, steps and deadlines, hooks, and the
 * parameter stack as the host sees it. */
#include "inner.h"
#include "names.h"
#include "vm.h"

#include "generated/ops.h"

#include <stdlib.h>
#include <time.h>

enum { SPARE_CELLS = 64 }; /* behind the last cell: fused slots and marks may look there */

double fvm_now(void) {
    struct timespec t;
#if defined(CLOCK_MONOTONIC)
    clock_gettime(CLOCK_MONOTONIC, &t);
#else
    timespec_get(&t, TIME_UTC);
#endif
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void set_stack_limits(fvm *vm) {
    for (int n = 0; n < 4; n++) {
        vm->stack_least[n] = vm->stack - (vm->checked ? 0 : FVM_STACK_GRACE) + n;
        vm->stack_most[n] = vm->stack + FVM_STACK_CELLS + FVM_STACK_GRACE - n;
    }
}

static void set_return_base(fvm *vm, fvm_cell *base) {
    vm->rbase = base;
    vm->rloop = base + 3;
}

fvm *fvm_new(uint32_t size, uint32_t limit) {
    const uint32_t least = FVM_DICTIONARY + 0x10000, most = 0x40000000;
    if (size < least)
        size = least;
    if (limit < size)
        limit = size;
    if (limit > most)
        limit = most;
    if (size > limit)
        size = limit;
    size = (size + FVM_PAGE - 1) & ~(uint32_t)(FVM_PAGE - 1);
    limit = (limit + FVM_PAGE - 1) & ~(uint32_t)(FVM_PAGE - 1);
    fvm *vm = calloc(1, sizeof *vm);
    if (vm == NULL)
        return NULL;
    size_t cells = limit / 4 + SPARE_CELLS, pages = limit / FVM_PAGE + 1;
    vm->limit = limit;
    vm->mem = fvm_reserve((size_t)limit + 16);
    vm->cells = fvm_reserve(cells);
    vm->dirty = fvm_reserve(pages + 8);
    vm->map = fvm_reserve(cells * sizeof *vm->map);
    vm->code = fvm_reserve(cells * sizeof *vm->code);
    vm->pages = fvm_reserve(pages * sizeof *vm->pages);
    vm->primitives = calloc(FVM_PRIMITIVES, sizeof *vm->primitives);
    if (!vm->mem || !vm->cells || !vm->dirty || !vm->map || !vm->code || !vm->pages ||
        !vm->primitives) {
        fvm_free(vm);
        return NULL;
    }
    vm->size = size;
    vm->span4 = size - FVM_LOW - 4;
    vm->high = FVM_DICTIONARY;
    vm->stack = vm->stack_memory + FVM_STACK_PAD;
    vm->sp = vm->stack;
    vm->rstack = vm->return_memory + 15;
    vm->rp = vm->rstack;
    set_return_base(vm, vm->rstack);
    vm->rstack_high = vm->rstack + FVM_STACK_CELLS;
    vm->version = 150;
    vm->next_base = 1;
    set_stack_limits(vm);
    vm->untranslated = -1;
    fvm_inner(vm, 0); /* tells what an untranslated slot goes to */
    fvm_set_hot(vm);
    fvm_heat(vm, FVM_DICTIONARY);
    fvm_put(vm, FVM_K_BASE, 10);
    fvm_put(vm, FVM_K_DP, FVM_DICTIONARY);
    fvm_put(vm, FVM_K_CONTEXT, FVM_K_FORTH);
    fvm_put(vm, FVM_K_CURRENT, FVM_K_FORTH);
    fvm_put(vm, FVM_K_LAST_POS, -1);
    for (int stream = 1; stream <= FVM_RANDOM_STREAMS; stream++)
        fvm_seed(vm, stream, 0);
    fvm_install_primitives(vm);
    fvm_put(vm, FVM_K_STOP, (fvm_cell)vm->primitives[FVM_OP_STOP]);
    fvm_budget(vm, 0, 0);
    return vm;
}

void fvm_free(fvm *vm) {
    if (vm == NULL)
        return;
    size_t cells = vm->limit / 4 + SPARE_CELLS, pages = vm->limit / FVM_PAGE + 1;
    if (vm->pages != NULL)
        for (size_t page = 0; page < pages; page++)
            if (vm->pages[page] != NULL && --vm->pages[page]->refs == 0)
                free(vm->pages[page]);
    fvm_release(vm->mem, (size_t)vm->limit + 16);
    fvm_release(vm->cells, cells);
    fvm_release(vm->dirty, pages + 8);
    fvm_release(vm->map, cells * sizeof *vm->map);
    fvm_release(vm->code, cells * sizeof *vm->code);
    fvm_release(vm->pages, pages * sizeof *vm->pages);
    free(vm->primitives);
    free(vm->table);
    fvm_names_free(vm);
    free(vm);
}

void fvm_set_hooks(fvm *vm, const fvm_hooks *hooks, void *host) {
    vm->hooks = *hooks;
    vm->host = host;
}

void fvm_set_option(fvm *vm, fvm_option option, int64_t value) {
    switch (option) {
    case FVM_OPT_VERSION:
        vm->exact_140 = value == 1140;
        vm->version = vm->exact_140 ? 140 : (int32_t)value;
        fvm_install_primitives(vm);
        break;
    case FVM_OPT_CHECKED:
        vm->checked = value != 0;
        set_stack_limits(vm);
        fvm_flush_code(vm); /* arrays are translated otherwise */
        break;
    case FVM_OPT_FIXED_CLOCK:
        vm->fixed_clock = value != 0;
        break;
    case FVM_OPT_CLOCK:
        vm->clock = value;
        break;
    case FVM_OPT_DEPTH:
        if (value < 16)
            value = 16;
        vm->rstack_high =
            vm->rstack + (value < FVM_STACK_CELLS ? (int32_t)value : FVM_STACK_CELLS);
        break;
    }
}

int64_t fvm_get_option(const fvm *vm, fvm_option option) {
    switch (option) {
    case FVM_OPT_VERSION:
        return vm->exact_140 ? 1140 : vm->version;
    case FVM_OPT_CHECKED:
        return vm->checked;
    case FVM_OPT_FIXED_CLOCK:
        return vm->fixed_clock;
    case FVM_OPT_CLOCK:
        return vm->clock;
    case FVM_OPT_DEPTH:
        return vm->rstack_high - vm->rstack;
    }
    return 0;
}

/* --- budget ------------------------------------------------------------------------------ */

static void give_fuel(fvm *vm) {
    int64_t slice = FVM_FUEL_SLICE;
    if (vm->steps_limit > 0 && vm->steps_limit - vm->steps < slice)
        slice = vm->steps_limit - vm->steps;
    vm->fuel = (int32_t)slice;
    vm->fuel_given = slice;
}

void fvm_budget(fvm *vm, int64_t steps, double seconds) {
    vm->steps = 0;
    vm->steps_limit = steps > 0 ? steps : 0;
    vm->deadline = seconds > 0 ? fvm_now() + seconds : 0;
    vm->next_poll = 0;
    give_fuel(vm);
}

/* Steps of the slice that was handed out count as used only as far as they are. */
int64_t fvm_steps(const fvm *vm) {
    int64_t left = vm->fuel > 0 ? vm->fuel : 0;
    return vm->steps + vm->fuel_given - left;
}

void fvm_interrupt(fvm *vm) { vm->interrupted = 1; }
void fvm_clear_interrupt(fvm *vm) { vm->interrupted = 0; }

fvm_status fvm_look(fvm *vm) {
    if (vm->interrupted)
        return FVM_ERR_INTERRUPT;
    if (vm->deadline > 0 || vm->hooks.poll != NULL) {
        double now = fvm_now();
        if (vm->deadline > 0 && now >= vm->deadline)
            return FVM_ERR_TIME;
        if (vm->hooks.poll != NULL && now >= vm->next_poll) {
            bool first = vm->next_poll == 0;
            vm->next_poll = now + 0.01;
            int answer = first ? 0 : vm->hooks.poll(vm->host);
            if (answer != 0)
                return answer == 1 ? FVM_ERR_INTERRUPT : FVM_ERR_HOST;
            if (vm->interrupted)
                return FVM_ERR_INTERRUPT;
        }
    }
    return FVM_OK;
}

fvm_status fvm_refuel(fvm *vm) {
    /* fuel is -1 when a step found the slice empty: that step belongs to the next slice. */
    vm->steps += vm->fuel_given;
    vm->fuel_given = 0;
    vm->fuel = 0;
    if (vm->interrupted)
        return FVM_ERR_INTERRUPT;
    if (vm->steps_limit > 0 && vm->steps >= vm->steps_limit)
        return FVM_ERR_STEPS;
    fvm_status status = fvm_look(vm);
    if (status != FVM_OK)
        return status;
    give_fuel(vm);
    vm->fuel--;
    return FVM_OK;
}

fvm_status fvm_spend(fvm *vm, uint32_t steps) {
    while (steps > 0) {
        if ((int64_t)vm->fuel >= (int64_t)steps) {
            vm->fuel -= (int32_t)steps;
            return FVM_OK;
        }
        if (vm->fuel > 0)
            steps -= (uint32_t)vm->fuel;
        vm->fuel = 0;
        fvm_status status = fvm_refuel(vm);
        if (status != FVM_OK)
            return status;
        steps--;
    }
    return FVM_OK;
}

/* --- runs -------------------------------------------------------------------------------- */

fvm_status fvm_run(fvm *vm, fvm_addr cfa) {
    if (vm->nesting >= FVM_MAX_NESTING)
        return fvm_fail(vm, FVM_ERR_NESTING, vm->nesting, "words run inside words too deep");
    /* Many runs of words that count no step are work, too. */
    fvm_status status = vm->interrupted ? FVM_ERR_INTERRUPT : fvm_toil(vm, 16);
    if (status != FVM_OK) {
        fvm_record(vm, status, 0);
        return status;
    }
    fvm_cell *rp = vm->rp, *rbase = vm->rbase;
    if (vm->nesting == 0) {
        /* A word may take a few cells too many: they read as 0.  The cell of depth 0 keeps
         * what the last token left there (`1 + .` prints 1, recorded). */
        memset(vm->stack - FVM_STACK_PAD, 0, FVM_STACK_PAD * sizeof(fvm_cell));
        if (vm->sp > vm->stack)
            *vm->stack = 0;
    }
    vm->nesting++;
    set_return_base(vm, rp);
    status = fvm_inner(vm, cfa);
    vm->nesting--;
    set_return_base(vm, rbase);
    vm->rp = rp;
    return status;
}

/* A run for the kernel's own questions: $Exit ends it, whatever is on the stack. */
fvm_status fvm_run_event(fvm *vm, fvm_addr cfa) {
    fvm_status status = fvm_run(vm, cfa);
    return status == FVM_EXIT_VERIFY ? FVM_OK : status;
}

fvm_status fvm_call(fvm *vm, fvm_addr cfa, fvm_cell *result) {
    fvm_cell *base = vm->sp;
    fvm_status status = fvm_run_event(vm, cfa);
    *result = vm->sp > base ? *vm->sp : 0;
    vm->sp = base;
    return status;
}

/* Ends a host call: what a failed run left on the stack goes. */
static fvm_status host_run(fvm *vm, fvm_addr cfa) {
    fvm_status status = fvm_run_event(vm, cfa);
    if (vm->sp < vm->stack) {
        vm->sp = vm->stack;
        if (status == FVM_OK) {
            fvm_record(vm, FVM_ERR_STACK_UNDERFLOW, 0);
            status = FVM_ERR_STACK_UNDERFLOW;
        }
    }
    if (vm->nesting == 0)
        fvm_flush(vm);
    return status;
}

fvm_status fvm_execute(fvm *vm, fvm_addr cfa) {
    fvm_begin(vm, FVM_PHASE_CALL);
    vm->running = cfa;
    return host_run(vm, cfa);
}

fvm_status fvm_host_word(fvm *vm, fvm_cell body) {
    fvm_cell id = 0;
    if (vm->hooks.word == NULL || fvm_load_cell(vm, (fvm_addr)body, &id) != FVM_OK)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a host word without a host");
    if (vm->hooks.word(vm->host, id) != 0)
        return FVM_ERR_HOST;
    vm->failed = vm->placed = false; /* the host took care of what failed inside */
    return FVM_OK;
}

/* --- the parameter stack from outside ------------------------------------------------------ */

int32_t fvm_depth(const fvm *vm) { return fvm_depth_of(vm); }

fvm_status fvm_push(fvm *vm, fvm_cell value) { return fvm_put_top(vm, value); }

fvm_status fvm_pop(fvm *vm, fvm_cell *value) {
    *value = 0;
    if (fvm_need(vm, 1) != FVM_OK)
        return FVM_ERR_STACK_UNDERFLOW;
    *value = fvm_drop(vm);
    return FVM_OK;
}

fvm_cell fvm_pick(const fvm *vm, int32_t from_top) {
    if (from_top < 0 || from_top >= vm->sp - vm->stack)
        return 0;
    return vm->sp[-from_top];
}

void fvm_clear_stack(fvm *vm) { vm->sp = vm->stack; }

/* --- output -------------------------------------------------------------------------------- */

void fvm_flush(fvm *vm) {
    uint32_t length = vm->out_length;
    vm->out_length = 0;
    if (length > 0 && vm->hooks.output != NULL && vm->hooks.output(vm->host, vm->out, length) != 0)
        fvm_fail(vm, FVM_ERR_HOST, 0, "%s", "the output was refused");
}

fvm_status fvm_emit(fvm *vm, const char *text, uint32_t length) {
    while (length > 0) {
        if (vm->out_length == FVM_OUT_BYTES) {
            uint32_t bytes = vm->out_length;
            vm->out_length = 0;
            if (vm->hooks.output != NULL && vm->hooks.output(vm->host, vm->out, bytes) != 0)
                return FVM_ERR_HOST;
            fvm_status status = fvm_toil(vm, bytes);
            if (status != FVM_OK)
                return status;
        }
        uint32_t part = FVM_OUT_BYTES - vm->out_length;
        if (part > length)
            part = length;
        memcpy(vm->out + vm->out_length, text, part);
        vm->out_length += part;
        text += part;
        length -= part;
    }
    return FVM_OK;
}
