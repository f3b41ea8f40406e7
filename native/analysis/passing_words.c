/* passing_words.c: the move words that may add a pass.
 *
 * A list contains only one pass, so a random selection must know which words may add one.  It must
 * not know how moves are drawn (game/random_move.c). */
#include "analysis/passing_words.h"

/* Whether words may add a pass.  tokens_pass: whether words that EXECUTE runs may. */
static bool may_pass(const fvm_effects *e, bool tokens_pass) {
    return e->unknown || e->passes || (e->executes_tokens && tokens_pass);
}

/* Whether running the words in a set may add a pass. */
static bool set_may_pass(const fvm_entry_words *w, const bool *words) {
    const fvm_word_table *const table = &w->program.table;
    fvm_effects e;
    const bool known = fvm_effects_begin(&e, (fvm_program *)&w->program);
    for (int32_t i = fvm_next_word(table, words, 0); known && i < table->count;
         i = fvm_next_word(table, words, i + 1))
        fvm_effects_add_word(&e, i);
    const bool passes = !known || may_pass(&e, false);
    fvm_effects_end(&e);
    return passes;
}

/* Whether running a word may add a pass. */
static bool word_may_pass(const fvm_entry_words *w, int32_t word, bool tokens_pass) {
    fvm_effects e;
    const bool known = fvm_effects_begin(&e, (fvm_program *)&w->program);
    if (known)
        fvm_effects_add_word(&e, word);
    const bool passes = !known || may_pass(&e, tokens_pass);
    fvm_effects_end(&e);
    return passes;
}

int32_t fvm_find_passing_words(const fvm_entry_words *w, fvm_addr passing[FVM_PASS_WORDS]) {
    int32_t count = 0;
    const bool tokens_pass = set_may_pass(w, w->moves.tokens) || set_may_pass(w, w->others.tokens);
    for (int32_t i = 0; i < w->program.table.count; i++) {
        if (!w->roots[i] || !word_may_pass(w, i, tokens_pass))
            continue;
        if (count == FVM_PASS_WORDS)
            return -1;
        passing[count++] = fvm_code_field(&w->program.table, i);
    }
    return count;
}
