/* special_ops.h: opcodes beside the primitives and the labels of their handlers in inner.c,
 * in the order of the enum in vm.h.  Include with SPECIAL(op, label) defined.  Traced code has
 * one token in a slot, so it needs the first few only. */
SPECIAL(FVM_OP_COLON, colon)
SPECIAL(FVM_OP_VAR, var)
SPECIAL(FVM_OP_DOES, does)
SPECIAL(FVM_OP_MOVE_CODE, move_code)
SPECIAL(FVM_OP_HOST, host)
SPECIAL(FVM_OP_WORD_LIST, vocabulary)
SPECIAL(FVM_OP_CONSTANT, constant)
SPECIAL(FVM_OP_ARRAY, array)
#if !defined(FVM_TRACED)
SPECIAL(FVM_OP_NATIVE, native)
SPECIAL(FVM_OP_CALL, call)
SPECIAL(FVM_OP_JUMP, jump)
SPECIAL(FVM_OP_JUMP_ZERO, jump_zero)
SPECIAL(FVM_OP_JUMP_TO_ZERO, jump_to_zero)
SPECIAL(FVM_OP_LOOP_BACK, loop_back)
SPECIAL(FVM_OP_LOOP_BACK_BY, loop_back_by)
SPECIAL(FVM_OP_READ, read)
SPECIAL(FVM_OP_WRITE, write)
SPECIAL(FVM_OP_SCALE, scale)
SPECIAL(FVM_OP_INDEX, index)
#include "generated/fused_ops.h"
#endif
