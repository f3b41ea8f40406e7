/* purity.h: what the purity analysis answers about a script's words. */
#ifndef FVM_PURITY_H
#define FVM_PURITY_H

#include "game/game.h"

/* OnIsGameOver, OnEvaluate and OnIsTerminal? do not read the list of moves. */
bool fvm_evaluation_ignores_list(fvm *vm);
/* What a move word generates does not depend on the move words that ran before it. */
bool fvm_move_words_are_independent(fvm *vm);

#endif
