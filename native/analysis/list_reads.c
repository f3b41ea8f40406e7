/* list_reads.c: what words read of the newest list.
 *
 * It owns the reading of the list by the library's words and by primitives.  It assumes that the
 * words run are those of a set of effects (word_effects.c). */
#include "analysis/list_reads.h"
#include "vm/decode.h"

/* Whether the code at an address only compares the top item with 0. */
static bool only_tests_for_zero(const fvm *vm, fvm_addr at) {
    const fvm_instruction test = fvm_decode(vm, at);
    if (test.op == FVM_OP_LIT && test.operand == 0) {
        const int op = fvm_decode(vm, at + 8).op;
        return op == FVM_OP_EQ || op == FVM_OP_NE || op == FVM_OP_GT;
    }
    return test.op == FVM_OP_ZEQ || test.op == FVM_OP_ZNE || test.op == FVM_OP_ZGT ||
           test.op == FVM_OP_NOT || test.op == FVM_OP_ZBRANCH;
}

/* Whether an instruction only computes, whatever list is the newest. */
static bool only_computes(const fvm_program *p, const fvm_step *step) {
    const int kind = p->kind[step->word];
    return step->op == FVM_OP_LIT || step->op == FVM_OP_VAR || kind == FVM_WORD_STALEMATE ||
           kind == FVM_WORD_COUNT || fvm_is_constant_or_direction(p, step->word) ||
           fvm_is_branch(step->op) ||
           (kind == FVM_WORD_ORDINARY && (fvm_primitive_flags(step->op) & FVM_PRIM_PURE) != 0);
}

/* In a set of reads, see fvm_list_reads. */
enum { KEEPS_LISTS = 16U, COUNTS_OWN_LIST = 32U };

/* Which lists are the newest when an instruction begins: bits. */
enum { OTHER_LIST = 1, OWN_LIST = 2 }; /* OWN_LIST: one that the code has generated */

/* What an instruction does with lists; newest: those that may be the newest one. */
static unsigned reads_of_step(const fvm_program *p, const fvm_step *step, unsigned newest) {
    if (step->op == FVM_OP_RETURN || step->op == FVM_OP_EXIT)
        return newest == OTHER_LIST ? 0 : KEEPS_LISTS;
    switch (p->kind[step->word]) {
    case FVM_WORD_GENERATE:
        return newest == OTHER_LIST ? 0 : KEEPS_LISTS;
    case FVM_WORD_FREE:
        return newest == OWN_LIST ? 0 : KEEPS_LISTS;
    case FVM_WORD_FIRST:
        return (newest == OTHER_LIST ? 0 : KEEPS_LISTS) | FVM_READS_RECORDS;
    case FVM_WORD_COUNT:
        if (only_tests_for_zero(p->table.vm, step->next))
            return newest == OWN_LIST ? 0 : FVM_READS_EMPTINESS;
        return newest == OTHER_LIST ? FVM_READS_COUNT
               : newest == OWN_LIST ? COUNTS_OWN_LIST
                                    : FVM_READS_COUNT | COUNTS_OWN_LIST;
    case FVM_WORD_STALEMATE:
        return newest == OWN_LIST ? 0 : FVM_READS_EMPTINESS;
    default:
        return newest == OTHER_LIST || only_computes(p, step) ? 0 : KEEPS_LISTS;
    }
}

/* Adds the lists that may be the newest one at an instruction; returns whether that is new. */
static bool reach(const fvm_program *p, const fvm_code *code, fvm_addr at, unsigned newest) {
    if (at >= code->end)
        return false;
    fvm_variables *const known = &p->state[(at - code->start) / 4];
    const bool added = (newest & ~*known) != 0;
    *known |= newest;
    return added;
}

/* What the code of a word does with the list that is the newest when the word begins.  If the code
 * does not free each list that it generates before it does anything else but compute, it keeps
 * lists. */
static unsigned reads_in_code(const fvm_program *p, int32_t word) {
    unsigned use = 0;
    const fvm_code *const code = fvm_code_of(p, word);
    if (code == NULL)
        return 0;
    /* For the time of this function, p->state contains sets of lists. */
    for (fvm_addr at = code->start; at < code->end; at += 4)
        p->state[(at - code->start) / 4] = at == code->start ? OTHER_LIST : 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++) {
            const unsigned newest = (unsigned)p->state[(step->at - code->start) / 4];
            if (newest == 0)
                continue;
            use |= reads_of_step(p, step, newest);
            if (step->op == FVM_OP_RETURN || step->op == FVM_OP_EXIT ||
                p->kind[step->word] == FVM_WORD_EXIT)
                continue;
            const unsigned after = p->kind[step->word] == FVM_WORD_GENERATE ? OWN_LIST
                                   : p->kind[step->word] == FVM_WORD_FREE   ? OTHER_LIST
                                                                            : newest;
            if (fvm_is_branch(step->op))
                changed |= reach(p, code, (fvm_addr)step->operand, after) &&
                           (fvm_addr)step->operand <= step->at;
            if (step->op != FVM_OP_BRANCH)
                reach(p, code, step->next, after);
        }
    }
    return use;
}

/* HERE depends on the records of earlier moves, so it counts as reading the records of any list
 * (its flag in primitives.def); $FirstMove finds those of the newest list. */
static unsigned find_reads(const fvm_effects *e) {
    const fvm_program *p = e->program;
    const fvm *vm = p->table.vm;
    const unsigned all = FVM_READS_RECORDS | KEEPS_LISTS;
    unsigned use = e->unknown || fvm_effects_include(e, vm->lib.moves_list) ? all : 0;
    for (int32_t i = fvm_next_word(&p->table, e->executed, 0);
         i < p->table.count && (use & all) != all;
         i = fvm_next_word(&p->table, e->executed, i + 1)) {
        const int op = fvm_opcode_at(vm, fvm_code_field(&p->table, i));
        const int kind = p->kind[i];
        if ((fvm_primitive_flags(op) & FVM_PRIM_READS_MOVE_LIST) != 0 ||
            (e->tokens[i] && (kind == FVM_WORD_FIRST || kind == FVM_WORD_COUNT ||
                              kind == FVM_WORD_GENERATE || kind == FVM_WORD_FREE)))
            use |= all;
        if (kind == FVM_WORD_SEARCH)
            use |= KEEPS_LISTS;
        if (kind == FVM_WORD_ORDINARY)
            use |= reads_in_code(p, i);
    }
    return use;
}

fvm_list_reads fvm_find_list_reads(const fvm_effects *e) {
    const unsigned found = find_reads(e);
    return (fvm_list_reads){.newest = found & ~(KEEPS_LISTS | COUNTS_OWN_LIST),
                            .keeps_lists = (found & KEEPS_LISTS) != 0,
                            .counts_own_lists = (found & COUNTS_OWN_LIST) != 0};
}
