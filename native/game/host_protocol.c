/* host_protocol.c: the functions with which a host plays a game: new game, set-up, OnIsGameOver,
 * moves.
 *
 * It owns the order in which hooks run.  The order follows the reference of ForthScript
 * (axiom-reference.md, section 13) and a note of the original engine's behaviour
 * (axiom-observed.md, section h). */
#include "game/game.h"
#include "vm/decode.h"

/* --- calls ----------------------------------------------------------------------- */

/* Begins a call by the host.  Binds again, because words may have been defined since the last
 * call. */
static fvm_status begin_call(fvm *vm, fvm_phase phase) {
    fvm_begin(vm, phase);
    if (vm->nesting > 0)
        return FVM_OK;
    return fvm_bind(vm);
}

/* Ends a call by the host: records a failure, empties the stack after a failure, and flushes the
 * output. */
static fvm_status end_call(fvm *vm, fvm_status status) {
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    if (vm->nesting == 0) {
        if (status != FVM_OK || fvm_depth_of(vm) < 0)
            fvm_set_stack(vm, vm->stack);
        fvm_flush(vm);
        if (status == FVM_OK && vm->failed && vm->error.status == FVM_ERR_HOST)
            status = FVM_ERR_HOST;
    }
    return status;
}

/* --- hooks ------------------------------------------------------------------------ */

/* Runs a hook, or the code of a move from an instruction on.  next: 0, or that instruction. */
static inline fvm_status run_word(fvm *vm, fvm_addr cfa, fvm_addr next, fvm_phase phase) {
    int32_t outer = vm->phase;
    vm->phase = (int32_t)phase;
    if (vm->nesting == 0)
        vm->running = cfa;
    fvm_cell *base = vm->sp;
    fvm_status status = next == 0 ? fvm_run_to_exit(vm, cfa) : fvm_run_move(vm, cfa, next);
    if (vm->sp > base && phase != FVM_PHASE_GAME_OVER && phase != FVM_PHASE_EVALUATE)
        fvm_set_stack(vm, base); /* ignore items left by a hook without a result */
    vm->phase = outer;
    return status;
}

fvm_status fvm_run_hook(fvm *vm, fvm_addr cfa, fvm_phase phase) {
    return cfa == 0 ? FVM_OK : run_word(vm, cfa, 0, phase);
}

/* Runs a hook and stores the item that it leaves on the stack in *result; 0 if it leaves no item.
 */
static fvm_status run_for_result(fvm *vm, fvm_addr cfa, fvm_phase phase, fvm_cell *result) {
    fvm_cell *base = vm->sp;
    fvm_saved_stack stack;
    fvm_save_stack(vm, &stack);
    fvm_status status = fvm_run_hook(vm, cfa, phase);
    *result = vm->sp > base ? *vm->sp : 0;
    if (status == FVM_OK && vm->checked && vm->sp <= base)
        status = fvm_fail(vm, FVM_ERR_CONTEXT, 0, "OnIsGameOver left no result on the stack");
    fvm_restore_stack(vm, &stack);
    return status;
}

fvm_status fvm_run_game_over(fvm *vm, fvm_cell *result) {
    *result = FVM_UNKNOWN;
    return vm->lib.on_game_over == 0
               ? FVM_OK
               : run_for_result(vm, vm->lib.on_game_over, FVM_PHASE_GAME_OVER, result);
}

bool fvm_hook_is_trivial(const fvm *vm, fvm_addr hook, int op) {
    const fvm_addr end = hook + FVM_BODY + (op == FVM_OP_RETURN ? 0 : 4);
    return hook == 0 ||
           (fvm_is_opcode(vm, hook, FVM_OP_COLON) && fvm_has_opcode(vm, hook + FVM_BODY, op) &&
            fvm_has_opcode(vm, end, FVM_OP_RETURN));
}

/* Omits the run of a hook that is a definition of the primitive `op` alone, and charges its step;
 * false: the hook must run. */
static inline bool omit_run(fvm *vm, fvm_addr hook, int op) {
    if (FVM_UNLIKELY(!fvm_may_omit_run(vm) || !fvm_hook_is_trivial(vm, hook, op)))
        return false;
    vm->fuel--;
    return true;
}

fvm_status fvm_run_is_terminal(fvm *vm, bool *terminal) {
    const fvm_addr hook = vm->lib.on_terminal;
    *terminal = true;
    if (hook == 0 || omit_run(vm, hook, FVM_OP_TRUE))
        return FVM_OK;
    fvm_cell *const base = vm->sp;
    const fvm_status status = fvm_run_to_exit(vm, hook);
    *terminal = vm->sp > base && *vm->sp != 0;
    fvm_set_stack(vm, base);
    return status;
}

fvm_status fvm_run_evaluate(fvm *vm, fvm_cell *value) {
    fvm_cell *const base = vm->sp;
    const fvm_status status = fvm_run_hook(vm, vm->lib.on_evaluate, FVM_PHASE_EVALUATE);
    *value = vm->sp > base ? *vm->sp : 0;
    fvm_set_stack(vm, base);
    return status;
}

fvm_status fvm_run_retract(fvm *vm) {
    const fvm_addr hook = vm->lib.on_retract;
    if (hook == 0 || !fvm_board_is_clone(vm) || !omit_run(vm, hook, FVM_OP_FREE_BOARD))
        return fvm_run_hook(vm, hook, FVM_PHASE_SEARCH);
    if (vm->nesting == 0)
        vm->running = hook;
    return FVM_OK;
}

fvm_status fvm_friends(fvm *vm, fvm_cell a, fvm_cell b, bool *friends) {
    *friends = a == b;
    fvm_addr cfa = vm->lib.on_friends;
    if (cfa == 0 || cfa == vm->primitives[FVM_OP_ON_FRIENDS])
        return FVM_OK;
    fvm_cell *base = vm->sp;
    fvm_cell result = 0;
    fvm_saved_stack stack;
    fvm_save_stack(vm, &stack);
    fvm_status status = fvm_put_top(vm, a);
    if (status == FVM_OK)
        status = fvm_put_top(vm, b);
    if (status == FVM_OK)
        status = fvm_run_to_exit(vm, cfa);
    if (status == FVM_OK && vm->sp > base)
        result = *vm->sp;
    fvm_restore_stack(vm, &stack);
    *friends = result != 0;
    return status;
}

/* --- a game ----------------------------------------------------------------------- */

fvm_status fvm_game_check(fvm *vm) {
    fvm_status status = begin_call(vm, FVM_PHASE_NEW_GAME);
    const char *missing = NULL;
    if (status == FVM_OK) {
        if (fvm_lib_get(vm, vm->lib.board) == 0 || fvm_lib_get(vm, vm->lib.positions) <= 0)
            missing = "no {board … board}";
        else if (fvm_lib_get(vm, vm->lib.player_count) <= 0)
            missing = "no {players … players}";
        else if (fvm_lib_get(vm, vm->lib.turn_order) == 0 ||
                 fvm_lib_get(vm, vm->lib.turn_limit) <= 0)
            missing = "no {turn-order … turn-order}";
        else if (vm->lib.new_game == 0)
            missing = "no $NewGame in the library";
        if (missing != NULL)
            status = fvm_fail(vm, FVM_ERR_NO_GAME, 0, "the script has %s", missing);
    }
    return end_call(vm, status);
}

void fvm_game_free_lists(fvm *vm) {
    fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    if (vm->nesting > 0 || start == 0)
        return;
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    for (int count = 0; board > start && fvm_in(vm, board - 4, 4) && count < 1 << 20; count++) {
        board = (fvm_addr)fvm_get(vm, board - 4);
        fvm_lib_put(vm, vm->lib.board, (fvm_cell)board);
    }
    fvm_lib_put(vm, vm->lib.moves_list, 0);
    fvm_put(vm, FVM_K_HOST_LIST, 0);
    fvm_put(vm, FVM_K_BUILD, 0);
    fvm_put(vm, FVM_K_LIST_TAIL, 0);
    fvm_put(vm, FVM_K_DP, (fvm_cell)start);
    fvm_cut_lists(vm, start); /* remove words defined above the lists */
    fvm_transient_end(vm);
}

fvm_status fvm_game_new(fvm *vm) {
    FVM_TRY(fvm_game_check(vm));
    fvm_game_free_lists(vm);
    fvm_put(vm, FVM_K_OVER, 0);
    fvm_search_reset(vm);
    fvm_status status = fvm_run_hook(vm, vm->lib.new_game, FVM_PHASE_NEW_GAME);
    fvm_lib_put(vm, vm->lib.turn_number, 1);
    fvm_put(vm, FVM_K_LAST_EDITOR, fvm_lib_get(vm, vm->lib.player));
    if (status == FVM_OK)
        status = fvm_run_hook(vm, vm->lib.on_new_game, FVM_PHASE_NEW_GAME);
    return end_call(vm, status);
}

/* Runs the hook OnEditAdd or OnEditRemove with `count` arguments. */
static fvm_status run_edit_hook(fvm *vm, fvm_addr hook, const fvm_cell *values, int count) {
    fvm_status status = FVM_OK;
    fvm_cell *base = vm->sp;
    for (int i = 0; i < count && status == FVM_OK; i++)
        status = fvm_put_top(vm, values[i]);
    if (status == FVM_OK)
        status = hook != 0 ? fvm_run_to_exit(vm, hook)
                           : fvm_fail(vm, FVM_ERR_LIBRARY, 0, "OnEditAdd or OnEditRemove");
    fvm_set_stack(vm, base);
    return status;
}

fvm_status fvm_game_edit_add(fvm *vm, fvm_cell player, fvm_cell type, fvm_cell pos) {
    fvm_status status = begin_call(vm, FVM_PHASE_NEW_GAME);
    const fvm_cell values[3] = {player, type, pos};
    if (status == FVM_OK)
        status = run_edit_hook(vm, vm->lib.on_edit_add, values, 3);
    return end_call(vm, status);
}

fvm_status fvm_game_edit_remove(fvm *vm, fvm_cell pos) {
    fvm_status status = begin_call(vm, FVM_PHASE_NEW_GAME);
    if (status == FVM_OK)
        status = run_edit_hook(vm, vm->lib.on_edit_remove, &pos, 1);
    return end_call(vm, status);
}

/* Finds the value of a name in {board-setup: the number of the position with the name, or what the
 * newest word with the name returns.  A script may define a word with the name of a position, for
 * example a direction. */
static fvm_status value_of_name(fvm *vm, fvm_addr text, bool is_position, fvm_cell *value) {
    char name[512];
    fvm_status status = fvm_string_copy(vm, text, name, sizeof name);
    if (status != FVM_OK)
        return status;
    *value = -1;
    if (is_position && strcmp(name, "??") != 0) /* the name of all positions without one */
        status = fvm_position_named(vm, name, value);
    if (status != FVM_OK || *value >= 0)
        return status;
    fvm_addr nfa = fvm_find_name(vm, name, (uint32_t)strlen(name));
    if (nfa == 0)
        return fvm_fail(vm, FVM_ERR_UNDEFINED, 0, "%s", name);
    return fvm_call(vm, nfa + FVM_HEADER_BYTES, value);
}

/* The table of the section {board-setup contains a count and triples of addresses of names: of a
 * player, a piece type and a board position. */
fvm_status fvm_game_setup(fvm *vm) {
    fvm_status status = begin_call(vm, FVM_PHASE_NEW_GAME);
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.board_setup);
    if (status == FVM_OK && table != 0) {
        fvm_cell count = fvm_in(vm, table, 4) ? fvm_get(vm, table) : 0;
        for (fvm_cell i = 0; i < count && status == FVM_OK; i++) {
            fvm_addr triple = table + 4u + 12u * (uint32_t)i;
            fvm_cell values[3];
            if (!fvm_in(vm, triple, 12)) {
                status = fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)triple,
                                  "the table of {board-setup is damaged");
                break;
            }
            for (int k = 0; k < 3 && status == FVM_OK; k++)
                status = value_of_name(vm, (fvm_addr)fvm_get(vm, triple + 4u * (uint32_t)k), k == 2,
                                       &values[k]);
            if (status == FVM_OK)
                status = run_edit_hook(vm, vm->lib.on_edit_add, values, 3);
        }
    }
    return end_call(vm, status);
}

/* Generates a list for the host, which replaces its previous list. */
static fvm_status renew_list(fvm *vm) {
    fvm_status status = FVM_OK;
    fvm_addr list = (fvm_addr)fvm_get(vm, FVM_K_HOST_LIST);
    if (list != 0 && list == (fvm_addr)fvm_lib_get(vm, vm->lib.moves_list)) {
        status = fvm_free_list(vm);
        fvm_transient_end(vm);
    }
    if (status == FVM_OK)
        status = fvm_generate_turn(vm);
    if (status == FVM_OK)
        fvm_put(vm, FVM_K_HOST_LIST, fvm_get(vm, vm->lib.moves_list));
    return status;
}

fvm_status fvm_game_generate(fvm *vm, int32_t *count) {
    fvm_addr first;
    *count = 0;
    fvm_status status = begin_call(vm, FVM_PHASE_GENERATE);
    if (status == FVM_OK)
        status = renew_list(vm);
    if (status == FVM_OK)
        fvm_newest_list(vm, count, &first);
    return end_call(vm, status);
}

fvm_status fvm_game_over(fvm *vm, fvm_cell *result) {
    fvm_status status = begin_call(vm, FVM_PHASE_GAME_OVER);
    *result = FVM_UNKNOWN;
    GAME(vm)->comment_length = 0;
    GAME(vm)->collecting_comment = true;
    if (status == FVM_OK)
        status = fvm_run_game_over(vm, result);
    GAME(vm)->collecting_comment = false;
    /* After the first result that ends the game, later results are ignored (FVM_K_OVER). */
    if (status == FVM_OK) {
        const bool ends = fvm_is_decided(*result);
        if (fvm_get(vm, FVM_K_OVER) != 0)
            *result = FVM_UNKNOWN;
        else if (ends)
            fvm_put(vm, FVM_K_OVER, -1);
    }
    return end_call(vm, status);
}

int32_t fvm_game_comment(const fvm *vm, char *buffer, int32_t size) {
    int32_t length = (int32_t)GAME(vm)->comment_length;
    if (size > 0) {
        int32_t copied = length < size ? length : size - 1;
        memcpy(buffer, GAME(vm)->comment, (size_t)copied);
        buffer[copied] = 0;
    }
    return length;
}

bool fvm_apply_plain(fvm *vm, fvm_addr move, fvm_move_rest *rest) {
    fvm_move_cells cells;
    *rest = (fvm_move_rest){.move = move, .next = FVM_NOT_BEGUN};
    if (!fvm_move_cells_at(vm, move, &cells))
        return false;
    rest->cfa = cells.cfa;
    rest->type = fvm_get(vm, cells.type);
    fvm_lib_put(vm, vm->lib.partial, 0);
    rest->next = fvm_apply_edits(vm, cells.cfa);
    if (rest->next != FVM_APPLIED)
        return false;
    fvm_lib_put(vm, vm->lib.last_move_type, rest->type);
    return true;
}

fvm_status fvm_apply_rest(fvm *vm, const fvm_move_rest *rest) {
    if (rest->cfa == 0)
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)rest->move, "not a move");
    const fvm_addr next = rest->next == FVM_NOT_BEGUN ? 0 : rest->next;
    fvm_status status = run_word(vm, rest->cfa, next, FVM_PHASE_APPLY);
    fvm_lib_put(vm, vm->lib.last_move_type, rest->type);
    return status;
}

fvm_status fvm_apply(fvm *vm, fvm_addr move) {
    fvm_move_rest rest;
    return fvm_apply_plain(vm, move, &rest) ? FVM_OK : fvm_apply_rest(vm, &rest);
}

fvm_status fvm_next_turn(fvm *vm) {
    fvm_lib_put(vm, vm->lib.partial, 0);
    fvm_lib_put(vm, vm->lib.turn_number, fvm_plus(fvm_lib_get(vm, vm->lib.turn_number), 1));
    return fvm_run_hook(vm, vm->lib.on_next_turn, FVM_PHASE_NEXT_TURN);
}

static bool has_stored_text(const fvm *vm, fvm_addr move) {
    fvm_move_cells cells;
    return fvm_move_cells_at(vm, move, &cells) && cells.text != 0 && fvm_get(vm, cells.text) != 0;
}

fvm_status fvm_game_make(fvm *vm, fvm_addr move, int32_t *partial) {
    char text[FVM_TEXT_BYTES];
    uint32_t length = 0;
    text[0] = 0;
    *partial = 0;
    fvm_status status = begin_call(vm, FVM_PHASE_APPLY);
    /* OnMakeAMove gets the text.  In version 140 a partial move whose text does not begin with
     * `partial` is an error; such a text is stored even if texts are unread. */
    const bool needs_text = vm->lib.on_make != 0 || vm->version == 140 || vm->records_have_texts;
    if (status == FVM_OK && needs_text && (!GAME(vm)->texts_unread || has_stored_text(vm, move)))
        status = fvm_decompile(vm, move, text, sizeof text, &length);
    if (status == FVM_OK && vm->lib.on_make != 0) {
        fvm_lib_put(vm, vm->lib.move_addr, (fvm_cell)move);
        fvm_write(vm, FVM_TEXT, text, length + 1);
        fvm_lib_put(vm, vm->lib.move_string, FVM_TEXT);
        status = fvm_run_hook(vm, vm->lib.on_make, FVM_PHASE_APPLY);
    }
    if (status == FVM_OK)
        status = fvm_apply(vm, move);
    if (status == FVM_OK && fvm_lib_get(vm, vm->lib.partial) == -1) {
        *partial = 1;
        if (vm->version == 140 && strncmp(text, "partial", 7) != 0 &&
            (!GAME(vm)->texts_unread ||
             fvm_decompile(vm, move, text, sizeof text, &length) == FVM_OK))
            status = fvm_fail(vm, FVM_ERR_PARTIAL, 0, "%s", text);
    } else if (status == FVM_OK) {
        status = fvm_next_turn(vm);
    }
    return end_call(vm, status);
}

fvm_status fvm_game_close(fvm *vm) {
    fvm_status status = begin_call(vm, FVM_PHASE_NEW_GAME);
    if (status == FVM_OK)
        status = fvm_run_hook(vm, vm->lib.on_terminate, FVM_PHASE_NEW_GAME);
    return end_call(vm, status);
}

/* If a sequence of partial moves ends because there are no moves, the original generates the next
 * player's list here, and generates it again when the host calls fvm_game_generate. */
fvm_status fvm_game_end_turn(fvm *vm) {
    fvm_status status = begin_call(vm, FVM_PHASE_NEXT_TURN);
    bool partial = fvm_lib_get(vm, vm->lib.partial) == -1;
    if (status == FVM_OK)
        status = fvm_next_turn(vm);
    if (status == FVM_OK && partial)
        status = renew_list(vm);
    return end_call(vm, status);
}
