/* generate.c: generates random fuzz cases.
 *
 * Owns the grammar of random sources and the mutations of corpus texts.  It must not run anything.
 * The same seed gives the same cases on every machine.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

/* --- output ----------------------------------------------------------------------- */

typedef struct {
    const fz_world *world;
    fz_random *random;
    uint8_t *out; /* the case */
    size_t size;  /* length of the case so far */
    size_t limit; /* maximum length of the case up to the end of its text */
    int names;    /* number of words that the text has defined: w0, w1 ... */
    int nesting;  /* number of enclosing control structures */
} fz_generator;

static uint32_t below(fz_generator *gen, uint32_t limit) { return fz_below(gen->random, limit); }

static void emit(fz_generator *gen, const char *text) {
    size_t length = strlen(text);
    if (gen->size + length + 1 < gen->limit) {
        memcpy(gen->out + gen->size, text, length);
        gen->size += length;
        gen->out[gen->size++] = below(gen, 30) == 0 ? '\n' : ' ';
    }
}

static void emit_byte(fz_generator *gen, uint32_t byte) {
    if (gen->size < FZ_MAX_CASE) {
        gen->out[gen->size++] = (uint8_t)byte;
    }
}

static void emit_number(fz_generator *gen) {
    static const char *edges[] = {
        "0",           "1",     "-1",  "2",        "3",    "4",     "7",    "8",
        "31",          "32",    "255", "1024",     "2048", "4095",  "4096", "2147483647",
        "-2147483648", "65536", "-4",  "16777216", "1.5",  "-0.25", ".5",   "3.",
        "2147483648",  "1e3",   "FF",  "-0",       "+5",   "1.0e30"};
    char text[16];
    switch (below(gen, 3)) {
    case 0:
        emit(gen, edges[below(gen, sizeof edges / sizeof *edges)]);
        return;
    case 1:
        snprintf(text, sizeof text, "%d", (int)below(gen, 64) - 4);
        break;
    default:
        snprintf(text, sizeof text, "%d", (int)fz_next(gen->random) >> below(gen, 32));
    }
    emit(gen, text);
}

/* Returns the name of a random word of the library. */
static const char *some_word(fz_generator *gen) {
    return gen->world->words[below(gen, (uint32_t)gen->world->word_count)].name;
}

/* Emits the name of a new word, or of a random word that the text has defined. */
static void emit_own_name(fz_generator *gen, int is_new) {
    char text[16];
    int which = is_new || gen->names == 0 ? gen->names++ : (int)below(gen, (uint32_t)gen->names);
    snprintf(text, sizeof text, "w%d", which);
    emit(gen, text);
}

/* --- grammar ---------------------------------------------------------------------- */

static void emit_body(fz_generator *gen, uint32_t count);

static void emit_control(fz_generator *gen) {
    switch (below(gen, 6)) {
    case 0:
        emit(gen, "IF");
        emit_body(gen, 4);
        emit(gen, below(gen, 2) ? "ELSE" : "ENDIF");
        emit_body(gen, 2);
        emit(gen, "ENDIF");
        break;
    case 1:
        emit_number(gen);
        emit_number(gen);
        emit(gen, "DO");
        emit_body(gen, 4);
        emit(gen, below(gen, 3) ? "LOOP" : "+LOOP");
        break;
    case 2:
        emit(gen, "5 0 DO I");
        emit_body(gen, 3);
        emit(gen, below(gen, 4) ? "LOOP" : "LEAVE LOOP");
        break;
    case 3:
        emit(gen, "BEGIN");
        emit_body(gen, 4);
        emit(gen, "UNTIL");
        break;
    case 4:
        emit(gen, "BEGIN");
        emit_body(gen, 2);
        emit(gen, "WHILE");
        emit_body(gen, 2);
        emit(gen, "REPEAT");
        break;
    default: /* deliberately unbalanced */
        emit(gen, below(gen, 2) ? "THEN" : "REPEAT");
    }
}

static void emit_text_word(fz_generator *gen) {
    static const char *openers[] = {"S\"", ".\"", "^\"", "(", "ABORT\"", "\\"};
    static const char *closers[] = {"\"", "\"", "\"", ")", "\"", "\n"};
    uint32_t which = below(gen, 6);
    emit(gen, openers[which]);
    emit(gen, below(gen, 3) ? "text" : "a much longer text, with blanks \x81\xff and more");
    if (below(gen, 8) != 0) {
        emit(gen, closers[which]);
    }
}

static void emit_item(fz_generator *gen) {
    uint32_t choice = below(gen, 100);
    if (choice < 38) {
        emit_number(gen);
    } else if (choice < 78) {
        emit(gen, some_word(gen));
    } else if (choice < 86) {
        emit_own_name(gen, 0);
    } else if (choice < 93 && gen->nesting < 4) {
        gen->nesting++;
        emit_control(gen);
        gen->nesting--;
    } else if (choice < 95) {
        emit_text_word(gen);
    } else if (choice < 97) {
        emit(gen, "[']");
        emit(gen, some_word(gen));
        emit(gen, below(gen, 2) ? "EXECUTE" : ",");
    } else {
        static const char *memory[] = {"PAD @",      "HERE !",   "HERE 4 - @", "PAD 64 +",
                                       "DUP @ SWAP", "$board @", "0 @",        "HERE C@",
                                       "R> DROP",    ">R",       "SP@ @",      "RP@ !"};
        emit(gen, memory[below(gen, sizeof memory / sizeof *memory)]);
    }
}

static void emit_body(fz_generator *gen, uint32_t count) {
    for (uint32_t i = below(gen, count + 1); i > 0; i--) {
        emit_item(gen);
    }
}

static void emit_definition(fz_generator *gen) {
    emit(gen, ":");
    emit_own_name(gen, 1);
    emit_body(gen, 14);
    emit(gen, below(gen, 20) ? ";" : "");
    if (below(gen, 12) == 0) {
        emit(gen, "IMMEDIATE");
    }
}

static void emit_data(fz_generator *gen) {
    static const char *makers[] = {"VARIABLE", "CREATE",        "7 CONSTANT", "5 []",      "DEFER",
                                   "TIMER",    "1.5 FCONSTANT", "FVARIABLE",  "VOCABULARY"};
    emit(gen, makers[below(gen, sizeof makers / sizeof *makers)]);
    emit_own_name(gen, 1);
    switch (below(gen, 6)) {
    case 0:
        emit(gen, "'");
        emit(gen, some_word(gen));
        emit(gen, "IS");
        emit_own_name(gen, 0);
        break;
    case 1:
        emit(gen, "1 , 2 C, 16 ALLOT");
        break;
    case 2:
        emit(gen, "FORGET");
        emit_own_name(gen, 0);
        break;
    case 3:
        emit(gen, ": maker <BUILDS , DOES> @ ; 9 maker");
        emit_own_name(gen, 1);
        break;
    default:
        break;
    }
}

static void emit_move_words(fz_generator *gen) {
    static const char *move_word_parts[] = {"n",
                                            "s",
                                            "e",
                                            "verify",
                                            "empty?",
                                            "enemy?",
                                            "NOT",
                                            "from here move",
                                            "here",
                                            "capture",
                                            "capture-at",
                                            "drop",
                                            "create",
                                            "add-move",
                                            "partial",
                                            "Pass",
                                            "3 change-type",
                                            "change-owner",
                                            "back",
                                            "home",
                                            "from",
                                            "to",
                                            "piece",
                                            "player",
                                            "1 partial-move-type",
                                            "COMPILE add-move",
                                            "5 COMPILE-LITERAL",
                                            "friend?",
                                            "current-piece",
                                            "TRUE",
                                            "FALSE",
                                            "board[]",
                                            "DUP",
                                            "DROP",
                                            "count ++",
                                            "COMPILE bump",
                                            "change-type-at",
                                            "create-piece-type-at",
                                            "PassNoPartial",
                                            "['] bump $CatchExit",
                                            "['] from $CatchExit verify"};
    for (int word = 0; word < 2; word++) {
        emit(gen, word == 0 ? ": m0" : ": m1");
        for (uint32_t i = 2 + below(gen, 12); i > 0; i--) {
            if (below(gen, 6) == 0) {
                emit_item(gen);
            } else {
                emit(gen,
                     move_word_parts[below(gen, sizeof move_word_parts / sizeof *move_word_parts)]);
            }
        }
        emit(gen, below(gen, 3) ? "from here move add-move ;" : ";");
    }
}

/* Emits a small game, in which some parts may be missing or unusual. */
static void emit_game(fz_generator *gen) {
    static const char *directives[] = {"$passTurnForced ON", "$flipGrid ON", "$combinePartial OFF",
                                       "$gameLog ON"};
    char text[48];
    if (below(gen, 4) == 0) {
        emit(gen, directives[below(gen, 4)]);
    }
    snprintf(text, sizeof text, "{board %d %d {grid}", 1 + (int)below(gen, 5),
             1 + (int)below(gen, 5));
    emit(gen, text);
    emit(gen,
         below(gen, 2) ? "{position} extra {variable} count 3 {array} tab" : "{variable} count");
    emit(gen, below(gen, 30) ? "board}" : "");
    emit(gen, ": bump 1 count +! ;");
    emit(gen, "{directions -1 0 {direction} n 1 0 {direction} s 0 1 {direction} e "
              "directions}");
    emit(gen, "{players {player} A {player} B");
    emit(gen, below(gen, 3) ? "players}" : "{neutral} N {random} {player} ?C {random} players}");
    emit(gen, "{turn-order {turn} A");
    emit(gen,
         below(gen, 3) ? "{turn} B turn-order}" : "{repeat} {turn} B {for-player} A turn-order}");
    if (below(gen, 3) == 0) {
        emit(gen, "{symmetries B {symmetry} n s symmetries}");
    }
    emit_move_words(gen);
    emit(gen, "{moves mm {move} m0 {move} m1 {move-type} second moves}");
    if (below(gen, 4) == 0) {
        emit(gen, "{move-priorities {move-priority} second move-priorities}");
    }
    emit(gen, "{pieces {piece} P {moves} mm {piece} Q");
    emit(gen, below(gen, 2) ? "{drops} mm 3 {value} pieces}" : "pieces}");
    emit(gen, "{board-setup {setup} A P a1 {setup} B Q b1 {setup} B P a2 board-setup}");
    if (below(gen, 3) == 0) {
        emit(gen, ": OnMovesGenerated $FirstMove DUP IF $RemoveMove ELSE DROP ENDIF");
        emit_body(gen, 4);
        emit(gen, ";");
    }
    for (uint32_t i = below(gen, 3); i > 0; i--) {
        static const char *hooks[] = {": OnIsGameOver", ": OnEvaluate",      ": OnNextTurn",
                                      ": OnMakeAMove",  ": OnNewGame",       ": OnIsTerminal?",
                                      ": OnFriends?",   ": OnGenerateMoves", ": OnMovesGenerated"};
        emit(gen, hooks[below(gen, sizeof hooks / sizeof *hooks)]);
        emit_body(gen, 6);
        emit(gen, "current-player material-balance ;");
    }
}

/* Opcodes (the array `operations` of operations.c). */
enum {
    OP_WRITE = 0,
    OP_WRITE_RANDOM = 1,
    OP_EXECUTE = 2,
    OP_EXECUTE_NEWEST = 3,
    OP_PUSH = 4,
    OP_SNAPSHOT = 6,
    OP_RESTORE = 7,
    OP_PATCH = 9,
    OP_BIND = 10,
    OP_NEW = 11,
    OP_GENERATE = 12,
    OP_OVER = 13,
    OP_MAKE = 14,
    OP_MAKE_ANY = 15,
    OP_INTERPRET = 24,
    OP_OPTION = 26,
    OP_BUDGET = 27,
    OP_INTERRUPT = 28,
    OP_DEFINE = 30
};

static void emit_operation(fz_generator *gen, uint32_t op, uint32_t operand) {
    emit_byte(gen, op);
    emit_byte(gen, operand);
    for (int i = 2; i < FZ_OPERATION_BYTES; i++) {
        emit_byte(gen, fz_next(gen->random));
    }
}

/* Emits operations that start the game that the text has defined, if any. */
static void emit_start(fz_generator *gen) {
    static const uint8_t start[] = {OP_BIND, OP_NEW, OP_GENERATE, OP_OVER};
    for (size_t i = 0; i < sizeof start; i++) {
        emit_operation(gen, start[i], 0);
    }
}

/* Operations that may damage the image: writes, execution of random addresses, patches, and
 * definitions above the move lists, which disappear with the lists. */
static const uint8_t damaging[] = {OP_WRITE,    OP_WRITE_RANDOM, OP_EXECUTE,   OP_PATCH,
                                   OP_MAKE_ANY, OP_INTERPRET,    OP_INTERRUPT, OP_DEFINE};

static void emit_operations(fz_generator *gen, uint32_t count, int may_damage) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = below(gen, FZ_OPERATIONS);
        if (!may_damage && memchr(damaging, (int)op, sizeof damaging) != NULL) {
            op = OP_MAKE;
        }
        emit_operation(gen, op, fz_next(gen->random));
    }
}

static void emit_grammar_case(fz_generator *gen) {
    int with_game = below(gen, 3) == 0;
    if (with_game) {
        emit_game(gen);
    }
    for (uint32_t i = 1 + below(gen, 6); i > 0; i--) {
        switch (below(gen, 4)) {
        case 0:
            emit_data(gen);
            break;
        case 1:
            emit_body(gen, 10);
            break;
        default:
            emit_definition(gen);
        }
    }
    emit_byte(gen, 0);
    if (with_game) {
        emit_start(gen);
    }
    for (uint32_t i = 0; i < 3; i++) {
        emit_operation(gen, OP_EXECUTE_NEWEST, i);
    }
    emit_operations(gen, below(gen, 6), 0);
}

/* --- mutation --------------------------------------------------------------------- */

static int is_blank(uint8_t c) { return c <= ' '; }

/* Returns the start of the first token after the one that contains `at`. */
static size_t next_token(const uint8_t *text, size_t size, size_t at) {
    while (at < size && !is_blank(text[at])) {
        at++;
    }
    while (at < size && is_blank(text[at])) {
        at++;
    }
    return at;
}

/* Replaces the bytes between the offsets `from` and `to`, unless the text would reach `limit`. */
static void replace(uint8_t *text, size_t *size, size_t limit, size_t from, size_t to,
                    const char *new_text, size_t length) {
    if (*size - (to - from) + length >= limit) {
        return;
    }
    memmove(text + from + length, text + to, *size - to);
    memcpy(text + from, new_text, length);
    *size = *size - (to - from) + length;
}

static void mutate_once(fz_generator *gen, uint8_t *text, size_t *size, size_t limit) {
    size_t from = next_token(text, *size, below(gen, (uint32_t)*size + 1));
    size_t to = next_token(text, *size, from);
    char copy[128];
    size_t length = to - from < sizeof copy ? to - from : sizeof copy;
    memcpy(copy, text + from, length);
    switch (below(gen, 7)) {
    case 0: /* delete */
        replace(text, size, limit, from, to, "", 0);
        break;
    case 1: /* duplicate */
        replace(text, size, limit, from, from, copy, length);
        break;
    case 2: { /* replace by a word */
        int put_length = snprintf(copy, sizeof copy, "%s ", some_word(gen));
        replace(text, size, limit, from, to, copy, (size_t)put_length);
        break;
    }
    case 3: { /* replace by a number */
        int put_length =
            snprintf(copy, sizeof copy, "%d ", (int)fz_next(gen->random) >> below(gen, 32));
        replace(text, size, limit, from, to, copy, (size_t)put_length);
        break;
    }
    case 4: { /* copy elsewhere */
        size_t target = next_token(text, *size, below(gen, (uint32_t)*size + 1));
        replace(text, size, limit, target, target, copy, length);
        break;
    }
    case 5: /* replace a byte */
        if (*size > 0) {
            text[below(gen, (uint32_t)*size)] = (uint8_t)(1 + below(gen, 255));
        }
        break;
    default: { /* insert a piece of another text */
        const fz_world *world = gen->world;
        const fz_text *other = &world->texts[below(gen, (uint32_t)world->text_count)];
        uint32_t start = below(gen, other->length);
        uint32_t piece = below(gen, 200);
        piece = piece < other->length - start ? piece : other->length - start;
        replace(text, size, limit, from, from, other->bytes + start, piece);
    }
    }
}

static void emit_mutation_case(fz_generator *gen) {
    const fz_world *world = gen->world;
    const fz_text *text = &world->texts[below(gen, (uint32_t)world->text_count)];
    uint32_t window = 4096; /* maximum length of the part of the text that is used */
    uint32_t start = text->length > window ? below(gen, text->length - window) : 0;
    uint32_t length = text->length - start < window ? text->length - start : window;
    memcpy(gen->out + gen->size, text->bytes + start, length);
    size_t size = length;
    for (uint32_t i = 1 + below(gen, 6); i > 0; i--) {
        mutate_once(gen, gen->out + gen->size, &size, gen->limit - gen->size);
    }
    for (size_t i = 0; i < size; i++) { /* replace zero bytes, which would end the text */
        uint8_t *byte = gen->out + gen->size + i;
        *byte = *byte == 0 ? ' ' : *byte;
    }
    gen->size += size;
    emit_byte(gen, 0);
    emit_start(gen);
    emit_operations(gen, below(gen, 8), 0);
}

/* --- code ------------------------------------------------------------------------- */

/* Emits a program for the JIT, and operations that run its newest words: with a small step budget,
 * after failures, in restored states. */
static void emit_code_case(fz_generator *gen) {
    static const uint8_t before[] = {OP_PUSH,   OP_SNAPSHOT, OP_RESTORE, OP_OPTION,
                                     OP_BUDGET, OP_BUDGET,   OP_BUDGET};
    gen->size += fz_generate_code(gen->random, gen->out + gen->size, gen->limit - gen->size);
    emit_byte(gen, 0);
    for (uint32_t i = below(gen, 10); i > 0; i--) {
        emit_operation(gen, before[below(gen, sizeof before)], fz_next(gen->random));
        emit_operation(gen, OP_EXECUTE_NEWEST, below(gen, 4));
    }
}

/* --- the kinds -------------------------------------------------------------------- */

const char *fz_kind_name(fz_kind kind) {
    static const char *names[] = {"grammar", "mutation", "image", "play", "code"};
    return names[kind];
}

size_t fz_generate(const fz_world *world, fz_random *random, fz_kind kind, uint8_t *out) {
    fz_generator gen = {world, random, out, 0, FZ_MAX_CASE - 2048, 0, 0};
    uint32_t base = kind == FZ_KIND_PLAY || kind == FZ_KIND_IMAGE
                        ? 1 + fz_below(random, (uint32_t)world->base_count - 1)
                        : 1;
    if ((kind == FZ_KIND_GRAMMAR || kind == FZ_KIND_MUTATION) && fz_below(random, 16) == 0) {
        base = 0;
    }
    emit_byte(&gen, base);
    /* Checked mode is rare because it is slow, a tiny budget because it ends a case early. Programs
     * for the JIT run each line separately, in versions 150 and 151 (index 0 or 2) only. */
    uint32_t options = fz_next(random) & (FZ_VERSION | FZ_POLLED);
    options |= fz_below(random, 12) == 0 ? FZ_CHECKED : 0;
    options |= fz_below(random, 8) == 0 ? FZ_TINY_BUDGET : 0;
    if (kind == FZ_KIND_CODE) {
        options &= FZ_TINY_BUDGET | 2;
        options |= FZ_RUN_LINES | (fz_below(random, 4) == 0 ? FZ_CHECKED : 0);
    }
    emit_byte(&gen, options);
    switch (kind) {
    case FZ_KIND_GRAMMAR:
        emit_grammar_case(&gen);
        break;
    case FZ_KIND_MUTATION:
        emit_mutation_case(&gen);
        break;
    case FZ_KIND_CODE:
        emit_code_case(&gen);
        break;
    case FZ_KIND_IMAGE:
        emit_byte(&gen, 0);
        emit_operations(&gen, 4 + fz_below(random, 40), 1);
        break;
    default:
        emit_byte(&gen, 0);
        emit_operation(&gen, OP_GENERATE, 0);
        emit_operations(&gen, 4 + fz_below(random, 40), 0);
    }
    return gen.size;
}
