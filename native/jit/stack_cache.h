/* stack_cache.h: the register state at a point of the code: where each stack item is. */
#ifndef FVM_STACK_CACHE_H
#define FVM_STACK_CACHE_H

#include "jit/assembler.h"
#include "jit/graph.h"

enum {
    FVM_WINDOW = 40,       /* stack items that fvm_state tracks */
    FVM_WINDOW_ORIGIN = 18 /* index of item 0 in the window */
};
typedef struct fvm_compiler fvm_compiler; /* compile.h */

typedef enum {
    FVM_CANONICAL, /* in its canonical stack slot */
    FVM_CONST,     /* n */
    FVM_REG,       /* reg */
    FVM_SUM,       /* reg + n */
    FVM_INDEXED,   /* 4 * reg + other (NONE: 0) + n: the address of a cell of an array or board */
    FVM_FLAG /* the result of comparing reg with other (NONE: with n): -1 if cond holds, else 0 */
} fvm_value_kind;

/* The value of a stack item.  Its kind decides which other fields have a meaning. */
typedef struct {
    uint8_t kind;  /* fvm_value_kind */
    uint8_t reg;   /* fvm_reg */
    uint8_t other; /* fvm_reg */
    uint8_t cond;  /* fvm_cond */
    fvm_cell n;
} fvm_value;

/* The address that an item of kind FVM_REG, FVM_SUM or FVM_INDEXED contains. */
static inline fvm_address fvm_address_of(fvm_value value) {
    if (value.kind == FVM_INDEXED)
        return (fvm_address){.base = value.other, .index = value.reg, .offset = value.n};
    return fvm_register_plus(value.reg, value.kind == FVM_REG ? 0 : value.n);
}

/* The register state at the current point of the code.  The register SP points to the slot of item
 * 0; items above have positive indices. */
typedef struct {
    int low;             /* all items below this index are in their canonical stack slots */
    int top;             /* index of the top of the stack */
    int uncharged_steps; /* steps not subtracted from FUEL yet; < 0: subtracted in advance */
    fvm_value items[FVM_WINDOW];
    uint8_t uses[FVM_ALLOCATABLE_REGS]; /* how many items use a register */
} fvm_state;

/* The register state at calls, at returns and where the interpreter enters: only the top item is in
 * a register, TOS. */
#define FVM_CANONICAL_STATE ((fvm_entry_state){.count = 1, .regs = {TOS}})
void fvm_set_canonical_state(fvm_compiler *c);
void fvm_set_entry_state(fvm_state *state, fvm_entry_state entry_state);
/* Returns the register state for a leader that is reached for the first time: the top items that
 * are not in their slots are in registers, at least one and at most FVM_CARRIED_ITEMS. */
fvm_entry_state fvm_choose_entry_state(const fvm_state *state);
/* Emits code that establishes a register state. */
void fvm_conform_to_entry_state(fvm_compiler *c, const fvm_state *state,
                                fvm_entry_state entry_state);
/* Returns whether no code is needed to establish a register state. */
bool fvm_matches_entry_state(const fvm_state *state, fvm_entry_state entry_state);
/* Spills items until one instruction can use `regs` registers and the window has space. */
void fvm_reserve_registers(fvm_compiler *c, int regs);
/* Returns whether an item must be loaded before use: it is neither a constant nor in a register.
 * below: how far below the top the item is; 0 is the top. */
bool fvm_needs_load(const fvm_state *state, int below);
/* Emits code that establishes the canonical state. */
void fvm_spill_all(fvm_compiler *c, fvm_state *state);
/* Removes the top item and returns its value.  The registers of the value are in use until
 * fvm_release_value. */
fvm_value fvm_pop_value(fvm_compiler *c);
fvm_value fvm_pop_reg_or_const(fvm_compiler *c);        /* as FVM_REG or FVM_CONST */
fvm_value fvm_to_reg(fvm_compiler *c, fvm_value value); /* converts a value to FVM_REG */
void fvm_release_value(fvm_compiler *c, fvm_value value);
fvm_reg fvm_alloc_reg(fvm_compiler *c); /* its use count becomes 1 */
/* Allocates a register for a result.  If the caller has released the operand and no item uses its
 * register, this is the register of the operand, otherwise another.  No side exit of the current
 * instruction may follow: it would need the operand again. */
fvm_reg fvm_alloc_result_reg(fvm_compiler *c, fvm_value operand);
/* Push an item.  The item takes over the uses of registers that were counted for the value (see
 * fvm_state), so the caller must not release the value. */
void fvm_push_value(fvm_compiler *c, fvm_value value);
void fvm_push_reg(fvm_compiler *c, fvm_reg reg); /* reg: from fvm_alloc_reg */
void fvm_push_const(fvm_compiler *c, fvm_cell n);
void fvm_drop_value(fvm_compiler *c);
/* Returns a second value equal to an item.  below: how far below the top the item is; 0 is the
 * top. */
fvm_value fvm_copy_item(fvm_compiler *c, int below);
bool fvm_is_top_const(const fvm_state *state, fvm_cell n); /* whether the top is the constant n */
/* Returns whether the top is a constant or a comparison that is not computed yet. */
bool fvm_is_known_flag(const fvm_state *state);
/* Replaces all items that are equal to `value` by the constant 0. */
void fvm_replace_by_zero(fvm_state *state, fvm_value value);
/* Emits a comparison; the returned condition holds if the value is not 0.  value: not a constant,
 * nor in its stack slot. */
fvm_cond fvm_test_flag(fvm_compiler *c, fvm_value value);

#endif
