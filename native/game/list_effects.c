/* list_effects.c: whether a script can observe that a list is incomplete.
 *
 * It owns two questions about a script: what do the hooks read of the list, and do move words leave
 * anything that is read later?  A move word may write a variable of the script if nothing reads the
 * value later: every word that the host runs (move words, hooks, words compiled into moves) writes
 * the variable before it reads it (word_flow.c).  Everything that the analysis does not understand
 * counts as observed.
 *
 * Memory that a script declares as scratch memory needs no proof.  It must not know who generates
 * incomplete lists. */
#include "game/list_effects.h"
#include "game/word_flow.h"
#include "vm/decode.h"

#include "generated/ops.h"

#include <stdlib.h>

/* Library words that the call graph does not follow: $board and $playerName contain addresses of
 * data that no word executes; players' records contain engines, which only the host runs. */
#define DATA_OR_ENGINES                                                                            \
    "$board", "$playerName", "$NegamaxMove", "$UCTMove", "$RandomMoveEngine", NULL

enum { MAX_WORDS = 128 }; /* the constant `#Moves` of the library */

static const char *const data_or_engines[] = {DATA_OR_ENGINES};
/* The words by which hooks read the list in a known way. */
static const char *const known_readers[] = {"stalemate?", "move-count", DATA_OR_ENGINES};

typedef struct {
    fvm *vm;
    fvm_flow flow;
    fvm_reachable moves; /* words that move words may reach */
    fvm_reachable hooks; /* words that the host runs otherwise */
    bool *executed;      /* per word: move words may execute it */
    bool *tokens;        /* per word: EXECUTE in a move word may execute it */
    bool *touched;       /* per word: move words may read this memory of the script */
    bool *applied;       /* per word: moves may contain it */
    bool *roots;         /* per word: it is a move word */
    int32_t *queue;
    int32_t queued;
    bool executes_tokens; /* a move word calls EXECUTE */
    bool compiles_tokens; /* moves may contain any of `tokens` */
    bool changes;         /* a move word changes the type or the owner of a piece */
    bool passes;          /* a move word may add a pass */
    bool impure;          /* move words may change other memory than variables of the script */
} analysis;

/* Whether a word is memory of the script: a variable, an array, data in the board. */
static bool is_memory(const fvm_flow *f, int32_t word) {
    const int op = fvm_opcode_at(f->graph.vm, fvm_code_field(&f->graph, word));
    return !fvm_in_library(&f->graph, word) &&
           (op == FVM_OP_VAR || (op == FVM_OP_DOES && !fvm_is_constant_word(f, word) &&
                                 fvm_deferred_word(f, word) < 0));
}

/* --- what move words do ------------------------------------------------------------- */

static void execute(analysis *a, int32_t word) {
    if (word < 0) {
        a->impure = true;
    } else if (!a->executed[word]) {
        a->executed[word] = true;
        a->queue[a->queued++] = word;
    }
}

/* The data of a word may be read. */
static void touch(analysis *a, int32_t word) {
    const fvm_flow *f = &a->flow;
    const fvm_addr cfa = fvm_code_field(&f->graph, word);
    const int32_t token =
        fvm_is_constant_word(f, word) ? fvm_word_of_token(f, fvm_get(a->vm, cfa + 8)) : -1;
    a->touched[word] |= is_memory(f, word);
    if (token >= 0)
        a->tokens[token] = true;
}

/* A variable of the script is written. */
static void write_variable(analysis *a, int32_t word) {
    fvm_flow *f = &a->flow;
    if (f->number[word] >= 0)
        return;
    if (fvm_in_library(&f->graph, word) || f->count == FVM_FLOW_VARIABLES) {
        a->impure = true;
        return;
    }
    f->words[f->count] = word;
    f->number[word] = (int8_t)f->count++;
}

/* Adds the effects of running a primitive. */
static void run_primitive(analysis *a, int32_t word, int op) {
    const fvm_flow *f = &a->flow;
    char name[16];
    fvm_name(f->graph.vm, f->graph.words[word], name, (int32_t)sizeof name);
    if (f->kind[word] == FVM_WORD_EXECUTE)
        a->executes_tokens = true;
    else if (strcmp(name, ",") == 0)
        a->compiles_tokens = true; /* appends to the code of the move under construction */
    else if (strncmp(name, "change-", 7) == 0)
        a->changes = true;
    else if ((fvm_primitive_flags(op) & FVM_PRIM_PURE) == 0 && op != FVM_OP_HERE &&
             op != FVM_OP_F_FETCH && name[0] != '^') /* appends to the text of the same move */
        a->impure = true;
}

/* Adds the effects of an instruction of a move word. */
static void run_step(analysis *a, const fvm_step *step) {
    const fvm_flow *f = &a->flow;
    int32_t token = -1;
    switch (step->op) {
    case FVM_OP_LIT:
        if ((token = fvm_word_of_token(f, step->operand)) >= 0)
            a->tokens[token] = true;
        break;
    case FVM_OP_COMPILE:
        if ((token = fvm_word_of_token(f, step->operand)) >= 0)
            a->applied[token] = true;
        a->compiles_tokens |= token >= 0 && f->kind[token] == FVM_WORD_EXECUTE;
        break;
    case FVM_OP_VAR:
        if (step->use == FVM_USE_WRITE || step->use == FVM_USE_UPDATE)
            write_variable(a, step->word);
        touch(a, step->word);
        break;
    default:
        execute(a, step->word);
    }
}

static void run_definition(analysis *a, int32_t word) {
    fvm_code code;
    if (!fvm_code_open(&code, &a->flow, word)) {
        a->impure = true;
        return;
    }
    for (fvm_addr at = code.start; at < code.end && !a->impure;) {
        const fvm_step step = fvm_code_step(&code, at);
        run_step(a, &step);
        at = step.next;
    }
}

static void run_word(analysis *a, int32_t word) {
    const fvm_flow *f = &a->flow;
    const int op = fvm_opcode_at(a->vm, fvm_code_field(&f->graph, word));
    const fvm_word_kind kind = (fvm_word_kind)f->kind[word];
    if (kind == FVM_WORD_PASS)
        a->passes = true;
    else if (kind == FVM_WORD_STORE || kind == FVM_WORD_PRINT || kind == FVM_WORD_LIBRARY)
        a->impure = true;
    else if (kind != FVM_WORD_ORDINARY && kind != FVM_WORD_EXECUTE)
        return;
    else if (op >= 0 && op < FVM_PRIMITIVES)
        run_primitive(a, word, op);
    else if (op == FVM_OP_COLON)
        run_definition(a, word);
    else if (op == FVM_OP_DOES && !fvm_is_constant_word(f, word) && !fvm_is_array_word(f, word))
        execute(a, fvm_deferred_word(f, word));
    else if (op == FVM_OP_DOES || op == FVM_OP_VAR)
        touch(a, word);
    else
        a->impure = true;
}

static bool share_memory(const fvm_flow *f, const fvm_reachable *a, const fvm_reachable *b) {
    for (int32_t i = 0; i < f->graph.count; i++)
        if (a->reached[i] && b->reached[i] && is_memory(f, i))
            return true;
    return false;
}

/* Marks the words whose tokens a word contains.  In data it also marks, as `touched`, the memory of
 * the script to which the data points. */
static bool add_tokens(analysis *a, int32_t word) {
    const fvm_flow *f = &a->flow;
    const fvm_addr cfa = fvm_code_field(&f->graph, word), end = fvm_end_of_word(&f->graph, word);
    const bool code = fvm_opcode_at(a->vm, cfa) == FVM_OP_COLON;
    const fvm_addr engines = (fvm_addr)fvm_lib_get(a->vm, a->vm->lib.engines, 0);
    bool touches = false;
    for (fvm_addr at = cfa + 4; at + 4 <= end && fvm_in(a->vm, at, 4); at += 4) {
        const fvm_addr target = (fvm_addr)fvm_get(a->vm, at);
        const int32_t found = fvm_word_containing(&f->graph, target);
        if (found < 0 || at - engines < 4 * FVM_MAX_PLAYERS || /* only the host runs engines */
            (code && fvm_opcode_at(a->vm, (fvm_addr)fvm_get(a->vm, at - 4)) != FVM_OP_LIT))
            continue;
        if (target == fvm_code_field(&f->graph, found)) {
            a->tokens[found] = true;
        } else if (!code && !a->touched[found] && is_memory(f, found)) {
            a->touched[found] = touches = true;
        }
    }
    return touches;
}

/* Marks the tokens that move words may have read from memory: those in the memory that they touch,
 * and if hooks may write this memory, also those in hooks. */
static void add_stored_tokens(analysis *a) {
    const int32_t count = a->flow.graph.count;
    bool shared = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < count; i++)
            changed |= a->touched[i] && add_tokens(a, i);
    }
    for (int32_t i = 0; i < count; i++)
        shared |= a->touched[i] && a->hooks.reached[i];
    for (int32_t i = 0; i < count && shared; i++)
        if (a->hooks.reached[i] && !fvm_in_library(&a->flow.graph, i))
            add_tokens(a, i);
}

/* Marks the words in the moves and drops lists of all pieces. */
static void find_move_words(analysis *a) {
    const fvm *vm = a->vm;
    const fvm_addr pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces, 0);
    fvm_cell types = fvm_lib_get(vm, vm->lib.piece_count, 0);
    if (types > FVM_TYPE(-1)) /* a script has overwritten the number */
        types = FVM_TYPE(-1); /* the largest type in a board cell */
    for (fvm_cell i = 0; i < 2 * types && pieces != 0; i++) {
        const fvm_addr at = pieces + FVM_PIECE_BYTES * (uint32_t)(i / 2) +
                            (i % 2 == 0 ? FVM_FIELD_MOVES : FVM_FIELD_DROPS);
        const fvm_addr list = fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
        if (list == 0)
            continue;
        const bool usual = fvm_in(vm, list, 8 + 8 * MAX_WORDS) &&
                           fvm_opcode_at(vm, list) == FVM_OP_VAR && fvm_get(vm, list + 4) >= 0 &&
                           fvm_get(vm, list + 4) <= MAX_WORDS;
        a->impure |= !usual;
        for (int32_t k = 0; usual && k < fvm_get(vm, list + 4); k++) {
            const int32_t word =
                fvm_word_of_token(&a->flow, fvm_get(vm, list + 8 + 8u * (uint32_t)k));
            if (word >= 0)
                a->roots[word] = true;
            else
                a->impure = true;
        }
    }
}

/* Executes marked words; returns whether there is a new one. */
static bool execute_all(analysis *a, const bool *marked) {
    const int32_t before = a->queued;
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        if (marked[i])
            execute(a, i);
    return a->queued > before;
}

/* Follows everything that move words may execute. */
static void run_move_words(analysis *a) {
    execute_all(a, a->roots);
    do {
        while (a->queued > 0 && !a->impure)
            run_word(a, a->queue[--a->queued]);
        if (a->impure || !a->executes_tokens)
            return;
        add_stored_tokens(a);
    } while (execute_all(a, a->tokens));
}

/* --- whether anything reads it later ------------------------------------------------ */

/* The variables that a hook may read before it writes them. */
static fvm_variables exposed_by(const analysis *a, fvm_addr cfa) {
    const int32_t word = cfa != 0 ? fvm_word_of_token(&a->flow, (fvm_cell)cfa) : -1;
    return word >= 0 ? a->flow.flow[word].exposed : cfa != 0 ? ~(fvm_variables)0 : 0;
}

/* Whether the values that move words leave in variables of the script are never read. */
static bool variables_are_transient(analysis *a) {
    fvm_flow *f = &a->flow;
    const fvm_library *lib = &a->vm->lib;
    if (f->count == 0)
        return true;
    /* From here on, `moves` contains all words, and `tokens` all tokens. */
    fvm_reachable *all = &a->moves;
    const fvm_addr hooks[] = {lib->on_game_over,  lib->on_evaluate,  lib->on_terminal,
                              lib->on_next_turn,  lib->on_retract,   lib->on_friends,
                              lib->on_generate,   lib->on_make,      lib->on_search,
                              lib->on_new_game,   lib->on_terminate, lib->on_edit_add,
                              lib->on_edit_remove};
    enum { HOOKS = sizeof hooks / sizeof *hooks };
    for (int i = 0; i < HOOKS; i++)
        fvm_reachable_add(all, hooks[i]);
    fvm_reachable_follow(all, 0);
    bool *applied_tokens = a->executed; /* no longer needed for its first purpose */
    memcpy(applied_tokens, a->tokens, (size_t)f->graph.count * sizeof *applied_tokens);
    for (int32_t i = 0; i < f->graph.count; i++)
        if (all->reached[i])
            add_tokens(a, i);
    fvm_flow_compute(f, all->reached, a->tokens);
    fvm_variables read = fvm_flow_escaped(f, all->reached);
    for (int i = 0; i < HOOKS; i++)
        read |= exposed_by(a, hooks[i]);
    for (int32_t i = 0; i < f->graph.count; i++)
        if (a->roots[i] || a->applied[i] || (a->compiles_tokens && applied_tokens[i]))
            read |= f->flow[i].exposed;
    return (read & (((fvm_variables)1 << f->count) - 1)) == 0;
}

/* Whether words read variables in which the kernel keeps the last edit of a list. */
static bool read_last_edit(const analysis *a) {
    const fvm_library *lib = &a->vm->lib;
    const fvm_addr variables[] = {lib->last_pos, lib->context, lib->changed_to};
    for (int i = 0; i < 3; i++) {
        const int32_t word =
            variables[i] != 0 ? fvm_word_containing(&a->flow.graph, variables[i]) : -1;
        if (word >= 0 && (a->moves.reached[word] || a->hooks.reached[word]))
            return true;
    }
    return false;
}

/* Whether hooks may read $passed where move words or an omitted generation change it. */
static bool reads_passed(const analysis *a) {
    const fvm *vm = a->vm;
    const int32_t passed = fvm_word_containing(&a->flow.graph, vm->lib.passed);
    return (a->passes || fvm_lib_get(vm, vm->lib.pass_forced, 0) != 0) && passed >= 0 &&
           a->hooks.reached[passed];
}

/* Whether move words leave nothing that is read later, except `from`, `here` and the current piece
 * as they are after a scan of the whole board.  `moves` and `hooks` have been followed. */
static bool leave_nothing(analysis *a) {
    const fvm *vm = a->vm;
    const fvm_addr add_move = vm->primitives[FVM_OP_ADD_MOVE];
    if (reads_passed(a) || read_last_edit(a) ||
        (a->passes && !vm->records_have_texts &&
         (fvm_addr)fvm_lib_get(vm, vm->lib.add_move, (fvm_cell)add_move) != add_move))
        return false;
    return a->flow.graph.scratch.count > 0 || (!a->impure && variables_are_transient(a));
}

/* --- what hooks read of the list ---------------------------------------------------- */

/* Whether the cell at an address, and the cell after it if there is one, call a word that only
 * distinguishes 0 from other numbers. */
static bool only_tests_for_zero(const fvm *vm, fvm_addr at) {
    const fvm_instruction test = fvm_decode(vm, at);
    if (test.op == FVM_OP_LIT && test.operand == 0) {
        const int op = fvm_decode(vm, at + 8).op;
        return op == FVM_OP_EQ || op == FVM_OP_NE || op == FVM_OP_GT;
    }
    return test.op == FVM_OP_ZEQ || test.op == FVM_OP_ZNE || test.op == FVM_OP_ZGT ||
           test.op == FVM_OP_NOT || test.op == FVM_OP_ZBRANCH;
}

/* What the cells of a word read of the list by calling the words that known_readers names. */
static fvm_list_use use_by_known_words(const analysis *a, int32_t word) {
    const fvm_call_graph *graph = &a->flow.graph;
    const fvm_addr end = fvm_end_of_word(graph, word);
    fvm_list_use use = FVM_LIST_UNREAD;
    for (fvm_addr at = fvm_code_field(graph, word) + 4; at + 4 <= end && fvm_in(a->vm, at, 4);
         at += 4) {
        const int32_t called = fvm_word_of_token(&a->flow, fvm_get(a->vm, at));
        if (called < 0 || !fvm_in_library(graph, called))
            continue;
        if (fvm_word_is_named(graph, called, "stalemate?"))
            use = FVM_LIST_EMPTINESS;
        else if (fvm_word_is_named(graph, called, "move-count")) {
            if (!only_tests_for_zero(a->vm, at + 4))
                return FVM_LIST_CONTENTS;
            use = FVM_LIST_EMPTINESS;
        }
    }
    return use;
}

/* What the hooks of a position read of the list.  hooks: the words they reach. */
static fvm_list_use use_by_hooks(const analysis *a, const fvm_reachable *hooks) {
    const fvm_call_graph *graph = &a->flow.graph;
    const int32_t list = fvm_word_containing(graph, a->vm->lib.moves_list);
    fvm_list_use use = FVM_LIST_UNREAD;
    for (int32_t i = 0; i < graph->count && use != FVM_LIST_CONTENTS; i++) {
        if (!hooks->reached[i])
            continue;
        const int op = fvm_opcode_at(a->vm, fvm_code_field(graph, i));
        const fvm_list_use by_word =
            i == list || (fvm_primitive_flags(op) & FVM_PRIM_READS_MOVE_LIST) != 0
                ? FVM_LIST_CONTENTS
                : use_by_known_words(a, i);
        use = by_word > use ? by_word : use;
    }
    return use;
}

/* Whether reached words write no memory. */
static bool write_nothing(const analysis *a, const fvm_reachable *r) {
    for (int32_t i = 0; i < a->flow.graph.count; i++) {
        const int op = fvm_opcode_at(a->vm, fvm_code_field(&a->flow.graph, i));
        if (r->reached[i] &&
            (op < 0 || op == FVM_OP_HOST || op == FVM_OP_WORD_LIST ||
             (op < FVM_PRIMITIVES && (fvm_primitive_flags(op) & FVM_PRIM_PURE) == 0)))
            return false;
    }
    return true;
}

/* Whether a hook is missing, or a definition of at most one instruction: `op`. */
static bool is_trivial(const fvm *vm, fvm_addr hook, int op) {
    if (hook == 0 || fvm_opcode_at(vm, hook) != FVM_OP_COLON)
        return hook == 0;
    const fvm_addr end = op == FVM_OP_RETURN ? hook + 4 : hook + 8;
    return fvm_decode(vm, hook + 4).op == op && fvm_decode(vm, end).op == FVM_OP_RETURN;
}

/* --- the answer --------------------------------------------------------------------- */

static bool open_analysis(analysis *a, fvm *vm, fvm_reachable *position) {
    if (!fvm_flow_open(&a->flow, vm))
        return false;
    const size_t count = (size_t)a->flow.graph.count;
    a->executed = calloc(5 * count, sizeof *a->executed);
    a->queue = malloc(count * sizeof *a->queue);
    if (a->executed == NULL || a->queue == NULL)
        return false;
    a->tokens = a->executed + count;
    a->applied = a->executed + 2 * count;
    a->roots = a->executed + 3 * count;
    a->touched = a->executed + 4 * count;
    return fvm_reachable_begin(&a->moves, &a->flow.graph, data_or_engines, true) &&
           fvm_reachable_begin(&a->hooks, &a->flow.graph, data_or_engines, true) &&
           fvm_reachable_begin(position, &a->flow.graph, known_readers, true);
}

/* Follows the call graph.  position: from OnIsGameOver, OnEvaluate and OnIsTerminal?. */
static void follow(analysis *a, fvm_reachable *position) {
    const fvm_library *lib = &a->vm->lib;
    const fvm_addr hooks[] = {lib->on_game_over, lib->on_evaluate, lib->on_terminal,
                              lib->on_next_turn, lib->on_retract,  lib->on_friends,
                              lib->on_generate};
    for (int i = 0; i < 7; i++) {
        fvm_reachable_add(&a->hooks, hooks[i]);
        if (i < 3)
            fvm_reachable_add(position, hooks[i]);
    }
    find_move_words(a);
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        if (a->roots[i])
            fvm_reachable_add(&a->moves, fvm_code_field(&a->flow.graph, i));
    fvm_reachable_follow(&a->hooks, 0);
    fvm_reachable_follow(position, 0);
    fvm_reachable_follow(&a->moves, 0);
}

/* Whether (IS) may replace the action of a deferred word during a search. */
static bool redefines_words(const analysis *a) {
    const fvm_addr nfa = fvm_find_in(a->vm, FVM_K_FORTH, "(IS)", 4);
    const int32_t word = nfa != 0 ? fvm_word_containing(&a->flow.graph, nfa) : -1;
    return word >= 0 && (a->moves.reached[word] || a->hooks.reached[word]);
}

fvm_list_effects fvm_find_list_effects(fvm *vm) {
    fvm_list_effects result = {FVM_LIST_CONTENTS, false, false};
    analysis a = {.vm = vm};
    fvm_reachable position = {.graph = NULL};
    if (vm->lib.on_generated == 0 && open_analysis(&a, vm, &position)) {
        follow(&a, &position);
        const fvm_list_use use = use_by_hooks(&a, &position);
        const bool can_follow_hooks =
            is_trivial(vm, vm->lib.on_generate, FVM_OP_RETURN) &&
            (write_nothing(&a, &position) || !share_memory(&a.flow, &a.moves, &position));
        if (use != FVM_LIST_CONTENTS &&
            (can_follow_hooks || is_trivial(vm, vm->lib.on_terminal, FVM_OP_TRUE)) &&
            !redefines_words(&a)) {
            run_move_words(&a);
            if (leave_nothing(&a))
                result = (fvm_list_effects){use, can_follow_hooks, a.changes};
        }
    }
    fvm_reachable_end(&position);
    fvm_reachable_end(&a.hooks);
    fvm_reachable_end(&a.moves);
    free(a.executed);
    free(a.queue);
    fvm_flow_close(&a.flow);
    return result;
}
