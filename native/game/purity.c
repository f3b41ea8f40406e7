/* purity.c: purity analysis: whether evaluating a position reads its move list, and whether move
 * words depend on each other.
 *
 * It owns the call graph of the script's words.  A word is assumed to call every word whose memory
 * one of its cells may point into, so the analysis is conservative.  It must not know its users. It
 * has two results:
 *
 * Evaluation ignores the list if OnIsGameOver, OnEvaluate and OnIsTerminal? only check whether it
 * is empty, and read no memory that move words write.  Then one or two moves are enough at the
 * horizon of a search.
 *
 * Move words are independent if they change only memory that is set before each of them.  Then one
 * of them may run without the others (random_move.c). */
#include "game/purity.h"
#include "vm/decode.h"

#include <stdlib.h>

typedef struct {
    const fvm *vm;
    fvm_addr *words; /* headers of all words, by address */
    int32_t count;
    bool *reached;
    uint8_t *visited; /* a bit per cell of memory: whether a pointer to it has been followed */
    fvm_addr visited_end;
    fvm_addr end; /* end of the last word */
    int32_t *queue;
    int32_t queued;
    fvm_addr library_end; /* the library's last word */
    bool moves;           /* the analysis is for move words: follow only code that they run */
} call_graph;

static int ascending(const void *a, const void *b) {
    fvm_addr one = *(const fvm_addr *)a, two = *(const fvm_addr *)b;
    return one < two ? -1 : one > two;
}

enum { MAX_WORDS = 1 << 16 };

/* The end of the last word.  Move lists and cloned boards above are excluded: they contain
 * addresses of boards, which must not count as calls by the last word. */
static fvm_addr end_of_words(const call_graph *r) {
    fvm_addr here = fvm_here(r->vm), lists = (fvm_addr)fvm_get(r->vm, FVM_K_TRANSIENT);
    return lists > r->words[r->count - 1] && lists < here ? lists : here;
}

static bool collect(call_graph *r, fvm *vm) {
    int32_t capacity = 0;
    for (fvm_addr nfa = fvm_latest(vm); nfa != 0; nfa = fvm_previous(vm, nfa)) {
        if (r->count == MAX_WORDS)
            return false;
        if (r->count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 1024;
            fvm_addr *grown = realloc(r->words, (size_t)capacity * sizeof *grown);
            if (grown == NULL)
                return false;
            r->words = grown;
        }
        r->words[r->count++] = nfa;
    }
    if (r->count == 0)
        return false;
    qsort(r->words, (size_t)r->count, sizeof *r->words, ascending);
    r->end = end_of_words(r);
    r->reached = calloc((size_t)r->count, sizeof *r->reached);
    r->queue = malloc((size_t)r->count * sizeof *r->queue);
    r->visited_end = r->end < vm->size ? r->end : vm->size;
    r->visited = calloc(r->visited_end / 32 + 1, 1);
    return r->reached != NULL && r->queue != NULL && r->visited != NULL;
}

/* The word whose memory contains an address, -1 if none. */
static int32_t word_containing(const call_graph *r, fvm_addr addr) {
    int32_t low = 0, high = r->count;
    if (addr < r->words[0] || addr >= r->end)
        return -1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (r->words[middle] <= addr)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void enqueue(call_graph *r, int32_t word) {
    if (word < 0 || r->reached[word])
        return;
    r->reached[word] = true;
    r->queue[r->queued++] = word;
}

static bool is_named(const call_graph *r, int32_t word, const char *name) {
    char found[32]; /* longer than any name that is compared */
    return fvm_name(r->vm, r->words[word], found, (int32_t)sizeof found) == (int32_t)strlen(name) &&
           memcmp(found, name, strlen(name)) == 0;
}

enum { BLOCK = 16 }; /* cells */

/* Whether a cell of a block is in [low, low + span): a fast test that skips tables of numbers. */
static bool any_in_range(const fvm *vm, fvm_addr at, fvm_addr low, uint32_t span) {
    uint32_t cells[BLOCK], some = 0;
    memcpy(cells, vm->mem + at, sizeof cells);
    for (int i = 0; i < BLOCK; i++)
        some |= cells[i] - low < span;
    return some != 0;
}

/* Enqueues the words that cells in [from, to) may point into. */
static void enqueue_named(call_graph *r, fvm_addr from, fvm_addr to) {
    const fvm *vm = r->vm;
    const fvm_addr low = r->words[0], end = r->end;
    for (fvm_addr at = from; at + 4 <= to && fvm_in(vm, at, 4); at += 4) {
        while (end > low && to - at >= 4 * BLOCK && fvm_in(vm, at, 4 * BLOCK) &&
               !any_in_range(vm, at, low, end - low))
            at += 4 * BLOCK;
        if (at + 4 > to || !fvm_in(vm, at, 4))
            return;
        fvm_addr named = (fvm_addr)fvm_get(vm, at);
        if (named < low || named >= end)
            continue;
        if (named % 4 == 0 && named < r->visited_end) {
            uint8_t *byte = &r->visited[named / 32], bit = (uint8_t)(1u << (named / 4 % 8));
            if ((*byte & bit) != 0)
                continue;
            *byte |= bit;
        }
        enqueue(r, word_containing(r, named));
    }
}

/* Words of the library that most move words call.  They change only $pos, which is set before each
 * move word; their other effects happen when the move is applied. */
static bool is_move_primitive(const call_graph *r, int32_t word) {
    static const char *const names[] = {"to",           "back",    "verify",
                                        "$DoDirection", "partial", "(partial)"};
    for (size_t i = 0; r->words[word] <= r->library_end && i < sizeof names / sizeof *names; i++)
        if (is_named(r, word, names[i]))
            return true;
    return false;
}

/* The first cell of a word that is to be followed.  DOES> parts of the library's defining words
 * only read memory, so they need not be followed. */
static fvm_addr first_cell(const call_graph *r, int32_t word) {
    fvm_addr cfa = r->words[word] + 12;
    bool made = r->moves && fvm_opcode_at(r->vm, cfa) == FVM_OP_DOES &&
                (fvm_addr)fvm_get(r->vm, cfa + 4) < r->library_end;
    return cfa + (made ? 8 : 4);
}

/* Follows the queue; false if the word `forbidden`, which reads the move list, is reached. */
static bool follow(call_graph *r, int32_t forbidden) {
    while (r->queued > 0) {
        int32_t word = r->queue[--r->queued];
        if (word == forbidden)
            return false;
        if (!r->moves && forbidden >= 0 && r->words[word] <= r->library_end &&
            is_named(r, word, "stalemate?"))
            continue; /* it only checks whether the list is empty */
        if (r->moves && is_move_primitive(r, word))
            continue;
        fvm_addr end = word + 1 < r->count ? r->words[word + 1] : r->end;
        enqueue_named(r, first_cell(r, word), end);
    }
    return true;
}

/* Whether a word with that DOES> part only returns constants or contents of the board. */
static bool is_read_only_kind(const call_graph *r, fvm_addr part) {
    static const char *const makers[] = {
        "CONSTANT",          "FCONSTANT",   "DEFER",
        "$MakeConstant",     "{direction}", "{variable}",
        "{array}",           "{carray}",    "$CreateDirectionFromString",
        "$RedefineDirection"};
    int32_t maker = word_containing(r, part);
    for (size_t i = 0; maker >= 0 && i < sizeof makers / sizeof *makers; i++)
        if (is_named(r, maker, makers[i]))
            return true;
    return false;
}

/* Whether a word is memory that a move word could write and an evaluation could read. */
static bool is_memory(const call_graph *r, int32_t word) {
    fvm_addr cfa = r->words[word] + 12;
    int op = fvm_opcode_at(r->vm, cfa);
    if (r->words[word] <= r->library_end) /* the library's variables are set for each move */
        return false;
    if (op == FVM_OP_DOES)
        return !is_read_only_kind(r, (fvm_addr)fvm_get(r->vm, cfa + 4));
    return op == FVM_OP_VAR;
}

/* The words in the moves and drops lists of all pieces. */
static void enqueue_move_words(call_graph *r) {
    const fvm *vm = r->vm;
    fvm_addr pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count, 0);
    if (types > FVM_TYPE(-1)) /* more than a board cell can express: a script has overwritten it */
        types = FVM_TYPE(-1);
    for (fvm_cell i = 0; i < types && pieces != 0; i++)
        for (uint32_t field = 4; field <= 8; field += 4) {
            fvm_addr at = pieces + 16u * (uint32_t)i + field;
            if (fvm_in(vm, at, 4) && fvm_get(vm, at) != 0)
                enqueue(r, word_containing(r, (fvm_addr)fvm_get(vm, at)));
        }
}

/* --- independence of move words --------------------------------------------------- */

/* Engines are reachable through tables of the library, but a move word cannot run one. */
static bool is_engine(const call_graph *r, int32_t word) {
    return is_named(r, word, "$NegamaxMove") || is_named(r, word, "$UCTMove");
}

static bool all_pure(const call_graph *r) {
    for (int32_t i = 0; i < r->count; i++) {
        int op = fvm_opcode_at(r->vm, r->words[i] + 12);
        if (r->reached[i] && !is_move_primitive(r, i) &&
            (op < 0 || op == FVM_OP_HOST || op == FVM_OP_WORD_LIST ||
             (op < FVM_PRIMITIVES && (fvm_primitive_flags(op) & FVM_PRIM_PURE) == 0 &&
              !is_engine(r, i))))
            return false;
    }
    return true;
}

/* Whether a reached word reads something that depends on the list, such as HERE. */
static bool reads_move_list(const call_graph *r) {
    for (int32_t i = 0; i < r->count; i++) {
        int op = fvm_opcode_at(r->vm, r->words[i] + 12);
        if (r->reached[i] && (fvm_primitive_flags(op) & FVM_PRIM_READS_MOVE_LIST) != 0)
            return true;
    }
    return false;
}

static void enqueue_hook(call_graph *r, fvm_addr cfa) {
    if (cfa != 0)
        enqueue(r, word_containing(r, cfa));
}

/* Enqueues words whose tokens other words may store in memory that move words read: their addresses
 * are literals or data in the words of `sources`. */
static void enqueue_possible_targets(call_graph *r, const bool *sources) {
    const fvm *vm = r->vm;
    const fvm_cell literal = (fvm_cell)vm->primitives[FVM_OP_LIT];
    for (int32_t i = 0; i < r->count; i++) {
        if (!sources[i] || r->words[i] < r->library_end)
            continue;
        fvm_addr cfa = r->words[i] + 12, end = i + 1 < r->count ? r->words[i + 1] : r->end;
        bool code = fvm_opcode_at(vm, cfa) == FVM_OP_COLON;
        for (fvm_addr at = cfa + 4; at + 4 <= end && fvm_in(vm, at, 4); at += 4) {
            fvm_addr target = (fvm_addr)fvm_get(vm, at);
            int32_t word =
                !code || fvm_get(vm, at - 4) == literal ? word_containing(r, target) : -1;
            if (word >= 0 && target == r->words[word] + 12)
                enqueue(r, word);
        }
    }
}

/* Starts another analysis; returns the words reached by the last one, which the caller frees. */
static bool *restart(call_graph *r) {
    bool *reached = r->reached;
    r->reached = calloc((size_t)r->count, sizeof *r->reached);
    memset(r->visited, 0, r->visited_end / 32 + 1);
    r->queued = 0;
    return reached;
}

bool fvm_move_words_are_independent(fvm *vm) {
    const char *name = "axiomFence";
    call_graph r = {.vm = vm, .moves = true};
    r.library_end = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    bool result = false, *sources = NULL;
    if (r.library_end != 0 && vm->lib.on_generate == 0 &&
        fvm_lib_get(vm, vm->lib.priorities, 0) == 0 && collect(&r, vm)) {
        int32_t list = word_containing(&r, vm->lib.moves_list);
        /* OnNextTurn runs while the list exists. */
        enqueue_hook(&r, vm->lib.on_next_turn);
        result = follow(&r, list) && !reads_move_list(&r);
        enqueue_hook(&r, vm->lib.on_game_over);
        enqueue_hook(&r, vm->lib.on_evaluate);
        follow(&r, -1);
        sources = restart(&r);
        result = result && r.reached != NULL;
        if (result) {
            enqueue_move_words(&r);
            enqueue_possible_targets(&r, sources);
            result = follow(&r, list) && all_pure(&r);
        }
    }
    free(sources);
    free(r.words);
    free(r.reached);
    free(r.visited);
    free(r.queue);
    return result;
}

/* --- evaluation ------------------------------------------------------------------- */

bool fvm_evaluation_ignores_list(fvm *vm) {
    call_graph r = {.vm = vm};
    bool result = false, *evaluating = NULL;
    if (fvm_lib_get(vm, vm->lib.priorities, 0) == 0 && collect(&r, vm)) {
        const char *name = "axiomFence";
        r.library_end = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
        const fvm_addr evaluators[] = {vm->lib.on_game_over, vm->lib.on_evaluate,
                                       vm->lib.on_terminal};
        for (int i = 0; i < 3; i++)
            enqueue_hook(&r, evaluators[i]);
        result = r.library_end != 0 && follow(&r, word_containing(&r, vm->lib.moves_list));
        evaluating = restart(&r);
        result = result && r.reached != NULL;
        if (result) {
            enqueue_move_words(&r);
            follow(&r, -1);
            for (int32_t i = 0; i < r.count && result; i++)
                result = !(evaluating[i] && r.reached[i] && is_memory(&r, i));
        }
    }
    free(evaluating);
    free(r.words);
    free(r.reached);
    free(r.visited);
    free(r.queue);
    return result;
}
