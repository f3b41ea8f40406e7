/* guarded_reads.c: finds the memory that a search must guard, and the instructions that read it.
 *
 * It must not know why a search needs the check (list_analysis.c), nor how it works
 * (game/guarded_memory.c). */
#include "analysis/guarded_reads.h"
#include "vm/decode.h"

/* An iteration over the instructions of the words in `reached` that use numbered variables. */
typedef struct {
    const fvm_flow *flow;
    const bool *reached;
    int32_t word;
    fvm_code code;
    fvm_addr at;
} uses;

/* Stores the next instruction in *step; false: there is none. */
static bool next_use(uses *u, fvm_step *step) {
    const fvm_flow *f = u->flow;
    for (;;) {
        while (u->at >= u->code.end) {
            do
                u->word++;
            while (u->word < f->table.count &&
                   (!u->reached[u->word] || !fvm_code_open(&u->code, f, u->word)));
            if (u->word >= f->table.count)
                return false;
            u->at = u->code.start;
        }
        *step = fvm_code_step(&u->code, u->at);
        u->at = step->next;
        if (step->memory >= 0 && f->number[step->memory] >= 0)
            return true;
    }
}

fvm_variables fvm_can_be_guarded(const fvm_flow *f) {
    fvm_variables guarded = 0;
    for (int32_t i = 0; i < f->count; i++)
        if (!fvm_is_board_data(f, f->words[i])) /* which is restored with the board */
            guarded |= (fvm_variables)1 << i;
    return guarded;
}

/* Adds a variable; false: there are too many. */
static bool add_variable(fvm_guard *guard, const fvm_flow *f, int32_t word, fvm_cell *sum) {
    const fvm_cell cells = f->array[word] >= 0 ? fvm_array_cells(f, word) : 1;
    if (guard->variables == FVM_GUARDED_VARIABLES || cells > FVM_GUARDED_CELLS - *sum)
        return false;
    guard->start[guard->variables] = fvm_body(f->table.vm, fvm_code_field(&f->table, word));
    guard->cells[guard->variables++] = cells;
    *sum += cells;
    return true;
}

static bool find_guard(fvm_guard *guard, const fvm_flow *f, const bool *reached, const bool *hooks,
                       fvm_variables variables) {
    uses u = {.flow = f, .reached = reached, .word = -1};
    fvm_step step;
    fvm_cell sum = 0;
    for (int in_hooks = 1; in_hooks >= 0; in_hooks--) {
        for (int32_t i = 0; i < f->count; i++)
            if ((variables >> i & 1) != 0 && hooks[f->words[i]] == in_hooks &&
                !add_variable(guard, f, f->words[i], &sum))
                return false;
        guard->hook_variables = in_hooks ? guard->variables : guard->hook_variables;
    }
    while (next_use(&u, &step)) {
        if ((variables >> f->number[step.memory] & 1) == 0 ||
            (step.use != FVM_USE_READ && step.use != FVM_USE_UPDATE))
            continue;
        if (guard->reads == FVM_GUARDED_READS)
            return false;
        guard->read[guard->reads++] = step.next - 4;
    }
    return true;
}

bool fvm_guard_find(fvm_guard *guard, const fvm_flow *f, const bool *reached, const bool *hooks,
                    fvm_variables variables) {
    *guard = (fvm_guard){0};
    if (find_guard(guard, f, reached, hooks, variables))
        return true;
    guard->variables = 0;
    return false;
}
