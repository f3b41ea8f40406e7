/* operations.h: the state of a running fuzz case, shared by case.c and operations.c. */
#ifndef FORTHVM_FUZZ_OPERATIONS_H
#define FORTHVM_FUZZ_OPERATIONS_H

#include "fuzz.h"

enum { FZ_SNAPSHOTS = 4, FZ_MOVES = 64 };

typedef struct {
    fz_world *world;
    fvm *vm;
    const uint8_t *at; /* the next byte of the case */
    const uint8_t *end;
    fvm_snapshot *snapshots[FZ_SNAPSHOTS];
    fvm_addr moves[FZ_MOVES];
    int32_t move_count;
} fz_run;

/* Aborts with a message unless the condition holds. */
void fz_require(int holds, const char *what);

/* Reads a number of that many bytes, most significant first; bytes after the end are 0. */
uint32_t fz_read_operand(fz_run *run, int bytes);
/* Adds a status, and the location of an error, to the digest and the counts. */
void fz_record_status(fz_run *run, fvm_status status);
/* Runs the operation that begins at run->at. */
void fz_run_operation(fz_run *run);

#endif
