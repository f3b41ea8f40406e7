/* position_memory.c: normalizes memory, so that equal game states have equal memory.
 *
 * It owns which of the kernel's cells belong to a game state.  Scratch memory is zeroed.  The keys
 * stored for repetition are replaced by the number of occurrences of the current position; their
 * number remains.  The caller passes the script's scratch memory. */
#include "game/board_scan.h"
#include "game/game.h"

static void put_if_changed(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (fvm_in(vm, addr, 4) && fvm_get(vm, addr) != value)
        fvm_put(vm, addr, value);
}

/* Replaces the stored keys by the number of occurrences of the current position. */
static fvm_status normalize_repetitions(fvm *vm) {
    fvm_cell count = fvm_get(vm, FVM_K_REPETITIONS), occurrences = 0;
    uint64_t key = 0;
    if (count < 0 || count > FVM_REPETITION_ITEMS)
        return FVM_OK; /* a script has overwritten the number: change nothing */
    fvm_status status = count > 0 ? fvm_repetition_key(vm, &key) : FVM_OK;
    for (fvm_cell i = 0; i < count && status == FVM_OK; i++) {
        uint64_t stored;
        memcpy(&stored, vm->mem + FVM_REPETITION + 8 * i, 8);
        occurrences += stored == key;
    }
    if (status != FVM_OK)
        return status;
    for (fvm_addr at = 0; at < 8 * FVM_REPETITION_ITEMS; at += 4)
        put_if_changed(vm, FVM_REPETITION + at, 0);
    put_if_changed(vm, FVM_REPETITION, occurrences);
    return FVM_OK;
}

/* Clears the board position of the last edit, which affects only the texts of the next list.  It
 * can be cleared because a host generates each list twice, and the texts of the second list depend
 * on the edits of the first list only.  There are two exceptions: in a sequence of partial moves a
 * list is generated once, and in version 140 the records of moves contain the texts. */
static void normalize_last_square(fvm *vm, bool texts_depend_on_it) {
    bool partial = fvm_lib_get(vm, vm->lib.partial) == -1;
    if (!vm->records_have_texts && vm->lib.last_pos == 0 && !(partial && texts_depend_on_it))
        put_if_changed(vm, FVM_K_LAST_POS, 0);
}

/* Memory above HERE is unused but may contain data of freed lists. */
static void clear_above_here(fvm *vm) {
    for (fvm_addr at = (fvm_here(vm) + 3) & ~3u; at < vm->high; at += 4)
        put_if_changed(vm, at, 0);
}

/* Whether the player to move has a piece on the board whose type has a list of move words, of at
 * least `words`. */
static bool has_piece_with_moves(const fvm *vm, int32_t words) {
    const fvm_cell owner = FVM_OWNER(fvm_lib_get(vm, vm->lib.for_player));
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const fvm_addr pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces);
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.scan_positions);
    for (fvm_cell pos = 0; pos < positions && fvm_in(vm, board + 4u * (uint32_t)pos, 4); pos++) {
        const fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)pos);
        const fvm_addr at =
            pieces + FVM_PIECE_BYTES * ((uint32_t)FVM_TYPE(piece) - 1) + FVM_FIELD_MOVES;
        const bool moves = FVM_TYPE(piece) != 0 && FVM_OWNER(piece) == owner && fvm_in(vm, at, 4);
        const fvm_addr list = moves ? (fvm_addr)fvm_get(vm, at) : 0;
        if (list != 0 && (words == 0 || fvm_words_of_list(vm, list) >= words))
            return true;
    }
    return false;
}

fvm_status fvm_position_normalize(fvm *vm, const fvm_snapshot *base, const fvm_addr *scratch,
                                  int32_t count, int32_t flags) {
    fvm_begin(vm, FVM_PHASE_GENERATE);
    FVM_TRY(fvm_bind(vm));
    for (int32_t i = 0; i < count; i++)
        put_if_changed(vm, scratch[i], 0);
    fvm_scratch declared;
    fvm_scratch_find(vm, &declared);
    for (int32_t i = 0; i < declared.count; i++)
        fvm_snapshot_restore_range(vm, base, declared.ranges[i].begin, declared.ranges[i].end);
    normalize_last_square(vm, (flags & FVM_TEXTS_DEPEND_ON_LAST_EDIT) != 0);
    /* Generation sets these variables before a script can read them. */
    if (fvm_get(vm, FVM_K_LAST_TYPE) != 0 && has_piece_with_moves(vm, 1))
        fvm_put(vm, FVM_K_LAST_TYPE, 0);
    if ((flags & FVM_NORMALIZE_PIECE) != 0 && has_piece_with_moves(vm, 0))
        put_if_changed(vm, vm->lib.piece, 0);
    clear_above_here(vm);
    return normalize_repetitions(vm);
}

int32_t fvm_texts_depend_on_last_edit(const fvm *vm) { return GAME(vm)->texts_depend_on_last_edit; }
