/* generate_code.h: the state of a program under construction, shared by generate_code.c and
 * generate_pieces.c. */
#ifndef FORTHVM_FUZZ_GENERATE_CODE_H
#define FORTHVM_FUZZ_GENERATE_CODE_H

#include "fuzz.h"

#include <stdbool.h>

enum { FZ_WORDS = 8 };

typedef struct {
    int takes, leaves;
    int cost;    /* approximate number of steps */
    bool recurs; /* calls itself as often as the top of the stack says */
} fz_effect;

typedef struct {
    fz_random *random;
    char *out;
    size_t size, limit;
    fz_effect words[FZ_WORDS]; /* w0, w1 ... */
    int count;
    bool wild;   /* some iteration fails */
    int counter; /* the next counter variable for a loop */
    /* the definition under construction */
    fz_effect self;
    int depth; /* stack items that certainly exist */
    int floor; /* how many of them must not be dropped */
    int held;  /* cells on the return stack */
    int chain; /* loops among the innermost of these cells */
    int plain; /* cells of >R among the innermost */
    int nesting;
    int rounds; /* product of the iterations of all enclosing loops */
    int cost;
    bool even; /* the branches of an IF must leave the same depth */
} fz_code;

#define FZ_COUNT(table_) ((int)(sizeof(table_) / sizeof *(table_)))

/* generate_pieces.c */
int fz_roll(fz_code *make, int limit); /* 0 ... limit - 1 */
bool fz_chance(fz_code *make, int percent);
void fz_say(fz_code *make, const char *format, ...);
void fz_end_line(fz_code *make);
void fz_spend(fz_code *make, int steps);
void fz_push(fz_code *make);              /* pushes an item */
void fz_need(fz_code *make, int items);   /* ensures that so many items may be dropped */
void fz_adjust(fz_code *make, int items); /* makes the depth exactly `items` */
void fz_condition(fz_code *make);         /* pushes a flag, which the caller consumes at once */
void fz_work(fz_code *make, int cost);    /* a word that changes the stack, at most `cost` steps */
void fz_plain_work(fz_code *make);        /* the same without a call */
void fz_look(fz_code *make);              /* reads items without dropping them */
void fz_act(fz_code *make);               /* reads or writes memory */
void fz_change(fz_code *make);            /* sometimes redefines a word, or fails */
void fz_meddle(fz_code *make);            /* the same between runs */
void fz_prelude(fz_code *make);           /* defines the words that all programs use */

#endif
