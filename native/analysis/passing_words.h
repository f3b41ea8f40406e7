/* passing_words.h: the move words that may add a pass. */
#ifndef FVM_PASSING_WORDS_H
#define FVM_PASSING_WORDS_H

#include "analysis/entry_words.h"
#include "game/list_facts.h"

/* Stores the move words that may add a pass; returns their number, -1: there are too many. */
int32_t fvm_find_passing_words(const fvm_entry_words *w, fvm_addr passing[FVM_PASS_WORDS]);

#endif
