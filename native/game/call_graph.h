/* call_graph.h: which words of the dictionary may run or read which others. */
#ifndef FVM_CALL_GRAPH_H
#define FVM_CALL_GRAPH_H

#include "game/game.h"

/* The words of the dictionary, in the order of their addresses. */
typedef struct {
    const fvm *vm;
    fvm_addr *words; /* headers */
    int32_t count;
    fvm_addr end;         /* of the last word */
    fvm_addr library_end; /* the library's last word */
} fvm_call_graph;

/* false: no memory, or the dictionary has no library or too many words. */
bool fvm_call_graph_open(fvm_call_graph *graph, const fvm *vm);
void fvm_call_graph_close(fvm_call_graph *graph);
/* The word whose memory contains an address, -1 if none. */
int32_t fvm_word_containing(const fvm_call_graph *graph, fvm_addr addr);
bool fvm_word_is_named(const fvm_call_graph *graph, int32_t word, const char *name);

static inline fvm_addr fvm_code_field(const fvm_call_graph *graph, int32_t word) {
    return graph->words[word] + FVM_HEADER_BYTES;
}

static inline fvm_addr fvm_end_of_word(const fvm_call_graph *graph, int32_t word) {
    return word + 1 < graph->count ? graph->words[word + 1] : graph->end;
}

static inline bool fvm_in_library(const fvm_call_graph *graph, int32_t word) {
    return graph->words[word] <= graph->library_end;
}

/* The words that some roots reach.  A word reaches every word whose memory one of its cells may
 * point into, so the result contains too many words rather than too few. */
typedef struct {
    const fvm_call_graph *graph;
    bool *reached; /* by word */
    /* Library words whose effects the caller knows: they are not reached; NULL ends the list. */
    const char *const *known;
    bool data_only;   /* do not follow DOES> parts of the library: they only read memory */
    uint8_t *visited; /* a bit per cell of memory: whether a pointer to it has been followed */
    fvm_addr visited_end;
    int32_t *queue;
    int32_t queued;
} fvm_reachable;

/* false: no memory.  Call fvm_reachable_end in any case. */
bool fvm_reachable_begin(fvm_reachable *r, const fvm_call_graph *graph, const char *const *known,
                         bool data_only);
void fvm_reachable_end(fvm_reachable *r);
void fvm_reachable_add(fvm_reachable *r, fvm_addr root); /* an address in the memory of a word */
/* Follows the roots added so far; ends early when it reaches the word at `until` (0: never). */
void fvm_reachable_follow(fvm_reachable *r, fvm_addr until);

#endif
