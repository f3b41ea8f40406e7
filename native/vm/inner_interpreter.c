/* inner_interpreter.c: the inner interpreter, direct threading over translated slots.
 *
 * It owns dispatch, the two stacks while words run, and nothing else: what a cell means is
 * decided by translate.c.  Code below vm->translated_cells at aligned addresses runs from
 * vm->code, one slot per cell; everything else (moves, which run once or twice, and code at
 * odd addresses) is decoded cell by cell into `scratch`, whose second and third slot lead
 * back to `cold`.
 *
 * traced_interpreter.c compiles this file a second time with FVM_TRACED: there every cell is
 * decoded anew, no superinstruction runs, each is shown to trace.c before it runs, and calls are
 * noted.  What a run does and what steps it counts is the same in both. */
#include "vm/stack_checks.h"
#include "vm/primitives.h"
#if defined(FVM_TRACED)
#include "trace/trace.h"
#endif
#include "vm/vm.h"

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

static inline fvm_cell cell_at(const uint8_t *mem, uint32_t addr) {
    fvm_cell cell;
    memcpy(&cell, mem + addr, 4);
    return cell;
}

static inline fvm_cell as_cell(float value) {
    fvm_cell cell;
    memcpy(&cell, &value, 4);
    return cell;
}

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
/* The same on the way to an instruction, which is a sample of what runs much. */
#if defined(FVM_TRACED)
#define SPEND_TO(target_) SPEND
#else
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
#endif
#define LOAD_CELL(addr_, out_)                                                                     \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        if (FVM_LIKELY(a_ - FVM_LOW <= vm->span4))                                                 \
            memcpy(&(out_), mem + a_, 4);                                                          \
        else {                                                                                     \
            fvm_cell slow_; /* of its own: out_ can stay in a register */                          \
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
#if defined(FVM_TRACED)
#define GOTO(target_)                                                                              \
    do {                                                                                           \
        cold.ip = (target_);                                                                       \
        NEXT;                                                                                      \
    } while (0)
/* A call.  What the fast loop has in one slot spends nothing there and needs no room. */
#define ENTER                                                                                      \
    do {                                                                                           \
        if (FVM_UNLIKELY(rp >= vm->rstack_high && !inlined))                                       \
            FAIL(FVM_ERR_RETURN_OVERFLOW, 0);                                                      \
        *++rp = ip[-1].b;                                                                          \
        fvm_trace_enter(trace, (int32_t)(rp - vm->rstack), cold.at, cold.token,                    \
                        (int32_t)(sp - vm->stack));                                                \
    } while (0)
#define SPEND_CALL                                                                                 \
    do {                                                                                           \
        if (!inlined)                                                                              \
            SPEND;                                                                                 \
    } while (0)
#else
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
#endif
/* To who called, and on from there as long as all that is left to do is to return. */
#if defined(FVM_TRACED)
#define RETURN                                                                                     \
    do {                                                                                           \
        cold.ip = (fvm_addr) * rp--;                                                               \
        NEXT;                                                                                      \
    } while (0)
#else
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
#endif
/* A definition or a word with a DOES> part is entered at once. */
#if defined(FVM_TRACED)
#define EXECUTE_AT_ONCE(token_, back_)
#else
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
#endif
#define EXECUTE_TOKEN(token_, back_)                                                               \
    do {                                                                                           \
        cold.token = (token_);                                                                     \
        cold.back = (back_);                                                                       \
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
/* Code and calls that slots lead to: so many bytes from the slot behind. */
#define AWAY(bytes_) (const fvm_slot *)((const char *)ip + (bytes_))
/* Slots that index an array: a is its address, b the size of an item. */
#define INDEXED (fvm_cell)((uint32_t)tos * (uint32_t)ip[-1].b + (uint32_t)ip[-1].a)

#if defined(FVM_COMPUTED_GOTO)
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
#if defined(FVM_TRACED)
#define NEXT goto next
#define INNER fvm_inner_traced
#else
#define NEXT DISPATCH
#define INNER fvm_inner
#endif

/* How code runs that has no slots.  In memory, though it is local: what is kept in registers
 * is moved with every dispatch. */
typedef struct {
    fvm_addr ip;    /* next instruction to decode */
    fvm_addr at;    /* the one in scratch */
    fvm_addr token; /* its word */
    fvm_cell back;  /* where `execute` comes back to */
    int op;
    uint32_t length;
} one_by_one;

/* Does the word, from the start until it returns.  vm->sp and vm->rp are valid
 * before and after; the caller has pushed nothing for it on the return stack. */
fvm_status INNER(fvm *vm, fvm_addr word) {
#if defined(FVM_COMPUTED_GOTO)
#include "generated/labels.inc"
#define GO_OF(op)                                                                                  \
    (intptr_t)((int)(op) < (int)FVM_OP_COLON ? primitive_labels[op]                                \
                                             : special_labels[(int)(op) - (int)FVM_OP_COLON])
#define GO_TRANSLATE (intptr_t)&&op_translate
#define GO_COLD (intptr_t)&&op_cold
#define GO_RETURN (intptr_t)primitive_labels[FVM_OP_RETURN]
#else
    enum {
        SWITCH_translate = 0,
        SWITCH_cold = 1,
        SWITCH_special = FVM_PRIMITIVES + 2,
#define SPECIAL(op, label) SWITCH_##label = SWITCH_special + (op) - FVM_OP_COLON,
#include "tables/special_opcodes.def"
#undef SPECIAL
    };
#define GO_OF(op) ((op) < FVM_OP_COLON ? (op) + 2 : SWITCH_special + (op) - FVM_OP_COLON)
#define GO_TRANSLATE SWITCH_translate
#define GO_COLD SWITCH_cold
#define GO_RETURN (FVM_OP_RETURN + 2)
#endif
#if defined(FVM_TRACED)
    fvm_trace *const trace = vm->trace;
    bool inlined = false; /* the call at hand: the fast loop makes none */
#else
    if (vm->untranslated != GO_TRANSLATE) {
        vm->untranslated = GO_TRANSLATE;
        vm->jit.go = GO_OF((int)FVM_OP_NATIVE);
        return FVM_OK;
    }
#endif
    uint8_t *const mem = vm->mem;
#if !defined(FVM_TRACED)
    fvm_slot *const code = vm->code;
#endif
    fvm_slot scratch[4];
    const fvm_slot *ip;
    fvm_cell *sp, *rp;
    fvm_cell tos;
    int32_t fuel;
    fvm_status status;
    one_by_one cold = {FVM_K_STOP, FVM_K_STOP - 4, word, FVM_K_STOP, 0, 0};

#if !defined(FVM_TRACED)
    scratch[1] = (fvm_slot){GO_COLD, 0, 0};
    scratch[3] = scratch[2] = scratch[1];
#endif
    ip = scratch + 1;
    RESTORE;
#if !defined(FVM_TRACED)
    uint64_t left = vm->jit.resume;
    if (FVM_UNLIKELY(left != 0)) {
        vm->jit.resume = 0;
        goto left_native;
    }
#endif
    EXECUTE_AT_ONCE(word, FVM_K_STOP);
    goto execute;

/* clang-format off: labels, cases and handlers are laid out by hand. */
#if !defined(FVM_COMPUTED_GOTO)
dispatch:
    switch ((ip++)->go) {
#endif
#if defined(FVM_TRACED)
#include "trace/traced_step.inc"
#else
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
    /* Should there be no code, the error lies with who jumped. */
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
    cold.op = fvm_decode(vm, cold.ip, scratch, &cold.length);
    if (FVM_UNLIKELY(cold.op < 0))
        goto cold;
    goto decoded;
#endif
    execute:
        {
            /* the token, to come back to `back` */
            /* The usual tokens, definitions and words of <BUILDS … DOES>, need no decoding. */
            cold.op = -1;
            if (FVM_LIKELY(cold.token - FVM_LOW <= vm->span4))
                memcpy(&cold.op, mem + cold.token, 4);
            cold.op = (int)((uint32_t)cold.op ^ FVM_CODE_TAG);
            if (cold.op == FVM_OP_COLON || (cold.op == FVM_OP_DOES && !vm->checked)) {
                scratch[0].a = (fvm_cell)(cold.token + (cold.op == FVM_OP_COLON ? 4 : 8));
                scratch[0].b = cold.back;
            } else {
                SAVE;
                status = fvm_translate_word(vm, cold.token, (fvm_addr)cold.back, scratch, &cold.op);
                if (status != FVM_OK)
                    goto failed;
            }
            scratch[0].go = GO_OF(cold.op);
            cold.at = (fvm_addr)cold.back - 4;
            cold.ip = (fvm_addr)cold.back;
            ip = scratch;
#if defined(FVM_TRACED)
            inlined = false;
            FVM_TRACE_TOKEN(cold.at, cold.token, true, (void)0);
#endif
            DISPATCH;
        }
#include "generated/handlers.inc"
        HANDLER(colon) {
            ENTER;
            uint32_t target = (uint32_t)ip[-1].a;
            SPEND_CALL;
            GOTO(target);
        }
        HANDLER(move_code) {
            ENTER;
            uint32_t target = (uint32_t)ip[-1].a;
            SPEND_CALL;
            GOTO(target);
        }
        HANDLER(array) {
            FALLIBLE(fvm_check_array(vm, (fvm_addr)ip[-1].a - 8, tos));
            goto does;
        }
        HANDLER(does) {
        does:
            ROOM(1);
            ENTER;
            uint32_t target;
            fvm_cell part, body = ip[-1].a;
            LOAD_CELL(body - 4, part);
            *sp++ = tos;
            tos = body;
            target = (uint32_t)part;
            SPEND_CALL;
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
#if !defined(FVM_TRACED)
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
                ip = scratch + 1; /* should there be no code: who went there */
                cold.at = vm->jit.ip;
                GOTO((fvm_addr)left);
            case FVM_LEFT_RESUME: /* not into a slot, which may lead back at once */
                cold.op = fvm_decode(vm, cold.ip, scratch, &cold.length);
                if (cold.op < 0)
                    goto colder; /* which says why */
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
/* Library words in one slot.  Where they would fail they are called, without a step. */
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
#endif
#if !defined(FVM_COMPUTED_GOTO)
    default:
        status = FVM_ERR_BAD_CODE;
        goto failed;
    }
#endif
    /* clang-format on */

failed:
    SAVE;
#if defined(FVM_TRACED)
    vm->fault_ip = cold.at;
    fvm_trace_failed(vm, status, cold.at, cold.token);
#else
    vm->fault_ip = ip >= scratch && ip <= scratch + 4 ? cold.at : (fvm_addr)((ip - 1 - code) << 2);
    fvm_record(vm, status, vm->fault_ip);
#endif
    return status;
stopped:
    SAVE;
    return FVM_OK;
}
