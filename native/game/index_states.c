/* index_states.c: what is known of items of the stack as indexes of arrays that have counters.
 *
 * It owns the states of the abstract execution in growing_arrays.c: which items, and which
 * variable, are certainly less than the highest value that a counter has had, what two paths have
 * in common, and what a comparison before a branch tells.  It must not know arrays, calls or loops.
 */
#include "game/index_states.h"
#include "vm/decode.h"

#include "generated/ops.h"

/* --- states ------------------------------------------------------------------------- */

const fvm_index_state FVM_INDEX_UNKNOWN = {.variable = -1, .limit = -1, .reached = true};

void fvm_index_push(fvm_index_state *s, fvm_index item) {
    memmove(s->items + 1, s->items, sizeof s->items - sizeof *s->items);
    s->items[0] = item;
}

fvm_index fvm_index_pop(fvm_index_state *s) {
    const fvm_index top = s->items[0];
    memmove(s->items, s->items + 1, sizeof s->items - sizeof *s->items);
    s->items[FVM_INDEX_ITEMS - 1] = (fvm_index){FVM_INDEX_ANY, 0};
    return top;
}

void fvm_index_change_depth(fvm_index_state *s, int popped, int pushed) {
    while (popped-- > 0)
        fvm_index_pop(s);
    while (pushed-- > 0)
        fvm_index_push(s, (fvm_index){FVM_INDEX_ANY, 0});
}

/* number: of the counter; -1: any. */
static void forget_counter(fvm_index_state *s, int8_t number) {
    for (int i = 0; i < FVM_INDEX_ITEMS; i++)
        if (s->items[i].kind == FVM_INDEX_COUNTER && (number < 0 || s->items[i].counter == number))
            s->items[i].kind = FVM_INDEX_AT_MOST;
}

void fvm_index_forget_counters(fvm_index_state *s) { forget_counter(s, -1); }

void fvm_index_forget_variables(fvm_index_state *s) {
    forget_counter(s, -1);
    s->variable = s->limit = -1;
}

void fvm_index_write(fvm_index_state *s, int8_t number) {
    forget_counter(s, number);
    if (s->variable == number)
        s->variable = s->limit = -1;
}

/* What two items have in common.  0 is at most the highest value of any counter, -1 is below it. */
static fvm_index common(fvm_index a, fvm_index b) {
    if (a.kind == b.kind && a.counter == b.counter)
        return a;
    if (a.kind == FVM_INDEX_NUMBER && b.kind >= FVM_INDEX_AT_MOST)
        return common(b, a);
    if (b.kind == FVM_INDEX_NUMBER && b.counter <= 0 && a.kind >= FVM_INDEX_AT_MOST) {
        const bool below = a.kind == FVM_INDEX_BELOW && b.counter < 0;
        return (fvm_index){below ? FVM_INDEX_BELOW : FVM_INDEX_AT_MOST, a.counter};
    }
    if (a.kind < FVM_INDEX_AT_MOST || b.kind < FVM_INDEX_AT_MOST || a.counter != b.counter)
        return (fvm_index){FVM_INDEX_ANY, 0};
    return (fvm_index){FVM_INDEX_AT_MOST, a.counter};
}

/* An item as it compares with another one: 0 is below the highest value of a counter if that is at
 * least 1. */
static fvm_index compared_with(fvm_index a, fvm_index other, fvm_variables filled) {
    const bool below = a.kind == FVM_INDEX_NUMBER && a.counter == 0 &&
                       other.kind == FVM_INDEX_BELOW && (filled >> other.counter & 1) != 0;
    return below ? other : a;
}

bool fvm_index_join(fvm_index_state *to, const fvm_index_state *from) {
    const fvm_index_state before = *to;
    if (!to->reached) {
        *to = *from;
        return true;
    }
    for (int i = 0; i < FVM_INDEX_ITEMS; i++)
        to->items[i] = common(compared_with(before.items[i], from->items[i], before.filled),
                              compared_with(from->items[i], before.items[i], from->filled));
    to->filled &= from->filled;
    if (to->variable != from->variable || to->limit != from->limit)
        to->variable = to->limit = -1;
    return memcmp(before.items, to->items, sizeof before.items) != 0 ||
           before.filled != to->filled || before.variable != to->variable;
}

/* --- comparisons before branches ---------------------------------------------------- */

enum { TOP = -1, ZERO = -2 }; /* values compared; TOP: the top item after the branch */

/* Another value is pushed.  last: the one that was pushed last. */
static fvm_comparison push_value(fvm_comparison c, int8_t last, int8_t value) {
    if (c.part == FVM_COMPARED_ONE || (c.part == FVM_COMPARED_TWO && last != TOP))
        return (fvm_comparison){FVM_COMPARED_TWO, last, value, false};
    return (fvm_comparison){FVM_COMPARED_ONE, value, TOP, false};
}

fvm_comparison fvm_follow_comparison(const fvm_flow *f, const fvm_step *step, fvm_comparison c) {
    const int8_t last = c.part == FVM_COMPARED_ONE ? c.low : c.high;
    const bool two = c.part == FVM_COMPARED_TWO;
    if (step->op == FVM_OP_VAR && step->use == FVM_USE_READ && f->array[step->memory] < 0 &&
        f->number[step->memory] >= 0)
        return push_value(c, last, f->number[step->memory]);
    if (step->op == FVM_OP_LIT && step->operand == 0)
        return push_value(c, last, ZERO);
    if (step->op == FVM_OP_DUP)
        return (fvm_comparison){FVM_COMPARED_ONE, TOP, TOP, false};
    if (step->op == FVM_OP_OVER && c.part == FVM_COMPARED_ONE && c.low != TOP)
        return (fvm_comparison){FVM_COMPARED_TWO, c.low, TOP, false};
    if (step->op == FVM_OP_ZGT && (two || c.part == FVM_COMPARED_ONE))
        return (fvm_comparison){FVM_COMPARED, ZERO, last, false};
    if ((step->op == FVM_OP_LT || step->op == FVM_OP_GE) && two)
        return (fvm_comparison){FVM_COMPARED, c.low, c.high, step->op == FVM_OP_GE};
    if ((step->op == FVM_OP_GT || step->op == FVM_OP_LE) && two)
        return (fvm_comparison){FVM_COMPARED, c.high, c.low, step->op == FVM_OP_LE};
    if (step->op == FVM_OP_NOT && c.part == FVM_COMPARED)
        return (fvm_comparison){FVM_COMPARED, c.low, c.high, !c.inverted};
    return (fvm_comparison){.part = FVM_COMPARED_NONE};
}

fvm_index_state fvm_index_after_test(fvm_index_state s, fvm_comparison c, bool flag) {
    if (c.part != FVM_COMPARED || c.high < 0 || c.inverted == flag)
        return s;
    if (c.low == ZERO) {
        s.filled |= (fvm_variables)1 << c.high;
    } else if (c.low == TOP) {
        s.items[0] = (fvm_index){FVM_INDEX_BELOW, c.high};
    } else {
        s.variable = c.low;
        s.limit = c.high;
    }
    return s;
}
