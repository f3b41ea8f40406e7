/* word_flow.c: which variables and arrays of a script compiled words read before they write them.
 *
 * It owns a data-flow analysis of the instructions of definitions (word_code.c): a forward analysis
 * of "certainly written", which is repeated until nothing changes.  A definition that cannot be
 * decoded is assumed to read every variable.  entry_words.c tells which words the host runs. */
#include "analysis/word_flow.h"
#include "analysis/word_references.h"
#include "vm/decode.h"

/* --- data flow ---------------------------------------------------------------------- */

/* Adds a state in which the instruction at `to` may begin; returns whether this is new. */
static bool join(const fvm_program *p, const fvm_code *code, fvm_addr to, fvm_variables written) {
    fvm_variables *state = &p->state[(to - code->start) / 4];
    const fvm_variables joined = *state & written;
    const bool changed = joined != *state;
    *state = joined;
    return changed;
}

typedef struct {
    fvm_program *p;
    fvm_variables tokens; /* exposed by the words that EXECUTE may run */
} computation;

/* The flow of the word that an instruction calls. */
static fvm_word_flow flow_of_step(const computation *c, const fvm_step *step) {
    const fvm_program *p = c->p;
    fvm_word_flow flow = {0, 0};
    if (step->memory >= 0) {
        const int8_t number = p->number[step->memory];
        const fvm_variables bit = number >= 0 ? (fvm_variables)1 << number : 0;
        const bool writes = step->use == FVM_USE_WRITE || step->use == FVM_USE_UPDATE;
        flow.exposed = step->use == FVM_USE_READ || step->use == FVM_USE_UPDATE ? bit : 0;
        if (step->use == FVM_USE_FILL || (writes && p->array[step->memory] < 0))
            flow.written = bit;
    } else if (p->kind[step->word] == FVM_WORD_EXECUTE) {
        flow.exposed = c->tokens;
    } else if (p->kind[step->word] == FVM_WORD_ORDINARY) {
        flow = p->flow[step->word];
    }
    return flow;
}

/* Computes the flow of a colon definition from that of the words it calls. */
static fvm_word_flow flow_of_code(const computation *c, const fvm_code *code) {
    const fvm_program *p = c->p;
    const fvm_variables all = ~(fvm_variables)0;
    fvm_word_flow result = {0, all};
    /* A cell whose state is `all` has not been reached.  The variables of a set are numbered from
     * 0, and fewer than all numbers are in use. */
    for (fvm_addr at = code->start; at < code->end; at += 4)
        p->state[(at - code->start) / 4] = all;
    p->state[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++) {
            fvm_variables written = p->state[(step->at - code->start) / 4];
            if (written == all)
                continue;
            const fvm_word_flow called = flow_of_step(c, step);
            result.exposed |= called.exposed & ~written;
            if (step->op == FVM_OP_RETURN || p->kind[step->word] == FVM_WORD_EXIT) {
                result.written &= written;
                continue;
            }
            written = (written | called.written) & ~((fvm_variables)1 << 63);
            if (fvm_is_branch(step->op))
                changed |= join(p, code, (fvm_addr)step->operand, written) &&
                           (fvm_addr)step->operand <= step->at;
            if (step->op != FVM_OP_BRANCH && step->op != FVM_OP_EXIT && step->next < code->end)
                join(p, code, step->next, written);
        }
    }
    return result;
}

/* The flow of any word. */
static fvm_word_flow flow_of_word(const computation *c, int32_t word) {
    const fvm_program *p = c->p;
    const int op = fvm_opcode_at(p->table.vm, fvm_code_field(&p->table, word));
    if (p->kind[word] != FVM_WORD_ORDINARY)
        return (fvm_word_flow){0, 0};
    if ((op != FVM_OP_COLON && op != FVM_OP_DOES) || fvm_is_constant_or_direction(p, word))
        return (fvm_word_flow){0, 0};
    const int32_t deferred = fvm_deferred_word(p, word);
    if (deferred >= 0)
        return p->flow[deferred];
    const fvm_code *const code = fvm_code_of(p, word);
    return code != NULL ? flow_of_code(c, code) : (fvm_word_flow){~(fvm_variables)0, 0};
}

fvm_variables fvm_flow_arrays(const fvm_program *p) {
    fvm_variables arrays = 0;
    for (int32_t i = 0; i < p->count; i++)
        if (p->array[p->words[i]] >= 0)
            arrays |= (fvm_variables)1 << i;
    return arrays;
}

void fvm_flow_compute(fvm_program *p, const bool *reached, const bool *tokens) {
    computation c = {p, 0};
    /* Begin with the smallest sets `exposed` and the largest sets `written`. */
    for (int32_t word = 0; word < p->table.count; word++)
        p->flow[word] = (fvm_word_flow){0, reached[word] ? ~(fvm_variables)0 : 0};
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t word = 0; word < p->table.count; word++) {
            if (!reached[word])
                continue;
            const fvm_word_flow before = p->flow[word];
            p->flow[word] = flow_of_word(&c, word);
            if (tokens[word])
                c.tokens |= p->flow[word].exposed;
            changed |= memcmp(&before, &p->flow[word], sizeof before) != 0;
        }
    }
}

/* --- escapes ------------------------------------------------------------------------ */

/* The numbered variable that contains an address. */
static fvm_variables variable_at(const fvm_program *p, fvm_cell cell) {
    const int32_t word = fvm_word_containing(&p->table, (fvm_addr)cell);
    const int32_t memory = word >= 0 && p->array[word] >= 0 ? p->array[word] : word;
    return memory >= 0 && p->number[memory] >= 0 ? (fvm_variables)1 << p->number[memory] : 0;
}

/* The variables into which the data of a word may point. */
static fvm_variables variables_in_data(const fvm_program *p, int32_t word) {
    const fvm_references *const data = fvm_references_of(p, word);
    fvm_variables found = 0;
    for (int32_t i = 0; data != NULL && i < data->count; i++)
        found |= variable_at(p, data->cells[i]);
    return found;
}

/* Whether an instruction uses a cell outside an array, with a constant index. */
static bool is_out_of_bounds(const fvm_program *p, const fvm_code *code, const fvm_step *step) {
    if (step->op == FVM_OP_VAR || step == code->steps || step[-1].op != FVM_OP_LIT)
        return false;
    return step[-1].operand < 0 || step[-1].operand >= fvm_array_cells(p, step->memory);
}

/* The variables whose addresses the code of a word uses in other ways. */
static fvm_variables escaped_in_code(const fvm_program *p, int32_t word, const fvm_code *code) {
    fvm_variables escaped = 0;
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++) {
        escaped |= variable_at(p, step->operand);
        /* A word that computes an address from an index passes it to its callers. */
        if (step->memory >= 0 && p->number[step->memory] >= 0 &&
            (step->use == FVM_USE_ADDRESS ? p->array[word] != step->memory
                                          : is_out_of_bounds(p, code, step)))
            escaped |= (fvm_variables)1 << p->number[step->memory];
    }
    return escaped;
}

fvm_variables fvm_flow_escaped(const fvm_program *p, const bool *reached) {
    fvm_variables escaped = 0;
    for (int32_t word = 0; word < p->table.count; word++) {
        if (!reached[word])
            continue;
        const fvm_code *const code = fvm_code_of(p, word);
        escaped |= variables_in_data(p, word);
        if (code != NULL)
            escaped |= escaped_in_code(p, word, code);
    }
    return escaped;
}
