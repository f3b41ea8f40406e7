/* generate_code.h: what the two files share that make programs for the compiler. */
#ifndef FORTHVM_FUZZ_GENERATE_CODE_H
#define FORTHVM_FUZZ_GENERATE_CODE_H

#include "fuzz.h"

#include <stdbool.h>

enum { FZ_WORDS = 8 };

typedef struct {
    int takes, leaves;
    int cost;    /* in steps, about */
    bool recurs; /* as often as the top says */
} fz_effect;

typedef struct {
    fz_random *random;
    char *out;
    size_t size, limit;
    fz_effect words[FZ_WORDS]; /* w0, w1 ... */
    int count;
    bool wild;   /* at some turn something fails */
    int counter; /* the next of a loop */
    /* of the definition that is written */
    fz_effect self;
    int depth; /* items that are there for certain */
    int floor; /* so many of them must stay */
    int held;  /* cells on the return stack */
    int chain; /* innermost of them: loops */
    int plain; /* ... or cells of >R */
    int nesting;
    int rounds; /* of all the loops around */
    int cost;
    bool even; /* arms of a choice must leave the same */
} fz_code;

#define FZ_COUNT(table_) ((int)(sizeof(table_) / sizeof *(table_)))

/* generate_pieces.c */
int fz_roll(fz_code *make, int limit); /* 0 ... limit - 1 */
bool fz_chance(fz_code *make, int percent);
void fz_say(fz_code *make, const char *format, ...);
void fz_end_line(fz_code *make);
void fz_spend(fz_code *make, int steps);
void fz_push(fz_code *make);              /* an item more */
void fz_need(fz_code *make, int items);   /* so many that may be taken */
void fz_adjust(fz_code *make, int items); /* so many exactly, the others taken in */
void fz_condition(fz_code *make);         /* a flag, which the caller takes at once */
void fz_work(fz_code *make, int cost);    /* takes items, leaves others, in at most so many steps */
void fz_plain_work(fz_code *make);        /* ... without a call */
void fz_look(fz_code *make);              /* at items that stay */
void fz_act(fz_code *make);               /* on memory */
void fz_change(fz_code *make);            /* of words, now and then; or a failure */
void fz_meddle(fz_code *make);            /* the same between runs */
void fz_prelude(fz_code *make);           /* words that all programs have */

#endif
