/* dictionary.c: headers, word lists, and the words that define words or append to the dictionary.
 *
 * It owns the layout of a header (name, then name address, flags, link, code field, body) and HERE.
 * The source text is in outer_interpreter.c. */
#include "vm/decode.h"
#include "vm/primitives.h"
#include "vm/name_index.h"
#include "vm/fast_path.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_HEADERS = 1 << 20 };

static const struct {
    const char *name;
    int flags;
    int since;
} primitive_table[] = {
#include "generated/table.inc"
};

int fvm_primitive_flags(int op) {
    return op >= 0 && op < FVM_PRIMITIVES ? primitive_table[op].flags : 0;
}

/* --- growth at HERE --------------------------------------------------------------- */

fvm_addr fvm_here(const fvm *vm) { return (fvm_addr)fvm_get(vm, FVM_K_DP); }

static fvm_status fail_memory(fvm *vm, int32_t bytes) {
    return fvm_fail(vm, FVM_ERR_MEMORY, bytes, "no room for %d bytes at HERE (limit: %u MiB)",
                    (int)bytes, vm->limit >> 20);
}

fvm_status fvm_allot(fvm *vm, int32_t bytes) {
    int64_t end = (int64_t)fvm_here(vm) + bytes;
    if (end < FVM_LOW || end > (int64_t)vm->limit)
        return fail_memory(vm, bytes);
    fvm_status status = end <= vm->size ? FVM_OK : fvm_grow(vm, (uint32_t)end);
    if (status == FVM_OK)
        fvm_put(vm, FVM_K_DP, (fvm_cell)end);
    return status;
}

/* ALLOT: changes only DP; the first access to the new memory grows the image.  A script may also
 * release memory, but not that of the library. */
fvm_status fvm_word_allot(fvm *vm) {
    FVM_TRY(fvm_need(vm, 1));
    fvm_cell bytes = fvm_drop(vm);
    int64_t end = (int64_t)fvm_here(vm) + bytes;
    if (end > (int64_t)vm->limit)
        return fail_memory(vm, bytes);
    const fvm_addr fence = vm->fence > FVM_DICTIONARY ? vm->fence : FVM_DICTIONARY;
    if (end < fence && bytes < 0)
        return fvm_fail(vm, FVM_ERR_CONTEXT, (fvm_cell)end,
                        "this would remove words of the library; the script can release at most "
                        "%d bytes",
                        (int)(fvm_here(vm) > fence ? fvm_here(vm) - fence : 0));
    fvm_put(vm, FVM_K_DP, (fvm_cell)end);
    return FVM_OK;
}

static fvm_status append(fvm *vm, const void *bytes, uint32_t length) {
    fvm_addr at = fvm_here(vm);
    FVM_TRY(fvm_allot(vm, (int32_t)length));
    if (!fvm_in(vm, at, length))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)at, "HERE lies outside the memory");
    fvm_write_barrier(vm, at, length);
    /* The ranges may overlap: `bytes` may be at PAD, and a script may set DP to PAD. */
    memmove(vm->mem + at, bytes, length);
    return FVM_OK;
}

FVM_COLD static fvm_status append_cell(fvm *vm, fvm_cell value) { return append(vm, &value, 4); }

fvm_status fvm_comma(fvm *vm, fvm_cell value) {
    uint8_t *const mem = vm->mem, *const dirty = vm->dirty, *const marks = vm->cells;
    const fvm_addr at = (fvm_addr)fvm_cell_in(mem, FVM_K_DP);
    if (FVM_UNLIKELY(vm->source != NULL) && at < vm->limit)
        vm->map[at >> 2] = vm->token_pos;
    if (FVM_UNLIKELY((at & 3) != 0 || at < FVM_DICTIONARY || !fvm_in(vm, at, 4) ||
                     (marks[FVM_K_DP >> 2] | marks[at >> 2]) != 0))
        return append_cell(vm, value);
    if (at + 4 > vm->high)
        fvm_set_high(vm, at + 4);
    dirty[0] = dirty[at >> FVM_PAGE_SHIFT] = 1;
    fvm_put_in(mem, FVM_K_DP, (fvm_cell)(at + 4));
    fvm_put_in(mem, at, value);
    return FVM_OK;
}

fvm_status fvm_align(fvm *vm) {
    const fvm_addr here = fvm_here(vm);
    return (here & 3) == 0 && fvm_in(vm, here, 0) ? FVM_OK : fvm_allot(vm, (int32_t)(-here & 3));
}

uint32_t fvm_source_at(const fvm *vm, fvm_addr addr) {
    /* Move lists and boards have no source positions.  Their cells in the map may still contain
     * positions of code that has been removed. */
    return addr < vm->limit && addr < vm->translated_limit ? vm->map[addr >> 2] : 0;
}

/* --- headers ---------------------------------------------------------------------- */

/* Appends a header with a code field for the opcode `op`. */
static fvm_status add_header(fvm *vm, const char *name, uint32_t length, int op) {
    static const char zeros[4] = {0};
    fvm_addr list = (fvm_addr)fvm_get(vm, FVM_K_CURRENT);
    fvm_cell newest;
    FVM_TRY(fvm_load_cell(vm, list, &newest));
    /* The name begins at HERE without alignment, so that FORGET, which sets HERE to the address of
     * the name, restores the old HERE exactly.  The header after it is aligned. */
    fvm_addr text = fvm_here(vm);
    fvm_status status = append(vm, name, length);
    if (status == FVM_OK)
        status = append(vm, zeros, 4 - ((text + length) & 3));
    fvm_addr nfa = fvm_here(vm);
    if (status == FVM_OK)
        status = fvm_comma(vm, (fvm_cell)text);
    if (status == FVM_OK)
        status = fvm_comma(vm, 0);
    if (status == FVM_OK)
        status = fvm_comma(vm, newest);
    if (status == FVM_OK)
        status = fvm_comma(vm, (fvm_cell)(FVM_CODE_TAG | (uint32_t)op));
    if (status == FVM_OK)
        status = fvm_store_cell(vm, list, (fvm_cell)nfa);
    fvm_put(vm, FVM_K_HEADERS, fvm_plus(fvm_get(vm, FVM_K_HEADERS), 1));
    return status;
}

void fvm_install_primitives(fvm *vm) {
    /* If the headers exist, a change of version only hides or shows them.  The image is not read,
     * because scripts may have overwritten it. */
    bool installed = vm->primitives[0] != 0;
    for (int op = 0; op < FVM_PRIMITIVES; op++) {
        const char *name = primitive_table[op].name;
        if (!installed) {
            add_header(vm, name, (uint32_t)strlen(name), op);
            vm->primitives[op] = fvm_here(vm) - 4;
        }
        fvm_addr flags = vm->primitives[op] - FVM_HEADER_BYTES + FVM_HEADER_FLAGS;
        bool hidden = (primitive_table[op].flags & FVM_PRIM_HIDDEN) ||
                      primitive_table[op].since > vm->version;
        fvm_cell value = primitive_table[op].flags & FVM_PRIM_IMMEDIATE ? FVM_FLAG_IMMEDIATE : 0;
        fvm_put(vm, flags, hidden ? value | FVM_FLAG_HIDDEN : value);
    }
    fvm_mark_primitives(vm);
}

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 32) : c; }

/* Whether the text at an address is the name.  fold: ignores letter case. */
static bool is_name(const fvm *vm, fvm_addr text, const char *name, uint32_t length, bool fold) {
    if (!fvm_in(vm, text, length + 1) || vm->mem[text + length] != 0)
        return false;
    const char *const found = (const char *)vm->mem + text;
    for (uint32_t i = 0; i < length; i++)
        if (found[i] != name[i] && (!fold || upper(found[i]) != upper(name[i])))
            return false;
    return true;
}

/* A word list ends at link 0.  Scripts may have damaged it: the search ends at the first invalid
 * link, and in a cycle after MAX_HEADERS links. */
fvm_addr fvm_search_list(const fvm *vm, fvm_addr list, const char *name, uint32_t length,
                         bool fold) {
    uint32_t steps = 0;
    if (!fvm_in(vm, list, 4))
        return 0;
    for (fvm_addr nfa = (fvm_addr)fvm_get(vm, list); nfa != 0 && steps++ < MAX_HEADERS;
         nfa = (fvm_addr)fvm_get(vm, nfa + FVM_HEADER_LINK)) {
        if (!fvm_in_header(vm, nfa))
            return 0;
        /* Callers that return a status check whether this work exceeds the limits of the run. */
        ((fvm *)vm)->unmetered_work += 2;
        if ((fvm_get(vm, nfa + FVM_HEADER_FLAGS) & FVM_FLAG_HIDDEN) == 0 &&
            is_name(vm, (fvm_addr)fvm_get(vm, nfa), name, length, fold))
            return nfa;
    }
    return 0;
}

fvm_addr fvm_find_in(const fvm *vm, fvm_addr list, const char *name, uint32_t length) {
    fvm_addr found;
    /* The name index is a cache, so it may change although the VM is const here. */
    if (list == FVM_K_FORTH && fvm_names_find((fvm *)vm, name, length, &found))
        return found;
    return fvm_search_list(vm, list, name, length, false);
}

fvm_addr fvm_find_name(const fvm *vm, const char *name, uint32_t length) {
    fvm_addr context = (fvm_addr)fvm_get(vm, FVM_K_CONTEXT);
    fvm_addr current = (fvm_addr)fvm_get(vm, FVM_K_CURRENT);
    fvm_addr nfa = fvm_find_in(vm, context, name, length);
    if (nfa == 0 && current != context)
        nfa = fvm_find_in(vm, current, name, length);
    if (nfa == 0 && context != FVM_K_FORTH && current != FVM_K_FORTH)
        nfa = fvm_find_in(vm, FVM_K_FORTH, name, length);
    return nfa;
}

fvm_addr fvm_find(fvm *vm, const char *name) {
    return fvm_find_name(vm, name, (uint32_t)strlen(name));
}

fvm_addr fvm_latest(const fvm *vm) {
    fvm_addr list = (fvm_addr)fvm_get(vm, FVM_K_CURRENT);
    return fvm_in(vm, list, 4) ? (fvm_addr)fvm_get(vm, list) : 0;
}

fvm_addr fvm_previous(const fvm *vm, fvm_addr nfa) {
    if (!fvm_in_header(vm, nfa))
        return 0;
    fvm_addr older = (fvm_addr)fvm_get(vm, nfa + FVM_HEADER_LINK);
    return older < nfa ? older : 0; /* a link to a higher address could form a cycle */
}

fvm_addr fvm_word_at(const fvm *vm, fvm_addr addr) {
    fvm_addr best = 0;
    fvm_addr lists[3] = {(fvm_addr)fvm_get(vm, FVM_K_CONTEXT), (fvm_addr)fvm_get(vm, FVM_K_CURRENT),
                         FVM_K_FORTH};
    for (int i = 0; i < 3; i++) {
        if (!fvm_in(vm, lists[i], 4))
            continue;
        uint32_t steps = 0;
        for (fvm_addr nfa = (fvm_addr)fvm_get(vm, lists[i]); nfa != 0 && steps++ < MAX_HEADERS;
             nfa = fvm_previous(vm, nfa))
            if (nfa <= addr && nfa > best)
                best = nfa;
        ((fvm *)vm)->unmetered_work += 2 * steps;
    }
    return best;
}

int32_t fvm_name(const fvm *vm, fvm_addr nfa, char *buffer, int32_t size) {
    int32_t length = 0;
    if (size <= 0)
        return 0;
    if (fvm_in(vm, nfa, 4)) {
        fvm_addr text = (fvm_addr)fvm_get(vm, nfa);
        while (length < size - 1 && fvm_in(vm, text + (fvm_addr)length, 1) &&
               vm->mem[text + (fvm_addr)length] != 0) {
            buffer[length] = (char)vm->mem[text + (fvm_addr)length];
            length++;
        }
    }
    buffer[length] = 0;
    return length;
}

fvm_addr fvm_body(const fvm *vm, fvm_addr cfa) {
    return cfa + (fvm_opcode_at(vm, cfa) == FVM_OP_DOES ? FVM_DOES_BODY : FVM_BODY);
}

int32_t fvm_primitive(const fvm *vm, fvm_addr cfa) { return fvm_opcode_at(vm, cfa); }

fvm_status fvm_define_host_word(fvm *vm, const char *name, int32_t id) {
    fvm_status status = add_header(vm, name, (uint32_t)strlen(name), FVM_OP_HOST);
    return status == FVM_OK ? fvm_comma(vm, id) : status;
}

void fvm_cut_lists(fvm *vm, fvm_addr addr) {
    const fvm_addr heads[3] = {FVM_K_FORTH, (fvm_addr)fvm_get(vm, FVM_K_CONTEXT),
                               (fvm_addr)fvm_get(vm, FVM_K_CURRENT)};
    for (int i = 0; i < 3; i++) {
        if (!fvm_in(vm, heads[i], 4))
            continue;
        fvm_addr nfa = (fvm_addr)fvm_get(vm, heads[i]);
        while (nfa >= addr && fvm_in_header(vm, nfa)) {
            fvm_addr older = (fvm_addr)fvm_get(vm, nfa + FVM_HEADER_LINK);
            if (older >= nfa)
                break; /* a damaged list, which stays as it is because nfa >= addr */
            nfa = older;
        }
        if (nfa < addr && nfa != (fvm_addr)fvm_get(vm, heads[i]))
            fvm_put(vm, heads[i], (fvm_cell)nfa);
    }
}

/* --- defining words --------------------------------------------------------------- */

/* Reads a name and makes a header with it.  what: the defining word, for the error message. */
static fvm_status define_next_name(fvm *vm, const char *what, int op) {
    const char *name;
    uint32_t length;
    fvm_status status = fvm_read_name(vm, what, &name, &length);
    return status == FVM_OK ? add_header(vm, name, length, op) : status;
}

fvm_status fvm_word_create(fvm *vm) { return define_next_name(vm, "CREATE", FVM_OP_VAR); }

fvm_status fvm_word_builds(fvm *vm) {
    fvm_status status = define_next_name(vm, "<BUILDS", FVM_OP_DOES);
    return status == FVM_OK ? fvm_comma(vm, 0) : status;
}

fvm_status fvm_word_header(fvm *vm) {
    char name[FVM_TEXT_BYTES];
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        status = fvm_string_copy(vm, (fvm_addr)fvm_drop(vm), name, sizeof name);
    if (status == FVM_OK)
        status = add_header(vm, name, (uint32_t)strlen(name), FVM_OP_DOES);
    return status == FVM_OK ? fvm_comma(vm, 0) : status;
}

fvm_status fvm_word_vocabulary(fvm *vm) {
    fvm_status status = define_next_name(vm, "VOCABULARY", FVM_OP_WORD_LIST);
    /* The new list continues with the words of the list in which it is defined. */
    return status == FVM_OK ? fvm_comma(vm, (fvm_cell)fvm_latest(vm)) : status;
}

fvm_status fvm_does(fvm *vm, fvm_addr part) {
    fvm_addr cfa = fvm_latest(vm) + FVM_HEADER_BYTES;
    if (fvm_opcode_at(vm, cfa) != FVM_OP_DOES)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0,
                        "DOES> needs a word defined by <BUILDS or HEADER; "
                        "the newest word was defined by another word");
    return fvm_store_cell(vm, cfa + FVM_DOES_PART, (fvm_cell)part);
}

fvm_status fvm_word_immediate(fvm *vm) {
    fvm_addr nfa = fvm_latest(vm);
    if (!fvm_in_header(vm, nfa))
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "IMMEDIATE without a word");
    return fvm_store_cell(vm, nfa + FVM_HEADER_FLAGS,
                          fvm_get(vm, nfa + FVM_HEADER_FLAGS) | FVM_FLAG_IMMEDIATE);
}

fvm_status fvm_word_colon(fvm *vm) {
    fvm_addr dp = fvm_here(vm);
    FVM_TRY(define_next_name(vm, ":", FVM_OP_COLON));
    fvm_addr nfa = fvm_latest(vm);
    vm->open_word = nfa;
    vm->open_dp = dp;
    vm->open_depth = fvm_depth_of(vm);
    fvm_status status = fvm_store_cell(vm, nfa + FVM_HEADER_FLAGS, FVM_FLAG_HIDDEN);
    fvm_put(vm, FVM_K_STATE, -1);
    return status;
}

fvm_status fvm_word_semicolon(fvm *vm) {
    fvm_status status = FVM_OK;
    if (fvm_get(vm, FVM_K_STATE) == 0 && vm->open_word == 0)
        return FVM_OK; /* has no effect outside a definition */
    status = fvm_comma(vm, (fvm_cell)vm->primitives[FVM_OP_RETURN]);
    fvm_put(vm, FVM_K_STATE, 0);
    fvm_addr nfa = vm->open_word != 0 ? vm->open_word : fvm_latest(vm);
    if (fvm_in_header(vm, nfa))
        fvm_put(vm, nfa + FVM_HEADER_FLAGS, fvm_get(vm, nfa + FVM_HEADER_FLAGS) & ~FVM_FLAG_HIDDEN);
    /* `;` may also run inside a colon definition that defines words.  Items of that definition may
     * be on the stack, so a changed depth does not mean that a control structure is open. */
    if (vm->open_word != 0 && fvm_opcode_at(vm, vm->running) < FVM_OP_COLON &&
        fvm_depth_of(vm) != vm->open_depth) {
        const int32_t left = fvm_depth_of(vm) - vm->open_depth;
        char name[64];
        fvm_name(vm, nfa, name, (int32_t)sizeof name);
        fvm_warn(vm, "control structures in `%s` are not balanced: %d item%s %s the stack", name,
                 abs(left), abs(left) == 1 ? "" : "s", left > 0 ? "left on" : "taken from");
    }
    vm->open_word = 0;
    return status;
}

void fvm_drop_open_word(fvm *vm) {
    fvm_put(vm, FVM_K_STATE, 0);
    fvm_put(vm, FVM_K_OPEN_HEADER, 0);
    if (vm->open_word == 0)
        return;
    fvm_addr list = (fvm_addr)fvm_get(vm, FVM_K_CURRENT);
    if (fvm_latest(vm) == vm->open_word && fvm_in_header(vm, vm->open_word)) {
        fvm_put(vm, list, fvm_get(vm, vm->open_word + FVM_HEADER_LINK));
        fvm_put(vm, FVM_K_DP, (fvm_cell)vm->open_dp);
    }
    vm->open_word = 0;
}

/* --- appending words -------------------------------------------------------------- */

static fvm_status append_top(fvm *vm, uint32_t bytes) {
    FVM_TRY(fvm_need(vm, 1));
    fvm_cell value = fvm_drop(vm);
    return append(vm, &value, bytes);
}

fvm_status fvm_word_comma(fvm *vm) {
    fvm_status status = fvm_need(vm, 1);
    return status == FVM_OK ? fvm_comma(vm, fvm_drop(vm)) : status;
}
fvm_status fvm_word_c_comma(fvm *vm) { return append_top(vm, 1); }
fvm_status fvm_word_i_comma(fvm *vm) { return append_top(vm, 2); }
