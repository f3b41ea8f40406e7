/* inner.c: the inner interpreter, direct threading over translated slots.
 *
 * It owns dispatch, the two stacks while words run, and nothing else: what a cell means is
 * decided by translate.c.  Code below vm->hot_limit at aligned addresses runs from
 * vm->code, one slot per cell; everything else (moves, which run once or twice, and code at
 * odd addresses) is decoded cell by cell into `scratch`, whose second and third slot lead
 * back to `cold`. */
#include "inner.h"
#include "vm.h"

#include "generated/ops.h"

#include <math.h>

/* What a loop leaves under its limit and index, so that a trace can step over it. */
#define LOOP_MARK ((fvm_cell)0x4C4F4F50)

static inline float as_float(fvm_cell cell) {
    float value;
    memcpy(&value, &cell, 4);
    return value;
}

static inline fvm_cell as_cell(float value) {
    fvm_cell cell;
    memcpy(&cell, &value, 4);
    return cell;
}

#define SAVE                                                                                 \
    do {                                                                                     \
        *sp = tos;                                                                           \
        vm->sp = sp;                                                                         \
        vm->rp = rp;                                                                         \
        vm->fuel = fuel;                                                                     \
    } while (0)
#define RESTORE                                                                              \
    do {                                                                                     \
        sp = vm->sp;                                                                         \
        tos = *sp;                                                                           \
        rp = vm->rp;                                                                         \
        fuel = vm->fuel;                                                                     \
    } while (0)
#define FAIL(status_, value_)                                                                \
    do {                                                                                     \
        status = (status_);                                                                  \
        vm->error.value = (value_);                                                          \
        goto failed;                                                                         \
    } while (0)
#define FALLIBLE(call_)                                                                      \
    do {                                                                                     \
        SAVE;                                                                                \
        status = (call_);                                                                    \
        if (FVM_UNLIKELY(status != FVM_OK))                                                  \
            goto failed;                                                                     \
    } while (0)
#define CALL(function_)                                                                      \
    do {                                                                                     \
        SAVE;                                                                                \
        status = function_(vm);                                                              \
        RESTORE;                                                                             \
        if (FVM_UNLIKELY(status != FVM_OK))                                                  \
            goto failed;                                                                     \
    } while (0)
#define NEED(cells_)                                                                         \
    do {                                                                                     \
        if (FVM_UNLIKELY(sp - vm->stack_low < (cells_)))                                     \
            FAIL(FVM_ERR_STACK_UNDERFLOW, 0);                                                \
    } while (0)
#define ROOM(cells_)                                                                         \
    do {                                                                                     \
        if (FVM_UNLIKELY(vm->stack_high - sp < (cells_)))                                    \
            FAIL(FVM_ERR_STACK_OVERFLOW, 0);                                                 \
    } while (0)
#define RPUSH(value_)                                                                        \
    do {                                                                                     \
        if (FVM_UNLIKELY(rp >= vm->rstack_high))                                             \
            FAIL(FVM_ERR_RETURN_OVERFLOW, 0);                                                \
        *++rp = (value_);                                                                    \
    } while (0)
#define RPUSH3(a_, b_, c_)                                                                   \
    do {                                                                                     \
        if (FVM_UNLIKELY(vm->rstack_high - rp < 3))                                          \
            FAIL(FVM_ERR_RETURN_OVERFLOW, 0);                                                \
        rp[1] = (a_);                                                                        \
        rp[2] = (b_);                                                                        \
        rp[3] = (c_);                                                                        \
        rp += 3;                                                                             \
    } while (0)
#define SPEND                                                                                \
    do {                                                                                     \
        if (FVM_UNLIKELY(--fuel < 0)) {                                                      \
            SAVE;                                                                            \
            status = fvm_refuel(vm);                                                         \
            RESTORE;                                                                         \
            if (status != FVM_OK)                                                            \
                goto failed;                                                                 \
        }                                                                                    \
    } while (0)
#define LOAD_CELL(addr_, out_)                                                               \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4))                                           \
            memcpy(&(out_), mem + a_, 4);                                                    \
        else                                                                                 \
            FALLIBLE(fvm_load_cell(vm, a_, &(out_)));                                        \
    } while (0)
#define STORE_CELL(addr_, value_)                                                            \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        fvm_cell v_ = (value_);                                                              \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4 && (a_ & 3) == 0 && a_ + 4 <= vm->high &&   \
                       vm->cells[a_ >> 2] == 0)) {                                           \
            vm->dirty[a_ >> FVM_PAGE_SHIFT] = 1;                                             \
            memcpy(mem + a_, &v_, 4);                                                        \
        } else {                                                                             \
            FALLIBLE(fvm_store_cell(vm, a_, v_));                                            \
        }                                                                                    \
    } while (0)
#define GOTO(target_)                                                                        \
    do {                                                                                     \
        if (FVM_UNLIKELY((target_) >= vm->hot_limit || ((target_) & 3) != 0)) {              \
            cold_ip = (target_);                                                             \
            goto cold;                                                                       \
        }                                                                                    \
        ip = code + ((target_) >> 2);                                                        \
        NEXT;                                                                                \
    } while (0)
#define EXECUTE_TOKEN(token_, back_)                                                         \
    do {                                                                                     \
        token = (token_);                                                                    \
        cold_back = (back_);                                                                 \
        goto execute;                                                                        \
    } while (0)

#if defined(__GNUC__)
#define OP(n) op_##n:
#define HANDLER(name) op_##name:
#define NEXT                                                                                 \
    do {                                                                                     \
        goto *((const char *)&&op_translate + (ip++)->off);                                  \
    } while (0)
#define OFFSET(label) (int32_t)((const char *)&&op_##label - (const char *)&&op_translate)
#else
#define OP(n) case (n) + 2:
#define HANDLER(name) case SWITCH_##name:
#define NEXT goto dispatch
#endif

/* Does the word at cfa, from the start until it returns.  vm->sp and vm->rp are valid
 * before and after; the caller has pushed nothing for it on the return stack. */
fvm_status fvm_inner(fvm *vm, fvm_addr cfa) {
#if defined(__GNUC__)
#include "generated/offsets.inc"
#else
    enum {
        SWITCH_translate = 0,
        SWITCH_cold = 1,
        SWITCH_special = FVM_PRIMITIVES + 2,
#define SPECIAL(op, label) SWITCH_##label = SWITCH_special + (op) - FVM_OP_COLON,
#include "special_ops.h"
#undef SPECIAL
    };
#define OFFSET_OF(op) ((op) < FVM_OP_COLON ? (op) + 2 : SWITCH_special + (op) - FVM_OP_COLON)
#define COLD_OFFSET SWITCH_cold
#endif
    uint8_t *const mem = vm->mem;
    fvm_slot *const code = vm->code;
    fvm_slot scratch[3];
    const fvm_slot *ip;
    fvm_cell *sp, *rp;
    fvm_cell tos;
    int32_t fuel;
    fvm_status status;
    fvm_addr cold_ip = FVM_K_STOP; /* next instruction to decode */
    fvm_addr cold_at = 0;          /* the one in scratch */
    fvm_addr token = cfa;
    fvm_cell cold_back = FVM_K_STOP;
    int op;
    uint32_t length;

    scratch[1] = (fvm_slot){COLD_OFFSET, 0, 0, 0};
    scratch[2] = scratch[1];
    ip = scratch + 1;
    RESTORE;
    goto execute;

#if !defined(__GNUC__)
dispatch:
    switch ((ip++)->off) {
#endif
    HANDLER(translate) {
        fvm_slot *slot = code + (ip - 1 - code);
        uint32_t addr = (uint32_t)(slot - code) << 2;
        if (addr >= vm->hot_limit) {
            cold_ip = addr;
            goto cold;
        }
        fvm_slot made;
        SAVE;
        status = fvm_translate(vm, addr, &made, &op, &length, true);
        if (status != FVM_OK)
            goto failed;
        made.off = OFFSET_OF(op);
        *slot = made;
        ip = slot;
        NEXT;
    }
    HANDLER(cold) {
    cold:
        if ((cold_ip & 3) == 0 && cold_ip < vm->hot_limit) {
            ip = code + (cold_ip >> 2);
            NEXT;
        }
        cold_at = cold_ip;
        ip = scratch + 1;
        SAVE;
        status = fvm_translate(vm, cold_ip, scratch, &op, &length, false);
        if (status != FVM_OK)
            goto failed;
        scratch[0].off = OFFSET_OF(op);
        cold_ip += length;
        ip = scratch;
        NEXT;
    }
execute: {
    /* token, to come back to cold_back */
    SAVE;
    status = fvm_translate_word(vm, token, (fvm_addr)cold_back, scratch, &op);
    if (status != FVM_OK)
        goto failed;
    scratch[0].off = OFFSET_OF(op);
    cold_at = (fvm_addr)cold_back - 4;
    cold_ip = (fvm_addr)cold_back;
    ip = scratch;
    NEXT;
}
#include "generated/handlers.inc"
    HANDLER(colon) {
        RPUSH(ip[-1].b);
        uint32_t target = (uint32_t)ip[-1].a;
        SPEND;
        GOTO(target);
    }
    HANDLER(move_code) {
        RPUSH(ip[-1].b);
        uint32_t target = (uint32_t)ip[-1].a;
        SPEND;
        GOTO(target);
    }
    HANDLER(array) {
        FALLIBLE(fvm_check_array(vm, (fvm_addr)ip[-1].a - 8, tos));
        goto does;
    }
    HANDLER(does) {
    does:
        ROOM(1);
        RPUSH(ip[-1].b);
        uint32_t target;
        fvm_cell part, body = ip[-1].a;
        LOAD_CELL(body - 4, part);
        *sp++ = tos;
        tos = body;
        target = (uint32_t)part;
        SPEND;
        GOTO(target);
    }
    HANDLER(var) {
        ROOM(1);
        *sp++ = tos;
        tos = ip[-1].a;
        NEXT;
    }
    HANDLER(constant) {
        ROOM(1);
        fvm_cell value;
        LOAD_CELL(ip[-1].a, value);
        *sp++ = tos;
        tos = value;
        NEXT;
    }
    HANDLER(host) {
        SAVE;
        status = fvm_host_word(vm, ip[-1].a);
        RESTORE;
        if (status != FVM_OK)
            goto failed;
        NEXT;
    }
    HANDLER(vocabulary) {
        fvm_put(vm, FVM_K_CONTEXT, ip[-1].a);
        NEXT;
    }
    HANDLER(fetch_var) {
        ROOM(1);
        fvm_cell value;
        LOAD_CELL(ip[-1].a, value);
        *sp++ = tos;
        tos = value;
        ip += ip[-1].c;
        NEXT;
    }
    HANDLER(store_var) {
        NEED(1);
        STORE_CELL(ip[-1].a, tos);
        tos = *--sp;
        ip += ip[-1].c;
        NEXT;
    }
    HANDLER(lit_add) {
        NEED(1);
        tos = (fvm_cell)((uint32_t)tos + (uint32_t)ip[-1].a);
        ip += 2;
        NEXT;
    }
    HANDLER(lit_eq) {
        NEED(1);
        tos = -(tos == ip[-1].a);
        ip += 2;
        NEXT;
    }
    HANDLER(lit_lt) {
        NEED(1);
        tos = -(tos < ip[-1].a);
        ip += 2;
        NEXT;
    }
    HANDLER(lit_gt) {
        NEED(1);
        tos = -(tos > ip[-1].a);
        ip += 2;
        NEXT;
    }
#define FUSED_BRANCH(cells_, take_)                                                          \
    NEED(cells_);                                                                            \
    bool go = (take_);                                                                       \
    sp -= (cells_);                                                                          \
    tos = *sp;                                                                               \
    if (go) {                                                                                \
        uint32_t target = (uint32_t)ip[-1].a;                                                \
        if (FVM_UNLIKELY((fvm_cell)target <= ip[-1].b))                                      \
            SPEND;                                                                           \
        GOTO(target);                                                                        \
    }                                                                                        \
    ip += 2;                                                                                 \
    NEXT
    HANDLER(zeq_branch) { FUSED_BRANCH(1, tos != 0); }
    HANDLER(eq_branch) { FUSED_BRANCH(2, sp[-1] != tos); }
    HANDLER(lt_branch) { FUSED_BRANCH(2, !(sp[-1] < tos)); }
    HANDLER(gt_branch) { FUSED_BRANCH(2, !(sp[-1] > tos)); }
    HANDLER(dup_branch) {
        NEED(1);
        ROOM(1); /* as the two words would */
        if (tos == 0) {
            uint32_t target = (uint32_t)ip[-1].a;
            if (FVM_UNLIKELY((fvm_cell)target <= ip[-1].b))
                SPEND;
            GOTO(target);
        }
        ip += 2;
        NEXT;
    }
    HANDLER(i_add) {
        NEED(1);
        ROOM(1);
        if (FVM_UNLIKELY(rp <= vm->rbase))
            FAIL(FVM_ERR_RETURN_UNDERFLOW, 0);
        tos = (fvm_cell)((uint32_t)tos + (uint32_t)*rp);
        ip++;
        NEXT;
    }
    HANDLER(swap_drop) {
        NEED(2);
        sp--;
        ip++;
        NEXT;
    }
    HANDLER(add_fetch) {
        NEED(2);
        fvm_cell value;
        uint32_t at = (uint32_t)sp[-1] + (uint32_t)tos;
        LOAD_CELL(at, value);
        sp--;
        tos = value;
        ip++;
        NEXT;
    }
#if !defined(__GNUC__)
    default:
        FAIL(FVM_ERR_BAD_CODE, 0);
    }
#endif

failed:
    SAVE;
    vm->fault_ip = ip >= scratch && ip <= scratch + 3 ? cold_at
                                                      : (fvm_addr)((ip - 1 - code) << 2);
    fvm_record(vm, status, vm->fault_ip);
    return status;
stopped:
    SAVE;
    return FVM_OK;
}
