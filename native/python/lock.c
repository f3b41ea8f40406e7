/* lock.c: a lock like threading.RLock, which C can take without a call through Python.
 *
 * It owns who has the lock.  All is looked at and changed with the GIL held, so taking a lock that
 * is free costs no more than looking; who has to wait sleeps without the GIL until a bell rings,
 * and then looks again. */
#include "lock.h"

PyTypeObject *fvm_lock_type;

int fvm_lock_wait(fvm_lock *lock) {
    int taken = fvm_lock_try(lock) ? 1 : 0;
    lock->waiting++;
    while (taken == 0) {
        PyLockStatus status;
        Py_BEGIN_ALLOW_THREADS
        status = PyThread_acquire_lock_timed(lock->bell, -1, 1);
        Py_END_ALLOW_THREADS
        if (status == PY_LOCK_ACQUIRED)
            lock->rung = false;
        if (fvm_lock_try(lock))
            taken = 1;
        else if (status == PY_LOCK_INTR && Py_MakePendingCalls() < 0)
            taken = -1; /* Ctrl-C */
    }
    lock->waiting--;
    return taken;
}

static PyObject *take(PyObject *self, PyObject *arguments, PyObject *named) {
    static char *names[] = {"blocking", NULL};
    int blocking = 1, taken;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "|p:acquire", names, &blocking))
        return NULL;
    taken = fvm_lock_try((fvm_lock *)self) ? 1 : blocking ? fvm_lock_wait((fvm_lock *)self) : 0;
    return taken < 0 ? NULL : PyBool_FromLong(taken);
}

static PyObject *leave(PyObject *self, PyObject *Py_UNUSED(none)) {
    fvm_lock *lock = (fvm_lock *)self;
    if (lock->count == 0 || lock->owner != PyThread_get_thread_ident()) {
        PyErr_SetString(PyExc_RuntimeError, "cannot release un-acquired lock");
        return NULL;
    }
    fvm_lock_leave(lock);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *Py_UNUSED(none)) {
    if (!fvm_lock_try((fvm_lock *)self) && fvm_lock_wait((fvm_lock *)self) < 0)
        return NULL;
    Py_RETURN_TRUE;
}

static PyObject *quit(PyObject *self, PyObject *const *Py_UNUSED(given), Py_ssize_t count) {
    (void)count;
    return leave(self, NULL);
}

static PyObject *create(PyTypeObject *type, PyObject *Py_UNUSED(given), PyObject *Py_UNUSED(named)) {
    fvm_lock *lock = (fvm_lock *)PyType_GenericAlloc(type, 0);
    if (lock == NULL)
        return NULL;
    lock->bell = PyThread_allocate_lock();
    if (lock->bell == NULL || !PyThread_acquire_lock(lock->bell, NOWAIT_LOCK)) {
        Py_DECREF(lock);
        return PyErr_NoMemory();
    }
    return (PyObject *)lock;
}

static void destroy(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    fvm_lock *lock = (fvm_lock *)self;
    if (lock->bell != NULL) {
        if (!lock->rung)
            PyThread_release_lock(lock->bell); /* it may not be freed taken */
        PyThread_free_lock(lock->bell);
    }
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"acquire", (PyCFunction)(void (*)(void))take, METH_VARARGS | METH_KEYWORDS, NULL},
    {"release", leave, METH_NOARGS, NULL},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", (PyCFunction)(void (*)(void))quit, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A lock that its owner may take again, as threading.RLock."},
    {Py_tp_new, create},
    {Py_tp_dealloc, destroy},
    {Py_tp_methods, methods},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "forthvm._loop.Lock",
    .basicsize = sizeof(fvm_lock),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

bool fvm_lock_prepare(PyObject *module) {
    fvm_lock_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (fvm_lock_type == NULL)
        return false;
    Py_INCREF((PyObject *)fvm_lock_type);
    return PyModule_AddObject(module, "Lock", (PyObject *)fvm_lock_type) == 0;
}
