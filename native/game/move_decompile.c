/* move_decompile.c: decodes the code of a move, to write its text and to list its changes for the
 * host.
 *
 * It owns the recognition of the code that move_edits.c appends.  The rules of texts are in
 * move_text.c. */
#include "game/move_text.h"
#include "game/game.h"
#include "vm/decode.h"
#include "vm/fast_path.h"

#include <stdio.h>

enum { MAX_LITERALS = 4 };

/* Reads the code of a move in parts.  A part is a word and the literals before it. */
typedef struct {
    const fvm *vm;
    fvm_addr at;                     /* address of the next instruction */
    fvm_cell literals[MAX_LITERALS]; /* the last literals before the word */
    int count;                       /* number of these literals */
    fvm_addr cfa;                    /* xt of the word */
    int op;                          /* opcode of the word */
    int instructions;                /* number of instructions read so far */
    fvm_addr literal;                /* the token of most literals */
} reader;

/* If a move's code is longer, a script has overwritten its end. */
enum { MAX_INSTRUCTIONS = 1 << 16 };

static reader begin_reading(const fvm *vm, fvm_addr at) {
    const fvm_addr literal = vm->primitives[FVM_OP_LIT];
    return (reader){
        .vm = vm, .at = at, .literal = fvm_opcode_at(vm, literal) == FVM_OP_LIT ? literal : 0};
}

/* Adds a literal to the last `count` ones; returns their number. */
static inline int add_literal(reader *r, int count, fvm_cell value) {
    if (FVM_UNLIKELY(count == MAX_LITERALS)) /* drop the first literal */
        memmove(r->literals, r->literals + 1, --count * sizeof *r->literals);
    r->literals[count] = value;
    return count + 1;
}

/* Reads the next part; false at the end of the code. */
static bool read_part(reader *r) {
    const fvm *const vm = r->vm;
    const uint8_t *const mem = vm->mem;
    const fvm_addr literal = r->literal;
    fvm_addr at = r->at;
    int count = 0;
    while (r->instructions++ < MAX_INSTRUCTIONS) {
        if (FVM_LIKELY(fvm_in_cell(vm, at + 4)) && (fvm_addr)fvm_cell_in(mem, at) == literal) {
            count = add_literal(r, count, fvm_cell_in(mem, at + 4));
            at += 8;
            continue;
        }
        const fvm_instruction decoded = fvm_decode(vm, at);
        at += decoded.length;
        if (decoded.op != FVM_OP_LIT) {
            r->at = at;
            r->count = count;
            r->cfa = decoded.token;
            r->op = decoded.op;
            return decoded.op >= 0 && decoded.op != FVM_OP_RETURN;
        }
        count = add_literal(r, count, decoded.operand);
    }
    r->at = at;
    r->count = count;
    return false;
}

/* Reads the second and third part of a move of a piece; the first part, which removes the piece
 * from its board position, has been read.  The second part removes a captured piece and may be
 * missing.  The third part puts the piece on its new board position.  false: the code does not move
 * a piece. */
static bool read_move(reader *r, fvm_change *change) {
    reader ahead = *r; /* copied to *r only if the code moves a piece */
    fvm_cell from = r->literals[r->count - 1];
    if (!read_part(&ahead))
        return false;
    bool captures = ahead.op == FVM_OP_PIECE_REMOVE && ahead.count == 1;
    fvm_cell target = captures ? ahead.literals[0] : -1;
    if (captures && !read_part(&ahead))
        return false;
    if (ahead.op != FVM_OP_PIECE_PUT || ahead.count != 2 ||
        (captures && ahead.literals[1] != target))
        return false;
    *change = (fvm_change){.kind = FVM_CHANGE_MOVE,
                           .from = from,
                           .pos = ahead.literals[1],
                           .piece = ahead.literals[0],
                           .other = captures};
    *r = ahead;
    return true;
}

static fvm_cell piece_on(const fvm *vm, fvm_cell pos) {
    fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    fvm_addr at = board + 4u * (uint32_t)pos;
    return pos >= 0 && pos < fvm_lib_get(vm, vm->lib.positions) && fvm_in(vm, at, 4)
               ? fvm_get(vm, at)
               : 0;
}

/* Reads the next change; false at the end of the code.  For a move of a piece, change->other is 1
 * if it captures, else 0. */
static bool read_change(reader *r, fvm_change *change) {
    if (!read_part(r))
        return false;
    const fvm_library *lib = &r->vm->lib;
    fvm_cell last = r->count > 0 ? r->literals[r->count - 1] : 0;
    fvm_cell before = r->count > 1 ? r->literals[r->count - 2] : 0;
    *change = (fvm_change){.kind = FVM_CHANGE_CALL, .from = -1, .piece = (fvm_cell)r->cfa};
    if (r->count > 0 && (r->op == FVM_OP_PIECE_REMOVE || r->op == FVM_OP_REMOVE_PIECE_Z)) {
        if (!read_move(r, change))
            *change = (fvm_change){FVM_CHANGE_CAPTURE, -1, last, 0, piece_on(r->vm, last), {0}};
    } else if (r->count > 0 && r->op == FVM_OP_DO_CAPTURE) {
        *change = (fvm_change){FVM_CHANGE_CAPTURE, -1, last, 0, piece_on(r->vm, last), {0}};
    } else if (r->count > 1 && (r->op == FVM_OP_DO_CREATE || r->op == FVM_OP_PIECE_PUT ||
                                r->op == FVM_OP_ADD_PIECE_Z)) {
        *change = (fvm_change){FVM_CHANGE_CREATE, -1, last, before, piece_on(r->vm, last), {0}};
    } else if (r->count > 1 && r->op == FVM_OP_DO_TYPE) {
        *change = (fvm_change){FVM_CHANGE_TYPE, -1, last, before, piece_on(r->vm, last), {0}};
    } else if (r->count > 1 && r->op == FVM_OP_DO_OWNER) {
        *change = (fvm_change){FVM_CHANGE_OWNER, -1, last, before, piece_on(r->vm, last), {0}};
    } else if (r->cfa == lib->partial_word || r->cfa == lib->do_partial) {
        *change = (fvm_change){.kind = FVM_CHANGE_PARTIAL, .from = -1, .pos = -1};
    } else if (r->cfa == lib->partial_type_word || r->cfa == lib->do_partial_type) {
        *change = (fvm_change){.kind = FVM_CHANGE_PARTIAL, .from = -1, .pos = -1, .piece = last};
    } else {
        change->pos = r->count; /* number of arguments */
        for (int i = 0; i < r->count; i++)
            change->args[i] = r->literals[i];
    }
    return true;
}

static bool is_pass(const fvm *vm, const fvm_move_cells *cells) {
    return (fvm_get(vm, cells->hash) & FVM_HASH_PASS) != 0;
}

/* Does what fvm_decompile does.  names: the names that have been looked up, NULL: none. */
static fvm_status write_text(fvm *vm, fvm_addr move, fvm_known_names *names, char *to,
                             uint32_t size, uint32_t *length) {
    fvm_move_cells cells;
    *length = 0;
    to[0] = 0;
    if (!fvm_move_cells_at(vm, move, &cells))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)move, "not a move");
    const fvm_addr text = cells.text != 0 ? (fvm_addr)fvm_get(vm, cells.text) : 0;
    if (text != 0) {
        fvm_status status = fvm_string_copy(vm, text, to, size);
        *length = (uint32_t)strlen(to);
        return status;
    }
    const bool implicit = (fvm_get(vm, cells.hash) & FVM_HASH_IMPLICIT) != 0;
    fvm_writer w = {.to = to, .size = size, .names = names, .last_pos = -1};
    reader r = begin_reading(vm, cells.cfa + FVM_BODY);
    fvm_change change;
    const bool has_items = fvm_write_text_items(vm, &w, cells.cfa);
    while (!has_items && read_change(&r, &change)) {
        if (implicit && w.length == 0) /* see FVM_HASH_IMPLICIT */
            w.last_pos = change.pos;
        switch (change.kind) {
        case FVM_CHANGE_MOVE:
            fvm_write_move(vm, &w, change.piece, change.other != 0, change.from, change.pos);
            break;
        case FVM_CHANGE_CREATE:
            fvm_write_create(vm, &w, change.piece, change.pos);
            break;
        case FVM_CHANGE_CAPTURE:
            fvm_write_capture(vm, &w, change.pos);
            break;
        case FVM_CHANGE_TYPE:
            fvm_write_change(vm, &w, FVM_CHANGE_TYPE, change.piece, change.pos);
            break;
        case FVM_CHANGE_OWNER:
            fvm_write_change(vm, &w, FVM_CHANGE_OWNER, change.piece, change.pos);
            break;
        default:
            break;
        }
    }
    if (!w.full) /* not if the text is truncated: callers detect this by a full buffer */
        fvm_trim_blank(&w);
    if (w.length == 0)
        snprintf(to, size, "Pass");
    *length = w.length > 0 ? w.length : (uint32_t)strlen(to);
    return FVM_OK;
}

fvm_status fvm_decompile(fvm *vm, fvm_addr move, char *to, uint32_t size, uint32_t *length) {
    return write_text(vm, move, NULL, to, size, length);
}

int32_t fvm_move_text(fvm *vm, fvm_addr move, char *buffer, int32_t size) {
    uint32_t length;
    if (size <= 0 || fvm_decompile(vm, move, buffer, (uint32_t)size, &length) != FVM_OK)
        return -1;
    return (int32_t)length;
}

int32_t fvm_list_texts(fvm *vm, char *buffer, int32_t size) {
    int32_t count, used = 0;
    uint32_t length;
    fvm_addr move;
    fvm_known_names names;
    memset(names.length, 0, sizeof names.length);
    if (!fvm_newest_list(vm, &count, &move))
        return 0;
    for (; move != 0 && count > 0; move = fvm_next_move(vm, move), count--) {
        if (used + 1 >= size)
            return size;
        const uint32_t space = (uint32_t)(size - used);
        if (write_text(vm, move, &names, buffer + used, space, &length) != FVM_OK)
            return -1;
        if (length + 1 >= space) /* possibly truncated */
            return size;
        used += (int32_t)length + 1;
    }
    return used;
}

fvm_cell fvm_move_type(fvm *vm, fvm_addr move) {
    fvm_move_cells cells;
    return fvm_move_cells_at(vm, move, &cells) ? fvm_get(vm, cells.type) : 0;
}

int32_t fvm_move_code(fvm *vm, fvm_addr move, fvm_addr *start) {
    fvm_move_cells cells;
    *start = 0;
    if (!fvm_move_cells_at(vm, move, &cells))
        return 0;
    *start = fvm_first_edit(vm, cells.cfa);
    const fvm_addr literal = begin_reading(vm, *start).literal;
    fvm_addr at = *start;
    for (int i = 0; i < MAX_INSTRUCTIONS; i++) {
        if (fvm_in_cell(vm, at + 4) && (fvm_addr)fvm_get(vm, at) == literal) {
            at += 8;
            continue;
        }
        const fvm_instruction decoded = fvm_decode(vm, at);
        at += decoded.length;
        if (decoded.op < 0 || decoded.op == FVM_OP_RETURN)
            break;
    }
    return (int32_t)(at - *start);
}

int32_t fvm_move_changes(fvm *vm, fvm_addr move, fvm_change *changes, int32_t capacity) {
    fvm_move_cells cells;
    int32_t count = 0;
    if (!fvm_move_cells_at(vm, move, &cells))
        return 0;
    reader r = begin_reading(vm, fvm_first_edit(vm, cells.cfa));
    fvm_change change;
    if (is_pass(vm, &cells)) {
        if (capacity > 0)
            changes[0] = (fvm_change){.kind = FVM_CHANGE_PASS, .from = -1, .pos = -1};
        count = 1;
    }
    while (read_change(&r, &change)) {
        if (change.kind == FVM_CHANGE_MOVE)
            change.other = change.other != 0 ? piece_on(vm, change.pos) : 0;
        if (count < capacity)
            changes[count] = change;
        count++;
    }
    return count;
}

/* Whether the cell at an address contains the token of a primitive that no script has changed. */
static inline bool has_primitive(const fvm *vm, fvm_addr at, int op) {
    const fvm_addr word = vm->primitives[op];
    return (fvm_addr)fvm_get(vm, at) == word &&
           (uint32_t)fvm_get(vm, word) == (FVM_CODE_TAG | (uint32_t)op);
}

bool fvm_captures_nothing(const fvm *vm, fvm_addr cfa) {
    enum { MOVE_BYTES = 36 }; /* LIT from (remove-piece) LIT piece LIT to (add-piece) EXIT */
    fvm_addr at = cfa + FVM_BODY;
    if (!fvm_in(vm, at, MOVE_BYTES) || !has_primitive(vm, at, FVM_OP_LIT))
        return false;
    if (has_primitive(vm, at + 8, FVM_OP_PIECE_REMOVE))
        at += 12;
    return has_primitive(vm, at, FVM_OP_LIT) && has_primitive(vm, at + 8, FVM_OP_LIT) &&
           (has_primitive(vm, at + 16, FVM_OP_PIECE_PUT) ||
            (at == cfa + FVM_BODY && has_primitive(vm, at + 16, FVM_OP_DO_CREATE))) &&
           has_primitive(vm, at + 20, FVM_OP_RETURN);
}

int32_t fvm_list_squares(fvm *vm, fvm_cell *from, fvm_cell *to, int32_t capacity) {
    int32_t count, found = 0;
    fvm_addr move;
    fvm_move_cells cells;
    fvm_change change;
    if (!fvm_newest_list(vm, &count, &move))
        return 0;
    for (; move != 0 && found < count; move = fvm_next_move(vm, move), found++) {
        if (found >= capacity)
            continue;
        from[found] = to[found] = -1;
        if (!fvm_move_cells_at(vm, move, &cells))
            continue;
        reader r = begin_reading(vm, fvm_first_edit(vm, cells.cfa));
        while (read_change(&r, &change)) {
            if (change.kind == FVM_CHANGE_MOVE) {
                from[found] = change.from;
                to[found] = change.pos;
                break;
            }
            if (change.kind == FVM_CHANGE_CREATE && to[found] == -1)
                to[found] = change.pos;
        }
    }
    return found;
}

/* $DecompileMove ( move addr -- ): of a longer text the first FVM_TEXT_MAX bytes, for which scripts
 * have room. */
fvm_status fvm_word_decompile(fvm *vm) {
    char text[FVM_TEXT_MAX + 1];
    uint32_t length;
    FVM_TRY(fvm_need(vm, 2));
    fvm_addr to = (fvm_addr)fvm_drop(vm), move = (fvm_addr)fvm_drop(vm);
    FVM_TRY(fvm_decompile(vm, move, text, sizeof text, &length));
    if (!fvm_in(vm, to, length + 1))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)to, "%s", "");
    fvm_write_barrier(vm, to, length + 1);
    memcpy(vm->mem + to, text, length + 1);
    GAME(vm)->decompiled = move;
    GAME(vm)->decompiled_to = to;
    return FVM_OK;
}
