/* lasting_effects.c: whether anything reads later what move words leave in memory.
 *
 * A move word may write a variable or an array of the script if nothing reads the value later:
 * every word that the host runs (move words, hooks, words compiled into moves) writes it before it
 * reads it (word_flow.c), or the search guards it, which checks this (game/guarded_memory.c), and
 * making a move does not change it.  Memory that a script declares as scratch memory needs no
 * proof. */
#include "analysis/lasting_effects.h"

#include "generated/ops.h"

/* --- outside the variables of the script ---------------------------------------------- */

/* Whether words read variables in which the kernel keeps the last edit of a list. */
static bool reads_last_edit(const fvm_entry_words *w) {
    const fvm_library *lib = &w->vm->lib;
    return fvm_words_include(w, lib->last_pos) || fvm_words_include(w, lib->context) ||
           fvm_words_include(w, lib->changed_to);
}

/* Whether a pass in a list can be seen after the list: words read $passed, or an $add-move of the
 * script runs.  That a pass was forced means that the list was empty, which position hooks may read
 * (list_analysis.c). */
static bool passes_are_seen(const fvm_entry_words *w) {
    const fvm *vm = w->vm;
    const fvm_addr add_move = vm->primitives[FVM_OP_ADD_MOVE];
    const bool forced = fvm_lib_get(vm, vm->lib.pass_forced) != 0;
    return (w->moves.passes && fvm_effects_include(&w->others, vm->lib.passed)) ||
           (forced && fvm_effects_include(&w->turns, vm->lib.passed)) ||
           (w->moves.passes && !vm->records_have_texts &&
            (fvm_addr)fvm_lib_get_or(vm, vm->lib.add_move, (fvm_cell)add_move) != add_move);
}

bool fvm_words_see_generation(const fvm_entry_words *w) {
    return !fvm_words_are_known(w) || passes_are_seen(w) || reads_last_edit(w);
}

/* --- the variables of the script ------------------------------------------------------ */

/* The variables that a word may read before it writes them. */
static fvm_variables exposed_by(const fvm_entry_words *w, int32_t word) {
    return word >= 0 ? w->program.flow[word].exposed : ~(fvm_variables)0;
}

/* The variables that the script's engines use, or its OnSearch: after a search that they run, they
 * may read what it has left. */
static fvm_variables used_by_engines(fvm_entry_words *w) {
    const fvm_addr hook = w->vm->lib.on_search;
    const int32_t word = hook != 0 ? fvm_word_of_token(&w->program, (fvm_cell)hook) : -1;
    fvm_effects engines;
    fvm_variables used = 0;
    bool known = fvm_effects_begin(&engines, &w->program);
    for (uint32_t i = 0; i < FVM_MAX_PLAYERS && known; i++)
        if (fvm_script_engine(w, i) >= 0)
            fvm_effects_add_word(&engines, fvm_script_engine(w, i));
    if (known && word >= 0 && !fvm_in_library(&w->program.table, word))
        fvm_effects_add_word(&engines, word);
    if (known) {
        fvm_effects_add_tokens(&engines, &w->moves);
        fvm_effects_add_tokens(&engines, &w->others);
    }
    known = known && !engines.unknown;
    for (int32_t i = 0; i < w->program.count; i++)
        if (!known || engines.executed[w->program.words[i]])
            used |= (fvm_variables)1 << i;
    fvm_effects_end(&engines);
    return used;
}

/* The variables that making a move may change.  Alpha-beta compares positions by them, so it sees
 * what lists leave in them. */
static fvm_variables changed_by_moves(fvm_entry_words *w) {
    fvm_effects made;
    fvm_variables changed = 0;
    const bool known = fvm_made_effects_begin(w, &made) && !made.unknown && !made.makes_lists;
    for (int32_t i = 0; i < w->program.count; i++)
        if (!known || made.changed[w->program.words[i]])
            changed |= (fvm_variables)1 << i;
    fvm_effects_end(&made);
    return changed;
}

/* Sets of numbered variables, by the words that may read them before they write them. */
typedef struct {
    fvm_variables by_moves;    /* move words */
    fvm_variables by_position; /* the hooks of positions */
    fvm_variables by_others;   /* all other words; or they are used in another way */
} exposed_variables;

static exposed_variables find_exposed(fvm_entry_words *w) {
    exposed_variables exposed = {0};
    fvm_program *p = &w->program;
    fvm_addr hooks[FVM_HOOKS];
    for (int32_t i = 0; i < p->table.count; i++) {
        w->reached[i] = w->moves.executed[i] || w->others.executed[i];
        w->tokens[i] = w->moves.tokens[i] || w->others.tokens[i];
    }
    fvm_flow_compute(p, w->reached, w->tokens);
    for (int32_t i = 0; i < p->table.count; i++)
        w->reached[i] |= w->moves.touched[i] || w->others.touched[i];
    exposed.by_others = fvm_flow_escaped(p, w->reached) | used_by_engines(w) | changed_by_moves(w);
    fvm_get_hooks(w->vm, hooks);
    for (int i = 0; i < FVM_HOOKS; i++)
        if (hooks[i] != 0)
            *(i < FVM_POSITION_HOOKS ? &exposed.by_position : &exposed.by_others) |=
                exposed_by(w, fvm_word_of_token(p, (fvm_cell)hooks[i]));
    for (int32_t i = 0; i < p->table.count; i++) {
        if (w->roots[i])
            exposed.by_moves |= exposed_by(w, i);
        if (w->moves.applied[i] || (w->moves.compiles_tokens && w->moves.tokens[i]))
            exposed.by_others |= exposed_by(w, i);
    }
    return exposed;
}

/* --- guarded memory ----------------------------------------------------------------- */

/* Those of the numbered variables that can be guarded: they are not data of the board. */
static fvm_variables guardable_variables(const fvm_program *p) {
    fvm_variables guarded = 0;
    for (int32_t i = 0; i < p->count; i++)
        if (!fvm_is_board_data(p, p->words[i])) /* which is restored with the board */
            guarded |= (fvm_variables)1 << i;
    return guarded;
}

/* Adds a variable; false: there are too many. */
static bool add_variable(fvm_guard *guard, const fvm_program *p, int32_t word, fvm_cell *sum) {
    const fvm_cell cells = p->array[word] >= 0 ? fvm_array_cells(p, word) : 1;
    if (guard->variables == FVM_GUARDED_VARIABLES || cells > FVM_GUARDED_CELLS - *sum)
        return false;
    guard->start[guard->variables] = fvm_body(p->table.vm, fvm_code_field(&p->table, word));
    guard->cells[guard->variables++] = cells;
    *sum += cells;
    return true;
}

/* Adds the instructions of a definition that read the variables; false: there are too many. */
static bool add_reads(fvm_guard *guard, const fvm_program *p, const fvm_code *code,
                      fvm_variables variables) {
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++) {
        if (step->memory < 0 || p->number[step->memory] < 0 ||
            (variables >> p->number[step->memory] & 1) == 0 ||
            (step->use != FVM_USE_READ && step->use != FVM_USE_UPDATE))
            continue;
        if (guard->reads == FVM_GUARDED_READS)
            return false;
        guard->read[guard->reads++] = step->next - 4;
    }
    return true;
}

/* Adds variables, and the instructions that read them, to a guard; false: there are too many. */
static bool guard_variables(const fvm_entry_words *w, fvm_variables variables, fvm_guard *guard) {
    const fvm_program *const p = &w->program;
    fvm_cell sum = 0;
    bool added = true;
    for (int32_t i = 0; i < p->count && added; i++)
        added = (variables >> i & 1) == 0 || add_variable(guard, p, p->words[i], &sum);
    for (int32_t word = 0; word < p->table.count && added; word++) {
        const fvm_code *const code = w->reached[word] ? fvm_code_of(p, word) : NULL;
        added = code == NULL || add_reads(guard, p, code, variables);
    }
    if (!added)
        guard->variables = guard->reads = 0;
    return added;
}

/* Finds the effects on variables of the script. */
static void find_effects_on_variables(fvm_entry_words *w, fvm_lasting_effects *found,
                                      fvm_guard *guard) {
    fvm_program *p = &w->program;
    const fvm_addr generate = w->vm->lib.on_generate;
    const int32_t first = generate != 0 ? fvm_word_of_token(p, (fvm_cell)generate) : -1;
    const exposed_variables exposed = find_exposed(w);
    const fvm_variables all = ((fvm_variables)1 << p->count) - 1;
    /* OnGenerateMoves runs before each list, also before one that is omitted. */
    const fvm_variables prepared = first >= 0 ? p->flow[first].written : 0;
    const fvm_variables checked = (exposed.by_position | (exposed.by_moves & ~prepared)) & all;
    if ((exposed.by_moves & all) != 0)
        found->words = guard != NULL && (exposed.by_moves & prepared & all) == 0
                           ? FVM_WORDS_GUARDED
                           : FVM_WORDS_ORDERED;
    if ((exposed.by_others & all) != 0)
        return;
    found->none = checked == 0;
    if (found->none)
        return;
    found->guardable = (checked & ~guardable_variables(p)) == 0;
    found->none = guard != NULL && found->guardable && guard_variables(w, checked, guard);
}

fvm_lasting_effects fvm_find_lasting_effects(fvm_entry_words *w, fvm_guard *guard) {
    fvm_lasting_effects found = {.words = FVM_WORDS_SEPARATE};
    if (fvm_words_see_generation(w))
        return found;
    if (w->program.table.scratch.count > 0)
        found.none = true;
    else if (w->moves.impure || w->moves.makes_lists)
        return found;
    else if (w->program.count == 0)
        found.none = true;
    else
        find_effects_on_variables(w, &found, guard);
    found.guardable = found.guardable && !found.none;
    return found;
}
