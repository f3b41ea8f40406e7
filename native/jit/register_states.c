/* register_states.c: the register states at control-flow joins.
 *
 * It owns which items, cells and loop indexes are in which registers at a join, and the parallel
 * moves that establish this state. stack_cache.c handles single items. */
#include "jit/stack_cache.h"

#if defined(FVM_JIT)

enum { SPARE = 3 }; /* registers that a loop keeps free besides those for cells */

void fvm_values_begin(fvm_state *state, fvm_register_state shape) {
    clear(state);
    state->unpaid_steps = shape.unpaid_steps;
    state->low = 1 - shape.count;
    for (int i = 0; i < shape.count; i++) {
        *item(state, -i) = (fvm_value){.kind = FVM_REG, .reg = shape.regs[i]};
        state->uses[shape.regs[i]]++;
    }
    for (int i = 0; i < FVM_CARRIED_CELLS; i++) {
        state->held[i].at = shape.held[i].at;
        state->held[i].value = (fvm_value){.kind = FVM_REG, .reg = shape.held[i].reg};
    }
    state->held_next = FVM_CARRIED_CELLS;
    state->limited = shape.limited;
    state->limit = shape.limit;
    state->index = shape.index;
    state->index_dirty = shape.index != 0;
    if (shape.index != 0)
        state->uses[shape.index - 1]++;
}

void fvm_values_start(fvm_compiler *c) { fvm_values_begin(&c->state, FVM_CANONICAL_STATE); }

bool fvm_values_fit(const fvm_state *state, fvm_register_state shape) {
    if (state->top != 0 || state->unpaid_steps != shape.unpaid_steps ||
        (shape.limited && !(state->limited && state->limit == shape.limit)))
        return false;
    for (int i = 0; i < shape.count; i++) {
        fvm_value value = value_at(state, -i);
        if (value.kind != FVM_REG || value.reg != shape.regs[i])
            return false;
    }
    for (int i = state->low; i <= -shape.count; i++)
        if (value_at(state, i).kind != FVM_CANONICAL && !value_at(state, i).clean)
            return false;
    for (int i = 0; i < FVM_CARRIED_CELLS; i++) {
        const fvm_value *value = held_in(state, shape.held[i].at);
        if (shape.held[i].at != 0 &&
            (value == NULL || value->kind != FVM_REG || value->reg != shape.held[i].reg))
            return false;
    }
    if (shape.index == 0)
        return !state->index_dirty;
    return state->index == shape.index && state->index_n == 0;
}

fvm_register_state fvm_values_register_state(const fvm_state *state, int carry) {
    fvm_register_state shape = {0};
    bool taken[FVM_FREE_REGS] = {false};
    int count = carry;
    if (carry == 0)
        while (count < FVM_CARRIED && value_at(state, state->top - count).kind != FVM_CANONICAL)
            count++;
    if (count < 1)
        count = 1;
    /* Items that have a register of their own keep it. */
    for (int i = 0; i < count; i++) {
        fvm_value value = value_at(state, state->top - i);
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
    if (state->index != 0)
        fvm_values_count(state, &shape);
    return shape;
}

/* Chooses the registers of a state; returns how many are left. */
static int taken_by(const fvm_register_state *shape, bool taken[FVM_FREE_REGS]) {
    int left = 0;
    memset(taken, 0, FVM_FREE_REGS * sizeof *taken);
    for (int i = 0; i < shape->count; i++)
        taken[shape->regs[i]] = true;
    if (shape->index != 0)
        taken[shape->index - 1] = true;
    for (int i = 0; i < FVM_CARRIED_CELLS; i++)
        if (shape->held[i].at != 0)
            taken[shape->held[i].reg] = true;
    for (int reg = 0; reg < FVM_FREE_REGS; reg++)
        left += !taken[reg];
    return left;
}

void fvm_values_count(const fvm_state *state, fvm_register_state *shape) {
    bool taken[FVM_FREE_REGS];
    shape->index = 0;
    taken_by(shape, taken);
    shape->index = state->index != 0 && !taken[state->index - 1] ? state->index : 0;
    for (uint8_t reg = 0; reg < FVM_FREE_REGS && shape->index == 0; reg++)
        if (!taken[reg])
            shape->index = reg + 1;
}

void fvm_values_carry(const fvm_state *state, fvm_register_state *shape, int held) {
    bool taken[FVM_FREE_REGS];
    int place = 0, reg = state->held[held].value.reg;
    while (place < FVM_CARRIED_CELLS && shape->held[place].at != 0)
        place++;
    if (taken_by(shape, taken) <= SPARE || place == FVM_CARRIED_CELLS)
        return;
    if (state->held[held].value.kind != FVM_REG || taken[reg])
        for (reg = 0; taken[reg];)
            reg++;
    shape->held[place].at = state->held[held].at;
    shape->held[place].reg = (uint8_t)reg;
}

enum { MOST_ASSIGNED = FVM_CARRIED + 1 + FVM_CARRIED_CELLS };

typedef struct {
    fvm_value from;
    uint8_t to;
    bool left;    /* still to be done */
    fvm_reg base; /* base of the memory operand of FVM_CANONICAL */
    int32_t offset;
} assignment;

static int assignments(const fvm_state *state, fvm_register_state shape, assignment *all) {
    int count = 0;
    for (int i = 0; i < shape.count; i++)
        all[count++] = (assignment){.from = value_at(state, state->top - i),
                                    .to = shape.regs[i],
                                    .base = SP,
                                    .offset = home(state->top - i)};
    for (int i = 0; i < FVM_CARRIED_CELLS; i++) {
        const fvm_value *held = held_in(state, shape.held[i].at);
        if (shape.held[i].at != 0)
            all[count++] =
                (assignment){.from = held != NULL ? *held : (fvm_value){.kind = FVM_CANONICAL},
                             .to = shape.held[i].reg,
                             .base = MEM,
                             .offset = (int32_t)shape.held[i].at};
    }
    if (shape.index != 0)
        all[count++] =
            (assignment){.from = index_of(state), .to = (uint8_t)(shape.index - 1), .base = RP};
    return count;
}

static void carry_out(fvm_compiler *c, fvm_reg to, const assignment *one) {
    if (one->from.kind == FVM_CANONICAL)
        fvm_asm_load(&c->as, to, one->base, one->offset);
    else
        fvm_compute(c, to, &one->from, 0);
}

/* Parallel moves: a register that is still to be read is written later. */
static void assign(fvm_compiler *c, const fvm_state *state, fvm_register_state shape) {
    assignment all[MOST_ASSIGNED];
    int count = assignments(state, shape, all), todo = 0;
    for (int i = 0; i < count; i++) {
        all[i].left = all[i].from.kind != FVM_REG || all[i].from.reg != all[i].to;
        todo += all[i].left;
    }
    while (todo > 0) {
        bool moved = false;
        for (int i = 0; i < count; i++) {
            bool wanted = false;
            for (int j = 0; j < count; j++)
                wanted |= all[j].left && j != i && reads(&all[j].from, all[i].to);
            if (!all[i].left || wanted)
                continue;
            carry_out(c, (fvm_reg)all[i].to, &all[i]);
            all[i].left = false;
            moved = true;
            todo--;
        }
        /* A flag reads two registers and may be in two cycles: it goes through its stack slot. */
        for (int i = 0; i < count && !moved; i++) {
            if (!all[i].left || all[i].from.kind != FVM_FLAG)
                continue;
            fvm_put_home(c, &all[i].from, state->top - i);
            all[i].from = (fvm_value){.kind = FVM_CANONICAL};
            moved = true;
        }
        for (int i = 0; i < count && !moved; i++) {
            if (!all[i].left || (all[i].from.kind == FVM_REG && all[i].from.reg == S1))
                continue;
            carry_out(c, S1, &all[i]); /* breaks a cycle */
            all[i].from = (fvm_value){.kind = FVM_REG, .reg = S1};
            moved = true;
        }
    }
}

void fvm_values_conform(fvm_compiler *c, const fvm_state *state, fvm_register_state shape) {
    for (int i = state->low; i <= state->top - shape.count; i++) {
        fvm_value value = value_at(state, i);
        if (value.kind != FVM_CANONICAL && !value.clean)
            fvm_put_home(c, &value, i);
    }
    if (shape.index == 0)
        fvm_put_index(c, state);
    assign(c, state, shape);
    fvm_asm_move_pointer(&c->as, SP, home(state->top));
}

void fvm_values_spill(fvm_compiler *c, fvm_state *state) {
    int unpaid_steps = state->unpaid_steps;
    fvm_values_conform(c, state, FVM_CANONICAL_STATE);
    fvm_values_begin(state, FVM_CANONICAL_STATE);
    state->unpaid_steps = unpaid_steps;
}

#endif
