/* inner.c: the inner interpreter, direct threading over translated slots.
 *
 * It owns dispatch, the two stacks while words run, and nothing else: what a cell means is
 * decided by translate.c.  Code below vm->hot_cells at aligned addresses runs from
 * vm->code, one slot per cell; everything else (moves, which run once or twice, and code at
 * odd addresses) is decoded cell by cell into `scratch`, whose second and third slot lead
 * back to `cold`. */
#include "inner.h"
#include "vm.h"

#include "generated/ops.h"

#include <math.h>

/* Labels as values are gcc's and clang's; elsewhere, or with FVM_SWITCH, a switch will do. */
#if defined(__GNUC__) && !defined(FVM_SWITCH)
#define FVM_COMPUTED_GOTO 1
#endif

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
        if (FVM_UNLIKELY(sp < vm->stack_least[cells_]))                                      \
            FAIL(FVM_ERR_STACK_UNDERFLOW, 0);                                                \
    } while (0)
#define ROOM(cells_)                                                                         \
    do {                                                                                     \
        if (FVM_UNLIKELY(sp > vm->stack_most[cells_]))                                       \
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
        else {                                                                               \
            fvm_cell slow_; /* of its own: out_ can stay in a register */                    \
            FALLIBLE(fvm_load_cell(vm, a_, &slow_));                                         \
            (out_) = slow_;                                                                  \
        }                                                                                    \
    } while (0)
#define LOAD_BYTE(addr_, out_)                                                               \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4))                                           \
            (out_) = (int8_t)mem[a_];                                                        \
        else {                                                                               \
            fvm_cell slow_;                                                                  \
            FALLIBLE(fvm_load_byte(vm, a_, &slow_));                                         \
            (out_) = slow_;                                                                  \
        }                                                                                    \
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
        /* Turned right by two, an odd address is as far out as one beyond the limit. */     \
        uint32_t cell_ = (target_) >> 2 | (target_) << 30;                                   \
        if (FVM_UNLIKELY(cell_ - FVM_LOW / 4 >= vm->hot_cells)) {                                          \
            cold_ip = (target_);                                                             \
            goto leave_slots;                                                                \
        }                                                                                    \
        ip = code + cell_;                                                                   \
        NEXT;                                                                                \
    } while (0)
#define EXECUTE_TOKEN(token_, back_)                                                         \
    do {                                                                                     \
        token = (token_);                                                                    \
        cold_back = (back_);                                                                 \
        goto execute;                                                                        \
    } while (0)

#define STORE_BYTE(addr_, value_)                                                            \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        fvm_cell v_ = (value_);                                                              \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4 && a_ < vm->high &&                         \
                       vm->cells[a_ >> 2] == 0)) {                                           \
            vm->dirty[a_ >> FVM_PAGE_SHIFT] = 1;                                             \
            mem[a_] = (uint8_t)v_;                                                           \
        } else {                                                                             \
            FALLIBLE(fvm_store_byte(vm, a_, v_));                                            \
        }                                                                                    \
    } while (0)
/* Slots that index an array: a is its address, b the size of an item. */
#define INDEXED (fvm_cell)((uint32_t)tos * (uint32_t)ip[-1].b + (uint32_t)ip[-1].a)

#if defined(FVM_COMPUTED_GOTO)
#define OP(n) op_##n:
#define HANDLER(name) op_##name:
#define NEXT                                                                                 \
    do {                                                                                     \
        goto *(const void *)(ip++)->go;                                                      \
    } while (0)
#define LABEL(label) &&op_##label
#else
#define OP(n) case (n) + 2:
#define HANDLER(name) case SWITCH_##name:
#define NEXT goto dispatch
#endif

/* Does the word, from the start until it returns.  vm->sp and vm->rp are valid
 * before and after; the caller has pushed nothing for it on the return stack. */
fvm_status fvm_inner(fvm *vm, fvm_addr word) {
#if defined(FVM_COMPUTED_GOTO)
#include "generated/labels.inc"
#define GO_OF(op)                                                                            \
    (intptr_t)((op) < FVM_OP_COLON ? primitive_labels[op] : special_labels[(op) - FVM_OP_COLON])
#define GO_TRANSLATE (intptr_t)&&op_translate
#define GO_COLD (intptr_t)&&op_cold
#else
    enum {
        SWITCH_translate = 0,
        SWITCH_cold = 1,
        SWITCH_special = FVM_PRIMITIVES + 2,
#define SPECIAL(op, label) SWITCH_##label = SWITCH_special + (op) - FVM_OP_COLON,
#include "special_ops.h"
#undef SPECIAL
    };
#define GO_OF(op) ((op) < FVM_OP_COLON ? (op) + 2 : SWITCH_special + (op) - FVM_OP_COLON)
#define GO_TRANSLATE SWITCH_translate
#define GO_COLD SWITCH_cold
#endif
    if (vm->untranslated != GO_TRANSLATE) {
        vm->untranslated = GO_TRANSLATE;
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
    fvm_addr cold_ip = FVM_K_STOP; /* next instruction to decode */
    fvm_addr cold_at = 0;          /* the one in scratch */
    fvm_addr token = word;
    fvm_cell cold_back = FVM_K_STOP;
    int op;
    uint32_t length;

    scratch[1] = (fvm_slot){GO_COLD, 0, 0};
    scratch[3] = scratch[2] = scratch[1];
    ip = scratch + 1;
    RESTORE;
    goto execute;

#if !defined(FVM_COMPUTED_GOTO)
dispatch:
    switch ((ip++)->go) {
#endif
    HANDLER(translate) {
        fvm_slot *slot = code + (ip - 1 - code);
        uint32_t addr = (uint32_t)(slot - code) << 2;
        if ((addr - FVM_LOW) >> 2 >= vm->hot_cells) {
            cold_ip = addr;
            goto cold;
        }
        fvm_slot made;
        SAVE;
        status = fvm_translate(vm, addr, &made, &op, &length, true);
        if (status != FVM_OK)
            goto failed;
        made.go = GO_OF(op);
        *slot = made;
        ip = slot;
        NEXT;
    }
leave_slots:
    /* Should there be no code, the error lies with who jumped. */
    if (!(ip >= scratch && ip <= scratch + 4))
        cold_at = (fvm_addr)((ip - 1 - code) << 2);
    goto cold;
    HANDLER(cold) {
    cold:
        if (fvm_heat(vm, cold_ip)) {
            ip = code + (cold_ip >> 2);
            NEXT;
        }
        if (fvm_in(vm, cold_ip, 4))
            cold_at = cold_ip;
        ip = scratch + 1;
        SAVE;
        status = fvm_translate(vm, cold_ip, scratch, &op, &length, false);
        if (status != FVM_OK)
            goto failed;
        scratch[0].go = GO_OF(op);
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
    scratch[0].go = GO_OF(op);
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
    HANDLER(call) {
        RPUSH(ip[-1].b);
        const fvm_slot *target = code + (uint32_t)ip[-1].a;
        SPEND;
        ip = target;
        NEXT;
    }
    HANDLER(jump) {
        const fvm_slot *target = code + (uint32_t)ip[-1].a;
        if (FVM_UNLIKELY(target < ip))
            SPEND;
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
        const fvm_slot *target = code + (uint32_t)ip[-1].a;
        if (FVM_UNLIKELY(target < ip))
            SPEND;
        ip = target;
        NEXT;
    }
    HANDLER(loop_back) {
        if (FVM_UNLIKELY(rp < vm->rloop))
            FAIL(FVM_ERR_RETURN_UNDERFLOW, 0);
        fvm_cell index = (fvm_cell)((uint32_t)*rp + 1u);
        *rp = index;
        if (index < rp[-1]) {
            const fvm_slot *target = code + (uint32_t)ip[-1].a;
            SPEND;
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
            const fvm_slot *target = code + (uint32_t)ip[-1].a;
            SPEND;
            ip = target;
            NEXT;
        }
        rp -= 3;
        ip++;
        NEXT;
    }
    HANDLER(read) {
        ROOM(1);
        fvm_cell value;
        LOAD_CELL(ip[-1].a, value);
        *sp++ = tos;
        tos = value;
        NEXT;
    }
    HANDLER(write) {
        NEED(1);
        STORE_CELL(ip[-1].a, tos);
        tos = *--sp;
        NEXT;
    }
    HANDLER(scale) {
        NEED(1);
        ROOM(1);
        tos = (fvm_cell)((uint32_t)tos * (uint32_t)ip[-1].a);
        NEXT;
    }
    HANDLER(index) {
        NEED(1);
        ROOM(2);
        tos = INDEXED;
        NEXT;
    }
#include "fused.inc"
#if !defined(FVM_COMPUTED_GOTO)
    default:
        FAIL(FVM_ERR_BAD_CODE, 0);
    }
#endif

failed:
    SAVE;
    vm->fault_ip = ip >= scratch && ip <= scratch + 4 ? cold_at
                                                      : (fvm_addr)((ip - 1 - code) << 2);
    fvm_record(vm, status, vm->fault_ip);
    return status;
stopped:
    SAVE;
    return FVM_OK;
}
