/* fuzz.h: declarations shared by the files of the fuzzer.
 *
 * Owns the format of a fuzz case: bytes that describe everything done to one VM, so that one file
 * reproduces a crash.  Of the core it uses only forthvm.h.
 *
 *   byte 0      base: the number of the starting state, modulo the number of bases: 0 bare kernel,
 *               1 library, 2 and above a game
 *   byte 1      options (fz_options)
 *   bytes 2...  source text, interpreted; ends at a zero byte or the end of the case
 *   then        operations (see operations.c), each an opcode byte and its operands
 */
#ifndef FORTHVM_FUZZ_H
#define FORTHVM_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forthvm.h"

enum {
    FZ_MAX_TEXTS = 1024, /* texts of the corpus: files and recorded scripts */
    FZ_MAX_BASES = 40,
    FZ_MAX_CASE = 16384,
    FZ_MAX_WORDS = 4096,
    FZ_NAME_BYTES = 64,
    FZ_OPERATIONS = 33,     /* number of opcodes */
    FZ_OPERATION_BYTES = 24 /* length of an operation */
};

/* Masks of the option byte. */
typedef enum {
    FZ_VERSION = 3,      /* index of the emulated version in case.c */
    FZ_CHECKED = 4,      /* checked mode */
    FZ_POLLED = 8,       /* the poll hook ends runs after some calls */
    FZ_TINY_BUDGET = 16, /* a few hundred steps */
    FZ_RUN_LINES = 32    /* each line of the text is a separate run with its own budget */
} fz_options;

typedef struct {
    char name[FZ_NAME_BYTES]; /* file name without folder; "" for a recorded script */
    char *bytes;
    uint32_t length;
    uint32_t source; /* source position of the first byte (fvm_source_add) */
} fz_text;

typedef struct {
    char name[FZ_NAME_BYTES];
    fvm_addr cfa;
} fz_word;

/* A VM, its bases (starting states), and the texts and words from which cases are made. */
typedef struct {
    fvm *vm;
    fvm_snapshot *bases[FZ_MAX_BASES];
    char base_names[FZ_MAX_BASES][FZ_NAME_BYTES];
    int base_count;
    fz_text texts[FZ_MAX_TEXTS];
    int text_count;
    fz_word words[FZ_MAX_WORDS]; /* of the library, newest first */
    int word_count;
    uint32_t source;       /* source position of the first byte of every case's text */
    int64_t steps;         /* step budget of a case */
    int polls;             /* number of calls of the poll hook in this case */
    int load_depth;        /* number of nested LOADs */
    int64_t statuses[128]; /* number of interpretations and operations that returned each status */
    int64_t output_bytes;  /* length of the output of all cases */
    int compare;           /* 1: run each case in two ways and compare the outcomes */
    int tiers;             /* 1: compare interpreter and JIT; 0: compare untraced and traced runs */
    int64_t compared;      /* number of cases whose outcomes were compared */
    int64_t repeated; /* number of these cases whose outcomes were equal only in a second attempt */
    uint64_t digest;  /* digest of statuses and output in this case */
} fz_world;

/* Creates the VM and the bases.  library: paths of the library's files in load order; games: paths
 * of scripts that become bases; others: paths of further texts.  Returns 1, or 0 after an error.
 */
int fz_world_open(fz_world *world, char **library, int library_count, char **games, int game_count,
                  char **others, int other_count);
void fz_world_close(fz_world *world);

/* Runs a case, then restores the VM; aborts with a message if an invariant does not hold. */
void fz_case_run(fz_world *world, const uint8_t *bytes, size_t size);

/* Adds a value to world->digest. */
void fz_add_to_digest(fz_world *world, uint64_t value);

/* Random numbers for the generators (xorshift64*), the same on every machine. */
typedef struct {
    uint64_t state;
} fz_random;
uint32_t fz_next(fz_random *random);                  /* 32 random bits */
uint32_t fz_below(fz_random *random, uint32_t limit); /* a number from 0 to limit - 1 */

typedef enum {
    FZ_KIND_GRAMMAR = 0,  /* sources made of words, numbers and templates */
    FZ_KIND_MUTATION = 1, /* changed corpus texts */
    FZ_KIND_IMAGE = 2,    /* random cells written to the image, then random words run */
    FZ_KIND_PLAY = 3,     /* game operations, snapshots and moves in random order */
    FZ_KIND_CODE = 4,     /* definitions that become hot, so that the JIT compiles them */
    FZ_KIND_COUNT = 5
} fz_kind;
/* Generates a case of the kind; returns its size, at most FZ_MAX_CASE. */
size_t fz_generate(const fz_world *world, fz_random *random, fz_kind kind, uint8_t *out);
/* Generates the text of a case of FZ_KIND_CODE; returns its size. */
size_t fz_generate_code(fz_random *random, uint8_t *out, size_t limit);
const char *fz_kind_name(fz_kind kind);

#endif
