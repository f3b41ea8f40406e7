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

/* TIER_VALUES: number of values of FVM_OPT_TIER */
enum { THREADS = 2, TIER_VALUES = 3, REPETITIONS = 4, MAX_TEXT = 1 << 20 };

typedef struct {
    pthread_t thread;
    fvm *vm;
    char *text;
    _Atomic int ready, done;
    int failed;
} work;

static int files;
static char **names;

static fvm_status interpret(work *w, size_t length) {
    uint32_t base = fvm_source_add(w->vm, (uint32_t)length);
    return fvm_interpret(w->vm, w->text, (uint32_t)length, base, 1);
}

static int load(work *w, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    size_t length = fread(w->text, 1, MAX_TEXT, file);
    fclose(file);
    return length < MAX_TEXT && interpret(w, length) == FVM_OK;
}

static void *run(void *argument) {
    work *w = argument;
    for (int i = 0; i < files && !w->failed; i++)
        w->failed = !load(w, names[i]);
    w->ready = 1;
    for (int round = 0; round < TIER_VALUES * REPETITIONS && !w->failed; round++) {
        fvm_set_option(w->vm, FVM_OPT_TIER, round / REPETITIONS);
        fvm_budget(w->vm, 0, 0);
        size_t length = (size_t)snprintf(w->text, MAX_TEXT, "%s\n", names[files]);
        fvm_status status = interpret(w, length);
        w->failed = status != FVM_OK && status != FVM_ERR_INTERRUPT;
        fvm_clear_interrupt(w->vm);
        fvm_clear_stack(w->vm);
    }
    w->done = 1;
    return NULL;
}

int main(int argc, char **argv) {
    static work works[THREADS];
    int failed = 0;
    files = argc - 2;
    names = argv + 1;
    for (int i = 0; i < THREADS; i++) {
        works[i].vm = fvm_new(1 << 24, 1 << 26);
        works[i].text = malloc(MAX_TEXT);
        if (works[i].vm == NULL || works[i].text == NULL ||
            pthread_create(&works[i].thread, NULL, run, &works[i]) != 0)
            return 1;
    }
    while (!works[0].done)
        if (thrd_sleep(&(struct timespec){.tv_nsec = 5000000}, NULL) == 0 && works[1].ready)
            fvm_interrupt(works[1].vm);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(works[i].thread, NULL);
        failed |= works[i].failed;
        fvm_free(works[i].vm);
        free(works[i].text);
    }
    return failed;
}
