/* generate_code.h: the state of a program under construction, which the files that generate
 * programs for the JIT share. */
#ifndef FORTHVM_FUZZ_GENERATE_CODE_H
#define FORTHVM_FUZZ_GENERATE_CODE_H

#include "fuzz.h"

#include <stdbool.h>

enum {
    FZ_WORDS = 8,       /* maximum number of words w0, w1 ... of a program */
    FZ_WORD_STEPS = 160 /* a word gets no more structures when its cost reaches this number */
};

/* The stack effect and the cost of a word. */
typedef struct {
    int pops, pushes; /* numbers of items; pushes -1: a runner, which must not exit early */
    int cost;         /* approximate number of steps */
    bool recursive;   /* the top item is the number of recursive calls */
} fz_effect;

typedef struct {
    fz_random *random;
    char *out;                 /* the text */
    size_t size, limit;        /* current and maximum length of the text */
    fz_effect words[FZ_WORDS]; /* w0, w1 ... */
    int count;                 /* number of words */
    bool fails_later;          /* a late iteration may fail */
    int counter;               /* number of loop counters used so far */
    /* The definition under construction: */
    fz_effect self;
    int depth;        /* number of stack items that exist on all paths */
    int floor;        /* number of items at the bottom that must not be dropped */
    int return_cells; /* cells on the return stack */
    int loop_frames;  /* loops on top of the return stack, without other cells between them */
    int pushed_cells; /* cells pushed by >R on top of the return stack */
    int nesting;      /* number of enclosing control structures */
    int iterations;   /* product of the iterations of all enclosing loops */
    int cost;         /* approximate number of steps so far */
    bool equal_depth; /* the branches of an IF must end with the same depth */
} fz_program;

#define FZ_COUNT(table_) ((int)(sizeof(table_) / sizeof *(table_)))

/* generate_pieces.c */
int fz_random_below(fz_program *gen, int limit);        /* returns a number from 0 to limit - 1 */
bool fz_chance(fz_program *gen, int percent);           /* returns true with that probability */
void fz_emit(fz_program *gen, const char *format, ...); /* appends text and a blank */
void fz_end_line(fz_program *gen);
void fz_add_cost(fz_program *gen, int steps); /* steps: per iteration of the current loop */
/* Each of the functions below appends code. */
void fz_emit_push(fz_program *gen);                 /* code that pushes an item */
void fz_require_items(fz_program *gen, int items);  /* pushes until `items` may be dropped */
void fz_set_depth(fz_program *gen, int items);      /* drops or pushes items */
void fz_emit_condition(fz_program *gen);            /* pushes a flag, which must be used next */
void fz_emit_stack_word(fz_program *gen, int cost); /* a word of at most `cost` steps, or nothing */
void fz_emit_plain_stack_word(fz_program *gen);     /* a word without calls */
void fz_emit_copy(fz_program *gen);                 /* copies items without dropping them */
void fz_emit_memory_word(fz_program *gen);          /* reads or writes memory */
void fz_emit_change(fz_program *gen); /* redefines a word in some iterations, or fails in one */
void fz_emit_change_between_runs(fz_program *gen); /* redefines a word, or fails */
void fz_emit_prelude(fz_program *gen);             /* defines the words that all programs use */

/* generate_structures.c */
bool fz_has_space(const fz_program *gen);      /* whether another structure or definition fits */
void fz_emit_block(fz_program *gen, int most); /* between 1 and `most` + 1 random items */
void fz_emit_item(fz_program *gen);            /* a word, a call, or a control structure */
void fz_emit_call(fz_program *gen, int which); /* a call of the word w<which> */
void fz_push_return_cell(fz_program *gen);     /* updates the state after a >R; emits nothing */

#endif
