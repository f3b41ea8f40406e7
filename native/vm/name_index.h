/* name_index.h: the index of the basic word list, for dictionary.c and those who store there. */
#ifndef FVM_NAME_INDEX_H
#define FVM_NAME_INDEX_H

#include "vm/vm.h"

/* Finds a name in the basic list, passing over headers with a bit of `hidden` set; false:
 * the list cannot be indexed and must be walked. */
bool fvm_names_find(fvm *vm, const char *name, uint32_t length, int hidden, fvm_addr *nfa);
void fvm_names_free(fvm *vm);

#endif
