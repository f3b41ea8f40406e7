/* search_stack.h: going down a game's tree and back up again, for every native search. */
#ifndef FVM_WALK_H
#define FVM_WALK_H

#include "game/purity.h"
#include "search/original_search.h"

enum { WALK_PLIES = 512, WALK_NUMBERS = 32, WALK_HELD = 7 };

/* A cell outside boards that applying a move has changed, and what it held before. */
typedef struct {
    fvm_addr addr;
    fvm_cell value;
} fvm_kept;

typedef struct {
    fvm_turn turn;
    fvm_cell *sp;
    int32_t kept;   /* entries of the log below this move's */
    uint8_t *whole; /* the script's memory, where single cells are too many */
} fvm_walk_frame;

typedef struct {
    fvm *vm;
    fvm_status status;
    fvm_cell iteration_depth; /* before the search */
    bool counts_plies;        /* in $ply */
    int32_t ply;          /* moves made, partial ones and passes too */
    uint32_t chance;      /* bit per number of a player who draws lots */
    int32_t partial_cost; /* plies that a partial move costs: 0, or 1 by $combinePartial OFF */
    bool brief;           /* a move or two tell as much about a position as all of them */
    bool count_turns;     /* the script looks at turn-number: it is part of the key */
    int32_t turns;        /* slots of the turn order: so many passes in a row are a draw */
    int32_t passes;       /* in a row, by the host, for players without moves */
    /* cells outside boards that moves change */
    fvm_addr low, high;   /* the script's memory */
    uint8_t *shadow;      /* of it, as before the move that is being applied */
    fvm_cell repetitions; /* positions noted before the move that is being applied */
    bool held;            /* it is all of what follows, not a move */
    fvm_cell held_values[WALK_HELD];
    fvm_addr *outside;
    int32_t outside_count;
    bool unbounded;       /* too many to list: memory is kept whole, and there is no key */
    fvm_kept *log;
    int32_t log_count, log_room;
    fvm_walk_frame frames[WALK_PLIES];
} fvm_walk;

/* What a move led to. */
typedef enum {
    WALK_FAILED,
    WALK_TURN,   /* somebody's turn; nothing generated yet */
    WALK_PARTIAL /* the same player goes on; the list is there */
} fvm_step;

/* `chance`: players who draw lots, a bit per number.  NULL: no memory. */
fvm_walk *fvm_walk_open(fvm *vm, uint32_t chance, bool count_turns);
void fvm_walk_close(fvm_walk *w);

/* Lists need not be whole where positions are judged without them, should that be so here. */
void fvm_walk_briefly(fvm_walk *w);

/* How deep the search may look ($iterationDepth): scripts make short lists where $ply is beyond
 * that.  Searches that do not call this leave both at 0: no original's search is at work. */
void fvm_walk_depth(fvm_walk *w, int32_t plies);

/* Both clone the board and must be undone; ply may not reach WALK_PLIES. */
fvm_step fvm_walk_make(fvm_walk *w, fvm_addr move);
fvm_step fvm_walk_pass(fvm_walk *w); /* the host passes for a player without moves */
void fvm_walk_undo(fvm_walk *w);

/* From here on nobody goes up move by move: fvm_walk_back undoes all moves, and takes back as well
 * what questions about positions have changed in the script's memory. */
void fvm_walk_hold(fvm_walk *w);
void fvm_walk_back(fvm_walk *w);

/* A playout: one clone for many moves, all taken back by one undo. */
bool fvm_walk_begin_playout(fvm_walk *w); /* false: it failed */
/* move: of the newest list, 0 a pass.  The list goes, unless it lies below the clone. */
fvm_step fvm_walk_play(fvm_walk *w, fvm_addr move, bool below);

/* Makes the list for the turn; not all of it if `enough` moves do (0: all). */
bool fvm_walk_generate(fvm_walk *w, int32_t enough);
/* So many from the list's beginning, and maybe some that follow them; all of it if there are
 * fewer.  Move words must stand alone. */
bool fvm_walk_generate_first(fvm_walk *w, int32_t moves);

/* Makes one move of the list for the turn, at random, and asks OnIsGameOver as fvm_walk_arrive does;
 * *move: 0 if there is none. */
fvm_cell fvm_walk_sample(fvm_walk *w, fvm_sample *sample, fvm_addr *move);

/* The newest list: how many moves it really has, and the first. */
int32_t fvm_walk_list(fvm_walk *w, fvm_addr *first);

/* Number (1 up) of the player to move; whether he draws lots; of whose turn a decision speaks. */
int32_t fvm_walk_mover(const fvm_walk *w);
bool fvm_walk_chance(const fvm_walk *w);
int32_t fvm_walk_viewer(fvm_walk *w);
uint32_t fvm_walk_seats(fvm_walk *w); /* players with turns who draw no lots, a bit per number */
/* Of each player, who wins and loses with him: himself and, of more than two, whom OnFriends?
 * calls his friends; a bit per number. */
void fvm_walk_sides(fvm_walk *w, uint32_t seats, uint32_t sides[WALK_NUMBERS]);

/* After a step that led to a turn: makes the list, asks OnIsGameOver. */
fvm_cell fvm_walk_arrive(fvm_walk *w);

/* OnIsGameOver: FVM_WIN, FVM_LOSS, FVM_DRAW or FVM_UNKNOWN for the viewer. */
fvm_cell fvm_walk_over(fvm_walk *w);
bool fvm_walk_terminal(fvm_walk *w); /* OnIsTerminal?, TRUE where there is none */
/* OnEvaluate as the player of that number sees it; 0: the player to move. */
fvm_cell fvm_walk_evaluate(fvm_walk *w, int32_t number);
uint64_t fvm_walk_key(fvm_walk *w);   /* of all that can matter */
uint64_t fvm_walk_place(fvm_walk *w); /* the same, whatever the turn number */

bool fvm_walk_failed(fvm_walk *w, fvm_status status); /* notes the first failure */

#endif
