/* original_search.h: the search of the original engine, which only engine_words.c starts. */
#ifndef FVM_ORIGINAL_SEARCH_H
#define FVM_ORIGINAL_SEARCH_H

#include "game/game.h"

/* The values of vm->engine_status other than 0: the requests of fvm_engine_stop. */
enum { FVM_STOP_SOON = 1, FVM_STOP_NOW = 2 };

fvm_status fvm_original_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result);
/* Returns the next number of the random stream of the original engine's searches (original_nodes.c
 * and original_uct.c); other searches do not use it. */
uint32_t fvm_original_random(fvm *vm);

#endif
