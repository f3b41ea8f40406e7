/* superinstructions.h: the macros used by the generated handlers of superinstructions.
 *
 * Owns loads, stores and the unfused fallback of these handlers.  Included by inner_interpreter.c
 * after the other handlers, whose variables it uses.  A superinstruction never fails: it takes the
 * fallback before it has changed anything.  Its words then run one by one, and the word that fails
 * reports the error. */
#define FALLBACK goto unfused
#undef FAIL
#define FAIL(status_, value_) FALLBACK
#define SPEND_OR_FALL_BACK                                                                         \
    do {                                                                                           \
        if (FVM_UNLIKELY(--fuel < 0)) {                                                            \
            fuel++;                                                                                \
            FALLBACK;                                                                              \
        }                                                                                          \
    } while (0)
#undef LOAD_CELL
#define LOAD_CELL(addr_, out_)                                                                     \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        if (FVM_UNLIKELY(a_ - FVM_LOW > vm->span4))                                                \
            FALLBACK;                                                                              \
        memcpy(&(out_), mem + FVM_LOW + (uint32_t)(a_ - FVM_LOW), 4);                              \
    } while (0)
#undef LOAD_BYTE
#define LOAD_BYTE(addr_, out_)                                                                     \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        if (FVM_UNLIKELY(a_ - FVM_LOW > vm->span4))                                                \
            FALLBACK;                                                                              \
        (out_) = (int8_t)(mem + FVM_LOW)[(uint32_t)(a_ - FVM_LOW)];                                \
    } while (0)
#undef STORE_CELL
#define STORE_CELL(addr_, value_)                                                                  \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        fvm_cell v_ = (value_);                                                                    \
        uint32_t cell_ = a_ >> 2 | a_ << 30; /* unaligned: the result is out of bounds */          \
        if (FVM_UNLIKELY(cell_ - FVM_LOW / 4 >= vm->high_cells || vm->cells[cell_] != 0))          \
            FALLBACK;                                                                              \
        vm->dirty[cell_ >> (FVM_PAGE_SHIFT - 2)] = 1;                                              \
        memcpy(mem + a_, &v_, 4);                                                                  \
    } while (0)
#undef STORE_BYTE
#define STORE_BYTE(addr_, value_)                                                                  \
    do {                                                                                           \
        uint32_t a_ = (uint32_t)(addr_);                                                           \
        fvm_cell v_ = (value_);                                                                    \
        if (FVM_UNLIKELY(a_ < FVM_LOW || a_ >= vm->high || vm->cells[a_ >> 2] != 0))               \
            FALLBACK;                                                                              \
        vm->dirty[a_ >> FVM_PAGE_SHIFT] = 1;                                                       \
        mem[a_] = (uint8_t)v_;                                                                     \
    } while (0)
