/* game_state.h: the state of the game that runs in a VM, outside the image.
 *
 * It owns struct fvm_game, which begins with the VM, so that the folder vm/ needs no games.
 * Nothing here is part of a snapshot; what must survive a restore is in the image. */
#ifndef FVM_GAME_STATE_H
#define FVM_GAME_STATE_H

#include "vm/vm.h"

enum {
    FVM_FRAME_CELLS = 20, /* number of cells that a frame restores */
    FVM_TURN_CELLS = 14,  /* number of cells that belong to a turn */
    FVM_MOVE_TABLES = 4   /* turns often alternate between a few move types */
};

/* The totals of a board, and what they were computed from (game/board_totals.c). */
enum { FVM_TOTALS_CELLS = 4096, FVM_TOTALS_TYPES = 64, FVM_TOTALS_PLAYERS = 32 };
typedef struct {
    uint64_t hash;                      /* exclusive or of the hashes of all cells */
    uint64_t pieces;                    /* the same of the pieces, without their attributes */
    int32_t unknown;                    /* number of pieces whose types are not in `values` */
    uint32_t all;                       /* sum of `owned` */
    uint32_t owned[FVM_TOTALS_PLAYERS]; /* by player number: sum of the values of pieces */
    uint32_t count, positions, types;   /* numbers of cells, board positions, piece types */
    fvm_cell values[FVM_TOTALS_TYPES];  /* of the piece types */
    fvm_cell cells[FVM_TOTALS_CELLS];   /* the board */
} fvm_board_totals;

typedef struct fvm_move_table fvm_move_table; /* game/move_words.c */

/* Where the generation of a list has stopped, and what the next move word can observe. */
typedef struct {
    fvm_cell pos;          /* the board position */
    fvm_cell from, piece;  /* variables of the library */
    fvm_cell passed;       /* $passed */
    bool pass_found;       /* the list contains a pass */
    uint32_t next;         /* index of the next word in the table of move words */
    fvm_cell bottom;       /* the cell of depth 0 (see fvm_begin_stack) */
    fvm_saved_stack stack; /* the items below those of the words */
} fvm_list_rest;

/* What is generated of a list.  All fields are 0: the complete list. */
typedef struct {
    /* Generation may stop when the list has this many moves; 0: never.  They are the first moves of
     * the complete list if `rest` is set, otherwise any. */
    int32_t moves;
    bool counted;        /* moves are only counted: they have no records and no code */
    fvm_cell rank;       /* only moves of this priority or a better one count as `moves`; 0: all */
    fvm_list_rest *rest; /* set if generation stops, to continue the list; NULL: not needed */
} fvm_list_part;

/* What an engine has reported last. */
typedef struct {
    bool has_best; /* `best` is a move */
    char best[FVM_TEXT_MAX + 1];
    char current[FVM_TEXT_MAX + 1];
    fvm_cell score;
    fvm_cell depth;
    int64_t nodes;
    fvm_addr move; /* chosen by a built-in search, or that of the text at decompiled_to */
} fvm_report;

typedef struct {
    fvm vm;

    /* the list being generated; vm.generating, vm.scan_word and vm.scan_type belong to it */
    fvm_addr list;           /* its address */
    fvm_list_part list_part; /* what is generated of it */
    fvm_cell best_rank;      /* of the moves that were counted: only these are in the list */
    int32_t found_moves;     /* moves that count as list_part.moves */
    fvm_addr text_items;     /* where those of the newest text with items begin (text_items.c) */
    bool pass_found;         /* it contains a pass */
    bool makes_texts;        /* texts are stored in its records */
    bool filtering;          /* OnMovesGenerated runs */
    bool list_is_part;       /* not all move words have run for the newest list */
    /* A text of the list depends on the last edit before the move. */
    bool texts_depend_on_last_edit;
    bool texts_unread; /* no word can read the texts of lists generated now: none are stored */
    bool omits_items;  /* no text of such a list is written, either: $TextItem need not run */
    /* But perft, which makes moves as a host does, reads whether a text begins with `partial`. */
    bool checks_partial_texts;
    fvm_cell scan_hints[32]; /* by player: board position where generation stopped last */
    fvm_move_table *move_tables[FVM_MOVE_TABLES]; /* see move_words.c; NULL: none */
    uint32_t random_selections;                   /* number of searches that have drawn moves */

    /* cells */
    fvm_addr frame_cells[FVM_FRAME_CELLS]; /* cells that a frame restores (catch_frame.c) */
    fvm_addr turn_cells[FVM_TURN_CELLS];   /* cells of a turn (saved_turn.c) */

    /* the result comment */
    bool collecting_comment; /* OnIsGameOver runs for the host: ^ words write the comment */
    uint32_t comment_length;
    char comment[FVM_TEXT_MAX + 1]; /* the last one */

    /* engines */
    bool searching; /* an engine is running */
    int32_t plies;  /* moves made by searches and not unmade yet, including nested ones */
    fvm_report report;
    fvm_addr decompiled, decompiled_to; /* the last move of $DecompileMove, and where its text is */
    double engine_deadline;             /* time after which SearchStatus@ returns 1 (stop soon) */
    int64_t engine_nodes; /* number of reported nodes after which it returns 1; 0: no limit */

    fvm_board_totals totals;
} fvm_game;

/* The game of a VM. */
#define GAME(vm_) ((fvm_game *)(vm_))

#endif
