/* played_game.c: one game that is played in the core as a module of WebAssembly.
 *
 * It owns the order in which the core is called, which is that of forthvm/game/states.py, and the
 * positions of the game from its start to the current one.  forthvm/web/offline/core.js calls it,
 * and implements its imports.
 *
 * A function that can fail returns a status: 0, or the fvm_status of the error that
 * play_error_text describes.  Texts are zero-terminated, in memory that malloc returned. */
#include "wasm/played_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMPORT(name) __attribute__((import_module("host"), import_name(#name))) name

/* --- functions of the host, in JavaScript ------------------------------------------ */

/* Receives output of the script. */
extern void IMPORT(print)(const char *bytes, size_t length);
/* Interprets the file `name` by play_interpret; returns a status. */
extern int32_t IMPORT(load)(const char *name);
/* Receives a report of an engine, see fvm_hooks. */
extern void IMPORT(report)(int32_t kind, const char *text, fvm_cell value);

static int on_output(void *host, const char *bytes, size_t length) {
    (void)host;
    print(bytes, length);
    return 0;
}

static int on_load(void *host, const char *name) {
    (void)host;
    return load(name);
}

static int on_report(void *host, int32_t what, const char *text, fvm_cell value) {
    (void)host;
    report(what, text, value);
    return 0;
}

/* --- the game ----------------------------------------------------------------------- */

enum { MEMORY = 1 << 20, TEXT_SIZE = 4096 };

/* Stages of a position, see states.py: memory when the position is reached, and with the list of
 * its moves.  `listed` is NULL if it can be derived from `arrived`. */
typedef struct {
    fvm_snapshot *arrived, *listed;
    fvm_addr *moves;
    int32_t count;   /* number of moves; -1 before they are listed */
    fvm_cell result; /* of OnIsGameOver, if the moves are listed */
    int32_t partial; /* 1: the last move was partial */
    int32_t skipped; /* number of successive passes of players without moves */
    int32_t changed; /* 1: an engine of the script changed `listed` */
} position;

static fvm *vm;
static fvm_snapshot *base; /* memory after loading */
static position *positions;
static int32_t depth, capacity; /* number of positions, and of items allocated */
static char text[TEXT_SIZE];
static fvm_network *network;         /* NULL: none */
static const fvm_network *evaluator; /* the network, or NULL: OnEvaluate evaluates */
static fvm_tt *table;                /* the positions searched with the evaluator */

fvm *played_vm(void) { return vm; }

static position *now(void) { return &positions[depth - 1]; }

const char *played_text(fvm_addr move) {
    static char *whole;
    static int32_t size;
    int32_t length = size > 0 ? fvm_move_text(vm, move, whole, size) : 0;
    while (length + 1 >= size) { /* possibly truncated */
        char *const grown = realloc(whole, (size_t)(size + TEXT_SIZE));
        if (grown == NULL)
            break;
        whole = grown;
        size += TEXT_SIZE;
        length = fvm_move_text(vm, move, whole, size);
    }
    return whole != NULL ? whole : "";
}

const fvm_snapshot *played_position(void) {
    return now()->changed ? now()->listed : now()->arrived;
}

static void drop_list(position *p) {
    if (p->changed)
        return;
    fvm_snapshot_free(p->listed);
    p->listed = NULL;
}

static void drop_last(void) {
    position *p = now();
    fvm_snapshot_free(p->arrived);
    fvm_snapshot_free(p->listed);
    free(p->moves);
    depth--;
}

/* Adds the position in memory as the current one. */
static fvm_status arrive(int32_t partial, int32_t skipped);

/* Stores the newest list of the VM in a position. */
static fvm_status store_moves(position *p, int32_t count) {
    free(p->moves);
    p->moves = malloc(((size_t)count + 1) * sizeof *p->moves);
    if (p->moves == NULL)
        return FVM_ERR_MEMORY;
    p->count = fvm_move_list(vm, p->moves, count);
    return FVM_OK;
}

/* Brings the current position to the stage with its list, in memory. */
static fvm_status enter(void) {
    position *p = now();
    if (p->listed != NULL)
        return fvm_snapshot_restore(vm, p->listed);
    fvm_status status = fvm_snapshot_restore(vm, p->arrived);
    fvm_listing listing = {0};
    if (status == FVM_OK)
        status = fvm_loop_list(vm, p->arrived, p->partial ? FVM_LOOP_LIST_ONLY : FVM_LOOP_BOTH,
                               &listing);
    if (status != FVM_OK)
        return status;
    p->listed = listing.state;
    if (!p->partial)
        p->result = listing.result;
    return store_moves(p, fvm_move_list(vm, NULL, 0));
}

static fvm_status arrive(int32_t partial, int32_t skipped) {
    if (depth == capacity) {
        int32_t more = capacity == 0 ? 64 : 2 * capacity;
        position *grown = realloc(positions, (size_t)more * sizeof *grown);
        if (grown == NULL)
            return FVM_ERR_MEMORY;
        positions = grown;
        capacity = more;
    }
    fvm_snapshot *arrived = fvm_loop_snapshot(vm);
    if (arrived == NULL)
        return FVM_ERR_MEMORY;
    positions[depth++] = (position){.arrived = arrived,
                                    .count = -1,
                                    .result = -2140000000, /* #UnknownScore */
                                    .partial = partial,
                                    .skipped = skipped};
    if (!partial)
        return FVM_OK;
    fvm_status status = enter();
    if (status != FVM_OK || now()->count > 0)
        return status;
    /* The partial move has no continuation: the turn passes to the next player. */
    status = fvm_game_end_turn(vm);
    drop_last();
    return status == FVM_OK ? arrive(0, skipped) : status;
}

/* --- loading ------------------------------------------------------------------------ */

/* Creates the VM.  limit: size in bytes to which its memory may grow; milliseconds: limit of each
 * hook and list. */
fvm_status EXPORT(play_new)(uint32_t limit, int32_t version, int32_t checked,
                            int32_t milliseconds) {
    static const fvm_hooks hooks = {
        .output = on_output, .load = on_load, .report = on_report, .trace = played_trace_stop};
    vm = fvm_new(MEMORY, limit);
    if (vm == NULL)
        return FVM_ERR_MEMORY;
    fvm_set_hooks(vm, &hooks, NULL);
    fvm_set_option(vm, FVM_OPT_VERSION, version);
    fvm_set_option(vm, FVM_OPT_CHECKED, checked);
    fvm_set_option(vm, FVM_OPT_HOOK_TIME, milliseconds);
    return FVM_OK;
}

/* Reserves source positions for a file; returns that of its first byte. */
uint32_t EXPORT(play_source_add)(uint32_t length) { return fvm_source_add(vm, length); }

/* Interprets a file.  at: its source position; main_file: 1 for the script of the game. */
fvm_status EXPORT(play_interpret)(const char *source, uint32_t length, uint32_t at,
                                  int32_t main_file) {
    return fvm_interpret(vm, source, length, at, main_file);
}

/* Binds the names that the core uses.  The first call follows the library: its words stay. */
fvm_status EXPORT(play_bind)(void) {
    if (fvm_get_option(vm, FVM_OPT_FENCE) == 0)
        fvm_set_option(vm, FVM_OPT_FENCE, fvm_here(vm));
    return fvm_bind(vm);
}

/* Makes a network, which searches use, with copies of the arrays. */
fvm_status EXPORT(play_network)(const fvm_network_spec *spec) {
    fvm_network_free(network);
    evaluator = network = fvm_network_new(spec);
    return network != NULL ? FVM_OK : FVM_ERR_MEMORY;
}

/* Lets searches use the network, if there is one, or not. */
void EXPORT(play_use_network)(int32_t used) {
    const fvm_network *const wanted = used ? network : NULL;
    if (wanted != evaluator && table != NULL)
        fvm_tt_clear(table);
    evaluator = wanted;
}

/* --- playing ------------------------------------------------------------------------ */

/* Begins a new game and lists its first moves.  The first call must follow loading.  seeded: 1 to
 * seed the random streams of the script.  The clock is fixed, so that moves can be repeated. */
fvm_status EXPORT(play_start)(int32_t seeded, fvm_cell seed) {
    fvm_status status = base == NULL ? fvm_game_check(vm) : fvm_snapshot_restore(vm, base);
    if (base == NULL && (base = fvm_snapshot_take(vm)) == NULL)
        return FVM_ERR_MEMORY;
    while (depth > 0)
        drop_last();
    for (int32_t stream = 1; seeded && stream <= 2; stream++)
        fvm_seed(vm, stream, seed);
    fvm_set_option(vm, FVM_OPT_FIXED_CLOCK, 1);
    fvm_set_option(vm, FVM_OPT_CLOCK, seeded ? seed : 0);
    if (status == FVM_OK)
        status = fvm_game_new(vm);
    if (status == FVM_OK)
        status = fvm_game_setup(vm);
    fvm_addr word = fvm_find(vm, "z-begin-game"); /* of a compiled rule file */
    if (status == FVM_OK && word != 0)
        status = fvm_execute(vm, word + FVM_HEADER_BYTES);
    if (status == FVM_OK)
        status = arrive(0, 0);
    return status == FVM_OK ? enter() : status;
}

int32_t EXPORT(play_count)(void) { return now()->count; }
fvm_cell EXPORT(play_result)(void) { return now()->result; }
int32_t EXPORT(play_skipped)(void) { return now()->skipped; }
int32_t EXPORT(play_is_partial)(void) { return now()->partial; }
int32_t EXPORT(play_depth)(void) { return depth - 1; }

/* The result comment, if the game has ended in this position. */
const char *EXPORT(play_comment)(void) {
    fvm_game_comment(vm, text, sizeof text);
    return text;
}

const char *EXPORT(play_move_text)(int32_t index) { return played_text(now()->moves[index]); }

/* Adds the position in memory and lists its moves; if that fails, the game is as before. */
static fvm_status proceed(int32_t partial, int32_t skipped) {
    const int32_t before = depth;
    drop_list(now());
    fvm_status status = arrive(partial, skipped);
    if (status == FVM_OK)
        status = enter();
    while (status != FVM_OK && depth > before)
        drop_last();
    return status;
}

/* Makes a move and lists the moves that follow. */
fvm_status EXPORT(play_make)(int32_t index) {
    fvm_status status = enter();
    if (status != FVM_OK)
        return status;
    int32_t made = fvm_loop_make(vm, now()->listed, now()->moves[index]);
    if (made != FVM_OK && made != FVM_LOOP_PARTIAL)
        return (fvm_status)made;
    return proceed(made == FVM_LOOP_PARTIAL, 0);
}

/* Makes a move and returns the position after it, which is not added; its `arrived` is NULL if the
 * move fails. */
static position after_move(int32_t index) {
    position found = {.arrived = NULL};
    fvm_status status = enter();
    int32_t made =
        status == FVM_OK ? fvm_loop_make(vm, now()->listed, now()->moves[index]) : (int32_t)status;
    if (made != FVM_OK && made != FVM_LOOP_PARTIAL)
        return found;
    const int32_t before = depth;
    if (arrive(made == FVM_LOOP_PARTIAL, 0) == FVM_OK)
        found = positions[--depth];
    while (depth > before)
        drop_last();
    return found;
}

/* Returns 1 if two moves lead to the same memory, 0 if not or if one of them fails. */
int32_t EXPORT(play_equal)(int32_t first, int32_t second) {
    const position one = after_move(first), other = after_move(second);
    const int32_t equal = one.arrived != NULL && other.arrived != NULL &&
                          one.partial == other.partial &&
                          fvm_snapshot_equal(one.arrived, other.arrived);
    for (int32_t at = 0; at < 2; at++) {
        const position *p = at == 0 ? &one : &other;
        fvm_snapshot_free(p->arrived);
        fvm_snapshot_free(p->listed);
        free(p->moves);
    }
    return enter() == FVM_OK && equal;
}

/* Passes for a player without moves, and lists the moves that follow. */
fvm_status EXPORT(play_pass)(void) {
    fvm_status status = enter();
    if (status == FVM_OK)
        status = fvm_game_end_turn(vm);
    return status == FVM_OK ? proceed(0, now()->skipped + 1) : status;
}

/* Takes the last move back and lists the moves of the earlier position. */
fvm_status EXPORT(play_take_back)(void) {
    if (depth > 1)
        drop_last();
    return enter();
}

/* --- reading ------------------------------------------------------------------------ */

/* Returns the value of a variable of the library; 0 if there is no such variable. */
fvm_cell EXPORT(play_variable)(const char *name) {
    int found;
    return fvm_variable(vm, name, &found);
}

/* Copies bytes of the current position's memory; returns the number of bytes. */
uint32_t EXPORT(play_read)(fvm_addr address, void *to, uint32_t length) {
    return fvm_snapshot_read(played_position(), address, to, length);
}

/* Restores the memory of the current position, without its list. */
fvm_status EXPORT(play_restore)(void) { return fvm_snapshot_restore(vm, played_position()); }

/* Runs a word with up to two arguments in the current position, with its list if `with_list`.  Its
 * output goes to the host; its changes to memory are discarded.  *result: the topmost cell. */
fvm_status EXPORT(play_call)(const char *name, int32_t with_list, int32_t count, fvm_cell first,
                             fvm_cell second, fvm_cell *result) {
    fvm_addr word = fvm_find(vm, name);
    fvm_status status = with_list ? enter() : play_restore();
    if (status != FVM_OK || word == 0)
        return status;
    fvm_clear_stack(vm);
    if (count > 0)
        status = fvm_push(vm, first);
    if (status == FVM_OK && count > 1)
        status = fvm_push(vm, second);
    fvm_budget(vm, 0, 0);
    if (status == FVM_OK)
        status = fvm_execute(vm, word + FVM_HEADER_BYTES);
    *result = fvm_pick(vm, 0);
    return status;
}

/* Describes an error. */
const char *EXPORT(play_error_text)(fvm_status status) {
    const fvm_error *error = fvm_last_error(vm);
    fvm_addr word = error->word > FVM_HEADER_BYTES ? error->word - FVM_HEADER_BYTES : 0;
    int length = snprintf(text, sizeof text, "%s", fvm_status_name(status));
    if (error->status == (int32_t)status && error->text[0] != 0)
        length += snprintf(text + length, sizeof text - (size_t)length, ": %s", error->text);
    /* An undefined word is not in the word that ran last. */
    if (error->status == (int32_t)status && word != 0 && status != FVM_ERR_UNDEFINED) {
        char name[256];
        if (fvm_name(vm, word, name, sizeof name) > 0)
            snprintf(text + length, sizeof text - (size_t)length, " (in %s)", name);
    }
    return text;
}

/* --- engines ------------------------------------------------------------------------ */

/* Stores the current memory in the position, since an engine of the script may have changed it. */
static fvm_status adopt(void) {
    position *p = now();
    fvm_snapshot *memory = fvm_snapshot_take(vm);
    if (memory == NULL)
        return FVM_ERR_MEMORY;
    if (p->listed != NULL && fvm_snapshot_equal(memory, p->listed)) {
        fvm_snapshot_free(memory);
        return FVM_OK;
    }
    fvm_snapshot_free(p->listed);
    p->listed = memory;
    p->changed = 1;
    return store_moves(p, fvm_move_list(vm, NULL, 0));
}

/* Draws a move for a chance player without an engine, as ChanceEngine does
 * (forthvm/engines/search/vm_engines.py).  *index: the move. */
fvm_status EXPORT(play_draw)(fvm_cell *index) {
    fvm_status status = enter();
    fvm_addr word = fvm_find(vm, "RAND-WITHIN");
    const int32_t count = now()->count;
    *index = 0;
    if (status != FVM_OK || word == 0)
        return status;
    fvm_budget(vm, 0, 0);
    fvm_clear_stack(vm);
    fvm_push(vm, 0);
    fvm_push(vm, count - 1);
    status = fvm_execute(vm, word + FVM_HEADER_BYTES);
    if (status == FVM_OK)
        status = fvm_pop(vm, index);
    if (*index < 0 || *index >= count)
        *index = 0;
    return status == FVM_OK ? adopt() : status;
}

/* Runs the script's engine for the player to move.  *index: the chosen move, -1: none. */
fvm_status EXPORT(play_script_engine)(int32_t depth_limit, int32_t variety, double seconds,
                                      fvm_cell *index) {
    const fvm_limits limits = {.depth_limit = depth_limit, .variety = variety, .seconds = seconds};
    fvm_search_result result;
    static char best[TEXT_SIZE];
    fvm_status status = enter();
    *index = -1;
    if (status != FVM_OK)
        return status;
    fvm_budget(vm, 0, 0);
    status = fvm_engine_run(vm, &limits, &result, best, sizeof best);
    if (status == FVM_OK)
        status = adopt();
    for (int32_t i = 0; i < now()->count && *index < 0; i++)
        if (strcmp(played_text(now()->moves[i]), best) == 0)
            *index = i;
    for (int32_t i = 0; i < now()->count && *index < 0; i++) /* a long text is not in `best` */
        if (now()->moves[i] == result.best)
            *index = i;
    return *index >= 0 ? FVM_OK : status;
}

/* Searches the current position by iterative deepening.  *index: the best move. */
fvm_status EXPORT(play_search)(int32_t method, uint32_t features, int32_t depth_limit, double nodes,
                               double seconds, uint32_t chance, int32_t count_turns, uint32_t seed,
                               int32_t samples, fvm_cell *index) {
    static fvm_line line;
    fvm_deepening_result result;
    const fvm_deepening_options options = {.method = method,
                                           .features = features,
                                           .depth = depth_limit,
                                           .nodes = (int64_t)nodes,
                                           .seconds = seconds,
                                           .chance = chance,
                                           .count_turns = count_turns,
                                           .lines = 1,
                                           .seed = seed,
                                           .samples = samples,
                                           .extension = 16,
                                           .network = evaluator};
    if (table == NULL)
        table = fvm_tt_new(16 << 20);
    fvm_status status = enter();
    if (status != FVM_OK)
        return status;
    fvm_budget(vm, 0, 0);
    status = fvm_deepening_search(vm, &options, table, &line, &result);
    if (result.off_board_cells > 0 && table != NULL)
        fvm_tt_clear(table);
    *index = line.moves[0];
    return status;
}

/* Returns the child of the root that is best: proven wins come first, proven losses last, others by
 * visits and rewards, as in forthvm/engines/search/mcts.py. */
static int32_t best_child(const fvm_tree *tree, int32_t mover) {
    enum { PROVEN_DRAW = 32 };
    fvm_tree_node root = {0}, child, best = {0};
    int32_t best_index = 0, best_proof = -1;
    fvm_tree_read(tree, 0, &root, 1);
    for (int32_t i = 0; root.first != 0 && i < root.count; i++) {
        fvm_tree_read(tree, root.first + i, &child, 1);
        int32_t proof = child.proof == mover ? 2 : child.proof == 0 || child.proof == PROVEN_DRAW;
        if (proof < best_proof)
            continue;
        if (proof > best_proof || child.visits > best.visits ||
            (child.visits == best.visits && child.sum > best.sum)) {
            best = child;
            best_proof = proof;
            best_index = i;
        }
    }
    return best_index;
}

/* Searches the current position by Monte Carlo tree search.  mover: number of the player to move.
 * *index: the best move. */
fvm_status EXPORT(play_tree_search)(double iterations, double seconds, uint32_t chance,
                                    uint32_t seed, double steps, double playout_steps,
                                    int32_t mover, fvm_cell *index) {
    const fvm_tree_options options = {.iterations = (int64_t)iterations,
                                      .seconds = seconds,
                                      .chance = chance,
                                      .seed = seed,
                                      .playout_plies = evaluator == NULL ? 1000 : 0,
                                      .exploration = 0.7,
                                      .history = 1,
                                      .steps = (int64_t)steps,
                                      .playout_steps = (int64_t)playout_steps,
                                      .network = evaluator};
    fvm_tree_result result;
    fvm_tree *tree = fvm_tree_new(1 << 18);
    if (tree == NULL)
        return FVM_ERR_MEMORY;
    fvm_status status = enter();
    fvm_budget(vm, 0, 0);
    if (status == FVM_OK)
        status = fvm_tree_grow(vm, tree, &options, &result);
    *index = best_child(tree, mover);
    fvm_tree_free(tree);
    return status;
}

/* Counts move sequences, for comparisons with the native core. */
double EXPORT(play_perft)(int32_t plies) {
    int64_t count = -1;
    if (enter() != FVM_OK)
        return -1;
    fvm_budget(vm, 0, 0);
    return fvm_perft(vm, plies, 0, &count) == FVM_OK ? (double)count : -1;
}
