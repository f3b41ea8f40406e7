/* known_words.h: the words of the library with a meaning that the analysis knows.
 *
 * For the analysis of lists only (list_analysis.c). */
#ifndef FVM_KNOWN_WORDS_H
#define FVM_KNOWN_WORDS_H

#include "analysis/word_table.h"

/* What running a word means. */
typedef enum {
    FVM_WORD_ORDINARY,
    FVM_WORD_HARMLESS,  /* in move words it changes only $pos and the move under construction */
    FVM_WORD_LIBRARY,   /* sets variables of the turn, executes only tokens stored in the library */
    FVM_WORD_SEARCH,    /* the same, and runs hooks and move words */
    FVM_WORD_EXECUTE,   /* executes a token */
    FVM_WORD_STALEMATE, /* whether the newest list is empty */
    FVM_WORD_COUNT,     /* number of moves in the newest list */
    FVM_WORD_FIRST,     /* the first move of the newest list */
    FVM_WORD_NEXT,      /* the move after a move */
    FVM_WORD_TYPE,      /* the address of the cell with the type of a move */
    FVM_WORD_GENERATE,  /* generates a list */
    FVM_WORD_FREE,      /* frees the newest list */
    FVM_WORD_PASS,      /* adds a pass and sets $passed */
    FVM_WORD_EXIT,      /* ends the definition that calls it */
    FVM_WORD_STORE,     /* ON and OFF: store a cell */
    FVM_WORD_STRING,    /* a text follows the call; pushes its address */
    FVM_WORD_TEXT,      /* a text follows the call */
    FVM_WORD_PRINT      /* the same, and prints the text */
} fvm_word_kind;

/* What the words are that a defining word makes. */
typedef enum {
    FVM_MADE_OTHERWISE,
    FVM_MADE_CONSTANT,
    FVM_MADE_DIRECTION, /* only changes the current position */
    FVM_MADE_ARRAY,     /* computes the address of a cell from an index */
    FVM_MADE_DEFERRED,  /* executes the token in its data */
    FVM_MADE_BOARD_VARIABLE,
    FVM_MADE_BOARD_CELLS /* an array of cells of the board */
} fvm_made;

/* Stores the fvm_word_kind of each word, and the fvm_made of the words that it makes. */
void fvm_find_known_words(const fvm_word_table *table, uint8_t *kind, uint8_t *makes);

#endif
