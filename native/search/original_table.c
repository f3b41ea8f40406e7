/* original_table.c: the transposition table of the original engine's search.
 *
 * It owns the table and the keys of positions and moves, including the faults of the original
 * (docs/explanation/search.md). */
#include "search/original_table.h"

#include "vm/fast_path.h"

#include <stdlib.h>

enum {
    SLOTS = 65536,
    NEAR_WIN = FVM_WIN - 100000 /* values of at least this magnitude are wins and losses */
};

bool fvm_original_table_make(fvm *vm) {
    if (vm->search_table == NULL) {
        vm->search_table = calloc(SLOTS, sizeof(fvm_table_entry));
        vm->search_table_bytes = vm->search_table != NULL ? SLOTS * sizeof(fvm_table_entry) : 0;
    }
    return vm->search_table != NULL;
}

/* The hash of the pieces: as fvm_count_board keeps it, or computed from all positions. */
static fvm_status hash_pieces(fvm *vm, uint64_t *pieces) {
    const fvm_board_totals *const totals = fvm_count_board(vm);
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.positions);
    fvm_status status = FVM_OK;
    *pieces = 0;
    if (totals != NULL && totals->positions <= totals->count) {
        *pieces = totals->pieces;
        return FVM_OK;
    }
    for (fvm_cell pos = 0; pos < positions && fvm_in(vm, board + 4u * (uint32_t)pos, 4); pos++) {
        *pieces ^= fvm_piece_hash((uint32_t)pos, fvm_get(vm, board + 4u * (uint32_t)pos));
        if ((pos & 1023) == 1023 && (status = fvm_charge_work(vm, 2048)) != FVM_OK)
            break;
    }
    return status;
}

/* The entry for a position with these pieces. */
static fvm_table_entry *entry_for(const fvm *vm, uint64_t pieces) {
    const uint64_t editor = (uint64_t)FVM_PLAYER_NUMBER(fvm_get(vm, FVM_K_LAST_EDITOR));
    fvm_table_entry *const table = vm->search_table;
    return &table[(pieces ^ fvm_mix(editor | ((uint64_t)1 << 61))) & (SLOTS - 1)];
}

/* The key depends on type and player number of each piece and on the player to move; the slot
 * depends on the pieces and on the player of the last board edit. */
fvm_status fvm_original_find(fvm *vm, fvm_table_entry **entry, uint64_t *key) {
    uint64_t pieces;
    const fvm_status status = hash_pieces(vm, &pieces);
    const uint64_t player = (uint64_t)FVM_PLAYER_NUMBER(fvm_lib_get(vm, vm->lib.player));
    *key = pieces ^ fvm_mix(player | ((uint64_t)1 << 62));
    *entry = entry_for(vm, pieces);
    return status;
}

void fvm_original_prefetch(fvm *vm) {
    const fvm_board_totals *const totals = fvm_count_board(vm);
    if (totals != NULL) /* else the hash of the pieces takes longer than loading the entry */
        FVM_PREFETCH(entry_for(vm, totals->pieces));
}

fvm_status fvm_original_identity(fvm *vm, fvm_addr move, uint64_t *id) {
    fvm_addr start;
    fvm_move_cells cells;
    const uint32_t length = (uint32_t)fvm_move_code(vm, move, &start);
    *id = 0;
    if (!fvm_move_cells_at(vm, move, &cells))
        return FVM_OK; /* a script has overwritten the list */
    const fvm_status status = fvm_charge_work(vm, length);
    uint64_t hash = (uint32_t)fvm_get(vm, cells.hash) >> FVM_HASH_SHIFT;
    const uint8_t *const code = vm->mem + start;
    uint32_t at = 0;
    for (uint64_t cells; at + sizeof cells <= length; at += sizeof cells) {
        memcpy(&cells, code + at, sizeof cells);
        hash = fvm_mix(hash ^ cells);
    }
    if (at + 4 <= length)
        hash = fvm_mix(hash ^ (uint32_t)fvm_cell_in(code, at));
    *id = hash | 1;
    return status;
}

/* The table stores distances of wins from the position, the search uses distances from the root. */
fvm_cell fvm_original_value(const fvm_table_entry *entry, int ply) {
    return entry->value >= NEAR_WIN    ? fvm_plus(entry->value, -ply)
           : entry->value <= -NEAR_WIN ? fvm_plus(entry->value, ply)
                                       : entry->value;
}

fvm_status fvm_original_store(fvm *vm, fvm_table_entry *entry, uint64_t key, int kind,
                              fvm_cell value, int depth, int ply, fvm_addr move) {
    uint64_t id = 0;
    const fvm_status status = move != 0 ? fvm_original_identity(vm, move, &id) : FVM_OK;
    if (value >= NEAR_WIN)
        value = fvm_plus(value, ply);
    else if (value <= -NEAR_WIN)
        value = fvm_plus(value, -ply);
    *entry = (fvm_table_entry){key, id, value, (int16_t)depth, (uint8_t)kind};
    return status;
}
