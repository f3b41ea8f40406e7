/* list_reads.h: what words read of the newest list. */
#ifndef FVM_LIST_READS_H
#define FVM_LIST_READS_H

#include "analysis/word_effects.h"

/* What words do with lists: a set. */
enum {
    FVM_READS_EMPTINESS = 1,
    FVM_READS_COUNT = 2,   /* the number of moves */
    FVM_READS_TYPE = 4,    /* the type of the first move */
    FVM_READS_RECORDS = 8, /* anything else */
    FVM_KEEPS_LISTS = 16   /* do more with lists that they generate than to count and free them */
};

/* What words do with the list that is the newest when they begin. */
unsigned fvm_reads_of_lists(const fvm_effects *e);
/* Whether words use the number of moves of a list that they generate for more than to compare it
 * with 0, if they do no more with these lists than to count and free them. */
bool fvm_uses_counts_of_own_lists(const fvm_effects *e);

#endif
