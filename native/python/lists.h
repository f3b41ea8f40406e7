/* lists.h: lists of moves, for the extension forthvm._loop. */
#ifndef FVM_PYTHON_LISTS_H
#define FVM_PYTHON_LISTS_H

#include "held.h"

typedef fvm_snapshot *fvm_arrive_function(fvm *vm);
typedef fvm_status fvm_list_function(fvm *vm, const fvm_snapshot *arrived, fvm_listing *turn);

/* What lists.c has to know: functions of the core's, Python's methods that it stands in for, and
 * constants of states.py. */
typedef struct {
    fvm_arrive_function *arrive;
    fvm_list_function *list;
    PyObject *slow_moves, *slow_list, *slow_iterate; /* legal_moves, moves_of, __iter__ */
    PyObject *stage_arrived, *stage_listed, *decided;
} fvm_lists;
extern fvm_lists fvm_lists_use;

bool fvm_lists_prepare(void); /* false: an exception */

PyObject *fvm_legal_moves(PyObject *module, PyObject *position); /* Position.legal_moves */
PyObject *fvm_moves_of(PyObject *states, PyObject *state);       /* States.moves_of */
PyObject *fvm_iterate(PyObject *moves, PyObject *none);          /* MoveList.__iter__ */

#endif
