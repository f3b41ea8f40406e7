/* jit.c: decides when words are compiled and when code is discarded.
 *
 * It owns the hooks that the VM calls, the profile samples, the arena of machine code, and the
 * table of tokens that machine code calls.  units.c and compile.c generate code. */
#include "jit/calls.h"
#include "jit/units.h"

#if defined(FVM_JIT)

#include "vm/translate.h"

#include "generated/ops.h"

#include <stdlib.h>

enum {
    HOT_SAMPLES = 2,    /* number of profile samples after which code is compiled */
    SAMPLE_WEIGHT = 64, /* weight of a sample at the end of a slice; that of side exits and of runs
                           without machine code is 1 */
    MAX_DOUBLINGS = 12, /* limit of the doublings of the threshold, see is_hot */
    QUIET_SLICES = 64   /* slices in which nothing is compiled, before slices grow */
};

#define SHORT_SLICE_SECONDS 0.0005 /* a slice may be doubled if the last one took less time */

static void reset_arena(struct fvm_jit *jit) {
    jit->next_call_stub = jit->call_stubs;
    jit->next_code = jit->code;
}

/* Empties the table.  A token belongs to the entry token / 4 % FVM_TARGETS.  An empty entry
 * contains a token that belongs to another entry, so no lookup finds it: the token 0 belongs to
 * entry 0, and the token 4, which entry 0 contains, belongs to entry 1. */
static void clear_token_table(fvm *vm) {
    memset(vm->jit.target_tokens, 0, sizeof vm->jit.target_tokens);
    vm->jit.target_tokens[0] = 4;
}

static struct fvm_jit *new_jit(fvm *vm) {
    struct fvm_jit *jit = calloc(1, sizeof *jit);
    if (jit == NULL)
        return NULL;
    jit->arena = fvm_reserve_code(FVM_ARENA_BYTES);
    if (jit->arena == NULL) {
        free(jit);
        return NULL;
    }
    fvm_asm as = {.at = jit->arena, .end = jit->arena + FVM_ARENA_BYTES};
    fvm_asm_runtime(&as, &jit->runtime);
    jit->variable_entry = fvm_emit_variable_entry(&as, &jit->runtime);
    jit->call_stubs = as.at;
    jit->code = as.at + FVM_CALL_STUB_BYTES * FVM_MAX_UNITS;
    reset_arena(jit);
    fvm_publish_code(jit->arena, as.at);
    if (!fvm_protect_arena(jit, FVM_EXECUTABLE)) {
        fvm_release_code(jit->arena, FVM_ARENA_BYTES);
        free(jit);
        return NULL;
    }
    fvm_compiler *c = &jit->compiler;
    c->vm = vm;
    c->graph = &jit->graph;
    c->runtime = &jit->runtime;
    c->cell_marks = (int32_t)(vm->cells - vm->mem);
    c->page_marks = (int32_t)(vm->dirty - vm->mem);
    vm->jit.code = jit->arena;
    memcpy(&vm->jit.enter, &jit->runtime.enter, sizeof vm->jit.enter);
    clear_token_table(vm);
    return jit;
}

static void free_jit(fvm *vm) {
    struct fvm_jit *jit = vm->jit.state;
    if (jit == NULL)
        return;
    vm->jit.state = NULL;
    fvm_release_code(jit->arena, FVM_ARENA_BYTES);
    free(jit->compiler.stubs);
    free(jit->slots);
    free(jit);
}

/* --- profile samples -------------------------------------------------------------- */

/* Counts a sample; returns whether the code at the address is hot.  Addresses with the same index
 * in the table compete: a sample of one reduces the count of the other, and takes its entry when
 * that count reaches 0. */
static bool is_hot(const fvm *vm, struct fvm_jit *jit, fvm_addr at, int weight) {
    int i = (int)((at >> 2) * 2654435761u >> 20) % FVM_SAMPLE_TABLE;
    if (jit->samples[i].at != at) {
        if ((jit->samples[i].count -= weight) > 0)
            return false;
        jit->samples[i].at = at;
        jit->samples[i].count = 0;
    }
    /* The threshold is doubled each second time that all code is discarded: compilation does not
     * pay for scripts that often change their own code. */
    int doublings = jit->discards / 2 < MAX_DOUBLINGS ? jit->discards / 2 : MAX_DOUBLINGS;
    /* FVM_OPT_TIER shortens slices if all words should be compiled. */
    const bool compiles_all = vm->jit.slice < FVM_FUEL_SLICE;
    int threshold = compiles_all ? 1 : HOT_SAMPLES * SAMPLE_WEIGHT << doublings;
    return (jit->samples[i].count += weight) >= threshold;
}

/* Counts a sample and compiles the code at the address if it is hot. */
static void take_sample(fvm *vm, fvm_addr target, int weight) {
    if (vm->jit.disabled || !fvm_make_translatable(vm, target))
        return;
    if (vm->jit.state == NULL && (vm->jit.state = new_jit(vm)) == NULL) {
        vm->jit.disabled = true;
        return;
    }
    struct fvm_jit *jit = vm->jit.state;
    if (!is_hot(vm, jit, target, weight))
        return;
    if (jit->slot_count == 0 && jit->unit_count == 0 && vm->jit.entered == 0)
        reset_arena(jit); /* the arena contains only discarded code, and none of it runs */
    /* A compilation may add several units, so an eighth of the arena must be free. */
    bool full = jit->next_code > jit->arena + FVM_ARENA_BYTES - FVM_ARENA_BYTES / 8 ||
                jit->unit_count > FVM_MAX_UNITS - FVM_SPARE_UNITS ||
                jit->next_call_stub + FVM_SPARE_UNITS * FVM_CALL_STUB_BYTES > jit->code;
    if (full && vm->jit.entered == 0) {
        fvm_discard_code(vm);
        reset_arena(jit);
    } else if (full) {
        return;
    }
    fvm_unit *unit = fvm_unit_at(jit, target);
    if (unit == NULL || unit->failed || unit->info.code != NULL)
        return;
    fvm_queue_unit(jit, unit);
    fvm_compile_queue(jit, vm);
}

/* The functions on_… are hooks, see vm/jit_hooks.h. */

/* Makes slices as short as at the beginning: code is about to be compiled, or has been. */
static void shorten_slices(fvm *vm) {
    if (vm->jit.slice > FVM_FUEL_SLICE)
        vm->jit.slice = FVM_FUEL_SLICE;
}

/* Chooses the number of steps of the next slices: doubles it if nothing has been compiled in many
 * slices, and the last one took little time.  The end of a slice takes as long as some hundred
 * instructions, and reads the clock. */
static void choose_slice(fvm *vm) {
    struct fvm_jit *jit = vm->jit.state;
    const bool quiet = jit->compiled == vm->jit.compiled;
    jit->compiled = vm->jit.compiled;
    jit->quiet_slices = quiet ? jit->quiet_slices + 1 : 0;
    if (!quiet)
        shorten_slices(vm);
    if (vm->jit.slice < FVM_FUEL_SLICE || vm->jit.slice >= FVM_LONG_SLICE)
        return;
    if (jit->quiet_slices == QUIET_SLICES - 1)
        jit->slice_start = fvm_now();
    if (jit->quiet_slices < QUIET_SLICES)
        return;
    jit->quiet_slices = 0;
    if (fvm_now() - jit->slice_start < SHORT_SLICE_SECONDS)
        vm->jit.slice *= 2;
}

static void on_slice_end(fvm *vm, fvm_addr target) {
    if (fvm_make_translatable(vm, target) && vm->code[target >> 2].go != vm->jit.go)
        take_sample(vm, target, SAMPLE_WEIGHT);
    if (vm->jit.state != NULL)
        choose_slice(vm);
}

/* Move words and hooks are so short that few slices end in them.  The first sample of a VM is that
 * of a slice: words that run only while a game is loaded need no JIT. */
static void on_interpreted_run(fvm *vm, fvm_addr target) {
    if (vm->jit.state != NULL)
        take_sample(vm, target, 1);
}

static void on_side_exit(fvm *vm, fvm_addr target) {
    if (target != FVM_K_STOP && fvm_make_translatable(vm, target) &&
        vm->code[target >> 2].go != vm->jit.go)
        take_sample(vm, target, 1);
}

/* Counts an unexpected token of the EXECUTE at an address. */
static void count_unexpected_token(fvm *vm, fvm_addr at) {
    uint16_t *count = fvm_unexpected_tokens(&vm->jit.state->graph, at);
    if (*count == FVM_MAX_UNEXPECTED_TOKENS)
        return;
    ++*count;
    if (*count == FVM_MAX_UNEXPECTED_PARTS || *count == FVM_MAX_UNEXPECTED_TOKENS)
        fvm_discard_code(vm); /* new code expects less */
}

/* Returns the machine code that calls of a token enter; NULL: its definition has none.  does: it is
 * a word with a DOES> part. */
static const uint8_t *code_of_definition(fvm *vm, fvm_addr token, bool does) {
    const fvm_addr body = does ? (fvm_addr)fvm_get(vm, token + FVM_DOES_PART) : token + FVM_BODY;
    if (fvm_jit_callee_info(vm, body) == NULL)
        take_sample(vm, body, 1);
    const fvm_unit *found = fvm_find_unit(vm->jit.state, body);
    return found == NULL || !found->info.preserves_return_stack ? NULL
           : does                                               ? found->does_entry
                                                                : found->info.code;
}

/* Called when machine code has exited at EXECUTE, `at`; `token` is its argument, the CFA of a word.
 * Adds the token to the table of tokens that machine code calls, if its word has machine code. */
static void on_token_exit(fvm *vm, fvm_addr token, fvm_addr at) {
    int op = fvm_opcode_at(vm, token), index = token / 4 % FVM_TARGETS;
    const bool does = op == FVM_OP_DOES && !vm->checked && fvm_in(vm, token, 8);
    if (vm->jit.state == NULL || vm->jit.disabled)
        return;
    const bool in_table = vm->jit.target_tokens[index] == token;
    const bool may_enter = in_table || op == FVM_OP_COLON || op == FVM_OP_VAR || does;
    /* Code that expects no token exits only for tokens that are not in the table. */
    if (may_enter ? in_table : fvm_last_does_part(vm, at) != 0)
        count_unexpected_token(vm, at);
    /* Without units, fvm_discard_code would not clear the table. */
    if (in_table || !may_enter || vm->jit.state->unit_count == 0)
        return;
    const uint8_t *code =
        op == FVM_OP_VAR ? vm->jit.state->variable_entry : code_of_definition(vm, token, does);
    if (code == NULL)
        return;
    fvm_mark_watched_cell(vm, token);
    if (does)
        fvm_mark_watched_cell(vm, token + FVM_DOES_PART);
    vm->jit.target_tokens[index] = token;
    vm->jit.target_code[index] = code;
}

/* --- discarding code -------------------------------------------------------------- */

void fvm_discard_code(fvm *vm) {
    struct fvm_jit *jit = vm->jit.state;
    if (jit == NULL)
        return;
    if (jit->unit_count == 0 && jit->slot_count == 0)
        return;
    /* Compilation that is in progress detects the new epoch and stops. */
    vm->jit.epoch++;
    vm->jit.loop.stop = true;
    jit->discards++;
    shorten_slices(vm);
    for (int i = 0; i < jit->slot_count; i++) {
        fvm_slot *slot = &vm->code[jit->slots[i] >> 2];
        if (slot->go == vm->jit.go)
            slot->go = vm->untranslated;
    }
    jit->slot_count = 0;
    memset(jit->units, 0, sizeof jit->units);
    memset(jit->samples, 0, sizeof jit->samples);
    jit->unit_count = 0;
    clear_token_table(vm);
    jit->constant_store_end = jit->compiler.constant_store_end = 0;
    jit->assumed_size = jit->compiler.assumed_size = 0;
}

/* Called before a store to a cell from which machine code was compiled.  If the code contains the
 * cell's value, new code will read the cell instead.  So each cell discards code only once, which
 * need not delay compilation (is_hot). */
static void on_watched_store(fvm *vm, fvm_addr cell) {
    bool *const varies = fvm_varies(&vm->jit.state->graph, cell);
    const int discards = vm->jit.state->discards;
    fvm_discard_code(vm);
    if (!*varies)
        vm->jit.state->discards = discards;
    *varies = true;
}

/* Discards code whose assumptions a smaller image breaks: that the constant addresses to which it
 * stores, and the image size with which it was compiled, remain within the image. */
static void on_image_shrunk(fvm *vm) {
    const struct fvm_jit *jit = vm->jit.state;
    if (jit != NULL && (vm->high < jit->constant_store_end || vm->size < jit->constant_store_end ||
                        vm->size < jit->assumed_size))
        fvm_discard_code(vm);
}

const fvm_jit_hooks fvm_jit = {
    .available = true,
    .on_slice_end = on_slice_end,
    .on_interpreted_run = on_interpreted_run,
    .on_side_exit = on_side_exit,
    .on_token_exit = on_token_exit,
    .on_image_shrunk = on_image_shrunk,
    .on_watched_store = on_watched_store,
    .discard_code = fvm_discard_code,
    .make_word_loop = fvm_make_word_loop,
    .free = free_jit,
};

#endif
