/* world.c: the corpus, the starting states and the hooks of the fuzzer's VM.
 *
 * Owns the reading of files and the snapshots of the bases (starting states).
 */
#include "fuzz.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    IMAGE_SIZE = 1 << 20,
    IMAGE_LIMIT = 4 << 20,
    LOAD_STEPS = 200 * 1000 * 1000,
    LIBRARY_BASE = 1,  /* index of the base that contains only the library */
    CLOCK = 1199491200 /* result of SYSTEM-TIME: 5 January 2008 */
};

/* --- hooks ------------------------------------------------------------------------ */

static int on_output(void *host, const char *bytes, size_t length) {
    fz_world *world = host;
    /* Reading all bytes lets the sanitizer check the range. */
    for (size_t i = 0; i < length; i++) {
        fz_add_to_digest(world, (uint8_t)bytes[i]);
    }
    world->output_bytes += (int64_t)length;
    return 0;
}

/* Returns whether two file names are equal without regard to letter case. */
static int same_name(const char *a, const char *b) {
    while (*a != 0 && tolower((unsigned char)*a) == tolower((unsigned char)*b)) {
        a++;
        b++;
    }
    return *a == 0 && *b == 0;
}

static int on_load(void *host, const char *name) {
    fz_world *world = host;
    int status = 1;
    if (world->load_depth > 8) {
        return 1;
    }
    world->load_depth++;
    for (int i = 0; i < world->text_count; i++) {
        const fz_text *text = &world->texts[i];
        if (text->name[0] != 0 && same_name(text->name, name)) {
            status = (int)fvm_interpret(world->vm, text->bytes, text->length, text->source, 0);
            break;
        }
    }
    world->load_depth--;
    return status;
}

/* The host words use the VM, as Python functions of a host do.  The id modulo 4 selects the action:
 * push, pop, interpret a text, or fail. */
static int on_word(void *host, int32_t id) {
    fz_world *world = host;
    fvm_cell value = 0;
    switch (id % 4) {
    case 0:
        return (int)fvm_push(world->vm, id);
    case 1:
        (void)fvm_pop(world->vm, &value);
        return 0;
    case 2:
        return (int)fvm_interpret(world->vm, "1 2 + DROP", 10, world->source, 0);
    default:
        return 1;
    }
}

static int on_poll(void *host) {
    fz_world *world = host;
    return ++world->polls > 20 ? 1 : 0;
}

static int on_report(void *host, int32_t what, const char *text, fvm_cell value) {
    fz_world *world = host;
    (void)what;
    (void)value;
    world->output_bytes += text != NULL ? (int64_t)strlen(text) : 0;
    return 0;
}

/* Reads all data of the trace point, and sometimes evaluates a text in the sandbox. */
static int on_trace(void *host, int32_t reasons) {
    fz_world *world = host;
    fvm_trace_point point;
    fvm_addr cells[16], words[16];
    fvm_cell stack[16];
    int32_t depths[16];
    fvm_trace_get_point(world->vm, &point);
    (void)fvm_trace_calls(world->vm, cells, words, depths, 16);
    (void)fvm_trace_return_stack(world->vm, stack, 16);
    if (point.steps % 64 == 0 || (reasons & FVM_TRACE_FAILURE) != 0) {
        if (fvm_trace_sandbox_begin(world->vm) == FVM_OK) {
            uint64_t digest = world->digest;
            static const char text[] = "7 BASE ! 100 ALLOT HERE 50 - 40 1 FILL 5 SWAP 0 /";
            fvm_budget(world->vm, 1000, 0);
            (void)fvm_interpret(world->vm, text, sizeof text - 1, world->source, 0);
            fvm_trace_sandbox_end(world->vm);
            world->digest = digest;
        }
    }
    return 0;
}

/* --- corpus ----------------------------------------------------------------------- */

static fz_text *add_text(fz_world *world, const char *name, char *bytes, size_t length) {
    if (world->text_count == FZ_MAX_TEXTS) {
        free(bytes);
        return NULL;
    }
    fz_text *text = &world->texts[world->text_count++];
    snprintf(text->name, sizeof text->name, "%s", name);
    text->bytes = bytes;
    text->length = (uint32_t)length;
    text->source = fvm_source_add(world->vm, (uint32_t)length);
    return text;
}

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "fuzz: cannot read %s\n", path);
        return NULL;
    }
    size_t capacity = 1 << 16;
    char *bytes = malloc(capacity);
    *length = 0;
    for (size_t bytes_read = 1; bytes != NULL && bytes_read > 0;) {
        if (*length == capacity) {
            capacity *= 2;
            char *bigger = realloc(bytes, capacity);
            if (bigger == NULL) {
                free(bytes);
            }
            bytes = bigger;
        }
        bytes_read = bytes == NULL ? 0 : fread(bytes + *length, 1, capacity - *length, file);
        *length += bytes_read;
    }
    fclose(file);
    return bytes;
}

/* Decodes the JSON string that starts at `from`, after its quote, and returns the length of the
 * result.  It decodes only the escapes in recordings: \n, \t, \r, \", \\, \/ and \u00XX. */
static size_t decode_json(const char *from, const char *end, char *to) {
    size_t length = 0;
    for (; from < end && *from != '"'; from++) {
        char c = *from;
        if (c == '\\' && from + 1 < end) {
            c = *++from;
            if (c == 'u' && end - from > 4) {
                char hex[5] = {from[1], from[2], from[3], from[4], 0};
                c = (char)strtol(hex, NULL, 16);
                from += 4;
            } else {
                c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
            }
        }
        to[length++] = c;
    }
    return length;
}

/* Adds the value of every key "script" of a recording in JSON lines as a text without a name. */
static void add_recordings(fz_world *world, const char *bytes, size_t length) {
    static const char key[] = "\"script\": \"";
    const char *end = bytes + length;
    for (const char *at = bytes; at + sizeof key < end; at++) {
        if (memcmp(at, key, sizeof key - 1) == 0) {
            const char *start = at + sizeof key - 1;
            const char *stop = memchr(start, '\n', (size_t)(end - start));
            stop = stop == NULL ? end : stop;
            char *text = malloc((size_t)(stop - start) + 1);
            if (text == NULL) {
                return;
            }
            add_text(world, "", text, decode_json(start, stop, text));
            at = stop - 1;
        }
    }
}

static int add_file(fz_world *world, const char *path) {
    size_t length = 0;
    char *bytes = read_file(path, &length);
    if (bytes == NULL) {
        return 0;
    }
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    const char *suffix = strrchr(name, '.');
    if (suffix != NULL && strcmp(suffix, ".jsonl") == 0) {
        add_recordings(world, bytes, length);
        free(bytes);
        return 1;
    }
    return add_text(world, name, bytes, length) != NULL;
}

static int add_files(fz_world *world, char **paths, int count) {
    for (int i = 0; i < count; i++) {
        if (!add_file(world, paths[i])) {
            return 0;
        }
    }
    return 1;
}

/* --- bases ------------------------------------------------------------------------ */

static int report_failure(const fz_world *world, const char *what) {
    const fvm_error *error = fvm_last_error(world->vm);
    fprintf(stderr, "fuzz: %s: %s %s (value %d)\n", what,
            fvm_status_name((fvm_status)error->status), error->text, (int)error->value);
    return 0;
}

static int add_base(fz_world *world, const char *name) {
    fvm_snapshot *snapshot = fvm_snapshot_take(world->vm);
    if (snapshot == NULL || world->base_count == FZ_MAX_BASES) {
        fvm_snapshot_free(snapshot);
        return 0;
    }
    snprintf(world->base_names[world->base_count], FZ_NAME_BYTES, "%s", name);
    world->bases[world->base_count++] = snapshot;
    return 1;
}

static void collect_words(fz_world *world) {
    world->word_count = 0;
    for (fvm_addr nfa = fvm_latest(world->vm); nfa != 0 && world->word_count < FZ_MAX_WORDS;
         nfa = fvm_previous(world->vm, nfa)) {
        fz_word *word = &world->words[world->word_count];
        int32_t length = fvm_name(world->vm, nfa, word->name, FZ_NAME_BYTES);
        if (length > 0 && length < FZ_NAME_BYTES) {
            word->cfa = nfa + 12;
            world->word_count++;
        }
    }
}

static int open_library(fz_world *world, int count) {
    for (int i = 0; i < count; i++) {
        fvm_budget(world->vm, LOAD_STEPS, 0);
        const fz_text *text = &world->texts[i];
        if (fvm_interpret(world->vm, text->bytes, text->length, text->source, 1)) {
            return report_failure(world, text->name);
        }
    }
    static const char *names[] = {"host-push", "host-pop", "host-nest", "host-fail"};
    for (int i = 0; i < 4; i++) {
        if (fvm_define_host_word(world->vm, names[i], i)) {
            return report_failure(world, names[i]);
        }
    }
    if (fvm_bind(world->vm)) {
        return report_failure(world, "bind");
    }
    collect_words(world);
    return add_base(world, "library");
}

static int open_game(fz_world *world, const fz_text *text) {
    fvm *vm = world->vm;
    int32_t count = 0;
    fvm_budget(vm, LOAD_STEPS, 0);
    if (fvm_snapshot_restore(vm, world->bases[LIBRARY_BASE]) ||
        fvm_interpret(vm, text->bytes, text->length, text->source, 1) || fvm_bind(vm) ||
        fvm_game_check(vm) || fvm_game_new(vm) || fvm_game_setup(vm) ||
        fvm_game_generate(vm, &count)) {
        return report_failure(world, text->name);
    }
    return add_base(world, text->name);
}

int fz_world_open(fz_world *world, char **library, int library_count, char **games, int game_count,
                  char **others, int other_count) {
    memset(world, 0, sizeof *world);
    world->steps = 6000;
    world->vm = fvm_new(IMAGE_SIZE, IMAGE_LIMIT);
    if (world->vm == NULL) {
        return 0;
    }
    fvm_hooks hooks = {on_output, on_load, on_word, on_poll, on_report, on_trace};
    fvm_set_hooks(world->vm, &hooks, world);
    fvm_set_option(world->vm, FVM_OPT_FIXED_CLOCK, 1);
    fvm_set_option(world->vm, FVM_OPT_CLOCK, CLOCK);
    world->source = fvm_source_add(world->vm, FZ_MAX_CASE);
    /* Texts are added first, because a text may LOAD another. */
    if (!add_files(world, library, library_count) || !add_files(world, games, game_count) ||
        !add_files(world, others, other_count) || !add_base(world, "bare") ||
        !open_library(world, library_count)) {
        return 0;
    }
    for (int i = library_count; i < library_count + game_count; i++) {
        if (!open_game(world, &world->texts[i])) {
            return 0;
        }
    }
    return 1;
}

void fz_world_close(fz_world *world) {
    for (int i = 0; i < world->base_count; i++) {
        fvm_snapshot_free(world->bases[i]);
    }
    for (int i = 0; i < world->text_count; i++) {
        free(world->texts[i].bytes);
    }
    fvm_free(world->vm);
    memset(world, 0, sizeof *world);
}
