/* passing_words.c: finds the move words that may add a pass (fvm_find_passing_words of
 * list_analysis.h).
 *
 * A list contains only one pass, so a random selection must know which words may add one.  It must
 * not know how moves are drawn (game/random_move.c). */
#include "analysis/entry_words.h"
#include "analysis/list_analysis.h"

/* Whether running a word may add a pass.  tokens_pass: whether a word that EXECUTE runs may. */
static bool may_pass(const fvm_entry_words *w, int32_t word, bool tokens_pass) {
    fvm_effects e;
    const bool known = fvm_effects_begin(&e, (fvm_program *)&w->program);
    if (known)
        fvm_effects_add_word(&e, word);
    const bool passes = !known || e.unknown || e.passes || (e.executes_tokens && tokens_pass);
    fvm_effects_end(&e);
    return passes;
}

/* Stores the move words that may add a pass; returns their number, -1: there are too many. */
static int32_t find_passing_words(const fvm_entry_words *w, fvm_addr passing[FVM_PASS_WORDS]) {
    int32_t count = 0;
    bool tokens_pass = false;
    for (int32_t i = 0; i < w->program.table.count && !tokens_pass; i++)
        tokens_pass = (w->moves.tokens[i] || w->others.tokens[i]) && may_pass(w, i, false);
    for (int32_t i = 0; i < w->program.table.count; i++) {
        if (!w->roots[i] || !may_pass(w, i, tokens_pass))
            continue;
        if (count == FVM_PASS_WORDS)
            return -1;
        passing[count++] = fvm_code_field(&w->program.table, i);
    }
    return count;
}

int32_t fvm_find_passing_words(fvm *vm, fvm_addr passing[FVM_PASS_WORDS]) {
    fvm_entry_words w;
    int32_t count = -1;
    if (fvm_entry_words_open(&w, vm)) {
        fvm_add_search_words(&w);
        fvm_add_other_words(&w);
        count = find_passing_words(&w, passing);
    }
    fvm_entry_words_close(&w);
    return count;
}
