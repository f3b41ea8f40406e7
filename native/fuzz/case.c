/* case.c: runs one fuzz case.
 *
 * Owns the order of the actions of a case, the invariants that hold after every case, and the
 * comparison of the interpreter with the traced interpreter or the JIT.  The operations are in
 * operations.c.
 */
#include "operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPS_PER_CASE = 96,
    FIRST_GAME = 2,            /* number of the first base that is a game */
    UNLIMITED_POLLS = -1000000 /* initial world->polls with which on_poll never ends a run */
};

/* Step budgets with FZ_TINY_BUDGET: of the case, and of a line with FZ_RUN_LINES. */
enum { TINY_STEPS = 200, TINY_LINE_STEPS = 900 };

void fz_require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz: invariant broken: %s\n", what);
        abort();
    }
}

void fz_add_to_digest(fz_world *world, uint64_t value) {
    world->digest = (world->digest ^ value) * 0x100000001B3u;
}

static void set_options(fz_run *run, uint32_t options) {
    static const int64_t versions[] = {150, 140, 151, 1140};
    fvm *vm = run->vm;
    fvm_clear_interrupt(vm);
    fvm_engine_stop(vm, 0);
    fvm_set_option(vm, FVM_OPT_VERSION, versions[options & FZ_VERSION]);
    fvm_set_option(vm, FVM_OPT_CHECKED, (options & FZ_CHECKED) != 0);
    fvm_set_option(vm, FVM_OPT_DEPTH, 4096);
    fvm_budget(vm, options & FZ_TINY_BUDGET ? TINY_STEPS : run->world->steps, 0);
    run->world->polls = options & FZ_POLLED ? 0 : UNLIMITED_POLLS;
}

/* Checks that the base can be restored exactly and that a word runs. */
static void check_health(fz_run *run, fvm_snapshot *base) {
    static const char text[] = ": health 1 2 + ; health";
    fvm *vm = run->vm;
    fvm_cell value = 0;
    fvm_clear_interrupt(vm);
    fz_require(fvm_snapshot_restore(vm, base) == FVM_OK, "base restored");
    fvm_snapshot *restored = fvm_snapshot_take(vm);
    fz_require(restored != NULL && fvm_snapshot_equal(base, restored),
               "the restored memory equals the base");
    fvm_snapshot_free(restored);
    set_options(run, 0);
    fvm_status status = fvm_interpret(vm, text, sizeof text - 1, run->world->source, 0);
    fz_require(status == FVM_OK && fvm_pop(vm, &value) == FVM_OK && value == 3,
               "the VM works after the case");
    fz_require(fvm_snapshot_restore(vm, base) == FVM_OK, "base restored again");
}

/* Interprets a copy in a buffer of `length` bytes, so that a sanitizer detects reads beyond the
 * text. */
static void interpret(fz_run *run, const uint8_t *from, uint32_t length) {
    char *text = malloc(length);
    fz_require(text != NULL, "memory for the text");
    memcpy(text, from, length);
    fz_record_status(run, fvm_interpret(run->vm, text, length, run->world->source, 1));
    free(text);
}

static void interpret_lines(fz_run *run, const uint8_t *from, const uint8_t *end,
                            uint32_t options) {
    while (from < end) {
        const uint8_t *stop = memchr(from, '\n', (size_t)(end - from));
        stop = stop == NULL ? end : stop + 1;
        fvm_budget(run->vm, options & FZ_TINY_BUDGET ? TINY_LINE_STEPS : run->world->steps, 0);
        interpret(run, from, (uint32_t)(stop - from));
        from = stop;
    }
    fvm_budget(run->vm, run->world->steps, 0);
}

/* Runs a case once.  If world->compare is set, returns the final state of the case (NULL: no
 * memory); otherwise returns NULL. */
static fvm_snapshot *run_case(fz_world *world, const uint8_t *bytes, size_t size) {
    fz_run run = {.world = world, .vm = world->vm, .at = bytes, .end = bytes + size};
    uint32_t base = fz_read_operand(&run, 1) % (uint32_t)world->base_count;
    fz_require(fvm_snapshot_restore(run.vm, world->bases[base]) == FVM_OK, "base set");
    /* Calls of the poll hook depend on the clock, so comparisons exclude them. */
    uint32_t options = fz_read_operand(&run, 1);
    options = world->compare ? options & ~(uint32_t)FZ_POLLED : options;
    set_options(&run, options);
    fvm_search_reset(run.vm);
    /* This call fails and sets vm->running, which later errors may report as their word. */
    (void)fvm_execute(run.vm, 0);
    world->digest = 0;
    if (base >= FIRST_GAME) {
        (void)fvm_bind(run.vm);
    }
    const uint8_t *zero = memchr(run.at, 0, (size_t)(run.end - run.at));
    const uint8_t *stop = zero != NULL ? zero : run.end;
    uint32_t length = (uint32_t)(stop - run.at);
    if ((options & FZ_RUN_LINES) != 0) {
        interpret_lines(&run, run.at, stop, options);
    } else if (length > 0 && length <= FZ_MAX_CASE) {
        interpret(&run, run.at, length);
    }
    const uint8_t *operation_at = zero != NULL ? zero + 1 : run.end;
    const uint8_t *end = bytes + size;
    for (int i = 0; i < OPS_PER_CASE && operation_at < end; i++, operation_at = run.end) {
        run.at = operation_at;
        run.end = end - operation_at > FZ_OPERATION_BYTES ? operation_at + FZ_OPERATION_BYTES : end;
        fz_run_operation(&run);
    }
    fvm_flush(run.vm);
    fvm_snapshot *final_state = world->compare ? fvm_snapshot_take(run.vm) : NULL;
    /* The bare kernel lacks words that the health check needs. */
    check_health(&run, world->bases[base == 0 ? 1 : base]);
    for (int i = 0; i < FZ_SNAPSHOTS; i++) {
        fvm_snapshot_free(run.snapshots[i]);
    }
    return final_state;
}

/* Returns the number of steps between profile samples, which depends on the case.  Short intervals
 * cause many side exits. */
static int64_t slice_length(const uint8_t *bytes, size_t size) {
    static const int64_t slices[] = {2, 20, 150, 700};
    return size > 1 && (bytes[1] & FZ_RUN_LINES) != 0 ? slices[size % 4] : 2;
}

/* Runs the case traced or, with world->tiers, with the JIT.  In a traced run the hook on_trace
 * (world.c) inspects the VM at every stop. */
static fvm_snapshot *run_alternative(fz_world *world, const uint8_t *bytes, size_t size) {
    fvm_trace_until always = {.most_calls = INT32_MAX, .calls = -1}; /* true before every token */
    if (world->tiers) {
        fvm_set_option(world->vm, FVM_OPT_TIER, slice_length(bytes, size));
    } else {
        fz_require(fvm_trace_attach(world->vm) == FVM_OK, "trace attached");
        fvm_trace_stop_failures(world->vm, 1);
        if (size % 4 == 0) {
            fvm_trace_go_until(world->vm, &always);
        }
    }
    fvm_snapshot *final_state = run_case(world, bytes, size);
    fvm_trace_detach(world->vm);
    fvm_set_option(world->vm, FVM_OPT_TIER, 0);
    return final_state;
}

/* Returns whether the case contains the word TIMER: the results of timers differ from run to run.
 */
static int reads_timer(const uint8_t *bytes, size_t size) {
    static const char name[] = "TIMER";
    for (size_t at = 0; at + sizeof name - 1 <= size; at++) {
        if (memcmp(bytes + at, name, sizeof name - 1) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Adds the memory of a state to the digest. */
static void digest_state(fz_world *world, const fvm_snapshot *state) {
    uint8_t bytes[256];
    uint32_t length;
    for (fvm_addr at = 0; (length = fvm_snapshot_read(state, at, bytes, sizeof bytes)) > 0;
         at += length) {
        for (uint32_t i = 0; i < length; i++) {
            fz_add_to_digest(world, bytes[i]);
        }
    }
}

/* Runs the case in the interpreter and then with run_alternative; returns whether the outcomes are
 * equal.  If they are not, sets *first_digest to a digest of the interpreter's outcome, and
 * *differs to the name of what differs. */
static int compare_runs(fz_world *world, const uint8_t *bytes, size_t size, uint64_t *first_digest,
                        const char **differs) {
    fvm_snapshot *final_state = run_case(world, bytes, size);
    uint64_t digest = world->digest;
    fvm_snapshot *alternative_state = run_alternative(world, bytes, size);
    fz_require(final_state != NULL && alternative_state != NULL, "states taken");
    int equal = fvm_snapshot_equal(final_state, alternative_state);
    *differs = world->digest != digest ? "statuses, locations and output of both runs"
                                       : "state after both runs";
    equal = equal && world->digest == digest;
    world->digest = digest;
    if (!equal) {
        digest_state(world, final_state);
    }
    *first_digest = world->digest;
    fvm_snapshot_free(final_state);
    fvm_snapshot_free(alternative_state);
    return equal;
}

void fz_case_run(fz_world *world, const uint8_t *bytes, size_t size) {
    if (!world->compare || reads_timer(bytes, size)) {
        fvm_snapshot_free(run_case(world, bytes, size));
        return;
    }
    uint64_t first_digest = 0, second_digest = 0;
    const char *differs = NULL;
    /* A difference is reported only if a second attempt also finds a difference, with the same
     * outcome of the interpreter.  Otherwise the outcome of the case depends on state outside the
     * image that an earlier case has changed. */
    if (!compare_runs(world, bytes, size, &first_digest, &differs)) {
        if (!compare_runs(world, bytes, size, &second_digest, &differs)) {
            fz_require(first_digest != second_digest, differs);
            return;
        }
        world->repeated++;
    }
    world->compared++;
}
