/* list_reads.h: what words read of the newest list. */
#ifndef FVM_LIST_READS_H
#define FVM_LIST_READS_H

#include "analysis/word_effects.h"

/* What words read of a list: a set. */
enum {
    FVM_READS_EMPTINESS = 1,
    FVM_READS_COUNT = 2,  /* the number of moves */
    FVM_READS_RECORDS = 4 /* anything else */
};

/* What words do with lists. */
typedef struct {
    unsigned newest;       /* what they read of the list that is the newest when they begin */
    bool keeps_lists;      /* do more with lists that they generate than to count and free them */
    bool counts_own_lists; /* use the number of moves of such a list for more than to compare it
                              with 0; known only if not keeps_lists */
} fvm_list_reads;

fvm_list_reads fvm_find_list_reads(const fvm_effects *e);

#endif
