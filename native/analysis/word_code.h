/* word_code.h: the definitions of a script as sequences of instructions.
 *
 * For the analysis of lists only (list_analysis.c).  An fvm_program also contains the results of
 * word_flow.c. */
#ifndef FVM_WORD_CODE_H
#define FVM_WORD_CODE_H

#include "analysis/word_table.h"

enum { FVM_FLOW_VARIABLES = 63 };
enum { FVM_CODE_CELLS = 4096 }; /* of a definition; longer ones are not decoded */
typedef uint64_t fvm_variables; /* a set of numbered variables */

/* What running a word may do to the numbered variables. */
typedef struct {
    fvm_variables exposed; /* may be read before the word has written them */
    fvm_variables written; /* written whenever the word returns */
} fvm_word_flow;

/* Words with a meaning that the analysis knows. */
typedef enum {
    FVM_WORD_ORDINARY,
    FVM_WORD_HARMLESS,  /* in move words it changes only $pos and the move under construction */
    FVM_WORD_LIBRARY,   /* sets variables of the turn, executes only tokens stored in the library */
    FVM_WORD_SEARCH,    /* the same, and runs hooks and move words */
    FVM_WORD_EXECUTE,   /* executes a token */
    FVM_WORD_STALEMATE, /* whether the newest list is empty */
    FVM_WORD_COUNT,     /* number of moves in the newest list */
    FVM_WORD_FIRST,     /* the first move of the newest list */
    FVM_WORD_GENERATE,  /* generates a list */
    FVM_WORD_FREE,      /* frees the newest list */
    FVM_WORD_PASS,      /* adds a pass and sets $passed */
    FVM_WORD_EXIT,      /* ends the definition that calls it */
    FVM_WORD_STORE,     /* ON and OFF: store a cell */
    FVM_WORD_STRING,    /* a text follows the call */
    FVM_WORD_PRINT      /* the same, and prints the text */
} fvm_word_kind;

typedef struct {
    fvm_word_table table;
    uint8_t *kind;                     /* per word, see fvm_word_kind */
    int8_t *number;                    /* per word: number of the variable, -1: none */
    int32_t *array;                    /* per word: the array of which it computes cells' addresses
                                          from indexes, -1: none; see word_code.c */
    fvm_addr *data;                    /* per word: the address of its data, 0: not yet known */
    int32_t words[FVM_FLOW_VARIABLES]; /* the variables by number */
    int32_t count;                     /* of numbered variables */
    fvm_word_flow *flow;               /* per word */
    fvm_variables *state;              /* per cell of a word: variables written before it */
} fvm_program;

/* false: no memory, or the dictionary has no library.  fvm_program_close must be called in both
 * cases.
 */
bool fvm_program_open(fvm_program *p, const fvm *vm);
void fvm_program_close(fvm_program *p);

/* How an instruction uses the variable, or cell of an array, whose address the instruction before
 * it pushes. */
typedef enum {
    FVM_USE_ADDRESS, /* in another way */
    FVM_USE_READ,
    FVM_USE_WRITE,
    FVM_USE_UPDATE,
    FVM_USE_FILL /* writes all cells of an array */
} fvm_variable_use;

/* One instruction of a word. */
typedef struct {
    fvm_addr at, next;    /* its address, and that of the next instruction */
    int op;               /* opcode in the code field of the called word */
    int32_t word;         /* index of the called word */
    fvm_cell operand;     /* inline operand */
    fvm_variable_use use; /* of a variable; if it is not FVM_USE_ADDRESS, `next` is after the use */
    int32_t memory;       /* index of the variable or array; -1: none */
} fvm_step;

/* The instructions of a colon definition, or of the code after DOES> of a word's defining word. */
typedef struct {
    const fvm_program *program;
    fvm_addr start, end;                   /* end: after the last instruction */
    uint32_t targets[FVM_CODE_CELLS / 32]; /* a bit per cell: whether a branch leads there */
} fvm_code;

/* Whether an instruction may continue at the address that is its operand. */
bool fvm_is_branch(int op);
/* Whether a branch of the code may lead to an address in it. */
bool fvm_is_branch_target(const fvm_code *code, fvm_addr at);
/* false: the word has no code, or code that the analysis does not understand. */
bool fvm_code_open(fvm_code *code, const fvm_program *p, int32_t word);
/* The instruction at an address in [code->start, code->end). */
fvm_step fvm_code_step(const fvm_code *code, fvm_addr at);

/* The number of cells of an array. */
fvm_cell fvm_array_cells(const fvm_program *p, int32_t array);
/* The word that a word made by DEFER executes; -1: `word` is not made by DEFER. */
int32_t fvm_deferred_word(const fvm_program *p, int32_t word);
/* Whether the word is data of the board: a board variable or a board array. */
bool fvm_is_board_data(const fvm_program *p, int32_t word);
/* The word whose token a cell contains; -1: none. */
int32_t fvm_word_of_token(const fvm_program *p, fvm_cell cell);
/* Whether the word is a constant. */
bool fvm_is_constant(const fvm_program *p, int32_t word);
/* Whether the word is made by a defining word of the library and only pushes a constant or changes
 * the current position. */
bool fvm_is_constant_or_direction(const fvm_program *p, int32_t word);

#endif
