/* jit.c: decides which words are compiled, and when code is discarded.
 *
 * It owns the profile samples, the memory of machine code (writable or executable, never both), the
 * slots that enter it, and its invalidation when something that it depends on changes.  It must not
 * know how code is generated. */
#include "jit/jit.h"

#include "jit/compile.h"

#if defined(FVM_JIT)

#include "vm/translate.h"

#include "generated/ops.h"

#include <stdlib.h>
#include <sys/mman.h>

enum {
    UNITS = 2048, /* entries of the hash table, at most half of them used */
    SAMPLES = 512,
    ARENA = 1 << 22,
    LONGEST = 1 << 20, /* bytes of a unit: the range of jumps on every processor */
    STUB = 24,         /* bytes of a unit's stub */
    ENOUGH = 2,        /* samples before code is compiled */
    SAMPLE =
        64, /* weight of a profile sample; leaving code for an address without code has weight 1 */
    MOST_UNITS = 24, /* compiled at once: callees will be needed soon */
    CALLEES = 24,    /* callees of a unit that are compiled before it */
    DEEP = 10,       /* levels of callees */
    CHANGED = 64,
    BLACKLIST = 64,
    WATCHED = 256
};

/* An address that is called or is the target of a backward jump. */
typedef struct {
    fvm_addr at; /* 0: a free entry */
    bool bad;    /* cannot be compiled */
    bool queued;
    bool busy;       /* being compiled */
    bool speculated; /* callers assume that it preserves the return stack below its frame */
    fvm_known known;
    const uint8_t *
        made_code; /* entry for tokens of words whose DOES> part it is; NULL: it is no DOES> part */
    uint8_t *stub; /* target of calls until there is code; NULL: no calls yet */
} unit;

struct fvm_jit {
    uint8_t *arena;
    uint8_t *stubs_from; /* stubs, and after them code */
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
    fvm_addr *slots; /* addresses whose slots enter code */
    int slot_count;
    int slot_room;
    int flushes;
    uint32_t stored_top; /* end of the addresses that code stores to directly */
    uint32_t least_size; /* size of the image that code assumes */
    fvm_compiler compiler;
    fvm_graph graph;
    fvm_addr changed[CHANGED]; /* cells that changed although code had assumed their values */
    int changed_count;
    fvm_addr blacklist[BLACKLIST]; /* the speculation blacklist: definitions that turned out to
                                      change the return stack */
    int blacklisted;
    fvm_addr watched[WATCHED]; /* cells that code stores to without a write barrier */
    int watched_count;
    unit *queue[MOST_UNITS];
    int queue_count;
};

static void flush(fvm *vm);

static bool protect(struct fvm_jit *jit, int how) { return mprotect(jit->arena, ARENA, how) == 0; }

static void start_over(struct fvm_jit *jit) {
    jit->stubs_at = jit->stubs_from;
    jit->at = jit->code_from;
}

/* Free entries hold a token that would have another index. */
static void forget_targets(fvm *vm) {
    memset(vm->jit.target_tokens, 0, sizeof vm->jit.target_tokens);
    vm->jit.target_tokens[0] = 4;
}

static struct fvm_jit *new_jit(fvm *vm) {
    struct fvm_jit *jit = calloc(1, sizeof *jit);
    if (jit == NULL)
        return NULL;
    void *arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (arena == MAP_FAILED) {
        free(jit);
        return NULL;
    }
    jit->arena = arena;
    fvm_asm as = {.at = jit->arena, .end = jit->arena + ARENA};
    fvm_asm_runtime(&as, &jit->runtime);
    jit->stubs_from = as.at;
    jit->code_from = as.at + STUB * UNITS / 2;
    start_over(jit);
    fvm_asm_published(jit->arena, as.at);
    if (!protect(jit, PROT_READ | PROT_EXEC)) {
        munmap(arena, ARENA);
        free(jit);
        return NULL;
    }
    fvm_compiler *c = &jit->compiler;
    c->vm = vm;
    c->graph = &jit->graph;
    c->runtime = &jit->runtime;
    c->cells_at = (int32_t)(vm->cells - vm->mem);
    c->dirty_at = (int32_t)(vm->dirty - vm->mem);
    vm->jit.code = jit->arena;
    forget_targets(vm);
    return jit;
}

static void release(fvm *vm) {
    struct fvm_jit *jit = vm->jit.own;
    if (jit == NULL)
        return;
    vm->jit.own = NULL;
    memset(vm->jit.watched, 0, sizeof vm->jit.watched);
    munmap(jit->arena, ARENA);
    free(jit->compiler.stubs);
    free(jit->slots);
    free(jit);
}

/* --- units ------------------------------------------------------------- */

/* The unit for an address, perhaps a new one; NULL: there are too many. */
static unit *unit_at(struct fvm_jit *jit, fvm_addr at) {
    for (uint32_t i = (at >> 2) * 2654435761u >> 16;; i++) {
        unit *found = &jit->units[i % UNITS];
        if (found->at == at)
            return found;
        if (found->at == 0) {
            if (jit->unit_count == UNITS / 2)
                return NULL;
            jit->unit_count++;
            found->at = at;
            return found;
        }
    }
}

static const unit *find_unit(const struct fvm_jit *jit, fvm_addr at) {
    for (uint32_t i = (at >> 2) * 2654435761u >> 16;; i++) {
        const unit *found = &jit->units[i % UNITS];
        if (found->at == at || found->at == 0)
            return found->at == at && at != 0 ? found : NULL;
    }
}

static void queue(struct fvm_jit *jit, unit *wanted) {
    if (wanted->queued || wanted->bad || wanted->known.code != NULL ||
        jit->queue_count == MOST_UNITS)
        return;
    wanted->queued = true;
    jit->queue[jit->queue_count++] = wanted;
}

const uint8_t *fvm_jit_callee(fvm_compiler *c, fvm_addr addr, bool preserves_return_stack) {
    struct fvm_jit *jit = c->vm->jit.own;
    unit *wanted = unit_at(jit, addr);
    if (wanted == NULL) {
        c->failed = true;
        return NULL;
    }
    if (wanted->known.code != NULL)
        return wanted->known.code;
    wanted->speculated |= preserves_return_stack;
    if (addr == c->graph->contexts[0].start)
        return c->entries[0].code;
    queue(jit, wanted);
    if (wanted->stub == NULL && jit->stubs_at + STUB > jit->code_from) {
        c->failed = true; /* no room: flushed while machine code ran, and filled again */
        return NULL;
    }
    if (wanted->stub == NULL) {
        fvm_asm as = {.at = jit->stubs_at, .end = jit->stubs_at + STUB};
        wanted->stub = as.at;
        fvm_asm_set(&as, S0, (fvm_cell)addr);
        fvm_asm_jump_to(&as, ALWAYS, jit->runtime.go_to);
        jit->stubs_at += STUB;
        c->failed |= as.full;
    }
    return wanted->stub;
}

const fvm_known *fvm_jit_known(const fvm *vm, fvm_addr addr) {
    const unit *found = find_unit(vm->jit.own, addr);
    return found != NULL && found->known.code != NULL ? &found->known : NULL;
}

/* Speculation: until the callee is compiled, calls go to the interpreter and do not return here. */
bool fvm_jit_preserves_return_stack(const fvm *vm, fvm_addr addr) {
    const fvm_known *known = fvm_jit_known(vm, addr);
    if (known != NULL)
        return known->preserves_return_stack;
    for (int i = 0; i < vm->jit.own->blacklisted && i < BLACKLIST; i++)
        if (vm->jit.own->blacklist[i] == addr)
            return false;
    return true;
}

bool fvm_jit_changes(const fvm *vm, fvm_addr addr) {
    const struct fvm_jit *jit = vm->jit.own;
    if ((addr & 3) != 0 || !fvm_in(vm, addr, 4))
        return true;
    for (int i = 0; i < jit->changed_count && i < CHANGED; i++)
        if (jit->changed[i] == addr)
            return true;
    return false;
}

bool fvm_jit_watch(fvm *vm, fvm_addr addr) {
    struct fvm_jit *jit = vm->jit.own;
    for (int i = 0; i < jit->watched_count; i++)
        if (jit->watched[i] == addr)
            return true;
    if (jit->watched_count == WATCHED)
        return false;
    jit->watched[jit->watched_count++] = addr;
    vm->jit.watched[(addr >> 2) % FVM_WATCHED] = 1;
    return true;
}

static void marked(fvm *vm, fvm_addr addr) {
    struct fvm_jit *jit = vm->jit.own;
    for (int i = 0; i < jit->watched_count; i++)
        if (jit->watched[i] == addr) {
            flush(vm);
            return;
        }
}

static void changed(fvm *vm, fvm_addr addr) {
    struct fvm_jit *jit = vm->jit.own;
    if (jit != NULL && !fvm_jit_changes(vm, addr))
        jit->changed[jit->changed_count++ % CHANGED] = addr;
}

static void mark_as(fvm *vm, fvm_addr addr, uint8_t how) {
    fvm_mark(vm, addr, how); /* a DOES> word may be at an unaligned address */
}

static void mark(fvm *vm, fvm_addr addr) { mark_as(vm, addr, FVM_CELL_NATIVE); }

/* Marks every cell that the code was made from, so that a store there discards it. */
static void mark_sources(struct fvm_jit *jit, fvm *vm) {
    const fvm_graph *graph = &jit->graph;
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
            mark(vm, (fvm_addr)node->a); /* the code field of the known token */
        if (node->op == FVM_OP_DOES)
            mark(vm, (fvm_addr)node->a - 4);
        if (node->op == FVM_OP_COLON)
            for (fvm_addr cell = 0; cell < 12; cell += 4) /* it may be an EXIT */
                mark(vm, (fvm_addr)node->a + cell);
    }
}

static bool lead_to(struct fvm_jit *jit, fvm *vm, fvm_addr at, const uint8_t *code) {
    if (jit->slot_count == jit->slot_room) {
        int room = jit->slot_room == 0 ? 256 : 2 * jit->slot_room;
        fvm_addr *grown = realloc(jit->slots, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return false;
        jit->slots = grown;
        jit->slot_room = room;
    }
    jit->slots[jit->slot_count++] = at;
    vm->code[at >> 2].go = vm->jit.go;
    vm->code[at >> 2].a = (fvm_cell)(code - jit->arena);
    return true;
}

static void compile(struct fvm_jit *jit, fvm *vm, unit *wanted, int depth);

/* Compiles callees first: calls of compiled code are direct, and its effect on the stacks is known.
 * Returns whether any was compiled; if so, the graph has been overwritten. */
static bool compile_callees(struct fvm_jit *jit, fvm *vm, int depth) {
    const fvm_graph *graph = &jit->graph;
    fvm_addr callees[CALLEES];
    bool more = false;
    int count = 0;
    for (int i = 0; i < graph->count && count < CALLEES; i++)
        if (graph->nodes[i].kind == FVM_NODE_CALL)
            callees[count++] = (fvm_addr)graph->nodes[i].b;
    for (int i = 0; i < count; i++) {
        unit *callee = unit_at(jit, callees[i]);
        if (callee != NULL && callee->known.code == NULL && !callee->bad && !callee->busy &&
            jit->unit_count < UNITS / 2 - 64) {
            compile(jit, vm, callee, depth + 1);
            more = true;
        }
    }
    return more;
}

static void note_compiled(struct fvm_jit *jit, fvm *vm, unit *wanted) {
    fvm_compiler *c = &jit->compiler;
    const fvm_graph *graph = &jit->graph;
    const fvm_node *first = &graph->nodes[0];
    fvm_addr word;
    wanted->known = (fvm_known){.code = c->entries[0].code,
                                .checked = graph->preserves_return_stack ? c->checked : NULL,
                                .needs = first->needs,
                                .room = first->room,
                                .rneeds = first->rneeds,
                                .rroom = first->rroom,
                                .preserves_return_stack = graph->preserves_return_stack,
                                .net_known = graph->net_known,
                                .net = graph->net};
    if (fvm_named_at(vm, wanted->at - 4, &word) == FVM_OP_DOES_PART)
        wanted->made_code = fvm_compile_does(c);
    if (c->as.full)
        wanted->made_code = NULL;
    vm->jit.compiled++;
}

static void compile(struct fvm_jit *jit, fvm *vm, unit *wanted, int depth) {
    fvm_compiler *c = &jit->compiler;
    uint32_t epoch = vm->jit.epoch;
    bool made = fvm_graph_trace(&jit->graph, vm, wanted->at);
    wanted->busy = true;
    if (made && depth < DEEP && compile_callees(jit, vm, depth) && vm->jit.epoch == epoch)
        made = fvm_graph_trace(&jit->graph, vm, wanted->at);
    wanted->busy = false;
    uint8_t *end = jit->arena + ARENA;
    c->as = (fvm_asm){.at = jit->at, .end = end - jit->at > LONGEST ? jit->at + LONGEST : end};
    if (vm->jit.epoch != epoch)
        return; /* the unit has been reused */
    made = made && fvm_compile(c, wanted->at);
    if (made)
        mark_sources(jit, vm);
    if (vm->jit.epoch != epoch)
        return; /* a cell that code stores to has been marked, which discarded all code */
    if (!made) {
        wanted->bad = true;
        return;
    }
    if (wanted->speculated && !jit->graph.preserves_return_stack) {
        jit->blacklist[jit->blacklisted++ % BLACKLIST] = wanted->at;
        flush(vm);
        return;
    }
    note_compiled(jit, vm, wanted);
    for (int i = 0; i < c->entry_count; i++)
        if (!lead_to(jit, vm, c->entries[i].at, c->entries[i].code))
            break;
    if (wanted->stub != NULL)
        fvm_asm_redirect(wanted->stub, wanted->known.code);
    jit->at = c->as.at;
    if (jit->stored_top < c->top)
        jit->stored_top = c->top;
    if (jit->least_size < c->size)
        jit->least_size = c->size;
}

static void compile_queue(struct fvm_jit *jit, fvm *vm) {
    if (!protect(jit, PROT_READ | PROT_WRITE))
        return;
    uint8_t *from = jit->at;
    fvm_graph_forget(&jit->graph);
    for (int i = 0; i < jit->queue_count; i++) {
        unit *wanted = jit->queue[i];
        if (wanted->known.code == NULL && fvm_make_translatable(vm, wanted->at))
            compile(jit, vm, wanted, 0);
        wanted->queued = false;
        vm->unmetered_work +=
            4096; /* the limits are checked later: no error can be reported here */
    }
    jit->queue_count = 0;
    fvm_asm_published(jit->stubs_from, jit->code_from);
    fvm_asm_published(from, jit->at);
    if (!protect(jit, PROT_READ | PROT_EXEC)) {
        flush(vm);
        vm->jit.disabled = true; /* the code is not executable, and no slot enters it */
    }
}

/* --- when ------------------------------------------------------------------------- */

static bool sampled_enough(const fvm *vm, struct fvm_jit *jit, fvm_addr at, int weight) {
    int i = (int)((at >> 2) * 2654435761u >> 20) % SAMPLES;
    if (jit->samples[i].at != at) {
        if ((jit->samples[i].count -= weight) > 0)
            return false;
        jit->samples[i].at = at;
        jit->samples[i].count = 0;
    }
    /* For scripts that keep changing their own code, compilation does not pay. */
    int doublings = jit->flushes < 24 ? jit->flushes / 2 : 12;
    int enough = vm->jit.slice < FVM_FUEL_SLICE ? 1 : ENOUGH * SAMPLE << doublings;
    return (jit->samples[i].count += weight) >= enough;
}

static void sample(fvm *vm, fvm_addr target, int weight) {
    if (vm->jit.disabled || !fvm_make_translatable(vm, target))
        return;
    if (vm->jit.own == NULL && (vm->jit.own = new_jit(vm)) == NULL) {
        vm->jit.disabled = true;
        return;
    }
    struct fvm_jit *jit = vm->jit.own;
    if (!sampled_enough(vm, jit, target, weight))
        return;
    if (jit->slot_count == 0 && jit->unit_count == 0 && vm->jit.frame == NULL)
        start_over(jit); /* no code is in use */
    bool full = jit->at > jit->arena + ARENA - ARENA / 8 || jit->unit_count > UNITS / 2 - 64 ||
                jit->stubs_at + 64 * STUB > jit->code_from;
    if (full && vm->jit.frame == NULL) {
        flush(vm);
        start_over(jit);
    } else if (full) {
        return;
    }
    unit *wanted = unit_at(jit, target);
    if (wanted == NULL || wanted->bad || wanted->known.code != NULL)
        return;
    queue(jit, wanted);
    compile_queue(jit, vm);
}

static void slice_ended(fvm *vm, fvm_addr target) {
    if (fvm_make_translatable(vm, target) && vm->code[target >> 2].go != vm->jit.go)
        sample(vm, target, SAMPLE);
}

static void code_left(fvm *vm, fvm_addr target) {
    if (target != FVM_K_STOP && fvm_make_translatable(vm, target) &&
        vm->code[target >> 2].go != vm->jit.go)
        sample(vm, target, 1);
}

/* Enters the code of a token in the table, once there is any. */
static void token_left(fvm *vm, fvm_addr token) {
    int op = fvm_opcode_at(vm, token), place = token / 4 % FVM_TARGETS;
    bool made = op == FVM_OP_DOES && !vm->checked && fvm_in(vm, token, 8);
    if (vm->jit.own == NULL || vm->jit.disabled || vm->jit.target_tokens[place] == token ||
        (op != FVM_OP_COLON && !made))
        return;
    fvm_addr body = made ? (fvm_addr)fvm_get(vm, token + 4) : token + 4;
    if (fvm_jit_known(vm, body) == NULL)
        sample(vm, body, 1);
    const unit *found = find_unit(vm->jit.own, body);
    if (found == NULL || !found->known.preserves_return_stack || (made && found->made_code == NULL))
        return;
    uint32_t epoch = vm->jit.epoch;
    mark(vm, token);
    if (made)
        mark(vm, token + 4);
    if (vm->jit.epoch != epoch)
        return;
    vm->jit.target_tokens[place] = token;
    vm->jit.target_code[place] = made ? found->made_code : found->known.code;
}

static uint64_t enter(fvm *vm, fvm_cell code) {
    struct fvm_jit *jit = vm->jit.own;
    uint64_t (*run)(fvm *, const uint8_t *);
    memcpy(&run, &jit->runtime.enter, sizeof run);
    return run(vm, jit->arena + code);
}

/* --- the end of it ---------------------------------------------------------------- */

static void flush(fvm *vm) {
    struct fvm_jit *jit = vm->jit.own;
    if (jit == NULL)
        return;
    jit->watched_count = 0;
    memset(vm->jit.watched, 0, sizeof vm->jit.watched);
    if (jit->unit_count == 0 && jit->slot_count == 0)
        return;
    /* May happen during compilation, which then notices the new epoch. */
    vm->jit.epoch++;
    jit->flushes++;
    for (int i = 0; i < jit->slot_count; i++) {
        fvm_slot *slot = &vm->code[jit->slots[i] >> 2];
        if (slot->go == vm->jit.go)
            slot->go = vm->untranslated;
    }
    jit->slot_count = 0;
    memset(jit->units, 0, sizeof jit->units);
    memset(jit->samples, 0, sizeof jit->samples);
    jit->unit_count = 0;
    forget_targets(vm);
    jit->stored_top = jit->compiler.top = 0;
    jit->least_size = jit->compiler.size = 0;
}

static void image_shrunk(fvm *vm) {
    const struct fvm_jit *jit = vm->jit.own;
    if (jit != NULL &&
        (vm->high < jit->stored_top || vm->size < jit->stored_top || vm->size < jit->least_size))
        flush(vm);
}

const fvm_jit_hooks fvm_jit = {
    .available = true,
    .sample = slice_ended,
    .left = code_left,
    .target = token_left,
    .enter = enter,
    .marked = marked,
    .changed = changed,
    .image_shrunk = image_shrunk,
    .flush = flush,
    .free = release,
};

#endif
