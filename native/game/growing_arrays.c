/* growing_arrays.c: the arrays of a script that it uses as growing lists or stacks.
 *
 * Such an array has a counter: a variable that is set only to 0 (or to 1, for a list whose first
 * cell is filled separately), and is incremented only next to a store to the cell with its number.
 * So all cells below the highest value that the counter has had have been written since it was set.
 * This file finds these pairs, and the reads whose index is certainly below that value: an index
 * that was computed from the counter by 1-, or compared with it; or 0, if the counter was positive.
 *
 * It owns an abstract execution of definitions, whose states are in index_states.c.  It makes the
 * same assumptions about code and indexes as word_code.c; the index -1 is harmless, because the
 * cell before an array does not change.  Whether the counter is set before it is used is the matter
 * of word_flow.c. */
#include "game/growing_arrays.h"
#include "game/index_states.h"
#include "game/stack_effects.h"
#include "vm/decode.h"

#include <stdlib.h>

typedef struct {
    int32_t caller;
    int32_t next; /* the call of the same word that was found before; -1: none */
} call_edge;

typedef struct {
    fvm_flow *flow;
    fvm_stack_effects *effects;
    fvm_index_state *entries, *exits; /* per word: when its code begins and returns */
    fvm_index_state *states;          /* per cell of a definition */
    int32_t *queue;                   /* words to be executed (again) */
    int32_t queued, running;          /* their number; the word being executed */
    bool *is_queued;                  /* per word */
    call_edge *calls;                 /* those that have been found */
    int32_t *last_call;               /* per word: the one found last; -1: none */
    int32_t call_count;
    bool failed;                                /* no memory */
    fvm_variables counters;                     /* variables that may be counters */
    fvm_variables from_one;                     /* those that are set to 1 */
    fvm_variables extended[FVM_FLOW_VARIABLES]; /* per variable: the arrays to which a cell is added
                                                   wherever the variable is incremented */
    fvm_variables not_empty[FVM_FLOW_VARIABLES]; /* per array: the counters that are filled wherever
                                                    its first cell is read */
} analysis;

/* What happens to counters in a sequence of instructions without branches and calls. */
typedef struct {
    fvm_variables stored[FVM_FLOW_VARIABLES]; /* per variable: the arrays in whose cell with the
                                                 number of the variable a value has been stored */
    fvm_variables decremented;                /* variables whose value is below their highest one */
} sequence;

static void use_array(analysis *a, const fvm_step *step, const fvm_effect *e, fvm_index_state *s,
                      sequence *q) {
    fvm_flow *f = a->flow;
    const int8_t array = f->number[step->memory];
    const fvm_index index = fvm_index_pop(s);
    uint8_t *const use = &f->cell_use[(step->at - f->table.words[0]) / 4];
    fvm_index_change_depth(s, e->popped - 1, e->pushed);
    *use = FVM_CELL_ANY;
    if (step->use == FVM_USE_WRITE && index.kind == FVM_INDEX_COUNTER) {
        q->stored[index.counter] |= (fvm_variables)1 << array;
    } else if (step->use == FVM_USE_WRITE && index.kind == FVM_INDEX_NUMBER && index.counter == 0) {
        *use = FVM_CELL_FIRST;
    } else if (step->use == FVM_USE_READ && index.kind == FVM_INDEX_BELOW) {
        *use = FVM_CELL_ADDED;
        f->index_of[array] |= (fvm_variables)1 << index.counter;
    } else if (step->use == FVM_USE_READ && index.kind == FVM_INDEX_NUMBER && index.counter == 0 &&
               s->filled != 0) {
        *use = FVM_CELL_ADDED;
        a->not_empty[array] &= s->filled;
    }
}

/* Whether a counter may be set to a value: 0, 1, or at most the highest value that it has had. */
static bool may_be_set(int8_t counter, fvm_index value) {
    return value.kind == FVM_INDEX_NUMBER
               ? value.counter >= 0
               : value.kind >= FVM_INDEX_AT_MOST && value.counter == counter;
}

static void use_variable(analysis *a, const fvm_step *step, const fvm_effect *e, fvm_index_state *s,
                         sequence *q) {
    const fvm_flow *f = a->flow;
    const int8_t number = f->number[step->memory];
    const fvm_variables bit = (fvm_variables)1 << number;
    const int op = fvm_decode(f->table.vm, step->next - 4).op;
    if (step->use == FVM_USE_READ) {
        const bool below = (q->decremented & bit) != 0;
        fvm_index_push(s, number == s->variable
                              ? (fvm_index){FVM_INDEX_BELOW, s->limit}
                              : (fvm_index){below ? FVM_INDEX_BELOW : FVM_INDEX_COUNTER, number});
        return;
    }
    const fvm_index value = s->items[0];
    fvm_index_change_depth(s, e->popped, e->pushed);
    fvm_index_write(s, number);
    q->decremented &= ~bit;
    if (step->use == FVM_USE_UPDATE && op == FVM_OP_INC_STORE)
        a->extended[number] &= q->stored[number];
    else if (step->use == FVM_USE_UPDATE && op == FVM_OP_DEC_STORE)
        q->decremented |= bit;
    else if (step->use != FVM_USE_WRITE || op != FVM_OP_STORE || !may_be_set(number, value))
        a->counters &= ~bit;
    else if (value.kind == FVM_INDEX_NUMBER && value.counter == 1)
        a->from_one |= bit;
    q->stored[number] = 0;
}

/* Pushes a small number, if that is what an instruction does. */
static bool push_number(const fvm_flow *f, const fvm_step *step, fvm_index_state *s) {
    fvm_cell value;
    if (step->op == FVM_OP_LIT)
        value = step->operand;
    else if (step->op == FVM_OP_FALSE || step->op == FVM_OP_TRUE)
        value = step->op == FVM_OP_FALSE ? 0 : -1;
    else if (fvm_is_value_word(f, step->word))
        value = fvm_get(f->table.vm, fvm_code_field(&f->table, step->word) + 8);
    else
        return false;
    const bool small = value >= -1 && value <= 1;
    fvm_index_push(s, small ? (fvm_index){FVM_INDEX_NUMBER, (int8_t)value}
                            : (fvm_index){FVM_INDEX_ANY, 0});
    return true;
}

static void enqueue(analysis *a, int32_t word) {
    if (a->is_queued[word])
        return;
    a->is_queued[word] = true;
    a->queue[a->queued++] = word;
}

/* Adds a state in which a word may begin. */
static void enter(analysis *a, int32_t word, const fvm_index_state *s) {
    if (fvm_index_join(&a->entries[word], s))
        enqueue(a, word);
}

/* Adds a state in which the running word may return. */
static void leave(analysis *a, const fvm_index_state *s) {
    if (!fvm_index_join(&a->exits[a->running], s))
        return;
    for (int32_t i = a->last_call[a->running]; i >= 0; i = a->calls[i].next)
        enqueue(a, a->calls[i].caller);
}

/* Notes that the running word calls a word. */
static void add_call(analysis *a, int32_t word) {
    const int32_t last = a->last_call[word], count = a->call_count;
    if (last >= 0 && a->calls[last].caller == a->running)
        return;
    if ((count & (count - 1)) == 0) { /* the array is full: its size is a power of 2 */
        call_edge *const grown = realloc(a->calls, 2 * ((size_t)count + 1) * sizeof *grown);
        a->failed |= grown == NULL;
        if (grown == NULL)
            return;
        a->calls = grown;
    }
    a->calls[count] = (call_edge){a->running, last};
    a->last_call[word] = a->call_count++;
}

/* Executes a call: adds the stack to those with which the word may begin, then replaces the items
 * that the word uses by those that it leaves. */
static void call(analysis *a, const fvm_step *step, const fvm_effect *e, fvm_index_state *s) {
    const fvm_flow *f = a->flow;
    const int32_t deferred = fvm_deferred_word(f, step->word);
    const int32_t word = deferred >= 0 ? deferred : step->word;
    if (fvm_in_library(&f->table, word) ||
        fvm_opcode_at(f->table.vm, fvm_code_field(&f->table, word)) != FVM_OP_COLON) {
        if (e->state == FVM_EFFECT_KNOWN)
            fvm_index_change_depth(s, e->popped, e->pushed);
        else
            *s = FVM_INDEX_UNKNOWN;
        return;
    }
    const fvm_index_state *const result = &a->exits[word];
    fvm_index_state begin = *s;
    fvm_index_forget_variables(&begin);
    add_call(a, word);
    enter(a, word, &begin);
    if (!result->reached || e->state != FVM_EFFECT_KNOWN) {
        *s = *result;
        return;
    }
    fvm_index_change_depth(s, e->popped, e->pushed);
    for (int i = 0; i < e->pushed && i < FVM_INDEX_ITEMS; i++)
        s->items[i] = result->items[i];
}

/* Executes an instruction, for its effect on the known items. */
static void run_step(analysis *a, const fvm_step *step, fvm_index_state *s, sequence *q) {
    const fvm_flow *f = a->flow;
    const char *outputs = fvm_outputs_of(step->op);
    const fvm_effect e = fvm_step_effect(a->effects, step);
    const bool numbered = step->memory >= 0 && f->number[step->memory] >= 0;
    if (numbered && step->op != FVM_OP_VAR) {
        use_array(a, step, &e, s, q);
    } else if (numbered && f->array[step->memory] < 0) {
        use_variable(a, step, &e, s, q);
    } else if (step->memory < 0 && push_number(f, step, s)) {
        return;
    } else if (step->memory < 0 && outputs != NULL) {
        fvm_index inputs[3];
        for (int i = e.popped - 1; i >= 0; i--)
            inputs[i] = fvm_index_pop(s);
        for (; *outputs != 0; outputs++)
            fvm_index_push(s, inputs[*outputs - '0']);
    } else if (step->op == FVM_OP_DEC && s->items[0].kind >= FVM_INDEX_AT_MOST) {
        s->items[0].kind = FVM_INDEX_BELOW;
    } else if (step->memory < 0 && step->op >= FVM_PRIMITIVES) {
        call(a, step, &e, s);
    } else if (e.state == FVM_EFFECT_KNOWN) {
        fvm_index_change_depth(s, e.popped, e.pushed);
    } else {
        *s = FVM_INDEX_UNKNOWN;
    }
    if (!e.calls)
        return;
    fvm_index_forget_variables(s);
    *q = (sequence){.decremented = 0};
}

/* Adds the fvm_index_state after an instruction to that of an instruction that may follow it;
 * returns whether it is an earlier one, whose state changes. */
static bool join_at(const analysis *a, const fvm_code *code, const fvm_step *step, fvm_addr to,
                    fvm_index_state after) {
    return to < code->end && fvm_index_join(&a->states[(to - code->start) / 4], &after) &&
           to <= step->at;
}

static void run_code(analysis *a, const fvm_code *code) {
    const fvm_comparison none = {.part = FVM_COMPARED_NONE};
    memset(a->states, 0, (code->end - code->start) / 4 * sizeof *a->states);
    a->states[0] = a->entries[a->running];
    for (bool changed = true; changed;) {
        fvm_comparison after = none; /* the last instruction */
        sequence q = {.decremented = 0};
        changed = false;
        for (fvm_addr at = code->start; at < code->end;) {
            const fvm_step step = fvm_code_step(code, at);
            fvm_index_state s = a->states[(at - code->start) / 4];
            if (fvm_code_is_target(code, at)) {
                after = none;
                fvm_index_forget_counters(&s);
                q = (sequence){.decremented = 0};
            }
            const fvm_comparison before = after;
            after = fvm_follow_comparison(a->flow, &step, before);
            at = step.next;
            if (!s.reached)
                continue;
            run_step(a, &step, &s, &q);
            if (!s.reached) /* the word that is called does not return, as far as is known yet */
                continue;
            if (step.op == FVM_OP_RETURN || step.op == FVM_OP_EXIT ||
                a->flow->kind[step.word] == FVM_WORD_EXIT) {
                fvm_index_forget_counters(&s);
                leave(a, &s);
                continue;
            }
            const fvm_comparison tested = step.op == FVM_OP_ZBRANCH ? before : none;
            if (fvm_is_branch(step.op))
                changed |= join_at(a, code, &step, (fvm_addr)step.operand,
                                   fvm_index_after_test(s, tested, false));
            if (step.op != FVM_OP_BRANCH)
                changed |=
                    join_at(a, code, &step, step.next, fvm_index_after_test(s, tested, true));
        }
    }
}

/* --- the answer --------------------------------------------------------------------- */

/* Gives the first cells of an array a number as a variable of their own; -1: there are too many. */
static int8_t number_first_cell(fvm_flow *f, int32_t array) {
    if (f->count == FVM_FLOW_VARIABLES)
        return -1;
    f->words[f->count] = f->words[array];
    return (int8_t)f->count++;
}

static void find_growing(analysis *a) {
    fvm_flow *const f = a->flow;
    for (int32_t i = 0, count = f->count; i < count; i++) {
        int8_t counter = 0;
        while (counter < count && f->index_of[i] != (fvm_variables)1 << counter)
            counter++;
        if (counter == count || (a->counters >> counter & 1) == 0 ||
            (a->extended[counter] >> i & 1) == 0 || (a->not_empty[i] >> counter & 1) == 0)
            continue;
        const bool from_one = (a->from_one >> counter & 1) != 0;
        f->first_cell[i] = from_one ? number_first_cell(f, i) : -1;
        if (!from_one || f->first_cell[i] >= 0)
            f->growing |= (fvm_variables)1 << i;
    }
}

/* Executes the words in the queue, until nothing changes. */
static void run_queue(analysis *a) {
    fvm_code code;
    while (a->queued > 0 && !a->failed) {
        a->running = a->queue[--a->queued];
        a->is_queued[a->running] = false;
        if (fvm_code_open(&code, a->flow, a->running))
            run_code(a, &code);
    }
}

/* Executes all words that run.  begins: words that the host runs; nothing is known about the stack
 * when they begin. */
static void run_words(analysis *a, const bool *reached, const bool *begins) {
    const fvm_word_table *const table = &a->flow->table;
    for (int32_t word = 0; word < table->count; word++)
        if (reached[word] && !fvm_in_library(table, word) &&
            (begins[word] || a->effects->tokens[word] || fvm_defining_word(table, word) >= 0))
            enter(a, word, &FVM_INDEX_UNKNOWN);
    run_queue(a);
    for (int32_t word = 0; word < table->count; word++) /* those that nothing is known to call */
        if (reached[word] && !fvm_in_library(table, word) && !a->entries[word].reached)
            enter(a, word, &FVM_INDEX_UNKNOWN);
    run_queue(a);
}

void fvm_find_growing_arrays(fvm_flow *f, fvm_stack_effects *effects, const bool *reached,
                             const bool *begins) {
    const size_t count = (size_t)f->table.count;
    analysis a = {.flow = f, .effects = effects, .counters = ~(fvm_variables)0};
    f->cell_use = calloc((f->table.end - f->table.words[0]) / 4 + 1, sizeof *f->cell_use);
    a.entries = calloc(2 * count, sizeof *a.entries);
    a.states = malloc(FVM_CODE_CELLS * sizeof *a.states);
    a.queue = malloc(2 * count * sizeof *a.queue);
    a.is_queued = calloc(count, sizeof *a.is_queued);
    memset(a.extended, -1, sizeof a.extended);
    memset(a.not_empty, -1, sizeof a.not_empty);
    if (f->cell_use != NULL && a.entries != NULL && a.states != NULL && a.queue != NULL &&
        a.is_queued != NULL) {
        a.exits = a.entries + count;
        a.last_call = a.queue + count;
        memset(a.last_call, -1, count * sizeof *a.last_call);
        run_words(&a, reached, begins);
        if (!a.failed)
            find_growing(&a);
    }
    free(a.entries);
    free(a.states);
    free(a.queue);
    free(a.is_queued);
    free(a.calls);
}
