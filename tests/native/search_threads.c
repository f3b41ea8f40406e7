/* search_threads.c: searches one position in two VMs in two threads, for ThreadSanitizer.
 *
 * Usage: search_threads LIBRARY_FOLDER GAME
 * Both VMs load the game.  Then the threads grow one tree of a Monte Carlo search, and search by
 * alpha-beta, best replies and max^n with one transposition table.  When the first thread ends, it
 * stops the second one, as the engines in Python do. */
#include "forthvm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2, MAX_TEXT = 1 << 22, VISITS = 300, MAX_NODES = 5000, STOP_NOW = 2 };

typedef struct {
    pthread_t thread;
    int number;
    fvm *vm;
    fvm_status status;
    fvm_tree_result grown;
    fvm_line line;
    fvm_deepening_result searched;
    _Atomic int done;
} worker;

static const char *library; /* folder */
static fvm_tree *tree;
static fvm_tt *table;
static fvm_shared_search *shared;
static fvm_deepening_options deepening = {.features = 127, .depth = 3, .lines = 1, .extension = 4};

/* Fails the test if a status is not FVM_OK, or a condition is false. */
static void require(int condition, const char *what) {
    if (condition)
        return;
    fprintf(stderr, "failed: %s\n", what);
    exit(1);
}

/* Interprets a file.  is_main: 0 if another file loads it. */
static void load(fvm *vm, const char *folder, const char *name, int is_main) {
    char path[2048], *text = malloc(MAX_TEXT);
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *file = fopen(path, "rb");
    require(file != NULL && text != NULL, path);
    const size_t length = fread(text, 1, MAX_TEXT, file);
    fclose(file);
    const uint32_t base = fvm_source_add(vm, (uint32_t)length);
    require(fvm_interpret(vm, text, (uint32_t)length, base, is_main) == FVM_OK,
            fvm_last_error(vm)->text);
    free(text);
}

/* Loads a file of the library for LOAD. */
static int on_load(void *data, const char *name) {
    char path[512];
    snprintf(path, sizeof path, "/%s", name);
    load(((worker *)data)->vm, library, path, 0);
    return 0;
}

static void start(worker *w, const char *game) {
    int32_t count;
    const fvm_hooks hooks = {.load = on_load};
    fvm *vm = w->vm = fvm_new(1 << 22, 1 << 26);
    fvm_set_hooks(vm, &hooks, w);
    load(vm, library, "/core.4th", 1);
    load(vm, library, "/axiom.4th", 1);
    require(fvm_bind(vm) == FVM_OK, "the library");
    load(vm, "", game, 1);
    require(fvm_bind(vm) == FVM_OK && fvm_game_check(vm) == FVM_OK && fvm_game_new(vm) == FVM_OK &&
                fvm_game_setup(vm) == FVM_OK && fvm_game_generate(vm, &count) == FVM_OK &&
                count > 0,
            "a game");
}

static void *grow(void *argument) {
    worker *w = argument;
    const fvm_tree_options options = {.root_visits = VISITS,
                                      .thread = w->number,
                                      .seed = 1,
                                      .playout_plies = 40,
                                      .exploration = 0.7,
                                      .history = 1};
    w->status = fvm_tree_grow(w->vm, tree, &options, &w->grown);
    w->done = 1;
    return NULL;
}

static void *deepen(void *argument) {
    worker *w = argument;
    fvm_deepening_options options = deepening;
    options.seed = deepening.method == FVM_METHOD_ALPHA_BETA ? (uint32_t)w->number : 0;
    options.thread = w->number;
    options.shared = shared;
    w->status = fvm_deepening_search(w->vm, &options, table, &w->line, &w->searched);
    w->done = 1;
    return NULL;
}

/* Runs a search in both threads, and stops the second when the first has ended. */
static void run(worker *workers, void *(*search)(void *)) {
    workers[1].done = 0;
    require(pthread_create(&workers[1].thread, NULL, search, &workers[1]) == 0, "a thread");
    search(&workers[0]);
    while (!workers[1].done) {
        fvm_engine_stop(workers[1].vm, STOP_NOW);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    pthread_join(workers[1].thread, NULL);
    for (int i = 0; i < THREADS; i++) {
        require(workers[i].status == FVM_OK, "a search");
        fvm_engine_stop(workers[i].vm, 0);
    }
}

int main(int argc, char **argv) {
    static worker workers[THREADS];
    static fvm_tree_node nodes[MAX_NODES];
    require(argc == 3, "usage: search_threads LIBRARY_FOLDER GAME");
    library = argv[1];
    for (int i = 0; i < THREADS; i++) {
        workers[i].number = i;
        start(&workers[i], argv[2]);
    }
    tree = fvm_tree_new(MAX_NODES);
    run(workers, grow);
    const int32_t size = fvm_tree_read(tree, 0, nodes, MAX_NODES);
    const int64_t iterations = workers[0].grown.iterations + workers[1].grown.iterations;
    require(nodes[0].visits == iterations, "visits of the root");
    /* The second thread may have been stopped in its last iteration. */
    require(nodes[0].proof != 0 || (iterations <= VISITS && iterations >= VISITS - 1),
            "the limit of visits");
    for (int32_t i = 0; i < size; i++) {
        int64_t visits = 0;
        for (int32_t k = 0; k < nodes[i].count; k++)
            visits += nodes[nodes[i].first + k].visits;
        require(visits <= nodes[i].visits, "visits of children");
        require(i > 0 || visits == iterations, "visits of the root's children");
        require(nodes[i].sum <= (float)nodes[i].visits, "rewards");
    }
    table = fvm_tt_new(1 << 20);
    for (deepening.method = 0; deepening.method < 3; deepening.method++) {
        fvm_tt_clear(table);
        deepen(&workers[0]);
        const fvm_cell alone = workers[0].line.score;
        const int32_t depth = workers[0].searched.depth;
        fvm_tt_clear(table);
        shared = fvm_shared_search_new();
        run(workers, deepen);
        fvm_shared_search_free(shared);
        shared = NULL;
        require(workers[0].searched.depth == depth, "depth");
        require(workers[0].line.score == alone, "the score of one thread");
    }
    fvm_tree_free(tree);
    fvm_tt_free(table);
    for (int i = 0; i < THREADS; i++)
        fvm_free(workers[i].vm);
    return 0;
}
