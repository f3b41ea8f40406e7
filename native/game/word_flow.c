/* word_flow.c: which variables and arrays of a script compiled words read before they write them.
 *
 * It owns the decoding of colon definitions into instructions, and a data-flow analysis of them: a
 * forward analysis of "certainly written", which is repeated until nothing changes.  An array is
 * written when a loop has written all its cells (array_fills.c).  It assumes that code reaches a
 * variable's cell only through the variable's address, and the cells of an array only with indexes
 * within the array: not by arithmetic on the address of other data.  A definition that it does not
 * understand is assumed to read every variable.  It must not know which words are run by the host
 * (host_words.c). */
#include "game/word_flow.h"
#include "game/array_fills.h"
#include "vm/decode.h"

#include <stdlib.h>

enum { MAX_CELLS = 4096 }; /* of a definition */

/* --- words with a known meaning ----------------------------------------------------- */

typedef struct {
    const char *name;
    fvm_word_kind kind;
} known_word;

static const known_word known_words[] = {{"to", FVM_WORD_HARMLESS},
                                         {"back", FVM_WORD_HARMLESS},
                                         {"verify", FVM_WORD_HARMLESS},
                                         {"$DoDirection", FVM_WORD_HARMLESS},
                                         {"$DoIndirectDirection", FVM_WORD_HARMLESS},
                                         {"partial", FVM_WORD_HARMLESS},
                                         {"partial-move-type", FVM_WORD_HARMLESS},
                                         {"COMPILE-LITERAL", FVM_WORD_HARMLESS},
                                         {"turn-offset-to-player", FVM_WORD_HARMLESS},
                                         {"$SetPlayer", FVM_WORD_LIBRARY},
                                         {"$SetTurn", FVM_WORD_LIBRARY},
                                         {"OnSearch", FVM_WORD_SEARCH},
                                         {"EXECUTE", FVM_WORD_EXECUTE},
                                         {"$CatchExit", FVM_WORD_EXECUTE},
                                         {"stalemate?", FVM_WORD_STALEMATE},
                                         {"move-count", FVM_WORD_COUNT},
                                         {"$GenerateMoves", FVM_WORD_GENERATE},
                                         {"$DeallocateMoves", FVM_WORD_FREE},
                                         {"$FirstMove", FVM_WORD_FIRST},
                                         {"$Pass", FVM_WORD_PASS},
                                         {"Pass", FVM_WORD_PASS},
                                         {"PassNoPartial", FVM_WORD_PASS},
                                         {"EXIT", FVM_WORD_EXIT},
                                         {"ON", FVM_WORD_STORE},
                                         {"OFF", FVM_WORD_STORE},
                                         {"(S\")", FVM_WORD_STRING},
                                         {"(^\")", FVM_WORD_STRING},
                                         {"(ABORT\")", FVM_WORD_STRING},
                                         {"(.\")", FVM_WORD_PRINT}};

/* The first two letters of a name, in 8 bits. */
static uint8_t letters_of(const char *name) { return (uint8_t)(31 * name[0] + name[1]); }

static void find_known_words(fvm_flow *f) {
    enum { COUNT = sizeof known_words / sizeof *known_words };
    char name[32] = ""; /* longer than the names of known words */
    bool known[UINT8_MAX + 1] = {false};
    for (int i = 0; i < COUNT; i++)
        known[letters_of(known_words[i].name)] = true;
    for (int32_t word = 0; word < f->table.count && fvm_in_library(&f->table, word); word++) {
        fvm_name(f->table.vm, f->table.words[word], name, 3);
        if (!known[letters_of(name)])
            continue;
        fvm_name(f->table.vm, f->table.words[word], name, (int32_t)sizeof name);
        for (int i = 0; i < COUNT; i++)
            if (name[0] == known_words[i].name[0] && strcmp(name, known_words[i].name) == 0)
                f->kind[word] = (uint8_t)known_words[i].kind;
    }
}

static void find_arrays(fvm_flow *f) {
    memset(f->array, -1, (size_t)f->table.count * sizeof *f->array);
    for (int32_t word = f->table.count - 1; word >= 0 && !fvm_in_library(&f->table, word); word--) {
        const int32_t array = fvm_find_array(f, word);
        if (array >= 0)
            f->array[word] = f->array[array] = array;
    }
}

bool fvm_flow_open(fvm_flow *f, const fvm *vm) {
    *f = (fvm_flow){.count = 0};
    if (!fvm_word_table_open(&f->table, vm))
        return false;
    const size_t count = (size_t)f->table.count;
    f->kind = calloc(count, sizeof *f->kind);
    f->number = malloc(count * sizeof *f->number);
    f->array = malloc(count * sizeof *f->array);
    f->data = calloc(count, sizeof *f->data);
    f->flow = calloc(count, sizeof *f->flow);
    f->state = malloc(MAX_CELLS * sizeof *f->state);
    if (f->kind == NULL || f->number == NULL || f->array == NULL || f->data == NULL ||
        f->flow == NULL || f->state == NULL)
        return false;
    memset(f->number, -1, count * sizeof *f->number);
    find_known_words(f);
    find_arrays(f);
    return true;
}

void fvm_flow_close(fvm_flow *f) {
    free(f->kind);
    free(f->number);
    free(f->array);
    free(f->data);
    free(f->flow);
    free(f->state);
    fvm_word_table_close(&f->table);
}

int32_t fvm_word_of_token(const fvm_flow *f, fvm_cell cell) {
    const int32_t word = fvm_word_containing(&f->table, (fvm_addr)cell);
    return word >= 0 && (fvm_addr)cell == fvm_code_field(&f->table, word) ? word : -1;
}

int32_t fvm_deferred_word(const fvm_flow *f, int32_t word) {
    static const char *const makers[] = {"DEFER", NULL};
    return fvm_is_made_by(&f->table, word, makers)
               ? fvm_word_of_token(f, fvm_get(f->table.vm, fvm_code_field(&f->table, word) + 8))
               : -1;
}

bool fvm_is_value_word(const fvm_flow *f, int32_t word) {
    static const char *const makers[] = {"CONSTANT", "FCONSTANT", "$MakeConstant", NULL};
    return fvm_is_made_by(&f->table, word, makers);
}

bool fvm_is_constant_word(const fvm_flow *f, int32_t word) {
    static const char *const makers[] = {"CONSTANT",
                                         "FCONSTANT",
                                         "$MakeConstant",
                                         "$RedefineDirection",
                                         "$CreateDirectionFromString",
                                         NULL};
    return fvm_is_made_by(&f->table, word, makers);
}

/* --- instructions ------------------------------------------------------------------- */

/* The number of bytes of the text at an address, as the library's word "SIZE computes it; 0: the
 * text does not end. */
static uint32_t text_size(const fvm *vm, fvm_addr at) {
    for (uint32_t length = 0; length < 4 * MAX_CELLS && fvm_in(vm, at + length, 1); length++)
        if (vm->mem[at + length] == 0)
            return (length + 5) / 4 * 4;
    return 0;
}

/* The instruction at an address, without the use of a variable.  op is -1 if there is none. */
static fvm_step plain_step(const fvm_flow *f, fvm_addr at) {
    const fvm *vm = f->table.vm;
    const fvm_instruction found = fvm_decode(vm, at);
    fvm_step step = {.at = at, .next = at + found.length, .op = found.op, .operand = found.operand};
    step.word = found.op >= 0 ? fvm_word_of_token(f, (fvm_cell)found.token) : -1;
    step.memory = step.word < 0 ? -1 : found.op == FVM_OP_VAR ? step.word : f->array[step.word];
    if (step.word < 0)
        step.op = -1;
    else if (f->kind[step.word] == FVM_WORD_STRING || f->kind[step.word] == FVM_WORD_PRINT) {
        const uint32_t size = text_size(vm, step.next);
        step.next += size;
        if (size == 0)
            step.op = -1;
    }
    return step;
}

bool fvm_code_is_target(const fvm_code *code, fvm_addr at) {
    const uint32_t cell = (at - code->start) / 4;
    return (code->targets[cell / 32] >> (cell % 32) & 1) != 0;
}

static fvm_variable_use use_of(const fvm_flow *f, const fvm_step *step) {
    switch (step->op) {
    case FVM_OP_FETCH:
        return FVM_USE_READ;
    case FVM_OP_STORE:
        return FVM_USE_WRITE;
    case FVM_OP_INC_STORE:
    case FVM_OP_DEC_STORE:
    case FVM_OP_ADD_STORE:
        return FVM_USE_UPDATE;
    default:
        return step->op >= 0 && f->kind[step->word] == FVM_WORD_STORE ? FVM_USE_WRITE
                                                                      : FVM_USE_ADDRESS;
    }
}

/* Whether the instructions at an address are a number and MOVE, which copies to a whole array. */
static bool fills_array(const fvm_code *code, const fvm_step *array, const fvm_step *number) {
    return array->op == FVM_OP_VAR && code->flow->array[array->word] >= 0 &&
           number->op == FVM_OP_LIT && number->next < code->end &&
           !fvm_code_is_target(code, number->next) &&
           plain_step(code->flow, number->next).op == FVM_OP_MOVE &&
           number->operand == fvm_array_cells(code->flow, array->word);
}

fvm_step fvm_code_step(const fvm_code *code, fvm_addr at) {
    fvm_step step = plain_step(code->flow, at);
    if (step.memory >= 0 && step.next < code->end && !fvm_code_is_target(code, step.next)) {
        const fvm_step next = plain_step(code->flow, step.next);
        step.use = use_of(code->flow, &next);
        if (step.use != FVM_USE_ADDRESS) {
            step.next = next.next;
        } else if (fills_array(code, &step, &next)) {
            step.use = FVM_USE_FILL;
            step.next = next.next + 4;
        }
    }
    return step;
}

bool fvm_is_branch(int op) {
    return op == FVM_OP_BRANCH || op == FVM_OP_ZBRANCH || op == FVM_OP_LOOP_STEP ||
           op == FVM_OP_LOOP_ADD;
}

bool fvm_code_open(fvm_code *code, const fvm_flow *f, int32_t word) {
    const int32_t maker = fvm_defining_word(&f->table, word);
    const fvm_addr cfa = fvm_code_field(&f->table, word);
    const fvm_addr start = maker >= 0 ? (fvm_addr)fvm_get(f->table.vm, cfa + 4) : cfa + 4;
    const fvm_addr limit = fvm_end_of_word(&f->table, maker >= 0 ? maker : word);
    fvm_addr last_target = start;
    int32_t items = 0; /* that >R has put on the return stack */
    int32_t loops = 0;
    *code = (fvm_code){.flow = f, .start = start, .end = start};
    if (maker < 0 && fvm_opcode_at(f->table.vm, cfa) != FVM_OP_COLON)
        return false;
    for (;;) {
        const fvm_step step = plain_step(f, code->end);
        if (step.op < 0 || step.next > limit || step.next - code->start > 4 * MAX_CELLS ||
            step.op == FVM_OP_RP_FETCH || step.op == FVM_OP_DOES_PART)
            return false;
        if (fvm_is_branch(step.op)) {
            const fvm_addr target = (fvm_addr)step.operand;
            if (target < code->start || target >= limit || target % 4 != code->start % 4 ||
                target - code->start >= 4 * MAX_CELLS)
                return false;
            const uint32_t cell = (target - code->start) / 4;
            code->targets[cell / 32] |= 1u << (cell % 32);
            last_target = target > last_target ? target : last_target;
        }
        items += step.op == FVM_OP_TO_R ? 1 : step.op == FVM_OP_FROM_R ? -1 : 0;
        loops += step.op == FVM_OP_DO_START                                  ? 1
                 : step.op == FVM_OP_LOOP_STEP || step.op == FVM_OP_LOOP_ADD ? -1
                                                                             : 0;
        if (items < 0 || loops < 0 || (step.op == FVM_OP_LEAVE && loops == 0))
            return false; /* the word changes its own return address, or its caller's loop */
        code->end = step.next;
        if (step.op == FVM_OP_RETURN && code->end > last_target)
            return true;
    }
}

/* --- data flow ---------------------------------------------------------------------- */

/* Adds a state in which the instruction at `to` may begin; returns whether this is new. */
static bool join(const fvm_code *code, fvm_addr to, fvm_variables written) {
    fvm_variables *state = &code->flow->state[(to - code->start) / 4];
    const fvm_variables joined = *state & written;
    const bool changed = joined != *state;
    *state = joined;
    return changed;
}

typedef struct {
    fvm_flow *f;
    fvm_variables tokens; /* exposed by the words that EXECUTE may run */
    fvm_variables arrays; /* the numbered arrays */
} computation;

/* The arrays of which a loop writes all cells, for the branch to its beginning. */
static fvm_variables filled_by_loop(fvm_flow *f, const fvm_code *code, fvm_addr back) {
    for (int32_t i = 0; i < f->loops; i++)
        if (f->loop_ends[i] == back)
            return f->filled[i];
    if (f->loops == FVM_FLOW_LOOPS)
        return 0;
    f->loop_ends[f->loops] = back;
    return f->filled[f->loops++] = fvm_filled_arrays(code, back, &f->overrun);
}

/* The flow of the word that an instruction calls. */
static fvm_word_flow flow_of_step(const computation *c, const fvm_step *step) {
    const fvm_flow *f = c->f;
    fvm_word_flow flow = {0, 0};
    if (step->memory >= 0) {
        const int8_t number = f->number[step->memory];
        const fvm_variables bit = number >= 0 ? (fvm_variables)1 << number : 0;
        const bool writes = step->use == FVM_USE_WRITE || step->use == FVM_USE_UPDATE;
        flow.exposed = step->use == FVM_USE_READ || step->use == FVM_USE_UPDATE ? bit : 0;
        if (step->use == FVM_USE_FILL || (writes && f->array[step->memory] < 0))
            flow.written = bit;
    } else if (f->kind[step->word] == FVM_WORD_EXECUTE) {
        flow.exposed = c->tokens;
    } else if (f->kind[step->word] == FVM_WORD_ORDINARY) {
        flow = f->flow[step->word];
    }
    return flow;
}

/* --- variables that are written when a flag is set ----------------------------------- */

/* Whether a word only pushes the value of a constant or variable. */
static bool pushes_value(const fvm_flow *f, int32_t word) {
    const fvm_addr body = fvm_code_field(&f->table, word) + 4;
    return fvm_is_value_word(f, word) || (fvm_opcode_at(f->table.vm, body - 4) == FVM_OP_COLON &&
                                          fvm_decode(f->table.vm, body).op == FVM_OP_VAR &&
                                          fvm_decode(f->table.vm, body + 4).op == FVM_OP_FETCH &&
                                          fvm_decode(f->table.vm, body + 8).op == FVM_OP_RETURN);
}

/* Whether an instruction stores 0 in a variable.  before: the instruction before it. */
static bool clears(const fvm_flow *f, const fvm_step *step, const fvm_step *before) {
    return step->use == FVM_USE_WRITE &&
           fvm_decode(f->table.vm, step->next - 4).op == FVM_OP_STORE &&
           ((before->op == FVM_OP_LIT && before->operand == 0) ||
            (before->op == FVM_OP_DOES && fvm_is_value_word(f, before->word) &&
             fvm_get(f->table.vm, fvm_code_field(&f->table, before->word) + 8) == 0));
}

/* Keeps only those companions of variables that a definition writes wherever it may set one of the
 * variables to another value than 0: in the same sequence of instructions that neither branch
 * nor run other words of the script. */
static void restrict_companions(fvm_flow *f, const fvm_code *code) {
    fvm_variables written = 0, set = 0;
    for (fvm_step step = {.next = code->start}; step.next < code->end;) {
        const fvm_step before = step;
        step = fvm_code_step(code, step.next);
        const bool target = fvm_code_is_target(code, step.at);
        const bool ends = step.memory < 0 && step.op != FVM_OP_LIT && step.op != FVM_OP_DUP &&
                          step.op != FVM_OP_SWAP && step.op != FVM_OP_OVER &&
                          !pushes_value(f, step.word);
        for (int32_t i = 0; i < f->count && (target || ends); i++)
            if ((set >> i & 1) != 0)
                f->companions[i] &= written;
        if (target || ends)
            written = set = 0;
        if (step.op != FVM_OP_VAR || f->number[step.word] < 0 ||
            (step.use != FVM_USE_WRITE && step.use != FVM_USE_UPDATE))
            continue;
        const fvm_variables bit = (fvm_variables)1 << f->number[step.word];
        written |= f->array[step.word] < 0 ? bit : 0;
        set |= !target && clears(f, &step, &before) ? 0 : bit;
    }
}

/* A test of a variable: v @, or v @ 0>, or v @ n =, and so on. */
typedef struct {
    int8_t number; /* of the variable; -1: none */
    bool compares; /* the last instruction has pushed `with` */
    fvm_cell with;
} flag_test;

/* The test after an instruction; its result is 0 if the variable is 0. */
static flag_test follow_test(const fvm_flow *f, const fvm_step *step, flag_test test) {
    const flag_test none = {-1, false, 0};
    if (step->op == FVM_OP_VAR && step->use == FVM_USE_READ && f->array[step->word] < 0)
        return (flag_test){f->number[step->word], false, 0};
    if (step->op == FVM_OP_LIT && !test.compares)
        return (flag_test){test.number, true, step->operand};
    const bool zero = step->op == FVM_OP_GT || step->op == FVM_OP_NE;
    const bool tests = test.compares ? (test.with == 0 ? zero : step->op == FVM_OP_EQ)
                                     : step->op == FVM_OP_ZGT || step->op == FVM_OP_ZNE;
    return tests ? (flag_test){test.number, false, 0} : none;
}

/* Computes the flow of a colon definition from that of the words it calls. */
static fvm_word_flow flow_of_code(const computation *c, const fvm_code *code) {
    const fvm_flow *f = c->f;
    const fvm_variables all = ~(fvm_variables)0;
    fvm_word_flow result = {0, all};
    /* A cell whose state is `all` has not been reached.  The variables of a set are numbered from
     * 0, and fewer than all numbers are in use. */
    for (fvm_addr at = code->start; at < code->end; at += 4)
        f->state[(at - code->start) / 4] = all;
    f->state[0] = 0;
    for (bool changed = true; changed;) {
        flag_test test = {-1, false, 0};
        changed = false;
        for (fvm_addr at = code->start; at < code->end;) {
            const fvm_step step = fvm_code_step(code, at);
            fvm_variables written = f->state[(at - code->start) / 4];
            if (fvm_code_is_target(code, at))
                test.number = -1;
            const flag_test flag = test;
            test = follow_test(f, &step, test);
            at = step.next;
            if (written == all)
                continue;
            const fvm_word_flow called = flow_of_step(c, &step);
            result.exposed |= called.exposed & ~written;
            if (step.op == FVM_OP_RETURN || f->kind[step.word] == FVM_WORD_EXIT) {
                result.written &= written;
                continue;
            }
            written = (written | called.written) & ~((fvm_variables)1 << 63);
            if (fvm_is_branch(step.op))
                changed |= join(code, (fvm_addr)step.operand, written);
            if (c->arrays != 0 && fvm_is_branch(step.op) && (fvm_addr)step.operand <= step.at)
                written |= filled_by_loop(c->f, code, step.at);
            if (step.op == FVM_OP_ZBRANCH && flag.number >= 0 && !flag.compares &&
                (written >> flag.number & 1) != 0)
                written |= f->companions[flag.number];
            if (step.op != FVM_OP_BRANCH && step.op != FVM_OP_EXIT && step.next < code->end)
                changed |= join(code, step.next, written);
        }
    }
    return result;
}

/* The flow of any word. */
static fvm_word_flow flow_of_word(const computation *c, int32_t word) {
    const fvm_flow *f = c->f;
    const int op = fvm_opcode_at(f->table.vm, fvm_code_field(&f->table, word));
    fvm_code code;
    if (f->kind[word] != FVM_WORD_ORDINARY)
        return (fvm_word_flow){0, 0};
    if ((op != FVM_OP_COLON && op != FVM_OP_DOES) || fvm_is_constant_word(f, word))
        return (fvm_word_flow){0, 0};
    const int32_t deferred = fvm_deferred_word(f, word);
    return deferred >= 0                   ? f->flow[deferred]
           : fvm_code_open(&code, f, word) ? flow_of_code(c, &code)
                                           : (fvm_word_flow){~(fvm_variables)0, 0};
}

fvm_variables fvm_flow_arrays(const fvm_flow *f) {
    fvm_variables arrays = 0;
    for (int32_t i = 0; i < f->count; i++)
        if (f->array[f->words[i]] >= 0)
            arrays |= (fvm_variables)1 << i;
    return arrays;
}

void fvm_flow_compute(fvm_flow *f, const bool *reached, const bool *tokens) {
    computation c = {f, 0, fvm_flow_arrays(f)};
    fvm_code code;
    for (int32_t i = 0; i < f->count; i++)
        f->companions[i] = ~(fvm_variables)0 >> 1;
    for (int32_t word = 0; word < f->table.count && f->count > 0; word++)
        if (reached[word] && fvm_code_open(&code, f, word))
            restrict_companions(f, &code);
    /* Begin with the smallest sets `exposed` and the largest sets `written`. */
    for (int32_t word = 0; word < f->table.count; word++)
        f->flow[word] = (fvm_word_flow){0, reached[word] ? ~(fvm_variables)0 : 0};
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t word = 0; word < f->table.count; word++) {
            if (!reached[word])
                continue;
            const fvm_word_flow before = f->flow[word];
            f->flow[word] = flow_of_word(&c, word);
            if (tokens[word])
                c.tokens |= f->flow[word].exposed;
            changed |= memcmp(&before, &f->flow[word], sizeof before) != 0;
        }
    }
}

/* --- escapes ------------------------------------------------------------------------ */

/* The numbered variable that contains an address. */
static fvm_variables variable_at(const fvm_flow *f, fvm_cell cell) {
    const int32_t word = fvm_word_containing(&f->table, (fvm_addr)cell);
    const int32_t memory = word >= 0 && f->array[word] >= 0 ? f->array[word] : word;
    return memory >= 0 && f->number[memory] >= 0 ? (fvm_variables)1 << f->number[memory] : 0;
}

/* The variables into which cells in [from, to) may point. */
static fvm_variables variables_in(const fvm_flow *f, fvm_addr from, fvm_addr to) {
    fvm_variables found = 0;
    for (; from + 4 <= to && fvm_in(f->table.vm, from, 4); from += 4)
        found |= variable_at(f, fvm_get(f->table.vm, from));
    return found;
}

/* Whether an instruction uses a cell outside an array, with a constant index. */
static bool is_out_of_bounds(const fvm_flow *f, const fvm_step *step, const fvm_step *before) {
    return step->op != FVM_OP_VAR && before->op == FVM_OP_LIT &&
           (before->operand < 0 || before->operand >= fvm_array_cells(f, step->memory));
}

fvm_variables fvm_flow_escaped(const fvm_flow *f, const bool *reached) {
    fvm_variables escaped = f->overrun;
    for (int32_t word = 0; word < f->table.count; word++) {
        if (!reached[word])
            continue;
        const fvm_addr cfa = fvm_code_field(&f->table, word);
        fvm_code code;
        const bool open = fvm_code_open(&code, f, word);
        const fvm_addr data = open && code.start == cfa + 4 ? code.end : cfa + 4;
        escaped |= variables_in(f, data, fvm_end_of_word(&f->table, word));
        for (fvm_step step = {.next = code.start}; open && step.next < code.end;) {
            const fvm_step before = step;
            step = fvm_code_step(&code, step.next);
            escaped |= variable_at(f, step.operand);
            /* A word that computes an address from an index passes it to its callers. */
            if (step.memory >= 0 && f->number[step.memory] >= 0 &&
                (step.use == FVM_USE_ADDRESS ? f->array[word] != step.memory
                                             : is_out_of_bounds(f, &step, &before)))
                escaped |= (fvm_variables)1 << f->number[step.memory];
        }
    }
    return escaped;
}
