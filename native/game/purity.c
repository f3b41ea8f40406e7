/* purity.c: the purity analysis of the words that the host and searches run.
 *
 * It owns the facts about all words reachable from some roots (call_graph.c), which it computes
 * from the flags in primitives.def.  It must not know its users.  It decides two questions:
 *
 * 1. Does evaluation ignore the list?  It does if OnIsGameOver, OnEvaluate and OnIsTerminal? only
 * check whether the list is empty, and read no memory that move words write.  Then a search needs
 * only one or two moves of the list at its horizon.
 *
 * 2. Are the records of moves unread?  They are if no word that the host or a search runs between
 * two generations, and no move word, has the address of a list or of memory at HERE.  Then a search
 * at level 140 need not make the texts of its moves.
 *
 * The first answer is no if priorities or OnMovesGenerated remove moves from the complete list. For
 * OnIsGameOver alone, priorities may do so: a random move is drawn from the moves that are left. */
#include "game/purity.h"
#include "game/call_graph.h"
#include "game/list_effects.h"
#include "vm/decode.h"

/* Facts about a set of reachable words. */
typedef struct {
    bool pure;            /* the words change only the stacks and the move under construction */
    bool names_list;      /* $movesList is reachable */
    bool reads_move_list; /* $movesList, or a primitive that reads the list, is reachable */
    bool calls_host;      /* a word of the host is reachable */
} word_facts;

static word_facts facts_of(const fvm_reachable *r) {
    const fvm_call_graph *graph = r->graph;
    const int32_t list = fvm_word_containing(graph, graph->vm->lib.moves_list);
    const bool named = list >= 0 && r->reached[list];
    word_facts facts = {.pure = true, .names_list = named, .reads_move_list = named};
    for (int32_t i = 0; i < graph->count; i++) {
        if (!r->reached[i])
            continue;
        const int op = fvm_opcode_at(graph->vm, fvm_code_field(graph, i));
        const int flags = fvm_primitive_flags(op);
        if (op < 0 || op == FVM_OP_HOST || op == FVM_OP_WORD_LIST ||
            (op < FVM_PRIMITIVES && (flags & FVM_PRIM_PURE) == 0))
            facts.pure = false;
        if (op == FVM_OP_HOST)
            facts.calls_host = true;
        if ((flags & FVM_PRIM_READS_MOVE_LIST) != 0)
            facts.reads_move_list = true;
    }
    return facts;
}

/* Library words that the analysis does not follow: $board and $playerName contain addresses of data
 * that no word executes; players' records contain engines, which only the host runs. */
#define DATA_OR_ENGINES                                                                            \
    "$board", "$playerName", "$NegamaxMove", "$UCTMove", "$RandomMoveEngine", NULL

/* Adds the words in the moves and drops lists of all pieces. */
static void add_move_words(fvm_reachable *r) {
    const fvm *vm = r->graph->vm;
    for (fvm_cell i = 0; i < fvm_word_lists(vm); i++)
        fvm_reachable_add(r, fvm_word_list(vm, i));
}

/* --- queries of reachable words ------------------------------------------------------- */

static bool reaches(const fvm_reachable *r, fvm_addr variable) {
    const int32_t word = variable != 0 ? fvm_word_containing(r->graph, variable) : -1;
    return word >= 0 && r->reached[word];
}

/* Whether a cell of a word contains a token. */
static bool contains(const fvm_call_graph *graph, int32_t word, fvm_addr token) {
    const fvm_addr end = fvm_end_of_word(graph, word);
    for (fvm_addr at = fvm_code_field(graph, word) + 4; at + 4 <= end && fvm_in(graph->vm, at, 4);
         at += 4)
        if ((fvm_addr)fvm_get(graph->vm, at) == token)
            return true;
    return false;
}

/* Whether a reached word contains the token of `word`, or was defined by it with DOES>. */
static bool may_run(const fvm_reachable *r, int32_t word) {
    const fvm_call_graph *graph = r->graph;
    const fvm_addr token = fvm_code_field(graph, word);
    for (int32_t i = 0; i < graph->count; i++) {
        if (!r->reached[i])
            continue;
        if (contains(graph, i, token) || fvm_defining_word(graph, i) == word)
            return true;
    }
    return false;
}

/* Whether HERE or DP may run.  A definition seems to be reached, too, if only the data after it
 * are: a word that lays down data at HERE contains them, if it was the newest word. */
static bool may_use_here(const fvm_reachable *r, const fvm_addr *roots, size_t count) {
    const fvm_call_graph *graph = r->graph;
    const fvm_addr *const words = graph->vm->primitives;
    for (int32_t i = 0; i < graph->count; i++) {
        const fvm_addr cfa = fvm_code_field(graph, i);
        if (!r->reached[i] ||
            !(contains(graph, i, words[FVM_OP_HERE]) || contains(graph, i, words[FVM_OP_DP])))
            continue;
        if (fvm_opcode_at(graph->vm, cfa) != FVM_OP_COLON || may_run(r, i))
            return true;
        for (size_t k = 0; k < count; k++)
            if (roots[k] == cfa)
                return true;
    }
    return false;
}

/* --- evaluation ------------------------------------------------------------------- */

/* stalemate? only checks whether the list is empty. */
static const char *const harmless_in_evaluation[] = {"stalemate?", DATA_OR_ENGINES};
static const char *const harmless_if_type_is_known[] = {"stalemate?", "$FirstMove",
                                                        DATA_OR_ENGINES};
static const char *const no_names[] = {NULL};

/* The defining words of words that only return constants or contents of the board. */
static const char *const makers_of_constants[] = {"CONSTANT",
                                                  "FCONSTANT",
                                                  "DEFER",
                                                  "$MakeConstant",
                                                  "{direction}",
                                                  "{variable}",
                                                  "{array}",
                                                  "{carray}",
                                                  "$CreateDirectionFromString",
                                                  "$RedefineDirection",
                                                  NULL};

/* Whether a word is memory that a move word could write and an evaluation could read.  Variables of
 * the library do not count, because they are set for each move, nor does scratch memory. */
static bool is_memory(const fvm_call_graph *graph, int32_t word) {
    const fvm_addr cfa = fvm_code_field(graph, word);
    const int op = fvm_opcode_at(graph->vm, cfa);
    if (fvm_in_library(graph, word) || fvm_scratch_end(&graph->scratch, cfa) != cfa)
        return false;
    if (op == FVM_OP_DOES)
        return !fvm_is_made_by(graph, word, makers_of_constants);
    return op == FVM_OP_VAR;
}

/* Whether a variable or an array of the board is reachable in both sets. */
static bool share_board(const fvm_reachable *a, const fvm_reachable *b) {
    static const char *const makers[] = {"{variable}", "{array}", "{carray}", NULL};
    for (int32_t i = 0; i < a->graph->count; i++)
        if (a->reached[i] && b->reached[i] && fvm_is_made_by(a->graph, i, makers))
            return true;
    return false;
}

/* Whether variables of the library that the last move of a list leaves are reachable. */
static bool reads_last_move(const fvm_reachable *r) {
    const fvm_library *lib = &r->graph->vm->lib;
    return reaches(r, lib->passed) || reaches(r, lib->last_pos) || reaches(r, lib->context) ||
           reaches(r, lib->changed_to);
}

/* Whether a variable of the script is reachable in both sets. */
static bool share_memory(const fvm_reachable *a, const fvm_reachable *b) {
    for (int32_t i = 0; i < a->graph->count; i++)
        if (a->reached[i] && b->reached[i] && is_memory(a->graph, i))
            return true;
    return false;
}

/* Whether every move word in a list has the move type *type, which is -1 before the first word. */
static bool list_has_type(const fvm *vm, fvm_addr list, fvm_cell *type) {
    if (list == 0)
        return true;
    if (!fvm_in(vm, list, 8) || (uint32_t)fvm_get(vm, list) != (FVM_CODE_TAG | FVM_OP_VAR))
        return false;
    const fvm_cell count = fvm_get(vm, list + 4);
    for (fvm_cell i = 0; i < count; i++) {
        const fvm_addr pair = list + 8 + 8u * (uint32_t)i; /* a move word and its type */
        if (!fvm_in(vm, pair, 8) || (*type != -1 && fvm_get(vm, pair + 4) != *type))
            return false;
        *type = fvm_get(vm, pair + 4);
    }
    return true;
}

/* Whether all move words of all pieces have the same move type. */
static bool moves_have_one_type(const fvm *vm) {
    fvm_cell type = -1;
    for (fvm_cell i = 0; i < fvm_word_lists(vm); i++)
        if (!list_has_type(vm, fvm_word_list(vm, i), &type))
            return false;
    return true;
}

/* Whether the reached words of the script use $FirstMove only in `$FirstMove .moveType @`. */
static bool reads_only_first_type(const fvm_reachable *r) {
    const fvm_call_graph *graph = r->graph;
    const fvm *vm = graph->vm;
    const fvm_addr first = fvm_find_in(vm, FVM_K_FORTH, "$FirstMove", 10),
                   type = fvm_find_in(vm, FVM_K_FORTH, ".moveType", 9);
    const int32_t word = first != 0 ? fvm_word_containing(graph, first) : -1;
    if (word < 0 || type == 0)
        return false;
    for (int32_t i = 0; i < graph->count; i++) {
        if (!r->reached[i])
            continue;
        const fvm_addr end = fvm_end_of_word(graph, i);
        for (fvm_addr at = fvm_code_field(graph, i); at + 4 <= end && fvm_in(vm, at, 4); at += 4) {
            if (fvm_word_containing(graph, (fvm_addr)fvm_get(vm, at)) != word)
                continue;
            if ((fvm_addr)fvm_get(vm, at) != first + FVM_HEADER_BYTES || !fvm_in(vm, at, 12) ||
                (fvm_addr)fvm_get(vm, at + 4) != type + FVM_HEADER_BYTES ||
                (fvm_addr)fvm_get(vm, at + 8) != vm->primitives[FVM_OP_FETCH])
                return false;
        }
    }
    return true;
}

/* Whether the words reachable from `roots` reach $movesList. */
static bool names_list(fvm_reachable *words, const fvm_addr *roots, int count) {
    for (int i = 0; i < count; i++)
        fvm_reachable_add(words, roots[i]);
    fvm_reachable_follow(words, words->graph->vm->lib.moves_list);
    return facts_of(words).names_list;
}

/* Whether the words reachable from `roots` only check whether the list is empty, and read no memory
 * that move words write.  type_is_known: they may also read the type of the first move. */
static bool ignore_list(fvm *vm, const fvm_addr *roots, int count, bool type_is_known) {
    fvm_call_graph graph = {.vm = vm};
    fvm_reachable evaluation = {.graph = NULL}, moves = {.graph = NULL};
    bool result = vm->lib.on_generated == 0 && fvm_call_graph_open(&graph, vm) &&
                  fvm_reachable_begin(
                      &evaluation, &graph,
                      type_is_known ? harmless_if_type_is_known : harmless_in_evaluation, true) &&
                  fvm_reachable_begin(&moves, &graph, no_names, false) &&
                  !names_list(&evaluation, roots, count) && !reads_last_move(&evaluation) &&
                  !may_use_here(&evaluation, roots, (size_t)count) &&
                  (!type_is_known || reads_only_first_type(&evaluation));
    if (result) {
        add_move_words(&moves);
        fvm_reachable_follow(&moves, 0);
        result = !share_memory(&evaluation, &moves) &&
                 (!share_board(&evaluation, &moves) || fvm_move_words_leave_boards(vm));
    }
    fvm_reachable_end(&evaluation);
    fvm_reachable_end(&moves);
    fvm_call_graph_close(&graph);
    return result;
}

/* Whether OnNextTurn or OnFriends? may read memory of the script that move words may write. */
static bool turns_share_memory(fvm *vm) {
    fvm_call_graph graph = {.vm = vm};
    fvm_reachable turns = {.graph = NULL}, moves = {.graph = NULL};
    bool result = true;
    if (fvm_call_graph_open(&graph, vm) &&
        fvm_reachable_begin(&turns, &graph, harmless_in_evaluation, true) &&
        fvm_reachable_begin(&moves, &graph, no_names, false)) {
        fvm_reachable_add(&turns, vm->lib.on_next_turn);
        fvm_reachable_add(&turns, vm->lib.on_friends);
        fvm_reachable_follow(&turns, 0);
        add_move_words(&moves);
        fvm_reachable_follow(&moves, 0);
        result = share_memory(&turns, &moves);
    }
    fvm_reachable_end(&turns);
    fvm_reachable_end(&moves);
    fvm_call_graph_close(&graph);
    return result;
}

bool fvm_evaluation_ignores_list(fvm *vm) {
    const fvm_addr roots[] = {vm->lib.on_game_over, vm->lib.on_evaluate, vm->lib.on_terminal};
    return fvm_lib_get(vm, vm->lib.priorities, 0) == 0 && ignore_list(vm, roots, 3, false) &&
           (!turns_share_memory(vm) || fvm_move_words_leave_nothing(vm));
}

bool fvm_game_over_ignores_list(fvm *vm) {
    const fvm_addr root = vm->lib.on_game_over;
    return ignore_list(vm, &root, 1, moves_have_one_type(vm));
}

/* --- records of moves ------------------------------------------------------------- */

/* These words read the number of moves only; reads_only_first_type checks the use of $FirstMove. */
static const char *const harmless_readers[] = {"stalemate?", "move-count", "$FirstMove",
                                               DATA_OR_ENGINES};

bool fvm_texts_are_unread(fvm *vm) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr hooks[] = {lib->on_generate, lib->on_generated, lib->on_game_over,
                              lib->on_evaluate, lib->on_terminal,  lib->on_make,
                              lib->on_retract,  lib->on_next_turn, lib->on_friends};
    const size_t count = sizeof hooks / sizeof *hooks;
    fvm_call_graph graph = {.vm = vm};
    fvm_reachable words = {.graph = NULL};
    bool result = vm->records_have_texts && fvm_call_graph_open(&graph, vm) &&
                  fvm_reachable_begin(&words, &graph, harmless_readers, true);
    if (result) {
        for (size_t i = 0; i < count; i++)
            fvm_reachable_add(&words, hooks[i]);
        add_move_words(&words);
        fvm_reachable_follow(&words, lib->moves_list);
        const word_facts facts = facts_of(&words);
        result = !facts.names_list && !facts.calls_host && !reaches(&words, lib->move_addr) &&
                 !reaches(&words, lib->move_string) && reads_only_first_type(&words) &&
                 !may_use_here(&words, hooks, count);
    }
    fvm_reachable_end(&words);
    fvm_call_graph_close(&graph);
    return result;
}
