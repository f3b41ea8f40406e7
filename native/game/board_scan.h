/* board_scan.h: the scan over the board that runs move words.
 *
 * For board_scan.c, move_generation.c and random_move.c only. */
#ifndef FVM_BOARD_SCAN_H
#define FVM_BOARD_SCAN_H

#include "game/move_generation.h"
#include "vm/fast_path.h"

typedef struct {
    fvm_addr pieces;                  /* table of the library */
    fvm_cell scan_types;              /* number of piece types */
    fvm_cell scan_positions;          /* number of board positions */
    fvm_cell demanded;                /* move type that is generated, 0: any */
    bool any_drops;                   /* a type has drop words */
    int other_count;                  /* number of `others`; -1: the list is for one player */
    fvm_cell others[FVM_MAX_PLAYERS]; /* the players for whom the list is generated */
    fvm_saved_stack stack;            /* the stack before each word */
    bool direct;                      /* fvm_get and fvm_set may access the library's variables */
} fvm_scan;

/* The value of a variable of the library. */
static inline fvm_cell fvm_scan_get(const fvm *vm, const fvm_scan *s, fvm_addr variable) {
    return FVM_LIKELY(s->direct) ? fvm_get(vm, variable) : fvm_lib_get(vm, variable, 0);
}

static inline void fvm_scan_set(fvm *vm, const fvm_scan *s, fvm_addr variable, fvm_cell value) {
    if (FVM_LIKELY(s->direct))
        fvm_set(vm, variable, value);
    else
        fvm_lib_put(vm, variable, value);
}

void fvm_scan_begin(fvm *vm, fvm_scan *s); /* reads the tables of the library */
/* Scan the board: for the pieces of one player, or for the pieces of all players who are not
 * friends of `player`, each as current player. */
fvm_status fvm_scan_board(fvm *vm, const fvm_scan *s, fvm_cell for_player);
fvm_status fvm_scan_board_for_others(fvm *vm, fvm_scan *s, fvm_cell player);
fvm_status fvm_scan_run_word(fvm *vm, const fvm_scan *s, fvm_addr word, fvm_cell type);

/* Returns the number of move words (or drop words) of a piece type.  *pairs: address of a list of
 * words, each followed by its move type.  -1: only the scan can handle the form of the list. */
enum { FVM_FIELD_MOVES = 4, FVM_FIELD_DROPS = 8 };
int32_t fvm_scan_words(const fvm *vm, const fvm_scan *s, fvm_cell type, uint32_t field,
                       fvm_addr *pairs);
fvm_status fvm_scan_pairs(fvm *vm, const fvm_scan *s, fvm_addr pair, fvm_cell count);

/* Sets `from`, `here` and the current piece to their usual values at the end of a scan
 * (random_move.c). */
void fvm_scan_set_end_state(fvm *vm, const fvm_scan *s, fvm_cell for_player);

/* Random move selection (random_move.c): if there are moves, the list contains the selected one. */
fvm_status fvm_random_move(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                           fvm_random_selection *selection);

#endif
