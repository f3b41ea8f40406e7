/* tier.c: which words become machine code, when, and for how long.
 *
 * It owns samples, the memory that code lies in (writable or executable, never both), the
 * slots that lead to it, and the end of all of it when something it rests on has changed.
 * It must not know what code is made of. */
#include "tier.h"

#include "compile.h"

#if defined(FVM_TIER)

#include "trace.h"
#include "translate.h"

#include "generated/ops.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    UNITS = 2048,   /* places of the table, half of them used at most */
    SAMPLES = 512,
    ARENA = 1 << 22,
    LONGEST = 1 << 20, /* of a unit: its jumps reach so far on every processor */
    STUB = 24,      /* bytes of a unit's stub */
    ENOUGH = 2,     /* samples that make a place worth it */
    MOST_UNITS = 24, /* compiled in one go: what is called is wanted soon */
    CALLEES = 24,    /* of one unit that are compiled before it */
    DEEP = 10,       /* so far down the calls */
    CHANGED = 64
};

/* A place that code is called at or jumps back to. */
typedef struct {
    fvm_addr at; /* 0: a free place */
    bool bad;    /* cannot be compiled */
    bool queued;
    bool busy;           /* being compiled */
    bool net_known;
    int16_t net;         /* items that a call adds */
    const uint8_t *code; /* for calls; NULL: not there */
    uint8_t *stub;       /* what calls go to until it is; NULL: none did */
} unit;

struct fvm_tier {
    uint8_t *arena;
    uint8_t *stubs_from; /* stubs, and behind them code */
    uint8_t *stubs_at;
    uint8_t *code_from;
    uint8_t *at;
    fvm_runtime runtime;
    unit units[UNITS];
    int unit_count;
    struct {
        fvm_addr at;
        int32_t count;
    } samples[SAMPLES];
    fvm_addr *slots; /* that lead to code */
    int slot_count;
    int slot_room;
    int flushes;
    int64_t compiled; /* units, ever */
    uint32_t stored_top; /* fixed stores and loads reach so far up */
    fvm_compiler compiler;
    fvm_graph graph;
    fvm_addr changed[CHANGED]; /* cells whose values were taken for granted, and changed */
    int changes;
    unit *queue[MOST_UNITS];
    int queue_count;
};

static bool protect(struct fvm_tier *tier, int how) {
    return mprotect(tier->arena, ARENA, how) == 0;
}

static void start_over(struct fvm_tier *tier) {
    tier->stubs_at = tier->stubs_from;
    tier->at = tier->code_from;
}

static struct fvm_tier *new_tier(fvm *vm) {
    struct fvm_tier *tier = calloc(1, sizeof *tier);
    if (tier == NULL)
        return NULL;
    void *arena =
        mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (arena == MAP_FAILED) {
        free(tier);
        return NULL;
    }
    tier->arena = arena;
    fvm_asm as = {.at = tier->arena, .end = tier->arena + ARENA};
    fvm_asm_runtime(&as, &tier->runtime);
    tier->stubs_from = as.at;
    tier->code_from = as.at + STUB * UNITS / 2;
    start_over(tier);
    fvm_asm_published(tier->arena, as.at);
    if (!protect(tier, PROT_READ | PROT_EXEC)) {
        munmap(arena, ARENA);
        free(tier);
        return NULL;
    }
    fvm_compiler *c = &tier->compiler;
    c->vm = vm;
    c->graph = &tier->graph;
    c->runtime = &tier->runtime;
    c->cells_at = (int32_t)(vm->cells - vm->mem);
    c->dirty_at = (int32_t)(vm->dirty - vm->mem);
    vm->native_code = tier->arena;
    return tier;
}

void fvm_tier_free(fvm *vm) {
    struct fvm_tier *tier = vm->tier;
    if (tier == NULL)
        return;
    vm->tier = NULL;
    munmap(tier->arena, ARENA);
    free(tier->compiler.later);
    free(tier->slots);
    free(tier);
}

/* --- what is compiled ----------------------------------------------------------------------- */

/* The one for a place, perhaps new; NULL: there are too many. */
static unit *unit_at(struct fvm_tier *tier, fvm_addr at) {
    for (uint32_t i = (at >> 2) * 2654435761u >> 16;; i++) {
        unit *found = &tier->units[i % UNITS];
        if (found->at == at)
            return found;
        if (found->at == 0) {
            if (tier->unit_count == UNITS / 2)
                return NULL;
            tier->unit_count++;
            found->at = at;
            return found;
        }
    }
}

static void queue(struct fvm_tier *tier, unit *wanted) {
    if (wanted->queued || wanted->bad || wanted->code != NULL ||
        tier->queue_count == MOST_UNITS)
        return;
    wanted->queued = true;
    tier->queue[tier->queue_count++] = wanted;
}

const uint8_t *fvm_tier_callee(fvm_compiler *c, fvm_addr addr) {
    struct fvm_tier *tier = c->vm->tier;
    unit *wanted = unit_at(tier, addr);
    if (wanted == NULL) {
        c->failed = true;
        return NULL;
    }
    if (wanted->code != NULL)
        return wanted->code;
    if (addr == c->graph->contexts[0].start)
        return c->entries[0].code;
    queue(tier, wanted);
    if (wanted->stub == NULL && tier->stubs_at + STUB > tier->code_from) {
        c->failed = true; /* flushed while machine code ran, and filled again */
        return NULL;
    }
    if (wanted->stub == NULL) {
        fvm_asm as = {.at = tier->stubs_at, .end = tier->stubs_at + STUB};
        wanted->stub = as.at;
        fvm_asm_set(&as, S0, (fvm_cell)addr);
        fvm_asm_jump_to(&as, ALWAYS, tier->runtime.go_to);
        tier->stubs_at += STUB;
        c->failed |= as.full;
    }
    return wanted->stub;
}

bool fvm_tier_net(const fvm *vm, fvm_addr addr, int16_t *net) {
    const unit *found = unit_at(vm->tier, addr);
    if (found == NULL || !found->net_known)
        return false;
    *net = found->net;
    return true;
}

bool fvm_tier_changes(const fvm *vm, fvm_addr addr) {
    const struct fvm_tier *tier = vm->tier;
    if ((addr & 3) != 0 || !fvm_in(vm, addr, 4))
        return true;
    for (int i = 0; i < tier->changes && i < CHANGED; i++)
        if (tier->changed[i] == addr)
            return true;
    return false;
}

void fvm_tier_changed(fvm *vm, fvm_addr addr) {
    struct fvm_tier *tier = vm->tier;
    if (tier != NULL && !fvm_tier_changes(vm, addr))
        tier->changed[tier->changes++ % CHANGED] = addr;
}

static void mark_as(fvm *vm, fvm_addr addr, uint8_t how) {
    fvm_mark(vm, addr, how); /* a word of DOES> may stand at an odd address */
}

static void mark(fvm *vm, fvm_addr addr) { mark_as(vm, addr, FVM_CELL_NATIVE); }

/* A store to any cell that the code was made from ends it. */
static void mark_sources(struct fvm_tier *tier, fvm *vm) {
    const fvm_graph *graph = &tier->graph;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        mark(vm, node->at);
        if (node->op >= 0 && node->op < FVM_PRIMITIVES && fvm_takes_inline(node->op))
            mark(vm, node->at + 4);
        if (node->op == FVM_OP_PICK) { /* a number and PICK, in one node */
            mark(vm, node->at + 4);
            mark(vm, node->at + 8);
        }
        if (node->folds)
            mark_as(vm, (fvm_addr)node->a, FVM_CELL_NATIVE | FVM_CELL_FOLDED);
        if (node->op == FVM_OP_EXECUTE && node->kind != FVM_NODE_EXECUTE)
            mark(vm, (fvm_addr)node->a); /* the code field of a token that is known */
        if (node->op == FVM_OP_DOES)
            mark(vm, (fvm_addr)node->a - 4);
        if (node->op == FVM_OP_COLON)
            for (fvm_addr cell = 0; cell < 12; cell += 4) /* an EXIT, perhaps */
                mark(vm, (fvm_addr)node->a + cell);
    }
}

static bool lead_to(struct fvm_tier *tier, fvm *vm, fvm_addr at, const uint8_t *code) {
    if (tier->slot_count == tier->slot_room) {
        int room = tier->slot_room == 0 ? 256 : 2 * tier->slot_room;
        fvm_addr *grown = realloc(tier->slots, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return false;
        tier->slots = grown;
        tier->slot_room = room;
    }
    tier->slots[tier->slot_count++] = at;
    vm->code[at >> 2].go = vm->native_go;
    vm->code[at >> 2].a = (fvm_cell)(code - tier->arena);
    return true;
}

static void compile(struct fvm_tier *tier, fvm *vm, unit *wanted, int depth);

/* Calls of what is there already are direct, and their effect is known. */
static void compile_callees(struct fvm_tier *tier, fvm *vm, fvm_addr root, int depth) {
    const fvm_graph *graph = &tier->graph;
    fvm_addr callees[CALLEES];
    int count = 0;
    if (depth == DEEP || !fvm_graph_build(&tier->graph, vm, root))
        return;
    for (int i = 0; i < graph->count && count < CALLEES; i++)
        if (graph->nodes[i].kind == FVM_NODE_CALL)
            callees[count++] = (fvm_addr)graph->nodes[i].b;
    for (int i = 0; i < count; i++) {
        unit *callee = unit_at(tier, callees[i]);
        if (callee != NULL && callee->code == NULL && !callee->bad && !callee->busy &&
            tier->unit_count < UNITS / 2 - 64)
            compile(tier, vm, callee, depth + 1);
    }
}

static void compile(struct fvm_tier *tier, fvm *vm, unit *wanted, int depth) {
    fvm_compiler *c = &tier->compiler;
    uint32_t epoch = vm->native_epoch;
    wanted->busy = true;
    compile_callees(tier, vm, wanted->at, depth);
    wanted->busy = false;
    uint8_t *end = tier->arena + ARENA;
    c->as = (fvm_asm){.at = tier->at, .end = end - tier->at > LONGEST ? tier->at + LONGEST : end};
    if (!fvm_compile(c, wanted->at) || vm->native_epoch != epoch) {
        wanted->bad = true;
        return;
    }
    mark_sources(tier, vm);
    wanted->net_known = tier->graph.net_known;
    wanted->net = tier->graph.net;
    wanted->code = c->entries[0].code;
    tier->compiled++;
    for (int i = 0; i < c->entry_count; i++)
        if (!lead_to(tier, vm, c->entries[i].at, c->entries[i].code))
            break;
    if (wanted->stub != NULL)
        fvm_asm_redirect(wanted->stub, wanted->code);
    tier->at = c->as.at;
    if (tier->stored_top < c->top)
        tier->stored_top = c->top;
}

static void compile_queue(struct fvm_tier *tier, fvm *vm) {
    if (!protect(tier, PROT_READ | PROT_WRITE))
        return;
    uint8_t *from = tier->at;
    for (int i = 0; i < tier->queue_count; i++) {
        unit *wanted = tier->queue[i];
        if (fvm_heat(vm, wanted->at))
            compile(tier, vm, wanted, 0);
        wanted->queued = false;
        vm->toil += 4096; /* looked at where words run: nobody could be told here */
    }
    tier->queue_count = 0;
    fvm_asm_published(tier->stubs_from, tier->code_from);
    fvm_asm_published(from, tier->at);
    if (!protect(tier, PROT_READ | PROT_EXEC)) {
        fvm_tier_flush(vm);
        vm->interpreted = true; /* it cannot be run: no slot leads there any more */
    }
}

/* --- when ---------------------------------------------------------------------------------- */

static bool sampled_enough(const fvm *vm, struct fvm_tier *tier, fvm_addr at) {
    int i = (int)((at >> 2) * 2654435761u >> 20) % SAMPLES;
    if (tier->samples[i].at != at) {
        if (--tier->samples[i].count > 0)
            return false;
        tier->samples[i].at = at;
        tier->samples[i].count = 0;
    }
    /* Scripts that change their own code all the time are not worth it. */
    int doublings = tier->flushes < 24 ? tier->flushes / 2 : 12;
    int enough = vm->slice < FVM_FUEL_SLICE ? 1 : ENOUGH << doublings;
    return ++tier->samples[i].count >= enough;
}

void fvm_tier_sample(fvm *vm, fvm_addr target) {
    if (vm->interpreted || !fvm_heat(vm, target) || vm->code[target >> 2].go == vm->native_go)
        return;
    if (vm->tier == NULL && (vm->tier = new_tier(vm)) == NULL) {
        vm->interpreted = true;
        return;
    }
    struct fvm_tier *tier = vm->tier;
    if (!sampled_enough(vm, tier, target))
        return;
    if (tier->slot_count == 0 && tier->unit_count == 0 && vm->native_frame == NULL)
        start_over(tier); /* nothing of what was there is used any more */
    bool full = tier->at > tier->arena + ARENA - ARENA / 8 || tier->unit_count > UNITS / 2 - 64 ||
                tier->stubs_at + 64 * STUB > tier->code_from;
    if (full && vm->native_frame == NULL) {
        fvm_tier_flush(vm);
        start_over(tier);
    } else if (full) {
        return;
    }
    unit *wanted = unit_at(tier, target);
    if (wanted == NULL || wanted->bad || wanted->code != NULL)
        return;
    queue(tier, wanted);
    compile_queue(tier, vm);
}

uint64_t fvm_tier_enter(fvm *vm, fvm_cell code) {
    struct fvm_tier *tier = vm->tier;
    uint64_t (*enter)(fvm *, const uint8_t *);
    memcpy(&enter, &tier->runtime.enter, sizeof enter);
    return enter(vm, tier->arena + code);
}

/* --- the end of it ---------------------------------------------------------------------------- */

int64_t fvm_compiled(const fvm *vm) { return vm->tier == NULL ? 0 : vm->tier->compiled; }

void fvm_tier_flush(fvm *vm) {
    struct fvm_tier *tier = vm->tier;
    if (tier == NULL || (tier->unit_count == 0 && tier->slot_count == 0))
        return;
    /* Also in the middle of compiling: the epoch tells. */
    vm->native_epoch++;
    tier->flushes++;
    for (int i = 0; i < tier->slot_count; i++) {
        fvm_slot *slot = &vm->code[tier->slots[i] >> 2];
        if (slot->go == vm->native_go)
            slot->go = vm->untranslated;
    }
    tier->slot_count = 0;
    memset(tier->units, 0, sizeof tier->units);
    memset(tier->samples, 0, sizeof tier->samples);
    tier->unit_count = 0;
    tier->stored_top = tier->compiler.top = 0;
}

void fvm_tier_lowered(fvm *vm) {
    const struct fvm_tier *tier = vm->tier;
    if (tier != NULL && (vm->high < tier->stored_top || vm->size < tier->stored_top))
        fvm_tier_flush(vm);
}

#else

void fvm_tier_sample(fvm *vm, fvm_addr target) {
    (void)vm;
    (void)target;
}

uint64_t fvm_tier_enter(fvm *vm, fvm_cell code) {
    (void)vm;
    return (uint32_t)code | (uint64_t)FVM_LEFT_GO << 32;
}

int64_t fvm_compiled(const fvm *vm) {
    (void)vm;
    return 0;
}

void fvm_tier_flush(fvm *vm) { (void)vm; }
void fvm_tier_lowered(fvm *vm) { (void)vm; }
void fvm_tier_free(fvm *vm) { (void)vm; }

#endif
