/* fuse.c: finds the words that one slot does at once.
 *
 * It owns matching against the sequences of fused.def (generated/fused_table.inc) and where their
 * operands come from; what a handler does with them is generated too (native/fusion.py).
 * The longest sequence that begins at a cell wins.  Every cell that a match rests on is marked. */
#include "trace.h"
#include "translate.h"

#include "generated/ops.h"

enum { MOST_PARTS = 16 };

typedef struct {
    uint8_t parts;
    uint8_t leaf; /* the body of a definition, done where it is called */
    uint16_t want[MOST_PARTS]; /* opcodes of primitives, or FVM_WANT_… */
} fvm_sequence;

#include "generated/fused_table.inc"

/* What stands at a cell, as far as it has been asked. */
typedef struct {
    int8_t known; /* 1 named, 2 decoded */
    int code, op;
    int8_t leaf; /* 1: its body is done where it is called, 2: it is not */
    fvm_addr cfa;
    fvm_slot slot;
} seen;

typedef struct {
    fvm_addr base;
    seen cells[MOST_PARTS + 2];
} view;

static seen *look(fvm *vm, view *v, uint32_t at) {
    static seen none = {1, -1, -1, 2, 0, {0, 0, 0}};
    if (at >= sizeof v->cells / sizeof *v->cells)
        return &none;
    seen *s = &v->cells[at];
    if (s->known == 0) {
        s->known = 1;
        s->leaf = 0;
        s->code = fvm_named_at(vm, v->base + 4 * at, &s->cfa);
    }
    return s;
}

/* As `look`, with short library words told apart. */
static seen *look_deep(fvm *vm, view *v, uint32_t at) {
    seen *s = look(vm, v, at);
    if (s->known == 1 && s->code >= FVM_OP_COLON) {
        s->known = 2;
        fvm_decode_word(vm, s->cfa, s->code, &s->slot, &s->op, true);
    } else if (s->known == 1) {
        s->op = s->code;
    }
    return s;
}

static bool inline_cell(fvm *vm, const view *v, uint32_t at, fvm_cell *value) {
    if (!fvm_in(vm, v->base + 4 * at, 4))
        return false;
    *value = fvm_get(vm, v->base + 4 * at);
    return true;
}

bool fvm_away(fvm *vm, fvm_addr ip, fvm_addr target, fvm_cell *away) {
    int64_t cells = ((int64_t)target - (int64_t)ip) / 4 - 1;
    if (!fvm_heat(vm, target) || cells > FVM_FARTHEST || cells < -FVM_FARTHEST)
        return false;
    *away = (fvm_cell)(cells * (int64_t)sizeof(fvm_slot));
    return true;
}

/* A jump whose operand is the cell at `at`: ahead or back, to where slots are. */
static bool jumps(fvm *vm, const view *v, uint32_t at, bool back, fvm_cell *value) {
    fvm_cell target;
    return inline_cell(vm, v, at, &target) &&
           ((fvm_addr)target <= v->base + 4 * at) == back &&
           fvm_away(vm, v->base, (fvm_addr)target, value);
}

/* A jump ahead to the end of the definition; *target: that cell. */
static bool ends(fvm *vm, const view *v, uint32_t at, fvm_cell *target) {
    fvm_addr word;
    fvm_cell away;
    return inline_cell(vm, v, at, target) && jumps(vm, v, at, false, &away) &&
           fvm_named_at(vm, (fvm_addr)*target, &word) == FVM_OP_RETURN;
}

static bool is_leaf(fvm *vm, seen *call);

/* Whether the part wanted stands there: the cells it takes, 0 none; its operands. */
static uint32_t match(fvm *vm, view *v, uint32_t at, int want, fvm_cell *a, fvm_cell *b) {
    seen *s = look(vm, v, at);
    if (want < FVM_PRIMITIVES)
        return s->code == want;
    switch (want) {
    case FVM_WANT_RET:
        return s->code == FVM_OP_RETURN;
    case FVM_WANT_LIT:
        return s->code == FVM_OP_LIT && inline_cell(vm, v, at + 1, a) ? 2 : 0;
    case FVM_WANT_VAR:
        *a = (fvm_cell)(s->cfa + 4);
        return s->code == FVM_OP_VAR;
    case FVM_WANT_M2:
        if (s->code == FVM_OP_LIT) {
            *a = (fvm_cell)(v->base + 4 * (at + 1));
            return fvm_in(vm, (fvm_addr)*a, 4) ? 2 : 0;
        }
        *a = (fvm_cell)(s->cfa + 4);
        return s->code == FVM_OP_VAR && fvm_in(vm, s->cfa + 4, 4) &&
                       look(vm, v, at + 1)->code == FVM_OP_FETCH
                   ? 2
                   : 0;
    case FVM_WANT_PICK2:
    case FVM_WANT_PICK3:
        return s->code == FVM_OP_LIT && inline_cell(vm, v, at + 1, a) &&
                       *a == (want == FVM_WANT_PICK2 ? 2 : 3) &&
                       look(vm, v, at + 2)->code == FVM_OP_PICK
                   ? 3
                   : 0;
    case FVM_WANT_M1:
        s = look_deep(vm, v, at);
        *a = s->slot.a;
        return (s->op == FVM_OP_CONSTANT || s->op == FVM_OP_READ) && fvm_in(vm, (fvm_addr)*a, 4);
    case FVM_WANT_WRITE:
        s = look_deep(vm, v, at);
        *a = s->slot.a;
        return s->op == FVM_OP_WRITE;
    case FVM_WANT_SCALE:
        s = look_deep(vm, v, at);
        *a = s->slot.a;
        return s->op == FVM_OP_SCALE;
    case FVM_WANT_INDEX:
        s = look_deep(vm, v, at);
        *a = s->slot.a;
        *b = s->slot.b;
        return s->op == FVM_OP_INDEX;
    case FVM_WANT_CALL:
        s = look_deep(vm, v, at);
        return s->op == FVM_OP_COLON && !is_leaf(vm, s) && fvm_away(vm, v->base, s->cfa + 4, a);
    case FVM_WANT_DEFER:
        s = look_deep(vm, v, at);
        *a = (fvm_cell)(s->cfa + 8);
        return s->op == FVM_OP_DOES && fvm_runs_body(vm, s->cfa);
    case FVM_WANT_EXECUTE:
        return s->code == FVM_OP_EXECUTE;
    case FVM_WANT_IF:
        return s->code == FVM_OP_ZBRANCH && jumps(vm, v, at + 1, false, a) ? 2 : 0;
    case FVM_WANT_UNTIL:
        return s->code == FVM_OP_ZBRANCH && jumps(vm, v, at + 1, true, a) ? 2 : 0;
    case FVM_WANT_JUMP:
        return s->code == FVM_OP_BRANCH && jumps(vm, v, at + 1, false, a) ? 2 : 0;
    case FVM_WANT_BACK:
        return s->code == FVM_OP_BRANCH && jumps(vm, v, at + 1, true, a) ? 2 : 0;
    case FVM_WANT_LOOP:
        return s->code == FVM_OP_LOOP_STEP && jumps(vm, v, at + 1, true, a) ? 2 : 0;
    case FVM_WANT_LOOP_BY:
        return s->code == FVM_OP_LOOP_ADD && jumps(vm, v, at + 1, true, a) ? 2 : 0;
    case FVM_WANT_EXIT:
        return s->code == FVM_OP_ZBRANCH && ends(vm, v, at + 1, a) ? 2 : 0;
    case FVM_WANT_JRET:
        return s->code == FVM_OP_BRANCH && ends(vm, v, at + 1, a) ? 2 : 0;
    default:
        return 0;
    }
}

static bool takes_operand(int want) {
    return want >= FVM_WANT_LIT && want != FVM_WANT_PICK2 && want != FVM_WANT_PICK3 &&
           want != FVM_WANT_RET && want != FVM_WANT_EXIT && want != FVM_WANT_JRET &&
           want != FVM_WANT_EXECUTE;
}

/* All of a sequence; on success its cells, and its operands in the slot. */
static uint32_t match_all(fvm *vm, view *v, const fvm_sequence *s, fvm_slot *slot) {
    uint32_t at = 0;
    fvm_cell operands[2] = {slot->a, slot->b};
    int count = 0;
    bool pair = false;
    for (int i = 0; i < s->parts; i++) {
        fvm_cell a = 0, b = 0;
        uint32_t cells = match(vm, v, at, s->want[i], &a, &b);
        if (cells == 0)
            return 0;
        at += cells;
        if (s->want[i] == FVM_WANT_INDEX) {
            operands[0] = a;
            operands[1] = b;
            pair = true;
        } else if (takes_operand(s->want[i]) && !pair) {
            if (count < 2)
                operands[count] = a;
            count++;
        }
    }
    slot->a = operands[0];
    slot->b = operands[1];
    return at;
}

/* So that a store to any cell of a match undoes it. */
static void mark_all(fvm *vm, view *v, const fvm_sequence *s, uint32_t cells, uint8_t how) {
    for (uint32_t at = 0; at < cells; at++)
        fvm_mark(vm, v->base + 4 * at, how);
    uint32_t at = 0;
    for (int i = 0; i < s->parts; i++) {
        fvm_cell a = 0, b = 0;
        uint32_t taken = match(vm, v, at, s->want[i], &a, &b);
        if (look(vm, v, at)->code >= FVM_OP_COLON)
            fvm_mark(vm, look(vm, v, at)->cfa, FVM_CELL_DEEP);
        if (s->want[i] == FVM_WANT_EXIT || s->want[i] == FVM_WANT_JRET)
            fvm_mark(vm, (fvm_addr)a, FVM_CELL_DEEP);
        at += taken;
    }
}

static void begin(view *v, fvm_addr base) {
    v->base = base;
    for (size_t i = 0; i < sizeof v->cells / sizeof *v->cells; i++)
        v->cells[i].known = 0;
}

/* The sequences that may begin with that opcode: places in `candidates`. */
static bool range(int code, int *from, int *count) {
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (starts[i].code == code) {
            *from = starts[i].from;
            *count = starts[i].count;
            return true;
        }
    return false;
}

/* The longest that fits; its cells, 0: none. */
static uint32_t longest(fvm *vm, view *v, bool leaf, fvm_slot *slot, int *number) {
    int from, count, code = look(vm, v, 0)->code;
    if (!range(code, &from, &count))
        return 0;
    for (int i = from; i < from + count; i++) {
        *number = candidates[i];
        if (sequences[*number].leaf != leaf)
            continue;
        uint32_t cells = match_all(vm, v, &sequences[*number], slot);
        if (cells != 0)
            return cells;
    }
    return 0;
}

/* A definition whose whole body is such a sequence; body: its cells. */
static uint32_t leaf(fvm *vm, const seen *call, view *body, fvm_slot *slot, int *number) {
    fvm_addr base = call->cfa + 4;
    if (call->op != FVM_OP_COLON || (base & 3) != 0)
        return 0;
    begin(body, base);
    return longest(vm, body, true, slot, number);
}

static bool is_leaf(fvm *vm, seen *call) {
    view body;
    fvm_slot slot = {0, 0, 0};
    int number;
    if (call->leaf == 0)
        call->leaf = leaf(vm, call, &body, &slot, &number) != 0 ? 1 : 2;
    return call->leaf == 1;
}

bool fvm_fuse(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    view here, body;
    int number;
    begin(&here, ip);
    seen *first = look_deep(vm, &here, 0);
    uint32_t cells = leaf(vm, first, &body, slot, &number);
    if (cells != 0) {
        mark_all(vm, &body, &sequences[number], cells, FVM_CELL_DEEP);
        fvm_mark(vm, first->cfa, FVM_CELL_DEEP);
    } else {
        cells = longest(vm, &here, false, slot, &number);
        if (cells == 0)
            return false;
        mark_all(vm, &here, &sequences[number], cells, FVM_CELL_CODE);
    }
    *op = FVM_OP_FUSED + number;
    return true;
}
