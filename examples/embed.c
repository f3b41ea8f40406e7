/* embed.c: a small host of the C core.  It loads a game and prints the legal moves of its
 * first position.
 *
 *     embed LIBRARY_FOLDER GAME.4th
 *     embed axiom_lib scripts/chess/chess.4th
 *
 * It includes only forthvm.h.  docs/guides/embedding.md explains the order of the calls. */
#include "forthvm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes in bytes.  MEMORY: the image at the beginning; it may grow to MEMORY_LIMIT. */
enum { MEMORY = 1 << 20, MEMORY_LIMIT = 64 << 20, PATH_SIZE = 1024, TEXT_SIZE = 1 << 16 };

/* Limits for the script, because scripts are untrusted. */
static const int64_t STEPS = 200 * 1000 * 1000;
static const double SECONDS = 10;

typedef struct {
    fvm *vm;
    const char *folders[2]; /* folders that LOAD searches: the game's and the library's */
} host;

/* --- files ------------------------------------------------------------------------ */

/* Returns the bytes of a file, which the caller frees, or NULL if the file cannot be read. */
static char *read_file(const char *path, uint32_t *length) {
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long size;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        bytes = malloc((size_t)size + 1);
        rewind(file);
        if (bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size) {
            *length = (uint32_t)size;
        } else {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

/* Interprets a file.  main_file: 0 if another file loads it; then sections may be open at its end.
 */
static fvm_status interpret_file(host *h, const char *path, int main_file) {
    uint32_t length, base;
    char *text = read_file(path, &length);
    if (text == NULL)
        return FVM_ERR_NO_FILE;
    base = fvm_source_add(h->vm, length);
    fvm_status status =
        base != 0 ? fvm_interpret(h->vm, text, length, base, main_file) : FVM_ERR_LIMIT;
    free(text); /* the core does not access the text of a file after interpreting it */
    return status;
}

/* --- hooks ------------------------------------------------------------------------ */

/* Prints output of the script to stderr, because stdout contains the moves. */
static int on_output(void *data, const char *bytes, size_t length) {
    (void)data;
    return fwrite(bytes, 1, length, stderr) == length ? 0 : 1;
}

/* Loads a file for LOAD.  Scripts are untrusted, so the name must not be a path.  Many scripts were
 * written on systems that ignore letter case, so the name in lower case is tried, too. */
static int on_load(void *data, const char *name) {
    host *h = data;
    char lower[PATH_SIZE], path[PATH_SIZE];
    size_t length = strlen(name);
    if (length == 0 || length >= sizeof lower || strpbrk(name, "/\\:") != NULL || name[0] == '.') {
        fprintf(stderr, "LOAD: %s is not the name of a file\n", name);
        return 1;
    }
    for (size_t i = 0; i <= length; i++)
        lower[i] = (char)tolower((unsigned char)name[i]);
    for (int i = 0; i < 4; i++) {
        int size = snprintf(path, sizeof path, "%s/%s", h->folders[i / 2], i % 2 ? lower : name);
        if (size < 0 || size >= (int)sizeof path)
            continue;
        fvm_status status = interpret_file(h, path, 0);
        if (status != FVM_ERR_NO_FILE)
            return status == FVM_OK ? 0 : 1;
    }
    fprintf(stderr, "LOAD: there is no file %s\n", name);
    return 1;
}

/* --- the game --------------------------------------------------------------------- */

/* Interprets the files of the library. */
static fvm_status load_library(host *h, const char *folder) {
    static const char *const files[] = {"core.4th", "axiom.4th"};
    char path[PATH_SIZE];
    fvm_status status = FVM_OK;
    for (int i = 0; i < 2 && status == FVM_OK; i++) {
        int size = snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        status = size < (int)sizeof path ? interpret_file(h, path, 1) : FVM_ERR_NO_FILE;
    }
    return status == FVM_OK ? fvm_bind(h->vm) : status;
}

/* Loads a script, starts the game and generates the first move list. */
static fvm_status start_game(host *h, const char *script, int32_t *count) {
    fvm_status status = interpret_file(h, script, 1);
    if (status == FVM_OK)
        status = fvm_bind(h->vm);
    if (status == FVM_OK)
        status = fvm_game_check(h->vm);
    if (status == FVM_OK)
        status = fvm_game_new(h->vm);
    if (status == FVM_OK)
        status = fvm_game_setup(h->vm);
    return status == FVM_OK ? fvm_game_generate(h->vm, count) : status;
}

static fvm_status print_moves(const host *h, int32_t count) {
    fvm_addr *moves = calloc((size_t)count + 1, sizeof *moves);
    fvm_status status = FVM_OK;
    static char text[TEXT_SIZE];
    if (moves == NULL)
        return FVM_ERR_MEMORY;
    count = fvm_move_list(h->vm, moves, count);
    for (int32_t i = 0; i < count && status == FVM_OK; i++) {
        const int32_t length = fvm_move_text(h->vm, moves[i], text, sizeof text);
        if (length < 0 || length >= TEXT_SIZE - 1) /* a longer text would be cut */
            status = FVM_ERR_MOVE_TEXT;
        else
            puts(text);
    }
    free(moves);
    return status;
}

/* Writes the folder of a path to `folder`. */
static void find_folder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        snprintf(folder, size, ".");
    else
        snprintf(folder, size, "%.*s", (int)(slash - path), path);
}

static void print_error(const host *h, fvm_status status) {
    const fvm_error *error = fvm_last_error(h->vm);
    fprintf(stderr, "%s", fvm_status_name(status));
    if (error->status == (int32_t)status)
        fprintf(stderr, ": %s (value %d)", error->text, (int)error->value);
    fputc('\n', stderr);
}

int main(int argc, char **argv) {
    char folder[PATH_SIZE];
    int32_t count = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: embed LIBRARY_FOLDER GAME.4th\n");
        return 2;
    }
    find_folder(argv[2], folder, sizeof folder);
    host h = {.vm = fvm_new(MEMORY, MEMORY_LIMIT), .folders = {folder, argv[1]}};
    if (h.vm == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    const fvm_hooks hooks = {.output = on_output, .load = on_load};
    fvm_set_hooks(h.vm, &hooks, &h);
    fvm_budget(h.vm, STEPS, SECONDS);
    fvm_status status = load_library(&h, argv[1]);
    if (status == FVM_OK)
        status = start_game(&h, argv[2], &count);
    if (status == FVM_OK)
        status = print_moves(&h, count);
    fvm_flush(h.vm);
    if (status != FVM_OK)
        print_error(&h, status);
    fvm_free(h.vm);
    return status == FVM_OK ? 0 : 1;
}
