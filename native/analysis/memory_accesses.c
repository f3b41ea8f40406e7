/* memory_accesses.c: whether words use memory only where the analysis knows it.
 *
 * A word that reads a variable by the address of another one reads what move words have left there,
 * and nothing in the code shows it.  So an instruction that uses memory must follow one that pushes
 * the address of a variable, or computes the address of a cell from an index.  Constant indexes
 * must be within bounds; others are checked at run time (game/guarded_memory.h), in the words that
 * run: it is not seen if only words that a search omits would store outside of their arrays.  Words
 * that find memory in another way may use all of it.  The library is trusted, as long as positions
 * are on the board.  word_flow.c tells what the memory is used for. */
#include "analysis/memory_accesses.h"
#include "vm/decode.h"

#include "generated/ops.h"

/* What has been found about a word: bits in fvm_program.accesses.  A word is examined after those
 * that it calls, which are before it in the dictionary: of other words, nothing is known. */
enum {
    RETURNS_ADDRESS = 1, /* all ways out push the address of a cell */
    USES_MEMORY = 2      /* a word of the library: it uses memory at an address that it is given */
};

/* The bounds of a search, which are added to a guard. */
typedef struct {
    const fvm_entry_words *words;
    const fvm_program *program;
    fvm_guard *guard;
    bool too_many;
} bounds;

/* Whether a word runs in a search. */
static bool runs(const fvm_entry_words *w, int32_t word) {
    return w->moves.executed[word] || w->others.executed[word];
}

/* Whether a word is a definition of the script. */
static bool is_of_script(const fvm_program *p, int32_t word) {
    return !fvm_in_library(&p->table, word) && !fvm_is_made_by_library(p, word);
}

/* Whether an instruction pushes a constant, which is stored in *n. */
static bool pushes_constant(const fvm_program *p, const fvm_step *step, fvm_cell *n) {
    if (step->op == FVM_OP_LIT)
        *n = step->operand;
    else if (fvm_is_constant(p, step->word))
        *n = fvm_get(p->table.vm, fvm_code_field(&p->table, step->word) + FVM_DOES_BODY);
    else
        return false;
    return true;
}

/* Whether the index of an array is a constant, which is stored in *index. */
static bool has_constant_index(const fvm_program *p, const fvm_code *code, const fvm_step *step,
                               fvm_cell *index) {
    return step->memory >= 0 && step->op != FVM_OP_VAR && step > code->steps && !step->is_target &&
           pushes_constant(p, step - 1, index);
}

/* Whether the index of an array is a constant outside its bounds.  A check at run time would not
 * notice it in a word that a search omits. */
static bool is_outside_array(const fvm_program *p, const fvm_code *code, const fvm_step *step) {
    fvm_cell index;
    return has_constant_index(p, code, step, &index) &&
           (uint32_t)index >= (uint32_t)fvm_array_cells(p, step->memory);
}

/* The bytes of the board, with the data of the script. */
static uint32_t board_bytes(const fvm *vm) {
    return ((uint32_t)fvm_lib_get(vm, vm->lib.board_size) + 3) & ~3u;
}

/* --- addresses ------------------------------------------------------------------------ */

/* Whether an instruction adds an offset to the address of a variable or an array. */
static bool adds_offset(const fvm_code *code, const fvm_step *step) {
    return step->op == FVM_OP_ADD && !step->is_target && step > code->steps &&
           step[-1].op == FVM_OP_VAR && step[-1].use == FVM_USE_ADDRESS;
}

/* Whether data of the board lies on the board: a later {position} makes the board smaller. */
static bool is_on_board(const fvm_program *p, int32_t word) {
    const fvm *const vm = p->table.vm;
    const fvm_addr body = fvm_code_field(&p->table, word) + FVM_DOES_BODY;
    const uint32_t offset = (uint32_t)fvm_get(vm, body), bytes = board_bytes(vm);
    const uint32_t cells = fvm_is_board_cells(p, word) ? (uint32_t)fvm_get(vm, body + 4) : 1;
    return offset <= bytes && cells <= (bytes - offset) / 4;
}

/* Whether an instruction pushes the address of a cell of known memory. */
static bool pushes_address(const fvm_program *p, const fvm_code *code, const fvm_step *step) {
    if (step->memory >= 0)
        return step->use == FVM_USE_ADDRESS;
    if (fvm_is_board_data(p, step->word))
        return is_on_board(p, step->word);
    return step->op == FVM_OP_BOARD || adds_offset(code, step) ||
           p->kind[step->word] == FVM_WORD_STRING || p->kind[step->word] == FVM_WORD_TYPE ||
           (p->accesses[step->word] & RETURNS_ADDRESS) != 0;
}

/* Whether all ways to an instruction lead over one that pushes an address. */
static bool follows_address(const fvm_program *p, const fvm_code *code, const fvm_step *step) {
    const fvm_step *const first = code->steps;
    if (step == first)
        return code->is_does && !step->is_target; /* DOES> pushes the address of the body */
    if (step[-1].op != FVM_OP_BRANCH && !pushes_address(p, code, step - 1))
        return false;
    if (!step->is_target)
        return true;
    for (const fvm_step *jump = first; jump < fvm_last_step(code); jump++)
        if (fvm_is_branch(jump->op) && (fvm_addr)jump->operand == step->at &&
            (jump->op != FVM_OP_BRANCH || jump == first || jump->is_target ||
             !pushes_address(p, code, jump - 1)))
            return false;
    return true;
}

/* Whether a definition consists of a word, a table and `+`.  The interpreter may execute it as one
 * instruction, which does not check the sum (translate.c). */
static bool hides_offset(const fvm_code *code) {
    return code->count == 4 && code->steps[0].op == FVM_OP_COLON &&
           adds_offset(code, &code->steps[2]);
}

/* Whether all ways out of a definition lead over an instruction that pushes an address. */
static bool returns_address(const fvm_program *p, const fvm_code *code) {
    if (hides_offset(code))
        return false;
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++)
        if (p->kind[step->word] == FVM_WORD_EXIT ||
            (step->op == FVM_OP_RETURN && !follows_address(p, code, step)))
            return false;
    return true;
}

/* --- instructions that use memory ----------------------------------------------------- */

/* Whether a word uses the memory at an address on the stack: at most a cell, or more. */
enum { USES_NOTHING, USES_CELL, USES_MORE };
static int uses_address(const fvm_program *p, int32_t word) {
    const int op = fvm_opcode_at(p->table.vm, fvm_code_field(&p->table, word));
    switch (op) {
    case FVM_OP_C_FETCH:
    case FVM_OP_C_STORE:
    case FVM_OP_FETCH:
    case FVM_OP_STORE:
    case FVM_OP_ADD_STORE:
    case FVM_OP_INC_STORE:
    case FVM_OP_DEC_STORE:
    case FVM_OP_F_FETCH:
    case FVM_OP_F_STORE:
        return USES_CELL;
    default:
        break;
    }
    if (p->kind[word] == FVM_WORD_STORE)
        return USES_CELL;
    const int32_t action = fvm_deferred_word(p, word);
    if (action >= 0 && !is_of_script(p, action)) { /* the script's definitions are examined */
        const bool is_deferred = fvm_deferred_word(p, action) >= 0;
        return is_deferred || uses_address(p, action) != USES_NOTHING ? USES_MORE : USES_NOTHING;
    }
    const bool is_primitive = op >= 0 && op < FVM_PRIMITIVES;
    return (is_primitive && (fvm_primitive_flags(op) & FVM_PRIM_ADDRESS) != 0) ||
                   (p->accesses[word] & USES_MEMORY) != 0
               ? USES_MORE
               : USES_NOTHING;
}

/* The number of cells from the address that an instruction pushes to the end of an array or of the
 * board; 0: unknown. */
static uint32_t cells_from(const fvm_program *p, const fvm_code *code, const fvm_step *step) {
    const fvm *const vm = p->table.vm;
    const uint32_t bytes = board_bytes(vm);
    fvm_cell index = 0;
    if (step->op == FVM_OP_VAR && step->use == FVM_USE_ADDRESS)
        return (uint32_t)fvm_array_cells(p, step->word);
    if (step->op == FVM_OP_VAR && step->use == FVM_USE_READ &&
        fvm_body(vm, fvm_code_field(&p->table, step->word)) == vm->lib.board)
        return bytes / 4;
    if (step == code->steps || step->is_target || !pushes_constant(p, step - 1, &index))
        return 0;
    const bool is_data = fvm_is_board_cells(p, step->word);
    const uint32_t offset =
        is_data ? (uint32_t)fvm_get(vm, fvm_code_field(&p->table, step->word) + FVM_DOES_BODY) : 0;
    const uint64_t start = offset + 4 * (uint64_t)(uint32_t)index;
    return (is_data || step->op == FVM_OP_BOARD) && start < bytes ? (bytes - (uint32_t)start) / 4
                                                                  : 0;
}

/* Whether an instruction uses memory at an address that no instruction before it has pushed. */
static bool uses_unknown_address(const fvm_program *p, const fvm_code *code, const fvm_step *step) {
    if (is_outside_array(p, code, step))
        return true;
    const fvm_step *const before = step > code->steps && !step->is_target ? step - 1 : NULL;
    if (step->use == FVM_USE_FILL) /* from other memory, which must be as long as the array */
        return before == NULL ||
               cells_from(p, code, before) < (uint32_t)fvm_array_cells(p, step->word);
    /* Other addresses are assumed to be those of records (list_analysis.c). */
    if (p->kind[step->word] == FVM_WORD_TYPE || p->kind[step->word] == FVM_WORD_NEXT)
        return before != NULL && (before->op == FVM_OP_ADD || before->op == FVM_OP_SUB ||
                                  pushes_address(p, code, before));
    const int uses = step->memory >= 0 ? USES_NOTHING : uses_address(p, step->word);
    return uses == USES_MORE || (uses != USES_NOTHING && !follows_address(p, code, step));
}

/* Whether a definition uses memory at an address that it does not push itself. */
static bool uses_other_memory(const fvm_program *p, const fvm_code *code) {
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++)
        if (uses_unknown_address(p, code, step))
            return true;
    return false;
}

/* Notes what a word of the library does, if its meaning is not known. */
static void examine_library_word(const fvm_program *p, int32_t word) {
    const bool is_colon =
        fvm_opcode_at(p->table.vm, fvm_code_field(&p->table, word)) == FVM_OP_COLON;
    if (p->kind[word] != FVM_WORD_ORDINARY || !is_colon)
        return;
    const fvm_code *const code = fvm_code_of(p, word);
    if (code != NULL && uses_other_memory(p, code))
        p->accesses[word] |= USES_MEMORY;
}

/* Notes what a word of the script returns; true: it uses memory at an address that it computes. */
static bool examine_script_word(const fvm_program *p, int32_t word) {
    const fvm_code *const code = fvm_code_of(p, word);
    if (code == NULL) /* not a definition; if it is one, its effects are unknown */
        return false;
    if (fvm_opcode_at(p->table.vm, fvm_code_field(&p->table, word)) == FVM_OP_COLON)
        p->accesses[word] = returns_address(p, code) ? RETURNS_ADDRESS : 0;
    return uses_other_memory(p, code);
}

/* Whether a word runs at an address that other words are given. */
static bool is_run_by_token(const fvm_entry_words *w, int32_t word) {
    return w->moves.tokens[word] || w->others.tokens[word] || w->moves.applied[word];
}

/* Whether a word of the script is executed that uses memory at an address that it computes. */
static bool computes_addresses(const fvm_entry_words *w) {
    const fvm_program *const p = &w->program;
    for (int32_t i = 0; i < p->table.count; i++) {
        if (fvm_in_library(&p->table, i) && (runs(w, i) || is_run_by_token(w, i)))
            examine_library_word(p, i);
        if ((runs(w, i) && is_of_script(p, i) && examine_script_word(p, i)) ||
            (is_run_by_token(w, i) && uses_address(p, i) != USES_NOTHING))
            return true;
    }
    return false;
}

/* --- bounds ------------------------------------------------------------------------- */

static void add_bound(bounds *b, fvm_bound bound) {
    fvm_guard *const guard = b->guard;
    for (int32_t i = 0; i < guard->bounds; i++)
        if (guard->bound[i].at == bound.at) /* the code of several words of one defining word */
            return;
    if (guard->bounds < FVM_BOUNDS)
        guard->bound[guard->bounds++] = bound;
    else
        b->too_many = true;
}

/* The bound of an instruction that adds an offset to the address of a table: a cell at the sum must
 * lie within the table. */
static fvm_bound bound_of_offset(const fvm_program *p, const fvm_step *step) {
    const int32_t table = step[-1].word;
    const uint32_t cells = (uint32_t)fvm_array_cells(p, table);
    return (fvm_bound){.at = step->at,
                       .sum = true,
                       .start = fvm_body(p->table.vm, fvm_code_field(&p->table, table)),
                       .limit = cells > 0 ? 4 * cells - 3 : 0};
}

/* Adds the bounds of the indexes of arrays in a definition.  The addition in a word that computes
 * the address of a cell is not executed: calls of such a word are instructions with an index. */
static void add_array_bounds(bounds *b, int32_t word, const fvm_code *code) {
    const fvm_program *const p = b->program;
    fvm_cell index;
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++) {
        if (step->memory >= 0 && step->op != FVM_OP_VAR &&
            !has_constant_index(p, code, step, &index))
            add_bound(b,
                      (fvm_bound){step->at, false, 0, (uint32_t)fvm_array_cells(p, step->memory)});
        else if (p->array[word] < 0 && adds_offset(code, step))
            add_bound(b, bound_of_offset(p, step));
    }
}

/* Adds a bound to the first instruction with an opcode in a word of the library. */
static void add_bound_to_first(bounds *b, int32_t word, int op, fvm_bound bound) {
    const fvm_code *const code = fvm_code_of(b->program, word);
    for (const fvm_step *step = code != NULL ? code->steps : NULL;
         code != NULL && step < fvm_last_step(code); step++)
        if (step->op == op) {
            bound.at = step->at;
            add_bound(b, bound);
            return;
        }
}

/* Whether an instruction pushes a position on the board. */
static bool pushes_position(const fvm_program *p, const fvm_step *step) {
    fvm_cell pos;
    if (pushes_constant(p, step, &pos))
        return (uint32_t)pos < board_bytes(p->table.vm) / 4;
    return fvm_in_library(&p->table, step->word) &&
           (fvm_word_is_named(&p->table, step->word, "here") ||
            fvm_word_is_named(&p->table, step->word, "from"));
}

/* Whether a word of the library reads the board at a position on the stack, or goes there. */
static bool takes_position(const fvm_program *p, const fvm_step *step) {
    static const char *const names[] = {"to", "piece-at", "piece-type-at", "player-at"};
    char name[32];
    if (step->op == FVM_OP_BOARD)
        return true;
    if (!fvm_in_library(&p->table, step->word))
        return false;
    const int32_t length = fvm_name(p->table.vm, p->table.words[step->word], name, sizeof name);
    if (length > 4 && length < (int32_t)sizeof name &&
        (strcmp(name + length - 4, "-at?") == 0 || strcmp(name + length - 4, "-of?") == 0))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Whether the script's words compute positions, which may lie outside the board. */
static bool computes_positions(const fvm_entry_words *w) {
    const fvm_program *const p = &w->program;
    const fvm_library *const lib = &w->vm->lib;
    for (int32_t i = 0; i < p->table.count; i++) {
        const fvm_code *const code = runs(w, i) && is_of_script(p, i) ? fvm_code_of(p, i) : NULL;
        for (const fvm_step *step = code != NULL ? code->steps : NULL;
             code != NULL && step < fvm_last_step(code); step++) {
            const fvm_addr body =
                step->op == FVM_OP_VAR ? fvm_code_field(&p->table, step->word) + FVM_BODY : 0;
            if ((body != 0 && (body == lib->pos || body == lib->from) &&
                 step->use != FVM_USE_READ) ||
                (takes_position(p, step) &&
                 (step == code->steps || step->is_target || !pushes_position(p, step - 1))))
                return true;
        }
    }
    return false;
}

/* Adds the bounds of positions in the words of the library that run. */
static void add_position_bounds(bounds *b) {
    const fvm_program *const p = b->program;
    const fvm *const vm = b->words->vm;
    for (int32_t i = 0; i < p->table.count; i++) {
        const fvm_code *const code = runs(b->words, i) ? fvm_code_of(p, i) : NULL;
        if (code == NULL)
            continue;
        if (fvm_in_library(&p->table, i) && fvm_word_is_named(&p->table, i, "$DoDirection"))
            add_bound_to_first(
                b, i, FVM_OP_ADD,
                (fvm_bound){0, false, 0, 4 * (uint32_t)fvm_lib_get(vm, vm->lib.positions)});
        for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++)
            if (step->op == FVM_OP_BOARD)
                add_bound(b, (fvm_bound){step->at, false, 0, board_bytes(vm) / 4});
    }
}

static void add_bounds(bounds *b) {
    const fvm_program *const p = b->program;
    const uint32_t bytes = board_bytes(b->words->vm);
    for (int32_t i = 0; i < p->table.count; i++) {
        if (!runs(b->words, i) || fvm_in_library(&p->table, i))
            continue;
        const fvm_code *const code = is_of_script(p, i) ? fvm_code_of(p, i) : NULL;
        if (fvm_is_board_cells(p, i))
            add_bound_to_first(b, i, FVM_OP_ADD,
                               (fvm_bound){0, true, 0, bytes > 3 ? bytes - 3 : 0});
        if (code != NULL)
            add_array_bounds(b, i, code);
    }
    if (computes_positions(b->words))
        add_position_bounds(b);
}

fvm_access fvm_find_access(const fvm_entry_words *w, fvm_guard *guard) {
    bounds b = {.words = w, .program = &w->program, .guard = guard};
    if (computes_addresses(w))
        return FVM_ACCESS_COMPUTED;
    add_bounds(&b);
    return b.too_many          ? FVM_ACCESS_COMPUTED
           : guard->bounds > 0 ? FVM_ACCESS_INDEXED
                               : FVM_ACCESS_NAMED;
}
