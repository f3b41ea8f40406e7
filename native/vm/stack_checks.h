/* stack_checks.h: the macros of primitives.def that check for underflow and overflow of the stacks.
 *
 * NEED(n) fails unless the word may pop n items.  ROOM(n) fails unless it may push n items.
 * RNEED(n) fails unless the run has pushed n cells on the return stack.  RPUSH and RPUSH3 push
 * cells there, or fail if it is full.  The including file defines sp, rp, vm and FAIL. */
#define NEED(cells_)                                                                               \
    do {                                                                                           \
        if (FVM_UNLIKELY(sp < vm->stack_least[cells_]))                                            \
            FAIL(FVM_ERR_STACK_UNDERFLOW, 0);                                                      \
    } while (0)
#define ROOM(cells_)                                                                               \
    do {                                                                                           \
        if (FVM_UNLIKELY(sp > vm->stack_most[cells_]))                                             \
            FAIL(FVM_ERR_STACK_OVERFLOW, 0);                                                       \
    } while (0)
#define RNEED(cells_)                                                                              \
    do {                                                                                           \
        if (FVM_UNLIKELY(rp < vm->rbase + (cells_)))                                               \
            FAIL(FVM_ERR_RETURN_UNDERFLOW, 0);                                                     \
    } while (0)
#define RPUSH(value_)                                                                              \
    do {                                                                                           \
        if (FVM_UNLIKELY(rp >= vm->rstack_high))                                                   \
            FAIL(FVM_ERR_RETURN_OVERFLOW, 0);                                                      \
        *++rp = (value_);                                                                          \
    } while (0)
#define RPUSH3(a_, b_, c_)                                                                         \
    do {                                                                                           \
        if (FVM_UNLIKELY(vm->rstack_high - rp < 3))                                                \
            FAIL(FVM_ERR_RETURN_OVERFLOW, 0);                                                      \
        rp[1] = (a_);                                                                              \
        rp[2] = (b_);                                                                              \
        rp[3] = (c_);                                                                              \
        rp += 3;                                                                                   \
    } while (0)
