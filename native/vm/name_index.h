/* name_index.h: the index of the basic word list; see name_index.c. */
#ifndef FVM_NAME_INDEX_H
#define FVM_NAME_INDEX_H

#include "vm/vm.h"

/* Finds a name in the basic word list.  *nfa: the newest header that has the name and is not
 * hidden; 0 if there is no such header.  Returns false if the list cannot be indexed and must be
 * searched linearly. */
bool fvm_names_find(fvm *vm, const char *name, uint32_t length, fvm_addr *nfa);
void fvm_names_free(fvm *vm);

#endif
