/* list_analysis.c: what a script can observe of lists, and of how they are generated.
 *
 * It combines what words read of lists (list_reads.c), what they leave in memory
 * (lasting_effects.c) and what a search restores (undone_moves.c) into the facts of
 * game/list_facts.h: may lists be incomplete, counted, continued?  Everything that the analysis
 * does not understand counts as observed.  A hook that reads the records of a list is assumed to
 * stay within them: it does not find the memory of another list by arithmetic. */
#include "analysis/list_analysis.h"

#include "analysis/lasting_effects.h"
#include "analysis/list_reads.h"
#include "analysis/memory_accesses.h"
#include "analysis/passing_words.h"
#include "analysis/undone_moves.h"
#include "game/move_generation.h"
#include "vm/decode.h"

/* Promises of scripts: see fvm_list_facts, FVM_ACCESS_NAMED, and can_follow. */
static const char *const INDEPENDENT_MOVES = "independent-moves";
static const char *const ADDRESSES_IN_BOUNDS = "addresses-in-bounds";
static const char *const HOOKS_KEEP_MOVES = "hooks-keep-moves";

/* What the facts follow from. */
typedef struct {
    const fvm_entry_words *words;
    fvm_list_reads moves, game_over, position, turns; /* of words' effects with these names */
    fvm_lasting_effects lasting;
    bool guarded; /* the search guards memory that is used */
    bool counts;  /* a list may be counted if no hook reads its moves */
} analysis;

/* Whether the script defines a constant that is not 0, and so makes a promise. */
static bool promises(const fvm_entry_words *w, const char *name) {
    const fvm_addr nfa = fvm_find_in(w->vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    const int32_t word =
        nfa != 0 ? fvm_word_of_token(&w->program, (fvm_cell)(nfa + FVM_HEADER_BYTES)) : -1;
    return word >= 0 && fvm_is_constant(&w->program, word) &&
           fvm_get(w->vm, fvm_code_field(&w->program.table, word) + FVM_DOES_BODY) != 0;
}

/* Whether the list has the same moves if it is generated again, or at another time. */
static bool is_repeatable(const analysis *a) {
    return a->lasting.none && a->moves.newest == 0 &&
           (a->lasting.words == FVM_WORDS_SEPARATE || a->guarded);
}

/* Whether a move word generates the same moves if other move words have not run before it. */
static bool are_words_separate(const analysis *a) {
    return a->moves.newest == 0 && a->lasting.words == FVM_WORDS_SEPARATE;
}

/* Whether hooks and searches may run between two move words of a list.  If memory is guarded, this
 * is checked: the second word must not read what was left before. */
static bool can_be_interrupted(const analysis *a) {
    return a->lasting.none && a->moves.newest == 0 && a->lasting.words != FVM_WORDS_ORDERED;
}

/* Whether a variable of the library is 0 and remains 0. */
static bool is_unset(const fvm_entry_words *w, fvm_addr variable) {
    return fvm_lib_get(w->vm, variable) == 0 && !fvm_words_include(w, variable);
}

/* --- lists that hooks read ------------------------------------------------------------ */

/* What hooks read of the newest list by $passed, if passes are forced: whether it was empty. */
static unsigned reads_of_passed(const fvm *vm, const fvm_effects *hooks) {
    return fvm_lib_get(vm, vm->lib.pass_forced) != 0 && fvm_effects_include(hooks, vm->lib.passed)
               ? FVM_READS_EMPTINESS
               : 0;
}

/* What hooks read of the newest list. */
static fvm_list_use list_use(unsigned reads) {
    return (reads & FVM_READS_RECORDS) != 0 ? FVM_LIST_CONTENTS
           : (reads & FVM_READS_COUNT) != 0 ? FVM_LIST_COUNT
           : reads != 0                     ? FVM_LIST_EMPTINESS
                                            : FVM_LIST_UNREAD;
}

/* Whether a word is a variable that move words write before they read it. */
static bool is_written_first(const analysis *a, int32_t word) {
    const fvm_program *const p = &a->words->program;
    if (!is_repeatable(a) || p->table.scratch.count > 0)
        return false;
    for (int32_t i = 0; i < p->count; i++)
        if (p->words[i] == word)
            return true;
    return false;
}

/* Whether the complete list may be generated after hooks have run, with the same moves.  The hooks
 * free their own lists (see fvm_list_reads), of which nothing remains if the list is repeatable. */
static bool can_follow(const analysis *a, const fvm_effects *hooks) {
    const fvm_entry_words *const w = a->words;
    const bool promised = promises(w, HOOKS_KEEP_MOVES);
    for (int32_t i = 0; i < w->program.table.count && !promised; i++)
        if (hooks->changed[i] && w->moves.touched[i] && !is_written_first(a, i))
            return false;
    return (promised || !hooks->impure) && (!hooks->makes_lists || is_repeatable(a));
}

/* What OnIsGameOver needs, which may run before the list is completed. */
static fvm_list_use find_game_over_use(const analysis *a) {
    const fvm_entry_words *const w = a->words;
    const bool known = a->lasting.none && (can_follow(a, &w->game_over) ||
                                           !fvm_effects_share_memory(&w->moves, &w->game_over));
    return known ? list_use(a->game_over.newest) : FVM_LIST_CONTENTS;
}

/* Whether the moves of lists may only be counted, if the hooks read no more: move words do not
 * read the list, or where its moves are stored, nor use the priorities. */
static bool may_be_counted(const analysis *a) {
    const fvm_entry_words *const w = a->words;
    return !fvm_words_see_generation(w) && a->moves.newest == 0 &&
           !fvm_effects_include(&w->moves, w->vm->lib.priorities) &&
           is_unset(w, w->vm->lib.unique_moves);
}

/* The facts about lists whose moves are not searched. */
static void find_facts_at_leaves(const analysis *a, fvm_list_facts *facts) {
    const fvm *const vm = a->words->vm;
    const fvm_list_use read = list_use(a->position.newest);
    const bool never_completed = fvm_hook_is_trivial(vm, vm->lib.on_terminal, FVM_OP_TRUE);
    if (read == FVM_LIST_CONTENTS || (!facts->can_follow_hooks && !never_completed))
        return;
    if (a->lasting.none && read <= FVM_LIST_EMPTINESS)
        facts->use = read;
    else if (a->counts && never_completed)
        facts->use = FVM_LIST_COUNT;
    else
        return;
    facts->counts_moves = a->counts;
    /* Words may use scratch memory in a way that needs them to run to their ends. */
    facts->ends_words = a->counts && a->words->program.table.scratch.count == 0;
}

/* --- lists that hooks generate -------------------------------------------------------- */

/* Whether hooks do no more with the lists that they generate than to count and free them.  A hook
 * may also execute moves, and so run the words that these contain. */
static bool only_counts_own_lists(const analysis *a) {
    return fvm_generates_lists(&a->words->position) && !a->position.keeps_lists &&
           !(a->words->position.executes_tokens && a->turns.keeps_lists);
}

/* Whether hooks only compare the number of moves of a list that they generate with 0, and use no
 * variables that generating it writes. */
static bool only_tests_own_lists(const analysis *a) {
    const fvm_entry_words *const w = a->words;
    bool tested = w->program.table.scratch.count == 0 && !a->position.counts_own_lists &&
                  !(w->position.executes_tokens && a->turns.counts_own_lists);
    for (int32_t i = 0; i < w->program.count && tested; i++)
        tested = !w->position.touched[w->program.words[i]];
    return tested;
}

/* What lists need that hooks generate. */
static fvm_list_part find_hook_lists(const analysis *a, bool texts_unread) {
    const bool makes_texts = a->words->vm->records_have_texts && !texts_unread;
    if (makes_texts || !only_counts_own_lists(a) || !a->counts)
        return (fvm_list_part){0};
    const bool tests = a->lasting.none && are_words_separate(a) && only_tests_own_lists(a);
    return (fvm_list_part){.moves = tests, .any = tests, .counted = true};
}

/* --- moves that are searched before the list is complete, or drawn --------------------- */

/* Whether the table of priorities remains as it is. */
static bool are_priorities_constant(const fvm_entry_words *w) {
    return !fvm_words_use(w, w->vm->lib.priorities) && !fvm_words_use(w, fvm_priorities(w->vm));
}

/* Whether OnGenerateMoves changes nothing but scratch memory, so that a list may be omitted. */
static bool prepares_only_scratch(fvm_entry_words *w) {
    const fvm_addr hook = w->vm->lib.on_generate;
    const fvm_word_table *const table = &w->program.table;
    if (fvm_hook_is_trivial(w->vm, hook, FVM_OP_RETURN))
        return true;
    fvm_effects e;
    bool found = fvm_effects_begin(&e, &w->program);
    if (found)
        fvm_effects_add_word(&e, fvm_word_of_token(&w->program, (fvm_cell)hook));
    found = found && !e.unknown && !e.impure && !e.executes_tokens && !e.makes_lists && !e.changes;
    for (int32_t i = 0; i < table->count && found; i++)
        if (e.changed[i]) {
            const fvm_addr at = fvm_body(table->vm, fvm_code_field(table, i));
            found = fvm_scratch_end(&table->scratch, at) > at;
        }
    fvm_effects_end(&e);
    return found;
}

/* The facts about lists whose first moves are searched first: between them and the others, hooks
 * run.  The addresses of records depend on the lists of the moves before. */
static void find_facts_of_first_moves(const analysis *a, fvm_list_facts *facts) {
    const bool can_begin = facts->has_first_moves && facts->can_follow_hooks &&
                           can_be_interrupted(a) && facts->game_over_use <= FVM_LIST_EMPTINESS &&
                           (a->position.newest & FVM_READS_RECORDS) == 0;
    facts->can_be_begun = can_begin && a->turns.newest == 0;
    facts->can_be_continued = can_begin && fvm_moves_are_undone(a->words);
}

/* Whether single move words generate the same moves as in a complete list, and OnIsGameOver tests
 * at most whether there are moves. */
static bool are_words_independent(const analysis *a, const fvm_list_facts *facts) {
    if (promises(a->words, INDEPENDENT_MOVES))
        return list_use(a->game_over.newest) <= FVM_LIST_EMPTINESS;
    /* With priorities, all words of some move types run before moves are drawn. */
    const bool guarded = a->lasting.words == FVM_WORDS_GUARDED && fvm_priorities(a->words->vm) == 0;
    return a->lasting.none && a->moves.newest == 0 && a->turns.newest == 0 &&
           (a->lasting.words == FVM_WORDS_SEPARATE || guarded) &&
           facts->game_over_use <= FVM_LIST_EMPTINESS;
}

/* The facts about random moves. */
static void find_facts_of_draws(const analysis *a, fvm_list_facts *facts) {
    const fvm_entry_words *const w = a->words;
    facts->can_be_drawn = are_words_independent(a, facts);
    facts->passing_count = facts->can_be_drawn && (w->moves.passes || w->moves.unknown)
                               ? fvm_find_passing_words(w, facts->passing)
                               : 0;
    if (facts->passing_count < 0)
        facts->can_be_drawn = false;
}

/* --- the answer ----------------------------------------------------------------------- */

/* Whether no words of a search read the records of moves, or the text of the last move. */
static bool are_texts_unread(const fvm_entry_words *w) {
    const fvm_library *lib = &w->vm->lib;
    return ((fvm_find_list_reads(&w->moves).newest | fvm_find_list_reads(&w->others).newest) &
            FVM_READS_RECORDS) == 0 &&
           !fvm_words_include(w, lib->move_addr) && !fvm_words_include(w, lib->move_string);
}

/* Finds the facts, except about texts, after all words have been added.  guard: filled in with what
 * the facts assume; NULL: only what is proven.  Returns whether more may be assumed with a guard.
 */
static bool find_facts(fvm_entry_words *w, fvm_list_facts *facts, fvm_guard *guard) {
    const fvm *const vm = w->vm;
    analysis a = {.words = w,
                  .moves = fvm_find_list_reads(&w->moves),
                  .game_over = fvm_find_list_reads(&w->game_over),
                  .position = fvm_find_list_reads(&w->position),
                  .turns = fvm_find_list_reads(&w->turns)};
    a.game_over.newest |= reads_of_passed(vm, &w->game_over);
    a.position.newest |= reads_of_passed(vm, &w->position);
    a.lasting = fvm_find_lasting_effects(w, guard);
    a.guarded = guard != NULL && guard->variables > 0;
    a.counts = may_be_counted(&a);
    facts->reads_piece = w->moves.unknown || w->others.unknown || fvm_words_redefine(w) ||
                         fvm_effects_use(&w->others, vm->lib.piece);
    facts->leaves_differences = w->moves.changes || fvm_flow_arrays(&w->program) != 0;
    facts->ordered = !are_words_separate(&a);
    facts->has_first_moves = are_priorities_constant(w) && is_unset(w, vm->lib.unique_moves);
    facts->best_rank = fvm_best_rank(vm);
    facts->can_follow_hooks = prepares_only_scratch(w) && can_follow(&a, &w->position);
    facts->game_over_use = find_game_over_use(&a);
    find_facts_of_draws(&a, facts);
    facts->hook_lists = find_hook_lists(&a, facts->texts_unread);
    if (a.position.keeps_lists ||
        (fvm_generates_lists(&w->position) && facts->ordered && !is_repeatable(&a)))
        return a.lasting.guardable;
    find_facts_at_leaves(&a, facts);
    find_facts_of_first_moves(&a, facts);
    return a.lasting.guardable;
}

/* The facts if words may use any memory: only what the script promises. */
static void find_promised_facts(fvm_entry_words *w, fvm_list_facts *facts) {
    fvm_list_facts all = *facts;
    if (!promises(w, INDEPENDENT_MOVES))
        return;
    find_facts(w, &all, NULL);
    facts->can_be_drawn = all.can_be_drawn;
    facts->passing_count = all.passing_count;
    memcpy(facts->passing, all.passing, sizeof facts->passing);
}

/* Finds both kinds of facts, see fvm_find_facts. */
static void find_all_facts(fvm_entry_words *w, fvm_access access, fvm_list_facts *facts,
                           bool may_guard, fvm_guard *guard, fvm_list_facts *guarded) {
    bool guardable = access == FVM_ACCESS_INDEXED;
    fvm_list_facts found = *facts;
    if (access == FVM_ACCESS_NAMED)
        guardable = find_facts(w, facts, NULL);
    else
        find_promised_facts(w, facts);
    *guarded = *facts;
    if (!may_guard || !guardable)
        return;
    find_facts(w, &found, guard);
    if (guard->variables + guard->bounds > 0)
        *guarded = found;
}

fvm_list_facts fvm_find_facts(fvm *vm, bool may_guard, fvm_guard *guard, fvm_list_facts *guarded) {
    const fvm_list_facts nothing = {
        .use = FVM_LIST_CONTENTS, .game_over_use = FVM_LIST_CONTENTS, .reads_piece = true};
    fvm_list_facts facts = nothing;
    fvm_entry_words w;
    *guard = (fvm_guard){0};
    *guarded = nothing;
    if (vm->lib.on_generated != 0)
        return nothing;
    if (fvm_entry_words_open(&w, vm)) {
        fvm_add_search_words(&w);
        facts.texts_unread = are_texts_unread(&w);
        const fvm_access access =
            promises(&w, ADDRESSES_IN_BOUNDS) ? FVM_ACCESS_NAMED : fvm_find_access(&w, guard);
        fvm_add_other_words(&w);
        *guarded = facts;
        if (vm->list_mode != FVM_LISTS_COMPLETE)
            find_all_facts(&w, access, &facts, may_guard, guard, guarded);
        if (*w.program.failed)
            *guarded = facts = nothing;
    }
    fvm_entry_words_close(&w);
    return facts;
}

bool fvm_are_texts_unread(fvm *vm) {
    fvm_entry_words w;
    bool unread = false;
    if (!vm->records_have_texts || vm->lib.on_generated != 0)
        return false;
    if (fvm_entry_words_open(&w, vm)) {
        fvm_add_search_words(&w);
        unread = are_texts_unread(&w) && !*w.program.failed;
    }
    fvm_entry_words_close(&w);
    return unread;
}
