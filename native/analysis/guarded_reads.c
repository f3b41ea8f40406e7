/* guarded_reads.c: finds the memory that a search must guard, and the instructions that read it.
 *
 * It must not know why a search needs the check (list_analysis.c), nor how it works
 * (game/guarded_memory.c). */
#include "analysis/guarded_reads.h"

fvm_variables fvm_can_be_guarded(const fvm_program *p) {
    fvm_variables guarded = 0;
    for (int32_t i = 0; i < p->count; i++)
        if (!fvm_is_board_data(p, p->words[i])) /* which is restored with the board */
            guarded |= (fvm_variables)1 << i;
    return guarded;
}

/* Adds a variable; false: there are too many. */
static bool add_variable(fvm_guard *guard, const fvm_program *p, int32_t word, fvm_cell *sum) {
    const fvm_cell cells = p->array[word] >= 0 ? fvm_array_cells(p, word) : 1;
    if (guard->variables == FVM_GUARDED_VARIABLES || cells > FVM_GUARDED_CELLS - *sum)
        return false;
    guard->start[guard->variables] = fvm_body(p->table.vm, fvm_code_field(&p->table, word));
    guard->cells[guard->variables++] = cells;
    *sum += cells;
    return true;
}

/* Adds the instructions of a definition that read the variables; false: there are too many. */
static bool add_reads(fvm_guard *guard, const fvm_program *p, const fvm_code *code,
                      fvm_variables variables) {
    for (const fvm_step *step = code->steps; step < fvm_last_step(code); step++) {
        if (step->memory < 0 || p->number[step->memory] < 0 ||
            (variables >> p->number[step->memory] & 1) == 0 ||
            (step->use != FVM_USE_READ && step->use != FVM_USE_UPDATE))
            continue;
        if (guard->reads == FVM_GUARDED_READS)
            return false;
        guard->read[guard->reads++] = step->next - 4;
    }
    return true;
}

static bool find_guard(fvm_guard *guard, const fvm_program *p, const bool *reached,
                       fvm_variables variables) {
    fvm_cell sum = 0;
    for (int32_t i = 0; i < p->count; i++)
        if ((variables >> i & 1) != 0 && !add_variable(guard, p, p->words[i], &sum))
            return false;
    for (int32_t word = 0; word < p->table.count; word++) {
        const fvm_code *const code = reached[word] ? fvm_code_of(p, word) : NULL;
        if (code != NULL && !add_reads(guard, p, code, variables))
            return false;
    }
    return true;
}

bool fvm_guard_find(fvm_guard *guard, const fvm_program *p, const bool *reached,
                    fvm_variables variables) {
    *guard = (fvm_guard){0};
    if (find_guard(guard, p, reached, variables))
        return true;
    guard->variables = 0;
    return false;
}
