/* apply_edits.c: executes the edits with which the code of a move begins, without the interpreter.
 *
 * The code of most moves consists only of literals and words such as (remove-piece), (add-piece)
 * and (create).  This file owns the recognition of such code.  Executing it has the same effects on
 * memory, stacks and budget as in the interpreter.  At the first other instruction, and at one that
 * would fail, the code goes on in vm/move_code.c. */
#include "vm/decode.h"
#include "vm/fast_path.h"
#include "game/game.h"

typedef struct {
    fvm_cell piece; /* the new contents of the bits of the board cell that change */
    fvm_cell pos;
    fvm_cell kept; /* mask of the bits of the board cell that do not change */
    bool removes;  /* empties the board position */
} edit;

/* Reads an edit that consists of `count` literals and the primitive `op`; false: not an edit. */
static inline bool read_edit(int op, const fvm_cell *literals, int count, edit *e) {
    if (count == 1) {
        *e = (edit){0, literals[0], 0, true};
        return op == FVM_OP_PIECE_REMOVE || op == FVM_OP_DO_CAPTURE;
    }
    *e = (edit){literals[0], literals[1], 0, false};
    if (op == FVM_OP_PIECE_PUT || op == FVM_OP_DO_CREATE)
        return true;
    e->kept = op == FVM_OP_DO_TYPE    ? ~(fvm_cell)FVM_TYPE_MASK
              : op == FVM_OP_DO_OWNER ? ~(fvm_cell)FVM_OWNER_MASK
                                      : 0;
    return e->kept != 0;
}

/* Reads the edit at *at and advances *at; false: there are other words. */
static inline bool next_edit(const fvm *vm, fvm_addr *at, edit *e) {
    enum { MAX_CELLS = 5 }; /* of an edit: two literals and a word */
    const uint8_t *const mem = vm->mem;
    const fvm_cell literal = (fvm_cell)vm->primitives[FVM_OP_LIT];
    fvm_addr cell = *at;
    if (!fvm_in(vm, cell, 4 * MAX_CELLS))
        return false;
    fvm_cell literals[2] = {0, 0};
    int found = 0;
    for (; found < 2 && fvm_cell_in(mem, cell) == literal; cell += 8)
        literals[found++] = fvm_cell_in(mem, cell + 4);
    const fvm_addr token = (fvm_addr)fvm_cell_in(mem, cell);
    if (found == 0 || !fvm_in_cell(vm, token) ||
        !read_edit((int)((uint32_t)fvm_cell_in(mem, token) ^ FVM_CODE_TAG), literals, found, e))
        return false;
    *at = cell + 4;
    return true;
}

/* Whether the board can be edited.  A script may have set $board so that the edits would overwrite
 * code, or one of the library's variables, which this file reads. */
static inline bool is_editable(const fvm *vm, fvm_addr board, fvm_cell positions) {
    return board >= vm->library_end && board >= FVM_DICTIONARY && (board & 3) == 0 &&
           positions > 0 && positions <= (1 << 24) && fvm_in(vm, board, 4u * (uint32_t)positions) &&
           board + 4u * (uint32_t)positions <= vm->high;
}

/* Executes an edit; false: the last editor stays the same. */
static inline bool execute(fvm *vm, const edit *e, fvm_addr cell) {
    uint8_t *const mem = vm->mem;
    const fvm_cell before = fvm_cell_in(mem, cell);
    if (e->removes && before == 0)
        return false; /* an empty position is not edited, see remove_piece in board.c */
    if (FVM_UNLIKELY(vm->cells[cell >> 2] != 0))
        fvm_write_barrier(vm, cell, 4);
    vm->dirty[cell >> FVM_PAGE_SHIFT] = FVM_WRITTEN;
    fvm_put_in(mem, cell, (before & e->kept) | (e->piece & ~e->kept));
    return true;
}

fvm_addr fvm_apply_edits(fvm *vm, fvm_addr cfa) {
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.positions);
    const fvm_cell literal = (fvm_cell)vm->primitives[FVM_OP_LIT];
    if (!fvm_may_omit_run(vm) || !fvm_in(vm, cfa, 8) || !is_editable(vm, board, positions) ||
        (uint32_t)fvm_get(vm, cfa) != (FVM_CODE_TAG | FVM_OP_MOVE_CODE) ||
        !fvm_is_opcode(vm, (fvm_addr)literal, FVM_OP_LIT))
        return FVM_NOT_BEGUN;
    fvm_addr at = fvm_get(vm, cfa + FVM_BODY) != literal ? fvm_first_edit(vm, cfa) : cfa + FVM_BODY,
             next = at;
    if (vm->nesting == 0)
        vm->running = cfa;
    vm->fuel--;
    if (vm->nesting == 0 && vm->sp > vm->stack)
        *vm->stack = 0;
    bool edited = false;
    uint32_t work = 16; /* what a run charges */
    for (edit e; next_edit(vm, &next, &e) && (uint32_t)e.pos < (uint32_t)positions; at = next) {
        edited |= execute(vm, &e, board + 4u * (uint32_t)e.pos);
        work += 16;
    }
    vm->unmetered_work += work;
    if (edited)
        fvm_put(vm, FVM_K_LAST_EDITOR, fvm_lib_get(vm, vm->lib.player));
    return fvm_has_opcode(vm, at, FVM_OP_RETURN) ? FVM_APPLIED : at;
}
