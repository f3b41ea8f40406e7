/* stack_cache.c: the cached items of the parameter stack during compilation.
 *
 * It owns which register, constant or stack slot holds each item, and the code that loads and
 * spills items.  Words that only reorder items emit no code.  An instruction never changes a
 * register that an item used before it, so that a side exit can still spill the earlier state. */
#include "jit/stack_cache.h"

#if defined(FVM_JIT)

#include <limits.h>

static void use(fvm_state *state, const fvm_value *value, int by) {
    if (value->kind >= FVM_REG)
        state->uses[value->reg] = (uint8_t)(state->uses[value->reg] + by);
    if (value->kind == FVM_FLAG && value->other != NONE)
        state->uses[value->other] = (uint8_t)(state->uses[value->other] + by);
}

/* Forgets what depends on a register that is about to change. */
static void forget(fvm_state *state, fvm_reg reg) {
    for (int i = 0; i < FVM_READABLE; i++)
        if (state->readable[i].reg == reg)
            state->readable[i].reg = FVM_FREE_REGS;
    for (int i = 0; i < FVM_HELD; i++)
        if (state->held[i].value.kind == FVM_REG && state->held[i].value.reg == reg)
            state->held[i].at = 0;
}

bool fvm_is_readable(const fvm_compiler *c, fvm_value a) {
    for (int i = 0; i < FVM_READABLE; i++)
        if (c->state.readable[i].reg == a.reg &&
            c->state.readable[i].n == (a.kind == FVM_SUM ? a.n : 0))
            return true;
    return false;
}

void fvm_set_readable(fvm_compiler *c, fvm_value a) {
    fvm_state *state = &c->state;
    int i = state->readable_next++ % FVM_READABLE;
    state->readable[i].reg = a.reg;
    state->readable[i].n = a.kind == FVM_SUM ? a.n : 0;
}

/* --- cells of memory -------------------------------------------------------------- */

const fvm_value *fvm_held(const fvm_compiler *c, fvm_addr at) { return held_in(&c->state, at); }

void fvm_hold(fvm_compiler *c, fvm_addr at, fvm_value value) {
    fvm_state *state = &c->state;
    fvm_stored(c, at, at + 4);
    int i = state->held_next++ % FVM_HELD;
    state->held[i].at = at;
    state->held[i].value = value;
}

void fvm_stored(fvm_compiler *c, fvm_addr from, fvm_addr to) {
    for (int i = 0; i < FVM_HELD; i++)
        if (c->state.held[i].at < to && c->state.held[i].at + 4 > from)
            c->state.held[i].at = 0;
}

/* Whether the memory value cache uses a register. */
static bool holds(const fvm_state *state, int reg) {
    for (int i = 0; i < FVM_HELD; i++)
        if (state->held[i].at != 0 && state->held[i].value.kind == FVM_REG &&
            state->held[i].value.reg == reg)
            return true;
    return false;
}

bool fvm_note_page(fvm_compiler *c, fvm_addr at) {
    fvm_state *state = &c->state;
    uint32_t page = (at >> FVM_PAGE_SHIFT) + 1;
    for (int i = 0; i < FVM_NOTED; i++)
        if (state->noted[i] == page)
            return false;
    state->noted[state->noted_next++ % FVM_NOTED] = page;
    return true;
}

void fvm_compute(fvm_compiler *c, fvm_reg reg, const fvm_value *value, int index) {
    switch (value->kind) {
    case FVM_CANONICAL:
        fvm_asm_load(&c->as, reg, SP, home(index));
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
    default:
        if (value->other == NONE)
            fvm_asm_compare_const(&c->as, (fvm_reg)value->reg, value->n);
        else
            fvm_asm_compare(&c->as, (fvm_reg)value->reg, (fvm_reg)value->other);
        fvm_asm_flag(&c->as, (fvm_cond)value->cond, reg);
    }
}

void fvm_put_home(fvm_compiler *c, const fvm_value *value, int index) {
    if (value->kind == FVM_CONST) {
        fvm_asm_store_const(&c->as, SP, home(index), value->n);
    } else if (value->kind == FVM_REG) {
        fvm_asm_store(&c->as, SP, home(index), (fvm_reg)value->reg);
    } else {
        fvm_compute(c, S0, value, index);
        fvm_asm_store(&c->as, SP, home(index), S0);
    }
}

void fvm_put_index(fvm_compiler *c, const fvm_state *state) {
    if (!state->index_dirty)
        return;
    fvm_value value = index_of(state);
    fvm_reg reg = (fvm_reg)value.reg;
    if (value.kind == FVM_SUM)
        fvm_compute(c, reg = S0, &value, 0);
    fvm_asm_store(&c->as, RP, 0, reg);
}

/* Spills the value and releases its registers. */
static void spill(fvm_compiler *c, int index) {
    fvm_value *value = item(&c->state, index);
    if (!value->clean)
        fvm_put_home(c, value, index);
    use(&c->state, value, -1);
    *value = (fvm_value){.kind = FVM_CANONICAL};
}

const fvm_value *fvm_values_top(const fvm_state *state) {
    return state->top < state->low ? NULL : &state->items[state->top + FVM_WINDOW_BASE];
}

/* Whether an item must be loaded into a register before use. */
bool fvm_values_unregistered(const fvm_state *state, int below) {
    uint8_t kind = value_at(state, state->top - below).kind;
    return kind != FVM_REG && kind != FVM_CONST;
}

static int free_regs(const fvm_state *state) {
    int count = 0;
    for (int reg = 0; reg < FVM_FREE_REGS; reg++)
        count += state->uses[reg] == 0;
    return count;
}

/* The register whose items are all deeper than those of the other registers; -1: no register has
 * items. */
static int deepest(const fvm_state *state) {
    int top[FVM_FREE_REGS], found = -1;
    for (int reg = 0; reg < FVM_FREE_REGS; reg++) {
        top[reg] = INT_MIN;
        for (int i = state->low; i <= state->top; i++) {
            fvm_value value = value_at(state, i);
            if (reads(&value, (uint8_t)reg))
                top[reg] = i;
        }
        bool frees = top[reg] != INT_MIN && reg != state->index - 1;
        if (frees && (found < 0 || top[reg] < top[found]))
            found = reg;
    }
    return found;
}

void fvm_values_room(fvm_compiler *c, int regs) {
    fvm_state *state = &c->state;
    if (state->top > FVM_WINDOW - FVM_WINDOW_BASE - 6 ||
        state->top < FVM_MOST_PICKED - FVM_WINDOW_BASE || state->low < 5 - FVM_WINDOW_BASE)
        fvm_values_spill(c, state);
    while (free_regs(state) < regs) {
        int reg = deepest(state);
        for (int i = state->low; i <= state->top && reg >= 0; i++)
            if (reads(item(state, i), (uint8_t)reg))
                spill(c, i);
        if (reg < 0 && state->index == 0)
            return;
        if (reg < 0)
            fvm_index_spill(c);
    }
}

void fvm_index_drop(fvm_compiler *c) {
    fvm_state *state = &c->state;
    if (state->index != 0)
        state->uses[state->index - 1]--;
    state->index = 0;
    state->index_dirty = false;
}

void fvm_index_spill(fvm_compiler *c) {
    fvm_put_index(c, &c->state);
    fvm_index_drop(c);
}

void fvm_index_set(fvm_compiler *c, fvm_reg reg) {
    fvm_index_drop(c);
    c->state.index = (uint8_t)(reg + 1);
    c->state.index_dirty = true;
}

fvm_reg fvm_index_reg(fvm_compiler *c) {
    fvm_state *state = &c->state;
    if (state->index == 0) {
        fvm_reg reg = fvm_free_reg(c);
        fvm_asm_load(&c->as, reg, RP, 0);
        state->index = (uint8_t)(reg + 1);
    }
    return (fvm_reg)(state->index - 1);
}

fvm_reg fvm_index_add(fvm_compiler *c, fvm_cell n) {
    fvm_reg from = fvm_index_reg(c), to = from;
    if (c->state.uses[from] != 1)
        fvm_index_set(c, to = fvm_free_reg(c));
    c->state.index_dirty = true;
    forget(&c->state, to);
    fvm_asm_op_const(&c->as, ADD, to, from, n);
    return to;
}

/* Extends the window down to index. */
static void reach(fvm_state *state, int index) {
    while (state->low > index)
        *item(state, --state->low) = (fvm_value){.kind = FVM_CANONICAL};
}

/* A register that the state before this instruction does not use, if possible one that the memory
 * value cache does not use either; -1: there is none. */
static int free_reg(const fvm_compiler *c) {
    int found = -1;
    for (int reg = 0; reg < FVM_FREE_REGS; reg++)
        if (c->state.uses[reg] == 0 && c->before.uses[reg] == 0) {
            found = reg;
            if (!holds(&c->state, reg))
                break;
        }
    return found;
}

fvm_reg fvm_free_reg(fvm_compiler *c) {
    int found = free_reg(c);
    if (found >= 0) {
        c->state.uses[found] = 1;
        forget(&c->state, (fvm_reg)found);
        return (fvm_reg)found;
    }
    c->failed = true; /* cannot happen: fvm_values_room has provided registers */
    return T0;
}

fvm_reg fvm_result_reg(fvm_compiler *c, fvm_value near) {
    fvm_reg reg = (fvm_reg)near.reg;
    if (near.kind < FVM_REG || c->state.uses[reg] != 0)
        return fvm_free_reg(c);
    if (holds(&c->state, reg)) { /* the cached value may be needed again */
        int other = free_reg(c);
        if (other >= 0 && !holds(&c->state, other))
            reg = (fvm_reg)other;
    }
    c->state.uses[reg] = 1;
    forget(&c->state, reg);
    return reg;
}

static fvm_value loaded(fvm_compiler *c, int index) {
    fvm_value *value = item(&c->state, index);
    if (value->kind == FVM_CANONICAL) {
        fvm_reg reg = fvm_free_reg(c);
        fvm_asm_load(&c->as, reg, SP, home(index));
        *value = (fvm_value){.kind = FVM_REG, .clean = true, .reg = (uint8_t)reg};
    }
    return *value;
}

fvm_value fvm_take(fvm_compiler *c) {
    fvm_state *state = &c->state;
    reach(state, state->top);
    fvm_value value = loaded(c, state->top);
    state->top--;
    if (state->low > state->top + 1)
        state->low = state->top + 1;
    value.clean = false;
    return value;
}

void fvm_drop_top(fvm_compiler *c) {
    fvm_state *state = &c->state;
    if (state->low <= state->top)
        use(state, item(state, state->top), -1);
    state->top--;
    if (state->low > state->top + 1)
        state->low = state->top + 1;
}

fvm_value fvm_in_reg(fvm_compiler *c, fvm_value value) {
    if (value.kind == FVM_REG)
        return value;
    /* Its register may be reused if it holds no other value. */
    use(&c->state, &value, -1);
    fvm_reg reg = fvm_free_reg(c);
    fvm_compute(c, reg, &value, 0);
    return (fvm_value){.kind = FVM_REG, .reg = (uint8_t)reg};
}

fvm_value fvm_take_reg(fvm_compiler *c) {
    fvm_value value = fvm_take(c);
    return value.kind == FVM_CONST ? value : fvm_in_reg(c, value);
}

void fvm_release_value(fvm_compiler *c, fvm_value value) { use(&c->state, &value, -1); }

void fvm_give(fvm_compiler *c, fvm_value value) {
    fvm_state *state = &c->state;
    value.clean = false;
    state->top++;
    if (state->low > state->top)
        state->low = state->top;
    *item(state, state->top) = value;
}

void fvm_give_reg(fvm_compiler *c, fvm_reg reg) {
    fvm_give(c, (fvm_value){.kind = FVM_REG, .reg = (uint8_t)reg});
}

void fvm_give_const(fvm_compiler *c, fvm_cell n) {
    fvm_give(c, (fvm_value){.kind = FVM_CONST, .n = n});
}

fvm_value fvm_copy_of(fvm_compiler *c, int below) {
    int index = c->state.top - below;
    reach(&c->state, index);
    fvm_value value = loaded(c, index);
    use(&c->state, &value, 1);
    value.clean = false;
    return value;
}

fvm_cond fvm_test_flag(fvm_compiler *c, fvm_value value) {
    if (value.kind == FVM_FLAG) {
        if (value.other == NONE)
            fvm_asm_compare_const(&c->as, (fvm_reg)value.reg, value.n);
        else
            fvm_asm_compare(&c->as, (fvm_reg)value.reg, (fvm_reg)value.other);
        return (fvm_cond)value.cond;
    }
    fvm_asm_compare_const(&c->as, (fvm_reg)value.reg, 0);
    return NE;
}

#endif
