/* stepping.c: traced generations of the moves of a position, for the debugger of a page.
 *
 * It owns what the page needs of the trace, of the live memory during a stop, and of compiled code.
 * forthvm/web/playground/trace.js calls it, and implements its import. */
#include "wasm/played_game.h"

#include "vm/decode.h"

#include <string.h>

/* Called at each stop of the trace; returns 1 to end the run. */
extern int32_t __attribute__((import_module("host"), import_name("trace"))) trace(int32_t reasons);

int played_trace_stop(void *host, int32_t reasons) {
    (void)host;
    return trace(reasons);
}

/* --- runs ---------------------------------------------------------------------------- */

fvm_status EXPORT(trace_attach)(void) { return fvm_trace_attach(played_vm()); }

void EXPORT(trace_detach)(void) { fvm_trace_detach(played_vm()); }

/* Restores the current position as it was before its moves were generated, and restarts the trace.
 * same_runs: 1 if the same runs follow as after the last call. */
fvm_status EXPORT(trace_restart)(int32_t same_runs) {
    const fvm_status status = fvm_snapshot_restore(played_vm(), played_position());
    fvm_clear_stack(played_vm());
    fvm_trace_restart(played_vm(), same_runs);
    fvm_trace_stop_failures(played_vm(), 1);
    return status;
}

/* Generates the moves of the position; *count: their number. */
fvm_status EXPORT(trace_generate)(fvm_cell *count) {
    fvm_budget(played_vm(), 0, 0);
    const fvm_status status = fvm_game_generate(played_vm(), count);
    fvm_flush(played_vm());
    return status;
}

/* Generates all moves, without OnMovesGenerated and priorities.  any_type: 1 to run the words of
 * all move types.  steps: limit, 0: none.  *count: the number of moves. */
fvm_status EXPORT(trace_generate_all)(int32_t any_type, double steps, fvm_cell *count) {
    static const char *const cleared[] = {"$move-priorities", "$ofType"};
    fvm *vm = played_vm();
    const fvm_cell none = 0;
    for (int i = 0; i < (any_type ? 2 : 1); i++) {
        const fvm_addr address = fvm_variable_address(vm, cleared[i]);
        if (address != 0)
            (void)fvm_write(vm, address, &none, sizeof none);
    }
    fvm_budget(vm, (int64_t)steps, 0);
    fvm_set_option(vm, FVM_OPT_UNFILTERED, 1);
    const fvm_status status = fvm_game_generate(vm, count);
    fvm_set_option(vm, FVM_OPT_UNFILTERED, 0);
    return status;
}

/* Returns the steps that count for the limit. */
double EXPORT(trace_steps)(void) { return (double)fvm_steps(played_vm()); }

/* Copies the addresses of up to `capacity` moves of the list; returns its length. */
int32_t EXPORT(trace_moves)(fvm_addr *moves, int32_t capacity) {
    return fvm_move_list(played_vm(), moves, capacity);
}

/* Returns the text of a move in memory, valid until the next call. */
const char *EXPORT(trace_move_text)(fvm_addr move) { return played_text(move); }

/* Starts a log of some cells; 0: ends it. */
fvm_status EXPORT(trace_log)(int32_t capacity) { return fvm_trace_log(played_vm(), capacity, 0); }

/* Moves records of the log to `to`, see fvm_trace_log; returns the number of cells moved. */
int32_t EXPORT(trace_take_log)(fvm_cell *to, int32_t capacity) {
    return fvm_trace_take_log(played_vm(), to, capacity);
}

void EXPORT(trace_stop_at)(uint32_t step) { fvm_trace_stop_at(played_vm(), step); }

void EXPORT(trace_skip_to)(uint32_t step) { fvm_trace_skip_to(played_vm(), step); }

/* Stops whenever a condition is true, see fvm_trace_until. */
void EXPORT(trace_go_until)(int32_t most_calls, uint32_t source, int32_t calls, uint32_t from,
                            uint32_t to) {
    const fvm_trace_until until = {.most_calls = most_calls,
                                   .most_runs = INT32_MAX,
                                   .calls = calls,
                                   .source = source,
                                   .from = from,
                                   .to = to};
    fvm_trace_go_until(played_vm(), &until);
}

/* Removes the condition of trace_go_until. */
void EXPORT(trace_go_on)(void) { fvm_trace_go_until(played_vm(), NULL); }

void EXPORT(trace_mark)(fvm_addr addr, int32_t set, int32_t clear) {
    fvm_trace_mark(played_vm(), addr, set, clear);
}

/* --- a stop -------------------------------------------------------------------------- */

/* Copies the current stop to the ten cells at `to`: step, cell and word of the token, its source
 * position, whether EXECUTE or the host executes it, reasons, runs of the host, nesting depth of
 * runs, open calls, and the word that generates moves. */
void EXPORT(trace_point)(uint32_t *to) {
    fvm_trace_point point;
    fvm_trace_get_point(played_vm(), &point);
    const uint32_t cells[] = {(uint32_t)point.steps,
                              point.ip,
                              point.word,
                              point.source,
                              (uint32_t)point.executed,
                              (uint32_t)point.reasons,
                              (uint32_t)point.runs,
                              (uint32_t)point.nesting,
                              (uint32_t)point.calls,
                              point.generator};
    memcpy(to, cells, sizeof cells);
}

int32_t EXPORT(trace_calls)(fvm_addr *cells, fvm_addr *words, int32_t *depths, int32_t capacity) {
    return fvm_trace_calls(played_vm(), cells, words, depths, capacity);
}

/* Copies bytes of the live memory, which play_read does not see. */
fvm_status EXPORT(trace_read)(fvm_addr addr, void *to, uint32_t length) {
    return fvm_read(played_vm(), addr, to, length);
}

fvm_addr EXPORT(trace_variable)(const char *name) {
    return fvm_variable_address(played_vm(), name);
}

/* Returns the address of the code of the move under construction, whose end is HERE; 0: none. */
fvm_addr EXPORT(trace_move)(void) {
    fvm_addr move = 0, start = 0;
    if (fvm_read(played_vm(), FVM_K_BUILD, &move, sizeof move) == FVM_OK && move != 0)
        (void)fvm_move_code(played_vm(), move, &start);
    return start;
}

/* Replaces the topmost cell of the parameter stack. */
void EXPORT(trace_replace)(fvm_cell value) {
    fvm_cell old;
    if (fvm_pop(played_vm(), &old) == FVM_OK)
        (void)fvm_push(played_vm(), value);
}

/* --- compiled code ------------------------------------------------------------------- */

uint32_t EXPORT(code_source)(fvm_addr addr) { return fvm_source_at(played_vm(), addr); }
fvm_addr EXPORT(code_latest)(void) { return fvm_latest(played_vm()); }
fvm_addr EXPORT(code_previous)(fvm_addr nfa) { return fvm_previous(played_vm(), nfa); }
fvm_addr EXPORT(code_word_at)(fvm_addr addr) { return fvm_word_at(played_vm(), addr); }

/* Returns the opcode in a code field, or -1. */
int32_t EXPORT(code_kind)(fvm_addr cfa) { return fvm_primitive(played_vm(), cfa); }

/* Decodes the instruction at an address: copies its token and operand to the two cells at `to`, and
 * returns its opcode, or -1 if there is none. */
int32_t EXPORT(code_decode)(fvm_addr addr, fvm_cell *to) {
    const fvm_instruction decoded = fvm_decode(played_vm(), addr);
    to[0] = (fvm_cell)decoded.token;
    to[1] = decoded.operand;
    return decoded.op;
}
