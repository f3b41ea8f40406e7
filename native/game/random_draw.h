/* random_draw.h: draws one move by running single move words.
 *
 * Included by random_draw.c and random_move.c only. */
#ifndef FVM_RANDOM_DRAW_H
#define FVM_RANDOM_DRAW_H

#include "game/board_scan.h"
#include "game/random_move.h"

/* Whether a word may add a pass. */
bool fvm_may_pass(const fvm_random_selection *selection, fvm_addr word);
/* Empties the list under construction and begins its first move. */
fvm_status fvm_clear_list(fvm *vm);
/* Draws a move of the words of s->demanded_type.  If none is drawn, selection->chosen is -1, and
 * the list is empty. */
fvm_status fvm_draw_move(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                         fvm_random_selection *selection);

#endif
