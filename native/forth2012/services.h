/* services.h: the words of the Forth 2012 library that are written in C.
 *
 * The library defines such a word with `n $service NAME`, n being the number in the table of
 * services.c.  No word of ForthScript is a service, so the table may grow without effect on games.
 */
#ifndef FVM_SERVICES_H
#define FVM_SERVICES_H

#include "vm/vm.h"

fvm_status fvm_run_service(fvm *vm, uint32_t number);

/* exceptions.c */
fvm_status fvm_service_catch(fvm *vm); /* 'x -- code: 0, or the throw code of the failure */
fvm_status fvm_service_throw(fvm *vm); /* addr n code --: fails with a text */

/* dictionary_services.c */
fvm_status fvm_service_search(fvm *vm); /* addr n list -- nfa | 0: ignores letter case */
fvm_status fvm_service_at(fvm *vm);     /* position --: of the token in the source */

fvm_status fvm_service_type(fvm *vm); /* addr n --: prints */

/* double_numbers.c */
fvm_status fvm_service_um_star(fvm *vm); /* u1 u2 -- ud */
fvm_status fvm_service_m_star(fvm *vm);  /* n1 n2 -- d */
fvm_status fvm_service_um_mod(fvm *vm);  /* ud u -- rem quot */
fvm_status fvm_service_sm_rem(fvm *vm);  /* d n -- rem quot: truncated */
fvm_status fvm_service_fm_mod(fvm *vm);  /* d n -- rem quot: floored */

/* floats.c */
enum { FVM_FLOAT_WORDS = 100 }; /* number of the service that is the first word of floats.c */
fvm_status fvm_run_float_word(fvm *vm, uint32_t number);

/* Pops a double number, the high cell on top. */
static inline uint64_t fvm_drop_double(fvm *vm) {
    const uint64_t high = (uint32_t)fvm_drop(vm);
    return high << 32 | (uint32_t)fvm_drop(vm);
}

/* Pushes a double number; the caller has popped at least two items. */
static inline void fvm_push_double(fvm *vm, uint64_t value) {
    *++vm->sp = (fvm_cell)(uint32_t)value;
    *++vm->sp = (fvm_cell)(uint32_t)(value >> 32);
}

#endif
