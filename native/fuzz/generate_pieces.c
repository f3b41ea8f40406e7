/* generate_pieces.c: the pieces of programs that test the JIT.
 *
 * Owns the stack effect of each piece and writes the text; must not know how pieces are combined
 * (generate_code.c). */
#include "generate_code.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEEPER = 5 /* items below a word's own that it looks at */ };

typedef struct {
    const char *text;
    int8_t takes, leaves, cost;
} piece;

int fz_roll(fz_code *make, int limit) { return (int)fz_below(make->random, (uint32_t)limit); }
bool fz_chance(fz_code *make, int percent) { return fz_roll(make, 100) < percent; }

void fz_say(fz_code *make, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < (int)sizeof text && make->size + (size_t)length + 1 < make->limit) {
        memcpy(make->out + make->size, text, (size_t)length);
        make->size += (size_t)length;
        make->out[make->size++] = ' ';
    }
}

void fz_end_line(fz_code *make) { make->out[make->size - 1] = '\n'; }
void fz_spend(fz_code *make, int steps) { make->cost += steps * make->rounds; }

/* One draw at a time: the order of evaluation is the compiler's. */
static int any_number(fz_code *make) {
    int number = (int)fz_next(make->random);
    return number >> fz_roll(make, 32);
}

static void number(fz_code *make) {
    static const char *edges[] = {"0",     "1",      "-1",         "2",           "31",
                                  "32",    "33",     "255",        "-128",        "128",
                                  "65535", "-32768", "2147483647", "-2147483648", "1073741824",
                                  "4",     "-4",     "16777216",   "-2147483647", "256"};
    switch (fz_roll(make, 4)) {
    case 0:
        fz_say(make, "%s", edges[fz_roll(make, FZ_COUNT(edges))]);
        break;
    case 1:
        fz_say(make, "%d", any_number(make));
        break;
    default:
        fz_say(make, "%d", fz_roll(make, 24) - 4);
    }
}

/* --- pieces ----------------------------------------------------------------------- */

/* All but the words that every program begins with are the library's. */
static const char prelude[] =
    "0 LIMIT 4 - ! HERE 16000 0 FILL " /* no snapshot has what lies beyond HERE */
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

enum { SHIFTING_WORKS = 20, PLAIN_WORKS = 58 }; /* so many of the first */

static const piece works[] = {/* without calls: loops of them keep their items in registers */
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
                              /* the others */
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

/* What they look at is not taken: it may lie below what the word owns. */
static const piece looks[] = {
    {"DUP", 1, 1, 1},       {"OVER", 2, 1, 1},        {"2DUP", 2, 2, 1},
    {"2 PICK", 3, 1, 1},    {"3 PICK", 4, 1, 1},      {"1 PICK", 2, 1, 1},
    {"0 PICK", 1, 1, 1},    {"5 PICK", 6, 1, 1},      {"7 PICK", 8, 1, 1},
    {"2OVER", 4, 2, 2},     {"OVER OVER <", 2, 1, 1}, {"DUP 3 AND PICK", 5, 1, 1},
    {"9 PICK", 10, 1, 1},   {"2DUP = ", 2, 1, 1},     {"SP@ 4 - @", 2, 1, 1},
    {"SP@ 8 + @", 1, 1, 1}, {"RP@ 8 + @", 1, 1, 1}};

static const piece acts[] = {{"va ++", 0, 0, 1},
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

/* Now and then only, since they end machine code that is there; and what shows it. */
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

static void use(fz_code *make, const piece *what) {
    fz_need(make, what->takes);
    fz_say(make, "%s", what->text);
    make->depth += what->leaves - what->takes;
    fz_spend(make, what->cost);
}

void fz_push(fz_code *make) {
    int dice = fz_roll(make, 10);
    if (dice < 4) {
        number(make);
    } else if (dice < 6 && make->chain > 0) {
        fz_say(make, make->chain > 1 && fz_chance(make, 40) ? "J" : "I");
    } else if (dice < 7 && make->chain > 2) {
        fz_say(make, "K");
    } else if (dice < 7 && make->depth > 0) {
        fz_say(make, "DUP");
    } else if (dice < 7) {
        fz_say(make, "inl [ %d , ]", any_number(make));
    } else {
        fz_say(make, "%s", pushes[fz_roll(make, FZ_COUNT(pushes))]);
        fz_spend(make, 2);
    }
    make->depth++;
    fz_spend(make, 1);
}

void fz_need(fz_code *make, int items) {
    while (make->depth - make->floor < items)
        fz_push(make);
}

/* So many items, the others taken in. */
void fz_adjust(fz_code *make, int wanted) {
    static const char *const joins[] = {"+", "XOR", "-", "+", "MAX", "OR"};
    while (make->depth > wanted) {
        bool two = make->depth - make->floor >= 2;
        fz_say(make, "%s", two ? joins[fz_roll(make, 6)] : fz_chance(make, 50) ? "vb +!" : "DROP");
        make->depth--;
        fz_spend(make, 1);
    }
    while (make->depth < wanted)
        fz_push(make);
}

void fz_look(fz_code *make) {
    const piece *what = &looks[fz_roll(make, FZ_COUNT(looks))];
    if (make->depth + DEEPER < what->takes || make->depth < 1)
        return;
    fz_say(make, "%s", what->text);
    make->depth += what->leaves;
    fz_spend(make, what->cost);
}

/* A flag, which the caller takes at once. */
void fz_condition(fz_code *make) {
    static const char *const own[] = {"tick @ 3 AND", "va @ 0<",        "tick @ 1 AND 0=",
                                      "va @ vb @ <",  "va @ 7 AND 5 =", "1 ar @",
                                      "TRUE",         "vb @ 0= NOT",    "0"};
    static const char *const tests[] = {"0=", "0<", "0>", "NOT NOT", "1 AND", "7 >", "5 -", ""};
    static const char *const pairs[] = {"<", ">", "=", "<>", "<=", ">=", "U<", "AND", "= 0="};
    fz_spend(make, 1);
    switch (fz_roll(make, 5)) {
    case 0:
        fz_say(make, "%s", own[fz_roll(make, FZ_COUNT(own))]);
        break;
    case 1:
        fz_need(make, 2);
        fz_say(make, "%s", pairs[fz_roll(make, FZ_COUNT(pairs))]);
        make->depth -= 2;
        break;
    case 2:
        fz_say(make, "%s %s", make->depth > 1 ? "2DUP" : "va @ vb @",
               pairs[fz_roll(make, FZ_COUNT(pairs))]);
        break;
    case 3:
        if (make->chain > 0) {
            fz_say(make, "I %d", fz_roll(make, 5));
            fz_say(make, "%s", pairs[fz_roll(make, 6)]);
            break;
        } /* fall through */
    default:
        fz_need(make, 1);
        fz_say(make, "%s", tests[fz_roll(make, FZ_COUNT(tests))]);
        make->depth--;
    }
}

void fz_change(fz_code *make) {
    int turn = 1 + fz_roll(make, 40), which = fz_roll(make, FZ_COUNT(changes));
    fz_spend(make, 2);
    if (make->wild && fz_chance(make, 30)) {
        fz_say(make, "tick @ %d = IF", turn);
        fz_say(make, "%s THEN", failures[fz_roll(make, FZ_COUNT(failures))]);
        return;
    }
    fz_say(make, "tick @ %d AND 0= IF %s THEN", turn < 20 ? 7 : 31, changes[which].text);
    if (fz_chance(make, 70))
        use(make, &changes[which].use);
}

/* Between runs. */
void fz_meddle(fz_code *make) {
    static const char *const more[] = {
        "' l2 IS df",        "' l3 IS dg",     "99 va !",         "' l1 tt 4 + !",
        "55 ' ka CFA>PFA !", "123 ' sm 8 + !", "' l3 tok !",      ": l1 va @ ;",
        "' NEGATE IS df",    "' 1+ tok !",     "' + ' sm 12 + !", "HERE 64 + 32 0 FILL",
        "' DUP tt 8 + !",    "-7 tick !",      "' rb IS dr",      "200 ALLOT"};
    if (fz_chance(make, 60))
        fz_say(make, "%s", more[fz_roll(make, FZ_COUNT(more))]);
    else
        fz_say(make, "0 va ! %s", failures[fz_roll(make, FZ_COUNT(failures))]);
    fz_end_line(make);
}

void fz_work(fz_code *make, int cost) {
    const piece *what = &works[fz_roll(make, FZ_COUNT(works))];
    if (what->cost <= cost)
        use(make, what);
}

/* Half of them what leaves flags and shifts items. */
void fz_plain_work(fz_code *make) {
    int most = fz_chance(make, 50) ? SHIFTING_WORKS : PLAIN_WORKS;
    use(make, &works[fz_roll(make, most)]);
}

void fz_act(fz_code *make) { use(make, &acts[fz_roll(make, FZ_COUNT(acts))]); }

void fz_prelude(fz_code *make) {
    memcpy(make->out, prelude, sizeof prelude - 1); /* longer than a piece may be */
    make->size = sizeof prelude - 1;
    fz_end_line(make);
}
