/* position_memory.c: memory without what no position depends on.
 *
 * It owns the kernel's part of the account of what a position is: which of its own cells are
 * scratch memory, and that of the positions noted for repetition only the number counts and how
 * often this one is among them.  Which cells of the script are scratch memory is the caller's. */
#include "game/game.h"

static void put_if_other(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (fvm_in(vm, addr, 4) && fvm_get(vm, addr) != value)
        fvm_put(vm, addr, value);
}

/* The keys noted give way to the number of times that this position is among them. */
static fvm_status settle_repetitions(fvm *vm) {
    fvm_cell noted = fvm_get(vm, FVM_K_REPETITIONS), times = 0;
    uint64_t key = 0;
    if (noted < 0 || noted > FVM_REPETITION_ITEMS)
        return FVM_OK; /* a script wrote there: all of it counts */
    fvm_status status = noted > 0 ? fvm_repetition_key(vm, &key) : FVM_OK;
    for (fvm_cell i = 0; i < noted && status == FVM_OK; i++) {
        uint64_t other;
        memcpy(&other, vm->mem + FVM_REPETITION + 8 * i, 8);
        times += other == key;
    }
    if (status != FVM_OK)
        return status;
    for (fvm_addr at = 0; at < 8 * FVM_REPETITION_ITEMS; at += 4)
        put_if_other(vm, FVM_REPETITION + at, 0);
    put_if_other(vm, FVM_REPETITION, times);
    return FVM_OK;
}

/* A list that begins with a change of the square edited last has other texts.  Of two lists in a
 * row it is the second that counts, so that only the first one finds the square of a move: there
 * is one list inside a partial sequence, and texts of version 140 are made once. */
static void settle_texts(fvm *vm, bool by_text) {
    bool partial = fvm_lib_get(vm, vm->lib.partial, 0) == -1;
    if (!fvm_layout_140(vm) && vm->lib.last_pos == 0 && !(partial && by_text))
        put_if_other(vm, FVM_K_LAST_POS, 0);
}

/* Memory beyond HERE has no owner: freed lists may have left data there. */
static void settle_beyond(fvm *vm) {
    for (fvm_addr at = (fvm_here(vm) + 3) & ~3u; at < vm->high; at += 4)
        put_if_other(vm, at, 0);
}

/* The scan sets $piece for each piece of the player who moves. */
static void settle_piece(fvm *vm) {
    const fvm_cell owner = FVM_OWNER(fvm_lib_get(vm, vm->lib.for_player, 0));
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.scan_positions, 0);
    for (fvm_cell pos = 0; pos < positions && fvm_in(vm, board + 4u * (uint32_t)pos, 4); pos++) {
        fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)pos);
        if (piece != 0 && FVM_OWNER(piece) == owner) {
            put_if_other(vm, vm->lib.piece, 0);
            return;
        }
    }
}

fvm_status fvm_position_settle(fvm *vm, const fvm_addr *scratch, int32_t count, int32_t flags) {
    fvm_begin(vm, FVM_PHASE_GENERATE);
    fvm_status status = fvm_bind(vm);
    if (status != FVM_OK)
        return status;
    for (int32_t i = 0; i < count; i++)
        put_if_other(vm, scratch[i], 0);
    settle_texts(vm, (flags & FVM_SETTLE_TEXTS) != 0);
    if ((flags & FVM_SETTLE_PIECE) != 0)
        settle_piece(vm);
    settle_beyond(vm);
    return settle_repetitions(vm);
}

int32_t fvm_list_by_text(const fvm *vm) { return vm->began_with_change; }
