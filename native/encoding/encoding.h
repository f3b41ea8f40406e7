/* encoding.h: moves and positions as numbers, for programs that learn.
 *
 * Functions for the host are declared in forthvm.h. */
#ifndef FVM_ENCODING_H
#define FVM_ENCODING_H

#include "game/game.h"

/* --- action_keys.c -------------------------------------------------------------------- */

/* The owner whose pieces are the mover's own in descriptions of moves. */
fvm_cell fvm_own_pieces(const fvm *vm);
/* Writes the description of one move (see fvm_list_actions) without its length; own: the result of
 * fvm_own_pieces.  Returns the number of its cells, possibly more than `capacity`; -1: the move
 * makes too many changes.  *reads_board: besides the move's code and `own`, the description depends
 * on the board. */
int32_t fvm_move_action(fvm *vm, fvm_addr move, fvm_cell own, int32_t detail, fvm_cell *cells,
                        int32_t capacity, bool *reads_board);

/* --- action_table.c ------------------------------------------------------------------- */

int32_t fvm_action_detail_of(const fvm_action_table *table);
int32_t fvm_action_count(const fvm_action_table *table);
/* The number of the action with a description; -1: there is none. */
int32_t fvm_action_number(const fvm_action_table *table, const fvm_cell *cells, int32_t length);

#endif
