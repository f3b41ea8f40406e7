/* arrays.c: bounds checks of array words, directions and board[] in checked mode.
 *
 * It owns vm->array_sizes, the cache of the number of items of each array. */
#include "vm/primitives.h"
#include "vm/vm.h"

/* In place of a number of items: the word is a direction, or neither that nor an array. */
enum { IS_DIRECTION = -1, HAS_NO_ITEMS = -2 };

/* Stores the number of items of the word at cfa in *count.  The word that contains the DOES> part
 * decides: `[]` defines arrays of cells; {array} and {carray} define arrays of the board, whose
 * bodies contain offset and count.  *cacheable: the result remains valid until a word is defined.
 */
static fvm_status count_items(fvm *vm, fvm_addr cfa, fvm_cell *count, bool *cacheable) {
    fvm_addr defining_word = fvm_word_at(vm, (fvm_addr)fvm_get(vm, cfa + FVM_DOES_PART)), next = 0;
    char name[32];
    fvm_status status = fvm_charge_work(vm, 0); /* fvm_word_at counts work but checks no limit */
    fvm_name(vm, defining_word, name, (int32_t)sizeof name);
    *count = HAS_NO_ITEMS;
    *cacheable = true;
    if (strcmp(name, "[]") == 0) {
        /* The body ends at the name of the next header. */
        for (fvm_addr nfa = fvm_latest(vm); status == FVM_OK && nfa > cfa && fvm_in_header(vm, nfa);
             nfa = fvm_previous(vm, nfa)) {
            next = nfa;
            status = fvm_charge_work(vm, 2);
        }
        fvm_addr end = next != 0 ? (fvm_addr)fvm_get(vm, next) : fvm_here(vm);
        *count = end > cfa + FVM_DOES_BODY ? (fvm_cell)((end - cfa - FVM_DOES_BODY) / 4) : 0;
        *cacheable = next != 0;
    } else if ((strcmp(name, "{array}") == 0 || strcmp(name, "{carray}") == 0) &&
               fvm_in(vm, cfa + FVM_DOES_BODY + 4, 4)) {
        *count = fvm_get(vm, cfa + FVM_DOES_BODY + 4);
    } else if (strcmp(name, "$CreateDirectionFromString") == 0) {
        *count = IS_DIRECTION;
    }
    return status;
}

/* Checks that a position is on the board.  Before the library's variables are bound, no game can
 * run. */
static fvm_status check_position(fvm *vm, fvm_cell pos) {
    if (vm->lib.positions == 0 || (pos >= 0 && pos < fvm_get(vm, vm->lib.positions)))
        return FVM_OK;
    return fvm_fail(vm, FVM_ERR_BOUNDS, pos, "board[]");
}

/* Checks the index of an array, or the current position of a direction, for the word at cfa. */
fvm_status fvm_check_array(fvm *vm, fvm_addr cfa, fvm_cell index) {
    fvm_array_size *cached = &vm->array_sizes[(cfa >> 2) % FVM_ARRAY_SIZES];
    fvm_cell headers = fvm_get(vm, FVM_K_HEADERS);
    fvm_addr latest = fvm_latest(vm);
    if (cached->cfa != cfa || cached->headers != headers || cached->latest != latest) {
        bool cacheable;
        fvm_array_size found = {cfa, latest, headers, 0};
        FVM_TRY(count_items(vm, cfa, &found.count, &cacheable));
        *cached = found;
        if (!cacheable)
            cached->cfa = 0;
    }
    if (cached->count == IS_DIRECTION)
        return check_position(vm, fvm_lib_get(vm, vm->lib.pos));
    if (cached->count == HAS_NO_ITEMS || (index >= 0 && index < cached->count))
        return FVM_OK;
    char name[128];
    fvm_name(vm, cfa - FVM_HEADER_BYTES, name, (int32_t)sizeof name);
    return fvm_fail(vm, FVM_ERR_BOUNDS, index, "%s", name);
}

/* board[] in checked mode. */
fvm_status fvm_checked_board(fvm *vm, fvm_cell pos, fvm_cell *address) {
    const fvm_addr board = vm->lib.board == 0 ? 0 : (fvm_addr)fvm_get(vm, vm->lib.board);
    *address = (fvm_cell)(board + 4u * (uint32_t)pos);
    return check_position(vm, pos);
}
