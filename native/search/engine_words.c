/* engine_words.c: the engines of scripts, and the words of engines.
 *
 * It owns the reports of an engine, and the start of built-in searches by words. */
#include "search/original_search.h"

/* The minimum time in seconds from a request to stop to the forced end of a script's engine. */
#define MIN_GRACE 0.25
enum { MAX_LINKS = 1000 }; /* largest result of count_links */

/* --- reports ---------------------------------------------------------------------- */

/* Pops the address of a string, copies the string to `text` and reports it.  what: FVM_REPORT_… */
static fvm_status report_text(fvm *vm, int32_t what, fvm_addr *address, char *text) {
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        *address = (fvm_addr)fvm_drop(vm);
    if (status == FVM_OK)
        status = fvm_string_copy(vm, *address, text, FVM_TEXT_MAX + 1);
    if (status == FVM_OK && vm->hooks.report != NULL &&
        vm->hooks.report(vm->host, what, text, 0) != 0)
        status = FVM_ERR_HOST;
    return status;
}

fvm_status fvm_word_current(fvm *vm) {
    fvm_addr address;
    return report_text(vm, FVM_REPORT_CURRENT, &address, GAME(vm)->report.current);
}

fvm_status fvm_word_best(fvm *vm) {
    fvm_report *const report = &GAME(vm)->report;
    fvm_addr address = 0;
    fvm_status status = report_text(vm, FVM_REPORT_BEST, &address, report->best);
    report->has_best = status == FVM_OK;
    /* move_with_text checks whether the text is still that of this move. */
    report->move = address == GAME(vm)->decompiled_to ? GAME(vm)->decompiled : 0;
    return status;
}

/* Pops a number, stores it in *value and reports it.  what: FVM_REPORT_… */
static fvm_status report_number(fvm *vm, int32_t what, fvm_cell *value) {
    fvm_status status = fvm_need(vm, 1);
    if (status != FVM_OK)
        return status;
    *value = fvm_drop(vm);
    return vm->hooks.report != NULL && vm->hooks.report(vm->host, what, "", *value) != 0
               ? FVM_ERR_HOST
               : FVM_OK;
}

fvm_status fvm_word_score(fvm *vm) {
    return report_number(vm, FVM_REPORT_SCORE, &GAME(vm)->report.score);
}

fvm_status fvm_word_nodes(fvm *vm) {
    fvm_cell nodes = 0;
    fvm_status status = report_number(vm, FVM_REPORT_NODES, &nodes);
    GAME(vm)->report.nodes = nodes;
    if (GAME(vm)->engine_nodes > 0 && nodes >= GAME(vm)->engine_nodes && vm->engine_status == 0)
        vm->engine_status = FVM_STOP_SOON;
    return status;
}

fvm_status fvm_word_depth_report(fvm *vm) {
    return report_number(vm, FVM_REPORT_DEPTH, &GAME(vm)->report.depth);
}

fvm_status fvm_word_status(fvm *vm) {
    if (!GAME(vm)->searching)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "SearchStatus@ is for engines while they run");
    double now = fvm_now();
    if (GAME(vm)->engine_deadline > 0 && vm->engine_status == 0 && now >= GAME(vm)->engine_deadline)
        vm->engine_status = FVM_STOP_SOON;
    if (vm->engine_status == FVM_STOP_SOON && vm->halt.at > 0 &&
        now >= vm->halt.at - vm->halt.grace / 2)
        vm->engine_status = FVM_STOP_NOW;
    return fvm_put_top(vm, vm->engine_status);
}

fvm_status fvm_word_yield(fvm *vm) {
    (void)vm; /* no effect, because budget and interrupts are checked while words run */
    return FVM_OK;
}

void fvm_engine_stop(fvm *vm, int32_t status) { vm->engine_status = status; }

/* --- built-in engines as words ---------------------------------------------------- */

uint32_t fvm_original_random(fvm *vm) {
    uint64_t z = ((uint64_t)vm->noise_state << 1) | 1;
    vm->noise_state = fvm_mix(z);
    return (uint32_t)(vm->noise_state >> 32);
}

fvm_status fvm_word_negamax(fvm *vm) {
    fvm_search_result result;
    uint32_t length;
    fvm_cell time = fvm_lib_get(vm, vm->lib.search_time);
    fvm_cell depth = fvm_lib_get(vm, vm->lib.depth_limit);
    fvm_limits limits = {.depth_limit = depth > 0 ? depth : 3,
                         .variety = fvm_lib_get(vm, vm->lib.variety),
                         .seconds = time > 0 ? time / 1000.0 : 0};
    if (vm->generating)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "a search inside a move word");
    fvm_status status = fvm_original_run(vm, &limits, &result);
    if (status != FVM_OK)
        return status;
    fvm_report *const report = &GAME(vm)->report;
    status = fvm_decompile(vm, result.best, report->best, sizeof report->best, &length);
    report->has_best = status == FVM_OK;
    report->move = result.best;
    report->score = result.score;
    report->depth = result.depth;
    report->nodes = result.nodes;
    return status;
}

/* Libraries of version 151 of the original engine read the player for whom the engine searches from
 * the variable player-to-move. */
static void set_player_to_move(fvm *vm) {
    fvm_lib_put(vm, vm->lib.player_to_move, fvm_lib_get(vm, vm->lib.player));
}

fvm_status fvm_search_axiom(fvm *vm, const fvm_limits *limits, fvm_search_result *result) {
    fvm_begin(vm, FVM_PHASE_SEARCH);
    *result = (fvm_search_result){0};
    fvm_status status = vm->nesting > 0 ? FVM_OK : fvm_bind(vm);
    fvm_turn turn;
    set_player_to_move(vm);
    fvm_turn_save(vm, &turn);
    fvm_cell *base = vm->sp;
    fvm_halt outer = fvm_halt_begin(vm, limits->seconds, 0);
    if (status == FVM_OK)
        status = fvm_original_run(vm, limits, result);
    result->stopped |= fvm_halt_end(vm, outer, &status);
    vm->engine_status = 0;
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    fvm_turn_restore(vm, &turn);
    fvm_set_stack(vm, base);
    if (vm->nesting == 0)
        fvm_flush(vm);
    return status;
}

/* The move of the newest list with a text, of which up to FVM_TEXT_MAX bytes are known; if several
 * moves have it, the move that a built-in search has chosen, or whose text a script has read last.
 * 0: none. */
static fvm_addr move_with_text(fvm *vm, const char *text) {
    char move_text[FVM_TEXT_MAX + 1];
    uint32_t length;
    int32_t count;
    const fvm_addr chosen = GAME(vm)->report.move;
    fvm_addr move, first = 0;
    for (fvm_newest_list(vm, &count, &move); move != 0 && fvm_charge_work(vm, 256) == FVM_OK;
         move = fvm_next_move(vm, move)) {
        if (fvm_decompile(vm, move, move_text, sizeof move_text, &length) != FVM_OK ||
            strcmp(text, move_text) != 0)
            continue;
        if (move == chosen || chosen == 0)
            return move;
        if (first == 0)
            first = move;
    }
    return first;
}

/* Counts the lists or boards from `top` down to `end`.  Each list or board has a link to the
 * previous one, `link` bytes below its address. */
static int32_t count_links(const fvm *vm, fvm_addr top, fvm_addr end, uint32_t link) {
    int32_t count = 0;
    while (top > end && count < MAX_LINKS && fvm_in(vm, top - link, 4)) {
        top = (fvm_addr)fvm_get(vm, top - link);
        count++;
    }
    return count;
}

/* Stores in *result how many stack items, boards and lists the engine has not removed, and whether
 * it has changed the turn.  turn, base: the turn and the stack pointer before the engine ran. */
static void report_leftovers(fvm *vm, const fvm_turn *turn, const fvm_cell *base,
                             fvm_search_result *result) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    fvm_addr list = (fvm_addr)fvm_lib_get(vm, vm->lib.moves_list);
    result->items = (int32_t)(vm->sp - base);
    result->boards = count_links(vm, board, (fvm_addr)turn->values[FVM_TURN_BOARD], 4);
    result->lists = count_links(vm, list, (fvm_addr)turn->values[FVM_TURN_LIST], 0);
    result->turned = fvm_lib_get(vm, vm->lib.turn_offset) != turn->values[FVM_TURN_OFFSET];
}

fvm_status fvm_engine_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result, char *best,
                          int32_t size) {
    fvm_begin(vm, FVM_PHASE_SEARCH);
    *result = (fvm_search_result){0};
    if (size > 0)
        best[0] = 0;
    fvm_status status = vm->nesting > 0 ? FVM_OK : fvm_bind(vm);
    fvm_report *const report = &GAME(vm)->report;
    *report = (fvm_report){0};
    GAME(vm)->engine_deadline = limits->seconds > 0 ? fvm_now() + limits->seconds : 0;
    GAME(vm)->engine_nodes = limits->node_limit;
    fvm_lib_put(vm, vm->lib.depth_limit, limits->depth_limit);
    fvm_lib_put(vm, vm->lib.variety, limits->variety);
    double milliseconds = limits->seconds * 1000.0;
    fvm_lib_put(vm, vm->lib.search_time,
                milliseconds > 0 && milliseconds < INT32_MAX ? (fvm_cell)milliseconds
                : milliseconds > 0                           ? INT32_MAX
                                                             : 0);
    fvm_turn turn;
    set_player_to_move(vm);
    fvm_turn_save(vm, &turn);
    fvm_cell *base = vm->sp;
    double half = limits->seconds / 2;
    fvm_halt outer = fvm_halt_begin(vm, limits->seconds, half > MIN_GRACE ? half : MIN_GRACE);
    GAME(vm)->searching = true;
    /* From version 151 on the kernel sets $searching; before, the library does. */
    fvm_addr searching = vm->version >= 151 ? vm->lib.searching : 0;
    fvm_lib_put(vm, searching, -1);
    if (vm->nesting == 0)
        vm->running = vm->lib.on_search;
    if (status == FVM_OK)
        status = vm->lib.on_search != 0 ? fvm_run_to_exit(vm, vm->lib.on_search)
                                        : fvm_fail(vm, FVM_ERR_LIBRARY, 0, "OnSearch");
    GAME(vm)->searching = false;
    fvm_lib_put(vm, searching, 0);
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    else
        report_leftovers(vm, &turn, base, result);
    vm->halt = outer; /* not by fvm_halt_end, which would clear the error of a forced end */
    result->stopped = vm->engine_status != 0 || status == FVM_ERR_STOPPED;
    vm->engine_status = 0;
    /* Frees boards and lists that the engine has not freed, and restores the turn. */
    fvm_turn_restore(vm, &turn);
    fvm_transient_wipe(vm);
    fvm_set_stack(vm, base);
    result->score = report->score;
    result->depth = report->depth;
    result->nodes = report->nodes;
    if (report->has_best && size > 0) {
        uint32_t length = (uint32_t)strlen(report->best);
        if (length >= (uint32_t)size)
            length = (uint32_t)size - 1;
        memcpy(best, report->best, length);
        best[length] = 0;
        result->best = move_with_text(vm, report->best);
    }
    if (vm->nesting == 0)
        fvm_flush(vm);
    return status;
}
