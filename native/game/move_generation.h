/* move_generation.h: the move under construction, move lists and the scan over the board; for
 * move_list.c, move_generation.c and random_move.c only. */
#ifndef FVM_MOVE_GENERATION_H
#define FVM_MOVE_GENERATION_H

#include "game/game.h"
#include "vm/fast_path.h"

enum { LIST_BYTES = 12 };                          /* previous list, count, first move */
enum { RECORD_BYTES = 16, RECORD_BYTES_140 = 20 }; /* of a move, before its code */

static inline int32_t fvm_record_bytes(const fvm *vm) {
    return vm->layout_140 ? RECORD_BYTES_140 : RECORD_BYTES;
}

/* The move under construction. */
fvm_status fvm_move_begin(fvm *vm);
fvm_status fvm_move_finish(fvm *vm); /* puts it into the list and begins the next */
void fvm_move_drop(fvm *vm);

void fvm_list_clear(fvm *vm, fvm_addr list);                     /* of what has been put into it */
fvm_status fvm_list_drop_low_priorities(fvm *vm, fvm_addr list); /* by priorities */

/* --- the scan over the board (move_generation.c) ---------------------------------- */

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

/* The move words (or drop words) of a piece type; returns their number.  *pairs: address of their
 * pairs of word and move type.  -1: the list has an unusual form, which only the scan handles. */
enum { FVM_FIELD_MOVES = 4, FVM_FIELD_DROPS = 8 };
int32_t fvm_scan_words(const fvm *vm, const fvm_scan *s, fvm_cell type, uint32_t field,
                       fvm_addr *pairs);
fvm_status fvm_scan_pairs(fvm *vm, const fvm_scan *s, fvm_addr pair, fvm_cell count);
fvm_status fvm_scan_board(fvm *vm, const fvm_scan *s, fvm_cell for_player); /* all of it */

/* Sets `from`, `here` and the piece as at the end of a scan, in most cases (random_move.c). */
void fvm_scan_set_end_state(fvm *vm, const fvm_scan *s, fvm_cell for_player);

/* Random move selection (random_move.c): if there are moves, the list contains the selected one. */
fvm_status fvm_random_move(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                           fvm_random_selection *selection);

/* --- passes ----------------------------------------------------------------------- */

void fvm_pass_note(fvm *vm); /* the move added last was the pass */

/* Called after each move word: inline, except for the rare case. */
static inline void fvm_pass_check(fvm *vm) {
    if (FVM_UNLIKELY(fvm_lib_get(vm, vm->lib.passed, 0) == -1) && !vm->pass_noted)
        fvm_pass_note(vm);
}

#endif
