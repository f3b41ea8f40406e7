/* move_generation.h: the move under construction, move lists and passes, for the files that make
 * lists. */
#ifndef FVM_MOVE_GENERATION_H
#define FVM_MOVE_GENERATION_H

#include "game/game.h"

/* The move under construction. */
fvm_status fvm_move_begin(fvm *vm);
fvm_status fvm_move_finish(fvm *vm); /* adds it to the list and begins the next move */
void fvm_move_discard(fvm *vm);      /* frees the memory of the unfinished move */

void fvm_list_clear(fvm *vm, fvm_addr list); /* removes all moves from the list */
/* The table of priorities, 0: none. */
fvm_addr fvm_priorities(const fvm *vm);
/* The rank of a move is the priority of its move type; the lowest rank is the best.  ranks: the
 * table of priorities. */
fvm_cell fvm_move_rank(const fvm *vm, fvm_addr ranks, fvm_cell type);
/* The best rank of a move type; 0: there are no priorities. */
fvm_cell fvm_best_rank(const fvm *vm);
/* Removes all moves from the list that do not have the best priority. */
fvm_status fvm_list_remove_low_priorities(fvm *vm, fvm_addr list);

/* Whether OnMovesGenerated runs for a list (list_filter.c). */
static inline bool fvm_list_has_filter(const fvm *vm) {
    return FVM_UNLIKELY(vm->lib.on_generated != 0) && !GAME(vm)->filtering && !vm->keeps_all_moves;
}
/* Runs OnMovesGenerated for the list list, to which all move words have added their
 * moves. Afterwards the generation continues: a move is under construction. */
fvm_status fvm_list_filter(fvm *vm);

/* Whether no part of a text has been made since fvm_text_reset. */
static inline bool fvm_text_is_reset(const fvm *vm) {
    return fvm_get(vm, FVM_K_TEXT_CONTEXT) == 0 &&
           (!vm->records_have_texts ||
            (fvm_lib_get(vm, vm->lib.context) == 0 && fvm_lib_get(vm, vm->lib.changed_to) == 0));
}

/* --- parts of lists --------------------------------------------------------------- */

/* The variables of the library that generating a list changes, besides those that lists own. */
typedef struct {
    fvm_cell from, here, piece;
} fvm_scan_variables;

static inline fvm_scan_variables fvm_scan_variables_save(const fvm *vm) {
    return (fvm_scan_variables){fvm_lib_get(vm, vm->lib.from), fvm_lib_get(vm, vm->lib.pos),
                                fvm_lib_get(vm, vm->lib.piece)};
}
static inline void fvm_scan_variables_restore(fvm *vm, const fvm_scan_variables *saved) {
    fvm_lib_put(vm, vm->lib.from, saved->from);
    fvm_lib_put(vm, vm->lib.pos, saved->here);
    fvm_lib_put(vm, vm->lib.piece, saved->piece);
}

/* Generates at least a part of the list; list_is_part: it is not complete. */
fvm_status fvm_generate_part(fvm *vm, fvm_list_part part);
/* Adds moves to the newest list, whose generation has stopped at *rest: at least `moves` unless it
 * is complete then, 0: all.  *rest is set again.  `from`, `here` and the current piece do not
 * change. */
fvm_status fvm_continue_list(fvm *vm, fvm_list_rest *rest, int32_t moves);
/* Does what fvm_generate_part does besides making a list, which would begin at HERE. */
fvm_status fvm_omit_list(fvm *vm);

/* --- passes ----------------------------------------------------------------------- */

void fvm_mark_pass(fvm *vm); /* marks the last move of the list as a pass */

/* Marks the last move as a pass if $passed has been set.  Called after each move word. */
static inline void fvm_pass_check(fvm *vm) {
    if (FVM_UNLIKELY(fvm_lib_get(vm, vm->lib.passed) == -1) && !GAME(vm)->pass_found)
        fvm_mark_pass(vm);
}

#endif
