/* handler_macros.h: the macros used by the handlers of both instances of the inner interpreter.
 *
 * It owns how a handler saves and restores the interpreter's registers, fails, charges steps and
 * accesses memory.  The including file defines how control passes from one instruction to the next:
 * NEXT, GOTO, RETURN, ENTER, SPEND_TO, SPEND_CALL, EXECUTE_DIRECTLY and BEFORE_EXECUTE. */
#ifndef FVM_HANDLER_MACROS_H
#define FVM_HANDLER_MACROS_H

#include "vm/primitives.h"
#include "vm/fast_path.h"
#include "vm/stack_checks.h"
#include "vm/vm.h"

#include "generated/ops.h"

#include <math.h>

/* SAVE stores the interpreter's registers in the VM before C functions run; RESTORE loads them. */
#define SAVE                                                                                       \
    do {                                                                                           \
        *sp = tos;                                                                                 \
        vm->sp = sp;                                                                               \
        vm->rp = rp;                                                                               \
        vm->fuel = fuel;                                                                           \
    } while (0)
#define RESTORE                                                                                    \
    do {                                                                                           \
        sp = vm->sp;                                                                               \
        tos = *sp;                                                                                 \
        rp = vm->rp;                                                                               \
        fuel = vm->fuel;                                                                           \
    } while (0)
#define FAIL(status_, value_)                                                                      \
    do {                                                                                           \
        status = (status_);                                                                        \
        vm->error.value = (value_);                                                                \
        goto failed;                                                                               \
    } while (0)
/* FALLIBLE calls a function that does not change the stacks; CALL calls one that may do so. */
#define FALLIBLE(call_)                                                                            \
    do {                                                                                           \
        SAVE;                                                                                      \
        status = (call_);                                                                          \
        if (FVM_UNLIKELY(status != FVM_OK))                                                        \
            goto failed;                                                                           \
    } while (0)
#define CALL(function_)                                                                            \
    do {                                                                                           \
        SAVE;                                                                                      \
        status = function_(vm);                                                                    \
        RESTORE;                                                                                   \
        if (FVM_UNLIKELY(status != FVM_OK))                                                        \
            goto failed;                                                                           \
    } while (0)
#define SPEND                                                                                      \
    do {                                                                                           \
        if (FVM_UNLIKELY(--fuel < 0)) {                                                            \
            SAVE;                                                                                  \
            status = fvm_refuel(vm);                                                               \
            RESTORE;                                                                               \
            if (status != FVM_OK)                                                                  \
                goto failed;                                                                       \
        }                                                                                          \
    } while (0)
/* Cells can be read at the addresses from FVM_LOW to FVM_LOW + vm->span4.  Bytes are accessed
 * directly at the same addresses only; the functions that FALLIBLE calls access all others or
 * report an error. */
#define LOAD_CELL(addr_, out_)                                                                     \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4))                                                 \
            memcpy(&(out_), mem + a_, 4);                                                          \
        else {                                                                                     \
            fvm_cell slow_; /* a separate variable, so that out_ can be in a register */           \
            FALLIBLE(fvm_load_cell(vm, a_, &slow_));                                               \
            (out_) = slow_;                                                                        \
        }                                                                                          \
    } while (0)
#define LOAD_BYTE(addr_, out_)                                                                     \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4))                                                 \
            (out_) = (int8_t)mem[a_];                                                              \
        else {                                                                                     \
            fvm_cell slow_;                                                                        \
            FALLIBLE(fvm_load_byte(vm, a_, &slow_));                                               \
            (out_) = slow_;                                                                        \
        }                                                                                          \
    } while (0)
/* vm->cells contains the marks of each cell, not its value.  The macros store only to cells without
 * marks; the functions that FALLIBLE calls also do what the marks require. */
#define STORE_CELL(addr_, value_)                                                                  \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        fvm_cell v_ = (value_);                                                                    \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4 && (a_ & 3) == 0 && a_ + 4 <= vm->high &&         \
                       vm->cells[a_ >> 2] == 0)) {                                                 \
            vm->dirty[a_ >> FVM_PAGE_SHIFT] = 1;                                                   \
            memcpy(mem + a_, &v_, 4);                                                              \
        } else {                                                                                   \
            FALLIBLE(fvm_store_cell(vm, a_, v_));                                                  \
        }                                                                                          \
    } while (0)
#define EXECUTE_TOKEN(token_, back_)                                                               \
    do {                                                                                           \
        decoder.token = (token_);                                                                  \
        decoder.back = (back_);                                                                    \
        goto execute;                                                                              \
    } while (0)

#define STORE_BYTE(addr_, value_)                                                                  \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        fvm_cell v_ = (value_);                                                                    \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4 && a_ < vm->high && vm->cells[a_ >> 2] == 0)) {   \
            vm->dirty[a_ >> FVM_PAGE_SHIFT] = 1;                                                   \
            mem[a_] = (uint8_t)v_;                                                                 \
        } else {                                                                                   \
            FALLIBLE(fvm_store_byte(vm, a_, v_));                                                  \
        }                                                                                          \
    } while (0)
#if !defined(FVM_SWITCH) /* dispatch uses labels as values; else a switch */
#define OP(n) op_##n:
#define HANDLER(name) op_##name:
#define DISPATCH                                                                                   \
    do {                                                                                           \
        goto *(const void *)(ip++)->go;                                                            \
    } while (0)
#define LABEL(label) &&op_##label
#else
#define OP(n) case (n) + 2:
#define HANDLER(name) case SWITCH_##name:
#define DISPATCH goto dispatch
#endif

/* The state of code that is executed without slots: each instruction is decoded into `scratch`.  It
 * is a struct so that compilers keep its fields in memory.  Compilers would keep local variables in
 * registers and move them between registers at every dispatch. */
typedef struct {
    fvm_addr ip;     /* address of the next instruction to decode */
    fvm_addr at;     /* address of the instruction in `scratch` */
    fvm_addr token;  /* token of that instruction */
    fvm_cell back;   /* address at which `execute` continues after the token */
    int op;          /* operation of that instruction */
    uint32_t length; /* length of that instruction in bytes */
} decoder_state;

#endif
