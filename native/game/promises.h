/* promises.h: what a script promises about its lists of moves.
 *
 * Searches, playouts and perft leave out parts of lists only as far as the script, or the host,
 * promises that this makes no difference (docs/reference/promises.md).  Nothing is inferred. */
#ifndef FVM_PROMISES_H
#define FVM_PROMISES_H

#include "game/game.h"

/* What may be left out. */
typedef struct {
    bool draws;  /* single move words may run, to draw a random move (independent-moves) */
    bool parts;  /* a list may begin with some of its moves (also hooks-keep-moves) */
    bool unread; /* a list whose moves are not searched may be missing (also hooks-ignore-moves) */
} fvm_promises;

/* Returns what may be left out in searches of the game; nothing if OnMovesGenerated removes moves
 * from complete lists. */
fvm_promises fvm_find_promises(fvm *vm);

/* Whether the first moves of a list, generated now, are those of the complete list.  With
 * $uniqueMoves equal moves are removed at the end. */
static inline bool fvm_has_first_moves(const fvm *vm, const fvm_promises *promises) {
    return promises->parts && fvm_lib_get(vm, vm->lib.unique_moves) == 0;
}

#endif
