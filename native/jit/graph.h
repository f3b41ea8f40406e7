/* graph.h: the graph of the instructions to compile (control_flow.c, stack_depths.c,
 * return_stack.c). */
#ifndef FVM_GRAPH_H
#define FVM_GRAPH_H

#include "jit/jit.h"

enum {
    FVM_MAX_NODES = 1200,    /* instructions of a graph */
    FVM_MAX_CONTEXTS = 256,  /* inlined calls of a definition, plus 1 for the definition */
    FVM_DECODED_CELLS = 512, /* entries of the cache of decoded instructions */
    FVM_MAX_PICK = 8,        /* `n PICK` has a template for n below this number */
    FVM_CARRIED_ITEMS = 4,   /* maximal number of items in registers at a control-flow join */
    FVM_KNOWN_TOKENS = 4,    /* top items of which the graph knows tokens */
    FVM_EXECUTE_TABLE = 256, /* counters of unexpected tokens */
    FVM_VARYING_TABLE = 256, /* marks of cells that machine code must read */
    FVM_MAX_UNEXPECTED_PARTS = 1000,  /* unexpected tokens before no DOES> part is expected */
    FVM_MAX_UNEXPECTED_TOKENS = 2000, /* unexpected tokens before no token is expected, either */
    FVM_LOOP_CELLS = 3                /* return stack cells of a DO loop: LOOP_MARK, limit, index */
};

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

/* The properties of compiled code that callers use. */
typedef struct {
    const uint8_t *code;         /* NULL: not compiled */
    bool preserves_return_stack; /* it changes no cell of the return stack below its frame */
    bool net_known;
    int16_t net; /* number of items that a call adds */
} fvm_callee_info;
const fvm_callee_info *fvm_jit_callee_info(const fvm *vm, fvm_addr addr); /* NULL: not compiled */

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

#endif
