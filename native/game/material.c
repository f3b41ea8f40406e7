/* material.c: the differences of the values of pieces and of places between players.
 *
 * board_totals.c keeps the material of a board up to date. */
#include "vm/primitives.h"
#include "vm/fast_path.h"
#include "game/game.h"

/* Stores the values of the player's pieces minus the values of all others in *sum; false: the board
 * has no totals that include all pieces. */
static inline bool find_material(fvm *vm, fvm_cell positions, fvm_cell player, uint32_t *sum) {
    const fvm_board_totals *const t = fvm_count_material(vm);
    if (t == NULL || t->unknown != 0 || positions < 0 || (uint32_t)positions > t->count)
        return false;
    const uint32_t own = (player & FVM_NEUTRAL) == 0 ? t->owned[FVM_PLAYER_NUMBER(player)] : 0;
    *sum = own - (t->all - own);
    return true;
}

/* What a piece adds to the material of a player: its value, negative for other players. */
static uint32_t material_of(const fvm *vm, fvm_addr table, fvm_cell piece, fvm_cell player) {
    const fvm_addr at = table + FVM_PIECE_BYTES * ((uint32_t)FVM_TYPE(piece) - 1) + FVM_FIELD_VALUE;
    if (piece == 0 || (piece & FVM_NEUTRAL) != 0 || table == 0 || !fvm_in(vm, at, 4))
        return 0;
    const uint32_t value = (uint32_t)fvm_get(vm, at);
    return FVM_OWNER(piece) == player ? value : 0u - value;
}

fvm_status fvm_word_material(fvm *vm) {
    enum { CHUNK = 1024 }; /* board positions between checks of the limits */
    fvm_status status = fvm_need(vm, 1);
    if (status != FVM_OK)
        return status;
    const fvm_cell player = FVM_OWNER(fvm_drop(vm));
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces);
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.positions);
    uint32_t sum = 0;
    const bool found = find_material(vm, positions, player, &sum);
    for (fvm_cell pos = 0; pos < positions && !found; pos++) {
        const fvm_addr cell = board + 4u * (uint32_t)pos;
        if (!fvm_in(vm, cell, 4))
            return fvm_fail(vm, FVM_ERR_NO_GAME, 0, "there is no board");
        sum += material_of(vm, table, fvm_get(vm, cell), player);
        if (pos % CHUNK == CHUNK - 1 && (status = fvm_charge_work(vm, CHUNK)) != FVM_OK)
            return status;
    }
    status = fvm_spend(vm, (uint32_t)positions / 16);
    return status == FVM_OK ? fvm_put_top(vm, (fvm_cell)sum) : status;
}

/* The address of the value of a place for the piece on it, 0: it has none; tables: see
 * $PlaceBalance. */
static inline fvm_addr place_value(const fvm *vm, fvm_addr tables, uint32_t types, fvm_cell piece,
                                   uint32_t pos) {
    const uint32_t kind = ((uint32_t)FVM_PLAYER_NUMBER(piece) - 1) * types;
    const fvm_addr row = tables + 4 * (kind + (uint32_t)FVM_TYPE(piece) - 1);
    const fvm_addr table = fvm_in_cell(vm, row) ? (fvm_addr)fvm_get(vm, row) : 0;
    return table != 0 ? table + 4 * pos : 0;
}

fvm_status fvm_word_place_balance(fvm *vm) {
    fvm_cell tables, player;
    FVM_TRY(fvm_drop_two(vm, &tables, &player));
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const uint32_t positions = (uint32_t)fvm_lib_get(vm, vm->lib.positions);
    const uint32_t types = (uint32_t)fvm_lib_get(vm, vm->lib.piece_count);
    if (board == 0 || positions > INT32_MAX / 4 || !fvm_in(vm, board, 4 * positions))
        return fvm_fail(vm, FVM_ERR_NO_GAME, 0, "there is no board");
    uint32_t sum = 0;
    for (uint32_t pos = 0; pos < positions; pos++) {
        const fvm_cell piece = fvm_cell_in(vm->mem, board + 4 * pos);
        if (piece == 0 || FVM_PLAYER_NUMBER(piece) == 0 || FVM_TYPE(piece) == 0)
            continue;
        const fvm_addr at = place_value(vm, (fvm_addr)tables, types, piece, pos);
        if (at == 0)
            continue;
        if (!fvm_in_cell(vm, at))
            return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)at, "%s", "");
        const uint32_t value = (uint32_t)fvm_get(vm, at);
        sum += FVM_OWNER(piece) == player ? value : 0u - value;
    }
    FVM_TRY(fvm_spend(vm, positions / 16));
    return fvm_put_top(vm, (fvm_cell)sum);
}
