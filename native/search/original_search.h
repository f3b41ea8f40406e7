/* original_search.h: the search of the original engine, and saving and restoring a turn.
 *
 * All searches save and restore turns.  Only engine_words.c starts the original engine's search. */
#ifndef FVM_ORIGINAL_SEARCH_H
#define FVM_ORIGINAL_SEARCH_H

#include "game/game.h"

/* The cells outside the board that are changed by moves and by the change of turns.
 * FVM_TURN_OFFSET, FVM_TURN_BOARD and FVM_TURN_LIST are the indexes of $turnOffset, $board and
 * $movesList. */
enum { FVM_TURN_OFFSET, FVM_TURN_BOARD = 9, FVM_TURN_LIST, FVM_TURN_CELLS = 14 };
typedef struct {
    fvm_cell values[FVM_TURN_CELLS];
} fvm_turn;

void fvm_turn_save(const fvm *vm, fvm_turn *turn);
void fvm_turn_restore(fvm *vm, const fvm_turn *turn);
/* The values of vm->engine_status other than 0: the requests of fvm_engine_stop. */
enum { FVM_STOP_SOON = 1, FVM_STOP_NOW = 2 };

fvm_status fvm_search_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result);
/* Returns the next number of the random stream of the original engine's searches (original_search.c
 * and original_uct.c); other searches do not use it. */
uint32_t fvm_search_random(fvm *vm);

#endif
