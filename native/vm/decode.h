/* decode.h: the decoder of compiled code.
 *
 * It owns the format of an instruction: a token (the code field address of a word) and, for some
 * primitives, an inline operand in the next cell.  Superinstructions are in translate.c. */
#ifndef FVM_DECODE_H
#define FVM_DECODE_H

#include "vm/vm.h"

#include "generated/ops.h"

/* One instruction. */
typedef struct {
    fvm_addr token;
    int op;           /* opcode of the token's word; -1: not an instruction */
    fvm_cell operand; /* inline operand, if the primitive has one */
    uint32_t length;  /* length in bytes; 0: the address is outside memory */
} fvm_instruction;

/* The opcode in the code field at cfa; -1: there is no code field. */
static inline int fvm_opcode_at(const fvm *vm, fvm_addr cfa) {
    if (!fvm_in_cell(vm, cfa))
        return -1;
    const uint32_t op = (uint32_t)fvm_get(vm, cfa) ^ FVM_CODE_TAG;
    return op < FVM_PRIMITIVES || (op >= FVM_OP_COLON && op <= FVM_OP_WORD_LIST) ? (int)op : -1;
}

/* The DOES> part of the word at cfa; 0: it has none. */
static inline fvm_addr fvm_does_part(const fvm *vm, fvm_addr cfa) {
    return fvm_opcode_at(vm, cfa) == FVM_OP_DOES && fvm_in_cell(vm, cfa + FVM_DOES_PART)
               ? (fvm_addr)fvm_get(vm, cfa + FVM_DOES_PART)
               : 0;
}

/* The opcode of the word whose token is in the cell at an address; -1: not a token. */
static inline int fvm_opcode_in(const fvm *vm, fvm_addr at) {
    return fvm_in_cell(vm, at) ? fvm_opcode_at(vm, (fvm_addr)fvm_get(vm, at)) : -1;
}

/* Whether a token is that of a word with this opcode. */
static inline bool fvm_is_opcode(const fvm *vm, fvm_addr token, int op) {
    return fvm_in_cell(vm, token) && (uint32_t)fvm_get(vm, token) == (FVM_CODE_TAG ^ (uint32_t)op);
}

/* Whether the cell at an address contains the token of a word with this opcode. */
static inline bool fvm_has_opcode(const fvm *vm, fvm_addr at, int op) {
    return fvm_in_cell(vm, at) && fvm_is_opcode(vm, (fvm_addr)fvm_get(vm, at), op);
}

/* Whether a run could begin now and would end by returning to FVM_K_STOP, without ending at a
 * limit: if the effect of a short word is known, C code may have this effect instead of running it.
 */
static inline bool fvm_may_omit_run(const fvm *vm) {
    return vm->trace == NULL && !vm->interrupted && vm->fuel > 0 && vm->nesting < FVM_MAX_NESTING &&
           vm->sp <= vm->stack_most[2] && vm->rp < vm->rstack_high &&
           fvm_has_opcode(vm, FVM_K_STOP, FVM_OP_STOP);
}

/* Decodes the instruction at an address; its op is -1 if the cell does not contain a token, or if
 * the instruction reaches beyond the end of memory. */
static inline fvm_instruction fvm_decode(const fvm *vm, fvm_addr at) {
    fvm_instruction decoded = {.op = -1};
    if (!fvm_in_cell(vm, at))
        return decoded;
    decoded.length = 4;
    decoded.token = (fvm_addr)fvm_get(vm, at);
    const int op = fvm_opcode_at(vm, decoded.token);
    if (fvm_takes_operand(op)) {
        if (!fvm_in_cell(vm, at + 4))
            return decoded;
        decoded.operand = fvm_get(vm, at + 4);
        decoded.length = 8;
    }
    decoded.op = op;
    return decoded;
}

#endif
