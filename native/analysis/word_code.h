/* word_code.h: the definitions of a script as sequences of instructions.
 *
 * For the analysis of lists only (list_analysis.c).  An fvm_program also contains the results of
 * word_flow.c. */
#ifndef FVM_WORD_CODE_H
#define FVM_WORD_CODE_H

#include "analysis/known_words.h"

enum { FVM_FLOW_VARIABLES = 63 };
enum { FVM_CODE_CELLS = 4096 }; /* of a definition; longer ones are not decoded */
typedef uint64_t fvm_variables; /* a set of numbered variables */

/* What running a word may do to the numbered variables. */
typedef struct {
    fvm_variables exposed; /* may be read before the word has written them */
    fvm_variables written; /* written whenever the word returns */
} fvm_word_flow;

typedef struct {
    fvm_word_table table;
    uint8_t *kind;                      /* per word, see fvm_word_kind */
    uint8_t *makes;                     /* per word, see fvm_made */
    int8_t *number;                     /* per word: number of the variable, -1: none */
    int32_t *array;                     /* per word: the array of which it computes cells' addresses
                                           from indexes, -1: none; see word_code.c */
    struct fvm_code **code;             /* per word: its instructions, NULL: not yet decoded */
    struct fvm_step *decoded;           /* the instructions that are being decoded */
    struct fvm_references **references; /* per word: see word_references.h, NULL: not yet found */
    uint16_t *found;   /* per word: meanings that have been found while data is searched */
    uint8_t *accesses; /* per word: see memory_accesses.c */
    bool *failed;      /* an allocation has failed: nothing may be concluded */
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
typedef struct fvm_step {
    fvm_addr at, next;    /* its address, and that of the next instruction */
    int op;               /* opcode in the code field of the called word */
    int32_t word;         /* index of the called word */
    fvm_cell operand;     /* inline operand */
    fvm_variable_use use; /* of a variable; if it is not FVM_USE_ADDRESS, `next` is after the use */
    int32_t memory;       /* index of the variable or array; -1: none */
    bool is_target;       /* a branch may lead to it */
} fvm_step;

/* The instructions of a colon definition, or of the code after DOES> of a word's defining word. */
typedef struct fvm_code {
    fvm_addr start, end; /* end: after the last instruction */
    int32_t count;       /* of instructions; 0: the analysis does not understand the code */
    bool is_does;        /* the code after DOES> */
    fvm_step steps[];
} fvm_code;

/* Whether an instruction may continue at the address that is its operand. */
bool fvm_is_branch(int op);
/* The instructions of a word, which the program owns; NULL: it has no code, or code that the
 * analysis does not understand. */
const fvm_code *fvm_code_of(const fvm_program *p, int32_t word);
/* The end of the instructions, for loops. */
static inline const fvm_step *fvm_last_step(const fvm_code *code) {
    return code->steps + code->count;
}

/* The number of cells of an array. */
fvm_cell fvm_array_cells(const fvm_program *p, int32_t array);
/* The word that a word made by DEFER executes; -1: `word` is not made by DEFER. */
int32_t fvm_deferred_word(const fvm_program *p, int32_t word);
/* Whether a defining word of the library with a known meaning has made the word (see fvm_made). */
bool fvm_is_made_by_library(const fvm_program *p, int32_t word);
/* Whether the word is data of the board: a board variable or a board array. */
bool fvm_is_board_data(const fvm_program *p, int32_t word);
bool fvm_is_board_cells(const fvm_program *p, int32_t word);
/* The word whose token a cell contains; -1: none. */
int32_t fvm_word_of_token(const fvm_program *p, fvm_cell cell);
/* Whether the word is a constant. */
bool fvm_is_constant(const fvm_program *p, int32_t word);
/* Whether the word is made by a defining word of the library and only pushes a constant or changes
 * the current position. */
bool fvm_is_constant_or_direction(const fvm_program *p, int32_t word);

#endif
