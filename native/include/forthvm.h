/* forthvm.h: the public interface of the C core, and the only header a host needs.
 *
 * Its sections:
 *   1. Embedding: what a host needs to load a game and to play it, about 40 functions.
 *   2. Games: changes, hashes, set-up by hand, the steps of a loop over moves.
 *   3. Tools: the dictionary, snapshots and images, looked into.
 *   4. Search: the original's search, engines of scripts, alpha-beta, Monte Carlo search.
 *   5. Tracing: for debuggers.
 *
 * Rules that hold for every function:
 *   - One thread at a time uses a `vm`.  Only fvm_interrupt, fvm_engine_stop and fvm_trace_pause
 *     may be called by other threads meanwhile.  Different VMs are independent.
 *   - A function that can fail returns FVM_OK or an error; fvm_last_error has the details until
 *     the next run.  A failed run leaves the VM usable: the stacks are as where the run began.
 *   - What a function named ..._new or ..._take returns belongs to the caller, who frees it with
 *     the function named ..._free.  Pointers given to a function are not kept, unless said so.
 *   - Addresses are offsets into the memory of the VM and are checked: a wrong one is an error or
 *     reads as zero.  Nothing here gives out pointers into that memory.
 *   - A function that writes a text into a buffer of `size` bytes ends it with a zero and returns
 *     its length; a text that fills the buffer may have been cut.
 *
 * The order of calls, errors left out (docs/guides/embedding.md; examples/embed.c is complete):
 *
 *     fvm *vm = fvm_new(1 << 20, 64 << 20);
 *     fvm_hooks hooks = {.output = print, .load = load};
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
 *         fvm_game_generate(vm, &count);
 *         fvm_game_over(vm, &score);
 *         if (score is not #UnknownScore)
 *             break;
 *         fvm_game_generate(vm, &count);
 *         count = fvm_move_list(vm, moves, room);
 *         fvm_move_text(vm, moves[0], buffer, size);
 *         fvm_game_make(vm, moves[0], &partial);
 *         fvm_game_free_lists(vm);
 *     }
 *     fvm_game_close(vm);
 *     fvm_free(vm);
 *
 * The part between the two CDEF marks is also what cffi reads (native/build.py), so that every
 * declaration exists once. */
#ifndef FORTHVM_H
#define FORTHVM_H

#include <stddef.h>
#include <stdint.h>

/* What is declared here is exported; the core is compiled with -fvisibility=hidden. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* CDEF BEGIN */

/* === 1. Embedding ================================================================= */

typedef int32_t fvm_cell;  /* a cell: 32 bits, two's complement, wrapping */
typedef uint32_t fvm_addr; /* an offset into the image */
typedef struct fvm fvm;
typedef struct fvm_snapshot fvm_snapshot;

typedef enum {
    FVM_OK = 0,
    FVM_ERR_STACK_UNDERFLOW = 1,  /* parameter stack below its base */
    FVM_ERR_STACK_OVERFLOW = 2,   /* parameter stack full */
    FVM_ERR_RETURN_UNDERFLOW = 3, /* return stack below the base of this run */
    FVM_ERR_RETURN_OVERFLOW = 4,  /* return stack full: recursion too deep */
    FVM_ERR_ADDRESS = 5,          /* read or write outside the image; value = address */
    FVM_ERR_DIVISION = 6,         /* by zero, or -2147483648 by -1 */
    FVM_ERR_UNDEFINED = 7,        /* unknown word; text = its name */
    FVM_ERR_BAD_CODE = 8,         /* a cell that is no word was run; value = the cell */
    FVM_ERR_UNSET_DEFER = 9,      /* a DEFER without an action; text = its name */
    FVM_ERR_ABORT = 10,           /* ABORT */
    FVM_ERR_QUIT = 11,            /* QUIT */
    FVM_ERR_MESSAGE = 12,         /* ERROR, ABORT": text = the message */
    FVM_ERR_STEPS = 13,           /* step budget used up */
    FVM_ERR_TIME = 14,            /* time budget used up */
    FVM_ERR_INTERRUPT = 15,       /* fvm_interrupt, or the poll hook said stop */
    FVM_ERR_MEMORY = 16,          /* the image may not grow any more */
    FVM_ERR_NESTING = 17,         /* runs inside runs (or LOAD inside LOAD) too deep */
    FVM_ERR_CONTROL = 18,         /* unbalanced control structure was reached */
    FVM_ERR_SECTION = 19,         /* section closed that is not open, or open at the end; text */
    FVM_ERR_LIMIT = 20,           /* a stated limit exceeded; text says which */
    FVM_ERR_CONTEXT = 21,         /* word used where it has no meaning; text says why */
    FVM_ERR_MOVE = 22,            /* a move that cannot be built; text says why */
    FVM_ERR_MOVE_TEXT = 23,       /* move text over 1,023 bytes (version 140) */
    FVM_ERR_PARTIAL = 24,         /* partial move whose text lacks `partial` (version 140) */
    FVM_ERR_NO_MOVE = 25,         /* a search without a move */
    FVM_ERR_END_OF_SOURCE = 26,   /* a parsing word found nothing to read; text = the word */
    FVM_ERR_HOST = 27,            /* a hook failed; the host keeps the reason */
    FVM_ERR_NO_FILE = 28,         /* LOAD: no such file; text = the name */
    FVM_ERR_LIBRARY = 29,         /* the library lacks a name the kernel needs; text */
    FVM_ERR_BOUNDS = 30,          /* checked mode: index outside an array; text, value */
    FVM_ERR_NO_GAME = 31,         /* no turn order, players or board; text says what */
    FVM_ERR_STOPPED = 32,         /* an engine's words were ended by fvm_engine_stop or its limit */
    FVM_EXIT_VERIFY = 100         /* internal: $Exit ended a word */
} fvm_status;

/* What the VM was doing for the host when a run failed. */
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
    int32_t phase;       /* fvm_phase, innermost */
    fvm_addr ip;         /* address of the cell that failed; 0: no compiled code */
    fvm_addr word;       /* CFA of the word that failed, 0 unknown */
    uint32_t source_pos; /* source position of the token being interpreted, or 0 */
    fvm_cell value;      /* see fvm_status */
    char text[1024];     /* see fvm_status; zero-terminated */
    int32_t trace_count; /* entries in trace */
    int32_t trace_total; /* calls that were open, may exceed trace_count */
    fvm_addr trace[64];  /* addresses of the calling cells, innermost first */
    fvm_cell from;       /* position, piece and player under scan when generating, else -1 */
    fvm_cell piece;
    fvm_cell player;
    int64_t steps; /* steps used by the run */
} fvm_error;

/* Hooks: return 0 to go on; anything else ends the run with FVM_ERR_HOST
 * (poll: with FVM_ERR_INTERRUPT when it returns 1, FVM_ERR_HOST when 2). */
typedef struct {
    int (*output)(void *host, const char *bytes, size_t length);
    int (*load)(void *host, const char *name); /* find, read and fvm_interpret the file */
    int (*word)(void *host, int32_t id);       /* a host word made by fvm_define_host_word */
    int (*poll)(void *host);                   /* every few ms while running, if not NULL */
    /* an engine reported: what is one of FVM_REPORT_*; text or value as fits */
    int (*report)(void *host, int32_t what, const char *text, fvm_cell value);
    /* a traced run stops, reasons: bits FVM_TRACE_*; 1: end it as an interrupt does */
    int (*trace)(void *host, int32_t reasons);
} fvm_hooks;

typedef enum {
    FVM_REPORT_CURRENT = 0, /* text */
    FVM_REPORT_BEST = 1,    /* text */
    FVM_REPORT_SCORE = 2,
    FVM_REPORT_NODES = 3,
    FVM_REPORT_DEPTH = 4,
    FVM_REPORT_LINE = 5 /* text: moves, each ended by a newline; value: which line, from 0 */
} fvm_report_kind;

/* --- life ------------------------------------------------------------------------- */

/* A VM with `size` bytes of memory that may grow to `limit` bytes.  NULL: out of memory. */
fvm *fvm_new(uint32_t size, uint32_t limit);
/* Frees a VM, but not its snapshots. */
void fvm_free(fvm *vm);
/* Sets the hooks, which are copied.  `host` is given to each of them and stays the caller's; hooks
 * may be NULL.  A hook may interpret text, execute words, and push and pop cells; it may not
 * restore a snapshot or free the VM. */
void fvm_set_hooks(fvm *vm, const fvm_hooks *hooks, void *host);
/* What the last failure was; the VM's own, valid until the next run. */
const fvm_error *fvm_last_error(const fvm *vm);
/* A short English name of a status; a constant. */
const char *fvm_status_name(fvm_status status);

typedef enum {
    FVM_OPT_VERSION = 0,     /* 140, 150, 151: layout and texts of moves; 1140 is 140-exact */
    FVM_OPT_CHECKED = 1,     /* array bounds and strict underflow */
    FVM_OPT_FIXED_CLOCK = 2, /* SYSTEM-TIME answers FVM_OPT_CLOCK */
    FVM_OPT_CLOCK = 3,
    FVM_OPT_DEPTH = 4,   /* return stack cells a run may use, at most 4096 */
    FVM_OPT_TIER = 5,    /* 0: interpreted only, 1: hot words become machine code, if it can be,
                            2: all; more, for tests: all, at samples so many steps apart */
    FVM_OPT_QUESTION = 6 /* milliseconds that one question to the script may take, 0: no limit */
} fvm_option;
/* Sets and reads an option; not inside a run. */
void fvm_set_option(fvm *vm, fvm_option option, int64_t value);
int64_t fvm_get_option(const fvm *vm, fvm_option option);

/* --- budget ----------------------------------------------------------------------- */

/* Limits of all that runs from now until the next call; steps <= 0, seconds <= 0: none.
 * A step is a call of a word, >R, a round of a loop, a jump back, or 64 bytes of a long
 * primitive.  A run beyond its limits fails with FVM_ERR_STEPS or FVM_ERR_TIME. */
void fvm_budget(fvm *vm, int64_t steps, double seconds);
/* Steps used since fvm_budget. */
int64_t fvm_steps(const fvm *vm);
/* Ends the run under way, or else the next one, with FVM_ERR_INTERRUPT.  Any thread. */
void fvm_interrupt(fvm *vm);
/* Forgets an interrupt that has not ended a run yet. */
void fvm_clear_interrupt(fvm *vm);

/* --- loading and running ---------------------------------------------------------- */

/* Registers a text of that length; its first byte has the returned source position (positions
 * are unique over all texts and never 0).  0: 4 GiB of text have been registered. */
uint32_t fvm_source_add(fvm *vm, uint32_t length);
/* Interprets a text, which may be freed afterwards; `base` is from fvm_source_add.  main: 1 for
 * a whole script, at whose end sections must be closed and definitions finished; 0 for a file
 * that a script loads. */
fvm_status fvm_interpret(fvm *vm, const char *text, uint32_t length, uint32_t base, int main);
/* Defines a word that calls the word hook with `id`. */
fvm_status fvm_define_host_word(fvm *vm, const char *name, int32_t id);
/* Header (NFA) of the newest word of that name, or 0. */
fvm_addr fvm_find(fvm *vm, const char *name);
/* Runs the word with that code field (CFA) on the parameter stack. */
fvm_status fvm_execute(fvm *vm, fvm_addr cfa);
/* Cells on the parameter stack; negative after an underflow that was not checked. */
int32_t fvm_depth(const fvm *vm);
fvm_status fvm_push(fvm *vm, fvm_cell value);
fvm_status fvm_pop(fvm *vm, fvm_cell *value);
/* A cell of the stack, 0 for the top; 0 where there is none. */
fvm_cell fvm_pick(const fvm *vm, int32_t from_top);
void fvm_clear_stack(fvm *vm);
/* Hands pending output to the hook; runs do so at their end. */
void fvm_flush(fvm *vm);

/* --- memory ----------------------------------------------------------------------- */

/* Copy bytes out of and into memory.  FVM_ERR_ADDRESS: not all of them are in it. */
fvm_status fvm_read(fvm *vm, fvm_addr addr, void *to, uint32_t length);
fvm_status fvm_write(fvm *vm, fvm_addr addr, const void *from, uint32_t length);
/* The complete state: memory and parameter stack.  It shares the pages that have not changed with
 * the VM and with other snapshots.  The caller's, to be freed before or after the VM, but not while
 * another thread uses it.  NULL: out of memory. */
fvm_snapshot *fvm_snapshot_take(fvm *vm);
/* Brings a state of the same VM back.  FVM_ERR_CONTEXT: inside a run. */
fvm_status fvm_snapshot_restore(fvm *vm, const fvm_snapshot *snapshot);
void fvm_snapshot_free(fvm_snapshot *snapshot); /* NULL is fine */
/* Starts a random stream anew: 1 and 2 are the script's, 3 is that of $Rand64!. */
void fvm_seed(fvm *vm, int32_t stream, fvm_cell seed);

/* --- playing ---------------------------------------------------------------------- */

/* Finds the library's variables, at the first call, when the library has loaded; and the script's
 * events.  FVM_ERR_LIBRARY: a name is missing that the core needs. */
fvm_status fvm_bind(fvm *vm);
/* FVM_ERR_NO_GAME unless there are a board, players and a turn order. */
fvm_status fvm_game_check(fvm *vm);
/* A new game without pieces: $NewGame, turn number 1, OnNewGame. */
fvm_status fvm_game_new(fvm *vm);
/* Places the pieces of {board-setup. */
fvm_status fvm_game_setup(fvm *vm);
/* Generates the moves of the player to move; the list replaces the one before. */
fvm_status fvm_game_generate(fvm *vm, int32_t *count);
/* Asks OnIsGameOver, with the newest list in place. */
fvm_status fvm_game_over(fvm *vm, fvm_cell *result);
/* Applies a move of the newest list, and ends the turn unless the move was partial. */
fvm_status fvm_game_make(fvm *vm, fvm_addr move, int32_t *partial);
/* Ends a sequence of partial moves that has no continuation. */
fvm_status fvm_game_end_turn(fvm *vm);
/* Runs OnTerminate, if the script has one. */
fvm_status fvm_game_close(fvm *vm);
/* Drops all move lists and cloned boards; their moves are no longer valid. */
void fvm_game_free_lists(fvm *vm);
/* A variable of the library; *found is 0 if there is none of that name. */
fvm_cell fvm_variable(fvm *vm, const char *name, int *found);
/* Moves of the newest list, as many as there is room for; how many there are.  They are valid until
 * the list is replaced or dropped, or another state is restored. */
int32_t fvm_move_list(fvm *vm, fvm_addr *moves, int32_t room);
/* The original's text of a move; below 0: an error. */
int32_t fvm_move_text(fvm *vm, fvm_addr move, char *buffer, int32_t size);

/* === 2. Games ===================================================================== */

/* Place and remove pieces as the host does while a position is set up: OnEditAdd, OnEditRemove. */
fvm_status fvm_game_edit_add(fvm *vm, fvm_cell player, fvm_cell type, fvm_cell pos);
fvm_status fvm_game_edit_remove(fvm *vm, fvm_cell pos);
/* What ^ words wrote while OnIsGameOver was asked last. */
int32_t fvm_game_comment(const fvm *vm, char *buffer, int32_t size);
/* Address of a library variable, 0 if there is none of that name. */
fvm_addr fvm_variable_at(fvm *vm, const char *name);
/* Move type of a move, 0 for none. */
fvm_cell fvm_move_type(fvm *vm, fvm_addr move);
/* Address and length in bytes of a move's code. */
int32_t fvm_move_code(fvm *vm, fvm_addr move, fvm_addr *start);

typedef enum {
    FVM_CHANGE_MOVE = 0,    /* from, pos, piece as generated; other = piece it replaces */
    FVM_CHANGE_CREATE = 1,  /* pos, piece */
    FVM_CHANGE_CAPTURE = 2, /* pos; other = piece that stood there when generated */
    FVM_CHANGE_TYPE = 3,    /* pos, piece = new type */
    FVM_CHANGE_OWNER = 4,   /* pos, piece = new owner */
    FVM_CHANGE_PASS = 5,
    FVM_CHANGE_PARTIAL = 6, /* piece = move type to go on with, 0 any */
    FVM_CHANGE_CALL = 7     /* piece = CFA of the compiled word; pos = argument count, args */
} fvm_change_kind;
typedef struct {
    int32_t kind;
    fvm_cell from;
    fvm_cell pos;
    fvm_cell piece;
    fvm_cell other;
    fvm_cell args[4];
} fvm_change;
/* What a move does, step by step, as far as there is room; how many steps there are. */
int32_t fvm_move_changes(fvm *vm, fvm_addr move, fvm_change *changes, int32_t room);

/* Zobrist key of board cells, board variables, turn, type demanded and partial state. */
uint64_t fvm_position_hash(fvm *vm);
enum {
    FVM_SETTLE_PIECE = 1, /* $piece is read only after a list has been made */
    FVM_SETTLE_TEXTS = 2  /* the list of the position begins with a change (fvm_list_by_text) */
};
/* Clears what the position in memory does not depend on: the cells given, and the kernel's own
 * scratch memory.  Of the positions noted for repetition, their number stays and how often this
 * one is among them. */
fvm_status fvm_position_settle(fvm *vm, const fvm_addr *scratch, int32_t count, int32_t flags);
int32_t fvm_list_by_text(const fvm *vm); /* of the list made last; see FVM_SETTLE_TEXTS */

/* --- the steps of a loop over moves ----------------------------------------------- */

/* Each does what several functions above do one after the other, as a run without limits. */

enum { FVM_LOOP_PARTIAL = -1000 };
/* Restores a snapshot with its list and applies a move of that list.  FVM_LOOP_PARTIAL: it was
 * partial; otherwise an fvm_status. */
int32_t fvm_loop_make(fvm *vm, const fvm_snapshot *listed, fvm_addr move);
/* Drops all lists and takes a snapshot: the caller's; NULL: out of memory. */
fvm_snapshot *fvm_loop_arrive(fvm *vm);

typedef struct {
    fvm_snapshot *listed; /* memory with the list in place, the caller's to free; NULL: none */
    fvm_cell code;        /* what OnIsGameOver answered */
    int32_t asked;        /* whether it need not be asked, or has answered */
    int32_t count;        /* of the moves in the list */
    fvm_cell turn;        /* $playerOffset before the questions */
    fvm_addr *moves;      /* the first `room` of them come here */
    int32_t room;
} fvm_listing;
/* Makes the list, asks OnIsGameOver and makes the list again (the same list is not made again),
 * or only makes the list.  Memory is as in `arrived`, its snapshot. */
fvm_status fvm_loop_list(fvm *vm, const fvm_snapshot *arrived, fvm_listing *turn);

/* === 3. Tools ===================================================================== */

/* --- dictionary and sources ------------------------------------------------------- */

/* Source position of the token that made this cell, 0 unknown. */
uint32_t fvm_source_at(const fvm *vm, fvm_addr addr);
fvm_addr fvm_latest(const fvm *vm);                 /* header (NFA) of the newest word */
fvm_addr fvm_previous(const fvm *vm, fvm_addr nfa); /* the next older word, 0 at the end */
fvm_addr fvm_word_at(const fvm *vm, fvm_addr addr); /* the word whose code holds addr, or 0 */
int32_t fvm_name(const fvm *vm, fvm_addr nfa, char *buffer, int32_t size);
fvm_addr fvm_body(const fvm *vm, fvm_addr cfa);     /* CFA>PFA */
int32_t fvm_primitive(const fvm *vm, fvm_addr cfa); /* opcode of its code field, -1 none */
/* A warning about the texts interpreted so far, and its source position; -1: there is none. */
int32_t fvm_warning(const fvm *vm, int32_t index, char *buffer, int32_t size, uint32_t *pos);
/* Words that have become machine code so far. */
int64_t fvm_compiled(const fvm *vm);

/* --- memory and snapshots --------------------------------------------------------- */

uint32_t fvm_memory_size(const fvm *vm);
fvm_addr fvm_here(const fvm *vm);
/* Whether memory and stack are the same. */
int fvm_snapshot_equal(const fvm_snapshot *a, const fvm_snapshot *b);
uint32_t fvm_snapshot_size(const fvm_snapshot *s); /* bytes of memory it describes */
/* Copies bytes out; how many there were. */
uint32_t fvm_snapshot_read(const fvm_snapshot *s, fvm_addr addr, void *to, uint32_t length);
uint32_t fvm_page_size(void);
int fvm_snapshot_page_same(const fvm_snapshot *a, const fvm_snapshot *b, uint32_t page);
/* The parameter stack, as far as there is room; its depth. */
int32_t fvm_snapshot_stack(const fvm_snapshot *s, fvm_cell *cells, int32_t room);
/* 64 bits from the cells that differ from another snapshot, the stack and `salt`. */
uint64_t fvm_snapshot_key(const fvm_snapshot *s, const fvm_snapshot *base, uint64_t salt);
/* Another snapshot, the caller's: `base` with those cells and that stack.  NULL: out of memory, or
 * a cell is not in memory. */
fvm_snapshot *fvm_snapshot_patch(const fvm_snapshot *base, const fvm_addr *addrs,
                                 const fvm_cell *cells, int32_t count, const fvm_cell *stack,
                                 int32_t depth);

/* --- images ----------------------------------------------------------------------- */

/* The memory of a VM whose stack is empty, and its cells' places in the sources, as bytes for the
 * same build of the core: written if they fit.  Returns their number; 0: not possible now. */
uint32_t fvm_image_save(const fvm *vm, void *to, uint32_t room);
/* Loads an image into a new VM, as if the sources, which end before next_base, had been
 * interpreted.  FVM_ERR_CONTEXT, and nothing changed: it is not an image for this VM. */
fvm_status fvm_image_load(fvm *vm, const void *from, uint32_t length, uint32_t next_base);
/* 64 bits by which to notice that bytes have changed by accident, not on purpose. */
uint64_t fvm_digest(const void *bytes, uint32_t length);

/* === 4. Search ==================================================================== */

/* --- the original's search, engines of scripts, perft ----------------------------- */

typedef struct {
    int32_t depth_limit; /* plies, at least 1 */
    int32_t variety;     /* 0 to 10: noise on leaves */
    int64_t node_limit;  /* 0: none */
    double seconds;      /* 0: none */
} fvm_limits;
typedef struct {
    fvm_addr best; /* move of the newest list, 0 none */
    fvm_cell score;
    int32_t depth;
    int64_t nodes;
    int32_t stopped; /* 1: a limit ended it */
    /* What a script's engine left behind: items on the stack (below 0: it took some), cloned
     * boards, move lists, and whether the turn was another one. */
    int32_t items;
    int32_t boards;
    int32_t lists;
    int32_t turned;
} fvm_search_result;
/* The original's alpha-beta ($NegamaxMove) on the position and newest list. */
fvm_status fvm_search_axiom(fvm *vm, const fvm_limits *limits, fvm_search_result *result);
void fvm_search_reset(fvm *vm); /* empties its table, as a new game does */
/* OnSearch (the engine the script names for the player to move).  best = "" if it never
 * called BestMove!; limits go into $depthLimit, $searchTime, $variety. */
fvm_status fvm_engine_run(fvm *vm, const fvm_limits *limits, fvm_search_result *result, char *best,
                          int32_t size);
/* Asks a running engine to stop: 1 soon, 2 now (SearchStatus@); 0: no more.  Any thread.  Our
 * own searches end where they are, a script's engine when its grace is over. */
void fvm_engine_stop(fvm *vm, int32_t status);
/* Counts move sequences; each node is generated, asked OnIsGameOver and undone entirely.
 * joined: a chain of partial moves counts as one ply. */
fvm_status fvm_perft(fvm *vm, int32_t depth, int32_t joined, int64_t *count);

/* --- our own searches ------------------------------------------------------------- */

typedef enum {
    FVM_USE_TABLE = 1, /* the transposition table */
    FVM_USE_KILLERS = 2,
    FVM_USE_HISTORY = 4,
    FVM_USE_CAPTURES = 8, /* captures first, the dearest victim before the others */
    FVM_USE_PVS = 16,     /* null windows after the first move */
    FVM_USE_ASPIRATION = 32,
    FVM_USE_QUIESCENCE = 64, /* OnIsTerminal? FALSE and single replies go on at the horizon */
    FVM_USE_REPETITION = 128 /* a position seen before on the way is a draw */
} fvm_feature;

typedef enum {
    FVM_METHOD_ALPHA_BETA = 0, /* alpha-beta; more than two players: all others against one */
    FVM_METHOD_MAXN = 1,       /* everybody for himself */
    FVM_METHOD_BEST_REPLY = 2  /* the best reply of all opponents together */
} fvm_method;

typedef struct {
    int32_t method;
    uint32_t features;
    int32_t depth;       /* plies */
    int64_t nodes;       /* 0: no limit */
    double seconds;      /* 0: no limit */
    uint32_t chance;     /* players who draw lots, a bit per number */
    int32_t count_turns; /* the script looks at turn-number */
    int32_t lines;       /* best moves wanted, at least 1 */
    uint32_t seed;       /* not 0: moves of equal rank in an order of its own */
    int32_t samples;     /* moves of a chance player that are tried, 0: all */
    int32_t extension;   /* plies that may be searched beyond the horizon */
} fvm_deepening_options;

enum { FVM_LINE_MOVES = 64 };
typedef struct {
    int32_t moves[64]; /* indices in the lists on the way, -1: the host passes */
    int32_t length;
    fvm_cell score; /* for the player to move at the root */
    int32_t depth;
} fvm_line;

typedef struct {
    int64_t nodes;
    int64_t evaluations;
    int64_t hits;        /* positions that the table answered */
    int32_t depth;       /* of the last complete iteration */
    int32_t stopped;     /* 1: a limit ended it */
    int32_t lines;       /* that were filled */
    int32_t outside;     /* cells outside the board that moves change */
    int32_t keyless;     /* 1: they are too many, so there was no table */
    fvm_cell scores[32]; /* maxn: of each player by number */
} fvm_deepening_result;

typedef struct fvm_tt fvm_tt;
fvm_tt *fvm_tt_new(int64_t bytes); /* NULL: no memory */
void fvm_tt_free(fvm_tt *cache);
void fvm_tt_clear(fvm_tt *cache);
/* Searches the position whose list is the newest; `lines` has room for options->lines.  Memory
 * is as before afterwards.  cache: NULL for none; may be shared by threads. */
fvm_status fvm_deepening_search(fvm *vm, const fvm_deepening_options *options, fvm_tt *cache,
                                fvm_line *lines, fvm_deepening_result *result);

/* --- Monte Carlo search ----------------------------------------------------------- */

typedef struct {
    int32_t first; /* index of the first child, 0: not expanded */
    int32_t count; /* children, in the order of the list of moves */
    int32_t visits;
    int32_t mover; /* number of the player who moved into it */
    int32_t proof; /* number of the player who wins for certain, 32 a draw, 0 open */
    float sum;     /* rewards of the mover, 0 to 1 each */
    float prior;   /* how promising the move into it looked, where somebody said so */
} fvm_tree_node;
typedef struct {
    int64_t iterations; /* 0: no limit */
    double seconds;     /* 0: no limit */
    uint32_t chance;    /* players who draw lots, a bit per number */
    uint32_t seed;
    int32_t playout_plies; /* then OnEvaluate judges; 0: at once */
    double exploration;
    double history;        /* weight of progressive history, 0: none */
    int32_t priors;        /* 1: choose by priors (PUCT) */
    int64_t steps;         /* of the VM after which it ends, 0 no limit; the last playout is cut */
    int64_t playout_steps; /* ... after which a playout is judged by OnEvaluate, 0 no limit */
} fvm_tree_options;
/* A position that somebody outside is to judge. */
typedef struct {
    int32_t decided; /* 1: it was decided, and has been noted already */
    int32_t moves;   /* to be given priors */
    int32_t mover;   /* number of the player to move */
    int32_t cells;   /* copied from the board */
} fvm_leaf;
typedef struct {
    int64_t iterations;
    int64_t playouts;
    int64_t plies;   /* of all playouts */
    int32_t stopped; /* 1: somebody asked for it */
} fvm_tree_result;

typedef struct fvm_tree fvm_tree;
fvm_tree *fvm_tree_new(int32_t most_nodes); /* NULL: no memory */
void fvm_tree_free(fvm_tree *tree);
void fvm_tree_clear(fvm_tree *tree);
int32_t fvm_tree_size(const fvm_tree *tree); /* nodes */
int32_t fvm_tree_read(const fvm_tree *tree, int32_t from, fvm_tree_node *nodes, int32_t count);
/* Replaces the tree by nodes that were read; 0: they are no sound tree. */
int32_t fvm_tree_write(fvm_tree *tree, const fvm_tree_node *nodes, int32_t count);
/* What a search goes on with besides the nodes: its random numbers, what OnEvaluate's numbers are
 * usually like, and what moves were worth wherever they were played. */
enum { FVM_TREE_HISTORY = 16384 };
typedef struct {
    uint64_t random;
    double scale;
    float sums[FVM_TREE_HISTORY];
    int32_t visits[FVM_TREE_HISTORY];
} fvm_tree_memory;
void fvm_tree_recall(const fvm_tree *tree, fvm_tree_memory *memory);
int32_t fvm_tree_remember(fvm_tree *tree, const fvm_tree_memory *memory); /* 0: it is not sound */
/* Adds what another search of the same position has found, as deep as both trees go. */
void fvm_tree_merge(fvm_tree *tree, const fvm_tree *other);
/* The child of the root becomes the root; 0: there is none. */
int32_t fvm_tree_follow(fvm_tree *tree, int32_t child);
/* Searches the position whose list is the newest, which is the tree's root. */
fvm_status fvm_tree_grow(fvm *vm, fvm_tree *tree, const fvm_tree_options *options,
                         fvm_tree_result *result);
/* options->iterations games at random from that position on; `sums`: rewards by number (32). */
fvm_status fvm_playouts(fvm *vm, fvm_tree *tree, const fvm_tree_options *options, double *sums,
                        fvm_tree_result *result);
/* One way down: board cells of the leaf go to `board`, as many as it has room for.  Unless it
 * is decided, fvm_tree_answer must follow: priors of its moves, and a reward from 0 to 1 for
 * each player by number (32 of them). */
fvm_status fvm_tree_leaf(fvm *vm, fvm_tree *tree, const fvm_tree_options *options, fvm_cell *board,
                         int32_t room, fvm_leaf *leaf);
int32_t fvm_tree_answer(fvm_tree *tree, const float *priors, int32_t count, const float *rewards);

/* === 5. Tracing =================================================================== */

/* While a trace is attached all runs go token by token, nothing fused: every cell of a
 * definition that is run is a step, and so is the word that EXECUTE, the host or the text
 * being interpreted runs.  What runs do is the same, and what they count against budgets. */
typedef enum {
    FVM_TRACE_TARGET = 1,   /* the step asked for */
    FVM_TRACE_BREAK = 2,    /* a cell or word with a mark */
    FVM_TRACE_UNTIL = 4,    /* what fvm_trace_go_until asked for */
    FVM_TRACE_WATCH = 8,    /* a watched range has changed: `changed` */
    FVM_TRACE_PAUSE = 16,   /* fvm_trace_pause */
    FVM_TRACE_RUN = 32,     /* the host runs a word, outside of other runs */
    FVM_TRACE_FULL = 64,    /* the log is full: take it, or records are lost */
    FVM_TRACE_FAILURE = 128 /* the token fails with `status`: the run ends after the hook */
} fvm_trace_reason;

/* Marks. */
typedef enum {
    FVM_MARK_CELL = 1,     /* stop before this cell */
    FVM_MARK_CELL_LOG = 2, /* log it */
    FVM_MARK_WORD = 4,     /* stop where the word whose code field this is will be run */
    FVM_MARK_WORD_LOG = 8, /* log it */
    FVM_MARK_CELLS = 3,
    FVM_MARK_WORDS = 12
} fvm_trace_mark_bits;

typedef struct {
    uint64_t steps;   /* this token's number, from 1 */
    uint64_t runs;    /* words that the host has run since fvm_trace_restart */
    fvm_addr ip;      /* cell of the token that is next; 0: the host or a text runs it */
    fvm_addr word;    /* its CFA */
    fvm_addr before;  /* cell that ran before in this run, if ranges are watched, else 0 */
    uint32_t source;  /* the token's place in a source, 0 unknown */
    int32_t executed; /* 1: not a cell's word is run, but the one named */
    int32_t reasons;
    int32_t status;     /* of a failure */
    int32_t nesting;    /* runs inside runs, from 1 */
    int32_t calls;      /* open */
    int32_t cells;      /* on the return stack */
    int32_t phase;      /* fvm_phase */
    fvm_addr generator; /* word that generates moves, 0 none */
    uint64_t changed;   /* a bit per watched range */
} fvm_trace_point;

/* Stop at the next token with at most so many calls open whose place in the source is at
 * least `source`, unless as many calls are open as `calls` and it lies in [from, to). */
typedef struct {
    int32_t most_calls;
    int32_t calls;
    uint32_t source;
    uint32_t from;
    uint32_t to;
} fvm_trace_until;

/* FVM_ERR_CONTEXT inside a run, FVM_ERR_MEMORY. */
fvm_status fvm_trace_attach(fvm *vm);
void fvm_trace_detach(fvm *vm); /* not inside a run */

/* All that follows is for a VM with a trace, and else does nothing. */
/* Counts from 0 again; ranges are as they are now; what no snapshot holds (the search's table
 * and noise) is as it was when the trace was attached. */
void fvm_trace_restart(fvm *vm, int again);     /* again: for the same runs from the same state */
void fvm_trace_stop_at(fvm *vm, uint64_t step); /* 0: nowhere */
/* After fvm_trace_restart, and before the same is run again: nothing stops before that step,
 * and runs that end before it go fast, as far as their beginnings were noted the first time. */
void fvm_trace_skip_to(fvm *vm, uint64_t step);
void fvm_trace_go_until(fvm *vm, const fvm_trace_until *until); /* NULL: no more */
void fvm_trace_pause(fvm *vm);                 /* any thread: stop at the next token */
void fvm_trace_stop_runs(fvm *vm, int on);     /* FVM_TRACE_RUN */
void fvm_trace_stop_failures(fvm *vm, int on); /* FVM_TRACE_FAILURE */
void fvm_trace_mark(fvm *vm, fvm_addr addr, int32_t set, int32_t clear);
/* Watches a range; base: 0, or a cell whose value is added to addr before each look.
 * length 0: no more.  FVM_ERR_LIMIT: index not below 64, or too long. */
fvm_status fvm_trace_watch(fvm *vm, int32_t index, fvm_addr base, fvm_addr addr, uint32_t length);
/* A range before its last change and as it is; both have room for its length. */
fvm_status fvm_trace_watched(const fvm *vm, int32_t index, void *old, void *now);

/* The stop at hand; elsewhere only its `steps` and `runs` are of use. */
void fvm_trace_get_point(const fvm *vm, fvm_trace_point *place);
/* Open calls, innermost first: the cells that called, the words called, and the depth of the
 * parameter stack when they were; how many. */
int32_t fvm_trace_calls(const fvm *vm, fvm_addr *cells, fvm_addr *words, int32_t *depths,
                        int32_t room);
int32_t fvm_trace_return_stack(const fvm *vm, fvm_cell *cells, int32_t room); /* top first */

/* Counts of tokens per cell, from the time they are turned on (and then begin at 0). */
fvm_status fvm_trace_count(fvm *vm, int on);
uint32_t fvm_trace_counts(const fvm *vm, fvm_addr first, uint64_t *counts, uint32_t cells);
/* The log takes a record at each cell or word with a mark for it, and every so many steps
 * (0: none).  A record is this many cells: its length, 1 marked or 2 sample, steps (low, high),
 * ip, word, depth of the parameter stack, its top, the item below, cells on the return stack,
 * the move under construction, from, here, piece, the word that generates, how many calls are
 * open, and the cells that called, innermost first. */
fvm_status fvm_trace_log(fvm *vm, int32_t room, uint64_t sample_every);
int32_t fvm_trace_take_log(fvm *vm, fvm_cell *to, int32_t room); /* cells, whole records */
uint64_t fvm_trace_lost(const fvm *vm);                          /* records that found no room */

/* Inside the hook: what runs between the two is not traced, counts against no budget, and what
 * it did to memory, stack and errors is undone.  FVM_ERR_CONTEXT elsewhere; FVM_ERR_MEMORY. */
fvm_status fvm_trace_sandbox_begin(fvm *vm);
void fvm_trace_sandbox_end(fvm *vm);
/* CDEF END */

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
