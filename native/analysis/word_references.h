/* word_references.h: to what the data of words points.
 *
 * For the analysis of lists only (list_analysis.c). */
#ifndef FVM_WORD_REFERENCES_H
#define FVM_WORD_REFERENCES_H

#include "analysis/word_code.h"

/* Cells of the data of a word that contain the address of a word's memory: of those that mean the
 * same, one.  The words that only the host runs, the engines of players, are left out. */
typedef struct fvm_references {
    int32_t count;
    fvm_cell cells[];
} fvm_references;

/* The references of a word, which the program owns; NULL: no memory. */
const fvm_references *fvm_references_of(const fvm_program *p, int32_t word);

/* What an address in the memory of a word means: a set of these values.  A script may allot memory
 * after the code of a colon definition, for example for the table of priorities. */
typedef enum {
    FVM_IS_TOKEN = 1,
    FVM_IS_NAME = 2,      /* the name of a word, which lies before the word's header */
    FVM_IS_IN_TABLES = 4, /* in the table of pieces or in the turn order */
    FVM_IS_AFTER_CODE = 8 /* after code that the analysis understands */
} fvm_meaning;

/* word: the word whose memory contains the address. */
unsigned fvm_meaning_of(const fvm_program *p, int32_t word, fvm_addr at);

#endif
