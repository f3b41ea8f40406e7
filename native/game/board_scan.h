/* board_scan.h: the scan over the board that runs move words. */
#ifndef FVM_BOARD_SCAN_H
#define FVM_BOARD_SCAN_H

#include "game/move_generation.h"
#include "game/random_move.h"
#include "vm/fast_path.h"

typedef struct {
    fvm_addr pieces;                  /* the library's table of piece types */
    fvm_cell scan_types;              /* the scan visits piece types from 1 to this number */
    fvm_cell scan_positions;          /* the scan visits board positions below this number */
    fvm_cell demanded_type;           /* move type that is generated, 0: every type */
    int other_count;                  /* number of `others`; -1: the list is for one player */
    fvm_cell others[FVM_MAX_PLAYERS]; /* players who are not friends of the requested player */
    fvm_saved_stack stack;            /* the stack before each word */
} fvm_scan;

/* Sets `from`, `here` and the current piece. */
static inline void fvm_scan_set_current(fvm *vm, fvm_cell pos, fvm_cell piece) {
    fvm_lib_put(vm, vm->lib.from, pos);
    fvm_lib_put(vm, vm->lib.pos, pos);
    fvm_lib_put(vm, vm->lib.piece, piece);
}

/* The address of the board; 0: its cells are not all in memory. */
static inline fvm_addr fvm_scan_cells(const fvm *vm, const fvm_scan *s) {
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    return board != 0 && s->scan_positions > 0 && (uint32_t)s->scan_positions <= vm->size / 4 &&
                   fvm_in(vm, board, 4u * (uint32_t)s->scan_positions)
               ? board
               : 0;
}

enum { FVM_SCAN_BLOCK = 8 }; /* board positions that are tested together */

/* Whether one of the FVM_SCAN_BLOCK cells from `cells` on has an owner. */
static inline bool fvm_block_has_owner(const uint8_t *cells, fvm_cell owner) {
    typedef fvm_cell vector __attribute__((vector_size(16), aligned(1), may_alias));
    typedef int64_t halves __attribute__((vector_size(16)));
    _Static_assert(sizeof(vector[2]) == 4 * FVM_SCAN_BLOCK, "a block is two vectors");
    const vector *const block = (const vector *)cells;
    const halves found = (halves)((FVM_OWNER(block[0]) == owner) | (FVM_OWNER(block[1]) == owner));
    return (found[0] | found[1]) != 0;
}

fvm_status fvm_scan_begin(fvm *vm, fvm_scan *s); /* reads the tables of the library */
/* Runs the move words of one player's pieces, and that player's drop words, on each board
 * position.  If a few moves are enough, the scan may stop: list_part,
 * list_is_part. */
fvm_status fvm_scan_board(fvm *vm, const fvm_scan *s, fvm_cell for_player);
/* Continues such a scan.  `from`, `here` and the current piece are not set afterwards. */
fvm_status fvm_scan_rest(fvm *vm, fvm_scan *s, fvm_cell for_player, const fvm_list_rest *rest);
/* Scans the board for all players who are not friends of `player`; each is the current player while
 * its words run. */
fvm_status fvm_scan_board_for_others(fvm *vm, fvm_scan *s, fvm_cell player);
/* Runs a move word of a move type at the current board position. */
fvm_status fvm_scan_run_word(fvm *vm, const fvm_scan *s, fvm_addr word, fvm_cell type);

/* The number of words in a list of move words, which begin 8 bytes after its address; -1: the list
 * has a form that only fvm_scan_board supports. */
int32_t fvm_words_of_list(const fvm *vm, fvm_addr list);
static inline fvm_addr fvm_pair_of_list(fvm_addr list, int32_t number) {
    return list + FVM_WORDS_PAIRS + FVM_PAIR_BYTES * (uint32_t)number;
}
/* Stores in *type the move type of the last entry to which a scan of the whole board comes, also if
 * it is not of the demanded type; false: there is none. */
bool fvm_last_scanned_type(const fvm *vm, const fvm_scan *s, fvm_cell for_player, fvm_cell *type);
/* Runs one word of a table, for the current piece at the board position `from`, and clears its
 * request to skip words. */
fvm_status fvm_scan_run_single(fvm *vm, const fvm_scan *s, const fvm_loop_word *word);

/* Sets `from`, `here` and the current piece to the values that a scan of the whole board would
 * leave if no move word sets `from` (random_move.c). */
void fvm_scan_set_final_variables(fvm *vm, const fvm_scan *s, fvm_cell for_player);

/* Random move selection (random_move.c): if there are moves, the list contains the selected one. */
fvm_status fvm_random_move(fvm *vm, fvm_scan *s, fvm_cell for_player,
                           fvm_random_selection *selection);

#endif
