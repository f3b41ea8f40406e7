/* word_loop.c: the machine code that runs move words one after another (fvm_word_loop).
 *
 * It owns what happens between two words in the common case: `here` is set, the stack is restored,
 * and rare conditions stop the loop.  game/board_scan.c finds the words and continues when the loop
 * stops. */
#include "jit/units.h"

#if defined(FVM_JIT)

#include <stddef.h>

#define FIELD(name_) ((int32_t)offsetof(fvm, name_))
#define WORD(name_) ((int32_t)offsetof(fvm_loop_word, name_))

enum { MAX_BYTES = 4096 }; /* more than the size of the loop */

/* Emits code that stores a register in a variable whose cell is not watched. */
static void set_variable(fvm_compiler *c, fvm_addr variable, fvm_reg value) {
    fvm_asm_store(&c->as, MEM, (int32_t)variable, value);
    fvm_asm_store_fixed_byte_const(&c->as, c->page_marks + (int32_t)(variable >> FVM_PAGE_SHIFT),
                                   FVM_WRITTEN);
}

/* Emits the start of a word: the word at T0, with machine code at the offset T1. */
static void begin_word(fvm_compiler *c, const fvm_library *lib) {
    fvm_asm *as = &c->as;
    _Static_assert(WORD(type) == WORD(word) + 4 && FIELD(scan_type) == FIELD(scan_word) + 4,
                   "word and type are copied together");
    fvm_asm_load_pointer(as, T2, T0, WORD(word));
    fvm_asm_store_pointer(as, VM, FIELD(scan_word), T2);
    fvm_asm_load(as, T2, T0, WORD(piece));
    fvm_asm_compare_const(as, T2, 0);
    uint8_t *same_piece = fvm_asm_jump(as, EQ);
    fvm_asm_load(as, T3, VM, FIELD(jit.loop.player));
    fvm_asm_op(as, OR, T2, T2, T3);
    set_variable(c, lib->piece, T2);
    fvm_asm_patch(same_piece, as->at);
    fvm_asm_add_to_pointer(as, T0, sizeof(fvm_loop_word));
    fvm_asm_store_pointer(as, VM, FIELD(jit.loop.next), T0);
    fvm_asm_load(as, T2, MEM, (int32_t)lib->from);
    set_variable(c, lib->pos, T2);
    fvm_asm_load_pointer(as, RP, VM, FIELD(rbase));
    fvm_asm_add_to_pointer(as, RP, 4);
    fvm_asm_store_const(as, RP, 0, FVM_K_STOP);
}

/* Emits the end of a word: restores the stack pointer; T0 is 0 if the next word may run. */
static void end_word(fvm_compiler *c, const fvm *vm, int32_t record_bytes) {
    fvm_asm *as = &c->as;
    const fvm_library *lib = &vm->lib;
    const fvm_addr zeros[] = {FVM_K_TEXT_CONTEXT, lib->skip_words,
                              vm->records_have_texts ? lib->context : 0,
                              vm->records_have_texts ? lib->changed_to : 0};
    fvm_asm_store(as, SP, 0, TOS);
    fvm_asm_load_pointer(as, SP, VM, FIELD(jit.loop.sp));
    fvm_asm_load(as, TOS, SP, 0);
    /* If the code of the move under construction is empty, it begins at HERE. */
    fvm_asm_load(as, T0, MEM, FVM_K_BUILD);
    fvm_asm_op_const(as, ADD, T0, T0, record_bytes);
    fvm_asm_op_cell(as, SUB, T0, MEM, FVM_K_DP);
    fvm_asm_load(as, T1, VM, FIELD(jit.loop.pass_bits));
    fvm_asm_op_cell(as, AND, T1, MEM, (int32_t)lib->passed);
    fvm_asm_op(as, OR, T0, T0, T1);
    fvm_asm_op_cell(as, OR, T0, VM, FIELD(jit.loop.stop));
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++)
        if (zeros[i] != 0)
            fvm_asm_op_cell(as, OR, T0, MEM, (int32_t)zeros[i]);
}

/* Emits the search for the next position with a piece of the player, or with any content if there
 * are drop words.  words: code that continues with the item at T0.  After the last position the
 * code falls through. */
static void emit_next_position(fvm_compiler *c, const fvm_library *lib, const uint8_t *words) {
    fvm_asm *as = &c->as;
    fvm_asm_load(as, T2, MEM, (int32_t)lib->board);
    fvm_asm_load(as, T1, VM, FIELD(jit.loop.board));
    fvm_asm_compare(as, T1, T2);
    uint8_t *board_replaced = fvm_asm_jump(as, NE);
    fvm_asm_load(as, T3, VM, FIELD(jit.loop.pos));
    fvm_asm_op_const(as, MUL, T2, T3, 4);
    fvm_asm_op(as, ADD, S0, T1, T2);
    fvm_asm_load(as, T1, VM, FIELD(jit.loop.owner_mask));
    fvm_asm_load(as, T4, VM, FIELD(jit.loop.player));
    fvm_asm_op(as, AND, T4, T4, T1);
    fvm_asm_load(as, T5, VM, FIELD(jit.loop.end));
    const uint8_t *search = as->at;
    fvm_asm_op_const(as, ADD, T3, T3, 1);
    fvm_asm_compare(as, T3, T5);
    uint8_t *at_end = fvm_asm_jump(as, GE);
    fvm_asm_op_const(as, ADD, S0, S0, 4);
    fvm_asm_read_found(as, T2);
    fvm_asm_op(as, AND, T6, T2, T1);
    fvm_asm_compare(as, T6, T4);
    fvm_asm_jump_to(as, NE, search);
    fvm_asm_store(as, VM, FIELD(jit.loop.pos), T3);
    set_variable(c, lib->from, T3);
    fvm_asm_load(as, T4, VM, FIELD(jit.loop.player));
    fvm_asm_op_const(as, AND, T6, T2, FVM_OWNER_MASK);
    fvm_asm_compare(as, T6, T4);
    uint8_t *own = fvm_asm_jump(as, EQ);
    fvm_asm_load_pointer(as, T0, VM, FIELD(jit.loop.drops));
    fvm_asm_jump_to(as, ALWAYS, words);
    fvm_asm_patch(own, as->at);
    fvm_asm_copy(as, T3, T2);
    fvm_asm_op_const(as, AND, T2, T2, FVM_TYPE_MASK);
    fvm_asm_load(as, T1, VM, FIELD(jit.loop.types));
    fvm_asm_compare(as, T2, T1);
    uint8_t *known_type = fvm_asm_jump(as, LOWER_EQ);
    fvm_asm_set(as, T2, 0);
    fvm_asm_patch(known_type, as->at);
    fvm_asm_load_pointer(as, T0, VM, FIELD(jit.loop.moves));
    fvm_asm_load_pointer_at(as, T0, T0, T2);
    fvm_asm_compare_pointer(as, T0, 0, offsetof(fvm, jit.loop.no_moves));
    fvm_asm_jump_to(as, EQ, words);
    set_variable(c, lib->piece, T3);
    fvm_asm_jump_to(as, ALWAYS, words);
    fvm_asm_patch(at_end, as->at);
    fvm_asm_op_const(as, ADD, T3, T3, -1);
    fvm_asm_store(as, VM, FIELD(jit.loop.pos), T3);
    fvm_asm_patch(board_replaced, as->at);
}

/* Emits the code for an item at T0 without machine code.  If the loop must stop, the code continues
 * at its end. */
static void emit_item_without_code(fvm_compiler *c, const fvm_library *lib, const uint8_t *words) {
    fvm_asm *as = &c->as;
    fvm_asm_load(as, T2, T0, WORD(pair));
    fvm_asm_compare_const(as, T2, 0);
    uint8_t *is_word = fvm_asm_jump(as, NE);
    fvm_asm_load(as, T2, T0, WORD(type));
    fvm_asm_compare_const(as, T2, 0);
    uint8_t *position_ends = fvm_asm_jump(as, EQ);
    fvm_asm_load_pointer(as, T0, VM, FIELD(jit.loop.drops));
    fvm_asm_jump_to(as, ALWAYS, words);
    fvm_asm_patch(position_ends, as->at);
    emit_next_position(c, lib, words);
    fvm_asm_patch(is_word, as->at);
}

static void emit_loop(fvm_compiler *c, const fvm *vm, int32_t record_bytes) {
    fvm_asm *as = &c->as;
    const fvm_runtime *runtime = c->runtime;
    const uint8_t *start = as->at;
    fvm_asm_load_pointer(as, T0, VM, FIELD(jit.loop.next));
    const uint8_t *words = as->at;
    fvm_asm_load(as, T1, T0, WORD(code));
    fvm_asm_compare_const(as, T1, 0);
    uint8_t *no_code = fvm_asm_jump(as, EQ);
    fvm_asm_subtract_fuel(as, 1);
    uint8_t *no_fuel = fvm_asm_jump(as, LT);
    begin_word(c, &vm->lib);
    fvm_asm_call_offset(as, T1);
    fvm_asm_compare_const(as, S1, 0);
    uint8_t *left = fvm_asm_jump(as, EQ);
    fvm_asm_load(as, T0, RP, 4);
    fvm_asm_compare_const(as, T0, FVM_K_STOP);
    fvm_asm_jump_to(as, NE, runtime->returned);
    const uint8_t *ended = as->at;
    fvm_asm_compare_pointer(as, SP, 0, offsetof(fvm, jit.loop.sp));
    uint8_t *items_missing = fvm_asm_jump(as, LOWER);
    end_word(c, vm, record_bytes);
    fvm_asm_compare_const(as, T0, 0);
    fvm_asm_jump_to(as, EQ, start);
    fvm_asm_patch(items_missing, as->at);
    fvm_asm_set(as, S0, FVM_AFTER_WORD);
    fvm_asm_set(as, S1, FVM_JIT_WORD_LOOP);
    fvm_asm_jump_to(as, ALWAYS, runtime->leave);
    fvm_asm_patch(no_code, as->at);
    emit_item_without_code(c, &vm->lib, words);
    uint8_t *stop = fvm_asm_jump(as, ALWAYS);
    fvm_asm_patch(no_fuel, as->at);
    fvm_asm_subtract_fuel(as, -1);
    fvm_asm_patch(stop, as->at);
    fvm_asm_store_pointer(as, VM, FIELD(jit.loop.next), T0);
    fvm_asm_set(as, S0, FVM_BEFORE_WORD);
    fvm_asm_set(as, S1, FVM_JIT_WORD_LOOP);
    fvm_asm_jump_to(as, ALWAYS, runtime->leave);
    fvm_asm_patch(left, as->at);
    fvm_asm_load(as, T0, VM, FIELD(jit.last_exit));
    fvm_asm_compare_const(as, T0, FVM_JIT_ENDED);
    fvm_asm_jump_to(as, EQ, ended);
    fvm_asm_jump_to(as, ALWAYS, runtime->leave_caller);
}

const uint8_t *fvm_make_word_loop(fvm *vm, int32_t record_bytes) {
    struct fvm_jit *jit = vm->jit.state;
    if (jit == NULL || vm->jit.disabled || jit->unit_count == 0 ||
        jit->next_code + MAX_BYTES > jit->arena + FVM_ARENA_BYTES ||
        !fvm_protect_arena(jit, FVM_WRITABLE))
        return NULL;
    const uint8_t *loop = jit->next_code;
    jit->compiler.as = (fvm_asm){.at = jit->next_code, .end = jit->next_code + MAX_BYTES};
    emit_loop(&jit->compiler, vm, record_bytes);
    jit->next_code = jit->compiler.as.at;
    const fvm_addr stored[] = {vm->lib.from, vm->lib.pos, vm->lib.piece};
    for (int i = 0; i < 3; i++)
        if (jit->constant_store_end < stored[i] + 4)
            jit->constant_store_end = stored[i] + 4;
    fvm_publish_code(loop, jit->next_code);
    if (!fvm_protect_arena(jit, FVM_EXECUTABLE)) {
        fvm_discard_code(vm);
        vm->jit.disabled = true;
        return NULL;
    }
    return loop;
}

#endif
