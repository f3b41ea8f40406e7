/* loop.c: push and pop of positions for loops that make and take back every move.
 *
 * It owns nothing but the way that such a loop takes: Position.push and Position.pop as Python
 * would do them, in a tenth of the time.  Whatever is otherwise than that way has it (another
 * argument, a state that is not prepared, a failure) goes to the Python method, which stays the
 * one that says what happens (forthvm/game/position.py, states.py).  It must not know rules of
 * play. */
#include "loop.h"
#include "lock.h"

fvm_loop fvm_loop_use;

/* --- push ------------------------------------------------------------------------------------- */

enum { BRIEF_STEPS = 20000 };

typedef struct {
    PyObject *position, *move, *state, *states, *machine, *lock; /* held */
    PyObject *child, *listed; /* borrowed, under the lock */
    const fvm_snapshot *snapshot;
    fvm *vm;
    fvm_addr address; /* of the move */
} errand;

/* Whether the move is of the list that the position has, and the game goes on there. */
static int is_plain(errand *e) {
    PyObject *source = get(e->move, MOVE_SOURCE);
    e->state = get(e->position, POSITION_NOW);
    e->states = get(e->position, POSITION_STATES);
    if (!is_exactly(source, SOURCE) || !is_exactly(e->state, STATE) ||
        !is_exactly(e->states, STATES) || get(source, SOURCE_STATE) != e->state ||
        get(e->state, STATE_OPEN) != Py_True)
        return 0;
    e->machine = get(e->states, STATES_NATIVE);
    e->lock = e->machine != NULL && PyObject_TypeCheck(e->machine, fvm_types[VM])
                  ? get(e->machine, VM_LOCK)
                  : NULL;
    return e->lock != NULL && Py_TYPE(e->lock) == fvm_lock_type;
}

/* Whether memory with the list is at hand, and nobody wants what memory holds: then States.make
 * has nothing to do but to make the move.  A State that nobody has any more serves again. */
static int is_prepared(errand *e) {
    PyObject *moves = get(e->state, STATE_MOVES), *index = get(e->move, MOVE_INDEX);
    e->child = get(e->states, STATES_UNSAVED);
    e->listed = get(e->state, STATE_LISTED);
    e->snapshot = fvm_held_by(e->listed);
    e->vm = fvm_placed(get(e->machine, VM_ADDRESS));
    if ((e->child != Py_None &&
         (!is_exactly(e->child, STATE) || get(e->child, STATE_DROPPED) != Py_True)) ||
        e->snapshot == NULL || e->vm == NULL || get(e->machine, VM_DEPTH) != fvm_zero ||
        get(e->machine, VM_READY) != Py_True || moves == NULL || !PyTuple_CheckExact(moves) ||
        index == NULL || !PyLong_CheckExact(index))
        return 0;
    Py_ssize_t number = PyLong_AsSsize_t(index);
    if (number < 0 || number >= PyTuple_Size(moves)) {
        PyErr_Clear(); /* too large a number: Python says so itself */
        return 0;
    }
    e->address = (fvm_addr)PyLong_AsUnsignedLong(PyTuple_GetItem(moves, number));
    return 1;
}

/* Letting other threads run meanwhile takes a fifth of the time that a move does: that is for a VM
 * whose moves take longer.  Should one do so unexpectedly, the core's polls let them run. */
static int32_t call_make(const errand *e) {
    int32_t status;
    if (get(e->machine, VM_BRIEF) == Py_True) {
        status = fvm_loop_use.make(e->vm, e->snapshot, e->address);
    } else {
        Py_BEGIN_ALLOW_THREADS
        status = fvm_loop_use.make(e->vm, e->snapshot, e->address);
        Py_END_ALLOW_THREADS
    }
    bool brief = fvm_loop_use.steps(e->vm) < BRIEF_STEPS;
    set(e->machine, VM_BRIEF, brief ? Py_True : Py_False);
    return status;
}

/* The state after the move, a new reference; NULL with an exception. */
static PyObject *run(const errand *e) {
    PyObject *child = e->child, *listed = e->listed, *after, *on_touch;
    if (child != Py_None)
        Py_INCREF(child);
    else if ((child = fvm_new_state()) == NULL)
        return NULL;
    Py_INCREF(listed); /* it may be dropped meanwhile */
    set(child, STATE_DROPPED, Py_False);
    set(e->machine, VM_DEPTH, fvm_one);
    int32_t status = call_make(e);
    set(e->machine, VM_DEPTH, fvm_zero);
    Py_DECREF(listed);
    on_touch = get(e->states, STATES_ON_TOUCH);
    if (status == 0 && on_touch != NULL) {
        if (get(e->states, STATES_UNSAVED) != child) {
            set(e->states, STATES_UNSAVED, child);
            set(e->machine, VM_ON_TOUCH, on_touch);
            set(e->states, STATES_HELD, child);
            set(e->states, STATES_STAGE, fvm_loop_use.stage_made);
        }
        return child;
    }
    after = PyObject_CallMethod(e->states, "_made", "Ol", child, (long)status);
    Py_DECREF(child);
    return after;
}

/* As Position._note. */
static int note(const errand *e, PyObject *after) {
    PyObject *past = get(e->position, POSITION_PAST);
    PyObject *history = get(e->position, POSITION_HISTORY);
    if (past == NULL || history == NULL)
        return 0;
    set(e->position, POSITION_NOW, after);
    if (PyList_Append(past, e->state) < 0 || PyList_Append(history, e->move) < 0)
        return 0;
    Py_ssize_t old = PyList_Size(past) - fvm_loop_use.kept;
    if (old > 0) {
        PyObject *state = PyList_GetItem(past, old);
        if (is_exactly(state, STATE) && get(state, STATE_PLAYED) == Py_False)
            set(state, STATE_LISTED, Py_None);
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

PyObject *fvm_loop_push(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
    int made = count == 1 && names == NULL && is_exactly(given[0], MOVE) ? try_push(self, given[0])
                                                                        : 0;
    if (made == 0)
        return call_python(fvm_loop_use.slow_push, self, given, count, names);
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

static int drop_last(PyObject *list) {
    Py_ssize_t size = PyList_Size(list);
    return PyList_SetSlice(list, size - 1, size, NULL);
}

/* The Played of the last pop, if nobody has it any more nor has looked at it, or else a new one. */
static PyObject *new_played(PyObject *position) {
    PyObject *spare = get(position, POSITION_SPARE);
    if (is_exactly(spare, PLAYED) && Py_REFCNT(spare) == 1 && get(spare, PLAYED_MOVE) != NULL &&
        *(PyObject **)(void *)((char *)spare + fvm_loop_use.weak) == NULL) {
        Py_INCREF(spare);
        return spare;
    }
    PyObject *made = fvm_new_object(fvm_types[PLAYED], fvm_no_arguments, NULL);
    if (made != NULL)
        set(position, POSITION_SPARE, made);
    return made;
}

/* NULL without an exception: it goes another way, nothing has been done. */
static PyObject *try_pop(PyObject *self) {
    PyObject *past = get(self, POSITION_PAST), *history = get(self, POSITION_HISTORY);
    PyObject *left = get(self, POSITION_NOW);
    PyObject *before = last_of(past), *move = last_of(history);
    if (!is_exactly(before, STATE) || !is_exactly(move, MOVE) || !is_exactly(left, STATE))
        return NULL;
    PyObject *played = new_played(self);
    if (played == NULL)
        return NULL;
    Py_INCREF(past);
    Py_INCREF(history);
    set(played, PLAYED_MOVE, move);
    if (get(left, STATE_SAVED) != Py_True)
        set(left, STATE_DROPPED, Py_True);
    set(self, POSITION_NOW, before);
    if (drop_last(past) < 0 || drop_last(history) < 0)
        Py_CLEAR(played);
    Py_DECREF(past);
    Py_DECREF(history);
    return played;
}

PyObject *fvm_loop_pop(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
    PyObject *played = count == 0 && names == NULL ? try_pop(self) : NULL;
    if (played == NULL && !PyErr_Occurred())
        return call_python(fvm_loop_use.slow_pop, self, given, count, names);
    return played;
}
