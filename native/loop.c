/* loop.c: what a host's own loop over moves needs, several calls of host.c in one.
 *
 * It owns no rule of play: the order of the questions is States' (forthvm/game/states.py), and
 * what happens is what host.c's functions do one by one.  A call across the border costs about as
 * much as applying a move, so a loop that makes and takes back every move should need one for
 * each. */
#include "again.h"

#include <stdlib.h>

int32_t fvm_loop_make(fvm *vm, const fvm_snapshot *listed, fvm_addr move) {
    int32_t partial;
    fvm_status status = fvm_snapshot_restore(vm, listed);
    if (status != FVM_OK) {
        fvm_begin(vm, FVM_PHASE_APPLY);
        return (int32_t)fvm_fail(vm, status, 0, "a state can be restored only between runs");
    }
    fvm_budget(vm, 0, 0);
    status = fvm_game_make(vm, move, &partial);
    return status == FVM_OK && partial ? FVM_LOOP_PARTIAL : (int32_t)status;
}

fvm_snapshot *fvm_loop_arrive(fvm *vm) {
    fvm_game_free_lists(vm);
    return fvm_snapshot_take(vm);
}

/* --- a list that need not be made twice -------------------------------------------------------- */

/* The original's host makes a list, asks OnIsGameOver and makes the list again.  The second one
 * is the first again if neither the making nor the question changed anything that making a list
 * looks at.  That shows when it is over: what a generation reads without having written it is in
 * memory, and memory can be compared.
 *
 * The cells that every generation writes before anybody may read them do not count.  One of them
 * is both: the last square edited goes into the record of a move that was begun before the first
 * edit.  So a number that is no square stands there meanwhile, and such records are put right. */

enum { NO_SQUARE = FVM_HASH_LAST - 1 };

typedef struct {
    fvm *vm;
    fvm_cell last;    /* square edited last before the first list */
    uint64_t outside; /* what the host had noticed by then */
    int64_t steps;
    int32_t early; /* moves that were begun before the first edit */
} first_list;

static bool may_be_kept(const fvm *vm) {
    const fvm_library *lib = &vm->lib;
    return fvm_list_repeats(vm) && fvm_lib_get(vm, lib->priorities, 0) == 0 &&
           fvm_lib_get(vm, lib->positions, 0) < NO_SQUARE && fvm_is_wiped(vm, fvm_here(vm));
}

/* What the record of a move says about the square edited last before it. */
static fvm_cell noted(fvm_cell last) {
    return last >= 0 && last < FVM_HASH_LAST ? last + 1 : 0;
}

/* Puts that square into the records of the first moves; in the newest snapshot, too. */
static void note_last(const first_list *first, fvm_cell last, bool kept) {
    fvm *vm = first->vm;
    int32_t count;
    fvm_addr move;
    fvm_move_cells cells;
    fvm_newest_list(vm, &count, &move);
    for (int32_t i = 0; i < first->early && fvm_move_cells_at(vm, move, &cells); i++) {
        fvm_cell hash = (fvm_get(vm, cells.hash) & ~FVM_HASH_LAST) | noted(last);
        if (kept)
            fvm_pages_put(vm, cells.hash, hash);
        else
            fvm_put(vm, cells.hash, hash);
        move = fvm_next_move(vm, move);
    }
}

static int32_t count_early(const fvm *vm) {
    int32_t count, early = 0;
    fvm_addr move;
    fvm_move_cells cells;
    fvm_newest_list(vm, &count, &move);
    while (fvm_move_cells_at(vm, move, &cells) &&
           (fvm_get(vm, cells.hash) & FVM_HASH_LAST) == noted(NO_SQUARE)) {
        early++;
        move = fvm_next_move(vm, move);
    }
    return early;
}

static void begin_first(first_list *first, fvm *vm) {
    *first = (first_list){vm, fvm_get(vm, FVM_K_LAST_POS), vm->outside, fvm_steps(vm), 0};
    fvm_put(vm, FVM_K_LAST_POS, NO_SQUARE);
}

static void end_first(first_list *first) {
    fvm *vm = first->vm;
    if (fvm_get(vm, FVM_K_LAST_POS) == NO_SQUARE)
        fvm_put(vm, FVM_K_LAST_POS, first->last);
    if (fvm_get(vm, FVM_K_BUILD_LAST) == NO_SQUARE)
        fvm_put(vm, FVM_K_BUILD_LAST, first->last);
    first->early = count_early(vm);
    note_last(first, first->last, false);
    first->steps = fvm_steps(vm) - first->steps;
}

static bool is_list_again(const first_list *first, const fvm_snapshot *arrived,
                          const fvm_snapshot *listed) {
    const fvm *vm = first->vm;
    fvm_addr written[FVM_LIST_WRITES];
    fvm_list_writes(vm, written);
    return vm->outside == first->outside && fvm_lib_get(vm, vm->lib.passed, 0) == 0 &&
           fvm_depth_of(vm) == 0 && fvm_pages_untouched((fvm *)vm) &&
           fvm_snapshot_differs_only(arrived, listed, (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT),
                                     written, FVM_LIST_WRITES) &&
           fvm_is_wiped(vm, fvm_list_top(vm));
}

/* The same steps are used as if it had been made. */
static fvm_status keep_list(const first_list *first) {
    fvm *vm = first->vm;
    fvm_cell last = fvm_get(vm, FVM_K_LAST_POS);
    if (last != first->last)
        note_last(first, last, true);
    return fvm_spend(vm, (uint32_t)first->steps);
}

/* --- listing ------------------------------------------------------------------------------------ */

static fvm_status take(fvm *vm, fvm_snapshot **snapshot) {
    *snapshot = fvm_snapshot_take(vm);
    return *snapshot != NULL ? FVM_OK : fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for a snapshot");
}

static fvm_status make_list(fvm *vm, fvm_listing *turn) {
    int32_t count;
    fvm_status status = fvm_game_generate(vm, &count);
    return status == FVM_OK ? take(vm, &turn->listed) : status;
}

/* Asks, and makes the list again if it has to be. */
static fvm_status ask_and_list(fvm *vm, const fvm_snapshot *arrived, fvm_listing *turn) {
    int32_t count;
    first_list first;
    bool watched = may_be_kept(vm);
    if (watched)
        begin_first(&first, vm);
    fvm_status status = fvm_game_generate(vm, &count);
    if (watched)
        end_first(&first);
    if (status == FVM_OK && watched)
        status = take(vm, &turn->listed);
    if (status == FVM_OK)
        status = fvm_game_over(vm, &turn->code);
    turn->asked = status == FVM_OK;
    if (status != FVM_OK)
        return status;
    if (watched && is_list_again(&first, arrived, turn->listed))
        return keep_list(&first);
    fvm_snapshot_free(turn->listed);
    turn->listed = NULL;
    return make_list(vm, turn);
}

fvm_status fvm_loop_list(fvm *vm, const fvm_snapshot *arrived, fvm_listing *turn) {
    turn->listed = NULL;
    turn->count = 0;
    turn->turn = fvm_lib_get(vm, vm->lib.player_offset, -1);
    fvm_budget(vm, 0, 0);
    fvm_status status =
        turn->asked ? make_list(vm, turn) : ask_and_list(vm, arrived, turn);
    if (status != FVM_OK) {
        fvm_snapshot_free(turn->listed);
        turn->listed = NULL;
    } else {
        turn->count = fvm_move_list(vm, turn->moves, turn->room);
    }
    return status;
}
