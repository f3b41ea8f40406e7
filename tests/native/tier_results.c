/* tier_results.c: prints the result of a line of Forth for each value of FVM_OPT_TIER: interpreter,
 * JIT for hot words, JIT for all words.
 *
 * Usage: tier_results FILE... LINE
 * For each value, a VM interprets the files and then the line several times, so that its words
 * become hot.  Each time it prints the value, whether the JIT is still enabled, the top of the
 * stack and the number of steps. */
#include "forthvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIER_VALUES = 3, /* number of values of FVM_OPT_TIER */
    REPETITIONS = 8, /* runs of the line for each value */
    MAX_TEXT = 1 << 20
};

static char text[MAX_TEXT];

/* Interprets the first `length` bytes of `text`; prints an error and returns 0 on failure. */
static int interpret(fvm *vm, size_t length) {
    uint32_t base = fvm_source_add(vm, (uint32_t)length);
    fvm_status status = fvm_interpret(vm, text, (uint32_t)length, base, 1);
    if (status != FVM_OK)
        printf("%s: %s\n", fvm_status_name(status), fvm_last_error(vm)->text);
    return status == FVM_OK;
}

static int interpret_file(fvm *vm, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return 0;
    size_t length = fread(text, 1, MAX_TEXT, file);
    fclose(file);
    return length < MAX_TEXT && interpret(vm, length);
}

int main(int argc, char **argv) {
    for (int tier = 0; tier < TIER_VALUES; tier++) {
        fvm *vm = fvm_new(1 << 24, 1 << 26);
        if (vm == NULL)
            return 1;
        fvm_set_option(vm, FVM_OPT_TIER, tier);
        for (int i = 1; i < argc - 1; i++)
            if (!interpret_file(vm, argv[i]))
                return 1;
        for (int i = 0; i < REPETITIONS; i++) {
            fvm_budget(vm, 0, 0);
            size_t length = (size_t)snprintf(text, MAX_TEXT, "%s\n", argv[argc - 1]);
            if (!interpret(vm, length))
                return 1;
            /* FVM_OPT_TIER reads as 1 or 0, not as the value that was set. */
            int jit_enabled = (int)fvm_get_option(vm, FVM_OPT_TIER);
            printf("%d %d %d %lld\n", tier, jit_enabled, fvm_pick(vm, 0), (long long)fvm_steps(vm));
            fvm_clear_stack(vm);
        }
        fvm_free(vm);
    }
    return 0;
}
