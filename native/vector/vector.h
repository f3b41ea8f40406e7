/* vector.h: positions of a game that are stepped together.
 *
 * A row is a position with its game's history.  Its memory is a snapshot of the VM, so a row
 * contains everything that influences play. */
#ifndef FVM_VECTOR_H
#define FVM_VECTOR_H

#include "game/game.h"

/* --- row_states.c --------------------------------------------------------------------- */

/* A position where a player can choose a move. */
typedef struct {
    fvm_snapshot *listed; /* memory with the list of moves; NULL: the state is not in use */
    fvm_addr *moves;      /* addresses of the moves */
    int32_t *actions;     /* numbers of the moves */
    int32_t count, capacity;
    int32_t player;  /* index of the player to move */
    int32_t partial; /* inside a sequence of partial moves */
    int32_t skipped; /* successive passes of players without moves */
    int32_t plies;   /* moves made, including passes */
    int32_t history; /* index of the history in use */
    int32_t episode; /* number of the row's game */
    uint64_t random; /* state of the random numbers of chance players */
    fvm_cell code;   /* result of OnIsGameOver */
    uint8_t *boards; /* earlier boards of the game, for observations; the newest first */
    int32_t board_count;
} fvm_row_state;

/* A step works in the other state; undo makes the state before it the current one again, once.  A
 * new game in a step uses the other history. */
typedef struct {
    fvm_row_state states[2];
    int32_t now;         /* index of the current state */
    bool stepped;        /* the other state is the one before the last step */
    int32_t *history[2]; /* indexes of moves; -1: pass */
    int32_t capacity[2];
    uint64_t sample; /* state of the random numbers of fvm_vector_sample */
} fvm_row;

struct fvm_vector {
    fvm *vm;
    fvm_vector_options o;       /* with copies of the arrays */
    uint64_t seed, seed_before; /* seed_before: for fvm_vector_undo */
    fvm_row *rows;
    const void **boards; /* the boards of an observation, the newest first */
    int32_t problem, problem_row;
};

/* The result of a move. */
typedef enum { ROW_FAILED, ROW_CONTINUES, ROW_DECIDED } fvm_row_result;

/* Random numbers that depend on the seed, the row, the game's number and their purpose. */
uint64_t fvm_row_random(const fvm_vector *v, int32_t row, int32_t episode, uint32_t purpose);
/* The seed of the script's random streams in a game. */
fvm_cell fvm_row_seed(const fvm_vector *v, int32_t row, int32_t episode);
/* Begins game number s->episode in a state. */
fvm_row_result fvm_row_begin(fvm_vector *v, int32_t row, fvm_row_state *s);
/* Makes a move of `from` and stores the position after it in `to`, which may be the same state. */
fvm_row_result fvm_row_make(fvm_vector *v, int32_t row, const fvm_row_state *from,
                            fvm_row_state *to, int32_t index);
/* Passes for a player without moves. */
fvm_row_result fvm_row_pass(fvm_vector *v, int32_t row, fvm_row_state *s);
/* Whether a chance player is to move; then fvm_row_draw selects a move. */
bool fvm_row_is_chance(const fvm_vector *v, const fvm_row_state *s);
int32_t fvm_row_draw(const fvm_vector *v, fvm_row_state *s);
/* Writes the rewards of a decided state; false: OnFriends? failed. */
bool fvm_row_rewards(fvm_vector *v, const fvm_row_state *s, float *rewards);
/* Frees the memory of a state. */
void fvm_row_release(fvm_row_state *s);

/* --- row_observations.c --------------------------------------------------------------- */

/* Allocates the earlier boards of a state; false: no memory. */
bool fvm_row_allocate_boards(const fvm_vector *v, fvm_row_state *s);
/* Copies the earlier boards of a state. */
void fvm_row_copy_boards(const fvm_vector *v, const fvm_row_state *from, fvm_row_state *to);
/* Adds the board in memory to the earlier boards of a state, before a move. */
void fvm_row_push_board(const fvm_vector *v, fvm_row_state *s);
/* Writes the observation of a state, which is in memory. */
void fvm_row_observe(const fvm_vector *v, const fvm_row_state *s, float *observation);

/* Records a problem. */
void fvm_vector_fail(fvm_vector *v, int32_t problem);

#endif
