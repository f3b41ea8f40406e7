/* word_effects.c: what running compiled words may do.
 *
 * It owns the set of words that run when some words run, and what they do besides writing variables
 * of the script.  EXECUTE may run each token that is in the code of these words, in data that they
 * touch, or that other words may have stored there.  entry_words.c tells which words the host
 * runs. */
#include "analysis/word_effects.h"
#include "analysis/word_references.h"
#include "vm/decode.h"

#include "generated/ops.h"

#include <stdlib.h>

bool fvm_effects_begin(fvm_effects *e, fvm_program *program) {
    const size_t count = (size_t)program->table.count;
    *e = (fvm_effects){.program = program};
    e->executed = calloc(7 * count, sizeof *e->executed);
    e->queue = malloc(count * sizeof *e->queue);
    if (e->executed == NULL || e->queue == NULL)
        return false;
    e->tokens = e->executed + count;
    e->applied = e->executed + 2 * count;
    e->touched = e->executed + 3 * count;
    e->searched = e->executed + 4 * count;
    e->expanded = e->executed + 5 * count;
    e->changed = e->executed + 6 * count;
    return true;
}

void fvm_effects_end(fvm_effects *e) {
    free(e->executed);
    free(e->queue);
}

/* Whether a word is memory of the script: a variable, an array, data in the board. */
static bool is_memory(const fvm_program *p, int32_t word) {
    const int op = fvm_opcode_at(p->table.vm, fvm_code_field(&p->table, word));
    if (fvm_in_library(&p->table, word)) /* of these variables, it alone contains a token */
        return op == FVM_OP_VAR && fvm_word_is_named(&p->table, word, "_amount-in-reserve");
    return op == FVM_OP_VAR || (op == FVM_OP_DOES && !fvm_is_constant_or_direction(p, word) &&
                                fvm_deferred_word(p, word) < 0);
}

static void execute(fvm_effects *e, int32_t word) {
    if (word < 0) {
        e->unknown = true;
    } else if (!e->executed[word]) {
        e->executed[word] = true;
        e->queue[e->queued++] = word;
    }
}

static const fvm *vm_of(const fvm_effects *e) { return e->program->table.vm; }

/* Code or data contain a number.  If it is a token, the word may run where tokens are executed.  If
 * it is another address, the memory there may be used like that of the word which contains it. */
static void refer(fvm_effects *e, fvm_cell cell) {
    const fvm_program *p = e->program;
    const int32_t word = fvm_word_containing(&p->table, (fvm_addr)cell);
    if (word < 0)
        return;
    const unsigned meaning = fvm_meaning_of(p, word, (fvm_addr)cell);
    if ((meaning & FVM_IS_TOKEN) != 0) {
        e->tokens[word] = true;
    } else if (!fvm_in_library(&p->table, word)) {
        e->unknown |= (meaning & FVM_IS_IN_TABLES) != 0;
        e->touched[word] = true;
        if ((meaning & FVM_IS_AFTER_CODE) == 0)
            execute(e, word);
    } else if (fvm_opcode_at(vm_of(e), fvm_code_field(&p->table, word)) == FVM_OP_VAR) {
        e->executed[word] = true;
    }
}

/* The data of a word may be read. */
static void touch(fvm_effects *e, int32_t word) {
    e->touched[word] |= is_memory(e->program, word);
    if (fvm_is_constant(e->program, word))
        refer(e, fvm_get(vm_of(e), fvm_code_field(&e->program->table, word) + FVM_DOES_BODY));
}

/* A variable is written. */
static void write_variable(fvm_effects *e, int32_t word) {
    fvm_program *p = e->program;
    e->changed[word] = true;
    if (fvm_in_library(&p->table, word) ||
        (e->numbers_variables && p->number[word] < 0 && p->count == FVM_FLOW_VARIABLES)) {
        e->impure = true;
        return;
    }
    if (!e->numbers_variables || p->number[word] >= 0)
        return;
    p->words[p->count] = word;
    p->number[word] = (int8_t)p->count++;
}

/* Adds the effects of running a primitive. */
static void run_primitive(fvm_effects *e, int32_t word, int op) {
    const fvm_program *p = e->program;
    char name[16];
    fvm_name(p->table.vm, p->table.words[word], name, (int32_t)sizeof name);
    if (p->kind[word] == FVM_WORD_EXECUTE)
        e->executes_tokens = true;
    else if (strcmp(name, "CFA>PFA") == 0) /* with a token, the data of the word can be used */
        e->executes_tokens = e->impure = true;
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
    const fvm_program *p = e->program;
    int32_t token = -1;
    if (step->memory >= 0 && step->use != FVM_USE_ADDRESS && step->use != FVM_USE_READ)
        write_variable(e, step->memory);
    switch (step->op) {
    case FVM_OP_LIT:
        refer(e, step->operand);
        break;
    case FVM_OP_COMPILE:
        if ((token = fvm_word_of_token(p, step->operand)) >= 0)
            e->applied[token] = true;
        e->compiles_tokens |= token >= 0 && p->kind[token] == FVM_WORD_EXECUTE;
        break;
    case FVM_OP_VAR:
        e->executed[step->word] = true;
        touch(e, step->word);
        break;
    default:
        execute(e, step->word);
    }
}

static void run_definition(fvm_effects *e, int32_t word) {
    const fvm_code *const code = fvm_code_of(e->program, word);
    if (code == NULL) {
        e->unknown = true;
        return;
    }
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++)
        run_step(e, step);
}

static void run_word(fvm_effects *e, int32_t word) {
    const fvm_program *p = e->program;
    const int op = fvm_opcode_at(vm_of(e), fvm_code_field(&p->table, word));
    const fvm_word_kind kind = (fvm_word_kind)p->kind[word];
    if (kind == FVM_WORD_PASS)
        e->passes = true;
    else if (kind == FVM_WORD_GENERATE || kind == FVM_WORD_FREE)
        e->makes_lists = true;
    else if (kind == FVM_WORD_STORE || kind == FVM_WORD_PRINT || kind == FVM_WORD_LIBRARY ||
             kind == FVM_WORD_SEARCH)
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
    if (op != FVM_OP_DOES || fvm_is_constant_or_direction(p, word))
        return;
    const int32_t deferred = fvm_deferred_word(p, word);
    if (deferred >= 0) {
        e->unknown |= p->kind[deferred] == FVM_WORD_EXIT;
        /* list_reads.c knows words that read lists only where they are called by name */
        e->tokens[deferred] |= p->kind[deferred] != FVM_WORD_ORDINARY;
        execute(e, deferred);
    } else {
        run_definition(e, word);
    }
}

/* Whether tokens that are stored in memory may run. */
static bool uses_tokens(const fvm_effects *e) { return e->executes_tokens || e->compiles_tokens; }

/* Marks the words whose tokens the data of a word contains, and the memory to which it points;
 * returns whether there is new memory. */
static bool add_tokens(fvm_effects *e, int32_t word) {
    const fvm_program *p = e->program;
    const fvm_references *const found = fvm_references_of(p, word);
    bool touches = false;
    for (int32_t i = 0; found != NULL && i < found->count; i++) {
        const fvm_addr target = (fvm_addr)found->cells[i];
        const int32_t to = fvm_word_containing(&p->table, target);
        const unsigned meaning = fvm_meaning_of(p, to, target);
        const bool is_token = (meaning & FVM_IS_TOKEN) != 0;
        if (is_token ? !uses_tokens(e) : (meaning & FVM_IS_NAME) != 0)
            continue;
        touches |= !is_token && !e->touched[to] && !fvm_in_library(&p->table, to);
        refer(e, (fvm_cell)target);
    }
    return touches;
}

/* Marks the tokens in the memory that the words touch, and if other words touch it, too, theirs. */
static void add_stored_tokens(fvm_effects *e, const fvm_effects *others) {
    const fvm_word_table *const table = &e->program->table;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = fvm_next_word(table, e->touched, 0); i < table->count;
             i = fvm_next_word(table, e->touched, i + 1)) {
            bool *const done = uses_tokens(e) ? e->expanded : e->searched;
            if (!done[i]) {
                done[i] = true;
                changed |= add_tokens(e, i);
            }
        }
    }
    const bool shared = uses_tokens(e) && fvm_effects_share_memory(e, others);
    for (int32_t i = 0; i < table->count && shared; i++)
        e->tokens[i] |= others->tokens[i];
}

static void run_queue(fvm_effects *e) {
    while (e->queued > 0 && !e->unknown)
        run_word(e, e->queue[--e->queued]);
}

void fvm_effects_add_word(fvm_effects *e, int32_t word) {
    execute(e, word);
    run_queue(e);
}

void fvm_effects_add_tokens(fvm_effects *e, const fvm_effects *others) {
    const fvm_word_table *const table = &e->program->table;
    for (bool changed = true; changed && !e->unknown;) {
        add_stored_tokens(e, others);
        for (int32_t i = e->executes_tokens ? fvm_next_word(table, e->tokens, 0) : table->count;
             i < table->count; i = fvm_next_word(table, e->tokens, i + 1)) {
            e->unknown |= e->program->kind[i] == FVM_WORD_EXIT; /* of the word that runs EXECUTE */
            execute(e, i);
        }
        changed = e->queued > 0;
        run_queue(e);
    }
}

bool fvm_effects_share_memory(const fvm_effects *a, const fvm_effects *b) {
    const fvm_word_table *const table = &a->program->table;
    for (int32_t i = fvm_next_word(table, a->touched, 0); i < table->count;
         i = fvm_next_word(table, a->touched, i + 1))
        if (b->touched[i])
            return true;
    return false;
}

bool fvm_effects_include(const fvm_effects *e, fvm_addr variable) {
    const int32_t word = variable != 0 ? fvm_word_containing(&e->program->table, variable) : -1;
    return word >= 0 && e->executed[word];
}

/* A definition whose code cannot be decoded makes the effects unknown when it is executed. */
bool fvm_effects_use(const fvm_effects *e, fvm_addr memory) {
    const int32_t word = memory != 0 ? fvm_word_containing(&e->program->table, memory) : -1;
    if (word < 0)
        return false;
    const bool is_after_code = (fvm_meaning_of(e->program, word, memory) & FVM_IS_AFTER_CODE) != 0;
    return e->unknown || e->touched[word] ||
           ((e->executed[word] || e->tokens[word]) && !is_after_code);
}
