/* stack_cache.c: the register state at the current point of the code being compiled.
 *
 * It owns which register, constant or stack slot holds each item, and the code that loads and
 * spills items.  Words that only reorder items emit no code.  An instruction never changes a
 * register that an item used before it, so that a side exit can still spill the earlier state. */
#include "jit/compile.h"

#if defined(FVM_JIT)

#include <limits.h>

enum { SPARE_ITEMS = 5 }; /* items by which one instruction may extend the window at either end */

static inline fvm_value *item(fvm_state *state, int index) {
    FVM_ASSERT(index >= -FVM_WINDOW_ORIGIN && index < FVM_WINDOW - FVM_WINDOW_ORIGIN);
    return &state->items[index + FVM_WINDOW_ORIGIN];
}

static inline int32_t slot_offset(int index) { return 4 * index; }

static inline fvm_value value_at(const fvm_state *state, int index) {
    return index < state->low ? (fvm_value){.kind = FVM_CANONICAL}
                              : state->items[index + FVM_WINDOW_ORIGIN];
}

/* Whether a value may use a second register. */
static inline bool has_other(const fvm_value *value) {
    return value->kind == FVM_FLAG || value->kind == FVM_INDEXED;
}

static inline bool uses_register(const fvm_value *value, uint8_t reg) {
    return value->kind >= FVM_REG &&
           (value->reg == reg || (has_other(value) && value->other == reg));
}

static void count_use(fvm_state *state, const fvm_value *value, int by) {
    FVM_ASSERT(value->kind < FVM_REG || state->uses[value->reg] + by >= 0);
    if (value->kind >= FVM_REG)
        state->uses[value->reg] = (uint8_t)(state->uses[value->reg] + by);
    if (has_other(value) && value->other != NONE)
        state->uses[value->other] = (uint8_t)(state->uses[value->other] + by);
}

static void compute_into(fvm_compiler *c, fvm_reg reg, const fvm_value *value, int index) {
    switch (value->kind) {
    case FVM_CANONICAL:
        fvm_asm_load(&c->as, reg, SP, slot_offset(index));
        break;
    case FVM_CONST:
        fvm_asm_set(&c->as, reg, value->n);
        break;
    case FVM_REG:
        fvm_asm_copy(&c->as, reg, (fvm_reg)value->reg);
        break;
    case FVM_SUM:
        fvm_asm_op_const(&c->as, ADD, reg, (fvm_reg)value->reg, value->n);
        break;
    case FVM_INDEXED:
        fvm_asm_compute_address(&c->as, reg, fvm_address_of(*value));
        break;
    default:
        if (value->other == NONE)
            fvm_asm_compare_const(&c->as, (fvm_reg)value->reg, value->n);
        else
            fvm_asm_compare(&c->as, (fvm_reg)value->reg, (fvm_reg)value->other);
        fvm_asm_flag(&c->as, (fvm_cond)value->cond, reg);
    }
}

static void store_to_slot(fvm_compiler *c, const fvm_value *value, int index) {
    if (value->kind == FVM_CONST) {
        fvm_asm_store_const(&c->as, SP, slot_offset(index), value->n);
    } else if (value->kind == FVM_REG) {
        fvm_asm_store(&c->as, SP, slot_offset(index), (fvm_reg)value->reg);
    } else {
        compute_into(c, S0, value, index);
        fvm_asm_store(&c->as, SP, slot_offset(index), S0);
    }
}

/* Spills an item and releases its registers. */
static void spill(fvm_compiler *c, int index) {
    fvm_value *value = item(&c->state, index);
    store_to_slot(c, value, index);
    count_use(&c->state, value, -1);
    *value = (fvm_value){.kind = FVM_CANONICAL};
}

bool fvm_needs_load(const fvm_state *state, int below) {
    uint8_t kind = value_at(state, state->top - below).kind;
    return kind != FVM_REG && kind != FVM_CONST;
}

static int count_free_regs(const fvm_state *state) {
    int count = 0;
    for (int reg = 0; reg < FVM_ALLOCATABLE_REGS; reg++)
        count += state->uses[reg] == 0;
    return count;
}

/* Returns the best register to spill: the one whose items are all deep in the stack.  Registers are
 * compared by the topmost item that uses them.  -1: no item is in a register. */
static int deepest_register(const fvm_state *state) {
    int top[FVM_ALLOCATABLE_REGS], found = -1;
    for (int reg = 0; reg < FVM_ALLOCATABLE_REGS; reg++) {
        top[reg] = INT_MIN;
        for (int i = state->low; i <= state->top; i++) {
            fvm_value value = value_at(state, i);
            if (uses_register(&value, (uint8_t)reg))
                top[reg] = i;
        }
        if (top[reg] != INT_MIN && (found < 0 || top[reg] < top[found]))
            found = reg;
    }
    return found;
}

void fvm_reserve_registers(fvm_compiler *c, int regs) {
    fvm_state *state = &c->state;
    if (state->top > FVM_WINDOW - FVM_WINDOW_ORIGIN - 1 - SPARE_ITEMS ||
        state->top < FVM_MAX_PICK - FVM_WINDOW_ORIGIN ||
        state->low < SPARE_ITEMS - FVM_WINDOW_ORIGIN)
        fvm_spill_all(c, state);
    while (count_free_regs(state) < regs) {
        int reg = deepest_register(state);
        if (reg < 0)
            return;
        for (int i = state->low; i <= state->top; i++)
            if (uses_register(item(state, i), (uint8_t)reg))
                spill(c, i);
    }
}

/* Extends the window down to index. */
static void extend_window(fvm_state *state, int index) {
    while (state->low > index)
        *item(state, --state->low) = (fvm_value){.kind = FVM_CANONICAL};
}

/* Returns a register that is used neither now nor in the state before this instruction; -1: there
 * is none. */
static int find_free_reg(const fvm_compiler *c) {
    for (int reg = 0; reg < FVM_ALLOCATABLE_REGS; reg++)
        if (c->state.uses[reg] == 0 && c->state_before.uses[reg] == 0)
            return reg;
    return -1;
}

fvm_reg fvm_alloc_reg(fvm_compiler *c) {
    int found = find_free_reg(c);
    if (found >= 0) {
        c->state.uses[found] = 1;
        return (fvm_reg)found;
    }
    c->failed = true; /* impossible after fvm_reserve_registers */
    return T0;
}

fvm_reg fvm_alloc_result_reg(fvm_compiler *c, fvm_value operand) {
    fvm_reg reg = (fvm_reg)operand.reg;
    if (operand.kind < FVM_REG || c->state.uses[reg] != 0)
        return fvm_alloc_reg(c);
    c->state.uses[reg] = 1;
    return reg;
}

static fvm_value load_item(fvm_compiler *c, int index) {
    fvm_value *value = item(&c->state, index);
    if (value->kind == FVM_CANONICAL) {
        fvm_reg reg = fvm_alloc_reg(c);
        fvm_asm_load(&c->as, reg, SP, slot_offset(index));
        *value = (fvm_value){.kind = FVM_REG, .reg = (uint8_t)reg};
    }
    return *value;
}

fvm_value fvm_pop_value(fvm_compiler *c) {
    fvm_state *state = &c->state;
    extend_window(state, state->top);
    fvm_value value = load_item(c, state->top);
    state->top--;
    if (state->low > state->top + 1)
        state->low = state->top + 1;
    return value;
}

void fvm_drop_value(fvm_compiler *c) {
    fvm_state *state = &c->state;
    if (state->low <= state->top)
        count_use(state, item(state, state->top), -1);
    state->top--;
    if (state->low > state->top + 1)
        state->low = state->top + 1;
}

fvm_value fvm_to_reg(fvm_compiler *c, fvm_value value) {
    if (value.kind == FVM_REG)
        return value;
    /* The register of the value is released first, so the result may use the same register. */
    count_use(&c->state, &value, -1);
    fvm_reg reg = fvm_alloc_reg(c);
    compute_into(c, reg, &value, 0);
    return (fvm_value){.kind = FVM_REG, .reg = (uint8_t)reg};
}

fvm_value fvm_pop_reg_or_const(fvm_compiler *c) {
    fvm_value value = fvm_pop_value(c);
    return value.kind == FVM_CONST ? value : fvm_to_reg(c, value);
}

void fvm_release_value(fvm_compiler *c, fvm_value value) { count_use(&c->state, &value, -1); }

void fvm_push_value(fvm_compiler *c, fvm_value value) {
    fvm_state *state = &c->state;
    state->top++;
    if (state->low > state->top)
        state->low = state->top;
    *item(state, state->top) = value;
}

void fvm_push_reg(fvm_compiler *c, fvm_reg reg) {
    fvm_push_value(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)reg});
}

void fvm_push_const(fvm_compiler *c, fvm_cell n) {
    fvm_push_value(c, (fvm_value){.kind = FVM_CONST, .n = n});
}

fvm_value fvm_copy_item(fvm_compiler *c, int below) {
    int index = c->state.top - below;
    extend_window(&c->state, index);
    fvm_value value = load_item(c, index);
    count_use(&c->state, &value, 1);
    return value;
}

bool fvm_is_top_const(const fvm_state *state, fvm_cell n) {
    const fvm_value top = value_at(state, state->top);
    return top.kind == FVM_CONST && top.n == n;
}

bool fvm_is_known_flag(const fvm_state *state) {
    const uint8_t kind = value_at(state, state->top).kind;
    return kind == FVM_CONST || kind == FVM_FLAG;
}

static bool are_equal(const fvm_value *a, const fvm_value *b) {
    const bool same_number = a->kind == FVM_REG || a->n == b->n;
    const bool same_other = !has_other(a) || a->other == b->other;
    const bool same_test = a->kind != FVM_FLAG || a->cond == b->cond;
    return a->kind == b->kind && a->reg == b->reg && same_number && same_other && same_test;
}

void fvm_replace_by_zero(fvm_state *state, fvm_value value) {
    for (int i = state->low; i <= state->top; i++) {
        fvm_value *found = item(state, i);
        if (found->kind >= FVM_REG && are_equal(found, &value)) {
            count_use(state, found, -1);
            *found = (fvm_value){.kind = FVM_CONST, .n = 0};
        }
    }
}

fvm_cond fvm_test_flag(fvm_compiler *c, fvm_value value) {
    if (value.kind == FVM_FLAG) {
        if (value.other == NONE)
            fvm_asm_compare_const(&c->as, (fvm_reg)value.reg, value.n);
        else
            fvm_asm_compare(&c->as, (fvm_reg)value.reg, (fvm_reg)value.other);
        return (fvm_cond)value.cond;
    }
    if (value.kind == FVM_INDEXED) {
        compute_into(c, S0, &value, 0);
        fvm_asm_compare_const(&c->as, S0, 0);
        return NE;
    }
    const fvm_cell zero = value.kind == FVM_SUM ? (fvm_cell)(0u - (uint32_t)value.n) : 0;
    fvm_asm_compare_const(&c->as, (fvm_reg)value.reg, zero); /* reg + n = 0 if reg = -n */
    return NE;
}

/* --- the register states at control-flow joins -------------------------------------- */

void fvm_set_entry_state(fvm_state *state, fvm_entry_state entry_state) {
    FVM_ASSERT(entry_state.count >= 1 && entry_state.count <= FVM_CARRIED_ITEMS);
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
            compute_into(c, (fvm_reg)all[i].to, &all[i].from, state->top - i);
            all[i].pending = false;
            moved = true;
            todo--;
        }
        /* All pending moves are in cycles.  An item that reads two registers may be in two cycles:
         * store it to its stack slot, which ends both. */
        for (int i = 0; i < count && !moved; i++) {
            if (!all[i].pending || !has_other(&all[i].from))
                continue;
            store_to_slot(c, &all[i].from, state->top - i);
            all[i].from = (fvm_value){.kind = FVM_CANONICAL};
            moved = true;
        }
        for (int i = 0; i < count && !moved; i++) {
            if (!all[i].pending || (all[i].from.kind == FVM_REG && all[i].from.reg == S1))
                continue;
            compute_into(c, S1, &all[i].from, state->top - i); /* S1 holds no item */
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
            store_to_slot(c, &value, i);
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
