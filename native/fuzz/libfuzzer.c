/* libfuzzer.c: runs fuzz cases that clang's libFuzzer generates.
 *
 * clang -g -O1 -fsanitize=fuzzer,address,undefined -Inative (the core)
 *     native/fuzz/{world,case,operations,generate,generate_code,...}.c -lm -o fuzz-libfuzzer
 *
 * The environment variable FORTHVM_FUZZ_FILES lists the files of the library, the games and other
 * texts: "core.4th axiom.4th -- game.4th ... -- axiom-sections.4th ...".
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fz_world world;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static char names[1 << 16];
    static char *files[FZ_MAX_TEXTS];
    int count = 0;
    int ends[2] = {0, 0}; /* indexes after the last library file and after the last game */
    int separators = 0;
    const char *setting = getenv("FORTHVM_FUZZ_FILES");
    (void)argc;
    (void)argv;
    snprintf(names, sizeof names, "%s", setting != NULL ? setting : "");
    for (char *name = strtok(names, " "); name != NULL && count < FZ_MAX_TEXTS;
         name = strtok(NULL, " ")) {
        if (strcmp(name, "--") == 0 && separators < 2) {
            ends[separators++] = count;
        } else {
            files[count++] = name;
        }
    }
    while (separators < 2) {
        ends[separators++] = count;
    }
    if (!fz_world_open(&world, files, ends[0], files + ends[0], ends[1] - ends[0], files + ends[1],
                       count - ends[1])) {
        fprintf(stderr, "fuzz: set FORTHVM_FUZZ_FILES to the library and games\n");
        exit(1);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (size <= FZ_MAX_CASE) {
        fz_case_run(&world, bytes, size);
    }
    return 0;
}
