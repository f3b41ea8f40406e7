/* guarded_reads.c: run-time checks that memory is written before it is read.
 *
 * It owns the choice of the instructions that check what they read (translate.c makes them do so),
 * and the memory that is guarded.  It must not know why a search needs the check (list_effects.c).
 */
#include "game/guarded_reads.h"
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

/* Makes the instruction at an address check what it reads, from now on; false: there are too many.
 */
static bool add_read(fvm *vm, fvm_addr at) {
    for (int32_t i = 0; i < vm->guarded_reads; i++)
        if (vm->guarded_read[i] == at)
            return true;
    if (vm->guarded_reads == FVM_GUARDED_READS)
        return false;
    vm->guarded_read[vm->guarded_reads++] = at;
    fvm_write_barrier(vm, at, 4); /* discards what has been translated from the cell */
    return true;
}

bool fvm_may_guard(const fvm *vm) {
    return vm->complete_lists != FVM_GUARD_NEVER && vm->nesting == 0 && vm->trace == NULL &&
           vm->guard == NULL;
}

bool fvm_guard_begin(fvm *vm, fvm_guard *guard) {
    for (int32_t i = 0; i < guard->reads; i++)
        if (!add_read(vm, guard->read[i]))
            return false;
    fvm_cell *before = guard->before;
    for (int32_t i = 0; i < guard->variables; i++)
        for (fvm_cell cell = 0; cell < guard->cells[i]; cell++)
            *before++ = fvm_get(vm, guard->start[i] + 4u * (uint32_t)cell);
    vm->guard = guard;
    vm->stale_read = false;
    return true;
}

void fvm_guard_fill(fvm *vm, int32_t variables) {
    const fvm_guard *const guard = vm->guard;
    for (int32_t i = 0; i < variables; i++) {
        const uint32_t bytes = 4 * (uint32_t)guard->cells[i];
        fvm_write_barrier(vm, guard->start[i], bytes);
        memset(vm->mem + guard->start[i], FVM_UNWRITTEN_BYTE, bytes);
    }
}

void fvm_guard_end(fvm *vm, const fvm_guard *guard) {
    if (vm->guard != guard)
        return;
    const fvm_cell *before = guard->before;
    for (int32_t i = 0; i < guard->variables; i++)
        for (fvm_cell cell = 0; cell < guard->cells[i]; cell++)
            fvm_put(vm, guard->start[i] + 4u * (uint32_t)cell, *before++);
    vm->guard = NULL;
}

bool fvm_guard_failed(const fvm *vm, const fvm_guard *guard) {
    return vm->guard == guard && vm->stale_read;
}

void fvm_guard_clear_failure(fvm *vm) {
    vm->failed = vm->located = vm->stale_read = false;
    vm->error.status = FVM_OK;
}
