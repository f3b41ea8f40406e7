/* catch_frame.c: $CatchExit, which runs a word in a frame.
 *
 * A frame is a nested run; $Exit inside ends this run only, not the move word around it.  This file
 * owns which state a frame restores: all that the kernel and the library's words change while moves
 * are generated or tried. */
#include "game/catch_frame.h"

#include "game/game.h"
#include "vm/fast_path.h"
#include "vm/run.h"

/* The cells that a frame restores are in frame_cells.  Nearly every word changes the
 * first ones: `from`, `here` and the current piece. */
enum { OFTEN_CHANGED = 3 };

/* Stands for cells of variables that the library lacks: restoring it twice does no harm. */
enum { FILLER = FVM_K_LAST_EDITOR };

typedef struct {
    const fvm_addr *cells;
    fvm_cell values[FVM_FRAME_CELLS];
    fvm_cell board, list, build, here;
    fvm_saved_stack stack;
} catch_frame;

void fvm_catch_frame_bind(fvm *vm) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr cells[FVM_FRAME_CELLS] = {
        lib->from,          lib->pos,           lib->piece,          lib->player,
        lib->player_name,   lib->player_offset, lib->for_player,     lib->of_type,
        lib->partial,       lib->passed,        lib->last_move_type, lib->last_pos,
        lib->context,       lib->changed_to,    FVM_K_LIST_TAIL,     FVM_K_LAST_POS,
        FVM_K_TEXT_CONTEXT, FVM_K_CHANGED_TO,   FVM_K_TEXT_LENGTH,   FVM_K_LAST_EDITOR};
    for (int i = 0; i < FVM_FRAME_CELLS; i++)
        GAME(vm)->frame_cells[i] = cells[i] != 0 ? cells[i] : FILLER;
}

/* The cells that a frame restores.  Before a library is bound there are none. */
static inline const fvm_addr *cells_of(const fvm *vm) {
    static const fvm_addr none[FVM_FRAME_CELLS] = {
        FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER,
        FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER, FILLER};
    return vm->bound ? GAME(vm)->frame_cells : none;
}

static inline void save(const fvm *vm, catch_frame *frame) {
    const uint8_t *const mem = vm->mem;
    const fvm_addr *const cells = cells_of(vm);
    frame->cells = cells;
    for (int i = 0; i < FVM_FRAME_CELLS; i++)
        frame->values[i] = fvm_cell_in(mem, cells[i]);
    frame->board = fvm_lib_get(vm, vm->lib.board);
    frame->list = fvm_lib_get(vm, vm->lib.moves_list);
    frame->build = fvm_get(vm, FVM_K_BUILD);
    frame->here = fvm_get(vm, FVM_K_DP);
    fvm_save_stack(vm, &frame->stack);
}

static inline void restore_cell(fvm *vm, fvm_addr cell, fvm_cell value) {
    if (fvm_get(vm, cell) != value)
        fvm_put(vm, cell, value);
}

static inline void restore_cells(fvm *vm, const catch_frame *frame) {
    const uint8_t *const mem = vm->mem;
    fvm_cell changes = 0;
    for (int i = 0; i < OFTEN_CHANGED; i++)
        fvm_set(vm, frame->cells[i], frame->values[i]);
    for (int i = OFTEN_CHANGED; i < FVM_FRAME_CELLS; i++)
        changes |= fvm_cell_in(mem, frame->cells[i]) ^ frame->values[i];
    if (changes != 0)
        for (int i = OFTEN_CHANGED; i < FVM_FRAME_CELLS; i++)
            restore_cell(vm, frame->cells[i], frame->values[i]);
}

/* Returns whether the variable has changed. */
static inline bool restore_variable(fvm *vm, fvm_addr variable, fvm_cell value) {
    if (fvm_lib_get_or(vm, variable, value) == value)
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
    fvm_set_here_back(vm, (fvm_addr)frame->here);
}

/* Restores the items below the frame, too: the word may have replaced them. */
static inline void restore_stack(fvm *vm, const fvm_saved_stack *saved) {
    fvm_restore_stack(vm, saved);
    for (int32_t i = 0; i < saved->count; i++)
        vm->sp[i + 1 - saved->count] = saved->items[i];
}

static inline void restore(fvm *vm, const catch_frame *frame) {
    restore_cells(vm, frame);
    free_memory(vm, frame);
    restore_cell(vm, FVM_K_BUILD, frame->build);
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
