/* board_totals.c: the hashes and the material of a board, updated by the cells that have changed.
 *
 * It owns a copy of the board whose totals were computed last.  In a search the next board usually
 * differs from it in few cells, and only those are added and subtracted.  The totals depend on
 * nothing but the contents of cells, all of which are compared, so no store can make them out of
 * date. */
#include "vm/page_restore.h"
#include "game/game.h"

/* --- cells ----------------------------------------------------------------------- */

/* Adds a cell to the totals, or removes it. */
static inline void count_cell(fvm_board_totals *t, uint32_t index, fvm_cell cell, bool add) {
    const uint32_t type = (uint32_t)FVM_TYPE(cell);
    if (cell == 0)
        return;
    t->hash ^= fvm_mix((uint64_t)(4 * index) << 32 | (uint32_t)cell);
    if (index >= t->positions)
        return;
    t->pieces ^= fvm_piece_hash(index, cell);
    if ((cell & FVM_NEUTRAL) != 0)
        return;
    const bool known = type >= 1 && type <= t->types;
    const uint32_t value = known ? (uint32_t)t->values[type - 1] : 0;
    t->unknown += known ? 0 : add ? 1 : -1;
    t->owned[FVM_PLAYER_NUMBER(cell)] += add ? value : 0u - value;
    t->all += add ? value : 0u - value;
}

/* Counts the cells of a block that differ from the copy; cells: the block in memory, at: index of
 * its first cell. */
static inline void count_changes(fvm_board_totals *t, const uint8_t *cells, uint32_t at) {
    uint32_t changed = fvm_changed_among(cells, (const uint8_t *)(t->cells + at), t->count - at);
    for (; changed != 0; changed &= changed - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(changed);
        const fvm_cell cell = fvm_cell_in(cells, 4 * i);
        count_cell(t, at + i, t->cells[at + i], false);
        count_cell(t, at + i, cell, true);
        t->cells[at + i] = cell;
    }
}

/* --- the values of piece types ------------------------------------------------------ */

/* The values in the table of piece types; *types: their number, 0 if there are too many, or the
 * table is damaged. */
static const uint8_t *type_values(const fvm *vm, uint32_t *types) {
    const fvm_addr table = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces);
    *types = (uint32_t)fvm_lib_get(vm, vm->lib.piece_count);
    if (table == 0 || *types > FVM_TOTALS_TYPES || !fvm_in(vm, table, FVM_PIECE_BYTES * *types))
        *types = 0;
    return vm->mem + table + FVM_FIELD_VALUE;
}

/* Begins with an empty board of this size, and the present values of piece types. */
static void begin(const fvm *vm, fvm_board_totals *t, uint32_t count, uint32_t positions) {
    uint32_t types;
    const uint8_t *const values = type_values(vm, &types);
    *t = (fvm_board_totals){.count = count, .positions = positions, .types = types};
    for (uint32_t i = 0; i < types; i++)
        t->values[i] = fvm_cell_in(values, FVM_PIECE_BYTES * i);
}

/* Whether the totals are sums of the present values. */
static bool has_present_values(const fvm *vm, const fvm_board_totals *t) {
    uint32_t types;
    const uint8_t *const values = type_values(vm, &types);
    bool same = t->types == types;
    for (uint32_t i = 0; i < types && same; i++)
        same = fvm_cell_in(values, FVM_PIECE_BYTES * i) == t->values[i];
    return same;
}

/* --- totals ----------------------------------------------------------------------- */

/* The totals of the board; with_values: they must be sums of the present values. */
static const fvm_board_totals *count_board(fvm *vm, bool with_values) {
    fvm_board_totals *const t = &GAME(vm)->totals;
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const uint32_t bytes = (uint32_t)fvm_lib_get(vm, vm->lib.board_size), count = bytes / 4;
    const uint32_t positions = (uint32_t)fvm_lib_get(vm, vm->lib.positions);
    /* The comparison reads complete lines. */
    if (board == 0 || bytes % 4 != 0 || count > FVM_TOTALS_CELLS ||
        !fvm_in(vm, board, bytes + FVM_LINE))
        return NULL;
    if (FVM_UNLIKELY(t->count != count || t->positions != positions ||
                     (with_values && !has_present_values(vm, t))))
        begin(vm, t, count, positions);
    for (uint32_t at = 0; at < count; at += FVM_LINE / 4)
        count_changes(t, vm->mem + board + 4 * at, at);
    return t;
}

const fvm_board_totals *fvm_count_board(fvm *vm) { return count_board(vm, false); }

const fvm_board_totals *fvm_count_material(fvm *vm) { return count_board(vm, true); }
