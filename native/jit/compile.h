/* compile.h: the types and functions that the compiler's files share: the graph of instructions,
 * the register state at a point of the code, and out-of-line stubs.
 *
 * It must not know processors (assembler.h), nor when code is compiled (jit.c). */
#ifndef FVM_COMPILE_H
#define FVM_COMPILE_H

#include "jit/assembler.h"
#include "jit/jit.h"

enum {
    FVM_MAX_NODES = 1200,      /* instructions of a graph */
    FVM_MAX_CONTEXTS = 256,    /* inlined calls of a definition, plus 1 for the definition */
    FVM_MAX_INLINE_CELLS = 48, /* cells of a definition that is inlined */
    FVM_MAX_INLINE_DEPTH = 8,  /* nested inlined calls */
    FVM_MAX_ENTRIES = 200,     /* addresses of a definition at which the interpreter may enter */
    FVM_DECODED_CELLS = 512,   /* entries of the cache of decoded instructions */
    FVM_MAX_PICK = 8,          /* `n PICK` has a template for n below this number */
    FVM_CARRIED_ITEMS = 4,     /* maximal number of items in registers at a control-flow join */
    FVM_WINDOW = 40,           /* stack items that fvm_state tracks */
    FVM_WINDOW_ORIGIN = 18,    /* index of item 0 in the window */
    FVM_STUB_JUMPS = 8,        /* jumps that share an out-of-line stub */
    FVM_KNOWN_TOKENS = 4,      /* top items of which the graph knows tokens */
    FVM_EXECUTE_TABLE = 256,   /* counters of unexpected tokens */
    FVM_VARYING_TABLE = 256,   /* marks of cells that machine code must read */
    FVM_MAX_UNEXPECTED_PARTS = 1000,  /* unexpected tokens before no DOES> part is expected */
    FVM_MAX_UNEXPECTED_TOKENS = 2000, /* unexpected tokens before no token is expected, either */
    FVM_LOOP_CELLS = 3                /* return stack cells of a DO loop: LOOP_MARK, limit, index */
};

/* --- the graph (control_flow.c, stack_depths.c, return_stack.c) ------------------- */

/* The definition being compiled (context 0), or an inlined call. */
typedef struct {
    fvm_addr start;     /* body of the definition */
    fvm_addr return_to; /* address after the inlined call */
    int16_t outer;      /* the context that contains the call; -1 for context 0 */
    int16_t depth;      /* number of nested inlined calls: 0 for context 0 */
} fvm_context;

/* How an instruction is compiled. */
typedef enum {
    FVM_NODE_PLAIN,   /* works on the stacks; continues at next */
    FVM_NODE_JUMP,    /* continues at next */
    FVM_NODE_BRANCH,  /* 0BRANCH, (LOOP), (+LOOP): continues at target or at next */
    FVM_NODE_INLINE,  /* an inlined call, or the return from one: continues at next */
    FVM_NODE_CALL,    /* calls the definition whose body is at the address b */
    FVM_NODE_HELPER,  /* calls the C function of a primitive, see fvm_c_function_of */
    FVM_NODE_EXECUTE, /* calls a token that is known only at run time */
    FVM_NODE_RETURN,
    FVM_NODE_EXIT /* a side exit: the following instructions are unknown */
} fvm_node_kind;

/* The register state at the entry of a basic block.  The topmost items are in registers, all other
 * items in their canonical stack slots.  SP points to the slot of the top. */
typedef struct {
    uint8_t count; /* number of items in registers; 0: the state is not chosen yet */
    uint8_t regs[FVM_CARRIED_ITEMS]; /* the register of each of these items, from the top down */
    uint8_t uncharged_steps;         /* steps not subtracted from FUEL yet */
} fvm_entry_state;

/* An instruction in a context. */
typedef struct {
    fvm_addr at;     /* address of the instruction */
    int16_t context; /* index of its context */
    int16_t op;      /* opcode; -1: not an instruction */
    fvm_cell a;      /* first operand, as in the instruction's fvm_slot */
    fvm_cell b;      /* second operand; of a call: address of the callee's body */
    /* Tokens of definitions that the top items contain before the instruction, the top first; 0:
     * unknown.  They are expected, not proven.  control_flow.c also marks addresses of tokens. */
    fvm_addr tokens[FVM_KNOWN_TOKENS];
    /* Of EXECUTE: the expected token, whose definition is inlined or called (a: address of the body
     * that it pushes, 0: none); for another token the code takes a side exit.  0: any token. */
    fvm_addr token;
    /* Of EXECUTE, if `token` is 0: the expected DOES> part of all tokens, which is inlined or
     * called; for a word with another DOES> part, or none, the code takes a side exit.  0: any. */
    fvm_addr does_part;
    /* Of a word defined by CONSTANT, and of @ after DOES>, as in words defined by DEFER: the body
     * cell, whose value the code contains; a store to this cell discards the code.  0: the code
     * reads the cell. */
    fvm_addr settled_cell;
    bool drops_return_address; /* the callee's body is `R> DROP ;`, as that of EXIT */
    bool begins_piece;         /* of an exit: the next piece of the definition begins here */
    uint8_t kind;              /* fvm_node_kind */
    uint8_t steps; /* steps to charge; 0 for a backward jump, which is charged separately */
    bool backward; /* a backward jump */
    bool guarded;  /* the cell that it reads must have been written (game/guarded_memory.h) */
    int16_t bound; /* index in vm->guarded_bound of the check of its index; -1: none */
    bool leader;   /* the leader of a basic block */
    bool loop_head;
    fvm_entry_state entry_state; /* of a leader */
    bool entry;                  /* the interpreter may enter here */
    bool root;                   /* the depths of following nodes are relative to this node */
    bool depth_varies;           /* of a root: paths reach it with different or unknown depths */
    bool depths_known;
    bool net_known; /* of a call: net is the number of items that the callee adds */
    int16_t net;
    int16_t next;                /* index of the node after this one */
    int16_t target;              /* of a branch: index of the node at the target */
    int16_t preds;               /* number of predecessors */
    bool preserves_return_stack; /* of a call: the callee preserves the return stack */
    int16_t level;  /* return stack cells above the frame of the definition; see return_stack.c */
    int16_t region; /* index of the root to which the depths are relative */
    int16_t depth;  /* items on the parameter stack minus those at the root */
    int16_t rdepth; /* cells on the return stack minus those at the root */
    /* Items below the root that every path from here to the next roots uses. */
    int16_t min_depth;
    /* Of a root, and of a node after a branch whose paths use more items than the other path: the
     * number of items below the root that the code checks here; 0: no check. */
    int16_t checked_depth;
    /* Of a root, for the code up to the next roots: maximal growth of the parameter stack, minimal
     * depth and maximal growth of the return stack. */
    int16_t max_growth, rmin_depth, rmax_growth;
    const uint8_t *code;    /* NULL: not compiled yet */
    int32_t fuel_exit_stub; /* index plus 1 of the stub that exits at this node when the fuel is
                               used up; 0: none */
} fvm_node;

/* A decoded instruction, before it becomes a node. */
typedef struct {
    fvm_addr at;
    uint32_t length; /* in bytes, with inline operands */
    fvm_cell a;
    fvm_cell b;
    int16_t op;
} fvm_decoded;

typedef struct {
    fvm *vm;
    fvm_decoded decoded[FVM_DECODED_CELLS]; /* a hash table by address */
    fvm_context contexts[FVM_MAX_CONTEXTS];
    int context_count;
    /* Of each EXECUTE, by address (see fvm_unexpected_tokens): how often it had another token than
     * machine code expected. */
    uint16_t unexpected_tokens[FVM_EXECUTE_TABLE];
    /* Of each cell, by address (see fvm_varies): a store has discarded code with its value. */
    bool varying[FVM_VARYING_TABLE];
    bool net_known; /* net is the number of items that a call of the definition adds */
    int16_t net;
    bool levels_known;           /* the level of the return stack is known at every node */
    bool preserves_return_stack; /* the definition changes no cell below its frame */
    fvm_node nodes[FVM_MAX_NODES];
    int count; /* number of nodes */
} fvm_graph;

/* Returns the counter of the EXECUTE at an address; it may share the counter with others. */
static inline uint16_t *fvm_unexpected_tokens(fvm_graph *graph, fvm_addr at) {
    return &graph->unexpected_tokens[at / 4 % FVM_EXECUTE_TABLE];
}

/* Returns the mark of a cell whose value changes; it may share the mark with others. */
static inline bool *fvm_varies(fvm_graph *graph, fvm_addr at) {
    return &graph->varying[at / 4 % FVM_VARYING_TABLE];
}

/* Returns the DOES> part of the token that the interpreter executed last at an EXECUTE; 0: the
 * token is unknown, or has no DOES> part.  Arguments are often directions, which share their DOES>
 * part.
 */
fvm_addr fvm_last_does_part(const fvm *vm, fvm_addr at);

/* Builds the graph of all instructions that can be reached from the address `root`, the start of
 * the code to compile; false: nothing to compile. */
bool fvm_graph_build(fvm_graph *graph, fvm *vm, fvm_addr root);
/* Adds predecessors, depths and levels; false: the definition cannot be compiled. */
bool fvm_graph_analyze(fvm_graph *graph);
/* Empties the cache of decoded instructions: code may have changed. */
void fvm_graph_clear_decoded(fvm_graph *graph);
/* stack_depths.c: computes depths; false: a depth is too large. */
bool fvm_graph_analyze_depths(fvm_graph *graph);
/* return_stack.c: computes levels. */
void fvm_graph_analyze_return_stack(fvm_graph *graph);
/* The number of return stack cells that an instruction requires, and the number that it adds. */
void fvm_return_effect(const fvm_node *node, int *required, int *added);
/* The number of items that an instruction pops and pushes. */
void fvm_node_effect(const fvm_node *node, int *popped, int *pushed);

/* --- the register state (stack_cache.c, register_states.c) ------------------------ */

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

/* Out-of-line stubs are emitted after the main path. */
typedef enum {
    FVM_STUB_SIDE_EXIT, /* spills all items; the interpreter continues at `at` */
    FVM_STUB_JOIN       /* establishes the register state of a leader and jumps there */
} fvm_stub_kind;

typedef struct {
    uint8_t kind;    /* fvm_stub_kind */
    int16_t context; /* of a side exit: its context */
    int16_t node;    /* of a join: index of the leader */
    int16_t count;   /* number of jumps */
    fvm_addr at;
    uint8_t *jumps[FVM_STUB_JUMPS]; /* the jumps that lead to the stub */
    fvm_state state;                /* register state at the jumps */
} fvm_stub;

typedef struct {
    fvm *vm;
    fvm_asm as;
    const fvm_runtime *runtime;
    fvm_graph *graph;
    fvm_state state;
    fvm_state state_before; /* state before the current instruction; side exits spill it */
    int node;               /* index of the current instruction */
    fvm_stub *stubs;
    int stub_count;
    int stub_capacity;
    int side_exit; /* index of the side-exit stub for this instruction; -1: not created yet */
    bool failed;   /* memory allocation failed, or the code is too large */
    const uint8_t *exits[FVM_MAX_CONTEXTS]; /* by context: code that exits to the interpreter at
                                               the address in S0; NULL: none yet */
    uint32_t constant_store_end; /* the code stores to constant addresses only below it */
    uint32_t assumed_size;       /* minimal size of the image that the code assumes; 0: none */
    int32_t cell_marks;          /* offset of vm->cells from MEM */
    int32_t page_marks;          /* offset of vm->dirty from MEM */
    struct {
        fvm_addr at;
        const uint8_t *code;
    } entries[FVM_MAX_ENTRIES]; /* addresses at which the interpreter enters the code */
    int entry_count;
} fvm_compiler;

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

/* --- instructions (templates.c, template_flags.c) --------------------------------- */

void fvm_emit_template(fvm_compiler *c, const fvm_node *node);
bool fvm_jit_has_template(int op);
/* Returns an upper bound of the number of registers that the template allocates. */
int fvm_template_registers(const fvm_state *state, const fvm_node *node);

/* --- side exits (side_exits.c) ---------------------------------------------------- */

/* Emits a jump to the side-exit stub for the current instruction. */
void fvm_side_exit_if(fvm_compiler *c, fvm_cond cond);
/* Adds an empty stub; NULL: out of memory.  The pointer is valid until the next call. */
fvm_stub *fvm_add_stub(fvm_compiler *c);
/* Emits the beginning of an exit to the interpreter at an address, which S0 then contains: charges
 * the uncharged steps and spills all items. */
void fvm_prepare_exit(fvm_compiler *c, fvm_state *state, fvm_addr at);
/* Emits a side exit: code that spills all items and enters the interpreter at an address. */
void fvm_emit_side_exit(fvm_compiler *c, fvm_state *state, int context, fvm_addr at);
/* Sets the current instruction, which side exits repeat. */
void fvm_begin_instruction(fvm_compiler *c, int index);
/* Emit checks that a stack contains `depth` items, or has space for `growth` more; 0: no check. */
void fvm_check_depth(fvm_compiler *c, int depth);
void fvm_check_growth(fvm_compiler *c, int growth);
void fvm_check_return_stack(fvm_compiler *c, int depth, int growth);
/* Emits code that subtracts the uncharged steps and `steps`, those of the current instruction, from
 * FUEL.  It must precede all effects of the instruction. */
void fvm_charge_steps(fvm_compiler *c, int steps);
/* Emits a jump to the stub that exits to the interpreter at a leader because the fuel is used up.
 * The register state is the entry state of the leader. */
void fvm_fuel_exit_if(fvm_compiler *c, fvm_node *leader, fvm_cond cond);

/* --- code generation (compile.c) -------------------------------------------------- */

/* Compiles the graph that begins at root; false: not possible. */
bool fvm_compile(fvm_compiler *c, fvm_addr root);

/* --- calls (calls.c) -------------------------------------------------------------- */

/* Emits code that pushes the return addresses of the inlined calls that contain the current
 * instruction, then return_to, the return address of a call (0: no call). */
void fvm_emit_push_returns(fvm_compiler *c, int context, fvm_addr return_to);
/* Pops the token of EXECUTE, if the call is one of an expected token.  If the callee is code after
 * DOES>, pushes the address of the body of the called word. */
void fvm_emit_call_argument(fvm_compiler *c, const fvm_node *node);
void fvm_emit_definition_call(fvm_compiler *c, const fvm_node *node);
void fvm_emit_token_call(fvm_compiler *c, const fvm_node *node);
void fvm_emit_function_call(fvm_compiler *c, const fvm_node *node);
/* For a definition that is code after DOES>: emits the code that token calls enter.  It pushes the
 * address of the body of the called word and continues at c->entries[0]. */
const uint8_t *fvm_emit_does_entry(fvm_compiler *c);
/* Emits the code that calls of a variable's token enter: it pushes the address of the body. */
const uint8_t *fvm_emit_variable_entry(fvm_asm *as, const fvm_runtime *runtime);

/* --- runtime helpers (runtime_helpers.c) ------------------------------------------ */

/* The properties of a primitive, from primitives.def. */
typedef struct {
    int8_t popped;
    int8_t pushed;
    int8_t rpopped; /* from the return stack */
    int8_t rpushed;
    int8_t registers; /* allocated by its template; -1: computed in template_flags.c */
    bool rchanges;    /* it changes or removes the `rpopped` cells; false: it only reads them */
    bool exact;       /* `popped` and `pushed` are its only effects on the parameter stack */
    fvm_word_function function; /* the runtime helper; NULL: none, see fvm_c_function_of */
} fvm_jit_primitive;
extern const fvm_jit_primitive fvm_jit_primitives[]; /* by opcode */
/* Returns the C function of a primitive; NULL: only the interpreter implements it. */
static inline fvm_word_function fvm_c_function_of(const fvm *vm, int op) {
    return vm->words[op] != NULL ? vm->words[op] : fvm_jit_primitives[op].function;
}
/* Runs the host word whose body is at vm->jit.inline_operand. */
fvm_status fvm_run_host_operand(fvm *vm);

/* --- compiled definitions (units.c) ----------------------------------------------- */

/* The properties of compiled code that callers use. */
typedef struct {
    const uint8_t *code;         /* NULL: not compiled */
    bool preserves_return_stack; /* it changes no cell of the return stack below its frame */
    bool net_known;
    int16_t net; /* number of items that a call adds */
} fvm_callee_info;

/* Returns the address to call for the definition at addr. */
const uint8_t *fvm_jit_call_target(fvm_compiler *c, fvm_addr addr);
const fvm_callee_info *fvm_jit_callee_info(const fvm *vm, fvm_addr addr); /* NULL: not compiled */

#endif
