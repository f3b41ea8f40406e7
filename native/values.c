/* values.c: the parameter stack while it is compiled.
 *
 * It owns which register, constant or place in memory holds each item, and the code that
 * puts items into registers or back into their places.  Words that only shift items about
 * cost nothing.  Instructions never change a register that an item known before them uses,
 * so that what was known then can still be put in place. */
#include "compile.h"

#if defined(FVM_TIER)

static fvm_value *item(fvm_state *state, int index) {
    return &state->items[index + FVM_WINDOW_BASE];
}

static int32_t home(int index) { return 4 * index; }

static void use(fvm_state *state, const fvm_value *value, int by) {
    if (value->kind >= FVM_REG)
        state->uses[value->reg] = (uint8_t)(state->uses[value->reg] + by);
    if (value->kind == FVM_FLAG && value->other != NONE)
        state->uses[value->other] = (uint8_t)(state->uses[value->other] + by);
}

void fvm_values_begin(fvm_compiler *c, fvm_shape shape) {
    fvm_state *state = &c->state;
    memset(state, 0, sizeof *state);
    state->low = 1 - shape.count;
    for (int i = 0; i < shape.count; i++) {
        *item(state, -i) = (fvm_value){.kind = FVM_REG, .reg = shape.regs[i]};
        state->uses[shape.regs[i]]++;
    }
}

void fvm_values_start(fvm_compiler *c) { fvm_values_begin(c, FVM_SETTLED); }

/* Code that computes a value into reg, which it may use itself. */
static void compute(fvm_compiler *c, fvm_reg reg, const fvm_value *value, int index) {
    switch (value->kind) {
    case FVM_HOME:
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

static void put_home(fvm_compiler *c, const fvm_value *value, int index) {
    if (value->kind == FVM_CONST) {
        fvm_asm_store_const(&c->as, SP, home(index), value->n);
    } else if (value->kind == FVM_REG) {
        fvm_asm_store(&c->as, SP, home(index), (fvm_reg)value->reg);
    } else {
        compute(c, S0, value, index);
        fvm_asm_store(&c->as, SP, home(index), S0);
    }
}

static fvm_value at(const fvm_state *state, int index) {
    return index < state->low ? (fvm_value){.kind = FVM_HOME}
                              : state->items[index + FVM_WINDOW_BASE];
}

bool fvm_values_fit(const fvm_state *state, fvm_shape shape) {
    if (state->top != 0)
        return false;
    for (int i = 0; i < shape.count; i++) {
        fvm_value value = at(state, -i);
        if (value.kind != FVM_REG || value.reg != shape.regs[i])
            return false;
    }
    for (int i = state->low; i <= -shape.count; i++)
        if (at(state, i).kind != FVM_HOME && !at(state, i).clean)
            return false;
    return true;
}

fvm_shape fvm_values_shape(const fvm_state *state, int carry) {
    fvm_shape shape = {0, {0}};
    bool taken[FVM_FREE_REGS] = {false};
    int count = carry;
    if (carry == 0)
        while (count < FVM_CARRIED && at(state, state->top - count).kind != FVM_HOME)
            count++;
    if (count < 1)
        count = 1;
    /* Those that have a register of their own keep it. */
    for (int i = 0; i < count; i++) {
        fvm_value value = at(state, state->top - i);
        shape.regs[i] = NONE;
        if (value.kind == FVM_REG && !taken[value.reg]) {
            shape.regs[i] = value.reg;
            taken[value.reg] = true;
        }
    }
    for (int i = 0; i < count; i++)
        for (int reg = FVM_FREE_REGS - 1; reg >= 0 && shape.regs[i] == NONE; reg--)
            if (!taken[reg]) {
                shape.regs[i] = (uint8_t)reg;
                taken[reg] = true;
            }
    shape.count = (uint8_t)count;
    return shape;
}

static bool reads(const fvm_value *value, uint8_t reg) {
    return value->kind >= FVM_REG &&
           (value->reg == reg || (value->kind == FVM_FLAG && value->other == reg));
}

/* Registers get their values all at once: one that is still to be read waits. */
static void assign(fvm_compiler *c, const fvm_state *state, fvm_shape shape) {
    fvm_value from[FVM_CARRIED];
    bool left[FVM_CARRIED];
    int count = shape.count, todo = 0;
    for (int i = 0; i < count; i++) {
        from[i] = at(state, state->top - i);
        left[i] = from[i].kind != FVM_REG || from[i].reg != shape.regs[i];
        todo += left[i];
    }
    while (todo > 0) {
        bool moved = false;
        for (int i = 0; i < count; i++) {
            bool wanted = false;
            for (int j = 0; j < count; j++)
                wanted |= left[j] && j != i && reads(&from[j], shape.regs[i]);
            if (!left[i] || wanted)
                continue;
            compute(c, (fvm_reg)shape.regs[i], &from[i], state->top - i);
            left[i] = false;
            moved = true;
            todo--;
        }
        /* A flag reads two registers and may stand in two rings: by way of its place in memory. */
        for (int i = 0; i < count && !moved; i++) {
            if (!left[i] || from[i].kind != FVM_FLAG)
                continue;
            put_home(c, &from[i], state->top - i);
            from[i] = (fvm_value){.kind = FVM_HOME};
            moved = true;
        }
        for (int i = 0; i < count && !moved; i++) {
            if (!left[i] || (from[i].kind == FVM_REG && from[i].reg == S1))
                continue;
            compute(c, S1, &from[i], state->top - i); /* breaks a ring */
            from[i] = (fvm_value){.kind = FVM_REG, .reg = S1};
            moved = true;
        }
    }
}

void fvm_values_conform(fvm_compiler *c, const fvm_state *state, fvm_shape shape) {
    for (int i = state->low; i <= state->top - shape.count; i++) {
        fvm_value value = at(state, i);
        if (value.kind != FVM_HOME && !value.clean)
            put_home(c, &value, i);
    }
    assign(c, state, shape);
    fvm_asm_move_pointer(&c->as, SP, home(state->top));
}

void fvm_values_settle(fvm_compiler *c, fvm_state *state) {
    fvm_values_conform(c, state, FVM_SETTLED);
    memset(state, 0, sizeof *state);
    *item(state, 0) = (fvm_value){.kind = FVM_REG, .reg = TOS};
    state->uses[TOS] = 1;
}

/* Its place in memory gets the value, its registers are free. */
static void spill(fvm_compiler *c, int index) {
    fvm_value *value = item(&c->state, index);
    if (!value->clean)
        put_home(c, value, index);
    use(&c->state, value, -1);
    *value = (fvm_value){.kind = FVM_HOME};
}

static int free_regs(const fvm_state *state) {
    int count = 0;
    for (int reg = 0; reg < FVM_FREE_REGS; reg++)
        count += state->uses[reg] == 0;
    return count;
}

void fvm_values_room(fvm_compiler *c) {
    fvm_state *state = &c->state;
    if (state->top > FVM_WINDOW - FVM_WINDOW_BASE - 6 ||
        state->top < FVM_MOST_PICKED - FVM_WINDOW_BASE || state->low < 5 - FVM_WINDOW_BASE)
        fvm_values_settle(c, state);
    for (int i = state->low; i <= state->top && free_regs(state) < 4; i++)
        if (item(state, i)->kind >= FVM_REG)
            spill(c, i);
}

/* Items down to index are followed. */
static void reach(fvm_state *state, int index) {
    while (state->low > index)
        *item(state, --state->low) = (fvm_value){.kind = FVM_HOME};
}

/* One that what was known before this instruction does not need. */
fvm_reg fvm_free_reg(fvm_compiler *c) {
    for (int reg = 0; reg < FVM_FREE_REGS; reg++)
        if (c->state.uses[reg] == 0 && c->before.uses[reg] == 0) {
            c->state.uses[reg] = 1;
            return (fvm_reg)reg;
        }
    c->failed = true; /* fvm_values_room has seen to it that this cannot be */
    return T0;
}

fvm_reg fvm_result_reg(fvm_compiler *c, fvm_value near) {
    fvm_reg reg = (fvm_reg)near.reg;
    if (near.kind < FVM_REG || c->state.uses[reg] != 0)
        return fvm_free_reg(c);
    c->state.uses[reg] = 1;
    return reg;
}

static fvm_value loaded(fvm_compiler *c, int index) {
    fvm_value *value = item(&c->state, index);
    if (value->kind == FVM_HOME) {
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
    /* A register of its own may be used again if nobody else has it. */
    use(&c->state, &value, -1);
    fvm_reg reg = fvm_free_reg(c);
    compute(c, reg, &value, 0);
    return (fvm_value){.kind = FVM_REG, .reg = (uint8_t)reg};
}

fvm_value fvm_take_reg(fvm_compiler *c) {
    fvm_value value = fvm_take(c);
    return value.kind == FVM_CONST ? value : fvm_in_reg(c, value);
}

void fvm_let_go(fvm_compiler *c, fvm_value value) { use(&c->state, &value, -1); }

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
