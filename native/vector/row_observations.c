/* row_observations.c: observations of rows, with copies of earlier boards.
 *
 * encoding/observation.c tells what observations contain. */
#include "vector/vector.h"

#include <stdlib.h>

/* Number of earlier boards that observations need. */
static int32_t earlier_boards(const fvm_vector *v) {
    return v->o.plans == NULL || v->o.history < 2 ? 0 : v->o.history - 1;
}

static size_t bytes_of(const fvm_vector *v, int32_t boards) {
    return (size_t)boards * (size_t)v->o.board_bytes;
}

/* The board in memory; NULL: the script has damaged its address. */
static const uint8_t *board_in_memory(const fvm_vector *v) {
    const fvm_addr board = (fvm_addr)fvm_lib_get(v->vm, v->vm->lib.board);
    return fvm_in(v->vm, board, (uint32_t)v->o.board_bytes) ? v->vm->mem + board : NULL;
}

bool fvm_row_allocate_boards(const fvm_vector *v, fvm_row_state *s) {
    const int32_t most = earlier_boards(v);
    s->boards = most > 0 ? malloc(bytes_of(v, most)) : NULL;
    return most == 0 || s->boards != NULL;
}

void fvm_row_copy_boards(const fvm_vector *v, const fvm_row_state *from, fvm_row_state *to) {
    to->board_count = from->board_count;
    if (from->board_count > 0)
        memcpy(to->boards, from->boards, bytes_of(v, from->board_count));
}

void fvm_row_push_board(const fvm_vector *v, fvm_row_state *s) {
    const int32_t most = earlier_boards(v);
    const uint8_t *board = board_in_memory(v);
    if (most == 0 || board == NULL)
        return;
    const int32_t kept = s->board_count < most ? s->board_count : most - 1;
    memmove(s->boards + v->o.board_bytes, s->boards, bytes_of(v, kept));
    memcpy(s->boards, board, bytes_of(v, 1));
    s->board_count = kept + 1;
}

void fvm_row_observe(const fvm_vector *v, const fvm_row_state *s, float *observation) {
    fvm_cell state[FVM_OBSERVE_STATE];
    v->boards[0] = board_in_memory(v);
    for (int32_t i = 0; i < earlier_boards(v); i++)
        v->boards[i + 1] = i < s->board_count ? s->boards + bytes_of(v, i) : NULL;
    fvm_observation_state(v->vm, state);
    fvm_observe(v->o.plans[s->player], v->boards, state, observation, FVM_OBSERVE_FLOAT32);
}
