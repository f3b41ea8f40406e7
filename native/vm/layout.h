/* layout.h: the memory layout of the image, and the numbers stored there.
 *
 * Owns the constants of the memory layout that C and Python share: state.h includes this file, and
 * build.py gives it to cffi (forthvm/core/layout.py names the constants for Python).  Only enums
 * with literal values: cffi reads nothing else.  It must not know the state outside the image. */
#ifndef FVM_LAYOUT_H
#define FVM_LAYOUT_H

/* CDEF BEGIN */
/* Addresses, from low to high. */
enum {
    FVM_LOW = 0x40, /* below this nothing is readable: 0 ends lists, small numbers are bugs */

    /* Cells that scripts reach through a word. */
    FVM_K_STATE = 0x40,
    FVM_K_BASE = 0x44,
    FVM_K_CONTEXT = 0x48,
    FVM_K_CURRENT = 0x4C,
    FVM_K_DP = 0x50,
    FVM_K_FORTH = 0x54,   /* newest word of the basic word list */
    FVM_K_HEADERS = 0xA0, /* headers ever made */

    FVM_K_RANDOM = 0x100,    /* FVM_RANDOM_STREAMS records of FVM_RANDOM_CELLS */
    FVM_RINGS = 0x1000,      /* two ring buffers: read index, write index, items */
    FVM_REPETITION = 0xA000, /* repetition keys */
    FVM_PAD = 0x2A000,       /* the token read last */
    FVM_TEXT = 0x3A000,      /* text of the move under construction */
    FVM_DICTIONARY = 0x3B000
};

/* A header: name address, flags, link; the code field follows. */
enum { FVM_HEADER_BYTES = 12, FVM_HEADER_FLAGS = 4 };
enum { FVM_FLAG_IMMEDIATE = 1, FVM_FLAG_HIDDEN = 2 };

/* What code fields hold beside the primitives of ops.h. */
enum {
    FVM_OP_COLON = 1000,     /* a definition */
    FVM_OP_VAR = 1001,       /* pushes its body */
    FVM_OP_DOES = 1002,      /* pushes its body and runs a DOES> part */
    FVM_OP_MOVE_CODE = 1003, /* a move: a definition that runs untranslated */
    FVM_OP_HOST = 1004,      /* a word of the host; its number is in the body */
    FVM_OP_WORD_LIST = 1005  /* makes its list the one searched */
};

/* Fields of a board cell. */
enum { FVM_TYPE_MASK = 0x3FF, FVM_OWNER_MASK = 0xFC00, FVM_NEUTRAL = 0x400 };
/* CDEF END */

/* Private cells of the kernel. */
enum {
    FVM_K_STOP = 0x58,          /* code: the CFA of (stop), where a run returns to */
    FVM_K_BUILD = 0x60,         /* start of the move under construction, 0 none */
    FVM_K_LIST_TAIL = 0x64,     /* link cell that gets the next move */
    FVM_K_LAST_POS = 0x68,      /* texts: square of the last edit, of any move */
    FVM_K_TEXT_CONTEXT = 0x70,  /* texts: what was edited before, FVM_TEXT_… */
    FVM_K_CHANGED_TO = 0x74,    /* texts of version 140: what the last change was to */
    FVM_K_TEXT_LENGTH = 0x7C,   /* bytes in the text under construction */
    FVM_K_OVER = 0x80,          /* an answer ended the game: OnIsGameOver is not passed on */
    FVM_K_REPETITIONS = 0x84,   /* keys noted */
    FVM_K_LAST_EDITOR = 0x90,   /* player of the last board edit */
    FVM_K_TRANSIENT = 0x94,     /* HERE below all lists and cloned boards, 0: there are none */
    FVM_K_TRANSIENT_TOP = 0x98, /* highest HERE that lists and boards reached */
    FVM_K_HOST_LIST = 0x9C      /* the list that the host requested, 0 none */
};

#endif
