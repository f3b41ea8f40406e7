/* assumptions.c: what a search assumes about the script, from when on, and until when.
 *
 * It owns when a search analyses the script, and when it guards memory. */
#include "search/assumptions.h"
#include "analysis/list_analysis.h"

void fvm_assumptions_open(fvm_assumptions *a, fvm *vm, atomic_bool *unguarded) {
    const fvm_list_facts none = {.use = FVM_LIST_CONTENTS, .game_over_use = FVM_LIST_CONTENTS};
    *a = (fvm_assumptions){.vm = vm,
                           .unguarded = unguarded,
                           .effects = vm->external_effects,
                           .facts = none,
                           .proven = none,
                           .guarded = none};
}

bool fvm_may_guard(const fvm *vm, const atomic_bool *unguarded) {
    return unguarded != NULL && !*unguarded && vm->list_mode != FVM_LISTS_PROVEN &&
           vm->nesting == 0 && vm->trace == NULL && vm->guard == NULL;
}

/* Whether a search of so many steps is long enough for the analysis to pay, or the mode demands it.
 * The analysis takes about 15 instructions for each byte of the dictionary. */
static bool is_long(const fvm *vm, int64_t steps) {
    const fvm_addr transient = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    const fvm_addr end = transient != 0 ? transient : fvm_here(vm);
    return vm->list_mode == FVM_LISTS_PROVEN || vm->list_mode == FVM_LISTS_GUARDED ||
           steps > 2 * ((int64_t)end - FVM_DICTIONARY);
}

static bool guard_helps(const fvm_assumptions *a, fvm_guard_purpose purpose) {
    const fvm_list_facts *const proven = &a->proven, *const guarded = &a->guarded;
    switch (purpose) {
    case FVM_GUARD_FOR_LISTS:
        return guarded->use < proven->use || guarded->game_over_use < proven->game_over_use;
    case FVM_GUARD_FOR_DRAWS:
        return guarded->can_be_drawn && !proven->can_be_drawn;
    default:
        return false;
    }
}

bool fvm_assumptions_begin(fvm_assumptions *a, int64_t steps, int64_t rest,
                           fvm_guard_purpose purpose) {
    fvm *vm = a->vm;
    const bool analyses = !a->analysed && (vm->records_have_texts || is_long(vm, steps));
    if (analyses) {
        a->facts = a->proven =
            fvm_find_facts(vm, fvm_may_guard(vm, a->unguarded), &a->guard, &a->guarded);
        a->analysed = true;
    }
    if (!a->analysed || a->tried || !guard_helps(a, purpose) || !is_long(vm, rest) ||
        !fvm_may_guard(vm, a->unguarded) || vm->external_effects != a->effects)
        return analyses;
    a->tried = true;
    if (!fvm_guard_begin(vm, &a->guard))
        return analyses;
    a->facts = a->guarded;
    return true;
}

bool fvm_assumptions_hold(fvm_assumptions *a) {
    fvm *vm = a->vm;
    if (!fvm_guard_failed(vm, &a->guard))
        return true;
    fvm_assumptions_end(a);
    fvm_guard_clear_failure(vm);
    vm->phase = FVM_PHASE_SEARCH;
    *a->unguarded = true;
    return false;
}

void fvm_assumptions_end(fvm_assumptions *a) {
    fvm_guard_end(a->vm, &a->guard);
    a->facts = a->proven;
}
