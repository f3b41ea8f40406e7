/* operations.h: the state of a running fuzz case, shared by case.c and operations.c. */
#ifndef FORTHVM_FUZZ_OPERATIONS_H
#define FORTHVM_FUZZ_OPERATIONS_H

#include "fuzz.h"

enum { FZ_SNAPSHOTS = 4, FZ_MOVES = 64 };

typedef struct {
    fz_world *world;
    fvm *vm;
    const uint8_t *at;                     /* the next byte to read */
    const uint8_t *end;                    /* end of the text or operation being read */
    fvm_snapshot *snapshots[FZ_SNAPSHOTS]; /* snapshots taken by operations; NULL: none */
    fvm_addr moves[FZ_MOVES];              /* the first moves of the newest list */
    int32_t move_count;                    /* number of items of `moves` */
} fz_run;

/* Aborts unless `holds`; `what`: the condition in words, for the message. */
void fz_require(int holds, const char *what);

/* Reads a number of `bytes` bytes, most significant first; bytes after the end are 0. */
uint32_t fz_read_operand(fz_run *run, int bytes);
/* Adds a status, and the location of an error, to the digest and the counts. */
void fz_record_status(fz_run *run, fvm_status status);
/* Runs the operation that begins at run->at. */
void fz_run_operation(fz_run *run);

#endif
