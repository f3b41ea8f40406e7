/* run.c: the life of a VM, runs of words, and their limits.
 *
 * It owns creation and options, the nesting of runs, steps and deadlines, hooks, and the
 * parameter stack as the host sees it. */
#include "vm/primitives.h"
#include "vm/name_index.h"
#include "vm/run.h"
#include "vm/vm.h"

#include "generated/ops.h"

#include <stdlib.h>
#include <time.h>

enum {
    SPARE_CELLS = 64
}; /* after the last cell: superinstructions and checks of marks may read there */

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
    for (int n = 0; n < 6; n++) {
        vm->stack_least[n] = vm->stack - (vm->checked ? 0 : FVM_STACK_GRACE) + n;
        vm->stack_most[n] = vm->stack + FVM_STACK_CELLS + FVM_STACK_GRACE - n;
    }
}

/* Marks, pages and image in one block: machine code addresses all of them relative to one register.
 */
typedef struct {
    size_t dirty, mem, all; /* bytes from the block's beginning */
} image_parts;

static image_parts parts_of(uint32_t limit) {
    image_parts parts;
    parts.dirty = limit / 4 + SPARE_CELLS;
    size_t end = parts.dirty + limit / FVM_PAGE + 64; /* the marks of pages are read in groups */
    parts.mem = (end + 63) & ~(size_t)63;
    parts.all = parts.mem + limit + 16;
    return parts;
}

static bool reserve_image(fvm *vm, uint32_t limit) {
    image_parts parts = parts_of(limit);
    vm->cells = fvm_reserve(parts.all);
    if (vm->cells == NULL)
        return false;
    vm->dirty = vm->cells + parts.dirty;
    vm->mem = vm->cells + parts.mem;
    return true;
}

fvm *fvm_vm_new(uint32_t size, uint32_t limit, const fvm_word_function *words,
                const fvm_jit_hooks *jit) {
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
    vm->words = words;
    vm->jit.hooks = jit;
    if (!reserve_image(vm, limit)) {
        fvm_vm_free(vm);
        return NULL;
    }
    vm->map = fvm_reserve(cells * sizeof *vm->map);
    vm->code = fvm_reserve(cells * sizeof *vm->code);
    vm->primitives = calloc(FVM_PRIMITIVES, sizeof *vm->primitives);
    if (!fvm_pages_new(vm, (uint32_t)pages) || !vm->map || !vm->code || !vm->primitives) {
        fvm_vm_free(vm);
        return NULL;
    }
    vm->size = size;
    vm->span4 = size - FVM_LOW - 4;
    fvm_set_high(vm, FVM_DICTIONARY);
    vm->stack = vm->stack_memory + FVM_STACK_PAD;
    vm->sp = vm->stack;
    vm->rstack = vm->return_memory + 15;
    vm->rp = vm->rstack;
    fvm_set_return_base(vm, vm->rstack);
    vm->rstack_high = vm->rstack + FVM_RETURN_CELLS;
    vm->version = 150;
    vm->jit.disabled = !jit->available;
    vm->jit.slice = FVM_FUEL_SLICE;
    vm->next_base = 1;
    set_stack_limits(vm);
    vm->inner = fvm_inner;
    vm->untranslated = -1;
    fvm_inner(vm, 0); /* sets the handler of untranslated slots */
    fvm_update_translated_limit(vm);
    fvm_make_translatable(vm, FVM_DICTIONARY);
    fvm_put(vm, FVM_K_BASE, 10);
    fvm_put(vm, FVM_K_DP, FVM_DICTIONARY);
    fvm_put(vm, FVM_K_CONTEXT, FVM_K_FORTH);
    fvm_put(vm, FVM_K_CURRENT, FVM_K_FORTH);
    for (int stream = 1; stream <= FVM_RANDOM_STREAMS; stream++)
        fvm_seed(vm, stream, 0);
    fvm_install_primitives(vm);
    fvm_put(vm, FVM_K_STOP, (fvm_cell)vm->primitives[FVM_OP_STOP]);
    fvm_budget(vm, 0, 0);
    return vm;
}

void fvm_vm_free(fvm *vm) {
    size_t cells = vm->limit / 4 + SPARE_CELLS, pages = vm->limit / FVM_PAGE + 1;
    fvm_pages_free(vm, (uint32_t)pages);
    vm->jit.hooks->free(vm);
    if (vm->cells != NULL)
        fvm_release(vm->cells, parts_of(vm->limit).all);
    fvm_release(vm->map, cells * sizeof *vm->map);
    fvm_release(vm->code, cells * sizeof *vm->code);
    free(vm->primitives);
    free(vm->search_table);
    fvm_names_free(vm);
    free(vm);
}

int64_t fvm_compiled(const fvm *vm) { return vm->jit.compiled; }

void fvm_search_reset(fvm *vm) {
    if (vm->search_table != NULL)
        memset(vm->search_table, 0, vm->search_table_bytes);
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
        if (vm->sp <
            vm->stack_least[0]) /* called in a host word: lift the stack to its new bottom */
            fvm_set_stack(vm, vm->stack_least[0]);
        fvm_flush_code(vm); /* arrays have other handlers in checked mode */
        break;
    case FVM_OPT_FIXED_CLOCK:
        vm->fixed_clock = value != 0;
        break;
    case FVM_OPT_CLOCK:
        vm->clock = value;
        break;
    case FVM_OPT_TIER:
        vm->jit.disabled = value == 0 || !vm->jit.hooks->available;
        vm->jit.slice = value == 2 ? FVM_EAGER_SLICE : FVM_FUEL_SLICE;
        vm->jit.hooks->discard_code(vm);
        if (value > 2 && value < FVM_FUEL_SLICE) /* for tests: slices of that length */
            vm->jit.slice = (int32_t)value;
        break;
    case FVM_OPT_HOOK_TIME:
        vm->request_seconds = value > 0 ? (double)value / 1000 : 0;
        fvm_begin_request(vm);
        break;
    case FVM_OPT_DEPTH:
        if (value < 16)
            value = 16;
        vm->rstack_high =
            vm->rstack + (value < FVM_RETURN_CELLS ? (int32_t)value : FVM_RETURN_CELLS);
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
    case FVM_OPT_TIER:
        return !vm->jit.disabled;
    case FVM_OPT_HOOK_TIME:
        return (int64_t)(vm->request_seconds * 1000 + 0.5);
    case FVM_OPT_DEPTH:
        return vm->rstack_high - vm->rstack;
    }
    return 0;
}

/* --- budget ----------------------------------------------------------------------- */

static void grant_fuel(fvm *vm) {
    /* Runs shorter than a slice must be sampled as well. */
    int64_t slice = vm->jit.unsampled < vm->jit.slice ? vm->jit.slice - vm->jit.unsampled : 1;
    /* Lengths vary: a loop of exactly that many steps would always be sampled at the same
     * instruction. */
    vm->jit.unevenness = vm->jit.unevenness * 1664525u + 1013904223u;
    slice -= (int64_t)(vm->jit.unevenness >> 24) % (slice / 4 + 1 + (slice > 1));
    int64_t left = vm->steps_limit > 0 ? vm->steps_limit - vm->steps : INT64_MAX;
    vm->near_limit = left <= FVM_OVERRUN + 1;
    if (!vm->near_limit)
        left -= FVM_OVERRUN + 1;
    if (left < slice)
        slice = left;
    vm->fuel = (int32_t)slice;
    vm->fuel_granted = slice;
}

void fvm_budget(fvm *vm, int64_t steps, double seconds) {
    if (vm->jit.unsampled < vm->jit.slice)
        vm->jit.unsampled += (int32_t)(vm->fuel_granted - (vm->fuel > 0 ? vm->fuel : 0));
    vm->steps = 0;
    vm->steps_limit = steps > 0 ? steps : 0;
    vm->deadline = seconds > 0 ? fvm_now() + seconds : 0;
    vm->next_poll = 0;
    grant_fuel(vm);
}

/* Of the current slice only the steps used so far count. */
int64_t fvm_steps(const fvm *vm) {
    int64_t left = vm->fuel > 0 ? vm->fuel : 0;
    return vm->steps + vm->fuel_granted - left;
}

void fvm_interrupt(fvm *vm) { vm->interrupted = 1; }
void fvm_clear_interrupt(fvm *vm) { vm->interrupted = 0; }

fvm_halt fvm_halt_begin(fvm *vm, double seconds, double grace) {
    fvm_halt outer = vm->halt;
    double at = seconds > 0 ? fvm_now() + seconds + grace : 0;
    if (outer.on && outer.at > 0 && (at == 0 || outer.at < at))
        at = outer.at;
    vm->halt = (fvm_halt){.on = true, .at = at, .grace = grace};
    return outer;
}

bool fvm_halt_end(fvm *vm, fvm_halt outer, fvm_status *status) {
    vm->halt = outer;
    if (*status != FVM_ERR_STOPPED || outer.on)
        return false;
    vm->failed = vm->located = false;
    vm->error.status = FVM_OK;
    *status = FVM_OK;
    return true;
}

static fvm_status check_halt(fvm *vm) {
    fvm_halt *halt = &vm->halt;
    if (vm->engine_status != 0 && !halt->asked) {
        double at = fvm_now() + halt->grace;
        halt->asked = true;
        halt->at = halt->at == 0 || at < halt->at ? at : halt->at;
    }
    return halt->at > 0 && fvm_now() >= halt->at ? FVM_ERR_STOPPED : FVM_OK;
}

static fvm_status check_request_time(fvm *vm) {
    double now = fvm_now();
    if (vm->timed_request != vm->request) {
        vm->timed_request = vm->request;
        vm->request_end = now + vm->request_seconds;
    }
    return now < vm->request_end ? FVM_OK
                                 : fvm_fail(vm, FVM_ERR_TIME, 0, "%g s", vm->request_seconds);
}

fvm_status fvm_check_limits(fvm *vm) {
    if (vm->interrupted)
        return FVM_ERR_INTERRUPT;
    fvm_status status = vm->halt.on ? check_halt(vm) : FVM_OK;
    if (status == FVM_OK && vm->request_seconds > 0)
        status = check_request_time(vm);
    if (status != FVM_OK)
        return status;
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
    vm->steps += vm->fuel_granted;
    vm->fuel_granted = 0;
    vm->jit.unsampled = 0;
    vm->fuel = 0;
    if (vm->interrupted)
        return FVM_ERR_INTERRUPT;
    if (vm->steps_limit > 0 && vm->steps >= vm->steps_limit)
        return FVM_ERR_STEPS;
    fvm_status status = fvm_check_limits(vm);
    if (status != FVM_OK)
        return status;
    grant_fuel(vm);
    vm->fuel--;
    return FVM_OK;
}

fvm_status fvm_refuel_at(fvm *vm, fvm_addr ip) {
    fvm_status status = fvm_refuel(vm);
    if (status == FVM_OK)
        vm->jit.hooks->on_slice_end(vm, ip);
    return status;
}

fvm_status fvm_refuel_after_steps(fvm *vm, fvm_addr ip) {
    vm->fuel_granted -= vm->fuel;
    fvm_status status = fvm_refuel_at(vm, ip);
    if (status == FVM_OK)
        vm->fuel++; /* the step that found the slice empty was charged already */
    return status;
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

/* --- runs ------------------------------------------------------------------------- */

/* Runs a word; if it has machine code, without the interpreter, because most runs are short. */
static fvm_status run_word(fvm *vm, fvm_addr cfa) {
    fvm_addr body = cfa + 4;
    if (vm->inner == fvm_inner && vm->jit.own != NULL && (body & 3) == 0 &&
        (body - FVM_LOW) >> 2 < vm->translated_cells && vm->code[body >> 2].go == vm->jit.go &&
        fvm_get(vm, cfa) == (fvm_cell)(FVM_CODE_TAG | FVM_OP_COLON) && vm->rp < vm->rstack_high &&
        vm->fuel > 0 && !vm->near_limit) {
        *++vm->rp = FVM_K_STOP;
        vm->fuel--;
        uint64_t left = vm->jit.hooks->enter(vm, vm->code[body >> 2].a);
        if (left == (FVM_K_STOP | (uint64_t)FVM_LEFT_GO << 32) &&
            (fvm_addr)fvm_get(vm, FVM_K_STOP) == vm->primitives[FVM_OP_STOP])
            return FVM_OK;
        if (left >> 32 == FVM_LEFT_FAILED && vm->jit.status == FVM_EXIT_VERIFY)
            return FVM_EXIT_VERIFY;
        vm->jit.resume = left;
        return fvm_inner(vm, cfa); /* also if tracing has begun meanwhile */
    }
    return vm->inner(vm, cfa);
}

/* A run that may pop what is above `base` on the return stack; the caller restores vm->rp. */
static fvm_status run_above(fvm *vm, fvm_addr cfa, fvm_cell *base) {
    if (vm->nesting >= FVM_MAX_NESTING)
        return fvm_fail(vm, FVM_ERR_NESTING, vm->nesting, "words run inside words too deep");
    /* Runs of words that count no steps must be limited, too. */
    fvm_status status = vm->interrupted ? FVM_ERR_INTERRUPT : fvm_charge_work(vm, 16);
    if (status != FVM_OK) {
        fvm_record(vm, status, 0);
        return status;
    }
    fvm_cell *rbase = vm->rbase;
    if (vm->nesting == 0) {
        fvm_begin_stack(vm);
        if (!vm->generating && vm->source == NULL)
            fvm_begin_request(vm);
    }
    vm->nesting++;
    fvm_set_return_base(vm, base);
    status = run_word(vm, cfa);
    vm->nesting--;
    fvm_set_return_base(vm, rbase);
    return status;
}

fvm_status fvm_run(fvm *vm, fvm_addr cfa) {
    fvm_cell *rp = vm->rp;
    fvm_status status = run_above(vm, cfa, rp);
    vm->rp = rp;
    return status;
}

/* A run for the kernel: $Exit ends it without an error. */
fvm_status fvm_run_to_exit(fvm *vm, fvm_addr cfa) {
    fvm_status status = fvm_run(vm, cfa);
    return status == FVM_EXIT_VERIFY ? FVM_OK : status;
}

fvm_status fvm_run_token(fvm *vm, fvm_addr cfa, fvm_cell *base) {
    fvm_cell *rp = vm->rp;
    fvm_status status = run_above(vm, cfa, base);
    if (status != FVM_OK || vm->rp < base)
        vm->rp = rp;
    return status == FVM_EXIT_VERIFY ? FVM_OK : status;
}

fvm_status fvm_call(fvm *vm, fvm_addr cfa, fvm_cell *result) {
    fvm_cell *base = vm->sp;
    fvm_status status = fvm_run_to_exit(vm, cfa);
    *result = vm->sp > base ? *vm->sp : 0;
    fvm_set_stack(vm, base);
    return status;
}

/* Runs a word for the host and drops the stack items of a failed run. */
static fvm_status host_run(fvm *vm, fvm_addr cfa) {
    fvm_status status = fvm_run_to_exit(vm, cfa);
    if (vm->sp < vm->stack) {
        fvm_set_stack(vm, vm->stack);
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
    vm->external_effects++;
    if (vm->hooks.word(vm->host, id) != 0)
        return FVM_ERR_HOST;
    vm->failed = vm->located = false; /* the host took care of what failed inside */
    return FVM_OK;
}

/* --- the parameter stack from outside --------------------------------------------- */

int32_t fvm_depth(const fvm *vm) { return fvm_depth_of(vm); }

fvm_status fvm_push(fvm *vm, fvm_cell value) { return fvm_put_top(vm, value); }

fvm_status fvm_pop(fvm *vm, fvm_cell *value) {
    *value = 0;
    /* Only inside a word may the stack go below its base. */
    if (vm->nesting == 0 ? fvm_depth_of(vm) < 1 : fvm_need(vm, 1) != FVM_OK)
        return FVM_ERR_STACK_UNDERFLOW;
    *value = fvm_drop(vm);
    return FVM_OK;
}

fvm_cell fvm_pick(const fvm *vm, int32_t from_top) {
    if (from_top < 0 || from_top >= vm->sp - vm->stack)
        return 0;
    return vm->sp[-from_top];
}

void fvm_clear_stack(fvm *vm) {
    vm->sp = vm->stack;
    *vm->stack = 0;
}

/* --- output ----------------------------------------------------------------------- */

void fvm_flush(fvm *vm) {
    uint32_t length = vm->out_length;
    vm->out_length = 0;
    if (length > 0 && vm->hooks.output != NULL && vm->hooks.output(vm->host, vm->out, length) != 0)
        fvm_fail(vm, FVM_ERR_HOST, 0, "%s", "the output was refused");
}

fvm_status fvm_emit(fvm *vm, const char *text, uint32_t length) {
    vm->external_effects++;
    while (length > 0) {
        if (vm->out_length == FVM_OUT_BYTES) {
            uint32_t bytes = vm->out_length;
            vm->out_length = 0;
            if (vm->hooks.output != NULL && vm->hooks.output(vm->host, vm->out, bytes) != 0)
                return FVM_ERR_HOST;
            fvm_status status = fvm_charge_work(vm, bytes);
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
