/* network.c: the features and values of networks.
 *
 * It owns the sums of a view, which are updated by comparing the board with the board of the last
 * evaluation: in a search few cells differ.  No store can make them out of date. */
#include "network/network.h"

#include "vm/page_restore.h"

#include <stdlib.h>

enum { PLAYERS = 32, OWNERS = 64, OWNER_SHIFT = 10, MOST_BIAS = 1 << 24 };

/* --- creation --------------------------------------------------------------------- */

static bool in_range(int32_t value, int32_t low, int32_t high) {
    return value >= low && value <= high;
}

static bool all_in_range(const int32_t *values, int64_t count, int32_t high) {
    for (int64_t i = 0; i < count; i++)
        if (!in_range(values[i], -1, high - 1))
            return false;
    return true;
}

/* Number of kinds of pieces: types and owners. */
static int32_t piece_kinds(const fvm_network_spec *s) { return s->types * s->owner_kinds; }

/* Number of features of a cell, in a row from its place on. */
static int32_t cell_features(const fvm_network_spec *s, int32_t cell) {
    return s->numbers[cell].ranges > 0 ? s->numbers[cell].ranges : piece_kinds(s);
}

/* Number of weights of a pattern; 0: too many. */
static int32_t table_size(const fvm_network_spec *s) {
    int64_t size = 1;
    for (int32_t i = 0; i < s->pattern_size && size <= FVM_NETWORK_TABLES; i++)
        size *= piece_kinds(s) + 1;
    return size * s->patterns <= FVM_NETWORK_TABLES ? (int32_t)size : 0;
}

static bool has_valid_patterns(const fvm_network_spec *s) {
    if (!in_range(s->patterns, 0, FVM_NETWORK_PATTERNS) ||
        !in_range(s->pattern_size, s->patterns > 0, FVM_NETWORK_CELLS) || table_size(s) == 0)
        return false;
    const int32_t squares =
        s->patterns > 0 && piece_kinds(s) > 0 ? s->features / piece_kinds(s) : 0;
    for (int32_t i = 0; i < s->patterns * s->pattern_size; i++)
        if (!in_range(s->pattern_squares[i], 0, squares - 1))
            return false;
    for (int32_t i = 0; i < s->patterns; i++)
        if (!in_range(s->pattern_shapes[i], 0, s->patterns - 1))
            return false;
    return true;
}

static bool is_valid(const fvm_network_spec *s) {
    if (!in_range(s->cells, 1, FVM_NETWORK_CELLS) || !in_range(s->views, 1, PLAYERS) ||
        !in_range(s->types, 0, FVM_TYPE_MASK) || !in_range(s->owner_kinds, 0, OWNERS) ||
        !in_range(s->turn_entries, 0, FVM_NETWORK_CELLS) ||
        !in_range(s->features, 1, FVM_NETWORK_FEATURES) ||
        !in_range(s->hidden, 0, FVM_NETWORK_HIDDEN) || !in_range(s->bias, -MOST_BIAS, MOST_BIAS) ||
        !in_range(s->own, 0, FVM_NETWORK_SCORE) || !in_range(s->unit, 1, FVM_NETWORK_SCORE) ||
        !all_in_range(s->view_of, PLAYERS, s->views) ||
        !all_in_range(s->places, (int64_t)s->views * s->cells, s->features) ||
        !all_in_range(s->owners, (int64_t)s->views * OWNERS, s->owner_kinds) ||
        !all_in_range(s->turns, (int64_t)s->views * s->turn_entries, s->features) ||
        !has_valid_patterns(s))
        return false;
    for (int32_t i = 0; i < s->views * s->cells; i++) {
        const fvm_network_number *const n = &s->numbers[i % s->cells];
        if (!in_range(n->ranges, 0, s->features) || (n->ranges > 0 && n->values < n->ranges) ||
            s->places[i] + cell_features(s, i % s->cells) > s->features)
            return false;
    }
    return true;
}

static void *copy(const void *from, int64_t bytes) {
    void *const to = malloc((size_t)bytes + 1);
    if (to != NULL && bytes > 0)
        memcpy(to, from, (size_t)bytes);
    return to;
}

/* Replaces the array of a field by a copy; false: no memory. */
#define OWN(field, count) ((s->field = copy(s->field, (int64_t)(count) * sizeof *s->field)) != NULL)

static bool own_arrays(fvm_network_spec *s) {
    const int64_t weights = (int64_t)s->features * s->hidden;
    bool owned = OWN(view_of, PLAYERS);
    owned &= OWN(places, s->views * s->cells);
    owned &= OWN(owners, s->views * OWNERS);
    owned &= OWN(turns, s->views * s->turn_entries);
    owned &= OWN(numbers, s->cells);
    owned &= OWN(weights, weights);
    owned &= OWN(direct, s->features);
    owned &= OWN(biases, s->hidden);
    owned &= OWN(outputs, s->hidden);
    owned &= OWN(pattern_squares, s->patterns * s->pattern_size);
    owned &= OWN(pattern_shapes, s->patterns);
    owned &= OWN(tables, (int64_t)s->patterns * table_size(s));
    return owned;
}

/* Numbers the types and owners of pieces; each cell of each view repeats them. */
static void number_kinds(fvm_network *net) {
    const fvm_network_spec *const s = &net->spec;
    net->kind_count = piece_kinds(s);
    for (int32_t i = 0; i < s->features; i++)
        net->kinds[i] = -1;
    for (int32_t i = 0; i < s->views * s->cells; i++)
        if (s->numbers[i % s->cells].ranges == 0 && s->places[i] >= 0)
            for (int32_t kind = 0; kind < net->kind_count; kind++)
                net->kinds[s->places[i] + kind] = kind;
}

/* Finds for each square the patterns that contain it; false: no memory. */
static bool find_uses(fvm_network *net) {
    const fvm_network_spec *const s = &net->spec;
    const int32_t count = s->patterns * s->pattern_size;
    net->table_size = table_size(s);
    net->squares = net->kind_count > 0 ? s->features / net->kind_count : 0;
    net->first_uses = calloc((size_t)net->squares + 2, sizeof *net->first_uses);
    net->uses = calloc((size_t)count + 1, sizeof *net->uses);
    if (net->first_uses == NULL || net->uses == NULL)
        return false;
    int32_t *const first = net->first_uses;
    for (int32_t i = 0; i < count; i++)
        first[s->pattern_squares[i] + 2]++;
    for (int32_t i = 1; i < net->squares; i++)
        first[i + 1] += first[i];
    for (int32_t i = 0; i < s->patterns; i++) {
        int32_t factor = 1;
        for (int32_t k = 0; k < s->pattern_size; k++, factor *= net->kind_count + 1) {
            const int32_t square = s->pattern_squares[i * s->pattern_size + k];
            /* moves the beginning to the end, where the next square begins */
            net->uses[first[square + 1]++] = (fvm_pattern_use){i, factor};
        }
    }
    return true;
}

/* Whether no two cells are the same square of a view, and no other feature is that of a piece:
 * otherwise indexes of tables would be out of range. */
static bool has_distinct_squares(const fvm_network *net) {
    const fvm_network_spec *const s = &net->spec;
    bool distinct = true;
    int32_t *const last = calloc((size_t)net->squares + 1, sizeof *last); /* 1 + view */
    for (int32_t i = 0; i < s->views * s->cells && last != NULL; i++) {
        const int32_t place = s->places[i], cell = i % s->cells;
        if (place < 0 || !distinct)
            continue;
        for (int32_t k = 0; k < s->numbers[cell].ranges; k++)
            distinct &= net->kinds[place + k] < 0;
        if (s->numbers[cell].ranges > 0)
            continue;
        int32_t *const seen = &last[place / net->kind_count];
        distinct &= place % net->kind_count == 0 && *seen != 1 + i / s->cells;
        *seen = 1 + i / s->cells;
    }
    for (int32_t i = 0; i < s->views * s->turn_entries; i++)
        distinct &= s->turns[i] < 0 || net->kinds[s->turns[i]] < 0;
    const bool allocated = last != NULL;
    free(last);
    return distinct && allocated;
}

fvm_network *fvm_network_new(const fvm_network_spec *spec) {
    if (!is_valid(spec))
        return NULL;
    fvm_network *const net = calloc(1, sizeof *net);
    if (net == NULL)
        return NULL;
    net->spec = *spec;
    const bool owned = own_arrays(&net->spec);
    net->kinds = malloc((size_t)spec->features * sizeof *net->kinds);
    if (owned && net->kinds != NULL) {
        number_kinds(net);
        if (find_uses(net) && (spec->patterns == 0 || has_distinct_squares(net)))
            return net;
    }
    fvm_network_free(net);
    return NULL;
}

void fvm_network_free(fvm_network *net) {
    if (net == NULL)
        return;
    const fvm_network_spec *const s = &net->spec;
    const void *const arrays[] = {
        s->view_of,         s->places,         s->owners, s->turns,        s->numbers,
        s->weights,         s->direct,         s->biases, s->outputs,      net->kinds,
        s->pattern_squares, s->pattern_shapes, s->tables, net->first_uses, net->uses};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free((void *)arrays[i]);
    free(net);
}

/* --- features --------------------------------------------------------------------- */

/* The feature of a number, counted from the first one of its cell. */
static int32_t range_of(const fvm_network_number *n, fvm_cell value) {
    const int64_t above = (int64_t)value - n->low;
    const int64_t nearest = above < 0 ? 0 : above >= n->values ? n->values - 1 : above;
    return (int32_t)(nearest * n->ranges / n->values);
}

/* The feature of a cell with a value; -1: none. */
static int32_t feature_of(const fvm_network_spec *s, int32_t view, int32_t cell, fvm_cell value) {
    const int32_t place = s->places[view * s->cells + cell];
    if (place < 0)
        return -1;
    if (s->numbers[cell].ranges > 0)
        return place + range_of(&s->numbers[cell], value);
    const int32_t type = FVM_TYPE(value);
    const int32_t owner = s->owners[view * OWNERS + (FVM_OWNER(value) >> OWNER_SHIFT)];
    return type >= 1 && type <= s->types && owner >= 0 ? place + owner * s->types + type - 1 : -1;
}

/* The feature of a turn; -1: none. */
static int32_t turn_feature(const fvm_network_spec *s, int32_t view, int32_t turn) {
    return in_range(turn, 0, s->turn_entries - 1) ? s->turns[view * s->turn_entries + turn] : -1;
}

int32_t fvm_network_features(const fvm_network *net, const fvm_cell *board, int32_t turn,
                             int32_t view, uint16_t *features) {
    const fvm_network_spec *const s = &net->spec;
    int32_t count = 0, feature = turn_feature(s, view, turn);
    if (feature >= 0)
        features[count++] = (uint16_t)feature;
    for (int32_t cell = 0; cell < s->cells; cell++)
        if ((feature = feature_of(s, view, cell, board[cell])) >= 0)
            features[count++] = (uint16_t)feature;
    return count;
}

/* --- sums ------------------------------------------------------------------------- */

typedef struct {
    fvm_cell *cells;  /* the board, up to a whole line */
    int32_t turn;     /* -1: none */
    int32_t direct;   /* sum of direct weights */
    int32_t *indexes; /* [patterns]: into `tables` */
    int32_t hidden[FVM_NETWORK_HIDDEN];
} view_sums;

struct fvm_network_sums {
    int32_t views;
    view_sums *of; /* [views] */
    fvm_cell *cells;
    int32_t *indexes;
};

/* Number of cells of a copy of the board: whole lines, because lines are compared. */
static int32_t copied_cells(const fvm_network_spec *s) {
    enum { LINE_CELLS = FVM_LINE / 4 };
    return (s->cells + LINE_CELLS - 1) / LINE_CELLS * LINE_CELLS;
}

/* Adds the weights of a feature, or subtracts them; -1: none. */
static void add_feature(const fvm_network_spec *s, view_sums *sums, int32_t feature, int32_t sign) {
    if (feature < 0)
        return;
    const int16_t *const weights = s->weights + (int64_t)feature * s->hidden;
    sums->direct += sign * s->direct[feature];
    for (int32_t i = 0; i < s->hidden; i++)
        sums->hidden[i] += sign * weights[i];
}

/* 1 + the kind of a square's piece by its feature; 0 if the square is empty (-1). */
static int32_t kind_of(const fvm_network *net, int32_t feature) {
    return feature < 0 ? 0 : net->kinds[feature] + 1;
}

/* Adds the weights of the patterns with a square whose kind changes. */
static void change_tables(const fvm_network *net, view_sums *sums, int32_t square, int32_t change) {
    const int16_t *const tables = net->spec.tables;
    for (int32_t i = net->first_uses[square]; i < net->first_uses[square + 1]; i++) {
        int32_t *const index = &sums->indexes[net->uses[i].pattern];
        sums->direct -= tables[*index];
        *index += net->uses[i].factor * change;
        sums->direct += tables[*index];
    }
}

/* Replaces the value of a cell. */
static void change_cell(const fvm_network *net, view_sums *sums, int32_t view, int32_t cell,
                        fvm_cell value) {
    const fvm_network_spec *const s = &net->spec;
    FVM_ASSERT(view >= 0 && view < s->views && cell >= 0 && cell < s->cells);
    const int32_t before = feature_of(s, view, cell, sums->cells[cell]);
    const int32_t after = feature_of(s, view, cell, value);
    sums->cells[cell] = value;
    if (before == after)
        return;
    add_feature(s, sums, before, -1);
    add_feature(s, sums, after, 1);
    if (s->patterns > 0 && s->numbers[cell].ranges == 0)
        change_tables(net, sums, s->places[view * s->cells + cell] / net->kind_count,
                      kind_of(net, after) - kind_of(net, before));
}

static void change_turn(const fvm_network_spec *s, view_sums *sums, int32_t view, int32_t turn) {
    if (sums->turn == turn)
        return;
    add_feature(s, sums, turn_feature(s, view, sums->turn), -1);
    add_feature(s, sums, turn_feature(s, view, turn), 1);
    sums->turn = turn;
}

static void begin_sums(const fvm_network *net, view_sums *sums, int32_t view) {
    const fvm_network_spec *const s = &net->spec;
    sums->turn = -1;
    sums->direct = s->bias;
    for (int32_t i = 0; i < s->hidden; i++)
        sums->hidden[i] = s->biases[i];
    for (int32_t cell = 0; cell < s->cells; cell++)
        add_feature(s, sums, feature_of(s, view, cell, 0), 1);
    for (int32_t i = 0; i < s->patterns; i++) {
        sums->indexes[i] = i * net->table_size;
        sums->direct += s->tables[sums->indexes[i]];
    }
}

fvm_network_sums *fvm_network_sums_new(const fvm_network *net) {
    const fvm_network_spec *const s = &net->spec;
    const int32_t cells = copied_cells(s);
    fvm_network_sums *const sums = calloc(1, sizeof *sums);
    if (sums == NULL)
        return NULL;
    sums->views = s->views;
    sums->of = calloc((size_t)s->views, sizeof *sums->of);
    sums->cells = calloc((size_t)s->views * (size_t)cells, sizeof *sums->cells);
    sums->indexes = calloc((size_t)s->views * (size_t)s->patterns + 1, sizeof *sums->indexes);
    if (sums->of == NULL || sums->cells == NULL || sums->indexes == NULL) {
        fvm_network_sums_free(sums);
        return NULL;
    }
    for (int32_t view = 0; view < s->views; view++) {
        sums->of[view].cells = sums->cells + (int64_t)view * cells;
        sums->of[view].indexes = sums->indexes + (int64_t)view * s->patterns;
        begin_sums(net, &sums->of[view], view);
    }
    return sums;
}

void fvm_network_sums_free(fvm_network_sums *sums) {
    if (sums == NULL)
        return;
    free(sums->of);
    free(sums->cells);
    free(sums->indexes);
    free(sums);
}

/* --- values ----------------------------------------------------------------------- */

static fvm_cell limited(int64_t value) {
    enum { MOST = FVM_WIN / 2 };
    return (fvm_cell)(value > MOST ? MOST : value < -MOST ? -MOST : value);
}

static fvm_cell value_of(const fvm_network_spec *s, const view_sums *sums) {
    int64_t outputs = 0;
    for (int32_t i = 0; i < s->hidden; i++) {
        const int32_t sum = sums->hidden[i];
        const int32_t x = sum < 0 ? 0 : sum > FVM_NETWORK_ONE ? FVM_NETWORK_ONE : sum;
        outputs += (int64_t)(x * x / FVM_NETWORK_ONE) * s->outputs[i];
    }
    enum { SCALE = FVM_NETWORK_ONE * FVM_NETWORK_OUTPUT / FVM_NETWORK_UNIT };
    return limited((sums->direct + outputs / SCALE) * s->unit / FVM_NETWORK_UNIT);
}

/* Makes the sums those of a board. */
static void change_cells(const fvm_network *net, view_sums *sums, int32_t view,
                         const uint8_t *board) {
    for (int32_t cell = 0; cell < net->spec.cells; cell++)
        change_cell(net, sums, view, cell, fvm_cell_in(board, 4 * (uint32_t)cell));
}

/* The same, faster, for a board whose lines can be read completely. */
static void update(const fvm_network *net, view_sums *sums, int32_t view, const uint8_t *board) {
    const fvm_network_spec *const s = &net->spec;
    for (int32_t at = 0; at < s->cells; at += FVM_LINE / 4) {
        uint32_t changed = fvm_changed_among(board + 4 * at, (const uint8_t *)(sums->cells + at),
                                             (uint32_t)(s->cells - at));
        for (; changed != 0; changed &= changed - 1) {
            const int32_t cell = at + __builtin_ctz(changed);
            change_cell(net, sums, view, cell, fvm_cell_in(board, 4 * (uint32_t)cell));
        }
    }
}

fvm_cell fvm_network_value_in(const fvm_network *net, fvm_network_sums *sums, const fvm *vm,
                              int32_t number) {
    const fvm_network_spec *const s = &net->spec;
    const int32_t view = in_range(number, 0, PLAYERS - 1) ? s->view_of[number] : -1;
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    if (view < 0 || !fvm_in(vm, board, 4 * (uint32_t)s->cells))
        return 0;
    view_sums *const mine = &sums->of[view];
    if (fvm_in(vm, board, 4 * (uint32_t)copied_cells(s)))
        update(net, mine, view, vm->mem + board);
    else /* near the end of memory */
        change_cells(net, mine, view, vm->mem + board);
    change_turn(s, mine, view, fvm_lib_get(vm, vm->lib.turn_offset) / FVM_TURN_BYTES);
    return value_of(s, mine);
}

fvm_cell fvm_network_value(const fvm_network *net, const fvm_cell *board, int32_t turn,
                           int32_t view) {
    const fvm_network_spec *const s = &net->spec;
    fvm_network_sums *const sums = fvm_network_sums_new(net);
    if (sums == NULL)
        return 0;
    change_cells(net, &sums->of[view], view, (const uint8_t *)board);
    change_turn(s, &sums->of[view], view, turn);
    const fvm_cell value = value_of(s, &sums->of[view]);
    fvm_network_sums_free(sums);
    return value;
}

fvm_cell fvm_network_sum(const fvm_network *net, fvm_cell value, fvm_cell evaluated) {
    return limited((int64_t)value + (int64_t)evaluated * net->spec.own);
}
