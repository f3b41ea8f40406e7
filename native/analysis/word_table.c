/* word_table.c: the words of the dictionary, as the analysis of a script sees them.
 *
 * It owns the list of words by address, the words that made others, and the lists of move words.
 * word_flow.c and word_effects.c tell what words do. */
#include "analysis/word_table.h"
#include "vm/decode.h"

#include <stdlib.h>

enum { MAX_WORDS = 1 << 16 };

/* --- the words -------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    fvm_addr left = *(const fvm_addr *)a, right = *(const fvm_addr *)b;
    return left < right ? -1 : left > right;
}

/* The end of the last word.  The move lists and cloned boards above it do not belong to the word:
 * they contain addresses of boards, which must not count as calls. */
static fvm_addr end_of_words(const fvm_word_table *table) {
    fvm_addr here = fvm_here(table->vm), lists = (fvm_addr)fvm_get(table->vm, FVM_K_TRANSIENT);
    return lists > table->words[table->count - 1] && lists < here ? lists : here;
}

static bool collect(fvm_word_table *table) {
    const fvm *vm = table->vm;
    int32_t capacity = 0;
    for (fvm_addr nfa = fvm_latest(vm); nfa != 0; nfa = fvm_previous(vm, nfa)) {
        if (table->count == MAX_WORDS)
            return false;
        if (table->count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 1024;
            fvm_addr *grown = realloc(table->words, (size_t)capacity * sizeof *grown);
            if (grown == NULL)
                return false;
            table->words = grown;
        }
        table->words[table->count++] = nfa;
    }
    return table->count > 0;
}

/* Sorts the words, which are usually in descending order. */
static void sort(fvm_word_table *table) {
    fvm_addr *const words = table->words;
    bool sorted = true;
    for (int32_t i = 0, last = table->count - 1; i < last; i++, last--) {
        const fvm_addr word = words[i];
        words[i] = words[last];
        words[last] = word;
    }
    for (int32_t i = 1; i < table->count && sorted; i++)
        sorted = words[i - 1] <= words[i];
    if (!sorted)
        qsort(words, (size_t)table->count, sizeof *words, ascending);
}

static bool make_blocks(fvm_word_table *table) {
    const fvm_addr first = table->words[0], bytes = table->end > first ? table->end - first : 0;
    const fvm_addr count = bytes / FVM_WORD_BLOCK + 1;
    int32_t word = 0;
    table->blocks = malloc((size_t)count * sizeof *table->blocks);
    for (fvm_addr i = 0; i < count && table->blocks != NULL; i++)
        table->blocks[i] = word = fvm_last_word_at(table, word, first + i * FVM_WORD_BLOCK);
    return table->blocks != NULL;
}

bool fvm_word_table_open(fvm_word_table *table, const fvm *vm) {
    const char *name = "axiomFence"; /* the library's last word */
    *table = (fvm_word_table){.vm = vm};
    fvm_scratch_find(vm, &table->scratch);
    table->library_end = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    if (table->library_end == 0 || !collect(table))
        return false;
    sort(table);
    table->end = end_of_words(table);
    return make_blocks(table);
}

void fvm_word_table_close(fvm_word_table *table) {
    free(table->words);
    free(table->blocks);
}

bool fvm_word_is_named(const fvm_word_table *table, int32_t word, const char *name) {
    char found[32]; /* longer than every name passed to this function */
    return fvm_name(table->vm, table->words[word], found, (int32_t)sizeof found) ==
               (int32_t)strlen(name) &&
           memcmp(found, name, strlen(name)) == 0;
}

int32_t fvm_defining_word(const fvm_word_table *table, int32_t word) {
    const fvm *vm = table->vm;
    const fvm_addr cfa = fvm_code_field(table, word);
    return fvm_in(vm, cfa + FVM_DOES_BODY, 4) ? fvm_word_containing(table, fvm_does_part(vm, cfa))
                                              : -1;
}

enum { LISTS_OF_PIECE = 2 }; /* moves and drops */

fvm_cell fvm_word_lists(const fvm *vm) {
    const fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count);
    /* The script may have overwritten the number; board cells have no larger types than this. */
    const fvm_cell most = FVM_TYPE(-1);
    return LISTS_OF_PIECE * (types < 0 ? 0 : types > most ? most : types);
}

fvm_addr fvm_word_list(const fvm *vm, fvm_cell number) {
    const fvm_addr pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces);
    const fvm_addr at = pieces + FVM_PIECE_BYTES * (uint32_t)(number / LISTS_OF_PIECE) +
                        (number % LISTS_OF_PIECE == 0 ? FVM_FIELD_MOVES : FVM_FIELD_DROPS);
    return pieces != 0 && fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
}
