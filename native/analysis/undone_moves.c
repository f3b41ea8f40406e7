/* undone_moves.c: whether searching a move leaves what generating its list reads.
 *
 * It owns which memory a search restores that makes and unmakes moves. */
#include "analysis/undone_moves.h"

#include "analysis/list_reads.h"
#include "vm/decode.h"

/* Whether a word stores at an address that it pops. */
static bool is_store(int kind, int op) {
    return kind == FVM_WORD_STORE || op == FVM_OP_STORE || op == FVM_OP_ADD_STORE ||
           op == FVM_OP_INC_STORE || op == FVM_OP_DEC_STORE;
}

/* The word that a word executes if it is made by DEFER, or the word itself. */
static int32_t executed_word(const fvm_program *p, int32_t word) {
    enum { MAX_DEFERRED = 8 }; /* words that execute each other */
    for (int i = 0; i < MAX_DEFERRED && fvm_deferred_word(p, word) >= 0; i++)
        word = fvm_deferred_word(p, word);
    return word;
}

/* Whether all stores of a definition are known: those to variables and arrays of the script are
 * effects (fvm_step.use), those to the board and its data are undone with the board. */
static bool has_known_stores(const fvm_entry_words *w, int32_t word) {
    const fvm_program *const p = &w->program;
    const fvm_code *const code = fvm_code_of(p, word);
    bool has_board_address = false; /* pushed by the instruction before */
    if (code == NULL)
        return true;
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++) {
        const int32_t executed = executed_word(p, step->word);
        const int op = fvm_opcode_at(w->vm, fvm_code_field(&p->table, executed));
        if (step->op == FVM_OP_VAR && fvm_in_library(&p->table, step->word) &&
            step->use != FVM_USE_READ)
            return false;
        if (is_store(p->kind[executed], op) && (!has_board_address || step->is_target))
            return false;
        has_board_address = step->op == FVM_OP_BOARD || fvm_is_board_data(p, step->word);
    }
    return true;
}

/* Whether a word changes only the turn or the board, both of which are restored. */
static bool changes_position(int kind, int op) {
    return kind == FVM_WORD_LIBRARY || op == FVM_OP_SET_TURN || op == FVM_OP_PIECE_PUT ||
           op == FVM_OP_PIECE_REMOVE || op == FVM_OP_DO_TYPE || op == FVM_OP_DO_OWNER;
}

/* Whether a word changes nothing, unless it calls other words. */
static bool changes_nothing(int kind, int op) {
    return (kind == FVM_WORD_ORDINARY || kind == FVM_WORD_HARMLESS || kind == FVM_WORD_NEXT ||
            kind == FVM_WORD_TYPE || kind == FVM_WORD_EXIT) &&
           (op < 0 || op >= FVM_PRIMITIVES || (fvm_primitive_flags(op) & FVM_PRIM_PURE) != 0);
}

/* Whether running words and unmaking the move restores all memory that move words read. */
static bool is_undone(const fvm_entry_words *w, const fvm_effects *e) {
    const fvm_word_table *const table = &w->program.table;
    if (e->unknown || fvm_find_list_reads(e).newest != 0)
        return false;
    for (int32_t i = fvm_next_word(table, e->executed, 0); i < table->count;
         i = fvm_next_word(table, e->executed, i + 1)) {
        const int kind = w->program.kind[i];
        const int op = fvm_opcode_at(w->vm, fvm_code_field(table, i));
        /* A store that is not part of a definition may be to any address. */
        const bool stores = is_store(kind, op) && !e->tokens[i] && !w->moves.applied[i];
        if (!changes_position(kind, op) &&
            ((!stores && !changes_nothing(kind, op)) || !has_known_stores(w, i)))
            return false;
    }
    for (int32_t i = 0; i < table->count; i++)
        if (e->changed[i] && w->moves.touched[i] &&
            !fvm_is_board_data(&w->program, i)) /* not restored with the board */
            return false;
    return true;
}

bool fvm_moves_are_undone(const fvm_entry_words *w) {
    fvm_effects made;
    const bool begun = fvm_made_effects_begin(w, &made);
    const bool undone = begun && !w->moves.compiles_tokens && is_undone(w, &made);
    fvm_effects_end(&made);
    return undone;
}
