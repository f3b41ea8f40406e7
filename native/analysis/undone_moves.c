/* undone_moves.c: whether searching a move leaves what generating its list reads.
 *
 * It owns which memory a search restores that makes and unmakes moves.  It must not know which
 * searches do so. */
#include "analysis/undone_moves.h"

#include "analysis/list_reads.h"
#include "vm/decode.h"

/* Whether a definition uses variables of the library in other ways than reading them. */
static bool uses_library_variables(const fvm_entry_words *w, int32_t word) {
    fvm_code code;
    if (!fvm_code_open(&code, &w->program, word))
        return false;
    for (fvm_addr at = code.start; at < code.end;) {
        const fvm_step step = fvm_code_step(&code, at);
        if (step.op == FVM_OP_VAR && fvm_in_library(&w->program.table, step.word) &&
            step.use != FVM_USE_READ)
            return true;
        at = step.next;
    }
    return false;
}

/* Whether a primitive changes at most memory of the script, or the board. */
static bool stores_for_script(int op) {
    return op < 0 || op >= FVM_PRIMITIVES || (fvm_primitive_flags(op) & FVM_PRIM_PURE) != 0 ||
           op == FVM_OP_STORE || op == FVM_OP_ADD_STORE || op == FVM_OP_INC_STORE ||
           op == FVM_OP_DEC_STORE || op == FVM_OP_PIECE_PUT || op == FVM_OP_PIECE_REMOVE ||
           op == FVM_OP_DO_TYPE || op == FVM_OP_DO_OWNER;
}

/* Whether a word of this kind changes nothing else, if its code does not. */
static bool is_plain_kind(int kind) {
    return kind == FVM_WORD_ORDINARY || kind == FVM_WORD_HARMLESS || kind == FVM_WORD_EXIT ||
           kind == FVM_WORD_STORE;
}

/* Whether running words and unmaking the move restores all memory that move words read. */
static bool is_undone(const fvm_entry_words *w, const fvm_effects *e) {
    if (e->unknown || fvm_find_list_reads(e).newest != 0)
        return false;
    for (int32_t i = 0; i < w->program.table.count; i++) {
        const int kind = w->program.kind[i];
        const int op = fvm_opcode_at(w->vm, fvm_code_field(&w->program.table, i));
        if (e->executed[i] &&
            (!is_plain_kind(kind) || !stores_for_script(op) || uses_library_variables(w, i)))
            return false;
        if ((e->writes || e->impure) && e->touched[i] && w->moves.touched[i] &&
            !fvm_is_board_data(&w->program, i)) /* not restored with the board */
            return false;
    }
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
