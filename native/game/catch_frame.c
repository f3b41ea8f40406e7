/* catch_frame.c: $CatchExit, which runs a word in a frame.
 *
 * A frame is a nested run; $Exit inside ends this run only, not the move word around it.  This file
 * owns which state a frame restores: all that the kernel and the library's words change while moves
 * are generated or tried.  It must not know why a script tests something in a frame. */
#include "game/catch_frame.h"

#include "game/game.h"
#include "vm/fast_path.h"
#include "vm/run.h"

/* Kernel cells that nested generation changes. */
static const fvm_addr text_cells[] = {FVM_K_LIST_TAIL, FVM_K_LAST_POS, FVM_K_TEXT_CONTEXT,
                                      FVM_K_CHANGED_TO, FVM_K_TEXT_LENGTH};
enum { TEXT_CELLS = sizeof text_cells / sizeof *text_cells };

typedef struct {
    int32_t count; /* number of variables of the library that the frame restores */
    fvm_cell variables[FVM_FRAME_VARIABLES];
    fvm_cell texts[TEXT_CELLS];
    fvm_cell board, list, build, here, editor;
    fvm_saved_stack stack;
} catch_frame;

void fvm_catch_frame_bind(fvm *vm) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr variables[FVM_FRAME_VARIABLES] = {
        lib->from,           lib->pos,        lib->piece,   lib->player,    lib->player_name,
        lib->player_offset,  lib->for_player, lib->of_type, lib->partial,   lib->passed,
        lib->last_move_type, lib->last_pos,   lib->context, lib->changed_to};
    vm->frame_variable_count = 0;
    vm->frame_variables_end = 0;
    for (int i = 0; i < FVM_FRAME_VARIABLES; i++) {
        const fvm_addr variable = variables[i];
        if (variable == 0 || !fvm_can_set(vm, variable))
            continue;
        vm->frame_variables[vm->frame_variable_count++] = variable;
        if (variable + 4 > vm->frame_variables_end)
            vm->frame_variables_end = variable + 4;
    }
}

static inline void save(const fvm *vm, catch_frame *frame) {
    /* A snapshot that is older than the library may have been restored. */
    frame->count = vm->frame_variables_end <= vm->high ? vm->frame_variable_count : 0;
    for (int i = 0; i < frame->count; i++)
        frame->variables[i] = fvm_get(vm, vm->frame_variables[i]);
    for (int i = 0; i < TEXT_CELLS; i++)
        frame->texts[i] = fvm_get(vm, text_cells[i]);
    frame->board = fvm_lib_get(vm, vm->lib.board, 0);
    frame->list = fvm_lib_get(vm, vm->lib.moves_list, 0);
    frame->build = fvm_get(vm, FVM_K_BUILD);
    frame->here = fvm_get(vm, FVM_K_DP);
    frame->editor = fvm_get(vm, FVM_K_LAST_EDITOR);
    fvm_save_stack(vm, &frame->stack);
}

static inline void restore_cell(fvm *vm, fvm_addr cell, fvm_cell value) {
    if (fvm_get(vm, cell) != value)
        fvm_put(vm, cell, value);
}

/* Returns whether the variable has changed. */
static inline bool restore_variable(fvm *vm, fvm_addr variable, fvm_cell value) {
    if (fvm_lib_get(vm, variable, value) == value)
        return false;
    fvm_put(vm, variable, value);
    return true;
}

/* Frees the boards and lists that the word has left.  Outside move words the word may have freed
 * memory that is older than the frame, for example its caller's list; then nothing is changed. */
static inline void free_memory(fvm *vm, const catch_frame *frame) {
    const fvm_cell here = fvm_get(vm, FVM_K_DP);
    bool left = vm->generating;
    if (here < frame->here && !vm->generating)
        return;
    left = restore_variable(vm, vm->lib.board, frame->board) || left;
    left = restore_variable(vm, vm->lib.moves_list, frame->list) || left;
    if (!left || here == frame->here) /* not left: what is above HERE are definitions */
        return;
    if (here > fvm_get(vm, FVM_K_TRANSIENT_TOP))
        fvm_put(vm, FVM_K_TRANSIENT_TOP, here);
    fvm_put(vm, FVM_K_DP, frame->here);
}

/* Restores the items below the frame, too: the word may have replaced them. */
static inline void restore_stack(fvm *vm, const fvm_saved_stack *saved) {
    fvm_restore_stack(vm, saved);
    for (int32_t i = 0; i < saved->count; i++)
        vm->sp[i + 1 - saved->count] = saved->items[i];
}

static inline void restore(fvm *vm, const catch_frame *frame) {
    for (int i = 0; i < frame->count; i++)
        restore_cell(vm, vm->frame_variables[i], frame->variables[i]);
    for (int i = 0; i < TEXT_CELLS; i++)
        restore_cell(vm, text_cells[i], frame->texts[i]);
    free_memory(vm, frame);
    restore_cell(vm, FVM_K_BUILD, frame->build);
    restore_cell(vm, FVM_K_LAST_EDITOR, frame->editor);
    restore_stack(vm, &frame->stack);
}

/* Does the same as fvm_run, with a fast path. */
static inline fvm_status run(fvm *vm, fvm_addr cfa) {
    fvm_cell *const rp = vm->rp, *const rbase = vm->rbase;
    if (rp >= vm->rstack_high || vm->nesting == 0 || vm->nesting >= FVM_MAX_NESTING ||
        !fvm_can_run_directly(vm, cfa))
        return fvm_run(vm, cfa);
    fvm_set_return_base(vm, rp);
    const fvm_status status = fvm_run_directly(vm, cfa, rp);
    vm->rp = rp;
    fvm_set_return_base(vm, rbase);
    return status;
}

fvm_status fvm_run_in_frame(fvm *vm, fvm_addr cfa, bool *exited) {
    catch_frame frame;
    save(vm, &frame);
    restore_cell(vm, FVM_K_BUILD, 0); /* no move is under construction */
    fvm_status status = run(vm, cfa);
    *exited = status == FVM_EXIT_VERIFY;
    restore(vm, &frame);
    return *exited ? FVM_OK : status;
}

fvm_status fvm_word_catch_exit(fvm *vm) {
    bool exited = false;
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        status = fvm_run_in_frame(vm, (fvm_addr)fvm_drop(vm), &exited);
    return status == FVM_OK ? fvm_put_top(vm, exited ? -1 : 0) : status;
}
