/* list_effects.c: what a script can observe of lists, and of how they are generated.
 *
 * It owns two questions about a script: what do the words that the host runs read of the list, and
 * do move words leave anything that is read later?  A move word may write a variable of the script
 * if nothing reads the value later: every word that the host runs (move words, hooks, words
 * compiled into moves) writes the variable before it reads it (word_flow.c).  Everything that the
 * analysis does not understand counts as observed.
 *
 * Memory that a script declares as scratch memory needs no proof.  It must not know who generates
 * incomplete lists. */
#include "game/list_effects.h"
#include "game/word_effects.h"
#include "vm/decode.h"

#include "generated/ops.h"

#include <stdlib.h>

enum { MAX_WORDS = 128 }; /* the constant `#Moves` of the library */

typedef struct {
    fvm *vm;
    fvm_flow flow;
    bool *roots;          /* per word: it is a move word */
    uint8_t *uses;        /* per word: what its code does with lists; UNKNOWN_USE: not found yet */
    fvm_effects moves;    /* of move words */
    fvm_effects judge;    /* of OnIsGameOver */
    fvm_effects position; /* of OnIsGameOver, OnEvaluate and OnIsTerminal? */
    fvm_effects turns;    /* of OnNextTurn, and of words that are compiled into moves */
    fvm_effects others;   /* of these and all other words that the host runs, and words in moves */
    bool one_type;        /* all move words have the same move type */
} analysis;

/* --- which words run ---------------------------------------------------------------- */

/* The first hook is OnIsGameOver, the first three are those of a position, the first eight run in
 * searches. */
enum { POSITION_HOOKS = 3, SEARCH_HOOKS = 8, HOOKS = 13 };

static void get_hooks(const fvm *vm, fvm_addr hooks[HOOKS]) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr all[HOOKS] = {lib->on_game_over,  lib->on_evaluate,  lib->on_terminal,
                                 lib->on_next_turn,  lib->on_retract,   lib->on_friends,
                                 lib->on_generate,   lib->on_make,      lib->on_search,
                                 lib->on_new_game,   lib->on_terminate, lib->on_edit_add,
                                 lib->on_edit_remove};
    memcpy(hooks, all, sizeof all);
}

/* Marks the words in the moves and drops lists of all pieces, and compares their move types. */
static void find_move_words(analysis *a) {
    const fvm *vm = a->vm;
    fvm_cell type = -1; /* of the last move word */
    a->one_type = true;
    for (fvm_cell i = 0; i < fvm_word_lists(vm); i++) {
        const fvm_addr list = fvm_word_list(vm, i);
        if (list == 0)
            continue;
        const bool usual = fvm_in(vm, list, 8 + 8 * MAX_WORDS) &&
                           fvm_opcode_at(vm, list) == FVM_OP_VAR && fvm_get(vm, list + 4) >= 0 &&
                           fvm_get(vm, list + 4) <= MAX_WORDS;
        a->moves.unknown |= !usual;
        for (int32_t k = 0; usual && k < fvm_get(vm, list + 4); k++) {
            const fvm_addr pair = list + 8 + 8u * (uint32_t)k; /* a move word and its type */
            const int32_t word = fvm_word_of_token(&a->flow, fvm_get(vm, pair));
            if (word >= 0)
                a->roots[word] = true;
            else
                a->moves.unknown = true;
            a->one_type &= type == -1 || type == fvm_get(vm, pair + 4);
            type = fvm_get(vm, pair + 4);
        }
    }
}

/* Whether all words in the turn order are constants.  The others would run when a turn begins. */
static bool turns_are_constant(const analysis *a) {
    const fvm *vm = a->vm;
    const fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order, 0);
    const fvm_cell limit = fvm_lib_get(vm, vm->lib.turn_limit, 0);
    for (fvm_addr at = order; at - order < (fvm_addr)limit; at += 12) {
        if (!fvm_in(vm, at, 12))
            return false;
        for (fvm_addr cell = at; cell < at + 8; cell += 4) { /* the player, and the for-player */
            const int32_t word = fvm_word_of_token(&a->flow, fvm_get(vm, cell));
            if (word < 0 || !fvm_is_value_word(&a->flow, word))
                return false;
        }
    }
    return true;
}

/* The engine of a player, if it is a word of the script; -1: it is not. */
static int32_t script_engine(const analysis *a, uint32_t player) {
    const fvm_addr engines = (fvm_addr)fvm_lib_get(a->vm, a->vm->lib.engines, 0);
    const fvm_addr at = engines + 4 * player;
    const int32_t word =
        engines != 0 && fvm_in(a->vm, at, 4) ? fvm_word_of_token(&a->flow, fvm_get(a->vm, at)) : -1;
    return word >= 0 && !fvm_in_library(&a->flow.graph, word) ? word : -1;
}

/* Runs the hooks with numbers in [from, to). */
static void run_hooks(analysis *a, int from, int to) {
    fvm_addr hooks[HOOKS];
    get_hooks(a->vm, hooks);
    for (int i = from; i < to; i++) {
        if (hooks[i] == 0)
            continue;
        const int32_t word = fvm_word_of_token(&a->flow, (fvm_cell)hooks[i]);
        fvm_effects_run(&a->others, word);
        if (i == 0)
            fvm_effects_run(&a->judge, word);
        if (i < POSITION_HOOKS)
            fvm_effects_run(&a->position, word);
        if (hooks[i] == a->vm->lib.on_next_turn)
            fvm_effects_run(&a->turns, word);
    }
}

/* The number of words of which it is known that they may run, or be compiled into moves. */
static int32_t running_words(const analysis *a) {
    int32_t count = 0;
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        count += a->moves.executed[i] + a->judge.executed[i] + a->position.executed[i] +
                 a->turns.executed[i] + a->others.executed[i] + a->moves.tokens[i];
    return count;
}

/* Whether words generate lists. */
static bool generate_lists(const analysis *a, const fvm_effects *e) {
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        if (e->executed[i] && a->flow.kind[i] == FVM_WORD_GENERATE)
            return true;
    return false;
}

/* If the hooks of a position generate lists, they also run the hooks of generation. */
static void run_generation_hooks(analysis *a) {
    const fvm_addr hooks[] = {a->vm->lib.on_generate, a->vm->lib.on_friends};
    for (int i = 0; i < 2 && generate_lists(a, &a->position); i++)
        if (hooks[i] != 0)
            fvm_effects_run(&a->position, fvm_word_of_token(&a->flow, (fvm_cell)hooks[i]));
}

/* Runs the words that are compiled into moves, and those whose tokens are executed. */
static void run_indirect_words(analysis *a) {
    for (int32_t before = 0; before != running_words(a);) {
        before = running_words(a);
        run_generation_hooks(a);
        for (int32_t i = 0; i < a->flow.graph.count; i++)
            if (a->moves.applied[i] || (a->moves.compiles_tokens && a->moves.tokens[i]))
                fvm_effects_run(&a->turns, i);
        for (int32_t i = 0; i < a->flow.graph.count; i++)
            if (a->turns.executed[i])
                fvm_effects_run(&a->others, i);
        fvm_effects *const all[] = {&a->moves, &a->judge, &a->position, &a->turns, &a->others};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            fvm_effects_run_tokens(all[i], &a->moves);
            fvm_effects_run_tokens(all[i], &a->others);
        }
    }
}

/* Runs the words of a search: move words and hooks. */
static void run_search_words(analysis *a) {
    find_move_words(a);
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        if (a->roots[i])
            fvm_effects_run(&a->moves, i);
    a->others.unknown |= !turns_are_constant(a);
    run_hooks(a, 0, SEARCH_HOOKS);
    run_indirect_words(a);
}

/* Runs the words that run before or after a search, too. */
static void run_other_words(analysis *a) {
    run_hooks(a, SEARCH_HOOKS, HOOKS);
    for (uint32_t i = 0; i < FVM_MAX_PLAYERS; i++)
        if (script_engine(a, i) >= 0)
            fvm_effects_run(&a->others, script_engine(a, i));
    run_indirect_words(a);
}

/* Whether words use the variable, or run the word, that contains an address; 0: none. */
static bool runs_variable(const analysis *a, const fvm_effects *e, fvm_addr variable) {
    const int32_t word = variable != 0 ? fvm_word_containing(&a->flow.graph, variable) : -1;
    return word >= 0 && e->executed[word];
}

/* --- what words read of the newest list ---------------------------------------------- */

/* What words do with lists. */
enum {
    READS_EMPTINESS = 1,
    READS_COUNT = 2,   /* the number of moves */
    READS_TYPE = 4,    /* the type of the first move */
    READS_RECORDS = 8, /* anything else */
    KEEPS_LISTS = 16,  /* generates lists that it does not free at once */
    UNKNOWN_USE = 255
};

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

/* Whether the cells at an address are `.moveType @`. */
static bool only_reads_type(const analysis *a, fvm_addr at) {
    const int32_t word =
        fvm_in(a->vm, at, 8) ? fvm_word_of_token(&a->flow, fvm_get(a->vm, at)) : -1;
    return word >= 0 && fvm_in_library(&a->flow.graph, word) &&
           fvm_word_is_named(&a->flow.graph, word, ".moveType") &&
           fvm_decode(a->vm, at + 4).op == FVM_OP_FETCH;
}

/* Whether code frees the newest list before it branches or returns, and does nothing before but
 * compute. */
static bool frees_list(const analysis *a, const fvm_code *code, fvm_addr at) {
    for (;;) {
        const fvm_step step = fvm_code_step(code, at);
        const int kind = a->flow.kind[step.word];
        const bool computes =
            step.op == FVM_OP_LIT || step.op == FVM_OP_VAR || kind == FVM_WORD_STALEMATE ||
            kind == FVM_WORD_COUNT || fvm_is_constant_word(&a->flow, step.word) ||
            (kind == FVM_WORD_ORDINARY && (fvm_primitive_flags(step.op) & FVM_PRIM_PURE) != 0);
        if (fvm_code_is_target(code, at) || (kind != FVM_WORD_FREE && !computes))
            return false;
        if (kind == FVM_WORD_FREE)
            return true;
        at = step.next;
    }
}

/* What the code of a word does with the list that is the newest when the word begins. */
static unsigned use_in_code(const analysis *a, int32_t word) {
    unsigned use = 0;
    fvm_code code;
    bool own = false; /* the newest list is one that the code has generated */
    if (a->uses[word] != UNKNOWN_USE || !fvm_code_open(&code, &a->flow, word))
        return a->uses[word] != UNKNOWN_USE ? a->uses[word] : 0;
    for (fvm_addr at = code.start; at < code.end;) {
        const fvm_step step = fvm_code_step(&code, at);
        const int kind = a->flow.kind[step.word];
        at = step.next;
        if (kind == FVM_WORD_GENERATE || (kind == FVM_WORD_FREE && !own)) {
            own = kind == FVM_WORD_GENERATE && frees_list(a, &code, at);
            use |= own ? 0 : KEEPS_LISTS;
        } else if (kind == FVM_WORD_FREE) {
            own = false;
        } else if (kind == FVM_WORD_FIRST) {
            use |= only_reads_type(a, at) ? READS_TYPE : READS_RECORDS;
        } else if (kind == FVM_WORD_COUNT && !own) {
            use |= only_tests_for_zero(a->vm, at) ? READS_EMPTINESS : READS_COUNT;
        } else if (kind == FVM_WORD_STALEMATE && !own) {
            use |= READS_EMPTINESS;
        }
    }
    a->uses[word] = (uint8_t)use;
    return use;
}

/* What words do with lists.  HERE depends on all records. */
static unsigned use_of_lists(const analysis *a, const fvm_effects *e) {
    unsigned use = e->unknown || runs_variable(a, e, a->vm->lib.moves_list) ? READS_RECORDS : 0;
    for (int32_t i = 0; i < a->flow.graph.count && (use & READS_RECORDS) == 0; i++) {
        if (!e->executed[i])
            continue;
        const int op = fvm_opcode_at(a->vm, fvm_code_field(&a->flow.graph, i));
        const int kind = a->flow.kind[i];
        if ((fvm_primitive_flags(op) & FVM_PRIM_READS_MOVE_LIST) != 0 ||
            (e->tokens[i] && (kind == FVM_WORD_FIRST || kind == FVM_WORD_COUNT ||
                              kind == FVM_WORD_GENERATE || kind == FVM_WORD_FREE)))
            use |= READS_RECORDS;
        if (kind == FVM_WORD_LIBRARY) /* may search */
            use |= KEEPS_LISTS;
        if (kind == FVM_WORD_ORDINARY)
            use |= use_in_code(a, i);
    }
    return use;
}

/* Whether no words of a search read the records of moves, or the text of the last move. */
static bool texts_are_unread(const analysis *a) {
    const fvm_library *lib = &a->vm->lib;
    const fvm_effects *const all[] = {&a->moves, &a->others};
    bool unread = a->vm->records_have_texts;
    for (int i = 0; i < 2 && unread; i++)
        unread = (use_of_lists(a, all[i]) & READS_RECORDS) == 0 &&
                 !runs_variable(a, all[i], lib->move_addr) &&
                 !runs_variable(a, all[i], lib->move_string);
    return unread;
}

/* --- whether anything reads later what move words leave ------------------------------ */

/* Whether words read variables in which the kernel keeps the last edit of a list. */
static bool read_last_edit(const analysis *a) {
    const fvm_library *lib = &a->vm->lib;
    const fvm_addr variables[] = {lib->last_pos, lib->context, lib->changed_to};
    for (int i = 0; i < 3; i++)
        if (runs_variable(a, &a->moves, variables[i]) || runs_variable(a, &a->others, variables[i]))
            return true;
    return false;
}

/* Whether a pass in a list can be seen after the list: hooks read $passed, or an $add-move of the
 * script runs. */
static bool passes_are_seen(const analysis *a) {
    const fvm *vm = a->vm;
    const fvm_addr add_move = vm->primitives[FVM_OP_ADD_MOVE];
    const bool forced = fvm_lib_get(vm, vm->lib.pass_forced, 0) != 0;
    return ((a->moves.passes || forced) && runs_variable(a, &a->others, vm->lib.passed)) ||
           (a->moves.passes && !vm->records_have_texts &&
            (fvm_addr)fvm_lib_get(vm, vm->lib.add_move, (fvm_cell)add_move) != add_move);
}

/* The variables that a word may read before it writes them. */
static fvm_variables exposed_by(const analysis *a, int32_t word) {
    return word >= 0 ? a->flow.flow[word].exposed : ~(fvm_variables)0;
}

/* The variables that the script's engines use, or its OnSearch: after a search that they run, they
 * may read what it has left. */
static fvm_variables used_by_engines(analysis *a) {
    const fvm_addr hook = a->vm->lib.on_search;
    const int32_t word = hook != 0 ? fvm_word_of_token(&a->flow, (fvm_cell)hook) : -1;
    fvm_effects engines;
    fvm_variables used = 0;
    bool known = fvm_effects_begin(&engines, &a->flow);
    for (uint32_t i = 0; i < FVM_MAX_PLAYERS && known; i++)
        if (script_engine(a, i) >= 0)
            fvm_effects_run(&engines, script_engine(a, i));
    if (known && word >= 0 && !fvm_in_library(&a->flow.graph, word))
        fvm_effects_run(&engines, word);
    if (known)
        fvm_effects_run_tokens(&engines, &a->others);
    known = known && !engines.unknown;
    for (int32_t i = 0; i < a->flow.count; i++)
        if (!known || engines.executed[a->flow.words[i]])
            used |= (fvm_variables)1 << i;
    fvm_effects_end(&engines);
    return used;
}

/* Whether the values that move words leave in variables of the script are never read.  *ordered:
 * whether a move word may read what another one of the same list has left. */
static bool variables_are_transient(analysis *a, bool *ordered) {
    fvm_flow *f = &a->flow;
    const fvm_addr generate = a->vm->lib.on_generate;
    const int32_t first = generate != 0 ? fvm_word_of_token(f, (fvm_cell)generate) : -1;
    const fvm_variables all = ((fvm_variables)1 << f->count) - 1;
    fvm_addr hooks[HOOKS];
    *ordered = false;
    if (f->count == 0)
        return true;
    for (int32_t i = 0; i < f->graph.count; i++) {
        a->others.executed[i] |= a->moves.executed[i];
        a->others.tokens[i] |= a->moves.tokens[i];
    }
    fvm_flow_compute(f, a->others.executed, a->others.tokens);
    for (int32_t i = 0; i < f->graph.count; i++)
        a->others.executed[i] |= a->moves.touched[i] || a->others.touched[i];
    fvm_variables read = fvm_flow_escaped(f, a->others.executed), moves = 0;
    get_hooks(a->vm, hooks);
    for (int i = 0; i < HOOKS; i++)
        if (hooks[i] != 0)
            read |= exposed_by(a, fvm_word_of_token(f, (fvm_cell)hooks[i]));
    read |= used_by_engines(a);
    for (int32_t i = 0; i < f->graph.count; i++) {
        if (a->roots[i])
            moves |= exposed_by(a, i);
        if (a->moves.applied[i] || (a->moves.compiles_tokens && a->moves.tokens[i]))
            read |= exposed_by(a, i);
    }
    *ordered = (moves & all) != 0;
    /* OnGenerateMoves runs before each list, also before one that is omitted. */
    return ((read | (moves & ~(first >= 0 ? f->flow[first].written : 0))) & all) == 0;
}

/* Whether the memory at an address belongs to a word that runs, or whose token is used. */
static bool is_used(const analysis *a, const fvm_effects *e, fvm_addr memory) {
    const int32_t word = memory != 0 ? fvm_word_containing(&a->flow.graph, memory) : -1;
    return word >= 0 && (e->executed[word] || e->tokens[word]);
}

/* Whether a word may store another list of move words in the table of pieces, or other words in
 * such a list: only the present move words are known. */
static bool may_change_move_words(const analysis *a) {
    const fvm *vm = a->vm;
    bool used = is_used(a, &a->moves, vm->lib.pieces) || is_used(a, &a->others, vm->lib.pieces);
    for (fvm_cell i = 0; i < fvm_word_lists(vm) && !used; i++) {
        const fvm_addr list = fvm_word_list(vm, i);
        used = is_used(a, &a->moves, list) || is_used(a, &a->others, list);
    }
    return used;
}

/* Whether move words or hooks run the library's word with that name, or use that variable. */
static bool run_library_word(const analysis *a, const char *name) {
    const fvm_addr nfa = fvm_find_in(a->vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    return runs_variable(a, &a->moves, nfa) || runs_variable(a, &a->others, nfa);
}

/* Whether words may replace what other words execute: by (IS), in the body of a deferred word whose
 * token they use, or in a table of the library. */
static bool redefine_words(const analysis *a) {
    static const char *const names[] = {"(IS)", "$directions", "$symmetries", "$players",
                                        "$turnOrder"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (run_library_word(a, names[i]))
            return true;
    if (!run_library_word(a, "CFA>PFA"))
        return false;
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        if ((a->moves.tokens[i] || a->others.tokens[i]) && fvm_deferred_word(&a->flow, i) >= 0)
            return true;
    return false;
}

/* Whether move words leave nothing that is read later, except `from`, `here` and the current piece
 * as they are after a scan of the whole board. */
static bool leave_nothing(analysis *a, bool *ordered) {
    *ordered = false;
    return !a->moves.unknown && !a->others.unknown && !redefine_words(a) &&
           !may_change_move_words(a) && !passes_are_seen(a) && !read_last_edit(a) &&
           (a->flow.graph.scratch.count > 0 ||
            (!a->moves.impure && variables_are_transient(a, ordered)));
}

/* --- the answer --------------------------------------------------------------------- */

/* Whether a hook is missing, or a definition of at most one instruction: `op`. */
static bool is_trivial(const fvm *vm, fvm_addr hook, int op) {
    if (hook == 0 || fvm_opcode_at(vm, hook) != FVM_OP_COLON)
        return hook == 0;
    const fvm_addr end = op == FVM_OP_RETURN ? hook + 4 : hook + 8;
    return fvm_decode(vm, hook + 4).op == op && fvm_decode(vm, end).op == FVM_OP_RETURN;
}

/* Whether the complete list may be generated after hooks have run, with the same moves. */
static bool can_follow(const analysis *a, const fvm_effects *hooks) {
    return !hooks->impure && !(hooks->writes && fvm_effects_share_memory(&a->moves, hooks));
}

/* What hooks read of the list, by their use of lists. */
static fvm_list_use list_use(const analysis *a, unsigned use) {
    return (use & READS_RECORDS) != 0 || ((use & READS_TYPE) != 0 && !a->one_type)
               ? FVM_LIST_CONTENTS
           : (use & READS_COUNT) != 0 ? FVM_LIST_COUNT
           : use != 0                 ? FVM_LIST_EMPTINESS
                                      : FVM_LIST_UNREAD;
}

/* false: no answer is possible. */
static bool open_analysis(analysis *a) {
    if (a->vm->lib.on_generated != 0 || !fvm_flow_open(&a->flow, a->vm))
        return false;
    a->roots = calloc((size_t)a->flow.graph.count, sizeof *a->roots);
    a->uses = malloc((size_t)a->flow.graph.count);
    if (a->roots == NULL || a->uses == NULL || !fvm_effects_begin(&a->moves, &a->flow) ||
        !fvm_effects_begin(&a->judge, &a->flow) || !fvm_effects_begin(&a->position, &a->flow) ||
        !fvm_effects_begin(&a->turns, &a->flow) || !fvm_effects_begin(&a->others, &a->flow))
        return false;
    memset(a->uses, UNKNOWN_USE, (size_t)a->flow.graph.count);
    a->moves.numbers_variables = true;
    return true;
}

static void close_analysis(analysis *a) {
    fvm_effects_end(&a->moves);
    fvm_effects_end(&a->judge);
    fvm_effects_end(&a->position);
    fvm_effects_end(&a->turns);
    fvm_effects_end(&a->others);
    free(a->roots);
    free(a->uses);
    fvm_flow_close(&a->flow);
}

/* Whether a variable of the library is 0 and remains 0. */
static bool is_unset(const analysis *a, fvm_addr variable) {
    return fvm_lib_get(a->vm, variable, 0) == 0 && !runs_variable(a, &a->moves, variable) &&
           !runs_variable(a, &a->others, variable);
}

/* Whether the moves of lists may only be counted, if the hooks read no more: move words do not
 * read the list, or where its moves are stored, nor use the priorities. */
static bool may_be_counted(const analysis *a) {
    return !a->moves.unknown && !a->others.unknown && !redefine_words(a) &&
           !may_change_move_words(a) && !passes_are_seen(a) && !read_last_edit(a) &&
           (use_of_lists(a, &a->moves) & ~KEEPS_LISTS) == 0 &&
           !runs_variable(a, &a->moves, a->vm->lib.priorities) &&
           is_unset(a, a->vm->lib.unique_moves);
}

/* --- whether a list may be continued after its first moves have been searched ------- */

/* Whether a definition uses variables of the library in other ways than reading them. */
static bool uses_library_variables(const analysis *a, int32_t word) {
    fvm_code code;
    if (!fvm_code_open(&code, &a->flow, word))
        return false;
    for (fvm_addr at = code.start; at < code.end;) {
        const fvm_step step = fvm_code_step(&code, at);
        if (step.op == FVM_OP_VAR && fvm_in_library(&a->flow.graph, step.word) &&
            step.use != FVM_USE_READ)
            return true;
        at = step.next;
    }
    return false;
}

/* Whether a primitive changes at most memory of the script, or a square. */
static bool stores_for_script(int op) {
    return op < 0 || op >= FVM_PRIMITIVES || (fvm_primitive_flags(op) & FVM_PRIM_PURE) != 0 ||
           op == FVM_OP_STORE || op == FVM_OP_ADD_STORE || op == FVM_OP_INC_STORE ||
           op == FVM_OP_DEC_STORE || op == FVM_OP_PIECE_PUT || op == FVM_OP_PIECE_REMOVE;
}

/* Whether running words and unmaking the move restores all memory that move words read. */
static bool is_undone(const analysis *a, const fvm_effects *e) {
    static const char *const makers[] = {"{variable}", "{array}", "{carray}", NULL};
    if (e->unknown || (use_of_lists(a, e) & ~KEEPS_LISTS) != 0)
        return false;
    for (int32_t i = 0; i < a->flow.graph.count; i++) {
        const int kind = a->flow.kind[i];
        const int op = fvm_opcode_at(a->vm, fvm_code_field(&a->flow.graph, i));
        if (e->executed[i] &&
            ((kind != FVM_WORD_ORDINARY && kind != FVM_WORD_HARMLESS && kind != FVM_WORD_EXIT) ||
             !stores_for_script(op) || uses_library_variables(a, i)))
            return false;
        if ((e->writes || e->impure) && e->touched[i] && a->moves.touched[i] &&
            !fvm_is_made_by(&a->flow.graph, i, makers)) /* not restored with the board */
            return false;
    }
    return true;
}

/* Whether searching a move leaves what generating the list reads.  The hooks of positions, and move
 * words, do not change that. */
static bool moves_are_undone(const analysis *a) {
    const fvm_library *lib = &a->vm->lib;
    const fvm_addr hooks[] = {lib->on_next_turn, lib->on_retract, lib->on_friends};
    fvm_effects made;
    bool undone = fvm_effects_begin(&made, (fvm_flow *)&a->flow) && !a->moves.compiles_tokens;
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks && undone; i++) {
        const int32_t word = hooks[i] != 0 ? fvm_word_of_token(&a->flow, (fvm_cell)hooks[i]) : -1;
        if (hooks[i] != 0 && (word < 0 || !fvm_in_library(&a->flow.graph, word)))
            fvm_effects_run(&made, word);
    }
    for (int32_t i = 0; i < a->flow.graph.count && undone; i++)
        if (a->moves.applied[i])
            fvm_effects_run(&made, i);
    if (undone)
        fvm_effects_run_tokens(&made, &a->others);
    undone = undone && is_undone(a, &made);
    fvm_effects_end(&made);
    return undone;
}

/* Whether the complete list may be generated after its first moves have been searched. */
static bool may_be_continued(const analysis *a) {
    return is_unset(a, a->vm->lib.priorities) && is_unset(a, a->vm->lib.unique_moves) &&
           (use_of_lists(a, &a->moves) & ~KEEPS_LISTS) == 0 && moves_are_undone(a);
}

/* The facts about lists whose moves are not searched. */
static void find_facts_at_leaves(analysis *a, bool transient, fvm_list_facts *facts) {
    const fvm *vm = a->vm;
    const unsigned use = use_of_lists(a, &a->position);
    const fvm_list_use read = list_use(a, use);
    const bool never_completed = is_trivial(vm, vm->lib.on_terminal, FVM_OP_TRUE);
    const bool counts = (use & READS_TYPE) == 0 && may_be_counted(a);
    const bool can_follow_hooks =
        is_trivial(vm, vm->lib.on_generate, FVM_OP_RETURN) && can_follow(a, &a->position);
    if (read == FVM_LIST_CONTENTS || (use & KEEPS_LISTS) != 0 ||
        (generate_lists(a, &a->position) && facts->ordered) ||
        (!can_follow_hooks && !never_completed))
        return;
    if (transient && read <= FVM_LIST_EMPTINESS) {
        facts->use = read;
        facts->can_follow_hooks = can_follow_hooks;
    } else if (counts && never_completed) {
        facts->use = FVM_LIST_COUNT;
    } else {
        return;
    }
    facts->counts_moves = counts;
    /* Words may use scratch memory in a way that needs them to run to their ends. */
    facts->ends_words = counts && a->flow.graph.scratch.count == 0;
    facts->next_text_depends = a->moves.changes;
    facts->can_be_continued = facts->can_follow_hooks && may_be_continued(a);
}

/* The facts, except about texts, after all words have run. */
static void find_facts(analysis *a, fvm_list_facts *facts) {
    const fvm *vm = a->vm;
    const bool transient = leave_nothing(a, &facts->ordered);
    facts->ordered |=
        (use_of_lists(a, &a->moves) & ~KEEPS_LISTS) != 0; /* HERE depends on the moves before */
    find_facts_at_leaves(a, transient, facts);
    facts->keeps_all_moves = is_unset(a, vm->lib.priorities) && is_unset(a, vm->lib.unique_moves);
    facts->independent = transient && !facts->ordered && !a->moves.passes &&
                         is_trivial(vm, vm->lib.on_generate, FVM_OP_RETURN) &&
                         (use_of_lists(a, &a->turns) & ~KEEPS_LISTS) == 0;
    if (transient && (can_follow(a, &a->judge) || !fvm_effects_share_memory(&a->moves, &a->judge)))
        facts->game_over_use = list_use(a, use_of_lists(a, &a->judge) & ~KEEPS_LISTS);
}

fvm_list_facts fvm_find_list_facts(fvm *vm) {
    fvm_list_facts facts = {.use = FVM_LIST_CONTENTS, .game_over_use = FVM_LIST_CONTENTS};
    analysis a = {.vm = vm};
    if (open_analysis(&a)) {
        run_search_words(&a);
        facts.texts_unread = texts_are_unread(&a);
        run_other_words(&a);
        if (vm->complete_lists <= 0)
            find_facts(&a, &facts);
    }
    close_analysis(&a);
    return facts;
}
