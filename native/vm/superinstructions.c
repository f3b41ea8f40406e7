/* superinstructions.c: finds sequences of cells that a superinstruction can execute.
 *
 * Owns the comparison of cells with the table generated from superinstructions.def, and the
 * operands in the slot; the handlers are generated (superinstructions.py).  A part is one word of a
 * sequence.  The longest matching sequence is used.  Every cell that a match depends on is marked,
 * so that a store to it resets the slot. */
#include "vm/translate.h"

#include "generated/ops.h"

enum { MAX_PARTS = 4 };
_Static_assert(2 * MAX_PARTS <= (int)FVM_SUPER_CELLS, "memory.c resets too few slots");

typedef struct {
    uint8_t count;
    uint8_t operands[2];       /* indexes of the parts with operands in the slot; MAX_PARTS: none */
    uint16_t parts[MAX_PARTS]; /* operations */
} superinstruction;

static const superinstruction table[] = {
#include "generated/super_table.inc"
};

/* The parts decoded so far, from one address on. */
typedef struct {
    int count;
    uint32_t bytes;
    int ops[MAX_PARTS];
    fvm_cell operands[MAX_PARTS];
    uint32_t ends[MAX_PARTS]; /* bytes up to the end of each part */
} decoded;

static void decode_next(fvm *vm, fvm_addr ip, decoded *d) {
    fvm_slot slot;
    uint32_t length = 0;
    int op = fvm_operation_at(vm, ip + d->bytes, &slot, &length);
    fvm_use_direct_target(vm, ip, &slot, &op);
    if (op == FVM_OP_READ && slot.b == 0)
        op = FVM_OP_CONSTANT; /* the two differ only in their errors, which the fallback reports */
    if (op == FVM_OP_CONSTANT && !fvm_in(vm, (fvm_addr)slot.a, 4))
        op = -1;
    d->bytes += length;
    d->ops[d->count] = op;
    d->operands[d->count] = slot.a;
    d->ends[d->count++] = d->bytes;
}

static bool matches(fvm *vm, fvm_addr ip, const superinstruction *candidate, decoded *d) {
    for (int i = 0; i < candidate->count; i++) {
        if (i == d->count)
            decode_next(vm, ip, d);
        if (d->ops[i] != candidate->parts[i])
            return false;
    }
    return true;
}

bool fvm_find_superinstruction(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    decoded d = {0};
    for (size_t number = 0; number < sizeof table / sizeof *table; number++) {
        const superinstruction *candidate = &table[number];
        if (!matches(vm, ip, candidate, &d))
            continue;
        if (candidate->operands[0] < MAX_PARTS)
            slot->a = d.operands[candidate->operands[0]];
        if (candidate->operands[1] < MAX_PARTS)
            slot->b = d.operands[candidate->operands[1]];
        for (fvm_addr at = ip; at < ip + d.ends[candidate->count - 1]; at += 4)
            fvm_mark(vm, at, FVM_CELL_CODE);
        *op = FVM_OP_SUPER + (int)number;
        return true;
    }
    return false;
}
