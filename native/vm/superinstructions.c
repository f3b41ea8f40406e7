/* superinstructions.c: finds the words that one slot does at once.
 *
 * It owns matching against the sequences of superinstructions.def (generated/fused_table.inc) and where their
 * operands come from; what a handler does with them is generated too (native/fusion.py).
 * The longest sequence that begins at a cell wins.  Every cell that a match rests on is marked. */
#include "vm/primitives.h"
#include "trace/trace.h"
#include "vm/translate.h"

#include "generated/ops.h"

enum { MOST_PARTS = 28, MOST_DEPTH = 3 };

typedef struct {
    uint8_t parts;
    uint8_t leaf;    /* the body of a definition, done where it is called */
    uint8_t held[2]; /* the parts whose operands go into the slot */
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
    seen cells[FVM_FUSED_CELLS + 2];
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

/* A jump ahead to (LOOP), which can go back. */
static bool skips(fvm *vm, const view *v, uint32_t at, fvm_cell *value) {
    fvm_addr word, loop;
    fvm_cell away;
    if (!jumps(vm, v, at, false, value) || !inline_cell(vm, v, at, (fvm_cell *)&loop) ||
        fvm_named_at(vm, loop, &word) != FVM_OP_LOOP_STEP || !fvm_in(vm, loop + 4, 4))
        return false;
    return fvm_away(vm, v->base, (fvm_addr)fvm_get(vm, loop + 4), &away) &&
           fvm_away(vm, v->base, loop + 8, &away);
}

/* The token in a cell, if it is a definition that has slots: what a DEFER runs, as a rule. */
static bool runs(fvm *vm, fvm_addr cell, fvm_cell *token) {
    fvm_addr cfa;
    if (fvm_named_at(vm, cell, &cfa) != FVM_OP_COLON || !fvm_heat(vm, cfa + 4))
        return false;
    fvm_mark(vm, cfa, FVM_CELL_DEEP);
    *token = (fvm_cell)cfa;
    return true;
}

/* The body of EXIT. */
static bool returns(fvm *vm, fvm_addr body) {
    fvm_addr word;
    if (fvm_named_at(vm, body, &word) != FVM_OP_FROM_R ||
        fvm_named_at(vm, body + 4, &word) != FVM_OP_DROP ||
        fvm_named_at(vm, body + 8, &word) != FVM_OP_RETURN || !fvm_heat(vm, body + 8))
        return false;
    for (fvm_addr cell = body; cell <= body + 8; cell += 4)
        fvm_mark(vm, cell, FVM_CELL_DEEP);
    return true;
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
    case FVM_WANT_CELL:
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
    case FVM_WANT_PICK:
        return s->code == FVM_OP_LIT && inline_cell(vm, v, at + 1, a) && *a >= 2 &&
                       look(vm, v, at + 2)->code == FVM_OP_PICK
                   ? 3
                   : 0;
    case FVM_WANT_RETURN:
        return s->code == FVM_OP_COLON && returns(vm, s->cfa + 4);
    case FVM_WANT_M1:
        s = look_deep(vm, v, at);
        *a = s->slot.a;
        return (s->op == FVM_OP_CONSTANT || s->op == FVM_OP_READ) && fvm_in(vm, (fvm_addr)*a, 4);
    case FVM_WANT_CONST:
        s = look_deep(vm, v, at);
        *a = s->slot.a;
        return s->op == FVM_OP_CONSTANT && fvm_in(vm, (fvm_addr)*a, 4);
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
        return s->op == FVM_OP_DOES && fvm_runs_body(vm, s->cfa) && runs(vm, (fvm_addr)*a, b);
    case FVM_WANT_EXECUTE:
        return s->code == FVM_OP_EXECUTE;
    case FVM_WANT_SKIP:
        return s->code == FVM_OP_ZBRANCH && skips(vm, v, at + 1, a) ? 2 : 0;
    case FVM_WANT_AGAIN:
        return s->code == FVM_OP_BRANCH && inline_cell(vm, v, at + 1, a) &&
                       (fvm_addr)*a == v->base
                   ? 2
                   : 0;
    case FVM_WANT_ROUND:
        return s->code == FVM_OP_LOOP_STEP && inline_cell(vm, v, at + 1, a) &&
                       (fvm_addr)*a == v->base
                   ? 2
                   : 0;
    case FVM_WANT_WHEN:
        return s->code == FVM_OP_ZBRANCH && inline_cell(vm, v, at + 1, a) ? 2 : 0;
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

static void begin(view *v, fvm_addr base) {
    v->base = base;
    for (size_t i = 0; i < sizeof v->cells / sizeof *v->cells; i++)
        v->cells[i].known = 0;
}

/* A sequence that is being matched. */
typedef struct {
    const fvm_sequence *sequence;
    fvm_slot *slot;
    int part;
    bool mark;   /* not matched but marked: a store to any cell of it undoes it */
    uint8_t how; /* what the cells are marked with */
} matching;

static uint32_t match_body(fvm *vm, view *v, matching *m, int depth);

/* A call of a definition that is the parts up to CLOSE. */
static uint32_t match_inside(fvm *vm, view *v, uint32_t at, matching *m, int depth) {
    seen *call = look_deep(vm, v, at);
    fvm_addr base = call->cfa + 4;
    if (depth == MOST_DEPTH || call->code != FVM_OP_COLON || call->op != FVM_OP_COLON ||
        (base & 3) != 0 || !fvm_heat(vm, base))
        return 0;
    view body;
    begin(&body, base);
    uint8_t how = m->how;
    m->how = FVM_CELL_DEEP;
    uint32_t cells = match_body(vm, &body, m, depth + 1);
    m->how = how;
    if (cells == 0 || look(vm, &body, cells)->code != FVM_OP_RETURN ||
        !fvm_heat(vm, base + 4 * cells))
        return 0;
    if (m->mark) {
        fvm_mark(vm, call->cfa, FVM_CELL_DEEP);
        fvm_mark(vm, base + 4 * cells, FVM_CELL_DEEP);
    }
    return 1;
}

static void mark_part(fvm *vm, view *v, uint32_t at, uint32_t cells, const matching *m,
                      fvm_cell a) {
    int want = m->sequence->want[m->part];
    for (uint32_t i = 0; i < cells; i++)
        fvm_mark(vm, v->base + 4 * (at + i), m->how);
    if (look(vm, v, at)->code >= FVM_OP_COLON)
        fvm_mark(vm, look(vm, v, at)->cfa, FVM_CELL_DEEP);
    if (want == FVM_WANT_EXIT || want == FVM_WANT_JRET)
        fvm_mark(vm, (fvm_addr)a, FVM_CELL_DEEP);
    if (want == FVM_WANT_SKIP) {
        fvm_addr loop = (fvm_addr)fvm_get(vm, v->base + 4 * (at + 1));
        fvm_mark(vm, loop, FVM_CELL_DEEP);
        fvm_mark(vm, loop + 4, FVM_CELL_DEEP);
    }
}

/* Parts from m->part on, up to the end or to CLOSE; the cells that they take, 0: they are not
 * there. */
static uint32_t match_body(fvm *vm, view *v, matching *m, int depth) {
    uint32_t at = 0;
    fvm_cell then = 0; /* where the flag of WHEN leads to */
    for (; m->part < m->sequence->parts; m->part++) {
        fvm_cell a = 0, b = 0;
        int part = m->part, want = m->sequence->want[part];
        uint32_t cells;
        if (want == FVM_WANT_CLOSE)
            return at;
        if (want == FVM_WANT_THEN) {
            if ((fvm_addr)then != v->base + 4 * at)
                return 0;
            continue;
        }
        if (want == FVM_WANT_REST) {
            if (!fvm_heat(vm, v->base + 4 * at))
                return 0;
            continue;
        }
        if (want == FVM_WANT_OPEN) {
            m->part++;
            cells = match_inside(vm, v, at, m, depth);
        } else {
            cells = match(vm, v, at, want, &a, &b);
        }
        if (cells == 0)
            return 0;
        if (want == FVM_WANT_WHEN)
            then = a;
        if (m->mark)
            mark_part(vm, v, at, cells, m, a);
        at += cells;
        if (m->sequence->held[0] == part)
            m->slot->a = a;
        if (m->sequence->held[1] == part)
            m->slot->b = want == FVM_WANT_INDEX || want == FVM_WANT_DEFER ? b : a;
    }
    return at;
}

/* All of a sequence; its cells, and its operands in the slot. */
static uint32_t match_all(fvm *vm, view *v, const fvm_sequence *s, fvm_slot *slot) {
    fvm_slot made = *slot;
    matching m = {s, &made, 0, false, 0};
    uint32_t cells = match_body(vm, v, &m, 0);
    if (cells != 0)
        *slot = made;
    return cells;
}

/* So that a store to any cell of a match undoes it. */
static void mark_all(fvm *vm, view *v, const fvm_sequence *s, uint8_t how) {
    fvm_slot unused;
    matching m = {s, &unused, 0, true, how};
    (void)match_body(vm, v, &m, 0);
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

fvm_addr fvm_return_at(const fvm *vm, fvm_addr at) {
    fvm_addr word;
    return fvm_named_at(vm, at, &word) == FVM_OP_BRANCH && fvm_in(vm, at + 4, 4)
               ? (fvm_addr)fvm_get(vm, at + 4)
               : at;
}

/* A jump ahead to a return or to a 0BRANCH that leads ahead, done at once. */
static bool jump_on(fvm *vm, view *v, fvm_slot *slot, int *op) {
    fvm_cell target, away, behind;
    if (look(vm, v, 0)->code != FVM_OP_BRANCH)
        return false;
    if (ends(vm, v, 1, &target)) {
        fvm_mark(vm, (fvm_addr)target, FVM_CELL_DEEP);
        *op = FVM_OP_RETURN;
        return true;
    }
    fvm_addr word;
    if (!jumps(vm, v, 1, false, &away) || !inline_cell(vm, v, 1, &target) ||
        fvm_named_at(vm, (fvm_addr)target, &word) != FVM_OP_ZBRANCH ||
        !fvm_in(vm, (fvm_addr)target + 4, 4) ||
        fvm_get(vm, (fvm_addr)target + 4) <= target + 4 || /* back: that takes a step */
        !fvm_away(vm, v->base, (fvm_addr)fvm_get(vm, (fvm_addr)target + 4), &away) ||
        !fvm_away(vm, v->base, (fvm_addr)target + 8, &behind))
        return false;
    fvm_mark(vm, (fvm_addr)target, FVM_CELL_DEEP);
    fvm_mark(vm, (fvm_addr)target + 4, FVM_CELL_DEEP);
    slot->a = away;
    slot->b = behind;
    *op = FVM_OP_JUMP_TO_ZERO;
    return true;
}

bool fvm_fuse(fvm *vm, fvm_addr ip, fvm_slot *slot, int *op) {
    view here, body;
    int number;
    begin(&here, ip);
    if (longest(vm, &here, false, slot, &number) != 0) {
        mark_all(vm, &here, &sequences[number], FVM_CELL_CODE);
    } else {
        seen *first = look_deep(vm, &here, 0);
        if (leaf(vm, first, &body, slot, &number) == 0)
            return jump_on(vm, &here, slot, op);
        mark_all(vm, &body, &sequences[number], FVM_CELL_DEEP);
        fvm_mark(vm, first->cfa, FVM_CELL_DEEP);
    }
    *op = FVM_OP_FUSED + number;
    return true;
}
