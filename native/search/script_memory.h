/* script_memory.h: the cells of the script's memory that moves change. */
#ifndef FVM_SCRIPT_MEMORY_H
#define FVM_SCRIPT_MEMORY_H

#include "vm/scratch_memory.h"
#include "vm/vm.h"

/* A cell outside the boards that a move changes, and its value before the move. */
typedef struct {
    fvm_addr addr;
    fvm_cell value;
} fvm_saved_cell;

typedef struct {
    fvm_addr low, high;   /* the script's memory: above the library, below lists and clones */
    uint8_t *shadow;      /* copy of the script's memory when tracking began */
    fvm_cell repetitions; /* value of FVM_K_REPETITIONS when tracking began */
    fvm_scratch scratch;  /* is no part of a position */
    /* The addresses of the changed cells found so far: first those that are part of a position. */
    fvm_addr *changing;
    int32_t position_count, changing_count;
    bool overflow;       /* moves change more cells than `changing` can contain */
    fvm_saved_cell *log; /* earlier values, which unmaking a move restores */
    int32_t log_count, log_capacity;
} fvm_script_memory;

/* false: no memory.  In any case the caller must call fvm_script_memory_close. */
bool fvm_script_memory_open(const fvm *vm, fvm_script_memory *m);
void fvm_script_memory_close(fvm_script_memory *m);

/* Returns a copy of the script's memory, which the caller frees; NULL: no memory. */
uint8_t *fvm_script_memory_copy(const fvm *vm, const fvm_script_memory *m);
/* Restores the script's memory from a copy. */
void fvm_script_memory_restore(fvm *vm, const fvm_script_memory *m, const uint8_t *copy);

/* Adds the cells found so far to the log, before a move. */
fvm_status fvm_script_memory_log(fvm *vm, fvm_script_memory *m);
/* Between these two calls the cells that change are found; the second adds their earlier values to
 * the log, unless there are too many (m->overflow).  m->shadow contains the earlier memory. */
void fvm_script_memory_begin_tracking(fvm *vm, fvm_script_memory *m);
fvm_status fvm_script_memory_end_tracking(fvm *vm, fvm_script_memory *m);
/* Restores what has been added to the log since it had `count` entries. */
void fvm_script_memory_undo(fvm *vm, fvm_script_memory *m, int32_t count);
/* Restores all memory as it was when tracking began; tracking continues. */
void fvm_script_memory_rollback(fvm *vm, fvm_script_memory *m);

/* Stores a cell if its value changes. */
static inline void fvm_put_if_changed(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (fvm_get(vm, addr) != value)
        fvm_put(vm, addr, value);
}

#endif
