/* action_keys.c: describes what the moves of a list do, as cells.
 *
 * It owns the format of the descriptions, whose main movement forthvm/game/actions reads, and by
 * which moves with the same main movement are ordered. */
#include "encoding/encoding.h"

enum { MAX_CHANGES = 256 };

/* The buffer of the descriptions; `used` counts all cells, even if there are more than `capacity`.
 */
typedef struct {
    fvm_cell *cells;
    int32_t capacity, used;
} output;

static void put(output *o, fvm_cell cell) {
    if (o->used < o->capacity)
        o->cells[o->used] = cell;
    o->used++;
}

static bool same_piece(fvm_cell a, fvm_cell b) {
    return FVM_TYPE(a) == FVM_TYPE(b) && FVM_OWNER(a) == FVM_OWNER(b);
}

/* *reads_board: the result depends on the piece that a capture removes. */
static fvm_movement movement_of(const fvm_change *changes, int32_t count, bool *reads_board) {
    fvm_movement m = {-1, -1, 0};
    const fvm_change *changed = NULL; /* the first change of type or owner */
    fvm_cell removed = 0;             /* the piece on m.from */
    *reads_board = false;
    for (const fvm_change *c = changes; c < changes + count; c++) {
        const bool changes_piece = c->kind == FVM_CHANGE_TYPE || c->kind == FVM_CHANGE_OWNER;
        if (c->kind == FVM_CHANGE_TYPE && m.to >= 0 && c->pos == m.to)
            m.type = c->piece;
        else if (changes_piece && changed == NULL)
            changed = c;
        if (m.to >= 0)
            continue;
        if (c->kind == FVM_CHANGE_MOVE) {
            m.from = c->from;
            m.to = c->pos;
        } else if (c->kind == FVM_CHANGE_CREATE) {
            m.to = c->pos;
            m.type = same_piece(removed, c->piece) ? 0 : FVM_TYPE(c->piece);
            *reads_board = *reads_board || m.from >= 0;
        } else if (c->kind == FVM_CHANGE_CAPTURE && m.from < 0) {
            m.from = c->pos;
            removed = c->other;
        }
    }
    if (m.from < 0 && m.to < 0 && changed != NULL) {
        m.to = changed->pos;
        m.type = changed->kind == FVM_CHANGE_TYPE ? changed->piece : 0;
    }
    return m;
}

/* A piece from the mover's view: with all bits of the owner if it is the mover's. */
static fvm_cell seen_piece(fvm_cell piece, fvm_cell own) {
    return FVM_OWNER(piece) == own ? piece | FVM_OWNER_MASK : piece;
}

static void put_change(output *o, const fvm_change *c, fvm_cell own) {
    put(o, c->kind);
    if (c->kind == FVM_CHANGE_MOVE)
        put(o, c->from);
    if (c->kind <= FVM_CHANGE_OWNER)
        put(o, c->pos);
    if (c->kind == FVM_CHANGE_CREATE || c->kind == FVM_CHANGE_OWNER || c->kind == FVM_CHANGE_MOVE)
        put(o, seen_piece(c->piece, own));
    if (c->kind == FVM_CHANGE_TYPE || c->kind == FVM_CHANGE_PARTIAL)
        put(o, c->piece);
    if (c->kind == FVM_CHANGE_MOVE)
        put(o, c->other != 0);
    if (c->kind != FVM_CHANGE_CALL)
        return;
    put(o, c->piece);
    put(o, c->pos);
    for (int32_t i = 0; i < c->pos && i < 4; i++)
        put(o, c->args[i]);
}

/* Copies the first changes of a move; returns their number. */
static int32_t first_changes(fvm *vm, fvm_addr move, fvm_change *changes) {
    const int32_t count = fvm_move_changes(vm, move, changes, MAX_CHANGES);
    return count < MAX_CHANGES ? count : MAX_CHANGES;
}

static void put_move(output *o, fvm *vm, fvm_addr move, fvm_cell own) {
    bool reads_board;
    fvm_change changes[MAX_CHANGES];
    const int32_t count = first_changes(vm, move, changes);
    const fvm_movement m = movement_of(changes, count, &reads_board);
    put(o, m.from);
    put(o, m.to);
    put(o, m.type);
    for (int32_t i = 0; i < count; i++)
        put_change(o, &changes[i], own);
    put(o, fvm_move_type(vm, move));
}

fvm_cell fvm_own_pieces(const fvm *vm) {
    const fvm_cell own = FVM_OWNER(fvm_lib_get(vm, vm->lib.for_player));
    return own != 0 ? own : FVM_OWNER(fvm_lib_get(vm, vm->lib.player));
}

fvm_movement fvm_main_movement(fvm *vm, fvm_addr move, bool *reads_board) {
    fvm_change changes[MAX_CHANGES];
    return movement_of(changes, first_changes(vm, move, changes), reads_board);
}

int32_t fvm_describe_move(fvm *vm, fvm_addr move, fvm_cell own, fvm_cell *cells, int32_t capacity) {
    output o = {.cells = cells, .capacity = capacity};
    put_move(&o, vm, move, own);
    return o.used;
}

int32_t fvm_describe_moves(fvm *vm, fvm_cell *cells, int32_t capacity) {
    int32_t moves;
    fvm_addr move;
    output o = {.cells = cells, .capacity = capacity};
    if (!fvm_newest_list(vm, &moves, &move))
        return 0;
    const fvm_cell own = fvm_own_pieces(vm);
    for (; move != 0 && moves > 0 && o.used < INT32_MAX / 2;
         move = fvm_next_move(vm, move), moves--) {
        const int32_t length_at = o.used;
        put(&o, 0);
        put_move(&o, vm, move, own);
        if (length_at < capacity)
            cells[length_at] = o.used - length_at - 1;
    }
    return o.used;
}
