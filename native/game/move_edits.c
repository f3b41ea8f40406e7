/* move_edits.c: the words that add edits to the move under construction, and the words that execute
 * these edits when the move is applied.
 *
 * It owns the code of moves, which scripts of version 150 may read: each edit is one or two
 * literals and a word such as (remove-piece), (add-piece), (create) or (capture-at).  It must not
 * know move lists. */
#include "vm/fast_path.h"
#include "game/game.h"

#include "generated/ops.h"

/* The board position `here`. */
static fvm_cell here_pos(const fvm *vm) { return fvm_lib_get(vm, vm->lib.pos, 0); }
/* The owner of a piece created by a word without a player argument. */
static fvm_cell for_player(const fvm *vm) {
    return FVM_OWNER(fvm_lib_get(vm, vm->lib.for_player, 0));
}
static fvm_cell current_type(const fvm *vm) { return FVM_TYPE(fvm_lib_get(vm, vm->lib.piece, 0)); }

/* clang-format off */
#define LITERAL(value_) (fvm_cell)vm->primitives[FVM_OP_LIT], (value_)
#define WORD(op_) (fvm_cell)vm->primitives[op_]
/* clang-format on */

/* Appends cells at HERE, with a fast path before fvm_append_cells.  While source text is
 * interpreted (vm->source), the fast path is not possible: source positions of the cells are
 * recorded. */
static inline fvm_status append_cells(fvm *vm, const fvm_cell *cells, uint32_t count) {
    fvm_addr at = (fvm_addr)fvm_get(vm, FVM_K_DP);
    if (FVM_UNLIKELY(vm->source != NULL || vm->cells[FVM_K_DP >> 2] != 0 ||
                     !fvm_prepare_raw_stores(vm, at, 4 * count)))
        return fvm_append_cells(vm, cells, count);
    memcpy(vm->mem + at, cells, 4 * count);
    vm->dirty[0] = 1;
    fvm_store_raw(vm, FVM_K_DP, (fvm_cell)(at + 4 * count));
    return FVM_OK;
}

/* Appends one or two literals and a word to the move's code, unless moves are only counted. */
static inline fvm_status compile(fvm *vm, const fvm_cell *literals, int count, int op) {
    if (FVM_UNLIKELY(vm->counts_moves))
        return FVM_OK;
    if (count == 1) {
        const fvm_cell cells[] = {LITERAL(literals[0]), WORD(op)};
        return append_cells(vm, cells, 3);
    }
    const fvm_cell cells[] = {LITERAL(literals[0]), LITERAL(literals[1]), WORD(op)};
    return append_cells(vm, cells, 5);
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
    fvm_status status = is_building(vm) ? FVM_OK : check_may_be_ignored(vm, word);
    if (status == FVM_OK)
        status = fvm_need(vm, count);
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

/* Sizes of a move's code in cells. */
enum {
    MOVE_CELLS = 8,   /* LIT from (remove-piece) LIT piece LIT to (add-piece) */
    CAPTURE_CELLS = 3 /* LIT to (remove-piece), before `LIT piece` */
};

/* The fast path of the Forth word `move`; false: nothing has been done. */
static inline bool move_fast(fvm *vm) {
    uint8_t *const mem = vm->mem, *const dirty = vm->dirty;
    const uint8_t *const marks = vm->cells;
    fvm_cell *const sp = vm->sp;
    const uint32_t size = vm->size;
    if (!vm->fast_scan || vm->makes_texts || vm->source != NULL ||
        fvm_cell_in(mem, FVM_K_BUILD) == 0 || sp < vm->stack_least[2] ||
        fvm_kernel_marks(marks) != 0)
        return false;
    fvm_addr board = (fvm_addr)fvm_cell_in(mem, vm->lib.board);
    fvm_cell positions = fvm_cell_in(mem, vm->lib.positions), from = sp[-1], to = sp[0];
    if (board < FVM_LOW || board >= size || from < 0 || from >= positions || to < 0 ||
        to >= positions || (uint32_t)(from | to) >= (size - board) / 4)
        return false;
    fvm_cell piece = fvm_cell_in(mem, board + 4u * (uint32_t)from);
    bool captures = fvm_cell_in(mem, board + 4u * (uint32_t)to) != 0;
    fvm_addr at = (fvm_addr)fvm_cell_in(mem, FVM_K_DP);
    fvm_addr end = at + 4 * (MOVE_CELLS + (captures ? CAPTURE_CELLS : 0));
    if (piece == 0 || (at & 3) != 0 || at < FVM_DICTIONARY || end > size || end < at ||
        (fvm_marks_in(marks, at >> 2) | (captures ? fvm_marks_in(marks, (at >> 2) + 3) : 0)) != 0)
        return false;
    const fvm_cell literal = (fvm_cell)vm->primitives[FVM_OP_LIT];
    const fvm_cell remove = (fvm_cell)vm->primitives[FVM_OP_PIECE_REMOVE];
    const fvm_cell put = (fvm_cell)vm->primitives[FVM_OP_PIECE_PUT];
    if (end > vm->high)
        fvm_set_high(vm, end);
    vm->sp = sp - 2;
    dirty[0] = dirty[at >> FVM_PAGE_SHIFT] = dirty[(end - 1) >> FVM_PAGE_SHIFT] = 1;
    fvm_put_in(mem, at, literal);
    fvm_put_in(mem, at + 4, from);
    fvm_put_in(mem, at + 8, remove);
    if (captures) {
        fvm_put_in(mem, at + 12, literal);
        fvm_put_in(mem, at + 16, to);
        fvm_put_in(mem, at + 20, remove);
    }
    fvm_put_in(mem, end - 20, literal);
    fvm_put_in(mem, end - 16, piece);
    fvm_put_in(mem, end - 12, literal);
    fvm_put_in(mem, end - 8, to);
    fvm_put_in(mem, end - 4, put);
    fvm_put_in(mem, FVM_K_DP, (fvm_cell)end);
    fvm_put_in(mem, FVM_K_LAST_POS, to);
    fvm_put_in(mem, FVM_K_TEXT_CONTEXT, fvm_cell_in(mem, FVM_K_TEXT_CONTEXT) | FVM_TEXT_EDITED);
    if (vm->lib.last_pos != 0)
        fvm_set(vm, vm->lib.last_pos, to);
    return true;
}

/* The Forth word `move` in the general case. */
FVM_COLD static fvm_status move(fvm *vm) {
    fvm_cell squares[2], piece = 0, target = 0;
    fvm_status status = pop_arguments(vm, "move", 2, squares);
    if (status != FVM_OK || !is_building(vm))
        return status;
    status = read_square(vm, squares[0], &piece);
    if (status == FVM_OK)
        status = read_square(vm, squares[1], &target);
    if (status != FVM_OK)
        return status;
    if (piece == 0) {
        char name[64];
        fvm_position_name(vm, squares[0], name, sizeof name);
        return fvm_fail(vm, FVM_ERR_MOVE, squares[0], "move from %s, which is empty", name);
    }
    const fvm_cell put[] = {piece, squares[1]};
    status = compile(vm, &squares[0], 1, FVM_OP_PIECE_REMOVE);
    if (status == FVM_OK && target != 0)
        status = compile(vm, &squares[1], 1, FVM_OP_PIECE_REMOVE);
    if (status == FVM_OK)
        status = compile(vm, put, 2, FVM_OP_PIECE_PUT);
    return status == FVM_OK ? fvm_text_of_move(vm, piece, target != 0, squares[0], squares[1])
                            : status;
}

/* The Forth word `move` if moves are only counted: checks its arguments. */
FVM_NOINLINE static fvm_status check_move(fvm *vm) {
    fvm_cell *const sp = vm->sp;
    if (is_building(vm) && sp >= vm->stack_least[2] && fvm_square(vm, sp[0]) != 0) {
        const fvm_addr from = fvm_square(vm, sp[-1]);
        if (from != 0 && fvm_get(vm, from) != 0) {
            vm->sp = sp - 2;
            return FVM_OK;
        }
    }
    return move(vm);
}

fvm_status fvm_word_edit_move(fvm *vm) {
    if (FVM_UNLIKELY(vm->counts_moves))
        return check_move(vm);
    return move_fast(vm) ? FVM_OK : move(vm);
}

/* Adds a capture to the move under construction. */
static fvm_status capture(fvm *vm, fvm_cell pos) {
    fvm_cell piece;
    if (!is_building(vm))
        return FVM_OK;
    fvm_status status = read_square(vm, pos, &piece);
    if (status == FVM_OK)
        status = compile(vm, &pos, 1, FVM_OP_DO_CAPTURE);
    return status == FVM_OK ? fvm_text_of_capture(vm, pos) : status;
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

/* Appends an edit that replaces the content of a board position. */
static fvm_status compile_create(fvm *vm, fvm_cell piece, fvm_cell pos) {
    fvm_cell content, values[2] = {piece, pos};
    fvm_status status = read_square(vm, pos, &content);
    return status == FVM_OK ? compile(vm, values, 2, FVM_OP_DO_CREATE) : status;
}

/* Adds the creation of a piece to the move under construction. */
static fvm_status create(fvm *vm, fvm_cell player, fvm_cell type, fvm_cell pos) {
    fvm_cell piece = FVM_OWNER(player) | FVM_TYPE(type);
    if (!is_building(vm))
        return FVM_OK;
    fvm_status status = compile_create(vm, piece, pos);
    return status == FVM_OK ? fvm_text_of_create(vm, piece, pos) : status;
}

/* Unlike create, drop keeps the owner and the attributes of the current piece. */
fvm_status fvm_word_edit_drop(fvm *vm) {
    fvm_status status = pop_arguments(vm, "drop", 0, NULL);
    fvm_cell piece = fvm_lib_get(vm, vm->lib.piece, 0), pos = here_pos(vm);
    if (status != FVM_OK || !is_building(vm))
        return status;
    status = compile_create(vm, piece, pos);
    return status == FVM_OK ? fvm_text_of_drop(vm, piece, pos) : status;
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

/* Adds a change of type or owner to the move under construction. */
static fvm_status change(fvm *vm, int kind, fvm_cell value, fvm_cell pos) {
    fvm_cell content, values[2] = {value, pos};
    if (!is_building(vm))
        return FVM_OK;
    fvm_status status = read_square(vm, pos, &content);
    if (status == FVM_OK)
        status = compile(vm, values, 2, kind == FVM_CHANGE_TYPE ? FVM_OP_DO_TYPE : FVM_OP_DO_OWNER);
    return status == FVM_OK ? fvm_text_of_change(vm, kind, value, pos) : status;
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

fvm_status fvm_word_do_create(fvm *vm) {
    fvm_cell piece, pos;
    fvm_status status = fvm_drop_two(vm, &piece, &pos);
    return status == FVM_OK ? fvm_piece_put(vm, piece, pos) : status;
}

fvm_status fvm_word_do_capture(fvm *vm) {
    fvm_status status = fvm_need(vm, 1);
    return status == FVM_OK ? fvm_piece_remove(vm, fvm_drop(vm)) : status;
}

static fvm_status replace_bits(fvm *vm, fvm_cell mask) {
    fvm_cell value, pos, piece;
    fvm_status status = fvm_drop_two(vm, &value, &pos);
    if (status == FVM_OK)
        status = read_square(vm, pos, &piece);
    return status == FVM_OK ? fvm_piece_put(vm, (piece & ~mask) | (value & mask), pos) : status;
}

fvm_status fvm_word_do_type(fvm *vm) { return replace_bits(vm, FVM_TYPE_MASK); }
fvm_status fvm_word_do_owner(fvm *vm) { return replace_bits(vm, FVM_OWNER_MASK); }
