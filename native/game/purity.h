/* purity.h: results of the purity analysis of a script's words. */
#ifndef FVM_PURITY_H
#define FVM_PURITY_H

#include "game/game.h"

/* Whether OnIsGameOver, OnEvaluate and OnIsTerminal? return the same results with an incomplete
 * list as with the complete list.  The incomplete list must contain a move if the complete list
 * does. */
bool fvm_evaluation_ignores_list(fvm *vm);
/* Whether the moves that a move word generates do not depend on the move words that ran before. */
bool fvm_move_words_are_independent(fvm *vm);

#endif
