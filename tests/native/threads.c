/* threads.c: runs two VMs in two threads, for ThreadSanitizer.
 *
 * Usage: threads FILE... LINE
 * Each thread interprets the files in its own VM, then the line in every execution tier.  The main
 * thread interrupts the second VM every five milliseconds. */
#include "forthvm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum {
    THREADS = 2,
    TIER_VALUES = 3, /* number of values of FVM_OPT_TIER */
    REPETITIONS = 4, /* runs of the line for each value */
    MAX_TEXT = 1 << 20
};

/* A thread with its VM. */
typedef struct {
    pthread_t thread;
    fvm *vm;
    char *text;        /* the source text that is interpreted, up to MAX_TEXT bytes */
    _Atomic int ready; /* the files have been interpreted */
    _Atomic int done;  /* the thread ends */
    int failed;
} worker;

static int file_count;
static char **arguments; /* names of files, then the line */

/* Interprets the first `length` bytes of w->text. */
static fvm_status interpret(worker *w, size_t length) {
    uint32_t base = fvm_source_add(w->vm, (uint32_t)length);
    return fvm_interpret(w->vm, w->text, (uint32_t)length, base, 1);
}

/* Interprets a file; returns 0 on failure. */
static int load(worker *w, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    size_t length = fread(w->text, 1, MAX_TEXT, file);
    fclose(file);
    return length < MAX_TEXT && interpret(w, length) == FVM_OK;
}

static void *run(void *argument) {
    worker *w = argument;
    for (int i = 0; i < file_count && !w->failed; i++)
        w->failed = !load(w, arguments[i]);
    w->ready = 1;
    for (int round = 0; round < TIER_VALUES * REPETITIONS && !w->failed; round++) {
        fvm_set_option(w->vm, FVM_OPT_TIER, round / REPETITIONS);
        fvm_budget(w->vm, 0, 0);
        size_t length = (size_t)snprintf(w->text, MAX_TEXT, "%s\n", arguments[file_count]);
        fvm_status status = interpret(w, length);
        w->failed = status != FVM_OK && status != FVM_ERR_INTERRUPT;
        fvm_clear_interrupt(w->vm);
        fvm_clear_stack(w->vm);
    }
    w->done = 1;
    return NULL;
}

int main(int argc, char **argv) {
    static worker workers[THREADS];
    int failed = 0;
    file_count = argc - 2;
    arguments = argv + 1;
    for (int i = 0; i < THREADS; i++) {
        workers[i].vm = fvm_new(1 << 24, 1 << 26);
        workers[i].text = malloc(MAX_TEXT);
        if (workers[i].vm == NULL || workers[i].text == NULL ||
            pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0)
            return 1;
    }
    while (!workers[0].done)
        if (thrd_sleep(&(struct timespec){.tv_nsec = 5000000}, NULL) == 0 && workers[1].ready)
            fvm_interrupt(workers[1].vm);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        failed |= workers[i].failed;
        fvm_free(workers[i].vm);
        free(workers[i].text);
    }
    return failed;
}
