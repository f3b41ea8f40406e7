/* board.c: boards, material, hashes and repetition.
 *
 * It owns the contents of board cells, cloned boards and the transient memory at HERE.  It must not
 * know how moves are generated. */
#include "vm/primitives.h"
#include "vm/fast_path.h"
#include "game/game.h"

static uint32_t board_bytes(const fvm *vm) {
    return (uint32_t)fvm_lib_get(vm, vm->lib.board_size, 0);
}

fvm_status fvm_board_cell(fvm *vm, fvm_cell pos, fvm_addr *addr) {
    fvm_cell positions = fvm_lib_get(vm, vm->lib.positions, 0);
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    if (pos < 0 || pos >= positions)
        return fvm_fail(vm, FVM_ERR_MOVE, pos, "position %d is not on the board (0 to %d)",
                        (int)pos, positions > 0 ? (int)positions - 1 : -1);
    *addr = board + 4u * (uint32_t)pos;
    if (board == 0 || !fvm_in(vm, *addr, 4))
        return fvm_fail(vm, FVM_ERR_NO_GAME, pos, "there is no board");
    return FVM_OK;
}

fvm_status fvm_piece_put(fvm *vm, fvm_cell piece, fvm_cell pos) {
    fvm_addr addr = fvm_square(vm, pos);
    fvm_status status = addr != 0 ? FVM_OK : fvm_board_cell(vm, pos, &addr);
    if (status != FVM_OK)
        return status;
    fvm_put(vm, addr, piece);
    fvm_put(vm, FVM_K_LAST_EDITOR, fvm_lib_get(vm, vm->lib.player, 0));
    return FVM_OK;
}

/* Removal from an empty position is not an edit: the last editor stays the same (recorded in
 * tests/golden/Hollow.jsonl). */
fvm_status fvm_piece_remove(fvm *vm, fvm_cell pos) {
    fvm_addr addr = fvm_square(vm, pos);
    fvm_status status = addr != 0 ? FVM_OK : fvm_board_cell(vm, pos, &addr);
    return status == FVM_OK && fvm_get(vm, addr) != 0 ? fvm_piece_put(vm, 0, pos) : status;
}

fvm_status fvm_word_piece_put(fvm *vm) {
    fvm_cell piece, pos;
    fvm_status status = fvm_drop_two(vm, &piece, &pos);
    return status == FVM_OK ? fvm_piece_put(vm, piece, pos) : status;
}

fvm_status fvm_word_piece_remove(fvm *vm) {
    fvm_status status = fvm_need(vm, 1);
    return status == FVM_OK ? fvm_piece_remove(vm, fvm_drop(vm)) : status;
}

/* In the original, $AddPieceU and $RemovePieceU do not update the hash.  Here hashes are computed
 * when they are needed, so the two words differ from (add-piece) and (remove-piece) only by not
 * changing the last editor. */
fvm_status fvm_word_piece_put_raw(fvm *vm) {
    fvm_cell editor = fvm_get(vm, FVM_K_LAST_EDITOR);
    fvm_status status = fvm_word_piece_put(vm);
    fvm_put(vm, FVM_K_LAST_EDITOR, editor);
    return status;
}

fvm_status fvm_word_piece_remove_raw(fvm *vm) {
    fvm_cell editor = fvm_get(vm, FVM_K_LAST_EDITOR);
    fvm_status status = fvm_word_piece_remove(vm);
    fvm_put(vm, FVM_K_LAST_EDITOR, editor);
    return status;
}

/* --- transient memory ------------------------------------------------------------- */

void fvm_transient_begin(fvm *vm) {
    if (fvm_get(vm, FVM_K_TRANSIENT) != 0)
        return;
    fvm_addr here = fvm_here(vm);
    fvm_put(vm, FVM_K_TRANSIENT, (fvm_cell)here);
    fvm_put(vm, FVM_K_TRANSIENT_TOP, (fvm_cell)here);
    fvm_update_translated_limit(vm);
}

/* Equal game states must have equal memory, so the memory of freed lists and boards is zeroed. */
void fvm_transient_wipe(fvm *vm) {
    fvm_addr here = fvm_here(vm), top = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT_TOP);
    if (fvm_get(vm, FVM_K_TRANSIENT) == 0 || top <= here || !fvm_in(vm, here, top - here))
        return;
    for (fvm_addr at = here, length; at < top; at += length) {
        length = top - at < FVM_PAGE ? top - at : FVM_PAGE;
        if (!fvm_prepare_raw_stores(vm, at, length))
            fvm_write_barrier(vm, at, length);
        memset(vm->mem + at, 0, length);
    }
    fvm_put(vm, FVM_K_TRANSIENT_TOP, (fvm_cell)here);
}

void fvm_transient_end(fvm *vm) {
    fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    if (start == 0 || fvm_here(vm) > start)
        return;
    fvm_transient_wipe(vm);
    fvm_put(vm, FVM_K_TRANSIENT, 0);
    fvm_put(vm, FVM_K_TRANSIENT_TOP, 0);
    fvm_update_translated_limit(vm);
}

/* Updates FVM_K_TRANSIENT_TOP, the highest value of HERE since transient memory began. */
static void update_transient_top(fvm *vm) {
    fvm_cell here = (fvm_cell)fvm_here(vm);
    if (here > fvm_get(vm, FVM_K_TRANSIENT_TOP))
        fvm_put(vm, FVM_K_TRANSIENT_TOP, here);
}

fvm_status fvm_clone_board(fvm *vm) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    uint32_t bytes = board_bytes(vm);
    if (board == 0 || !fvm_in(vm, board, bytes))
        return fvm_fail(vm, FVM_ERR_NO_GAME, 0, "$CloneBoard without a board");
    fvm_transient_begin(vm);
    fvm_status status = fvm_align(vm);
    fvm_addr at = fvm_here(vm);
    if (status == FVM_OK)
        status = fvm_allot(vm, (int32_t)(4 + ((bytes + 3) & ~3u)));
    if (status != FVM_OK)
        return status;
    update_transient_top(vm);
    fvm_put(vm, at, (fvm_cell)board);
    if (bytes == 0 || bytes > FVM_PAGE || !fvm_prepare_raw_stores(vm, at + 4, bytes))
        fvm_write_barrier(vm, at + 4, bytes);
    memmove(vm->mem + at + 4, vm->mem + board, bytes); /* a script may have set $board to HERE */
    fvm_put(vm, vm->lib.board, (fvm_cell)(at + 4));
    return fvm_spend(vm, bytes / 64);
}

fvm_status fvm_free_board(fvm *vm) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    /* The first board, made by {board, is not a clone. */
    if (start == 0 || board < start + 4 || !fvm_in(vm, board - 4, 4))
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$DeallocateBoard without $CloneBoard");
    fvm_put(vm, vm->lib.board, fvm_get(vm, board - 4));
    fvm_put(vm, FVM_K_DP, (fvm_cell)(board - 4));
    return FVM_OK;
}

fvm_cell fvm_player_name_at(const fvm *vm, fvm_cell player) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.players, 0);
    fvm_addr entry = table + 4u * ((uint32_t)FVM_PLAYER_NUMBER(player) - 1);
    if (table == 0 || FVM_PLAYER_NUMBER(player) < 1 || !fvm_in(vm, entry, 4))
        return 0;
    fvm_addr cfa = (fvm_addr)fvm_get(vm, entry);
    fvm_addr header = cfa - FVM_HEADER_BYTES;
    return fvm_in(vm, header, 4) ? fvm_get(vm, header) : 0;
}

void fvm_name_player(fvm *vm, fvm_cell player) {
    fvm_cell name = fvm_player_name_at(vm, player);
    fvm_lib_put(vm, vm->lib.player, player);
    if (name != 0)
        fvm_lib_put(vm, vm->lib.player_name, name);
}

void fvm_set_player(fvm *vm, fvm_cell player) {
    int number = FVM_PLAYER_NUMBER(player);
    fvm_name_player(vm, player);
    if (number >= 1)
        fvm_lib_put(vm, vm->lib.player_offset, 4 * (number - 1));
}

/* --- values ----------------------------------------------------------------------- */

static fvm_cell value_of(const fvm *vm, fvm_cell piece) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    uint32_t index = (uint32_t)FVM_TYPE(piece) - 1;
    /* Version 140 multiplies the index by 4 instead of the size of an entry. */
    fvm_addr at = table + (vm->has_140_faults ? 4 : FVM_PIECE_BYTES) * index + FVM_FIELD_VALUE;
    return table != 0 && fvm_in(vm, at, 4) ? fvm_get(vm, at) : 0;
}

fvm_status fvm_word_piece_value(fvm *vm) {
    fvm_status status = fvm_need(vm, 1);
    return status == FVM_OK ? fvm_put_top(vm, value_of(vm, fvm_drop(vm))) : status;
}

/* What a piece adds to the material of a player: its value, negative for other players. */
static uint32_t material_of(const fvm *vm, fvm_addr table, fvm_cell piece, fvm_cell player) {
    /* value_of is not called, because the fault of version 140 is only in piece-value. */
    const fvm_addr at = table + FVM_PIECE_BYTES * ((uint32_t)FVM_TYPE(piece) - 1) + FVM_FIELD_VALUE;
    if (piece == 0 || (piece & FVM_NEUTRAL) != 0 || table == 0 || !fvm_in(vm, at, 4))
        return 0;
    const uint32_t value = (uint32_t)fvm_get(vm, at);
    return FVM_OWNER(piece) == player ? value : 0u - value;
}

/* The values of the player's pieces minus the values of all others, on `count` board positions. */
static uint32_t material_on(const fvm *vm, fvm_addr cells, fvm_cell count, fvm_cell player) {
    const fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    const uint8_t *at = vm->mem + cells, *const end = at + 4 * (size_t)count;
    uint32_t sum = 0, material = 0;
    fvm_cell last = 0; /* `material` is that of this piece: successive cells often are the same */
    for (; at < end; at += 4) {
        const fvm_cell piece = fvm_cell_in(at, 0);
        if (piece != last) {
            last = piece;
            material = material_of(vm, table, piece, player);
        }
        sum += material;
    }
    return sum;
}

fvm_status fvm_word_material(fvm *vm) {
    enum { CHUNK = 1024 }; /* board positions between checks of the limits */
    fvm_status status = fvm_need(vm, 1);
    if (status != FVM_OK)
        return status;
    const fvm_cell player = FVM_OWNER(fvm_drop(vm));
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.positions, 0);
    uint32_t sum = 0;
    for (fvm_cell pos = 0; pos < positions; pos += CHUNK) {
        fvm_cell count = positions - pos < CHUNK ? positions - pos : CHUNK;
        if (!fvm_in(vm, board + 4u * (uint32_t)pos, 4u * (uint32_t)count))
            return fvm_fail(vm, FVM_ERR_NO_GAME, 0, "there is no board");
        sum += material_on(vm, board + 4u * (uint32_t)pos, count, player);
        if (count == CHUNK && (status = fvm_charge_work(vm, CHUNK)) != FVM_OK)
            return status;
    }
    status = fvm_spend(vm, (uint32_t)positions / 16);
    return status == FVM_OK ? fvm_put_top(vm, (fvm_cell)sum) : status;
}

/* --- hashes and repetition -------------------------------------------------------- */

/* The hash is computed at each call: scripts write to board cells directly, so a stored hash could
 * be out of date.  Each cell is mixed with its offset.  The variables, and the bytes after the last
 * complete cell, are mixed with numbers that are too large to be the offset of a cell. */
uint64_t fvm_position_hash(fvm *vm) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    uint32_t bytes = board_bytes(vm);
    uint64_t hash = 0;
    if (board != 0 && fvm_in(vm, board, bytes)) {
        const uint8_t *const cells = vm->mem + board;
        for (uint32_t at = 0; at + 4 <= bytes; at += 4) {
            uint32_t cell = (uint32_t)fvm_cell_in(cells, at);
            if (cell != 0)
                hash ^= fvm_mix(((uint64_t)at << 32) | cell);
        }
        for (uint32_t at = bytes & ~3u; at < bytes; at++)
            hash ^= fvm_mix(((uint64_t)(at | 0x80000000u) << 32) | vm->mem[board + at]);
    }
    const fvm_addr variables[] = {vm->lib.player, vm->lib.for_player, vm->lib.of_type,
                                  vm->lib.turn_offset, vm->lib.partial};
    for (uint32_t i = 0; i < sizeof variables / sizeof *variables; i++)
        hash ^= fvm_mix(((uint64_t)(0xC0000000u + i) << 32) |
                        (uint32_t)fvm_lib_get(vm, variables[i], 0));
    return hash;
}

/* For repetition, two positions are equal if all board cells and the player to move are equal. */
fvm_status fvm_repetition_key(fvm *vm, uint64_t *result) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    fvm_cell positions = fvm_lib_get(vm, vm->lib.positions, 0);
    uint64_t key = fvm_mix((uint64_t)(uint32_t)fvm_lib_get(vm, vm->lib.player, 0) + 1);
    for (fvm_cell pos = 0; pos < positions && fvm_in(vm, board + 4u * (uint32_t)pos, 4); pos++) {
        uint32_t cell = (uint32_t)fvm_get(vm, board + 4u * (uint32_t)pos);
        if (cell != 0)
            key ^= fvm_mix(((uint64_t)(uint32_t)pos << 32) | cell);
        fvm_status status = (pos & 1023) == 1023 ? fvm_charge_work(vm, 2048) : FVM_OK;
        if (status != FVM_OK)
            return status;
    }
    *result = key;
    return FVM_OK;
}

/* Stores the key of the current position and pushes the number of its occurrences. */
fvm_status fvm_word_rep_push(fvm *vm) {
    fvm_cell count = fvm_get(vm, FVM_K_REPETITIONS);
    if (count < 0 || count >= FVM_REPETITION_ITEMS)
        return fvm_fail(vm, FVM_ERR_LIMIT, count, "more than %d positions noted for repetition",
                        FVM_REPETITION_ITEMS);
    uint64_t key;
    fvm_cell occurrences = 1;
    fvm_status status = fvm_repetition_key(vm, &key);
    if (status != FVM_OK)
        return status;
    for (fvm_cell i = 0; i < count; i++) {
        uint64_t stored;
        memcpy(&stored, vm->mem + FVM_REPETITION + 8 * i, 8);
        occurrences += stored == key;
    }
    fvm_write(vm, (fvm_addr)(FVM_REPETITION + 8 * count), &key, 8);
    fvm_put(vm, FVM_K_REPETITIONS, count + 1);
    status = fvm_spend(vm, (uint32_t)count / 16);
    return status == FVM_OK ? fvm_put_top(vm, occurrences) : status;
}

fvm_status fvm_word_rep_pop(fvm *vm) {
    fvm_cell count = fvm_get(vm, FVM_K_REPETITIONS);
    if (count <= 0)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "repetition-pop-position without a push");
    fvm_put(vm, FVM_K_REPETITIONS, count - 1);
    return FVM_OK;
}
