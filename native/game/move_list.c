/* move_list.c: move lists, and the records of moves.
 *
 * It owns the layout of lists and moves at HERE, the move under construction, and priorities.
 * board_scan.c runs the words that generate moves; move_edits.c has what a move does, and
 * move_text.c its text. */
#include "game/move_generation.h"
#include "vm/prepared_memory.h"
#include "game/game.h"

#include "generated/ops.h"

enum { NO_PRIORITY = 1000, MAX_PRIORITIES = 128 };

/* --- the move under construction -------------------------------------------------- */

fvm_status fvm_move_begin(fvm *vm) {
    FVM_ASSERT(vm->generating);
    fvm_status status = fvm_align(vm);
    fvm_put(vm, FVM_K_BUILD, (fvm_cell)fvm_here(vm));
    return status == FVM_OK ? fvm_allot(vm, (int32_t)fvm_record_bytes(vm)) : status;
}

void fvm_move_discard(fvm *vm) {
    fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_BUILD);
    if (start != 0)
        fvm_set(vm, FVM_K_DP, (fvm_cell)start);
    fvm_set(vm, FVM_K_BUILD, 0);
}

fvm_status fvm_require_move(fvm *vm, const char *word) {
    /* In a frame inside a move word (catch_frame.c) words that build a move have no effect. */
    if (vm->generating)
        return FVM_OK;
    return fvm_fail(vm, FVM_ERR_CONTEXT, 0,
                    "%s builds a move: it works only while moves are generated", word);
}

/* The library's word `$Pass` runs add-move and then sets $passed, so the last move of the list is
 * the pass. */
void fvm_mark_pass(fvm *vm) {
    FVM_ASSERT(vm->generating && !GAME(vm)->pass_found);
    fvm_move_cells cells;
    fvm_addr last = (fvm_addr)fvm_get(vm, FVM_K_LIST_TAIL);
    const fvm_addr empty_tail = GAME(vm)->list + FVM_LIST_FIRST; /* see fvm_list_clear */
    if (last == empty_tail || !fvm_move_cells_at(vm, last, &cells))
        return;
    GAME(vm)->pass_found = true;
    fvm_put(vm, cells.hash, fvm_get(vm, cells.hash) | FVM_HASH_PASS);
}

/* The contents of a move's hash cell, without FVM_HASH_PASS.  context: bits FVM_TEXT_… */
static inline fvm_cell hash_of_move(fvm_addr word, fvm_cell from, fvm_cell context) {
    const uint32_t hash = word * 0x9E3779B1u ^ (uint32_t)from * 0x85EBCA6Bu; /* any odd numbers */
    return (fvm_cell)((hash << FVM_HASH_SHIFT) |
                      (context & FVM_TEXT_IMPLICIT ? (uint32_t)FVM_HASH_IMPLICIT : 0));
}

/* Does the same as finish_slow in the common case.  false: nothing has been done, because the move
 * has a text to be stored, fuel is missing, or the memory of the list is not prepared. */
static inline bool finish_fast(fvm *vm) {
    uint8_t *const mem = vm->mem;
    const fvm_addr move = (fvm_addr)fvm_cell_in(mem, FVM_K_BUILD);
    const fvm_addr end = (fvm_addr)fvm_cell_in(mem, FVM_K_DP), next = end + 4;
    const fvm_addr tail = (fvm_addr)fvm_cell_in(mem, FVM_K_LIST_TAIL), list = GAME(vm)->list;
    const fvm_addr counter = list + FVM_LIST_LENGTH, record_bytes = fvm_record_bytes(vm);
    const fvm_move_cells cells = fvm_cells_of_move(vm, move);
    /* Addresses must ascend: list, last move of the list, this move, end of this move. */
    if (GAME(vm)->makes_texts || fvm_cell_in(mem, FVM_K_TEXT_LENGTH) != 0 || vm->fuel <= 0 ||
        ((tail | move | end) & 3) != 0 || tail <= list || move <= tail || end < move ||
        end - move < record_bytes)
        return false;
    if (!fvm_is_prepared(vm, list, next + record_bytes - list))
        return false;
    const fvm_cell hash = hash_of_move(vm->scan_word, fvm_cell_in(mem, vm->lib.from),
                                       fvm_cell_in(mem, FVM_K_TEXT_CONTEXT));
    vm->fuel--;
    fvm_put_in(mem, cells.link, 0);
    if (cells.text != 0)
        fvm_put_in(mem, cells.text, 0);
    fvm_put_in(mem, cells.type, vm->scan_type);
    fvm_put_in(mem, cells.hash, hash);
    fvm_put_in(mem, cells.cfa, (fvm_cell)(FVM_CODE_TAG | FVM_OP_MOVE_CODE));
    fvm_put_in(mem, end, (fvm_cell)vm->primitives[FVM_OP_RETURN]);
    fvm_put_in(mem, tail, (fvm_cell)move);
    fvm_put_in(mem, FVM_K_LIST_TAIL, (fvm_cell)move);
    fvm_put_in(mem, counter, fvm_plus(fvm_cell_in(mem, counter), 1));
    if ((fvm_cell)next > fvm_cell_in(mem, FVM_K_TRANSIENT_TOP))
        fvm_put_in(mem, FVM_K_TRANSIENT_TOP, (fvm_cell)next);
    fvm_put_in(mem, FVM_K_BUILD, (fvm_cell)next);
    fvm_put_in(mem, FVM_K_TEXT_CONTEXT, 0);
    fvm_put_in(mem, FVM_K_DP, (fvm_cell)(next + record_bytes));
    return true;
}

/* Prepares the memory of the list and of the next move, for finish_fast. */
static void prepare_list(fvm *vm) {
    const fvm_addr list = GAME(vm)->list, end = fvm_here(vm) + 4 + fvm_record_bytes(vm);
    if (((list | end) & 3) == 0)
        fvm_prepare_memory(vm, list, end);
}

/* Ends the move's code, completes its record, adds the move to the list and begins the next move.
 */
FVM_COLD static fvm_status finish_slow(fvm *vm) {
    fvm_addr move = (fvm_addr)fvm_get(vm, FVM_K_BUILD);
    fvm_move_cells cells;
    fvm_cell text = 0;
    if (!GAME(vm)->makes_texts)
        prepare_list(vm);
    fvm_status status = fvm_comma(vm, (fvm_cell)vm->primitives[FVM_OP_RETURN]);
    if (status == FVM_OK && (GAME(vm)->makes_texts || fvm_get(vm, FVM_K_TEXT_LENGTH) != 0))
        status = fvm_text_store(vm, &text);
    if (status != FVM_OK)
        return status;
    if (!fvm_move_cells_at(vm, move, &cells))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)move, "the list of moves was overwritten");
    fvm_put(vm, cells.link, 0);
    if (cells.text != 0)
        fvm_put(vm, cells.text, text);
    fvm_put(vm, cells.type, vm->scan_type);
    fvm_put(vm, cells.hash,
            hash_of_move(vm->scan_word, fvm_lib_get(vm, vm->lib.from),
                         GAME(vm)->makes_texts ? 0 : fvm_get(vm, FVM_K_TEXT_CONTEXT)));
    /* With texts, the context is cleared only before the next move word. */
    if (!GAME(vm)->makes_texts)
        fvm_put(vm, FVM_K_TEXT_CONTEXT, 0);
    fvm_put(vm, cells.cfa, (fvm_cell)(FVM_CODE_TAG | FVM_OP_MOVE_CODE));
    fvm_addr tail = (fvm_addr)fvm_get(vm, FVM_K_LIST_TAIL);
    fvm_addr list = GAME(vm)->list;
    if (!fvm_in(vm, tail, 4) || !fvm_in(vm, list, FVM_LIST_BYTES))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)tail, "the list of moves was overwritten");
    fvm_put(vm, tail, (fvm_cell)move);
    fvm_put(vm, FVM_K_LIST_TAIL, (fvm_cell)move);
    fvm_put(vm, list + FVM_LIST_LENGTH, fvm_plus(fvm_get(vm, list + FVM_LIST_LENGTH), 1));
    if ((fvm_cell)fvm_here(vm) > fvm_get(vm, FVM_K_TRANSIENT_TOP))
        fvm_put(vm, FVM_K_TRANSIENT_TOP, (fvm_cell)fvm_here(vm));
    status = fvm_spend(vm, 1);
    return status == FVM_OK ? fvm_move_begin(vm) : status;
}

fvm_cell fvm_move_rank(const fvm *vm, fvm_addr ranks, fvm_cell type) {
    return type > 0 && type < MAX_PRIORITIES ? fvm_get(vm, ranks + 4u * (uint32_t)type)
                                             : NO_PRIORITY;
}

fvm_addr fvm_priorities(const fvm *vm) {
    const fvm_addr ranks = (fvm_addr)fvm_lib_get(vm, vm->lib.priorities);
    return fvm_in(vm, ranks, 4 * MAX_PRIORITIES) ? ranks : 0;
}

fvm_cell fvm_best_rank(const fvm *vm) {
    const fvm_addr ranks = fvm_priorities(vm);
    fvm_cell best = NO_PRIORITY;
    for (fvm_cell type = 1; type < MAX_PRIORITIES && ranks != 0; type++) {
        const fvm_cell rank = fvm_move_rank(vm, ranks, type);
        best = rank < best ? rank : best;
    }
    return ranks != 0 ? best : 0;
}

/* Counts the move, unless moves of a better rank have been counted. */
static void count(fvm *vm, fvm_addr counter) {
    const fvm_addr ranks = fvm_priorities(vm);
    const fvm_cell rank =
        ranks != 0 ? fvm_move_rank(vm, ranks, vm->scan_type) : GAME(vm)->best_rank;
    if (rank > GAME(vm)->best_rank)
        return;
    fvm_set(vm, counter, rank < GAME(vm)->best_rank ? 1 : fvm_plus(fvm_get(vm, counter), 1));
    GAME(vm)->best_rank = rank;
}

/* Does the same as count_slow in the common case; false: nothing has been done. */
static inline bool count_fast(fvm *vm) {
    uint8_t *const mem = vm->mem;
    const fvm_addr counter = GAME(vm)->list + FVM_LIST_LENGTH;
    const fvm_addr move = (fvm_addr)fvm_cell_in(mem, FVM_K_BUILD);
    if (vm->records_have_texts || vm->fuel <= 0 || move == 0 ||
        (fvm_addr)fvm_cell_in(mem, FVM_K_DP) != move + fvm_record_bytes(vm) ||
        fvm_cell_in(mem, FVM_K_TEXT_CONTEXT) != 0 || !fvm_can_set(vm, counter) ||
        vm->cells[counter >> 2] != 0 ||
        (fvm_lib_get(vm, vm->lib.priorities) != 0 &&
         fvm_move_rank(vm, fvm_priorities(vm), vm->scan_type) != GAME(vm)->best_rank))
        return false;
    vm->dirty[counter >> FVM_PAGE_SHIFT] = 1;
    fvm_put_in(mem, counter, fvm_plus(fvm_cell_in(mem, counter), 1));
    vm->fuel--;
    return true;
}

/* Does what fvm_move_finish does if moves are only counted: the next move begins in the same place.
 */
FVM_COLD static fvm_status count_slow(fvm *vm) {
    const fvm_addr counter = GAME(vm)->list + FVM_LIST_LENGTH,
                   here = (fvm_addr)fvm_get(vm, FVM_K_DP);
    const fvm_addr code = (fvm_addr)fvm_get(vm, FVM_K_BUILD) + fvm_record_bytes(vm);
    if (!fvm_can_set(vm, counter))
        return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)counter,
                        "the list of moves was overwritten");
    count(vm, counter);
    if (FVM_UNLIKELY(!fvm_text_is_reset(vm)))
        fvm_text_reset(vm);
    if (FVM_UNLIKELY(here != code)) /* COMPILE has appended code */
        fvm_set_here_back(vm, code);
    return fvm_spend_one(vm);
}

/* Counts a move towards list_part.moves. */
FVM_NOINLINE static void count_found(fvm *vm) {
    const fvm_addr ranks = GAME(vm)->list_part.rank != 0 ? fvm_priorities(vm) : 0;
    if (ranks != 0 && fvm_move_rank(vm, ranks, vm->scan_type) > GAME(vm)->list_part.rank)
        return;
    vm->jit.loop.stop = ++GAME(vm)->found_moves >= GAME(vm)->list_part.moves;
}

/* Adds the move to the list and begins the next move. */
static inline fvm_status finish_move(fvm *vm) {
    FVM_ASSERT(vm->generating && fvm_in(vm, GAME(vm)->list, FVM_LIST_BYTES));
    if (FVM_UNLIKELY(GAME(vm)->list_part.moves > 0))
        count_found(vm);
    if (GAME(vm)->list_part.counted)
        return count_fast(vm) ? FVM_OK : count_slow(vm);
    fvm_pass_check(vm);
    return finish_fast(vm) ? FVM_OK : finish_slow(vm);
}

fvm_status fvm_move_finish(fvm *vm) { return finish_move(vm); }

/* The Forth word add-move in the general case. */
FVM_NOINLINE static fvm_status add_move(fvm *vm) {
    if (!vm->generating || fvm_get(vm, FVM_K_BUILD) == 0)
        return fvm_require_move(vm, "add-move");
    return finish_move(vm);
}

fvm_status fvm_word_add_move(fvm *vm) {
    if (FVM_LIKELY(vm->generating && GAME(vm)->list_part.moves <= 0) &&
        (GAME(vm)->list_part.counted ? count_fast(vm)
                                     : fvm_lib_get(vm, vm->lib.passed) != -1 && finish_fast(vm)))
        return FVM_OK;
    return add_move(vm);
}

/* --- lists ------------------------------------------------------------------------ */

bool fvm_newest_list(const fvm *vm, int32_t *count, fvm_addr *first) {
    fvm_addr list = (fvm_addr)fvm_lib_get(vm, vm->lib.moves_list);
    *count = 0;
    *first = 0;
    if (list == 0 || !fvm_in(vm, list, FVM_LIST_BYTES))
        return false;
    *count = fvm_get(vm, list + FVM_LIST_LENGTH);
    *first = (fvm_addr)fvm_get(vm, list + FVM_LIST_FIRST);
    return true;
}

int32_t fvm_move_list(fvm *vm, fvm_addr *moves, int32_t capacity) {
    int32_t count, found = 0;
    fvm_addr move;
    if (!fvm_newest_list(vm, &count, &move))
        return 0;
    for (; move != 0 && found < count; move = fvm_next_move(vm, move)) {
        if (found < capacity)
            moves[found] = move;
        found++;
    }
    return found;
}

void fvm_set_here_back(fvm *vm, fvm_addr here) {
    /* The header of an empty list may be above the highest move. */
    if (fvm_get(vm, FVM_K_DP) > fvm_get(vm, FVM_K_TRANSIENT_TOP))
        fvm_put(vm, FVM_K_TRANSIENT_TOP, fvm_get(vm, FVM_K_DP));
    fvm_put(vm, FVM_K_DP, (fvm_cell)here);
}

fvm_status fvm_free_list(fvm *vm) {
    fvm_addr list = (fvm_addr)fvm_lib_get(vm, vm->lib.moves_list);
    if (vm->generating)
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$DeallocateMoves inside a move word");
    if (list == 0 || !fvm_in(vm, list, FVM_LIST_BYTES))
        return fvm_fail(vm, FVM_ERR_CONTEXT, 0, "$DeallocateMoves without a list");
    fvm_put(vm, vm->lib.moves_list, fvm_get(vm, list));
    fvm_set_here_back(vm, list);
    if (list == (fvm_addr)fvm_get(vm, FVM_K_HOST_LIST))
        fvm_put(vm, FVM_K_HOST_LIST, 0);
    return FVM_OK;
}

void fvm_list_clear(fvm *vm, fvm_addr list) {
    FVM_ASSERT(fvm_in(vm, list, FVM_LIST_BYTES));
    fvm_put(vm, list + FVM_LIST_LENGTH, 0);
    fvm_put(vm, list + FVM_LIST_FIRST, 0);
    fvm_put(vm, FVM_K_LIST_TAIL, (fvm_cell)(list + FVM_LIST_FIRST));
}

/* Links the moves of a list that have a rank, in their order. */
static fvm_status keep_rank(fvm *vm, fvm_addr list, fvm_addr ranks, fvm_cell kept) {
    fvm_addr link = list + FVM_LIST_FIRST;
    fvm_cell count = 0;
    fvm_move_cells cells;
    for (fvm_addr move = (fvm_addr)fvm_get(vm, link); move != 0; move = fvm_next_move(vm, move)) {
        FVM_TRY(fvm_charge_work(vm, 4));
        if (!fvm_move_cells_at(vm, move, &cells))
            return FVM_OK;
        if (fvm_move_rank(vm, ranks, fvm_get(vm, cells.type)) != kept)
            continue;
        fvm_put(vm, link, (fvm_cell)move);
        link = move;
        count++;
    }
    fvm_put(vm, link, 0);
    fvm_put(vm, list + FVM_LIST_LENGTH, count);
    return FVM_OK;
}

fvm_status fvm_list_remove_low_priorities(fvm *vm, fvm_addr list) {
    const fvm_addr ranks = fvm_priorities(vm);
    fvm_cell best = INT32_MAX, worst = INT32_MIN;
    fvm_move_cells cells;
    if (ranks == 0)
        return FVM_OK;
    for (fvm_addr move = (fvm_addr)fvm_get(vm, list + FVM_LIST_FIRST); move != 0;
         move = fvm_next_move(vm, move)) {
        FVM_TRY(fvm_charge_work(vm, 4));
        if (!fvm_move_cells_at(vm, move, &cells))
            return FVM_OK;
        const fvm_cell rank = fvm_move_rank(vm, ranks, fvm_get(vm, cells.type));
        best = rank < best ? rank : best;
        worst = rank > worst ? rank : worst;
    }
    return best < worst ? keep_rank(vm, list, ranks, best) : FVM_OK;
}
