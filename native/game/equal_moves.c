/* equal_moves.c: removes moves from a list that do the same as an earlier move.
 *
 * Scripts may contain words that make the same move, such as those compiled from rule files of
 * Zillions, where equal moves count once; they set $uniqueMoves.  Two moves are equal if their code
 * is equal cell by cell.  This file owns the comparison. */
#include "game/game.h"
#include "vm/fast_path.h"

#include <stdlib.h>

static const uint64_t FNV_PRIME = 0x100000001B3;
enum { STACK_BUCKETS = 4096 }; /* a table of more buckets is allocated */

typedef struct {
    fvm_addr start; /* address of the code; 0: the bucket is free */
    uint32_t length;
    uint32_t hash;
} code;

static code code_of(const fvm *vm, fvm_addr move) {
    code c = {0};
    fvm_move_cells cells;
    int32_t length = fvm_move_code((fvm *)vm, move, &c.start);
    if (fvm_move_cells_at(vm, move, &cells) && c.start > cells.cfa + FVM_BODY) {
        /* after the branch, which has an absolute address */
        const fvm_addr items = cells.cfa + FVM_BODY + 8;
        length += (int32_t)(c.start - items);
        c.start = items;
    }
    if (length <= 0 || !fvm_in(vm, c.start, (uint32_t)length))
        return (code){0};
    c.length = (uint32_t)length;
    uint64_t hash = c.length;
    for (uint32_t at = 0; at + 4 <= c.length; at += 4)
        hash = (hash ^ (uint32_t)fvm_get(vm, c.start + at)) * FNV_PRIME;
    c.hash = (uint32_t)fvm_mix(hash);
    return c;
}

/* Enters the code of a move into a table, whose size is a power of 2; false: an equal code is
 * there. */
static bool enter(const fvm *vm, code *table, uint32_t buckets, const code *c) {
    for (uint32_t at = c->hash & (buckets - 1);; at = (at + 1) & (buckets - 1)) {
        if (table[at].start == 0) {
            table[at] = *c;
            return true;
        }
        if (table[at].hash == c->hash && table[at].length == c->length &&
            memcmp(vm->mem + table[at].start, vm->mem + c->start, c->length) == 0)
            return false;
    }
}

/* Unlinks the moves whose code is equal to that of an earlier move. */
static fvm_status unlink_equal(fvm *vm, fvm_addr list, code *table, uint32_t buckets) {
    fvm_addr link = list + FVM_LIST_FIRST;
    fvm_cell count = 0;
    fvm_status status = fvm_charge_work(vm, 8 * (uint32_t)fvm_get(vm, list + FVM_LIST_LENGTH));
    for (fvm_addr move = (fvm_addr)fvm_get(vm, link); status == FVM_OK && move != 0;
         move = fvm_next_move(vm, move)) {
        const code c = code_of(vm, move);
        if (c.start != 0 && !enter(vm, table, buckets, &c))
            continue;
        fvm_put(vm, link, (fvm_cell)move);
        link = move;
        count++;
    }
    if (status == FVM_OK) {
        fvm_put(vm, link, 0);
        fvm_put(vm, list + FVM_LIST_LENGTH, count);
    }
    return status;
}

fvm_status fvm_list_remove_equal(fvm *vm, fvm_addr list) {
    const fvm_cell before = fvm_get(vm, list + FVM_LIST_LENGTH);
    if (fvm_lib_get(vm, vm->lib.unique_moves) != -1 || before < 2)
        return FVM_OK;
    uint32_t buckets = 8;
    while (buckets < 2 * (uint32_t)before)
        buckets *= 2;
    if (buckets <= STACK_BUCKETS) {
        code table[STACK_BUCKETS];
        memset(table, 0, buckets * sizeof *table);
        return unlink_equal(vm, list, table, buckets);
    }
    code *table = calloc(buckets, sizeof *table);
    if (table == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to compare the moves of a list");
    const fvm_status status = unlink_equal(vm, list, table, buckets);
    free(table);
    return status;
}
