/* word_code.c: the definitions of a script as sequences of instructions.
 *
 * It owns the decoding of colon definitions, and which words of the library have a meaning that the
 * analysis of lists knows.  It assumes that code reaches a variable's cell only through the
 * variable's address, and the cells of an array only with indexes within the array: not by
 * arithmetic on the address of other data.  It must not know what the instructions do to variables
 * (word_flow.c). */
#include "analysis/word_code.h"
#include "vm/decode.h"

#include <stdlib.h>

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

static void find_known_words(fvm_program *p) {
    enum { COUNT = sizeof known_words / sizeof *known_words };
    char name[32] = ""; /* longer than the names of known words */
    bool known[UINT8_MAX + 1] = {false};
    for (int i = 0; i < COUNT; i++)
        known[letters_of(known_words[i].name)] = true;
    for (int32_t word = 0; word < p->table.count && fvm_in_library(&p->table, word); word++) {
        fvm_name(p->table.vm, p->table.words[word], name, 3);
        if (!known[letters_of(name)])
            continue;
        fvm_name(p->table.vm, p->table.words[word], name, (int32_t)sizeof name);
        for (int i = 0; i < COUNT; i++)
            if (name[0] == known_words[i].name[0] && strcmp(name, known_words[i].name) == 0)
                p->kind[word] = (uint8_t)known_words[i].kind;
    }
}

/* The array of which a word computes the addresses of cells from indexes; -1: none.  Such words are
 * those made by `[]`, and definitions of the form `CELLS table +`. */
static int32_t find_array(const fvm_program *p, int32_t word) {
    static const char *const makers[] = {"[]", NULL};
    const fvm *vm = p->table.vm;
    const fvm_addr body = fvm_code_field(&p->table, word) + 4;
    if (fvm_in_library(&p->table, word) || fvm_is_made_by(&p->table, word, makers))
        return fvm_in_library(&p->table, word) ? -1 : word;
    if (fvm_opcode_at(vm, body - 4) != FVM_OP_COLON || fvm_decode(vm, body + 4).op != FVM_OP_VAR ||
        fvm_decode(vm, body + 8).op != FVM_OP_ADD || fvm_decode(vm, body + 12).op != FVM_OP_RETURN)
        return -1;
    const int32_t scale = fvm_word_of_token(p, fvm_get(vm, body));
    const int32_t table = fvm_word_of_token(p, fvm_get(vm, body + 4));
    return scale >= 0 && fvm_in_library(&p->table, scale) &&
                   fvm_word_is_named(&p->table, scale, "CELLS") && table >= 0 &&
                   !fvm_in_library(&p->table, table)
               ? table
               : -1;
}

static void find_arrays(fvm_program *p) {
    memset(p->array, -1, (size_t)p->table.count * sizeof *p->array);
    for (int32_t word = p->table.count - 1; word >= 0 && !fvm_in_library(&p->table, word); word--) {
        const int32_t array = find_array(p, word);
        if (array >= 0)
            p->array[word] = p->array[array] = array;
    }
}

bool fvm_program_open(fvm_program *p, const fvm *vm) {
    *p = (fvm_program){.count = 0};
    if (!fvm_word_table_open(&p->table, vm))
        return false;
    const size_t count = (size_t)p->table.count;
    p->kind = calloc(count, sizeof *p->kind);
    p->number = malloc(count * sizeof *p->number);
    p->array = malloc(count * sizeof *p->array);
    p->data = calloc(count, sizeof *p->data);
    p->flow = calloc(count, sizeof *p->flow);
    p->state = malloc(FVM_CODE_CELLS * sizeof *p->state);
    if (p->kind == NULL || p->number == NULL || p->array == NULL || p->data == NULL ||
        p->flow == NULL || p->state == NULL)
        return false;
    memset(p->number, -1, count * sizeof *p->number);
    find_known_words(p);
    find_arrays(p);
    return true;
}

void fvm_program_close(fvm_program *p) {
    free(p->kind);
    free(p->number);
    free(p->array);
    free(p->data);
    free(p->flow);
    free(p->state);
    fvm_word_table_close(&p->table);
}

/* The first address in (body, end) that a variable of the library contains, or `end`: the tables of
 * sections, such as the turn order, have no header. */
static fvm_addr first_table(const fvm_program *p, fvm_addr body, fvm_addr end) {
    const fvm *vm = p->table.vm;
    for (int32_t i = 0; i < p->table.count && fvm_in_library(&p->table, i); i++) {
        const fvm_addr cfa = fvm_code_field(&p->table, i);
        const fvm_addr at =
            fvm_opcode_at(vm, cfa) == FVM_OP_VAR ? (fvm_addr)fvm_get(vm, cfa + 4) : 0;
        end = at > body && at < end ? at : end;
    }
    return end;
}

fvm_cell fvm_array_cells(const fvm_program *p, int32_t array) {
    const fvm *vm = p->table.vm;
    const fvm_addr cfa = fvm_code_field(&p->table, array);
    const fvm_addr body = cfa + (fvm_opcode_at(vm, cfa) == FVM_OP_VAR ? 4 : 8);
    fvm_addr end = first_table(p, body, fvm_end_of_word(&p->table, array));
    if (array + 1 < p->table.count) { /* the next word's name is before its header */
        const fvm_addr name = (fvm_addr)fvm_get(vm, p->table.words[array + 1]);
        end = name > body && name < end ? name : end;
    }
    return (fvm_cell)((end - body) / 4);
}

int32_t fvm_word_of_token(const fvm_program *p, fvm_cell cell) {
    const int32_t word = fvm_word_containing(&p->table, (fvm_addr)cell);
    return word >= 0 && (fvm_addr)cell == fvm_code_field(&p->table, word) ? word : -1;
}

int32_t fvm_deferred_word(const fvm_program *p, int32_t word) {
    static const char *const makers[] = {"DEFER", NULL};
    return fvm_is_made_by(&p->table, word, makers)
               ? fvm_word_of_token(p, fvm_get(p->table.vm, fvm_code_field(&p->table, word) + 8))
               : -1;
}

bool fvm_is_board_data(const fvm_program *p, int32_t word) {
    static const char *const makers[] = {"{variable}", "{array}", "{carray}", NULL};
    return fvm_is_made_by(&p->table, word, makers);
}

bool fvm_is_constant(const fvm_program *p, int32_t word) {
    static const char *const makers[] = {"CONSTANT", "FCONSTANT", "$MakeConstant", NULL};
    return fvm_is_made_by(&p->table, word, makers);
}

bool fvm_is_constant_or_direction(const fvm_program *p, int32_t word) {
    static const char *const makers[] = {"CONSTANT",
                                         "FCONSTANT",
                                         "$MakeConstant",
                                         "$RedefineDirection",
                                         "$CreateDirectionFromString",
                                         NULL};
    return fvm_is_made_by(&p->table, word, makers);
}

/* --- instructions ------------------------------------------------------------------- */

/* The number of bytes of the text at an address, as the library's word "SIZE computes it; 0: the
 * text does not end. */
static uint32_t text_size(const fvm *vm, fvm_addr at) {
    for (uint32_t length = 0; length < 4 * FVM_CODE_CELLS && fvm_in(vm, at + length, 1); length++)
        if (vm->mem[at + length] == 0)
            return (length + 5) / 4 * 4;
    return 0;
}

/* The instruction at an address, without the use of a variable.  op is -1 if there is none. */
static fvm_step plain_step(const fvm_program *p, fvm_addr at) {
    const fvm *vm = p->table.vm;
    const fvm_instruction found = fvm_decode(vm, at);
    fvm_step step = {.at = at, .next = at + found.length, .op = found.op, .operand = found.operand};
    step.word = found.op >= 0 ? fvm_word_of_token(p, (fvm_cell)found.token) : -1;
    step.memory = step.word < 0 ? -1 : found.op == FVM_OP_VAR ? step.word : p->array[step.word];
    if (step.word < 0)
        step.op = -1;
    else if (p->kind[step.word] == FVM_WORD_STRING || p->kind[step.word] == FVM_WORD_PRINT) {
        const uint32_t size = text_size(vm, step.next);
        step.next += size;
        if (size == 0)
            step.op = -1;
    }
    return step;
}

bool fvm_is_branch_target(const fvm_code *code, fvm_addr at) {
    const uint32_t cell = (at - code->start) / 4;
    return (code->targets[cell / 32] >> (cell % 32) & 1) != 0;
}

static fvm_variable_use use_of(const fvm_program *p, const fvm_step *step) {
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
        return step->op >= 0 && p->kind[step->word] == FVM_WORD_STORE ? FVM_USE_WRITE
                                                                      : FVM_USE_ADDRESS;
    }
}

/* Whether the instructions at an address are a number and MOVE, which copies to a whole array. */
static bool fills_array(const fvm_code *code, const fvm_step *array, const fvm_step *number) {
    return array->op == FVM_OP_VAR && code->program->array[array->word] >= 0 &&
           number->op == FVM_OP_LIT && number->next < code->end &&
           !fvm_is_branch_target(code, number->next) &&
           plain_step(code->program, number->next).op == FVM_OP_MOVE &&
           number->operand == fvm_array_cells(code->program, array->word);
}

fvm_step fvm_code_step(const fvm_code *code, fvm_addr at) {
    fvm_step step = plain_step(code->program, at);
    if (step.memory >= 0 && step.next < code->end && !fvm_is_branch_target(code, step.next)) {
        const fvm_step next = plain_step(code->program, step.next);
        step.use = use_of(code->program, &next);
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

bool fvm_code_open(fvm_code *code, const fvm_program *p, int32_t word) {
    const int32_t maker = fvm_defining_word(&p->table, word);
    const fvm_addr cfa = fvm_code_field(&p->table, word);
    const fvm_addr start = maker >= 0 ? (fvm_addr)fvm_get(p->table.vm, cfa + 4) : cfa + 4;
    const fvm_addr limit = fvm_end_of_word(&p->table, maker >= 0 ? maker : word);
    fvm_addr last_target = start;
    int32_t items = 0; /* that >R has put on the return stack */
    int32_t loops = 0;
    *code = (fvm_code){.program = p, .start = start, .end = start};
    if (maker < 0 && fvm_opcode_at(p->table.vm, cfa) != FVM_OP_COLON)
        return false;
    for (;;) {
        const fvm_step step = plain_step(p, code->end);
        if (step.op < 0 || step.next > limit || step.next - code->start > 4 * FVM_CODE_CELLS ||
            step.op == FVM_OP_RP_FETCH || step.op == FVM_OP_DOES_PART)
            return false;
        if (fvm_is_branch(step.op)) {
            const fvm_addr target = (fvm_addr)step.operand;
            if (target < code->start || target >= limit || target % 4 != code->start % 4 ||
                target - code->start >= 4 * FVM_CODE_CELLS)
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
