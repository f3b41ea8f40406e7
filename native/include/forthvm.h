/* forthvm.h: the public interface of the C core, and the only header that a host includes.
 *
 * Sections:
 *   1. Embedding: load a game and play it.
 *   2. Games: changes of a move, hashes, board set-up, functions for a host's move loop.
 *   3. Tools: dictionary, snapshots, images.
 *   4. Search: the original engine's search, engines of scripts, alpha-beta, Monte Carlo search.
 *   5. Many positions: positions of a game that are stepped together, for machine learning.
 *   6. Tracing: the interface of debuggers.
 *
 * Rules for every function:
 *   - Only one thread at a time may use a `vm`.  Exceptions: fvm_interrupt, fvm_engine_stop and
 *     fvm_trace_pause may be called from any thread.  Different VMs are independent.
 *   - A function that can fail returns FVM_OK or an error status.  fvm_last_error returns the
 *     details until the next run.  After a failed run the VM remains usable: both stacks have the
 *     depth that they had before the run.
 *   - The caller owns each object returned by a function named ..._new or ..._take, and frees it
 *     with the function named ..._free.  Other ownership is stated at the function.
 *   - A function does not keep pointers to its arguments after it returns, unless stated.
 *   - Addresses are offsets into the image and are checked: an invalid address causes an error or
 *     reads as zero.  No function returns a host pointer into the image.
 *   - A function that writes text into a buffer of `size` bytes terminates it with a zero byte and
 *     returns its length.  A returned length of size - 1 or more means that the text may be cut.
 *   - A function that fills an array writes at most as many items as its parameter `capacity`.
 *
 * The order of calls, without error handling (guide: docs/guides/embedding.md; complete program:
 * examples/embed.c):
 *
 *     fvm *vm = fvm_new(1 << 20, 64 << 20);
 *     fvm_hooks hooks = {.output = print, .load = load_file};
 *     fvm_set_hooks(vm, &hooks, host);
 *     fvm_budget(vm, 200000000, 10.0);
 *
 *     for (each of core.4th, axiom.4th and the game's script) {
 *         uint32_t base = fvm_source_add(vm, length);
 *         fvm_interpret(vm, text, length, base, 1);
 *         if (it was axiom.4th or the script)
 *             fvm_bind(vm);
 *     }
 *     fvm_game_check(vm);
 *
 *     fvm_game_new(vm);
 *     fvm_game_setup(vm);
 *     for (;;) {
 *         fvm_cell score;
 *         int32_t count, partial;
 *         fvm_game_generate(vm, &count); // like the original: before and after fvm_game_over
 *         fvm_game_over(vm, &score);
 *         if (score is not #UnknownScore)
 *             break;
 *         fvm_game_generate(vm, &count);
 *         count = fvm_move_list(vm, moves, MOVES);
 *         fvm_move_text(vm, moves[0], buffer, size);
 *         fvm_game_make(vm, moves[0], &partial);
 *         fvm_game_free_lists(vm);
 *     }
 *     fvm_game_close(vm);
 *     fvm_free(vm);
 *
 * cffi reads the part between the two CDEF marks (native/build.py), so each declaration exists
 * once. */
#ifndef FORTHVM_H
#define FORTHVM_H

#include <stddef.h>
#include <stdint.h>

/* Exports the declarations of this header; the core is compiled with -fvisibility=hidden. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* CDEF BEGIN */

/* === 1. Embedding ================================================================= */

typedef int32_t fvm_cell;  /* cell: 32 bits, two's complement, wrapping */
typedef uint32_t fvm_addr; /* offset into the image */
typedef struct fvm fvm;
typedef struct fvm_snapshot fvm_snapshot;

/* Status of a run.  The comments name the fields of fvm_error that carry details. */
typedef enum {
    FVM_OK = 0,
    FVM_ERR_STACK_UNDERFLOW = 1,  /* parameter stack below its base */
    FVM_ERR_STACK_OVERFLOW = 2,   /* parameter stack full */
    FVM_ERR_RETURN_UNDERFLOW = 3, /* return stack below the base of this run */
    FVM_ERR_RETURN_OVERFLOW = 4,  /* return stack full: recursion too deep */
    FVM_ERR_ADDRESS = 5,          /* read or write outside the image; value = address */
    FVM_ERR_DIVISION = 6,         /* division by zero, or of -2147483648 by -1 */
    FVM_ERR_UNDEFINED = 7,        /* unknown word; text = name */
    FVM_ERR_BAD_CODE = 8,         /* executed cell is not an xt; value = cell */
    FVM_ERR_UNSET_DEFER = 9,      /* DEFER word without an action; text = name */
    FVM_ERR_ABORT = 10,           /* ABORT */
    FVM_ERR_QUIT = 11,            /* QUIT */
    FVM_ERR_MESSAGE = 12,         /* ERROR or ABORT"; text = message */
    FVM_ERR_STEPS = 13,           /* step budget used up */
    FVM_ERR_TIME = 14,            /* time budget used up */
    FVM_ERR_INTERRUPT = 15,       /* fvm_interrupt was called, or the poll hook returned 1 */
    FVM_ERR_MEMORY = 16,          /* image at its size limit, or no host memory */
    FVM_ERR_NESTING = 17,         /* nested runs or nested LOADs too deep */
    FVM_ERR_CONTROL = 18,         /* execution of an unbalanced control structure */
    FVM_ERR_SECTION = 19,         /* section closed but not opened, or not closed; text */
    FVM_ERR_LIMIT = 20,           /* documented limit exceeded; text = limit */
    FVM_ERR_CONTEXT = 21,         /* word or function not allowed in this context; text = reason */
    FVM_ERR_MOVE = 22,            /* move that cannot be built; text = reason */
    FVM_ERR_MOVE_TEXT = 23,       /* move text longer than 1,023 bytes (version 140) */
    FVM_ERR_PARTIAL = 24,         /* partial move whose text lacks `partial` (version 140) */
    FVM_ERR_NO_MOVE = 25,         /* search in a position without moves */
    FVM_ERR_END_OF_SOURCE = 26,   /* source ended before a parsing word's argument; text = word */
    FVM_ERR_HOST = 27,            /* hook failed; the host knows the reason */
    FVM_ERR_NO_FILE = 28,         /* file of LOAD not found; text = name */
    FVM_ERR_LIBRARY = 29,         /* library lacks a name that the kernel needs; text = name */
    FVM_ERR_BOUNDS = 30,          /* checked mode: array index out of bounds; text, value */
    FVM_ERR_NO_GAME = 31,         /* script lacks a turn order, players or a board; text */
    FVM_ERR_STOPPED = 32,         /* engine ended by fvm_engine_stop or by its time limit */
    FVM_ERR_THROW = 33,           /* Forth 2012: THROW without CATCH; value = code; text */
    FVM_EXIT_VERIFY = 100         /* internal: $Exit ended a word */
} fvm_status;

/* What the VM does, for example at the time of a failure. */
typedef enum {
    FVM_PHASE_INTERPRET = 0,
    FVM_PHASE_CALL = 1,
    FVM_PHASE_NEW_GAME = 2,
    FVM_PHASE_GENERATE = 3,
    FVM_PHASE_APPLY = 4,
    FVM_PHASE_GAME_OVER = 5,
    FVM_PHASE_NEXT_TURN = 6,
    FVM_PHASE_EVALUATE = 7,
    FVM_PHASE_SEARCH = 8
} fvm_phase;

typedef struct {
    int32_t status;      /* fvm_status */
    int32_t phase;       /* fvm_phase, the innermost */
    fvm_addr ip;         /* address of the failed cell; 0: not in compiled code */
    fvm_addr word;       /* CFA of the failed word; 0: unknown */
    uint32_t source_pos; /* source position of the token being interpreted; 0: none */
    fvm_cell value;      /* detail, see fvm_status */
    char text[1024];     /* detail, see fvm_status; zero-terminated */
    int32_t trace_count; /* number of entries in `trace` */
    int32_t trace_total; /* number of open calls, possibly more than trace_count */
    fvm_addr trace[64];  /* addresses of the calling cells, innermost first */
    fvm_cell from;       /* during move generation: board position being scanned; else -1 */
    fvm_cell piece;      /* during move generation: piece being scanned; else -1 */
    fvm_cell player;     /* $player; -1 without a game */
    int64_t steps;       /* steps used since fvm_budget */
} fvm_error;

/* Functions of the host.  A hook returns 0 to continue.  Any other value ends the run with
 * FVM_ERR_HOST; exceptions: the value 1 from `poll` or `trace` ends it with FVM_ERR_INTERRUPT, and
 * a negative value from `word` is a status with the sign changed, whose detail `value` is on the
 * stack: the word fails like a primitive. */
typedef struct {
    /* Prints `length` bytes, which are not zero-terminated. */
    int (*output)(void *host, const char *bytes, size_t length);
    /* Finds the file `name`, reads it and passes its text to fvm_interpret. */
    int (*load)(void *host, const char *name);
    /* Executes the host word that fvm_define_host_word defined with `id`. */
    int (*word)(void *host, int32_t id);
    /* Called every few milliseconds during a run; NULL: no polling. */
    int (*poll)(void *host);
    /* Receives a report of an engine; `what`: fvm_report_kind, which selects text or value. */
    int (*report)(void *host, int32_t what, const char *text, fvm_cell value);
    /* Called at each stop of a traced run; `reasons`: bits of fvm_trace_reason. */
    int (*trace)(void *host, int32_t reasons);
} fvm_hooks;

typedef enum {
    FVM_REPORT_CURRENT = 0, /* text: move being searched */
    FVM_REPORT_BEST = 1,    /* text: best move so far */
    FVM_REPORT_SCORE = 2,   /* value: score */
    FVM_REPORT_NODES = 3,   /* value: number of nodes */
    FVM_REPORT_DEPTH = 4,   /* value: depth */
    FVM_REPORT_LINE = 5,    /* text: moves, a newline after each; value: index of the variation */
    FVM_REPORT_SCORES = 6   /* text: scores of the players by number, a blank after each */
} fvm_report_kind;

/* --- create, configure, free ------------------------------------------------------ */

/* Returns a new VM with an image of `size` bytes that can grow to `limit` bytes; NULL if there is
 * no memory. */
fvm *fvm_new(uint32_t size, uint32_t limit);
/* Frees a VM.  Its snapshots remain valid and are freed by their owner. */
void fvm_free(fvm *vm);
/* Copies the hooks.  `host` is passed to each hook and remains the caller's; a hook may be NULL.
 * A hook may interpret text, execute words, and push and pop cells.  A hook must not restore a
 * snapshot or free the VM. */
void fvm_set_hooks(fvm *vm, const fvm_hooks *hooks, void *host);
/* Returns the error record of the last failure.  The VM owns it; valid until the next run. */
const fvm_error *fvm_last_error(const fvm *vm);
/* Returns a short English name of a status, as a constant string. */
const char *fvm_status_name(fvm_status status);

typedef enum {
    FVM_OPT_VERSION = 0,     /* emulated version: 140, 150, 151; 1140: 140 including its faults */
    FVM_OPT_CHECKED = 1,     /* 1: check array bounds and stack underflow strictly */
    FVM_OPT_FIXED_CLOCK = 2, /* 1: SYSTEM-TIME returns FVM_OPT_CLOCK */
    FVM_OPT_CLOCK = 3,       /* result of SYSTEM-TIME with FVM_OPT_FIXED_CLOCK */
    FVM_OPT_DEPTH = 4,       /* number of return stack cells for a run, 16 to 4096 */
    FVM_OPT_TIER = 5,        /* 0: interpreter only; 1: JIT for hot words, if available; 2: JIT for
                                all words; higher (tests only): steps between profile samples */
    FVM_OPT_HOOK_TIME = 6,   /* limit in milliseconds of each text, hook and move list; 0: none */
    FVM_OPT_UNFILTERED = 7,  /* 1: OnMovesGenerated does not run, so lists contain all moves */
    FVM_OPT_LISTS = 8,       /* an fvm_list_mode */
    FVM_OPT_STANDARD = 9,    /* 1: Forth 2012: its words in C exist; every underflow is an error */
    FVM_OPT_FENCE = 10,      /* address below which ALLOT does not go: the end of the library */
    FVM_OPT_PROMPT = 11,  /* 1: a control word outside a definition is an error, except in files */
    FVM_OPT_PROMISES = 12 /* what the host promises of the script: a set of fvm_promise */
} fvm_option;

/* How searches, playouts and perft generate lists of moves. */
typedef enum {
    FVM_LISTS_PROMISED = 0, /* parts are left out as far as the script or the host promises */
    FVM_LISTS_COMPLETE = 1, /* every list is complete */
    FVM_LISTS_COMPARED = 2  /* playouts fail if a drawn move is not in the complete list */
} fvm_list_mode;

/* What a script promises by constants that are TRUE, or the host in its place: a set. */
typedef enum {
    FVM_INDEPENDENT_MOVES = 1,
    FVM_HOOKS_KEEP_MOVES = 2,
    FVM_HOOKS_IGNORE_MOVES = 4
} fvm_promise;

/* Sets an option.  Not allowed during a run. */
void fvm_set_option(fvm *vm, fvm_option option, int64_t value);
/* Returns an option; for FVM_OPT_TIER: 1 if the JIT is on, else 0. */
int64_t fvm_get_option(const fvm *vm, fvm_option option);

/* --- budget ----------------------------------------------------------------------- */

/* Sets the limits for all runs until the next call.  steps <= 0 or seconds <= 0: no limit.  A step
 * is a call of a word, >R, an iteration of a loop, a backward jump, or 64 bytes of a long
 * primitive.  A run that exceeds a limit fails with FVM_ERR_STEPS or FVM_ERR_TIME. */
void fvm_budget(fvm *vm, int64_t steps, double seconds);
/* Returns the steps used since fvm_budget. */
int64_t fvm_steps(const fvm *vm);
/* Ends the current run with FVM_ERR_INTERRUPT, or the next run if none is active.  May be called
 * from any thread. */
void fvm_interrupt(fvm *vm);
/* Cancels an interrupt that has not ended a run. */
void fvm_clear_interrupt(fvm *vm);

/* --- loading and running ---------------------------------------------------------- */

/* Reserves source positions for a text of `length` bytes; returns the position of its first byte.
 * Source positions are unique over all texts and never 0.  Returns 0 after 4 GiB of text. */
uint32_t fvm_source_add(fvm *vm, uint32_t length);
/* Interprets a text, which the caller may free afterwards.  base: result of fvm_source_add.
 * main: 1 for a whole script, at whose end every section must be closed and every definition
 * finished; 0 for a file loaded by a script. */
fvm_status fvm_interpret(fvm *vm, const char *text, uint32_t length, uint32_t base, int main);
/* Defines a host word: when executed, it calls the `word` hook with `id`. */
fvm_status fvm_define_host_word(fvm *vm, const char *name, int32_t id);
/* Returns the header (NFA) of the newest word with the name `name`, or 0. */
fvm_addr fvm_find(fvm *vm, const char *name);
/* Executes the word whose code field has the address `cfa`, on the current parameter stack. */
fvm_status fvm_execute(fvm *vm, fvm_addr cfa);
/* Returns the number of cells on the parameter stack; negative after an unchecked underflow. */
int32_t fvm_depth(const fvm *vm);
/* Pushes a cell on the parameter stack.  FVM_ERR_STACK_OVERFLOW: the stack is full. */
fvm_status fvm_push(fvm *vm, fvm_cell value);
/* Pops a cell into *value.  FVM_ERR_STACK_UNDERFLOW: the stack is empty. */
fvm_status fvm_pop(fvm *vm, fvm_cell *value);
/* Returns a cell of the parameter stack by its distance from the top (0: top); 0 if the stack has
 * no such cell. */
fvm_cell fvm_pick(const fvm *vm, int32_t from_top);
/* Empties the parameter stack. */
void fvm_clear_stack(fvm *vm);
/* Passes buffered output to the `output` hook.  Each run does so at its end. */
void fvm_flush(fvm *vm);

/* --- memory ----------------------------------------------------------------------- */

/* Copies bytes from the image to `to`.  FVM_ERR_ADDRESS: not all bytes are in the image. */
fvm_status fvm_read(fvm *vm, fvm_addr addr, void *to, uint32_t length);
/* Copies bytes from `from` into the image.  FVM_ERR_ADDRESS: as for fvm_read. */
fvm_status fvm_write(fvm *vm, fvm_addr addr, const void *from, uint32_t length);
/* Returns a snapshot: the complete state, which is memory and parameter stack.  It shares
 * unchanged pages with the VM and with other snapshots.  The caller owns it and may free it before
 * or after the VM, but not while another thread uses the VM.  NULL: no memory. */
fvm_snapshot *fvm_snapshot_take(fvm *vm);
/* Restores a snapshot of the same VM.  FVM_ERR_CONTEXT: inside a run.  FVM_ERR_MEMORY: the
 * snapshot is larger than the limit of the image. */
fvm_status fvm_snapshot_restore(fvm *vm, const fvm_snapshot *snapshot);
/* Frees a snapshot; NULL is allowed. */
void fvm_snapshot_free(fvm_snapshot *snapshot);
/* Seeds a random stream: 1 and 2 are for the script, 3 is for $Rand64!. */
void fvm_seed(fvm *vm, int32_t stream, fvm_cell seed);

/* --- playing ---------------------------------------------------------------------- */

/* Finds the variables of the library, at the first call after the library is loaded, and the hooks
 * of the script.  FVM_ERR_LIBRARY: a name that the kernel needs is missing. */
fvm_status fvm_bind(fvm *vm);
/* Returns FVM_OK if the script has a board, players and a turn order, else FVM_ERR_NO_GAME. */
fvm_status fvm_game_check(fvm *vm);
/* Starts a new game without pieces: runs $NewGame, sets turn-number to 1, runs OnNewGame. */
fvm_status fvm_game_new(fvm *vm);
/* Puts the pieces of {board-setup on the board. */
fvm_status fvm_game_setup(fvm *vm);
/* Generates the legal moves of the player to move, as a new list that replaces the previous one.
 * *count: their number. */
fvm_status fvm_game_generate(fvm *vm, int32_t *count);
/* Runs OnIsGameOver with the newest list and stores its result in *result; #UnknownScore if the
 * script has no such hook. */
fvm_status fvm_game_over(fvm *vm, fvm_cell *result);
/* Applies a move of the newest list.  *partial: 1 for a partial move; else 0, and the turn has
 * ended. */
fvm_status fvm_game_make(fvm *vm, fvm_addr move, int32_t *partial);
/* Ends the turn of a player whose sequence of partial moves has no continuation. */
fvm_status fvm_game_end_turn(fvm *vm);
/* Runs OnTerminate, if the script has one. */
fvm_status fvm_game_close(fvm *vm);
/* Drops all move lists and cloned boards.  Their moves become invalid. */
void fvm_game_free_lists(fvm *vm);
/* Returns the value of a library variable.  *found: 1; 0 if there is no variable `name`. */
fvm_cell fvm_variable(fvm *vm, const char *name, int *found);
/* Copies up to `capacity` moves of the newest list to `moves`; returns the number of moves in the
 * list. A move is valid until its list is replaced or dropped, or another state is restored. */
int32_t fvm_move_list(fvm *vm, fvm_addr *moves, int32_t capacity);
/* Writes the text of a move, in the notation of the original; returns its length, or -1 if the
 * move is invalid. */
int32_t fvm_move_text(fvm *vm, fvm_addr move, char *buffer, int32_t size);
/* Writes the texts of all moves of the newest list, each followed by a zero byte; returns the
 * number of bytes, `size` if the buffer is too small, or -1 if a move is invalid. */
int32_t fvm_list_texts(fvm *vm, char *buffer, int32_t size);

/* === 2. Games ===================================================================== */

/* Creates a piece during board set-up: runs OnEditAdd. */
fvm_status fvm_game_edit_add(fvm *vm, fvm_cell player, fvm_cell type, fvm_cell pos);
/* Removes a piece during board set-up: runs OnEditRemove. */
fvm_status fvm_game_edit_remove(fvm *vm, fvm_cell pos);
/* Writes the result comment: the text of the ^ words in the last run of OnIsGameOver. */
int32_t fvm_game_comment(const fvm *vm, char *buffer, int32_t size);
/* Returns the address of a library variable, or 0. */
fvm_addr fvm_variable_address(fvm *vm, const char *name);
/* Returns the move type of a move, or 0. */
fvm_cell fvm_move_type(fvm *vm, fvm_addr move);
/* Returns the length in bytes of the code of a move, without the items of its text.  *start:
 * address of the code. */
int32_t fvm_move_code(fvm *vm, fvm_addr move, fvm_addr *start);

/* Kinds of changes that a move makes; the comments name the fields of fvm_change in use. */
typedef enum {
    FVM_CHANGE_MOVE = 0, /* from, pos; piece = moved piece at generation; other = replaced piece */
    FVM_CHANGE_CREATE = 1,  /* pos, piece */
    FVM_CHANGE_CAPTURE = 2, /* pos; other = piece on pos at generation */
    FVM_CHANGE_TYPE = 3,    /* pos; piece = new type */
    FVM_CHANGE_OWNER = 4,   /* pos; piece = new owner */
    FVM_CHANGE_PASS = 5,    /* no field */
    FVM_CHANGE_PARTIAL = 6, /* piece = move type of the continuation; 0: any */
    FVM_CHANGE_CALL = 7     /* piece = CFA of the called word; pos = number of arguments; args */
} fvm_change_kind;
typedef struct {
    int32_t kind;     /* fvm_change_kind */
    fvm_cell from;    /* board position before the change */
    fvm_cell pos;     /* changed board position */
    fvm_cell piece;   /* new piece, type, owner or other value, see fvm_change_kind */
    fvm_cell other;   /* replaced or captured piece */
    fvm_cell args[4]; /* arguments of FVM_CHANGE_CALL */
} fvm_change;
/* Copies up to `capacity` changes of a move, in order, to `changes`; returns their total number. */
int32_t fvm_move_changes(fvm *vm, fvm_addr move, fvm_change *changes, int32_t capacity);
/* Stores for up to `capacity` moves of the newest list the board positions from and to which the
 * first piece moves; without such a piece, -1 and the position of the first new piece, -1 if there
 * is none.  Returns the number of moves in the list. */
int32_t fvm_list_squares(fvm *vm, fvm_cell *from, fvm_cell *to, int32_t capacity);

/* Writes a description of each move of the newest list: the number of its cells, then the cells.
 * The first three are the main movement: the positions from and to, -1 for none, and the type of
 * the piece on `to` if it is a new one, else 0.  Then follow all changes (at most 256) and the move
 * type.  Owners are from the mover's view: FVM_OWNER_MASK for the mover's own pieces.  Returns the
 * number of cells, of which only `capacity` are written. */
int32_t fvm_describe_moves(fvm *vm, fvm_cell *cells, int32_t capacity);

/* Numbers of actions: numbers from 0 for the moves of a list.  Moves with the same main movement
 * get the next planes of their block, in the order of their descriptions. */
typedef enum {
    FVM_ACTION_MOVE = 0,   /* from and to */
    FVM_ACTION_PLACE = 1,  /* only to */
    FVM_ACTION_REMOVE = 2, /* only from */
    FVM_ACTION_OTHER = 3   /* neither, as for passes */
} fvm_action_kind;
/* The numbers of one kind: `planes` times a number for each movement between the first `squares`
 * positions. */
typedef struct {
    int32_t start;        /* the first number */
    int32_t squares;      /* number of positions */
    int32_t planes;       /* 0: the kind has no block */
    const int32_t *types; /* the new type of each plane; NULL: planes are choices */
} fvm_action_block;
typedef struct {
    fvm_action_block blocks[4]; /* by fvm_action_kind */
    int32_t positions;          /* number of positions of the board */
    int32_t spare_start;        /* the numbers of moves that have none in a block: */
    int32_t spare;              /* so many for each position, and for moves without a position */
} fvm_action_space;
/* Finds the numbers of moves.  Each thread needs its own. */
typedef struct fvm_action_finder fvm_action_finder;
/* Copies the space.  NULL: no memory, or numbers above INT32_MAX / 2. */
fvm_action_finder *fvm_action_finder_new(const fvm_action_space *space);
void fvm_action_finder_free(fvm_action_finder *finder);
/* Stores the numbers of up to `capacity` moves of the newest list: equal moves have equal ones,
 * other moves different ones; -1: the move has no number.  At least one move has a number.  Returns
 * 1; 0: no memory. */
int32_t fvm_find_actions(fvm *vm, fvm_action_finder *finder, int32_t *numbers, int32_t capacity);
/* Returns how many moves without a number the finder has met, and begins to count anew.
 * movement[3]: the main movement of the first of them. */
int64_t fvm_take_unnumbered(fvm_action_finder *finder, fvm_cell *movement);

/* --- observations for machine learning -------------------------------------------- */

/* What a player does not see of the pieces on a position, or of a type; bits. */
typedef enum {
    FVM_SIGHT_NONE = 1,  /* no player sees the pieces */
    FVM_SIGHT_OWNER = 2, /* only the owner sees them */
    FVM_SIGHT_TYPE = 4   /* only the owner sees their types and attributes */
} fvm_sight;
/* Numbers of a state besides the board. */
enum {
    FVM_OBSERVE_PLAYER = 0,    /* index of the player to move */
    FVM_OBSERVE_TURN = 1,      /* index in the turn order */
    FVM_OBSERVE_PARTIAL = 2,   /* 1 after a partial move */
    FVM_OBSERVE_MOVE_TYPE = 3, /* the move type that the turn demands; 0: any */
    FVM_OBSERVE_REVEAL = 4,    /* 1: the game is over, and all players see hidden pieces */
    FVM_OBSERVE_ONE = 5,       /* always 1 */
    FVM_OBSERVE_STATE = 6      /* how many numbers there are */
};
enum { FVM_OBSERVE_FLOAT32 = 0, FVM_OBSERVE_UINT8 = 1 }; /* types of arrays */
/* How a number is shown. */
typedef enum {
    FVM_SHOW_SCALED = 0, /* `low` as 0, `high` as 1, and the others in proportion */
    FVM_SHOW_EQUAL = 1,  /* 1 if it is `low`, otherwise 0 */
    FVM_SHOW_OTHER = 2   /* 1 if it is not `low`; else the plane is left as it is */
} fvm_show;
/* A number that is shown on a plane. */
typedef struct {
    int32_t source; /* offset of the byte or cell in the board, or FVM_OBSERVE_... */
    int32_t width;  /* 4: a cell; 1: a byte, which is signed */
    int32_t plane;  /* the plane */
    int32_t place;  /* cell of the plane; -1: all cells */
    int32_t show;   /* fvm_show */
    fvm_cell low;   /* see fvm_show */
    fvm_cell high;  /* see fvm_show; may be less than `low` */
} fvm_observed_number;
/* The plan of an observation by one viewer: which plane shows what.  Planes of boards are counted
 * from the first plane of the board; -1: no plane.  Tables by owner have a row for each owner; row
 * and column of the table of types are owner and type, column 0 is for unknown types. */
typedef struct {
    int32_t positions;             /* number of positions */
    int32_t cells;                 /* number of cells of a plane */
    int32_t board_planes;          /* number of planes of each board */
    int32_t state_planes;          /* number of planes after those of all boards */
    int32_t history;               /* number of boards */
    int32_t types;                 /* number of piece types */
    int32_t turns;                 /* number of turns in the turn order */
    fvm_cell viewer;               /* owner in board cells of the viewer's pieces; -1: none */
    const int32_t *places;         /* cell of the planes for each position; -1: left out */
    const uint8_t *sight_on;       /* fvm_sight for each position */
    const uint8_t *sight_of;       /* fvm_sight for each type, from 0 */
    const int32_t *owners;         /* row for each of the 64 values of the owner's bits */
    const int32_t *type_planes;    /* plane of the pieces of an owner and type */
    const int32_t *owner_planes;   /* another plane of the pieces of an owner */
    const int32_t *unknown_planes; /* plane of an owner's pieces whose type is not seen */
    const int32_t *phases;         /* number to show for each turn of the turn order */
    int32_t attribute_planes[16];  /* plane of each bit of the attribute */
    int32_t variable_count;        /* number of `variables` */
    int32_t state_number_count;    /* number of `state_numbers` */
    const fvm_observed_number *variables;     /* numbers in board cells */
    const fvm_observed_number *state_numbers; /* numbers of the state */
} fvm_observation;
/* Returns the number of items of an observation. */
size_t fvm_observation_size(const fvm_observation *plan);
/* Writes all items of an observation to `out`: first the planes of each board, then those of the
 * state.  boards: for each board of the plan the address of its cells, the newest board first;
 * NULL: its planes are 0.  state: FVM_OBSERVE_STATE numbers.  Any number of threads may call the
 * function with the same plan. */
void fvm_observe(const fvm_observation *plan, const void *const *boards, const fvm_cell *state,
                 void *out, int32_t format);
/* Reads the FVM_OBSERVE_STATE numbers of the game state in memory; FVM_OBSERVE_REVEAL is set
 * to 0. */
void fvm_observation_state(const fvm *vm, fvm_cell *state);

/* --- hashes and memory of positions ----------------------------------------------- */

/* Returns a Zobrist hash of board, board variables, turn, demanded move type and partial state. */
uint64_t fvm_position_hash(fvm *vm);
enum {
    FVM_NORMALIZE_PIECE = 1,          /* $piece is always written by generation before it is read */
    FVM_TEXTS_DEPEND_ON_LAST_EDIT = 2 /* fvm_texts_depend_on_last_edit returned 1 */
};
/* Sets memory that is not part of the position to fixed values, so that equal positions have equal
 * memory: the `count` cells at the addresses `scratch`, and the kernel's scratch memory; memory
 * that the script declares as scratch memory gets the values of `base`, a snapshot after loading.
 * The list of positions for repetition is replaced by two numbers: its length, and how often the
 * current position occurs in it. */
fvm_status fvm_position_normalize(fvm *vm, const fvm_snapshot *base, const fvm_addr *scratch,
                                  int32_t count, int32_t flags);
/* Returns 1 if the text of a move of the newest list depends on the last board edit before the list
 * was generated. */
int32_t fvm_texts_depend_on_last_edit(const fvm *vm);

/* --- a host's move loop ----------------------------------------------------------- */

/* Each function below combines several functions above into one call and runs without limits. */

enum { FVM_LOOP_PARTIAL = -1000, FVM_LOOP_LOCK_NEEDED = -1001 };
/* Restores `state`, a snapshot that contains a move list, and applies a move of that list.  Returns
 * FVM_LOOP_PARTIAL for a partial move, otherwise an fvm_status. */
int32_t fvm_loop_make(fvm *vm, const fvm_snapshot *state, fvm_addr move);

/* A host with several threads protects a VM with a lock.  fvm_loop_own makes the calling thread the
 * owner of the VM, which may make moves without the lock (a biased lock).  Before another thread
 * uses the VM, it must call fvm_loop_share, which ends the ownership, and wait while
 * fvm_loop_unlocked_move returns 1.  Only the host can interrupt this wait. */
void fvm_loop_own(fvm *vm);
/* Ends the ownership.  May be called from any thread. */
void fvm_loop_share(fvm *vm);
/* Returns 1 while an unlocked move is in progress.  May be called from any thread. */
int32_t fvm_loop_unlocked_move(const fvm *vm);
/* Makes a move like fvm_loop_make, without the lock.  Returns FVM_LOOP_LOCK_NEEDED and does nothing
 * if the calling thread is not the owner, or if an unlocked move is in progress.  After FVM_OK the
 * unlocked move has ended.  With a third result it remains in progress, so that other threads wait:
 * the host acquires the lock, calls fvm_loop_end_unlocked, and then reads the error or continues
 * the turn. */
int32_t fvm_loop_make_unlocked(fvm *vm, const fvm_snapshot *state, fvm_addr move);
/* Ends the unlocked move of the calling thread. */
void fvm_loop_end_unlocked(fvm *vm);

/* Drops all lists and returns a snapshot, which the caller owns; NULL: no memory. */
fvm_snapshot *fvm_loop_snapshot(fvm *vm);

/* Results of fvm_loop_list, and memory for them. */
typedef struct {
    fvm_snapshot *state;    /* out: state with the list, owned by the caller; NULL after an error */
    fvm_cell result;        /* out: result of OnIsGameOver, if it was called */
    int32_t count;          /* out: number of moves in the list */
    fvm_cell player_offset; /* out: $playerOffset before the call */
    fvm_addr *moves;        /* in: array for the first `capacity` moves, owned by the caller */
    int32_t capacity;       /* in: number of items of `moves` */
    int64_t steps;          /* in: limits of the call, as those of fvm_budget; 0: none */
    double seconds;
} fvm_listing;
/* What fvm_loop_list does. */
typedef enum {
    FVM_LOOP_LIST_ONLY, /* generate the list once, without OnIsGameOver */
    FVM_LOOP_BOTH,      /* generate the list, run OnIsGameOver and generate the list again */
    FVM_LOOP_RESULT     /* the same, but no second list if the game is over: then state is NULL */
} fvm_loop_purpose;
/* Lists the moves.  Without limits the second generation is omitted if it would produce the same
 * list.  `current` is a snapshot of the current memory. */
fvm_status fvm_loop_list(fvm *vm, const fvm_snapshot *current, fvm_loop_purpose purpose,
                         fvm_listing *listing);

/* === 3. Tools ===================================================================== */

/* --- dictionary and sources ------------------------------------------------------- */

/* Returns the source position of the token from which the cell at `addr` was compiled, or 0. */
uint32_t fvm_source_at(const fvm *vm, fvm_addr addr);
/* Returns the header (NFA) of the newest word. */
fvm_addr fvm_latest(const fvm *vm);
/* Returns the header of the word defined before the word `nfa`; 0 if `nfa` is the oldest word. */
fvm_addr fvm_previous(const fvm *vm, fvm_addr nfa);
/* Returns the header of the word whose code contains `addr`, or 0. */
fvm_addr fvm_word_at(const fvm *vm, fvm_addr addr);
/* Writes the name of a word. */
int32_t fvm_name(const fvm *vm, fvm_addr nfa, char *buffer, int32_t size);
/* Returns the body (PFA) of the word whose code field has the address `cfa`. */
fvm_addr fvm_body(const fvm *vm, fvm_addr cfa);
/* Returns the opcode of the code field at `cfa`, or -1. */
int32_t fvm_primitive(const fvm *vm, fvm_addr cfa);
/* Writes the warning number `index` (from 0) about the texts interpreted so far.  *pos: its source
 * position.  Returns the length of the warning, or -1 if there is no warning with this number. */
int32_t fvm_warning(const fvm *vm, int32_t index, char *buffer, int32_t size, uint32_t *pos);
/* Returns the number of definitions and loops compiled to machine code so far. */
int64_t fvm_compiled(const fvm *vm);
/* Returns how often machine code has left an instruction to the interpreter so far, including the
 * ends of slices of steps.  Words that leave at each call are slow. */
int64_t fvm_side_exits(const fvm *vm);

/* --- memory and snapshots --------------------------------------------------------- */

/* Returns the current size of the image in bytes. */
uint32_t fvm_memory_size(const fvm *vm);
/* Returns HERE, the end of the dictionary. */
fvm_addr fvm_here(const fvm *vm);
/* Returns 1 if two snapshots have the same memory and parameter stack, else 0. */
int fvm_snapshot_equal(const fvm_snapshot *a, const fvm_snapshot *b);
/* Returns the size of a snapshot's memory in bytes. */
uint32_t fvm_snapshot_size(const fvm_snapshot *s);
/* Copies up to `length` bytes of a snapshot to `to`; returns the number of bytes copied. */
uint32_t fvm_snapshot_read(const fvm_snapshot *s, fvm_addr addr, void *to, uint32_t length);
/* Returns the size of a page in bytes. */
uint32_t fvm_page_size(void);
/* Returns 1 if a page has the same contents in both snapshots, else 0. */
int fvm_snapshot_page_same(const fvm_snapshot *a, const fvm_snapshot *b, uint32_t page);
/* Copies up to `capacity` cells of the parameter stack to `cells`; returns the stack's depth. */
int32_t fvm_snapshot_stack(const fvm_snapshot *s, fvm_cell *cells, int32_t capacity);
/* Returns a 64-bit hash of the parameter stack, `salt`, and the cells that differ from `base`. */
uint64_t fvm_snapshot_key(const fvm_snapshot *s, const fvm_snapshot *base, uint64_t salt);
/* Returns a copy of `base` in which `count` cells are replaced and the parameter stack is the
 * `depth` cells of `stack`.  The caller owns the copy.  NULL: no memory, an address outside memory
 * or not aligned, or an invalid depth. */
fvm_snapshot *fvm_snapshot_patch(const fvm_snapshot *base, const fvm_addr *addrs,
                                 const fvm_cell *cells, int32_t count, const fvm_cell *stack,
                                 int32_t depth);

/* --- images ----------------------------------------------------------------------- */

/* Writes an image (memory, and the source positions of its cells) to `to`, if `capacity` bytes
 * suffice.  Only the same build of the core can load it.  Returns the number of bytes needed.
 * Returns 0 and writes nothing inside a run or definition, under a trace, after a warning, or if
 * the parameter stack is not empty. */
uint32_t fvm_image_save(const fvm *vm, void *to, uint32_t capacity);
/* Loads an image into a new VM, which then has the state that interpreting the sources produces.
 * next_base: end of the source positions of these sources.  FVM_ERR_CONTEXT: the image does not fit
 * this VM; the VM is unchanged. */
fvm_status fvm_image_load(fvm *vm, const void *from, uint32_t length, uint32_t next_base);
/* Returns a 64-bit checksum that detects accidental changes; not cryptographic. */
uint64_t fvm_digest(const void *bytes, uint32_t length);

/* === 4. Search ==================================================================== */

/* --- the original engine's search, engines of scripts, perft ---------------------- */

typedef struct {
    int32_t depth_limit; /* depth in plies, at least 1 */
    int32_t variety;     /* random noise on leaf scores, 0 to 10 */
    int64_t node_limit;  /* number of nodes; 0: no limit */
    double seconds;      /* time; 0: no limit */
} fvm_limits;
typedef struct {
    fvm_addr best;   /* chosen move of the newest list; 0: none */
    fvm_cell score;  /* score of `best` */
    int32_t depth;   /* reached depth */
    int64_t nodes;   /* number of nodes */
    int32_t stopped; /* 1: ended by a limit or by fvm_engine_stop */
    int32_t items;   /* script engine: change of the depth of the parameter stack */
    int32_t boards;  /* script engine: cloned boards left over */
    int32_t lists;   /* script engine: move lists left over */
    int32_t turned;  /* script engine: 1 if the turn differs from that before the run */
} fvm_search_result;
/* Runs the original's alpha-beta search ($NegamaxMove) on the position and its newest list. */
fvm_status fvm_search_axiom(fvm *vm, const fvm_limits *limits, fvm_search_result *result);
/* Clears the transposition table of fvm_search_axiom, as fvm_game_new does. */
void fvm_search_reset(fvm *vm);
/* Runs OnSearch, the script's engine for the player to move, with the limits in $depthLimit,
 * $searchTime and $variety.  Writes the text that the engine passed to BestMove! to `best` (`size`
 * bytes), at most 1,023 bytes of it; empty if there is none.  result->best is the move. */
fvm_status fvm_engine_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result, char *best,
                          int32_t size);
/* Requests the running engine to stop.  SearchStatus@ returns `status`: 1 to stop soon, 2 to stop
 * immediately; 0 cancels the request.  A built-in search ends immediately, a script's engine at the
 * latest after a grace period.  May be called from any thread. */
void fvm_engine_stop(fvm *vm, int32_t status);
/* Counts the move sequences of length `depth`.  At each node the moves are generated and
 * OnIsGameOver is run.  joined: 1 to count a sequence of partial moves as one ply. */
fvm_status fvm_perft(fvm *vm, int32_t depth, int32_t joined, int64_t *count);

/* --- networks --------------------------------------------------------------------- */

/* An evaluation that was learned by self-play.  It values a position for one player, the view.
 * Its inputs are features of the board and the turn.  network/network.h defines the value. */
typedef struct fvm_network fvm_network;
enum {
    FVM_NETWORK_ONE = 512,          /* the activation 1 of a hidden unit, and its weights' unit */
    FVM_NETWORK_OUTPUT = 64,        /* the unit of output weights */
    FVM_NETWORK_UNIT = 256,         /* the unit of direct weights */
    FVM_NETWORK_SCORE = 1 << 28,    /* the greatest unit of scores, and factor of OnEvaluate */
    FVM_NETWORK_CELLS = 4096,       /* maximum number of cells */
    FVM_NETWORK_FEATURES = 1 << 16, /* of features */
    FVM_NETWORK_HIDDEN = 128,       /* of hidden units */
    FVM_NETWORK_PATTERNS = 1 << 14, /* of patterns */
    FVM_NETWORK_TABLES = 1 << 20    /* of weights of patterns */
};
/* Number of the board whose ranges are features. */
typedef struct {
    int32_t low;    /* least value of the first range */
    int32_t values; /* number of values in all ranges; values outside are in the nearest range */
    int32_t ranges; /* number of features; 0: the cell contains a piece */
} fvm_network_number;
/* The inputs and weights of a network.  Rows of the arrays `places`, `owners` and `turns` are those
 * of the views: the players who choose moves, in the order of their numbers. */
typedef struct {
    int32_t cells;                     /* number of cells of the board, from the first */
    int32_t views;                     /* number of views */
    int32_t types;                     /* piece types from 1 to this number have features */
    int32_t owner_kinds;               /* number of owners that have features */
    int32_t turn_entries;              /* number of entries of the turn order */
    int32_t features;                  /* number of features */
    int32_t patterns;                  /* number of patterns */
    int32_t pattern_size;              /* number of squares of a pattern */
    int32_t hidden;                    /* number of hidden units */
    const int32_t *view_of;            /* [32]: the view of a player number, -1: none */
    const int32_t *places;             /* [views][cells]: a cell's first feature, -1: none */
    const int32_t *owners;             /* [views][64]: the kind of owner by owner bits, -1: none */
    const int32_t *turns;              /* [views][turn_entries]: feature of the turn, -1: none */
    const fvm_network_number *numbers; /* [cells] */
    const int32_t *pattern_squares; /* [patterns][pattern_size]: their squares, as seen by a view */
    const int32_t *pattern_shapes;  /* [patterns]: equal for patterns in different places */
    const int16_t *weights;         /* [features][hidden]: of hidden units */
    const int16_t *direct;          /* [features]: direct weights */
    const int16_t *biases;          /* [hidden] */
    const int16_t *outputs;         /* [hidden] */
    const int16_t *tables;          /* [patterns][kinds of squares ^ pattern_size] */
    int32_t bias;                   /* of the value */
    int32_t own;                    /* factor of OnEvaluate's value; 0: it is not used */
    int32_t unit;                   /* the score at which the logistic function is that of 1 */
} fvm_network_spec;
/* Returns a network with copies of the arrays; NULL: a number is out of range, or no memory. */
fvm_network *fvm_network_new(const fvm_network_spec *spec);
/* Frees a network, which no search may use. */
void fvm_network_free(fvm_network *net);
/* Writes the features of a board for a view, at most `cells` + 1 of them; returns their number.
 * turn: index in the turn order. */
int32_t fvm_network_features(const fvm_network *net, const fvm_cell *board, int32_t turn,
                             int32_t view, uint16_t *features);
/* The value of a board for a view, without OnEvaluate's. */
fvm_cell fvm_network_value(const fvm_network *net, const fvm_cell *board, int32_t turn,
                           int32_t view);

/* Learns weights from positions. */
typedef struct fvm_trainer fvm_trainer;
/* Returns a trainer that begins with the weights of a network, which must exist as long.  It keeps
 * the newest positions in `bytes` bytes.  maps: for each of `map_count` symmetries the feature that
 * takes the place of each feature; each time a position is learned, one of them is drawn.  seed: of
 * all random choices.  NULL: no memory. */
fvm_trainer *fvm_trainer_new(const fvm_network *net, const uint16_t *maps, int32_t map_count,
                             int64_t bytes, uint64_t seed);
void fvm_trainer_free(fvm_trainer *t);
/* Adds a position.  own: OnEvaluate's value for the view.  target: the expected score of the view,
 * from 0 to 1. */
void fvm_trainer_add(fvm_trainer *t, const fvm_cell *board, int32_t turn, int32_t view,
                     fvm_cell own, float target);
/* The number of positions kept. */
int64_t fvm_trainer_positions(const fvm_trainer *t);
/* Learns from `batches` random batches of `size` positions; returns the mean loss (cross entropy),
 * or -1 without positions.  shrinkage: in each batch weights of features and patterns lose about
 * this part times the rate. */
double fvm_trainer_run(fvm_trainer *t, int32_t batches, int32_t size, double rate,
                       double shrinkage);
/* Writes the present weights; the arrays must have the sizes of the network's. */
void fvm_trainer_weights(const fvm_trainer *t, int16_t *weights, int16_t *direct, int16_t *biases,
                         int16_t *outputs, int16_t *tables, int32_t *bias, int32_t *unit);

/* --- iterative deepening ---------------------------------------------------------- */

typedef enum {
    FVM_USE_TABLE = 1,       /* transposition table */
    FVM_USE_KILLERS = 2,     /* killer moves */
    FVM_USE_HISTORY = 4,     /* history heuristic */
    FVM_USE_CAPTURES = 8,    /* captures first, most valuable victim first */
    FVM_USE_PVS = 16,        /* principal variation search: null windows after the first move */
    FVM_USE_QUIESCENCE = 32, /* search on while OnIsTerminal? is FALSE or one move exists */
    FVM_USE_REPETITION = 64  /* a repetition on the path from the root counts as a draw */
} fvm_feature;

typedef enum {
    FVM_METHOD_ALPHA_BETA = 0, /* alpha-beta; with more than two players, all opponents as one */
    FVM_METHOD_MAXN = 1,       /* max^n: each player maximizes its own score */
    FVM_METHOD_BEST_REPLY = 2  /* best-reply search: the best single reply of all opponents */
} fvm_method;

/* What the threads of one search share besides the transposition table. */
typedef struct fvm_shared_search fvm_shared_search;
fvm_shared_search *fvm_shared_search_new(void); /* NULL: no memory */
/* Frees the object; no search may use it. */
void fvm_shared_search_free(fvm_shared_search *shared);

typedef struct {
    int32_t method;      /* fvm_method */
    uint32_t features;   /* bits of fvm_feature */
    int32_t depth;       /* depth limit in plies */
    int64_t nodes;       /* node limit; 0: none */
    double seconds;      /* time limit; 0: none */
    uint32_t chance;     /* chance players, one bit per player number */
    int32_t count_turns; /* 1: the script reads turn-number, so hash keys include it */
    int32_t lines;       /* number of principal variations, at least 1 */
    uint32_t seed;       /* nonzero: shuffles moves of equal rank */
    int32_t samples;     /* number of chance outcomes tried per chance node; 0: all */
    int32_t extension;   /* maximum number of plies beyond the horizon */
    int32_t thread;      /* number of the thread; only the thread 0 has a meaningful result */
    fvm_shared_search
        *shared; /* shared by the threads of this search only; NULL: a single thread */
    const fvm_network *network; /* evaluates positions; NULL: OnEvaluate does */
} fvm_deepening_options;

enum { FVM_LINE_MOVES = 64 };
/* Principal variation. */
typedef struct {
    int32_t moves[64];   /* index of each move in the list of its position; -1: pass by the host */
    int32_t length;      /* number of items of `moves` in use */
    fvm_cell score;      /* score for the player to move at the root */
    int32_t depth;       /* depth of the iteration */
    fvm_cell scores[32]; /* max^n: score of each player, by player number */
} fvm_line;

typedef struct {
    int64_t nodes;           /* number of nodes */
    int64_t evaluations;     /* number of evaluations */
    int64_t tt_cutoffs;      /* nodes whose value came from the transposition table */
    int32_t depth;           /* depth of the last completed iteration */
    int32_t stopped;         /* 1: ended by a limit */
    int32_t lines;           /* number of principal variations stored */
    int32_t off_board_cells; /* number of cells outside the board that moves change */
    int32_t table_disabled;  /* 1: no table was used: too many off-board cells for hash keys */
} fvm_deepening_result;

typedef struct fvm_tt fvm_tt;
/* Returns a new transposition table of about `bytes` bytes; NULL: no memory. */
fvm_tt *fvm_tt_new(int64_t bytes);
/* Frees a transposition table. */
void fvm_tt_free(fvm_tt *tt);
/* Clears a transposition table, which no search may use meanwhile. */
void fvm_tt_clear(fvm_tt *tt);
/* Searches the position of the newest list.  `lines` is an array of options->lines items.  Memory
 * is unchanged afterwards.  tt: transposition table, which several threads may share; NULL: none.
 * If result->off_board_cells > 0, the table must be cleared before the next search: keys depend on
 * the values that these cells have at the root.
 * FVM_ERR_CONTEXT: inside a run.  FVM_ERR_NO_MOVE: the list is empty. */
fvm_status fvm_deepening_search(fvm *vm, const fvm_deepening_options *options, fvm_tt *tt,
                                fvm_line *lines, fvm_deepening_result *result);
/* Runs OnEvaluate in the current position for the player with a number; 0 without OnEvaluate.
 * FVM_ERR_CONTEXT: inside a run. */
fvm_status fvm_evaluate(fvm *vm, int32_t number, fvm_cell *value);

/* --- Monte Carlo search ----------------------------------------------------------- */

typedef struct {
    int32_t first;  /* index of the first child; 0: not expanded */
    int32_t count;  /* number of children, which have the order of the move list */
    int32_t visits; /* number of visits */
    int32_t mover;  /* number of the player whose move leads to this node */
    int32_t proof;  /* 0: not proven; 32: draw; otherwise the number of the winner */
    float sum;      /* sum of the mover's rewards, each from 0 to 1 */
    float prior;    /* prior probability of the move to this node, from an evaluator; else 0 */
} fvm_tree_node;
typedef struct {
    int64_t iterations;    /* iteration limit; 0: none */
    double seconds;        /* time limit; 0: none */
    uint32_t chance;       /* chance players, one bit per player number */
    uint32_t seed;         /* seed of a new tree's random numbers */
    int32_t playout_plies; /* length of a playout before OnEvaluate scores it; 0: no playout */
    double exploration;    /* exploration constant */
    double history;        /* weight of progressive history; 0: none */
    int32_t priors;        /* 1: select children by priors (PUCT) */
    int64_t steps;         /* limit of VM steps, which ends the last playout early; 0: none */
    int64_t playout_steps; /* VM steps in a playout before OnEvaluate scores it; 0: no limit */
    int32_t root_visits;   /* limit of the root's visits by all threads; 0: none */
    int32_t thread;        /* number of the thread, from 0; other numbers, other random numbers */
    const fvm_network *network; /* evaluates positions; NULL: OnEvaluate does */
} fvm_tree_options;
typedef struct {
    int64_t iterations; /* number of iterations */
    int64_t playouts;   /* number of playouts */
    int64_t plies;      /* number of plies in all playouts */
    int32_t stopped;    /* 1: ended by fvm_engine_stop, or by the time limit in an iteration */
} fvm_tree_result;

typedef struct fvm_tree fvm_tree;
/* Returns a new tree that consists of a root and can grow to max_nodes; NULL: no memory. */
fvm_tree *fvm_tree_new(int32_t max_nodes);
/* Frees a tree. */
void fvm_tree_free(fvm_tree *tree);
/* Resets a tree to its root, without statistics. */
void fvm_tree_clear(fvm_tree *tree);
/* Returns the number of nodes. */
int32_t fvm_tree_size(const fvm_tree *tree);
/* Copies up to `count` nodes, from the index `from` on, to `nodes`; returns the number copied. */
int32_t fvm_tree_read(const fvm_tree *tree, int32_t from, fvm_tree_node *nodes, int32_t count);
/* Replaces the tree by nodes that fvm_tree_read returned.  Returns 1, or 0 if the nodes are not a
 * valid tree, there are too many of them, or there is no memory. */
int32_t fvm_tree_write(fvm_tree *tree, const fvm_tree_node *nodes, int32_t count);
enum { FVM_TREE_HISTORY = 16384 };
/* State of a search that is not in the nodes. */
typedef struct {
    uint64_t random;                  /* state of the random numbers */
    double scale;                     /* typical size of OnEvaluate's scores */
    float sums[FVM_TREE_HISTORY];     /* progressive history: sums of rewards of moves */
    int32_t visits[FVM_TREE_HISTORY]; /* progressive history: numbers of visits of moves */
} fvm_tree_state;
/* Copies the state of a tree to *state. */
void fvm_tree_get_state(const fvm_tree *tree, fvm_tree_state *state);
/* Sets the state of a tree.  Returns 1, or 0 and no change if the state is not valid. */
int32_t fvm_tree_set_state(fvm_tree *tree, const fvm_tree_state *state);
/* Makes a child of the root the new root.  Returns 1, or 0 if there is no such child or no
 * memory. */
int32_t fvm_tree_follow(fvm_tree *tree, int32_t child);
/* Runs MCTS on the position of the newest list, which is the root of the tree.  Several threads may
 * do so at the same time with one tree, each with its own VM.  No other function may use the tree
 * meanwhile. */
fvm_status fvm_tree_grow(fvm *vm, fvm_tree *tree, const fvm_tree_options *options,
                         fvm_tree_result *result);
/* Runs options->iterations playouts from the position of the newest list.  Writes the sum of each
 * player's rewards to `sums`, by player number (32 items). */
fvm_status fvm_playouts(fvm *vm, fvm_tree *tree, const fvm_tree_options *options, double *sums,
                        fvm_tree_result *result);

/* Many searches whose leaves the host evaluates together.  Their rows are rows of the host's
 * arrays. */
typedef struct {
    fvm_tree *tree;
    const fvm_snapshot *listed; /* memory of the root, with its list of moves */
    uint32_t seed;              /* seed of a new tree's random numbers */
    int32_t visits;             /* number of visits of the root that ends the search */
} fvm_tree_root;
/* The selected leaves; the first index is the row. */
typedef struct {
    fvm_cell *boards; /* [rows][cells]: the board */
    int32_t cells;    /* number of cells of a board */
    int32_t *moves;   /* [rows]: number of moves; 0: the search has ended, there is no leaf */
    int32_t *movers;  /* [rows]: number of the player to move */
    uint8_t *roots;   /* [rows]: 1 if the leaf is the root, else 0 */
} fvm_leaf_arrays;
/* Selects a leaf for each of `count` rows by descents from the root.  finder: finds the actions of
 * moves; NULL: action k is move k.  After a failure, the rows before it have leaves. */
fvm_status fvm_select_leaves(fvm *vm, const fvm_tree_options *options, fvm_action_finder *finder,
                             const fvm_tree_root *roots, const int32_t *rows, int32_t count,
                             const fvm_leaf_arrays *leaves);
/* Copies up to `capacity` actions of the selected leaf's moves, -1 for moves without a number,
 * which get the prior 0; returns the number of moves. */
int32_t fvm_leaf_actions(const fvm_tree *tree, int32_t *actions, int32_t capacity);
/* Expands the selected leaves of the first `count` rows, and adds rewards to the nodes above them.
 * priors: [count][stride], by action; rewards: [count][reward_stride], by player number, 32 of
 * them.  Returns -1; else the first row with a number outside 0 to 1, or without a number for a
 * legal action or a player: then nothing has changed. */
int32_t fvm_submit_leaves(const fvm_tree_root *roots, int32_t count, const float *priors,
                          int32_t stride, const float *rewards, int32_t reward_stride);

/* === 5. Many positions ============================================================ */

/* A player of the game, in the order of definition. */
typedef struct {
    fvm_cell cell;  /* the player's constant */
    int32_t column; /* the player's column in arrays of rewards; -1: none */
    int32_t chance; /* 1: a chance player, whose moves are equally likely; 2: the first move is
                       twice as likely as each other one */
} fvm_vector_player;
/* A first position. */
typedef struct {
    const fvm_snapshot *memory; /* memory before the list is generated */
    int32_t partial;            /* 1: the position is inside a sequence of partial moves */
    int32_t skipped;            /* number of successive passes of players without moves */
} fvm_vector_start;
typedef struct {
    uint64_t seed;
    int32_t first_row; /* number of the first row; a row's random numbers depend on its number */
    int32_t rows;      /* number of rows */
    int32_t max_plies; /* maximum length of a game */
    int32_t columns;   /* number of columns in arrays of rewards */
    int32_t friends;   /* 1: the script defines OnFriends? */
    int64_t steps;     /* limit of each run, 0: none */
    double seconds;    /* limit of each run, 0: none */
    int32_t player_count, turn_count, start_count;
    const fvm_vector_player *players;
    const int32_t *viewers; /* by index in the turn order: the index of the player from whose view
                               OnIsGameOver returns its result if a chance player is to move */
    const fvm_vector_start *starts;
    int32_t actions;           /* number of actions */
    fvm_action_finder *finder; /* must exist as long as the rows */
    int32_t board_bytes;       /* size of a board with its variables */
    int32_t history;           /* number of boards in an observation */
    const fvm_observation *const
        *plans; /* by index of the player to move; NULL: observations are
                   not written.  The plans must exist as long as the rows */
} fvm_vector_options;
/* The host's arrays; the first index is the row. */
typedef struct {
    uint8_t *masks;      /* [rows][actions]: 1 for legal actions, else 0; moves without a number
                            have none */
    int32_t *movers;     /* [rows]: index of the player to move */
    int32_t *counts;     /* [rows]: number of legal moves */
    int32_t *plies;      /* [rows]: number of moves made, including passes */
    float *rewards;      /* [rows][columns]: of games that ended, else 0 */
    uint8_t *done;       /* [rows]: 1 if the game ended by its rules */
    uint8_t *truncated;  /* [rows]: 1 if the game reached its maximum length */
    float *observations; /* [rows][items]: by the plan of the player to move */
} fvm_vector_arrays;
/* Problems that fvm_vector_problem returns. */
enum {
    FVM_VECTOR_FAILED = -1, /* a run failed: see fvm_last_error */
    FVM_VECTOR_ENDLESS = -2 /* no player ever has a choice */
};
typedef struct fvm_vector fvm_vector;
/* Returns rows of positions, all of which use one VM.  The snapshots of the first positions and the
 * finder of the options must exist as long as the rows.  NULL: no memory. */
fvm_vector *fvm_vector_new(fvm *vm, const fvm_vector_options *options);
/* Frees the rows, which must be done before their VM is freed. */
void fvm_vector_free(fvm_vector *v);
/* Begins a change that fvm_vector_undo can undo; call this before each reset, restart and step. */
void fvm_vector_begin(fvm_vector *v);
/* Begins the first game of each row.  Returns 1; 0: failed, see fvm_vector_step. */
int32_t fvm_vector_reset(fvm_vector *v, const fvm_vector_arrays *arrays, uint64_t seed);
/* Begins the next game of a row.  Returns 1; 0: failed, see fvm_vector_step. */
int32_t fvm_vector_restart(fvm_vector *v, const fvm_vector_arrays *arrays, int32_t row);
/* Returns the first row whose action is illegal; -1: all actions are legal. */
int32_t fvm_vector_illegal(const fvm_vector *v, const int32_t *actions);
/* Makes a move in each row, then the moves of chance players and the passes of players without
 * moves; begins a new game where the game is over.  The actions must be legal.  Returns 1; 0:
 * failed in the row fvm_vector_problem; then the host must call fvm_vector_undo. */
int32_t fvm_vector_step(fvm_vector *v, const fvm_vector_arrays *arrays, const int32_t *actions);
/* Undoes what has changed since fvm_vector_begin, and writes the arrays; rewards are 0.  The
 * streams of fvm_vector_sample are not restored. */
void fvm_vector_undo(fvm_vector *v, const fvm_vector_arrays *arrays);
/* Returns the problem of the last call that failed; *row: where. */
int32_t fvm_vector_problem(const fvm_vector *v, int32_t *row);
/* Writes a random legal action for each row.  Successive calls draw from streams that belong to the
 * rows; with `seeded` the streams begin anew from a seed. */
void fvm_vector_sample(fvm_vector *v, int32_t seeded, uint64_t seed, int32_t *actions);
/* Copies up to `capacity` items of the history of a row's game: indexes in the lists of moves; -1
 * for passes.  Returns the number of items.  *start: index of the first position; *seed: the seed
 * of both random streams. */
int32_t fvm_vector_history(const fvm_vector *v, int32_t row, int32_t *moves, int32_t capacity,
                           int32_t *start, int32_t *seed);
/* Restores the position of a row, with its list of moves. */
fvm_status fvm_vector_restore(fvm_vector *v, int32_t row);
/* Plays `count` random games from each row and writes mean returns, from -1 to 1, to
 * `returns`[rows][columns].  A game ends after `plies`; then OnEvaluate scores it.  Returns 1; 0:
 * failed. */
int32_t fvm_vector_playouts(fvm_vector *v, int32_t count, int32_t plies, uint64_t seed,
                            float *returns);
/* Writes the results of OnEvaluate for each player with a column to `values`[rows][columns].
 * Returns 1; 0: failed. */
int32_t fvm_vector_evaluate(fvm_vector *v, fvm_cell *values);

/* === 6. Tracing =================================================================== */

/* While a trace is attached, every run uses the traced interpreter.  Each executed cell of a
 * definition is a step of the trace, and so is each word executed by EXECUTE, the host or
 * interpreted text.  Results and budgets are the same as without a trace. */

/* Reasons of a stop, as bits. */
typedef enum {
    FVM_TRACE_TARGET = 1,   /* step set by fvm_trace_stop_at reached */
    FVM_TRACE_BREAK = 2,    /* marked cell or word */
    FVM_TRACE_UNTIL = 4,    /* condition of fvm_trace_go_until met */
    FVM_TRACE_WATCH = 8,    /* watched range changed, see fvm_trace_point.changed */
    FVM_TRACE_PAUSE = 16,   /* fvm_trace_pause was called */
    FVM_TRACE_FULL = 64,    /* log full; records are lost unless the hook empties the log */
    FVM_TRACE_FAILURE = 128 /* token failed with `status`; the run ends after the hook */
} fvm_trace_reason;

/* Marks of a cell, as bits. */
typedef enum {
    FVM_MARK_CELL = 1,     /* stop before this cell is executed */
    FVM_MARK_CELL_LOG = 2, /* log each execution of this cell */
    FVM_MARK_WORD = 4,     /* stop before the word with this code field is executed */
    FVM_MARK_WORD_LOG = 8, /* log each execution of the word with this code field */
    FVM_MARK_CELLS = 3,    /* both marks of cells */
    FVM_MARK_WORDS = 12    /* both marks of words */
} fvm_trace_mark_bits;

/* State of a traced run at a stop, before the next token is executed. */
typedef struct {
    uint64_t steps;     /* number of the token, from 1 */
    uint64_t runs;      /* number of words executed by the host since fvm_trace_restart */
    fvm_addr ip;        /* address of the token's cell; 0: executed by the host or by text */
    fvm_addr word;      /* CFA of the token's word */
    fvm_addr before;    /* cell executed before this one; 0: none, or no ranges are watched */
    uint32_t source;    /* source position of the token; 0: unknown */
    uint32_t text;      /* source position in the text that is interpreted; 0: none */
    int32_t executed;   /* 1: the word is executed by EXECUTE, the host or text, not by a cell */
    int32_t reasons;    /* bits of fvm_trace_reason */
    int32_t status;     /* fvm_status of a failure */
    int32_t nesting;    /* nesting depth of runs, from 1 */
    int32_t calls;      /* number of open calls */
    int32_t cells;      /* number of cells on the return stack */
    int32_t phase;      /* fvm_phase */
    fvm_addr generator; /* word that generates moves; 0: none */
    uint64_t changed;   /* changed watched ranges, one bit per index */
} fvm_trace_point;

/* Condition of a stop: at most most_calls calls and most_runs runs are open, and the source
 * position is at least `source`.  Exception: no stop while exactly `calls` calls are open and the
 * source position is in [from, to), in the run in which the condition was set. */
typedef struct {
    int32_t most_calls; /* maximum number of open calls */
    int32_t most_runs;  /* maximum nesting depth of runs */
    int32_t calls;      /* number of open calls of the exception */
    uint32_t source;    /* lowest source position */
    uint32_t from;      /* first source position of the exception */
    uint32_t to;        /* end of the source positions of the exception */
} fvm_trace_until;

/* Attaches a trace.  FVM_ERR_CONTEXT: inside a run.  FVM_ERR_MEMORY: no memory. */
fvm_status fvm_trace_attach(fvm *vm);
/* Detaches the trace.  Not allowed inside a run. */
void fvm_trace_detach(fvm *vm);

/* The functions below do nothing if no trace is attached. */

/* Resets the numbers of steps and runs to 0, treats the watched ranges as unchanged, and restores
 * the state that no snapshot contains (the transposition table and the noise of fvm_search_axiom)
 * as it was when the trace was attached.  same_runs: 1 if the same runs will be repeated from the
 * same state. */
void fvm_trace_restart(fvm *vm, int same_runs);
/* Stops at the step with the number `step`; 0 cancels this stop. */
void fvm_trace_stop_at(fvm *vm, uint64_t step);
/* Suppresses all stops before `step`.  Call it after fvm_trace_restart, before the same runs are
 * repeated.  Runs known to end before `step` are not traced. */
void fvm_trace_skip_to(fvm *vm, uint64_t step);
/* Copies the condition and stops when it is true; NULL removes the condition.  Ends a suppression
 * of stops. */
void fvm_trace_go_until(fvm *vm, const fvm_trace_until *until);
/* Stops at the next token.  May be called from any thread. */
void fvm_trace_pause(fvm *vm);
/* Switches stops with FVM_TRACE_FAILURE on (1) or off (0).  If a token of a text failed that no
 * word has run, such as an unknown word, the stop's `word` is 0, and fvm_last_error is complete. */
void fvm_trace_stop_failures(fvm *vm, int on);
/* Takes the place of the cell for a word that the host or interpreted text executes.  It can be
 * marked like a cell. */
enum { FVM_TRACE_RUN_CELL = 0x54 };
/* Changes the marks of the cell at `addr`: first clears the bits in `clear`, then sets those in
 * `set` (fvm_trace_mark_bits). */
void fvm_trace_mark(fvm *vm, fvm_addr addr, int32_t set, int32_t clear);
/* Watches the `length` bytes at `addr`; length 0 ends the watchpoint.  base: 0, or the address of a
 * cell whose current value is added to `addr` at each check.  FVM_ERR_LIMIT: index not in 0 to 63,
 * or range too long.  FVM_ERR_ADDRESS: base outside the image.  FVM_ERR_MEMORY: no memory. */
fvm_status fvm_trace_watch(fvm *vm, int32_t index, fvm_addr base, fvm_addr addr, uint32_t length);
/* Copies the contents of a watched range before and after its last change to `old` and `now`, which
 * are buffers of the range's length.  FVM_ERR_LIMIT: index not in 0 to 63, or no trace. */
fvm_status fvm_trace_watched(const fvm *vm, int32_t index, void *old, void *now);

/* Copies the current stop to *point.  Outside the trace hook only `steps` and `runs` are valid. */
void fvm_trace_get_point(const fvm *vm, fvm_trace_point *point);
/* Copies up to `capacity` open calls, innermost first: calling cells, called words, and depths of
 * the parameter stack at the calls.  Returns the number of open calls. */
int32_t fvm_trace_calls(const fvm *vm, fvm_addr *cells, fvm_addr *words, int32_t *depths,
                        int32_t capacity);
/* Copies up to `capacity` cells of the return stack, top first; returns the depth of the stack. */
int32_t fvm_trace_return_stack(const fvm *vm, fvm_cell *cells, int32_t capacity);

/* on: 1 starts counting the executions of each cell, from 0; 0 ends counting.  FVM_ERR_MEMORY: no
 * memory. */
fvm_status fvm_trace_count(fvm *vm, int on);
/* Copies the counts of up to `cells` cells, from the cell at `first` on, to `counts`; returns the
 * number copied. */
uint32_t fvm_trace_counts(const fvm *vm, fvm_addr first, uint64_t *counts, uint32_t cells);
/* Starts a new log of `capacity` cells; 0: no log.  A record is added at each cell or word with a
 * log mark, and every sample_every steps (0: never).  A record consists of cells: its length; 1 for
 * a mark, 2 for a sample; steps (low, high half); ip; word; depth of the parameter stack; its top
 * item; the item below the top; number of cells on the return stack; address of the move under
 * construction; the library's variables $from, $pos and $piece; the word that generates moves;
 * fvm_phase; number of open calls; the calling cells, innermost first.  FVM_ERR_LIMIT: invalid
 * capacity.  FVM_ERR_MEMORY: no memory. */
fvm_status fvm_trace_log(fvm *vm, int32_t capacity, uint64_t sample_every);
/* Moves complete records from the log to `to`, an array of `capacity` cells; returns the number of
 * cells moved. */
int32_t fvm_trace_take_log(fvm *vm, fvm_cell *to, int32_t capacity);
/* Returns the number of records lost because the log was full. */
uint64_t fvm_trace_lost(const fvm *vm);

/* Begins a sandboxed evaluation, in the trace hook only.  Runs until fvm_trace_sandbox_end are not
 * traced and use no budget.  FVM_ERR_CONTEXT: not in the trace hook, or already begun.
 * FVM_ERR_MEMORY: no memory. */
fvm_status fvm_trace_sandbox_begin(fvm *vm);
/* Ends a sandboxed evaluation: restores memory, stacks and error record. */
void fvm_trace_sandbox_end(fvm *vm);
/* CDEF END */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
