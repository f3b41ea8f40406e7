/* services.c: the table of the services.
 *
 * It owns their numbers, which axiom_lib/forth2012*.4th use. */
#include "forth2012/services.h"

static const fvm_word_function services[] = {
    /*  0 */ fvm_service_catch,
    fvm_service_throw,
    fvm_service_search,
    fvm_service_at,
    /*  4 */ fvm_service_um_star,
    fvm_service_m_star,
    fvm_service_um_mod,
    fvm_service_sm_rem,
    /*  8 */ fvm_service_fm_mod,
    fvm_service_type,
    fvm_check_limits,
};

fvm_status fvm_run_service(fvm *vm, uint32_t number) {
    if (number >= FVM_FLOAT_WORDS)
        return fvm_run_float_word(vm, number - FVM_FLOAT_WORDS);
    if (number >= sizeof services / sizeof *services)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "there is no service %u", (unsigned)number);
    return services[number](vm);
}
