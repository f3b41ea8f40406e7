/* fuzz.h: declarations shared by the parts of the fuzzer.
 *
 * Owns the format of a fuzz case: the bytes that describe everything done to one VM, so that one
 * file reproduces any crash.  It must not know the core beyond forthvm.h.
 *
 *   byte 0      base, modulo their number: 0 bare kernel, 1 library loaded, from 2 on a game
 *   byte 1      options: bits 0-1 version, bit 2 checked, bit 3 poll hook, bit 4 tiny budget,
 *               bit 5 each line of the text is a run with a budget of its own
 *   bytes 2...  source text, interpreted; ends at a zero byte or the end of the case
 *   the rest    operations (see case.c), each an opcode byte and its operands
 */
#ifndef FORTHVM_FUZZ_H
#define FORTHVM_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "forthvm.h"

enum {
    FZ_MAX_TEXTS = 1024, /* corpus: files and recorded scripts */
    FZ_MAX_BASES = 40,
    FZ_MAX_CASE = 16384,
    FZ_MAX_WORDS = 4096,
    FZ_NAME = 64,
    FZ_OPS = 33, /* opcodes known to case.c */
    FZ_RECORD = 24
};

typedef struct {
    char name[FZ_NAME]; /* file name without folder; "" for a recorded script */
    char *bytes;
    uint32_t length;
    uint32_t source; /* its fvm_source_add */
} fz_text;

typedef struct {
    char name[FZ_NAME];
    fvm_addr cfa;
} fz_word;

/* One fuzzing world: a VM, its starting states, and what cases are made from. */
typedef struct {
    fvm *vm;
    fvm_snapshot *bases[FZ_MAX_BASES];
    char base_names[FZ_MAX_BASES][FZ_NAME];
    int base_count;
    fz_text texts[FZ_MAX_TEXTS];
    int text_count;
    fz_word words[FZ_MAX_WORDS]; /* of the library, newest first */
    int word_count;
    uint32_t source; /* registered once, for the texts of all cases */
    int64_t steps;   /* budget of a case */
    int polls;       /* calls of the poll hook in this case */
    int load_depth;
    int64_t statuses[128]; /* how often each status ended an interpretation or operation */
    int64_t output_bytes;
    int traced;       /* run each case twice and compare: untraced and traced, or in two tiers */
    int tiers;        /* the two runs are the interpreter and the JIT, not untraced and traced */
    int64_t compared; /* cases whose two runs were compared */
    int64_t second;   /* of these, cases that were equal only when both runs were repeated */
    uint64_t digest;  /* of statuses and output in this case */
} fz_world;

/* Library files come first, in load order; then games; then other texts. */
int fz_world_open(fz_world *world, char **library, int library_count, char **games, int game_count,
                  char **others, int other_count);
void fz_world_close(fz_world *world);

/* Runs a case, then restores the VM; aborts with a message if an invariant does not hold. */
void fz_case_run(fz_world *world, const uint8_t *bytes, size_t size);

/* Adds to the digest. */
void fz_mix(fz_world *world, uint64_t what);

/* Random numbers for the generators (xorshift64*), the same on every machine. */
typedef struct {
    uint64_t state;
} fz_random;
uint32_t fz_next(fz_random *random);
uint32_t fz_below(fz_random *random, uint32_t limit); /* 0 ... limit - 1 */

/* Makes a case of the kind; returns its size, at most FZ_MAX_CASE. */
typedef enum {
    FZ_KIND_GRAMMAR = 0,  /* sources put together from words, numbers and templates */
    FZ_KIND_MUTATION = 1, /* corpus texts, changed */
    FZ_KIND_IMAGE = 2,    /* random cells over the image, then random words run */
    FZ_KIND_PLAY = 3,     /* game operations, snapshots and moves in random order */
    FZ_KIND_CODE = 4,     /* definitions that run hot, for the compiler */
    FZ_KIND_COUNT = 5
} fz_kind;
size_t fz_generate(const fz_world *world, fz_random *random, fz_kind kind, uint8_t *out);
/* The text of FZ_KIND_CODE.  Returns its size. */
size_t fz_generate_code(fz_random *random, uint8_t *out, size_t limit);
const char *fz_kind_name(fz_kind kind);

#endif
