/* move_edits.c: the words that add edits to the move under construction, and the words that execute
 * these edits when the move is applied.
 *
 * It owns the code of moves, which scripts of version 150 may read: each edit is one or two
 * literals and a word such as (remove-piece), (add-piece), (create) or (capture-at). */
#include "vm/prepared_memory.h"
#include "game/game.h"

#include "generated/ops.h"

/* The board position `here`. */
static fvm_cell here_pos(const fvm *vm) { return fvm_lib_get(vm, vm->lib.pos); }
/* The owner of a piece created by a word without a player argument. */
static fvm_cell for_player(const fvm *vm) { return FVM_OWNER(fvm_lib_get(vm, vm->lib.for_player)); }
static fvm_cell current_type(const fvm *vm) { return FVM_TYPE(fvm_lib_get(vm, vm->lib.piece)); }

/* Appends literals and a word to the move's code, unless moves are only counted. */
static fvm_status append_code(fvm *vm, const fvm_cell *literals, int count, int op) {
    fvm_status status = FVM_OK;
    if (GAME(vm)->list_part.counted)
        return FVM_OK;
    for (int i = 0; i < 2 * count && status == FVM_OK; i++)
        status = fvm_comma(vm, i % 2 == 0 ? (fvm_cell)vm->primitives[FVM_OP_LIT] : literals[i / 2]);
    return status == FVM_OK ? fvm_comma(vm, (fvm_cell)vm->primitives[op]) : status;
}

/* --- the fast path ---------------------------------------------------------------- */

/* Stores the piece at a board position in *piece; false: there is no such position. */
static inline bool read_square_fast(const fvm *vm, const uint8_t *mem, fvm_cell pos,
                                    fvm_cell *piece) {
    const fvm_addr board = (fvm_addr)fvm_cell_in(mem, vm->lib.board);
    if (FVM_UNLIKELY(pos < 0 || pos >= fvm_cell_in(mem, vm->lib.positions) || board < FVM_LOW ||
                     board >= vm->size || (uint32_t)pos >= (vm->size - board) / 4))
        return false;
    *piece = fvm_cell_in(mem, board + 4u * (uint32_t)pos);
    return true;
}

/* Whether begin_code may be called. */
static inline bool may_edit_fast(const fvm *vm, const uint8_t *mem) {
    return FVM_LIKELY(vm->generating && !(GAME(vm)->makes_texts && GAME(vm)->list_part.counted) &&
                      fvm_cell_in(mem, FVM_K_BUILD) != 0);
}

/* Makes room for the code of an edit and, unless the caller makes its text, stores its board
 * position for later texts as fvm_text_of_… do; end_code stores it in $lastPos.  changes: the edit
 * changes a type or an owner.  Returns where the code begins; NULL: nothing was done, because its
 * memory is not prepared. */
static inline uint8_t *begin_code(fvm *vm, uint8_t *mem, uint32_t cells, bool changes,
                                  fvm_cell pos) {
    const fvm_addr at = (fvm_addr)fvm_cell_in(mem, FVM_K_DP), end = at + 4 * cells;
    fvm_cell context = fvm_cell_in(mem, FVM_K_TEXT_CONTEXT);
    if (FVM_UNLIKELY((at & 3) != 0 || !fvm_is_prepared(vm, at, 4 * cells)))
        return NULL;
    /* see store_edit_position in move_text.c */
    if (changes && context == 0 && !GAME(vm)->makes_texts) {
        GAME(vm)->texts_depend_on_last_edit = true;
        if (pos == fvm_cell_in(mem, FVM_K_LAST_POS))
            context = FVM_TEXT_IMPLICIT;
    }
    fvm_put_in(mem, FVM_K_DP, (fvm_cell)end);
    if (FVM_UNLIKELY(GAME(vm)->makes_texts))
        return mem + at;
    fvm_put_in(mem, FVM_K_LAST_POS, pos);
    fvm_put_in(mem, FVM_K_TEXT_CONTEXT, context | FVM_TEXT_EDITED);
    return mem + at;
}

FVM_NOINLINE static fvm_status store_last_pos(fvm *vm, fvm_cell pos) {
    fvm_lib_put(vm, vm->lib.last_pos, pos);
    return FVM_OK;
}

/* Ends an edit whose text the caller does not make: stores its board position in $lastPos, if the
 * library has this variable.  Callers end with this call, so that they save no registers. */
static inline fvm_status end_code(fvm *vm, fvm_cell pos) {
    return vm->lib.last_pos != 0 ? store_last_pos(vm, pos) : FVM_OK;
}

/* Write code and return the address after it. */
static inline uint8_t *put_literal(uint8_t *at, fvm_addr literal, fvm_cell value) {
    fvm_put_in(at, 0, (fvm_cell)literal);
    fvm_put_in(at, 4, value);
    return at + 8;
}
static inline uint8_t *put_word(uint8_t *at, fvm_addr word) {
    fvm_put_in(at, 0, (fvm_cell)word);
    return at + 4;
}

/* Sizes of a move's code in cells; no other edit has more code. */
enum {
    MOVE_CELLS = 8,   /* LIT from (remove-piece) LIT piece LIT to (add-piece) */
    CAPTURE_CELLS = 3 /* LIT to (remove-piece), before `LIT piece` */
};

/* Prepares the memory of the next code, so that other words can take the fast path. */
static void prepare_code(fvm *vm) {
    const fvm_addr at = fvm_here(vm);
    if ((at & 3) == 0)
        fvm_prepare_memory(vm, at, at + 4 * (MOVE_CELLS + CAPTURE_CELLS));
}

static inline bool is_building(const fvm *vm) {
    return vm->generating && fvm_get(vm, FVM_K_BUILD) != 0;
}

/* Checks that a word that adds edits may be ignored outside move words, and fails if not.  There,
 * for example in OnIsGameOver or in a word called by an applied move, these words have no effect,
 * as recorded from the original engine.  Before the first list is generated they are an error. */
FVM_COLD static fvm_status check_may_be_ignored(fvm *vm, const char *word) {
    int32_t count;
    fvm_addr first;
    return fvm_newest_list(vm, &count, &first) ? FVM_OK : fvm_require_move(vm, word);
}

/* Pops the arguments of a word. */
static inline fvm_status pop_arguments(fvm *vm, const char *word, int count, fvm_cell *values) {
    fvm_status status = fvm_need(vm, count);
    if (status == FVM_OK && !is_building(vm))
        status = check_may_be_ignored(vm, word);
    if (status != FVM_OK)
        return status;
    for (int i = count - 1; i >= 0; i--)
        values[i] = fvm_drop(vm);
    return FVM_OK;
}

/* Stores the piece at a board position in *piece; fails if there is no such position. */
static inline fvm_status read_square(fvm *vm, fvm_cell pos, fvm_cell *piece) {
    fvm_addr cell = fvm_square(vm, pos);
    fvm_status status = cell != 0 ? FVM_OK : fvm_board_cell(vm, pos, &cell);
    if (status == FVM_OK)
        *piece = fvm_get(vm, cell);
    return status;
}

/* --- words that add edits --------------------------------------------------------- */

/* Whether the fast path of the Forth word `move` may be taken; then *piece and *target are the
 * contents of the two positions. */
static inline bool may_move_fast(const fvm *vm, const uint8_t *mem, fvm_cell *piece,
                                 fvm_cell *target) {
    const fvm_cell *const sp = vm->sp;
    return may_edit_fast(vm, mem) && !GAME(vm)->makes_texts && sp >= vm->stack_least[2] &&
           read_square_fast(vm, mem, sp[-1], piece) && read_square_fast(vm, mem, sp[0], target) &&
           *piece != 0;
}

/* The Forth word `move` in the general case. */
FVM_COLD static fvm_status move_slow(fvm *vm) {
    fvm_cell squares[2], piece = 0, target = 0;
    fvm_status status = pop_arguments(vm, "move", 2, squares);
    if (status != FVM_OK || !is_building(vm))
        return status;
    const fvm_cell from = squares[0], to = squares[1];
    FVM_TRY(read_square(vm, from, &piece));
    FVM_TRY(read_square(vm, to, &target));
    if (piece == 0) {
        char name[64];
        fvm_position_name(vm, from, name, sizeof name);
        return fvm_fail(vm, FVM_ERR_MOVE, from, "move from %s, which is empty", name);
    }
    const fvm_cell put[] = {piece, to};
    if (!GAME(vm)->makes_texts)
        prepare_code(vm);
    status = append_code(vm, &from, 1, FVM_OP_PIECE_REMOVE);
    if (status == FVM_OK && target != 0)
        status = append_code(vm, &to, 1, FVM_OP_PIECE_REMOVE);
    if (status == FVM_OK)
        status = append_code(vm, put, 2, FVM_OP_PIECE_PUT);
    return status == FVM_OK ? fvm_text_of_move(vm, piece, target != 0, from, to) : status;
}

/* The Forth word `move`. */
FVM_NOINLINE static fvm_status move(fvm *vm) {
    uint8_t *const mem = vm->mem;
    fvm_cell *const sp = vm->sp;
    fvm_cell piece, target;
    if (!may_move_fast(vm, mem, &piece, &target))
        return move_slow(vm);
    const fvm_cell from = sp[-1], to = sp[0];
    uint8_t *at = begin_code(vm, mem, MOVE_CELLS + (target != 0 ? CAPTURE_CELLS : 0), false, to);
    if (at == NULL)
        return move_slow(vm);
    const fvm_addr *const words = vm->primitives;
    const fvm_addr literal = words[FVM_OP_LIT], remove = words[FVM_OP_PIECE_REMOVE];
    vm->sp = sp - 2;
    at = put_word(put_literal(at, literal, from), remove);
    if (target != 0)
        at = put_word(put_literal(at, literal, to), remove);
    at = put_literal(put_literal(at, literal, piece), literal, to);
    put_word(at, words[FVM_OP_PIECE_PUT]);
    return end_code(vm, to);
}

fvm_status fvm_word_edit_move(fvm *vm) {
    fvm_cell piece, target;
    if (!GAME(vm)->list_part.counted || !may_move_fast(vm, vm->mem, &piece, &target))
        return move(vm);
    vm->sp -= 2; /* moves are only counted, so the move needs no code */
    return FVM_OK;
}

/* An edit of one board position. */
typedef struct {
    int kind;       /* FVM_CHANGE_…, or DROP for the Forth word `drop` */
    int op;         /* the word that executes the edit */
    fvm_cell value; /* the first literal of its code; a capture has none */
    fvm_cell pos;
} edit;
enum { DROP = -1 };

static fvm_status text_of_edit(fvm *vm, edit e) {
    switch (e.kind) {
    case DROP:
        return fvm_text_of_drop(vm, e.value, e.pos);
    case FVM_CHANGE_CREATE:
        return fvm_text_of_create(vm, e.value, e.pos);
    case FVM_CHANGE_CAPTURE:
        return fvm_text_of_capture(vm, e.pos);
    default:
        return fvm_text_of_change(vm, e.kind, e.value, e.pos);
    }
}

FVM_COLD static fvm_status add_edit_slow(fvm *vm, edit e) {
    const fvm_cell literals[] = {e.value, e.pos};
    const bool captures = e.kind == FVM_CHANGE_CAPTURE;
    fvm_cell content;
    if (!is_building(vm))
        return FVM_OK;
    fvm_status status = read_square(vm, e.pos, &content);
    prepare_code(vm);
    if (status == FVM_OK)
        status = append_code(vm, literals + captures, 2 - captures, e.op);
    return status == FVM_OK ? text_of_edit(vm, e) : status;
}

/* Adds an edit to the move under construction. */
static inline fvm_status add_edit(fvm *vm, edit e) {
    uint8_t *const mem = vm->mem;
    const bool captures = e.kind == FVM_CHANGE_CAPTURE;
    const bool changes = e.kind == FVM_CHANGE_TYPE || e.kind == FVM_CHANGE_OWNER;
    fvm_cell content;
    uint8_t *at = NULL;
    if (may_edit_fast(vm, mem) && read_square_fast(vm, mem, e.pos, &content)) {
        if (FVM_UNLIKELY(GAME(vm)->list_part.counted))
            return FVM_OK;
        at = begin_code(vm, mem, captures ? 3 : 5, changes, e.pos);
    }
    if (FVM_UNLIKELY(at == NULL))
        return add_edit_slow(vm, e);
    const fvm_addr literal = vm->primitives[FVM_OP_LIT];
    if (!captures)
        at = put_literal(at, literal, e.value);
    put_word(put_literal(at, literal, e.pos), vm->primitives[e.op]);
    return FVM_UNLIKELY(GAME(vm)->makes_texts) ? text_of_edit(vm, e) : end_code(vm, e.pos);
}

static fvm_status capture(fvm *vm, fvm_cell pos) {
    return add_edit(vm, (edit){FVM_CHANGE_CAPTURE, FVM_OP_DO_CAPTURE, 0, pos});
}

fvm_status fvm_word_edit_capture(fvm *vm) {
    fvm_status status = pop_arguments(vm, "capture", 0, NULL);
    return status == FVM_OK ? capture(vm, here_pos(vm)) : status;
}

fvm_status fvm_word_edit_capture_at(fvm *vm) {
    fvm_cell pos;
    fvm_status status = pop_arguments(vm, "capture-at", 1, &pos);
    return status == FVM_OK ? capture(vm, pos) : status;
}

/* Unlike create, drop keeps the owner and the attributes of the current piece. */
fvm_status fvm_word_edit_drop(fvm *vm) {
    fvm_status status = pop_arguments(vm, "drop", 0, NULL);
    const fvm_cell piece = fvm_lib_get(vm, vm->lib.piece), pos = here_pos(vm);
    return status == FVM_OK ? add_edit(vm, (edit){DROP, FVM_OP_DO_CREATE, piece, pos}) : status;
}

static fvm_status create(fvm *vm, fvm_cell player, fvm_cell type, fvm_cell pos) {
    const fvm_cell piece = FVM_OWNER(player) | FVM_TYPE(type);
    return add_edit(vm, (edit){FVM_CHANGE_CREATE, FVM_OP_DO_CREATE, piece, pos});
}

fvm_status fvm_word_edit_create(fvm *vm) {
    fvm_status status = pop_arguments(vm, "create", 0, NULL);
    return status == FVM_OK ? create(vm, for_player(vm), current_type(vm), here_pos(vm)) : status;
}

fvm_status fvm_word_edit_create_at(fvm *vm) {
    fvm_cell pos;
    fvm_status status = pop_arguments(vm, "create-at", 1, &pos);
    return status == FVM_OK ? create(vm, for_player(vm), current_type(vm), pos) : status;
}

fvm_status fvm_word_edit_create_player(fvm *vm) {
    fvm_cell player;
    fvm_status status = pop_arguments(vm, "create-player", 1, &player);
    return status == FVM_OK ? create(vm, player, current_type(vm), here_pos(vm)) : status;
}

fvm_status fvm_word_edit_create_player_at(fvm *vm) {
    fvm_cell values[2];
    fvm_status status = pop_arguments(vm, "create-player-at", 2, values);
    return status == FVM_OK ? create(vm, values[0], current_type(vm), values[1]) : status;
}

fvm_status fvm_word_edit_create_type(fvm *vm) {
    fvm_cell type;
    fvm_status status = pop_arguments(vm, "create-piece-type", 1, &type);
    return status == FVM_OK ? create(vm, for_player(vm), type, here_pos(vm)) : status;
}

fvm_status fvm_word_edit_create_type_at(fvm *vm) {
    fvm_cell values[2];
    fvm_status status = pop_arguments(vm, "create-piece-type-at", 2, values);
    return status == FVM_OK ? create(vm, for_player(vm), values[0], values[1]) : status;
}

fvm_status fvm_word_edit_create_player_type(fvm *vm) {
    fvm_cell values[2];
    fvm_status status = pop_arguments(vm, "create-player-piece-type", 2, values);
    return status == FVM_OK ? create(vm, values[0], values[1], here_pos(vm)) : status;
}

fvm_status fvm_word_edit_create_player_type_at(fvm *vm) {
    fvm_cell values[3];
    fvm_status status = pop_arguments(vm, "create-player-piece-type-at", 3, values);
    return status == FVM_OK ? create(vm, values[0], values[1], values[2]) : status;
}

static fvm_status change(fvm *vm, int kind, fvm_cell value, fvm_cell pos) {
    const int op = kind == FVM_CHANGE_TYPE ? FVM_OP_DO_TYPE : FVM_OP_DO_OWNER;
    return add_edit(vm, (edit){kind, op, value, pos});
}

fvm_status fvm_word_edit_type(fvm *vm) {
    fvm_cell type;
    fvm_status status = pop_arguments(vm, "change-type", 1, &type);
    return status == FVM_OK ? change(vm, FVM_CHANGE_TYPE, type, here_pos(vm)) : status;
}

fvm_status fvm_word_edit_type_at(fvm *vm) {
    fvm_cell values[2];
    fvm_status status = pop_arguments(vm, "change-type-at", 2, values);
    return status == FVM_OK ? change(vm, FVM_CHANGE_TYPE, values[0], values[1]) : status;
}

fvm_status fvm_word_edit_owner(fvm *vm) {
    fvm_cell player;
    fvm_status status = pop_arguments(vm, "change-owner", 1, &player);
    return status == FVM_OK ? change(vm, FVM_CHANGE_OWNER, player, here_pos(vm)) : status;
}

fvm_status fvm_word_edit_owner_at(fvm *vm) {
    fvm_cell values[2];
    fvm_status status = pop_arguments(vm, "change-owner-at", 2, values);
    return status == FVM_OK ? change(vm, FVM_CHANGE_OWNER, values[0], values[1]) : status;
}

/* --- words of applied moves ------------------------------------------------------- */

static fvm_status replace_bits(fvm *vm, fvm_cell mask) {
    fvm_cell value, pos, piece;
    fvm_status status = fvm_drop_two(vm, &value, &pos);
    if (status == FVM_OK)
        status = read_square(vm, pos, &piece);
    return status == FVM_OK ? fvm_piece_put(vm, (piece & ~mask) | (value & mask), pos) : status;
}

fvm_status fvm_word_do_type(fvm *vm) { return replace_bits(vm, FVM_TYPE_MASK); }
fvm_status fvm_word_do_owner(fvm *vm) { return replace_bits(vm, FVM_OWNER_MASK); }
