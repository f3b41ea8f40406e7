/* jit.c: which words become machine code, when, and for how long.
 *
 * It owns samples, the memory that code lies in (writable or executable, never both), the
 * slots that lead to it, and the end of all of it when something it rests on has changed.
 * It must not know what code is made of. */
#include "jit/jit.h"

#include "jit/compile.h"

#if defined(FVM_TIER)

#include "trace/trace.h"
#include "vm/translate.h"

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
    SAMPLE = 64,    /* as one counts so often a place or token met that has no code */
    MOST_UNITS = 24, /* compiled in one go: what is called is wanted soon */
    CALLEES = 24,    /* of one unit that are compiled before it */
    DEEP = 10,       /* so far down the calls */
    CHANGED = 64,
    TAKERS = 64,
    WATCHED = 256
};

/* A place that code is called at or jumps back to. */
typedef struct {
    fvm_addr at; /* 0: a free place */
    bool bad;    /* cannot be compiled */
    bool queued;
    bool busy;    /* being compiled */
    bool trusted; /* callers rely on it to keep the return stack below its frame */
    fvm_known known;
    const uint8_t *made_code; /* for a token of a word whose DOES> part it is; NULL: it is none */
    uint8_t *stub; /* what calls go to until there is code; NULL: none did */
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
    uint32_t stored_top; /* fixed stores reach so far up */
    uint32_t least_size; /* of the image, that code takes for granted */
    fvm_compiler compiler;
    fvm_graph graph;
    fvm_addr changed[CHANGED]; /* cells whose values were taken for granted, and changed */
    int changes;
    fvm_addr takers[TAKERS]; /* definitions that were trusted and should not have been */
    int takings;
    fvm_addr watched[WATCHED]; /* cells that code stores to without a look */
    int watches;
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

/* A free place has a token that would stand in another. */
static void forget_targets(fvm *vm) {
    memset(vm->target_tokens, 0, sizeof vm->target_tokens);
    vm->target_tokens[0] = 4;
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
    forget_targets(vm);
    return tier;
}

void fvm_tier_free(fvm *vm) {
    struct fvm_tier *tier = vm->tier;
    if (tier == NULL)
        return;
    vm->tier = NULL;
    memset(vm->watched, 0, sizeof vm->watched);
    munmap(tier->arena, ARENA);
    free(tier->compiler.later);
    free(tier->slots);
    free(tier);
}

/* --- what is compiled ------------------------------------------------------------- */

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

static const unit *find_unit(const struct fvm_tier *tier, fvm_addr at) {
    for (uint32_t i = (at >> 2) * 2654435761u >> 16;; i++) {
        const unit *found = &tier->units[i % UNITS];
        if (found->at == at || found->at == 0)
            return found->at == at && at != 0 ? found : NULL;
    }
}

static void queue(struct fvm_tier *tier, unit *wanted) {
    if (wanted->queued || wanted->bad || wanted->known.code != NULL ||
        tier->queue_count == MOST_UNITS)
        return;
    wanted->queued = true;
    tier->queue[tier->queue_count++] = wanted;
}

const uint8_t *fvm_tier_callee(fvm_compiler *c, fvm_addr addr, bool keeps) {
    struct fvm_tier *tier = c->vm->tier;
    unit *wanted = unit_at(tier, addr);
    if (wanted == NULL) {
        c->failed = true;
        return NULL;
    }
    if (wanted->known.code != NULL)
        return wanted->known.code;
    wanted->trusted |= keeps;
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

const fvm_known *fvm_tier_known(const fvm *vm, fvm_addr addr) {
    const unit *found = find_unit(vm->tier, addr);
    return found != NULL && found->known.code != NULL ? &found->known : NULL;
}

/* Until there is code, calls lead to the interpreter and do not come back. */
bool fvm_tier_keeps(const fvm *vm, fvm_addr addr) {
    const fvm_known *known = fvm_tier_known(vm, addr);
    if (known != NULL)
        return known->keeps;
    for (int i = 0; i < vm->tier->takings && i < TAKERS; i++)
        if (vm->tier->takers[i] == addr)
            return false;
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

bool fvm_tier_watch(fvm *vm, fvm_addr addr) {
    struct fvm_tier *tier = vm->tier;
    for (int i = 0; i < tier->watches; i++)
        if (tier->watched[i] == addr)
            return true;
    if (tier->watches == WATCHED)
        return false;
    tier->watched[tier->watches++] = addr;
    vm->watched[(addr >> 2) % FVM_WATCHED] = 1;
    return true;
}

void fvm_tier_marked(fvm *vm, fvm_addr addr) {
    struct fvm_tier *tier = vm->tier;
    for (int i = 0; i < tier->watches; i++)
        if (tier->watched[i] == addr) {
            fvm_tier_flush(vm);
            return;
        }
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

/* Calls of what is there already are direct, and their effect is known.  Whether there is more
 * of it now; then the graph is another's. */
static bool compile_callees(struct fvm_tier *tier, fvm *vm, int depth) {
    const fvm_graph *graph = &tier->graph;
    fvm_addr callees[CALLEES];
    bool more = false;
    int count = 0;
    for (int i = 0; i < graph->count && count < CALLEES; i++)
        if (graph->nodes[i].kind == FVM_NODE_CALL)
            callees[count++] = (fvm_addr)graph->nodes[i].b;
    for (int i = 0; i < count; i++) {
        unit *callee = unit_at(tier, callees[i]);
        if (callee != NULL && callee->known.code == NULL && !callee->bad && !callee->busy &&
            tier->unit_count < UNITS / 2 - 64) {
            compile(tier, vm, callee, depth + 1);
            more = true;
        }
    }
    return more;
}

static void note_compiled(struct fvm_tier *tier, fvm *vm, unit *wanted) {
    fvm_compiler *c = &tier->compiler;
    const fvm_graph *graph = &tier->graph;
    const fvm_node *first = &graph->nodes[0];
    fvm_addr word;
    wanted->known = (fvm_known){.code = c->entries[0].code,
                                .checked = graph->keeps ? c->checked : NULL,
                                .needs = first->needs,
                                .room = first->room,
                                .rneeds = first->rneeds,
                                .rroom = first->rroom,
                                .keeps = graph->keeps,
                                .net_known = graph->net_known,
                                .net = graph->net};
    if (fvm_named_at(vm, wanted->at - 4, &word) == FVM_OP_DOES_PART)
        wanted->made_code = fvm_compile_does(c);
    if (c->as.full)
        wanted->made_code = NULL;
    tier->compiled++;
}

static void compile(struct fvm_tier *tier, fvm *vm, unit *wanted, int depth) {
    fvm_compiler *c = &tier->compiler;
    uint32_t epoch = vm->native_epoch;
    bool made = fvm_graph_trace(&tier->graph, vm, wanted->at);
    wanted->busy = true;
    if (made && depth < DEEP && compile_callees(tier, vm, depth) && vm->native_epoch == epoch)
        made = fvm_graph_trace(&tier->graph, vm, wanted->at);
    wanted->busy = false;
    uint8_t *end = tier->arena + ARENA;
    c->as = (fvm_asm){.at = tier->at, .end = end - tier->at > LONGEST ? tier->at + LONGEST : end};
    if (vm->native_epoch != epoch)
        return; /* the unit is another's by now */
    made = made && fvm_compile(c, wanted->at);
    if (made)
        mark_sources(tier, vm);
    if (vm->native_epoch != epoch)
        return; /* what is marked now, code stores to */
    if (!made) {
        wanted->bad = true;
        return;
    }
    if (wanted->trusted && !tier->graph.keeps) {
        tier->takers[tier->takings++ % TAKERS] = wanted->at;
        fvm_tier_flush(vm);
        return;
    }
    note_compiled(tier, vm, wanted);
    for (int i = 0; i < c->entry_count; i++)
        if (!lead_to(tier, vm, c->entries[i].at, c->entries[i].code))
            break;
    if (wanted->stub != NULL)
        fvm_asm_redirect(wanted->stub, wanted->known.code);
    tier->at = c->as.at;
    if (tier->stored_top < c->top)
        tier->stored_top = c->top;
    if (tier->least_size < c->size)
        tier->least_size = c->size;
}

static void compile_queue(struct fvm_tier *tier, fvm *vm) {
    if (!protect(tier, PROT_READ | PROT_WRITE))
        return;
    uint8_t *from = tier->at;
    fvm_graph_forget(&tier->graph);
    for (int i = 0; i < tier->queue_count; i++) {
        unit *wanted = tier->queue[i];
        if (wanted->known.code == NULL && fvm_heat(vm, wanted->at))
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

/* --- when ------------------------------------------------------------------------- */

static bool sampled_enough(const fvm *vm, struct fvm_tier *tier, fvm_addr at, int weight) {
    int i = (int)((at >> 2) * 2654435761u >> 20) % SAMPLES;
    if (tier->samples[i].at != at) {
        if ((tier->samples[i].count -= weight) > 0)
            return false;
        tier->samples[i].at = at;
        tier->samples[i].count = 0;
    }
    /* Scripts that change their own code all the time are not worth it. */
    int doublings = tier->flushes < 24 ? tier->flushes / 2 : 12;
    int enough = vm->slice < FVM_FUEL_SLICE ? 1 : ENOUGH * SAMPLE << doublings;
    return (tier->samples[i].count += weight) >= enough;
}

static void sample(fvm *vm, fvm_addr target, int weight) {
    if (vm->interpreted || !fvm_heat(vm, target))
        return;
    if (vm->tier == NULL && (vm->tier = new_tier(vm)) == NULL) {
        vm->interpreted = true;
        return;
    }
    struct fvm_tier *tier = vm->tier;
    if (!sampled_enough(vm, tier, target, weight))
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
    if (wanted == NULL || wanted->bad || wanted->known.code != NULL)
        return;
    queue(tier, wanted);
    compile_queue(tier, vm);
}

void fvm_tier_sample(fvm *vm, fvm_addr target) {
    if (fvm_heat(vm, target) && vm->code[target >> 2].go != vm->native_go)
        sample(vm, target, SAMPLE);
}

void fvm_tier_left(fvm *vm, fvm_addr target) {
    if (target != FVM_K_STOP && fvm_heat(vm, target) &&
        vm->code[target >> 2].go != vm->native_go)
        sample(vm, target, 1);
}

/* Those that are in the table, or are going to be when there is code for them. */
void fvm_tier_target(fvm *vm, fvm_addr token) {
    int op = fvm_opcode_at(vm, token), place = token / 4 % FVM_TARGETS;
    bool made = op == FVM_OP_DOES && !vm->checked && fvm_in(vm, token, 8);
    if (vm->tier == NULL || vm->interpreted || vm->target_tokens[place] == token ||
        (op != FVM_OP_COLON && !made))
        return;
    fvm_addr body = made ? (fvm_addr)fvm_get(vm, token + 4) : token + 4;
    if (fvm_tier_known(vm, body) == NULL)
        sample(vm, body, 1);
    const unit *found = find_unit(vm->tier, body);
    if (found == NULL || !found->known.keeps || (made && found->made_code == NULL))
        return;
    uint32_t epoch = vm->native_epoch;
    mark(vm, token);
    if (made)
        mark(vm, token + 4);
    if (vm->native_epoch != epoch)
        return;
    vm->target_tokens[place] = token;
    vm->target_code[place] = made ? found->made_code : found->known.code;
}

uint64_t fvm_tier_enter(fvm *vm, fvm_cell code) {
    struct fvm_tier *tier = vm->tier;
    uint64_t (*enter)(fvm *, const uint8_t *);
    memcpy(&enter, &tier->runtime.enter, sizeof enter);
    return enter(vm, tier->arena + code);
}

/* --- the end of it ---------------------------------------------------------------- */

int64_t fvm_compiled(const fvm *vm) { return vm->tier == NULL ? 0 : vm->tier->compiled; }

void fvm_tier_flush(fvm *vm) {
    struct fvm_tier *tier = vm->tier;
    if (tier == NULL)
        return;
    tier->watches = 0;
    memset(vm->watched, 0, sizeof vm->watched);
    if (tier->unit_count == 0 && tier->slot_count == 0)
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
    forget_targets(vm);
    tier->stored_top = tier->compiler.top = 0;
    tier->least_size = tier->compiler.size = 0;
}

void fvm_tier_lowered(fvm *vm) {
    const struct fvm_tier *tier = vm->tier;
    if (tier != NULL && (vm->high < tier->stored_top || vm->size < tier->stored_top ||
                         vm->size < tier->least_size))
        fvm_tier_flush(vm);
}

#else

void fvm_tier_sample(fvm *vm, fvm_addr target) {
    (void)vm;
    (void)target;
}

void fvm_tier_left(fvm *vm, fvm_addr target) {
    (void)vm;
    (void)target;
}

void fvm_tier_target(fvm *vm, fvm_addr token) {
    (void)vm;
    (void)token;
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
void fvm_tier_marked(fvm *vm, fvm_addr addr) {
    (void)vm;
    (void)addr;
}
void fvm_tier_lowered(fvm *vm) { (void)vm; }
void fvm_tier_free(fvm *vm) { (void)vm; }

#endif
