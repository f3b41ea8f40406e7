/* saved_turn.c: saves the turn before a move, and restores it afterwards.
 *
 * It owns which cells of kernel and library belong to a turn.  script_memory.c restores what moves
 * change in the script's memory. */
#include "game/game.h"
#include "vm/fast_path.h"

/* Stands for cells of variables that the library lacks: restoring it twice does no harm. */
enum { FILLER = FVM_K_LAST_EDITOR };

void fvm_turn_bind(fvm *vm) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr cells[FVM_TURN_CELLS] = {
        lib->turn_offset, lib->turn_number,    lib->player,  lib->player_offset, lib->player_name,
        lib->for_player,  lib->of_type,        lib->partial, lib->ply,           lib->board,
        lib->moves_list,  lib->last_move_type, FVM_K_DP,     FVM_K_LAST_EDITOR};
    for (int i = 0; i < FVM_TURN_CELLS; i++)
        GAME(vm)->turn_cells[i] = cells[i] != 0 ? cells[i] : FILLER;
}

void fvm_turn_save(const fvm *vm, fvm_turn *turn) {
    const uint8_t *const mem = vm->mem;
    const fvm_addr *const cells = GAME(vm)->turn_cells;
    if (FVM_UNLIKELY(!vm->bound)) {
        memset(turn, 0, sizeof *turn);
        return;
    }
    for (int i = 0; i < FVM_TURN_CELLS; i++)
        turn->values[i] = fvm_cell_in(mem, cells[i]);
}

void fvm_turn_restore(fvm *vm, const fvm_turn *turn) {
    uint8_t *const mem = vm->mem, *const dirty = vm->dirty;
    const uint8_t *const marks = vm->cells;
    const fvm_addr *const cells = GAME(vm)->turn_cells;
    if (FVM_UNLIKELY(!vm->bound))
        return;
    for (int i = 0; i < FVM_TURN_CELLS; i++) {
        const fvm_addr at = cells[i];
        if (fvm_cell_in(mem, at) == turn->values[i])
            continue;
        if (FVM_UNLIKELY(marks[at >> 2] != 0))
            fvm_write_barrier(vm, at, 4);
        dirty[at >> FVM_PAGE_SHIFT] = FVM_WRITTEN;
        fvm_put_in(mem, at, turn->values[i]);
    }
}
