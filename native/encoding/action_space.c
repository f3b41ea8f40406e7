/* action_space.c: the number of an action, computed from the main movement of a move.
 *
 * A space has a block of numbers for each kind of movement, and spare numbers for moves that have
 * none in a block.  Later planes have higher numbers: a number is start + plane * movements +
 * movement.  action_finder.c numbers the moves of a list. */
#include "encoding/encoding.h"

#include <stdlib.h>

static fvm_action_kind kind_of(fvm_movement m) {
    if (m.from >= 0)
        return m.to >= 0 ? FVM_ACTION_MOVE : FVM_ACTION_REMOVE;
    return m.to >= 0 ? FVM_ACTION_PLACE : FVM_ACTION_OTHER;
}

/* Number of movements of a block. */
static int64_t movements(const fvm_action_block *block, int kind) {
    const int64_t squares = block->squares;
    return kind == FVM_ACTION_MOVE ? squares * squares : kind == FVM_ACTION_OTHER ? 1 : squares;
}

/* --- copies ----------------------------------------------------------------------- */

static bool is_valid(const fvm_action_space *space) {
    int64_t size = 0;
    for (int kind = 0; kind < 4; kind++) {
        const fvm_action_block *block = &space->blocks[kind];
        if (block->start < 0 || block->squares < 0 || block->planes < 0 ||
            block->squares > 1 << 15 || block->planes > 1 << 20)
            return false;
        size = block->start + movements(block, kind) * block->planes;
        if (size > INT32_MAX / 2)
            return false;
    }
    return space->positions >= 0 && space->positions <= 1 << 20 && space->spare >= 0 &&
           space->spare_start >= 0 && space->spare_start <= INT32_MAX / 2 &&
           space->spare <= INT32_MAX / 4 / (space->positions + 1);
}

bool fvm_space_copy(fvm_action_space *copy, const fvm_action_space *space) {
    bool copied = is_valid(space);
    *copy = *space;
    for (int kind = 0; kind < 4; kind++)
        copy->blocks[kind].types = NULL;
    for (int kind = 0; kind < 4 && copied; kind++) {
        const fvm_action_block *block = &space->blocks[kind];
        if (block->types == NULL || block->planes == 0)
            continue;
        const size_t bytes = (size_t)block->planes * sizeof *block->types;
        int32_t *types = malloc(bytes);
        copied = types != NULL;
        if (copied)
            memcpy(types, block->types, bytes);
        copy->blocks[kind].types = types;
    }
    if (!copied)
        fvm_space_free(copy);
    return copied;
}

void fvm_space_free(fvm_action_space *copy) {
    for (int kind = 0; kind < 4; kind++)
        free((void *)copy->blocks[kind].types);
}

/* --- numbers ---------------------------------------------------------------------- */

/* The index of a movement among those of its block; -1: it is not in the block. */
static int32_t movement_index(const fvm_action_block *block, fvm_action_kind kind, fvm_movement m) {
    if (m.from >= block->squares || m.to >= block->squares)
        return -1;
    switch (kind) {
    case FVM_ACTION_MOVE:
        return m.from * block->squares + m.to;
    case FVM_ACTION_PLACE:
        return m.to;
    case FVM_ACTION_REMOVE:
        return m.from;
    default:
        return 0;
    }
}

/* The plane of a new type, or of the first choice; -1: no plane has the type. */
static int32_t first_plane(const fvm_action_block *block, fvm_cell type) {
    if (block->types == NULL)
        return 0;
    int32_t plane = 0;
    while (plane < block->planes && block->types[plane] != type)
        plane++;
    return plane < block->planes ? plane : -1;
}

int32_t fvm_space_number(const fvm_action_space *space, fvm_movement m) {
    const fvm_action_kind kind = kind_of(m);
    const fvm_action_block *block = &space->blocks[kind];
    const int32_t movement = block->planes > 0 ? movement_index(block, kind, m) : -1;
    const int32_t plane = first_plane(block, m.type);
    if (movement < 0 || plane < 0)
        return -1;
    return block->start + plane * (int32_t)movements(block, kind) + movement;
}

int32_t fvm_space_choice(const fvm_action_space *space, fvm_movement m, int32_t number,
                         int32_t rank) {
    const fvm_action_kind kind = kind_of(m);
    const fvm_action_block *block = &space->blocks[kind];
    if (block->types != NULL || rank >= block->planes)
        return -1;
    return number + rank * (int32_t)movements(block, kind);
}

int32_t fvm_space_slot(const fvm_action_space *space, fvm_movement m) {
    const fvm_cell position = m.to >= 0 ? m.to : m.from;
    return position >= 0 && position < space->positions ? position : space->positions;
}

int32_t fvm_space_spare(const fvm_action_space *space, int32_t slot, int32_t rank) {
    if (rank >= space->spare)
        return -1;
    return space->spare_start + rank * (space->positions + 1) + slot;
}

int32_t fvm_space_size(const fvm_action_space *space) {
    int32_t size = space->spare_start + space->spare * (space->positions + 1);
    for (int kind = 0; kind < 4; kind++) {
        const fvm_action_block *block = &space->blocks[kind];
        const int32_t end = block->start + (int32_t)movements(block, kind) * block->planes;
        size = end > size ? end : size;
    }
    return size;
}
