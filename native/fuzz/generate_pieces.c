/* generate_pieces.c: the pieces of programs that test the JIT.
 *
 * Owns the text and the stack effect of each piece.  generate_code.c combines the pieces. */
#include "generate_code.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CALLER_ITEMS = 5 /* maximum number of items of its caller that a word may read */ };

typedef struct {
    const char *text;
    int8_t pops, pushes; /* numbers of items */
    int8_t cost;         /* approximate number of steps */
} piece;

int fz_random_below(fz_program *gen, int limit) {
    return (int)fz_below(gen->random, (uint32_t)limit);
}
bool fz_chance(fz_program *gen, int percent) { return fz_random_below(gen, 100) < percent; }

void fz_emit(fz_program *gen, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < (int)sizeof text && gen->size + (size_t)length + 1 < gen->limit) {
        memcpy(gen->out + gen->size, text, (size_t)length);
        gen->size += (size_t)length;
        gen->out[gen->size++] = ' ';
    }
}

void fz_end_line(fz_program *gen) { gen->out[gen->size - 1] = '\n'; }
void fz_add_cost(fz_program *gen, int steps) { gen->cost += steps * gen->iterations; }

/* Returns a random number of random magnitude.  The two calls are separate statements, because C
 * does not define the order of evaluation inside an expression. */
static int random_number(fz_program *gen) {
    int number = (int)fz_next(gen->random);
    return number >> fz_random_below(gen, 32);
}

static void emit_number(fz_program *gen) {
    static const char *edges[] = {"0",     "1",      "-1",         "2",           "31",
                                  "32",    "33",     "255",        "-128",        "128",
                                  "65535", "-32768", "2147483647", "-2147483648", "1073741824",
                                  "4",     "-4",     "16777216",   "-2147483647", "256"};
    switch (fz_random_below(gen, 4)) {
    case 0:
        fz_emit(gen, "%s", edges[fz_random_below(gen, FZ_COUNT(edges))]);
        break;
    case 1:
        fz_emit(gen, "%d", random_number(gen));
        break;
    default:
        fz_emit(gen, "%d", fz_random_below(gen, 24) - 4);
    }
}

/* --- pieces ----------------------------------------------------------------------- */

/* The definitions at the beginning of every program.  Programs use these words, their own and those
 * of the library.  Some words depend on their caller:
 *   inl          pushes the cell that follows its call
 *   skp, ?skp    skip the literal that follows their call
 *   rx           ends its caller; up makes its caller return to the caller's caller
 *   bump, lim    change the index and the limit of a loop in their caller
 *   peek, peek2  push the top cell that their caller has on the return stack
 *   fix          brings the depth of the parameter stack into the range 24 to 48 */
static const char prelude[] =
    /* Snapshots do not contain memory above HERE, so it gets the same contents in both runs. */
    "0 LIMIT 4 - ! HERE 16000 0 FILL "
    ": AGAIN COMPILE BRANCH , ; IMMEDIATE : UNLOOP R> R> R> R> DROP DROP DROP >R ; "
    ": 2OVER 3 PICK 3 PICK ; : NIP SWAP DROP ; : TUCK SWAP OVER ; : -ROT ROT ROT ; "
    ": 2SWAP ROT >R ROT R> ; : ?DUP DUP IF DUP THEN ; : inl R> DUP CELLSIZE + >R @ ; "
    ": ROLL DUP 0 > IF SWAP >R 1- RECURSE R> SWAP ELSE DROP THEN ; "
    ": U< -2147483648 + SWAP -2147483648 + > ; : RSHIFT 0 DO 2/ LOOP ; "
    ": LSHIFT BEGIN DUP 0 > WHILE 1- SWAP 2* SWAP REPEAT DROP ; "
    ": rx R> DROP ; : up R> R> DROP >R ; VARIABLE va VARIABLE vb VARIABLE ck VARIABLE tick "
    ": xu va ++ up ; VARIABLE tok VARIABLE c0 VARIABLE c1 VARIABLE c2 VARIABLE c3 VARIABLE c4 "
    "VARIABLE c5 8 [] ar CREATE tb 1 , -2 , 300 , 40000 , -5 , 6 , 7 , 8 , "
    "CREATE bt 1 C, 128 C, 255 C, 7 C, 44 ALLOT "
    ": mk <BUILDS , DOES> DUP ++ @ ; 5 mk dn "
    ": mm <BUILDS , , DOES> DUP @ SWAP CELLSIZE + @ ROT * + ; 3 -4 mm dm "
    ": mt <BUILDS 4 * ALLOT DOES> SWAP 3 AND CELLS + ; 4 mt dt "
    ": ml <BUILDS , DOES> BEGIN @ DUP @ 0= UNTIL ; CREATE e0 0 , CREATE e1 e0 , CREATE e2 e1 , "
    "e2 ml chain DEFER df DEFER dg DEFER dr "
    ": fix BEGIN DEPTH 24 < WHILE 7 REPEAT BEGIN DEPTH 48 > WHILE XOR REPEAT ; "
    ": m1 <BUILDS , DOES> @ 1+ ; 9 m1 dk : sm 5 + ; : s2 9 SWAP ; : pk DUP 9 XOR "
    "OVER 2 PICK - ROT + SWAP ; "
    ": skp R> 8 + >R ; : ?skp IF R> 8 + >R THEN ; : xv R DROP up ; 4 CONSTANT ka "
    ": jn 5 [ ' BRANCH , HERE 8 + , ' LIT , ' R> , ' DROP , ] ; -7 CONSTANT kb "
    ": bump R> R> 1+ >R >R ; : lim R> R> R> 1- >R >R >R ; "
    ": peek R> R> DUP >R SWAP >R ; : peek2 RP@ 4 - @ ; ";

/* clang-format off: tables laid out by hand. */
static const char *const pushes[] = {
    "va @",      "vb @",         "ka",          "kb",          "2 ar @", "tb 6 + @", "tb 8 + @",
    "bt 2 + C@", "bt C@",        "tb 5 + I@",   "bt UI@",      "DEPTH",  "tick @",   "TRUE",
    "FALSE",     "STATE @",      "BASE @",      "HERE",        "dn",     "chain",    "R",
    "PAD",       "LIMIT",        "['] sm",      "1 dt @",      "RP@",    "SP@ @",    "ck @",
    "bt @",      "S\" abc\" C@", "LIMIT 4 - @", "LIMIT 1- C@", "R@",     "peek",     "peek2",
    "RP@ @",     "RP@ 4 - @"};

/* The first FLAG_AND_MOVE_WORDS entries of stack_words produce flags or move items.  The first
 * PLAIN_WORDS entries contain no calls. */
enum { FLAG_AND_MOVE_WORDS = 20, PLAIN_WORDS = 58 };

static const piece stack_words[] = {
    /* without calls: a loop of these words has its items in registers */
    {"+", 2, 1, 1},
    {"-", 2, 1, 1},
    {"*", 2, 1, 1},
    {"AND", 2, 1, 1},
    {"OR", 2, 1, 1},
    {"XOR", 2, 1, 1},
    {"=", 2, 1, 1},
    {"<>", 2, 1, 1},
    {"<", 2, 1, 1},
    {">", 2, 1, 1},
    {"<=", 2, 1, 1},
    {">=", 2, 1, 1},
    {"U<", 2, 1, 1},
    {"MAX", 2, 1, 2},
    {"MIN", 2, 1, 2},
    {"SWAP", 2, 2, 1},
    {"ROT", 3, 3, 1},
    {"-ROT", 3, 3, 2},
    {"NIP", 2, 1, 1},
    {"TUCK", 2, 3, 1},
    {"DROP", 1, 0, 1},
    {"2DROP", 2, 0, 1},
    {"1+", 1, 1, 1},
    {"1-", 1, 1, 1},
    {"2+", 1, 1, 1},
    {"2-", 1, 1, 1},
    {"2*", 1, 1, 1},
    {"2/", 1, 1, 1},
    {"NEGATE", 1, 1, 1},
    {"ABS", 1, 1, 1},
    {"INVERT", 1, 1, 1},
    {"NOT", 1, 1, 1},
    {"0=", 1, 1, 1},
    {"0<>", 1, 1, 1},
    {"0<", 1, 1, 1},
    {"0>", 1, 1, 1},
    {"C>N", 1, 1, 1},
    {"3 /", 1, 1, 1},
    {"-7 MOD", 1, 1, 1},
    {"16 /MOD", 1, 2, 1},
    {"DUP 7 AND 1+ /", 1, 1, 1},
    {"OVER 15 AND 2+ MOD", 2, 2, 1},
    {"OVER 1 OR DUP -1 = - /MOD", 2, 3, 1},
    {">R SWAP R>", 3, 3, 1},
    {">R DUP R>", 2, 3, 1},
    {">R R + R>", 2, 2, 1},
    {"DUP >R 1+ R> -", 1, 1, 1},
    {"va !", 1, 0, 1},
    {"vb +!", 1, 0, 1},
    {"DUP va !", 1, 1, 1},
    {"7 AND CELLS tb + @", 1, 1, 2},
    {"15 AND tb + @", 1, 1, 1},
    {"31 AND bt + C@", 1, 1, 1},
    {"SWAP 31 AND bt + C!", 2, 0, 1},
    {"SWAP 15 AND tb + !", 2, 0, 1},
    {"15 AND tb + ++", 1, 0, 1},
    {"-2147483648 XOR", 1, 1, 1},
    {"DUP 2/ SWAP OVER", 1, 3, 1},
    /* with calls or other side exits */
    {"2SWAP", 4, 4, 3},
    {"7 3 */", 1, 1, 1},
    {"9 5 */MOD", 1, 2, 1},
    {"31 LSHIFT", 1, 1, 70},
    {"3 RSHIFT", 1, 1, 8},
    {"3 ROLL", 4, 4, 20},
    {"?DUP IF va +! THEN", 1, 0, 2},
    {"3 ar !", 1, 0, 1},
    {"7 AND ar @", 1, 1, 2},
    {"15 AND tb + UI@", 1, 1, 1},
    {"SWAP 7 AND ar !", 2, 0, 2},
    {"7 AND ar +!", 2, 0, 1},
    {"31 AND bt + C++", 1, 0, 1},
    {"PAD 90 + !", 1, 0, 1},
    {"PAD 90 + ! PAD 91 + @", 1, 1, 1},
    {"HERE 40 + ! HERE 41 + C@", 1, 1, 1},
    {"3 AND CELLS tt + @ EXECUTE", 2, 1, 8},
    {"df", 1, 1, 8},
    {"dg", 1, 1, 8},
    {"7 AND dr", 1, 1, 20},
    {"['] l0 EXECUTE", 1, 1, 8},
    {"DUP 1 AND IF ['] l1 ELSE ['] l2 THEN EXECUTE", 1, 1, 9},
    {"tok @ EXECUTE", 1, 1, 8},
    {"pc", 1, 1, 14},
    {"sm", 1, 1, 2},
    {"s2", 1, 2, 2},
    {"dm", 1, 1, 3},
    {"dt @", 1, 1, 2},
    {"dt !", 2, 0, 2},
    {"l0", 1, 1, 7},
    {"l1", 1, 1, 7},
    {"l2", 1, 1, 7},
    {"l3", 1, 1, 7},
    {"7 AND CELLS tb + DUP @ OVER 4 - @ + SWAP !", 1, 0, 2},
    {"7 AND tb + DUP C@ SWAP 2DUP 1+ C! 2+ C@ +", 1, 1, 1},
    {"SP@ 4 - !", 2, 1, 1},
    {"['] l3 SWAP DROP EXECUTE", 2, 1, 8},
    {"DUP 0< IF NEGATE THEN", 1, 1, 1},
    {"2DUP > IF SWAP THEN", 2, 2, 1},
    {"DUP . ", 1, 1, 2},
    {"255 AND N>F 1.5 F* F>N", 1, 1, 2},
    {"F*", 2, 1, 1}, /* most small negative numbers are NaN */
    {"F+", 2, 1, 1},
    {"F-", 2, 1, 1},
    {"F/", 2, 1, 1},
    {"FMOD", 2, 1, 1},
    {"F<", 2, 1, 1},
    {"FSQRT", 1, 1, 1},
    {"FLOOR", 1, 1, 1},
    {"FEXP", 1, 1, 1},
    {"LIMIT 4 - !", 1, 0, 1},
    {"LIMIT 3 - C!", 1, 0, 1},
    {"2 ROLL", 3, 3, 14},
    {"pk", 2, 3, 2},
    {"dk +", 1, 1, 3},
    {"skp 77", 0, 0, 3},
    {"0= ?skp 5", 1, 0, 3},
    {"1 AND ?skp 5", 1, 0, 3},
    {"tok @ SWAP 1 AND IF DROP ['] 1+ THEN EXECUTE", 2, 1, 9},
    {"['] dm EXECUTE", 1, 1, 4},
    {"['] va EXECUTE @", 0, 1, 3},
    {"['] NEGATE EXECUTE", 1, 1, 2},
    {"['] df EXECUTE", 1, 1, 9},
    {"['] ka EXECUTE", 0, 1, 3}};

/* These words do not pop the items that they read, which may belong to the caller. */
static const piece copies[] = {
    {"DUP", 1, 1, 1},       {"OVER", 2, 1, 1},        {"2DUP", 2, 2, 1},
    {"2 PICK", 3, 1, 1},    {"3 PICK", 4, 1, 1},      {"1 PICK", 2, 1, 1},
    {"0 PICK", 1, 1, 1},    {"5 PICK", 6, 1, 1},      {"7 PICK", 8, 1, 1},
    {"2OVER", 4, 2, 2},     {"OVER OVER <", 2, 1, 1}, {"DUP 3 AND PICK", 5, 1, 1},
    {"9 PICK", 10, 1, 1},   {"2DUP = ", 2, 1, 1},     {"SP@ 4 - @", 2, 1, 1},
    {"SP@ 8 + @", 1, 1, 1}, {"RP@ 8 + @", 1, 1, 1}};

static const piece memory_words[] = {
    {"va ++", 0, 0, 1},
    {"vb --", 0, 0, 1},
    {"3 va +!", 0, 0, 1},
    {"tick ++", 0, 0, 1},
    {"tb 1 ar 3 MOVE", 0, 0, 3},
    {"bt 9 0 FILL", 0, 0, 2},
    {"tb tb 4 + 5 MOVE", 0, 0, 3},
    {".\" x\"", 0, 0, 4},
    {"5 bt 3 + C!", 0, 0, 1},
    {"va vb 1 MOVE", 0, 0, 2},
    {"bt bt 1+ 20 CMOVE", 0, 0, 2},
    {"0 va !", 0, 0, 1},
    {"-1 tb 9 + !", 0, 0, 1},
    {"0 ABORT\" no\"", 0, 0, 4},
    {"bt 1+ C--", 0, 0, 1},
    {"va @ vb @ va ! vb !", 0, 0, 2},
    {"77 LIMIT 4 - !", 0, 0, 1},
    {"6 0 DO tb I CELLS + DUP @ OVER 4 + @ + SWAP ! LOOP", 0, 0, 20},
    {"12 0 DO bt I + DUP C@ 1+ SWAP C! LOOP", 0, 0, 30},
    {"0 6 DO I ar @ I 1+ ar +! -1 +LOOP", 0, 0, 25},
    {"5 0 DO LIMIT 8 - I + C@ va +! LOOP", 0, 0, 15},
    {"25 0 DO tb I + DUP @ OVER 1+ @ XOR SWAP ! 3 +LOOP", 0, 0, 20}};

/* Changes that discard machine code; `use` is a piece whose result depends on the change.  A token
 * plus an offset, such as `['] sm 8 +`, is the address of a cell of the definition: 4 is the first
 * cell, 8 the second cell. */
static const struct {
    const char *text;
    piece use;
} changes[] = {{"['] l1 IS df", {"df", 1, 1, 4}},
               {"['] l2 IS df", {"df", 1, 1, 4}},
               {"['] l3 IS dg", {"dg", 1, 1, 4}},
               {"['] l0 IS dg", {"dg", 1, 1, 4}},
               {"['] l2 tok !", {"tok @ EXECUTE", 1, 1, 4}},
               {"['] l1 tok !", {"tok @ EXECUTE", 1, 1, 4}},
               {"['] 1+ tok !", {"tok @ EXECUTE", 1, 1, 4}},
               {"['] sm tok !", {"tok @ EXECUTE", 1, 1, 4}},
               {"['] NEGATE IS df", {"df", 1, 1, 4}},
               {"['] dm IS df", {"df", 1, 1, 4}},
               {"['] df IS dg", {"dg", 1, 1, 4}},
               {"['] ra IS dr", {"3 AND dr", 1, 1, 4}},
               {"['] rb IS dr", {"3 AND dr", 1, 1, 4}},
               {"va @ ['] sm 8 + !", {"sm", 1, 1, 4}},
               {"7 ['] sm 8 + !", {"sm", 1, 1, 4}},
               {"3 ['] sm 9 + C!", {"sm", 1, 1, 4}},
               {"['] sm 8 + ++", {"sm", 1, 1, 4}},
               {"-5 ['] sm 8 + +!", {"sm", 1, 1, 4}},
               {"tb 8 + ['] sm 8 + 1 MOVE", {"sm", 1, 1, 4}},
               {"bt ['] sm 8 + 4 CMOVE", {"sm", 1, 1, 4}},
               {"['] sm 8 + 4 1 FILL", {"sm", 1, 1, 4}},
               {"9 ['] sm 8 + I!", {"sm", 1, 1, 4}},
               {"['] l2 ['] pc 4 + !", {"pc", 1, 1, 4}},
               {"['] l3 ['] pc 8 + !", {"pc", 1, 1, 4}},
               {"['] 1- ['] pc 4 + !", {"pc", 1, 1, 4}},
               {"11 ['] ka CFA>PFA !", {"ka", 0, 1, 4}},
               {"['] kb CFA>PFA ++", {"kb", 0, 1, 4}},
               {"['] dk CFA>PFA --", {"dk", 0, 1, 4}},
               {"['] l0 tt 4 + !", {"1 CELLS tt + @ EXECUTE", 1, 1, 4}},
               {"['] l3 tt !", {"tt @ EXECUTE", 1, 1, 4}},
               {"3 ['] s2 8 + !", {"s2", 1, 2, 4}},
               {"['] DUP ['] s2 12 + !", {"s2", 1, 2, 4}},
               {"['] SWAP ['] s2 12 + !", {"s2", 1, 2, 4}},
               {"['] dm CFA>PFA ++", {"dm", 1, 1, 4}},
               {"['] - ['] sm 12 + !", {"sm", 1, 1, 4}},
               {"['] + ['] sm 12 + !", {"sm", 1, 1, 4}},
               {"2 ['] pk 28 + !", {"pk", 2, 3, 4}},
               {"0 ['] pk 28 + !", {"pk", 2, 3, 4}},
               {"1 ['] pk 28 + !", {"pk", 2, 3, 4}},
               {"['] dk 4 + @ ['] dn 4 + !", {"dn", 0, 1, 4}},
               {"['] dn 4 + @ ['] dk 4 + !", {"dk", 0, 1, 4}},
               {"['] va @ ['] l1 !", {"l1", 1, 1, 4}},
               {"['] rx ['] pc 8 + !", {"pc", 1, 1, 4}},
               {"['] xu ['] pc 4 + !", {"pc", 1, 1, 4}},
               {"['] l1 ['] pc 4 + !", {"pc", 1, 1, 4}},
               {"['] rx IS df", {"df", 1, 1, 4}},
               {"['] rx tok !", {"tok @ EXECUTE", 1, 1, 4}},
               {"['] l2 @ ['] l1 !", {"l1", 1, 1, 4}},
               {"e1 e2 !", {"chain", 0, 1, 4}},
               {"e0 ['] chain CFA>PFA !", {"chain", 0, 1, 4}},
               {"e2 ['] chain CFA>PFA !", {"chain", 0, 1, 4}},
               {"['] OVER ['] pk 4 + !", {"pk", 2, 3, 4}},
               {"['] DUP ['] pk 4 + !", {"pk", 2, 3, 4}}};

static const char *const failures[] = {"LIMIT @",
                                       "LIMIT 2 - @",
                                       "5 LIMIT !",
                                       "5 LIMIT 1- !",
                                       "-1 C@",
                                       "5 -4 !",
                                       "1 0 /",
                                       "va @ 0 MOD",
                                       "-2147483648 -1 /",
                                       "ABORT",
                                       "123456 EXECUTE",
                                       "0 EXECUTE",
                                       "1 ABORT\" oh\"",
                                       "R> DROP",
                                       "BEGIN 1 0 UNTIL",
                                       "va >R",
                                       "9999 PICK",
                                       "HERE EXECUTE",
                                       "LIMIT C++",
                                       "-1 FALSE C!",
                                       "LIMIT UI@",
                                       "R> R> 2DROP",
                                       "bt 99999999 0 FILL",
                                       "-2147483648 -1 /MOD",
                                       "0 >R",
                                       "QUIT",
                                       "tb 4 MOVE",
                                       "LIMIT 1- ++",
                                       "5 0 DO LIMIT 3 - I + C@ DROP LOOP",
                                       "LIMIT 12 - 5 0 DO DUP @ OVER 4 + @ + va ! 4 + LOOP DROP",
                                       "0 5 DO I @ DROP -1 +LOOP",
                                       "4 -3 DO I C@ DROP LOOP",
                                       "LIMIT 9 - 4 0 DO 5 OVER ! 2+ LOOP",
                                       "6 0 DO 7 LIMIT 5 - I + C! LOOP",
                                       "-2147483648 tick @ DUP 1+ - /",
                                       "-2147483648 tick @ DUP 1+ - MOD"};
/* clang-format on */

static void emit_piece(fz_program *gen, const piece *word) {
    fz_require_items(gen, word->pops);
    fz_emit(gen, "%s", word->text);
    gen->depth += word->pushes - word->pops;
    fz_add_cost(gen, word->cost);
}

void fz_emit_push(fz_program *gen) {
    int choice = fz_random_below(gen, 10);
    if (choice < 4) {
        emit_number(gen);
    } else if (choice < 6 && gen->loop_frames > 0) {
        fz_emit(gen, gen->loop_frames > 1 && fz_chance(gen, 40) ? "J" : "I");
    } else if (choice < 7 && gen->loop_frames > 2) {
        fz_emit(gen, "K");
    } else if (choice < 7 && gen->depth > 0) {
        fz_emit(gen, "DUP");
    } else if (choice < 7) {
        fz_emit(gen, "inl [ %d , ]", random_number(gen));
    } else {
        fz_emit(gen, "%s", pushes[fz_random_below(gen, FZ_COUNT(pushes))]);
        fz_add_cost(gen, 2);
    }
    gen->depth++;
    fz_add_cost(gen, 1);
}

void fz_require_items(fz_program *gen, int items) {
    while (gen->depth - gen->floor < items)
        fz_emit_push(gen);
}

void fz_set_depth(fz_program *gen, int items) {
    static const char *const operators[] = {"+", "XOR", "-", "+", "MAX", "OR"};
    while (gen->depth > items) {
        bool may_pop_two = gen->depth - gen->floor >= 2;
        fz_emit(gen, "%s",
                may_pop_two          ? operators[fz_random_below(gen, FZ_COUNT(operators))]
                : fz_chance(gen, 50) ? "vb +!"
                                     : "DROP");
        gen->depth--;
        fz_add_cost(gen, 1);
    }
    while (gen->depth < items)
        fz_emit_push(gen);
}

void fz_emit_copy(fz_program *gen) {
    const piece *word = &copies[fz_random_below(gen, FZ_COUNT(copies))];
    if (gen->depth + CALLER_ITEMS < word->pops || gen->depth < 1)
        return;
    fz_emit(gen, "%s", word->text);
    gen->depth += word->pushes;
    fz_add_cost(gen, word->cost);
}

void fz_emit_condition(fz_program *gen) {
    static const char *const flags[] = {"tick @ 3 AND", "va @ 0<",        "tick @ 1 AND 0=",
                                        "va @ vb @ <",  "va @ 7 AND 5 =", "1 ar @",
                                        "TRUE",         "vb @ 0= NOT",    "0"};
    static const char *const tests[] = {"0=", "0<", "0>", "NOT NOT", "1 AND", "7 >", "5 -", ""};
    static const char *const pairs[] = {"<", ">", "=", "<>", "<=", ">=", "U<", "AND", "= 0="};
    fz_add_cost(gen, 1);
    switch (fz_random_below(gen, 5)) {
    case 0:
        fz_emit(gen, "%s", flags[fz_random_below(gen, FZ_COUNT(flags))]);
        break;
    case 1:
        fz_require_items(gen, 2);
        fz_emit(gen, "%s", pairs[fz_random_below(gen, FZ_COUNT(pairs))]);
        gen->depth -= 2;
        break;
    case 2:
        fz_emit(gen, "%s %s", gen->depth > 1 ? "2DUP" : "va @ vb @",
                pairs[fz_random_below(gen, FZ_COUNT(pairs))]);
        break;
    case 3:
        if (gen->loop_frames > 0) {
            fz_emit(gen, "I %d", fz_random_below(gen, 5));
            fz_emit(gen, "%s", pairs[fz_random_below(gen, 6)]);
            break;
        } /* fall through */
    default:
        fz_require_items(gen, 1);
        fz_emit(gen, "%s", tests[fz_random_below(gen, FZ_COUNT(tests))]);
        gen->depth--;
    }
}

void fz_emit_change(fz_program *gen) {
    int turn = 1 + fz_random_below(gen, 40), which = fz_random_below(gen, FZ_COUNT(changes));
    fz_add_cost(gen, 2);
    if (gen->fails_later && fz_chance(gen, 30)) {
        fz_emit(gen, "tick @ %d = IF", turn);
        fz_emit(gen, "%s THEN", failures[fz_random_below(gen, FZ_COUNT(failures))]);
        return;
    }
    fz_emit(gen, "tick @ %d AND 0= IF %s THEN", turn < 20 ? 7 : 31, changes[which].text);
    if (fz_chance(gen, 70))
        emit_piece(gen, &changes[which].use);
}

void fz_emit_change_between_runs(fz_program *gen) {
    static const char *const more[] = {
        "' l2 IS df",        "' l3 IS dg",     "99 va !",         "' l1 tt 4 + !",
        "55 ' ka CFA>PFA !", "123 ' sm 8 + !", "' l3 tok !",      ": l1 va @ ;",
        "' NEGATE IS df",    "' 1+ tok !",     "' + ' sm 12 + !", "HERE 64 + 32 0 FILL",
        "' DUP tt 8 + !",    "-7 tick !",      "' rb IS dr",      "200 ALLOT"};
    if (fz_chance(gen, 60))
        fz_emit(gen, "%s", more[fz_random_below(gen, FZ_COUNT(more))]);
    else
        fz_emit(gen, "0 va ! %s", failures[fz_random_below(gen, FZ_COUNT(failures))]);
    fz_end_line(gen);
}

void fz_emit_stack_word(fz_program *gen, int cost) {
    const piece *word = &stack_words[fz_random_below(gen, FZ_COUNT(stack_words))];
    if (word->cost <= cost)
        emit_piece(gen, word);
}

/* About half of the emitted words produce flags or move items. */
void fz_emit_plain_stack_word(fz_program *gen) {
    int most = fz_chance(gen, 50) ? FLAG_AND_MOVE_WORDS : PLAIN_WORDS;
    emit_piece(gen, &stack_words[fz_random_below(gen, most)]);
}

void fz_emit_memory_word(fz_program *gen) {
    emit_piece(gen, &memory_words[fz_random_below(gen, FZ_COUNT(memory_words))]);
}

void fz_emit_prelude(fz_program *gen) {
    memcpy(gen->out, prelude, sizeof prelude - 1); /* too long for fz_emit */
    gen->size = sizeof prelude - 1;
    fz_end_line(gen);
}
