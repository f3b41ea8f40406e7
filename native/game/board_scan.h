/* board_scan.h: the scan over the board that runs move words; for board_scan.c, move_generation.c
 * and random_move.c only. */
#ifndef FVM_BOARD_SCAN_H
#define FVM_BOARD_SCAN_H

#include "game/move_generation.h"
#include "vm/fast_path.h"

typedef struct {
    fvm_addr pieces;
    fvm_cell scan_types;
    fvm_cell scan_positions;
    fvm_cell demanded;
    bool any_drops;
    int others; /* players whose drops a list of others holds; -1: it is no such list */
    fvm_cell other[FVM_MAX_PLAYERS];
    fvm_saved_stack stack; /* as it was before the first word, and is before each */
    bool settable; /* the library's variables are at ordinary addresses: fast access is safe */
} fvm_scan;

static inline fvm_cell fvm_scan_get(const fvm *vm, const fvm_scan *s, fvm_addr variable) {
    return FVM_LIKELY(s->settable) ? fvm_get(vm, variable) : fvm_lib_get(vm, variable, 0);
}

static inline void fvm_scan_set(fvm *vm, const fvm_scan *s, fvm_addr variable, fvm_cell value) {
    if (FVM_LIKELY(s->settable))
        fvm_set(vm, variable, value);
    else
        fvm_lib_put(vm, variable, value);
}

void fvm_scan_begin(fvm *vm, fvm_scan *s); /* reads the tables of the library */
/* Scan the whole board: for the pieces of one player, or for all who are not friends of `player`,
 * each as current player. */
fvm_status fvm_scan_board(fvm *vm, const fvm_scan *s, fvm_cell for_player);
fvm_status fvm_scan_board_for_others(fvm *vm, fvm_scan *s, fvm_cell player);
fvm_status fvm_scan_run_word(fvm *vm, const fvm_scan *s, fvm_addr word, fvm_cell type);

/* The move words (or drop words) of a piece type; returns their number.  *pairs: address of their
 * pairs of word and move type.  -1: the list has an unusual form, which only the scan handles. */
enum { FVM_FIELD_MOVES = 4, FVM_FIELD_DROPS = 8 };
int32_t fvm_scan_words(const fvm *vm, const fvm_scan *s, fvm_cell type, uint32_t field,
                       fvm_addr *pairs);
fvm_status fvm_scan_pairs(fvm *vm, const fvm_scan *s, fvm_addr pair, fvm_cell count);

/* Sets `from`, `here` and the piece as at the end of a scan, in most cases (random_move.c). */
void fvm_scan_set_end_state(fvm *vm, const fvm_scan *s, fvm_cell for_player);

/* Random move selection (random_move.c): if there are moves, the list contains the selected one. */
fvm_status fvm_random_move(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                           fvm_random_selection *selection);

#endif
