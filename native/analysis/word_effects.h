/* word_effects.h: what running compiled words may do.
 *
 * For the analysis of lists only (entry_words.c, list_reads.c, list_analysis.c). */
#ifndef FVM_WORD_EFFECTS_H
#define FVM_WORD_EFFECTS_H

#include "analysis/word_flow.h"

/* What happens when some words run. */
typedef struct {
    fvm_program *program;
    bool numbers_variables; /* number the variables of the script that are written */
    /* Per word: */
    bool *executed; /* it may be executed */
    bool *tokens;   /* the words, or data that they touch, contain its token */
    bool *touched;  /* it is memory of the script that may be read or written */
    bool *changed;  /* it is a variable or an array that may be written */
    bool *applied;  /* it may be compiled into a move */
    bool *searched; /* its data has been searched for pointers */
    bool *expanded; /* the same for tokens */
    int32_t *queue;
    int32_t queued;
    bool executes_tokens; /* EXECUTE runs */
    bool compiles_tokens; /* any of `tokens` may be compiled into a move */
    bool changes;         /* the type or the owner of a piece may be changed */
    bool passes;          /* a pass may be added to the list */
    bool impure;          /* memory may be changed that is neither a variable of the script nor the
                             move under construction */
    bool makes_lists;     /* lists may be generated or freed */
    bool unknown;         /* words may do what the analysis does not understand */
} fvm_effects;

/* false: no memory.  fvm_effects_end must be called in both cases. */
bool fvm_effects_begin(fvm_effects *e, fvm_program *program);
void fvm_effects_end(fvm_effects *e);
/* Adds the effects of running a word; -1: unknown effects. */
void fvm_effects_add_word(fvm_effects *e, int32_t word);
/* Adds the effects of the words that EXECUTE may run, if other words run as well: they may have
 * stored tokens in memory. */
void fvm_effects_add_tokens(fvm_effects *e, const fvm_effects *others);

/* Whether both touch the same memory of the script. */
bool fvm_effects_share_memory(const fvm_effects *a, const fvm_effects *b);

/* Whether words use the variable, or run the word, that contains an address; 0: none. */
bool fvm_effects_include(const fvm_effects *e, fvm_addr variable);
/* Whether words may use the memory at an address: they use its address, or run the word that
 * contains it, or use the token of that word.  Memory after the code of a colon definition is used
 * only through its address.  Unknown effects use all memory of the dictionary. */
bool fvm_effects_use(const fvm_effects *e, fvm_addr memory);

#endif
