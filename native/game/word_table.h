/* word_table.h: the words of the dictionary, as the analysis of a script sees them. */
#ifndef FVM_WORD_TABLE_H
#define FVM_WORD_TABLE_H

#include "game/game.h"

/* The words of the dictionary, in the order of their addresses. */
typedef struct {
    const fvm *vm;
    fvm_addr *words; /* addresses of headers */
    int32_t count;
    fvm_addr end;         /* end of the last word */
    fvm_addr library_end; /* header of the library's last word */
    fvm_scratch scratch;  /* the script's scratch memory */
} fvm_word_table;

/* Collects the words.  false: no memory, or the dictionary has no library or too many words. */
bool fvm_word_table_open(fvm_word_table *table, const fvm *vm);
void fvm_word_table_close(fvm_word_table *table);
/* The index of the word whose memory contains an address; -1: none. */
int32_t fvm_word_containing(const fvm_word_table *table, fvm_addr addr);
/* In the functions below `word` is the index of a word in table->words. */
bool fvm_word_is_named(const fvm_word_table *table, int32_t word, const char *name);
/* The word whose code after DOES> a word runs; -1: none. */
int32_t fvm_defining_word(const fvm_word_table *table, int32_t word);
/* Whether a word was made by one of the library's defining words with these names; the last name is
 * NULL. */
bool fvm_is_made_by(const fvm_word_table *table, int32_t word, const char *const *names);

static inline fvm_addr fvm_code_field(const fvm_word_table *table, int32_t word) {
    return table->words[word] + FVM_HEADER_BYTES;
}

static inline fvm_addr fvm_end_of_word(const fvm_word_table *table, int32_t word) {
    return word + 1 < table->count ? table->words[word + 1] : table->end;
}

static inline bool fvm_in_library(const fvm_word_table *table, int32_t word) {
    return table->words[word] <= table->library_end;
}

/* The lists of move words and of drop words of all pieces, by number; fvm_word_list returns 0 if
 * there is no such list. */
fvm_cell fvm_word_lists(const fvm *vm);
fvm_addr fvm_word_list(const fvm *vm, fvm_cell number);

#endif
