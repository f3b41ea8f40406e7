/* random_move.c: one move at random, without all the others.
 *
 * Every move belongs to a pair, a place and a word that was run there.  A pair is drawn, its word
 * is run, and its moves are taken or not, so that in the end each move is as likely as any other: a
 * pair with m moves gives one with the chance m / M, where M is the most that any pair has been
 * seen to have.  It owns the drawing; whether words may be run without the others is purity.c's to
 * say. When too much was drawn in vain, all moves are made, and nobody has been favoured. */
#include "game/move_generation.h"

enum { MOST_PIECES = 256, MOST_PAIRS = 1 << 20, LEAST_DRAWS = 8 };

typedef struct {
    fvm_cell pos, piece;
    fvm_addr pairs;
    int32_t count; /* of pairs */
} stand;

typedef struct {
    stand stands[MOST_PIECES];
    int32_t pieces;
    int32_t moving; /* pairs of pieces on the board */
    int32_t drops;  /* pairs at each position */
} pool;

static uint32_t draw(fvm_random_selection *sample) {
    *sample->random += 0x9E3779B97F4A7C15u;
    return (uint32_t)(fvm_mix(*sample->random) >> 32);
}

/* Where the pieces are; 0: only the scan can tell. */
static fvm_addr board_of(const fvm *vm, const fvm_scan *s) {
    fvm_addr board = (fvm_addr)fvm_get(vm, vm->lib.board);
    return board != 0 && s->scan_positions > 0 && s->scan_positions <= MOST_PAIRS &&
                   fvm_in(vm, board, 4u * (uint32_t)s->scan_positions)
               ? board
               : 0;
}

/* The pairs there are; false: only the scan can tell. */
static bool collect(const fvm *vm, const fvm_scan *s, fvm_cell for_player, pool *p) {
    fvm_addr board = board_of(vm, s);
    fvm_addr pairs = 0;
    fvm_cell type = -1;
    int32_t count = 0;
    p->pieces = p->moving = p->drops = 0;
    if (board == 0)
        return false;
    for (fvm_cell pos = 0; pos < s->scan_positions; pos++) {
        fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)pos);
        if (piece == 0 || FVM_OWNER(piece) != for_player)
            continue;
        if (p->pieces == MOST_PIECES)
            return false;
        if (FVM_TYPE(piece) != type) { /* most times there are many of the same */
            type = FVM_TYPE(piece);
            count = fvm_scan_words(vm, s, type, FVM_FIELD_MOVES, &pairs);
        }
        if (count < 0)
            return false;
        p->stands[p->pieces++] = (stand){pos, piece, pairs, count};
        p->moving += count;
    }
    for (type = 1; s->any_drops && type <= s->scan_types; type++) {
        count = fvm_scan_words(vm, s, type, FVM_FIELD_DROPS, &pairs);
        if (count < 0)
            return false;
        p->drops += count;
    }
    return (int64_t)p->drops * s->scan_positions < MOST_PAIRS;
}

static void stand_at(fvm *vm, const fvm_scan *s, fvm_cell pos, fvm_cell piece) {
    fvm_scan_set(vm, s, vm->lib.from, pos);
    fvm_scan_set(vm, s, vm->lib.pos, pos);
    fvm_scan_set(vm, s, vm->lib.piece, piece);
}

static fvm_status run_move(fvm *vm, const fvm_scan *s, const pool *p, int32_t number) {
    const stand *at = p->stands;
    while (number >= at->count)
        number -= at++->count;
    stand_at(vm, s, at->pos, at->piece);
    return fvm_scan_pairs(vm, s, at->pairs + 8u * (uint32_t)number, 1);
}

static fvm_status run_drop(fvm *vm, const fvm_scan *s, fvm_cell for_player, fvm_cell pos,
                           int32_t number) {
    for (fvm_cell type = 1; type <= s->scan_types; type++) {
        fvm_addr pairs;
        int32_t count = fvm_scan_words(vm, s, type, FVM_FIELD_DROPS, &pairs);
        if (number < count) {
            stand_at(vm, s, pos, type | for_player);
            return fvm_scan_pairs(vm, s, pairs + 8u * (uint32_t)number, 1);
        }
        number -= count;
    }
    return FVM_OK;
}

/* Where the scan would have ended, most times.  piece: the player's last on the board, 0 none. */
static void stand_last(fvm *vm, const fvm_scan *s, fvm_cell piece, fvm_cell for_player) {
    fvm_addr pairs;
    if (piece == 0)
        piece = fvm_scan_get(vm, s, vm->lib.piece);
    for (fvm_cell type = 1; s->any_drops && type <= s->scan_types; type++)
        if (fvm_scan_words(vm, s, type, FVM_FIELD_DROPS, &pairs) > 0)
            piece = type | for_player;
    stand_at(vm, s, s->scan_positions - 1, piece);
}

/* The list becomes empty again, and the next move's record follows its head. */
static fvm_status begin_again(fvm *vm) {
    fvm_list_clear(vm, vm->scan_list);
    fvm_put(vm, FVM_K_DP, (fvm_cell)(vm->scan_list + LIST_BYTES));
    return fvm_move_begin(vm);
}

/* Whether the moves of the pair that was run are taken; the list is empty again if not. */
static fvm_status take(fvm *vm, fvm_random_selection *sample) {
    fvm_cell found = fvm_get(vm, vm->scan_list + 4);
    if (found <= 0)
        return FVM_OK;
    if (found > sample->most)
        sample->most = found;
    fvm_cell which = sample->most > 1 ? (fvm_cell)(draw(sample) % (uint32_t)sample->most) : 0;
    if (which >= found)
        return begin_again(vm);
    sample->chosen = which;
    return FVM_OK;
}

/* --- without drops ---------------------------------------------------------------- */

/* The most words that any type of piece has, 0 if only the scan knows. */
static uint32_t most_words(const fvm *vm, const fvm_scan *s) {
    int32_t most = 0;
    for (fvm_cell type = 1; type <= s->scan_types; type++) {
        fvm_addr pairs;
        int32_t count = fvm_scan_words(vm, s, type, FVM_FIELD_MOVES, &pairs);
        if (count < 0)
            return 0;
        if (count > most)
            most = count;
    }
    return (int64_t)most * s->scan_positions < MOST_PAIRS ? (uint32_t)most : 0;
}

static fvm_cell last_piece(const fvm *vm, const fvm_scan *s, fvm_addr board, fvm_cell for_player) {
    for (fvm_cell pos = s->scan_positions - 1; pos >= 0; pos--) {
        fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)pos);
        if (piece != 0 && FVM_OWNER(piece) == for_player)
            return piece;
    }
    return 0;
}

/* Draws places, and words as if all types had as many as the one with most: what is not there is
 * in vain, and nobody need ask first where pieces are. */
static fvm_status draw_places(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                              fvm_random_selection *sample) {
    const fvm_addr board = board_of(vm, s);
    const uint32_t words = board != 0 ? most_words(vm, s) : 0;
    const uint32_t places = words * (uint32_t)s->scan_positions;
    for (uint32_t left = places; left > 0; left--) {
        uint32_t number = (uint32_t)((uint64_t)draw(sample) * places >> 32);
        fvm_cell pos = (fvm_cell)(number / words);
        fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)pos);
        fvm_addr pairs;
        if (piece == 0 || FVM_OWNER(piece) != for_player ||
            (int32_t)(number % words) >=
                fvm_scan_words(vm, s, FVM_TYPE(piece), FVM_FIELD_MOVES, &pairs))
            continue;
        stand_at(vm, s, pos, piece);
        fvm_status status = fvm_scan_pairs(vm, s, pairs + 8u * (number % words), 1);
        if (status == FVM_OK)
            status = take(vm, sample);
        if (status != FVM_OK)
            return status;
        if (sample->chosen >= 0) {
            stand_at(vm, s, s->scan_positions - 1, last_piece(vm, s, board, for_player));
            return FVM_OK;
        }
    }
    return FVM_OK;
}

/* --- with drops ------------------------------------------------------------------- */

static fvm_status draw_pairs(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                             fvm_random_selection *sample) {
    pool p;
    if (!collect(vm, s, for_player, &p))
        return FVM_OK;
    const uint32_t pairs = (uint32_t)p.moving + (uint32_t)p.drops * (uint32_t)s->scan_positions;
    for (uint32_t left = pairs == 0 ? 0 : pairs / 2 + LEAST_DRAWS; left > 0; left--) {
        int32_t number = (int32_t)(draw(sample) % pairs), drop = number - p.moving;
        fvm_status status = drop < 0 ? run_move(vm, s, &p, number)
                                     : run_drop(vm, s, for_player, drop / p.drops, drop % p.drops);
        if (status == FVM_OK)
            status = take(vm, sample);
        if (status != FVM_OK)
            return status;
        if (sample->chosen >= 0) {
            stand_last(vm, s, p.pieces > 0 ? p.stands[p.pieces - 1].piece : 0, for_player);
            return FVM_OK;
        }
    }
    return FVM_OK;
}

void fvm_scan_set_end_state(fvm *vm, const fvm_scan *s, fvm_cell for_player) {
    fvm_addr board = vm->scan_plain ? board_of(vm, s) : 0;
    if (board != 0)
        stand_last(vm, s, last_piece(vm, s, board, for_player), for_player);
}

fvm_status fvm_random_move(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                           fvm_random_selection *sample) {
    sample->chosen = -1;
    if (!vm->scan_plain)
        return fvm_scan_board(vm, s, for_player);
    fvm_status status = s->any_drops ? draw_pairs(vm, s, for_player, sample)
                                     : draw_places(vm, s, for_player, sample);
    if (status != FVM_OK || sample->chosen >= 0)
        return status;
    status = begin_again(vm);
    return status == FVM_OK ? fvm_scan_board(vm, s, for_player) : status;
}
