/* array_fills.c: the arrays of a script, and the loops that write all cells of an array.
 *
 * It owns the abstract execution of a loop without other loops in it: numbers are known or unknown,
 * and the indexes of stores are collected.  What one of several paths stores is ignored.  It
 * assumes that other instructions do not change the index of a counted loop (fvm_code_open refuses
 * code that could).  It must not know what the answer is for (word_flow.c). */
#include "game/array_fills.h"
#include "vm/decode.h"

#include "generated/ops.h"

enum {
    MAX_ARRAY_CELLS = 1024, /* of an array */
    MAX_STEPS = 40000,      /* of a loop */
    MAX_CALLS = 4,          /* nested */
    ITEMS = 16              /* known items of the stack */
};

/* --- arrays ------------------------------------------------------------------------- */

int32_t fvm_find_array(const fvm_flow *f, int32_t word) {
    static const char *const makers[] = {"[]", NULL};
    const fvm *vm = f->table.vm;
    const fvm_addr body = fvm_code_field(&f->table, word) + 4;
    if (fvm_in_library(&f->table, word) || fvm_is_made_by(&f->table, word, makers))
        return fvm_in_library(&f->table, word) ? -1 : word;
    if (fvm_opcode_at(vm, body - 4) != FVM_OP_COLON || fvm_decode(vm, body + 4).op != FVM_OP_VAR ||
        fvm_decode(vm, body + 8).op != FVM_OP_ADD || fvm_decode(vm, body + 12).op != FVM_OP_RETURN)
        return -1;
    const int32_t scale = fvm_word_of_token(f, fvm_get(vm, body));
    const int32_t table = fvm_word_of_token(f, fvm_get(vm, body + 4));
    return scale >= 0 && fvm_in_library(&f->table, scale) &&
                   fvm_word_is_named(&f->table, scale, "CELLS") && table >= 0 &&
                   !fvm_in_library(&f->table, table)
               ? table
               : -1;
}

fvm_cell fvm_array_cells(const fvm_flow *f, int32_t array) {
    const fvm *vm = f->table.vm;
    const fvm_addr cfa = fvm_code_field(&f->table, array);
    const fvm_addr body = cfa + (fvm_opcode_at(vm, cfa) == FVM_OP_VAR ? 4 : 8);
    fvm_addr end = fvm_end_of_word(&f->table, array);
    if (array + 1 < f->table.count) { /* the next word's name is before its header */
        const fvm_addr name = (fvm_addr)fvm_get(vm, f->table.words[array + 1]);
        end = name > body && name < end ? name : end;
    }
    return (fvm_cell)((end - body) / 4);
}

/* --- abstract execution ------------------------------------------------------------- */

typedef struct {
    bool known;
    fvm_cell value;
} item;

typedef struct {
    const fvm_flow *flow;
    fvm_stack_effects *effects;
    int32_t array;
    fvm_cell cells;
    bool written[MAX_ARRAY_CELLS];
    item stack[ITEMS]; /* the topmost items; those below are unknown */
    int count;
    bool counted; /* in a counted loop */
    fvm_cell index, limit;
    int steps;
    bool overrun; /* a cell outside the array is used */
} machine;

static const item UNKNOWN = {false, 0};

static item pop(machine *m) { return m->count > 0 ? m->stack[--m->count] : UNKNOWN; }

static void push(machine *m, item value) {
    if (m->count == ITEMS)
        memmove(m->stack, m->stack + 1, (size_t)--m->count * sizeof *m->stack);
    m->stack[m->count++] = value;
}

static void push_number(machine *m, fvm_cell value) { push(m, (item){true, value}); }

/* The result of a primitive with known inputs; b is 0 if there is only one. */
static item result_of(int op, fvm_cell a, fvm_cell b) {
    static const struct {
        int op;
        bool less, equal, greater; /* the results */
    } comparisons[] = {{FVM_OP_EQ, 0, 1, 0},  {FVM_OP_NE, 1, 0, 1},  {FVM_OP_LT, 1, 0, 0},
                       {FVM_OP_GT, 0, 0, 1},  {FVM_OP_LE, 1, 1, 0},  {FVM_OP_GE, 0, 1, 1},
                       {FVM_OP_ZEQ, 0, 1, 0}, {FVM_OP_NOT, 0, 1, 0}, {FVM_OP_ZNE, 1, 0, 1},
                       {FVM_OP_ZLT, 1, 0, 0}, {FVM_OP_ZGT, 0, 0, 1}};
    const uint32_t x = (uint32_t)a, y = (uint32_t)b;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (op == comparisons[i].op)
            return (item){true, -(a < b   ? comparisons[i].less
                                  : a > b ? comparisons[i].greater
                                          : comparisons[i].equal)};
    const uint32_t sum = op == FVM_OP_ADD   ? x + y
                         : op == FVM_OP_SUB ? x - y
                         : op == FVM_OP_MUL ? x * y
                         : op == FVM_OP_INC ? x + 1
                                            : x - 1;
    return (item){op == FVM_OP_ADD || op == FVM_OP_SUB || op == FVM_OP_MUL || op == FVM_OP_INC ||
                      op == FVM_OP_DEC,
                  (fvm_cell)sum};
}

static void run_primitive(machine *m, int op) {
    const char *outputs = fvm_outputs_of(op);
    int popped, pushed;
    item inputs[4] = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
    fvm_primitive_effect(op, &popped, &pushed);
    for (int i = popped - 1; i >= 0; i--) {
        const item top = pop(m);
        if (i < 4)
            inputs[i] = top;
    }
    if (outputs != NULL) {
        for (; *outputs != 0; outputs++)
            push(m, inputs[*outputs - '0']);
        return;
    }
    const bool known = inputs[0].known && (popped < 2 || inputs[1].known) && popped < 3;
    for (int i = 0; i < pushed; i++)
        push(m, known ? result_of(op, inputs[0].value, inputs[1].value) : UNKNOWN);
}

/* Executes an instruction that uses a variable or a cell of an array; false: an index is out of
 * bounds. */
static bool use_memory(machine *m, const fvm_step *step) {
    const fvm_flow *f = m->flow;
    const item index = step->op == FVM_OP_VAR ? UNKNOWN : pop(m);
    const int op = fvm_decode(f->table.vm, step->next - 4).op;
    if (step->use == FVM_USE_FILL) {
        pop(m);
    } else if (step->use != FVM_USE_ADDRESS && op < FVM_PRIMITIVES) { /* not ON and OFF */
        push(m, UNKNOWN);
        run_primitive(m, op);
    } else if (step->use == FVM_USE_ADDRESS) {
        push(m, UNKNOWN);
    }
    if (step->memory != m->array || !index.known)
        return true;
    m->overrun |= index.value < 0 || index.value >= m->cells;
    if (!m->overrun)
        m->written[index.value] |= step->use == FVM_USE_WRITE;
    return !m->overrun;
}

/* Executes instructions of which only the effect on the stack is known. */
static void apply(machine *m, fvm_effect e) {
    if (e.state != FVM_EFFECT_KNOWN)
        m->count = 0; /* all items are unknown */
    for (int i = 0; i < e.popped; i++)
        pop(m);
    for (int i = 0; i < e.pushed; i++)
        push(m, UNKNOWN);
}

static bool call(machine *m, int32_t word, int calls);

/* Executes the word that an instruction runs. */
static void run_call(machine *m, const fvm_step *step, int calls) {
    item stack[ITEMS];
    const int count = m->count;
    memcpy(stack, m->stack, sizeof stack);
    if (step->op >= FVM_PRIMITIVES && call(m, step->word, calls))
        return;
    memcpy(m->stack, stack, sizeof stack);
    m->count = count;
    apply(m, fvm_step_effect(m->effects, step));
}

/* Executes an instruction that is not a branch; false: give up. */
static bool run_step(machine *m, const fvm_step *step, int calls) {
    const fvm_flow *f = m->flow;
    if (step->memory >= 0)
        return use_memory(m, step);
    if (step->op == FVM_OP_LIT)
        push_number(m, step->operand);
    else if (fvm_is_value_word(f, step->word))
        push_number(m, fvm_get(f->table.vm, fvm_code_field(&f->table, step->word) + 8));
    else if (step->op == FVM_OP_I && calls == 0 && m->counted)
        push_number(m, m->index);
    else if (step->op == FVM_OP_TO_R || step->op == FVM_OP_FROM_R || step->op == FVM_OP_LEAVE ||
             step->op == FVM_OP_EXIT || f->kind[step->word] == FVM_WORD_EXIT)
        return false;
    else if (step->op < FVM_PRIMITIVES && step->op != FVM_OP_EXECUTE)
        run_primitive(m, step->op);
    else
        run_call(m, step, calls);
    return true;
}

/* Executes a definition without branches; false: its effect on the stack is unknown. */
static bool call(machine *m, int32_t word, int calls) {
    fvm_code code;
    if (calls == MAX_CALLS || m->flow->kind[word] != FVM_WORD_ORDINARY ||
        !fvm_code_open(&code, m->flow, word))
        return false;
    if (fvm_defining_word(&m->flow->table, word) >= 0)
        push(m, UNKNOWN); /* the address of its data */
    for (fvm_addr at = code.start; at < code.end && m->steps++ < MAX_STEPS;) {
        const fvm_step step = fvm_code_step(&code, at);
        if (step.op == FVM_OP_RETURN)
            return true;
        if (fvm_is_branch(step.op) || step.op == FVM_OP_DO_START || !run_step(m, &step, calls + 1))
            return false;
        at = step.next;
    }
    return false;
}

/* --- loops -------------------------------------------------------------------------- */

/* A loop without other loops in it, and the instructions before it that compute constants. */
typedef struct {
    const fvm_code *code;
    fvm_addr begin, head, back;
} loop;

/* The beginning of the instructions before a loop that only compute. */
static fvm_addr find_begin(const fvm_code *code, fvm_addr head) {
    fvm_addr begin = code->start;
    for (fvm_addr at = code->start; at < head;) {
        const fvm_step step = fvm_code_step(code, at);
        if (fvm_code_is_target(code, at))
            begin = at;
        at = step.next;
        if (fvm_is_branch(step.op) ||
            (step.op >= FVM_PRIMITIVES && !fvm_is_value_word(code->flow, step.word)))
            begin = at;
    }
    return begin;
}

/* Whether the loop is entered only at its beginning, and contains no other loops. */
static bool is_closed(const loop *l) {
    for (fvm_addr at = l->code->start; at < l->code->end;) {
        const fvm_step step = fvm_code_step(l->code, at);
        const fvm_addr target = (fvm_addr)step.operand;
        const bool inside = at >= l->begin && at <= l->back;
        const bool enters = target > l->begin && target <= l->back;
        if (fvm_is_branch(step.op) && at != l->back && (inside ? !enters || target <= at : enters))
            return false;
        at = step.next;
    }
    return true;
}

/* The instruction where all paths meet that begin with a forward branch; 0: one of them may leave
 * the loop. */
static fvm_addr find_join(const fvm_code *code, const fvm_step *branch) {
    fvm_addr end = (fvm_addr)branch->operand;
    for (fvm_addr at = branch->next; at < end;) {
        const fvm_step step = fvm_code_step(code, at);
        if (fvm_is_branch(step.op) && (fvm_addr)step.operand > end)
            end = (fvm_addr)step.operand;
        if (step.op == FVM_OP_LEAVE)
            return 0;
        at = step.next;
    }
    return end;
}

/* Executes a branch in a loop, and if its flag is not known, all paths to where they meet; returns
 * the next instruction, or 0. */
static fvm_addr run_branch(machine *m, const fvm_code *code, const fvm_step *step) {
    const item flag = step->op == FVM_OP_ZBRANCH ? pop(m) : (item){true, 0};
    if (flag.known)
        return flag.value == 0 ? (fvm_addr)step->operand : step->next;
    const fvm_addr to = find_join(code, step);
    push(m, flag);
    if (to != 0)
        apply(m, fvm_code_effect(m->effects, code, step->at, to));
    return to;
}

/* Executes the loop to its end; returns whether it has written all cells. */
static bool run_loop(machine *m, const loop *l) {
    for (fvm_addr at = l->begin; m->steps++ < MAX_STEPS;) {
        const fvm_step step = fvm_code_step(l->code, at);
        at = step.next;
        if (step.op == FVM_OP_DO_START) {
            const item start = pop(m), limit = pop(m);
            if (m->counted || !start.known || !limit.known)
                return false;
            m->counted = true;
            m->index = start.value;
            m->limit = limit.value;
        } else if (step.at == l->back) {
            const item flag = step.op == FVM_OP_ZBRANCH ? pop(m) : UNKNOWN;
            if (step.op == FVM_OP_LOOP_STEP ? !m->counted : !flag.known)
                return false;
            if (step.op == FVM_OP_LOOP_STEP ? ++m->index >= m->limit : flag.value != 0)
                break;
            at = l->head;
        } else if (fvm_is_branch(step.op)) {
            at = run_branch(m, l->code, &step);
            if (at == 0)
                return false;
        } else if (step.op == FVM_OP_RETURN || !run_step(m, &step, 0)) {
            return false;
        }
    }
    fvm_cell written = 0;
    for (fvm_cell i = 0; i < m->cells; i++)
        written += m->written[i];
    return m->steps < MAX_STEPS && written == m->cells;
}

fvm_variables fvm_filled_arrays(fvm_stack_effects *effects, const fvm_code *code, fvm_addr back,
                                fvm_variables *overrun) {
    const fvm_flow *f = code->flow;
    const fvm_step branch = fvm_code_step(code, back);
    const loop l = {code, find_begin(code, (fvm_addr)branch.operand), (fvm_addr)branch.operand,
                    back};
    fvm_variables filled = 0;
    if (l.head > back || branch.op == FVM_OP_BRANCH || branch.op == FVM_OP_LOOP_ADD ||
        !is_closed(&l))
        return 0;
    for (int32_t i = 0; i < f->count; i++) {
        machine m = {.flow = f, .effects = effects, .array = f->words[i]};
        if (f->array[m.array] != m.array)
            continue;
        m.cells = fvm_array_cells(f, m.array);
        if (m.cells <= MAX_ARRAY_CELLS && run_loop(&m, &l))
            filled |= (fvm_variables)1 << i;
        *overrun |= (fvm_variables)m.overrun << i;
    }
    return filled;
}
