/* search_stack.h: make and unmake for every native search.
 *
 * Declares the search stack, the questions a search asks about a position, and its keys. */
#ifndef FVM_SEARCH_STACK_H
#define FVM_SEARCH_STACK_H

#include "game/purity.h"
#include "search/original_search.h"

enum { SEARCH_PLIES = 512, SEARCH_PLAYERS = 32, CHECKPOINT_CELLS = 7 };
enum { TURN_ORDER_CELLS = 3 }; /* of one entry of the turn order */

/* The former value of a cell outside the boards that a move has changed. */
typedef struct {
    fvm_addr addr;
    fvm_cell value;
} fvm_saved_cell;

typedef struct {
    fvm_turn turn;
    fvm_cell *sp;
    int32_t log_start;    /* the first entry of the log that belongs to this move */
    uint8_t *memory_copy; /* all of the script's memory, if too many cells change; else NULL */
} fvm_search_frame;

typedef struct {
    fvm *vm;
    fvm_status status;
    fvm_cell iteration_depth; /* before the search */
    bool counts_plies;        /* in $ply */
    int32_t ply;              /* moves made, including partial moves and passes */
    uint32_t chance;          /* the chance players, a bit per player number */
    int32_t partial_cost;     /* plies that a partial move costs: 0, or 1 by $combinePartial OFF */
    bool short_lists;         /* evaluating a position needs one or two moves, not the whole list */
    bool count_turns;         /* the script reads turn-number: it is part of the key */
    int32_t turns;            /* slots of the turn order: so many passes in a row are a draw */
    int32_t passes;           /* passes in a row, made by the host for players without moves */
    /* cells outside the boards that moves change */
    fvm_addr low, high;   /* the script's memory */
    uint8_t *shadow;      /* copy of it, from before the current move or the checkpoint */
    fvm_cell repetitions; /* positions stored for repetition, at the same time */
    bool checkpointed;    /* changes are tracked since the checkpoint, not for each move */
    fvm_cell checkpoint_values[CHECKPOINT_CELLS];
    fvm_addr *outside;
    int32_t outside_count;
    bool unbounded; /* too many cells to list: all memory is copied, and there is no key */
    fvm_saved_cell *log;
    int32_t log_count, log_room;
    fvm_search_frame frames[SEARCH_PLIES];
} fvm_search_stack;

/* The result of making a move. */
typedef enum {
    MADE_FAILED,
    MADE_TURN,   /* the next turn; its list is not generated yet */
    MADE_PARTIAL /* the same player continues; the list has been generated */
} fvm_made;

/* `chance`: the chance players, a bit per player number.  NULL: out of memory. */
fvm_search_stack *fvm_search_open(fvm *vm, uint32_t chance, bool count_turns);
void fvm_search_close(fvm_search_stack *ss);

/* Allows incomplete lists at the horizon, if the script evaluates positions without the list. */
void fvm_search_allow_short_lists(fvm_search_stack *ss);

/* Sets $iterationDepth, the depth of the search: scripts make short lists where $ply is greater.
 * A search that does not call this leaves both at 0, as when the original does not search. */
void fvm_search_set_depth(fvm_search_stack *ss, int32_t plies);

/* Both clone the board and must be unmade; ply must stay below SEARCH_PLIES. */
fvm_made fvm_search_make(fvm_search_stack *ss, fvm_addr move);
fvm_made fvm_search_pass(fvm_search_stack *ss); /* the host passes for a player without moves */
void fvm_search_unmake(fvm_search_stack *ss);

/* After a checkpoint moves are not unmade one by one: fvm_search_rollback unmakes all of them, and
 * also undoes what evaluating positions has changed in the script's memory. */
void fvm_search_checkpoint(fvm_search_stack *ss);
void fvm_search_rollback(fvm_search_stack *ss);

/* A playout makes many moves on one clone of the board; one unmake takes all of them back. */
bool fvm_search_begin_playout(fvm_search_stack *ss); /* false: it failed */
/* move: a move of the newest list, or 0 for a pass.  Frees the list, unless `below`: it lies below
 * the clone. */
fvm_made fvm_search_playout_move(fvm_search_stack *ss, fvm_addr move, bool below);

/* Generates the list of the turn; may stop after `enough` moves (0: generates all). */
bool fvm_search_generate(fvm_search_stack *ss, int32_t enough);
/* Generates at least the first `moves` moves of the list, or all if there are fewer.  Move words
 * must be independent of each other. */
bool fvm_search_generate_first(fvm_search_stack *ss, int32_t moves);

/* Like fvm_search_enter_turn, but generates only as much as selecting a random move needs.
 * *move: the selected move, 0 if there is none. */
fvm_cell fvm_search_random_move(fvm_search_stack *ss, fvm_random_selection *sample, fvm_addr *move);

/* The newest list: its first move; returns the number of moves that are linked in it. */
int32_t fvm_search_list(fvm_search_stack *ss, fvm_addr *first);

/* Player numbers begin at 1.  The mover is the player to move, who may be a chance player; the
 * viewer is the player to whom values and OnIsGameOver's result refer: the next in turn order who
 * is not a chance player. */
int32_t fvm_search_mover(const fvm_search_stack *ss);
bool fvm_search_is_chance(const fvm_search_stack *ss);
int32_t fvm_search_viewer(fvm_search_stack *ss);
/* The players who have turns and are not chance players, a bit per number. */
uint32_t fvm_search_choosers(fvm_search_stack *ss);
/* For each player, the players who win and lose together with that player, a bit per number: the
 * player and, in games for more than two, the friends according to OnFriends?. */
void fvm_search_sides(fvm_search_stack *ss, uint32_t choosers, uint32_t sides[SEARCH_PLAYERS]);

/* After MADE_TURN: generates the list and asks OnIsGameOver. */
fvm_cell fvm_search_enter_turn(fvm_search_stack *ss);

/* OnIsGameOver: FVM_WIN, FVM_LOSS, FVM_DRAW or FVM_UNKNOWN for the viewer. */
fvm_cell fvm_search_game_over(fvm_search_stack *ss);
bool fvm_search_is_terminal(fvm_search_stack *ss); /* OnIsTerminal?; TRUE if it is not defined */
/* OnEvaluate from the view of the player with that number; 0: the player to move. */
fvm_cell fvm_search_evaluate(fvm_search_stack *ss, int32_t number);
uint64_t fvm_search_key(fvm_search_stack *ss); /* key of everything that values depend on */
uint64_t fvm_search_position_key(fvm_search_stack *ss); /* the same without the turn number */

/* Stores the first failure; returns whether there has been one. */
bool fvm_search_failed(fvm_search_stack *ss, fvm_status status);

#endif
