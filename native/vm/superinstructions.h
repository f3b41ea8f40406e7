/* superinstructions.h: what the handlers of several words in one slot are written in
 * (native/fusion.py).
 *
 * It owns how such a handler loads, stores, spends and goes elsewhere; included by
 * inner_interpreter.c, whose variables it takes for granted. */

/* In words that share a slot nothing fails: what cannot be done at once is left to `alone`. */
#undef FAIL
#define FAIL(status_, value_) BAIL
#undef LOAD_CELL
#define LOAD_CELL(addr_, out_)                                                               \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        if (FVM_UNLIKELY(a_ - FVM_LOW > vm->span4))                                          \
            BAIL;                                                                            \
        memcpy(&(out_), mem + FVM_LOW + (uint32_t)(a_ - FVM_LOW), 4);                        \
    } while (0)
#undef LOAD_BYTE
#define LOAD_BYTE(addr_, out_)                                                               \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        if (FVM_UNLIKELY(a_ - FVM_LOW > vm->span4))                                          \
            BAIL;                                                                            \
        (out_) = (int8_t)(mem + FVM_LOW)[(uint32_t)(a_ - FVM_LOW)];                          \
    } while (0)
#undef STORE_CELL
#define STORE_CELL(addr_, value_)                                                            \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        fvm_cell v_ = (value_);                                                              \
        uint32_t cell_ = a_ >> 2 | a_ << 30; /* an odd address is out of bounds, too */      \
        if (FVM_UNLIKELY(cell_ - FVM_LOW / 4 >= vm->high_cells || vm->cells[cell_] != 0))    \
            BAIL;                                                                            \
        vm->dirty[cell_ >> (FVM_PAGE_SHIFT - 2)] = 1;                                        \
        memcpy(mem + a_, &v_, 4);                                                            \
    } while (0)
#undef STORE_BYTE
#define STORE_BYTE(addr_, value_)                                                            \
    do {                                                                                     \
        uint32_t a_ = (uint32_t)(addr_);                                                     \
        fvm_cell v_ = (value_);                                                              \
        if (FVM_UNLIKELY(a_ < FVM_LOW || a_ >= vm->high || vm->cells[a_ >> 2] != 0))         \
            BAIL;                                                                            \
        vm->dirty[a_ >> FVM_PAGE_SHIFT] = 1;                                                 \
        mem[a_] = (uint8_t)v_;                                                               \
    } while (0)
#define LEAST(cells_)                                                                        \
    do {                                                                                     \
        if (FVM_UNLIKELY(sp < vm->stack_least[cells_]))                                      \
            goto alone;                                                                      \
    } while (0)
#define MOST(cells_)                                                                         \
    do {                                                                                     \
        if (FVM_UNLIKELY(sp > vm->stack_most[cells_]))                                       \
            goto alone;                                                                      \
    } while (0)
#define RROOM(cells_)                                                                        \
    do {                                                                                     \
        if (FVM_UNLIKELY(rp >= vm->rstack_high))                                             \
            BAIL;                                                                            \
    } while (0)
/* A step, if there is fuel for so many. */
#define BURN(least_)                                                                         \
    do {                                                                                     \
        if (FVM_UNLIKELY(--fuel < (least_) - 1)) {                                           \
            fuel++;                                                                          \
            BAIL;                                                                            \
        }                                                                                    \
    } while (0)
/* The number of the slot of an address, if there is one. */
#define HOT_TO(target_, to_)                                                                 \
    do {                                                                                     \
        (to_) = (uint32_t)(target_);                                                         \
        (to_) = (to_) >> 2 | (to_) << 30;                                                    \
        if (FVM_UNLIKELY((to_) - FVM_LOW / 4 >= vm->hot_cells))                              \
            BAIL;                                                                            \
    } while (0)
/* To who called; `cells_` behind the slot's first lies the cell that says so. */
#define RETURN_FROM(cells_)                                                                  \
    do {                                                                                     \
        uint32_t to_ = (uint32_t)*rp >> 2 | (uint32_t)*rp << 30;                             \
        if (FVM_UNLIKELY(to_ - FVM_LOW / 4 >= vm->hot_cells)) {                              \
            ip += (cells_);                                                                  \
            cold.ip = (fvm_addr)*rp--;                                                       \
            goto leave_slots;                                                                \
        }                                                                                    \
        rp--;                                                                                \
        ip = code + to_;                                                                     \
        NEXT;                                                                                \
    } while (0)
/* Slots and cells have the same numbers; cells are counted from behind the slot's first. */
#define SLOT_OF(addr_)                                                                       \
    (sizeof(fvm_slot) == 16 ? (const fvm_slot *)((const char *)code + 4 * (size_t)(uint32_t)(addr_)) \
                            : code + ((uint32_t)(addr_) >> 2))
#define CELL_OF(slot_)                                                                       \
    (sizeof(fvm_slot) == 16 ? (uint32_t)(((uintptr_t)(slot_) - (uintptr_t)code) >> 2)        \
                            : (uint32_t)((slot_) - code) << 2)
#define AFTER(cells_) (fvm_cell)(CELL_OF(ip) + 4u * (cells_))
#define CELL_AT(addr_) cell_at(mem, (uint32_t)(addr_))
#define BEHIND(cells_) cell_at(mem + CELL_OF(ip) + 4 * (cells_), 0)
