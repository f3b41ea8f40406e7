/* compile.h: the state of the compiler while it generates the code of a graph. */
#ifndef FVM_COMPILE_H
#define FVM_COMPILE_H

#include "jit/stack_cache.h"

enum { FVM_MAX_ENTRIES = 200 }; /* addresses of a definition at which the interpreter may enter */

struct fvm_compiler {
    fvm *vm;
    fvm_asm as;
    const fvm_runtime *runtime;
    fvm_graph *graph;
    fvm_state state;
    fvm_state state_before; /* state before the current instruction; side exits spill it */
    int node;               /* index of the current instruction */
    struct fvm_stub *stubs; /* side_exits.h */
    int stub_count;
    int stub_capacity;
    int side_exit; /* index of the side-exit stub for this instruction; -1: not created yet */
    bool failed;   /* memory allocation failed, or the code is too large */
    const uint8_t *exits[FVM_MAX_CONTEXTS]; /* by context: code that exits to the interpreter at
                                               the address in S0; NULL: none yet */
    uint32_t constant_store_end; /* the code stores to constant addresses only below it */
    uint32_t assumed_size;       /* minimal size of the image that the code assumes; 0: none */
    int32_t cell_marks;          /* offset of vm->cells from MEM */
    int32_t page_marks;          /* offset of vm->dirty from MEM */
    struct {
        fvm_addr at;
        const uint8_t *code;
    } entries[FVM_MAX_ENTRIES]; /* addresses at which the interpreter enters the code */
    int entry_count;
};

/* Compiles the graph that begins at root; false: not possible. */
bool fvm_compile(fvm_compiler *c, fvm_addr root);

#endif
