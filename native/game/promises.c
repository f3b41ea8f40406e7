/* promises.c: what a script promises about its lists of moves.
 *
 * A script promises by a constant that is TRUE, which the original ignores.  The host can make the
 * same promises for a script that it cannot change (FVM_OPT_PROMISES). */
#include "game/promises.h"

#include "vm/decode.h"

static bool is_promised(fvm *vm, fvm_promise promise, const char *name) {
    if ((vm->promises & promise) != 0)
        return true;
    const fvm_addr nfa = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    const fvm_addr value = nfa + FVM_HEADER_BYTES + FVM_DOES_BODY;
    return nfa != 0 && fvm_is_opcode(vm, nfa + FVM_HEADER_BYTES, FVM_OP_DOES) &&
           fvm_in(vm, value, 4) && fvm_get(vm, value) == -1;
}

fvm_promises fvm_find_promises(fvm *vm) {
    fvm_promises p = {0};
    if (vm->list_mode == FVM_LISTS_COMPLETE || vm->lib.on_generated != 0)
        return p;
    p.draws = is_promised(vm, FVM_INDEPENDENT_MOVES, "independent-moves");
    p.parts = p.draws && is_promised(vm, FVM_HOOKS_KEEP_MOVES, "hooks-keep-moves");
    p.unread = p.parts && is_promised(vm, FVM_HOOKS_IGNORE_MOVES, "hooks-ignore-moves");
    return p;
}
