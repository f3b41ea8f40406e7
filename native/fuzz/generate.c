/* generate.c: generates random fuzz cases.
 *
 * Owns the grammar of random sources and the mutations of corpus texts; must not run anything.  The
 * same seed gives the same cases on every machine.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

/* --- random numbers --------------------------------------------------------------- */

uint32_t fz_next(fz_random *random) {
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)((x * 0x2545F4914F6CDD1Du) >> 32);
}

uint32_t fz_below(fz_random *random, uint32_t limit) {
    return limit == 0 ? 0 : (uint32_t)(((uint64_t)fz_next(random) * limit) >> 32);
}

/* --- writing ---------------------------------------------------------------------- */

typedef struct {
    const fz_world *world;
    fz_random *random;
    uint8_t *out;
    size_t size;
    size_t limit; /* room kept for the operations after the text */
    int names;    /* words this source has defined: w0, w1 ... */
    int nesting;
} fz_maker;

static uint32_t below(fz_maker *make, uint32_t limit) { return fz_below(make->random, limit); }

static void put(fz_maker *make, const char *text) {
    size_t length = strlen(text);
    if (make->size + length + 1 < make->limit) {
        memcpy(make->out + make->size, text, length);
        make->size += length;
        make->out[make->size++] = below(make, 30) == 0 ? '\n' : ' ';
    }
}

static void put_byte(fz_maker *make, uint32_t byte) {
    if (make->size < FZ_MAX_CASE) {
        make->out[make->size++] = (uint8_t)byte;
    }
}

static void put_number(fz_maker *make) {
    static const char *edges[] = {
        "0",           "1",     "-1",  "2",        "3",    "4",     "7",    "8",
        "31",          "32",    "255", "1024",     "2048", "4095",  "4096", "2147483647",
        "-2147483648", "65536", "-4",  "16777216", "1.5",  "-0.25", ".5",   "3.",
        "2147483648",  "1e3",   "FF",  "-0",       "+5",   "1.0e30"};
    char text[16];
    switch (below(make, 3)) {
    case 0:
        put(make, edges[below(make, sizeof edges / sizeof *edges)]);
        return;
    case 1:
        snprintf(text, sizeof text, "%d", (int)below(make, 64) - 4);
        break;
    default:
        snprintf(text, sizeof text, "%d", (int)fz_next(make->random) >> below(make, 32));
    }
    put(make, text);
}

static const char *some_word(fz_maker *make) {
    return make->world->words[below(make, (uint32_t)make->world->word_count)].name;
}

static void put_own_name(fz_maker *make, int fresh) {
    char text[16];
    int which = fresh || make->names == 0 ? make->names++ : (int)below(make, (uint32_t)make->names);
    snprintf(text, sizeof text, "w%d", which);
    put(make, text);
}

/* --- grammar ---------------------------------------------------------------------- */

static void put_body(fz_maker *make, uint32_t count);

static void put_control(fz_maker *make) {
    switch (below(make, 6)) {
    case 0:
        put(make, "IF");
        put_body(make, 4);
        put(make, below(make, 2) ? "ELSE" : "ENDIF");
        put_body(make, 2);
        put(make, "ENDIF");
        break;
    case 1:
        put_number(make);
        put_number(make);
        put(make, "DO");
        put_body(make, 4);
        put(make, below(make, 3) ? "LOOP" : "+LOOP");
        break;
    case 2:
        put(make, "5 0 DO I");
        put_body(make, 3);
        put(make, below(make, 4) ? "LOOP" : "LEAVE LOOP");
        break;
    case 3:
        put(make, "BEGIN");
        put_body(make, 4);
        put(make, "UNTIL");
        break;
    case 4:
        put(make, "BEGIN");
        put_body(make, 2);
        put(make, "WHILE");
        put_body(make, 2);
        put(make, "REPEAT");
        break;
    default: /* unbalanced on purpose */
        put(make, below(make, 2) ? "THEN" : "REPEAT");
    }
}

static void put_text_word(fz_maker *make) {
    static const char *openers[] = {"S\"", ".\"", "^\"", "(", "ABORT\"", "\\"};
    static const char *closers[] = {"\"", "\"", "\"", ")", "\"", "\n"};
    uint32_t which = below(make, 6);
    put(make, openers[which]);
    put(make, below(make, 3) ? "text" : "a much longer text, with blanks \x81\xff and more");
    if (below(make, 8) != 0) {
        put(make, closers[which]);
    }
}

static void put_item(fz_maker *make) {
    uint32_t dice = below(make, 100);
    if (dice < 38) {
        put_number(make);
    } else if (dice < 78) {
        put(make, some_word(make));
    } else if (dice < 86) {
        put_own_name(make, 0);
    } else if (dice < 93 && make->nesting < 4) {
        make->nesting++;
        put_control(make);
        make->nesting--;
    } else if (dice < 95) {
        put_text_word(make);
    } else if (dice < 97) {
        put(make, "[']");
        put(make, some_word(make));
        put(make, below(make, 2) ? "EXECUTE" : ",");
    } else {
        static const char *memory[] = {"PAD @",      "HERE !",   "HERE 4 - @", "PAD 64 +",
                                       "DUP @ SWAP", "$board @", "0 @",        "HERE C@",
                                       "R> DROP",    ">R",       "SP@ @",      "RP@ !"};
        put(make, memory[below(make, sizeof memory / sizeof *memory)]);
    }
}

static void put_body(fz_maker *make, uint32_t count) {
    for (uint32_t i = below(make, count + 1); i > 0; i--) {
        put_item(make);
    }
}

static void put_definition(fz_maker *make) {
    put(make, ":");
    put_own_name(make, 1);
    put_body(make, 14);
    put(make, below(make, 20) ? ";" : "");
    if (below(make, 12) == 0) {
        put(make, "IMMEDIATE");
    }
}

static void put_data(fz_maker *make) {
    static const char *makers[] = {"VARIABLE", "CREATE",        "7 CONSTANT", "5 []",      "DEFER",
                                   "TIMER",    "1.5 FCONSTANT", "FVARIABLE",  "VOCABULARY"};
    put(make, makers[below(make, sizeof makers / sizeof *makers)]);
    put_own_name(make, 1);
    switch (below(make, 6)) {
    case 0:
        put(make, "'");
        put(make, some_word(make));
        put(make, "IS");
        put_own_name(make, 0);
        break;
    case 1:
        put(make, "1 , 2 C, 16 ALLOT");
        break;
    case 2:
        put(make, "FORGET");
        put_own_name(make, 0);
        break;
    case 3:
        put(make, ": maker <BUILDS , DOES> @ ; 9 maker");
        put_own_name(make, 1);
        break;
    default:
        break;
    }
}

static void put_move_words(fz_maker *make) {
    static const char *steps[] = {"n",
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
                                  "PassNoPartial"};
    for (int word = 0; word < 2; word++) {
        put(make, word == 0 ? ": m0" : ": m1");
        for (uint32_t i = 2 + below(make, 12); i > 0; i--) {
            if (below(make, 6) == 0) {
                put_item(make);
            } else {
                put(make, steps[below(make, sizeof steps / sizeof *steps)]);
            }
        }
        put(make, below(make, 3) ? "from here move add-move ;" : ";");
    }
}

/* A whole small game with a few holes and surprises. */
static void put_game(fz_maker *make) {
    static const char *directives[] = {"$passTurnForced ON", "$flipGrid ON", "$combinePartial OFF",
                                       "$gameLog ON"};
    char text[48];
    if (below(make, 4) == 0) {
        put(make, directives[below(make, 4)]);
    }
    snprintf(text, sizeof text, "{board %d %d {grid}", 1 + (int)below(make, 5),
             1 + (int)below(make, 5));
    put(make, text);
    put(make,
        below(make, 2) ? "{position} extra {variable} count 3 {array} tab" : "{variable} count");
    put(make, below(make, 30) ? "board}" : "");
    put(make, ": bump 1 count +! ;");
    put(make, "{directions -1 0 {direction} n 1 0 {direction} s 0 1 {direction} e "
              "directions}");
    put(make, "{players {player} A {player} B");
    put(make, below(make, 3) ? "players}" : "{neutral} N {random} {player} ?C {random} players}");
    put(make, "{turn-order {turn} A");
    put(make,
        below(make, 3) ? "{turn} B turn-order}" : "{repeat} {turn} B {for-player} A turn-order}");
    if (below(make, 3) == 0) {
        put(make, "{symmetries B {symmetry} n s symmetries}");
    }
    put_move_words(make);
    put(make, "{moves mm {move} m0 {move} m1 {move-type} second moves}");
    if (below(make, 4) == 0) {
        put(make, "{move-priorities {move-priority} second move-priorities}");
    }
    put(make, "{pieces {piece} P {moves} mm {piece} Q");
    put(make, below(make, 2) ? "{drops} mm 3 {value} pieces}" : "pieces}");
    put(make, "{board-setup {setup} A P a1 {setup} B Q b1 {setup} B P a2 board-setup}");
    for (uint32_t i = below(make, 3); i > 0; i--) {
        static const char *events[] = {": OnIsGameOver", ": OnEvaluate",     ": OnNextTurn",
                                       ": OnMakeAMove",  ": OnNewGame",      ": OnIsTerminal?",
                                       ": OnFriends?",   ": OnGenerateMoves"};
        put(make, events[below(make, sizeof events / sizeof *events)]);
        put_body(make, 6);
        put(make, "current-player material-balance ;");
    }
}

static void put_operation(fz_maker *make, uint32_t op, uint32_t operand) {
    put_byte(make, op);
    put_byte(make, operand);
    for (int i = 2; i < FZ_RECORD; i++) {
        put_byte(make, fz_next(make->random));
    }
}

/* Operations that start whatever game the text has defined. */
static void put_start(fz_maker *make) {
    static const uint8_t start[] = {10, 11, 12, 13};
    for (size_t i = 0; i < sizeof start; i++) {
        put_operation(make, start[i], 0);
    }
}

/* Writes, runs at random, patches, and definitions while lists lie above HERE, which go
 * with the lists and take the dictionary with them. */
static const uint8_t damaging[] = {0, 1, 2, 9, 15, 24, 28, 30};

static void put_operations(fz_maker *make, uint32_t count, int writes) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = below(make, FZ_OPS);
        if (!writes && memchr(damaging, (int)op, sizeof damaging) != NULL) {
            op = 14; /* rather make a move */
        }
        put_operation(make, op, fz_next(make->random));
    }
}

static void make_grammar(fz_maker *make) {
    int game = below(make, 3) == 0;
    if (game) {
        put_game(make);
    }
    for (uint32_t i = 1 + below(make, 6); i > 0; i--) {
        switch (below(make, 4)) {
        case 0:
            put_data(make);
            break;
        case 1:
            put_body(make, 10);
            break;
        default:
            put_definition(make);
        }
    }
    put_byte(make, 0);
    if (game) {
        put_start(make);
    }
    for (uint32_t i = 0; i < 3; i++) { /* run the newest words */
        put_operation(make, 3, i);
    }
    put_operations(make, below(make, 6), 0);
}

/* --- mutation --------------------------------------------------------------------- */

static int blank(uint8_t c) { return c <= ' '; }

/* Start of the next token at or after `at`. */
static size_t next_token(const uint8_t *text, size_t size, size_t at) {
    while (at < size && !blank(text[at])) {
        at++;
    }
    while (at < size && blank(text[at])) {
        at++;
    }
    return at;
}

static void replace(uint8_t *text, size_t *size, size_t limit, size_t from, size_t to,
                    const char *by, size_t length) {
    if (*size - (to - from) + length >= limit) {
        return;
    }
    memmove(text + from + length, text + to, *size - to);
    memcpy(text + from, by, length);
    *size = *size - (to - from) + length;
}

static void mutate_once(fz_maker *make, uint8_t *text, size_t *size, size_t limit) {
    size_t from = next_token(text, *size, below(make, (uint32_t)*size + 1));
    size_t to = next_token(text, *size, from);
    char copy[128];
    size_t length = to - from < sizeof copy ? to - from : sizeof copy;
    memcpy(copy, text + from, length);
    switch (below(make, 7)) {
    case 0: /* delete */
        replace(text, size, limit, from, to, "", 0);
        break;
    case 1: /* twice */
        replace(text, size, limit, from, from, copy, length);
        break;
    case 2: { /* another word */
        int put_length = snprintf(copy, sizeof copy, "%s ", some_word(make));
        replace(text, size, limit, from, to, copy, (size_t)put_length);
        break;
    }
    case 3: { /* a number */
        int put_length =
            snprintf(copy, sizeof copy, "%d ", (int)fz_next(make->random) >> below(make, 32));
        replace(text, size, limit, from, to, copy, (size_t)put_length);
        break;
    }
    case 4: { /* moved elsewhere */
        size_t target = next_token(text, *size, below(make, (uint32_t)*size + 1));
        replace(text, size, limit, target, target, copy, length);
        break;
    }
    case 5: /* a byte */
        if (*size > 0) {
            text[below(make, (uint32_t)*size)] = (uint8_t)(1 + below(make, 255));
        }
        break;
    default: { /* a piece of another text */
        const fz_world *world = make->world;
        const fz_text *other = &world->texts[below(make, (uint32_t)world->text_count)];
        uint32_t start = below(make, other->length);
        uint32_t piece = below(make, 200);
        piece = piece < other->length - start ? piece : other->length - start;
        replace(text, size, limit, from, from, other->bytes + start, piece);
    }
    }
}

static void make_mutation(fz_maker *make) {
    const fz_world *world = make->world;
    const fz_text *text = &world->texts[below(make, (uint32_t)world->text_count)];
    uint32_t window = 4096; /* of a long text, only a part */
    uint32_t start = text->length > window ? below(make, text->length - window) : 0;
    uint32_t length = text->length - start < window ? text->length - start : window;
    memcpy(make->out + make->size, text->bytes + start, length);
    size_t size = length;
    for (uint32_t i = 1 + below(make, 6); i > 0; i--) {
        mutate_once(make, make->out + make->size, &size, make->limit - make->size);
    }
    for (size_t i = 0; i < size; i++) { /* a zero would end the text */
        uint8_t *byte = make->out + make->size + i;
        *byte = *byte == 0 ? ' ' : *byte;
    }
    make->size += size;
    put_byte(make, 0);
    put_start(make);
    put_operations(make, below(make, 8), 0);
}

/* --- code ------------------------------------------------------------------------- */

/* The newest words once more: with little fuel, after failures, in restored states. */
static void make_code(fz_maker *make) {
    static const uint8_t before[] = {4, 6, 7, 26, 27, 27, 27}; /* push ... budget */
    make->size += fz_generate_code(make->random, make->out + make->size, make->limit - make->size);
    put_byte(make, 0);
    for (uint32_t i = below(make, 10); i > 0; i--) {
        put_operation(make, before[below(make, sizeof before)], fz_next(make->random));
        put_operation(make, 3, below(make, 4));
    }
}

/* --- the kinds -------------------------------------------------------------------- */

const char *fz_kind_name(fz_kind kind) {
    static const char *names[] = {"grammar", "mutation", "image", "play", "code"};
    return names[kind];
}

size_t fz_generate(const fz_world *world, fz_random *random, fz_kind kind, uint8_t *out) {
    fz_maker make = {world, random, out, 0, FZ_MAX_CASE - 2048, 0, 0};
    uint32_t base = kind == FZ_KIND_PLAY || kind == FZ_KIND_IMAGE
                        ? 1 + fz_below(random, (uint32_t)world->base_count - 1)
                        : 1;
    if ((kind == FZ_KIND_GRAMMAR || kind == FZ_KIND_MUTATION) && fz_below(random, 16) == 0) {
        base = 0;
    }
    put_byte(&make, base);
    /* Checked mode is slow and a tiny budget ends early: both are tried, but less
     * often. */
    uint32_t options = fz_next(random) & 0x0B;
    options |= fz_below(random, 12) == 0 ? 4 : 0;
    options |= fz_below(random, 8) == 0 ? 16 : 0;
    if (kind == FZ_KIND_CODE) {
        options = (options & 0x12) | 32 | (fz_below(random, 4) == 0 ? 4 : 0);
    }
    put_byte(&make, options);
    switch (kind) {
    case FZ_KIND_GRAMMAR:
        make_grammar(&make);
        break;
    case FZ_KIND_MUTATION:
        make_mutation(&make);
        break;
    case FZ_KIND_CODE:
        make_code(&make);
        break;
    case FZ_KIND_IMAGE:
        put_byte(&make, 0);
        put_operations(&make, 4 + fz_below(random, 40), 1);
        break;
    default:
        put_byte(&make, 0);
        put_operation(&make, 12, 0);
        put_operations(&make, 4 + fz_below(random, 40), 0);
    }
    return make.size;
}
