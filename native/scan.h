/* scan.h: what making moves and listing them know of each other, for moves.c and scan.c only. */
#ifndef FVM_SCAN_H
#define FVM_SCAN_H

#include "quick.h"

enum { LIST_BYTES = 12 }; /* previous list, count, first move */
enum { RECORD_BYTES = 16, RECORD_BYTES_140 = 20 }; /* of a move, before its code */

static inline int32_t fvm_record_bytes(const fvm *vm) {
    return vm->layout_140 ? RECORD_BYTES_140 : RECORD_BYTES;
}

/* The move under construction. */
fvm_status fvm_move_begin(fvm *vm);
fvm_status fvm_move_finish(fvm *vm); /* puts it into the list and begins the next */
void fvm_move_drop(fvm *vm);

fvm_status fvm_list_keep_best(fvm *vm, fvm_addr list); /* by priorities */

void fvm_pass_note(fvm *vm); /* the move added last was the pass */

/* Asked so often that only the way to note it is a function. */
static inline void fvm_pass_look(fvm *vm) {
    if (FVM_UNLIKELY(fvm_lib_get(vm, vm->lib.passed, 0) == -1) && !vm->pass_noted)
        fvm_pass_note(vm);
}

#endif
