/* original_search.h: saving and restoring a turn, and the original engine's search.
 *
 * All searches use the saved turn; only engine words start the original's search. */
#ifndef FVM_ORIGINAL_SEARCH_H
#define FVM_ORIGINAL_SEARCH_H

#include "game/game.h"

/* The addresses and values of the cells, apart from the board, that moves and turns change. */
enum { FVM_TURN_OFFSET, FVM_TURN_BOARD = 9, FVM_TURN_LIST, FVM_TURN_CELLS = 14 };
typedef struct {
    fvm_addr where[FVM_TURN_CELLS];
    fvm_cell what[FVM_TURN_CELLS];
} fvm_turn;

void fvm_turn_save(const fvm *vm, fvm_turn *turn);
void fvm_turn_restore(fvm *vm, const fvm_turn *turn);
fvm_status fvm_search_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result);
uint32_t fvm_search_random(fvm *vm); /* from the search's own random stream */

#endif
