/* board.c: boards, hashes and repetition.
 *
 * It owns the contents of board cells, cloned boards and the transient memory at HERE. */
#include "vm/primitives.h"
#include "vm/prepared_memory.h"
#include "game/game.h"

static uint32_t board_bytes(const fvm *vm) { return (uint32_t)fvm_lib_get(vm, vm->lib.board_size); }

fvm_status fvm_board_cell(fvm *vm, fvm_cell pos, fvm_addr *addr) {
    fvm_cell positions = fvm_lib_get(vm, vm->lib.positions);
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
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
    FVM_TRY(addr != 0 ? FVM_OK : fvm_board_cell(vm, pos, &addr));
    fvm_put(vm, addr, piece);
    fvm_put(vm, FVM_K_LAST_EDITOR, fvm_lib_get(vm, vm->lib.player));
    return FVM_OK;
}

/* Removal from an empty position is not an edit: the last editor stays the same (recorded in
 * tests/golden/Hollow.jsonl). */
static fvm_status remove_piece(fvm *vm, fvm_cell pos) {
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
    return status == FVM_OK ? remove_piece(vm, fvm_drop(vm)) : status;
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
    if (!fvm_prepare_raw_stores(vm, here, top - here))
        fvm_write_barrier(vm, here, top - here);
    memset(vm->mem + here, 0, top - here);
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

/* Raises FVM_K_TRANSIENT_TOP to HERE. */
static void update_transient_top(fvm *vm) {
    fvm_cell here = (fvm_cell)fvm_here(vm);
    if (here > fvm_get(vm, FVM_K_TRANSIENT_TOP))
        fvm_put(vm, FVM_K_TRANSIENT_TOP, here);
}

/* Does the same as fvm_clone_board in the common case; false: nothing has been done. */
static inline bool clone_fast(fvm *vm) {
    uint8_t *const mem = vm->mem;
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board), at = fvm_here(vm);
    const uint32_t bytes = board_bytes(vm), end = at + 4 + bytes;
    if (FVM_UNLIKELY(((bytes | at) & 3) != 0 || !fvm_in(vm, board, bytes) || board + bytes > at ||
                     board < FVM_DICTIONARY || vm->fuel < (int32_t)(bytes / 64) ||
                     fvm_cell_in(mem, FVM_K_TRANSIENT) == 0 ||
                     !fvm_ensure_prepared(vm, at, 4 + bytes)))
        return false;
    fvm_put_in(mem, at, (fvm_cell)board);
    memcpy(mem + at + 4, mem + board, bytes);
    fvm_put_in(mem, FVM_K_DP, (fvm_cell)end);
    if ((fvm_cell)end > fvm_cell_in(mem, FVM_K_TRANSIENT_TOP))
        fvm_put_in(mem, FVM_K_TRANSIENT_TOP, (fvm_cell)end);
    fvm_set(vm, vm->lib.board, (fvm_cell)(at + 4));
    vm->fuel -= (int32_t)(bytes / 64);
    return true;
}

fvm_status fvm_clone_board(fvm *vm) {
    if (clone_fast(vm))
        return FVM_OK;
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
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
    fvm_write_barrier(vm, at + 4, bytes);
    memmove(vm->mem + at + 4, vm->mem + board, bytes); /* a script may have set $board to HERE */
    fvm_put(vm, vm->lib.board, (fvm_cell)(at + 4));
    return fvm_spend(vm, bytes / 64);
}

/* The first board, made by {board, is not a clone. */
bool fvm_board_is_clone(const fvm *vm) {
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    return start != 0 && board >= start + 4 && fvm_in(vm, board - 4, 4);
}

fvm_status fvm_free_board(fvm *vm) {
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    if (!fvm_board_is_clone(vm))
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$DeallocateBoard without $CloneBoard");
    fvm_put(vm, vm->lib.board, fvm_get(vm, board - 4));
    fvm_put(vm, FVM_K_DP, (fvm_cell)(board - 4));
    return FVM_OK;
}

fvm_cell fvm_player_name_at(const fvm *vm, fvm_cell player) {
    fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.players);
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

/* --- hashes and repetition -------------------------------------------------------- */

/* The hash of a board from an offset on: each cell is mixed with its offset.  The bytes after the
 * last complete cell are mixed with numbers that are too large to be the offset of a cell. */
static uint64_t hash_from(const fvm *vm, uint32_t offset) {
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const uint32_t bytes = board_bytes(vm);
    uint64_t hash = 0;
    if (board == 0 || !fvm_in(vm, board, bytes))
        return 0;
    const uint8_t *const cells = vm->mem + board;
    for (uint32_t at = offset; at + 4 <= bytes; at += 4) {
        const uint32_t cell = (uint32_t)fvm_cell_in(cells, at);
        if (cell != 0)
            hash ^= fvm_mix(((uint64_t)at << 32) | cell);
    }
    for (uint32_t at = bytes & ~3u; at < bytes; at++)
        hash ^= fvm_mix(((uint64_t)(at | 0x80000000u) << 32) | vm->mem[board + at]);
    return hash;
}

static uint64_t hash_of_board(fvm *vm) {
    const fvm_board_totals *const totals = fvm_count_board(vm);
    return totals != NULL ? totals->hash : hash_from(vm, 0);
}

/* The variables are mixed with numbers that are too large to be the offset of a byte. */
uint64_t fvm_position_hash(fvm *vm) {
    uint64_t hash = hash_of_board(vm);
    const fvm_addr variables[] = {vm->lib.player, vm->lib.for_player, vm->lib.of_type,
                                  vm->lib.turn_offset, vm->lib.partial};
    for (uint32_t i = 0; i < sizeof variables / sizeof *variables; i++)
        hash ^=
            fvm_mix(((uint64_t)(0xC0000000u + i) << 32) | (uint32_t)fvm_lib_get(vm, variables[i]));
    return hash;
}

fvm_status fvm_word_board_hash(fvm *vm) {
    FVM_TRY(fvm_need(vm, 1));
    const fvm_cell kept = fvm_drop(vm);
    const uint32_t cells = board_bytes(vm) / 4;
    if (fvm_lib_get(vm, vm->lib.board) == 0)
        return fvm_fail(vm, FVM_ERR_NO_GAME, 0, "there is no board");
    const uint32_t first = kept < 0 ? 0 : (uint32_t)kept < cells ? (uint32_t)kept : cells;
    const uint64_t hash = hash_of_board(vm) ^ hash_from(vm, 4 * first); /* removes the others */
    FVM_TRY(fvm_charge_work(vm, cells / 4));
    return fvm_put_top(vm, (fvm_cell)(hash ^ hash >> 32));
}

/* For repetition, two positions are equal if all board cells and the player to move are equal. */
fvm_status fvm_repetition_key(fvm *vm, uint64_t *result) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    fvm_cell positions = fvm_lib_get(vm, vm->lib.positions);
    uint64_t key = fvm_mix((uint64_t)(uint32_t)fvm_lib_get(vm, vm->lib.player) + 1);
    for (fvm_cell pos = 0; pos < positions && fvm_in(vm, board + 4u * (uint32_t)pos, 4); pos++) {
        uint32_t cell = (uint32_t)fvm_get(vm, board + 4u * (uint32_t)pos);
        if (cell != 0)
            key ^= fvm_mix(((uint64_t)(uint32_t)pos << 32) | cell);
        FVM_TRY((pos & 1023) == 1023 ? fvm_charge_work(vm, 2048) : FVM_OK);
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
    FVM_TRY(fvm_repetition_key(vm, &key));
    for (fvm_cell i = 0; i < count; i++) {
        uint64_t stored;
        memcpy(&stored, vm->mem + FVM_REPETITION + 8 * i, 8);
        occurrences += stored == key;
    }
    fvm_write(vm, (fvm_addr)(FVM_REPETITION + 8 * count), &key, 8);
    fvm_put(vm, FVM_K_REPETITIONS, count + 1);
    fvm_status status = fvm_spend(vm, (uint32_t)count / 16);
    return status == FVM_OK ? fvm_put_top(vm, occurrences) : status;
}

fvm_status fvm_word_rep_pop(fvm *vm) {
    fvm_cell count = fvm_get(vm, FVM_K_REPETITIONS);
    if (count <= 0)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "repetition-pop-position without a push");
    fvm_put(vm, FVM_K_REPETITIONS, count - 1);
    return FVM_OK;
}
