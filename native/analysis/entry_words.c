/* entry_words.c: the words of a script that the host runs, and what running them may do.
 *
 * It owns which words the host runs: move words, hooks, engines of the script, and words that
 * moves contain.  list_analysis.c uses the answers. */
#include "analysis/entry_words.h"
#include "game/board_scan.h"
#include "vm/decode.h"

#include <stdlib.h>

/* The first hook is OnIsGameOver, the first FVM_POSITION_HOOKS are those of a position, the first
 * eight run in searches. */
enum { SEARCH_HOOKS = 8 };

void fvm_get_hooks(const fvm *vm, fvm_addr hooks[FVM_HOOKS]) {
    const fvm_library *lib = &vm->lib;
    const fvm_addr all[FVM_HOOKS] = {lib->on_game_over,  lib->on_evaluate,  lib->on_terminal,
                                     lib->on_next_turn,  lib->on_retract,   lib->on_friends,
                                     lib->on_generate,   lib->on_make,      lib->on_search,
                                     lib->on_new_game,   lib->on_terminate, lib->on_edit_add,
                                     lib->on_edit_remove};
    memcpy(hooks, all, sizeof all);
}

/* Marks the words in the moves and drops lists of all pieces. */
static void find_move_words(fvm_entry_words *w) {
    const fvm *vm = w->vm;
    for (fvm_cell i = 0; i < fvm_word_lists(vm); i++) {
        const fvm_addr list = fvm_word_list(vm, i);
        if (list == 0)
            continue;
        const int32_t words = fvm_words_of_list(vm, list);
        w->moves.unknown |= words < 0;
        for (int32_t k = 0; k < words; k++) {
            const int32_t word =
                fvm_word_of_token(&w->program, fvm_get(vm, fvm_pair_of_list(list, k)));
            if (word >= 0)
                w->roots[word] = true;
            else
                w->moves.unknown = true;
        }
    }
}

/* Whether all words in the turn order are constants.  The others would run when a turn begins. */
static bool turns_are_constant(const fvm_entry_words *w) {
    const fvm *vm = w->vm;
    const fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order);
    const fvm_cell limit = fvm_lib_get(vm, vm->lib.turn_limit);
    for (fvm_addr at = order; at - order < (fvm_addr)limit; at += FVM_TURN_BYTES) {
        if (!fvm_in(vm, at, FVM_TURN_BYTES))
            return false;
        for (fvm_addr cell = at; cell < at + 8; cell += 4) { /* the player, and the for-player */
            const int32_t word = fvm_word_of_token(&w->program, fvm_get(vm, cell));
            if (word < 0 || !fvm_is_constant(&w->program, word))
                return false;
        }
    }
    return true;
}

int32_t fvm_script_engine(const fvm_entry_words *w, uint32_t player) {
    const fvm_addr engines = (fvm_addr)fvm_lib_get(w->vm, w->vm->lib.engines);
    const fvm_addr at = engines + 4 * player;
    const int32_t word = engines != 0 && fvm_in(w->vm, at, 4)
                             ? fvm_word_of_token(&w->program, fvm_get(w->vm, at))
                             : -1;
    return word >= 0 && !fvm_in_library(&w->program.table, word) ? word : -1;
}

/* Adds the effects of the hooks with numbers in [from, to). */
static void add_hooks(fvm_entry_words *w, int from, int to) {
    fvm_addr hooks[FVM_HOOKS];
    fvm_get_hooks(w->vm, hooks);
    for (int i = from; i < to; i++) {
        if (hooks[i] == 0)
            continue;
        const int32_t word = fvm_word_of_token(&w->program, (fvm_cell)hooks[i]);
        fvm_effects_add_word(&w->others, word);
        if (i == 0)
            fvm_effects_add_word(&w->game_over, word);
        if (i < FVM_POSITION_HOOKS)
            fvm_effects_add_word(&w->position, word);
        if (hooks[i] == w->vm->lib.on_next_turn || hooks[i] == w->vm->lib.on_generate)
            fvm_effects_add_word(&w->turns, word);
    }
}

/* The number of words of which it is known that they may run, or be compiled into moves. */
static int32_t running_words(const fvm_entry_words *w) {
    int32_t count = 0;
    for (int32_t i = 0; i < w->program.table.count; i++)
        count += w->moves.executed[i] + w->game_over.executed[i] + w->position.executed[i] +
                 w->turns.executed[i] + w->others.executed[i] + w->moves.tokens[i];
    return count;
}

bool fvm_generates_lists(const fvm_effects *e) {
    for (int32_t i = 0; i < e->program->table.count; i++)
        if (e->executed[i] && e->program->kind[i] == FVM_WORD_GENERATE)
            return true;
    return false;
}

/* If the position hooks generate lists, adds the effects of the hooks of generation to theirs. */
static void add_generation_hooks(fvm_entry_words *w) {
    const fvm_addr hooks[] = {w->vm->lib.on_generate, w->vm->lib.on_friends};
    for (int i = 0; i < 2 && fvm_generates_lists(&w->position); i++)
        if (hooks[i] != 0)
            fvm_effects_add_word(&w->position, fvm_word_of_token(&w->program, (fvm_cell)hooks[i]));
}

/* Adds the effects of the words that are compiled into moves, and of those that EXECUTE may run. */
static void add_indirect_words(fvm_entry_words *w) {
    for (int32_t before = 0; before != running_words(w);) {
        before = running_words(w);
        add_generation_hooks(w);
        for (int32_t i = 0; i < w->program.table.count; i++)
            if (w->moves.applied[i] || (w->moves.compiles_tokens && w->moves.tokens[i]))
                fvm_effects_add_word(&w->turns, i);
        for (int32_t i = 0; i < w->program.table.count; i++)
            if (w->turns.executed[i])
                fvm_effects_add_word(&w->others, i);
        fvm_effects *const all[] = {&w->moves, &w->game_over, &w->position, &w->turns, &w->others};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            fvm_effects_add_tokens(all[i], &w->moves);
            fvm_effects_add_tokens(all[i], &w->others);
        }
    }
}

void fvm_add_search_words(fvm_entry_words *w) {
    find_move_words(w);
    for (int32_t i = 0; i < w->program.table.count; i++)
        if (w->roots[i])
            fvm_effects_add_word(&w->moves, i);
    w->others.unknown |= !turns_are_constant(w);
    add_hooks(w, 0, SEARCH_HOOKS);
    add_indirect_words(w);
}

void fvm_add_other_words(fvm_entry_words *w) {
    add_hooks(w, SEARCH_HOOKS, FVM_HOOKS);
    for (uint32_t i = 0; i < FVM_MAX_PLAYERS; i++)
        if (fvm_script_engine(w, i) >= 0)
            fvm_effects_add_word(&w->others, fvm_script_engine(w, i));
    add_indirect_words(w);
}

bool fvm_made_effects_begin(const fvm_entry_words *w, fvm_effects *made) {
    const fvm_library *lib = &w->vm->lib;
    const fvm_addr hooks[] = {lib->on_next_turn, lib->on_retract, lib->on_friends};
    if (!fvm_effects_begin(made, (fvm_program *)&w->program))
        return false;
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        const int32_t word =
            hooks[i] != 0 ? fvm_word_of_token(&w->program, (fvm_cell)hooks[i]) : -1;
        if (hooks[i] != 0 && (word < 0 || !fvm_in_library(&w->program.table, word)))
            fvm_effects_add_word(made, word);
    }
    for (int32_t i = 0; i < w->program.table.count; i++)
        if (w->moves.applied[i] || (w->moves.compiles_tokens && w->moves.tokens[i]))
            fvm_effects_add_word(made, i);
    fvm_effects_add_tokens(made, &w->moves);
    fvm_effects_add_tokens(made, &w->others);
    return true;
}

bool fvm_words_include(const fvm_entry_words *w, fvm_addr variable) {
    return fvm_effects_include(&w->moves, variable) || fvm_effects_include(&w->others, variable);
}

bool fvm_words_use(const fvm_entry_words *w, fvm_addr memory) {
    return fvm_effects_use(&w->moves, memory) || fvm_effects_use(&w->others, memory);
}

/* Whether a word may store another list of move words in the table of pieces, or other words in
 * such a list: only the present move words are known. */
static bool may_change_move_words(const fvm_entry_words *w) {
    const fvm *vm = w->vm;
    bool used = fvm_words_use(w, vm->lib.pieces);
    for (fvm_cell i = 0; i < fvm_word_lists(vm) && !used; i++)
        used = fvm_words_use(w, fvm_word_list(vm, i));
    return used;
}

/* Whether words run the library's word with that name, or use that variable. */
static bool runs_library_word(const fvm_entry_words *w, const char *name) {
    return fvm_words_include(w, fvm_find_in(w->vm, FVM_K_FORTH, name, (uint32_t)strlen(name)));
}

/* By (IS), in the body of a deferred word whose token they use, or in a table of the library. */
bool fvm_words_redefine(const fvm_entry_words *w) {
    static const char *const names[] = {"(IS)", "$directions", "$symmetries", "$players",
                                        "$turnOrder"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (runs_library_word(w, names[i]))
            return true;
    if (!runs_library_word(w, "CFA>PFA"))
        return false;
    for (int32_t i = 0; i < w->program.table.count; i++)
        if ((w->moves.tokens[i] || w->others.tokens[i]) && fvm_deferred_word(&w->program, i) >= 0)
            return true;
    return false;
}

bool fvm_words_are_known(const fvm_entry_words *w) {
    return !w->moves.unknown && !w->others.unknown && !fvm_words_redefine(w) &&
           !may_change_move_words(w);
}

bool fvm_entry_words_open(fvm_entry_words *w, fvm *vm) {
    *w = (fvm_entry_words){.vm = vm};
    if (!fvm_program_open(&w->program, vm))
        return false;
    const size_t words = (size_t)w->program.table.count;
    w->roots = calloc(3 * words, sizeof *w->roots); /* and the two other arrays */
    if (w->roots == NULL || !fvm_effects_begin(&w->moves, &w->program) ||
        !fvm_effects_begin(&w->game_over, &w->program) ||
        !fvm_effects_begin(&w->position, &w->program) ||
        !fvm_effects_begin(&w->turns, &w->program) || !fvm_effects_begin(&w->others, &w->program))
        return false;
    w->reached = w->roots + words;
    w->tokens = w->reached + words;
    w->moves.numbers_variables = true;
    return true;
}

void fvm_entry_words_close(fvm_entry_words *w) {
    fvm_effects_end(&w->moves);
    fvm_effects_end(&w->game_over);
    fvm_effects_end(&w->position);
    fvm_effects_end(&w->turns);
    fvm_effects_end(&w->others);
    free(w->roots);
    fvm_program_close(&w->program);
}
