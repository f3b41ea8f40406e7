/* limits.c: the limits of runs.
 *
 * It owns the step budget and its slices of fuel, the time limits, interrupts and polling, and
 * halts: the forced end of words that an engine runs. */
#include "vm/vm.h"

enum { POLLS_PER_SECOND = 100 };

/* --- budget ----------------------------------------------------------------------- */

/* Begins a slice. */
static void grant_fuel(fvm *vm) {
    /* The slice is shorter by the steps of earlier short runs (jit.unsampled), so that a program
     * that consists of short runs also reaches the end of a slice, where profile samples are
     * taken. */
    int64_t slice = vm->jit.unsampled < vm->jit.slice ? vm->jit.slice - vm->jit.unsampled : 1;
    /* The length varies at random: otherwise a loop with as many steps as a slice would always be
     * sampled at the same instruction. */
    vm->jit.slice_random = vm->jit.slice_random * 1664525u + 1013904223u;
    slice -= (int64_t)(vm->jit.slice_random >> 24) % (slice / 4 + 1 + (slice > 1));
    int64_t remaining = vm->steps_limit > 0 ? vm->steps_limit - vm->steps : INT64_MAX;
    /* Machine code may exceed its fuel by FVM_OVERRUN steps.  So slices end at least that many
     * steps before the limit; the interpreter runs the last steps. */
    vm->near_limit = remaining <= FVM_OVERRUN + 1;
    if (!vm->near_limit)
        remaining -= FVM_OVERRUN + 1;
    if (remaining < slice)
        slice = remaining;
    vm->fuel = (int32_t)slice;
    vm->fuel_granted = slice;
}

void fvm_budget(fvm *vm, int64_t steps, double seconds) {
    if (vm->jit.unsampled < vm->jit.slice)
        vm->jit.unsampled += (int32_t)(vm->fuel_granted - (vm->fuel > 0 ? vm->fuel : 0));
    vm->steps = 0;
    vm->steps_limit = steps > 0 ? steps : 0;
    vm->deadline = seconds > 0 ? fvm_now() + seconds : 0;
    vm->next_poll = 0;
    grant_fuel(vm);
}

int64_t fvm_steps(const fvm *vm) {
    int64_t remaining = vm->fuel > 0 ? vm->fuel : 0;
    return vm->steps + vm->fuel_granted - remaining;
}

void fvm_interrupt(fvm *vm) { vm->interrupted = 1; }
void fvm_clear_interrupt(fvm *vm) { vm->interrupted = 0; }

fvm_halt fvm_halt_begin(fvm *vm, double seconds, double grace) {
    fvm_halt outer = vm->halt;
    double at = seconds > 0 ? fvm_now() + seconds + grace : 0;
    if (outer.on && outer.at > 0 && (at == 0 || outer.at < at))
        at = outer.at;
    vm->halt = (fvm_halt){.on = true, .at = at, .grace = grace};
    return outer;
}

bool fvm_halt_end(fvm *vm, fvm_halt outer, fvm_status *status) {
    FVM_ASSERT(vm->halt.on);
    vm->halt = outer;
    if (*status != FVM_ERR_STOPPED || outer.on)
        return false;
    vm->failed = vm->located = false;
    vm->error.status = FVM_OK;
    *status = FVM_OK;
    return true;
}

static fvm_status check_halt(fvm *vm) {
    fvm_halt *halt = &vm->halt;
    if (vm->engine_status != 0 && !halt->requested) {
        double at = fvm_now() + halt->grace;
        halt->requested = true;
        halt->at = halt->at == 0 || at < halt->at ? at : halt->at;
    }
    return halt->at > 0 && fvm_now() >= halt->at ? FVM_ERR_STOPPED : FVM_OK;
}

static fvm_status check_request_time(fvm *vm) {
    double now = fvm_now();
    if (vm->timed_request != vm->request) {
        vm->timed_request = vm->request;
        vm->request_end = now + vm->request_seconds;
    }
    return now < vm->request_end ? FVM_OK
                                 : fvm_fail(vm, FVM_ERR_TIME, 0, "%g s", vm->request_seconds);
}

fvm_status fvm_check_limits(fvm *vm) {
    if (vm->interrupted)
        return FVM_ERR_INTERRUPT;
    fvm_status status = vm->halt.on ? check_halt(vm) : FVM_OK;
    if (status == FVM_OK && vm->request_seconds > 0)
        status = check_request_time(vm);
    if (status != FVM_OK)
        return status;
    if (vm->deadline > 0 || vm->hooks.poll != NULL) {
        double now = fvm_now();
        if (vm->deadline > 0 && now >= vm->deadline)
            return FVM_ERR_TIME;
        if (vm->hooks.poll != NULL && now >= vm->next_poll) {
            bool first = vm->next_poll == 0;
            vm->next_poll = now + 1.0 / POLLS_PER_SECOND;
            int result = first ? 0 : vm->hooks.poll(vm->host); /* short runs do not poll */
            if (result != 0)
                return result == 1 ? FVM_ERR_INTERRUPT : FVM_ERR_HOST;
            if (vm->interrupted)
                return FVM_ERR_INTERRUPT;
        }
    }
    return FVM_OK;
}

fvm_status fvm_refuel(fvm *vm) {
    /* If a step found no fuel, fuel is -1.  That step is charged to the next slice. */
    vm->steps += vm->fuel_granted;
    vm->fuel_granted = 0;
    vm->jit.unsampled = 0;
    vm->fuel = 0;
    if (vm->interrupted)
        return FVM_ERR_INTERRUPT;
    if (vm->steps_limit > 0 && vm->steps >= vm->steps_limit)
        return FVM_ERR_STEPS;
    FVM_TRY(fvm_check_limits(vm));
    grant_fuel(vm);
    vm->fuel--;
    return FVM_OK;
}

fvm_status fvm_refuel_at(fvm *vm, fvm_addr ip) {
    fvm_status status = fvm_refuel(vm);
    if (status == FVM_OK)
        vm->jit.hooks->on_slice_end(vm, ip);
    return status;
}

fvm_status fvm_refuel_after_steps(fvm *vm, fvm_addr ip) {
    vm->fuel_granted -= vm->fuel;
    fvm_status status = fvm_refuel_at(vm, ip);
    if (status == FVM_OK)
        vm->fuel++; /* fvm_refuel charged a step, but all steps had been charged already */
    return status;
}

fvm_status fvm_spend(fvm *vm, uint32_t steps) {
    while (steps > 0) {
        if ((int64_t)vm->fuel >= (int64_t)steps) {
            vm->fuel -= (int32_t)steps;
            return FVM_OK;
        }
        if (vm->fuel > 0)
            steps -= (uint32_t)vm->fuel;
        vm->fuel = 0;
        FVM_TRY(fvm_refuel(vm));
        steps--;
    }
    return FVM_OK;
}
