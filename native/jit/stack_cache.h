/* stack_cache.h: accessors of the register state, for stack_cache.c and register_states.c only.
 *
 * Items are counted as in fvm_state: SP points to the slot of item 0. */
#ifndef FVM_STACK_CACHE_H
#define FVM_STACK_CACHE_H

#include "jit/compile.h"

static inline fvm_value *item(fvm_state *state, int index) {
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

/* Emits code that computes the value of an item into reg.  The value may depend on reg. */
void fvm_compute_into(fvm_compiler *c, fvm_reg reg, const fvm_value *value, int index);
/* Emits code that stores an item to its canonical stack slot. */
void fvm_store_to_slot(fvm_compiler *c, const fvm_value *value, int index);

#endif
