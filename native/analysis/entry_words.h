/* entry_words.h: the words of a script that the host runs, and what running them may do. */
#ifndef FVM_ENTRY_WORDS_H
#define FVM_ENTRY_WORDS_H

#include "analysis/word_effects.h"

typedef struct {
    fvm *vm;
    fvm_program program;
    bool *roots;           /* per word: it is a move word */
    bool *reached;         /* per word: it may run, or be memory that is used; lasting_effects.c */
    bool *tokens;          /* per word: words or data contain its token; lasting_effects.c */
    fvm_effects moves;     /* of move words */
    fvm_effects game_over; /* of OnIsGameOver */
    fvm_effects position;  /* of the position hooks: OnIsGameOver, OnEvaluate and OnIsTerminal? */
    fvm_effects turns;  /* of OnNextTurn, OnGenerateMoves, and words that are compiled into moves */
    fvm_effects others; /* of hooks, engines and words in moves, but not of move words */
} fvm_entry_words;

/* false: no memory.  In any case the caller must call fvm_entry_words_close. */
bool fvm_entry_words_open(fvm_entry_words *w, fvm *vm);
void fvm_entry_words_close(fvm_entry_words *w);
/* Adds the effects of the words that run in a search: move words and hooks. */
void fvm_add_search_words(fvm_entry_words *w);
/* Adds the effects of the words that run before or after a search. */
void fvm_add_other_words(fvm_entry_words *w);

/* Begins the effects of the words that run when moves are made and unmade, which the caller must
 * end; false: no memory. */
bool fvm_made_effects_begin(const fvm_entry_words *w, fvm_effects *made);

enum { FVM_POSITION_HOOKS = 3, FVM_HOOKS = 13 };
/* The hooks, 0: none. */
void fvm_get_hooks(const fvm *vm, fvm_addr hooks[FVM_HOOKS]);
/* The engine of a player, if it is a word of the script; -1: it is not. */
int32_t fvm_script_engine(const fvm_entry_words *w, uint32_t player);
/* Whether words generate lists. */
bool fvm_generates_lists(const fvm_effects *e);
/* Whether any of the words use the variable, or run the word, that contains an address; 0: none. */
bool fvm_words_include(const fvm_entry_words *w, fvm_addr variable);
/* Whether any of the words may use the memory at an address (see fvm_effects_use). */
bool fvm_words_use(const fvm_entry_words *w, fvm_addr memory);
/* Whether words may replace what other words execute. */
bool fvm_words_redefine(const fvm_entry_words *w);
/* Whether all words are known: none replaces what other words execute, or the move words. */
bool fvm_words_are_known(const fvm_entry_words *w);

#endif
