/* move_text.c: the texts of moves, and the result comment.
 *
 * It owns the rules of texts, which were observed in the original engine (axiom-observed.md, a note
 * of the original's behaviour, section c).
 *
 * In version 140 the text is written while a move word runs, and stored in the move's record.  In
 * later versions the text is computed from the move's code by the same rules (move_decompile.c).
 * The text of a change of type or owner depends on earlier edits: on the board position of the last
 * edit, even of an earlier move, and on the kinds of the edits since the move word began. */
#include "game/game.h"

#include "game/move_text.h"

/* Bytes of a name or text, without a zero byte at the end. */
typedef struct {
    const char *bytes;
    uint32_t length;
} span;

static span span_of(const char *text) { return (span){text, (uint32_t)strlen(text)}; }

static void put(fvm_writer *w, span text) {
    const uint32_t space = w->length + 1 < w->size ? w->size - 1 - w->length : 0;
    const uint32_t copied = text.length < space ? text.length : space;
    w->full = w->full || copied < text.length;
    if (w->size == 0)
        return;
    memcpy(w->to + w->length, text.bytes, copied);
    w->length += copied;
    w->to[w->length] = 0;
}

static void put_part(fvm_writer *w, span text) {
    if (text.length + 2 > w->size - w->length) { /* part of it may fit */
        put(w, text);
        put(w, (span){" ", 1});
        return;
    }
    char *at = w->to + w->length;
    memcpy(at, text.bytes, text.length);
    at[text.length] = ' ';
    at[text.length + 1] = 0;
    w->length += text.length + 1;
}

void fvm_write_word(fvm_writer *w, const char *text) { put_part(w, span_of(text)); }

void fvm_trim_blank(fvm_writer *w) {
    if (w->length > 0 && w->to[w->length - 1] == ' ')
        w->to[--w->length] = 0;
}

/* --- names ------------------------------------------------------------------------ */

enum { MAX_NAME = 255 }; /* bytes; of a longer name the first bytes */

static const span unknown = {"??", 2};

/* The text at an address; an empty text is unknown. */
static span name_at(const fvm *vm, fvm_addr at) {
    if (!fvm_in(vm, at, 1))
        return unknown;
    const char *bytes = (const char *)vm->mem + at;
    const uint32_t room = vm->size - at, most = room < MAX_NAME ? room : MAX_NAME;
    const char *end = memchr(bytes, 0, most);
    const uint32_t length = end != NULL ? (uint32_t)(end - bytes) : most;
    return length > 0 ? (span){bytes, length} : unknown;
}

/* The text whose address is in a cell of a table. */
static span name_in_cell(const fvm *vm, fvm_addr table, uint32_t offset) {
    const fvm_addr at = table + offset;
    return table != 0 && fvm_in(vm, at, 4) ? name_at(vm, (fvm_addr)fvm_get(vm, at)) : unknown;
}

/* The name of the word whose xt is in a cell of a table. */
static span word_in_cell(const fvm *vm, fvm_addr table, uint32_t offset) {
    const fvm_addr at = table + offset;
    if (table == 0 || !fvm_in(vm, at, 4))
        return unknown;
    const fvm_addr header = (fvm_addr)fvm_get(vm, at) - FVM_HEADER_BYTES;
    return fvm_in(vm, header, 4) ? name_at(vm, (fvm_addr)fvm_get(vm, header)) : unknown;
}

static span position_name(const fvm *vm, fvm_cell pos) {
    return pos < 0 || pos >= fvm_lib_get(vm, vm->lib.positions)
               ? unknown
               : name_in_cell(vm, (fvm_addr)fvm_lib_get(vm, vm->lib.pos_names), 4u * (uint32_t)pos);
}

static span piece_name(const fvm *vm, fvm_cell type) {
    return type < 1 || type > fvm_lib_get(vm, vm->lib.piece_count)
               ? unknown
               : word_in_cell(vm, (fvm_addr)fvm_lib_get(vm, vm->lib.pieces),
                              FVM_PIECE_BYTES * ((uint32_t)type - 1));
}

static span player_name(const fvm *vm, fvm_cell player) {
    const int number = FVM_PLAYER_NUMBER(player);
    return number < 1 || number > fvm_lib_get(vm, vm->lib.player_count)
               ? unknown
               : word_in_cell(vm, (fvm_addr)fvm_lib_get(vm, vm->lib.players),
                              4u * ((uint32_t)number - 1));
}

static void copy_name(span name, char *to, uint32_t size) {
    put(&(fvm_writer){.to = to, .size = size}, name);
}

void fvm_position_name(const fvm *vm, fvm_cell pos, char *to, uint32_t size) {
    copy_name(position_name(vm, pos), to, size);
}

fvm_status fvm_position_named(fvm *vm, const char *name, fvm_cell *pos) {
    const fvm_addr names = (fvm_addr)fvm_lib_get(vm, vm->lib.pos_names);
    const uint32_t length = (uint32_t)strlen(name);
    const uint32_t room = names != 0 && fvm_in(vm, names, 4) ? (vm->size - names) / 4 : 0;
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.positions);
    fvm_status status = FVM_OK;
    *pos = positions > 0 && (uint32_t)positions < room ? positions : (fvm_cell)room;
    while (--*pos >= 0 && status == FVM_OK) {
        const span found = position_name(vm, *pos);
        if (found.length == length && memcmp(found.bytes, name, length) == 0)
            return FVM_OK;
        status = fvm_charge_work(vm, 1);
    }
    return status;
}

void fvm_piece_name(const fvm *vm, fvm_cell type, char *to, uint32_t size) {
    copy_name(piece_name(vm, type), to, size);
}

void fvm_player_name(const fvm *vm, fvm_cell player, char *to, uint32_t size) {
    copy_name(player_name(vm, player), to, size);
}

/* --- parts of texts --------------------------------------------------------------- */

static void write_sign(fvm_writer *w, char sign) { put_part(w, (span){&sign, 1}); }

/* Where each kind of names begins in fvm_known_names.  Names with higher numbers than fit there are
 * looked up each time. */
enum { FIRST_PLAYER = 0, FIRST_TYPE = FVM_MAX_PLAYERS, FIRST_POSITION = 256 };

/* Looks up a name and writes it.  index: where the name is kept, or negative. */
FVM_NOINLINE static void write_new_name(const fvm *vm, fvm_writer *w, int32_t index,
                                        span (*find)(const fvm *, fvm_cell), fvm_cell value) {
    const span name = find(vm, value);
    if (index >= 0 && w->names != NULL && name.length < FVM_NAME_BYTES) {
        w->names->length[index] = (uint8_t)(name.length + 1);
        memcpy(w->names->text[index], name.bytes, name.length);
        w->names->text[index][name.length] = ' ';
    }
    put_part(w, name);
}

static inline void write_name(const fvm *vm, fvm_writer *w, int32_t index,
                              span (*find)(const fvm *, fvm_cell), fvm_cell value) {
    const fvm_known_names *const names = w->names;
    if (names == NULL || index < 0 || names->length[index] == 0 ||
        w->size - w->length <= FVM_NAME_BYTES) {
        write_new_name(vm, w, index, find, value);
        return;
    }
    memcpy(w->to + w->length, names->text[index], FVM_NAME_BYTES);
    w->length += names->length[index];
    w->to[w->length] = 0;
}

static void write_position(const fvm *vm, fvm_writer *w, fvm_cell pos) {
    const bool fits = (uint32_t)pos < FVM_NAMES - FIRST_POSITION;
    write_name(vm, w, fits ? FIRST_POSITION + pos : -1, position_name, pos);
}

static void write_type(const fvm *vm, fvm_writer *w, fvm_cell type) {
    const bool fits = (uint32_t)type < FIRST_POSITION - FIRST_TYPE;
    write_name(vm, w, fits ? FIRST_TYPE + type : -1, piece_name, type);
}

static void write_player(const fvm *vm, fvm_writer *w, fvm_cell player) {
    write_name(vm, w, FIRST_PLAYER + FVM_PLAYER_NUMBER(player), player_name, player);
}

/* --- the rules -------------------------------------------------------------------- */

/* Sets the facts on which the text of the next edit depends. */
static void set_last_edit(fvm_writer *w, int32_t context, fvm_cell pos) {
    w->context = context;
    w->last_pos = pos;
}

void fvm_write_move(const fvm *vm, fvm_writer *w, fvm_cell piece, bool captures, fvm_cell from,
                    fvm_cell to) {
    write_type(vm, w, FVM_TYPE(piece));
    write_position(vm, w, from);
    write_sign(w, captures ? 'x' : '-');
    write_position(vm, w, to);
    set_last_edit(w, FVM_TEXT_MOVED, to);
}

void fvm_write_capture(const fvm *vm, fvm_writer *w, fvm_cell pos) {
    write_sign(w, 'x');
    write_position(vm, w, pos);
    set_last_edit(w, 0, pos);
}

/* Writes a new piece; the player has been written. */
static void write_created(const fvm *vm, fvm_writer *w, fvm_cell piece, fvm_cell pos) {
    write_type(vm, w, FVM_TYPE(piece));
    write_position(vm, w, pos);
    set_last_edit(w, 0, pos);
}

void fvm_write_create(const fvm *vm, fvm_writer *w, fvm_cell piece, fvm_cell pos) {
    write_player(vm, w, FVM_OWNER(piece));
    write_created(vm, w, piece, pos);
}

void fvm_write_change(const fvm *vm, fvm_writer *w, int kind, fvm_cell value, fvm_cell pos) {
    const bool type = kind == FVM_CHANGE_TYPE;
    const int32_t this_kind = type ? FVM_TEXT_TYPE : FVM_TEXT_OWNER;
    const int32_t other_kind = type ? FVM_TEXT_OWNER : FVM_TEXT_TYPE;
    const fvm_cell to = type ? FVM_TYPE(value) : FVM_PLAYER_NUMBER(value);
    const bool repeated = (w->context & this_kind) != 0 && w->changed_to == to;
    if (!repeated) {
        write_sign(w, '=');
        if (type)
            write_type(vm, w, value);
        else
            write_player(vm, w, value);
        w->changed_to = to;
    }
    if (pos == w->last_pos && (w->context & other_kind) == 0) {
        w->context |= this_kind | FVM_TEXT_IMPLICIT;
        return;
    }
    const int32_t moved_and_changed = FVM_TEXT_MOVED | FVM_TEXT_IMPLICIT;
    if ((w->context & moved_and_changed) == moved_and_changed) {
        put_part(w, (span){"on", 2});
        write_position(vm, w, w->last_pos);
    } else if (!repeated) {
        put_part(w, (span){"on", 2});
    }
    write_position(vm, w, pos);
    set_last_edit(w, this_kind, pos);
}

/* --- the text under construction -------------------------------------------------- */

/* A writer that continues the text in the kernel's buffer.  The buffer is larger than the maximum
 * length of a text. */
static fvm_writer kernel_writer(fvm *vm) {
    uint32_t length = (uint32_t)fvm_get(vm, FVM_K_TEXT_LENGTH);
    memset(vm->dirty + (FVM_TEXT >> FVM_PAGE_SHIFT), 1, FVM_TEXT_BYTES >> FVM_PAGE_SHIFT);
    return (fvm_writer){.to = (char *)vm->mem + FVM_TEXT,
                        .size = FVM_TEXT_BYTES,
                        .length = length < FVM_TEXT_BYTES ? length : 0,
                        .context = fvm_get(vm, FVM_K_TEXT_CONTEXT),
                        .changed_to = fvm_get(vm, FVM_K_CHANGED_TO),
                        .last_pos = fvm_get(vm, FVM_K_LAST_POS)};
}

/* Stores the state of a writer of the kernel's buffer. */
static fvm_status store_text(fvm *vm, const fvm_writer *w) {
    if (w->full || w->length > FVM_TEXT_MAX)
        return fvm_fail(vm, FVM_ERR_MOVE_TEXT, (fvm_cell)w->length,
                        "the text of a move is longer than %d bytes", FVM_TEXT_MAX);
    fvm_put(vm, FVM_K_TEXT_LENGTH, (fvm_cell)w->length);
    fvm_put(vm, FVM_K_TEXT_CONTEXT, w->context | FVM_TEXT_EDITED);
    fvm_put(vm, FVM_K_CHANGED_TO, w->changed_to);
    fvm_put(vm, FVM_K_LAST_POS, w->last_pos);
    return FVM_OK;
}

/* The text that a ^ word continues.  If the texts of edits are not made (makes_texts), a
 * mark stands for those before the first ^ word: only the beginning of such a text is read
 * (fvm_game_make). */
static fvm_writer move_writer(fvm *vm) {
    fvm_writer w = kernel_writer(vm);
    if (!GAME(vm)->makes_texts && w.length == 0 && (w.context & FVM_TEXT_EDITED) != 0)
        put(&w, span_of("?"));
    return w;
}

/* Also clears two variables that exist only in those libraries of version 140 whose own words write
 * texts. */
void fvm_text_reset(fvm *vm) {
    fvm_put(vm, FVM_K_TEXT_LENGTH, 0);
    fvm_put(vm, FVM_K_TEXT_CONTEXT, 0);
    fvm_put(vm, FVM_K_CHANGED_TO, 0);
    fvm_lib_put(vm, vm->lib.context, 0);
    fvm_lib_put(vm, vm->lib.changed_to, 0);
}

/* Stores a writer's state after an edit, and the edit's board position in the variable that only
 * the library of version 140 has. */
static fvm_status store_edit(fvm *vm, const fvm_writer *w) {
    fvm_lib_put(vm, vm->lib.last_pos, w->last_pos);
    return store_text(vm, w);
}

/* Stores the board position of an edit of a move whose text is computed later from the move's code,
 * as in versions from 150 on, or not at all.  The code does not contain the edits of earlier moves,
 * so FVM_TEXT_IMPLICIT records that a move begins with a change of the board position that was
 * edited last. */
static fvm_status store_edit_position(fvm *vm, bool change, fvm_cell pos) {
    fvm_cell context = fvm_get(vm, FVM_K_TEXT_CONTEXT);
    if (change && context == 0) {
        GAME(vm)->texts_depend_on_last_edit = true;
        if (pos == fvm_get(vm, FVM_K_LAST_POS))
            context = FVM_TEXT_IMPLICIT;
    }
    fvm_lib_put(vm, vm->lib.last_pos, pos);
    fvm_put(vm, FVM_K_TEXT_CONTEXT, context | FVM_TEXT_EDITED);
    fvm_put(vm, FVM_K_LAST_POS, pos);
    return FVM_OK;
}

fvm_status fvm_text_of_move(fvm *vm, fvm_cell piece, bool captures, fvm_cell from, fvm_cell to) {
    if (!GAME(vm)->makes_texts)
        return store_edit_position(vm, false, to);
    fvm_writer w = kernel_writer(vm);
    fvm_write_move(vm, &w, piece, captures, from, to);
    return store_edit(vm, &w);
}

fvm_status fvm_text_of_capture(fvm *vm, fvm_cell pos) {
    if (!GAME(vm)->makes_texts)
        return store_edit_position(vm, false, pos);
    fvm_writer w = kernel_writer(vm);
    fvm_write_capture(vm, &w, pos);
    return store_edit(vm, &w);
}

fvm_status fvm_text_of_create(fvm *vm, fvm_cell piece, fvm_cell pos) {
    if (!GAME(vm)->makes_texts)
        return store_edit_position(vm, false, pos);
    fvm_writer w = kernel_writer(vm);
    fvm_write_create(vm, &w, piece, pos);
    return store_edit(vm, &w);
}

/* The name of the current player; empty if there is none. */
static span current_name(const fvm *vm) {
    const span name = name_at(vm, (fvm_addr)fvm_lib_get(vm, vm->lib.player_name));
    return name.bytes == unknown.bytes ? (span){"", 0} : name;
}

fvm_status fvm_text_of_drop(fvm *vm, fvm_cell piece, fvm_cell pos) {
    if (!GAME(vm)->makes_texts)
        return store_edit_position(vm, false, pos);
    fvm_writer w = kernel_writer(vm);
    put_part(&w, current_name(vm));
    write_created(vm, &w, piece, pos);
    return store_edit(vm, &w);
}

fvm_status fvm_text_of_change(fvm *vm, int kind, fvm_cell value, fvm_cell pos) {
    if (!GAME(vm)->makes_texts)
        return store_edit_position(vm, true, pos);
    fvm_writer w = kernel_writer(vm);
    fvm_write_change(vm, &w, kind, value, pos);
    return store_edit(vm, &w);
}

/* The text is stored after the move's code.  If the same move word adds another move, the text of
 * that move begins empty. */
fvm_status fvm_text_store(fvm *vm, fvm_cell *address) {
    fvm_writer w = kernel_writer(vm);
    fvm_trim_blank(&w);
    fvm_addr at = fvm_here(vm);
    FVM_TRY(fvm_allot(vm, (int32_t)((w.length + 4) & ~3u)));
    fvm_write_barrier(vm, at, w.length + 1);
    memmove(vm->mem + at, w.to, w.length); /* a script may have set HERE into the buffer */
    vm->mem[at + w.length] = 0;
    fvm_put(vm, FVM_K_TEXT_LENGTH, 0);
    *address = (fvm_cell)at;
    return FVM_OK;
}

/* --- ^ words: text written by a script or by a version-140 library ---------------- */

/* ^ words append to the text of the move (version 140, unless the texts are unread), or to the
 * result comment while OnIsGameOver runs for the host; otherwise they have no effect. */
static bool writes_move_text(const fvm *vm) {
    return vm->generating && vm->records_have_texts &&
           (GAME(vm)->makes_texts || GAME(vm)->checks_partial_texts) &&
           fvm_get(vm, FVM_K_BUILD) != 0;
}

static fvm_writer comment_writer(fvm *vm) {
    fvm_game *const game = GAME(vm);
    return (fvm_writer){
        .to = game->comment, .size = sizeof game->comment, .length = game->comment_length};
}

/* Whether the script or the hooks of a new game run before the first move list has been generated.
 * A ^ word crashes the original then. */
static bool is_before_first_list(const fvm *vm) {
    return (vm->phase == FVM_PHASE_INTERPRET || vm->phase == FVM_PHASE_NEW_GAME) &&
           fvm_lib_get(vm, vm->lib.moves_list) == 0;
}

/* Appends two texts to the text of the move or to the result comment. */
static fvm_status append(fvm *vm, const char *text, const char *after) {
    if (writes_move_text(vm)) {
        fvm_writer w = move_writer(vm);
        put(&w, span_of(text));
        put(&w, span_of(after));
        return store_text(vm, &w);
    }
    if (GAME(vm)->collecting_comment && !vm->generating) {
        fvm_writer w = comment_writer(vm);
        put(&w, span_of(text));
        put(&w, span_of(after));
        GAME(vm)->comment_length = w.length; /* the comment is truncated if necessary */
    } else if (is_before_first_list(vm)) {
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0,
                        "^ words write the text of a move or the comment of a result: they work "
                        "in move words and in OnIsGameOver");
    }
    return FVM_OK;
}

static fvm_status append_part(fvm *vm, const char *text) { return append(vm, text, " "); }

static fvm_status pop_argument(fvm *vm, fvm_cell *value) {
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        *value = fvm_drop(vm);
    return status;
}

fvm_status fvm_word_text_string(fvm *vm) {
    char text[FVM_TEXT_BYTES];
    fvm_cell str;
    fvm_status status = pop_argument(vm, &str);
    if (status == FVM_OK)
        status = fvm_string_copy(vm, (fvm_addr)str, text, sizeof text);
    return status == FVM_OK ? append_part(vm, text) : status;
}

static fvm_status append_name(fvm *vm, void (*name)(const fvm *, fvm_cell, char *, uint32_t)) {
    char text[256];
    fvm_cell value;
    FVM_TRY(pop_argument(vm, &value));
    name(vm, value, text, sizeof text);
    return append_part(vm, text);
}

fvm_status fvm_word_text_position(fvm *vm) { return append_name(vm, fvm_position_name); }
fvm_status fvm_word_text_type(fvm *vm) { return append_name(vm, fvm_piece_name); }

fvm_status fvm_word_text_player(fvm *vm) {
    char text[MAX_NAME + 1];
    copy_name(current_name(vm), text, sizeof text);
    return append_part(vm, text);
}

fvm_status fvm_word_text_number(fvm *vm) {
    char text[48];
    fvm_cell value;
    FVM_TRY(pop_argument(vm, &value));
    fvm_format_number(value, 10, text);
    return append_part(vm, text);
}

fvm_status fvm_word_text_char(fvm *vm) {
    fvm_cell value;
    FVM_TRY(pop_argument(vm, &value));
    const char text[2] = {(char)value, 0};
    return append(vm, text, "");
}

fvm_status fvm_word_text_equals(fvm *vm) { return append_part(vm, "="); }
fvm_status fvm_word_text_minus(fvm *vm) { return append_part(vm, "-"); }
fvm_status fvm_word_text_x(fvm *vm) { return append_part(vm, "x"); }

fvm_status fvm_word_text_trim(fvm *vm) {
    if (writes_move_text(vm)) {
        fvm_writer w = move_writer(vm);
        fvm_trim_blank(&w);
        return store_text(vm, &w);
    }
    if (GAME(vm)->collecting_comment && !vm->generating) {
        fvm_writer w = comment_writer(vm);
        fvm_trim_blank(&w);
        GAME(vm)->comment_length = w.length;
    }
    return FVM_OK;
}
