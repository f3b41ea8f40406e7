/* held.c: the part of the class Snapshot that owns a snapshot of C's.
 *
 * It owns when one is freed: with its object, under the lock of the VM, without waiting for that.
 * forthvm/core/bindings/snapshot.py says the same for a Python without this extension. */
#include "held.h"
#include "lock.h"

typedef void free_function(fvm_snapshot *snapshot);

static PyTypeObject *held_type;
static free_function *free_snapshot;
static PyObject *address_of, *pointer_to;

static bool is_vm(PyObject *object) {
    return object != NULL && PyObject_TypeCheck(object, fvm_types[VM]);
}

static PyObject *pointer_of(PyObject *self, void *Py_UNUSED(nothing)) {
    fvm_held *held = (fvm_held *)self;
    if (held->pointer == NULL && held->snapshot != NULL) {
        PyObject *address = PyLong_FromVoidPtr(held->snapshot);
        if (address == NULL)
            return NULL;
        held->pointer = PyObject_CallFunctionObjArgs(pointer_to, address, NULL);
        Py_DECREF(address);
    } else if (held->pointer == NULL) {
        PyErr_SetString(PyExc_AttributeError, "_pointer");
    }
    Py_XINCREF(held->pointer);
    return held->pointer;
}

/* A thread inside C may not be waited for: who has the lock frees it later. */
static void drop_later(fvm_held *held) {
    PyObject *type, *value, *trace, *pointer, *done = NULL;
    PyErr_Fetch(&type, &value, &trace);
    pointer = pointer_of((PyObject *)held, NULL);
    if (pointer != NULL)
        done = PyObject_CallMethod(held->native, "_drop_later", "O", pointer);
    if (done == NULL)
        PyErr_WriteUnraisable(held->native);
    Py_XDECREF(done);
    Py_XDECREF(pointer);
    PyErr_Restore(type, value, trace);
}

static void let_go(fvm_held *held) {
    PyObject *lock = is_vm(held->native) ? get(held->native, VM_LOCK) : NULL;
    if (held->snapshot == NULL)
        return;
    if (lock == NULL) { /* the VM is gone, or going */
        free_snapshot(held->snapshot);
    } else if (Py_TYPE(lock) == fvm_lock_type && fvm_lock_try((fvm_lock *)lock)) {
        free_snapshot(held->snapshot);
        fvm_lock_leave((fvm_lock *)lock);
    } else { /* or it is lost (forks.py), and nobody will */
        drop_later(held);
    }
    held->snapshot = NULL;
}

static int visit_all(PyObject *self, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((fvm_held *)self)->native);
    Py_VISIT(((fvm_held *)self)->pointer);
    return 0;
}

static int clear(PyObject *self) {
    let_go((fvm_held *)self);
    Py_CLEAR(((fvm_held *)self)->native);
    Py_CLEAR(((fvm_held *)self)->pointer);
    return 0;
}

static void destroy(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int init(PyObject *self, PyObject *arguments, PyObject *Py_UNUSED(named)) {
    fvm_held *held = (fvm_held *)self;
    PyObject *native, *pointer;
    if (!PyArg_ParseTuple(arguments, "OO:Snapshot", &native, &pointer))
        return -1;
    if (held->snapshot != NULL || !is_vm(native)) {
        PyErr_SetString(PyExc_TypeError, "a Snapshot is made once, by its VM");
        return -1;
    }
    PyObject *address = PyObject_CallFunctionObjArgs(address_of, pointer, NULL);
    held->snapshot = address != NULL ? PyLong_AsVoidPtr(address) : NULL;
    Py_XDECREF(address);
    if (PyErr_Occurred())
        return -1;
    Py_INCREF(native);
    Py_INCREF(pointer);
    held->native = native;
    held->pointer = pointer;
    return 0;
}

static PyObject *native_of(PyObject *self, void *Py_UNUSED(nothing)) {
    PyObject *native = ((fvm_held *)self)->native;
    if (native == NULL)
        PyErr_SetString(PyExc_AttributeError, "_native");
    Py_XINCREF(native);
    return native;
}

static PyGetSetDef attributes[] = {
    {"_native", native_of, NULL, NULL, NULL},
    {"_pointer", pointer_of, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "What owns a saved state in C."},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_init, init},
    {Py_tp_dealloc, destroy},
    {Py_tp_traverse, visit_all},
    {Py_tp_clear, clear},
    {Py_tp_getset, attributes},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "forthvm._loop.Held",
    .basicsize = sizeof(fvm_held),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};

PyObject *fvm_hold(PyObject *native, fvm_snapshot *snapshot) {
    if (snapshot == NULL) {
        PyErr_SetString(PyExc_MemoryError, "no memory for a snapshot");
        return NULL;
    }
    fvm_held *held = (fvm_held *)new_bare(SNAPSHOT);
    if (held == NULL) {
        free_snapshot(snapshot);
        return NULL;
    }
    Py_INCREF(native);
    held->native = native;
    held->snapshot = snapshot;
    return (PyObject *)held;
}

PyObject *fvm_hold_by(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *function, *machine;
    if (!PyArg_ParseTuple(arguments, "OOOO:hold", &function, &address_of, &pointer_to, &machine))
        return NULL;
    Py_INCREF(address_of);
    Py_INCREF(pointer_to);
    free_snapshot = (free_function *)PyLong_AsVoidPtr(function);
    if (free_snapshot == NULL)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "hold() lacks a function");
    int found = fvm_find_class(VM, machine);
    return found < 0 ? NULL : PyBool_FromLong(found);
}

PyObject *fvm_place(PyObject *Py_UNUSED(module), PyObject *address) {
    void *pointer = PyLong_AsVoidPtr(address);
    return PyErr_Occurred() ? NULL : PyCapsule_New(pointer, NULL, NULL);
}

bool fvm_holds(PyTypeObject *type) { return PyType_IsSubtype(type, held_type); }

bool fvm_held_prepare(PyObject *module) {
    held_type = (PyTypeObject *)PyType_FromSpec(&spec);
    if (held_type == NULL)
        return false;
    Py_INCREF((PyObject *)held_type);
    return PyModule_AddObject(module, "Held", (PyObject *)held_type) == 0;
}
