/* call_graph.h: which words of the dictionary may run or read which other words. */
#ifndef FVM_CALL_GRAPH_H
#define FVM_CALL_GRAPH_H

#include "game/game.h"

/* The words of the dictionary, in the order of their addresses. */
typedef struct {
    const fvm *vm;
    fvm_addr *words; /* addresses of headers */
    int32_t count;
    fvm_addr end;         /* end of the last word */
    fvm_addr library_end; /* header of the library's last word */
    fvm_scratch scratch;  /* the script's scratch memory */
} fvm_call_graph;

/* Collects the words.  false: no memory, or the dictionary has no library or too many words. */
bool fvm_call_graph_open(fvm_call_graph *graph, const fvm *vm);
void fvm_call_graph_close(fvm_call_graph *graph);
/* The index of the word whose memory contains an address; -1: none. */
int32_t fvm_word_containing(const fvm_call_graph *graph, fvm_addr addr);
/* In the functions below `word` is the index of a word in graph->words. */
bool fvm_word_is_named(const fvm_call_graph *graph, int32_t word, const char *name);
/* The word whose code after DOES> a word runs; -1: none. */
int32_t fvm_defining_word(const fvm_call_graph *graph, int32_t word);
/* Whether a word was made by one of the library's defining words with these names; the last name is
 * NULL. */
bool fvm_is_made_by(const fvm_call_graph *graph, int32_t word, const char *const *names);

static inline fvm_addr fvm_code_field(const fvm_call_graph *graph, int32_t word) {
    return graph->words[word] + FVM_HEADER_BYTES;
}

static inline fvm_addr fvm_end_of_word(const fvm_call_graph *graph, int32_t word) {
    return word + 1 < graph->count ? graph->words[word + 1] : graph->end;
}

static inline bool fvm_in_library(const fvm_call_graph *graph, int32_t word) {
    return graph->words[word] <= graph->library_end;
}

/* The lists of move words and of drop words of all pieces, by number; fvm_word_list returns 0 if
 * there is no such list. */
fvm_cell fvm_word_lists(const fvm *vm);
fvm_addr fvm_word_list(const fvm *vm, fvm_cell number);

/* The words reachable from some roots.  A word reaches every word whose memory one of its cells may
 * point into, so the analysis is conservative. */
typedef struct {
    const fvm_call_graph *graph;
    bool *reached; /* per word */
    bool *whole;   /* per word: a cell points into the memory after a constant's value, which may be
                      a table */
    /* Names of library words that are excluded, because the caller of the analysis knows their
     * effects; the last item is NULL. */
    const char *const *excluded;
    /* For a word made by a defining word of the library, such as a constant, do not follow the code
     * after DOES>: this code only reads memory. */
    bool skips_does_code;
    uint8_t *visited; /* a bit per cell of memory: whether a pointer to it has been followed */
    fvm_addr visited_end;
    int32_t *queue; /* reached words with cells that have not been followed */
    int32_t queued;
} fvm_reachable;

/* Begins with an empty set.  false: no memory.  fvm_reachable_end must be called in both cases. */
bool fvm_reachable_begin(fvm_reachable *r, const fvm_call_graph *graph, const char *const *excluded,
                         bool skips_does_code);
void fvm_reachable_end(fvm_reachable *r);
/* Adds a root: the word whose memory contains an address. */
void fvm_reachable_add(fvm_reachable *r, fvm_addr root);
/* Adds all words reachable from the roots.  Stops early when it reaches the word that contains the
 * address `until`; 0: never stops early. */
void fvm_reachable_follow(fvm_reachable *r, fvm_addr until);

#endif
