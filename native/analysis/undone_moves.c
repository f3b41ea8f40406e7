/* undone_moves.c: whether searching a move leaves what generating its list reads.
 *
 * It owns which memory a search restores that makes and unmakes moves.  It must not know which
 * searches do so. */
#include "analysis/undone_moves.h"

#include "analysis/list_reads.h"
#include "vm/decode.h"

/* Whether a word stores at an address that it pops. */
static bool is_store(int kind, int op) {
    return kind == FVM_WORD_STORE || op == FVM_OP_STORE || op == FVM_OP_ADD_STORE ||
           op == FVM_OP_INC_STORE || op == FVM_OP_DEC_STORE;
}

typedef struct {
    bool to_library; /* the address of a variable of the library is used for more than reading */
    bool anywhere;   /* a store may be to any memory that the words use */
} stores;

/* Adds the stores of a definition.  Those to variables and arrays of the script are known effects
 * (fvm_code_step), those to data of the board are undone with the board. */
static void add_stores(const fvm_entry_words *w, int32_t word, stores *found) {
    const fvm_program *const p = &w->program;
    fvm_code code;
    bool has_board_address = false; /* pushed by the instruction before */
    if (!fvm_code_open(&code, p, word))
        return;
    for (fvm_addr at = code.start; at < code.end;) {
        const fvm_step step = fvm_code_step(&code, at);
        found->to_library |= step.op == FVM_OP_VAR && fvm_in_library(&p->table, step.word) &&
                             step.use != FVM_USE_READ;
        if (is_store(p->kind[step.word], step.op) &&
            (!has_board_address || fvm_is_branch_target(&code, at)))
            found->anywhere = true;
        has_board_address = fvm_is_board_data(p, step.word);
        at = step.next;
    }
}

/* Whether a word changes only the turn or the board, both of which are restored. */
static bool changes_position(int kind, int op) {
    return kind == FVM_WORD_LIBRARY || op == FVM_OP_SET_TURN || op == FVM_OP_PIECE_PUT ||
           op == FVM_OP_PIECE_REMOVE || op == FVM_OP_DO_TYPE || op == FVM_OP_DO_OWNER;
}

/* Whether a word changes nothing, unless it calls other words. */
static bool changes_nothing(int kind, int op) {
    return (kind == FVM_WORD_ORDINARY || kind == FVM_WORD_HARMLESS || kind == FVM_WORD_EXIT) &&
           (op < 0 || op >= FVM_PRIMITIVES || (fvm_primitive_flags(op) & FVM_PRIM_PURE) != 0);
}

/* Whether running words and unmaking the move restores all memory that move words read. */
static bool is_undone(const fvm_entry_words *w, const fvm_effects *e) {
    const fvm_word_table *const table = &w->program.table;
    stores found = {false, false};
    if (e->unknown || fvm_find_list_reads(e).newest != 0)
        return false;
    for (int32_t i = fvm_next_word(table, e->executed, 0); i < table->count;
         i = fvm_next_word(table, e->executed, i + 1)) {
        const int kind = w->program.kind[i];
        const int op = fvm_opcode_at(w->vm, fvm_code_field(table, i));
        if (changes_position(kind, op))
            continue;
        if (!changes_nothing(kind, op) && !is_store(kind, op))
            return false;
        found.anywhere |= is_store(kind, op) && e->tokens[i]; /* it may be executed by its token */
        add_stores(w, i, &found);
        if (found.to_library)
            return false;
    }
    for (int32_t i = 0; i < table->count; i++)
        if ((e->changed[i] || (found.anywhere && e->touched[i])) && w->moves.touched[i] &&
            !fvm_is_board_data(&w->program, i)) /* not restored with the board */
            return false;
    return true;
}

bool fvm_moves_are_undone(const fvm_entry_words *w) {
    const fvm_library *lib = &w->vm->lib;
    const fvm_addr hooks[] = {lib->on_next_turn, lib->on_retract, lib->on_friends};
    fvm_effects made;
    bool undone = fvm_effects_begin(&made, (fvm_program *)&w->program) && !w->moves.compiles_tokens;
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks && undone; i++) {
        const int32_t word =
            hooks[i] != 0 ? fvm_word_of_token(&w->program, (fvm_cell)hooks[i]) : -1;
        if (hooks[i] != 0 && (word < 0 || !fvm_in_library(&w->program.table, word)))
            fvm_effects_add_word(&made, word);
    }
    for (int32_t i = 0; i < w->program.table.count && undone; i++)
        if (w->moves.applied[i])
            fvm_effects_add_word(&made, i);
    if (undone) {
        fvm_effects_add_tokens(&made, &w->moves);
        fvm_effects_add_tokens(&made, &w->others);
    }
    undone = undone && is_undone(w, &made);
    fvm_effects_end(&made);
    return undone;
}
