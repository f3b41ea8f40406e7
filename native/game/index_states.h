/* index_states.h: what is known of items of the stack as indexes of arrays that have counters.
 *
 * For growing_arrays.c only. */
#ifndef FVM_INDEX_STATES_H
#define FVM_INDEX_STATES_H

#include "game/word_code.h"

enum { FVM_INDEX_ITEMS = 8 }; /* known items of the stack: the topmost ones */

typedef enum {
    FVM_INDEX_ANY,
    FVM_INDEX_NUMBER,  /* -1, 0 or 1 */
    FVM_INDEX_AT_MOST, /* at most the highest value that the counter has had */
    FVM_INDEX_BELOW,   /* less than that */
    FVM_INDEX_COUNTER  /* the present value of the counter */
} fvm_index_kind;

typedef struct {
    uint8_t kind;
    int8_t counter; /* the number of the counter; the value if the kind is NUMBER */
} fvm_index;

/* What is known when an instruction begins. */
typedef struct {
    fvm_index items[FVM_INDEX_ITEMS]; /* of the stack; the top item is the first */
    fvm_variables filled;             /* counters whose highest value is at least 1 */
    int8_t variable; /* the number of a variable whose value is BELOW; -1: none is known */
    int8_t limit;    /* the number of its counter */
    bool reached;
} fvm_index_state;

/* Nothing is known except that the instruction is reached. */
extern const fvm_index_state FVM_INDEX_UNKNOWN;

/* A comparison before a branch: of an index with a counter, as in `DUP n @ <`, `i @ n @ <` and
 * `n @ OVER >`, or of a counter with 0. */
typedef struct {
    enum { FVM_COMPARED_NONE, FVM_COMPARED_ONE, FVM_COMPARED_TWO, FVM_COMPARED } part;
    int8_t low, high; /* the values that have been pushed: the number of a variable, or see
                         index_states.c; after the comparison, low may be less than high */
    bool inverted;    /* low is less than high if the flag is FALSE */
} fvm_comparison;

void fvm_index_push(fvm_index_state *s, fvm_index item);
fvm_index fvm_index_pop(fvm_index_state *s);
void fvm_index_change_depth(fvm_index_state *s, int popped, int pushed);
/* A variable is written. */
void fvm_index_write(fvm_index_state *s, int8_t number);
/* Items that were the present value of a counter are so no longer. */
void fvm_index_forget_counters(fvm_index_state *s);
/* Variables may have other values from here on. */
void fvm_index_forget_variables(fvm_index_state *s);
/* Adds a state in which an instruction may begin; returns whether this is new. */
bool fvm_index_join(fvm_index_state *to, const fvm_index_state *from);

/* The comparison after an instruction; before: that before it. */
fvm_comparison fvm_follow_comparison(const fvm_flow *f, const fvm_step *step,
                                     fvm_comparison before);
/* What is known where a branch leads if the flag that it tests has a value. */
fvm_index_state fvm_index_after_test(fvm_index_state s, fvm_comparison c, bool flag);

#endif
