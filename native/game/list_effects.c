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
#include "game/word_effects.h"
#include "vm/decode.h"

#include "generated/ops.h"

#include <stdlib.h>

enum { MAX_WORDS = 128 }; /* the constant `#Moves` of the library */

typedef struct {
    fvm *vm;
    fvm_flow flow;
    bool *roots;          /* per word: it is a move word */
    fvm_effects moves;    /* of move words */
    fvm_effects position; /* of OnIsGameOver, OnEvaluate and OnIsTerminal? */
    fvm_effects turns;    /* of OnNextTurn, and of words that are compiled into moves */
    fvm_effects others;   /* of these and all other words that the host runs, and words in moves */
} analysis;

/* --- which words run ---------------------------------------------------------------- */

/* The hooks; the first three are those of a position. */
enum { POSITION_HOOKS = 3, HOOKS = 13 };

static void get_hooks(const fvm *vm, fvm_addr hooks[HOOKS]) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr all[HOOKS] = {lib->on_game_over,  lib->on_evaluate,  lib->on_terminal,
                                 lib->on_next_turn,  lib->on_retract,   lib->on_friends,
                                 lib->on_generate,   lib->on_make,      lib->on_search,
                                 lib->on_new_game,   lib->on_terminate, lib->on_edit_add,
                                 lib->on_edit_remove};
    memcpy(hooks, all, sizeof all);
}

/* Marks the words in the moves and drops lists of all pieces. */
static void find_move_words(analysis *a) {
    const fvm *vm = a->vm;
    for (fvm_cell i = 0; i < fvm_word_lists(vm); i++) {
        const fvm_addr list = fvm_word_list(vm, i);
        if (list == 0)
            continue;
        const bool usual = fvm_in(vm, list, 8 + 8 * MAX_WORDS) &&
                           fvm_opcode_at(vm, list) == FVM_OP_VAR && fvm_get(vm, list + 4) >= 0 &&
                           fvm_get(vm, list + 4) <= MAX_WORDS;
        a->moves.unknown |= !usual;
        for (int32_t k = 0; usual && k < fvm_get(vm, list + 4); k++) {
            const int32_t word =
                fvm_word_of_token(&a->flow, fvm_get(vm, list + 8 + 8u * (uint32_t)k));
            if (word >= 0)
                a->roots[word] = true;
            else
                a->moves.unknown = true;
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

/* Runs the hooks, and the engines that are words of the script. */
static void run_hooks(analysis *a) {
    fvm_addr hooks[HOOKS];
    get_hooks(a->vm, hooks);
    a->others.unknown |= !turns_are_constant(a);
    for (int i = 0; i < HOOKS; i++) {
        if (hooks[i] == 0)
            continue;
        const int32_t word = fvm_word_of_token(&a->flow, (fvm_cell)hooks[i]);
        fvm_effects_run(&a->others, word);
        if (i < POSITION_HOOKS)
            fvm_effects_run(&a->position, word);
        if (hooks[i] == a->vm->lib.on_next_turn)
            fvm_effects_run(&a->turns, word);
    }
    for (uint32_t i = 0; i < FVM_MAX_PLAYERS; i++)
        if (script_engine(a, i) >= 0)
            fvm_effects_run(&a->others, script_engine(a, i));
}

/* The number of words of which it is known that they may run, or be compiled into moves. */
static int32_t running_words(const analysis *a) {
    int32_t count = 0;
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        count += a->moves.executed[i] + a->position.executed[i] + a->turns.executed[i] +
                 a->others.executed[i] + a->moves.tokens[i];
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

/* Runs all words: move words, hooks, words that are compiled into moves, tokens. */
static void run_all(analysis *a) {
    find_move_words(a);
    for (int32_t i = 0; i < a->flow.graph.count; i++)
        if (a->roots[i])
            fvm_effects_run(&a->moves, i);
    run_hooks(a);
    for (int32_t before = 0; before != running_words(a);) {
        before = running_words(a);
        run_generation_hooks(a);
        for (int32_t i = 0; i < a->flow.graph.count; i++)
            if (a->moves.applied[i] || (a->moves.compiles_tokens && a->moves.tokens[i]))
                fvm_effects_run(&a->turns, i);
        for (int32_t i = 0; i < a->flow.graph.count; i++)
            if (a->turns.executed[i])
                fvm_effects_run(&a->others, i);
        fvm_effects_run_tokens(&a->moves, &a->others);
        fvm_effects_run_tokens(&a->turns, &a->others);
        fvm_effects_run_tokens(&a->turns, &a->moves);
        fvm_effects_run_tokens(&a->others, &a->moves);
        fvm_effects_run_tokens(&a->position, &a->moves);
        fvm_effects_run_tokens(&a->position, &a->others);
    }
}

/* --- whether anything reads later what move words leave ------------------------------ */

/* Whether words use the variable, or run the word, that contains an address; 0: none. */
static bool runs_variable(const analysis *a, const fvm_effects *e, fvm_addr variable) {
    const int32_t word = variable != 0 ? fvm_word_containing(&a->flow.graph, variable) : -1;
    return word >= 0 && e->executed[word];
}

/* Whether words read the newest list, or HERE. */
static bool read_lists(const analysis *a, const fvm_effects *e) {
    for (int32_t i = 0; i < a->flow.graph.count; i++) {
        const int op = fvm_opcode_at(a->vm, fvm_code_field(&a->flow.graph, i));
        if (e->executed[i] &&
            ((fvm_primitive_flags(op) & FVM_PRIM_READS_MOVE_LIST) != 0 ||
             a->flow.kind[i] == FVM_WORD_STALEMATE || a->flow.kind[i] == FVM_WORD_COUNT))
            return true;
    }
    return runs_variable(a, e, a->vm->lib.moves_list);
}

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

/* What the code of a word reads of the list that is the newest when the word begins.  *frees:
 * becomes false if the code generates lists that it does not free at once. */
static fvm_list_use use_in_code(const analysis *a, int32_t word, bool *frees) {
    fvm_list_use use = FVM_LIST_UNREAD;
    fvm_code code;
    bool own = false; /* the newest list is one that the code has generated */
    if (!fvm_code_open(&code, &a->flow, word))
        return use;
    for (fvm_addr at = code.start; at < code.end;) {
        const fvm_step step = fvm_code_step(&code, at);
        const int kind = a->flow.kind[step.word];
        at = step.next;
        if (kind == FVM_WORD_GENERATE || (kind == FVM_WORD_FREE && !own)) {
            own = kind == FVM_WORD_GENERATE && frees_list(a, &code, at);
            *frees = *frees && own;
        } else if (kind == FVM_WORD_FREE) {
            own = false;
        } else if (kind == FVM_WORD_COUNT && !own && !only_tests_for_zero(a->vm, at)) {
            use = FVM_LIST_COUNT;
        } else if ((kind == FVM_WORD_COUNT || kind == FVM_WORD_STALEMATE) && !own &&
                   use == FVM_LIST_UNREAD) {
            use = FVM_LIST_EMPTINESS;
        }
    }
    return use;
}

/* What the hooks of a position read of the list.  *frees: whether they free lists that they
 * generate, and read at most their numbers of moves. */
static fvm_list_use use_of_list(const analysis *a, bool *frees) {
    const fvm_effects *e = &a->position;
    fvm_list_use use = FVM_LIST_UNREAD;
    *frees = !e->unknown && !runs_variable(a, e, a->vm->lib.moves_list) &&
             !(generate_lists(a, e) && read_lists(a, &a->moves));
    for (int32_t i = 0; i < a->flow.graph.count && *frees; i++) {
        const int op = fvm_opcode_at(a->vm, fvm_code_field(&a->flow.graph, i));
        const int kind = a->flow.kind[i];
        if (!e->executed[i])
            continue;
        if ((fvm_primitive_flags(op) & FVM_PRIM_READS_MOVE_LIST) != 0 || kind == FVM_WORD_LIBRARY ||
            (e->tokens[i] &&
             (kind == FVM_WORD_COUNT || kind == FVM_WORD_GENERATE || kind == FVM_WORD_FREE)))
            *frees = false;
        const fvm_list_use in_code = use_in_code(a, i, frees);
        use = in_code > use ? in_code : use;
    }
    return *frees ? use : FVM_LIST_CONTENTS;
}

/* Whether a hook is missing, or a definition of at most one instruction: `op`. */
static bool is_trivial(const fvm *vm, fvm_addr hook, int op) {
    if (hook == 0 || fvm_opcode_at(vm, hook) != FVM_OP_COLON)
        return hook == 0;
    const fvm_addr end = op == FVM_OP_RETURN ? hook + 4 : hook + 8;
    return fvm_decode(vm, hook + 4).op == op && fvm_decode(vm, end).op == FVM_OP_RETURN;
}

/* --- the answer --------------------------------------------------------------------- */

/* false: no answer is possible. */
static bool open_analysis(analysis *a) {
    if (a->vm->lib.on_generated != 0 || !fvm_flow_open(&a->flow, a->vm))
        return false;
    a->roots = calloc((size_t)a->flow.graph.count, sizeof *a->roots);
    if (a->roots == NULL || !fvm_effects_begin(&a->moves, &a->flow) ||
        !fvm_effects_begin(&a->position, &a->flow) || !fvm_effects_begin(&a->turns, &a->flow) ||
        !fvm_effects_begin(&a->others, &a->flow))
        return false;
    a->moves.numbers_variables = true;
    run_all(a);
    return true;
}

/* Whether the moves of lists may only be counted, if the hooks read no more: move words do not
 * read the list, or where its moves are stored, nor use the priorities. */
static bool may_be_counted(const analysis *a) {
    return !a->moves.unknown && !a->others.unknown && !redefine_words(a) &&
           !may_change_move_words(a) && !passes_are_seen(a) && !read_last_edit(a) &&
           !read_lists(a, &a->moves) && !runs_variable(a, &a->moves, a->vm->lib.priorities) &&
           fvm_lib_get(a->vm, a->vm->lib.unique_moves, 0) == 0;
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
    if (e->unknown || read_lists(a, e))
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
    const fvm_library *lib = &a->vm->lib;
    return fvm_lib_get(a->vm, lib->priorities, 0) == 0 &&
           fvm_lib_get(a->vm, lib->unique_moves, 0) == 0 && !read_lists(a, &a->moves) &&
           moves_are_undone(a);
}

/* The answer after all words have run. */
static fvm_list_effects conclude(analysis *a) {
    const fvm_list_effects observed = {.use = FVM_LIST_CONTENTS};
    const fvm *vm = a->vm;
    bool frees;
    fvm_list_effects result = {.use = use_of_list(a, &frees),
                               .counts_moves = may_be_counted(a),
                               .next_text_depends = a->moves.changes};
    const bool never_completed = is_trivial(vm, vm->lib.on_terminal, FVM_OP_TRUE);
    result.can_follow_hooks =
        is_trivial(vm, vm->lib.on_generate, FVM_OP_RETURN) && !a->position.impure &&
        !(a->position.writes && fvm_effects_share_memory(&a->moves, &a->position));
    if (result.use == FVM_LIST_CONTENTS || (!result.can_follow_hooks && !never_completed))
        return observed;
    if (result.use == FVM_LIST_COUNT || !leave_nothing(a, &result.ordered)) {
        if (!result.counts_moves || !never_completed)
            return observed;
        result.use = FVM_LIST_COUNT;
        result.can_follow_hooks = false;
    }
    /* Words may use scratch memory in a way that needs them to run to their ends. */
    result.ends_words = result.counts_moves && a->flow.graph.scratch.count == 0;
    result.ordered |= read_lists(a, &a->moves); /* HERE depends on the moves before */
    result.can_be_continued =
        result.use <= FVM_LIST_EMPTINESS && result.can_follow_hooks && may_be_continued(a);
    return result;
}

static bool are_independent(analysis *a) {
    bool ordered;
    return is_trivial(a->vm, a->vm->lib.on_generate, FVM_OP_RETURN) && !a->moves.passes &&
           !read_lists(a, &a->moves) && !read_lists(a, &a->turns) && leave_nothing(a, &ordered) &&
           !ordered;
}

static void close_analysis(analysis *a) {
    fvm_effects_end(&a->moves);
    fvm_effects_end(&a->position);
    fvm_effects_end(&a->turns);
    fvm_effects_end(&a->others);
    free(a->roots);
    fvm_flow_close(&a->flow);
}

fvm_list_effects fvm_find_list_effects(fvm *vm) {
    fvm_list_effects result = {.use = FVM_LIST_CONTENTS};
    analysis a = {.vm = vm};
    if (open_analysis(&a))
        result = conclude(&a);
    close_analysis(&a);
    return result;
}

bool fvm_move_words_are_independent(fvm *vm) {
    analysis a = {.vm = vm};
    const bool result = open_analysis(&a) && are_independent(&a);
    close_analysis(&a);
    return result;
}

bool fvm_move_words_leave_nothing(fvm *vm) {
    analysis a = {.vm = vm};
    bool ordered;
    const bool result = open_analysis(&a) && leave_nothing(&a, &ordered) && !ordered;
    close_analysis(&a);
    return result;
}

bool fvm_move_words_leave_boards(fvm *vm) {
    analysis a = {.vm = vm};
    const bool result = open_analysis(&a) && !a.moves.unknown && !a.moves.impure;
    close_analysis(&a);
    return result;
}
