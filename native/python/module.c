/* module.c: the extension forthvm._loop, for loops that make and take back every move.
 *
 * It owns what takes whose place: methods of Position, States and MoveList, and the lock and the
 * snapshots of a VM (lock.c, held.c).  It holds no second core: addresses of the functions that it
 * calls are handed over.  It must not know rules of play.
 *
 * This is for CPython's stable ABI; without it all works, slower.  Where objects do not lie as
 * objects.c expects, no method is replaced. */
#include "held.h"
#include "lists.h"
#include "lock.h"
#include "loop.h"

static PyMethodDef replaced[] = {
    {"push", (PyCFunction)(void (*)(void))fvm_loop_push, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"pop", (PyCFunction)(void (*)(void))fvm_loop_pop, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"moves_of", fvm_moves_of, METH_O, NULL},
    {"__iter__", fvm_iterate, METH_NOARGS, NULL},
};

static PyMethodDef legal_moves = {"legal_moves", fvm_legal_moves, METH_O, NULL};

/* Replaces a method, whose documentation the new one takes over; gives the old. */
static PyObject *replace(int which, PyMethodDef *method, const char *signature) {
    PyObject *class = (PyObject *)fvm_types[which], *made = NULL;
    PyObject *old = PyObject_GetAttrString(class, method->ml_name);
    PyObject *text = old != NULL ? PyObject_GetAttrString(old, "__doc__") : NULL;
    PyObject *whole =
        text != NULL
            ? PyUnicode_FromFormat("%s%s\n--\n\n%S", method->ml_name, signature, text)
            : NULL;
    PyObject *bytes = whole != NULL ? PyUnicode_AsUTF8String(whole) : NULL;
    if (bytes != NULL) {
        method->ml_doc = PyBytes_AsString(bytes); /* kept: the method is there for ever */
        made = PyDescr_NewMethod(fvm_types[which], method);
    }
    if (made == NULL || PyObject_SetAttrString(class, method->ml_name, made) < 0)
        Py_CLEAR(old);
    Py_XDECREF(made);
    Py_XDECREF(whole);
    Py_XDECREF(text);
    return old;
}

/* The same for a property; gives its function. */
static PyObject *replace_property(int which, PyMethodDef *method) {
    PyObject *class = (PyObject *)fvm_types[which], *made = NULL;
    PyObject *old = PyObject_GetAttrString(class, method->ml_name);
    PyObject *slow = old != NULL ? PyObject_GetAttrString(old, "fget") : NULL;
    PyObject *text = old != NULL ? PyObject_GetAttrString(old, "__doc__") : NULL;
    PyObject *quick = text != NULL ? PyCFunction_NewEx(method, NULL, NULL) : NULL;
    if (quick != NULL)
        made = PyObject_CallFunctionObjArgs((PyObject *)&PyProperty_Type, quick, Py_None, Py_None,
                                            text, NULL);
    PyObject *named =
        made != NULL ? PyObject_CallMethod(made, "__set_name__", "Os", class, method->ml_name)
                     : NULL;
    if (named == NULL || PyObject_SetAttrString(class, method->ml_name, made) < 0)
        Py_CLEAR(slow);
    Py_XDECREF(named);
    Py_XDECREF(made);
    Py_XDECREF(quick);
    Py_XDECREF(text);
    Py_XDECREF(old);
    return slow;
}

static bool replace_all(void) {
    fvm_lists *lists = &fvm_lists_use;
    fvm_loop *loop = &fvm_loop_use;
    return (loop->slow_push = replace(POSITION, &replaced[0], "($self, move)")) != NULL &&
           (loop->slow_pop = replace(POSITION, &replaced[1], "($self)")) != NULL &&
           (lists->slow_list = replace(STATES, &replaced[2], "($self, state, /)")) != NULL &&
           (lists->slow_iterate = replace(MOVES, &replaced[3], "($self, /)")) != NULL &&
           (lists->slow_moves = replace_property(POSITION, &legal_moves)) != NULL;
}

/* 1: found, 0: not to be seen, -1: an exception. */
static int find_all(PyObject *given) {
#define FVM_CLASS(class_, name) name,
    static const char *const names[] = {FVM_CLASSES(FVM_CLASS)};
#undef FVM_CLASS
    int found = 1;
    for (int i = 0; i < CLASSES && found == 1; i++) {
        PyObject *type = given != NULL ? PyDict_GetItemString(given, names[i]) : NULL;
        if (type == NULL || !PyType_Check(type)) {
            PyErr_Format(PyExc_TypeError, "install() lacks %s", names[i]);
            return -1;
        }
        found = fvm_find_class(i, type);
    }
    if (found == 1 && !fvm_holds(fvm_types[SNAPSHOT]))
        found = 0;
    if (found == 1)
        found = fvm_find_states();
    PyObject *weak = found == 1 ? PyObject_GetAttrString((PyObject *)fvm_types[PLAYED],
                                                         "__weakrefoffset__")
                                : NULL;
    if (weak != NULL)
        fvm_loop_use.weak = PyLong_AsSsize_t(weak);
    Py_XDECREF(weak);
    return PyErr_Occurred() ? -1 : found == 1 && fvm_loop_use.weak == 0 ? 0 : found;
}

static bool find_functions(PyObject *given) {
    void *found[4] = {NULL, NULL, NULL, NULL};
    for (Py_ssize_t i = 0; i < 4 && i < PyTuple_Size(given); i++)
        found[i] = PyLong_AsVoidPtr(PyTuple_GetItem(given, i));
    fvm_loop_use.make = (fvm_make_function *)found[0];
    fvm_loop_use.steps = (fvm_steps_function *)found[1];
    fvm_lists_use.arrive = (fvm_arrive_function *)found[2];
    fvm_lists_use.list = (fvm_list_function *)found[3];
    if (found[3] == NULL && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "install() lacks functions");
    return !PyErr_Occurred();
}

/* install(functions, stages, decided, kept, position=, move=, ...): whether they are quick now. */
static PyObject *install(PyObject *Py_UNUSED(module), PyObject *arguments, PyObject *named) {
    fvm_lists *lists = &fvm_lists_use;
    PyObject *functions, *made, *arrived, *listed;
    if (!PyArg_ParseTuple(arguments, "O!(OOO)On:install", &PyTuple_Type, &functions, &made,
                          &arrived, &listed, &lists->decided, &fvm_loop_use.kept) ||
        !find_functions(functions))
        return NULL;
    int found = find_all(named);
    if (found == 1) {
        Py_INCREF(fvm_loop_use.stage_made = made);
        Py_INCREF(lists->stage_arrived = arrived);
        Py_INCREF(lists->stage_listed = listed);
        Py_INCREF(lists->decided);
        found = replace_all() ? 1 : -1;
    }
    return found < 0 ? NULL : PyBool_FromLong(found);
}

static PyMethodDef functions[] = {
    {"hold", fvm_hold_by, METH_VARARGS, NULL},
    {"install", (PyCFunction)(void (*)(void))install, METH_VARARGS | METH_KEYWORDS, NULL},
    {"place", fvm_place, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_loop", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit__loop(void);
PyMODINIT_FUNC PyInit__loop(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && (!fvm_objects_prepare() || !fvm_lists_prepare() ||
                           !fvm_lock_prepare(module) || !fvm_held_prepare(module)))
        Py_CLEAR(module);
    return module;
}
