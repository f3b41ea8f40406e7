/* encoding.h: moves and positions as numbers, for programs that learn.
 *
 * Functions for the host are declared in forthvm.h. */
#ifndef FVM_ENCODING_H
#define FVM_ENCODING_H

#include "game/game.h"

/* --- action_keys.c -------------------------------------------------------------------- */

/* The main movement of a move: a piece disappears on `from` and one appears on `to`; -1: none.
 * type: the type of the new piece, 0 if it is the piece from `from`. */
typedef struct {
    fvm_cell from, to, type;
} fvm_movement;

/* The owner whose pieces are the mover's own in descriptions of moves. */
fvm_cell fvm_own_pieces(const fvm *vm);
/* *reads_board: besides the move's code, the result depends on the board. */
fvm_movement fvm_main_movement(fvm *vm, fvm_addr move, bool *reads_board);
/* Writes the description of one move (see fvm_describe_moves) without its length; own: the result
 * of fvm_own_pieces.  Returns the number of its cells, possibly more than `capacity`. */
int32_t fvm_describe_move(fvm *vm, fvm_addr move, fvm_cell own, fvm_cell *cells, int32_t capacity);

/* --- action_space.c ------------------------------------------------------------------- */

/* Copies a space; false: no memory, or too many numbers. */
bool fvm_space_copy(fvm_action_space *copy, const fvm_action_space *space);
void fvm_space_free(fvm_action_space *copy);
/* The number of a movement in its block, for the first of several choices; -1: it has none. */
int32_t fvm_space_number(const fvm_action_space *space, fvm_movement m);
/* The number of the choice `rank` (from 1) of a movement with a number; -1: it has none. */
int32_t fvm_space_choice(const fvm_action_space *space, fvm_movement m, int32_t number,
                         int32_t rank);
/* The index of the position whose spare numbers a movement gets. */
int32_t fvm_space_slot(const fvm_action_space *space, fvm_movement m);
/* A spare number; -1: there is none. */
int32_t fvm_space_spare(const fvm_action_space *space, int32_t slot, int32_t rank);
/* One more than the greatest number. */
int32_t fvm_space_size(const fvm_action_space *space);

#endif
