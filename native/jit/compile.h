/* compile.h: the types and functions that the compiler's files share: the graph of instructions,
 * the register state while compiling, and the out-of-line stubs.
 *
 * It must not know processors (assembler.h), nor when code is compiled (jit.c). */
#ifndef FVM_COMPILE_H
#define FVM_COMPILE_H

#include "jit/assembler.h"
#include "jit/jit.h"

enum {
    FVM_MAX_NODES = 1200,
    FVM_MAX_CONTEXTS = 96,
    FVM_MAX_INLINE = 48, /* cells of a definition that is inlined */
    FVM_MAX_INLINE_DEPTH = 8,
    FVM_MAX_ENTRIES = 200,
    FVM_DECODED = 512, /* entries of the cache of decoded instructions */
    FVM_MOST_PICKED = 8,
    FVM_CARRIED = 4,      /* items in registers at a control-flow join */
    FVM_WINDOW = 40,      /* stack items that are tracked */
    FVM_WINDOW_BASE = 18, /* index of item 0 in the window */
    FVM_READABLE = 8,     /* addresses known to be readable */
    FVM_STUB_JUMPS = 8,
    FVM_CARRIED_CELLS = 2,
    FVM_HELD = 4, /* entries of the memory value cache */
    FVM_NOTED = 2 /* pages known to be marked as written */
};

/* --- the graph (control_flow.c, stack_depths.c, return_stack.c) ------------------- */

/* An inlined call: where it returns to, in which context. */
typedef struct {
    fvm_addr start;
    fvm_addr back;
    fvm_addr body; /* of the word whose DOES> part it is; 0: no DOES> part */
    int16_t outer; /* context 0 has none */
    int16_t depth;
} fvm_context;

/* How an instruction is compiled. */
typedef enum {
    FVM_NODE_PLAIN,  /* works on the stacks; continues at next */
    FVM_NODE_JUMP,   /* continues at next */
    FVM_NODE_BRANCH, /* 0BRANCH, (LOOP), (+LOOP): continues at target or at next */
    FVM_NODE_INLINE, /* an inlined call, or the return from one: continues at next */
    FVM_NODE_CALL,   /* of the definition at a */
    FVM_NODE_C,      /* of a function in C */
    FVM_NODE_EXECUTE,
    FVM_NODE_RETURN,
    FVM_NODE_LEAVE /* to the interpreter: the following instructions are unknown */
} fvm_node_kind;

/* The register state at a control-flow join: how many items from the top are in which registers;
 * all others are in their canonical stack slots. vm->sp points to the slot of the top. */
typedef struct {
    uint8_t count; /* 0: not decided yet */
    uint8_t regs[FVM_CARRIED];
    uint8_t index;        /* register of the return stack's top, plus 1; 0: in its stack slot */
    uint8_t unpaid_steps; /* steps not subtracted from FUEL yet */
    bool limited;         /* the return stack's second cell, a loop's limit, is `limit` */
    fvm_cell limit;
    struct {
        fvm_addr at; /* 0: none */
        uint8_t reg;
    } held[FVM_CARRIED_CELLS]; /* loop-carried values: the contents of cells, in registers */
} fvm_register_state;

typedef struct {
    fvm_addr at;
    int16_t context;
    int16_t op;
    fvm_cell a;
    fvm_cell b;
    bool dropping; /* a call of a definition like EXIT, which drops its return address */
    uint8_t kind;  /* fvm_node_kind */
    uint8_t steps; /* that it makes; 0 for a backward jump, which is counted separately */
    bool back;     /* a backward jump */
    bool leader;   /* the leader of a basic block */
    bool head;     /* the head of a loop */
    uint8_t carry; /* of a head: number of items, from the top down, that the loop uses */
    bool counts;   /* of a head: the loop ends with LOOP or +LOOP */
    bool calls;    /* of a head: the loop contains a call, which spills all registers */
    bool alone;    /* the only store to a computed address in a loop without calls */
    bool shifts;   /* of a head: the loop also pushes or pops return stack cells */
    fvm_register_state shape; /* of a leader: the register state there */
    bool entry;               /* the interpreter may enter here */
    bool root;                /* depths are relative to this node */
    bool uneven;              /* of a root: reached with several or unknown depths */
    bool known;               /* its depths are known */
    bool folds;               /* @ or a constant: the code assumes the cell's present value */
    bool net_known;           /* of a call: net is the number of items that the callee adds */
    int16_t net;
    int16_t next;
    int16_t target;
    int16_t preds;
    bool preserves_return_stack; /* of a call: what the callee does */
    bool checked;                /* the caller makes the callee's stack checks */
    int16_t level;  /* return stack cells relative to the beginning; see return_stack.c */
    int16_t region; /* its root */
    int16_t depth;  /* items relative to the root */
    int16_t rdepth;
    /* of a root: cells required, and room required, on both stacks */
    int16_t needs, room, rneeds, rroom;
    const uint8_t *code; /* NULL: not compiled yet */
    int32_t unpaid;      /* index plus 1 of the stub for running out of fuel on the way here */
} fvm_node;

typedef struct {
    fvm_addr at;
    uint32_t length;
    fvm_cell a;
    fvm_cell b;
    int16_t op;
} fvm_decoded;

typedef struct {
    fvm *vm;
    fvm_decoded decoded[FVM_DECODED]; /* by their addresses */
    fvm_context contexts[FVM_MAX_CONTEXTS];
    int context_count;
    bool net_known; /* of the whole definition, as in fvm_node */
    int16_t net;
    bool levels_known;           /* the level of the return stack is known at every node */
    bool preserves_return_stack; /* below the frame of the definition */
    fvm_node nodes[FVM_MAX_NODES];
    int count;
} fvm_graph;

/* Builds the graph of all instructions reached from root; false: nothing to compile. */
bool fvm_graph_trace(fvm_graph *graph, fvm *vm, fvm_addr root);
bool fvm_graph_finish(fvm_graph *graph); /* adds depths and levels; false: not possible */
void fvm_graph_forget(fvm_graph *graph); /* drops decoded instructions: code may have changed */
bool fvm_graph_depths(fvm_graph *graph); /* stack_depths.c; false: depths exceed all bounds */
void fvm_graph_frames(fvm_graph *graph); /* return_stack.c */
/* Return stack cells that an instruction requires, and the number that it adds. */
void fvm_return_effect(const fvm_node *node, int *needed, int *added);
/* Items that a node pops and pushes. */
void fvm_node_effect(const fvm_node *node, int *taken, int *left);

/* --- values on the stack (stack_cache.c) ------------------------------------------ */

typedef enum {
    FVM_CANONICAL, /* in its canonical stack slot */
    FVM_CONST,     /* n */
    FVM_REG,       /* reg */
    FVM_SUM,       /* reg + n */
    FVM_FLAG       /* -1 where cond holds of reg and other (NONE: n), else 0 */
} fvm_value_kind;

typedef struct {
    uint8_t kind;
    bool clean; /* its stack slot holds it as well */
    uint8_t reg;
    uint8_t other;
    uint8_t cond;
    fvm_cell n;
} fvm_value;

/* Item 0 is the one that vm->sp points to; items below `low` are in their slots. */
typedef struct {
    int low;
    int top;
    int unpaid_steps; /* steps not subtracted from FUEL yet; < 0: subtracted in advance */
    fvm_value items[FVM_WINDOW];
    uint8_t uses[FVM_FREE_REGS];
    /* The top of the return stack, for example the index of a loop. */
    uint8_t index;    /* its register, plus 1; 0: in its stack slot only */
    bool index_dirty; /* its stack slot is out of date */
    fvm_cell index_n; /* to be added to the register */
    bool limited;     /* the cell below it is known to be `limit` */
    fvm_cell limit;
    /* Addresses reg + n known to be readable. */
    struct {
        uint8_t reg; /* FVM_FREE_REGS: unused entry */
        fvm_cell n;
    } readable[FVM_READABLE];
    uint8_t readable_next;
    /* The memory value cache: a cell's content is a constant, or is in a register until another
     * value needs that register (not counted in uses). */
    struct {
        fvm_addr at; /* 0: none */
        fvm_value value;
    } held[FVM_HELD];
    uint8_t held_next;
    uint32_t noted[FVM_NOTED]; /* pages, plus 1 */
    uint8_t noted_next;
} fvm_state;

/* Out-of-line stubs are emitted after the main path. */
typedef enum {
    FVM_STUB_SIDE_EXIT, /* spills everything; the interpreter continues at `at` */
    FVM_STUB_JOIN,      /* spills everything; continues at node */
    FVM_STUB_BARRIER    /* marks a page; continues after the jump */
} fvm_stub_kind;

typedef struct {
    uint8_t kind;
    int16_t context;
    int16_t node;
    int16_t count;
    fvm_addr at;
    uint8_t *jumps[FVM_STUB_JUMPS];
    const uint8_t *back; /* of FVM_STUB_BARRIER */
    fvm_state state;
} fvm_stub;

typedef struct {
    fvm *vm;
    fvm_asm as;
    const fvm_runtime *runtime;
    fvm_graph *graph;
    fvm_state state;
    fvm_state before; /* of the current instruction */
    int node;
    fvm_stub *stubs; /* grows */
    int stub_count;
    int stub_room;
    int resume;  /* index of the side-exit stub for this instruction, -1 none yet */
    bool failed; /* out of memory or room, or too large */
    const uint8_t *exits[FVM_MAX_CONTEXTS]; /* by context: exit to the interpreter at S0 */
    uint32_t top;                           /* code stores at fixed addresses below it */
    uint32_t size;    /* assumed minimal size of the image; 0: no assumption */
    int32_t cells_at; /* offsets from MEM of the marks of cells and pages */
    int32_t dirty_at;
    struct {
        fvm_addr at;
        const uint8_t *code;
    } entries[FVM_MAX_ENTRIES];
    int entry_count;
    const uint8_t *with_items; /* entry for callers that have checked the items but not the room */
    const uint8_t *checked;    /* entry for callers that have checked both */
} fvm_compiler;

/* The state between definitions and where the interpreter enters: the top in TOS. */
#define FVM_CANONICAL_STATE ((fvm_register_state){.count = 1, .regs = {TOS}})
void fvm_values_start(fvm_compiler *c); /* everything is in its stack slot */
void fvm_values_begin(fvm_state *state, fvm_register_state shape);
/* The register state for a leader reached for the first time, with `carry` items (0: those in
 * registers). */
fvm_register_state fvm_values_register_state(const fvm_state *state, int carry);
/* Adds the top of the return stack in a register, for a loop with an index. */
void fvm_values_count(const fvm_state *state, fvm_register_state *shape);
/* Adds the content of a cell, if a register is free. */
void fvm_values_carry(const fvm_state *state, fvm_register_state *shape, int held);
void fvm_values_conform(fvm_compiler *c, const fvm_state *state,
                        fvm_register_state shape);                     /* code */
bool fvm_values_fit(const fvm_state *state, fvm_register_state shape); /* no code is needed */
void fvm_values_room(fvm_compiler *c,
                     int regs); /* provides registers and window for one instruction */
const fvm_value *fvm_values_top(const fvm_state *state); /* NULL: in its stack slot */
bool fvm_values_unregistered(const fvm_state *state,
                             int below);                  /* neither in a register nor constant */
void fvm_values_spill(fvm_compiler *c, fvm_state *state); /* emits code that spills everything */
fvm_value fvm_take(fvm_compiler *c);                      /* the top; its registers stay in use */
fvm_value fvm_take_reg(fvm_compiler *c);                  /* the same as FVM_REG or FVM_CONST */
fvm_value fvm_in_reg(fvm_compiler *c, fvm_value value);   /* as FVM_REG */
void fvm_release_value(fvm_compiler *c, fvm_value value);
fvm_reg fvm_free_reg(fvm_compiler *c); /* counted as used once */
/* A register for a result when no side exit can follow: the operand's if it was released, else a
 * free one. */
fvm_reg fvm_result_reg(fvm_compiler *c, fvm_value near);
void fvm_give(fvm_compiler *c, fvm_value value); /* takes over its registers */
void fvm_give_reg(fvm_compiler *c, fvm_reg reg); /* of fvm_free_reg */
void fvm_give_const(fvm_compiler *c, fvm_cell n);
void fvm_drop_top(fvm_compiler *c);
fvm_value fvm_copy_of(fvm_compiler *c, int below);        /* of an item, 0 the top */
bool fvm_is_readable(const fvm_compiler *c, fvm_value a); /* a register, or a sum */
void fvm_set_readable(fvm_compiler *c, fvm_value a);
const fvm_value *fvm_held(const fvm_compiler *c, fvm_addr at); /* NULL: not known */
void fvm_hold(fvm_compiler *c, fvm_addr at, fvm_value value);  /* a register or a constant */
void fvm_stored(fvm_compiler *c, fvm_addr from,
                fvm_addr to);                     /* forgets what was known of these cells */
bool fvm_note_page(fvm_compiler *c, fvm_addr at); /* false: already known */
fvm_cond fvm_test_flag(fvm_compiler *c,
                       fvm_value value); /* emits a comparison; the condition means not 0 */
fvm_reg fvm_index_reg(fvm_compiler *c);  /* of the top of the return stack; read-only */
fvm_reg fvm_index_add(fvm_compiler *c, fvm_cell n); /* adds n; the stack slot gets out of date */
void fvm_index_set(fvm_compiler *c,
                   fvm_reg reg);       /* from fvm_free_reg; the stack slot gets out of date */
void fvm_index_spill(fvm_compiler *c); /* spills it, before another cell becomes the top */
void fvm_index_drop(fvm_compiler *c);  /* drops it without a spill */

/* --- instructions (templates.c), calls (calls.c) and the whole (compile.c) -------- */

void fvm_emit_template(fvm_compiler *c, const fvm_node *node);
bool fvm_jit_has_template(int op);                                        /* without a C function */
int fvm_template_registers(const fvm_state *state, const fvm_node *node); /* it may need */
/* The side-exit stub with the register state before this instruction. */
int fvm_resume(fvm_compiler *c);
void fvm_on(fvm_compiler *c, fvm_cond cond); /* emits a side exit on a condition */
void fvm_mark_page(fvm_compiler *c);         /* of the cell found last */
fvm_stub *fvm_add_stub(fvm_compiler *c);     /* NULL: failed; valid until the next call */

void fvm_begin_node(fvm_compiler *c, int index); /* side exits go to that node from here on */
/* Subtracts the unpaid steps and those of the current instruction, before it has any effect. */
void fvm_pay(fvm_compiler *c, int steps);

/* calls.c */
/* Pushes the return addresses of the inlined calls around, and that of a call (0: no call). */
void fvm_push_returns(fvm_compiler *c, int context, fvm_addr back);
/* Pushes the body for a DOES> part, or drops a token whose value is known. */
void fvm_before_call(fvm_compiler *c, const fvm_node *node);
void fvm_call_native(fvm_compiler *c, const fvm_node *node);
void fvm_call_token(fvm_compiler *c, const fvm_node *node);
void fvm_call_function(fvm_compiler *c, const fvm_node *node);
/* The entry for tokens of words made by DOES>, whose part begins at c->entries[0]. */
const uint8_t *fvm_compile_does(fvm_compiler *c);

/* A primitive as machine code sees it (runtime_helpers.c). */
typedef struct {
    int8_t taken;
    int8_t left;
    bool exact;                 /* it has no other effect on the stacks */
    fvm_word_function function; /* NULL: in vm->words, or only in the interpreter */
} fvm_helper;
extern const fvm_helper fvm_helpers[];
/* The C function of a primitive; NULL: only the interpreter implements it. */
static inline fvm_word_function fvm_helper_of(const fvm *vm, int op) {
    return vm->words[op] != NULL ? vm->words[op] : fvm_helpers[op].function;
}
fvm_status fvm_compile_inline_operand(fvm *vm); /* COMPILE, of vm->jit.inline_operand */

/* Compiles the graph that begins at root; false: not possible. */
bool fvm_compile(fvm_compiler *c, fvm_addr root);

/* What callers know of the code of a definition. */
typedef struct {
    const uint8_t *code;    /* NULL: not compiled */
    const uint8_t *checked; /* entry after the stack checks; NULL: not usable */
    int16_t needs, room, rneeds, rroom;
    bool preserves_return_stack; /* below its frame */
    bool net_known;
    int16_t net; /* items that a call adds */
} fvm_known;

/* jit.c: the target of a call of the definition at addr; preserves_return_stack: the caller assumes
 * it */
const uint8_t *fvm_jit_callee(fvm_compiler *c, fvm_addr addr, bool preserves_return_stack);
const fvm_known *fvm_jit_known(const fvm *vm, fvm_addr addr); /* NULL: not compiled */
bool fvm_jit_preserves_return_stack(const fvm *vm,
                                    fvm_addr addr); /* or unknown: then it may be assumed */
/* Code will store to this cell without a write barrier: when the cell gets a mark, all machine code
 * is discarded. false: too many such cells. */
bool fvm_jit_watch(fvm *vm, fvm_addr addr);
bool fvm_jit_changes(const fvm *vm, fvm_addr addr); /* its changes have discarded machine code */

#endif
