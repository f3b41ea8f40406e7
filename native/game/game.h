/* game.h: the functions of game/ that its files and the searches use.
 *
 * It declares boards, moves, move texts and the host protocol.  Functions for the host are declared
 * in forthvm.h.  The versions 140, 150 and 151 in comments are versions of the original Axiom
 * engine, whose behaviour vm->version selects. */
#ifndef FVM_GAME_H
#define FVM_GAME_H

#include "game/game_state.h"

/* Fields of a board cell and of a player's constant. */
#define FVM_TYPE(piece) ((piece) & FVM_TYPE_MASK)
#define FVM_OWNER(piece) ((piece) & FVM_OWNER_MASK)
#define FVM_PLAYER_NUMBER(player) (((player) >> 11) & 31)
#define FVM_PLAYER_CONSTANT(number) ((number) << 11)
enum { FVM_MAX_PLAYERS = 32 }; /* the constant `#Players` of the library */

/* Size of an entry of the library's turn order: the words of player and for-player, the move type.
 */
enum { FVM_TURN_BYTES = 12 };

/* Results of OnIsGameOver. */
enum { FVM_UNKNOWN = -2140000000, FVM_LOSS = -2130000000, FVM_DRAW = 0, FVM_WIN = 2130000000 };

/* Whether a result ends the game; a script may return any number. */
static inline bool fvm_is_decided(fvm_cell result) {
    return result == FVM_WIN || result == FVM_LOSS || result == FVM_DRAW;
}

/* --- board.c -------------------------------------------------------------------------- */

/* Stores the address of the cell of a board position in *addr; fails if pos is not on the board. */
fvm_status fvm_board_cell(fvm *vm, fvm_cell pos, fvm_addr *addr);
fvm_status fvm_piece_put(fvm *vm, fvm_cell piece, fvm_cell pos);
fvm_status fvm_clone_board(fvm *vm);
fvm_status fvm_free_board(fvm *vm);
bool fvm_board_is_clone(const fvm *vm); /* whether fvm_free_board is possible */
/* Transient memory contains move lists and cloned boards.  It begins at the address that HERE has
 * when fvm_transient_begin is called; later calls have no effect until fvm_transient_end. */
void fvm_transient_begin(fvm *vm);
void fvm_transient_end(fvm *vm);                /* no effect while it contains a list or board */
void fvm_transient_wipe(fvm *vm);               /* zeroes transient memory above HERE */
void fvm_name_player(fvm *vm, fvm_cell player); /* sets $player and $playerName */
/* Sets $player, $playerName and $playerOffset, which selects symmetries. */
void fvm_set_player(fvm *vm, fvm_cell player);
fvm_cell fvm_player_name_at(const fvm *vm, fvm_cell player); /* address of the name, 0: none */
/* Computes a hash of the board and the player to move. */
fvm_status fvm_repetition_key(fvm *vm, uint64_t *result);

/* --- move_list.c, move_generation.c ----------------------------------------------------- */

/* Addresses of the cells of a move's record. */
typedef struct {
    fvm_addr link; /* the cell contains the address of the next move, 0: none */
    fvm_addr text; /* the cell contains the address of the text; 0: the record has no text */
    fvm_addr type; /* the cell contains the move type */
    fvm_addr hash; /* see FVM_HASH_PASS for its contents */
    fvm_addr cfa;  /* code field; the move's code follows */
} fvm_move_cells;
static inline fvm_move_cells fvm_cells_of_move(const fvm *vm, fvm_addr move) {
    if (vm->records_have_texts)
        return (fvm_move_cells){move, move + 4, move + 8, move + 12, move + 16};
    return (fvm_move_cells){move, 0, move + 4, move + 8, move + 12};
}
/* The size of a record.  The move's code follows it. */
static inline uint32_t fvm_record_bytes(const fvm *vm) { return vm->records_have_texts ? 20 : 16; }
/* Stores the addresses of the cells; false: a cell, or the first of the code, is outside memory. */
static inline bool fvm_move_cells_at(const fvm *vm, fvm_addr move, fvm_move_cells *cells) {
    *cells = fvm_cells_of_move(vm, move);
    return fvm_in(vm, move, fvm_record_bytes(vm) + 4);
}
void fvm_move_tables_free(fvm *vm);    /* of move words (move_words.c) */
fvm_status fvm_generate_turn(fvm *vm); /* generates the list of the player to move */
/* Advances a state of random numbers and returns 32 random bits. */
static inline uint32_t fvm_next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    return (uint32_t)(fvm_mix(*state) >> 32);
}
fvm_status fvm_free_list(fvm *vm); /* frees the newest list */
/* Sets HERE back to a lower address.  Transient memory above it will be wiped. */
void fvm_set_here_back(fvm *vm, fvm_addr here);
/* Stores the number of moves and the first move of the newest list; false: there is no list. */
bool fvm_newest_list(const fvm *vm, int32_t *count, fvm_addr *first);
/* The move after a move of a list; 0: there is none. */
static inline fvm_addr fvm_next_move(const fvm *vm, fvm_addr move) {
    const fvm_addr next = fvm_in_cell(vm, move) ? (fvm_addr)fvm_get(vm, move) : 0;
    return next > move ? next : 0; /* a link to a lower address could form a cycle */
}

/* The n-th move after a move of a list; 0: there is none. */
static inline fvm_addr fvm_nth_move(const fvm *vm, fvm_addr move, int32_t n) {
    while (n-- > 0 && move != 0)
        move = fvm_next_move(vm, move);
    return move;
}
/* Fails unless moves are being generated.  word: for the error message. */
fvm_status fvm_require_move(fvm *vm, const char *word);

/* Removes moves that do the same as an earlier one, if the script demands it (equal_moves.c). */
fvm_status fvm_list_remove_equal(fvm *vm, fvm_addr list);
/* The first instruction of a move's code, after the items of its text (text_items.c). */
fvm_addr fvm_first_edit(const fvm *vm, fvm_addr cfa);

/* --- move_text.c: texts of the move under construction -------------------------------- */

/* The text context: facts about the last edits of the move under construction, on which the text of
 * a change of type or owner depends. */
enum {
    FVM_TEXT_IMPLICIT = 1, /* the last change had the same board position as the edit before it, so
                              its text contains no position */
    FVM_TEXT_TYPE = 2,     /* the type of a piece has been changed */
    FVM_TEXT_OWNER = 4,    /* the owner of a piece has been changed */
    FVM_TEXT_MOVED = 8,    /* a piece has moved to the board position of the last edit */
    FVM_TEXT_EDITED = 16   /* the move has an edit, or its text has begun */
};
/* The hash cell of a move: two flags, and in the bits from FVM_HASH_SHIFT upwards a hash of the
 * move word and of the board position where the word ran. */
enum {
    FVM_HASH_PASS = 1,     /* the move is the pass of its list */
    FVM_HASH_IMPLICIT = 2, /* the first edit of this move is a change of type or owner, and has the
                              same board position as the last edit of the move generated before */
    FVM_HASH_SHIFT = 2
};
/* What the hash cell of a move says about the move alone, not about the moves generated before: the
 * key by which searches remember good moves. */
static inline uint32_t fvm_move_key(const fvm *vm, const fvm_move_cells *cells) {
    return (uint32_t)fvm_get(vm, cells->hash) & ~(uint32_t)FVM_HASH_IMPLICIT;
}
/* The next functions make the text of an edit; used only if makes_texts is set. */
fvm_status fvm_text_of_move(fvm *vm, fvm_cell piece, bool captures, fvm_cell from, fvm_cell to);
fvm_status fvm_text_of_capture(fvm *vm, fvm_cell pos);
fvm_status fvm_text_of_create(fvm *vm, fvm_cell piece, fvm_cell pos);
fvm_status fvm_text_of_drop(fvm *vm, fvm_cell piece, fvm_cell pos);
/* kind: FVM_CHANGE_TYPE or FVM_CHANGE_OWNER.  value: the new type or owner. */
fvm_status fvm_text_of_change(fvm *vm, int kind, fvm_cell value, fvm_cell pos);
void fvm_text_reset(fvm *vm); /* clears the text and the text context */
/* Stores the text of a finished move at HERE; used only if records of moves have texts. */
fvm_status fvm_text_store(fvm *vm, fvm_cell *address);
/* Writes the text of a move to a buffer of `size` bytes. */
fvm_status fvm_decompile(fvm *vm, fvm_addr move, char *to, uint32_t size, uint32_t *length);
/* Whether the code of a move has the usual form of a move of a piece, or of a drop, that captures
 * nothing (move_decompile.c).  false: it may capture pieces. */
bool fvm_captures_nothing(const fvm *vm, fvm_addr cfa);
void fvm_position_name(const fvm *vm, fvm_cell pos, char *to, uint32_t size);
/* Finds the newest board position with a name; -1: there is none. */
fvm_status fvm_position_named(fvm *vm, const char *name, fvm_cell *pos);
void fvm_piece_name(const fvm *vm, fvm_cell type, char *to, uint32_t size);
void fvm_player_name(const fvm *vm, fvm_cell player, char *to, uint32_t size);

/* --- board_totals.c ------------------------------------------------------------------- */

/* Returns the totals of the current board, of which only the hashes are up to date if the values of
 * piece types have changed; NULL: it is too large, or within FVM_LINE bytes of the end of memory.
 */
const fvm_board_totals *fvm_count_board(fvm *vm);
/* The same, with all totals up to date. */
const fvm_board_totals *fvm_count_material(fvm *vm);

/* The hash of a cell's piece type and player number; 0 if it has neither. */
static inline uint64_t fvm_piece_hash(uint32_t pos, fvm_cell cell) {
    const uint32_t piece = (uint32_t)cell & (FVM_TYPE_MASK | (FVM_OWNER_MASK & ~FVM_NEUTRAL));
    return piece == 0 ? 0 : fvm_mix(((uint64_t)pos << 16) | piece);
}

/* --- saved_turn.c --------------------------------------------------------------------- */

/* The cells outside the board that are changed by moves and by the change of turns.
 * FVM_TURN_OFFSET, FVM_TURN_BOARD and FVM_TURN_LIST are the indexes of $turnOffset, $board and
 * $movesList. */
enum { FVM_TURN_OFFSET, FVM_TURN_BOARD = 9, FVM_TURN_LIST };
typedef struct {
    fvm_cell values[FVM_TURN_CELLS];
} fvm_turn;

void fvm_turn_bind(fvm *vm); /* called when the library's variables have been found */
void fvm_turn_save(const fvm *vm, fvm_turn *turn);
void fvm_turn_restore(fvm *vm, const fvm_turn *turn);

/* --- host_protocol.c ------------------------------------------------------------------ */

fvm_status fvm_run_hook(fvm *vm, fvm_addr cfa, fvm_phase phase); /* cfa 0: the script has none */
/* Applies a move to the current board.  The turn does not end. */
fvm_status fvm_apply(fvm *vm, fvm_addr move);
/* A move that has been applied in part. */
typedef struct {
    fvm_addr move;
    fvm_addr cfa; /* of its code; 0: not a move */
    fvm_cell type;
    fvm_addr next; /* the instruction where the code goes on, or a result of fvm_apply_edits */
} fvm_move_rest;
/* Applies a move as far as it consists of edits; returns whether this was the whole move.  Only
 * board cells and variables of kernel and library change. */
bool fvm_apply_plain(fvm *vm, fvm_addr move, fvm_move_rest *rest);
/* Applies the rest of a move for which fvm_apply_plain has returned false. */
fvm_status fvm_apply_rest(fvm *vm, const fvm_move_rest *rest);
fvm_addr fvm_apply_edits(fvm *vm, fvm_addr cfa); /* an fvm_edits_function */
fvm_status fvm_next_turn(fvm *vm);               /* ends the turn */
/* Runs OnIsGameOver; *result: FVM_UNKNOWN if the script has no such hook. */
fvm_status fvm_run_game_over(fvm *vm, fvm_cell *result);
/* Runs OnIsTerminal?; without such a hook every position is terminal. */
fvm_status fvm_run_is_terminal(fvm *vm, bool *terminal);
/* Runs OnEvaluate; *value: 0 if the script has no such hook. */
fvm_status fvm_run_evaluate(fvm *vm, fvm_cell *value);
/* Runs OnRetractMove, unless it only frees the board, which the caller does. */
fvm_status fvm_run_retract(fvm *vm);
/* Whether a hook is missing, or a definition of at most one instruction: `op`. */
bool fvm_hook_is_trivial(const fvm *vm, fvm_addr hook, int op);
/* Whether two players are friends, by OnFriends?. */
fvm_status fvm_friends(fvm *vm, fvm_cell a, fvm_cell b, bool *friends);

#endif
