/* list_analysis.c: what a script can observe of lists, and of how they are generated.
 *
 * It combines what words read of lists (list_reads.c) and what they leave in memory (word_flow.c)
 * into the facts of game/list_facts.h: may lists be incomplete, counted, continued?  A move word
 * may write a variable or an array of the script if nothing reads the value later: every word that
 * the host runs (move words, hooks, words compiled into moves) writes it before it reads it
 * (word_flow.c), or the search checks this (guarded_reads.c).  Everything that the analysis does
 * not understand counts as observed.  A hook that reads the records of a list is assumed to stay
 * within them: it does not find the memory of another list by arithmetic.
 *
 * Memory that a script declares as scratch memory needs no proof.  This file must not know which
 * searches generate incomplete lists. */
#include "analysis/list_analysis.h"
#include "game/move_generation.h"
#include "game/board_scan.h"
#include "analysis/guarded_reads.h"
#include "analysis/host_words.h"
#include "analysis/list_reads.h"
#include "vm/decode.h"

/* Whether no words of a search read the records of moves, or the text of the last move. */
static bool texts_are_unread(const fvm_host_words *w) {
    const fvm_library *lib = &w->vm->lib;
    const fvm_effects *const all[] = {&w->moves, &w->others};
    bool unread = w->vm->records_have_texts;
    for (int i = 0; i < 2 && unread; i++)
        unread = (fvm_reads_of_lists(all[i]) & FVM_READS_RECORDS) == 0 &&
                 !fvm_effects_include(all[i], lib->move_addr) &&
                 !fvm_effects_include(all[i], lib->move_string);
    return unread;
}
/* --- whether anything reads later what move words leave ------------------------------ */

/* Whether words read variables in which the kernel keeps the last edit of a list. */
static bool reads_last_edit(const fvm_host_words *w) {
    const fvm_library *lib = &w->vm->lib;
    const fvm_addr variables[] = {lib->last_pos, lib->context, lib->changed_to};
    for (int i = 0; i < 3; i++)
        if (fvm_effects_include(&w->moves, variables[i]) ||
            fvm_effects_include(&w->others, variables[i]))
            return true;
    return false;
}

/* Whether a pass in a list can be seen after the list: hooks read $passed, or an $add-move of the
 * script runs. */
static bool passes_are_seen(const fvm_host_words *w) {
    const fvm *vm = w->vm;
    const fvm_addr add_move = vm->primitives[FVM_OP_ADD_MOVE];
    const bool forced = fvm_lib_get(vm, vm->lib.pass_forced) != 0;
    return ((w->moves.passes || forced) && fvm_effects_include(&w->others, vm->lib.passed)) ||
           (w->moves.passes && !vm->records_have_texts &&
            (fvm_addr)fvm_lib_get_or(vm, vm->lib.add_move, (fvm_cell)add_move) != add_move);
}

/* The variables that a word may read before it writes them. */
static fvm_variables exposed_by(const fvm_host_words *w, int32_t word) {
    return word >= 0 ? w->flow.flow[word].exposed : ~(fvm_variables)0;
}

/* The variables that the script's engines use, or its OnSearch: after a search that they run, they
 * may read what it has left. */
static fvm_variables used_by_engines(fvm_host_words *w) {
    const fvm_addr hook = w->vm->lib.on_search;
    const int32_t word = hook != 0 ? fvm_word_of_token(&w->flow, (fvm_cell)hook) : -1;
    fvm_effects engines;
    fvm_variables used = 0;
    bool known = fvm_effects_begin(&engines, &w->flow);
    for (uint32_t i = 0; i < FVM_MAX_PLAYERS && known; i++)
        if (fvm_script_engine(w, i) >= 0)
            fvm_effects_add_word(&engines, fvm_script_engine(w, i));
    if (known && word >= 0 && !fvm_in_library(&w->flow.table, word))
        fvm_effects_add_word(&engines, word);
    if (known)
        fvm_effects_add_tokens(&engines, &w->others);
    known = known && !engines.unknown;
    for (int32_t i = 0; i < w->flow.count; i++)
        if (!known || engines.executed[w->flow.words[i]])
            used |= (fvm_variables)1 << i;
    fvm_effects_end(&engines);
    return used;
}

/* What is known of the variables that move words write. */
typedef struct {
    enum {
        ORDER_NONE,
        ORDER_GUARDED, /* none, if the search guards memory before each word, and only then */
        ORDER_KEPT
    } order;        /* whether a move word may read what another one of the same list has left */
    bool guardable; /* they are not transient, but would be if some of them were guarded */
} variable_facts;

/* Whether the values that move words leave in variables of the script are never read.  guard: NULL,
 * or what the search must guard. */
static bool variables_are_transient(fvm_host_words *w, variable_facts *v, fvm_guard *guard) {
    fvm_flow *f = &w->flow;
    const fvm_addr generate = w->vm->lib.on_generate;
    const int32_t first = generate != 0 ? fvm_word_of_token(f, (fvm_cell)generate) : -1;
    fvm_addr hooks[FVM_HOOKS];
    if (f->count == 0)
        return true;
    for (int32_t i = 0; i < f->table.count; i++) {
        w->others.executed[i] |= w->moves.executed[i];
        w->others.tokens[i] |= w->moves.tokens[i];
    }
    fvm_flow_compute(f, w->others.executed, w->others.tokens);
    const fvm_variables all = ((fvm_variables)1 << f->count) - 1;
    for (int32_t i = 0; i < f->table.count; i++)
        w->others.executed[i] |= w->moves.touched[i] || w->others.touched[i];
    fvm_variables read = fvm_flow_escaped(f, w->others.executed), moves = 0, position = 0;
    fvm_get_hooks(w->vm, hooks);
    for (int i = 0; i < FVM_HOOKS; i++)
        if (hooks[i] != 0)
            *(i < FVM_POSITION_HOOKS ? &position : &read) |=
                exposed_by(w, fvm_word_of_token(f, (fvm_cell)hooks[i]));
    read |= used_by_engines(w);
    for (int32_t i = 0; i < f->table.count; i++) {
        if (w->roots[i])
            moves |= exposed_by(w, i);
        if (w->moves.applied[i] || (w->moves.compiles_tokens && w->moves.tokens[i]))
            read |= exposed_by(w, i);
    }
    /* OnGenerateMoves runs before each list, also before one that is omitted. */
    const fvm_variables prepared = first >= 0 ? f->flow[first].written : 0;
    const fvm_variables checked = (position | (moves & ~prepared)) & all;
    v->order = (moves & all) == 0                               ? ORDER_NONE
               : guard != NULL && (moves & prepared & all) == 0 ? ORDER_GUARDED
                                                                : ORDER_KEPT;
    if ((read & all) != 0 || checked == 0)
        return (read & all) == 0;
    v->guardable = (checked & ~fvm_can_be_guarded(f)) == 0;
    return guard != NULL && v->guardable &&
           fvm_guard_find(guard, f, w->others.executed, w->position.touched, checked);
}

/* Whether move words or hooks may use the memory at an address. */
static bool is_used(const fvm_host_words *w, fvm_addr memory) {
    return fvm_effects_use(&w->moves, memory) || fvm_effects_use(&w->others, memory);
}

/* Whether a word may store another list of move words in the table of pieces, or other words in
 * such a list: only the present move words are known. */
static bool may_change_move_words(const fvm_host_words *w) {
    const fvm *vm = w->vm;
    bool used = is_used(w, vm->lib.pieces);
    for (fvm_cell i = 0; i < fvm_word_lists(vm) && !used; i++)
        used = is_used(w, fvm_word_list(vm, i));
    return used;
}

/* Whether move words or hooks run the library's word with that name, or use that variable. */
static bool runs_library_word(const fvm_host_words *w, const char *name) {
    const fvm_addr nfa = fvm_find_in(w->vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    return fvm_effects_include(&w->moves, nfa) || fvm_effects_include(&w->others, nfa);
}

/* Whether words may replace what other words execute: by (IS), in the body of a deferred word whose
 * token they use, or in a table of the library. */
static bool redefines_words(const fvm_host_words *w) {
    static const char *const names[] = {"(IS)", "$directions", "$symmetries", "$players",
                                        "$turnOrder"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (runs_library_word(w, names[i]))
            return true;
    if (!runs_library_word(w, "CFA>PFA"))
        return false;
    for (int32_t i = 0; i < w->flow.table.count; i++)
        if ((w->moves.tokens[i] || w->others.tokens[i]) && fvm_deferred_word(&w->flow, i) >= 0)
            return true;
    return false;
}

/* Whether move words leave nothing that is read later, except `from`, `here` and the current piece
 * as they are after a scan of the whole board. */
static bool leaves_nothing(fvm_host_words *w, variable_facts *v, fvm_guard *guard) {
    *v = (variable_facts){ORDER_NONE, false};
    return !w->moves.unknown && !w->others.unknown && !redefines_words(w) &&
           !may_change_move_words(w) && !passes_are_seen(w) && !reads_last_edit(w) &&
           (w->flow.table.scratch.count > 0 ||
            (!w->moves.impure && !w->moves.makes_lists && variables_are_transient(w, v, guard)));
}

/* --- the answer --------------------------------------------------------------------- */

/* Whether OnGenerateMoves does something before each list, so that no list may be omitted. */
static bool prepares_lists(const fvm *vm) {
    return !fvm_hook_is_trivial(vm, vm->lib.on_generate, FVM_OP_RETURN);
}

/* Whether a word is a variable that move words write before they read it.  repeatable: no move word
 * reads a value that another one has left. */
static bool is_written_first(const fvm_host_words *w, int32_t word, bool repeatable) {
    for (int32_t i = 0; repeatable && w->flow.table.scratch.count == 0 && i < w->flow.count; i++)
        if (w->flow.words[i] == word)
            return true;
    return false;
}

/* Whether the complete list may be generated after hooks have run, with the same moves.  The hooks
 * free their own lists (see FVM_KEEPS_LISTS), of which nothing remains if words are repeatable. */
static bool can_follow(const fvm_host_words *w, const fvm_effects *hooks, bool repeatable) {
    for (int32_t i = 0; i < w->flow.table.count; i++)
        if (hooks->changed[i] && w->moves.touched[i] && !is_written_first(w, i, repeatable))
            return false;
    return !hooks->impure && (!hooks->makes_lists || repeatable);
}

/* What hooks read of the list, by their use of lists. */
static fvm_list_use list_use(const fvm_host_words *w, unsigned use) {
    return (use & FVM_READS_RECORDS) != 0 || ((use & FVM_READS_TYPE) != 0 && !w->one_type)
               ? FVM_LIST_CONTENTS
           : (use & FVM_READS_COUNT) != 0 ? FVM_LIST_COUNT
           : use != 0                     ? FVM_LIST_EMPTINESS
                                          : FVM_LIST_UNREAD;
}

/* Whether a variable of the library is 0 and remains 0. */
static bool is_unset(const fvm_host_words *w, fvm_addr variable) {
    return fvm_lib_get(w->vm, variable) == 0 && !fvm_effects_include(&w->moves, variable) &&
           !fvm_effects_include(&w->others, variable);
}

/* Whether hooks do no more with the lists that they generate than to count and free them.  A hook
 * may also execute moves, and so run the words that these contain. */
static bool only_counts_own_lists(const fvm_host_words *w) {
    const unsigned moves = w->position.executes_tokens ? fvm_reads_of_lists(&w->turns) : 0;
    return fvm_generates_lists(&w->position) &&
           ((fvm_reads_of_lists(&w->position) | moves) & FVM_KEEPS_LISTS) == 0;
}

/* Whether hooks only compare the number of moves of a list that they generate with 0, and use no
 * variables that generating it writes. */
static bool only_tests_own_lists(const fvm_host_words *w) {
    const fvm_flow *const f = &w->flow;
    bool tested = f->table.scratch.count == 0 && !fvm_uses_counts_of_own_lists(&w->position) &&
                  (!w->position.executes_tokens || !fvm_uses_counts_of_own_lists(&w->turns));
    for (int32_t i = 0; i < f->count && tested; i++)
        tested = !w->position.touched[f->words[i]];
    return tested;
}

/* Whether the moves of lists may only be counted, if the hooks read no more: move words do not
 * read the list, or where its moves are stored, nor use the priorities. */
static bool may_be_counted(const fvm_host_words *w) {
    return !w->moves.unknown && !w->others.unknown && !redefines_words(w) &&
           !may_change_move_words(w) && !passes_are_seen(w) && !reads_last_edit(w) &&
           (fvm_reads_of_lists(&w->moves) & ~FVM_KEEPS_LISTS) == 0 &&
           !fvm_effects_include(&w->moves, w->vm->lib.priorities) &&
           is_unset(w, w->vm->lib.unique_moves);
}

/* --- whether a list may be continued after its first moves have been searched ------- */

/* Whether a definition uses variables of the library in other ways than reading them. */
static bool uses_library_variables(const fvm_host_words *w, int32_t word) {
    fvm_code code;
    if (!fvm_code_open(&code, &w->flow, word))
        return false;
    for (fvm_addr at = code.start; at < code.end;) {
        const fvm_step step = fvm_code_step(&code, at);
        if (step.op == FVM_OP_VAR && fvm_in_library(&w->flow.table, step.word) &&
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
static bool is_undone(const fvm_host_words *w, const fvm_effects *e) {
    if (e->unknown || (fvm_reads_of_lists(e) & ~FVM_KEEPS_LISTS) != 0)
        return false;
    for (int32_t i = 0; i < w->flow.table.count; i++) {
        const int kind = w->flow.kind[i];
        const int op = fvm_opcode_at(w->vm, fvm_code_field(&w->flow.table, i));
        if (e->executed[i] &&
            ((kind != FVM_WORD_ORDINARY && kind != FVM_WORD_HARMLESS && kind != FVM_WORD_EXIT) ||
             !stores_for_script(op) || uses_library_variables(w, i)))
            return false;
        if ((e->writes || e->impure) && e->touched[i] && w->moves.touched[i] &&
            !fvm_is_board_data(&w->flow, i)) /* not restored with the board */
            return false;
    }
    return true;
}

/* Whether searching a move leaves what generating the list reads.  The hooks of positions, and move
 * words, do not change that. */
static bool moves_are_undone(const fvm_host_words *w) {
    const fvm_library *lib = &w->vm->lib;
    const fvm_addr hooks[] = {lib->on_next_turn, lib->on_retract, lib->on_friends};
    fvm_effects made;
    bool undone = fvm_effects_begin(&made, (fvm_flow *)&w->flow) && !w->moves.compiles_tokens;
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks && undone; i++) {
        const int32_t word = hooks[i] != 0 ? fvm_word_of_token(&w->flow, (fvm_cell)hooks[i]) : -1;
        if (hooks[i] != 0 && (word < 0 || !fvm_in_library(&w->flow.table, word)))
            fvm_effects_add_word(&made, word);
    }
    for (int32_t i = 0; i < w->flow.table.count && undone; i++)
        if (w->moves.applied[i])
            fvm_effects_add_word(&made, i);
    if (undone)
        fvm_effects_add_tokens(&made, &w->others);
    undone = undone && is_undone(w, &made);
    fvm_effects_end(&made);
    return undone;
}

/* Whether the table of priorities remains as it is. */
static bool priorities_are_constant(const fvm_host_words *w) {
    return !is_used(w, w->vm->lib.priorities) && !is_used(w, fvm_priorities(w->vm));
}

/* Whether running a word may add a pass.  tokens_pass: whether a word that EXECUTE runs may. */
static bool may_pass(const fvm_host_words *w, int32_t word, bool tokens_pass) {
    fvm_effects e;
    const bool known = fvm_effects_begin(&e, (fvm_flow *)&w->flow);
    if (known)
        fvm_effects_add_word(&e, word);
    const bool passes = !known || e.unknown || e.passes || (e.executes_tokens && tokens_pass);
    fvm_effects_end(&e);
    return passes;
}

/* Stores the move words that may add a pass; returns their number, -1: there are too many. */
static int32_t find_passing_words(const fvm_host_words *w, fvm_addr passing[FVM_PASS_WORDS]) {
    int32_t count = 0;
    bool tokens_pass = false;
    for (int32_t i = 0; i < w->flow.table.count && !tokens_pass; i++)
        tokens_pass = (w->moves.tokens[i] || w->others.tokens[i]) && may_pass(w, i, false);
    for (int32_t i = 0; i < w->flow.table.count; i++) {
        if (!w->roots[i] || !may_pass(w, i, tokens_pass))
            continue;
        if (count == FVM_PASS_WORDS)
            return -1;
        passing[count++] = fvm_code_field(&w->flow.table, i);
    }
    return count;
}

/* Whether the complete list may be generated after its first moves have been searched. */
static bool may_be_continued(const fvm_host_words *w) {
    return (fvm_reads_of_lists(&w->moves) & ~FVM_KEEPS_LISTS) == 0 && moves_are_undone(w);
}

/* The facts about lists whose moves are not searched.  use: what hooks read of lists. */
static void find_facts_at_leaves(fvm_host_words *w, unsigned use, bool transient,
                                 fvm_list_facts *facts) {
    const fvm_list_use read = list_use(w, use);
    const bool never_completed = fvm_hook_is_trivial(w->vm, w->vm->lib.on_terminal, FVM_OP_TRUE);
    const bool counts = (use & FVM_READS_TYPE) == 0 && may_be_counted(w);
    if (read == FVM_LIST_CONTENTS || (!facts->can_follow_hooks && !never_completed))
        return;
    if (transient && read <= FVM_LIST_EMPTINESS)
        facts->use = read;
    else if (counts && never_completed)
        facts->use = FVM_LIST_COUNT;
    else
        return;
    facts->counts_moves = counts;
    /* Words may use scratch memory in a way that needs them to run to their ends. */
    facts->ends_words = counts && w->flow.table.scratch.count == 0;
}

/* The facts about lists whose first moves are searched first: between them and the others, hooks
 * run.  The addresses of records depend on the lists of the moves before.  repeatable: the first
 * moves may be generated alone before the complete list. */
static void find_facts_of_first_moves(const fvm_host_words *w, unsigned use, bool repeatable,
                                      fvm_list_facts *facts) {
    const bool can_begin = facts->has_first_moves && facts->can_follow_hooks &&
                           facts->game_over_use <= FVM_LIST_EMPTINESS &&
                           (use & FVM_READS_RECORDS) == 0;
    facts->can_be_begun = can_begin && repeatable;
    facts->can_be_continued = can_begin && may_be_continued(w);
}

/* Whether the script promises that its move words are independent: see fvm_list_facts. */
static bool promises_independence(const fvm_host_words *w) {
    const char *name = "independent-moves";
    const fvm_addr nfa = fvm_find_in(w->vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    const int32_t word =
        nfa != 0 ? fvm_word_of_token(&w->flow, (fvm_cell)(nfa + FVM_HEADER_BYTES)) : -1;
    return word >= 0 && fvm_is_constant(&w->flow, word) &&
           fvm_get(w->vm, fvm_code_field(&w->flow.table, word) + 8) != 0;
}

/* The facts, except about texts, after all words have run. */
static void find_facts(fvm_host_words *w, fvm_list_facts *facts, fvm_guard *guard) {
    const fvm *vm = w->vm;
    const unsigned use = fvm_reads_of_lists(&w->position);
    facts->reads_piece = w->moves.unknown || w->others.unknown || redefines_words(w) ||
                         fvm_effects_use(&w->others, vm->lib.piece);
    variable_facts v;
    const bool transient = leaves_nothing(w, &v, guard);
    const bool guarded = guard != NULL && guard->variables > 0;
    /* HERE depends on the moves before. */
    const bool reads_lists = (fvm_reads_of_lists(&w->moves) & ~FVM_KEEPS_LISTS) != 0;
    facts->ordered = v.order != ORDER_NONE || reads_lists;
    const bool repeatable = transient && !facts->ordered;
    /* Guarded memory has no values when a list begins. */
    const bool lists_repeatable = transient && !reads_lists && (v.order == ORDER_NONE || guarded);
    facts->can_follow_hooks = !prepares_lists(vm) && can_follow(w, &w->position, lists_repeatable);
    facts->has_first_moves = priorities_are_constant(w) && is_unset(w, vm->lib.unique_moves);
    facts->best_rank = fvm_best_rank(vm);
    facts->leaves_differences = w->moves.changes || fvm_flow_arrays(&w->flow) != 0;
    if (transient && (can_follow(w, &w->game_over, lists_repeatable) ||
                      !fvm_effects_share_memory(&w->moves, &w->game_over)))
        facts->game_over_use = list_use(w, fvm_reads_of_lists(&w->game_over) & ~FVM_KEEPS_LISTS);
    const bool unseen_by_turns = (fvm_reads_of_lists(&w->turns) & ~FVM_KEEPS_LISTS) == 0;
    facts->independent = repeatable && unseen_by_turns;
    /* With priorities, all words of some move types run before moves are drawn. */
    const bool guarded_words =
        transient && !reads_lists && v.order == ORDER_GUARDED && fvm_priorities(vm) == 0;
    facts->can_be_drawn = (facts->independent || (guarded_words && unseen_by_turns)) &&
                          facts->game_over_use <= FVM_LIST_EMPTINESS;
    if (promises_independence(w)) {
        const unsigned reads = fvm_reads_of_lists(&w->game_over) & ~FVM_KEEPS_LISTS;
        facts->can_be_drawn = list_use(w, reads) <= FVM_LIST_EMPTINESS;
    }
    if ((use & FVM_KEEPS_LISTS) == 0 &&
        !(fvm_generates_lists(&w->position) && facts->ordered && !lists_repeatable)) {
        find_facts_at_leaves(w, use, transient, facts);
        /* With priorities, the first moves may be those of other words. */
        const bool same_words = facts->independent || facts->best_rank == 0;
        find_facts_of_first_moves(w, use, lists_repeatable && unseen_by_turns && same_words, facts);
    }
    if ((!vm->records_have_texts || facts->texts_unread) && only_counts_own_lists(w) &&
        may_be_counted(w))
        facts->generated_lists =
            repeatable && only_tests_own_lists(w) ? FVM_TESTED_LISTS : FVM_COUNTED_LISTS;
    facts->guardable = v.guardable && !transient;
    facts->has_passes = w->moves.passes || w->moves.unknown;
}

int32_t fvm_find_passing_words(fvm *vm, fvm_addr passing[FVM_PASS_WORDS]) {
    fvm_host_words w;
    int32_t count = -1;
    if (fvm_host_words_open(&w, vm)) {
        fvm_add_search_words(&w);
        fvm_add_other_words(&w);
        count = find_passing_words(&w, passing);
    }
    fvm_host_words_close(&w);
    return count;
}

fvm_list_facts fvm_find_guarded_facts(fvm *vm, fvm_guard *guard) {
    fvm_list_facts facts = {
        .use = FVM_LIST_CONTENTS, .game_over_use = FVM_LIST_CONTENTS, .reads_piece = true};
    fvm_host_words w;
    if (vm->lib.on_generated != 0)
        return facts;
    if (fvm_host_words_open(&w, vm)) {
        fvm_add_search_words(&w);
        facts.texts_unread = texts_are_unread(&w);
        fvm_add_other_words(&w);
        if (vm->complete_lists != 1)
            find_facts(&w, &facts, guard);
    }
    fvm_host_words_close(&w);
    return facts;
}

fvm_list_facts fvm_find_list_facts(fvm *vm) { return fvm_find_guarded_facts(vm, NULL); }

bool fvm_is_worth_analysis(const fvm *vm, int64_t steps) {
    const fvm_addr transient = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    const fvm_addr end = transient != 0 ? transient : fvm_here(vm);
    return vm->complete_lists < 0 || steps > 2 * ((int64_t)end - FVM_DICTIONARY);
}
