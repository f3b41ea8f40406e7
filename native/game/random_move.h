/* random_move.h: random move selection without generating the complete list. */
#ifndef FVM_RANDOM_MOVE_H
#define FVM_RANDOM_MOVE_H

#include "game/game.h"

enum {
    FVM_DRAW_POSITIONS = 1024, /* no moves are drawn on boards with more positions */
    FVM_PASS_WORDS = 8         /* nor if more words add passes */
};

/* The words that can run at a board position. */
typedef struct {
    fvm_cell pos;
    fvm_cell piece;  /* the piece of the player there, 0: none */
    uint32_t weight; /* the sum of the words' bounds (random_draw.c) */
} fvm_draw_row;

/* The state of random selection in one search, and the result of one selection. */
typedef struct {
    uint64_t *random;      /* state of the random numbers */
    uint32_t number;       /* of the search, for the bounds of tables */
    int32_t resets;        /* how often bounds were reset, because a table was made again */
    int32_t passing_count; /* number of words that have added passes */
    fvm_addr passing[FVM_PASS_WORDS];
    fvm_cell chosen; /* index of the selected move; -1: none selected, the list is complete */
    bool ended;      /* by a word that has added a pass for the first time */
    bool sparse;     /* few positions of the last board had words */
    fvm_draw_row rows[FVM_DRAW_POSITIONS]; /* for one draw */
} fvm_random_selection;

/* Begins random selection in a search.  random: the state of the random numbers. */
void fvm_random_begin(fvm *vm, fvm_random_selection *selection, uint64_t *random);
/* Selects a random move of the player to move, and generates a list that contains at least this
 * move.  The script must promise independent-moves. */
fvm_status fvm_generate_random(fvm *vm, fvm_random_selection *selection);
/* Replaces the list of a drawn move, the newest one, by the complete list.  What hooks left in
 * `from`, `here` and the current piece remains. */
fvm_status fvm_complete_drawn_list(fvm *vm);

#endif
