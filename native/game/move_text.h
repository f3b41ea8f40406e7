/* move_text.h: the rules of move texts, for what builds moves and what reads their code. */
#ifndef FVM_MOVE_TEXT_H
#define FVM_MOVE_TEXT_H

#include "game/game.h"

/* Where the text goes, and what the rules remember. */
typedef struct {
    char *to;
    uint32_t size, length;
    bool full;
    int32_t context;     /* a set: what the edits before were, FVM_TEXT_… */
    fvm_cell changed_to; /* type or player number of the last change */
    fvm_cell last;       /* square of the last edit */
} fvm_writer;

void fvm_write_move(const fvm *vm, fvm_writer *w, fvm_cell piece, bool takes, fvm_cell from,
                    fvm_cell to);
void fvm_write_capture(const fvm *vm, fvm_writer *w, fvm_cell pos);
void fvm_write_create(const fvm *vm, fvm_writer *w, fvm_cell piece, fvm_cell pos);
void fvm_write_change(const fvm *vm, fvm_writer *w, int kind, fvm_cell value, fvm_cell pos);
void fvm_trim_blank(fvm_writer *w); /* the one at the end, if there is one */

#endif
