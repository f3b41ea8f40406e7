/* catch_frame.h: runs a word that $Exit may end, and afterwards restores the state of generation.
 */
#ifndef FVM_CATCH_FRAME_H
#define FVM_CATCH_FRAME_H

#include "vm/vm.h"

/* Collects the addresses of the cells that a frame restores.  Called when the library has been
 * bound. */
void fvm_catch_frame_bind(fvm *vm);

/* Runs a word like $CatchExit (primitives.def): without a move under construction, and so that
 * $Exit ends only this word.  Afterwards, even after a failure, the parameter stack and the state
 * of generation are as before.  *exited: whether $Exit has ended the word. */
fvm_status fvm_run_in_frame(fvm *vm, fvm_addr cfa, bool *exited);

#endif
