/* loop.c: push and pop of positions for loops that make and take back every move.
 *
 * It owns nothing but the way that such a loop takes: Position.push, Position.pop and the Moves of
 * a list as Python would do them, in a tenth of the time.  Whatever is otherwise than that way has
 * it (another argument, a state that is not prepared, a failure) goes to the Python method, which
 * stays the one that says what happens (forthvm/game/position.py, states.py).  It must not know
 * rules of play, nor anything of the core but where two of its functions are.
 *
 * This is the extension forthvm._loop, for CPython's stable ABI; without it all works, slower.
 *
 * The objects are Python's, of classes with __slots__.  An attribute in a slot has one place in
 * all objects of its class, which the stable ABI does not tell; it is found by putting an object
 * there and looking where its address has appeared.  Where that does not come out as it must,
 * nothing is installed. */
#include "lock.h"

#include <stdint.h>

typedef int32_t make_function(void *vm, const void *listed, uint32_t move);
typedef int64_t steps_function(const void *vm);

/* Slots that are read or written here; `name` as the class has it. */
typedef struct {
    const char *name;
    Py_ssize_t offset;
} slot;

enum { NOW, PAST, HISTORY, STATES };
static slot in_position[] = {{"_now", 0}, {"_past", 0}, {"_history", 0}, {"_states", 0}};
enum { SOURCE, INDEX };
static slot in_move[] = {{"source", 0}, {"index", 0}};
static slot in_source[] = {{"state", 0}};
enum { OPEN, LISTED, MOVES, SAVED, DROPPED, BY_ENGINE };
static slot in_state[] = {{"open", 0},  {"listed", 0},  {"moves", 0},
                          {"saved", 0}, {"dropped", 0}, {"played", 0}};
enum { NATIVE, UNSAVED };
static slot in_states[] = {{"native", 0}, {"_unsaved", 0}};
enum { VM, DEPTH, READY, LOCK, BRIEF };
static slot in_machine[] = {
    {"_address", 0}, {"_depth", 0}, {"_ready", 0}, {"_lock", 0}, {"_brief", 0}};
static slot in_snapshot[] = {{"_address", 0}};
static slot in_played[] = {{"_move", 0}};

typedef struct {
    const char *name;
    slot *slots;
    int count;
    PyTypeObject *type;
} class;

#define CLASS(name, slots) {name, slots, (int)(sizeof slots / sizeof *slots), NULL}
enum { POSITION, MOVE, SOURCES, STATE, STATES_CLASS, MACHINE, SNAPSHOT, PLAYED, CLASSES };
static class classes[] = {
    CLASS("position", in_position), CLASS("move", in_move),         CLASS("source", in_source),
    CLASS("state", in_state),       CLASS("states", in_states),     CLASS("machine", in_machine),
    CLASS("snapshot", in_snapshot), CLASS("played", in_played),
};

static make_function *make;
static steps_function *steps_of;
static newfunc new_object;
static PyObject *no_arguments, *zero, *one, *slow_push, *slow_pop, *list_pop;
static Py_ssize_t kept_lists; /* so many positions back lists are kept */

/* --- slots ------------------------------------------------------------------------------------ */

static inline PyObject **at(PyObject *object, const slot *slots, int which) {
    return (PyObject **)(void *)((char *)object + slots[which].offset);
}

/* What a slot holds, NULL if it is empty; the object's. */
static inline PyObject *get(PyObject *object, const slot *slots, int which) {
    return *at(object, slots, which);
}

static inline void set(PyObject *object, const slot *slots, int which, PyObject *value) {
    PyObject **place = at(object, slots, which), *old = *place;
    Py_INCREF(value);
    *place = value;
    Py_XDECREF(old);
}

static inline int is_exactly(PyObject *object, int which) {
    return object != NULL && Py_TYPE(object) == classes[which].type;
}

static inline int is_kind(PyObject *object, int which) {
    return object != NULL && PyObject_TypeCheck(object, classes[which].type);
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

/* 1, 0: the slots are not where they can be seen, -1: an exception. */
static int find_slots(class *c, PyObject *given) {
    PyObject *number = PyObject_GetAttrString(given, "__basicsize__");
    Py_ssize_t size = number != NULL ? PyLong_AsSsize_t(number) : -1;
    PyObject *object = size > 0 ? new_object((PyTypeObject *)given, no_arguments, NULL) : NULL;
    int found = object != NULL ? 1 : -1;
    for (int i = 0; i < c->count && found == 1; i++) {
        PyObject *descriptor = PyObject_GetAttrString(given, c->slots[i].name);
        Py_ssize_t offset = descriptor != NULL ? find_place(object, descriptor, size) : -1;
        found = offset > 0 ? 1 : (int)offset;
        c->slots[i].offset = offset;
        Py_XDECREF(descriptor);
    }
    Py_XDECREF(object);
    Py_XDECREF(number);
    return found;
}

/* --- push ------------------------------------------------------------------------------------- */

enum { BRIEF_STEPS = 20000 };

typedef struct {
    PyObject *position, *move, *state, *states, *machine, *lock; /* held */
    PyObject *child, *listed; /* borrowed, under the lock */
    const void *snapshot;
    void *vm;
    uint32_t address; /* of the move */
} errand;

/* Whether the move is of the list that the position has, and the game goes on there. */
static int is_plain(errand *e) {
    PyObject *source = get(e->move, in_move, SOURCE);
    e->state = get(e->position, in_position, NOW);
    e->states = get(e->position, in_position, STATES);
    if (!is_exactly(source, SOURCES) || !is_exactly(e->state, STATE) ||
        !is_exactly(e->states, STATES_CLASS) || get(source, in_source, 0) != e->state ||
        get(e->state, in_state, OPEN) != Py_True)
        return 0;
    e->machine = get(e->states, in_states, NATIVE);
    e->lock = is_kind(e->machine, MACHINE) ? get(e->machine, in_machine, LOCK) : NULL;
    return e->lock != NULL && Py_TYPE(e->lock) == fvm_lock_type;
}

static int read_address(PyObject *number, const void **address) {
    *address = number != NULL && PyLong_CheckExact(number) ? PyLong_AsVoidPtr(number) : NULL;
    return *address != NULL;
}

/* Whether memory with the list is at hand, and nobody wants what memory holds: then States.make
 * has nothing to do but to make the move.  A State that nobody has any more serves again. */
static int is_prepared(errand *e) {
    PyObject *moves = get(e->state, in_state, MOVES), *index = get(e->move, in_move, INDEX);
    const void *vm;
    e->child = get(e->states, in_states, UNSAVED);
    e->listed = get(e->state, in_state, LISTED);
    if ((e->child != Py_None &&
         (!is_exactly(e->child, STATE) || get(e->child, in_state, DROPPED) != Py_True)) ||
        !is_kind(e->listed, SNAPSHOT) || get(e->machine, in_machine, DEPTH) != zero ||
        get(e->machine, in_machine, READY) != Py_True || moves == NULL ||
        !PyTuple_CheckExact(moves) || index == NULL || !PyLong_CheckExact(index) ||
        !read_address(get(e->listed, in_snapshot, 0), &e->snapshot) ||
        !read_address(get(e->machine, in_machine, VM), &vm))
        return 0;
    e->vm = (void *)vm;
    Py_ssize_t number = PyLong_AsSsize_t(index);
    if (number < 0 || number >= PyTuple_Size(moves)) {
        PyErr_Clear(); /* too large a number: Python says so itself */
        return 0;
    }
    e->address = (uint32_t)PyLong_AsUnsignedLong(PyTuple_GetItem(moves, number));
    return 1;
}

/* Letting other threads run meanwhile takes a fifth of the time that a move does: that is for a VM
 * whose moves take longer.  Should one do so unexpectedly, the core's polls let them run. */
static int32_t call_make(const errand *e) {
    int32_t status;
    if (get(e->machine, in_machine, BRIEF) == Py_True) {
        status = make(e->vm, e->snapshot, e->address);
    } else {
        Py_BEGIN_ALLOW_THREADS
        status = make(e->vm, e->snapshot, e->address);
        Py_END_ALLOW_THREADS
    }
    set(e->machine, in_machine, BRIEF, steps_of(e->vm) < BRIEF_STEPS ? Py_True : Py_False);
    return status;
}

/* The state after the move, a new reference; NULL with an exception. */
static PyObject *run(const errand *e) {
    PyObject *child = e->child, *listed = e->listed, *after;
    int32_t status;
    Py_INCREF(listed); /* it may be dropped meanwhile */
    if (child != Py_None)
        Py_INCREF(child);
    else if ((child = PyObject_CallFunctionObjArgs((PyObject *)classes[STATE].type, Py_None,
                                                   NULL)) == NULL) {
        Py_DECREF(listed);
        return NULL;
    }
    set(child, in_state, DROPPED, Py_False);
    set(e->machine, in_machine, DEPTH, one);
    status = call_make(e);
    set(e->machine, in_machine, DEPTH, zero);
    Py_DECREF(listed);
    if (status == 0 && get(e->states, in_states, UNSAVED) == child)
        return child; /* else it is new, or a hook has had memory saved */
    after = PyObject_CallMethod(e->states, "_made", "Ol", child, (long)status);
    Py_DECREF(child);
    return after;
}

/* As Position._note. */
static int note(const errand *e, PyObject *after) {
    PyObject *past = get(e->position, in_position, PAST);
    PyObject *history = get(e->position, in_position, HISTORY);
    if (past == NULL || history == NULL)
        return 0;
    set(e->position, in_position, NOW, after);
    if (PyList_Append(past, e->state) < 0 || PyList_Append(history, e->move) < 0)
        return 0;
    if (PyList_Size(past) > kept_lists) {
        PyObject *old = PyList_GetItem(past, PyList_Size(past) - kept_lists);
        if (is_exactly(old, STATE) && get(old, in_state, BY_ENGINE) == Py_False)
            set(old, in_state, LISTED, Py_None);
    }
    return 1;
}

/* 1: made; 0: it goes another way, nothing has been done; -1: an exception. */
static int make_move(errand *e) {
    PyObject *after = NULL;
    int made = 0;
    if (!fvm_lock_try((fvm_lock *)e->lock) && fvm_lock_wait((fvm_lock *)e->lock) < 0)
        return -1;
    if (is_prepared(e)) {
        after = run(e);
        made = after != NULL ? 1 : -1;
    }
    if (made == 1 && !note(e, after))
        made = -1;
    fvm_lock_leave((fvm_lock *)e->lock);
    Py_XDECREF(after);
    return made;
}

static int try_push(PyObject *position, PyObject *move) {
    errand e = {.position = position, .move = move};
    if (!is_plain(&e))
        return 0;
    Py_INCREF(e.state);
    Py_INCREF(e.states);
    Py_INCREF(e.machine); /* and the lock, which it never lets go */
    int made = make_move(&e);
    Py_DECREF(e.state);
    Py_DECREF(e.states);
    Py_DECREF(e.machine);
    return made;
}

/* Python's method, with the same arguments. */
static PyObject *call_python(PyObject *function, PyObject *self, PyObject *const *given,
                             Py_ssize_t count, PyObject *names) {
    PyObject *arguments = PyTuple_New(count + 1), *named = NULL, *answer = NULL;
    Py_ssize_t more = names != NULL ? PyTuple_Size(names) : 0;
    int failed = arguments == NULL || (more > 0 && (named = PyDict_New()) == NULL);
    for (Py_ssize_t i = -1; i < count && !failed; i++) {
        PyObject *each = i < 0 ? self : given[i];
        Py_INCREF(each);
        failed = PyTuple_SetItem(arguments, i + 1, each) < 0;
    }
    for (Py_ssize_t i = 0; i < more && !failed; i++)
        failed = PyDict_SetItem(named, PyTuple_GetItem(names, i), given[count + i]) < 0;
    if (!failed)
        answer = PyObject_Call(function, arguments, named);
    Py_XDECREF(named);
    Py_XDECREF(arguments);
    return answer;
}

static PyObject *push(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
    int made = count == 1 && names == NULL && is_exactly(given[0], MOVE) ? try_push(self, given[0])
                                                                        : 0;
    if (made == 0)
        return call_python(slow_push, self, given, count, names);
    if (made < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* --- pop -------------------------------------------------------------------------------------- */

/* The list's last item, the list's own; NULL where the list is none, or empty. */
static PyObject *last_of(PyObject *list) {
    Py_ssize_t size = list != NULL && PyList_CheckExact(list) ? PyList_Size(list) : 0;
    return size > 0 ? PyList_GetItem(list, size - 1) : NULL;
}

static bool drop_last(PyObject *list) {
    PyObject *last = PyObject_CallFunctionObjArgs(list_pop, list, NULL);
    Py_XDECREF(last);
    return last != NULL;
}

static PyObject *pop(PyObject *self, PyObject *Py_UNUSED(none)) {
    PyObject *past = get(self, in_position, PAST), *history = get(self, in_position, HISTORY);
    PyObject *left = get(self, in_position, NOW);
    PyObject *before = last_of(past), *move = last_of(history);
    PyObject *played = is_exactly(before, STATE) && is_exactly(move, MOVE) && is_exactly(left, STATE)
                           ? new_object(classes[PLAYED].type, no_arguments, NULL)
                           : NULL;
    if (played == NULL) {
        PyErr_Clear();
        return PyObject_CallFunctionObjArgs(slow_pop, self, NULL);
    }
    Py_INCREF(past);
    Py_INCREF(history);
    set(played, in_played, 0, move);
    if (get(left, in_state, SAVED) != Py_True)
        set(left, in_state, DROPPED, Py_True);
    set(self, in_position, NOW, before);
    if (!drop_last(past) || !drop_last(history))
        Py_CLEAR(played);
    Py_DECREF(past);
    Py_DECREF(history);
    return played;
}

/* --- moves ------------------------------------------------------------------------------------ */

/* moves(source, count): so many Moves, their texts and all else unknown yet. */
static PyObject *moves(PyObject *Py_UNUSED(module), PyObject *arguments) {
    PyObject *source;
    Py_ssize_t count;
    if (!PyArg_ParseTuple(arguments, "On:moves", &source, &count))
        return NULL;
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *move = new_object(classes[MOVE].type, no_arguments, NULL);
        PyObject *index = move != NULL ? PyLong_FromSsize_t(i) : NULL;
        if (index == NULL) {
            Py_XDECREF(move);
            Py_CLEAR(list);
            break;
        }
        set(move, in_move, SOURCE, source);
        set(move, in_move, INDEX, index);
        Py_DECREF(index);
        PyList_SetItem(list, i, move);
    }
    return list;
}

/* --- installing ------------------------------------------------------------------------------- */

static PyMethodDef methods[] = {
    {"push", (PyCFunction)(void (*)(void))push, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"pop", pop, METH_NOARGS, NULL},
};

/* Replaces a method of Position, whose documentation the new one takes over; gives the old. */
static PyObject *replace(PyMethodDef *method, const char *signature) {
    PyObject *position = (PyObject *)classes[POSITION].type, *made = NULL;
    PyObject *old = PyObject_GetAttrString(position, method->ml_name);
    PyObject *text = old != NULL ? PyObject_GetAttrString(old, "__doc__") : NULL;
    PyObject *whole =
        text != NULL ? PyUnicode_FromFormat("%s%s\n--\n\n%S", method->ml_name, signature, text) : NULL;
    PyObject *bytes = whole != NULL ? PyUnicode_AsUTF8String(whole) : NULL;
    if (bytes != NULL) {
        method->ml_doc = PyBytes_AsString(bytes); /* kept: the method is there for ever */
        made = PyDescr_NewMethod(classes[POSITION].type, method);
    }
    if (made == NULL || PyObject_SetAttrString(position, method->ml_name, made) < 0)
        Py_CLEAR(old);
    Py_XDECREF(made);
    Py_XDECREF(whole);
    Py_XDECREF(text);
    return old;
}

/* install(make, steps, kept, position=, move=, ...): whether push and pop are quick from now on. */
static PyObject *install(PyObject *Py_UNUSED(module), PyObject *arguments, PyObject *named) {
    PyObject *address, *steps;
    int found = 1;
    if (!PyArg_ParseTuple(arguments, "OOn:install", &address, &steps, &kept_lists))
        return NULL;
    make = (make_function *)PyLong_AsVoidPtr(address);
    steps_of = (steps_function *)PyLong_AsVoidPtr(steps);
    for (int i = 0; i < CLASSES && found == 1; i++) {
        PyObject *given = named != NULL ? PyDict_GetItemString(named, classes[i].name) : NULL;
        if (make == NULL || steps_of == NULL || given == NULL || !PyType_Check(given))
            return PyErr_Format(PyExc_TypeError, "install() lacks %s", classes[i].name);
        Py_INCREF(given);
        classes[i].type = (PyTypeObject *)given;
        found = find_slots(&classes[i], given);
    }
    if (found == 1) {
        slow_push = replace(&methods[0], "($self, move)");
        slow_pop = slow_push != NULL ? replace(&methods[1], "($self)") : NULL;
        found = slow_pop != NULL ? 1 : -1;
    }
    return found < 0 ? NULL : PyBool_FromLong(found);
}

static PyMethodDef functions[] = {
    {"install", (PyCFunction)(void (*)(void))install, METH_VARARGS | METH_KEYWORDS, NULL},
    {"moves", moves, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_loop", .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit__loop(void);
PyMODINIT_FUNC PyInit__loop(void) {
    new_object = (newfunc)PyType_GetSlot(&PyBaseObject_Type, Py_tp_new);
    no_arguments = PyTuple_New(0);
    zero = PyLong_FromLong(0);
    one = PyLong_FromLong(1);
    list_pop = PyObject_GetAttrString((PyObject *)&PyList_Type, "pop");
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && (new_object == NULL || no_arguments == NULL || zero == NULL ||
                           one == NULL || list_pop == NULL || !fvm_lock_prepare(module)))
        Py_CLEAR(module);
    return module;
}
