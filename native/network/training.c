/* training.c: learns the weights of a network from positions.
 *
 * It owns the newest positions, as lists of features, and the weights as floating-point numbers.
 * The loss is the cross entropy of the expected score and the logistic function of the value;
 * weights are changed by Adam (Kingma and Ba, 2014).  A piece has two features while weights are
 * learned: its own, and that of its type and owner at any place, so that something is known about
 * places where the piece has not been seen.  The weights of both are added when they are read. */
#include "network/network.h"

#include <math.h>
#include <stdlib.h>

/* Constants of Adam. */
static const float MEAN_DECAY = 0.9F, SQUARE_DECAY = 0.999F, LEAST_ROOT = 1e-8F;
static const float WEIGHT_SPREAD = 0.1F; /* of new weights */

/* A row of weights that are learned, with their gradients and the running means of those. */
typedef struct {
    float *value, *gradient, *mean, *square; /* one after the other in memory */
} row;

struct fvm_trainer {
    const fvm_network *net;
    uint64_t random;
    /* the positions */
    int32_t stride;     /* size of a position in `features` */
    int64_t capacity;   /* most positions */
    int64_t count;      /* kept now */
    int64_t next;       /* where the next position is stored */
    uint16_t *features; /* [capacity][stride]: the number of features, then the features */
    float *targets;     /* [capacity] */
    /* the weights: rows of features, rows of the kinds of pieces, a row of biases, one of outputs;
     * each has weights of the hidden units, then a weight of the value */
    int32_t rows, row_size;
    float *weights;        /* [rows][4][row_size] */
    bool *touched;         /* [rows]: has a gradient */
    int32_t *touched_rows; /* which */
    int32_t touched_count;
    int64_t steps;
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
}

fvm_trainer *fvm_trainer_new(const fvm_network *net, int64_t bytes, uint64_t seed) {
    const fvm_network_spec *const s = &net->spec;
    fvm_trainer *const t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    t->net = net;
    t->random = seed;
    t->stride = s->cells + 2; /* the number of features, the turn, the cells */
    t->capacity = bytes / (2 * t->stride + (int64_t)sizeof *t->targets);
    t->capacity = t->capacity > 0 ? t->capacity : 1;
    t->rows = s->features + net->kind_count + 2;
    t->row_size = s->hidden + 1;
    t->features = malloc((size_t)(t->capacity * t->stride) * sizeof *t->features);
    t->targets = malloc((size_t)t->capacity * sizeof *t->targets);
    t->weights = calloc((size_t)t->rows * (size_t)t->row_size, 4 * sizeof *t->weights);
    t->touched = calloc((size_t)t->rows, sizeof *t->touched);
    t->touched_rows = calloc((size_t)t->rows, sizeof *t->touched_rows);
    if (t->features != NULL && t->targets != NULL && t->weights != NULL && t->touched != NULL &&
        t->touched_rows != NULL) {
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
    free(t->targets);
    free(t->weights);
    free(t->touched);
    free(t->touched_rows);
    free(t);
}

/* --- positions -------------------------------------------------------------------- */

void fvm_trainer_add(fvm_trainer *t, const fvm_cell *board, int32_t turn, int32_t view,
                     float target) {
    uint16_t *const at = t->features + t->next * t->stride;
    at[0] = (uint16_t)fvm_network_features(t->net, board, turn, view, at + 1);
    t->targets[t->next] = target;
    t->next = t->next + 1 < t->capacity ? t->next + 1 : 0;
    t->count += t->count < t->capacity;
}

int64_t fvm_trainer_positions(const fvm_trainer *t) { return t->count; }

/* --- gradients -------------------------------------------------------------------- */

static void touch(fvm_trainer *t, int32_t index) {
    if (!t->touched[index])
        t->touched_rows[t->touched_count++] = index;
    t->touched[index] = true;
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
    touch(t, index);
    for (int32_t k = 0; k < t->row_size; k++)
        sum[k] += gradient[k];
}

static float activation(float sum) {
    const float x = sum < 0 ? 0 : sum > 1 ? 1 : sum;
    return x * x;
}

/* Adds the gradient of a position's loss, and returns the loss. */
static double learn(fvm_trainer *t, int64_t position) {
    const int32_t hidden = t->net->spec.hidden;
    const uint16_t *const features = t->features + position * t->stride + 1;
    const int32_t count = features[-1];
    const double target = t->targets[position];
    const row output = outputs(t);
    float sums[FVM_NETWORK_HIDDEN + 1] = {0}, gradient[FVM_NETWORK_HIDDEN + 1];
    add_row(t, t->rows - 2, sums);
    for (int32_t i = 0; i < count; i++) {
        add_row(t, features[i], sums);
        if (kind_row(t, features[i]) >= 0)
            add_row(t, kind_row(t, features[i]), sums);
    }
    double value = (double)sums[hidden];
    for (int32_t k = 0; k < hidden; k++)
        value += (double)output.value[k] * (double)activation(sums[k]);
    const double expected = 1 / (1 + exp(-value));
    const float error = (float)(expected - target);
    gradient[hidden] = error;
    for (int32_t k = 0; k < hidden; k++) {
        const bool inside = sums[k] > 0 && sums[k] < 1;
        gradient[k] = inside ? error * output.value[k] * 2 * sums[k] : 0;
        output.gradient[k] += error * activation(sums[k]);
    }
    touch(t, t->rows - 1);
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

/* Changes a row of weights by their gradients, which become 0. */
static void change(row r, int32_t count, float scale, float rate) {
    for (int32_t i = 0; i < count; i++) {
        const float gradient = r.gradient[i] * scale;
        r.mean[i] += (1 - MEAN_DECAY) * (gradient - r.mean[i]);
        r.square[i] += (1 - SQUARE_DECAY) * (gradient * gradient - r.square[i]);
        r.value[i] -= rate * r.mean[i] / (sqrtf(r.square[i]) + LEAST_ROOT);
        r.gradient[i] = 0;
    }
}

static void step(fvm_trainer *t, int32_t size, float rate) {
    const double steps = (double)++t->steps;
    /* corrects the means, which begin at 0 */
    const float corrected = rate * (float)(sqrt(1 - pow((double)SQUARE_DECAY, steps)) /
                                           (1 - pow((double)MEAN_DECAY, steps)));
    const float scale = 1.0F / (float)size;
    for (int32_t i = 0; i < t->touched_count; i++) {
        change(row_at(t, t->touched_rows[i]), t->row_size, scale, corrected);
        t->touched[t->touched_rows[i]] = false;
    }
    t->touched_count = 0;
}

double fvm_trainer_run(fvm_trainer *t, int32_t batches, int32_t size, double rate) {
    double loss = 0;
    if (t->count == 0 || batches <= 0 || size <= 0)
        return -1;
    for (int32_t batch = 0; batch < batches; batch++) {
        for (int32_t i = 0; i < size; i++) {
            const uint64_t high = fvm_next_random(&t->random);
            const uint64_t drawn = high << 31 ^ fvm_next_random(&t->random);
            loss += learn(t, (int64_t)(drawn % (uint64_t)t->count));
        }
        step(t, size, (float)rate);
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

int32_t fvm_trainer_weights(const fvm_trainer *t, int16_t *weights, int16_t *direct,
                            int16_t *bias_of_units, int16_t *output_weights) {
    const fvm_network_spec *const s = &t->net->spec;
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
    return rounded(biases(t).value[s->hidden], FVM_NETWORK_UNIT);
}
