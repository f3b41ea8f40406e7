/* inner_interpreter.c: the inner interpreter, direct threading over translated slots.
 *
 * It owns dispatch, the two stacks while words run, and nothing else: what a cell means is
 * decided by translate.c.  Code below vm->translated_cells at aligned addresses runs from
 * vm->code, one slot per cell; everything else (moves, which run once or twice, and code at
 * odd addresses) is decoded cell by cell into `scratch`, whose second and third slot lead
 * back to `cold`.
 *
 * A second instance, in the folder trace/, shares handler_macros.h and common_handlers.inc: there
 * every cell is decoded anew and shown to the tracer before it runs.  What a run does and what
 * steps it counts is the same in both. */
#include "vm/handler_macros.h"

/* SPEND before a jump or call.  Where the fuel runs out is a sample of what runs often. */
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
        /* Turned right by two, an odd address is as far out as one beyond the limit. */           \
        uint32_t cell_ = (target_) >> 2 | (target_) << 30;                                         \
        if (FVM_UNLIKELY(cell_ - FVM_LOW / 4 >= vm->translated_cells)) {                           \
            cold.ip = (target_);                                                                   \
            goto leave_slots;                                                                      \
        }                                                                                          \
        ip = code + cell_;                                                                         \
        NEXT;                                                                                      \
    } while (0)
/* Returns to the caller, and on through callers that only have to return, too. */
#define RETURN                                                                                     \
    do {                                                                                           \
        for (;;) {                                                                                 \
            uint32_t cell_ = (uint32_t)*rp >> 2 | (uint32_t)*rp << 30;                             \
            if (FVM_UNLIKELY(cell_ - FVM_LOW / 4 >= vm->translated_cells)) {                       \
                cold.ip = (fvm_addr) * rp--;                                                       \
                goto leave_slots;                                                                  \
            }                                                                                      \
            rp--;                                                                                  \
            ip = code + cell_;                                                                     \
            if (ip->go != GO_RETURN)                                                               \
                NEXT;                                                                              \
            ip++;                                                                                  \
        }                                                                                          \
    } while (0)
/* Enters a definition or a word with a DOES> part without decoding the token. */
#define EXECUTE_AT_ONCE(token_, back_)                                                             \
    if (FVM_LIKELY((token_) - FVM_LOW < vm->span4 - 4)) {                                          \
        uint32_t made = (uint32_t)cell_at(mem, (token_)) ^ FVM_CODE_TAG;                           \
        if (made == FVM_OP_COLON) {                                                                \
            RPUSH(back_);                                                                          \
            SPEND_TO((token_) + 4);                                                                \
            GOTO((token_) + 4);                                                                    \
        }                                                                                          \
        if (made == FVM_OP_DOES && !vm->checked) {                                                 \
            ROOM(1);                                                                               \
            RPUSH(back_);                                                                          \
            *sp++ = tos;                                                                           \
            tos = (fvm_cell)((token_) + 8);                                                        \
            uint32_t part = (uint32_t)cell_at(mem, (token_) + 4);                                  \
            SPEND_TO(part);                                                                        \
            GOTO(part);                                                                            \
        }                                                                                          \
    }
/* The target of a jump or call: its slot, in bytes from the slot after this one. */
#define AWAY(bytes_) (const fvm_slot *)((const char *)ip + (bytes_))
/* The address of an array's item: a is the array's address, b the size of an item. */
#define INDEXED (fvm_cell)((uint32_t)tos * (uint32_t)ip[-1].b + (uint32_t)ip[-1].a)
#define NEXT DISPATCH
#define BEFORE_EXECUTE

/* Runs the word, from the start until it returns.  vm->sp and vm->rp are valid before and after;
 * the caller has pushed nothing for it on the return stack. */
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
    one_by_one cold = {FVM_K_STOP, FVM_K_STOP - 4, word, FVM_K_STOP, 0, 0};

    scratch[1] = (fvm_slot){GO_COLD, 0, 0};
    scratch[3] = scratch[2] = scratch[1];
    ip = scratch + 1;
    RESTORE;
    uint64_t left = vm->jit.resume;
    if (FVM_UNLIKELY(left != 0)) {
        vm->jit.resume = 0;
        goto left_native;
    }
    EXECUTE_AT_ONCE(word, FVM_K_STOP);
    goto execute;

/* clang-format off: labels, cases and handlers are laid out by hand. */
#if !defined(FVM_COMPUTED_GOTO)
dispatch:
    switch ((ip++)->go) {
#endif
        HANDLER(translate) {
            fvm_slot *slot = code + (ip - 1 - code);
            uint32_t addr = (uint32_t)(slot - code) << 2;
            if ((addr - FVM_LOW) >> 2 >= vm->translated_cells) {
                cold.ip = addr;
                goto cold;
            }
            fvm_slot made;
            SAVE;
            status = fvm_translate(vm, addr, &made, &cold.op, &cold.length, true);
            if (status != FVM_OK)
                goto failed;
            made.go = GO_OF(cold.op);
            *slot = made;
            ip = slot;
            NEXT;
        }
    leave_slots:
        /* If there is no code, the error is attributed to the jump. */
        if (!(ip >= scratch && ip <= scratch + 4))
            cold.at = (fvm_addr)((ip - 1 - code) << 2);
        goto cold;
        HANDLER(cold) {
        cold:
            if (fvm_make_translatable(vm, cold.ip)) {
                ip = code + (cold.ip >> 2);
                NEXT;
            }
        colder:
            if (fvm_in(vm, cold.ip, 4))
                cold.at = cold.ip;
            ip = scratch + 1;
            SAVE;
            status = fvm_translate(vm, cold.ip, scratch, &cold.op, &cold.length, false);
            if (status != FVM_OK)
                goto failed;
        decoded:
            scratch[0].go = GO_OF(cold.op);
            cold.ip += cold.length;
            ip = scratch;
            NEXT;
        }
    /* The unfused fallback: the first word of a superinstruction runs by itself. */
    unfused:
        cold.ip = cold.at = (fvm_addr)((ip - 1 - code) << 2);
        cold.op = fvm_operation_at(vm, cold.ip, scratch, &cold.length);
        if (FVM_UNLIKELY(cold.op < 0))
            goto cold;
        goto decoded;
#include "vm/common_handlers.inc"
        HANDLER(native) {
            if (FVM_UNLIKELY(vm->near_limit)) {
                left = (uint32_t)(ip - 1 - code) << 2 | (uint64_t)FVM_LEFT_RESUME << 32;
            } else {
                SAVE;
                left = vm->jit.hooks->enter(vm, ip[-1].a);
                RESTORE;
            }
        left_native:
            cold.ip = (fvm_addr)left;
            if (FVM_UNLIKELY(fuel < 0)) {
                cold.at = cold.ip;
                ip = scratch + 1;
                SAVE;
                status = fvm_refuel_after_steps(vm, cold.ip);
                RESTORE;
                if (status != FVM_OK)
                    goto failed;
            }
            switch (left >> 32) {
            case FVM_LEFT_GO:
                vm->jit.hooks->on_side_exit(vm, (fvm_addr)left);
                ip = scratch + 1; /* where the error is, if there is no code */
                cold.at = vm->jit.ip;
                GOTO((fvm_addr)left);
            case FVM_LEFT_RESUME: /* not by the slot, which may lead back to machine code */
                cold.op = fvm_operation_at(vm, cold.ip, scratch, &cold.length);
                if (cold.op < 0)
                    goto colder; /* which reports the error */
                if (cold.op == FVM_OP_EXECUTE && sp >= vm->stack_least[1])
                    vm->jit.hooks->on_token_exit(vm, (fvm_addr)tos);
                cold.at = cold.ip;
                goto decoded;
            default:
                status = (fvm_status)vm->jit.status;
                if (status == FVM_EXIT_VERIFY)
                    return status;
                cold.at = cold.ip;
                ip = scratch + 1;
                goto failed;
            }
        }
        HANDLER(call) {
            RPUSH(ip[-1].b);
            const fvm_slot *target = AWAY(ip[-1].a);
            SPEND_TO((fvm_addr)(target - code) << 2);
            ip = target;
            NEXT;
        }
        HANDLER(jump) {
            const fvm_slot *target = AWAY(ip[-1].a);
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
            const fvm_slot *target = AWAY(ip[-1].a);
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
                const fvm_slot *target = AWAY(ip[-1].a);
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
            fvm_cell by = tos;
            tos = *--sp;
            *rp = (fvm_cell)((uint32_t)*rp + (uint32_t)by);
            if (by >= 0 ? *rp < rp[-1] : *rp >= rp[-1]) {
                const fvm_slot *target = AWAY(ip[-1].a);
                SPEND_TO((fvm_addr)(target - code) << 2);
                ip = target;
                NEXT;
            }
            rp -= 3;
            ip++;
            NEXT;
        }
/* Short library words in one slot.  If one would fail, it is called, without a step. */
#define WITHIN(least_, most_)                                                                      \
    do {                                                                                           \
        if (FVM_UNLIKELY(sp < vm->stack_least[least_] || sp > vm->stack_most[most_]))              \
            goto inside;                                                                           \
    } while (0)
        HANDLER(read) {
            WITHIN(0, 1);
            fvm_cell value;
            LOAD_CELL(ip[-1].a, value);
            *sp++ = tos;
            tos = value;
            NEXT;
        }
        HANDLER(write) {
            WITHIN(1, 1);
            STORE_CELL(ip[-1].a, tos);
            tos = *--sp;
            NEXT;
        }
        HANDLER(scale) {
            WITHIN(1, 1);
            tos = (fvm_cell)((uint32_t)tos * (uint32_t)ip[-1].a);
            NEXT;
        }
        HANDLER(index) {
            WITHIN(1, 2);
            tos = INDEXED;
            NEXT;
        }
    inside:
        {
            bool single = ip >= scratch && ip <= scratch + 4;
            fvm_addr at = single ? cold.at : (fvm_addr)((ip - 1 - code) << 2);
            fvm_addr cfa = (fvm_addr)cell_at(mem, at);
            uint32_t target = cfa + 4;
            if ((uint32_t)cell_at(mem, cfa) == (FVM_CODE_TAG | FVM_OP_DOES)) {
                ROOM(1);
                target = (uint32_t)cell_at(mem, cfa + 4);
                *sp++ = tos;
                tos = (fvm_cell)(cfa + 8);
            }
            *++rp = (fvm_cell)(at + 4);
            GOTO(target);
        }
#include "vm/superinstructions.h"
#include "generated/super_handlers.inc"
#if !defined(FVM_COMPUTED_GOTO)
    default:
        status = FVM_ERR_BAD_CODE;
        goto failed;
    }
#endif
    /* clang-format on */

failed:
    SAVE;
    vm->fault_ip = ip >= scratch && ip <= scratch + 4 ? cold.at : (fvm_addr)((ip - 1 - code) << 2);
    fvm_record(vm, status, vm->fault_ip);
    return status;
stopped:
    SAVE;
    return FVM_OK;
}
