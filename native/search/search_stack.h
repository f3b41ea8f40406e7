/* search_stack.h: going down a game's tree and back up again, for every native search. */
#ifndef FVM_SEARCH_STACK_H
#define FVM_SEARCH_STACK_H

#include "game/purity.h"
#include "search/original_search.h"

enum { SEARCH_PLIES = 512, SEARCH_PLAYERS = 32, CHECKPOINT_CELLS = 7 };

/* A cell outside boards that applying a move has changed, and what it held before. */
typedef struct {
    fvm_addr addr;
    fvm_cell value;
} fvm_saved_cell;

typedef struct {
    fvm_turn turn;
    fvm_cell *sp;
    int32_t log_start;  /* entries of the log below this move's */
    uint8_t *memory_copy; /* the script's memory, where single cells are too many */
} fvm_search_frame;

typedef struct {
    fvm *vm;
    fvm_status status;
    fvm_cell iteration_depth; /* before the search */
    bool counts_plies;        /* in $ply */
    int32_t ply;          /* moves made, partial ones and passes too */
    uint32_t chance;      /* bit per number of a player who draws lots */
    int32_t partial_cost; /* plies that a partial move costs: 0, or 1 by $combinePartial OFF */
    bool short_lists;          /* a move or two tell as much about a position as all of them */
    bool count_turns;     /* the script looks at turn-number: it is part of the key */
    int32_t turns;        /* slots of the turn order: so many passes in a row are a draw */
    int32_t passes;       /* in a row, by the host, for players without moves */
    /* cells outside boards that moves change */
    fvm_addr low, high;   /* the script's memory */
    uint8_t *shadow;      /* of it, as before the move that is being applied */
    fvm_cell repetitions; /* positions noted before the move that is being applied */
    bool checkpointed;           /* it is all of what follows, not a move */
    fvm_cell checkpoint_values[CHECKPOINT_CELLS];
    fvm_addr *outside;
    int32_t outside_count;
    bool unbounded;       /* too many to list: memory is kept whole, and there is no key */
    fvm_saved_cell *log;
    int32_t log_count, log_room;
    fvm_search_frame frames[SEARCH_PLIES];
} fvm_search_stack;

/* What a move led to. */
typedef enum {
    MADE_FAILED,
    MADE_TURN,   /* somebody's turn; nothing generated yet */
    MADE_PARTIAL /* the same player goes on; the list is there */
} fvm_made;

/* `chance`: players who draw lots, a bit per number.  NULL: no memory. */
fvm_search_stack *fvm_search_open(fvm *vm, uint32_t chance, bool count_turns);
void fvm_search_close(fvm_search_stack *ss);

/* Lists need not be whole where positions are judged without them, should that be so here. */
void fvm_search_allow_short_lists(fvm_search_stack *ss);

/* How deep the search may look ($iterationDepth): scripts make short lists where $ply is beyond
 * that.  Searches that do not call this leave both at 0: no original's search is at work. */
void fvm_search_set_depth(fvm_search_stack *ss, int32_t plies);

/* Both clone the board and must be undone; ply may not reach SEARCH_PLIES. */
fvm_made fvm_search_make(fvm_search_stack *ss, fvm_addr move);
fvm_made fvm_search_pass(fvm_search_stack *ss); /* the host passes for a player without moves */
void fvm_search_unmake(fvm_search_stack *ss);

/* From here on nobody goes up move by move: fvm_search_rollback undoes all moves, and takes back as well
 * what questions about positions have changed in the script's memory. */
void fvm_search_checkpoint(fvm_search_stack *ss);
void fvm_search_rollback(fvm_search_stack *ss);

/* A playout: one clone for many moves, all taken back by one undo. */
bool fvm_search_begin_playout(fvm_search_stack *ss); /* false: it failed */
/* move: of the newest list, 0 a pass.  The list goes, unless it lies below the clone. */
fvm_made fvm_search_playout_move(fvm_search_stack *ss, fvm_addr move, bool below);

/* Makes the list for the turn; not all of it if `enough` moves do (0: all). */
bool fvm_search_generate(fvm_search_stack *ss, int32_t enough);
/* So many from the list's beginning, and maybe some that follow them; all of it if there are
 * fewer.  Move words must stand alone. */
bool fvm_search_generate_first(fvm_search_stack *ss, int32_t moves);

/* Makes one move of the list for the turn, at random, and asks OnIsGameOver as fvm_search_enter_turn does;
 * *move: 0 if there is none. */
fvm_cell fvm_search_random_move(fvm_search_stack *ss, fvm_random_selection *sample, fvm_addr *move);

/* The newest list: how many moves it really has, and the first. */
int32_t fvm_search_list(fvm_search_stack *ss, fvm_addr *first);

/* Number (1 up) of the player to move; whether he draws lots; of whose turn a decision speaks. */
int32_t fvm_search_mover(const fvm_search_stack *ss);
bool fvm_search_is_chance(const fvm_search_stack *ss);
int32_t fvm_search_viewer(fvm_search_stack *ss);
uint32_t fvm_search_choosers(fvm_search_stack *ss); /* players with turns who draw no lots, a bit per number */
/* Of each player, who wins and loses with him: himself and, of more than two, whom OnFriends?
 * calls his friends; a bit per number. */
void fvm_search_sides(fvm_search_stack *ss, uint32_t choosers, uint32_t sides[SEARCH_PLAYERS]);

/* After a step that led to a turn: makes the list, asks OnIsGameOver. */
fvm_cell fvm_search_enter_turn(fvm_search_stack *ss);

/* OnIsGameOver: FVM_WIN, FVM_LOSS, FVM_DRAW or FVM_UNKNOWN for the viewer. */
fvm_cell fvm_search_game_over(fvm_search_stack *ss);
bool fvm_search_is_terminal(fvm_search_stack *ss); /* OnIsTerminal?, TRUE where there is none */
/* OnEvaluate as the player of that number sees it; 0: the player to move. */
fvm_cell fvm_search_evaluate(fvm_search_stack *ss, int32_t number);
uint64_t fvm_search_key(fvm_search_stack *ss);   /* of all that can matter */
uint64_t fvm_search_position_key(fvm_search_stack *ss); /* the same, whatever the turn number */

bool fvm_search_failed(fvm_search_stack *ss, fvm_status status); /* notes the first failure */

#endif
