/* purity.h: results of the purity analysis of a script's words (purity.c). */
#ifndef FVM_PURITY_H
#define FVM_PURITY_H

#include "game/game.h"

/* Whether OnIsGameOver, OnEvaluate and OnIsTerminal? return the same results with an incomplete
 * list as with the complete list, provided that an incomplete list is empty only if the complete
 * list is empty. */
bool fvm_evaluation_ignores_list(fvm *vm);
/* The same for OnIsGameOver alone, with a move of the complete list in the incomplete list.
 * OnIsGameOver may also read the type of the first move if all move words have the same move type.
 */
bool fvm_game_over_ignores_list(fvm *vm);
/* Whether records of moves have texts, which no word that runs in a search reads: only the host and
 * searches read records then. */
bool fvm_texts_are_unread(fvm *vm);

#endif
