/* claims.h: the moves that the threads of one search are searching, and the best move they found.
 *
 * Threads that share a transposition table search the same nodes in the same order.  A thread
 * claims each move while it searches it, and defers moves that another thread has claimed; when it
 * comes back to them, their values are usually in the table (ABDADA, Weill, 1996, in the simple
 * form by Kerrigan).  A thread also learns of root moves that are better than its own best
 * one: it searches them next, and their values bound the search of the other moves.  Claims and
 * best moves are hints: a lost or a wrong one changes the order of moves, never a value, so no lock
 * is needed. */
#ifndef FVM_CLAIMS_H
#define FVM_CLAIMS_H

#include "vm/vm.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CLAIM_SLOTS = 1 << 12,
    CLAIM_DEPTH = 2 /* lowest depth of nodes whose moves are claimed */
};

typedef struct {
    _Atomic uint64_t slots[CLAIM_SLOTS]; /* the claims; 0: none */
    _Atomic uint64_t best;               /* the best root move (fvm_best_number); 0: none */
} fvm_claims;

/* A best root move as a number: deeper iterations and, in one iteration, better values have greater
 * numbers.  move: its index in the list. */
static inline uint64_t fvm_best_number(int32_t depth, fvm_cell value, int32_t move) {
    return (uint64_t)depth << 48 | (uint64_t)((uint32_t)value ^ 0x80000000U) << 16 | (uint16_t)move;
}

static inline int32_t fvm_best_depth(uint64_t number) { return (int32_t)(number >> 48); }
static inline int32_t fvm_best_move(uint64_t number) { return (int32_t)(number & 0xFFFF); }

/* The number of the best root move that a thread has shared; 0: none. */
static inline uint64_t fvm_best_found(const fvm_claims *claims) {
    return atomic_load_explicit(&claims->best, memory_order_relaxed);
}

static inline void fvm_share_best(fvm_claims *claims, uint64_t number) {
    if (number > fvm_best_found(claims))
        atomic_store_explicit(&claims->best, number, memory_order_relaxed);
}

/* The claim for a move of a node; 0: the move cannot be claimed.  claims: NULL: the threads share
 * no table.  key: of the node, 0: unknown. */
static inline uint64_t fvm_claim_for(const fvm_claims *claims, uint64_t key, int32_t depth,
                                     int32_t move) {
    if (claims == NULL || key == 0 || depth < CLAIM_DEPTH)
        return 0;
    return fvm_mix(fvm_mix(key + (uint64_t)(uint32_t)depth) + (uint64_t)(uint32_t)move) | 1;
}

static inline _Atomic uint64_t *fvm_claim_slot(fvm_claims *claims, uint64_t claim) {
    return &claims->slots[claim >> 1 & (CLAIM_SLOTS - 1)];
}

static inline bool fvm_is_claimed(fvm_claims *claims, uint64_t claim) {
    return claim != 0 &&
           atomic_load_explicit(fvm_claim_slot(claims, claim), memory_order_relaxed) == claim;
}

static inline void fvm_begin_claim(fvm_claims *claims, uint64_t claim) {
    if (claim != 0)
        atomic_store_explicit(fvm_claim_slot(claims, claim), claim, memory_order_relaxed);
}

static inline void fvm_end_claim(fvm_claims *claims, uint64_t claim) {
    if (fvm_is_claimed(claims, claim)) /* else another claim has taken the slot */
        atomic_store_explicit(fvm_claim_slot(claims, claim), 0, memory_order_relaxed);
}

#endif
