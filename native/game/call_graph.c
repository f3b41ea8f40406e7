/* call_graph.c: which words of the dictionary may run or read which other words.
 *
 * It owns the list of words and the traversal of the call graph.  A word is assumed to call every
 * word whose memory one of its cells may point into: code and data are not distinguished.  It must
 * not know the effects of words (purity.c). */
#include "game/call_graph.h"
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
static fvm_addr end_of_words(const fvm_call_graph *graph) {
    fvm_addr here = fvm_here(graph->vm), lists = (fvm_addr)fvm_get(graph->vm, FVM_K_TRANSIENT);
    return lists > graph->words[graph->count - 1] && lists < here ? lists : here;
}

static bool collect(fvm_call_graph *graph) {
    const fvm *vm = graph->vm;
    int32_t capacity = 0;
    for (fvm_addr nfa = fvm_latest(vm); nfa != 0; nfa = fvm_previous(vm, nfa)) {
        if (graph->count == MAX_WORDS)
            return false;
        if (graph->count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 1024;
            fvm_addr *grown = realloc(graph->words, (size_t)capacity * sizeof *grown);
            if (grown == NULL)
                return false;
            graph->words = grown;
        }
        graph->words[graph->count++] = nfa;
    }
    return graph->count > 0;
}

bool fvm_call_graph_open(fvm_call_graph *graph, const fvm *vm) {
    const char *name = "axiomFence"; /* the library's last word */
    *graph = (fvm_call_graph){.vm = vm};
    fvm_scratch_find(vm, &graph->scratch);
    graph->library_end = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    if (graph->library_end == 0 || !collect(graph))
        return false;
    qsort(graph->words, (size_t)graph->count, sizeof *graph->words, ascending);
    graph->end = end_of_words(graph);
    return true;
}

void fvm_call_graph_close(fvm_call_graph *graph) { free(graph->words); }

int32_t fvm_word_containing(const fvm_call_graph *graph, fvm_addr addr) {
    int32_t low = 0, high = graph->count;
    if (addr < graph->words[0] || addr >= graph->end)
        return -1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (graph->words[middle] <= addr)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool fvm_word_is_named(const fvm_call_graph *graph, int32_t word, const char *name) {
    char found[32]; /* longer than every name passed to this function */
    return fvm_name(graph->vm, graph->words[word], found, (int32_t)sizeof found) ==
               (int32_t)strlen(name) &&
           memcmp(found, name, strlen(name)) == 0;
}

int32_t fvm_defining_word(const fvm_call_graph *graph, int32_t word) {
    const fvm *vm = graph->vm;
    const fvm_addr cfa = fvm_code_field(graph, word);
    return fvm_opcode_at(vm, cfa) == FVM_OP_DOES && fvm_in(vm, cfa + 4, 8)
               ? fvm_word_containing(graph, (fvm_addr)fvm_get(vm, cfa + 4))
               : -1;
}

bool fvm_is_made_by(const fvm_call_graph *graph, int32_t word, const char *const *names) {
    const int32_t maker = fvm_defining_word(graph, word);
    for (; maker >= 0 && fvm_in_library(graph, maker) && *names != NULL; names++)
        if (fvm_word_is_named(graph, maker, *names))
            return true;
    return false;
}

enum { LISTS_OF_PIECE = 2 }; /* moves and drops */

fvm_cell fvm_word_lists(const fvm *vm) {
    const fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count, 0);
    const fvm_cell most = FVM_TYPE(-1); /* the largest type in a board cell: a script may have
                                           overwritten the number */
    return LISTS_OF_PIECE * (types > most ? most : types);
}

fvm_addr fvm_word_list(const fvm *vm, fvm_cell number) {
    const fvm_addr pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    const fvm_addr at = pieces + FVM_PIECE_BYTES * (uint32_t)(number / LISTS_OF_PIECE) +
                        (number % LISTS_OF_PIECE == 0 ? FVM_FIELD_MOVES : FVM_FIELD_DROPS);
    return pieces != 0 && fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
}

/* --- reachable words -------------------------------------------------------------- */

bool fvm_reachable_begin(fvm_reachable *r, const fvm_call_graph *graph, const char *const *excluded,
                         bool skips_does_code) {
    const size_t count = (size_t)graph->count;
    *r = (fvm_reachable){.graph = graph, .excluded = excluded, .skips_does_code = skips_does_code};
    r->visited_end = graph->end < graph->vm->size ? graph->end : graph->vm->size;
    r->reached = calloc(count, sizeof *r->reached);
    r->whole = calloc(count, sizeof *r->whole);
    r->queue = malloc(2 * count * sizeof *r->queue); /* a constant may be queued twice */
    r->visited = calloc(r->visited_end / 32 + 1, 1);
    return r->reached != NULL && r->whole != NULL && r->queue != NULL && r->visited != NULL;
}

void fvm_reachable_end(fvm_reachable *r) {
    free(r->reached);
    free(r->whole);
    free(r->queue);
    free(r->visited);
}

static bool is_excluded(const fvm_reachable *r, int32_t word) {
    if (!fvm_in_library(r->graph, word))
        return false;
    for (const char *const *name = r->excluded; *name != NULL; name++)
        if (fvm_word_is_named(r->graph, word, *name))
            return true;
    return false;
}

/* The end of a constant's value; 0: the word is not a constant.  The memory after it, up to the
 * next header, may contain a table of the library, which the constant does not read. */
static fvm_addr end_of_value(const fvm_call_graph *graph, int32_t word) {
    static const char *const makers[] = {"CONSTANT", "$MakeConstant", NULL};
    const fvm_addr end = fvm_code_field(graph, word) + 12;
    return fvm_end_of_word(graph, word) >= end && fvm_is_made_by(graph, word, makers) ? end : 0;
}

void fvm_reachable_add(fvm_reachable *r, fvm_addr root) {
    const int32_t word = root != 0 ? fvm_word_containing(r->graph, root) : -1;
    if (word < 0 || r->whole[word] || is_excluded(r, word))
        return;
    const bool whole = root >= end_of_value(r->graph, word); /* always if it is not a constant */
    if (r->reached[word] && !whole)
        return;
    r->whole[word] = whole;
    r->reached[word] = true;
    r->queue[r->queued++] = word;
}

enum { BLOCK = 16 }; /* cells */

/* Whether a cell of a block is in [low, low + span): a fast test that skips tables of numbers. */
static bool any_in_range(const fvm *vm, fvm_addr at, fvm_addr low, uint32_t span) {
    uint32_t cells[BLOCK], found = 0;
    memcpy(cells, vm->mem + at, sizeof cells);
    for (int i = 0; i < BLOCK; i++)
        found |= cells[i] - low < span;
    return found != 0;
}

/* Adds the words that cells in [from, to) may point into. */
static void add_targets(fvm_reachable *r, fvm_addr from, fvm_addr to) {
    const fvm *vm = r->graph->vm;
    const fvm_addr low = r->graph->words[0], end = r->graph->end;
    for (fvm_addr at = from; at + 4 <= to && fvm_in(vm, at, 4); at += 4) {
        while (end > low && to - at >= 4 * BLOCK && fvm_in(vm, at, 4 * BLOCK) &&
               !any_in_range(vm, at, low, end - low))
            at += 4 * BLOCK;
        if (at + 4 > to || !fvm_in(vm, at, 4))
            return;
        fvm_addr target = (fvm_addr)fvm_get(vm, at);
        if (target < low || target >= end)
            continue;
        if (target % 4 == 0 && target < r->visited_end) {
            uint8_t *byte = &r->visited[target / 32], bit = (uint8_t)(1u << (target / 4 % 8));
            if ((*byte & bit) != 0)
                continue;
            *byte |= bit;
        }
        fvm_reachable_add(r, target);
    }
}

/* The address of the first cell of a word that may point to other words.  If r->skips_does_code is
 * set, the cell with the address of the library's code after DOES> is skipped. */
static fvm_addr first_cell(const fvm_reachable *r, int32_t word) {
    const fvm_addr cfa = fvm_code_field(r->graph, word);
    const bool skips_cell = r->skips_does_code && fvm_opcode_at(r->graph->vm, cfa) == FVM_OP_DOES &&
                            (fvm_addr)fvm_get(r->graph->vm, cfa + 4) < r->graph->library_end;
    return cfa + (skips_cell ? 8 : 4);
}

void fvm_reachable_follow(fvm_reachable *r, fvm_addr until) {
    const int32_t last = until != 0 ? fvm_word_containing(r->graph, until) : -1;
    while (r->queued > 0) {
        const int32_t word = r->queue[--r->queued];
        if (word == last)
            return;
        add_targets(r, first_cell(r, word),
                    r->whole[word] ? fvm_end_of_word(r->graph, word)
                                   : end_of_value(r->graph, word));
    }
}
