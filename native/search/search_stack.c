/* search_stack.c: going down a game's tree and back up again, for every native search.
 *
 * It owns what must be put back: the board (a clone), the turn, and the cells of the script's
 * memory that applying a move changes.  Which cells those are shows when it happens: the
 * script's memory is compared around each move.  Where nobody goes up move by move, as in playouts,
 * all that has changed goes back at once.  It must not know how searching is done. */
#include "search/search_stack.h"

#include "vm/page_restore.h"

#include <stdlib.h>

enum { MOST_OUTSIDE = 1024, TURN_CELLS = 3 };

bool fvm_walk_failed(fvm_walk *w, fvm_status status) {
    if (status != FVM_OK && w->status == FVM_OK)
        w->status = status;
    return w->status != FVM_OK;
}

/* --- opening ---------------------------------------------------------------------- */

/* The script's words begin behind the library's last one and end below lists and clones. */
static void find_script(fvm_walk *w) {
    fvm *vm = w->vm;
    const char *fence = "axiomFence";
    fvm_addr start = (fvm_addr)fvm_get(vm, FVM_K_TRANSIENT);
    w->low = fvm_find_in(vm, FVM_K_FORTH, fence, (uint32_t)strlen(fence));
    w->high = start != 0 ? start : fvm_here(vm);
    if (w->low == 0)
        w->low = FVM_DICTIONARY; /* a library without it: its variables are compared too */
    w->low &= ~(fvm_addr)(FVM_PAGE - 1);
    if (w->high < w->low || !fvm_in(vm, w->low, w->high - w->low))
        w->high = w->low;
}

static uint32_t pages(const fvm_walk *w) {
    return (w->high - w->low + FVM_PAGE - 1) >> FVM_PAGE_SHIFT;
}

fvm_walk *fvm_walk_open(fvm *vm, uint32_t chance, bool count_turns) {
    fvm_walk *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    w->vm = vm;
    w->chance = chance;
    w->count_turns = count_turns;
    w->partial_cost = fvm_lib_get(vm, vm->lib.combine_partial, -1) == 0 ? 1 : 0;
    memset(vm->scan_hints, 0, sizeof vm->scan_hints); /* the same search takes the same steps */
    w->iteration_depth = fvm_lib_get(vm, vm->lib.iteration_depth, 0);
    fvm_lib_put(vm, vm->lib.iteration_depth, 0);
    w->turns = fvm_lib_get(vm, vm->lib.turn_limit, 0) / (TURN_CELLS * 4);
    find_script(w);
    uint32_t size = pages(w) << FVM_PAGE_SHIFT;
    w->shadow = malloc(size > 0 ? size : 1);
    w->outside = malloc(MOST_OUTSIDE * sizeof *w->outside);
    w->log_room = 1024;
    w->log = malloc((size_t)w->log_room * sizeof *w->log);
    if (w->shadow == NULL || w->outside == NULL || w->log == NULL) {
        fvm_walk_close(w);
        return NULL;
    }
    memcpy(w->shadow, vm->mem + w->low, size <= vm->size - w->low ? size : vm->size - w->low);
    return w;
}

void fvm_walk_briefly(fvm_walk *w) { w->brief = fvm_evaluation_ignores_list(w->vm); }

void fvm_walk_depth(fvm_walk *w, int32_t plies) {
    w->counts_plies = true;
    fvm_lib_put(w->vm, w->vm->lib.iteration_depth, plies);
}

void fvm_walk_close(fvm_walk *w) {
    if (w->held)
        fvm_walk_back(w);
    while (w->ply > 0)
        fvm_walk_undo(w);
    fvm_lib_put(w->vm, w->vm->lib.iteration_depth, w->iteration_depth);
    free(w->shadow);
    free(w->outside);
    free(w->log);
    free(w);
}

/* --- memory outside boards -------------------------------------------------------- */

static bool note(fvm_walk *w, fvm_addr addr, fvm_cell value) {
    if (w->log_count == w->log_room) {
        fvm_kept *more = realloc(w->log, (size_t)w->log_room * 2 * sizeof *more);
        if (more == NULL)
            return fvm_walk_failed(w, fvm_fail(w->vm, FVM_ERR_MEMORY, 0, "no memory to search"));
        w->log = more;
        w->log_room *= 2;
    }
    w->log[w->log_count++] = (fvm_kept){addr, value};
    return false;
}

static inline void put_if_other(fvm *vm, fvm_addr addr, fvm_cell value) {
    if (fvm_get(vm, addr) != value)
        fvm_put(vm, addr, value);
}

enum { WRITTEN = FVM_WRITTEN, SHADOWED = 2 }; /* dirty since the watch began, and before it only */

/* The first page of the script's memory from `page` on that has been written, `end` if none has. */
static inline uint32_t next_written(const fvm_walk *w, uint32_t page, uint32_t end) {
    const uint32_t first = w->low >> FVM_PAGE_SHIFT;
    return fvm_next_marked(w->vm, first + page, first + end, WRITTEN) - first;
}

/* The shadow becomes what memory is; pages that change from now on will be marked as written. */
static void begin_watch(fvm_walk *w) {
    fvm *vm = w->vm;
    w->repetitions = fvm_get(vm, FVM_K_REPETITIONS);
    const uint32_t count = pages(w);
    for (uint32_t p = 0; (p = next_written(w, p, count)) < count; p++) {
        const size_t at = (size_t)p << FVM_PAGE_SHIFT;
        fvm_copy_page(w->shadow + at, vm->mem + w->low + at);
        vm->dirty[(w->low >> FVM_PAGE_SHIFT) + p] = SHADOWED;
    }
}

static bool is_outside(const fvm_walk *w, fvm_addr addr) {
    for (int32_t i = 0; i < w->outside_count; i++)
        if (w->outside[i] == addr)
            return true;
    return false;
}

enum { BLOCK = 64 }; /* bytes */

static inline bool same_block(const uint8_t *a, const uint8_t *b) {
    uint64_t one[BLOCK / 8], two[BLOCK / 8], differ = 0;
    memcpy(one, a, BLOCK);
    memcpy(two, b, BLOCK);
    for (int i = 0; i < BLOCK / 8; i++)
        differ |= one[i] ^ two[i];
    return differ == 0;
}

static void compare_page(fvm_walk *w, uint32_t p) {
    const uint8_t *before = w->shadow + ((size_t)p << FVM_PAGE_SHIFT);
    fvm_addr start = w->low + (p << FVM_PAGE_SHIFT);
    for (uint32_t at = 0; at < FVM_PAGE; at += 4) {
        fvm_addr addr = start + at;
        fvm_cell value;
        if (addr >= w->high)
            return;
        if (at % BLOCK == 0 && same_block(before + at, w->vm->mem + addr)) {
            at += BLOCK - 4;
            continue;
        }
        if (memcmp(before + at, w->vm->mem + addr, 4) == 0 ||
            is_outside(w, addr))
            continue;
        if (w->outside_count == MOST_OUTSIDE) {
            w->unbounded = true;
            return;
        }
        w->outside[w->outside_count++] = addr;
        memcpy(&value, before + at, 4);
        note(w, addr, value);
    }
}

/* Too many cells to list: the move under way is taken back by all of memory as it was before. */
static void keep_shadow(fvm_walk *w) {
    fvm_walk_frame *frame = &w->frames[w->ply - 1];
    frame->whole = malloc(w->high - w->low + 1);
    if (frame->whole != NULL)
        memcpy(frame->whole, w->shadow, w->high - w->low);
    else
        fvm_walk_failed(w, fvm_fail(w->vm, FVM_ERR_MEMORY, 0, "no memory to search"));
}

static void end_watch(fvm_walk *w) {
    fvm *vm = w->vm;
    /* A count of its own that the script keeps must not get out of step with the kernel's. */
    if (fvm_get(vm, FVM_K_REPETITIONS) != w->repetitions)
        note(w, FVM_K_REPETITIONS, w->repetitions);
    const uint32_t count = pages(w);
    for (uint32_t p = 0; !w->unbounded && (p = next_written(w, p, count)) < count; p++)
        compare_page(w, p);
    if (w->unbounded) /* it was not when the watch began */
        keep_shadow(w);
}

/* --- all of memory ---------------------------------------------------------------- */

/* Cells of kernel and library that judging a position may change: where `here` is, and how much
 * the ring buffers hold.  Random streams go on: lots must differ. */
static void held_cells(const fvm *vm, fvm_addr cells[WALK_HELD]) {
    const fvm_addr second = FVM_RINGS + FVM_RING_BYTES;
    const fvm_addr held[WALK_HELD] = {vm->lib.from,     vm->lib.pos, vm->lib.piece, FVM_RINGS,
                                      FVM_RINGS + 4, second,      second + 4};
    memcpy(cells, held, sizeof held);
}

void fvm_walk_hold(fvm_walk *w) {
    fvm_addr cells[WALK_HELD];
    held_cells(w->vm, cells);
    for (int i = 0; i < WALK_HELD; i++)
        w->held_values[i] = fvm_lib_get(w->vm, cells[i], 0);
    begin_watch(w);
    w->held = true;
}

static void restore_page(fvm_walk *w, uint32_t p) {
    const uint8_t *before = w->shadow + ((size_t)p << FVM_PAGE_SHIFT);
    const fvm_addr start = w->low + (p << FVM_PAGE_SHIFT), length = w->high - start;
    if (length >= FVM_PAGE)
        fvm_restore_page(w->vm, start >> FVM_PAGE_SHIFT, before);
    else
        fvm_restore_cells(w->vm, start, before, (length + 3) & ~(uint32_t)3);
    w->vm->dirty[start >> FVM_PAGE_SHIFT] = SHADOWED;
}

void fvm_walk_back(fvm_walk *w) {
    fvm_addr cells[WALK_HELD];
    const uint32_t count = pages(w);
    while (w->ply > 0)
        fvm_walk_undo(w);
    for (uint32_t p = 0; (p = next_written(w, p, count)) < count; p++)
        restore_page(w, p);
    held_cells(w->vm, cells);
    for (int i = 0; i < WALK_HELD; i++)
        if (cells[i] != 0)
            put_if_other(w->vm, cells[i], w->held_values[i]);
    put_if_other(w->vm, FVM_K_REPETITIONS, w->repetitions);
}

/* --- moves ------------------------------------------------------------------------ */

static fvm_walk_frame *push_frame(fvm_walk *w) {
    fvm *vm = w->vm;
    fvm_walk_frame *frame = &w->frames[w->ply];
    if (w->ply >= WALK_PLIES - 1) {
        fvm_walk_failed(w, fvm_fail(vm, FVM_ERR_NESTING, w->ply,
                                    "the search went %d moves deep", (int)w->ply));
        return NULL;
    }
    fvm_turn_save(vm, &frame->turn);
    frame->sp = vm->sp;
    frame->kept = w->log_count;
    frame->whole = NULL;
    if (w->unbounded) {
        frame->whole = malloc(w->high - w->low + 1);
        if (frame->whole == NULL) {
            fvm_walk_failed(w, fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory to search"));
            return NULL;
        }
        memcpy(frame->whole, vm->mem + w->low, w->high - w->low);
    } else {
        for (int32_t i = 0; i < w->outside_count; i++)
            if (note(w, w->outside[i], fvm_get(vm, w->outside[i])))
                return NULL;
    }
    w->ply++;
    return frame;
}

/* OnNextTurn may change memory, too. */
static fvm_step next_turn(fvm_walk *w) {
    fvm *vm = w->vm;
    const bool watch = !w->unbounded && !w->held;
    if (w->counts_plies)
        fvm_lib_put(vm, vm->lib.ply, fvm_plus(fvm_lib_get(vm, vm->lib.ply, 0), 1));
    if (watch)
        begin_watch(w);
    fvm_walk_failed(w, fvm_next_turn(vm));
    if (watch)
        end_watch(w);
    return w->status != FVM_OK ? WALK_FAILED : WALK_TURN;
}

static bool apply(fvm_walk *w, fvm_addr move) {
    const bool watch = !w->unbounded && !w->held;
    if (watch)
        begin_watch(w);
    fvm_walk_failed(w, fvm_apply(w->vm, move));
    if (watch)
        end_watch(w);
    return w->status == FVM_OK;
}

/* Who goes on after the move that has been applied. */
static fvm_step arrive(fvm_walk *w) {
    fvm *vm = w->vm;
    fvm_addr first;
    if (fvm_lib_get(vm, vm->lib.partial, 0) != -1)
        return next_turn(w);
    if (fvm_walk_failed(w, fvm_generate_turn(vm)))
        return WALK_FAILED;
    if (fvm_walk_list(w, &first) > 0)
        return WALK_PARTIAL;
    return fvm_walk_failed(w, fvm_free_list(vm)) ? WALK_FAILED : next_turn(w);
}

fvm_step fvm_walk_make(fvm_walk *w, fvm_addr move) {
    if (push_frame(w) == NULL || fvm_walk_failed(w, fvm_clone_board(w->vm)) || !apply(w, move))
        return WALK_FAILED;
    return arrive(w);
}

bool fvm_walk_begin_playout(fvm_walk *w) {
    return push_frame(w) != NULL && !fvm_walk_failed(w, fvm_clone_board(w->vm));
}

fvm_step fvm_walk_play(fvm_walk *w, fvm_addr move, bool below) {
    if ((move != 0 && !apply(w, move)) || (!below && fvm_walk_failed(w, fvm_free_list(w->vm))))
        return WALK_FAILED;
    return move != 0 ? arrive(w) : next_turn(w);
}

fvm_step fvm_walk_pass(fvm_walk *w) {
    if (push_frame(w) == NULL || fvm_walk_failed(w, fvm_clone_board(w->vm)))
        return WALK_FAILED;
    return next_turn(w);
}

/* OnRetractMove is not asked: all that the move changed is put back here. */
void fvm_walk_undo(fvm_walk *w) {
    fvm *vm = w->vm;
    fvm_walk_frame *frame = &w->frames[--w->ply];
    if (frame->whole != NULL) {
        for (fvm_addr at = w->low; at + 4 <= w->high; at += 4) {
            fvm_cell value;
            memcpy(&value, frame->whole + (at - w->low), 4);
            put_if_other(vm, at, value);
        }
        free(frame->whole);
        frame->whole = NULL;
    }
    /* After it: the log may hold what was there before the copy was made. */
    while (w->log_count > frame->kept) {
        const fvm_kept *kept = &w->log[--w->log_count];
        put_if_other(vm, kept->addr, kept->value);
    }
    fvm_turn_restore(vm, &frame->turn);
    fvm_set_stack(vm, frame->sp);
}

bool fvm_walk_generate(fvm_walk *w, int32_t enough) {
    w->vm->enough_moves = w->brief ? enough : 0;
    bool failed = fvm_walk_failed(w, fvm_generate_turn(w->vm));
    w->vm->enough_moves = 0;
    return !failed;
}

bool fvm_walk_generate_first(fvm_walk *w, int32_t moves) {
    w->vm->first_moves = true;
    bool made = fvm_walk_generate(w, moves);
    w->vm->first_moves = false;
    return made;
}

int32_t fvm_walk_list(fvm_walk *w, fvm_addr *first) {
    int32_t told, count = 0;
    if (!fvm_newest_list(w->vm, &told, first))
        return 0;
    for (fvm_addr move = *first; move != 0 && count < told; move = fvm_next_move(w->vm, move))
        if ((++count & 1023) == 0 && fvm_walk_failed(w, fvm_toil(w->vm, 4096)))
            return 0;
    return count;
}

/* --- whose turn ------------------------------------------------------------------- */

int32_t fvm_walk_mover(const fvm_walk *w) {
    return FVM_PLAYER_NUMBER(fvm_lib_get(w->vm, w->vm->lib.player, 0));
}

bool fvm_walk_chance(const fvm_walk *w) { return (w->chance >> fvm_walk_mover(w) & 1) != 0; }

/* The next in turn who draws no lots, as OnIsGameOver is understood elsewhere. */
int32_t fvm_walk_viewer(fvm_walk *w) {
    fvm *vm = w->vm;
    fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order, 0);
    fvm_cell offset = fvm_lib_get(vm, vm->lib.turn_offset, 0);
    int32_t number = fvm_walk_mover(w);
    for (int32_t i = 0; i < w->turns && (w->chance >> number & 1) != 0; i++) {
        fvm_cell player = 0;
        offset = fvm_plus(offset, TURN_CELLS * 4);
        if (offset >= fvm_lib_get(vm, vm->lib.turn_limit, 0))
            offset = fvm_lib_get(vm, vm->lib.repeat_offset, 0);
        if (!fvm_in(vm, order + (fvm_addr)offset, 4) ||
            fvm_walk_failed(w, fvm_call(vm, (fvm_addr)fvm_get(vm, order + (fvm_addr)offset),
                                        &player)))
            break;
        number = FVM_PLAYER_NUMBER(player);
    }
    return number;
}

uint32_t fvm_walk_seats(fvm_walk *w) {
    fvm *vm = w->vm;
    fvm_addr order = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order, 0);
    uint32_t seats = 0;
    for (int32_t i = 0; i < w->turns; i++) {
        fvm_cell player = 0;
        fvm_addr slot = order + TURN_CELLS * 4u * (uint32_t)i;
        if (!fvm_in(vm, slot, 4) ||
            fvm_walk_failed(w, fvm_call(vm, (fvm_addr)fvm_get(vm, slot), &player)))
            break;
        seats |= (uint32_t)1 << FVM_PLAYER_NUMBER(player);
    }
    return seats & ~w->chance;
}

/* Scripts answer TRUE one way to steer past chance players: only what holds both ways counts. */
void fvm_walk_sides(fvm_walk *w, uint32_t seats, uint32_t sides[WALK_NUMBERS]) {
    int32_t players = 0;
    for (int32_t i = 0; i < WALK_NUMBERS; i++) {
        sides[i] = (uint32_t)1 << i;
        players += (int32_t)(seats >> i & 1);
    }
    for (int32_t i = 1; players > 2 && i < WALK_NUMBERS; i++)
        for (int32_t k = i + 1; k < WALK_NUMBERS; k++) {
            bool friends = false, likewise = false;
            if ((seats >> i & seats >> k & 1) == 0)
                continue;
            if (fvm_walk_failed(w, fvm_friends(w->vm, i << 11, k << 11, &friends)) ||
                fvm_walk_failed(w, fvm_friends(w->vm, k << 11, i << 11, &likewise)))
                return;
            if (friends && likewise) {
                sides[i] |= (uint32_t)1 << k;
                sides[k] |= (uint32_t)1 << i;
            }
        }
}

fvm_cell fvm_walk_arrive(fvm_walk *w) {
    return fvm_walk_failed(w, fvm_generate_turn(w->vm)) ? FVM_DRAW : fvm_walk_over(w);
}

fvm_cell fvm_walk_sample(fvm_walk *w, fvm_sample *sample, fvm_addr *move) {
    *move = 0;
    if (fvm_walk_failed(w, fvm_generate_some(w->vm, sample)))
        return FVM_DRAW;
    int32_t count = fvm_walk_list(w, move), which = sample->chosen;
    if (which < 0 && count > 0) {
        *sample->random += 0x9E3779B97F4A7C15u;
        which = (int32_t)((uint32_t)(fvm_mix(*sample->random) >> 32) % (uint32_t)count);
    }
    while (which-- > 0 && *move != 0)
        *move = fvm_next_move(w->vm, *move);
    return fvm_walk_over(w);
}

/* --- questions -------------------------------------------------------------------- */

fvm_cell fvm_walk_over(fvm_walk *w) {
    fvm_cell over = FVM_UNKNOWN;
    if (fvm_walk_failed(w, fvm_ask_over(w->vm, &over)))
        return FVM_DRAW;
    return over == FVM_WIN || over == FVM_LOSS || over == FVM_DRAW ? over : FVM_UNKNOWN;
}

bool fvm_walk_terminal(fvm_walk *w) {
    fvm *vm = w->vm;
    fvm_cell *base = vm->sp;
    if (vm->lib.on_terminal == 0)
        return true;
    fvm_walk_failed(w, fvm_run_event(vm, vm->lib.on_terminal));
    bool answer = vm->sp > base ? *vm->sp != 0 : false;
    fvm_set_stack(vm, base);
    return answer;
}

fvm_cell fvm_walk_evaluate(fvm_walk *w, int32_t number) {
    fvm *vm = w->vm;
    fvm_cell *base = vm->sp;
    fvm_cell player = fvm_lib_get(vm, vm->lib.player, 0);
    bool other = number != 0 && number != FVM_PLAYER_NUMBER(player);
    if (vm->lib.on_evaluate == 0)
        return 0;
    if (other)
        fvm_set_player(vm, number << 11);
    fvm_walk_failed(w, fvm_event(vm, vm->lib.on_evaluate, FVM_PHASE_EVALUATE));
    fvm_cell value = vm->sp > base ? *vm->sp : 0;
    fvm_set_stack(vm, base);
    if (other)
        fvm_set_player(vm, player);
    return value;
}

uint64_t fvm_walk_place(fvm_walk *w) {
    fvm *vm = w->vm;
    uint64_t key = fvm_position_hash(vm);
    for (int32_t i = 0; i < w->outside_count; i++)
        key ^= fvm_mix(((uint64_t)w->outside[i] << 32) | (uint32_t)fvm_get(vm, w->outside[i]));
    return key;
}

uint64_t fvm_walk_key(fvm_walk *w) {
    uint64_t key = fvm_walk_place(w);
    if (w->count_turns)
        key ^= fvm_mix(0xD000000000000000u |
                       (uint32_t)fvm_lib_get(w->vm, w->vm->lib.turn_number, 0));
    return key;
}
