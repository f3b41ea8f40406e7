/* movetext.c: what moves are called.
 *
 * Version 140 writes the text while a move is built and keeps it in the record; later
 * versions work it out from the move's code when it is asked for.  Both use the same rules
 * (axiom-observed.md, c), whose memory of the last square outlives a move: the record's
 * hash cell keeps where it stood when the move began. */
#include "vm.h"

#include "movetext.h"

#include <stdio.h>

static void put(fvm_writer *w, const char *text) {
    for (; *text != 0; text++) {
        if (w->length + 1 >= w->size) {
            w->full = true;
            return;
        }
        w->to[w->length++] = *text;
    }
    w->to[w->length] = 0;
}

static void put_part(fvm_writer *w, const char *text) {
    if (w->length > 0 && w->to[w->length - 1] != ' ' && text[0] != ' ')
        put(w, " ");
    put(w, text);
}

/* --- names ------------------------------------------------------------------------------------- */

static bool copy_text(const fvm *vm, fvm_addr text, char *to, uint32_t size) {
    uint32_t length = 0;
    while (length < size - 1 && fvm_in(vm, text + length, 1) && vm->mem[text + length] != 0) {
        to[length] = (char)vm->mem[text + length];
        length++;
    }
    to[length] = 0;
    return length > 0;
}

void fvm_position_name(const fvm *vm, fvm_cell pos, char *to, uint32_t size) {
    fvm_addr names = (fvm_addr)fvm_lib_get(vm, vm->lib.pos_names, 0);
    fvm_addr at = names + 4u * (uint32_t)pos;
    if (pos < 0 || pos >= fvm_lib_get(vm, vm->lib.positions, 0) || names == 0 ||
        !fvm_in(vm, at, 4) || !copy_text(vm, (fvm_addr)fvm_get(vm, at), to, size))
        snprintf(to, size, "??");
}

static void name_in_table(const fvm *vm, fvm_addr table, uint32_t offset, char *to, uint32_t size) {
    fvm_addr at = table + offset;
    if (table == 0 || !fvm_in(vm, at, 4) ||
        fvm_name(vm, (fvm_addr)fvm_get(vm, at) - 12, to, (int32_t)size) == 0)
        snprintf(to, size, "??");
}

void fvm_piece_name(const fvm *vm, fvm_cell type, char *to, uint32_t size) {
    if (type < 1 || type > fvm_lib_get(vm, vm->lib.piece_count, 0))
        snprintf(to, size, "??");
    else
        name_in_table(vm, (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0),
                      16u * ((uint32_t)type - 1), to, size);
}

void fvm_player_name(const fvm *vm, fvm_cell player, char *to, uint32_t size) {
    int number = FVM_PLAYER_NUMBER(player);
    if (number < 1 || number > fvm_lib_get(vm, vm->lib.player_count, 0))
        snprintf(to, size, "??");
    else
        name_in_table(vm, (fvm_addr)fvm_lib_get(vm, vm->lib.players, 0),
                      4u * ((uint32_t)number - 1), to, size);
}

/* --- the rules ----------------------------------------------------------------------------------- */

static void write_square(const fvm *vm, fvm_writer *w, fvm_cell pos) {
    char name[256];
    fvm_position_name(vm, pos, name, sizeof name);
    put_part(w, name);
}

void fvm_write_move(const fvm *vm, fvm_writer *w, fvm_cell piece, bool takes, fvm_cell from,
                       fvm_cell to) {
    char name[256];
    fvm_piece_name(vm, FVM_TYPE(piece), name, sizeof name);
    put_part(w, name);
    write_square(vm, w, from);
    put_part(w, takes ? "x" : "-");
    write_square(vm, w, to);
    w->kind = FVM_EDIT_OTHER;
    w->last = to;
}

void fvm_write_capture(const fvm *vm, fvm_writer *w, fvm_cell pos) {
    put_part(w, "x");
    write_square(vm, w, pos);
    w->kind = FVM_EDIT_OTHER;
    w->last = pos;
}

void fvm_write_create(const fvm *vm, fvm_writer *w, fvm_cell piece, fvm_cell pos) {
    char name[256];
    fvm_player_name(vm, FVM_OWNER(piece), name, sizeof name);
    put_part(w, name);
    fvm_piece_name(vm, FVM_TYPE(piece), name, sizeof name);
    put_part(w, name);
    write_square(vm, w, pos);
    w->kind = FVM_EDIT_OTHER;
    w->last = pos;
}

void fvm_write_change(const fvm *vm, fvm_writer *w, int kind, fvm_cell value, fvm_cell pos) {
    char name[256];
    if (w->kind == kind && w->value == value) {
        if (w->last != pos)
            write_square(vm, w, pos);
    } else {
        int other = kind == FVM_EDIT_TYPE ? FVM_EDIT_OWNER : FVM_EDIT_TYPE;
        if (kind == FVM_EDIT_TYPE)
            fvm_piece_name(vm, value, name, sizeof name);
        else
            fvm_player_name(vm, value, name, sizeof name);
        put_part(w, "=");
        put_part(w, name);
        if (w->last != pos || w->kind == other) {
            put_part(w, "on");
            write_square(vm, w, pos);
        }
    }
    w->kind = kind;
    w->value = value;
    w->last = pos;
}

/* --- the text under construction -------------------------------------------------------------------- */

static fvm_writer kernel_writer(fvm *vm) {
    uint32_t length = (uint32_t)fvm_get(vm, FVM_K_TEXT_LENGTH);
    if (length >= FVM_TEXT_BYTES)
        length = 0;
    bool writes = fvm_layout_140(vm);
    if (writes) /* also what a text that turns out too long leaves there */
        memset(vm->dirty + (FVM_TEXT >> FVM_PAGE_SHIFT), 1, FVM_TEXT_BYTES >> FVM_PAGE_SHIFT);
    return (fvm_writer){(char *)vm->mem + FVM_TEXT,
                    writes ? FVM_TEXT_BYTES : 0,
                    length,
                    false,
                    fvm_get(vm, FVM_K_CHANGED_KIND),
                    fvm_get(vm, FVM_K_CHANGED_TO),
                    fvm_get(vm, FVM_K_LAST_POS)};
}

static fvm_status keep(fvm *vm, const fvm_writer *w) {
    if (w->size > 0 && (w->full || w->length > FVM_TEXT_MAX))
        return fvm_fail(vm, FVM_ERR_MOVE_TEXT, (fvm_cell)w->length,
                        "the text of a move is longer than %d bytes", FVM_TEXT_MAX);
    if (w->size > 0) {
        fvm_put(vm, FVM_K_TEXT_LENGTH, (fvm_cell)w->length);
    }
    fvm_put(vm, FVM_K_CHANGED_KIND, w->kind);
    fvm_put(vm, FVM_K_CHANGED_TO, w->value);
    fvm_put(vm, FVM_K_LAST_POS, w->last);
    return FVM_OK;
}

void fvm_text_restart(fvm *vm) {
    fvm_put(vm, FVM_K_TEXT_LENGTH, 0);
    fvm_put(vm, FVM_K_CHANGED_KIND, FVM_EDIT_NONE);
    fvm_put(vm, FVM_K_BUILD_LAST, fvm_get(vm, FVM_K_LAST_POS));
}

/* After an edit of the kernel's own; version 140's library shows the square as `last`.
 * (A library that writes its texts itself keeps that variable itself.) */
static fvm_status keep_edit(fvm *vm, const fvm_writer *w) {
    fvm_lib_put(vm, vm->lib.last_pos, w->last);
    return keep(vm, w);
}

/* Without a text in the record only the memory of the rules is kept up. */
static fvm_status only_memory(fvm *vm, int kind, fvm_cell value, fvm_cell last) {
    fvm_lib_put(vm, vm->lib.last_pos, last);
    fvm_put(vm, FVM_K_CHANGED_KIND, kind);
    fvm_put(vm, FVM_K_CHANGED_TO, value);
    fvm_put(vm, FVM_K_LAST_POS, last);
    return FVM_OK;
}

fvm_status fvm_text_of_move(fvm *vm, fvm_cell piece, bool takes, fvm_cell from, fvm_cell to) {
    if (!fvm_layout_140(vm))
        return only_memory(vm, FVM_EDIT_OTHER, fvm_get(vm, FVM_K_CHANGED_TO), to);
    fvm_writer w = kernel_writer(vm);
    fvm_write_move(vm, &w, piece, takes, from, to);
    return keep_edit(vm, &w);
}

fvm_status fvm_text_of_capture(fvm *vm, fvm_cell pos) {
    if (!fvm_layout_140(vm))
        return only_memory(vm, FVM_EDIT_OTHER, fvm_get(vm, FVM_K_CHANGED_TO), pos);
    fvm_writer w = kernel_writer(vm);
    fvm_write_capture(vm, &w, pos);
    return keep_edit(vm, &w);
}

fvm_status fvm_text_of_create(fvm *vm, fvm_cell piece, fvm_cell pos) {
    if (!fvm_layout_140(vm))
        return only_memory(vm, FVM_EDIT_OTHER, fvm_get(vm, FVM_K_CHANGED_TO), pos);
    fvm_writer w = kernel_writer(vm);
    fvm_write_create(vm, &w, piece, pos);
    return keep_edit(vm, &w);
}

fvm_status fvm_text_of_change(fvm *vm, int kind, fvm_cell value, fvm_cell pos) {
    if (!fvm_layout_140(vm))
        return only_memory(vm, kind, value, pos);
    fvm_writer w = kernel_writer(vm);
    fvm_write_change(vm, &w, kind, value, pos);
    return keep_edit(vm, &w);
}

/* Puts the finished text behind the move's code, as version 140 keeps it. */
fvm_status fvm_text_store(fvm *vm, fvm_cell *address) {
    uint32_t length = (uint32_t)fvm_get(vm, FVM_K_TEXT_LENGTH);
    if (length >= FVM_TEXT_BYTES)
        length = 0;
    while (length > 0 && vm->mem[FVM_TEXT + length - 1] == ' ')
        length--;
    fvm_addr at = fvm_here(vm);
    fvm_status status = fvm_allot(vm, (int32_t)((length + 4) & ~3u));
    if (status != FVM_OK)
        return status;
    fvm_touch(vm, at, length + 1);
    memmove(vm->mem + at, vm->mem + FVM_TEXT, length); /* HERE may lie in the text */
    vm->mem[at + length] = 0;
    *address = (fvm_cell)at;
    return FVM_OK;
}

/* --- ^ words: text that a script or a library of 140 adds itself ---------------------------------------- */

static fvm_status append(fvm *vm, const char *word, const char *text, bool part) {
    fvm_status status = fvm_need_building(vm, word);
    if (status != FVM_OK || !fvm_layout_140(vm))
        return status;
    fvm_writer w = kernel_writer(vm);
    if (part)
        put_part(&w, text);
    else
        put(&w, text);
    return keep(vm, &w);
}

static fvm_status one(fvm *vm, const char *word, fvm_cell *value) {
    fvm_status status = fvm_need_building(vm, word);
    if (status == FVM_OK)
        status = fvm_need(vm, 1);
    if (status == FVM_OK)
        *value = fvm_drop(vm);
    return status;
}

fvm_status fvm_word_text_string(fvm *vm) {
    char text[FVM_TEXT_BYTES];
    fvm_cell str;
    fvm_status status = one(vm, "^string", &str);
    if (status == FVM_OK)
        status = fvm_string_copy(vm, (fvm_addr)str, text, sizeof text);
    return status == FVM_OK ? append(vm, "^string", text, true) : status;
}

static fvm_status append_name(fvm *vm, const char *word,
                              void (*name)(const fvm *, fvm_cell, char *, uint32_t)) {
    char text[256];
    fvm_cell value;
    fvm_status status = one(vm, word, &value);
    if (status != FVM_OK)
        return status;
    name(vm, value, text, sizeof text);
    return append(vm, word, text, true);
}

fvm_status fvm_word_text_position(fvm *vm) {
    return append_name(vm, "^position", fvm_position_name);
}
fvm_status fvm_word_text_player(fvm *vm) { return append_name(vm, "^player", fvm_player_name); }
fvm_status fvm_word_text_type(fvm *vm) { return append_name(vm, "^piece-type", fvm_piece_name); }

fvm_status fvm_word_text_number(fvm *vm) {
    char text[48];
    fvm_cell value;
    fvm_status status = one(vm, "^number", &value);
    if (status != FVM_OK)
        return status;
    fvm_format_number(value, 10, text);
    return append(vm, "^number", text, true);
}

fvm_status fvm_word_text_char(fvm *vm) {
    fvm_cell value;
    fvm_status status = one(vm, "^char", &value);
    const char text[2] = {(char)value, 0};
    return status == FVM_OK ? append(vm, "^char", text, false) : status;
}

fvm_status fvm_word_text_equals(fvm *vm) { return append(vm, "^=", "=", true); }
fvm_status fvm_word_text_minus(fvm *vm) { return append(vm, "^-", "-", true); }
fvm_status fvm_word_text_x(fvm *vm) { return append(vm, "^x", "x", true); }

fvm_status fvm_word_text_trim(fvm *vm) {
    fvm_status status = fvm_need_building(vm, "^trim");
    if (status != FVM_OK)
        return status;
    fvm_writer w = kernel_writer(vm);
    while (w.length > 0 && w.to[w.length - 1] == ' ')
        w.length--;
    return keep(vm, &w);
}
