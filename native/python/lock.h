/* lock.h: the lock of a VM, for the extension forthvm._loop. */
#ifndef FVM_PYTHON_LOCK_H
#define FVM_PYTHON_LOCK_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

typedef struct {
    PyObject_HEAD
    unsigned long owner, count; /* how often he has it; 0: nobody */
    long waiting;
    bool rung;
    PyThread_type_lock bell; /* taken, but for a moment after it has been rung */
} fvm_lock;

extern PyTypeObject *fvm_lock_type;

bool fvm_lock_prepare(PyObject *module); /* false: an exception */

/* 1: taken, -1: an exception while waiting. */
int fvm_lock_wait(fvm_lock *lock);
static inline bool fvm_lock_try(fvm_lock *lock) {
    unsigned long me = PyThread_get_thread_ident();
    if (lock->count != 0 && lock->owner != me)
        return false;
    lock->owner = me;
    lock->count++;
    return true;
}
static inline void fvm_lock_leave(fvm_lock *lock) { /* who has it */
    if (--lock->count == 0 && lock->waiting > 0 && !lock->rung) {
        lock->rung = true;
        PyThread_release_lock(lock->bell);
    }
}

#endif
