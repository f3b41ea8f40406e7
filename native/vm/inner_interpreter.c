/* inner_interpreter.c: the inner interpreter, direct threading over slots.
 *
 * It owns dispatch, and the two stacks while words run.  translate.c decides which operation a slot
 * has.  Code at aligned addresses below the translated limit is executed from vm->code, one slot
 * per cell.  Other code (moves, and code at unaligned addresses) is decoded into `scratch`, one
 * instruction at a time; the slots after the first one of `scratch` lead to the label `decode`.
 *
 * trace/traced_interpreter.c is a second instance with the same handlers, which decodes every cell
 * and reports it to the trace.  Both have the same results and count the same steps. */
#include "vm/handler_macros.h"

/* Charges a step before a jump or call.  At the end of a slice the target of the jump or call is a
 * profile sample. */
#define SPEND_TO(target_)                                                                          \
    do {                                                                                           \
        if (FVM_UNLIKELY(--fuel < 0)) {                                                            \
            SAVE;                                                                                  \
            status = fvm_refuel_at(vm, (target_));                                                 \
            RESTORE;                                                                               \
            if (status != FVM_OK)                                                                  \
                goto failed;                                                                       \
        }                                                                                          \
    } while (0)
#define ENTER RPUSH(ip[-1].b)
#define SPEND_CALL SPEND_TO(target)
#define GOTO(target_)                                                                              \
    do {                                                                                           \
        /* Rotated right by two bits, an unaligned address exceeds the limit. */                   \
        uint32_t cell_ = (target_) >> 2 | (target_) << 30;                                         \
        if (FVM_UNLIKELY(cell_ - FVM_LOW / 4 >= vm->translated_cells)) {                           \
            decoder.ip = (target_);                                                                \
            goto leave_slots;                                                                      \
        }                                                                                          \
        ip = code + cell_;                                                                         \
        NEXT;                                                                                      \
    } while (0)
/* Returns to the caller, and also from the caller if its next instruction is a return. */
#define RETURN                                                                                     \
    do {                                                                                           \
        for (;;) {                                                                                 \
            if (FVM_UNLIKELY(rp <= vm->rbase))                                                     \
                goto lost_return;                                                                  \
            uint32_t cell_ = (uint32_t)*rp >> 2 | (uint32_t)*rp << 30;                             \
            if (FVM_UNLIKELY(cell_ - FVM_LOW / 4 >= vm->translated_cells)) {                       \
                decoder.ip = (fvm_addr) * rp--;                                                    \
                goto leave_slots;                                                                  \
            }                                                                                      \
            rp--;                                                                                  \
            ip = code + cell_;                                                                     \
            if (ip->go != GO_RETURN)                                                               \
                NEXT;                                                                              \
            ip++;                                                                                  \
        }                                                                                          \
    } while (0)
/* Executes a definition or a word with a DOES> part without decoding the token. */
#define EXECUTE_DIRECTLY(token_, back_)                                                            \
    if (FVM_LIKELY((token_) - FVM_LOW < vm->span4 - 4)) {                                          \
        uint32_t op_ = (uint32_t)fvm_cell_in(mem, (token_)) ^ FVM_CODE_TAG;                        \
        if (op_ == FVM_OP_COLON) {                                                                 \
            RPUSH(back_);                                                                          \
            SPEND_TO((token_) + FVM_BODY);                                                         \
            GOTO((token_) + FVM_BODY);                                                             \
        }                                                                                          \
        if (op_ == FVM_OP_DOES && !vm->checked) {                                                  \
            ROOM(1);                                                                               \
            RPUSH(back_);                                                                          \
            *sp++ = tos;                                                                           \
            tos = (fvm_cell)((token_) + FVM_DOES_BODY);                                            \
            uint32_t part = (uint32_t)fvm_cell_in(mem, (token_) + FVM_DOES_PART);                  \
            SPEND_TO(part);                                                                        \
            GOTO(part);                                                                            \
        }                                                                                          \
    }
/* The slot of a target, by its distance in bytes from the slot after the current one. */
#define TARGET_SLOT(bytes_) (const fvm_slot *)((const char *)ip + (bytes_))
/* The address of an array item: operand a is the address of the array, b the size of an item. */
#define INDEXED (fvm_cell)((uint32_t)tos * (uint32_t)ip[-1].b + (uint32_t)ip[-1].a)
#define NEXT DISPATCH
#define BEFORE_EXECUTE

/* Runs a word until it returns.  vm->sp and vm->rp are valid before and after.  The caller need not
 * push a return address.  The first call for a VM only sets vm->untranslated. */
fvm_status fvm_inner(fvm *vm, fvm_addr word) {
#include "vm/dispatch_targets.inc"
    if (vm->untranslated != GO_TRANSLATE) {
        vm->untranslated = GO_TRANSLATE;
        vm->jit.go = GO_OF((int)FVM_OP_NATIVE);
        return FVM_OK;
    }
    uint8_t *const mem = vm->mem;
    fvm_slot *const code = vm->code;
    fvm_slot scratch[4];
    const fvm_slot *ip;
    fvm_cell *sp, *rp;
    fvm_cell tos;
    int32_t fuel;
    fvm_status status;
    decoder_state decoder = {FVM_K_STOP, FVM_K_STOP - 4, word, FVM_K_STOP, 0, 0};

    scratch[1] = (fvm_slot){GO_DECODE, 0, 0};
    scratch[3] = scratch[2] = scratch[1];
    ip = scratch + 1;
    RESTORE;
    vm->jit.loop.stop = true; /* words may pop cells below the base of the stack */
    uint64_t native_exit = vm->jit.resume;
    if (FVM_UNLIKELY(native_exit != 0)) {
        vm->jit.resume = 0;
        goto left_machine_code;
    }
    EXECUTE_DIRECTLY(word, FVM_K_STOP);
    goto execute;

/* clang-format off: labels, cases and handlers are laid out by hand. */
#if defined(FVM_SWITCH)
dispatch:
    switch ((ip++)->go) {
#endif
        HANDLER(translate) {
            fvm_slot *slot = code + (ip - 1 - code);
            uint32_t addr = (uint32_t)(slot - code) << 2;
            if ((addr - FVM_LOW) >> 2 >= vm->translated_cells) {
                decoder.ip = addr;
                goto decode;
            }
            fvm_slot translated;
            SAVE;
            status = fvm_translate(vm, addr, &translated, &decoder.op, &decoder.length, true);
            if (status != FVM_OK)
                goto failed;
            translated.go = GO_OF(decoder.op);
            *slot = translated;
            ip = slot;
            NEXT;
        }
    leave_slots:
        /* If there is no code at the target, the error is reported at the jump. */
        if (!(ip >= scratch && ip <= scratch + 4))
            decoder.at = (fvm_addr)((ip - 1 - code) << 2);
        goto decode;
        HANDLER(decode) {
        decode:
            if (fvm_make_translatable(vm, decoder.ip)) {
                ip = code + (decoder.ip >> 2);
                NEXT;
            }
        decode_cell:
            if (fvm_in(vm, decoder.ip, 4))
                decoder.at = decoder.ip;
            ip = scratch + 1;
            SAVE;
            status = fvm_translate(vm, decoder.ip, scratch, &decoder.op, &decoder.length, false);
            if (status != FVM_OK)
                goto failed;
        decoded:
            scratch[0].go = GO_OF(decoder.op);
            decoder.ip += decoder.length;
            ip = scratch;
            NEXT;
        }
    /* The unfused fallback: executes only the first word of a superinstruction. */
    unfused:
        decoder.ip = decoder.at = (fvm_addr)((ip - 1 - code) << 2);
        decoder.op = fvm_operation_at(vm, decoder.ip, scratch, &decoder.length);
        if (FVM_UNLIKELY(decoder.op < 0))
            goto decode;
        goto decoded;
#include "vm/common_handlers.inc"
        HANDLER(native) {
            /* Machine code expects that its first return address belongs to this run. */
            if (FVM_UNLIKELY(vm->near_limit || rp <= vm->rbase)) {
                native_exit = (uint32_t)(ip - 1 - code) << 2 | (uint64_t)FVM_JIT_INTERPRET << 32;
            } else {
                SAVE;
                native_exit = vm->jit.enter(vm, vm->jit.code + ip[-1].a);
                RESTORE;
            }
        left_machine_code:
            decoder.ip = (fvm_addr)native_exit;
            if (FVM_UNLIKELY(fuel < 0)) {
                decoder.at = decoder.ip;
                ip = scratch + 1;
                SAVE;
                status = fvm_refuel_after_steps(vm, decoder.ip);
                RESTORE;
                if (status != FVM_OK)
                    goto failed;
            }
            switch (native_exit >> 32) {
            case FVM_JIT_CONTINUE:
                vm->jit.hooks->on_side_exit(vm, (fvm_addr)native_exit);
                ip = scratch + 1; /* if there is no code there, the error is reported at jit.ip */
                decoder.at = vm->jit.ip;
                GOTO((fvm_addr)native_exit);
            case FVM_JIT_INTERPRET: /* not the slot, which may lead back to machine code */
                vm->jit.side_exits++;
                decoder.op = fvm_operation_at(vm, decoder.ip, scratch, &decoder.length);
                if (decoder.op < 0)
                    goto decode_cell; /* reports the error */
                /* With less fuel the exit may be one for lack of fuel. */
                if (decoder.op == FVM_OP_EXECUTE && sp >= vm->stack_least[1] && fuel > FVM_OVERRUN)
                    vm->jit.hooks->on_token_exit(vm, (fvm_addr)tos, decoder.ip);
                decoder.at = decoder.ip;
                goto decoded;
            case FVM_JIT_ENDED:
                return FVM_EXIT_VERIFY;
            default:
                status = (fvm_status)vm->jit.status;
                if (status == FVM_EXIT_VERIFY)
                    return status;
                decoder.at = decoder.ip;
                ip = scratch + 1;
                goto failed;
            }
        }
        HANDLER(call) {
            RPUSH(ip[-1].b);
            const fvm_slot *target = TARGET_SLOT(ip[-1].a);
            SPEND_TO((fvm_addr)(target - code) << 2);
            ip = target;
            NEXT;
        }
        HANDLER(jump) {
            const fvm_slot *target = TARGET_SLOT(ip[-1].a);
            if (FVM_UNLIKELY(target < ip))
                SPEND_TO((fvm_addr)(target - code) << 2);
            ip = target;
            NEXT;
        }
        HANDLER(jump_zero) {
            NEED(1);
            fvm_cell flag = tos;
            tos = *--sp;
            if (flag != 0) {
                ip++;
                NEXT;
            }
            const fvm_slot *target = TARGET_SLOT(ip[-1].a);
            if (FVM_UNLIKELY(target < ip))
                SPEND_TO((fvm_addr)(target - code) << 2);
            ip = target;
            NEXT;
        }
        HANDLER(loop_back) {
            if (FVM_UNLIKELY(rp < vm->rloop))
                FAIL(FVM_ERR_RETURN_UNDERFLOW, 0);
            fvm_cell index = (fvm_cell)((uint32_t)*rp + 1u);
            *rp = index;
            if (index < rp[-1]) {
                const fvm_slot *target = TARGET_SLOT(ip[-1].a);
                SPEND_TO((fvm_addr)(target - code) << 2);
                ip = target;
                NEXT;
            }
            rp -= 3;
            ip++;
            NEXT;
        }
        HANDLER(loop_back_by) {
            NEED(1);
            if (FVM_UNLIKELY(rp < vm->rloop))
                FAIL(FVM_ERR_RETURN_UNDERFLOW, 0);
            fvm_cell increment = tos;
            tos = *--sp;
            *rp = (fvm_cell)((uint32_t)*rp + (uint32_t)increment);
            if (increment >= 0 ? *rp < rp[-1] : *rp >= rp[-1]) {
                const fvm_slot *target = TARGET_SLOT(ip[-1].a);
                SPEND_TO((fvm_addr)(target - code) << 2);
                ip = target;
                NEXT;
            }
            rp -= 3;
            ip++;
            NEXT;
        }
/* Short library words that are inlined in one slot.  If such a word would fail, its body is called
 * without a step, so that the error is reported in the body.  pops_, pushes_: numbers of items. */
#define CHECK_DEPTH(pops_, pushes_)                                                                \
    do {                                                                                           \
        if (FVM_UNLIKELY(sp < vm->stack_least[pops_] || sp > vm->stack_most[pushes_]))             \
            goto call_body;                                                                        \
    } while (0)
        HANDLER(read) {
            CHECK_DEPTH(0, 1);
            fvm_cell value;
            LOAD_CELL(ip[-1].a, value);
            *sp++ = tos;
            tos = value;
            NEXT;
        }
        HANDLER(write) {
            CHECK_DEPTH(1, 1);
            STORE_CELL(ip[-1].a, tos);
            tos = *--sp;
            NEXT;
        }
        HANDLER(scale) {
            CHECK_DEPTH(1, 1);
            tos = (fvm_cell)((uint32_t)tos * (uint32_t)ip[-1].a);
            NEXT;
        }
        HANDLER(index) {
            CHECK_DEPTH(1, 2);
            tos = INDEXED;
            NEXT;
        }
    call_body:
        {
            bool from_scratch = ip >= scratch && ip <= scratch + 4;
            fvm_addr at = from_scratch ? decoder.at : (fvm_addr)((ip - 1 - code) << 2);
            fvm_addr cfa = (fvm_addr)fvm_cell_in(mem, at);
            uint32_t target = cfa + FVM_BODY;
            if ((uint32_t)fvm_cell_in(mem, cfa) == (FVM_CODE_TAG | FVM_OP_DOES)) {
                ROOM(1);
                target = (uint32_t)fvm_cell_in(mem, cfa + FVM_DOES_PART);
                *sp++ = tos;
                tos = (fvm_cell)(cfa + FVM_DOES_BODY);
            }
            *++rp = (fvm_cell)(at + 4);
            GOTO(target);
        }
#include "vm/superinstructions.h"
#include "generated/super_handlers.inc"
#if defined(FVM_SWITCH)
    default:
        status = FVM_ERR_BAD_CODE;
        goto failed;
    }
#endif
    /* clang-format on */

failed:
    SAVE;
    vm->fault_ip =
        ip >= scratch && ip <= scratch + 4 ? decoder.at : (fvm_addr)((ip - 1 - code) << 2);
    fvm_record(vm, status, vm->fault_ip);
    return status;
stopped:
    SAVE;
    return FVM_OK;
}
