/* layout.h: the memory layout of the image, and constants that are stored there.
 *
 * Owns the constants that C and Python share: state.h includes this file, and build.py passes the
 * part between the CDEF marks to cffi (forthvm/core/layout.py names the constants for Python). That
 * part may contain only enums with literal values. */
#ifndef FVM_LAYOUT_H
#define FVM_LAYOUT_H

/* CDEF BEGIN */
/* Addresses, from low to high. */
enum {
    FVM_LOW = 0x40, /* lower addresses are invalid: 0 ends lists, other low ones are mistakes */

    /* Variables of the kernel; each but the last three has a word that pushes its address. */
    FVM_K_STATE = 0x40,
    FVM_K_BASE = 0x44,
    FVM_K_CONTEXT = 0x48,
    FVM_K_CURRENT = 0x4C,
    FVM_K_DP = 0x50,
    FVM_K_FORTH = 0x54,       /* newest word of the basic word list */
    FVM_K_LAST_EDITOR = 0x90, /* player of the last board edit; only engines read it */
    FVM_K_HEADERS = 0xA0,     /* number of headers made so far */

    /* Cells of the library of Forth 2012: the end of the floats, the memory for them, the end of
     * the locals, the address of the FVM_INPUT_CELLS cells that describe the input, and the header
     * of the unfinished definition, 0 if there is none. */
    FVM_K_FLOAT_TOP = 0xA4,
    FVM_K_FLOAT_LOW = 0xA8,
    FVM_K_FLOAT_HIGH = 0xAC,
    FVM_K_LOCALS_TOP = 0xB0,
    FVM_K_INPUT = 0xB4,
    FVM_K_OPEN_HEADER = 0xB8,

    FVM_K_RANDOM = 0x100,    /* FVM_RANDOM_STREAMS records of FVM_RANDOM_CELLS */
    FVM_RINGS = 0x1000,      /* two ring buffers: read index, write index, items */
    FVM_REPETITION = 0xA000, /* repetition keys */
    FVM_PAD = 0x2A000,       /* the last token read */
    FVM_TEXT = 0x3A000,      /* text of the move under construction */
    FVM_DICTIONARY = 0x3B000
};

enum { FVM_INPUT_CELLS = 10 };

/* A header: name address, flags, link; the code field follows. */
enum { FVM_HEADER_FLAGS = 4, FVM_HEADER_LINK = 8, FVM_HEADER_BYTES = 12 };
enum { FVM_FLAG_IMMEDIATE = 1, FVM_FLAG_HIDDEN = 2 };

/* Offsets from a code field: the body; if the opcode is FVM_OP_DOES, the DOES> part and the body.
 */
enum { FVM_BODY = 4, FVM_DOES_PART = 4, FVM_DOES_BODY = 8 };
/* Opcodes of code fields, besides the primitives (ops.h). */
enum {
    FVM_OP_COLON = 1000,     /* a definition */
    FVM_OP_VAR = 1001,       /* pushes the address of its body */
    FVM_OP_DOES = 1002,      /* pushes the address of its body and runs a DOES> part */
    FVM_OP_MOVE_CODE = 1003, /* a move: a definition that is never translated */
    FVM_OP_HOST = 1004,      /* a host word; its id is in the body */
    FVM_OP_WORD_LIST = 1005  /* selects its word list for searches */
};

/* Fields of a board cell. */
enum { FVM_TYPE_MASK = 0x3FF, FVM_OWNER_MASK = 0xFC00, FVM_NEUTRAL = 0x400 };
/* CDEF END */

/* An entry of the library's table of piece types: xt of the type's word, list of move words, list
 * of drop words, value. */
enum {
    FVM_PIECE_BYTES = 16,
    FVM_FIELD_MOVES = 4, /* offsets in the entry */
    FVM_FIELD_DROPS = 8,
    FVM_FIELD_VALUE = 12
};

/* A list of move words or drop words: the code field of a variable, the number of words, and for
 * each word a pair of its xt and its move type. */
enum { FVM_WORDS_COUNT = 4, FVM_WORDS_PAIRS = 8, FVM_PAIR_TYPE = 4, FVM_PAIR_BYTES = 8 };

/* The header of a move list: older list, number of moves, first move. */
enum { FVM_LIST_LENGTH = 4, FVM_LIST_FIRST = 8, FVM_LIST_BYTES = 12 };

/* Private cells of the kernel. */
enum {
    FVM_K_STOP = 0x58,          /* the code to which a run returns: the CFA of (stop); the cell
                                 * before it is FVM_TRACE_RUN_CELL */
    FVM_K_BUILD = 0x60,         /* address of the move under construction, 0: none */
    FVM_K_LIST_TAIL = 0x64,     /* address of the link cell that will point to the next move */
    FVM_K_LAST_POS = 0x68,      /* for texts: board position of the last edit */
    FVM_K_TEXT_CONTEXT = 0x70,  /* for texts: kinds of the earlier edits, FVM_TEXT_… */
    FVM_K_CHANGED_TO = 0x74,    /* for texts of version 140: type or player of the last change */
    FVM_K_TEXT_LENGTH = 0x7C,   /* length of the text under construction */
    FVM_K_OVER = 0x80,          /* the game has ended: see fvm_game_over */
    FVM_K_REPETITIONS = 0x84,   /* number of keys at FVM_REPETITION */
    FVM_K_LAST_TYPE = 0x88,     /* with $passTurnForced: move type of the last {move} entry that a
                                 * scan of the board came to */
    FVM_K_TRANSIENT = 0x94,     /* HERE below all move lists and cloned boards, 0: there are none */
    FVM_K_TRANSIENT_TOP = 0x98, /* highest HERE that lists and boards have reached */
    FVM_K_HOST_LIST = 0x9C      /* address of the move list generated for the host, 0: none */
};

#endif
