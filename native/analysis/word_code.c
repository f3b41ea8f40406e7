/* word_code.c: the definitions of a script as sequences of instructions.
 *
 * It owns the decoding of colon definitions, once for each word that runs them.  It assumes that
 * code reaches a variable's cell only through the variable's address, and the cells of an array
 * only with indexes within the array (memory_accesses.c).  word_flow.c tells what the instructions
 * do to variables. */
#include "analysis/word_code.h"
#include "vm/decode.h"

#include <stdlib.h>

/* --- words that define others --------------------------------------------------------- */

/* What a word is, if a defining word of the library has made it. */
static fvm_made made(const fvm_program *p, int32_t word) {
    const int32_t maker = fvm_defining_word(&p->table, word);
    return maker >= 0 ? (fvm_made)p->makes[maker] : FVM_MADE_OTHERWISE;
}

/* The array of which a word computes the addresses of cells from indexes; -1: none.  Such words are
 * those made by `[]`, and definitions of the form `CELLS table +`. */
static int32_t find_array(const fvm_program *p, int32_t word) {
    const fvm *vm = p->table.vm;
    const fvm_addr body = fvm_code_field(&p->table, word) + FVM_BODY;
    if (made(p, word) == FVM_MADE_ARRAY)
        return word;
    if (fvm_opcode_at(vm, body - FVM_BODY) != FVM_OP_COLON ||
        fvm_decode(vm, body + 4).op != FVM_OP_VAR || fvm_decode(vm, body + 8).op != FVM_OP_ADD ||
        fvm_decode(vm, body + 12).op != FVM_OP_RETURN)
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
    p->makes = calloc(count, sizeof *p->makes);
    p->code = calloc(count, sizeof *p->code);
    p->decoded = malloc((FVM_CODE_CELLS + 1) * sizeof *p->decoded);
    p->references = calloc(count, sizeof *p->references);
    p->found = calloc(count, sizeof *p->found);
    p->accesses = calloc(count, sizeof *p->accesses);
    p->failed = calloc(1, sizeof *p->failed);
    p->flow = calloc(count, sizeof *p->flow);
    p->state = malloc(FVM_CODE_CELLS * sizeof *p->state);
    if (p->kind == NULL || p->makes == NULL || p->number == NULL || p->array == NULL ||
        p->code == NULL || p->decoded == NULL || p->references == NULL || p->found == NULL ||
        p->accesses == NULL || p->failed == NULL || p->flow == NULL || p->state == NULL)
        return false;
    memset(p->number, -1, count * sizeof *p->number);
    fvm_find_known_words(&p->table, p->kind, p->makes);
    find_arrays(p);
    return true;
}

void fvm_program_close(fvm_program *p) {
    for (int32_t word = 0; word < p->table.count; word++) {
        if (p->code != NULL)
            free(p->code[word]);
        if (p->references != NULL)
            free(p->references[word]);
    }
    free(p->code);
    free(p->references);
    free(p->found);
    free(p->accesses);
    free(p->failed);
    free(p->decoded);
    free(p->kind);
    free(p->makes);
    free(p->number);
    free(p->array);
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
            fvm_opcode_at(vm, cfa) == FVM_OP_VAR ? (fvm_addr)fvm_get(vm, cfa + FVM_BODY) : 0;
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
    return made(p, word) == FVM_MADE_DEFERRED
               ? fvm_word_of_token(
                     p, fvm_get(p->table.vm, fvm_code_field(&p->table, word) + FVM_DOES_BODY))
               : -1;
}

bool fvm_is_made_by_library(const fvm_program *p, int32_t word) {
    return made(p, word) != FVM_MADE_OTHERWISE;
}

bool fvm_is_board_data(const fvm_program *p, int32_t word) {
    return made(p, word) >= FVM_MADE_BOARD_VARIABLE;
}

bool fvm_is_board_cells(const fvm_program *p, int32_t word) {
    return made(p, word) == FVM_MADE_BOARD_CELLS;
}

bool fvm_is_constant(const fvm_program *p, int32_t word) {
    return made(p, word) == FVM_MADE_CONSTANT;
}

bool fvm_is_constant_or_direction(const fvm_program *p, int32_t word) {
    return fvm_is_constant(p, word) || made(p, word) == FVM_MADE_DIRECTION;
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
    else if (p->kind[step.word] >= FVM_WORD_STRING) {
        const uint32_t size = text_size(vm, step.next);
        step.next += size;
        if (size == 0)
            step.op = -1;
    }
    return step;
}

bool fvm_is_branch(int op) {
    return op == FVM_OP_BRANCH || op == FVM_OP_ZBRANCH || op == FVM_OP_LOOP_STEP ||
           op == FVM_OP_LOOP_ADD;
}

/* Code that is being decoded. */
typedef struct {
    const fvm_program *p;
    fvm_addr start, limit, last_target;
    int32_t items, loops;                  /* that >R and DO have put on the return stack */
    uint32_t targets[FVM_CODE_CELLS / 32]; /* a bit per cell: whether a branch leads there */
} decoder;

/* Notes where a branch leads; false: not into the code. */
static bool add_target(decoder *d, fvm_addr target) {
    if (target < d->start || target >= d->limit || target % 4 != d->start % 4 ||
        target - d->start >= 4 * FVM_CODE_CELLS)
        return false;
    const uint32_t cell = (target - d->start) / 4;
    d->targets[cell / 32] |= 1u << (cell % 32);
    d->last_target = target > d->last_target ? target : d->last_target;
    return true;
}

/* Whether the analysis understands an instruction.  It must not change the return address of its
 * word, or the loop of a caller. */
static bool is_understood(decoder *d, const fvm_step *step) {
    if (step->op < 0 || step->next > d->limit || step->next - d->start > 4 * FVM_CODE_CELLS ||
        step->op == FVM_OP_RP_FETCH || step->op == FVM_OP_DOES_PART ||
        (fvm_is_branch(step->op) && !add_target(d, (fvm_addr)step->operand)))
        return false;
    d->items += step->op == FVM_OP_TO_R ? 1 : step->op == FVM_OP_FROM_R ? -1 : 0;
    d->loops += step->op == FVM_OP_DO_START                                   ? 1
                : step->op == FVM_OP_LOOP_STEP || step->op == FVM_OP_LOOP_ADD ? -1
                                                                              : 0;
    return d->items >= 0 && d->loops >= 0 && (step->op != FVM_OP_LEAVE || d->loops > 0);
}

/* Decodes instructions to p->decoded; returns their number, 0: the analysis does not understand
 * them. */
static int32_t decode_plain(decoder *d) {
    fvm_step *const steps = d->p->decoded;
    int32_t count = 0;
    for (fvm_addr at = d->start;; at = steps[count++].next) {
        steps[count] = plain_step(d->p, at);
        if (!is_understood(d, &steps[count]))
            return 0;
        if (steps[count].op == FVM_OP_RETURN && steps[count].next > d->last_target)
            break;
    }
    count++;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t cell = (steps[i].at - d->start) / 4;
        steps[i].is_target = (d->targets[cell / 32] >> (cell % 32) & 1) != 0;
    }
    return count;
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
        return p->kind[step->word] == FVM_WORD_STORE ? FVM_USE_WRITE : FVM_USE_ADDRESS;
    }
}

/* Whether the instructions are an array, a number and MOVE, which copies to the whole array. */
static bool fills_array(const fvm_program *p, const fvm_step *array, const fvm_step *end) {
    const fvm_step *const number = array + 1, *const move = array + 2;
    return move < end && array->op == FVM_OP_VAR && p->array[array->word] >= 0 &&
           number->op == FVM_OP_LIT && !move->is_target && move->op == FVM_OP_MOVE &&
           number->operand == fvm_array_cells(p, array->word);
}

/* Copies decoded instructions to the code; the address of memory and its use become one. */
static void combine(const fvm_program *p, int32_t count, fvm_code *code) {
    const fvm_step *const end = p->decoded + count;
    for (const fvm_step *from = p->decoded; from < end; from++) {
        fvm_step *const step = &code->steps[code->count++];
        *step = *from;
        if (step->memory < 0 || from + 1 == end || from[1].is_target)
            continue;
        step->use = use_of(p, from + 1);
        if (step->use != FVM_USE_ADDRESS) {
            from++;
        } else if (fills_array(p, from, end)) {
            step->use = FVM_USE_FILL;
            from += 2;
        }
        step->next = from->next;
    }
}

/* Decodes the code of a word; NULL: no memory. */
static fvm_code *decode(const fvm_program *p, int32_t word) {
    const int32_t maker = fvm_defining_word(&p->table, word);
    const fvm_addr cfa = fvm_code_field(&p->table, word);
    decoder d = {.p = p,
                 .start = maker >= 0 ? (fvm_addr)fvm_get(p->table.vm, cfa + FVM_DOES_PART)
                                     : cfa + FVM_BODY,
                 .limit = fvm_end_of_word(&p->table, maker >= 0 ? maker : word)};
    const bool has_code = maker >= 0 || fvm_opcode_at(p->table.vm, cfa) == FVM_OP_COLON;
    const int32_t count = has_code ? decode_plain(&d) : 0;
    fvm_code *const code = malloc(sizeof *code + (size_t)count * sizeof *code->steps);
    if (code != NULL) {
        *code = (fvm_code){.start = d.start, .is_does = maker >= 0};
        code->end = count > 0 ? p->decoded[count - 1].next : d.start;
        combine(p, count, code);
    }
    return code;
}

const fvm_code *fvm_code_of(const fvm_program *p, int32_t word) {
    if (p->code[word] == NULL)
        p->code[word] = decode(p, word);
    *p->failed |= p->code[word] == NULL;
    return p->code[word] != NULL && p->code[word]->count > 0 ? p->code[word] : NULL;
}
