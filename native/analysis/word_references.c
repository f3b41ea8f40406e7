/* word_references.c: to what the data of words points.
 *
 * Data may contain tokens, and addresses of other data.  Tables are long, and most of their cells
 * are numbers, so the data of each word is searched only once. */
#include "analysis/word_references.h"
#include "vm/decode.h"

#include <stdlib.h>

/* The address of the data of a word: after its code, if it is a colon definition. */
static fvm_addr data_of(const fvm_program *p, int32_t word) {
    const fvm_addr cfa = fvm_code_field(&p->table, word);
    const int op = fvm_opcode_at(p->table.vm, cfa);
    const fvm_code *const code = op == FVM_OP_COLON ? fvm_code_of(p, word) : NULL;
    return code != NULL ? code->end : cfa + (op == FVM_OP_DOES ? FVM_DOES_BODY : FVM_BODY);
}

/* --- the meaning of an address ------------------------------------------------------ */

static bool is_name(const fvm_program *p, int32_t word, fvm_addr at) {
    const fvm *const vm = p->table.vm;
    const fvm_addr *const words = p->table.words;
    return (fvm_addr)fvm_get(vm, words[word]) == at ||
           (word + 1 < p->table.count && (fvm_addr)fvm_get(vm, words[word + 1]) == at);
}

static bool is_in_tables(const fvm *vm, fvm_addr at) {
    const fvm_addr pieces = (fvm_addr)fvm_lib_get(vm, vm->lib.pieces);
    const uint32_t count = (uint32_t)fvm_lib_get(vm, vm->lib.piece_count);
    const fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order);
    return (pieces != 0 && at >= pieces && (at - pieces) / FVM_PIECE_BYTES < count) ||
           (order != 0 && at - order < (fvm_addr)fvm_lib_get(vm, vm->lib.turn_limit));
}

static bool is_after_code(const fvm_program *p, int32_t word, fvm_addr at) {
    return fvm_opcode_at(p->table.vm, fvm_code_field(&p->table, word)) == FVM_OP_COLON &&
           at >= data_of(p, word);
}

unsigned fvm_meaning_of(const fvm_program *p, int32_t word, fvm_addr at) {
    return (at == fvm_code_field(&p->table, word) ? FVM_IS_TOKEN : 0U) |
           (is_name(p, word, at) ? FVM_IS_NAME : 0U) |
           (is_in_tables(p->table.vm, at) ? FVM_IS_IN_TABLES : 0U) |
           (is_after_code(p, word, at) ? FVM_IS_AFTER_CODE : 0U);
}

/* --- references --------------------------------------------------------------------- */

/* Adds a cell; false: no memory. */
static bool append(fvm_references **r, fvm_cell cell) {
    const int32_t count = (*r)->count;
    if ((count & (count + 1)) == 0) { /* capacities are 0, 1, 3, 7 and so on */
        fvm_references *const grown =
            realloc(*r, sizeof **r + (size_t)(2 * count + 1) * sizeof *grown->cells);
        if (grown == NULL)
            return false;
        *r = grown;
    }
    (*r)->cells[(*r)->count++] = cell;
    return true;
}

/* Searches the data of a word; NULL: no memory. */
static fvm_references *find_references(const fvm_program *p, int32_t word) {
    const fvm *const vm = p->table.vm;
    const fvm_addr end = fvm_end_of_word(&p->table, word);
    const fvm_addr engines = (fvm_addr)fvm_lib_get(vm, vm->lib.engines);
    fvm_references *r = calloc(1, sizeof *r);
    for (fvm_addr at = data_of(p, word); r != NULL && at + 4 <= end && fvm_in(vm, at, 4); at += 4) {
        const fvm_cell cell = fvm_get(vm, at);
        const int32_t found = fvm_word_containing(&p->table, (fvm_addr)cell);
        if (found < 0 || at - engines < 4 * FVM_MAX_PLAYERS)
            continue;
        const unsigned meaning = 1U << fvm_meaning_of(p, found, (fvm_addr)cell);
        if ((p->found[found] & meaning) == 0)
            *p->failed |= !append(&r, cell);
        p->found[found] |= (uint16_t)meaning;
    }
    for (int32_t i = 0; r != NULL && i < r->count; i++)
        p->found[fvm_word_containing(&p->table, (fvm_addr)r->cells[i])] = 0;
    return r;
}

const fvm_references *fvm_references_of(const fvm_program *p, int32_t word) {
    if (p->references[word] == NULL)
        p->references[word] = find_references(p, word);
    *p->failed |= p->references[word] == NULL;
    return p->references[word];
}
