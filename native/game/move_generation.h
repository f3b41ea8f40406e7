/* move_generation.h: the move under construction, move lists and passes; for move_list.c,
 * move_generation.c and board_scan.c only. */
#ifndef FVM_MOVE_GENERATION_H
#define FVM_MOVE_GENERATION_H

#include "game/game.h"

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

/* --- passes ----------------------------------------------------------------------- */

void fvm_pass_note(fvm *vm); /* the move added last was the pass */

/* Called after each move word: inline, except for the rare case. */
static inline void fvm_pass_check(fvm *vm) {
    if (FVM_UNLIKELY(fvm_lib_get(vm, vm->lib.passed, 0) == -1) && !vm->pass_found)
        fvm_pass_note(vm);
}

#endif
