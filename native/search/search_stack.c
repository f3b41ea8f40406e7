/* search_stack.c: make and unmake for all native searches.
 *
 * It owns the state that unmake restores: the board (a clone), the turn, and the cells of the
 * script's memory that moves change.  Those cells are found by comparing the script's memory before
 * and after each move.  After a checkpoint, as in playouts, all changed pages are restored
 * together. It must not know queries about positions (position_queries.c) nor search algorithms. */
#include "search/search_stack.h"

#include "vm/decode.h"
#include "vm/page_restore.h"

#include <stdlib.h>

enum { MAX_OFF_BOARD = 1024 }; /* size of off_board, in cells */
/* Before the analysis: every list is complete. */
static const fvm_list_facts NO_FACTS = {.use = FVM_LIST_CONTENTS,
                                        .game_over_use = FVM_LIST_CONTENTS};

bool fvm_search_failed(fvm_search_stack *ss, fvm_status status) {
    if (status != FVM_OK && ss->status == FVM_OK)
        ss->status = status;
    return ss->status != FVM_OK;
}

/* --- opening ---------------------------------------------------------------------- */

/* Sets the bounds of the script's memory: above the library's last word, and below move lists and
 * cloned boards. */
static void find_script_memory(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    const char *fence = "axiomFence";
    fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    ss->low = fvm_find_in(vm, FVM_K_FORTH, fence, (uint32_t)strlen(fence));
    ss->high = start != 0 ? start : fvm_here(vm);
    if (ss->low < FVM_DICTIONARY)
        ss->low = FVM_DICTIONARY; /* without the word, include the library's variables */
    ss->low &= ~(fvm_addr)(FVM_PAGE - 1);
    if (ss->high < ss->low || !fvm_in(vm, ss->low, ss->high - ss->low))
        ss->high = ss->low;
}

/* Whether OnNextTurn is the library's and every word in the turn order only returns a value: then
 * the change of turns changes only variables of the library, and need not be tracked. */
static bool has_plain_turns(const fvm_search_stack *ss) {
    const fvm *vm = ss->vm;
    const fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order);
    enum { ENTRY_CELLS = FVM_TURN_BYTES / 4, MOVE_TYPE = 2 };
    for (int32_t cell = 0; cell < ss->turn_order_length * ENTRY_CELLS; cell++) {
        const fvm_addr at = order + 4u * (uint32_t)cell;
        const fvm_addr word = fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
        if (cell % ENTRY_CELLS == MOVE_TYPE)
            continue;
        if (fvm_opcode_at(vm, word) != FVM_OP_DOES || !fvm_in(vm, word + 4, 4) ||
            (fvm_addr)fvm_get(vm, word + 4) >= ss->low)
            return false;
    }
    return vm->lib.on_next_turn < ss->low;
}

static uint32_t page_count(const fvm_search_stack *ss) {
    return (ss->high - ss->low + FVM_PAGE - 1) >> FVM_PAGE_SHIFT;
}

/* Returns a copy of the pages of the script's memory; NULL: no memory. */
static uint8_t *copy_script_memory(const fvm_search_stack *ss) {
    const uint32_t size = page_count(ss) << FVM_PAGE_SHIFT, available = ss->vm->size - ss->low;
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (copy != NULL)
        memcpy(copy, ss->vm->mem + ss->low, size <= available ? size : available);
    return copy;
}

fvm_search_stack *fvm_search_open(fvm *vm, uint32_t chance, bool count_turns,
                                  atomic_bool *guards_fail) {
    fvm_search_stack *ss = calloc(1, sizeof *ss);
    if (ss == NULL)
        return NULL;
    ss->vm = vm;
    ss->chance = chance;
    ss->count_turns = count_turns;
    ss->guards_fail = guards_fail;
    ss->facts = NO_FACTS;
    if (vm->records_have_texts)
        fvm_search_find_facts(ss);
    ss->texts_unread = ss->facts.texts_unread;
    ss->partial_cost = fvm_lib_get_or(vm, vm->lib.combine_partial, -1) == 0 ? 1 : 0;
    memset(vm->scan_hints, 0, sizeof vm->scan_hints); /* so that searches are reproducible */
    ss->iteration_depth = fvm_lib_get(vm, vm->lib.iteration_depth);
    fvm_lib_put(vm, vm->lib.iteration_depth, 0);
    /* $turnLimit contains the size of the turn order in bytes. */
    ss->turn_order_length = fvm_lib_get(vm, vm->lib.turn_limit) / FVM_TURN_BYTES;
    find_script_memory(ss);
    ss->plain_turns = has_plain_turns(ss);
    ss->shadow = copy_script_memory(ss);
    ss->off_board = malloc(MAX_OFF_BOARD * sizeof *ss->off_board);
    ss->log_capacity = 1024;
    ss->log = malloc((size_t)ss->log_capacity * sizeof *ss->log);
    if (ss->shadow == NULL || ss->off_board == NULL || ss->log == NULL) {
        fvm_search_close(ss);
        return NULL;
    }
    return ss;
}

bool fvm_search_begin_keys(fvm_search_stack *ss) {
    ss->root_memory = copy_script_memory(ss);
    return ss->root_memory != NULL;
}

void fvm_search_find_facts(fvm_search_stack *ss) {
    if (!ss->analysed)
        ss->facts = fvm_find_list_facts(ss->vm);
    ss->analysed = true;
}

void fvm_search_guard(fvm_search_stack *ss, bool for_draws) {
    fvm *vm = ss->vm;
    if (!ss->facts.guardable || ss->guards_fail == NULL || *ss->guards_fail || !fvm_may_guard(vm))
        return;
    const fvm_list_facts facts = fvm_find_guarded_facts(vm, &ss->guard);
    const bool helps = for_draws ? facts.can_be_drawn : facts.use < ss->facts.use;
    if (helps && ss->guard.variables > 0 && fvm_guard_begin(vm, &ss->guard))
        ss->facts = facts;
}

void fvm_search_set_depth(fvm_search_stack *ss, int32_t plies) {
    ss->counts_plies = true;
    fvm_lib_put(ss->vm, ss->vm->lib.iteration_depth, plies);
}

static void unmake_all(fvm_search_stack *ss) {
    if (ss->checkpointed)
        fvm_search_rollback(ss);
    while (ss->ply > 0)
        fvm_search_unmake(ss);
}

void fvm_search_close(fvm_search_stack *ss) {
    fvm_guard_end(ss->vm, &ss->guard);
    unmake_all(ss);
    fvm_lib_put(ss->vm, ss->vm->lib.iteration_depth, ss->iteration_depth);
    free(ss->shadow);
    free(ss->off_board);
    free(ss->root_memory);
    free(ss->log);
    free(ss);
}

/* --- memory outside boards -------------------------------------------------------- */

/* Adds a cell to the log; returns whether the search has failed. */
static bool log_cell(fvm_search_stack *ss, fvm_addr addr, fvm_cell value) {
    if (ss->log_count == ss->log_capacity) {
        fvm_saved_cell *grown = realloc(ss->log, (size_t)ss->log_capacity * 2 * sizeof *grown);
        if (grown == NULL)
            return fvm_search_failed(ss,
                                     fvm_fail(ss->vm, FVM_ERR_MEMORY, 0, "no memory to search"));
        ss->log = grown;
        ss->log_capacity *= 2;
    }
    ss->log[ss->log_count++] = (fvm_saved_cell){addr, value};
    return false;
}

static inline void put_if_changed(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (fvm_get(vm, addr) != value)
        fvm_put(vm, addr, value);
}

/* The marks in vm->dirty of a page that differs from its shared copy. */
enum {
    WRITTEN = FVM_WRITTEN, /* the page has been written since tracking began */
    SHADOWED = 2           /* the page has been written only before, and equals its shadow */
};

/* The first page in [page, end) of the script's memory that has the mark WRITTEN, or `end`. */
static inline uint32_t next_written(const fvm_search_stack *ss, uint32_t page, uint32_t end) {
    const uint32_t first = ss->low >> FVM_PAGE_SHIFT;
    return fvm_next_marked(ss->vm, first + page, first + end, WRITTEN) - first;
}

/* Prepared memory and cells of a turn rely on the mark WRITTEN.  The script's memory is between
 * them, unless a script has damaged HERE or the library lacks the word that ends it. */
static inline void prepare_shadowed_marks(fvm_search_stack *ss) {
    if (FVM_UNLIKELY(ss->vm->prepared < ss->high || ss->low < ss->vm->library_end))
        fvm_forget_prepared(ss->vm);
}

/* Copies written pages to the shadow and changes their marks to SHADOWED. */
static void begin_tracking(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    prepare_shadowed_marks(ss);
    ss->repetitions = fvm_get(vm, FVM_K_REPETITIONS);
    const uint32_t count = page_count(ss);
    for (uint32_t p = 0; (p = next_written(ss, p, count)) < count; p++) {
        const size_t at = (size_t)p << FVM_PAGE_SHIFT;
        fvm_copy_page(ss->shadow + at, vm->mem + ss->low + at);
        vm->dirty[(ss->low >> FVM_PAGE_SHIFT) + p] = SHADOWED;
    }
}

/* Whether a cell need not be added to off_board, because it is there, or because it is the type of
 * the last move: every unmake restores it, and plain moves set it without tracking. */
static bool is_known(const fvm_search_stack *ss, fvm_addr addr) {
    if (addr == ss->vm->lib.last_move_type)
        return true;
    for (int32_t i = 0; i < ss->off_board_count; i++)
        if (ss->off_board[i] == addr)
            return true;
    return false;
}

enum { BLOCK = 64 }; /* bytes */

static inline bool same_block(const uint8_t *a, const uint8_t *b) {
    uint64_t left[BLOCK / 8], right[BLOCK / 8], differences = 0;
    memcpy(left, a, BLOCK);
    memcpy(right, b, BLOCK);
    for (int i = 0; i < BLOCK / 8; i++)
        differences |= left[i] ^ right[i];
    return differences == 0;
}

/* Adds the cells of a page that differ from the shadow to off_board and to the log. */
static void compare_page(fvm_search_stack *ss, uint32_t p) {
    const uint8_t *before = ss->shadow + ((size_t)p << FVM_PAGE_SHIFT);
    fvm_addr start = ss->low + (p << FVM_PAGE_SHIFT);
    for (uint32_t at = 0; at < FVM_PAGE; at += 4) {
        fvm_addr addr = start + at;
        fvm_cell value;
        if (addr >= ss->high)
            return;
        if (at % BLOCK == 0 && same_block(before + at, ss->vm->mem + addr)) {
            at += BLOCK - 4;
            continue;
        }
        if (memcmp(before + at, ss->vm->mem + addr, 4) == 0 || is_known(ss, addr))
            continue;
        if (ss->off_board_count == MAX_OFF_BOARD) {
            ss->off_board_overflow = true;
            return;
        }
        ss->off_board[ss->off_board_count++] = addr;
        memcpy(&value, before + at, 4);
        log_cell(ss, addr, value);
    }
}

/* Called after a move that changed too many cells: copies the shadow, which contains the script's
 * memory before the move, to the move's frame. */
static void save_shadow_copy(fvm_search_stack *ss) {
    fvm_search_frame *frame = &ss->frames[ss->ply - 1];
    frame->memory_copy = malloc(ss->high - ss->low + 1);
    if (frame->memory_copy != NULL)
        memcpy(frame->memory_copy, ss->shadow, ss->high - ss->low);
    else
        fvm_search_failed(ss, fvm_fail(ss->vm, FVM_ERR_MEMORY, 0, "no memory to search"));
}

/* Finds the cells that have changed since begin_tracking, and logs their earlier values. */
static void end_tracking(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    /* A script may count the stored positions in a variable.  That variable will be restored, so
     * the kernel's count must be restored, too. */
    if (fvm_get(vm, FVM_K_REPETITIONS) != ss->repetitions)
        log_cell(ss, FVM_K_REPETITIONS, ss->repetitions);
    const uint32_t count = page_count(ss);
    for (uint32_t p = 0; !ss->off_board_overflow && (p = next_written(ss, p, count)) < count; p++)
        compare_page(ss, p);
    if (ss->off_board_overflow) /* the overflow happened in this move */
        save_shadow_copy(ss);
}

/* Restores the script's memory from a copy. */
static void restore_script_memory(fvm_search_stack *ss, const uint8_t *copy) {
    for (fvm_addr at = ss->low; at + 4 <= ss->high; at += 4) {
        fvm_cell value;
        memcpy(&value, copy + (at - ss->low), 4);
        put_if_changed(ss->vm, at, value);
    }
}

bool fvm_search_guard_fails(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    if (!fvm_guard_failed(vm, &ss->guard))
        return false;
    fvm_guard_end(vm, &ss->guard);
    fvm_guard_clear_failure(vm);
    vm->phase = FVM_PHASE_SEARCH;
    ss->status = FVM_OK;
    ss->analysed = false;
    ss->facts = NO_FACTS;
    *ss->guards_fail = true;
    unmake_all(ss);
    if (ss->root_memory != NULL)
        restore_script_memory(ss, ss->root_memory);
    return true;
}

/* --- checkpoints ------------------------------------------------------------------ */

/* The cells of kernel and library that evaluating a position may change: `from`, `here`, the
 * current piece, and the indexes of the ring buffers.  Random streams are not restored, because
 * chance outcomes must differ between playouts. */
static void checkpoint_cells(const fvm *vm, fvm_addr cells[CHECKPOINT_CELLS]) {
    const fvm_addr second_ring = FVM_RINGS + FVM_RING_BYTES;
    const fvm_addr changed[CHECKPOINT_CELLS] = {vm->lib.from,   vm->lib.pos,   vm->lib.piece,
                                                FVM_RINGS,      FVM_RINGS + 4, second_ring,
                                                second_ring + 4};
    memcpy(cells, changed, sizeof changed);
}

void fvm_search_checkpoint(fvm_search_stack *ss) {
    fvm_addr cells[CHECKPOINT_CELLS];
    checkpoint_cells(ss->vm, cells);
    for (int i = 0; i < CHECKPOINT_CELLS; i++)
        ss->checkpoint_values[i] = fvm_lib_get(ss->vm, cells[i]);
    begin_tracking(ss);
    ss->checkpointed = true;
}

static void restore_page(fvm_search_stack *ss, uint32_t p) {
    const uint8_t *before = ss->shadow + ((size_t)p << FVM_PAGE_SHIFT);
    const fvm_addr start = ss->low + (p << FVM_PAGE_SHIFT), length = ss->high - start;
    if (length >= FVM_PAGE)
        fvm_restore_page(ss->vm, start >> FVM_PAGE_SHIFT, before);
    else
        fvm_restore_cells(ss->vm, start, before, (length + 3) & ~(uint32_t)3);
    ss->vm->dirty[start >> FVM_PAGE_SHIFT] = SHADOWED;
}

void fvm_search_rollback(fvm_search_stack *ss) {
    fvm_addr cells[CHECKPOINT_CELLS];
    const uint32_t count = page_count(ss);
    while (ss->ply > 0)
        fvm_search_unmake(ss);
    prepare_shadowed_marks(ss);
    for (uint32_t p = 0; (p = next_written(ss, p, count)) < count; p++)
        restore_page(ss, p);
    checkpoint_cells(ss->vm, cells);
    for (int i = 0; i < CHECKPOINT_CELLS; i++)
        if (cells[i] != 0)
            put_if_changed(ss->vm, cells[i], ss->checkpoint_values[i]);
    put_if_changed(ss->vm, FVM_K_REPETITIONS, ss->repetitions);
}

/* --- moves ------------------------------------------------------------------------ */

/* Saves the state before a move in a new frame; NULL: failed. */
static fvm_search_frame *push_frame(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    fvm_search_frame *frame = &ss->frames[ss->ply];
    if (ss->ply >= SEARCH_PLIES - 1) {
        fvm_search_failed(ss, fvm_fail(vm, FVM_ERR_NESTING, ss->ply,
                                       "the search went %d moves deep", (int)ss->ply));
        return NULL;
    }
    fvm_turn_save(vm, &frame->turn);
    frame->sp = vm->sp;
    frame->log_start = ss->log_count;
    frame->memory_copy = NULL;
    if (ss->off_board_overflow) {
        frame->memory_copy = malloc(ss->high - ss->low + 1);
        if (frame->memory_copy == NULL) {
            fvm_search_failed(ss, fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search"));
            return NULL;
        }
        memcpy(frame->memory_copy, vm->mem + ss->low, ss->high - ss->low);
    } else {
        for (int32_t i = 0; i < ss->off_board_count; i++)
            if (log_cell(ss, ss->off_board[i], fvm_get(vm, ss->off_board[i])))
                return NULL;
    }
    ss->ply++;
    vm->texts_unread = ss->texts_unread;
    return frame;
}

/* Ends the turn.  OnNextTurn may change memory, so its changes are tracked, too. */
static fvm_made next_turn(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    const bool tracking = !ss->plain_turns && !ss->off_board_overflow && !ss->checkpointed;
    if (ss->counts_plies)
        fvm_lib_put(vm, vm->lib.ply, fvm_plus(fvm_lib_get(vm, vm->lib.ply), 1));
    if (tracking)
        begin_tracking(ss);
    fvm_search_failed(ss, fvm_next_turn(vm));
    if (tracking)
        end_tracking(ss);
    return ss->status != FVM_OK ? MADE_FAILED : MADE_TURN;
}

/* Applies a move and tracks its changes.  Edits change only the clone of the board, which is above
 * the script's memory unless the script has damaged the kernel's cells, and cells that every unmake
 * restores. */
static bool apply(fvm_search_stack *ss, fvm_addr move) {
    const bool tracking = !ss->off_board_overflow && !ss->checkpointed;
    const fvm_addr board = (fvm_addr)fvm_lib_get(ss->vm, ss->vm->lib.board);
    const bool on_clone = board >= ss->high;
    fvm_move_rest rest;
    if (on_clone && fvm_apply_plain(ss->vm, move, &rest))
        return true;
    if (tracking)
        begin_tracking(ss);
    fvm_search_failed(ss, on_clone ? fvm_apply_rest(ss->vm, &rest) : fvm_apply(ss->vm, move));
    if (tracking)
        end_tracking(ss);
    return ss->status == FVM_OK;
}

/* Ends the turn after a move, unless the move is partial and has a continuation. */
static fvm_made finish_move(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    fvm_addr first;
    if (fvm_lib_get(vm, vm->lib.partial) != -1)
        return next_turn(ss);
    if (fvm_search_failed(ss, fvm_generate_turn(vm)))
        return MADE_FAILED;
    if (fvm_search_newest_list(ss, &first) > 0)
        return MADE_PARTIAL;
    return fvm_search_failed(ss, fvm_free_list(vm)) ? MADE_FAILED : next_turn(ss);
}

fvm_made fvm_search_make(fvm_search_stack *ss, fvm_addr move) {
    if (push_frame(ss) == NULL || fvm_search_failed(ss, fvm_clone_board(ss->vm)) ||
        !apply(ss, move))
        return MADE_FAILED;
    return finish_move(ss);
}

bool fvm_search_begin_playout(fvm_search_stack *ss) {
    return push_frame(ss) != NULL && !fvm_search_failed(ss, fvm_clone_board(ss->vm));
}

fvm_made fvm_search_playout_move(fvm_search_stack *ss, fvm_addr move, bool first) {
    if ((move != 0 && !apply(ss, move)) || (!first && fvm_search_failed(ss, fvm_free_list(ss->vm))))
        return MADE_FAILED;
    return move != 0 ? finish_move(ss) : next_turn(ss);
}

fvm_made fvm_search_pass(fvm_search_stack *ss) {
    if (push_frame(ss) == NULL || fvm_search_failed(ss, fvm_clone_board(ss->vm)))
        return MADE_FAILED;
    return next_turn(ss);
}

/* OnRetractMove is not run, because this function restores all changes of the move. */
void fvm_search_unmake(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    fvm_search_frame *frame = &ss->frames[--ss->ply];
    vm->texts_unread = ss->texts_unread && ss->ply > 0;
    if (frame->memory_copy != NULL) {
        restore_script_memory(ss, frame->memory_copy);
        free(frame->memory_copy);
        frame->memory_copy = NULL;
    }
    /* The log is restored after the copy: its values may be older than those of the copy. */
    while (ss->log_count > frame->log_start) {
        const fvm_saved_cell *cell = &ss->log[--ss->log_count];
        put_if_changed(vm, cell->addr, cell->value);
    }
    fvm_turn_restore(vm, &frame->turn);
    fvm_set_stack(vm, frame->sp);
}

/* --- lists of moves ---------------------------------------------------------------- */

bool fvm_search_generate(fvm_search_stack *ss) {
    return !fvm_search_failed(ss, fvm_generate_turn(ss->vm));
}

bool fvm_search_generate_part(fvm_search_stack *ss, const fvm_list_part *part) {
    return !fvm_search_failed(ss, fvm_generate_part(ss->vm, &ss->facts, part));
}

bool fvm_search_omit_list(fvm_search_stack *ss) {
    return !fvm_search_failed(ss, fvm_omit_list(ss->vm, &ss->facts));
}

int32_t fvm_search_newest_list(fvm_search_stack *ss, fvm_addr *first) {
    int32_t stored_count, count = 0;
    if (!fvm_newest_list(ss->vm, &stored_count, first))
        return 0;
    /* A script may have damaged the list. */
    for (fvm_addr move = *first; move != 0 && count < stored_count;
         move = fvm_next_move(ss->vm, move))
        if ((++count & 1023) == 0 && fvm_search_failed(ss, fvm_charge_work(ss->vm, 4096)))
            return 0;
    return count;
}

fvm_cell fvm_search_enter_turn(fvm_search_stack *ss) {
    return fvm_search_failed(ss, fvm_generate_turn(ss->vm)) ? FVM_DRAW : fvm_search_game_over(ss);
}

fvm_cell fvm_search_random_move(fvm_search_stack *ss, fvm_random_selection *selection,
                                fvm_addr *move) {
    *move = 0;
    if (fvm_search_failed(ss, fvm_generate_random(ss->vm, selection)))
        return FVM_DRAW;
    int32_t count = fvm_search_newest_list(ss, move), index = selection->chosen;
    if (index < 0 && count > 0) /* the list is complete */
        index = (int32_t)(fvm_next_random(selection->random) % (uint32_t)count);
    while (index-- > 0 && *move != 0)
        *move = fvm_next_move(ss->vm, *move);
    return fvm_search_game_over(ss);
}
