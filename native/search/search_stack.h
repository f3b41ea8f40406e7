/* search_stack.h: make and unmake for all native searches.
 *
 * Declares the search stack, queries about a position, and keys of positions. */
#ifndef FVM_SEARCH_STACK_H
#define FVM_SEARCH_STACK_H

#include "game/random_move.h"
#include "network/network.h"
#include "game/promises.h"
#include "search/original_search.h"
#include "search/script_memory.h"

enum {
    SEARCH_PLIES = 512,               /* frames of the search stack */
    SEARCH_PLAYERS = FVM_MAX_PLAYERS, /* size of arrays by player number */
    CHECKPOINT_CELLS = 7              /* cells of kernel and library that a checkpoint saves */
};

/* The state before a move that has been made. */
typedef struct {
    fvm_turn turn;
    fvm_cell *sp;
    int32_t log_start;    /* index of the move's first entry in the log */
    uint8_t *memory_copy; /* copy of the script's memory, if too many cells change; else NULL */
} fvm_search_frame;

typedef struct {
    fvm *vm;
    fvm_status status;        /* the first failure */
    fvm_cell iteration_depth; /* $iterationDepth before the search */
    bool counts_plies;        /* $ply is incremented with each turn */
    int32_t ply;              /* number of moves made, including partial moves and passes */
    uint32_t chance;          /* the chance players, a bit per player number */
    int32_t partial_cost;     /* plies of a partial move: 0, or 1 with $combinePartial OFF */
    bool plain_turns;         /* the change of turns changes only variables of the library */
    fvm_promises promises;
    bool needs_texts;          /* texts of moves are read, not only in the first position */
    bool count_turns;          /* keys include turn-number, because the script reads it */
    int32_t turn_order_length; /* number of entries; after as many successive passes the game is
                                  drawn */
    /* Changes are tracked during each move, or from the checkpoint on.  If too many cells change
     * (memory.overflow), every move copies the script's memory, and positions have no keys. */
    fvm_script_memory memory;
    bool checkpointed;                            /* changes are tracked since the checkpoint */
    fvm_cell checkpoint_values[CHECKPOINT_CELLS]; /* saved cells of kernel and library */
    uint8_t *root_memory; /* copy of the script's memory at the root; NULL: keys are not needed */
    const fvm_network *network;     /* evaluates positions; NULL: OnEvaluate does */
    fvm_network_sums *network_sums; /* of `network` */
    fvm_search_frame frames[SEARCH_PLIES];
} fvm_search_stack;

/* The result of making a move. */
typedef enum {
    MADE_FAILED,
    MADE_TURN,   /* the next turn begins; its list has not been generated */
    MADE_PARTIAL /* the same player continues; the list has been generated */
} fvm_made;

/* Returns a new search stack for the current position; NULL: no memory.  chance: the chance
 * players, a bit per player number.  count_turns: the script reads turn-number. */
fvm_search_stack *fvm_search_open(fvm *vm, uint32_t chance, bool count_turns);
/* Makes a network evaluate positions; NULL: OnEvaluate does.  false: no memory. */
bool fvm_search_use_network(fvm_search_stack *ss, const fvm_network *network);
void fvm_search_close(fvm_search_stack *ss);

/* Sets $iterationDepth to the depth of the search and makes $ply count plies.  A script may omit
 * moves where $ply >= $iterationDepth.  Without this call both variables are 0, as in the original
 * engine when it does not search. */
void fvm_search_set_depth(fvm_search_stack *ss, int32_t plies);

/* Make a move, or pass for a player who has no moves.  Both clone the board and must be unmade;
 * ss->ply must be less than SEARCH_PLIES - 1. */
fvm_made fvm_search_make(fvm_search_stack *ss, fvm_addr move);
fvm_made fvm_search_pass(fvm_search_stack *ss);
void fvm_search_unmake(fvm_search_stack *ss);

/* After a checkpoint, fvm_search_rollback unmakes all moves together.  It also restores memory that
 * evaluations of positions have changed. */
void fvm_search_checkpoint(fvm_search_stack *ss);
void fvm_search_rollback(fvm_search_stack *ss);

/* Begins a playout, which makes many moves on one clone of the board; one unmake restores the state
 * before the playout.  false: failed. */
bool fvm_search_begin_playout(fvm_search_stack *ss);
/* Makes a move of the newest list, or passes if `move` is 0, and frees the list.  first: this is
 * the first move of the playout.  Its list is not freed, because it was generated before the board
 * was cloned: freeing it would free the clone above it, too. */
fvm_made fvm_search_playout_move(fvm_search_stack *ss, fvm_addr move, bool first);

/* Generates the list of the turn. */
bool fvm_search_generate(fvm_search_stack *ss);

/* Does the same as fvm_search_enter_turn, but generates only the moves that random move selection
 * needs.  *move: the selected move; 0: there are no moves. */
fvm_cell fvm_search_random_move(fvm_search_stack *ss, fvm_random_selection *selection,
                                fvm_addr *move);

/* Returns the number of moves in the newest list.  *first: the first move. */
int32_t fvm_search_newest_list(fvm_search_stack *ss, fvm_addr *first);

/* Player numbers begin at 1.  The mover is the player to move, possibly a chance player.  Values
 * and results of OnIsGameOver refer to the viewer: the next player in turn order who is not a
 * chance player, beginning with the mover. */
int32_t fvm_search_mover(const fvm_search_stack *ss);
bool fvm_search_is_chance(const fvm_search_stack *ss);
int32_t fvm_search_viewer(fvm_search_stack *ss);
/* The player number in the entry of the turn order at an offset; -1: there is none, or the search
 * has failed. */
int32_t fvm_search_player_at(fvm_search_stack *ss, fvm_cell offset);
/* The offset of the entry after an entry. */
fvm_cell fvm_search_next_offset(const fvm_search_stack *ss, fvm_cell offset);
/* The players who have turns and are not chance players, a bit per number. */
uint32_t fvm_search_choosers(fvm_search_stack *ss);
/* For each player, the players who win and lose together with that player, a bit per number: the
 * player and, in games for more than two, the friends according to OnFriends?. */
void fvm_search_sides(fvm_search_stack *ss, uint32_t choosers, uint32_t sides[SEARCH_PLAYERS]);

/* After MADE_TURN: generates the list and runs OnIsGameOver. */
fvm_cell fvm_search_enter_turn(fvm_search_stack *ss);

/* Runs OnIsGameOver; returns FVM_WIN, FVM_LOSS, FVM_DRAW or FVM_UNKNOWN for the viewer. */
fvm_cell fvm_search_game_over(fvm_search_stack *ss);
/* The same, but what OnIsGameOver changes in the script's memory is undone with the last move. */
fvm_cell fvm_search_undone_game_over(fvm_search_stack *ss);
/* Runs OnIsTerminal?; true if it is not defined. */
bool fvm_search_is_terminal(fvm_search_stack *ss);
/* The value of the position for the player with that number; 0: the player to move.  Runs
 * OnEvaluate, unless a network evaluates. */
fvm_cell fvm_search_evaluate(fvm_search_stack *ss, int32_t number);
/* Must be called at the root before the following functions; false: no memory. */
bool fvm_search_begin_keys(fvm_search_stack *ss);
/* A hash of all memory on which the value of the position depends.  Keys of different searches can
 * be compared only if neither has found changed cells. */
uint64_t fvm_search_key(fvm_search_stack *ss);
/* The same hash without the turn number: used to detect repetitions. */
uint64_t fvm_search_position_key(fvm_search_stack *ss);

/* Stores a failure, unless an earlier one is stored; returns whether the search has failed. */
bool fvm_search_failed(fvm_search_stack *ss, fvm_status status);

#endif
