/* authoring.c: what a page for authors needs of the core, besides a game that is played.
 *
 * It owns the outer interpreter as a prompt, the dictionary and the source positions of errors.
 * forthvm/web/playground/author.js calls it. */
#include "wasm/played_game.h"

#include <stddef.h>

/* Returns the memory and the stack, which the caller frees; NULL: no memory. */
fvm_snapshot *EXPORT(author_save)(void) { return fvm_snapshot_take(played_vm()); }

fvm_status EXPORT(author_restore)(const fvm_snapshot *saved) {
    return fvm_snapshot_restore(played_vm(), saved);
}

void EXPORT(author_free)(fvm_snapshot *saved) { fvm_snapshot_free(saved); }

/* Returns the size of the memory in bytes. */
uint32_t EXPORT(author_size)(void) { return fvm_memory_size(played_vm()); }

/* Returns the end of the dictionary. */
fvm_addr EXPORT(author_here)(void) { return fvm_here(played_vm()); }

/* Interprets what a person has typed, in the current memory.  Control structures outside a
 * definition are errors.  After an error the stack is that of `before`. */
fvm_status EXPORT(author_interpret)(const char *source, uint32_t length,
                                    const fvm_snapshot *before) {
    enum { MOST = 4096 }; /* cells that an error leaves */
    static fvm_cell cells[MOST];
    fvm *vm = played_vm();
    fvm_set_option(vm, FVM_OPT_PROMPT, 1);
    const fvm_status status = fvm_interpret(vm, source, length, fvm_source_add(vm, length), 1);
    fvm_set_option(vm, FVM_OPT_PROMPT, 0);
    if (status == FVM_OK)
        return FVM_OK;
    fvm_clear_stack(vm);
    const int32_t depth = fvm_snapshot_stack(before, cells, MOST);
    for (int32_t i = 0; i < depth && i < MOST; i++)
        fvm_push(vm, cells[i]);
    return status;
}

/* Copies up to `capacity` cells of the parameter stack, the topmost first; returns its depth. */
int32_t EXPORT(author_stack)(fvm_cell *cells, int32_t capacity) {
    const int32_t depth = fvm_depth(played_vm());
    for (int32_t i = 0; i < depth && i < capacity; i++)
        cells[i] = fvm_pick(played_vm(), i);
    return depth;
}

/* Returns the name of the word with a code field, valid until the next call. */
const char *EXPORT(author_word)(fvm_addr cfa) {
    static char name[1024];
    if (cfa < FVM_HEADER_BYTES ||
        fvm_name(played_vm(), cfa - FVM_HEADER_BYTES, name, sizeof name) < 0)
        name[0] = 0;
    return name;
}

/* Executes a word.  *result: the topmost cell. */
fvm_status EXPORT(author_execute)(fvm_addr cfa, fvm_cell *result) {
    fvm *vm = played_vm();
    fvm_clear_stack(vm);
    fvm_budget(vm, 0, 0);
    const fvm_status status = fvm_execute(vm, cfa);
    *result = fvm_pick(vm, 0);
    fvm_clear_stack(vm);
    return status;
}

/* Returns the address that a variable pushes, or an array for its index 0; 0: the word is missing
 * or fails. */
fvm_addr EXPORT(author_address)(const char *name) {
    fvm *vm = played_vm();
    const fvm_addr word = fvm_find(vm, name);
    fvm_cell address = 0;
    fvm_clear_stack(vm);
    fvm_budget(vm, 0, 0);
    if (word == 0 || fvm_push(vm, 0) != FVM_OK ||
        fvm_execute(vm, word + FVM_HEADER_BYTES) != FVM_OK)
        return 0;
    address = fvm_pick(vm, 0);
    fvm_clear_stack(vm);
    return (fvm_addr)address;
}

/* Returns 1 if the script defines a word, 0 if only the library does, or nothing. */
int32_t EXPORT(author_defines)(const char *name) {
    return fvm_find(played_vm(), name) > fvm_find(played_vm(), "axiomFence");
}

/* Returns the source positions of the last error: 0 for the cell that failed, then for the calls
 * that were open, the innermost first, and at last for the token being interpreted.  0: the cell
 * has no source position.  UINT32_MAX: there is no such index. */
uint32_t EXPORT(author_error_position)(int32_t index) {
    const fvm_error *error = fvm_last_error(played_vm());
    if (index == 0)
        return error->ip == 0 ? 0 : fvm_source_at(played_vm(), error->ip);
    if (index <= error->trace_count)
        return fvm_source_at(played_vm(), error->trace[index - 1]);
    return index == error->trace_count + 1 ? error->source_pos : UINT32_MAX;
}
