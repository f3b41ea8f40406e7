/* perft.c: counts the move sequences of a position.
 *
 * It owns two ways to count.  The general one does what a host does: it makes a move, generates the
 * list, runs OnIsGameOver, generates the list again, and restores a snapshot.  If the script
 * promises that hooks read only whether the list is empty, and that nothing reads what generating a
 * list leaves (game/promises.h), moves are made and unmade on a search stack, each list is
 * generated once, and the moves of the last ply are only counted.  A budget of steps needs the
 * general way.  tests/engines/test_perft_ways.py compares both. */
#include "game/move_generation.h"
#include "search/search_stack.h"
#include "vm/page_restore.h"

enum {
    MAX_PLIES = 1000, /* limited because each ply uses space of the C stack */
    MIN_PLIES = 3     /* a search stack costs as much as some lists */
};

/* --- with lists that nothing observes ------------------------------------------------- */

static void count_moves(fvm_search_stack *ss, int32_t depth, int64_t *count);

/* Adds the number of move sequences of `depth` plies from the beginning of a turn. */
static void count_turn(fvm_search_stack *ss, int32_t depth, int64_t *count) {
    const fvm_list_part part = {.counted = depth == 1};
    if (!fvm_search_failed(ss, fvm_generate_part(ss->vm, part)) &&
        fvm_search_undone_game_over(ss) == FVM_UNKNOWN && ss->status == FVM_OK)
        count_moves(ss, depth, count);
}

/* Adds the number of move sequences of `depth` plies that begin with a move of the newest list. */
static void count_moves(fvm_search_stack *ss, int32_t depth, int64_t *count) {
    int32_t moves;
    fvm_addr move;
    if (!fvm_newest_list(ss->vm, &moves, &move))
        return;
    if (depth == 1) {
        *count += moves;
        return;
    }
    for (; move != 0 && ss->status == FVM_OK; move = fvm_next_move(ss->vm, move)) {
        const fvm_made step = fvm_search_make(ss, move);
        if (step == MADE_FAILED)
            return;
        if (step == MADE_TURN)
            count_turn(ss, depth - 1, count);
        else
            count_moves(ss, depth - 1, count);
        fvm_search_unmake(ss);
    }
}

/* Whether the search stack counts the same as a host. */
static bool may_use_search_stack(fvm *vm, int32_t depth, bool joined) {
    const fvm_library *lib = &vm->lib;
    const fvm_promises promises = fvm_find_promises(vm);
    return fvm_has_first_moves(vm, &promises) && !vm->checked && depth >= MIN_PLIES &&
           depth < SEARCH_PLIES / 2 && !joined && vm->steps_limit == 0 && vm->version != 140 &&
           !vm->records_have_texts && lib->on_make == 0 && lib->last_pos == 0 &&
           fvm_lib_get(vm, lib->partial) == 0 && fvm_lib_get(vm, lib->iteration_depth) == 0 &&
           fvm_lib_get(vm, lib->moves_list) == 0 && fvm_get(vm, FVM_K_OVER) == 0 &&
           fvm_depth_of(vm) == 0;
}

static fvm_status count_on_search_stack(fvm *vm, int32_t depth, int64_t *count) {
    fvm_search_stack *ss = fvm_search_open(vm, 0, false);
    if (ss == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search");
    count_turn(ss, depth, count);
    const fvm_status status = ss->status;
    if (status != FVM_OK)
        fvm_record(vm, status, 0);
    fvm_search_close(ss);
    return status;
}

/* --- as a host ----------------------------------------------------------------------- */

typedef struct {
    int64_t *count; /* number of move sequences found so far */
    bool joined;    /* a sequence of partial moves counts as one ply */
    int32_t level;  /* number of moves made, including partial moves */
} perft;

/* Adds the number of move sequences of `depth` plies to the count.  in_joined_ply: the position is
 * within a sequence of partial moves that counts as one ply. */
static fvm_status count_below(fvm *vm, int32_t depth, bool in_joined_ply, perft *p) {
    int32_t moves;
    fvm_cell over = FVM_UNKNOWN;
    if (depth == 0) {
        ++*p->count;
        return FVM_OK;
    }
    bool count_only = depth == 1 && !p->joined; /* the moves need not be made */
    fvm_status status = fvm_game_generate(vm, &moves);
    /* If a partial move has no continuation, the turn ends.  The end of the turn is not a ply, but
     * it completes a sequence of partial moves that counts as one. */
    while (status == FVM_OK && moves == 0 && fvm_lib_get(vm, vm->lib.partial) == -1) {
        if (in_joined_ply && --depth == 0) {
            ++*p->count;
            return FVM_OK;
        }
        in_joined_ply = false;
        status = fvm_game_end_turn(vm);
        if (status == FVM_OK)
            status = fvm_spend(vm, 1); /* the loop may be endless: OnNextTurn can set $partial */
        if (status == FVM_OK)
            status = fvm_game_generate(vm, &moves);
    }
    /* The original runs OnIsGameOver at the beginning of a turn and generates the list again after
     * it.  Within a sequence of partial moves it does neither. */
    const bool turn_begins = status == FVM_OK && fvm_lib_get(vm, vm->lib.partial) != -1;
    if (turn_begins)
        status = fvm_game_over(vm, &over);
    if (status != FVM_OK || fvm_is_decided(over))
        return status;
    if (turn_begins)
        status = fvm_game_generate(vm, &moves);
    if (status != FVM_OK)
        return status;
    if (count_only) {
        *p->count += moves;
        return FVM_OK;
    }
    if (p->level >= MAX_PLIES)
        return fvm_fail(vm, FVM_ERR_LIMIT, MAX_PLIES,
                        "more than %d moves in a row: do chains of "
                        "partial moves end?",
                        MAX_PLIES);
    fvm_snapshot *position = fvm_snapshot_take(vm);
    if (position == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for a snapshot");
    fvm_addr move = 0;
    for (fvm_newest_list(vm, &moves, &move); move != 0 && status == FVM_OK;
         move = fvm_next_move(vm, move)) {
        int32_t partial;
        status = fvm_game_make(vm, move, &partial);
        if (status == FVM_OK) {
            bool joins = p->joined && partial;
            fvm_game_free_lists(vm);
            p->level++;
            status = count_below(vm, joins ? depth : depth - 1, joins, p);
            p->level--;
        }
        if (status == FVM_OK) {
            fvm_restore_dirty(vm);
            status = fvm_snapshot_restore(vm, position);
        }
    }
    fvm_snapshot_free(position);
    return status;
}

/* Counts from the present position, and restores it.  texts_unread: as in the VM. */
static fvm_status count_from(fvm *vm, int32_t depth, perft *p, const fvm_snapshot *start,
                             bool texts_unread) {
    const bool in_joined_ply = p->joined && fvm_lib_get(vm, vm->lib.partial) == -1;
    fvm_status status;
    *p->count = 0;
    p->level = 0;
    GAME(vm)->texts_unread = texts_unread;
    GAME(vm)->checks_partial_texts = true;
    if (may_use_search_stack(vm, depth, p->joined))
        status = count_on_search_stack(vm, depth, p->count);
    else
        status = count_below(vm, depth, in_joined_ply, p);
    GAME(vm)->texts_unread = GAME(vm)->checks_partial_texts = false;
    fvm_snapshot_restore(vm, start);
    return status;
}

fvm_status fvm_perft(fvm *vm, int32_t depth, int32_t joined, int64_t *count) {
    *count = 0;
    fvm_begin(vm, FVM_PHASE_GENERATE);
    if (vm->nesting > 0 || depth < 0)
        return fvm_fail(vm, FVM_ERR_CONTEXT, depth, "perft inside a run");
    if (depth > MAX_PLIES)
        return fvm_fail(vm, FVM_ERR_LIMIT, depth, "perft goes at most %d plies deep", MAX_PLIES);
    fvm_status status = fvm_bind(vm);
    if (status != FVM_OK)
        return status;
    fvm_snapshot *start = fvm_snapshot_take(vm);
    if (start == NULL)
        return fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for a snapshot");
    perft p = {.count = count, .joined = joined != 0};
    const bool texts_unread = fvm_find_promises(vm).draws;
    const bool repeatable = vm->steps_limit == 0 && vm->deadline == 0;
    const uint64_t effects = vm->external_effects;
    status = count_from(vm, depth, &p, start, texts_unread);
    /* For the message, texts must be complete. */
    if (status == FVM_ERR_PARTIAL && texts_unread && repeatable &&
        vm->external_effects == effects) {
        fvm_begin(vm, FVM_PHASE_GENERATE);
        status = count_from(vm, depth, &p, start, false);
    }
    fvm_snapshot_free(start);
    return status;
}
