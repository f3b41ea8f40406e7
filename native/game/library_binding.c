/* library_binding.c: finds the variables and hooks of a library and of the script.
 *
 * It owns which names the kernel looks up (tables/library_names.def), and when.  host_protocol.c
 * runs the hooks. */
#include "game/catch_frame.h"
#include "game/game.h"
#include "vm/decode.h"

/* Returns the address of a variable; 0: there is no word with the name.  The word is executed
 * unless it is a plain variable, because a library may define it in any way, even as a constant. */
static fvm_addr variable_named(fvm *vm, const char *name) {
    fvm_addr nfa = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    fvm_cell addr;
    if (nfa == 0)
        return 0;
    if (fvm_opcode_at(vm, nfa + FVM_HEADER_BYTES) != FVM_OP_VAR) {
        bool failed = vm->failed;
        if (fvm_call(vm, nfa + FVM_HEADER_BYTES, &addr) == FVM_OK && fvm_in(vm, (fvm_addr)addr, 4))
            return (fvm_addr)addr;
        vm->failed = failed;
    }
    return fvm_body(vm, nfa + FVM_HEADER_BYTES);
}

/* Returns the address of a variable of the library, a cell of the dictionary for which fvm_set may
 * be called; 0: there is none. */
static fvm_addr bind_variable(fvm *vm, const char *name) {
    const fvm_addr at = variable_named(vm, name);
    if ((at & 3) != 0 || at < FVM_DICTIONARY || !fvm_in(vm, at, 4))
        return 0;
    if (at + 4 > vm->high) /* memory that has been allotted and not written */
        fvm_set_high(vm, at + 4);
    if (at + 4 > vm->library_end)
        vm->library_end = at + 4;
    return at;
}

static fvm_addr word_named(fvm *vm, const char *name) {
    fvm_addr nfa = fvm_find_in(vm, FVM_K_FORTH, name, (uint32_t)strlen(name));
    return nfa != 0 ? nfa + FVM_HEADER_BYTES : 0;
}

/* Finds the hooks.  A hook is the newest word that has the hook's name. */
static fvm_status bind_hooks(fvm *vm) {
    fvm_addr latest = (fvm_addr)fvm_get(vm, FVM_K_FORTH);
    fvm_cell headers = fvm_get(vm, FVM_K_HEADERS);
    if (vm->bound_latest == latest && vm->bound_headers == headers)
        return FVM_OK;
    fvm_status status = FVM_OK;
#define FVM_LIBRARY_VARIABLE(field, name)
/* Each search is charged: in a word list that a script has damaged, it may take long. */
#define FVM_LIBRARY_WORD(field, name)                                                              \
    vm->lib.field = word_named(vm, name);                                                          \
    if ((status = fvm_charge_work(vm, 16)) != FVM_OK)                                              \
        return status;
#include "tables/library_names.def"
#undef FVM_LIBRARY_VARIABLE
#undef FVM_LIBRARY_WORD
    vm->bound_latest = latest;
    vm->bound_headers = headers;
    return FVM_OK;
}

/* Returns whether the records in a move list contain the texts of moves, as in version 140 of the
 * original engine.  If they do, the library's
 * word .moveCFA adds 16 to the address of a move, else 12.  If the library has no .moveCFA, records
 * contain texts if it defines .moveString. */
static bool finds_record_texts(fvm *vm) {
    fvm_addr cfa = word_named(vm, ".moveCFA");
    fvm_cell offset = 0;
    bool failed = vm->failed, located = vm->located;
    if (cfa != 0 && fvm_put_top(vm, 0) == FVM_OK) {
        fvm_cell *base = vm->sp - 1;
        if (fvm_run_to_exit(vm, cfa) == FVM_OK && vm->sp > base)
            offset = *vm->sp;
        fvm_set_stack(vm, base);
        vm->failed = failed;
        vm->located = located;
    }
    return offset == 12 || offset == 16 ? offset == 16 : word_named(vm, ".moveString") != 0;
}

/* Variables remain bound to the library's definitions if a script redefines their names. */
fvm_status fvm_bind(fvm *vm) {
    static const char *const required[] = {"$board",     "$boardSize", "$positions",
                                           "$pieces",    "$players",   "$turnOrder",
                                           "$movesList", "$from",      "$pos"};
    if (!vm->bound) {
        vm->jit.hooks->discard_code(vm); /* machine code contains the addresses of variables */
        vm->library_end = vm->primitives[FVM_PRIMITIVES - 1] + 4;
#define FVM_LIBRARY_VARIABLE(field, name) vm->lib.field = bind_variable(vm, name);
#define FVM_LIBRARY_WORD(field, name)
#include "tables/library_names.def"
#undef FVM_LIBRARY_VARIABLE
#undef FVM_LIBRARY_WORD
        for (size_t i = 0; i < sizeof required / sizeof *required; i++)
            if (bind_variable(vm, required[i]) == 0)
                return fvm_fail(vm, FVM_ERR_LIBRARY, 0, "%s", required[i]);
        vm->bound = true;
        fvm_catch_frame_bind(vm);
        fvm_turn_bind(vm);
        vm->records_have_texts = finds_record_texts(vm);
        if (fvm_lib_get(vm, vm->lib.add_move) == 0)
            fvm_lib_put(vm, vm->lib.add_move, (fvm_cell)vm->primitives[FVM_OP_ADD_MOVE]);
    }
    return bind_hooks(vm);
}

/* Returns the address of a bound variable; any other name is searched in the dictionary. */
fvm_addr fvm_variable_address(fvm *vm, const char *name) {
#define FVM_LIBRARY_VARIABLE(field, text)                                                          \
    if (vm->bound && strcmp(name, text) == 0)                                                      \
        return vm->lib.field;
#define FVM_LIBRARY_WORD(field, text)
#include "tables/library_names.def"
#undef FVM_LIBRARY_VARIABLE
#undef FVM_LIBRARY_WORD
    return variable_named(vm, name);
}

fvm_cell fvm_variable(fvm *vm, const char *name, int *found) {
    fvm_addr addr = fvm_variable_address(vm, name);
    *found = addr != 0 && fvm_in(vm, addr, 4);
    return *found ? fvm_get(vm, addr) : 0;
}
