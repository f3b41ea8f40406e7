/* position_queries.c: queries of a search about the current position.
 *
 * It owns the player to move, the sides of players, calls of OnIsGameOver, OnIsTerminal? and
 * OnEvaluate, and the keys of positions.  search_stack.c makes and unmakes moves. */
#include "search/host_search.h"
#include "search/search_stack.h"

/* --- whose turn ------------------------------------------------------------------- */

int32_t fvm_search_mover(const fvm_search_stack *ss) {
    return FVM_PLAYER_NUMBER(fvm_lib_get(ss->vm, ss->vm->lib.player));
}

bool fvm_search_is_chance(const fvm_search_stack *ss) {
    return (ss->chance >> fvm_search_mover(ss) & 1) != 0;
}

int32_t fvm_search_player_at(fvm_search_stack *ss, fvm_cell offset) {
    fvm *vm = ss->vm;
    const fvm_addr entry = (fvm_addr)fvm_lib_get(vm, vm->lib.turn_order) + (fvm_addr)offset;
    fvm_cell player = 0;
    if (!fvm_in(vm, entry, 4) ||
        fvm_search_failed(ss, fvm_call(vm, (fvm_addr)fvm_get(vm, entry), &player)))
        return -1;
    return FVM_PLAYER_NUMBER(player);
}

fvm_cell fvm_search_next_offset(const fvm_search_stack *ss, fvm_cell offset) {
    const fvm *vm = ss->vm;
    offset = fvm_plus(offset, FVM_TURN_BYTES);
    return offset >= fvm_lib_get(vm, vm->lib.turn_limit) ? fvm_lib_get(vm, vm->lib.repeat_offset)
                                                         : offset;
}

int32_t fvm_search_viewer(fvm_search_stack *ss) {
    int32_t number = fvm_search_mover(ss);
    fvm_cell offset = fvm_lib_get(ss->vm, ss->vm->lib.turn_offset);
    for (int32_t i = 0; i < ss->turn_order_length && (ss->chance >> number & 1) != 0; i++) {
        offset = fvm_search_next_offset(ss, offset);
        const int32_t next = fvm_search_player_at(ss, offset);
        if (next < 0)
            break;
        number = next;
    }
    return number;
}

uint32_t fvm_search_choosers(fvm_search_stack *ss) {
    uint32_t choosers = 0;
    for (int32_t i = 0; i < ss->turn_order_length; i++) {
        const int32_t number = fvm_search_player_at(ss, FVM_TURN_BYTES * i);
        if (number < 0)
            break;
        choosers |= (uint32_t)1 << number;
    }
    return choosers & ~ss->chance;
}

/* In some scripts OnFriends? returns TRUE for only one order of its arguments, to skip chance
 * players.  So two players are on the same side only if it returns TRUE for both orders. */
void fvm_search_sides(fvm_search_stack *ss, uint32_t choosers, uint32_t sides[SEARCH_PLAYERS]) {
    int32_t players = 0;
    for (int32_t i = 0; i < SEARCH_PLAYERS; i++) {
        sides[i] = (uint32_t)1 << i;
        players += (int32_t)(choosers >> i & 1);
    }
    for (int32_t i = 1; players > 2 && i < SEARCH_PLAYERS; i++)
        for (int32_t k = i + 1; k < SEARCH_PLAYERS; k++) {
            bool friends = false, friends_reversed = false;
            if ((choosers >> i & choosers >> k & 1) == 0)
                continue;
            const fvm_cell a = FVM_PLAYER_CONSTANT(i), b = FVM_PLAYER_CONSTANT(k);
            if (fvm_search_failed(ss, fvm_friends(ss->vm, a, b, &friends)) ||
                fvm_search_failed(ss, fvm_friends(ss->vm, b, a, &friends_reversed)))
                return;
            if (friends && friends_reversed) {
                sides[i] |= (uint32_t)1 << k;
                sides[k] |= (uint32_t)1 << i;
            }
        }
}

/* --- hooks ------------------------------------------------------------------------ */

fvm_cell fvm_search_game_over(fvm_search_stack *ss) {
    fvm_cell over;
    const fvm_status status = fvm_run_game_over(ss->vm, &over);
    if (fvm_search_failed(ss, status))
        return FVM_DRAW;
    return fvm_is_decided(over) ? over : FVM_UNKNOWN;
}

bool fvm_search_is_terminal(fvm_search_stack *ss) {
    bool terminal;
    fvm_search_failed(ss, fvm_run_is_terminal(ss->vm, &terminal));
    return terminal;
}

/* The value of the position by the network.  In games for two, networks learn only the values for
 * the viewer: those for the other player are their negatives. */
static fvm_cell network_value(fvm_search_stack *ss, int32_t number) {
    const bool two = ss->network->spec.views == 2;
    const int32_t viewer = two ? fvm_search_viewer(ss) : number;
    const fvm_cell value = fvm_network_value_in(ss->network, ss->network_sums, ss->vm, viewer);
    return viewer == number ? value : -value;
}

/* The value of OnEvaluate for a player; 0 without it. */
static fvm_cell own_value(fvm_search_stack *ss, int32_t number) {
    fvm *vm = ss->vm;
    const fvm_cell player = fvm_lib_get(vm, vm->lib.player);
    const bool other = number != 0 && number != FVM_PLAYER_NUMBER(player);
    fvm_cell value;
    if (vm->lib.on_evaluate == 0)
        return 0;
    if (other)
        fvm_set_player(vm, FVM_PLAYER_CONSTANT(number));
    fvm_search_failed(ss, fvm_run_evaluate(vm, &value));
    if (other)
        fvm_set_player(vm, player);
    return value;
}

fvm_cell fvm_search_evaluate(fvm_search_stack *ss, int32_t number) {
    const fvm_network *const net = ss->network;
    if (net == NULL)
        return own_value(ss, number);
    const fvm_cell player = fvm_lib_get(ss->vm, ss->vm->lib.player);
    const fvm_cell value = network_value(ss, number != 0 ? number : FVM_PLAYER_NUMBER(player));
    return net->spec.own == 0 ? value : fvm_network_sum(net, value, own_value(ss, number));
}

fvm_status fvm_evaluate(fvm *vm, int32_t number, fvm_cell *value) {
    fvm_host_search saved;
    int32_t stopped = 0;
    fvm_status status = fvm_host_search_begin(vm, 0, &saved);
    if (status != FVM_OK)
        return status;
    fvm_search_stack *const ss = fvm_search_open(vm, 0, false);
    *value = ss != NULL ? own_value(ss, number) : 0;
    status = ss != NULL ? ss->status : fvm_fail(vm, FVM_ERR_MEMORY, 0, "no memory for a search");
    if (ss != NULL)
        fvm_search_close(ss);
    return fvm_host_search_end(vm, &saved, status, &stopped);
}

/* --- keys ------------------------------------------------------------------------- */

/* A cell changes the key only where it differs from its value at the root.  Where no move had
 * changed it yet it was equal, so finding a cell does not change earlier keys, and threads that
 * have found different cells agree. */
uint64_t fvm_search_position_key(fvm_search_stack *ss) {
    fvm *vm = ss->vm;
    uint64_t key = fvm_position_hash(vm);
    for (int32_t i = 0; i < ss->memory.position_count; i++) {
        const fvm_addr addr = ss->memory.changing[i];
        const fvm_cell value = fvm_get(vm, addr);
        if (memcmp(ss->root_memory + (addr - ss->memory.low), &value, sizeof value) != 0)
            key ^= fvm_mix((uint64_t)addr << 32 | (uint32_t)value);
    }
    return key;
}

uint64_t fvm_search_key(fvm_search_stack *ss) {
    uint64_t key = fvm_search_position_key(ss);
    if (ss->count_turns) /* mixed with a number that is not an address of a cell */
        key ^=
            fvm_mix(0xD000000000000000u | (uint32_t)fvm_lib_get(ss->vm, ss->vm->lib.turn_number));
    return key;
}
