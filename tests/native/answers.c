/* answers.c: what a line of Forth leaves on the stack, in each tier of a core under test.
 *
 * Usage: answers FILE... LINE
 * A VM for each tier interprets the files and then the line, so often that it gets hot, and
 * prints the tier, whether it is still on, the top of the stack and the steps of each time.
 * It knows no program. */
#include "forthvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIERS = 3, TIMES = 8, LONGEST = 1 << 20 };

static char text[LONGEST];

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
    size_t length = fread(text, 1, LONGEST, file);
    fclose(file);
    return length < LONGEST && interpret(vm, length);
}

int main(int argc, char **argv) {
    for (int tier = 0; tier < TIERS; tier++) {
        fvm *vm = fvm_new(1 << 24, 1 << 26);
        if (vm == NULL)
            return 1;
        fvm_set_option(vm, FVM_OPT_TIER, tier);
        for (int i = 1; i < argc - 1; i++)
            if (!interpret_file(vm, argv[i]))
                return 1;
        for (int times = 0; times < TIMES; times++) {
            fvm_budget(vm, 0, 0);
            size_t length = (size_t)snprintf(text, LONGEST, "%s\n", argv[argc - 1]);
            if (!interpret(vm, length))
                return 1;
            printf("%d %d %d %lld\n", tier, (int)fvm_get_option(vm, FVM_OPT_TIER), fvm_pick(vm, 0),
                   (long long)fvm_steps(vm));
            fvm_clear_stack(vm);
        }
        fvm_free(vm);
    }
    return 0;
}
