/* undone_moves.h: whether searching a move leaves what generating its list reads. */
#ifndef FVM_UNDONE_MOVES_H
#define FVM_UNDONE_MOVES_H

#include "analysis/entry_words.h"

/* Whether a search that restores the board and the turn after a move restores all memory that move
 * words read.  It is assumed that the hooks of positions do not change this memory, nor move words
 * of other lists. */
bool fvm_moves_are_undone(const fvm_entry_words *w);

#endif
