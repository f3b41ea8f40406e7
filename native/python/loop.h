/* loop.h: push and pop, for the extension forthvm._loop. */
#ifndef FVM_PYTHON_LOOP_H
#define FVM_PYTHON_LOOP_H

#include "held.h"

typedef int32_t fvm_make_function(fvm *vm, const fvm_snapshot *listed, fvm_addr move);
typedef int64_t fvm_steps_function(const fvm *vm);

/* What loop.c has to know: functions of the core's, and Python's methods that it stands in for. */
typedef struct {
    fvm_make_function *make;
    fvm_steps_function *steps;
    PyObject *slow_push, *slow_pop, *stage_made;
    Py_ssize_t kept; /* so many positions back lists are kept */
    Py_ssize_t weak; /* where a Played has its weak references */
} fvm_loop;
extern fvm_loop fvm_loop_use;

/* Position.push and Position.pop. */
PyObject *fvm_loop_push(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names);
PyObject *fvm_loop_pop(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names);

#endif
