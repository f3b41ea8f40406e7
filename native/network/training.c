/* training.c: learns the weights of a network from positions.
 *
 * It owns the newest positions, as lists of features, and the weights as floating-point numbers.
 * The loss is the cross entropy of the expected score and the logistic function of the value;
 * weights are changed by Adam (Kingma and Ba, 2014), with a decay of weights that does not depend
 * on the gradients (Loshchilov and Hutter, 2019).  A piece has two features while weights are
 * learned: its own, and that of its type and owner at any place, so that something is known about
 * places where the piece has not been seen.  Likewise a pattern has the weights of its own table
 * and of its shape's.  The weights of both are added when they are read. */
#include "network/network.h"

#include <math.h>
#include <stdlib.h>

/* Constants of Adam. */
static const float MEAN_DECAY = 0.9F, SQUARE_DECAY = 0.999F, LEAST_ROOT = 1e-8F;
static const float LEAST_FACTOR = 1.0F / 64; /* of OnEvaluate */
static const float WEIGHT_SPREAD = 0.1F;     /* of new weights */
static const float KIND_RATE = 4; /* rows of kinds are in most positions, and learn faster */
enum { FULL_RATE_PATTERNS = 64 }; /* with more patterns the rate of tables is smaller */

/* A row of weights that are learned, with their gradients and the running means of those. */
typedef struct {
    float *value, *gradient, *mean, *square; /* one after the other in memory */
} row;

/* The same for a weight of a table. */
typedef struct {
    float value, gradient, mean, square;
} table_weight;

/* Which rows or weights have gradients. */
typedef struct {
    bool *has;
    int32_t *which, count;
} touched_set;

struct fvm_trainer {
    const fvm_network *net;
    uint64_t random;
    /* the positions */
    int32_t stride;     /* size of a position in `features` */
    int64_t capacity;   /* most positions */
    int64_t count;      /* kept now */
    int64_t next;       /* where the next position is stored */
    uint16_t *features; /* [capacity][stride]: the number of features, then the features */
    float *own;         /* [capacity]: what OnEvaluate adds at the beginning, in units */
    float *targets;     /* [capacity] */
    /* the weights: rows of features, rows of the kinds of pieces, a row of biases, one of outputs;
     * each has weights of the hidden units, then a weight of the value; in the row of outputs that
     * of OnEvaluate, as a factor of what it adds at the beginning */
    int32_t rows, row_size;
    float *weights; /* [rows][4][row_size] */
    touched_set touched_rows;
    /* the weights of tables: those of patterns, then those of shapes */
    table_weight *tables;
    touched_set touched_tables;
    int32_t *indexes; /* [patterns]: of a position's weights in the tables */
    int64_t steps;
    /* symmetries of the game */
    int32_t map_count;
    uint16_t *maps;   /* [map_count][features] */
    uint16_t *turned; /* [cells + 1]: the features of a position that is learned */
};

/* --- creation --------------------------------------------------------------------- */

/* A random number from -1 to 1. */
static float random_weight(fvm_trainer *t) {
    return (float)fvm_next_random(&t->random) / (float)INT32_MAX - 1.0F;
}

static row row_at(const fvm_trainer *t, int32_t index) {
    float *const first = t->weights + 4 * (int64_t)index * t->row_size;
    const int32_t size = t->row_size;
    return (row){first, first + size, first + 2 * size, first + 3 * size};
}

static int32_t table_weights(const fvm_network *net) {
    return 2 * net->spec.patterns * net->table_size;
}

/* The row of biases, whose last weight is that of the value. */
static row biases(const fvm_trainer *t) { return row_at(t, t->rows - 2); }
static row outputs(const fvm_trainer *t) { return row_at(t, t->rows - 1); }

/* Begins with the weights of the network.  Hidden units whose outputs are 0 are new: they get small
 * random weights, because equal units would learn the same. */
static void begin_weights(fvm_trainer *t) {
    const fvm_network_spec *const s = &t->net->spec;
    const int32_t hidden = s->hidden;
    for (int32_t i = 0; i < s->features; i++) {
        float *const value = row_at(t, i).value;
        for (int32_t k = 0; k < hidden; k++)
            value[k] = s->outputs[k] == 0
                           ? WEIGHT_SPREAD * random_weight(t)
                           : (float)s->weights[(int64_t)i * hidden + k] / FVM_NETWORK_ONE;
        value[hidden] = (float)s->direct[i] / FVM_NETWORK_UNIT;
    }
    for (int32_t k = 0; k < hidden; k++) {
        const bool is_new = s->outputs[k] == 0;
        biases(t).value[k] = is_new ? 0.25F : (float)s->biases[k] / FVM_NETWORK_ONE;
        outputs(t).value[k] =
            is_new ? WEIGHT_SPREAD * random_weight(t) : (float)s->outputs[k] / FVM_NETWORK_OUTPUT;
    }
    biases(t).value[hidden] = (float)s->bias / FVM_NETWORK_UNIT;
    outputs(t).value[hidden] = 1;
    for (int32_t i = 0; i < s->patterns * t->net->table_size; i++)
        t->tables[i].value = (float)s->tables[i] / FVM_NETWORK_UNIT;
}

static bool touched_set_open(touched_set *set, int32_t size) {
    set->has = calloc((size_t)size + 1, sizeof *set->has);
    set->which = calloc((size_t)size + 1, sizeof *set->which);
    return set->has != NULL && set->which != NULL;
}

static void touched_set_close(touched_set *set) {
    free(set->has);
    free(set->which);
}

fvm_trainer *fvm_trainer_new(const fvm_network *net, const uint16_t *maps, int32_t map_count,
                             int64_t bytes, uint64_t seed) {
    const fvm_network_spec *const s = &net->spec;
    fvm_trainer *const t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->net = net;
    t->random = seed;
    t->stride = s->cells + 2; /* the number of features, the turn, the cells */
    t->capacity = bytes / (2 * t->stride + 2 * (int64_t)sizeof *t->targets);
    t->capacity = t->capacity > 0 ? t->capacity : 1;
    t->rows = s->features + net->kind_count + 2;
    t->row_size = s->hidden + 1;
    t->features = malloc((size_t)(t->capacity * t->stride) * sizeof *t->features);
    t->own = malloc((size_t)t->capacity * sizeof *t->own);
    t->targets = malloc((size_t)t->capacity * sizeof *t->targets);
    t->weights = calloc((size_t)t->rows * (size_t)t->row_size, 4 * sizeof *t->weights);
    t->tables = calloc((size_t)table_weights(net) + 1, sizeof *t->tables);
    t->indexes = calloc((size_t)s->patterns + 1, sizeof *t->indexes);
    t->map_count = map_count;
    const size_t map_cells = (size_t)map_count * (size_t)s->features;
    t->maps = malloc(map_cells * sizeof *t->maps);
    t->turned = malloc((size_t)t->stride * sizeof *t->turned);
    if (t->maps != NULL)
        memcpy(t->maps, maps, map_cells * sizeof *t->maps);
    const bool opened = touched_set_open(&t->touched_rows, t->rows) &&
                        touched_set_open(&t->touched_tables, table_weights(net));
    if (opened && t->features != NULL && t->own != NULL && t->targets != NULL &&
        t->weights != NULL && t->tables != NULL && t->indexes != NULL && t->maps != NULL &&
        t->turned != NULL) {
        begin_weights(t);
        return t;
    }
    fvm_trainer_free(t);
    return NULL;
}

void fvm_trainer_free(fvm_trainer *t) {
    if (t == NULL)
        return;
    free(t->features);
    free(t->own);
    free(t->targets);
    free(t->weights);
    free(t->tables);
    free(t->indexes);
    free(t->maps);
    free(t->turned);
    touched_set_close(&t->touched_rows);
    touched_set_close(&t->touched_tables);
    free(t);
}

/* --- positions -------------------------------------------------------------------- */

/* OnEvaluate's value in units.  Greater ones are those of decided games. */
static float own_units(const fvm_trainer *t, fvm_cell own) {
    const float units = (float)own * (float)t->net->spec.own / (float)t->net->spec.unit;
    const float most = 16;
    return units > most ? most : units < -most ? -most : units;
}

void fvm_trainer_add(fvm_trainer *t, const fvm_cell *board, int32_t turn, int32_t view,
                     fvm_cell own, float target) {
    uint16_t *const at = t->features + t->next * t->stride;
    at[0] = (uint16_t)fvm_network_features(t->net, board, turn, view, at + 1);
    t->own[t->next] = own_units(t, own);
    t->targets[t->next] = target;
    t->next = t->next + 1 < t->capacity ? t->next + 1 : 0;
    t->count += t->count < t->capacity;
}

int64_t fvm_trainer_positions(const fvm_trainer *t) { return t->count; }

/* --- gradients -------------------------------------------------------------------- */

static void touch(touched_set *set, int32_t index) {
    if (!set->has[index])
        set->which[set->count++] = index;
    set->has[index] = true;
}

/* The index of the row of a feature's kind; -1: none. */
static int32_t kind_row(const fvm_trainer *t, int32_t feature) {
    const int32_t kind = t->net->kinds[feature];
    return kind < 0 ? -1 : t->net->spec.features + kind;
}

static void add_row(const fvm_trainer *t, int32_t index, float *sums) {
    const float *const value = row_at(t, index).value;
    for (int32_t k = 0; k < t->row_size; k++)
        sums[k] += value[k];
}

static void add_gradient(fvm_trainer *t, int32_t index, const float *gradient) {
    float *const sum = row_at(t, index).gradient;
    touch(&t->touched_rows, index);
    for (int32_t k = 0; k < t->row_size; k++)
        sum[k] += gradient[k];
}

/* The weight of a pattern in the tables, and that of its shape, which is added to it. */
static int32_t pattern_weight(const fvm_trainer *t, int32_t pattern) {
    return pattern * t->net->table_size + t->indexes[pattern];
}
static int32_t shape_weight(const fvm_trainer *t, int32_t pattern) {
    const fvm_network_spec *const s = &t->net->spec;
    return (s->patterns + s->pattern_shapes[pattern]) * t->net->table_size + t->indexes[pattern];
}

/* Finds the indexes of a position's weights in the tables; returns the sum of the weights. */
static float add_tables(fvm_trainer *t, const uint16_t *features, int32_t count) {
    const fvm_network *const net = t->net;
    const int32_t patterns = net->spec.patterns;
    float sum = 0;
    memset(t->indexes, 0, (size_t)patterns * sizeof *t->indexes);
    for (int32_t i = 0; i < count && patterns > 0; i++) {
        const int32_t kind = net->kinds[features[i]];
        const int32_t square = kind < 0 ? 0 : features[i] / net->kind_count;
        for (int32_t k = net->first_uses[square]; kind >= 0 && k < net->first_uses[square + 1]; k++)
            t->indexes[net->uses[k].pattern] += net->uses[k].factor * (kind + 1);
    }
    for (int32_t i = 0; i < patterns; i++)
        sum += t->tables[pattern_weight(t, i)].value + t->tables[shape_weight(t, i)].value;
    return sum;
}

/* Adds the gradient to those of the tables' weights. */
static void add_table_gradients(fvm_trainer *t, float gradient) {
    for (int32_t i = 0; i < t->net->spec.patterns; i++) {
        const int32_t weights[] = {pattern_weight(t, i), shape_weight(t, i)};
        for (int32_t k = 0; k < 2; k++) {
            touch(&t->touched_tables, weights[k]);
            t->tables[weights[k]].gradient += gradient;
        }
    }
}

/* The features of a position on a turned board. */
static const uint16_t *turned_features(fvm_trainer *t, const uint16_t *features, int32_t count) {
    const uint64_t drawn = fvm_next_random(&t->random);
    const uint16_t *const map = t->maps + drawn % (uint64_t)t->map_count * t->net->spec.features;
    for (int32_t i = 0; i < count; i++)
        t->turned[i] = map[features[i]];
    return t->turned;
}

static float activation(float sum) {
    const float x = sum < 0 ? 0 : sum > 1 ? 1 : sum;
    return x * x;
}

/* Adds the gradient of a position's loss, and returns the loss. */
static double learn(fvm_trainer *t, int64_t position) {
    const int32_t hidden = t->net->spec.hidden;
    const uint16_t *const stored = t->features + position * t->stride;
    const int32_t count = stored[0];
    const uint16_t *const features = turned_features(t, stored + 1, count);
    const float own = t->own[position];
    const double target = t->targets[position];
    const row output = outputs(t);
    float sums[FVM_NETWORK_HIDDEN + 1] = {0}, gradient[FVM_NETWORK_HIDDEN + 1];
    add_row(t, t->rows - 2, sums);
    for (int32_t i = 0; i < count; i++) {
        add_row(t, features[i], sums);
        if (kind_row(t, features[i]) >= 0)
            add_row(t, kind_row(t, features[i]), sums);
    }
    double value = (double)(sums[hidden] + add_tables(t, features, count));
    value += (double)(output.value[hidden] * own);
    for (int32_t k = 0; k < hidden; k++)
        value += (double)output.value[k] * (double)activation(sums[k]);
    const double expected = 1 / (1 + exp(-value));
    const float error = (float)(expected - target);
    gradient[hidden] = error;
    output.gradient[hidden] += error * own;
    for (int32_t k = 0; k < hidden; k++) {
        const bool inside = sums[k] > 0 && sums[k] < 1;
        gradient[k] = inside ? error * output.value[k] * 2 * sums[k] : 0;
        output.gradient[k] += error * activation(sums[k]);
    }
    add_table_gradients(t, error);
    touch(&t->touched_rows, t->rows - 1);
    add_gradient(t, t->rows - 2, gradient);
    for (int32_t i = 0; i < count; i++) {
        add_gradient(t, features[i], gradient);
        if (kind_row(t, features[i]) >= 0)
            add_gradient(t, kind_row(t, features[i]), gradient);
    }
    const double least = 1e-9;
    return -target * log(expected + least) - (1 - target) * log(1 - expected + least);
}

/* --- steps ------------------------------------------------------------------------ */

/* Changes a weight by its gradient, which becomes 0. */
static inline void change(float *value, float *gradient, float *mean, float *square, float scale,
                          float rate, float shrinkage) {
    const float scaled = *gradient * scale;
    *mean += (1 - MEAN_DECAY) * (scaled - *mean);
    *square += (1 - SQUARE_DECAY) * (scaled * scaled - *square);
    *value = (*value - rate * *mean / (sqrtf(*square) + LEAST_ROOT)) / (1 + rate * shrinkage);
    *gradient = 0;
}

static void change_row(row r, int32_t count, float scale, float rate, float shrinkage) {
    for (int32_t i = 0; i < count; i++)
        change(r.value + i, r.gradient + i, r.mean + i, r.square + i, scale, rate, shrinkage);
}

static void step(fvm_trainer *t, int32_t size, float rate, float shrinkage) {
    const double steps = (double)++t->steps;
    /* corrects the means, which begin at 0 */
    const float corrected = rate * (float)(sqrt(1 - pow((double)SQUARE_DECAY, steps)) /
                                           (1 - pow((double)MEAN_DECAY, steps)));
    const float scale = 1.0F / (float)size;
    const int32_t patterns = t->net->spec.patterns;
    const float table_rate =
        corrected *
        (patterns > FULL_RATE_PATTERNS ? (float)FULL_RATE_PATTERNS / (float)patterns : 1);
    for (int32_t i = 0; i < t->touched_rows.count; i++) {
        const int32_t index = t->touched_rows.which[i];
        const bool is_kind = index >= t->net->spec.features && index < t->rows - 2;
        change_row(row_at(t, index), t->row_size, scale,
                   is_kind ? KIND_RATE * corrected : corrected,
                   index < t->rows - 2 ? shrinkage : 0);
        t->touched_rows.has[index] = false;
    }
    float *const factor = &outputs(t).value[t->net->spec.hidden];
    *factor = *factor > LEAST_FACTOR ? *factor : LEAST_FACTOR;
    for (int32_t i = 0; i < t->touched_tables.count; i++) {
        table_weight *const w = &t->tables[t->touched_tables.which[i]];
        change(&w->value, &w->gradient, &w->mean, &w->square, scale, table_rate, shrinkage);
        t->touched_tables.has[t->touched_tables.which[i]] = false;
    }
    t->touched_rows.count = t->touched_tables.count = 0;
}

double fvm_trainer_run(fvm_trainer *t, int32_t batches, int32_t size, double rate,
                       double shrinkage) {
    double loss = 0;
    if (t->count == 0 || batches <= 0 || size <= 0)
        return -1;
    for (int32_t batch = 0; batch < batches; batch++) {
        for (int32_t i = 0; i < size; i++) {
            const uint64_t high = fvm_next_random(&t->random);
            const uint64_t drawn = high << 31 ^ fvm_next_random(&t->random);
            loss += learn(t, (int64_t)(drawn % (uint64_t)t->count));
        }
        step(t, size, (float)rate, (float)shrinkage);
    }
    return loss / batches / size;
}

/* --- weights ---------------------------------------------------------------------- */

static int16_t rounded(float value, int32_t unit) {
    const float scaled = value * (float)unit;
    return (int16_t)(scaled > INT16_MAX    ? INT16_MAX
                     : scaled < -INT16_MAX ? -INT16_MAX
                                           : lrintf(scaled));
}

void fvm_trainer_weights(const fvm_trainer *t, int16_t *weights, int16_t *direct,
                         int16_t *bias_of_units, int16_t *output_weights, int16_t *tables,
                         int32_t *bias, int32_t *unit) {
    const fvm_network_spec *const s = &t->net->spec;
    const int32_t size = t->net->table_size;
    for (int32_t i = 0; i < s->patterns * size; i++) {
        const int32_t shape = s->patterns + s->pattern_shapes[i / size];
        tables[i] = rounded(t->tables[i].value + t->tables[shape * size + i % size].value,
                            FVM_NETWORK_UNIT);
    }
    for (int32_t i = 0; i < s->features; i++) {
        float sums[FVM_NETWORK_HIDDEN + 1] = {0};
        add_row(t, i, sums);
        if (kind_row(t, i) >= 0)
            add_row(t, kind_row(t, i), sums);
        for (int32_t k = 0; k < s->hidden; k++)
            weights[(int64_t)i * s->hidden + k] = rounded(sums[k], FVM_NETWORK_ONE);
        direct[i] = rounded(sums[s->hidden], FVM_NETWORK_UNIT);
    }
    for (int32_t k = 0; k < s->hidden; k++) {
        bias_of_units[k] = rounded(biases(t).value[k], FVM_NETWORK_ONE);
        output_weights[k] = rounded(outputs(t).value[k], FVM_NETWORK_OUTPUT);
    }
    *bias = rounded(biases(t).value[s->hidden], FVM_NETWORK_UNIT);
    const float changed = (float)s->unit / outputs(t).value[s->hidden]; /* scores remain */
    *unit = changed < 1 ? 1 : changed < FVM_NETWORK_SCORE ? (int32_t)changed : FVM_NETWORK_SCORE;
}
