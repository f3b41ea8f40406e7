/* guarded_reads.h: finds the memory that a search must guard, and the instructions that read it. */
#ifndef FVM_GUARDED_READS_H
#define FVM_GUARDED_READS_H

#include "analysis/word_code.h"
#include "game/guarded_memory.h"

/* Those of the numbered variables that can be guarded: they are not data of the board. */
fvm_variables fvm_can_be_guarded(const fvm_program *p);
/* Fills in a guard for variables; false: there are too many, and guard->variables is 0.  reached:
 * the words that may use them. */
bool fvm_guard_find(fvm_guard *guard, const fvm_program *p, const bool *reached,
                    fvm_variables variables);

#endif
