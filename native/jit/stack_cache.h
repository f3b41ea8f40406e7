/* stack_cache.h: accessors of the register state, for stack_cache.c and register_states.c only. */
#ifndef FVM_STACK_CACHE_H
#define FVM_STACK_CACHE_H

#include "jit/compile.h"

static inline fvm_value *item(fvm_state *state, int index) {
    return &state->items[index + FVM_WINDOW_BASE];
}

static inline int32_t home(int index) { return 4 * index; }

static inline void clear(fvm_state *state) {
    memset(state, 0, sizeof *state);
    for (int i = 0; i < FVM_READABLE; i++)
        state->readable[i].reg = FVM_FREE_REGS;
}

static inline const fvm_value *held_in(const fvm_state *state, fvm_addr at) {
    for (int i = 0; i < FVM_HELD; i++)
        if (state->held[i].at == at && at != 0)
            return &state->held[i].value;
    return NULL;
}

static inline fvm_value value_at(const fvm_state *state, int index) {
    return index < state->low ? (fvm_value){.kind = FVM_CANONICAL}
                              : state->items[index + FVM_WINDOW_BASE];
}

static inline bool reads(const fvm_value *value, uint8_t reg) {
    return value->kind >= FVM_REG &&
           (value->reg == reg || (value->kind == FVM_FLAG && value->other == reg));
}

/* The top of the return stack as a value; FVM_CANONICAL: in its stack slot. */
static inline fvm_value index_of(const fvm_state *state) {
    if (state->index == 0)
        return (fvm_value){.kind = FVM_CANONICAL};
    return (fvm_value){.kind = state->index_n != 0 ? FVM_SUM : FVM_REG,
                       .reg = (uint8_t)(state->index - 1),
                       .n = state->index_n};
}

/* Emits code that computes a value into reg, which the value may use itself. */
void fvm_compute(fvm_compiler *c, fvm_reg reg, const fvm_value *value, int index);
void fvm_put_home(fvm_compiler *c, const fvm_value *value, int index);
void fvm_put_index(fvm_compiler *c, const fvm_state *state);

#endif
