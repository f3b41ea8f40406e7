/* passing_words.c: the move words that may add a pass.
 *
 * A list contains only one pass, so a random selection must know which words may add one.
 * game/random_move.c draws moves. */
#include "analysis/passing_words.h"

/* Whether running a word, or the words in a set, may add a pass.  tokens_pass: whether words that
 * EXECUTE runs may. */
static bool may_pass(const fvm_entry_words *w, int32_t word, const bool *set, bool tokens_pass) {
    fvm_effects e;
    const bool known = fvm_effects_begin(&e, (fvm_program *)&w->program);
    for (int32_t i = 0; known && i < w->program.table.count; i++)
        if (i == word || (set != NULL && set[i]))
            fvm_effects_add_word(&e, i);
    const bool passes = !known || e.unknown || e.passes || (e.executes_tokens && tokens_pass);
    fvm_effects_end(&e);
    return passes;
}

int32_t fvm_find_passing_words(const fvm_entry_words *w, fvm_addr passing[FVM_PASS_WORDS]) {
    int32_t count = 0;
    const bool tokens_pass =
        may_pass(w, -1, w->moves.tokens, false) || may_pass(w, -1, w->others.tokens, false);
    for (int32_t i = 0; i < w->program.table.count; i++) {
        if (!w->roots[i] || !may_pass(w, i, NULL, tokens_pass))
            continue;
        if (count == FVM_PASS_WORDS)
            return -1;
        passing[count++] = fvm_code_field(&w->program.table, i);
    }
    return count;
}
