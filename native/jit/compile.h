/* compile.h: what the compiler's files share: the graph of instructions that is compiled,
 * the parameter stack as it is known while compiling, and the out-of-line stubs.
 *
 * It must not know processors (assembler.h) nor when code is made (jit.c). */
#ifndef FVM_COMPILE_H
#define FVM_COMPILE_H

#include "jit/assembler.h"
#include "jit/jit.h"

enum {
    FVM_MAX_NODES = 1200,
    FVM_MAX_CONTEXTS = 96,
    FVM_MAX_INLINE = 48, /* cells of a definition that is compiled in place */
    FVM_MAX_INLINE_DEPTH = 8,
    FVM_MAX_ENTRIES = 200,
    FVM_DECODED = 512, /* instructions kept decoded while words are compiled */
    FVM_MOST_PICKED = 8,
    FVM_CARRIED = 4,      /* items that stay in registers where code meets */
    FVM_WINDOW = 40,      /* items of the stack that are followed */
    FVM_WINDOW_BASE = 18, /* place of item 0 */
    FVM_READABLE = 8,     /* addresses known to be good */
    FVM_STUB_JUMPS = 8,
    FVM_CARRIED_CELLS = 2,
    FVM_HELD = 4, /* cells whose values are known */
    FVM_NOTED = 2 /* pages whose marks are known to be set */
};

/* --- the graph (control_flow.c, stack_depths.c, return_stack.c) ------------------- */

/* A definition compiled in place: where it goes on, in which context. */
typedef struct {
    fvm_addr start;
    fvm_addr back;
    fvm_addr body; /* of the word whose DOES> part it is, 0: of none */
    int16_t outer; /* context 0 has none */
    int16_t depth;
} fvm_context;

/* What an instruction is beside its opcode. */
typedef enum {
    FVM_NODE_PLAIN,  /* works on the stacks; goes on at next */
    FVM_NODE_JUMP,   /* goes on at next */
    FVM_NODE_BRANCH, /* 0BRANCH, (LOOP), (+LOOP): at target, or at next */
    FVM_NODE_INLINE, /* a call compiled in place, or a return from one: at next */
    FVM_NODE_CALL,   /* of the definition at a */
    FVM_NODE_C,      /* of a function in C */
    FVM_NODE_EXECUTE,
    FVM_NODE_RETURN,
    FVM_NODE_LEAVE /* to the interpreter: nothing is known of what follows */
} fvm_node_kind;

/* The register state at a control-flow join: how many items from the top are in registers, and in
 * which; all others are in their canonical stack slots.  vm->sp points to the place of the top. */
typedef struct {
    uint8_t count; /* 0: not decided yet */
    uint8_t regs[FVM_CARRIED];
    uint8_t index;        /* register of the return stack's top, plus 1; 0: in its stack slot */
    uint8_t unpaid_steps; /* steps made and not paid */
    bool limited;         /* the return stack's second cell, a loop's limit, is ... */
    fvm_cell limit;
    struct {
        fvm_addr at; /* 0: none */
        uint8_t reg;
    } held[FVM_CARRIED_CELLS]; /* what cells hold is in registers */
} fvm_register_state;

typedef struct {
    fvm_addr at;
    int16_t context;
    int16_t op;
    fvm_cell a;
    fvm_cell b;
    uint8_t kind;  /* fvm_node_kind */
    uint8_t steps; /* that it makes; of a jump back: 0, they are counted apart */
    bool back;     /* its target lies behind */
    bool leader;   /* code of different origin meets here */
    bool head;     /* of a loop */
    uint8_t carry; /* ... which uses so many items from there down */
    bool counts;   /* ... and ends with LOOP or +LOOP */
    bool calls;    /* ... and calls something: registers do not live as long */
    bool alone;    /* the only store to an address at run time of a loop that calls nothing */
    bool shifts;   /* ... and does more to the return stack than to count */
    fvm_register_state shape; /* of a leader */
    bool entry;               /* the interpreter may come in */
    bool root;                /* stack depths are counted from here */
    bool uneven;              /* ... and paths lead here that have other depths, or unknown ones */
    bool known;               /* its depths are */
    bool folds;               /* @, or a constant: what memory holds now is taken for granted */
    bool net_known;           /* of what is called: how many items it adds */
    int16_t net;
    int16_t next;
    int16_t target;
    int16_t preds;
    bool preserves_return_stack; /* of a call: the callee leaves the return stack below its frame
                                    alone */
    bool checked;   /* ... and its checks are made: of its own calls, that of items only */
    int16_t level;  /* cells on the return stack beside those at the beginning; < 0: not known */
    int16_t region; /* its root */
    int16_t depth;  /* items on the stacks beside those of the root */
    int16_t rdepth;
    /* of a root: what must be there, and how much room is needed, in cells */
    int16_t needs, room, rneeds, rroom;
    const uint8_t *code; /* when it is there */
    int32_t unpaid;      /* index of its stub, plus 1, where there is no fuel on the way here */
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
    bool net_known; /* of the whole, as of what is called */
    int16_t net;
    bool levels_known;           /* how high the return stack stands is known everywhere */
    bool preserves_return_stack; /* ... and what lies below its own frame is left alone */
    fvm_node nodes[FVM_MAX_NODES];
    int count;
} fvm_graph;

/* All that is reached from root; false: nothing to compile. */
bool fvm_graph_trace(fvm_graph *graph, fvm *vm, fvm_addr root);
bool fvm_graph_finish(fvm_graph *graph); /* with depths and levels; false: it cannot be */
void fvm_graph_forget(fvm_graph *graph); /* code may be another by now */
bool fvm_graph_depths(fvm_graph *graph); /* stack_depths.c; false: they are beyond all bounds */
void fvm_graph_frames(fvm_graph *graph); /* return_stack.c */
/* Cells of the return stack that an instruction asks for, and those it adds. */
void fvm_return_effect(const fvm_node *node, int *needed, int *added);
/* Items that a node takes, leaves, and the most above that in between. */
void fvm_node_effect(const fvm_node *node, int *taken, int *left);

/* --- values on the stack (stack_cache.c) ------------------------------------------ */

typedef enum {
    FVM_CANONICAL, /* in its place in memory */
    FVM_CONST,     /* n */
    FVM_REG,       /* reg */
    FVM_SUM,       /* reg + n */
    FVM_FLAG       /* -1 where cond holds of reg and other (NONE: n), else 0 */
} fvm_value_kind;

typedef struct {
    uint8_t kind;
    bool clean; /* its place in memory holds it as well */
    uint8_t reg;
    uint8_t other;
    uint8_t cond;
    fvm_cell n;
} fvm_value;

/* Item 0 is the one that was on top where vm->sp points; what is below low is in its slot. */
typedef struct {
    int low;
    int top;
    int unpaid_steps; /* steps made and not paid; < 0: paid and not made */
    fvm_value items[FVM_WINDOW];
    uint8_t uses[FVM_FREE_REGS];
    /* The return stack's top, as the index of a loop is. */
    uint8_t index;    /* its register, plus 1; 0: in its stack slot only */
    bool index_dirty; /* ... and there it is not up to date */
    fvm_cell index_n; /* ... and this is to be added */
    bool limited;     /* the cell below it is known */
    fvm_cell limit;
    /* Addresses reg + n that a cell can be read at. */
    struct {
        uint8_t reg; /* FVM_FREE_REGS: of none */
        fvm_cell n;
    } readable[FVM_READABLE];
    uint8_t readable_next;
    /* What cells of memory hold: a constant, or what is in a register as long as no other
     * value needs that register (it is not counted in uses). */
    struct {
        fvm_addr at; /* 0: none */
        fvm_value value;
    } held[FVM_HELD];
    uint8_t held_next;
    uint32_t noted[FVM_NOTED]; /* pages, plus 1 */
    uint8_t noted_next;
} fvm_state;

/* Code that is not on the way, made after all that is. */
typedef enum {
    FVM_STUB_SIDE_EXIT, /* puts everything in its place; to the interpreter, at `at` */
    FVM_STUB_JOIN,      /* puts everything in its place; on at node */
    FVM_STUB_BARRIER    /* marks a page; goes on behind the jump */
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
    fvm_state before; /* the running instruction */
    int node;
    fvm_stub *stubs; /* grows */
    int stub_count;
    int stub_room;
    int resume;  /* index of the side-exit stub for this instruction, -1 none yet */
    bool failed; /* out of memory, of room, or too much */
    const uint8_t *exits[FVM_MAX_CONTEXTS]; /* by context: to the interpreter, at S0 */
    uint32_t top;                           /* code stores at fixed addresses below it */
    uint32_t size;    /* that the image is taken to have at least; 0: nothing is */
    int32_t cells_at; /* from MEM: marks, dirty pages */
    int32_t dirty_at;
    struct {
        fvm_addr at;
        const uint8_t *code;
    } entries[FVM_MAX_ENTRIES];
    int entry_count;
    const uint8_t *with_items; /* where items have been checked, and room has not */
    const uint8_t *checked;    /* where both are */
} fvm_compiler;

/* Between definitions, and where the interpreter comes in: the top in TOS. */
#define FVM_CANONICAL_STATE ((fvm_register_state){.count = 1, .regs = {TOS}})
void fvm_values_start(fvm_compiler *c); /* everything is in its place */
void fvm_values_begin(fvm_state *state, fvm_register_state shape);
/* A shape for a leader that this is the first way to, `carry` items or what there is (0). */
fvm_register_state fvm_values_register_state(const fvm_state *state, int carry);
/* ... with the return stack's top in a register, for a loop that counts there. */
void fvm_values_count(const fvm_state *state, fvm_register_state *shape);
/* ... and what a cell holds, if there is a register to spare. */
void fvm_values_carry(const fvm_state *state, fvm_register_state *shape, int held);
void fvm_values_conform(fvm_compiler *c, const fvm_state *state,
                        fvm_register_state shape);                     /* code */
bool fvm_values_fit(const fvm_state *state, fvm_register_state shape); /* without any code */
void fvm_values_room(fvm_compiler *c, int regs); /* registers and window for one instruction */
const fvm_value *fvm_values_top(const fvm_state *state); /* NULL: it is in its slot */
bool fvm_values_unregistered(const fvm_state *state,
                             int below);                  /* an item: in no register, no constant */
void fvm_values_spill(fvm_compiler *c, fvm_state *state); /* code that puts all in its place */
fvm_value fvm_take(fvm_compiler *c);                      /* the top; its registers stay in use */
fvm_value fvm_take_reg(fvm_compiler *c);                  /* ... as FVM_REG or FVM_CONST */
fvm_value fvm_in_reg(fvm_compiler *c, fvm_value value);   /* as FVM_REG */
void fvm_release_value(fvm_compiler *c, fvm_value value);
fvm_reg fvm_free_reg(fvm_compiler *c); /* counted as used once */
/* The same, when nothing can fail any more: an operand's, if it is let go, else a free one. */
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
void fvm_stored(fvm_compiler *c, fvm_addr from, fvm_addr to);  /* nothing there is known now */
bool fvm_note_page(fvm_compiler *c, fvm_addr at);              /* false: it was noted before */
fvm_cond fvm_test_flag(fvm_compiler *c, fvm_value value); /* compares: holds where it is not 0 */
fvm_reg fvm_index_reg(fvm_compiler *c);             /* the return stack's top; not to be changed */
fvm_reg fvm_index_add(fvm_compiler *c, fvm_cell n); /* the same, n more; home does not know */
void fvm_index_set(fvm_compiler *c, fvm_reg reg);   /* of fvm_free_reg; home does not know */
void fvm_index_spill(fvm_compiler *c);              /* another cell will be on top */
void fvm_index_drop(fvm_compiler *c);               /* ... and this one is not needed any more */

/* --- instructions (templates.c), calls (calls.c) and the whole (compile.c) -------- */

void fvm_emit_template(fvm_compiler *c, const fvm_node *node);
bool fvm_jit_has_template(int op); /* whether it is done without a C function */
int fvm_template_registers(const fvm_state *state,
                           const fvm_node *node); /* free registers that it may ask for */
/* Where it goes to the interpreter with what was known before this instruction. */
int fvm_resume(fvm_compiler *c);
void fvm_on(fvm_compiler *c, fvm_cond cond); /* then: goes there */
void fvm_mark_page(fvm_compiler *c);         /* of the cell that was found last */
fvm_stub *fvm_add_stub(fvm_compiler *c);     /* NULL: failed; no pointer outlives the next call */

void fvm_begin_node(fvm_compiler *c, int index); /* from here on fvm_resume is of that one */
/* Pays the unpaid steps and the running instruction's steps, while nothing of it has been done. */
void fvm_pay(fvm_compiler *c, int steps);

/* calls.c */
/* Return addresses of definitions compiled in place, and that of a call (0: of none). */
void fvm_push_returns(fvm_compiler *c, int context, fvm_addr back);
/* A DOES> part finds its body on the stack; a token that is known is not needed any more. */
void fvm_before_call(fvm_compiler *c, const fvm_node *node);
void fvm_call_native(fvm_compiler *c, const fvm_node *node);
void fvm_call_token(fvm_compiler *c, const fvm_node *node);
void fvm_call_function(fvm_compiler *c, const fvm_node *node);
/* Code that a token of a word made by DOES> goes to, whose part begins where c->entries[0] is. */
const uint8_t *fvm_compile_does(fvm_compiler *c);

/* A primitive as machine code sees it (runtime_helpers.c). */
typedef struct {
    int8_t taken;
    int8_t left;
    bool exact;                 /* it does nothing else to the stacks */
    fvm_word_function function; /* NULL: in vm->words, or done by the loops only */
} fvm_helper;
extern const fvm_helper fvm_helpers[];
/* The C function that does a primitive; NULL: the inner interpreter only. */
static inline fvm_word_function fvm_helper_of(const fvm *vm, int op) {
    return vm->words[op] != NULL ? vm->words[op] : fvm_helpers[op].function;
}
fvm_status fvm_compile_given(fvm *vm); /* COMPILE, of vm->jit.given */

/* Compiles what begins at root, which has been traced; false: it cannot be. */
bool fvm_compile(fvm_compiler *c, fvm_addr root);

/* What callers of a definition may know of its code. */
typedef struct {
    const uint8_t *code;    /* NULL: not there */
    const uint8_t *checked; /* ... behind the checks for the following; NULL: for no caller */
    int16_t needs, room, rneeds, rroom;
    bool preserves_return_stack; /* it leaves the return stack below its frame alone */
    bool net_known;
    int16_t net; /* items that a call adds */
} fvm_known;

/* jit.c: the code that a call of the definition at addr goes to; preserves_return_stack: this is
 * relied upon */
const uint8_t *fvm_jit_callee(fvm_compiler *c, fvm_addr addr, bool preserves_return_stack);
const fvm_known *fvm_jit_known(const fvm *vm, fvm_addr addr); /* NULL: not compiled */
bool fvm_jit_preserves_return_stack(const fvm *vm,
                                    fvm_addr addr); /* or that is unknown: then it is relied upon */
/* Code will store to this cell without a look whether code was made from it: when some is, all
 * machine code ends.  false: too many do. */
bool fvm_jit_watch(fvm *vm, fvm_addr addr);
bool fvm_jit_changes(const fvm *vm, fvm_addr addr); /* machine code ended when it did */

#endif
