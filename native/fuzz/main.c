/* main.c: runs case files and random programs, without coverage feedback.
 *
 * Usage: fuzz [--programs N] [--seed S] [--first I] [--kind NAME] [--steps N] [--save
 *             FILE] [--traced 1] [--tiers 1]
 *             --library FILE... [--games FILE...] [--corpus FILE...] [--cases FILE...]
 *
 * Runs the given case files, then N random programs.  With --traced 1 it runs each of them in the
 * untraced and in the traced interpreter, with --tiers 1 in the interpreter and in the JIT; both
 * outcomes must be equal.  The exit status is 0 if no error was found.  Otherwise it writes the
 * case that failed to the file of --save (default crash.case).  Owns arguments, reports and the
 * saving of that case.
 */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"
#include "os/os.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The time limit of a case.  The slowest known case takes 20 s with sanitizers on an idle machine:
 * it makes a table of 2^18 move words again for each list. */
enum { HANG_SECONDS = 60 };

static fz_world world;
static uint8_t current[FZ_MAX_CASE + 1];
static size_t current_size;
static const char *save_path = "crash.case";

/* Saves the current case.  A signal handler or a sanitizer calls it before the process ends. */
static void save_case(void) {
    FILE *file = fopen(save_path, "wb");
    if (file != NULL) {
        (void)fwrite(current, 1, current_size, file);
        fclose(file);
        fprintf(stderr, "fuzz: case saved in %s (%zu bytes)\n", save_path, current_size);
    }
}

static void on_abort(int number) {
    save_case();
    signal(number, SIG_DFL);
    abort();
}

#if defined(SIGALRM)
static void on_alarm(int number) {
    (void)number;
    fprintf(stderr, "fuzz: hang: a case took over %d s\n", HANG_SECONDS);
    abort();
}
#endif

/* From now on a case may take HANG_SECONDS.  Windows has no alarm: there, a case that hangs is not
 * saved. */
static void begin_case(void) {
#if defined(SIGALRM)
    signal(SIGALRM, on_alarm);
    alarm(HANG_SECONDS);
#endif
}

static void end_case(void) {
#if defined(SIGALRM)
    alarm(0);
#endif
}

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

static int run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "fuzz: cannot read %s\n", path);
        return 0;
    }
    current_size = fread(current, 1, FZ_MAX_CASE, file);
    fclose(file);
    begin_case();
    fz_case_run(&world, current, current_size);
    end_case();
    return 1;
}

typedef struct {
    int64_t programs;
    uint64_t seed;
    int64_t first; /* number of the first program */
    int kind;      /* -1: all kinds in turn */
} fz_plan;

/* Prints the counts of the session.  cases: number of case files; slowest: seconds of the slowest
 * program, which has the number slowest_program. */
static void report(const fz_plan *plan, int64_t cases, double seconds, double slowest,
                   int64_t slowest_program) {
    printf("%lld programs, seed %llu, %.1f s, %.0f a second, slowest %.0f ms "
           "(program %lld), %lld case files\n",
           (long long)plan->programs, (unsigned long long)plan->seed, seconds,
           (double)plan->programs / (seconds > 0 ? seconds : 1), 1000 * slowest,
           (long long)slowest_program, (long long)cases);
    if (world.compare) {
        printf("%lld compared, %lld of them twice; %lld units of "
               "machine code\n",
               (long long)world.compared, (long long)world.repeated,
               (long long)fvm_compiled(world.vm));
    }
    for (int i = 0; i < 128; i++) {
        if (world.statuses[i] > 0) {
            printf("  %-20s %lld\n", fvm_status_name((fvm_status)i), (long long)world.statuses[i]);
        }
    }
}

static void run_random(const fz_plan *plan, int64_t cases) {
    double start = fvm_now();
    double slowest = 0;
    int64_t slowest_program = plan->first;
    for (int64_t i = plan->first; i < plan->first + plan->programs; i++) {
        /* Each program has its own seed, so that it can be reproduced alone. */
        fz_random random = {plan->seed * 0x9E3779B97F4A7C15u + (uint64_t)i + 1};
        (void)fz_next(&random);
        random.state ^= (uint64_t)i << 32 | 1;
        (void)fz_next(&random);
        fz_kind kind = plan->kind >= 0 ? (fz_kind)plan->kind : (fz_kind)(i % FZ_KIND_COUNT);
        current_size = fz_generate(&world, &random, kind, current);
        double began = fvm_now();
        begin_case();
        fz_case_run(&world, current, current_size);
        double elapsed = fvm_now() - began;
        slowest_program = elapsed > slowest ? i : slowest_program;
        slowest = elapsed > slowest ? elapsed : slowest;
    }
    end_case();
    report(plan, cases, fvm_now() - start, slowest, slowest_program);
}

static int usage(void) {
    fprintf(
        stderr,
        "usage: fuzz [--programs N] [--seed S] [--first I] [--kind NAME] [--steps N] "
        "[--save FILE] [--traced 1] [--tiers 1]\n            --library FILE... [--games FILE...] "
        "[--corpus FILE...] [--cases FILE...]\nkinds:");
    for (int i = 0; i < FZ_KIND_COUNT; i++)
        fprintf(stderr, " %s", fz_kind_name((fz_kind)i));
    fprintf(stderr, "; without --kind, all kinds in turn\n");
    return 2;
}

static int kind_named(const char *name) {
    for (int i = 0; i < FZ_KIND_COUNT; i++) {
        if (strcmp(fz_kind_name((fz_kind)i), name) == 0) {
            return i;
        }
    }
    return -1;
}

int main(int argc, char **argv) {
    enum { LIBRARY, GAMES, CORPUS, CASES, LISTS };
    static const char *names[LISTS] = {"--library", "--games", "--corpus", "--cases"};
    char **lists[LISTS] = {NULL};
    int counts[LISTS] = {0};
    int list = -1;
    fz_plan plan = {0, 1, 0, -1};
    int64_t steps = 0;
    int traced = 0, tiers = 0;
    for (int i = 1; i < argc; i++) {
        int found = -1;
        for (int which = 0; which < LISTS; which++) {
            found = strcmp(argv[i], names[which]) == 0 ? which : found;
        }
        if (found >= 0) {
            list = found;
            lists[list] = argv + i + 1;
        } else if (strncmp(argv[i], "--", 2) == 0 && i + 1 < argc) {
            const char *value = argv[i + 1];
            if (strcmp(argv[i], "--programs") == 0) {
                plan.programs = atoll(value);
            } else if (strcmp(argv[i], "--first") == 0) {
                plan.first = atoll(value);
            } else if (strcmp(argv[i], "--seed") == 0) {
                plan.seed = strtoull(value, NULL, 10);
            } else if (strcmp(argv[i], "--steps") == 0) {
                steps = atoll(value);
            } else if (strcmp(argv[i], "--traced") == 0) {
                traced = atoi(value);
            } else if (strcmp(argv[i], "--tiers") == 0) {
                tiers = atoi(value);
            } else if (strcmp(argv[i], "--save") == 0) {
                save_path = value;
            } else if (strcmp(argv[i], "--kind") == 0) {
                plan.kind = kind_named(value);
            } else {
                return usage();
            }
            i++;
            list = -1;
        } else if (list >= 0) {
            counts[list]++;
        } else {
            return usage();
        }
    }
    if (counts[LIBRARY] == 0) {
        return usage();
    }
    signal(SIGABRT, on_abort);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(save_case);
#endif
    if (!fz_world_open(&world, lists[LIBRARY], counts[LIBRARY], lists[GAMES], counts[GAMES],
                       lists[CORPUS], counts[CORPUS])) {
        return 1;
    }
    world.steps = steps > 0 ? steps : world.steps;
    world.compare = traced | tiers;
    world.tiers = tiers;
    fvm_set_option(world.vm, FVM_OPT_TIER, 0);
    printf("%d bases, %d texts, %d words\n", world.base_count, world.text_count, world.word_count);
    fflush(stdout);
    for (int i = 0; i < counts[CASES]; i++) {
        if (!run_file(lists[CASES][i])) {
            return 1;
        }
    }
    run_random(&plan, counts[CASES]);
    fz_world_close(&world);
    return 0;
}
