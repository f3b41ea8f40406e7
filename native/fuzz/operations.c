/* operations.c: the operations of fuzz cases.
 *
 * Owns the opcodes, their operands and the invariants of each call.  A case begins and ends in
 * case.c.
 */
#include "operations.h"

#include <stdlib.h>
#include <string.h>

/* --- operands --------------------------------------------------------------------- */

uint32_t fz_read_operand(fz_run *run, int bytes) {
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++) {
        value = value << 8 | (run->at < run->end ? *run->at++ : 0);
    }
    return value;
}

/* Reads an operand that is used as an address or cell.  Most values are near an existing object:
 * the image, HERE, a word, a body, a move. */
static uint32_t read_value_operand(fz_run *run) {
    const fz_world *world = run->world;
    uint32_t kind = fz_read_operand(run, 1);
    switch (kind % 8) {
    case 0:
        return fz_read_operand(run, 4);
    case 1:
        return fz_read_operand(run, 4) % (fvm_memory_size(run->vm) + 64);
    case 2:
        return fvm_here(run->vm) + (uint32_t)(int32_t)(int16_t)fz_read_operand(run, 2);
    case 3:
        return world->words[fz_read_operand(run, 2) % (uint32_t)world->word_count].cfa;
    case 4: {
        fvm_addr cfa = world->words[fz_read_operand(run, 2) % (uint32_t)world->word_count].cfa;
        return fvm_body(run->vm, cfa) + 4 * (fz_read_operand(run, 1) % 16);
    }
    case 5:
        return (uint32_t)(int32_t)(int8_t)fz_read_operand(run, 1);
    case 6:
        return run->move_count > 0
                   ? run->moves[fz_read_operand(run, 1) % (uint32_t)run->move_count] +
                         fz_read_operand(run, 1)
                   : 0;
    default:
        return 0x80000000u >> fz_read_operand(run, 1) % 32;
    }
}

/* Adds the address and the callers of an error to the digest. */
static void digest_location(fz_world *world, const fvm_error *error) {
    fz_add_to_digest(world, error->ip);
    fz_add_to_digest(world, error->word);
    fz_add_to_digest(world, error->source_pos);
    if (error->status == FVM_ERR_ADDRESS || error->status == FVM_ERR_BAD_CODE) {
        fz_add_to_digest(world, (uint32_t)error->value); /* unspecified for other errors */
    }
    for (int i = 0; i < error->trace_count; i++) {
        fz_add_to_digest(world, error->trace[i]);
    }
}

void fz_record_status(fz_run *run, fvm_status status) {
    const fvm_error *error = fvm_last_error(run->vm);
    run->world->statuses[(unsigned)status & 127]++;
    fz_add_to_digest(run->world, (uint64_t)status);
    fz_add_to_digest(run->world, (uint64_t)fvm_steps(run->vm));
    if (status != FVM_OK) {
        digest_location(run->world, error);
    }
    fz_require(status >= 0 && (status <= FVM_ERR_THROW || status == FVM_EXIT_VERIFY),
               "status is known");
    fz_require(fvm_status_name(status) != NULL, "status has a name");
    fz_require(memchr(error->text, 0, sizeof error->text) != NULL, "error text ends");
    fz_require(error->trace_count >= 0 && error->trace_count <= 64 &&
                   error->trace_count <= error->trace_total,
               "trace fits");
}

static void read_move_list(fz_run *run) {
    int32_t total = fvm_move_list(run->vm, run->moves, FZ_MOVES);
    run->move_count = total < 0 ? 0 : total > FZ_MOVES ? FZ_MOVES : total;
}

/* --- operations ------------------------------------------------------------------- */

static void op_write(fz_run *run) {
    fvm_addr addr = read_value_operand(run);
    fvm_cell cell = (fvm_cell)read_value_operand(run);
    fz_record_status(run, fvm_write(run->vm, addr, &cell, sizeof cell));
}

/* Overwrites consecutive cells, as a wrong MOVE does. */
static void op_write_random(fz_run *run) {
    uint8_t bytes[512];
    fz_random random = {fz_read_operand(run, 4) | 1};
    fvm_addr addr = read_value_operand(run);
    uint32_t count = fz_read_operand(run, 1) % 64;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)fz_next(&random);
    }
    fz_run source = *run;
    source.at = bytes;
    source.end = bytes + sizeof bytes;
    for (uint32_t i = 0; i < count; i++) {
        fvm_cell cell = (fvm_cell)read_value_operand(&source);
        (void)fvm_write(run->vm, addr + 4 * i, &cell, sizeof cell);
    }
}

static void op_execute(fz_run *run) {
    fz_record_status(run, fvm_execute(run->vm, read_value_operand(run)));
}

/* Executes one of the four newest words. */
static void op_execute_newest(fz_run *run) {
    fvm_addr nfa = fvm_latest(run->vm);
    for (uint32_t skip = fz_read_operand(run, 1) % 4; skip > 0 && nfa != 0; skip--) {
        nfa = fvm_previous(run->vm, nfa);
    }
    if (nfa != 0) {
        fz_record_status(run, fvm_execute(run->vm, nfa + 12));
    }
}

static void op_push(fz_run *run) {
    fz_record_status(run, fvm_push(run->vm, (fvm_cell)read_value_operand(run)));
}

static void op_pop(fz_run *run) {
    fvm_cell value = 0;
    fz_record_status(run, fvm_pop(run->vm, &value));
}

static void op_snapshot(fz_run *run) {
    fvm_snapshot **snapshot = &run->snapshots[fz_read_operand(run, 1) % FZ_SNAPSHOTS];
    fvm_snapshot_free(*snapshot);
    *snapshot = fvm_snapshot_take(run->vm);
    fz_require(*snapshot != NULL, "snapshot taken");
}

static void op_restore(fz_run *run) {
    fvm_snapshot *snapshot = run->snapshots[fz_read_operand(run, 1) % FZ_SNAPSHOTS];
    if (snapshot != NULL) {
        fz_record_status(run, fvm_snapshot_restore(run->vm, snapshot));
        fvm_snapshot *second = fvm_snapshot_take(run->vm);
        fz_require(second != NULL && fvm_snapshot_equal(snapshot, second),
                   "the restored state equals the snapshot");
        fvm_snapshot_free(second);
        run->move_count = 0;
    }
}

static void op_compare(fz_run *run) {
    fvm_snapshot *a = run->snapshots[fz_read_operand(run, 1) % FZ_SNAPSHOTS];
    fvm_snapshot *b = run->snapshots[fz_read_operand(run, 1) % FZ_SNAPSHOTS];
    fvm_cell cells[16];
    if (a == NULL || b == NULL) {
        return;
    }
    int equal = fvm_snapshot_equal(a, b);
    fz_require(equal == fvm_snapshot_equal(b, a), "equality is symmetric");
    fz_require(a != b || equal, "equal to itself");
    uint32_t pages = fvm_snapshot_size(a) / fvm_page_size();
    uint32_t page = fz_read_operand(run, 2);
    if (page < pages && page < fvm_snapshot_size(b) / fvm_page_size()) {
        fz_require(!equal || fvm_snapshot_page_same(a, b, page), "equal in every page");
    }
    (void)fvm_snapshot_read(a, read_value_operand(run), cells, sizeof cells);
    (void)fvm_snapshot_stack(a, cells, 16);
}

static void op_patch(fz_run *run) {
    fvm_snapshot **snapshot = &run->snapshots[fz_read_operand(run, 1) % FZ_SNAPSHOTS];
    fvm_addr addrs[4];
    fvm_cell cells[4];
    fvm_cell stack[3];
    for (int i = 0; i < 4; i++) {
        addrs[i] = read_value_operand(run);
        cells[i] = (fvm_cell)fz_read_operand(run, 4);
    }
    for (int i = 0; i < 3; i++) {
        stack[i] = (fvm_cell)fz_read_operand(run, 2);
    }
    if (*snapshot != NULL) {
        fvm_snapshot *patched = fvm_snapshot_patch(*snapshot, addrs, cells, 4, stack, 3);
        if (patched != NULL) { /* NULL: an address outside the image */
            fvm_snapshot_free(*snapshot);
            *snapshot = patched;
        }
    }
}

static void op_bind(fz_run *run) {
    fz_record_status(run, fvm_bind(run->vm));
    fz_record_status(run, fvm_game_check(run->vm));
}

static void op_new(fz_run *run) {
    fz_record_status(run, fvm_game_new(run->vm));
    fz_record_status(run, fvm_game_setup(run->vm));
    run->move_count = 0;
}

static void op_generate(fz_run *run) {
    int32_t count = 0;
    fvm_status status = fvm_game_generate(run->vm, &count);
    fz_record_status(run, status);
    if (status == FVM_OK) {
        read_move_list(run);
    }
}

static void op_over(fz_run *run) {
    fvm_cell result = 0;
    fz_record_status(run, fvm_game_over(run->vm, &result));
}

static void op_make(fz_run *run) {
    uint32_t pick = fz_read_operand(run, 1);
    int32_t partial = 0;
    read_move_list(run);
    if (run->move_count > 0) {
        fvm_addr move = run->moves[pick % (uint32_t)run->move_count];
        fz_record_status(run, fvm_game_make(run->vm, move, &partial));
        op_generate(run);
        if (partial && run->move_count == 0) {
            fz_record_status(run, fvm_game_end_turn(run->vm));
        }
    }
}

static void op_make_any(fz_run *run) {
    int32_t partial = 0;
    fz_record_status(run, fvm_game_make(run->vm, read_value_operand(run), &partial));
}

static void op_end_turn(fz_run *run) { fz_record_status(run, fvm_game_end_turn(run->vm)); }

static void op_edit(fz_run *run) {
    fvm_cell player = (fvm_cell)fz_read_operand(run, 2);
    fvm_cell type = (fvm_cell)fz_read_operand(run, 1);
    fvm_cell pos = (fvm_cell)read_value_operand(run);
    fz_record_status(run, fvm_game_edit_add(run->vm, player, type, pos));
    fz_record_status(run, fvm_game_edit_remove(run->vm, (fvm_cell)read_value_operand(run)));
}

static void op_perft(fz_run *run) {
    int64_t count = 0;
    uint32_t what = (uint32_t)fz_read_operand(run, 1);
    fz_record_status(run, fvm_perft(run->vm, (int32_t)(what % 3), what >> 7 & 1, &count));
}

static fvm_limits read_limits(fz_run *run) {
    fvm_limits limits = {0};
    limits.depth_limit = (int32_t)(int8_t)fz_read_operand(run, 1) % 4;
    limits.variety = (int32_t)(fz_read_operand(run, 1) % 12);
    if (run->world->compare) {
        limits.variety = 0; /* snapshots do not contain the random state of the variety */
    }
    limits.node_limit = (int64_t)fz_read_operand(run, 1);
    return limits;
}

/* Runs iterative deepening and checks the bounds of its result.  how: random bits that select the
 * options. */
static void run_deepening(fz_run *run, const fvm_limits *limits, uint32_t how) {
    fvm_line lines[2];
    fvm_deepening_result result;
    fvm_tt *table = how & 1 ? fvm_tt_new(1 << 16) : NULL;
    fvm_deepening_options options = {.method = (int32_t)(how % 3),
                                     .features = how & 8 ? 127 : how,
                                     .depth = limits->depth_limit < 1 ? 1 : limits->depth_limit,
                                     .nodes = limits->node_limit + 1,
                                     .chance = how & 2 ? 4 : 0,
                                     .lines = how & 4 ? 2 : 1,
                                     .extension = 3};
    fvm_addr here = fvm_here(run->vm);
    fvm_status status = fvm_deepening_search(run->vm, &options, table, lines, &result);
    fz_record_status(run, status);
    if (status == FVM_OK) {
        fz_require(result.lines >= 1 && result.lines <= options.lines, "lines of a search");
        fz_require(lines[0].length >= 0 && lines[0].length <= FVM_LINE_MOVES, "length of a line");
        fz_require(fvm_here(run->vm) == here, "HERE after a search");
    }
    if (table != NULL) {
        fvm_tt_free(table);
    }
}

/* Runs MCTS and checks its result.  how: random bits that select the options. */
static void run_tree_search(fz_run *run, const fvm_limits *limits, uint32_t how) {
    fvm_tree *tree = fvm_tree_new(500);
    fvm_tree_options options = {.iterations = limits->node_limit % 40 + 1,
                                .chance = how & 2 ? 4 : 0,
                                .seed = how,
                                .playout_plies = (int32_t)(how & 8) * 3,
                                .exploration = 0.7,
                                .history = how & 4 ? 1 : 0};
    fvm_tree_result result;
    fz_require(tree != NULL, "a tree");
    fvm_addr here = fvm_here(run->vm);
    fvm_status status = fvm_tree_grow(run->vm, tree, &options, &result);
    fz_record_status(run, status);
    if (status == FVM_OK) {
        fz_require(fvm_here(run->vm) == here, "HERE after a tree search");
        fz_require(fvm_tree_size(tree) <= 500, "nodes of a tree");
        (void)fvm_tree_follow(tree, 0);
    }
    fvm_tree_free(tree);
}

static void op_search(fz_run *run) {
    fvm_limits limits = read_limits(run);
    fvm_search_result result;
    fz_record_status(run, fvm_search_axiom(run->vm, &limits, &result));
    uint32_t more = (uint32_t)fz_read_operand(run, 1);
    if (more % 4 == 0) {
        fvm_search_reset(run->vm);
    }
    if ((more >> 2) % 3 == 1) {
        run_deepening(run, &limits, more >> 4);
    } else if ((more >> 2) % 3 == 2) {
        run_tree_search(run, &limits, more >> 4);
    }
}

static void op_engine(fz_run *run) {
    fvm_limits limits = read_limits(run);
    fvm_search_result result;
    char best[64];
    int32_t size = (int32_t)(fz_read_operand(run, 1) % sizeof best) + 1;
    fvm_status status = fvm_engine_run(run->vm, &limits, &result, best, size);
    fz_record_status(run, status);
    if (status == FVM_OK) {
        fz_require(memchr(best, 0, (size_t)size) != NULL, "best move's text ends");
    }
}

static void op_free_lists(fz_run *run) {
    fvm_game_free_lists(run->vm);
    run->move_count = 0;
}

static void op_hash(fz_run *run) { (void)fvm_position_hash(run->vm); }

static void op_describe(fz_run *run) {
    fvm_addr move = read_value_operand(run);
    char text[40];
    fvm_change changes[8];
    fvm_addr start = 0;
    int32_t capacity = (int32_t)(fz_read_operand(run, 1) % 9);
    int32_t size = (int32_t)(fz_read_operand(run, 1) % sizeof text) + 1;
    int32_t length = fvm_move_text(run->vm, move, text, size);
    if (length >= 0) {
        fz_require(length < size && text[length] == 0, "move text ends at its length");
    }
    fvm_cell from[8], to[8];
    (void)fvm_list_texts(run->vm, text, size);
    (void)fvm_list_squares(run->vm, from, to, capacity < 8 ? capacity : 8);
    (void)fvm_describe_moves(run->vm, from, capacity < 8 ? capacity : 8);
    (void)fvm_move_changes(run->vm, move, changes, capacity);
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
    const char *text = texts[fz_read_operand(run, 1) % (sizeof texts / sizeof *texts)];
    fz_record_status(run, fvm_interpret(run->vm, text, (uint32_t)strlen(text), run->world->source,
                                        (int)(fz_read_operand(run, 1) % 2)));
}

static void op_inspect(fz_run *run) {
    fvm_addr addr = read_value_operand(run);
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
    (void)fvm_warning(run->vm, (int32_t)fz_read_operand(run, 1), name, (int32_t)sizeof name, &pos);
}

static void op_option(fz_run *run) {
    uint32_t what = fz_read_operand(run, 1);
    int64_t value = (int64_t)(int32_t)fz_read_operand(run, 2);
    if (what % 3 == 0) {
        fvm_seed(run->vm, (int32_t)(what / 3 % 3) + 1, (fvm_cell)fz_read_operand(run, 4));
    } else if (what % 3 == 1) {
        fvm_set_option(run->vm, FVM_OPT_CHECKED, value & 1);
    } else {
        fvm_set_option(run->vm, FVM_OPT_DEPTH, 1 + (value & 4095));
    }
}

static void op_budget(fz_run *run) { fvm_budget(run->vm, 1 + (int64_t)fz_read_operand(run, 1), 0); }

static void op_interrupt(fz_run *run) {
    fvm_interrupt(run->vm);
    op_execute(run);
    fvm_clear_interrupt(run->vm);
}

static void op_engine_stop(fz_run *run) {
    if (run->world->compare) {
        return; /* the step at which the engine stops depends on the execution tier */
    }
    fvm_engine_stop(run->vm, (int32_t)(fz_read_operand(run, 1) % 3));
}

static void op_define(fz_run *run) {
    fz_record_status(run,
                     fvm_define_host_word(run->vm, "host-new", (int32_t)fz_read_operand(run, 1)));
}

static void op_stack(fz_run *run) {
    (void)fvm_depth(run->vm);
    (void)fvm_pick(run->vm, (int32_t)read_value_operand(run));
    if (fz_read_operand(run, 1) % 4 == 0) {
        fvm_clear_stack(run->vm);
    }
}

/* Reads a variable that the kernel uses, and overwrites the variable, or the cell to which it
 * points, with a random value. */
static void op_variable(fz_run *run) {
    static const char *names[] = {
#define FVM_LIBRARY_VARIABLE(field, name) name,
#define FVM_LIBRARY_WORD(field, name)
#include "tables/library_names.def"
        "nosuch", "DUP"};
    int found = 0;
    const char *name = names[fz_read_operand(run, 1) % (sizeof names / sizeof *names)];
    fvm_cell cell = fvm_variable(run->vm, name, &found);
    fvm_addr nfa = fvm_find(run->vm, name);
    if (found && name[0] == '$' && nfa != 0) {
        fvm_cell value = (fvm_cell)read_value_operand(run);
        fvm_addr addr =
            fz_read_operand(run, 1) % 4 != 0 ? fvm_body(run->vm, nfa + 12) : (fvm_addr)cell;
        (void)fvm_write(run->vm, addr, &value, sizeof value);
    }
}

/* The operations by opcode.  generate.c has names for some of these opcodes. */
static void (*const operations[FZ_OPERATIONS])(fz_run *) = {
    op_write,     op_write_random, op_execute,     op_execute_newest, op_push,      op_pop,
    op_snapshot,  op_restore,      op_compare,     op_patch,          op_bind,      op_new,
    op_generate,  op_over,         op_make,        op_make_any,       op_end_turn,  op_edit,
    op_perft,     op_search,       op_engine,      op_free_lists,     op_hash,      op_describe,
    op_interpret, op_inspect,      op_option,      op_budget,         op_interrupt, op_variable,
    op_define,    op_stack,        op_engine_stop,
};

void fz_run_operation(fz_run *run) {
    uint32_t operation = fz_read_operand(run, 1) % FZ_OPERATIONS;
    operations[operation](run);
}
