/* text_items.c: texts of moves that the move's code contains as a list of items.
 *
 * Such code begins with a branch over the items.  The first cell after the branch is a mark; each
 * further cell is an item: its kind in the upper 8 bits, its value in the others.
 * $TextItem lays these cells for moves whose text cannot be computed from their edits.  This file
 * owns the format. */
#include "game/game_state.h"
#include "game/move_text.h"
#include "vm/decode.h"
#include "vm/primitives.h"

#include <stdio.h>

enum { MARK = 0x5A595854, VALUE_BITS = 24, MAX_ITEMS = 1 << 14 };

/* Kinds of items. */
enum { SIGN, PIECE_TYPE, PLAYER, POSITION, NUMBER };

static const char *const signs[] = {"-", "x", "=", "on", "flip", "@", "partial"};

fvm_addr fvm_first_edit(const fvm *vm, fvm_addr cfa) {
    const fvm_addr code = cfa + FVM_BODY;
    const fvm_instruction branch = fvm_decode(vm, code);
    const fvm_addr first = code + branch.length, end = (fvm_addr)branch.operand;
    if (branch.op != FVM_OP_BRANCH || end <= first || (end & 3) != 0 || !fvm_in(vm, first, 4) ||
        fvm_get(vm, first) != MARK || (end - first) / 4 > MAX_ITEMS || !fvm_in(vm, end, 4))
        return code;
    return end;
}

static void write_item(const fvm *vm, fvm_writer *w, int kind, fvm_cell value) {
    char name[256];
    switch (kind) {
    case PIECE_TYPE:
        fvm_piece_name(vm, value, name, sizeof name);
        break;
    case PLAYER:
        fvm_player_name(vm, (value + 1) * 2048, name, sizeof name);
        break;
    case POSITION:
        fvm_position_name(vm, value, name, sizeof name);
        break;
    case NUMBER:
        snprintf(name, sizeof name, "%d", (int)value);
        break;
    default:
        snprintf(name, sizeof name, "%s",
                 (size_t)value < sizeof signs / sizeof *signs ? signs[value] : "??");
    }
    fvm_write_word(w, name);
}

bool fvm_write_text_items(const fvm *vm, fvm_writer *w, fvm_addr cfa) {
    const fvm_addr end = fvm_first_edit(vm, cfa);
    if (end == cfa + FVM_BODY)
        return false;
    for (fvm_addr at = cfa + 16; at < end; at += 4) {
        const uint32_t item = (uint32_t)fvm_get(vm, at);
        write_item(vm, w, (int)(item >> VALUE_BITS), (fvm_cell)(item & ((1u << VALUE_BITS) - 1)));
    }
    return true;
}

/* Whether the items end where the next cell of the move under construction will be laid. */
static inline bool is_open(const fvm *vm, fvm_addr items) {
    return items >= (fvm_addr)fvm_get(vm, FVM_K_BUILD) && fvm_in(vm, items, 12) &&
           fvm_get(vm, items + 8) == MARK && (fvm_addr)fvm_get(vm, items + 4) == fvm_here(vm);
}

static fvm_status begin_items(fvm *vm) {
    GAME(vm)->text_items = fvm_here(vm);
    FVM_TRY(fvm_comma(vm, (fvm_cell)vm->primitives[FVM_OP_BRANCH]));
    FVM_TRY(fvm_comma(vm, 0));
    return fvm_comma(vm, MARK);
}

fvm_status fvm_word_text_item(fvm *vm) {
    FVM_TRY(fvm_need(vm, 2));
    const uint32_t kind = (uint32_t)fvm_drop(vm), value = (uint32_t)fvm_drop(vm);
    if (!vm->generating)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$TextItem outside a move word");
    if (!is_open(vm, GAME(vm)->text_items))
        FVM_TRY(begin_items(vm));
    FVM_TRY(fvm_comma(vm, (fvm_cell)(kind << VALUE_BITS | (value & ((1u << VALUE_BITS) - 1)))));
    fvm_put(vm, GAME(vm)->text_items + 4, (fvm_cell)fvm_here(vm));
    return FVM_OK;
}

fvm_status fvm_word_omits_texts(fvm *vm) {
    const bool compared = fvm_lib_get_or(vm, vm->lib.unique_moves, 0) != 0;
    return fvm_push(vm, GAME(vm)->omits_items && !compared ? -1 : 0);
}
