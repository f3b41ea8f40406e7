/* assemble.c: creates a VM with all its parts.
 *
 * Only this file may use every folder of native/.  It passes to the VM what folders above vm/
 * implement: the C functions of words, the edits of moves, and the JIT. */
#include "forth2012/services.h"
#include "game/game.h"
#include "jit/jit.h"
#include "vm/vm.h"

#include "generated/ops.h"

static const fvm_word_function words[FVM_PRIMITIVES] = {
#include "generated/word_functions.inc"
};

fvm *fvm_new(uint32_t size, uint32_t limit) {
#if defined(FVM_JIT)
    const fvm_jit_hooks *jit = &fvm_jit;
#else
    const fvm_jit_hooks *jit = &fvm_no_jit;
#endif
    fvm *vm = fvm_vm_new(sizeof(fvm_game), size, limit, words, jit);
    if (vm == NULL)
        return NULL;
    vm->apply_edits = fvm_apply_edits;
#if !defined(FVM_NO_FORTH2012)
    vm->service = fvm_run_service;
#endif
    return vm;
}

void fvm_free(fvm *vm) {
    if (vm == NULL)
        return;
    vm->nesting = 0;
    fvm_trace_detach(vm);
    fvm_move_tables_free(vm);
    fvm_vm_free(vm);
}
