/* game.h: what the files of game/ offer to each other and to the searches.
 *
 * It owns the declarations of boards, moves, move texts and the host protocol; the host's are in
 * forthvm.h. */
#ifndef FVM_GAME_H
#define FVM_GAME_H

#include "vm/vm.h"

/* Fields of a board cell and of a player. */
#define FVM_TYPE(piece) ((piece) & FVM_TYPE_MASK)
#define FVM_OWNER(piece) ((piece) & FVM_OWNER_MASK)
#define FVM_PLAYER_NUMBER(player) (((player) >> 11) & 31)
enum { FVM_MAX_PLAYERS = 32 }; /* #Players of the library */

enum { FVM_UNKNOWN = -2140000000, FVM_LOSS = -2130000000, FVM_DRAW = 0, FVM_WIN = 2130000000 };

/* --- board.c -------------------------------------------------------------------------- */

fvm_status fvm_board_cell(fvm *vm, fvm_cell pos, fvm_addr *addr); /* pos must be a position */
fvm_status fvm_piece_put(fvm *vm, fvm_cell piece, fvm_cell pos);
fvm_status fvm_piece_take(fvm *vm, fvm_cell pos);
fvm_status fvm_clone_board(fvm *vm);
fvm_status fvm_free_board(fvm *vm);
void fvm_transient_begin(fvm *vm);
void fvm_transient_end(fvm *vm);
void fvm_transient_wipe(fvm *vm);
void fvm_name_player(fvm *vm, fvm_cell player); /* sets $player and $playerName */
void fvm_set_player(fvm *vm, fvm_cell player);  /* ... and $playerOffset: whose symmetries hold */
fvm_cell fvm_player_name_at(const fvm *vm, fvm_cell player); /* address of the name, 0 none */

/* --- move_list.c ---------------------------------------------------------------------- */

typedef struct {
    fvm_addr link;
    fvm_addr text; /* 140 only, else 0 */
    fvm_addr type;
    fvm_addr hash;
    fvm_addr cfa;
} fvm_move_cells;                                         /* addresses of a move's cells */
fvm_status fvm_repetition_key(fvm *vm, uint64_t *result); /* of the board and the player */
bool fvm_layout_140(const fvm *vm);
bool fvm_move_cells_at(const fvm *vm, fvm_addr move, fvm_move_cells *cells);
fvm_status fvm_generate(fvm *vm, fvm_cell player, bool others, fvm_cell type);
fvm_status fvm_generate_turn(fvm *vm); /* for the player to move */
/* The same, but of its moves one at random and whatever came with it, see random_move.c. */
typedef struct {
    uint64_t *random; /* state of the numbers that are drawn */
    fvm_cell most;    /* moves that one run of a word has made, 1 at first */
    fvm_cell chosen;  /* index of the move; -1: the list is whole */
} fvm_random_selection;
fvm_status fvm_generate_random(fvm *vm, fvm_random_selection *selection);
fvm_status fvm_free_list(fvm *vm);
bool fvm_newest_list(const fvm *vm, int32_t *count, fvm_addr *first);
fvm_addr fvm_next_move(const fvm *vm, fvm_addr move);
fvm_status fvm_need_building(fvm *vm, const char *word);

/* --- move_text.c: texts of the move under construction -------------------------------- */

enum {
    FVM_TEXT_IMPLICIT = 1, /* a change of the last square, whose name was left out */
    FVM_TEXT_TYPE = 2,     /* a change of type */
    FVM_TEXT_OWNER = 4,    /* a change of owner */
    FVM_TEXT_MOVED = 8,    /* a move, to the last square */
    FVM_TEXT_EDITED = 16   /* since version 150: any edit */
};
/* A move's hash cell: the pass of its list; the first edit is a change of the square that was
 * edited last before this move; then what identifies the move word and its square. */
enum { FVM_HASH_PASS = 1, FVM_HASH_IMPLICIT = 2, FVM_HASH_SHIFT = 2 };
fvm_status fvm_text_of_move(fvm *vm, fvm_cell piece, bool takes, fvm_cell from, fvm_cell to);
fvm_status fvm_text_of_capture(fvm *vm, fvm_cell pos);
fvm_status fvm_text_of_create(fvm *vm, fvm_cell piece, fvm_cell pos);
fvm_status fvm_text_of_drop(fvm *vm, fvm_cell piece, fvm_cell pos);
/* kind: FVM_CHANGE_TYPE or FVM_CHANGE_OWNER */
fvm_status fvm_text_of_change(fvm *vm, int kind, fvm_cell value, fvm_cell pos);
void fvm_text_begin_word(fvm *vm); /* a move word begins */
fvm_status fvm_text_store(fvm *vm, fvm_cell *address);
fvm_status fvm_decompile(fvm *vm, fvm_addr move, char *to, uint32_t size, uint32_t *length);
void fvm_position_name(const fvm *vm, fvm_cell pos, char *to, uint32_t size);
void fvm_piece_name(const fvm *vm, fvm_cell type, char *to, uint32_t size);
void fvm_player_name(const fvm *vm, fvm_cell player, char *to, uint32_t size);

/* --- host_protocol.c ------------------------------------------------------------------ */

fvm_status fvm_run_hook(fvm *vm, fvm_addr cfa, fvm_phase phase); /* runs it if there is one */
fvm_status fvm_apply(fvm *vm, fvm_addr move); /* to the current board, no turn change */
bool fvm_apply_edits(fvm *vm, fvm_addr cfa);  /* apply_edits.c; false: nothing is done, run it */
fvm_status fvm_next_turn(fvm *vm);
fvm_status fvm_run_game_over(fvm *vm, fvm_cell *result);
fvm_status fvm_friends(fvm *vm, fvm_cell a, fvm_cell b, bool *friends);

#endif
