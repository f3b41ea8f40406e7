/* word_table.h: the words of the dictionary, as the analysis of a script sees them. */
#ifndef FVM_WORD_TABLE_H
#define FVM_WORD_TABLE_H

#include "game/game.h"

enum { FVM_WORD_BLOCK = 32 };

/* The words of the dictionary, in the order of their addresses. */
typedef struct {
    const fvm *vm;
    fvm_addr *words; /* addresses of headers */
    int32_t count;
    int32_t *blocks; /* for each block of FVM_WORD_BLOCK bytes from the first word on, the last word
                        that begins before the block or at its start */
    fvm_addr end;    /* end of the last word */
    fvm_addr library_end; /* header of the library's last word */
    fvm_scratch scratch;  /* the script's scratch memory */
} fvm_word_table;

/* Collects the words.  false: no memory, or the dictionary has no library or too many words. */
bool fvm_word_table_open(fvm_word_table *table, const fvm *vm);
void fvm_word_table_close(fvm_word_table *table);

/* The last word that begins at an address or before it, if `word` does. */
static inline int32_t fvm_last_word_at(const fvm_word_table *table, int32_t word, fvm_addr addr) {
    while (word + 1 < table->count && table->words[word + 1] <= addr)
        word++;
    return word;
}

/* The index of the word whose memory contains an address; -1: none. */
static inline int32_t fvm_word_containing(const fvm_word_table *table, fvm_addr addr) {
    const fvm_addr first = table->words[0];
    return addr < first || addr >= table->end
               ? -1
               : fvm_last_word_at(table, table->blocks[(addr - first) / FVM_WORD_BLOCK], addr);
}

/* In the functions below `word` is the index of a word in table->words. */
bool fvm_word_is_named(const fvm_word_table *table, int32_t word, const char *name);
/* The word whose code after DOES> a word runs; -1: none. */
int32_t fvm_defining_word(const fvm_word_table *table, int32_t word);

static inline fvm_addr fvm_code_field(const fvm_word_table *table, int32_t word) {
    return table->words[word] + FVM_HEADER_BYTES;
}

static inline fvm_addr fvm_end_of_word(const fvm_word_table *table, int32_t word) {
    return word + 1 < table->count ? table->words[word + 1] : table->end;
}

/* The first word from `word` (at most table->count) on that is in a set of words; table->count:
 * there is none. */
static inline int32_t fvm_next_word(const fvm_word_table *table, const bool *set, int32_t word) {
    const bool *const found = memchr(set + word, true, (size_t)(table->count - word));
    return found != NULL ? (int32_t)(found - set) : table->count;
}

static inline bool fvm_in_library(const fvm_word_table *table, int32_t word) {
    return table->words[word] <= table->library_end;
}

/* The lists of move words and of drop words of all pieces, by number; fvm_word_list returns 0 if
 * there is no such list. */
fvm_cell fvm_word_lists(const fvm *vm);
fvm_addr fvm_word_list(const fvm *vm, fvm_cell number);

#endif
