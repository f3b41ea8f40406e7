/* objects.h: attributes of the host's objects, for the extension forthvm._loop.
 *
 * The objects are Python's, of classes with __slots__.  An attribute in a slot has one place in
 * all objects of its class, which the stable ABI does not tell; objects.c finds it. */
#ifndef FVM_PYTHON_OBJECTS_H
#define FVM_PYTHON_OBJECTS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* Its name here, and when it is given to `install`. */
#define FVM_CLASSES(a)                                                                             \
    a(POSITION, "position") a(MOVE, "move") a(MOVES, "moves") a(SOURCE, "source")                  \
    a(STATE, "state") a(STATES, "states") a(VM, "machine") a(HOST, "host") a(PLAYED, "played")     \
    a(SNAPSHOT, "snapshot")

/* What is read or written here: its class, its name here and there. */
#define FVM_ATTRIBUTES(a)                                                                          \
    a(POSITION, GAME, "_game") a(POSITION, NOW, "_now") a(POSITION, PAST, "_past")                 \
    a(POSITION, HISTORY, "_history") a(POSITION, STATES, "_states") a(POSITION, SPARE, "_spare")   \
    a(MOVE, SOURCE, "source") a(MOVE, INDEX, "index")                                              \
    a(MOVES, SOURCE, "_source") a(MOVES, ALL, "_all") a(MOVES, SOME, "_some")                      \
    a(SOURCE, GAME, "game") a(SOURCE, STATE, "state")                                              \
    a(STATE, ARRIVED, "arrived") a(STATE, CODE, "code") a(STATE, DROPPED, "dropped")               \
    a(STATE, LISTED, "listed") a(STATE, MOVES, "moves") a(STATE, OPEN, "open")                     \
    a(STATE, PARTIAL, "partial") a(STATE, PLAYED, "played") a(STATE, PLAYER, "player")             \
    a(STATE, SAVED, "saved") a(STATE, SKIPPED, "skipped")                                          \
    a(STATES, HELD, "_state") a(STATES, NATIVE, "native") a(STATES, ON_TOUCH, "_on_touch")         \
    a(STATES, PLAYERS, "players") a(STATES, STAGE, "_stage") a(STATES, UNSAVED, "_unsaved")        \
    a(VM, ADDRESS, "_address") a(VM, BRIEF, "_brief") a(VM, DEPTH, "_depth") a(VM, HOST, "host")   \
    a(VM, LOCK, "_lock") a(VM, ON_TOUCH, "on_touch") a(VM, READY, "_ready")                        \
    a(HOST, PENDING, "pending") a(PLAYED, MOVE, "_move")

#define FVM_CLASS(class_, name) class_,
#define FVM_ATTRIBUTE(class_, attribute, name) class_##_##attribute,
enum { FVM_CLASSES(FVM_CLASS) CLASSES };
enum { FVM_ATTRIBUTES(FVM_ATTRIBUTE) ATTRIBUTES };
#undef FVM_CLASS
#undef FVM_ATTRIBUTE

extern PyTypeObject *fvm_types[CLASSES];
extern Py_ssize_t fvm_offsets[ATTRIBUTES];
extern PyObject *fvm_zero, *fvm_one, *fvm_no_arguments;
extern newfunc fvm_new_object; /* object.__new__ */

int fvm_objects_prepare(void); /* 0: an exception */
/* 1: found, 0: the attributes are not where they can be seen, -1: an exception. */
int fvm_find_class(int which, PyObject *given);
int fvm_find_states(void);      /* what a new State holds, when all classes are there */
PyObject *fvm_new_state(void);  /* State(None) */

/* Of a class with nothing but slots, which are all empty yet. */
static inline PyObject *new_bare(int which) { return PyType_GenericAlloc(fvm_types[which], 0); }

static inline PyObject **at(PyObject *object, int attribute) {
    return (PyObject **)(void *)((char *)object + fvm_offsets[attribute]);
}

/* What a slot holds, NULL if it is empty; the object's. */
static inline PyObject *get(PyObject *object, int attribute) { return *at(object, attribute); }

static inline void set(PyObject *object, int attribute, PyObject *value) {
    PyObject **place = at(object, attribute), *old = *place;
    Py_INCREF(value);
    *place = value;
    Py_XDECREF(old);
}

static inline int is_exactly(PyObject *object, int which) {
    return object != NULL && Py_TYPE(object) == fvm_types[which];
}

#endif
