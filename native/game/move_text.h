/* move_text.h: writing the parts of move texts, for move_text.c and move_decompile.c. */
#ifndef FVM_MOVE_TEXT_H
#define FVM_MOVE_TEXT_H

#include "game/game.h"

/* Names that have been looked up, for the texts of many moves: of board positions, piece types and
 * players. */
enum { FVM_NAMES = 1024, FVM_NAME_BYTES = 16 };
typedef struct {
    uint8_t length[FVM_NAMES]; /* with the blank after the name; 0: not looked up, or too long */
    char text[FVM_NAMES][FVM_NAME_BYTES];
} fvm_known_names;

/* The buffer of a text, and the facts about earlier edits on which the text of the next edit
 * depends. */
typedef struct {
    char *to; /* the buffer, of `size` bytes */
    uint32_t size, length;
    fvm_known_names *names; /* NULL: each name is looked up where it is written */
    bool full;              /* the text has been truncated */
    int32_t context;        /* the text context: bits FVM_TEXT_… */
    fvm_cell changed_to;    /* type or player number of the last change */
    fvm_cell last_pos;      /* board position of the last edit */
} fvm_writer;

/* Each function writes the text of one edit. */
void fvm_write_move(const fvm *vm, fvm_writer *w, fvm_cell piece, bool captures, fvm_cell from,
                    fvm_cell to);
void fvm_write_capture(const fvm *vm, fvm_writer *w, fvm_cell pos);
void fvm_write_create(const fvm *vm, fvm_writer *w, fvm_cell piece, fvm_cell pos);
void fvm_write_change(const fvm *vm, fvm_writer *w, int kind, fvm_cell value, fvm_cell pos);
void fvm_write_word(fvm_writer *w, const char *text); /* writes a text and a blank */
/* Writes the text that a move's code contains as items; false: it contains none. */
bool fvm_write_text_items(const fvm *vm, fvm_writer *w, fvm_addr cfa);
void fvm_trim_blank(fvm_writer *w); /* removes a blank at the end */

#endif
