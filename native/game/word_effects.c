/* word_effects.c: what running compiled words may do.
 *
 * It owns the set of words that run when some words run, and what they do besides writing variables
 * of the script.  EXECUTE may run each token that is in the code of these words, in data that they
 * touch, or that other words may have stored there.  It must not know which words the host runs
 * (list_effects.c). */
#include "game/word_effects.h"
#include "vm/decode.h"

#include "generated/ops.h"

#include <stdlib.h>

bool fvm_effects_begin(fvm_effects *e, fvm_flow *flow) {
    const size_t count = (size_t)flow->graph.count;
    *e = (fvm_effects){.flow = flow};
    e->executed = calloc(4 * count, sizeof *e->executed);
    e->queue = malloc(count * sizeof *e->queue);
    if (e->executed == NULL || e->queue == NULL)
        return false;
    e->tokens = e->executed + count;
    e->applied = e->executed + 2 * count;
    e->touched = e->executed + 3 * count;
    return true;
}

void fvm_effects_end(fvm_effects *e) {
    free(e->executed);
    free(e->queue);
}

bool fvm_is_memory(const fvm_flow *f, int32_t word) {
    const int op = fvm_opcode_at(f->graph.vm, fvm_code_field(&f->graph, word));
    return !fvm_in_library(&f->graph, word) &&
           (op == FVM_OP_VAR || (op == FVM_OP_DOES && !fvm_is_constant_word(f, word) &&
                                 fvm_deferred_word(f, word) < 0));
}

static void execute(fvm_effects *e, int32_t word) {
    if (word < 0) {
        e->unknown = true;
    } else if (!e->executed[word]) {
        e->executed[word] = true;
        e->queue[e->queued++] = word;
    }
}

static const fvm *vm_of(const fvm_effects *e) { return e->flow->graph.vm; }

/* The data of a word may be read. */
static void touch(fvm_effects *e, int32_t word) {
    const fvm_flow *f = e->flow;
    const fvm_addr cfa = fvm_code_field(&f->graph, word);
    const int32_t token =
        fvm_is_constant_word(f, word) ? fvm_word_of_token(f, fvm_get(vm_of(e), cfa + 8)) : -1;
    e->touched[word] |= fvm_is_memory(f, word);
    if (token >= 0)
        e->tokens[token] = true;
}

/* A variable is written. */
static void write_variable(fvm_effects *e, int32_t word) {
    fvm_flow *f = e->flow;
    e->writes = true;
    if (fvm_in_library(&f->graph, word) ||
        (e->numbers_variables && f->number[word] < 0 && f->count == FVM_FLOW_VARIABLES)) {
        e->impure = true;
        return;
    }
    if (!e->numbers_variables || f->number[word] >= 0)
        return;
    f->words[f->count] = word;
    f->number[word] = (int8_t)f->count++;
}

/* Adds the effects of running a primitive. */
static void run_primitive(fvm_effects *e, int32_t word, int op) {
    const fvm_flow *f = e->flow;
    char name[16];
    fvm_name(f->graph.vm, f->graph.words[word], name, (int32_t)sizeof name);
    if (f->kind[word] == FVM_WORD_EXECUTE)
        e->executes_tokens = true;
    else if (strcmp(name, ",") == 0)
        e->compiles_tokens = true; /* appends to the code of the move under construction */
    else if (strncmp(name, "change-", 7) == 0)
        e->changes = true;
    else if ((fvm_primitive_flags(op) & FVM_PRIM_PURE) == 0 && op != FVM_OP_HERE &&
             op != FVM_OP_F_FETCH && op != FVM_OP_UNSET &&
             name[0] != '^') /* appends to the text of the same move */
        e->impure = true;
}

/* Adds the effects of an instruction of a move word. */
static void run_step(fvm_effects *e, const fvm_step *step) {
    const fvm_flow *f = e->flow;
    int32_t token = -1;
    switch (step->op) {
    case FVM_OP_LIT:
        if ((token = fvm_word_of_token(f, step->operand)) >= 0)
            e->tokens[token] = true;
        break;
    case FVM_OP_COMPILE:
        if ((token = fvm_word_of_token(f, step->operand)) >= 0)
            e->applied[token] = true;
        e->compiles_tokens |= token >= 0 && f->kind[token] == FVM_WORD_EXECUTE;
        break;
    case FVM_OP_VAR:
        if (step->use == FVM_USE_WRITE || step->use == FVM_USE_UPDATE)
            write_variable(e, step->word);
        e->executed[step->word] = true;
        touch(e, step->word);
        break;
    default:
        execute(e, step->word);
    }
}

static void run_definition(fvm_effects *e, int32_t word) {
    fvm_code code;
    if (!fvm_code_open(&code, e->flow, word)) {
        e->unknown = true;
        return;
    }
    for (fvm_addr at = code.start; at < code.end;) {
        const fvm_step step = fvm_code_step(&code, at);
        run_step(e, &step);
        at = step.next;
    }
}

static void run_word(fvm_effects *e, int32_t word) {
    const fvm_flow *f = e->flow;
    const int op = fvm_opcode_at(vm_of(e), fvm_code_field(&f->graph, word));
    const fvm_word_kind kind = (fvm_word_kind)f->kind[word];
    if (kind == FVM_WORD_PASS)
        e->passes = true;
    else if (kind == FVM_WORD_STORE || kind == FVM_WORD_PRINT || kind == FVM_WORD_LIBRARY)
        e->impure = true;
    else if (kind != FVM_WORD_ORDINARY && kind != FVM_WORD_EXECUTE)
        return;
    else if (op >= 0 && op < FVM_PRIMITIVES)
        run_primitive(e, word, op);
    else if (op == FVM_OP_COLON)
        run_definition(e, word);
    else if (op == FVM_OP_VAR || op == FVM_OP_DOES)
        touch(e, word);
    else
        e->unknown = true;
    if (op != FVM_OP_DOES || fvm_is_constant_word(f, word))
        return;
    const int32_t deferred = fvm_deferred_word(f, word);
    if (deferred >= 0)
        execute(e, deferred);
    else
        run_definition(e, word);
}

/* Marks the words whose tokens the data of a word contains, and the memory of the script to which
 * it points; returns whether there is new memory. */
static bool add_tokens(fvm_effects *e, int32_t word) {
    const fvm_flow *f = e->flow;
    const fvm_addr cfa = fvm_code_field(&f->graph, word), end = fvm_end_of_word(&f->graph, word);
    const fvm_addr engines = (fvm_addr)fvm_lib_get(vm_of(e), vm_of(e)->lib.engines, 0);
    bool touches = false;
    for (fvm_addr at = cfa + 4; at + 4 <= end && fvm_in(vm_of(e), at, 4); at += 4) {
        const fvm_addr target = (fvm_addr)fvm_get(vm_of(e), at);
        const int32_t found = fvm_word_containing(&f->graph, target);
        if (found < 0 || at - engines < 4 * FVM_MAX_PLAYERS) /* only the host runs engines */
            continue;
        if (target == fvm_code_field(&f->graph, found)) {
            e->tokens[found] = true;
        } else if (!e->touched[found] && fvm_is_memory(f, found)) {
            e->touched[found] = touches = true;
        }
    }
    return touches;
}

/* Marks the tokens in the memory that the words touch, and if other words touch it, too, theirs. */
static void add_stored_tokens(fvm_effects *e, const fvm_effects *others) {
    const int32_t count = e->flow->graph.count;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < count; i++)
            changed |= e->touched[i] && add_tokens(e, i);
    }
    const bool shared = fvm_effects_share_memory(e, others);
    for (int32_t i = 0; i < count && shared; i++)
        e->tokens[i] |= others->tokens[i];
}

static void run_queue(fvm_effects *e) {
    while (e->queued > 0 && !e->unknown)
        run_word(e, e->queue[--e->queued]);
}

void fvm_effects_run(fvm_effects *e, int32_t word) {
    execute(e, word);
    run_queue(e);
}

void fvm_effects_run_tokens(fvm_effects *e, const fvm_effects *others) {
    for (bool changed = e->executes_tokens; changed && !e->unknown;) {
        add_stored_tokens(e, others);
        for (int32_t i = 0; i < e->flow->graph.count; i++)
            if (e->tokens[i])
                execute(e, i);
        changed = e->queued > 0;
        run_queue(e);
    }
}

bool fvm_effects_share_memory(const fvm_effects *a, const fvm_effects *b) {
    for (int32_t i = 0; i < a->flow->graph.count; i++)
        if (a->touched[i] && b->touched[i])
            return true;
    return false;
}
