/* register_states.c: the register states at control-flow joins.
 *
 * It owns which items are in which registers at a join, and the parallel moves that establish this
 * state.  fvm_entry_state is the compact form of such a state: the registers of the top items,
 * while all items below are in their stack slots.  stack_cache.c handles single items. */
#include "jit/stack_cache.h"

#if defined(FVM_JIT)

void fvm_set_entry_state(fvm_state *state, fvm_entry_state entry_state) {
    memset(state, 0, sizeof *state);
    state->uncharged_steps = entry_state.uncharged_steps;
    state->low = 1 - entry_state.count; /* lowest item in a register; the top item has number 0 */
    for (int i = 0; i < entry_state.count; i++) {
        *item(state, -i) = (fvm_value){.kind = FVM_REG, .reg = entry_state.regs[i]};
        state->uses[entry_state.regs[i]]++;
    }
}

void fvm_set_canonical_state(fvm_compiler *c) {
    fvm_set_entry_state(&c->state, FVM_CANONICAL_STATE);
}

bool fvm_matches_entry_state(const fvm_state *state, fvm_entry_state entry_state) {
    if (state->top != 0 || state->uncharged_steps != entry_state.uncharged_steps)
        return false;
    for (int i = 0; i < entry_state.count; i++) {
        fvm_value value = value_at(state, -i);
        if (value.kind != FVM_REG || value.reg != entry_state.regs[i])
            return false;
    }
    for (int i = state->low; i <= -entry_state.count; i++)
        if (value_at(state, i).kind != FVM_CANONICAL)
            return false;
    return true;
}

fvm_entry_state fvm_choose_entry_state(const fvm_state *state) {
    fvm_entry_state entry_state = {0};
    bool used[FVM_ALLOCATABLE_REGS] = {false};
    int count = 1;
    while (count < FVM_CARRIED_ITEMS && value_at(state, state->top - count).kind != FVM_CANONICAL)
        count++;
    /* An item in a register stays there, unless an item above it uses the same register. */
    for (int i = 0; i < count; i++) {
        fvm_value value = value_at(state, state->top - i);
        entry_state.regs[i] = NONE;
        if (value.kind == FVM_REG && !used[value.reg]) {
            entry_state.regs[i] = value.reg;
            used[value.reg] = true;
        }
    }
    for (int i = 0; i < count; i++)
        for (int reg = FVM_ALLOCATABLE_REGS - 1; reg >= 0 && entry_state.regs[i] == NONE; reg--)
            if (!used[reg]) {
                entry_state.regs[i] = (uint8_t)reg;
                used[reg] = true;
            }
    entry_state.count = (uint8_t)count;
    return entry_state;
}

typedef struct {
    fvm_value from;
    uint8_t to;
    bool pending; /* not emitted yet */
} move;

/* Emits parallel moves: a register is written only after all moves that read it. */
static void emit_moves(fvm_compiler *c, const fvm_state *state, fvm_entry_state entry_state) {
    move all[FVM_CARRIED_ITEMS];
    int count = entry_state.count, todo = 0;
    for (int i = 0; i < count; i++) {
        all[i] = (move){.from = value_at(state, state->top - i), .to = entry_state.regs[i]};
        all[i].pending = all[i].from.kind != FVM_REG || all[i].from.reg != all[i].to;
        todo += all[i].pending;
    }
    while (todo > 0) {
        bool moved = false;
        for (int i = 0; i < count; i++) {
            bool still_read = false;
            for (int j = 0; j < count; j++)
                still_read |= all[j].pending && j != i && uses_register(&all[j].from, all[i].to);
            if (!all[i].pending || still_read)
                continue;
            fvm_compute_into(c, (fvm_reg)all[i].to, &all[i].from, state->top - i);
            all[i].pending = false;
            moved = true;
            todo--;
        }
        /* All pending moves are in cycles.  An item that reads two registers may be in two cycles:
         * store it to its stack slot, which ends both. */
        for (int i = 0; i < count && !moved; i++) {
            if (!all[i].pending || !has_other(&all[i].from))
                continue;
            fvm_store_to_slot(c, &all[i].from, state->top - i);
            all[i].from = (fvm_value){.kind = FVM_CANONICAL};
            moved = true;
        }
        for (int i = 0; i < count && !moved; i++) {
            if (!all[i].pending || (all[i].from.kind == FVM_REG && all[i].from.reg == S1))
                continue;
            fvm_compute_into(c, S1, &all[i].from, state->top - i); /* S1 holds no item */
            all[i].from = (fvm_value){.kind = FVM_REG, .reg = S1};
            moved = true;
        }
    }
}

void fvm_conform_to_entry_state(fvm_compiler *c, const fvm_state *state,
                                fvm_entry_state entry_state) {
    for (int i = state->low; i <= state->top - entry_state.count; i++) {
        fvm_value value = value_at(state, i);
        if (value.kind != FVM_CANONICAL)
            fvm_store_to_slot(c, &value, i);
    }
    emit_moves(c, state, entry_state);
    fvm_asm_add_to_pointer(&c->as, SP, slot_offset(state->top));
}

void fvm_spill_all(fvm_compiler *c, fvm_state *state) {
    int uncharged_steps = state->uncharged_steps;
    fvm_conform_to_entry_state(c, state, FVM_CANONICAL_STATE);
    fvm_set_entry_state(state, FVM_CANONICAL_STATE);
    state->uncharged_steps = uncharged_steps;
}

#endif
