/* move_text.h: the rules of move texts, for move_text.c and move_decompile.c. */
#ifndef FVM_MOVE_TEXT_H
#define FVM_MOVE_TEXT_H

#include "game/game.h"

/* The buffer of a text, and the state of the rules. */
typedef struct {
    char *to;
    uint32_t size, length;
    bool full;
    int32_t context;     /* the kinds of earlier edits, a set of FVM_TEXT_… */
    fvm_cell changed_to; /* type or player number of the last change */
    fvm_cell last;       /* square of the last edit */
} fvm_writer;

void fvm_write_move(const fvm *vm, fvm_writer *w, fvm_cell piece, bool takes, fvm_cell from,
                    fvm_cell to);
void fvm_write_capture(const fvm *vm, fvm_writer *w, fvm_cell pos);
void fvm_write_create(const fvm *vm, fvm_writer *w, fvm_cell piece, fvm_cell pos);
void fvm_write_change(const fvm *vm, fvm_writer *w, int kind, fvm_cell value, fvm_cell pos);
void fvm_trim_blank(fvm_writer *w); /* removes a blank at the end */

#endif
