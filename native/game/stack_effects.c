/* stack_effects.c: which items of the stack instructions and words use and leave.
 *
 * It owns the depth of the stack on all paths through a definition, which must agree, and whether
 * other words of the script may run.  It must not know the values of items. */
#include "game/stack_effects.h"
#include "vm/decode.h"

#include "generated/ops.h"

#include <stdlib.h>

const char *fvm_outputs_of(int op) {
    static const struct {
        int op;
        const char *outputs;
    } shuffles[] = {{FVM_OP_DUP, "00"},
                    {FVM_OP_SWAP, "10"},
                    {FVM_OP_OVER, "010"},
                    {FVM_OP_ROT, "120"},
                    {FVM_OP_TWO_DUP, "0101"}};
    for (size_t i = 0; i < sizeof shuffles / sizeof *shuffles; i++)
        if (op == shuffles[i].op)
            return shuffles[i].outputs;
    return NULL;
}

static const fvm_effect VARYING = {FVM_EFFECT_VARIES, 0, 0, true};

/* The effect of any word. */
static fvm_effect effect_of(fvm_stack_effects *a, int32_t word);

/* The effect that all words have that EXECUTE may run. */
static fvm_effect effect_of_tokens(fvm_stack_effects *a) {
    const fvm_word_table *const table = &a->flow->table;
    if (a->executed.state != FVM_EFFECT_NOT_COMPUTED)
        return a->executed.state == FVM_EFFECT_COMPUTING ? VARYING : a->executed;
    fvm_effect all = {FVM_EFFECT_NOT_COMPUTED, 0, 0, true};
    a->executed.state = FVM_EFFECT_COMPUTING;
    for (int32_t i = fvm_next_word(table, a->tokens, 0);
         i < table->count && all.state != FVM_EFFECT_VARIES;
         i = fvm_next_word(table, a->tokens, i + 1)) {
        const fvm_effect e = effect_of(a, i);
        if (all.state == FVM_EFFECT_NOT_COMPUTED)
            all = e;
        else if (e.state != FVM_EFFECT_KNOWN || e.pushed - e.popped != all.pushed - all.popped)
            all.state = FVM_EFFECT_VARIES;
        else if (e.popped > all.popped)
            all = e;
    }
    return a->executed = all.state == FVM_EFFECT_KNOWN ? all : VARYING;
}

/* OnFriends? runs a hook, and primitives that are not pure may do so. */
static fvm_effect effect_of_primitive(const fvm_flow *f, int32_t word, int op) {
    int popped, pushed;
    fvm_primitive_effect(op, &popped, &pushed);
    const bool calls = (fvm_primitive_flags(op) & FVM_PRIM_PURE) == 0 ||
                       f->kind[word] == FVM_WORD_EXECUTE || op == FVM_OP_ON_FRIENDS;
    return (fvm_effect){FVM_EFFECT_KNOWN, (int16_t)popped, (int16_t)pushed, calls};
}

fvm_effect fvm_step_effect(fvm_stack_effects *a, const fvm_step *step) {
    const fvm_flow *f = a->flow;
    if (step->memory >= 0) {
        int popped = 0, pushed = 0;
        const int index = step->op != FVM_OP_VAR;
        const int op = fvm_decode(f->table.vm, step->next - 4).op;
        if (step->use == FVM_USE_FILL)
            return (fvm_effect){FVM_EFFECT_KNOWN, 1, 0, false};
        if (step->use == FVM_USE_ADDRESS || step->use == FVM_USE_READ)
            return (fvm_effect){FVM_EFFECT_KNOWN, (int16_t)index, 1, false};
        if (op < FVM_PRIMITIVES) /* else it is ON or OFF */
            fvm_primitive_effect(op, &popped, &pushed);
        return (fvm_effect){FVM_EFFECT_KNOWN, (int16_t)(popped > 1 ? index + 1 : index), 0, false};
    }
    if (step->op == FVM_OP_EXECUTE) {
        fvm_effect e = effect_of_tokens(a);
        e.popped++;
        e.calls = true;
        return e;
    }
    if (step->op >= FVM_PRIMITIVES)
        return effect_of(a, step->word);
    return effect_of_primitive(f, step->word, step->op);
}

/* The depths of the stack in a part of a definition. */
typedef struct {
    const fvm_code *code;
    fvm_addr from, to; /* the part */
    int16_t *depths;   /* per cell, relative to that at `from` */
    int lowest, end;   /* depths; end: where the part ends */
    bool calls;
} part;

enum { UNREACHED = INT16_MIN };

/* An instruction at `to` begins with a depth; false: with another one on another path, or it is
 * outside the part.  *changed: the instruction must be executed, and is an earlier one. */
static bool reach(part *p, const fvm_step *step, fvm_addr to, int depth, bool *changed) {
    if (to < p->from || to > p->to)
        return false;
    if (to == p->to) {
        const bool same = p->end == UNREACHED || p->end == depth;
        p->end = depth;
        return same;
    }
    int16_t *const known = &p->depths[(to - p->from) / 4];
    const bool same = *known == UNREACHED || *known == depth;
    *changed |= *known == UNREACHED && to <= step->at;
    *known = (int16_t)depth;
    return same;
}

/* How many of the inputs of a primitive remain where they are, from the lowest one. */
static int inputs_kept(int op) {
    const char *const outputs = fvm_outputs_of(op);
    int kept = 0;
    while (outputs != NULL && outputs[kept] == '0' + kept)
        kept++;
    return kept;
}

/* Computes the depths after all instructions of a part; false: they are not known. */
static bool find_depths(fvm_stack_effects *a, part *p) {
    for (bool changed = true; changed;) {
        changed = false;
        for (fvm_addr at = p->from; at < p->to;) {
            const fvm_step step = fvm_code_step(p->code, at);
            int depth = p->depths[(at - p->from) / 4];
            at = step.next;
            if (depth == UNREACHED)
                continue;
            const bool exits = step.op == FVM_OP_RETURN || step.op == FVM_OP_EXIT ||
                               a->flow->kind[step.word] == FVM_WORD_EXIT;
            if (exits) {
                if (p->to == p->code->end && !reach(p, &step, p->to, depth, &changed))
                    return false;
                continue;
            }
            const fvm_effect e = fvm_step_effect(a, &step);
            p->calls |= e.calls;
            if (e.state != FVM_EFFECT_KNOWN || depth >= INT16_MAX / 2)
                return false;
            const int changed_from = depth - e.popped + inputs_kept(step.op);
            p->lowest = changed_from < p->lowest ? changed_from : p->lowest;
            depth += e.pushed - e.popped;
            if ((fvm_is_branch(step.op) &&
                 !reach(p, &step, (fvm_addr)step.operand, depth, &changed)) ||
                (step.op != FVM_OP_BRANCH && !reach(p, &step, step.next, depth, &changed)))
                return false;
        }
    }
    return p->end != UNREACHED;
}

fvm_effect fvm_code_effect(fvm_stack_effects *a, const fvm_code *code, fvm_addr from, fvm_addr to) {
    const uint32_t cells = (to - from) / 4;
    part p = {.code = code, .from = from, .to = to, .end = UNREACHED};
    p.depths = malloc(cells * sizeof *p.depths);
    for (uint32_t i = 0; p.depths != NULL && i < cells; i++)
        p.depths[i] = i == 0 ? 0 : UNREACHED;
    const bool known = p.depths != NULL && find_depths(a, &p);
    free(p.depths);
    return known ? (fvm_effect){FVM_EFFECT_KNOWN, (int16_t)-p.lowest, (int16_t)(p.end - p.lowest),
                                p.calls}
                 : VARYING;
}

static fvm_effect effect_of(fvm_stack_effects *a, int32_t word) {
    const fvm_flow *f = a->flow;
    const int op = fvm_opcode_at(f->table.vm, fvm_code_field(&f->table, word));
    const int32_t deferred = fvm_deferred_word(f, word);
    fvm_effect *const e = &a->effects[word];
    fvm_code code;
    if (e->state != FVM_EFFECT_NOT_COMPUTED)
        return e->state == FVM_EFFECT_COMPUTING ? VARYING : *e;
    e->state = FVM_EFFECT_COMPUTING;
    if (op >= 0 && op < FVM_PRIMITIVES && op != FVM_OP_EXECUTE) {
        *e = effect_of_primitive(f, word, op);
    } else if (op == FVM_OP_VAR || fvm_is_value_word(f, word)) {
        *e = (fvm_effect){FVM_EFFECT_KNOWN, 0, 1, false};
    } else if (deferred >= 0) {
        *e = effect_of(a, deferred);
    } else if (f->kind[word] != FVM_WORD_STRING && f->kind[word] != FVM_WORD_PRINT &&
               fvm_code_open(&code, f, word)) {
        *e = fvm_code_effect(a, &code, code.start, code.end);
        if (fvm_defining_word(&f->table, word) >= 0) { /* the address of its data is pushed first */
            e->popped -= e->popped > 0;
            e->pushed += e->popped == 0;
        }
        e->calls |= !fvm_in_library(&f->table, word);
    } else {
        *e = VARYING;
    }
    return *e;
}

bool fvm_stack_effects_open(fvm_stack_effects *a, const fvm_flow *flow, const bool *tokens) {
    *a = (fvm_stack_effects){.flow = flow, .tokens = tokens};
    a->effects = calloc((size_t)flow->table.count, sizeof *a->effects);
    return a->effects != NULL;
}

void fvm_stack_effects_close(fvm_stack_effects *a) { free(a->effects); }
