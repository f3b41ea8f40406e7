/* units.c: the units of machine code and their compilation.
 *
 * It owns the table of units, the stubs that calls use until their target is compiled, the
 * assumptions of callers about their callees, and the marks of the cells from which code was made.
 * jit.c decides which units are compiled; compile.c generates the code. */
#include "jit/calls.h"
#include "jit/units.h"

#if defined(FVM_JIT)

#include "vm/translate.h"

#include "generated/ops.h"

#include <stdlib.h>

enum {
    MAX_UNIT_BYTES = 1 << 20, /* the range of jumps on every processor */
    MAX_CALLEES = 24,         /* callees of a unit that are compiled before it */
    MAX_CALLEE_DEPTH = 10,    /* nested calls whose callees are compiled */
    WORK_PER_UNIT = 4096      /* steps charged for a compilation */
};

bool fvm_protect_arena(struct fvm_jit *jit, fvm_code_access access) {
    return fvm_protect_code(jit->arena, FVM_ARENA_BYTES, access);
}

/* --- the table of units ----------------------------------------------------------- */

/* The unit at an address, or an empty entry for it. */
static const fvm_unit *entry_of(const struct fvm_jit *jit, fvm_addr at) {
    uint32_t i = (at >> 2) * 2654435761u >> 16;
    while (jit->units[i % FVM_UNIT_TABLE].at != at && jit->units[i % FVM_UNIT_TABLE].at != 0)
        i++;
    return &jit->units[i % FVM_UNIT_TABLE];
}

fvm_unit *fvm_unit_at(struct fvm_jit *jit, fvm_addr at) {
    fvm_unit *found = (fvm_unit *)entry_of(jit, at);
    if (found->at == at)
        return found;
    if (jit->unit_count == FVM_MAX_UNITS)
        return NULL;
    jit->unit_count++;
    found->at = at;
    return found;
}

const fvm_unit *fvm_find_unit(const struct fvm_jit *jit, fvm_addr at) {
    const fvm_unit *found = entry_of(jit, at);
    return found->at != 0 ? found : NULL;
}

void fvm_queue_unit(struct fvm_jit *jit, fvm_unit *unit) {
    if (unit->queued || unit->failed || unit->info.code != NULL ||
        jit->queue_count == FVM_MAX_QUEUED_UNITS)
        return;
    unit->queued = true;
    jit->queue[jit->queue_count++] = unit;
}

const uint8_t *fvm_jit_call_target(fvm_compiler *c, fvm_addr addr) {
    struct fvm_jit *jit = c->vm->jit.state;
    fvm_unit *unit = fvm_unit_at(jit, addr);
    if (unit == NULL) {
        c->failed = true;
        return NULL;
    }
    if (unit->info.code != NULL)
        return unit->info.code;
    if (addr == c->graph->contexts[0].start)
        return c->entries[0].code;
    fvm_queue_unit(jit, unit);
    if (unit->call_stub == NULL && jit->next_call_stub + FVM_CALL_STUB_BYTES > jit->code) {
        c->failed = true; /* no space, because running code still uses stubs of discarded units */
        return NULL;
    }
    if (unit->call_stub == NULL) {
        fvm_asm as = {.at = jit->next_call_stub, .end = jit->next_call_stub + FVM_CALL_STUB_BYTES};
        unit->call_stub = as.at;
        fvm_asm_set(&as, S0, (fvm_cell)addr);
        fvm_asm_jump_to(&as, ALWAYS, jit->runtime.go_to);
        jit->next_call_stub += FVM_CALL_STUB_BYTES;
        c->failed |= as.full;
    }
    return unit->call_stub;
}

const fvm_callee_info *fvm_jit_callee_info(const fvm *vm, fvm_addr addr) {
    const fvm_unit *found = fvm_find_unit(vm->jit.state, addr);
    return found != NULL && found->info.code != NULL ? &found->info : NULL;
}

/* --- compilation ------------------------------------------------------------------ */

void fvm_mark_watched_cell(fvm *vm, fvm_addr addr) { fvm_mark(vm, addr, FVM_CELL_NATIVE); }

/* Marks all cells from which the code was made. */
static void mark_sources(struct fvm_jit *jit, fvm *vm) {
    const fvm_graph *graph = &jit->graph;
    for (int i = 0; i < graph->count; i++) {
        const fvm_node *node = &graph->nodes[i];
        fvm_mark_watched_cell(vm, node->at);
        if (node->op >= 0 && node->op < FVM_PRIMITIVES && fvm_takes_operand(node->op))
            fvm_mark_watched_cell(vm, node->at + 4);
        if (node->op == FVM_OP_PICK) { /* one node for LIT, its operand and PICK */
            fvm_mark_watched_cell(vm, node->at + 4);
            fvm_mark_watched_cell(vm, node->at + 8);
        }
        if (node->op == FVM_OP_EXECUTE && node->token != 0)
            fvm_mark_watched_cell(vm, node->token);
        if (node->op == FVM_OP_DOES || (node->op == FVM_OP_EXECUTE && node->a != 0))
            fvm_mark_watched_cell(vm, (fvm_addr)node->a - FVM_DOES_BODY + FVM_DOES_PART);
        if (node->settled_cell != 0)
            fvm_mark_watched_cell(vm, node->settled_cell);
        if (node->op == FVM_OP_COLON)
            /* Three cells: if they are `R> DROP ;`, the call was compiled as EXIT. */
            for (fvm_addr offset = 0; offset < 12; offset += 4)
                fvm_mark_watched_cell(vm, (fvm_addr)node->a + offset);
    }
}

/* Makes the slot of an address enter machine code; false: out of memory. */
static bool install_entry(struct fvm_jit *jit, fvm *vm, fvm_addr at, const uint8_t *code) {
    if (jit->slot_count == jit->slot_capacity) {
        int capacity = jit->slot_capacity == 0 ? 256 : 2 * jit->slot_capacity;
        fvm_addr *grown = realloc(jit->slots, (size_t)capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        jit->slots = grown;
        jit->slot_capacity = capacity;
    }
    jit->slots[jit->slot_count++] = at;
    vm->code[at >> 2].go = vm->jit.go;
    vm->code[at >> 2].a = (fvm_cell)(code - jit->arena);
    return true;
}

static void compile(struct fvm_jit *jit, fvm *vm, fvm_unit *unit, int depth);

/* Compiles the callees of the definition in the graph before the definition: calls of compiled
 * callees are direct, and their effect on the stacks is known.  Returns true if a compilation has
 * overwritten the graph. */
static bool compile_callees(struct fvm_jit *jit, fvm *vm, int depth) {
    const fvm_graph *graph = &jit->graph;
    fvm_addr callees[MAX_CALLEES];
    bool overwritten = false;
    int count = 0;
    for (int i = 0; i < graph->count && count < MAX_CALLEES; i++)
        if (graph->nodes[i].kind == FVM_NODE_CALL)
            callees[count++] = (fvm_addr)graph->nodes[i].b;
    for (int i = 0; i < count; i++) {
        fvm_unit *callee = fvm_unit_at(jit, callees[i]);
        if (callee != NULL && callee->info.code == NULL && !callee->failed &&
            !callee->in_progress && jit->unit_count < FVM_MAX_UNITS - FVM_SPARE_UNITS) {
            compile(jit, vm, callee, depth + 1);
            overwritten = true;
        }
    }
    return overwritten;
}

static void set_callee_info(struct fvm_jit *jit, fvm *vm, fvm_unit *unit) {
    fvm_compiler *c = &jit->compiler;
    const fvm_graph *graph = &jit->graph;
    unit->info = (fvm_callee_info){.code = c->entries[0].code,
                                   .preserves_return_stack = graph->preserves_return_stack,
                                   .net_known = graph->net_known,
                                   .net = graph->net};
    if (fvm_decode(vm, unit->at - 4).op == FVM_OP_DOES_PART)
        unit->does_entry = fvm_emit_does_entry(c);
    if (c->as.full)
        unit->does_entry = NULL;
    vm->jit.compiled++;
}

static void compile(struct fvm_jit *jit, fvm *vm, fvm_unit *unit, int depth) {
    fvm_compiler *c = &jit->compiler;
    uint32_t epoch = vm->jit.epoch;
    bool built = fvm_graph_build(&jit->graph, vm, unit->at);
    unit->in_progress = true;
    if (built && depth < MAX_CALLEE_DEPTH && compile_callees(jit, vm, depth) &&
        vm->jit.epoch == epoch)
        built = fvm_graph_build(&jit->graph, vm, unit->at);
    unit->in_progress = false;
    uint8_t *end = jit->arena + FVM_ARENA_BYTES;
    c->as = (fvm_asm){.at = jit->next_code,
                      .end = end - jit->next_code > MAX_UNIT_BYTES ? jit->next_code + MAX_UNIT_BYTES
                                                                   : end};
    if (vm->jit.epoch != epoch)
        return; /* all units have been discarded */
    built = built && fvm_compile(c, unit->at);
    if (!built) {
        unit->failed = true;
        return;
    }
    mark_sources(jit, vm);
    set_callee_info(jit, vm, unit);
    for (int i = 0; i < c->entry_count; i++)
        if (!install_entry(jit, vm, c->entries[i].at, c->entries[i].code))
            break;
    if (unit->call_stub != NULL)
        fvm_asm_redirect(unit->call_stub, unit->info.code);
    jit->next_code = c->as.at;
    if (jit->constant_store_end < c->constant_store_end)
        jit->constant_store_end = c->constant_store_end;
    if (jit->assumed_size < c->assumed_size)
        jit->assumed_size = c->assumed_size;
}

void fvm_compile_queue(struct fvm_jit *jit, fvm *vm) {
    if (!fvm_protect_arena(jit, FVM_WRITABLE))
        return;
    uint8_t *from = jit->next_code;
    fvm_graph_clear_decoded(&jit->graph);
    for (int i = 0; i < jit->queue_count; i++) {
        fvm_unit *unit = jit->queue[i];
        if (unit->info.code == NULL && fvm_make_translatable(vm, unit->at))
            compile(jit, vm, unit, 0);
        unit->queued = false;
        vm->unmetered_work += WORK_PER_UNIT; /* charged later: no error can be reported here */
    }
    jit->queue_count = 0;
    fvm_publish_code(jit->call_stubs, jit->code);
    fvm_publish_code(from, jit->next_code);
    if (!fvm_protect_arena(jit, FVM_EXECUTABLE)) {
        fvm_discard_code(vm);
        vm->jit.disabled = true; /* no slot enters the code, which is not executable */
    }
}

#endif
