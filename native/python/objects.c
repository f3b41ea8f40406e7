/* objects.c: where the attributes of the host's objects lie.
 *
 * It owns how they are found: an object is put there, and its address looked for.  Where that does
 * not come out as it must, nobody is told a place.  It must not know what they are for. */
#include "objects.h"

#include <string.h>

enum { MOST = 32 };

PyTypeObject *fvm_types[CLASSES];
Py_ssize_t fvm_offsets[ATTRIBUTES];
PyObject *fvm_zero, *fvm_one, *fvm_no_arguments;
newfunc fvm_new_object;

#define FVM_ATTRIBUTE(class_, attribute, name) {class_, name},
static const struct {
    int of;
    const char *name;
} attributes[] = {FVM_ATTRIBUTES(FVM_ATTRIBUTE)};
#undef FVM_ATTRIBUTE

static struct {
    PyObject *model;
    Py_ssize_t places[MOST];
    Py_ssize_t count;
} states;

int fvm_objects_prepare(void) {
    fvm_new_object = (newfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_new);
    fvm_no_arguments = PyTuple_New(0);
    fvm_zero = PyLong_FromLong(0);
    fvm_one = PyLong_FromLong(1);
    return fvm_new_object != NULL && fvm_no_arguments != NULL && fvm_zero != NULL &&
           fvm_one != NULL;
}

/* Where `descriptor` puts values into `object`; 0: not found, -1: an exception. */
static Py_ssize_t find_place(PyObject *object, PyObject *descriptor, Py_ssize_t size) {
    Py_ssize_t found = 0;
    PyObject *marker = PyObject_CallNoArgs((PyObject *)&PyBaseObject_Type);
    PyObject *done =
        marker != NULL ? PyObject_CallMethod(descriptor, "__set__", "OO", object, marker) : NULL;
    for (Py_ssize_t offset = sizeof(PyObject); done != NULL; offset += sizeof(PyObject *)) {
        if (offset + (Py_ssize_t)sizeof(PyObject *) > size)
            break;
        if (*(PyObject **)(void *)((char *)object + offset) == marker)
            found = found == 0 ? offset : size; /* twice: neither can be trusted */
    }
    int failed = done == NULL;
    Py_XDECREF(done);
    Py_XDECREF(marker);
    return failed ? -1 : found < size ? found : 0;
}

/* The same for the attribute of that name. */
static Py_ssize_t find_named(PyObject *object, const char *name) {
    PyObject *type = (PyObject *)Py_TYPE(object);
    PyObject *number = PyObject_GetAttrString(type, "__basicsize__");
    Py_ssize_t size = number != NULL ? PyLong_AsSsize_t(number) : -1;
    PyObject *descriptor = size > 0 ? PyObject_GetAttrString(type, name) : NULL;
    Py_ssize_t offset = descriptor != NULL ? find_place(object, descriptor, size) : -1;
    Py_XDECREF(descriptor);
    Py_XDECREF(number);
    return offset;
}

int fvm_find_class(int which, PyObject *given) {
    PyObject *object = fvm_new_object((PyTypeObject *)given, fvm_no_arguments, NULL);
    int found = object != NULL ? 1 : -1;
    for (int i = 0; i < ATTRIBUTES && found == 1; i++) {
        if (attributes[i].of != which)
            continue;
        fvm_offsets[i] = find_named(object, attributes[i].name);
        found = fvm_offsets[i] > 0 ? 1 : (int)fvm_offsets[i];
    }
    Py_XDECREF(object);
    if (found == 1) {
        Py_INCREF(given); /* for ever, as what is installed */
        fvm_types[which] = (PyTypeObject *)given;
    }
    return found;
}

/* So much for attributes that nothing here knows: a new State has what its model has. */
int fvm_find_states(void) {
    PyObject *type = (PyObject *)fvm_types[STATE];
    PyObject *names = PyObject_GetAttrString(type, "__slots__");
    PyObject *object = new_bare(STATE);
    Py_ssize_t count = names != NULL ? PySequence_Size(names) : -1;
    int found = object == NULL || count < 0 ? -1 : count <= MOST;
    states.count = 0;
    states.model = PyObject_CallFunctionObjArgs(type, Py_None, NULL);
    for (Py_ssize_t i = 0; i < count && found == 1; i++) {
        PyObject *name = PySequence_GetItem(names, i);
        const char *text = name != NULL ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        if (text == NULL)
            found = -1;
        else if (strcmp(text, "__weakref__") != 0) {
            Py_ssize_t offset = find_named(object, text);
            found = offset > 0 ? 1 : (int)offset;
            states.places[states.count++] = offset;
        }
        Py_XDECREF(name);
    }
    Py_XDECREF(object);
    Py_XDECREF(names);
    return states.model == NULL ? -1 : found;
}

PyObject *fvm_new_state(void) {
    PyObject *made = new_bare(STATE);
    for (Py_ssize_t i = 0; made != NULL && i < states.count; i++) {
        PyObject *value = *(PyObject **)(void *)((char *)states.model + states.places[i]);
        Py_XINCREF(value);
        *(PyObject **)(void *)((char *)made + states.places[i]) = value;
    }
    return made;
}
