/* lasting_effects.h: whether anything reads later what move words leave in memory. */
#ifndef FVM_LASTING_EFFECTS_H
#define FVM_LASTING_EFFECTS_H

#include "analysis/entry_words.h"
#include "game/guarded_memory.h"

typedef struct {
    /* Nothing that move words leave is read later, except `from`, `here` and the current piece as
     * they are after a scan of the whole board. */
    bool none;
    /* Whether a move word may read what another one of the same list has left; valid if `none`. */
    enum {
        FVM_WORDS_SEPARATE,
        FVM_WORDS_GUARDED, /* that is checked if the search guards memory before each word */
        FVM_WORDS_ORDERED
    } words;
    bool guardable; /* `none` is false, but would be true if some variables were guarded */
} fvm_lasting_effects;

/* Adds the variables to *guard of which the result assumes that the search guards them.
 * guard: NULL: memory is not guarded. */
fvm_lasting_effects fvm_find_lasting_effects(fvm_entry_words *w, fvm_guard *guard);
/* Whether words read what move words leave outside the variables of the script; also true if not
 * all words are known. */
bool fvm_words_see_generation(const fvm_entry_words *w);

#endif
