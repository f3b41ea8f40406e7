/* apply_edits.c: the fast path for applying a move, which executes its edits without the
 * interpreter.
 *
 * The code of most moves consists of literals and words such as (remove-piece), (add-piece) and
 * (create).  This file owns the recognition of such code.  The fast path has the same effects on
 * memory, stacks and budget as the interpreter.  The interpreter runs all other code, and code that
 * would fail. */
#include "vm/decode.h"
#include "vm/fast_path.h"
#include "game/game.h"

enum { MAX_EDITS = 12 }; /* moves with more edits are left to the interpreter */

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

/* Reads the edits of the code at `at`; returns their number, or -1 if the code contains other
 * words. */
static int read_edits(const fvm *vm, fvm_addr at, edit *edits, fvm_addr *end) {
    enum { MAX_CELLS = 5 }; /* of an edit: two literals and a word */
    const uint8_t *const mem = vm->mem;
    const fvm_cell literal = (fvm_cell)vm->primitives[FVM_OP_LIT];
    if (fvm_opcode_at(vm, (fvm_addr)literal) != FVM_OP_LIT)
        return -1; /* a script has changed the word */
    for (int count = 0; count <= MAX_EDITS && fvm_in(vm, at, 4 * MAX_CELLS); count++) {
        fvm_cell literals[2] = {0, 0};
        int found = 0;
        for (; found < 2 && fvm_cell_in(mem, at) == literal; at += 8)
            literals[found++] = fvm_cell_in(mem, at + 4);
        const int op = fvm_opcode_at(vm, (fvm_addr)fvm_cell_in(mem, at));
        at += 4;
        if (found == 0 && op == FVM_OP_RETURN) {
            *end = at;
            return count;
        }
        if (found == 0 || count == MAX_EDITS || !read_edit(op, literals, found, &edits[count]))
            return -1;
    }
    return -1;
}

/* Returns whether the cell at an address overlaps [start, end). */
static inline bool cell_overlaps(fvm_addr at, fvm_addr start, fvm_addr end) {
    return at + 4 > start && at < end;
}

/* Whether a run of the code could begin now without ending at a limit, and would end by returning
 * to FVM_K_STOP. */
static inline bool may_run(const fvm *vm) {
    return vm->trace == NULL && !vm->interrupted && vm->fuel > 0 && vm->nesting < FVM_MAX_NESTING &&
           vm->sp <= vm->stack_most[2] && vm->rp < vm->rstack_high &&
           fvm_opcode_at(vm, (fvm_addr)fvm_get(vm, FVM_K_STOP)) == FVM_OP_STOP;
}

/* Whether the board can be edited.  A script may have set $board so that the edits would overwrite
 * the move's code, which is in [code, end), or a variable that this file reads. */
static inline bool is_editable(const fvm *vm, fvm_addr board, fvm_cell positions, fvm_addr code,
                               fvm_addr end) {
    const fvm_addr limit = board + 4u * (uint32_t)positions;
    return board >= FVM_DICTIONARY && (board & 3) == 0 && positions > 0 && positions <= (1 << 24) &&
           fvm_in(vm, board, 4u * (uint32_t)positions) && limit <= vm->high &&
           (end <= board || code >= limit) && !cell_overlaps(vm->lib.board, board, limit) &&
           !cell_overlaps(vm->lib.positions, board, limit) &&
           !cell_overlaps(vm->lib.player, board, limit);
}

bool fvm_apply_edits(fvm *vm, fvm_addr cfa) {
    uint8_t *const mem = vm->mem;
    const uint8_t *const marks = vm->cells;
    edit edits[MAX_EDITS];
    fvm_addr end = 0;
    if (!may_run(vm) || !fvm_in(vm, cfa, 8) ||
        (uint32_t)fvm_get(vm, cfa) != (FVM_CODE_TAG | FVM_OP_MOVE_CODE))
        return false;
    const bool has_text = fvm_get(vm, cfa + 4) != (fvm_cell)vm->primitives[FVM_OP_LIT];
    const int count = read_edits(vm, has_text ? fvm_first_edit(vm, cfa) : cfa + 4, edits, &end);
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board, 0);
    const fvm_cell positions = fvm_lib_get(vm, vm->lib.positions, 0);
    if (count < 0 || !is_editable(vm, board, positions, cfa, end))
        return false;
    for (int i = 0; i < count; i++)
        if ((uint32_t)edits[i].pos >= (uint32_t)positions)
            return false;
    if (vm->nesting == 0)
        vm->running = cfa;
    vm->fuel--;
    vm->unmetered_work += 16 * (uint32_t)(count + 1); /* charged in the next run */
    if (vm->nesting == 0 && vm->sp > vm->stack)
        *vm->stack = 0;
    bool edited = false;
    for (const edit *e = edits; e < edits + count; e++) {
        const fvm_addr cell = board + 4u * (uint32_t)e->pos;
        const fvm_cell before = fvm_cell_in(mem, cell);
        if (e->removes && before == 0)
            continue; /* an empty position is not edited, see fvm_piece_remove */
        edited = true;
        if (FVM_UNLIKELY(marks[cell >> 2] != 0))
            fvm_write_barrier(vm, cell, 4);
        vm->dirty[cell >> FVM_PAGE_SHIFT] = FVM_WRITTEN;
        fvm_put_in(mem, cell, (before & e->kept) | (e->piece & ~e->kept));
    }
    if (edited)
        fvm_put(vm, FVM_K_LAST_EDITOR, fvm_lib_get(vm, vm->lib.player, 0));
    return true;
}
