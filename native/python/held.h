/* held.h: snapshots that Python's objects own, for the extension forthvm._loop. */
#ifndef FVM_PYTHON_HELD_H
#define FVM_PYTHON_HELD_H

#include "forthvm.h"
#include "objects.h"

#include <stdbool.h>

typedef struct {
    PyObject_HEAD
    fvm_snapshot *snapshot;
    PyObject *native;  /* the VM that it is of */
    PyObject *pointer; /* what cffi has for it, NULL: nobody has asked */
} fvm_held;

/* hold(free, address_of, pointer_to, machine): before there can be any. */
PyObject *fvm_hold_by(PyObject *module, PyObject *arguments);
/* place(address): what holds the address of a VM for C. */
PyObject *fvm_place(PyObject *module, PyObject *address);

bool fvm_held_prepare(PyObject *module); /* false: an exception */
bool fvm_holds(PyTypeObject *type);      /* whether its objects are fvm_held */

/* A Snapshot that owns it; NULL: an exception, and it is gone.  NULL in place of a snapshot: there
 * was no memory for it. */
PyObject *fvm_hold(PyObject *native, fvm_snapshot *snapshot);

/* NULL: it has none. */
static inline fvm_snapshot *fvm_held_by(PyObject *object) {
    return is_exactly(object, SNAPSHOT) ? ((fvm_held *)object)->snapshot : NULL;
}
/* Likewise. */
static inline fvm *fvm_placed(PyObject *place) {
    return place != NULL && PyCapsule_CheckExact(place) ? PyCapsule_GetPointer(place, NULL) : NULL;
}

#endif
