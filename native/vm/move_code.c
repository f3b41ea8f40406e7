/* move_code.c: runs the code of moves without the interpreter, as far as possible.
 *
 * The code of a move lies outside translated memory, so the interpreter decodes each of its cells
 * each time the move is applied, and enters and leaves machine code for each call.  This file runs
 * the three kinds of instructions that most moves consist of: literals, primitives that are C
 * functions, and calls of definitions that have machine code.  At the first other instruction, and
 * at every condition that needs care (a limit that is near, a full stack, an exit from machine
 * code), the interpreter continues at that instruction.  So each cell has the same effect, and
 * costs the same steps and work, as in the interpreter.
 *
 * It assumes nothing about the code, and must not know what the words do.  A VM without the JIT
 * (FORTHVM_TIER=interpreter) does not use it; tests compare the tiers. */
#include "vm/run.h"
#include "vm/translate.h"

enum { WORK = 16 }; /* to decode a cell, see fvm_translate */

/* Whether instructions may run here: no limit is near that the interpreter must handle. */
static inline bool may_continue(const fvm *vm) {
    return fvm_may_enter(vm) && vm->unmetered_work < FVM_WORK_BETWEEN_CHECKS - 4 * WORK &&
           vm->rp < vm->rstack_high && vm->sp <= vm->stack_most[1];
}

/* Continues in the interpreter, as after an exit from machine code to the address. */
static fvm_status interpret(fvm *vm, fvm_addr cfa, fvm_addr at) {
    vm->jit.resume = at | (uint64_t)FVM_JIT_CONTINUE << 32;
    return fvm_inner(vm, cfa);
}

/* Whether a return ends the run. */
static inline bool ends_run(const fvm *vm) {
    return vm->rp == vm->rbase + 1 && *vm->rp == FVM_K_STOP &&
           (fvm_addr)fvm_get(vm, FVM_K_STOP) == vm->primitives[FVM_OP_STOP] &&
           fvm_opcode_at(vm, vm->primitives[FVM_OP_STOP]) == FVM_OP_STOP;
}

/* Calls a definition that has machine code.  Returns whether it returned to the address `back`; if
 * not, vm->jit.resume is where the interpreter continues. */
static inline bool call(fvm *vm, fvm_addr word, fvm_addr back) {
    *++vm->rp = (fvm_cell)back;
    vm->fuel--;
    const uint64_t exit = vm->jit.enter(vm, vm->jit.code + vm->code[(word >> 2) + 1].a);
    if (exit == (back | (uint64_t)FVM_JIT_CONTINUE << 32) && vm->fuel >= 0)
        return true;
    vm->jit.resume = exit;
    return false;
}

/* Whether a definition has machine code.  If not, the call is a profile sample: few slices of fuel
 * end in words that only moves call, so these words would rarely be compiled. */
static inline bool has_code_now(fvm *vm, fvm_addr word) {
    if (fvm_has_code(vm, word))
        return true;
    vm->jit.hooks->on_side_exit(vm, word + 4);
    return fvm_has_code(vm, word) && fvm_may_enter(vm);
}

static fvm_status run_cells(fvm *vm, fvm_addr cfa, fvm_addr at) {
    while (may_continue(vm) && !fvm_make_translatable(vm, at)) {
        const fvm_instruction decoded = fvm_decode(vm, at);
        const fvm_addr next = at + decoded.length;
        vm->jit.ip = at; /* if there is no code at `next`, the error is reported here */
        if (decoded.op == FVM_OP_LIT) {
            *++vm->sp = decoded.operand;
        } else if (decoded.op == FVM_OP_COLON) {
            if (fvm_is_inlined(vm, &decoded) || !has_code_now(vm, decoded.token))
                break;
            if (!call(vm, decoded.token, next)) {
                vm->unmetered_work += WORK;
                return fvm_inner(vm, cfa);
            }
        } else if (decoded.op == FVM_OP_RETURN && ends_run(vm)) {
            vm->unmetered_work += 2 * WORK; /* the return and the stop */
            return FVM_OK;
        } else {
            if (decoded.op < 0 || decoded.op >= FVM_PRIMITIVES || decoded.length != 4 ||
                vm->words[decoded.op] == NULL)
                break;
            const fvm_status status = vm->words[decoded.op](vm);
            if (status != FVM_OK) {
                vm->fault_ip = at;
                fvm_record(vm, status, at);
                return status;
            }
        }
        vm->unmetered_work += WORK;
        at = next;
    }
    return interpret(vm, cfa, at);
}

fvm_status fvm_run_move_code(fvm *vm, fvm_addr cfa) {
    if (vm->jit.disabled || !may_continue(vm) || !fvm_in(vm, cfa, 8) ||
        fvm_make_translatable(vm, cfa + 4))
        return vm->inner(vm, cfa);
    vm->jit.loop.stop = true; /* as in fvm_inner */
    *++vm->rp = FVM_K_STOP;
    vm->fuel--;
    return run_cells(vm, cfa, cfa + 4);
}
