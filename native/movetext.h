/* movetext.h: the rules of move texts, for what builds moves and what reads them back. */
#ifndef FVM_MOVETEXT_H
#define FVM_MOVETEXT_H

#include "vm.h"

/* What the rules remember, and where the text goes. */
typedef struct {
    char *to;
    uint32_t size, length;
    bool full;
    fvm_cell kind, value, last;
} fvm_writer;

void fvm_write_move(const fvm *vm, fvm_writer *w, fvm_cell piece, bool takes, fvm_cell from,
                    fvm_cell to);
void fvm_write_capture(const fvm *vm, fvm_writer *w, fvm_cell pos);
void fvm_write_create(const fvm *vm, fvm_writer *w, fvm_cell piece, fvm_cell pos);
void fvm_write_change(const fvm *vm, fvm_writer *w, int kind, fvm_cell value, fvm_cell pos);

#endif
