/* random_move.c: random move selection without generating the complete list.
 *
 * One move is drawn by running single move words (random_draw.c).  If move types have priorities,
 * all moves of one type after the other are generated, until there are moves, or only the last type
 * is left, of which a move is drawn.  Words that add passes, of which a list contains only one, run
 * only in complete lists then: a move is drawn of the last rank before theirs.  If no move can be
 * drawn, the complete list is generated, and the caller selects a move of it.  This file owns the
 * selection; the script promises that a move word may run without the other ones. */
#include "game/random_move.h"

#include "game/board_scan.h"
#include "game/move_words.h"
#include "game/random_draw.h"

/* --- the state after a scan --------------------------------------------------------- */

/* The player's last piece on the board whose type has a list of move words, 0: none. */
static fvm_cell last_piece(const fvm *vm, const fvm_scan *s, fvm_addr board, fvm_cell for_player) {
    const fvm_move_table *const t = GAME(vm)->move_tables[0];
    fvm_cell pos = s->scan_positions - 1;
    while (pos >= 0) {
        if (pos >= FVM_SCAN_BLOCK - 1 &&
            !fvm_block_has_owner(vm->mem + board + 4u * (uint32_t)(pos + 1 - FVM_SCAN_BLOCK),
                                 for_player)) {
            pos -= FVM_SCAN_BLOCK;
            continue;
        }
        const fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)pos--);
        if (piece != 0 && FVM_OWNER(piece) == for_player &&
            fvm_move_sequence(t, FVM_TYPE(piece), FVM_FIELD_MOVES) != t->words + FVM_NO_WORDS_AT)
            return piece;
    }
    return 0;
}

/* The current piece after a scan of the whole board: that of the last drop list, or without drops
 * the player's last piece with a list of moves; without both it is unchanged. */
static fvm_cell final_piece(const fvm *vm, const fvm_scan *s, fvm_addr board, fvm_cell for_player) {
    const fvm_cell dropped = GAME(vm)->move_tables[0]->last_drop_type;
    if (dropped != 0) /* an empty list of drop words counts, too */
        return dropped | for_player;
    const fvm_cell piece = last_piece(vm, s, board, for_player);
    return piece != 0 ? piece : fvm_lib_get(vm, vm->lib.piece);
}

void fvm_scan_set_final_variables(fvm *vm, const fvm_scan *s, fvm_cell for_player) {
    const fvm_addr board = fvm_scan_cells(vm, s);
    if (board == 0)
        return;
    fvm_lib_put(vm, vm->lib.from, s->scan_positions - 1);
    fvm_lib_put(vm, vm->lib.pos, s->scan_positions - 1);
    fvm_lib_put(vm, vm->lib.piece, final_piece(vm, s, board, for_player));
}

fvm_status fvm_clear_list(fvm *vm) {
    fvm_list_clear(vm, GAME(vm)->list);
    fvm_put(vm, FVM_K_DP, (fvm_cell)(GAME(vm)->list + FVM_LIST_BYTES));
    GAME(vm)->pass_found = false;
    fvm_lib_put(vm, vm->lib.passed, 0);
    return fvm_move_begin(vm);
}

/* --- priorities ------------------------------------------------------------------- */

/* The ranks of the move types of all words. */
typedef struct {
    fvm_cell next; /* the lowest rank above a given rank */
    fvm_cell type; /* the move type of rank `next`, 0: several */
    fvm_cell last; /* the highest rank */
} word_ranks;

/* The best rank of words that may add passes; INT32_MAX: there is none. */
static fvm_cell rank_of_passes(const fvm *vm, const fvm_move_table *t,
                               const fvm_random_selection *selection) {
    const fvm_addr table = fvm_priorities(vm);
    fvm_cell best = INT32_MAX;
    for (const fvm_loop_word *word = t->words; word < t->words + t->count; word++)
        if (word->pair != 0 && fvm_may_pass(selection, word->word) &&
            fvm_move_rank(vm, table, word->type) < best)
            best = fvm_move_rank(vm, table, word->type);
    return best;
}

/* The ranks of words of which moves may be drawn.  The words must be those of all move types. */
static word_ranks ranks_above(const fvm *vm, const fvm_move_table *t, fvm_cell above,
                              const fvm_random_selection *selection) {
    const fvm_addr table = fvm_priorities(vm);
    const fvm_cell passes =
        selection->passing_count > 0 ? rank_of_passes(vm, t, selection) : INT32_MAX;
    word_ranks r = {INT32_MAX, 0, INT32_MIN};
    for (uint32_t i = 0; i < t->move_type_count; i++) {
        const fvm_cell type = t->move_types[i], rank = fvm_move_rank(vm, table, type);
        if (rank >= passes)
            continue;
        r.last = rank > r.last ? rank : r.last;
        if (rank <= above || rank > r.next)
            continue;
        r.type = rank < r.next || type == r.type ? type : 0;
        r.next = rank;
    }
    return r;
}

/* Generates all moves of one rank after the other, until there are moves, or only words of the last
 * rank that can be drawn are left.  The caller draws only moves of s->demanded_type afterwards; 0:
 * there is no single type to draw.  *found: there are moves. */
static fvm_status generate_better_ranks(fvm *vm, fvm_scan *s, fvm_cell for_player,
                                        const fvm_random_selection *selection, bool *found) {
    *found = false;
    for (fvm_cell above = INT32_MIN;;) {
        s->demanded_type = 0;
        if (!fvm_move_table_select(vm, s) || GAME(vm)->move_tables[0]->damaged)
            return FVM_OK;
        const word_ranks ranks = ranks_above(vm, GAME(vm)->move_tables[0], above, selection);
        s->demanded_type = ranks.type; /* 0: all types; the best rank is selected later */
        if (ranks.next >= ranks.last)
            return FVM_OK;
        fvm_status status = fvm_scan_board(vm, s, for_player);
        *found = fvm_get(vm, GAME(vm)->list + FVM_LIST_LENGTH) != 0;
        if (status != FVM_OK || *found)
            return status;
        above = ranks.next;
    }
}

/* --- the check of drawn moves ------------------------------------------------------- */

enum { MAX_CHECKED_BYTES = 4096 }; /* of the code of a move that is checked */

/* The size of a move's code in bytes, 0: not a move.  end: where the last move of the list ends. */
static uint32_t code_bytes(const fvm *vm, fvm_addr move, fvm_move_cells *cells, fvm_addr end) {
    const fvm_addr next = fvm_next_move(vm, move);
    return fvm_move_cells_at(vm, move, cells) ? (next != 0 ? next : end) - cells->cfa : 0;
}

/* Whether the list contains a move with this code. */
static bool list_contains(const fvm *vm, const uint8_t *code, uint32_t bytes) {
    const fvm_addr end = (fvm_addr)fvm_get(vm, FVM_K_BUILD);
    for (fvm_addr move = (fvm_addr)fvm_get(vm, GAME(vm)->list + FVM_LIST_FIRST); move != 0;
         move = fvm_next_move(vm, move)) {
        fvm_move_cells cells;
        if (code_bytes(vm, move, &cells, end) == bytes && fvm_in(vm, cells.cfa, bytes) &&
            memcmp(vm->mem + cells.cfa, code, bytes) == 0)
            return true;
    }
    return false;
}

/* Replaces the list, which contains a drawn move, by the complete list, which must contain this
 * move, too. */
static fvm_status check_drawn_move(fvm *vm, fvm_scan *s, fvm_cell for_player,
                                   fvm_random_selection *selection) {
    uint8_t code[MAX_CHECKED_BYTES];
    fvm_move_cells cells = {0};
    fvm_addr move = (fvm_addr)fvm_get(vm, GAME(vm)->list + FVM_LIST_FIRST);
    for (; selection->chosen > 0 && move != 0; selection->chosen--)
        move = fvm_next_move(vm, move);
    const uint32_t bytes = code_bytes(vm, move, &cells, (fvm_addr)fvm_get(vm, FVM_K_BUILD));
    if (bytes > sizeof code || !fvm_in(vm, cells.cfa, bytes))
        return fvm_fail(vm, FVM_ERR_CONTEXT, (fvm_cell)move, "a drawn move cannot be checked");
    memcpy(code, vm->mem + cells.cfa, bytes);
    selection->chosen = -1;
    fvm_status status = fvm_clear_list(vm);
    if (status == FVM_OK)
        status = fvm_scan_board(vm, s, for_player);
    return status != FVM_OK || list_contains(vm, code, bytes)
               ? status
               : fvm_fail(vm, FVM_ERR_CONTEXT, (fvm_cell)move,
                          "a drawn move is not in the complete list");
}

fvm_status fvm_random_move(fvm *vm, fvm_scan *s, fvm_cell for_player,
                           fvm_random_selection *selection) {
    const fvm_cell demanded_type = s->demanded_type;
    const bool ranked = demanded_type == 0 && fvm_priorities(vm) != 0;
    fvm_status status = FVM_OK;
    bool found = false;
    selection->chosen = -1;
    if (ranked)
        status = generate_better_ranks(vm, s, for_player, selection, &found);
    if (status == FVM_OK && !found && (!ranked || s->demanded_type != 0))
        status = fvm_draw_move(vm, s, for_player, selection);
    if (status != FVM_OK || found)
        return status;
    if (selection->chosen >= 0 && vm->list_mode != FVM_LISTS_COMPARED) {
        fvm_scan_set_final_variables(vm, s, for_player);
        return FVM_OK;
    }
    if (selection->passing_count > 0) /* their words have been omitted */
        s->demanded_type = demanded_type;
    if (selection->chosen >= 0)
        return check_drawn_move(vm, s, for_player, selection);
    return fvm_scan_board(vm, s, for_player);
}
