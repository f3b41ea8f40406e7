/* move_code.c: runs the code of moves without the interpreter, as far as possible.
 *
 * The code of a move lies above the translated limit, so the interpreter decodes each of its cells
 * each time the move is applied, and enters and leaves machine code for each call.  This file runs
 * the instructions that most moves consist of: literals, primitives that are C functions, words
 * such as `: set-ko ( n -- ) ko ! ;`, and calls of definitions that have machine code.  At the
 * first other instruction, and where care is needed (a limit that is near, a full stack, a return
 * to another address), the interpreter continues.
 *
 * It assumes nothing about the code: each cell is read when it is executed, and has the same effect
 * and costs the same steps as in the interpreter.  A VM without the JIT (FORTHVM_TIER=interpreter)
 * does not use it; tests compare the tiers. */
#include "vm/run.h"
#include "vm/translate.h"

enum { WORK = 48 }; /* to decode a word and its literals, see fvm_translate */

/* Whether a word can be run here: no limit is near that the interpreter must handle. */
static inline bool may_run_word(const fvm *vm) {
    return fvm_may_enter(vm) && vm->unmetered_work < FVM_WORK_BETWEEN_CHECKS - 2 * WORK &&
           vm->rp < vm->rstack_high;
}

/* Continues in the interpreter at an address.  If there is no code, the error is reported at the
 * instruction before, `last`. */
static fvm_status interpret(fvm *vm, fvm_addr cfa, fvm_addr at, fvm_addr last) {
    vm->jit.ip = last;
    vm->jit.resume = at | (uint64_t)FVM_JIT_CONTINUE << 32;
    return fvm_inner(vm, cfa);
}

/* Whether a return ends the run. */
static inline bool ends_run(const fvm *vm) {
    return vm->rp == vm->rbase + 1 && *vm->rp == FVM_K_STOP &&
           (fvm_addr)fvm_get(vm, FVM_K_STOP) == vm->primitives[FVM_OP_STOP] &&
           fvm_opcode_at(vm, vm->primitives[FVM_OP_STOP]) == FVM_OP_STOP;
}

/* Whether a definition is `variable !`. */
static inline bool is_setter(const fvm *vm, fvm_addr body) {
    return fvm_has_opcode(vm, body, FVM_OP_VAR) && fvm_has_opcode(vm, body + 4, FVM_OP_STORE) &&
           fvm_has_opcode(vm, body + 8, FVM_OP_RETURN);
}

/* Stores the top item in the variable of a setter, which costs no step; false: nothing was done,
 * the interpreter must do it. */
static inline bool run_setter(fvm *vm, fvm_addr body) {
    const fvm_addr variable = (fvm_addr)fvm_get(vm, body) + FVM_BODY;
    if (vm->sp < vm->stack_least[1] || vm->sp > vm->stack_most[1] || (variable & 3) != 0 ||
        !fvm_in_cell(vm, variable) || variable + 4 > vm->high || vm->cells[variable >> 2] != 0)
        return false;
    fvm_put(vm, variable, *vm->sp--);
    return true;
}

/* Whether a definition has machine code.  If not, the call is a profile sample: few slices of fuel
 * end in words that only moves call. */
static inline bool has_code_now(fvm *vm, fvm_addr word) {
    if (FVM_LIKELY(fvm_has_code(vm, word)))
        return true;
    vm->jit.hooks->on_interpreted_run(vm, word + FVM_BODY);
    return fvm_has_code(vm, word) && fvm_may_enter(vm);
}

/* Calls a definition that has machine code.  Returns whether it returned to the address `back`; if
 * not, vm->jit.resume is where the interpreter continues. */
static inline bool call(fvm *vm, fvm_addr word, fvm_addr back) {
    *++vm->rp = (fvm_cell)back;
    vm->fuel--;
    const uint64_t exit = vm->jit.enter(vm, vm->jit.code + vm->code[(word >> 2) + 1].a);
    if (FVM_LIKELY(exit == (back | (uint64_t)FVM_JIT_CONTINUE << 32) && vm->fuel >= 0))
        return true;
    vm->jit.resume = exit;
    return false;
}

/* Runs a definition.  Returns whether the code goes on at `next`.  If not, the interpreter
 * continues, at vm->jit.resume or, if that is 0, at the call. */
static inline bool run_definition(fvm *vm, fvm_addr word, fvm_addr next) {
    const fvm_instruction decoded = {.token = word, .op = FVM_OP_COLON};
    vm->jit.resume = 0;
    if (is_setter(vm, word + FVM_BODY))
        return run_setter(vm, word + FVM_BODY);
    if (fvm_may_be_inlined(vm, word + FVM_BODY) && fvm_is_inlined(vm, &decoded))
        return false;
    return has_code_now(vm, word) && call(vm, word, next);
}

/* Pushes the values of the literals at an address; returns the address after them. */
static inline fvm_addr push_literals(fvm *vm, fvm_addr at, fvm_addr *last) {
    const fvm_addr literal = vm->primitives[FVM_OP_LIT];
    if (fvm_opcode_at(vm, literal) != FVM_OP_LIT)
        return at; /* a script has changed the word */
    for (; fvm_in(vm, at, 8) && (fvm_addr)fvm_get(vm, at) == literal && vm->sp <= vm->stack_most[1];
         at += 8) {
        *++vm->sp = fvm_get(vm, at + 4);
        *last = at;
    }
    return at;
}

/* Whether a primitive is a C function and has no inline operand. */
static inline bool is_function(const fvm *vm, int op) {
    return op >= 0 && op < FVM_PRIMITIVES && vm->words[op] != NULL && !fvm_takes_operand(op);
}

static fvm_status run_cells(fvm *vm, fvm_addr cfa, fvm_addr at) {
    fvm_addr last = at;
    for (;;) {
        at = push_literals(vm, at, &last);
        const int op = fvm_opcode_in(vm, at);
        if (op == FVM_OP_RETURN && ends_run(vm))
            return FVM_OK;
        if (!may_run_word(vm))
            return interpret(vm, cfa, at, last);
        vm->unmetered_work += WORK;
        if (op == FVM_OP_COLON) {
            if (!run_definition(vm, (fvm_addr)fvm_get(vm, at), at + 4))
                return vm->jit.resume != 0 ? fvm_inner(vm, cfa) : interpret(vm, cfa, at, last);
        } else if (is_function(vm, op)) {
            const fvm_status status = vm->words[op](vm);
            if (status != FVM_OK) {
                vm->fault_ip = at;
                fvm_record(vm, status, at);
                return status;
            }
        } else {
            return interpret(vm, cfa, at, last);
        }
        last = at;
        at += 4;
    }
}

fvm_status fvm_run_move_code(fvm *vm, fvm_addr cfa, fvm_addr next) {
    vm->jit.loop.stop = true; /* as in fvm_inner */
    *++vm->rp = FVM_K_STOP;
    return vm->jit.disabled ? interpret(vm, cfa, next, next) : run_cells(vm, cfa, next);
}
