/* outer_interpreter.c: the outer interpreter, which reads tokens and runs or compiles them.
 *
 * It owns the text being interpreted, source positions and sections.  The host's load hook reads
 * files and calls fvm_interpret. */
#include "vm/vm.h"

#include "generated/ops.h"

#include <stdio.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

uint32_t fvm_source_add(fvm *vm, uint32_t length) {
    uint32_t base = vm->next_base;
    if (length >= UINT32_MAX - base)
        return 0;
    vm->next_base += length + 1;
    return base;
}

/* Copies a token to PAD, truncated to the size of PAD. */
static void copy_to_pad(fvm *vm, const char *text, uint32_t length) {
    if (length > FVM_PAD_BYTES - 1)
        length = FVM_PAD_BYTES - 1;
    fvm_write_barrier(vm, FVM_PAD, length + 1);
    memcpy(vm->mem + FVM_PAD, text, length);
    vm->mem[FVM_PAD + length] = 0;
    vm->token_length = length;
}

/* Copies the next token to PAD; false: the text has ended. */
static bool read_token(fvm *vm) {
    fvm_source *source = vm->source;
    if (source == NULL) {
        copy_to_pad(vm, "", 0);
        return false;
    }
    while (source->at < source->length && is_blank(source->text[source->at]))
        source->at++;
    uint32_t start = source->at;
    while (source->at < source->length && !is_blank(source->text[source->at]))
        source->at++;
    copy_to_pad(vm, source->text + start, source->at - start);
    if (source->at > start)
        vm->token_pos = source->base + start;
    return source->at > start;
}

fvm_status fvm_read_name(fvm *vm, const char *what, const char **name, uint32_t *length) {
    bool found = read_token(vm);
    *name = (const char *)vm->mem + FVM_PAD;
    *length = vm->token_length;
    return found ? FVM_OK : fvm_fail(vm, FVM_ERR_END_OF_SOURCE, 0, "%s", what);
}

/* WORD: skips the blank after the word WORD and then all delimiters; reads up to the next
 * delimiter. */
fvm_status fvm_word_word(fvm *vm) {
    FVM_TRY(fvm_need(vm, 1));
    char delimiter = (char)fvm_drop(vm);
    fvm_source *source = vm->source;
    if (source == NULL) {
        copy_to_pad(vm, "", 0);
        return FVM_OK;
    }
    if (delimiter == ' ') {
        read_token(vm);
        if (source->at < source->length)
            source->at++;
        return FVM_OK;
    }
    if (source->at < source->length && is_blank(source->text[source->at]))
        source->at++;
    while (source->at < source->length && source->text[source->at] == delimiter)
        source->at++;
    uint32_t start = source->at;
    while (source->at < source->length && source->text[source->at] != delimiter)
        source->at++;
    copy_to_pad(vm, source->text + start, source->at - start);
    if (source->at < source->length)
        source->at++;
    return FVM_OK;
}

fvm_status fvm_word_find(fvm *vm) {
    if (!read_token(vm))
        return fvm_fail(vm, FVM_ERR_END_OF_SOURCE, 0, "-FIND");
    fvm_addr nfa = fvm_find_name(vm, (const char *)vm->mem + FVM_PAD, vm->token_length);
    fvm_status status = fvm_charge_work(vm, 16);
    return status == FVM_OK ? fvm_put_top(vm, (fvm_cell)nfa) : status;
}

fvm_status fvm_word_load(fvm *vm) {
    const char *name;
    uint32_t length;
    FVM_TRY(fvm_read_name(vm, "LOAD", &name, &length));
    if (vm->hooks.load == NULL)
        return fvm_fail(vm, FVM_ERR_NO_FILE, 0, "%s", name);
    char copy[1024];
    if (length >= sizeof copy)
        return fvm_fail(vm, FVM_ERR_NO_FILE, 0, "%.100s...", name);
    memcpy(copy, name, length + 1);
    if (vm->hooks.load(vm->host, copy) != 0)
        return FVM_ERR_HOST;
    vm->failed = vm->located = false;
    return FVM_OK;
}

fvm_status fvm_word_error(fvm *vm) {
    char text[1000];
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        status = fvm_string_copy(vm, (fvm_addr)fvm_drop(vm), text, sizeof text);
    return status == FVM_OK ? fvm_fail(vm, FVM_ERR_MESSAGE, 0, "%s", text) : status;
}

fvm_status fvm_word_undefined(fvm *vm) {
    char text[1000];
    fvm_status status = fvm_need(vm, 1);
    if (status == FVM_OK)
        status = fvm_string_copy(vm, (fvm_addr)fvm_drop(vm), text, sizeof text);
    return status == FVM_OK ? fvm_fail(vm, FVM_ERR_UNDEFINED, 0, "%s", text) : status;
}

/* --- sections --------------------------------------------------------------------- */

/* In every library `{name` opens a section and `name}` closes it; `{name}` defines an item of a
 * section. */
static const char *const section_names[] = {"board",      "directions",      "players",
                                            "symmetries", "turn-order",      "moves",
                                            "pieces",     "move-priorities", "board-setup"};
enum { SECTIONS = sizeof section_names / sizeof *section_names };

/* The index of a section's name, or -1. */
static int section_of(const char *name, uint32_t length) {
    for (int i = 0; i < SECTIONS; i++)
        if (strlen(section_names[i]) == length && memcmp(section_names[i], name, length) == 0)
            return i;
    return -1;
}

/* Updates the list of open sections if the token opens or closes one. */
static fvm_status track_section(fvm *vm, const char *token, uint32_t length) {
    if (length < 3)
        return FVM_OK;
    bool opens = token[0] == '{', closes = token[length - 1] == '}';
    if (opens == closes)
        return FVM_OK;
    int section = section_of(opens ? token + 1 : token, length - 1);
    if (section < 0)
        return FVM_OK;
    if (opens) {
        if (vm->section_count == (int32_t)(sizeof vm->sections / sizeof *vm->sections))
            return fvm_fail(vm, FVM_ERR_SECTION, 0, "too many open sections");
        vm->sections[vm->section_count] = section;
        vm->section_pos[vm->section_count++] = vm->token_pos;
        return FVM_OK;
    }
    for (int32_t i = vm->section_count - 1; i >= 0; i--) {
        if (vm->sections[i] != section)
            continue;
        vm->section_count--;
        for (int32_t k = i; k < vm->section_count; k++) {
            vm->sections[k] = vm->sections[k + 1];
            vm->section_pos[k] = vm->section_pos[k + 1];
        }
        return FVM_OK;
    }
    return fvm_fail(vm, FVM_ERR_SECTION, 0, "%s} without {%s before it", section_names[section],
                    section_names[section]);
}

/* --- tokens ----------------------------------------------------------------------- */

static fvm_status compile_number(fvm *vm, fvm_cell value) {
    fvm_status status = fvm_comma(vm, (fvm_cell)vm->primitives[FVM_OP_LIT]);
    return status == FVM_OK ? fvm_comma(vm, value) : status;
}

static fvm_status run_word(fvm *vm, fvm_addr nfa) {
    fvm_status status = track_section(vm, (const char *)vm->mem + FVM_PAD, vm->token_length);
    if (status == FVM_OK)
        status = fvm_run_token(vm, nfa + FVM_HEADER_BYTES, vm->source->rbase);
    if (status == FVM_OK && fvm_depth_of(vm) < 0)
        status = FVM_ERR_STACK_UNDERFLOW;
    return status;
}

/* The words of conditionals and loops, those first that close a structure. */
static const char *const control_words[] = {"ELSE", "ENDIF", "THEN", "UNTIL",  "REPEAT",
                                            "LOOP", "+LOOP", "IF",   "BEGIN",  "WHILE",
                                            "DO",   "LEAVE", "EXIT", "RECURSE"};
enum { CLOSING_WORDS = 7, CONTROL_WORDS = sizeof control_words / sizeof *control_words };

/* Whether the name of a word is one of the first `count` control words. */
static bool is_control_word(const fvm *vm, fvm_addr nfa, int count) {
    char name[16];
    fvm_name(vm, nfa, name, (int32_t)sizeof name);
    for (int i = 0; i < count; i++)
        if (strcmp(name, control_words[i]) == 0)
            return true;
    return false;
}

/* Whether a word of the library that builds code was typed at the prompt, outside a definition.  A
 * file may contain such words: the original did not object. */
static bool needs_definition(const fvm *vm, fvm_addr nfa) {
    return vm->at_prompt && vm->open_word == 0 && vm->source->outer == NULL && nfa < vm->fence &&
           is_control_word(vm, nfa, CONTROL_WORDS);
}

/* Replaces the error of a word that closes a control structure.  Such a word pops items that the
 * opening word pushes, so without an open structure it fails with an underflow. */
static fvm_status explain_closing(fvm *vm, fvm_status status, fvm_addr nfa, int32_t depth) {
    if ((status != FVM_ERR_STACK_UNDERFLOW && status != FVM_ERR_ADDRESS) || vm->open_word == 0 ||
        depth > vm->open_depth || !is_control_word(vm, nfa, CLOSING_WORDS))
        return status;
    fvm_record(vm, status, 0);
    vm->error.status = FVM_ERR_CONTROL;
    vm->error.word = nfa + FVM_HEADER_BYTES;
    vm->error.ip = 0; /* the failed cell is in the library, not in the script */
    vm->error.trace_count = vm->error.trace_total = 0;
    snprintf(vm->error.text, sizeof vm->error.text, "nothing is open to be closed");
    return FVM_ERR_CONTROL;
}

/* Runs or compiles the token at PAD. */
static fvm_status interpret_token(fvm *vm) {
    const char *token = (const char *)vm->mem + FVM_PAD;
    uint32_t length = vm->token_length;
    fvm_addr nfa = fvm_find_name(vm, token, length);
    fvm_status status = fvm_charge_work(vm, 16);
    if (status != FVM_OK)
        return status;
    bool compiling = fvm_get(vm, FVM_K_STATE) != 0;
    if (nfa != 0) {
        if (!fvm_in_header(vm, nfa))
            return fvm_fail(vm, FVM_ERR_ADDRESS, (fvm_cell)nfa, "a damaged header");
        if (compiling && (fvm_get(vm, nfa + FVM_HEADER_FLAGS) & FVM_FLAG_IMMEDIATE) == 0)
            return fvm_comma(vm, (fvm_cell)nfa + FVM_HEADER_BYTES);
        vm->running = nfa + FVM_HEADER_BYTES;
        if (!compiling && needs_definition(vm, nfa))
            return fvm_fail(vm, FVM_ERR_CONTEXT, 0,
                            "conditionals and loops belong in a definition: `: name ... ;`");
        int32_t depth = fvm_depth_of(vm);
        status = run_word(vm, nfa);
        return compiling && status != FVM_OK ? explain_closing(vm, status, nfa, depth) : status;
    }
    fvm_cell value;
    if (fvm_parse_number(token, length, fvm_get(vm, FVM_K_BASE), &value))
        return compiling ? compile_number(vm, value) : fvm_put_top(vm, value);
    return fvm_fail(vm, FVM_ERR_UNDEFINED, 0, "%.*s", length > 1000 ? 1000 : (int)length, token);
}

/* Checks at the end of a script that sections are closed and definitions finished. */
static fvm_status check_end(fvm *vm) {
    if (vm->section_count > 0) {
        int section = vm->sections[vm->section_count - 1];
        vm->token_pos = vm->section_pos[vm->section_count - 1];
        return fvm_fail(vm, FVM_ERR_SECTION, 0, "{%s is never closed by %s}",
                        section_names[section], section_names[section]);
    }
    if (vm->open_word != 0) {
        char name[64];
        fvm_name(vm, vm->open_word, name, (int32_t)sizeof name);
        fvm_warn(vm, "the definition of `%s` is never finished by ;", name);
    }
    return FVM_OK;
}

fvm_status fvm_interpret(fvm *vm, const char *text, uint32_t length, uint32_t base, int main) {
    int depth = 0;
    for (const fvm_source *outer = vm->source; outer != NULL; outer = outer->outer)
        depth++;
    fvm_phase phase = (fvm_phase)vm->phase;
    fvm_begin(vm, FVM_PHASE_INTERPRET);
    uint32_t token_pos = vm->token_pos;
    fvm_source source = {text, length, 0, base, vm->source, vm->rp};
    fvm_status status = FVM_OK;
    if (depth >= FVM_MAX_NESTING)
        status = fvm_fail(vm, FVM_ERR_NESTING, depth, "LOADs are nested too deep");
    vm->source = &source;
    fvm_forget_prepared(vm);
    while (status == FVM_OK && read_token(vm)) {
        status = fvm_spend(vm, 1);
        if (status == FVM_OK)
            status = interpret_token(vm);
    }
    if (status == FVM_OK && main)
        status = check_end(vm);
    if (status != FVM_OK) {
        if (vm->text_failed != NULL)
            vm->text_failed(vm, status);
        fvm_record(vm, status, 0);
        fvm_drop_open_word(vm);
        vm->section_count = 0;
        if (fvm_depth_of(vm) < 0)
            fvm_set_stack(vm, vm->stack);
    } else if (main) {
        fvm_drop_open_word(vm);
    }
    vm->source = source.outer;
    vm->rp = source.rbase;
    vm->token_pos = token_pos;
    vm->phase = (int32_t)phase;
    if (vm->nesting == 0 && vm->source == NULL)
        fvm_flush(vm);
    return status;
}
