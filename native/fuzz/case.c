/* case.c: runs one fuzz case.
 *
 * Owns the operations and the invariants that hold after every case; must not know where cases come
 * from.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4, MOVES = 64, OPS_PER_CASE = 96 };

typedef struct {
    fz_world *world;
    fvm *vm;
    const uint8_t *at;
    const uint8_t *end;
    fvm_snapshot *slots[SLOTS];
    fvm_addr moves[MOVES];
    int32_t move_count;
} fz_run;

static void require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz: invariant broken: %s\n", what);
        abort();
    }
}

void fz_mix(fz_world *world, uint64_t what) {
    world->digest = (world->digest ^ what) * 0x100000001B3u;
}

/* --- operands --------------------------------------------------------------------- */

static uint32_t take(fz_run *run, int bytes) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value = value << 8 | (run->at < run->end ? *run->at++ : 0);
    }
    return value;
}

/* An address or cell that is more often near something than anywhere. */
static uint32_t take_value(fz_run *run) {
    const fz_world *world = run->world;
    uint32_t kind = take(run, 1);
    switch (kind % 8) {
    case 0:
        return take(run, 4);
    case 1:
        return take(run, 4) % (fvm_memory_size(run->vm) + 64);
    case 2:
        return fvm_here(run->vm) + (uint32_t)(int32_t)(int16_t)take(run, 2);
    case 3:
        return world->words[take(run, 2) % (uint32_t)world->word_count].cfa;
    case 4: {
        fvm_addr cfa = world->words[take(run, 2) % (uint32_t)world->word_count].cfa;
        return fvm_body(run->vm, cfa) + 4 * (take(run, 1) % 16);
    }
    case 5:
        return (uint32_t)(int32_t)(int8_t)take(run, 1);
    case 6:
        return run->move_count > 0
                   ? run->moves[take(run, 1) % (uint32_t)run->move_count] + take(run, 1)
                   : 0;
    default:
        return 0x80000000u >> take(run, 1) % 32;
    }
}

/* Where it failed, and in which calls. */
static void mix_place(fz_world *world, const fvm_error *error) {
    fz_mix(world, error->ip);
    fz_mix(world, error->word);
    fz_mix(world, error->source_pos);
    if (error->status == FVM_ERR_ADDRESS || error->status == FVM_ERR_BAD_CODE) {
        fz_mix(world, (uint32_t)error->value); /* which says nothing elsewhere */
    }
    for (int i = 0; i < error->trace_count; i++) {
        fz_mix(world, error->trace[i]);
    }
}

static void note(fz_run *run, fvm_status status) {
    const fvm_error *error = fvm_last_error(run->vm);
    run->world->statuses[(unsigned)status & 127]++;
    fz_mix(run->world, (uint64_t)status);
    fz_mix(run->world, (uint64_t)fvm_steps(run->vm));
    if (status != FVM_OK) {
        mix_place(run->world, error);
    }
    require(status >= 0 && (status <= FVM_ERR_STOPPED || status == FVM_EXIT_VERIFY),
            "status is known");
    require(fvm_status_name(status) != NULL, "status has a name");
    require(memchr(error->text, 0, sizeof error->text) != NULL, "error text ends");
    require(error->trace_count >= 0 && error->trace_count <= 64 &&
                error->trace_count <= error->trace_total,
            "trace fits");
}

static void list_moves(fz_run *run) {
    int32_t total = fvm_move_list(run->vm, run->moves, MOVES);
    run->move_count = total < 0 ? 0 : total > MOVES ? MOVES : total;
}

/* --- operations ------------------------------------------------------------------- */

static void op_write(fz_run *run) {
    fvm_addr addr = take_value(run);
    fvm_cell cell = (fvm_cell)take_value(run);
    note(run, fvm_write(run->vm, addr, &cell, sizeof cell));
}

static void op_spray(fz_run *run) { /* a run of cells, as a stray MOVE would leave */
    uint8_t bytes[512];
    fz_random random = {take(run, 4) | 1};
    fvm_addr addr = take_value(run);
    uint32_t count = take(run, 1) % 64;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)fz_next(&random);
    }
    fz_run source = *run;
    source.at = bytes;
    source.end = bytes + sizeof bytes;
    for (uint32_t i = 0; i < count; i++) {
        fvm_cell cell = (fvm_cell)take_value(&source);
        (void)fvm_write(run->vm, addr + 4 * i, &cell, sizeof cell);
    }
}

static void op_execute(fz_run *run) { note(run, fvm_execute(run->vm, take_value(run))); }

static void op_execute_newest(fz_run *run) {
    fvm_addr nfa = fvm_latest(run->vm);
    for (uint32_t skip = take(run, 1) % 4; skip > 0 && nfa != 0; skip--) {
        nfa = fvm_previous(run->vm, nfa);
    }
    if (nfa != 0) {
        note(run, fvm_execute(run->vm, nfa + 12));
    }
}

static void op_push(fz_run *run) { note(run, fvm_push(run->vm, (fvm_cell)take_value(run))); }

static void op_pop(fz_run *run) {
    fvm_cell value = 0;
    note(run, fvm_pop(run->vm, &value));
}

static void op_take(fz_run *run) {
    fvm_snapshot **slot = &run->slots[take(run, 1) % SLOTS];
    fvm_snapshot_free(*slot);
    *slot = fvm_snapshot_take(run->vm);
    require(*slot != NULL, "snapshot taken");
}

static void op_restore(fz_run *run) {
    fvm_snapshot *slot = run->slots[take(run, 1) % SLOTS];
    if (slot != NULL) {
        note(run, fvm_snapshot_restore(run->vm, slot));
        fvm_snapshot *again = fvm_snapshot_take(run->vm);
        require(again != NULL && fvm_snapshot_equal(slot, again), "restored as it was");
        fvm_snapshot_free(again);
        run->move_count = 0;
    }
}

static void op_compare(fz_run *run) {
    fvm_snapshot *a = run->slots[take(run, 1) % SLOTS];
    fvm_snapshot *b = run->slots[take(run, 1) % SLOTS];
    fvm_cell cells[16];
    if (a == NULL || b == NULL) {
        return;
    }
    int equal = fvm_snapshot_equal(a, b);
    require(equal == fvm_snapshot_equal(b, a), "equality is symmetric");
    require(a != b || equal, "equal to itself");
    uint32_t pages = fvm_snapshot_size(a) / fvm_page_size();
    uint32_t page = take(run, 2);
    if (page < pages && page < fvm_snapshot_size(b) / fvm_page_size()) {
        require(!equal || fvm_snapshot_page_same(a, b, page), "equal in every page");
    }
    (void)fvm_snapshot_read(a, take_value(run), cells, sizeof cells);
    (void)fvm_snapshot_stack(a, cells, 16);
}

static void op_patch(fz_run *run) {
    fvm_snapshot **slot = &run->slots[take(run, 1) % SLOTS];
    fvm_addr addrs[4];
    fvm_cell cells[4];
    fvm_cell stack[3];
    for (int i = 0; i < 4; i++) {
        addrs[i] = take_value(run);
        cells[i] = (fvm_cell)take(run, 4);
    }
    for (int i = 0; i < 3; i++) {
        stack[i] = (fvm_cell)take(run, 2);
    }
    if (*slot != NULL) {
        fvm_snapshot *patched = fvm_snapshot_patch(*slot, addrs, cells, 4, stack, 3);
        if (patched != NULL) { /* NULL: an address outside */
            fvm_snapshot_free(*slot);
            *slot = patched;
        }
    }
}

static void op_bind(fz_run *run) {
    note(run, fvm_bind(run->vm));
    note(run, fvm_game_check(run->vm));
}

static void op_new(fz_run *run) {
    note(run, fvm_game_new(run->vm));
    note(run, fvm_game_setup(run->vm));
    run->move_count = 0;
}

static void op_generate(fz_run *run) {
    int32_t count = 0;
    fvm_status status = fvm_game_generate(run->vm, &count);
    note(run, status);
    if (status == FVM_OK) {
        list_moves(run);
    }
}

static void op_over(fz_run *run) {
    fvm_cell result = 0;
    note(run, fvm_game_over(run->vm, &result));
}

static void op_make(fz_run *run) {
    uint32_t pick = take(run, 1);
    int32_t partial = 0;
    list_moves(run);
    if (run->move_count > 0) {
        fvm_addr move = run->moves[pick % (uint32_t)run->move_count];
        note(run, fvm_game_make(run->vm, move, &partial));
        op_generate(run);
        if (partial && run->move_count == 0) {
            note(run, fvm_game_end_turn(run->vm));
        }
    }
}

static void op_make_any(fz_run *run) {
    int32_t partial = 0;
    note(run, fvm_game_make(run->vm, take_value(run), &partial));
}

static void op_end_turn(fz_run *run) { note(run, fvm_game_end_turn(run->vm)); }

static void op_edit(fz_run *run) {
    fvm_cell player = (fvm_cell)take(run, 2);
    fvm_cell type = (fvm_cell)take(run, 1);
    fvm_cell pos = (fvm_cell)take_value(run);
    note(run, fvm_game_edit_add(run->vm, player, type, pos));
    note(run, fvm_game_edit_remove(run->vm, (fvm_cell)take_value(run)));
}

static void op_perft(fz_run *run) {
    int64_t count = 0;
    uint32_t what = (uint32_t)take(run, 1);
    note(run, fvm_perft(run->vm, (int32_t)(what % 3), what >> 7 & 1, &count));
}

static fvm_limits take_limits(fz_run *run) {
    fvm_limits limits = {0};
    limits.depth_limit = (int32_t)(int8_t)take(run, 1) % 4;
    limits.variety = (int32_t)(take(run, 1) % 12);
    if (run->world->traced) {
        limits.variety = 0; /* the state of the noise is not restored between searches */
    }
    limits.node_limit = (int64_t)take(run, 1);
    return limits;
}

/* The native searches with random features; their results must be plausible. */
static void think(fz_run *run, const fvm_limits *limits, uint32_t how) {
    fvm_line lines[2];
    fvm_deepening_result result;
    fvm_tt *cache = how & 1 ? fvm_tt_new(1 << 16) : NULL;
    fvm_deepening_options options = {.method = (int32_t)(how % 3),
                                     .features = how & 8 ? 255 : how,
                                     .depth = limits->depth_limit < 1 ? 1 : limits->depth_limit,
                                     .nodes = limits->node_limit + 1,
                                     .chance = how & 2 ? 4 : 0,
                                     .lines = how & 4 ? 2 : 1,
                                     .extension = 3};
    fvm_addr here = fvm_here(run->vm);
    fvm_status status = fvm_deepening_search(run->vm, &options, cache, lines, &result);
    note(run, status);
    if (status == FVM_OK) {
        require(result.lines >= 1 && result.lines <= options.lines, "lines of a search");
        require(lines[0].length >= 0 && lines[0].length <= FVM_LINE_MOVES, "length of a line");
        require(fvm_here(run->vm) == here, "HERE after a search");
    }
    if (cache != NULL) {
        fvm_tt_free(cache);
    }
}

static void grow_tree(fz_run *run, const fvm_limits *limits, uint32_t how) {
    fvm_tree *tree = fvm_tree_new(500);
    fvm_tree_options options = {.iterations = limits->node_limit % 40 + 1,
                                .chance = how & 2 ? 4 : 0,
                                .seed = how,
                                .playout_plies = (int32_t)(how & 8) * 3,
                                .exploration = 0.7,
                                .history = how & 4 ? 1 : 0};
    fvm_tree_result result;
    require(tree != NULL, "a tree");
    fvm_addr here = fvm_here(run->vm);
    fvm_status status = fvm_tree_grow(run->vm, tree, &options, &result);
    note(run, status);
    if (status == FVM_OK) {
        require(fvm_here(run->vm) == here, "HERE after a tree search");
        require(fvm_tree_size(tree) <= 500, "nodes of a tree");
        (void)fvm_tree_follow(tree, 0);
    }
    fvm_tree_free(tree);
}

static void op_search(fz_run *run) {
    fvm_limits limits = take_limits(run);
    fvm_search_result result;
    note(run, fvm_search_axiom(run->vm, &limits, &result));
    uint32_t more = (uint32_t)take(run, 1);
    if (more % 4 == 0) {
        fvm_search_reset(run->vm);
    }
    if ((more >> 2) % 3 == 1) {
        think(run, &limits, more >> 4);
    } else if ((more >> 2) % 3 == 2) {
        grow_tree(run, &limits, more >> 4);
    }
}

static void op_engine(fz_run *run) {
    fvm_limits limits = take_limits(run);
    fvm_search_result result;
    char best[64];
    int32_t size = (int32_t)(take(run, 1) % sizeof best) + 1;
    fvm_status status = fvm_engine_run(run->vm, &limits, &result, best, size);
    note(run, status);
    if (status == FVM_OK) {
        require(memchr(best, 0, (size_t)size) != NULL, "best move's text ends");
    }
}

static void op_free_lists(fz_run *run) {
    fvm_game_free_lists(run->vm);
    run->move_count = 0;
}

static void op_hash(fz_run *run) { (void)fvm_position_hash(run->vm); }

static void op_describe(fz_run *run) {
    fvm_addr move = take_value(run);
    char text[40];
    fvm_change changes[8];
    fvm_addr start = 0;
    int32_t room = (int32_t)(take(run, 1) % 9);
    int32_t size = (int32_t)(take(run, 1) % sizeof text) + 1;
    int32_t length = fvm_move_text(run->vm, move, text, size);
    if (length >= 0) {
        require(length < size && text[length] == 0, "move text ends at its length");
    }
    (void)fvm_move_changes(run->vm, move, changes, room);
    (void)fvm_move_type(run->vm, move);
    (void)fvm_move_code(run->vm, move, &start);
}

static void op_interpret(fz_run *run) {
    static const char *texts[] = {
        ": zz DUP ; 3 zz . .",
        "FORGET zz",
        "$GenerateMoves",
        "FALSE 0 current-player FALSE 0 $GenerateMoves",
        "HERE 0 , DP !",
        "$CloneBoard",
        "$DeallocateBoard",
        ": q q ; q",
        "BEGIN UNTIL",
        "1000000000 ALLOT",
        "DECIMAL",
        "HERE 100000000 65 FILL",
        "PAD DUP 100000000 MOVE",
        "$movesList @ .",
    };
    const char *text = texts[take(run, 1) % (sizeof texts / sizeof *texts)];
    note(run, fvm_interpret(run->vm, text, (uint32_t)strlen(text), run->world->source,
                            (int)(take(run, 1) % 2)));
}

static void op_inspect(fz_run *run) {
    fvm_addr addr = take_value(run);
    char name[24];
    uint8_t bytes[16];
    uint32_t pos = 0;
    (void)fvm_source_at(run->vm, addr);
    (void)fvm_word_at(run->vm, addr);
    (void)fvm_name(run->vm, addr, name, (int32_t)sizeof name);
    (void)fvm_previous(run->vm, addr);
    (void)fvm_body(run->vm, addr);
    (void)fvm_primitive(run->vm, addr);
    (void)fvm_read(run->vm, addr, bytes, sizeof bytes);
    (void)fvm_find(run->vm, name);
    (void)fvm_warning(run->vm, (int32_t)take(run, 1), name, (int32_t)sizeof name, &pos);
}

static void op_option(fz_run *run) {
    uint32_t what = take(run, 1);
    int64_t value = (int64_t)(int32_t)take(run, 2);
    if (what % 3 == 0) {
        fvm_seed(run->vm, (int32_t)(what / 3 % 3) + 1, (fvm_cell)take(run, 4));
    } else if (what % 3 == 1) {
        fvm_set_option(run->vm, FVM_OPT_CHECKED, value & 1);
    } else {
        fvm_set_option(run->vm, FVM_OPT_DEPTH, 1 + (value & 4095));
    }
}

static void op_budget(fz_run *run) { fvm_budget(run->vm, 1 + (int64_t)take(run, 1), 0); }

static void op_interrupt(fz_run *run) {
    fvm_interrupt(run->vm);
    op_execute(run);
    fvm_clear_interrupt(run->vm);
}

static void op_engine_stop(fz_run *run) {
    if (run->world->traced) {
        return; /* when a run notices depends on what had to be translated */
    }
    fvm_engine_stop(run->vm, (int32_t)(take(run, 1) % 3));
}

static void op_define(fz_run *run) {
    note(run, fvm_define_host_word(run->vm, "host-new", (int32_t)take(run, 1)));
}

static void op_stack(fz_run *run) {
    (void)fvm_depth(run->vm);
    (void)fvm_pick(run->vm, (int32_t)take_value(run));
    if (take(run, 1) % 4 == 0) {
        fvm_clear_stack(run->vm);
    }
}

/* Reads a variable that the kernel uses, and may overwrite it with anything. */
static void op_variable(fz_run *run) {
    static const char *names[] = {
#define FVM_LIBRARY_VARIABLE(field, name) name,
#define FVM_LIBRARY_WORD(field, name)
#include "tables/library_names.def"
        "nosuch", "DUP"};
    int found = 0;
    const char *name = names[take(run, 1) % (sizeof names / sizeof *names)];
    fvm_cell cell = fvm_variable(run->vm, name, &found);
    fvm_addr nfa = fvm_find(run->vm, name);
    if (found && name[0] == '$' && nfa != 0) {
        fvm_cell value = (fvm_cell)take_value(run);
        fvm_addr addr = take(run, 1) % 4 != 0 ? fvm_body(run->vm, nfa + 12) : (fvm_addr)cell;
        (void)fvm_write(run->vm, addr, &value, sizeof value);
    }
}

static void (*const operations[FZ_OPS])(fz_run *) = {
    op_write,     op_spray,   op_execute,     op_execute_newest, op_push,      op_pop,
    op_take,      op_restore, op_compare,     op_patch,          op_bind,      op_new,
    op_generate,  op_over,    op_make,        op_make_any,       op_end_turn,  op_edit,
    op_perft,     op_search,  op_engine,      op_free_lists,     op_hash,      op_describe,
    op_interpret, op_inspect, op_option,      op_budget,         op_interrupt, op_variable,
    op_define,    op_stack,   op_engine_stop,
};

/* --- a case ----------------------------------------------------------------------- */

static void set_options(fz_run *run, uint32_t options) {
    static const int64_t versions[] = {150, 140, 151, 1140};
    fvm *vm = run->vm;
    fvm_clear_interrupt(vm);
    fvm_engine_stop(vm, 0);
    fvm_set_option(vm, FVM_OPT_VERSION, versions[options % 4]);
    fvm_set_option(vm, FVM_OPT_CHECKED, options >> 2 & 1);
    fvm_set_option(vm, FVM_OPT_DEPTH, 4096);
    fvm_budget(vm, options & 16 ? 200 : run->world->steps, 0);
    run->world->polls = options & 8 ? 0 : -1000000;
}

/* After any case the VM must work as before: the base can be restored exactly, and a word runs. */
static void check_health(fz_run *run, fvm_snapshot *base) {
    static const char text[] = ": health 1 2 + ; health";
    fvm *vm = run->vm;
    fvm_cell value = 0;
    fvm_clear_interrupt(vm);
    require(fvm_snapshot_restore(vm, base) == FVM_OK, "base restored");
    fvm_snapshot *again = fvm_snapshot_take(vm);
    require(again != NULL && fvm_snapshot_equal(base, again), "base is as it was");
    fvm_snapshot_free(again);
    set_options(run, 0);
    fvm_status status = fvm_interpret(vm, text, sizeof text - 1, run->world->source, 0);
    require(status == FVM_OK && fvm_pop(vm, &value) == FVM_OK && value == 3,
            "the VM works after the case");
    require(fvm_snapshot_restore(vm, base) == FVM_OK, "base restored again");
}

/* Interprets a copy of exactly that length, so that a sanitizer detects reads beyond the text. */
static void interpret(fz_run *run, const uint8_t *from, uint32_t length) {
    char *text = malloc(length);
    require(text != NULL, "memory for the text");
    memcpy(text, from, length);
    note(run, fvm_interpret(run->vm, text, length, run->world->source, 1));
    free(text);
}

static void interpret_lines(fz_run *run, const uint8_t *from, const uint8_t *end,
                            uint32_t options) {
    while (from < end) {
        const uint8_t *stop = memchr(from, '\n', (size_t)(end - from));
        stop = stop == NULL ? end : stop + 1;
        fvm_budget(run->vm, options & 16 ? 900 : run->world->steps, 0);
        interpret(run, from, (uint32_t)(stop - from));
        from = stop;
    }
    fvm_budget(run->vm, run->world->steps, 0);
}

/* What the case says; the state that it leaves, or NULL if it cannot be taken. */
static fvm_snapshot *run_case(fz_world *world, const uint8_t *bytes, size_t size) {
    fz_run run = {.world = world, .vm = world->vm, .at = bytes, .end = bytes + size};
    uint32_t base = take(&run, 1) % (uint32_t)world->base_count;
    require(fvm_snapshot_restore(run.vm, world->bases[base]) == FVM_OK, "base set");
    /* Where runs are compared: no polls, which come by the clock. */
    uint32_t options = take(&run, 1);
    options = world->traced ? options & 0xF7 : options;
    set_options(&run, options);
    fvm_search_reset(run.vm);
    (void)fvm_execute(run.vm, 0); /* fails, and so resets the word that errors outside runs name */
    world->digest = 0;
    if (base >= 2) {
        (void)fvm_bind(run.vm);
    }
    const uint8_t *zero = memchr(run.at, 0, (size_t)(run.end - run.at));
    const uint8_t *stop = zero != NULL ? zero : run.end;
    uint32_t length = (uint32_t)(stop - run.at);
    if ((options & 32) != 0) {
        interpret_lines(&run, run.at, stop, options);
    } else if (length > 0 && length <= FZ_MAX_CASE) {
        interpret(&run, run.at, length);
    }
    const uint8_t *record = zero != NULL ? zero + 1 : run.end;
    const uint8_t *end = bytes + size;
    for (int i = 0; i < OPS_PER_CASE && record < end; i++, record = run.end) {
        run.at = record;
        run.end = end - record > FZ_RECORD ? record + FZ_RECORD : end;
        uint32_t operation = take(&run, 1) % FZ_OPS;
        operations[operation](&run);
    }
    fvm_flush(run.vm);
    fvm_snapshot *left = world->traced ? fvm_snapshot_take(run.vm) : NULL;
    /* The bare kernel lacks words that the health check needs. */
    check_health(&run, world->bases[base == 0 ? 1 : base]);
    for (int i = 0; i < SLOTS; i++) {
        fvm_snapshot_free(run.slots[i]);
    }
    return left;
}

/* The length of slices between profile samples: with short slices machine code is left often. */
static int64_t slice_of(const uint8_t *bytes, size_t size) {
    static const int64_t slices[] = {2, 20, 150, 700};
    return size > 1 && (bytes[1] & 32) != 0 ? slices[size % 4] : 2;
}

/* Runs the case in the other way, traced or with the JIT; on_trace inspects the VM at every stop.
 */
static fvm_snapshot *run_otherwise(fz_world *world, const uint8_t *bytes, size_t size) {
    fvm_trace_until always = {INT32_MAX, -1, 0, 0, 0};
    if (world->tiers) {
        fvm_set_option(world->vm, FVM_OPT_TIER, slice_of(bytes, size));
    } else {
        require(fvm_trace_attach(world->vm) == FVM_OK, "trace attached");
        fvm_trace_stop_failures(world->vm, 1);
        if (size % 4 == 0) {
            fvm_trace_go_until(world->vm, &always);
        }
    }
    fvm_snapshot *left = run_case(world, bytes, size);
    fvm_trace_detach(world->vm);
    fvm_set_option(world->vm, FVM_OPT_TIER, 0);
    return left;
}

/* Whether the case contains TIMER, whose results differ from run to run. */
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
static void mix_state(fz_world *world, const fvm_snapshot *state) {
    uint8_t bytes[256];
    uint32_t length;
    for (fvm_addr at = 0; (length = fvm_snapshot_read(state, at, bytes, sizeof bytes)) > 0;
         at += length) {
        for (uint32_t i = 0; i < length; i++) {
            fz_mix(world, bytes[i]);
        }
    }
}

/* Runs the case in both ways; returns whether the outcomes are the same.  *kept: if not, a digest
 * of the first outcome. */
static int same_both_ways(fz_world *world, const uint8_t *bytes, size_t size, uint64_t *kept,
                          const char **differs) {
    fvm_snapshot *left = run_case(world, bytes, size);
    uint64_t digest = world->digest;
    fvm_snapshot *other = run_otherwise(world, bytes, size);
    require(left != NULL && other != NULL, "states taken");
    int equal = fvm_snapshot_equal(left, other);
    *differs = world->digest != digest ? "statuses, places and output of both ways to run"
                                       : "state after both ways to run";
    equal = equal && world->digest == digest;
    world->digest = digest;
    if (!equal) {
        mix_state(world, left);
    }
    *kept = world->digest;
    fvm_snapshot_free(left);
    fvm_snapshot_free(other);
    return equal;
}

void fz_case_run(fz_world *world, const uint8_t *bytes, size_t size) {
    if (!world->traced || reads_timer(bytes, size)) {
        fvm_snapshot_free(run_case(world, bytes, size));
        return;
    }
    uint64_t first = 0, again = 0;
    const char *differs = NULL;
    /* A difference is reported only if it is reproducible.  Otherwise it depends on what an earlier
     * case left in the VM outside its image. */
    if (!same_both_ways(world, bytes, size, &first, &differs)) {
        if (!same_both_ways(world, bytes, size, &again, &differs)) {
            require(first != again, differs);
            return;
        }
        world->second++;
    }
    world->compared++;
}
