/* lists.c: the legal moves of a position, as a loop wants them: saved, listed and made at once.
 *
 * It owns nothing but the usual way of Position.legal_moves, States.moves_of and
 * MoveList.__iter__; whatever is otherwise (somebody else's state is in memory, a run has limits,
 * a partial move) goes to the Python methods, which stay the ones that say what happens
 * (forthvm/game/position.py, states.py, moves.py).  It must not know rules of play. */
#include "lists.h"
#include "lock.h"

enum { ROOM = 1024 }; /* moves that are fetched with the list */

fvm_lists fvm_lists_use;
static PyObject *name_states;

/* A VM under its lock; what is used meanwhile is held. */
typedef struct {
    PyObject *states, *state, *machine, *lock;
    fvm *vm;
} hold;

/* 1: it has the lock; 0: another way must be gone, -1: an exception; then nothing is held. */
static int begin(hold *h, PyObject *states, PyObject *state) {
    PyObject *machine = is_exactly(states, STATES) ? get(states, STATES_NATIVE) : NULL;
    PyObject *lock = machine != NULL && PyObject_TypeCheck(machine, fvm_types[VM])
                         ? get(machine, VM_LOCK)
                         : NULL;
    if (lock == NULL || Py_TYPE(lock) != fvm_lock_type || !is_exactly(state, STATE))
        return 0;
    *h = (hold){states, state, machine, lock, fvm_placed(get(machine, VM_ADDRESS))};
    if (h->vm == NULL)
        return 0;
    Py_INCREF(states);
    Py_INCREF(state);
    Py_INCREF(machine); /* and the lock, which it never lets go */
    if (fvm_lock_try((fvm_lock *)lock) || fvm_lock_wait((fvm_lock *)lock) > 0)
        return 1;
    Py_DECREF(states);
    Py_DECREF(state);
    Py_DECREF(machine);
    return -1;
}

static void end(hold *h) {
    fvm_lock_leave((fvm_lock *)h->lock);
    Py_DECREF(h->states);
    Py_DECREF(h->state);
    Py_DECREF(h->machine);
}

static void hold_stage(const hold *h, PyObject *stage) {
    set(h->states, STATES_HELD, h->state);
    set(h->states, STATES_STAGE, stage);
}

/* --- saving ------------------------------------------------------------------------------------ */

/* As States._save of a state that somebody wants. */
static int save_held(const hold *h) {
    set(h->states, STATES_HELD, Py_None);
    set(h->states, STATES_UNSAVED, Py_None);
    set(h->machine, VM_ON_TOUCH, Py_None);
    PyObject *arrived = fvm_hold(h->machine, fvm_lists_use.arrive(h->vm));
    if (arrived == NULL)
        return -1;
    set(h->state, STATE_ARRIVED, arrived);
    set(h->state, STATE_SAVED, Py_True);
    hold_stage(h, fvm_lists_use.stage_arrived);
    Py_DECREF(arrived);
    return 1;
}

/* 1: saved, 0: another way must be gone, -1: an exception. */
static int save(PyObject *states, PyObject *state) {
    hold h;
    int done = begin(&h, states, state);
    if (done <= 0)
        return done;
    if (get(state, STATE_SAVED) != Py_True)
        done = get(states, STATES_UNSAVED) == state && get(state, STATE_DROPPED) == Py_False
                   ? save_held(&h)
                   : 0;
    end(&h);
    return done;
}

static PyObject *new_list(PyObject *game, PyObject *state) {
    PyObject *source = new_bare(SOURCE), *made = source != NULL ? new_bare(MOVES) : NULL;
    if (made != NULL) {
        set(source, SOURCE_GAME, game);
        set(source, SOURCE_STATE, state);
        set(made, MOVES_SOURCE, source);
        set(made, MOVES_ALL, Py_None);
        set(made, MOVES_SOME, Py_None);
    }
    Py_XDECREF(source);
    return made;
}

PyObject *fvm_legal_moves(PyObject *Py_UNUSED(module), PyObject *self) {
    if (!PyObject_TypeCheck(self, fvm_types[POSITION]) || get(self, POSITION_GAME) == NULL ||
        !is_exactly(get(self, POSITION_NOW), STATE))
        return PyObject_CallFunctionObjArgs(fvm_lists_use.slow_moves, self, NULL);
    PyObject *now = get(self, POSITION_NOW), *game = get(self, POSITION_GAME), *made;
    int saved = 1;
    Py_INCREF(now);
    Py_INCREF(game);
    if (get(now, STATE_SAVED) != Py_True)
        saved = save(get(self, POSITION_STATES), now);
    made = saved > 0   ? new_list(game, now)
           : saved < 0 ? NULL
                       : PyObject_CallFunctionObjArgs(fvm_lists_use.slow_moves, self, NULL);
    Py_DECREF(now);
    Py_DECREF(game);
    return made;
}

/* --- listing ----------------------------------------------------------------------------------- */

/* Whether memory is as the state was arrived at, and States._list would make the list at once. */
static int is_plain(const hold *h) {
    return get(h->states, STATES_HELD) == h->state &&
           get(h->states, STATES_STAGE) == fvm_lists_use.stage_arrived &&
           get(h->state, STATE_PARTIAL) == Py_False &&
           get(h->machine, VM_DEPTH) == fvm_zero && get(h->machine, VM_READY) == Py_True &&
           get(h->machine, VM_HOST) != NULL &&
           Py_TYPE(get(h->machine, VM_HOST)) == fvm_types[HOST] &&
           fvm_held_by(get(h->state, STATE_ARRIVED)) != NULL;
}

static PyObject *addresses(const hold *h, const fvm_listing *turn) {
    if (turn->count > turn->room)
        return PyObject_CallMethod(h->machine, "move_list", NULL);
    PyObject *tuple = PyTuple_New(turn->count);
    for (int32_t i = 0; tuple != NULL && i < turn->count; i++) {
        PyObject *address = PyLong_FromUnsignedLong(turn->moves[i]);
        if (address == NULL || PyTuple_SetItem(tuple, i, address) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* What OnIsGameOver answered, and whose turn it is. */
static int note_answer(const hold *h, const fvm_listing *turn) {
    PyObject *code = PyLong_FromLong(turn->code);
    int ends = code != NULL ? PySequence_Contains(fvm_lists_use.decided, code) : -1;
    long players = PyLong_AsLong(get(h->states, STATES_PLAYERS));
    long skipped = PyLong_AsLong(get(h->state, STATE_SKIPPED));
    fvm_cell player = turn->turn / (fvm_cell)sizeof(fvm_cell);
    if (code != NULL)
        set(h->state, STATE_CODE, code);
    Py_XDECREF(code);
    if (ends < 0 || PyErr_Occurred())
        return -1;
    if (turn->turn < 0 || player >= players)
        return 1;
    PyObject *number = PyLong_FromLong(player);
    if (number == NULL)
        return -1;
    set(h->state, STATE_PLAYER, number);
    set(h->state, STATE_OPEN, skipped == 0 && !ends ? Py_True : Py_False);
    Py_DECREF(number);
    return 1;
}

/* Python raises what a run or a hook of it reports. */
static int check(const hold *h, fvm_status status) {
    if (status == FVM_OK && get(get(h->machine, VM_HOST), HOST_PENDING) == Py_None)
        return 1;
    PyObject *done = PyObject_CallMethod(h->machine, "_raise", "l", (long)status);
    Py_XDECREF(done);
    return done != NULL ? 1 : -1;
}

static int list_held(const hold *h) {
    fvm_addr moves[ROOM];
    fvm_listing turn = {.moves = moves, .room = ROOM};
    fvm_status status;
    PyObject *arrived = get(h->state, STATE_ARRIVED), *tuple = NULL, *listed;
    Py_INCREF(arrived);
    set(h->states, STATES_HELD, Py_None);
    set(h->machine, VM_DEPTH, fvm_one);
    Py_BEGIN_ALLOW_THREADS
    status = fvm_lists_use.list(h->vm, ((fvm_held *)arrived)->snapshot, &turn);
    Py_END_ALLOW_THREADS
    int done = check(h, status);
    set(h->machine, VM_DEPTH, fvm_zero);
    listed = turn.listed != NULL ? fvm_hold(h->machine, turn.listed) : NULL;
    if (done > 0 && listed != NULL)
        tuple = addresses(h, &turn);
    if (tuple != NULL) {
        set(h->state, STATE_MOVES, tuple);
        set(h->state, STATE_LISTED, listed);
        done = note_answer(h, &turn);
        hold_stage(h, fvm_lists_use.stage_listed);
    } else {
        done = -1;
    }
    Py_XDECREF(tuple);
    Py_XDECREF(listed);
    Py_DECREF(arrived);
    return done;
}

/* The addresses of a state's moves, a new reference; None: Python must see to it, NULL: an
 * exception. */
static PyObject *find_moves(PyObject *states, PyObject *state) {
    hold h;
    PyObject *moves = get(state, STATE_MOVES);
    if (moves == Py_None) {
        int done = begin(&h, states, state);
        if (done > 0) {
            if (get(state, STATE_MOVES) == Py_None && is_plain(&h))
                done = list_held(&h);
            end(&h);
        }
        if (done < 0)
            return NULL;
        moves = get(state, STATE_MOVES);
    }
    if (moves == NULL)
        moves = Py_None;
    Py_INCREF(moves);
    return moves;
}

PyObject *fvm_moves_of(PyObject *self, PyObject *state) {
    PyObject *moves = NULL;
    if (is_exactly(state, STATE)) {
        moves = find_moves(self, state);
        if (moves != Py_None)
            return moves;
        Py_DECREF(moves);
    }
    return PyObject_CallFunctionObjArgs(fvm_lists_use.slow_list, self, state, NULL);
}

/* --- the moves themselves ------------------------------------------------------------------------ */

/* So many Moves, their texts and all else unknown yet. */
static PyObject *make_moves(PyObject *source, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list != NULL && i < count; i++) {
        PyObject *move = new_bare(MOVE);
        PyObject *index = move != NULL ? PyLong_FromSsize_t(i) : NULL;
        if (index == NULL) {
            Py_XDECREF(move);
            Py_CLEAR(list);
            break;
        }
        Py_INCREF(source);
        *at(move, MOVE_SOURCE) = source;
        *at(move, MOVE_INDEX) = index;
        PyList_SetItem(list, i, move);
    }
    return list;
}

/* The list of all moves, made now; None: Python must see to it, NULL: an exception. */
static PyObject *make_all(PyObject *self, PyObject *source) {
    PyObject *made = Py_None, *states = PyObject_GetAttr(get(source, SOURCE_GAME), name_states);
    PyObject *moves = states != NULL ? find_moves(states, get(source, SOURCE_STATE)) : NULL;
    if (moves == NULL)
        made = NULL;
    else if (PyTuple_CheckExact(moves) && get(self, MOVES_SOME) == Py_None)
        made = make_moves(source, PyTuple_Size(moves));
    else
        Py_INCREF(made);
    Py_XDECREF(moves);
    Py_XDECREF(states);
    return made;
}

PyObject *fvm_iterate(PyObject *self, PyObject *Py_UNUSED(none)) {
    PyObject *all = get(self, MOVES_ALL), *source = get(self, MOVES_SOURCE);
    if (all == Py_None && is_exactly(source, SOURCE) && get(source, SOURCE_GAME) != NULL &&
        is_exactly(get(source, SOURCE_STATE), STATE)) {
        Py_INCREF(source);
        PyObject *made = make_all(self, source);
        Py_DECREF(source);
        if (made == NULL)
            return NULL;
        set(self, MOVES_ALL, made);
        Py_DECREF(made);
        all = get(self, MOVES_ALL);
    }
    if (all == NULL || !PyList_CheckExact(all))
        return PyObject_CallFunctionObjArgs(fvm_lists_use.slow_iterate, self, NULL);
    return PyObject_GetIter(all);
}

bool fvm_lists_prepare(void) {
    name_states = PyUnicode_InternFromString("states");
    return name_states != NULL;
}
