/* create.c: creates, configures and frees a VM.
 *
 * It owns the allocation of a VM's memory, the initial state, hooks and options. */
#include "vm/name_index.h"
#include "vm/run.h"
#include "vm/vm.h"

#include "generated/ops.h"

#include <stdlib.h>

/* Additional cells with marks, slots and source positions after the last cell of the image, because
 * superinstructions and checks of marks may read beyond it. */
enum { SPARE_CELLS = 64 };

/* Computes the stack limits for words that pop or push 0, 1, 2 ... items. */
static void set_stack_limits(fvm *vm) {
    for (int n = 0; n < FVM_STACK_LIMITS; n++) {
        vm->stack_least[n] = vm->stack - (vm->checked || vm->standard ? 0 : FVM_STACK_GRACE) + n;
        vm->stack_floor[n] = vm->stack + n;
        vm->stack_most[n] = vm->stack + FVM_STACK_CELLS + FVM_STACK_GRACE - n;
    }
}

/* Marks of cells, marks of pages, and the image are one block of memory, so that machine code can
 * address them relative to one register. */
typedef struct {
    size_t dirty, mem, end; /* offsets in bytes */
} image_offsets;

static image_offsets offsets_for(uint32_t limit) {
    image_offsets offsets;
    offsets.dirty = limit / 4 + SPARE_CELLS;
    /* 64 spare bytes, because marks of pages are read in groups */
    size_t dirty_end = offsets.dirty + limit / FVM_PAGE + 64;
    offsets.mem = (dirty_end + 63) & ~(size_t)63;
    offsets.end = offsets.mem + limit + 16;
    return offsets;
}

static bool reserve_image(fvm *vm, uint32_t limit) {
    image_offsets offsets = offsets_for(limit);
    vm->cells = fvm_reserve(offsets.end);
    if (vm->cells == NULL)
        return false;
    vm->dirty = vm->cells + offsets.dirty;
    vm->mem = vm->cells + offsets.mem;
    return true;
}

/* The stacks follow the struct that begins with the VM. */
typedef struct {
    fvm_cell returns[16 + FVM_RETURN_CELLS + 16];
    fvm_cell items[FVM_STACK_PAD + FVM_STACK_CELLS + FVM_STACK_GRACE + 16];
} stacks;

fvm *fvm_vm_new(size_t bytes, uint32_t size, uint32_t limit, const fvm_word_function *words,
                const fvm_jit_hooks *jit) {
    const uint32_t min_size = FVM_DICTIONARY + 0x10000, max_limit = 0x40000000;
    if (size < min_size)
        size = min_size;
    if (limit < size)
        limit = size;
    if (limit > max_limit)
        limit = max_limit;
    if (size > limit)
        size = limit;
    size = (size + FVM_PAGE - 1) & ~(uint32_t)(FVM_PAGE - 1);
    limit = (limit + FVM_PAGE - 1) & ~(uint32_t)(FVM_PAGE - 1);
    fvm *vm = calloc(1, bytes + sizeof(stacks));
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
    vm->code = fvm_reserve_addresses(cells * sizeof *vm->code);
    vm->primitives = calloc(FVM_PRIMITIVES, sizeof *vm->primitives);
    if (!fvm_pages_new(vm, (uint32_t)pages) || !vm->map || !vm->code || !vm->primitives) {
        fvm_vm_free(vm);
        return NULL;
    }
    vm->size = size;
    vm->span4 = size - FVM_LOW - 4;
    fvm_set_high(vm, FVM_DICTIONARY);
    stacks *const memory = (stacks *)((char *)vm + bytes);
    vm->stack = memory->items + FVM_STACK_PAD;
    vm->sp = vm->stack;
    vm->rstack = memory->returns + 15; /* the last of the 16 spare cells below the stack */
    vm->rp = vm->rstack;
    fvm_set_return_base(vm, vm->rstack);
    vm->rstack_high = vm->rstack + FVM_RETURN_CELLS;
    vm->version = 150;
    vm->jit.disabled = !jit->available;
    vm->jit.slice = FVM_FUEL_SLICE;
    vm->next_base = 1;
    set_stack_limits(vm);
    vm->max_nesting = FVM_MAX_NESTING;
    vm->inner = fvm_inner;
    vm->untranslated = -1;
    fvm_inner(vm, 0); /* the first call only sets vm->untranslated */
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
        fvm_release(vm->cells, offsets_for(vm->limit).end);
    fvm_release(vm->map, cells * sizeof *vm->map);
    fvm_release(vm->code, cells * sizeof *vm->code);
    free(vm->primitives);
    free(vm->search_table);
    fvm_names_free(vm);
    free(vm);
}

int64_t fvm_compiled(const fvm *vm) { return vm->jit.compiled; }

int64_t fvm_side_exits(const fvm *vm) { return vm->jit.side_exits; }

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
        vm->has_140_faults = value == 1140;
        vm->version = vm->has_140_faults ? 140 : (int32_t)value;
        fvm_install_primitives(vm);
        break;
    case FVM_OPT_STANDARD:
        vm->standard = value != 0;
        set_stack_limits(vm);
        break;
    case FVM_OPT_CHECKED:
        vm->checked = value != 0;
        set_stack_limits(vm);
        if (vm->sp < vm->stack_least[0]) /* possible if a host word sets the option */
            fvm_set_stack(vm, vm->stack_least[0]);
        fvm_flush_code(vm); /* in checked mode arrays have other handlers */
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
        fvm_forget_prepared(vm);
        if (value > 2 && value < FVM_FUEL_SLICE) /* for tests */
            vm->jit.slice = (int32_t)value;
        break;
    case FVM_OPT_HOOK_TIME:
        vm->request_seconds = value > 0 ? (double)value / 1000 : 0;
        fvm_begin_request(vm);
        break;
    case FVM_OPT_UNFILTERED:
        vm->keeps_all_moves = value != 0;
        break;
    case FVM_OPT_LISTS:
        vm->list_mode = (fvm_list_mode)value;
        break;
    case FVM_OPT_PROMISES:
        vm->promises = (fvm_promise)value;
        break;
    case FVM_OPT_FENCE:
        vm->fence = (fvm_addr)value;
        break;
    case FVM_OPT_PROMPT:
        vm->at_prompt = value != 0;
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
        return vm->has_140_faults ? 1140 : vm->version;
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
    case FVM_OPT_UNFILTERED:
        return vm->keeps_all_moves;
    case FVM_OPT_LISTS:
        return vm->list_mode;
    case FVM_OPT_STANDARD:
        return vm->standard;
    case FVM_OPT_PROMISES:
        return vm->promises;
    case FVM_OPT_FENCE:
        return vm->fence;
    case FVM_OPT_PROMPT:
        return vm->at_prompt;
    case FVM_OPT_DEPTH:
        return vm->rstack_high - vm->rstack;
    }
    return 0;
}
