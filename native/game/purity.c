/* purity.c: whether a script's judgement of a position depends on its list of moves, and whether
 * its move words depend on each other.
 *
 * At the end of a search a list is made only to be judged by.  If OnIsGameOver, OnEvaluate and
 * OnIsTerminal? ask no more of it than whether it is empty, and share no memory with the words that
 * make moves, a move or two are enough.  What they may call is found by following the cells of
 * their definitions: every cell that looks like an address in a word counts as a call of it, so
 * the answer errs on the careful side only.
 *
 * At random one move is as good as any other.  Where words that make moves change nothing but what
 * each of them finds set again, one of them may be run without the others (random_move.c). */
#include "game/purity.h"

#include "generated/ops.h"

#include <stdlib.h>

typedef struct {
    const fvm *vm;
    fvm_addr *words; /* headers, ascending */
    int32_t count;
    bool *seen;
    uint8_t *met; /* a bit per cell of memory: its word is known to be seen */
    fvm_addr met_end;
    fvm_addr end; /* of the last word */
    int32_t *waiting;
    int32_t waits;
    fvm_addr fence; /* the library's last word */
    bool moves;     /* words that make moves are followed: into no more than they run */
} reach;

static int ascending(const void *a, const void *b) {
    fvm_addr one = *(const fvm_addr *)a, two = *(const fvm_addr *)b;
    return one < two ? -1 : one > two;
}

enum { MOST_WORDS = 1 << 16 };

/* Lists of moves and copies of boards behind the last word are none of its cells.  They name the
 * boards they come from, and what happens to lie beside those: inside a search they would be called
 * by whatever word is the last. */
static fvm_addr end_of_words(const reach *r) {
    fvm_addr here = fvm_here(r->vm), lists = (fvm_addr)fvm_get(r->vm, FVM_K_TRANSIENT);
    return lists > r->words[r->count - 1] && lists < here ? lists : here;
}

static bool collect(reach *r, fvm *vm) {
    int32_t room = 0;
    for (fvm_addr nfa = fvm_latest(vm); nfa != 0; nfa = fvm_previous(vm, nfa)) {
        if (r->count == MOST_WORDS)
            return false;
        if (r->count == room) {
            room = room > 0 ? 2 * room : 1024;
            fvm_addr *more = realloc(r->words, (size_t)room * sizeof *more);
            if (more == NULL)
                return false;
            r->words = more;
        }
        r->words[r->count++] = nfa;
    }
    if (r->count == 0)
        return false;
    qsort(r->words, (size_t)r->count, sizeof *r->words, ascending);
    r->end = end_of_words(r);
    r->seen = calloc((size_t)r->count, sizeof *r->seen);
    r->waiting = malloc((size_t)r->count * sizeof *r->waiting);
    r->met_end = r->end < vm->size ? r->end : vm->size;
    r->met = calloc(r->met_end / 32 + 1, 1);
    return r->seen != NULL && r->waiting != NULL && r->met != NULL;
}

/* The word in whose memory an address lies, -1 if none. */
static int32_t word_around(const reach *r, fvm_addr addr) {
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

static void wait_for(reach *r, int32_t word) {
    if (word < 0 || r->seen[word])
        return;
    r->seen[word] = true;
    r->waiting[r->waits++] = word;
}

static bool is_named(const reach *r, int32_t word, const char *name) {
    char found[32]; /* longer than any name that is asked for */
    return fvm_name(r->vm, r->words[word], found, (int32_t)sizeof found) == (int32_t)strlen(name) &&
           memcmp(found, name, strlen(name)) == 0;
}

enum { BLOCK = 16 }; /* cells */

/* Whether some cell of a block lies in [low, low + span); tables of numbers have none. */
static bool some_name(const fvm *vm, fvm_addr at, fvm_addr low, uint32_t span) {
    uint32_t cells[BLOCK], some = 0;
    memcpy(cells, vm->mem + at, sizeof cells);
    for (int i = 0; i < BLOCK; i++)
        some |= cells[i] - low < span;
    return some != 0;
}

/* What the cells of a word may name.  Most name what others have named before. */
static void wait_for_named(reach *r, fvm_addr from, fvm_addr to) {
    const fvm *vm = r->vm;
    const fvm_addr low = r->words[0], end = r->end;
    for (fvm_addr at = from; at + 4 <= to && fvm_in(vm, at, 4); at += 4) {
        while (end > low && to - at >= 4 * BLOCK && fvm_in(vm, at, 4 * BLOCK) &&
               !some_name(vm, at, low, end - low))
            at += 4 * BLOCK;
        if (at + 4 > to || !fvm_in(vm, at, 4))
            return;
        fvm_addr named = (fvm_addr)fvm_get(vm, at);
        if (named < low || named >= end)
            continue;
        if (named % 4 == 0 && named < r->met_end) {
            uint8_t *met = &r->met[named / 32], bit = (uint8_t)(1u << (named / 4 % 8));
            if ((*met & bit) != 0)
                continue;
            *met |= bit;
        }
        wait_for(r, word_around(r, named));
    }
}

/* Words of the library that move words call all the time.  They change nothing but $pos, which
 * every move word finds set, and what the others do is done when the move is applied. */
static bool is_of_moves(const reach *r, int32_t word) {
    static const char *const names[] = {"to",           "back",    "verify",
                                        "$DoDirection", "partial", "(partial)"};
    for (size_t i = 0; r->words[word] <= r->fence && i < sizeof names / sizeof *names; i++)
        if (is_named(r, word, names[i]))
            return true;
    return false;
}

/* Where the cells of a word begin that it runs or reads.  What the library's makers do stands
 * behind their DOES>, and reads only. */
static fvm_addr first_cell(const reach *r, int32_t word) {
    fvm_addr cfa = r->words[word] + 12;
    bool made = r->moves && fvm_opcode_at(r->vm, cfa) == FVM_OP_DOES &&
                (fvm_addr)fvm_get(r->vm, cfa + 4) < r->fence;
    return cfa + (made ? 8 : 4);
}

/* Follows what waits; false where something looks into the list. */
static bool follow(reach *r, int32_t forbidden) {
    while (r->waits > 0) {
        int32_t word = r->waiting[--r->waits];
        if (word == forbidden)
            return false;
        if (!r->moves && forbidden >= 0 && r->words[word] <= r->fence &&
            is_named(r, word, "stalemate?"))
            continue; /* whether the list is empty: that much may be asked */
        if (r->moves && is_of_moves(r, word))
            continue;
        fvm_addr end = word + 1 < r->count ? r->words[word + 1] : r->end;
        wait_for_named(r, first_cell(r, word), end);
    }
    return true;
}

/* Whether a word made by DOES> only gives what never changes, or lies on the board. */
static bool is_harmless_kind(const reach *r, fvm_addr part) {
    static const char *const makers[] = {
        "CONSTANT",          "FCONSTANT",   "DEFER",
        "$MakeConstant",     "{direction}", "{variable}",
        "{array}",           "{carray}",    "$CreateDirectionFromString",
        "$RedefineDirection"};
    int32_t maker = word_around(r, part);
    for (size_t i = 0; maker >= 0 && i < sizeof makers / sizeof *makers; i++)
        if (is_named(r, maker, makers[i]))
            return true;
    return false;
}

/* Whether a word is memory that a move word could write and a judge read. */
static bool is_memory(const reach *r, int32_t word) {
    fvm_addr cfa = r->words[word] + 12;
    int op = fvm_opcode_at(r->vm, cfa);
    if (r->words[word] <= r->fence) /* the library's: what is about the move being made */
        return false;
    if (op == FVM_OP_DOES)
        return !is_harmless_kind(r, (fvm_addr)fvm_get(r->vm, cfa + 4));
    return op == FVM_OP_VAR;
}

/* The words in the moves and drops lists of all pieces. */
static void wait_for_moves(reach *r) {
    const fvm *vm = r->vm;
    fvm_addr pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count, 0);
    if (types > FVM_TYPE(-1)) /* a script wrote there: a cell of the board has no room for more */
        types = FVM_TYPE(-1);
    for (fvm_cell i = 0; i < types && pieces != 0; i++)
        for (uint32_t field = 4; field <= 8; field += 4) {
            fvm_addr at = pieces + 16u * (uint32_t)i + field;
            if (fvm_in(vm, at, 4) && fvm_get(vm, at) != 0)
                wait_for(r, word_around(r, (fvm_addr)fvm_get(vm, at)));
        }
}

/* --- move words each for itself --------------------------------------------------- */

/* Tables of the library name the engines; a move word cannot run one. */
static bool is_engine(const reach *r, int32_t word) {
    return is_named(r, word, "$NegamaxMove") || is_named(r, word, "$UCTMove");
}

static bool all_stand_alone(const reach *r) {
    for (int32_t i = 0; i < r->count; i++) {
        int op = fvm_opcode_at(r->vm, r->words[i] + 12);
        if (r->seen[i] && !is_of_moves(r, i) &&
            (op < 0 || op == FVM_OP_HOST || op == FVM_OP_WORD_LIST ||
             (op < FVM_PRIMITIVES && (fvm_primitive_flags(op) & FVM_PRIM_PURE) == 0 &&
              !is_engine(r, i))))
            return false;
    }
    return true;
}

/* Whether something asks where memory ends: that depends on how long the list is. */
static bool reads_move_list(const reach *r) {
    for (int32_t i = 0; i < r->count; i++) {
        int op = fvm_opcode_at(r->vm, r->words[i] + 12);
        if (r->seen[i] && (fvm_primitive_flags(op) & FVM_PRIM_READS_MOVE_LIST) != 0)
            return true;
    }
    return false;
}

static void wait_for_event(reach *r, fvm_addr cfa) {
    if (cfa != 0)
        wait_for(r, word_around(r, cfa));
}

/* Words that others may put where words that make moves take them from: those whose addresses are
 * literals or lie in data. */
static void wait_for_given(reach *r, const bool *givers) {
    const fvm *vm = r->vm;
    const fvm_cell literal = (fvm_cell)vm->primitives[FVM_OP_LIT];
    for (int32_t i = 0; i < r->count; i++) {
        if (!givers[i] || r->words[i] < r->fence)
            continue;
        fvm_addr cfa = r->words[i] + 12, end = i + 1 < r->count ? r->words[i + 1] : r->end;
        bool code = fvm_opcode_at(vm, cfa) == FVM_OP_COLON;
        for (fvm_addr at = cfa + 4; at + 4 <= end && fvm_in(vm, at, 4); at += 4) {
            fvm_addr given = (fvm_addr)fvm_get(vm, at);
            int32_t word = !code || fvm_get(vm, at - 4) == literal ? word_around(r, given) : -1;
            if (word >= 0 && given == r->words[word] + 12)
                wait_for(r, word);
        }
    }
}

/* Begins anew; what was seen is the caller's now. */
static bool *begin_again(reach *r) {
    bool *seen = r->seen;
    r->seen = calloc((size_t)r->count, sizeof *r->seen);
    memset(r->met, 0, r->met_end / 32 + 1);
    r->waits = 0;
    return seen;
}

bool fvm_move_words_are_independent(fvm *vm) {
    const char *name = "axiomFence";
    reach r = {.vm = vm, .moves = true};
    r.fence = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    bool answer = false, *givers = NULL;
    if (r.fence != 0 && vm->lib.on_generate == 0 && fvm_lib_get(vm, vm->lib.priorities, 0) == 0 &&
        collect(&r, vm)) {
        int32_t list = word_around(&r, vm->lib.moves_list);
        /* The next turn begins with the list still there. */
        wait_for_event(&r, vm->lib.on_next_turn);
        answer = follow(&r, list) && !reads_move_list(&r);
        wait_for_event(&r, vm->lib.on_game_over);
        wait_for_event(&r, vm->lib.on_evaluate);
        follow(&r, -1);
        givers = begin_again(&r);
        answer = answer && r.seen != NULL;
        if (answer) {
            wait_for_moves(&r);
            wait_for_given(&r, givers);
            answer = follow(&r, list) && all_stand_alone(&r);
        }
    }
    free(givers);
    free(r.words);
    free(r.seen);
    free(r.met);
    free(r.waiting);
    return answer;
}

/* --- judges ----------------------------------------------------------------------- */

bool fvm_evaluation_ignores_list(fvm *vm) {
    reach r = {.vm = vm};
    bool answer = false, *judged = NULL;
    if (fvm_lib_get(vm, vm->lib.priorities, 0) == 0 && collect(&r, vm)) {
        const char *name = "axiomFence";
        r.fence = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
        const fvm_addr judges[] = {vm->lib.on_game_over, vm->lib.on_evaluate, vm->lib.on_terminal};
        for (int i = 0; i < 3; i++)
            wait_for_event(&r, judges[i]);
        answer = r.fence != 0 && follow(&r, word_around(&r, vm->lib.moves_list));
        judged = begin_again(&r);
        answer = answer && r.seen != NULL;
        if (answer) {
            wait_for_moves(&r);
            follow(&r, -1);
            for (int32_t i = 0; i < r.count && answer; i++)
                answer = !(judged[i] && r.seen[i] && is_memory(&r, i));
        }
    }
    free(judged);
    free(r.words);
    free(r.seen);
    free(r.met);
    free(r.waiting);
    return answer;
}
