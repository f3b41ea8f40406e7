/* random_draw.c: draws one move by running single move words, so that each move of the complete
 * list is equally likely.
 *
 * Every move is added by a pair: a board position and a word that can run there, a move word of the
 * player's piece or a drop word.  Each word has a bound: the largest number of moves that it has
 * added in this search, at least 1.  A pair is drawn with a probability proportional to its bound,
 * and its word runs.  If it adds m moves, each of them is selected with probability 1 / bound;
 * otherwise the draw is rejected, and another pair is drawn.  After too many draws the complete
 * list is generated, since that takes less time for each word.
 *
 * At first positions are drawn from the whole board, and rejected if their words have smaller
 * bounds than those of other positions; after some rejections, or if the last board had few
 * positions with words, only positions with words are drawn.
 *
 * If all drop words begin with the library's words `empty? verify`, they are not drawn at positions
 * with a piece.
 *
 * The script promises that a word may run without the other ones.  Of the passes that words add, a
 * list contains only one: a move is not drawn if several pairs have words that have added a pass.
 * Where a word does so for the first time, the list is completed. */
#include "game/random_draw.h"

#include "game/move_words.h"

enum {
    REJECTED_POSITIONS = 16, /* after so many, only positions with words are drawn */
    SPARSE = 8,              /* more positions than this for each position with words */
    MAX_PAIRS = 1 << 20,     /* of the whole board, so that random numbers of 32 bits suffice */
    MAX_RESETS = 16          /* of bounds in one search: tables that are made again more often never
                                have useful bounds */
};

bool fvm_may_pass(const fvm_random_selection *selection, fvm_addr word) {
    for (int32_t i = 0; i < selection->passing_count && i < FVM_PASS_WORDS; i++)
        if (selection->passing[i] == word)
            return true;
    return false;
}

void fvm_random_begin(fvm *vm, fvm_random_selection *selection, uint64_t *random) {
    selection->random = random;
    selection->number = ++GAME(vm)->random_selections;
    selection->resets = 0;
    selection->passing_count = 0;
    selection->sparse = false;
}

/* --- bounds ------------------------------------------------------------------------- */

/* Sets the bounds of a sequence of words to 1. */
static void reset_sequence(fvm_move_table *t, const fvm_random_selection *selection,
                           const fvm_loop_word *first, fvm_draw_sums *sums) {
    *sums = (fvm_draw_sums){0, 0};
    for (const fvm_loop_word *word = first; word->pair != 0; word++) {
        t->bounds[word - t->words] = 1;
        sums->bounds++;
        sums->passes += fvm_may_pass(selection, word->word);
    }
}

static void find_most_bounds(fvm_move_table *t) {
    const uint32_t drops = t->drop_sums.bounds;
    uint32_t most = 0; /* of the words of one piece */
    for (fvm_cell type = 0; type <= t->types; type++)
        if (t->sums[type].bounds > most)
            most = t->sums[type].bounds;
    t->most_bounds = !t->drops_need_empty ? most + drops : most > drops ? most : drops;
}

/* The words of s->demanded_type, with the bounds of this search; NULL: a draw is impossible. */
static fvm_move_table *table_of(fvm *vm, const fvm_scan *s, fvm_random_selection *selection) {
    fvm_move_table *const t = fvm_move_table_select(vm, s) ? GAME(vm)->move_tables[0] : NULL;
    if (t == NULL || t->damaged)
        return NULL;
    if (t->bounds_of != selection->number) {
        if (selection->resets == MAX_RESETS)
            return NULL;
        selection->resets++;
        t->bounds_of = selection->number;
        t->drops_need_empty = fvm_drops_need_empty(vm, t);
        reset_sequence(t, selection, t->words + FVM_DROPS_AT, &t->drop_sums);
        for (fvm_cell type = 0; type <= t->types; type++)
            reset_sequence(t, selection, fvm_move_sequence(t, type, FVM_FIELD_MOVES),
                           &t->sums[type]);
        find_most_bounds(t);
    }
    return t;
}

/* A word has added more moves than its bound.  sums: of its sequence. */
static void raise_bound(fvm_move_table *t, fvm_draw_sums *sums, uint16_t *bound, uint16_t found) {
    sums->bounds += (uint32_t)(found - *bound);
    *bound = found;
    find_most_bounds(t);
}

/* --- pairs -------------------------------------------------------------------------- */

/* What a draw needs. */
typedef struct {
    fvm *vm;
    const fvm_scan *s;
    fvm_random_selection *selection;
    fvm_move_table *table;
    fvm_addr board;
    fvm_cell player;
} draw;

/* Whether a position with this cell may have words. */
static inline bool may_have_words(const fvm_move_table *t, fvm_cell player, fvm_cell piece) {
    return FVM_OWNER(piece) == player ||
           (t->drop_sums.bounds > 0 && (piece == 0 || !t->drops_need_empty));
}

static inline fvm_draw_row row_at(const draw *d, fvm_cell pos) {
    fvm_draw_row row = {pos, fvm_get(d->vm, d->board + 4u * (uint32_t)pos), 0};
    if (row.piece == 0 || !d->table->drops_need_empty)
        row.weight = d->table->drop_sums.bounds;
    if (row.piece == 0 || FVM_OWNER(row.piece) != d->player)
        row.piece = 0;
    else
        row.weight += d->table->sums[fvm_table_type(d->table, row.piece)].bounds;
    return row;
}

static fvm_status run_word(const draw *d, const fvm_draw_row *row, bool drops,
                           const fvm_loop_word *word) {
    fvm_cell piece = drops ? 0 : row->piece;
    for (const fvm_loop_word *typed = word; piece == 0; typed--)
        piece = typed->piece != 0 ? typed->piece | d->player : 0;
    fvm_scan_set_current(d->vm, row->pos, piece);
    return fvm_scan_run_single(d->vm, d->s, word);
}

/* Notes that a word adds passes, and ends the draw. */
static fvm_status note_passing_word(const draw *d, fvm_addr word) {
    fvm_random_selection *const selection = d->selection;
    if (selection->passing_count < FVM_PASS_WORDS)
        selection->passing[selection->passing_count] = word;
    selection->passing_count++;
    selection->number = ++GAME(d->vm)->random_selections; /* the sums of passes change */
    selection->ended = true;
    return fvm_clear_list(d->vm);
}

/* Runs the word that a number below the weight of a row stands for, and accepts or rejects its
 * moves. */
static fvm_status try_row(const draw *d, const fvm_draw_row *row, uint32_t number) {
    fvm *const vm = d->vm;
    fvm_move_table *const t = d->table;
    const fvm_cell type = fvm_table_type(t, row->piece);
    const bool drops = number >= t->sums[type].bounds;
    number -= drops ? t->sums[type].bounds : 0;
    const fvm_loop_word *word = drops ? t->words + FVM_DROPS_AT : t->starts[type];
    uint16_t *bound = t->bounds + (word - t->words);
    for (; number >= *bound; bound++, word++)
        number -= *bound;
    const fvm_status status = run_word(d, row, drops, word);
    if (status != FVM_OK)
        return status;
    if (GAME(vm)->pass_found && !fvm_may_pass(d->selection, word->word))
        return note_passing_word(d, word->word);
    const uint32_t found = (uint32_t)fvm_get(vm, GAME(vm)->list + FVM_LIST_LENGTH);
    const bool valid = found <= UINT16_MAX && !vm->move_words_changed;
    if (valid && found > *bound) {
        raise_bound(t, drops ? &t->drop_sums : &t->sums[type], bound, (uint16_t)found);
        number = fvm_next_random(d->selection->random) % found;
    }
    if (valid && number < found) {
        d->selection->chosen = (fvm_cell)number;
        return FVM_OK;
    }
    return found == 0 ? FVM_OK : fvm_clear_list(vm);
}

/* --- draws -------------------------------------------------------------------------- */

/* Whether another draw is possible. */
static bool may_draw(const draw *d) {
    return d->selection->chosen < 0 && !d->selection->ended && !d->vm->move_words_changed;
}

/* Draws positions of the whole board and numbers below the largest sum of bounds, until the number
 * stands for a word there; false: too many positions have been rejected. */
static bool draw_row(const draw *d, uint32_t *rejected, fvm_draw_row *row, uint32_t *number) {
    const fvm_move_table *const t = d->table;
    const uint32_t positions = (uint32_t)d->s->scan_positions, most = t->most_bounds;
    const uint8_t *const board = d->vm->mem + d->board;
    const fvm_cell player = d->player;
    uint64_t state = *d->selection->random;
    uint32_t left = REJECTED_POSITIONS - *rejected;
    for (; left > 0; left--) {
        const uint64_t random = fvm_next_random(&state);
        const uint32_t pos = (uint32_t)(random * positions >> 32);
        const fvm_cell piece = fvm_cell_in(board, 4 * pos);
        if (!may_have_words(t, player, piece))
            continue;
        *row = row_at(d, (fvm_cell)pos);
        /* A random number below most * positions modulo `most`, without a division. */
        *number = (uint32_t)(random * (most * positions) >> 32) - pos * most;
        if (*number < row->weight)
            break;
    }
    *d->selection->random = state;
    *rejected = REJECTED_POSITIONS - left;
    return left > 0;
}

/* Draws pairs of the whole board, until a move is selected, many positions are rejected or many
 * words have run. */
static fvm_status draw_from_board(const draw *d) {
    fvm_status status = FVM_OK;
    fvm_draw_row row;
    uint32_t number, rejected = 0, tries = 2 + (uint32_t)d->s->scan_positions / 4;
    for (; tries > 0 && status == FVM_OK && may_draw(d); tries--) {
        if (!draw_row(d, &rejected, &row, &number))
            break;
        status = try_row(d, &row, number);
    }
    return status;
}

/* Whether no position of the complete block that begins at `first` has words. */
static bool is_block_without_words(const draw *d, uint32_t first) {
    return d->table->drop_sums.bounds == 0 &&
           !fvm_block_has_owner(d->vm->mem + d->board + 4 * first, d->player);
}

/* Collects the positions with words in d->selection->rows; returns the sum of their weights, 0 if a
 * draw is impossible. */
static uint32_t collect_rows(const draw *d) {
    const fvm_move_table *const t = d->table;
    const uint8_t *const board = d->vm->mem + d->board;
    const uint32_t positions = (uint32_t)d->s->scan_positions;
    const fvm_cell player = d->player;
    fvm_draw_row *next = d->selection->rows;
    uint32_t total = 0;
    int32_t passes = 0;
    for (uint32_t first = 0; first < positions; first += FVM_SCAN_BLOCK) {
        const uint32_t end = first + FVM_SCAN_BLOCK;
        if (end <= positions && is_block_without_words(d, first))
            continue;
        for (uint32_t pos = first; pos < end && pos < positions; pos++) {
            if (!may_have_words(t, player, fvm_cell_in(board, 4 * pos)))
                continue;
            const fvm_draw_row row = row_at(d, (fvm_cell)pos);
            if (row.weight == 0)
                continue;
            passes += t->drop_sums.passes + t->sums[fvm_table_type(t, row.piece)].passes;
            total += row.weight;
            *next++ = row;
        }
    }
    d->selection->sparse = (next - d->selection->rows) * SPARSE < d->s->scan_positions;
    return passes <= 1 ? total : 0;
}

/* Draws positions with words, until a move is selected or many words have run. */
static fvm_status draw_from_rows(const draw *d) {
    const uint32_t total = collect_rows(d);
    fvm_status status = FVM_OK;
    for (uint32_t tries = total > 0 ? 2 + total / 4 : 0;
         tries > 0 && status == FVM_OK && may_draw(d); tries--) {
        uint32_t number = (uint32_t)((uint64_t)fvm_next_random(d->selection->random) * total >> 32);
        const fvm_draw_row *row = d->selection->rows;
        for (; number >= row->weight; row++)
            number -= row->weight;
        status = try_row(d, row, number);
    }
    return status;
}

fvm_status fvm_draw_move(fvm *vm, const fvm_scan *s, fvm_cell for_player,
                         fvm_random_selection *selection) {
    const draw d = {vm,        s, selection, table_of(vm, s, selection), fvm_scan_cells(vm, s),
                    for_player};
    fvm_status status = FVM_OK;
    selection->chosen = -1;
    selection->ended = false;
    if (selection->passing_count > FVM_PASS_WORDS || d.table == NULL || d.board == 0 ||
        s->scan_positions > FVM_DRAW_POSITIONS ||
        (uint64_t)d.table->most_bounds * (uint32_t)s->scan_positions > MAX_PAIRS)
        return FVM_OK;
    if (!selection->sparse && selection->passing_count == 0)
        status = draw_from_board(&d);
    return status == FVM_OK && may_draw(&d) ? draw_from_rows(&d) : status;
}
