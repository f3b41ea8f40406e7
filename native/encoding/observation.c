/* observation.c: writes the planes of an observation from the cells of boards.
 *
 * It owns the meaning of an fvm_observation, the plan that says which plane shows what.  It reads
 * the plan and the boards only, so any number of threads may call it at the same time.
 * forthvm/learn/observations makes the plans. */
#include "encoding/encoding.h"

/* The array of the caller; only one of the two pointers is set. */
typedef struct {
    float *floats;
    uint8_t *bytes;
} target;

/* Writes a value between 0 and 1; float arrays also have values between -1 and 2. */
static inline void put(target out, size_t at, double value) {
    if (out.floats != NULL)
        out.floats[at] = (float)value;
    else
        out.bytes[at] = value <= 0 ? 0 : value >= 1 ? 255 : (uint8_t)(255 * value + 0.5);
}

/* Maps low to 0 and high to 1.  Numbers outside approach -1 and 2, so that any two numbers differ
 * as far as the type `float` permits, and no result is large. */
static inline double scaled(fvm_cell value, const fvm_observed_number *number) {
    const double span = (double)number->high - number->low;
    const double t = ((double)value - number->low) / (span != 0 ? span : 1);
    return t < 0 ? t / (1 - t) : t > 1 ? 2 - 1 / t : t;
}

static inline double shown(fvm_cell value, const fvm_observed_number *number) {
    if (number->show == FVM_SHOW_SCALED)
        return scaled(value, number);
    return (value == number->low) == (number->show == FVM_SHOW_EQUAL) ? 1 : 0;
}

/* The array is zeroed before, and several numbers with FVM_SHOW_OTHER may share a plane. */
static void put_number(target out, const fvm_observation *plan, size_t first,
                       const fvm_observed_number *number, fvm_cell value) {
    const double result = shown(value, number);
    const size_t plane = first + (size_t)number->plane * (size_t)plan->cells;
    if (result == 0)
        return;
    if (number->place >= 0)
        put(out, plane + (size_t)number->place, result);
    else
        for (int32_t i = 0; i < plan->cells; i++)
            put(out, plane + (size_t)i, result);
}

static void put_piece(target out, const fvm_observation *plan, size_t first, int32_t pos,
                      fvm_cell cell, bool reveal) {
    const size_t place = first + (size_t)plan->places[pos], cells = (size_t)plan->cells;
    const int32_t owner = plan->owners[(uint32_t)FVM_OWNER(cell) >> 10];
    const int32_t type = FVM_TYPE(cell) <= plan->types ? FVM_TYPE(cell) : 0;
    int32_t sight = plan->sight_on[pos] | plan->sight_of[type];
    if (reveal || FVM_OWNER(cell) == plan->viewer)
        sight &= FVM_SIGHT_NONE;
    if ((sight & (FVM_SIGHT_NONE | FVM_SIGHT_OWNER)) != 0)
        return;
    const bool known = (sight & FVM_SIGHT_TYPE) == 0;
    const int32_t plane =
        known ? plan->type_planes[owner * (plan->types + 1) + type] : plan->unknown_planes[owner];
    if (plane >= 0)
        put(out, place + (size_t)plane * cells, 1);
    if (plan->owner_planes[owner] >= 0)
        put(out, place + (size_t)plan->owner_planes[owner] * cells, 1);
    const uint32_t attribute = (uint32_t)cell >> 16;
    for (int32_t bit = 0; known && bit < 16 && attribute >> bit != 0; bit++)
        if ((attribute >> bit & 1) != 0 && plan->attribute_planes[bit] >= 0)
            put(out, place + (size_t)plan->attribute_planes[bit] * cells, 1);
}

static void put_board(target out, const fvm_observation *plan, size_t first, const uint8_t *board,
                      bool reveal) {
    for (int32_t pos = 0; pos < plan->positions; pos++) {
        fvm_cell cell;
        memcpy(&cell, board + 4 * (size_t)pos, 4);
        if (cell != 0 && plan->places[pos] >= 0)
            put_piece(out, plan, first, pos, cell, reveal);
    }
    for (int32_t i = 0; i < plan->variable_count; i++) {
        const fvm_observed_number *number = &plan->variables[i];
        fvm_cell value;
        if (number->width == 1)
            value = (int8_t)board[number->source];
        else
            memcpy(&value, board + number->source, 4);
        put_number(out, plan, first, number, value);
    }
}

size_t fvm_observation_size(const fvm_observation *plan) {
    return (size_t)plan->cells *
           ((size_t)plan->board_planes * (size_t)plan->history + (size_t)plan->state_planes);
}

void fvm_observe(const fvm_observation *plan, const void *const *boards, const fvm_cell *state,
                 void *out, int32_t format) {
    const bool bytes = format == FVM_OBSERVE_UINT8;
    const target to = {.floats = bytes ? NULL : out, .bytes = bytes ? out : NULL};
    const size_t board_size = (size_t)plan->cells * (size_t)plan->board_planes;
    memset(out, 0, fvm_observation_size(plan) * (bytes ? 1 : sizeof(float)));
    for (int32_t i = 0; i < plan->history; i++)
        if (boards[i] != NULL)
            put_board(to, plan, board_size * (size_t)i, boards[i],
                      i == 0 && state[FVM_OBSERVE_REVEAL] != 0);
    for (int32_t i = 0; i < plan->state_number_count; i++) {
        const fvm_observed_number *number = &plan->state_numbers[i];
        fvm_cell value = state[number->source];
        if (number->source == FVM_OBSERVE_TURN)
            value = value >= 0 && value < plan->turns ? plan->phases[value] : 0;
        put_number(to, plan, board_size * (size_t)plan->history, number, value);
    }
}

void fvm_observation_state(const fvm *vm, fvm_cell *state) {
    state[FVM_OBSERVE_PLAYER] = fvm_lib_get(vm, vm->lib.player_offset) / 4;
    state[FVM_OBSERVE_TURN] = fvm_lib_get(vm, vm->lib.turn_offset) / FVM_TURN_BYTES;
    state[FVM_OBSERVE_PARTIAL] = fvm_lib_get(vm, vm->lib.partial) != 0;
    state[FVM_OBSERVE_MOVE_TYPE] = fvm_lib_get(vm, vm->lib.of_type);
    state[FVM_OBSERVE_REVEAL] = 0;
    state[FVM_OBSERVE_ONE] = 1;
}
