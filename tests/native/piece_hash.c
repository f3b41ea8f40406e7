/* piece_hash.c: the key of the original search's table equals one computed from all positions.
 *
 * Usage: piece_hash LIBRARY_FOLDER GAME
 * Stores random cells in the board, and random sizes of the board in the variables of the library.
 */
#include "search/original_table.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_TEXT = 1 << 22, ROUNDS = 20000 };

static const char *library; /* folder */
static uint64_t state = 1;  /* of the random numbers */

static uint32_t below(uint32_t limit) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % limit;
}

/* Interprets a file.  is_main: 0 if another file loads it. */
static int load(fvm *vm, const char *folder, const char *name, int is_main) {
    char path[2048], *text = malloc(MAX_TEXT);
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || text == NULL)
        return 0;
    const uint32_t length = (uint32_t)fread(text, 1, MAX_TEXT, file);
    fclose(file);
    const uint32_t base = fvm_source_add(vm, length);
    const fvm_status status = fvm_interpret(vm, text, length, base, is_main);
    free(text);
    return status == FVM_OK;
}

/* Loads a file of the library for LOAD. */
static int on_load(void *vm, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "/%s", name);
    return !load(vm, library, path, 0);
}

static uint64_t expected_key(const fvm *vm, fvm_addr board, uint32_t positions) {
    const uint64_t player = (uint64_t)FVM_PLAYER_NUMBER(fvm_lib_get(vm, vm->lib.player));
    uint64_t key = fvm_mix(player | (uint64_t)1 << 62);
    for (uint32_t i = 0; i < positions; i++) {
        const uint32_t piece =
            (uint32_t)fvm_get(vm, board + 4 * i) & 0xFBFF; /* not neutral's bit */
        key ^= piece == 0 ? 0 : fvm_mix((uint64_t)i << 16 | piece);
    }
    return key;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 1;
    fvm *vm = fvm_new(1 << 22, 1 << 26);
    const fvm_hooks hooks = {.load = on_load};
    library = argv[1];
    fvm_set_hooks(vm, &hooks, vm);
    if (!load(vm, library, "/core.4th", 1) || !load(vm, library, "/axiom.4th", 1) ||
        fvm_bind(vm) != FVM_OK || !load(vm, "", argv[2], 1) || fvm_bind(vm) != FVM_OK ||
        !fvm_original_table_make(vm)) {
        printf("%s\n", fvm_last_error(vm)->text);
        return 1;
    }
    const fvm_addr board = (fvm_addr)fvm_lib_get(vm, vm->lib.board);
    const uint32_t bytes = (uint32_t)fvm_lib_get(vm, vm->lib.board_size);
    uint32_t positions = (uint32_t)fvm_lib_get(vm, vm->lib.positions);
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t stores = below(4); stores > 0; stores--) {
            const uint32_t bits = below(3) == 0 ? 0 : 0x1FFFF;
            fvm_put(vm, board + 4 * below(bytes / 4), (fvm_cell)(below(0x20000) & bits));
        }
        if (below(50) == 0) { /* more and fewer positions than cells */
            positions = below(bytes / 4 + 9);
            fvm_put(vm, vm->lib.positions, (fvm_cell)positions);
        }
        if (below(50) == 0)
            fvm_put(vm, vm->lib.board_size, (fvm_cell)(bytes - 4 * below(9)));
        if (below(2) == 0)
            fvm_count_board(vm); /* as an evaluation does */
        fvm_table_entry *entry;
        uint64_t key;
        if (fvm_original_find(vm, &entry, &key) != FVM_OK ||
            key != expected_key(vm, board, positions)) {
            printf("another key in round %d with %u positions\n", round, positions);
            return 1;
        }
    }
    fvm_free(vm);
    return 0;
}
