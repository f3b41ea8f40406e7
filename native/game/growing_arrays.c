/* growing_arrays.c: the arrays of a script that it uses as growing lists or stacks.
 *
 * Such an array has a counter: a variable that is set only to 0 (or to 1, for a list whose first
 * cell is filled separately), and is incremented only next to a store to the cell with its number.
 * So all cells below the highest value that the counter has had have been written since it was set.
 * This file finds these pairs, and the reads whose index is certainly below that value: an index
 * that was computed from the counter by 1-, or compared with it.
 *
 * It owns an abstract execution of definitions, in which the items of the stack are indexes
 * relative to a counter or unknown.  It makes the same assumptions about code and indexes as
 * word_code.c; the index -1 is harmless, because the cell before an array does not change.  Whether
 * the counter is set before it is used is the matter of word_flow.c. */
#include "game/growing_arrays.h"
#include "game/stack_effects.h"
#include "vm/decode.h"

#include <stdlib.h>

/* --- items of the stack ------------------------------------------------------------- */

enum { ITEMS = 8 }; /* known items of the stack: the topmost ones */

typedef enum {
    UNKNOWN,
    NUMBER,  /* -1, 0 or 1 */
    AT_MOST, /* at most the highest value that the counter has had */
    BELOW,   /* less than that */
    COUNTER  /* the present value of the counter */
} item_kind;

typedef struct {
    uint8_t kind;
    int8_t counter; /* the number of the counter; the value if the kind is NUMBER */
} item;

typedef struct {
    bool reached;
    item items[ITEMS]; /* the top item is the first */
} stack;

static void push(stack *s, item value) {
    memmove(s->items + 1, s->items, (ITEMS - 1) * sizeof *s->items);
    s->items[0] = value;
}

static item pop(stack *s) {
    const item top = s->items[0];
    memmove(s->items, s->items + 1, (ITEMS - 1) * sizeof *s->items);
    s->items[ITEMS - 1] = (item){UNKNOWN, 0};
    return top;
}

static void push_kind(stack *s, item_kind kind, int8_t counter) {
    push(s, (item){(uint8_t)kind, counter});
}

static void change_depth(stack *s, int popped, int pushed) {
    while (popped-- > 0)
        pop(s);
    while (pushed-- > 0)
        push_kind(s, UNKNOWN, 0);
}

/* Counters may have other values from here on: any, if counter is -1. */
static void forget_values(stack *s, int counter) {
    for (int i = 0; i < ITEMS; i++)
        if (s->items[i].kind == COUNTER && (counter < 0 || s->items[i].counter == counter))
            s->items[i].kind = AT_MOST;
}

/* What two items have in common.  0 is at most the highest value of any counter, -1 is below it. */
static item common(item a, item b) {
    if (a.kind == b.kind && a.counter == b.counter)
        return a;
    if (a.kind == NUMBER && b.kind >= AT_MOST)
        return common(b, a);
    if (b.kind == NUMBER && b.counter <= 0 && a.kind >= AT_MOST)
        return (item){a.kind == BELOW && b.counter < 0 ? BELOW : AT_MOST, a.counter};
    if (a.kind < AT_MOST || b.kind < AT_MOST || a.counter != b.counter)
        return (item){UNKNOWN, 0};
    return (item){AT_MOST, a.counter};
}

/* Adds a state in which an instruction may begin; returns whether this is new. */
static bool join(stack *to, const stack *from) {
    const stack before = *to;
    if (!to->reached)
        *to = *from;
    for (int i = 0; before.reached && i < ITEMS; i++)
        to->items[i] = common(to->items[i], from->items[i]);
    return memcmp(&before, to, sizeof before) != 0;
}

/* --- abstract execution ------------------------------------------------------------- */

typedef struct {
    int32_t caller;
    int32_t next; /* the call of the same word that was found before; -1: none */
} call_edge;

typedef struct {
    fvm_flow *flow;
    fvm_stack_effects effects;
    stack *entries, *exits;  /* per word: when its code begins and returns */
    stack *states;           /* per cell of a definition */
    int32_t *queue;          /* words to be executed (again) */
    int32_t queued, running; /* their number; the word being executed */
    bool *is_queued;         /* per word */
    call_edge *calls;        /* those that have been found */
    int32_t *last_call;      /* per word: the one found last; -1: none */
    int32_t call_count;
    bool failed;                                /* no memory */
    fvm_variables counters;                     /* variables that may be counters */
    fvm_variables from_one;                     /* those that are set to 1 */
    fvm_variables extended[FVM_FLOW_VARIABLES]; /* per variable: the arrays to which a cell is added
                                                   wherever the variable is incremented */
} analysis;

/* What happens to counters in a sequence of instructions without branches and calls. */
typedef struct {
    fvm_variables stored[FVM_FLOW_VARIABLES]; /* per variable: the arrays in whose cell with the
                                                 number of the variable a value has been stored */
    fvm_variables decremented;                /* variables whose value is below their highest one */
} sequence;

static void use_array(analysis *a, const fvm_step *step, const fvm_effect *e, stack *s,
                      sequence *q) {
    fvm_flow *f = a->flow;
    const int8_t array = f->number[step->memory];
    const item index = pop(s);
    uint8_t *const use = &f->cell_use[(step->at - f->table.words[0]) / 4];
    change_depth(s, e->popped - 1, e->pushed);
    *use = FVM_CELL_ANY;
    if (step->use == FVM_USE_WRITE && index.kind == COUNTER) {
        q->stored[index.counter] |= (fvm_variables)1 << array;
    } else if (step->use == FVM_USE_WRITE && index.kind == NUMBER && index.counter == 0) {
        *use = FVM_CELL_FIRST;
    } else if (step->use == FVM_USE_READ && index.kind == BELOW) {
        *use = FVM_CELL_ADDED;
        f->index_of[array] |= (fvm_variables)1 << index.counter;
    }
}

/* Whether a counter may be set to a value: 0, 1, or at most the highest value that it has had. */
static bool may_be_set(int8_t counter, item value) {
    return value.kind == NUMBER ? value.counter >= 0
                                : value.kind >= AT_MOST && value.counter == counter;
}

static void use_variable(analysis *a, const fvm_step *step, const fvm_effect *e, stack *s,
                         sequence *q) {
    const fvm_flow *f = a->flow;
    const int8_t number = f->number[step->memory];
    const fvm_variables bit = (fvm_variables)1 << number;
    const int op = fvm_decode(f->table.vm, step->next - 4).op;
    if (step->use == FVM_USE_READ) {
        push_kind(s, (q->decremented & bit) != 0 ? BELOW : COUNTER, number);
        return;
    }
    const item value = s->items[0];
    change_depth(s, e->popped, e->pushed);
    forget_values(s, number);
    q->decremented &= ~bit;
    if (step->use == FVM_USE_UPDATE && op == FVM_OP_INC_STORE)
        a->extended[number] &= q->stored[number];
    else if (step->use == FVM_USE_UPDATE && op == FVM_OP_DEC_STORE)
        q->decremented |= bit;
    else if (step->use != FVM_USE_WRITE || op != FVM_OP_STORE || !may_be_set(number, value))
        a->counters &= ~bit;
    else if (value.kind == NUMBER && value.counter == 1)
        a->from_one |= bit;
    q->stored[number] = 0;
}

/* Pushes a small number, if that is what an instruction does. */
static bool push_number(const fvm_flow *f, const fvm_step *step, stack *s) {
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
    push_kind(s, small ? NUMBER : UNKNOWN, small ? (int8_t)value : 0);
    return true;
}

static void enqueue(analysis *a, int32_t word) {
    if (a->is_queued[word])
        return;
    a->is_queued[word] = true;
    a->queue[a->queued++] = word;
}

/* Adds a state in which a word may begin. */
static void enter(analysis *a, int32_t word, const stack *s) {
    if (join(&a->entries[word], s))
        enqueue(a, word);
}

/* Adds a state in which the running word may return. */
static void leave(analysis *a, const stack *s) {
    if (!join(&a->exits[a->running], s))
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
static void call(analysis *a, const fvm_step *step, const fvm_effect *e, stack *s) {
    const fvm_flow *f = a->flow;
    const int32_t deferred = fvm_deferred_word(f, step->word);
    const int32_t word = deferred >= 0 ? deferred : step->word;
    if (fvm_in_library(&f->table, word) ||
        fvm_opcode_at(f->table.vm, fvm_code_field(&f->table, word)) != FVM_OP_COLON) {
        if (e->state == FVM_EFFECT_KNOWN)
            change_depth(s, e->popped, e->pushed);
        else
            *s = (stack){.reached = true};
        return;
    }
    const stack *const result = &a->exits[word];
    stack begin = *s;
    forget_values(&begin, -1);
    add_call(a, word);
    enter(a, word, &begin);
    if (!result->reached || e->state != FVM_EFFECT_KNOWN) {
        *s = *result;
        return;
    }
    change_depth(s, e->popped, e->pushed);
    for (int i = 0; i < e->pushed && i < ITEMS; i++)
        s->items[i] = result->items[i];
}

/* Executes an instruction, for its effect on the known items. */
static void run_step(analysis *a, const fvm_step *step, stack *s, sequence *q) {
    const fvm_flow *f = a->flow;
    const char *outputs = fvm_outputs_of(step->op);
    const fvm_effect e = fvm_step_effect(&a->effects, step);
    const bool numbered = step->memory >= 0 && f->number[step->memory] >= 0;
    if (numbered && step->op != FVM_OP_VAR) {
        use_array(a, step, &e, s, q);
    } else if (numbered && f->array[step->memory] < 0) {
        use_variable(a, step, &e, s, q);
    } else if (step->memory < 0 && push_number(f, step, s)) {
        return;
    } else if (step->memory < 0 && outputs != NULL) {
        item inputs[3];
        for (int i = e.popped - 1; i >= 0; i--)
            inputs[i] = pop(s);
        for (; *outputs != 0; outputs++)
            push(s, inputs[*outputs - '0']);
    } else if (step->op == FVM_OP_DEC && s->items[0].kind >= AT_MOST) {
        s->items[0].kind = BELOW;
    } else if (step->memory < 0 && step->op >= FVM_PRIMITIVES) {
        call(a, step, &e, s);
    } else if (e.state == FVM_EFFECT_KNOWN) {
        change_depth(s, e.popped, e.pushed);
    } else {
        *s = (stack){.reached = true};
    }
    if (!e.calls)
        return;
    forget_values(s, -1); /* the word may use the counter */
    *q = (sequence){.decremented = 0};
}

/* The comparison of an index with a counter: DUP n @ < or DUP n @ >= before a branch. */
typedef struct {
    int parts;      /* how many instructions of it there are */
    int8_t counter; /* its number */
    int op;
} comparison;

static comparison follow_comparison(const fvm_flow *f, const fvm_step *step, comparison c) {
    if (step->op == FVM_OP_DUP)
        return (comparison){1, -1, 0};
    if (c.parts == 1 && step->op == FVM_OP_VAR && step->use == FVM_USE_READ &&
        f->array[step->memory] < 0 && f->number[step->memory] >= 0)
        return (comparison){2, f->number[step->memory], 0};
    if (c.parts == 2 && (step->op == FVM_OP_LT || step->op == FVM_OP_GE))
        return (comparison){3, c.counter, step->op};
    return (comparison){0, -1, 0};
}

/* Adds the state after an instruction to that of an instruction that may follow it; returns whether
 * it is an earlier one, whose state changes. */
static bool join_at(const analysis *a, const fvm_code *code, const fvm_step *step, fvm_addr to,
                    stack after, const comparison *c, int op) {
    if (c->parts == 3 && c->op == op)
        after.items[0] = (item){BELOW, c->counter};
    return to < code->end && join(&a->states[(to - code->start) / 4], &after) && to <= step->at;
}

static void run_code(analysis *a, const fvm_code *code) {
    memset(a->states, 0, (code->end - code->start) / 4 * sizeof *a->states);
    a->states[0] = a->entries[a->running];
    for (bool changed = true; changed;) {
        comparison before = {0, -1, 0};
        sequence q = {.decremented = 0};
        changed = false;
        for (fvm_addr at = code->start; at < code->end;) {
            const fvm_step step = fvm_code_step(code, at);
            stack s = a->states[(at - code->start) / 4];
            if (fvm_code_is_target(code, at)) {
                before.parts = 0;
                forget_values(&s, -1);
                q = (sequence){.decremented = 0};
            }
            const comparison c = before;
            before = follow_comparison(a->flow, &step, c);
            at = step.next;
            if (!s.reached)
                continue;
            run_step(a, &step, &s, &q);
            if (!s.reached) /* the word that is called does not return, as far as is known yet */
                continue;
            if (step.op == FVM_OP_RETURN || step.op == FVM_OP_EXIT ||
                a->flow->kind[step.word] == FVM_WORD_EXIT) {
                forget_values(&s, -1);
                leave(a, &s);
                continue;
            }
            const comparison *const tested = step.op == FVM_OP_ZBRANCH ? &c : &before;
            if (fvm_is_branch(step.op))
                changed |= join_at(a, code, &step, (fvm_addr)step.operand, s, tested, FVM_OP_GE);
            if (step.op != FVM_OP_BRANCH)
                changed |= join_at(a, code, &step, step.next, s, tested, FVM_OP_LT);
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
            (a->extended[counter] >> i & 1) == 0)
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
    const stack unknown = {.reached = true};
    for (int32_t word = 0; word < table->count; word++)
        if (reached[word] && !fvm_in_library(table, word) &&
            (begins[word] || a->effects.tokens[word] || fvm_defining_word(table, word) >= 0))
            enter(a, word, &unknown);
    run_queue(a);
    for (int32_t word = 0; word < table->count; word++) /* those that nothing is known to call */
        if (reached[word] && !fvm_in_library(table, word) && !a->entries[word].reached)
            enter(a, word, &unknown);
    run_queue(a);
}

void fvm_find_growing_arrays(fvm_flow *f, const bool *reached, const bool *tokens,
                             const bool *begins) {
    const size_t count = (size_t)f->table.count;
    analysis a = {.flow = f, .counters = ~(fvm_variables)0};
    f->cell_use = calloc((f->table.end - f->table.words[0]) / 4 + 1, sizeof *f->cell_use);
    a.entries = calloc(2 * count, sizeof *a.entries);
    a.states = malloc(FVM_CODE_CELLS * sizeof *a.states);
    a.queue = malloc(2 * count * sizeof *a.queue);
    a.is_queued = calloc(count, sizeof *a.is_queued);
    memset(a.extended, -1, sizeof a.extended);
    if (fvm_stack_effects_open(&a.effects, f, tokens) && f->cell_use != NULL && a.entries != NULL &&
        a.states != NULL && a.queue != NULL && a.is_queued != NULL) {
        a.exits = a.entries + count;
        a.last_call = a.queue + count;
        memset(a.last_call, -1, count * sizeof *a.last_call);
        run_words(&a, reached, begins);
        if (!a.failed)
            find_growing(&a);
    }
    fvm_stack_effects_close(&a.effects);
    free(a.entries);
    free(a.states);
    free(a.queue);
    free(a.is_queued);
    free(a.calls);
}
