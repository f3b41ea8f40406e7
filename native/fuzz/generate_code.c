/* generate_code.c: generates programs that test the JIT.
 *
 * Owns the grammar of definitions that become hot.  The stack effect of every piece is tracked, so
 * that programs do not fail early; failures happen in a later iteration.  Each line of the text is
 * a run of its own.  It must not run anything. */
#include "generate_code.h"

enum {
    LEAVES = 4,       /* l0 to l3 ( n -- m ): what tokens stand for */
    COUNTERS = 6,     /* c0 to c5, of loops */
    RUN_STEPS = 3500, /* that a run should take, about */
    WORD_STEPS = 160, /* ... and a word */
    NESTED = 4
};

static bool room(const fz_code *make) { return make->size + 1500 < make->limit; }

/* --- structures ------------------------------------------------------------------- */

static void block(fz_code *make, int most);

static void choice(fz_code *make) {
    fz_condition(make);
    fz_say(make, "IF");
    int from = make->depth;
    bool both = fz_chance(make, 60);
    int wanted = from + (both ? fz_roll(make, 3) - (from > make->floor) : 0);
    bool uneven = !make->even && fz_chance(make, 6);
    block(make, 4);
    fz_adjust(make, wanted);
    if (uneven)
        fz_push(make);
    if (both) {
        fz_say(make, "ELSE");
        make->depth = from;
        block(make, 4);
        fz_adjust(make, wanted);
    }
    make->depth = wanted;
    fz_say(make, fz_chance(make, 80) ? "THEN" : "ENDIF");
}

static void cases(fz_code *make) {
    int count = 2 + fz_roll(make, 3), from;
    fz_need(make, 1);
    fz_say(make, "3 AND");
    make->depth--;
    from = make->depth;
    for (int i = 0; i < count; i++) {
        fz_say(make, "DUP %d = IF DROP", i);
        make->depth = from;
        block(make, 2);
        fz_adjust(make, from + 1);
        fz_say(make, "ELSE");
    }
    fz_say(make, "DROP");
    make->depth = from;
    fz_adjust(make, from + 1);
    for (int i = 0; i < count; i++)
        fz_say(make, "THEN");
}

typedef struct {
    int depth, floor, held, chain, plain, rounds;
    bool even;
} frame;

static frame enter(fz_code *make, int rounds, bool loop) {
    frame was = {make->depth, make->floor,  make->held, make->chain,
                 make->plain, make->rounds, make->even};
    make->rounds *= rounds;
    if (loop) {
        make->held += 3;
        make->chain++;
        make->plain = 0;
    }
    return was;
}

static void leave(fz_code *make, frame was) {
    make->floor = was.floor;
    make->held = was.held;
    make->chain = was.chain;
    make->plain = was.plain;
    make->rounds = was.rounds;
    make->even = was.even;
}

static void hold(fz_code *make) {
    make->held++;
    make->plain++;
    make->chain = 0;
}

static void counted(fz_code *make) {
    static const char *const starts[] = {"2147483647 2147483644 DO",
                                         "-2147483645 -2147483648 DO",
                                         "1 -2 DO",
                                         "0 0 DO",
                                         "-5 5 DO",
                                         "32 29 DO"};
    static const char *const ends[] = {"1 +LOOP",
                                       "2 +LOOP",
                                       "I 1 AND 1+ +LOOP",
                                       "3 +LOOP",
                                       "va @ 3 AND 1+ +LOOP",
                                       "2147483647 +LOOP",
                                       "tick ++ tick @ 3 AND 0= IF LEAVE THEN 0 +LOOP",
                                       "inl [ 1 , ] +LOOP"};
    static const char *const down[] = {
        "-1 +LOOP",         "-2 +LOOP", "-3 +LOOP", "inl [ -1 , ] +LOOP", "-1 va @ 1 AND - +LOOP",
        "-2147483648 +LOOP"};
    int rounds = 1 + fz_roll(make, 5), kind = fz_roll(make, 8);
    if (kind == 0) {
        fz_say(make, "%s", starts[fz_roll(make, FZ_COUNT(starts))]);
    } else if (kind == 1) {
        fz_need(make, 1);
        fz_say(make, "3 AND 1+ 0 DO");
        make->depth--;
    } else if (kind < 4) {
        int base = fz_roll(make, 7) - 3;
        fz_say(make, "%d %d DO", base, base + rounds);
    } else {
        int base = fz_roll(make, 7) - 3;
        fz_say(make, "%d %d DO", base + rounds, base);
    }
    frame was = enter(make, rounds, true);
    block(make, 4);
    fz_adjust(make, was.depth);
    if (fz_chance(make, 20)) {
        fz_condition(make);
        fz_say(make, "IF LEAVE THEN");
        fz_adjust(make, was.depth);
    }
    leave(make, was);
    fz_spend(make, 3 * rounds);
    if (kind == 2 || kind == 3)
        fz_say(make, "%s", down[fz_roll(make, kind == 2 ? 5 : 6)]);
    else if (kind == 1 || kind == 4)
        fz_say(make, "%s", ends[fz_roll(make, FZ_COUNT(ends))]);
    else
        fz_say(make, "LOOP");
}

/* Nothing but what loops keep in registers. */
static void tight(fz_code *make) {
    int rounds = 2 + fz_roll(make, 6), open = fz_roll(make, 3);
    fz_need(make, 1 + fz_roll(make, 6));
    if (open == 0)
        fz_say(make, "%d BEGIN", rounds);
    else
        fz_say(make, "%d 0 DO", rounds);
    frame was = enter(make, rounds, open != 0);
    if (open == 0)
        fz_say(make, ">R");
    for (int i = 1 + fz_roll(make, 6); i > 0; i--) {
        if (fz_chance(make, 70)) {
            fz_plain_work(make);
        } else if (fz_chance(make, 50)) {
            fz_look(make);
        } else {
            fz_condition(make);
            fz_say(make, "IF");
            int from = make->depth;
            fz_plain_work(make);
            fz_adjust(make, from);
            fz_say(make, "THEN");
        }
    }
    fz_adjust(make, was.depth);
    fz_say(make, open == 0 ? "R> 1- DUP 0= UNTIL DROP" : open == 1 ? "LOOP" : "2 +LOOP");
    leave(make, was);
    fz_spend(make, rounds);
}

/* Items pile up, or are taken in. */
static void piling(fz_code *make) {
    int rounds = 1 + fz_roll(make, 12);
    if (fz_chance(make, 50)) {
        fz_need(make, 1);
        fz_say(make, "%d 0 DO DUP I %s LOOP", rounds, fz_chance(make, 50) ? "+" : "XOR");
        make->depth += rounds;
    }
    rounds = make->depth - make->floor - 1;
    if (rounds > 0) {
        rounds = 1 + fz_roll(make, rounds);
        fz_say(make, "%d 0 DO %s LOOP", rounds, fz_chance(make, 50) ? "+" : "SWAP I + XOR");
        make->depth -= rounds;
    }
    fz_spend(make, 12);
}

static int counter(fz_code *make) { return make->counter++ % COUNTERS; }

static void open_loop(fz_code *make) {
    int rounds = 1 + fz_roll(make, 5), which = counter(make), kind = fz_roll(make, 5);
    frame was = enter(make, rounds, false);
    fz_spend(make, 4);
    switch (kind) {
    case 0:
        fz_say(make, "%d BEGIN >R", rounds);
        hold(make);
        block(make, 4);
        fz_adjust(make, was.depth);
        fz_say(make, "R> 1- DUP 0= UNTIL DROP");
        break;
    case 1:
        fz_say(make, "%d BEGIN", rounds);
        make->floor = ++make->depth;
        make->even = true;
        block(make, 4);
        fz_adjust(make, make->floor);
        fz_say(make, "1- DUP 0 <= UNTIL DROP");
        make->depth--;
        break;
    case 2:
        fz_say(make, "%d c%d ! BEGIN c%d @ 0 > WHILE", rounds, which, which);
        block(make, 4);
        fz_adjust(make, was.depth);
        fz_say(make, "c%d -- REPEAT", which);
        break;
    case 3:
        fz_say(make, "%d c%d ! BEGIN", rounds, which);
        block(make, 4);
        fz_adjust(make, was.depth);
        fz_say(make, "-1 c%d +! c%d @ 0 > NOT UNTIL", which, which);
        break;
    default:
        fz_say(make, "%d BEGIN", rounds);
        make->floor = ++make->depth;
        make->even = true;
        block(make, 3);
        fz_adjust(make, make->floor);
        fz_say(make, "1- DUP 0 > WHILE");
        block(make, 3);
        fz_adjust(make, make->floor);
        fz_say(make, "REPEAT DROP");
        make->depth--;
    }
    leave(make, was);
}

/* Cells on the return stack, over whatever comes in between. */
static void held(fz_code *make) {
    frame was = enter(make, 1, false);
    if (fz_chance(make, 30)) {
        fz_need(make, 1);
        fz_condition(make);
        fz_need(make, 1);
        fz_say(make, "IF 1+ >R ELSE >R THEN");
    } else {
        fz_need(make, 1);
        fz_say(make, ">R");
    }
    make->depth--;
    hold(make);
    block(make, 4);
    fz_say(make, "R>");
    make->depth++;
    int depth = make->depth;
    leave(make, was);
    make->depth = depth;
    fz_spend(make, 2);
}

static void return_stack(fz_code *make) {
    static const char *const loops[] = {"R> 1+ >R",
                                        "R> R> 1- >R >R",
                                        "bump",
                                        "I 1+ RP@ !",
                                        "lim",
                                        "['] bump EXECUTE",
                                        "I 1+ DUP RP@ ! RP@ @ - va !"};
    if (make->plain > 1)
        fz_say(make, "R> R> SWAP >R >R");
    else if (make->plain > 0)
        fz_say(make, fz_chance(make, 50) ? "R> 1+ >R" : "R> DROP 3 >R");
    else if (make->chain > 0)
        fz_say(make, "%s", loops[fz_roll(make, FZ_COUNT(loops))]);
    else
        fz_say(make, "RP@ @ DROP");
}

/* Out of the word, whatever is open. */
static void way_out(fz_code *make) {
    static const char *const ways[] = {"EXIT",           "EXIT",           "rx", "xu", "xv",
                                       "['] rx EXECUTE", "['] xv EXECUTE", "jn"};
    if (make->self.leaves < 0)
        return;
    fz_condition(make);
    fz_say(make, "IF");
    frame was = enter(make, 1, false);
    make->floor = 0;
    int last = FZ_COUNT(ways) - 1, way = fz_roll(make, last + (make->self.leaves > 0));
    fz_adjust(make, make->self.leaves - (way == last)); /* which leaves an item */
    for (int open = make->held; open > 0;) {
        bool loop = open >= 3 && open == make->held && make->chain > 0 && fz_chance(make, 60);
        fz_say(make, loop ? "UNLOOP" : "R> DROP");
        open -= loop ? 3 : 1;
    }
    fz_say(make, "%s THEN", ways[way]);
    make->depth = was.depth;
    leave(make, was);
}

static void call(fz_code *make, int which) {
    const fz_effect *word = &make->words[which];
    fz_need(make, word->takes);
    if (word->recurs)
        fz_say(make, "%d AND", fz_chance(make, 50) ? 3 : 7);
    fz_say(make, "w%d", which);
    make->depth += word->leaves - word->takes;
    fz_spend(make, word->cost + 2);
}

static void some_call(fz_code *make) {
    int which = make->count == 0 ? -1 : fz_roll(make, make->count);
    if (which >= 0 && make->cost + make->words[which].cost * make->rounds < 2 * WORD_STEPS)
        call(make, which);
}

/* Far more items than registers, shuffled. */
static void crowd(fz_code *make) {
    int count = 4 + fz_roll(make, 20), from = make->depth;
    for (int i = 0; i < count; i++)
        fz_push(make);
    for (int i = 0; i < count; i++)
        if (fz_chance(make, 30))
            fz_work(make, 100);
        else
            fz_say(make, fz_chance(make, 50) ? "ROT" : "SWAP");
    while (make->depth > from + 2 && fz_chance(make, 85)) {
        fz_say(make, "DROP");
        make->depth--;
    }
    fz_look(make);
    fz_adjust(make, from + 1);
}

static void structure(fz_code *make) {
    static void (*const all[])(fz_code *) = {
        choice,  choice,  choice,    choice,       cases,     counted, counted,
        tight,   tight,   open_loop, held,         held,      piling,  crowd,
        way_out, way_out, fz_change, return_stack, fz_change, counted, open_loop};
    make->nesting++;
    all[fz_roll(make, FZ_COUNT(all))](make);
    make->nesting--;
}

static void item(fz_code *make) {
    int dice = fz_roll(make, 100);
    if (dice < 16)
        fz_push(make);
    else if (dice < 48)
        fz_work(make, 100);
    else if (dice < 58)
        fz_look(make);
    else if (dice < 66)
        fz_act(make);
    else if (dice < 80)
        some_call(make);
    else if (make->nesting < NESTED && room(make) && make->cost < WORD_STEPS)
        structure(make);
}

static void block(fz_code *make, int most) {
    for (int i = fz_roll(make, most + 1); i >= 0 && make->cost < WORD_STEPS * 2; i--)
        item(make);
}

/* --- definitions ------------------------------------------------------------------ */

static void begin(fz_code *make, int takes, int leaves) {
    make->self = (fz_effect){.takes = takes, .leaves = leaves};
    make->depth = takes;
    make->floor = make->held = make->chain = make->plain = make->nesting = make->cost = 0;
    make->rounds = 1;
    make->even = false;
}

static void leaf(fz_code *make, int which) {
    fz_say(make, ": l%d", which);
    begin(make, 1, 1);
    for (int i = fz_roll(make, 3); i >= 0; i--) /* no tokens: they might be its own */
        fz_work(make, 4);
    fz_adjust(make, 1);
    fz_say(make, ";");
}

/* Calls of itself with nothing on the return stack: the compiler may put some into it. */
static void bare_calls(fz_code *make) {
    static const char *const back[] = {"", "SWAP", "ROT"};
    int takes = make->self.takes, leaves = make->self.leaves;
    if (takes == 1 && leaves < FZ_COUNT(back)) {
        fz_say(make, "DUP 1- RECURSE %s 2 - RECURSE", back[leaves]);
        make->depth = 2 * leaves;
        make->cost *= 3;
    } else {
        fz_say(make, takes > 1 && fz_chance(make, 50) ? "OVER ck +! 1- RECURSE" : "1- RECURSE");
        make->depth = leaves;
    }
}

static void held_call(fz_code *make) {
    fz_say(make, "DUP >R");
    make->depth = make->self.takes;
    hold(make);
    make->even = true;
    block(make, 3);
    fz_adjust(make, make->self.takes - 1);
    fz_say(make, "R> 1- RECURSE");
    make->held = make->plain = 0;
    make->depth = make->self.leaves;
}

static void recursion(fz_code *make) {
    bool uneven = fz_chance(make, 15);
    fz_say(make, "DUP 1 < IF");
    fz_adjust(make, make->self.leaves);
    if (uneven)
        fz_push(make);
    fz_say(make, "ELSE");
    if (fz_chance(make, 50))
        held_call(make);
    else
        bare_calls(make);
    block(make, fz_chance(make, 50) ? 3 : 1);
    fz_adjust(make, make->self.leaves);
    fz_say(make, "THEN");
    make->cost *= 6;
    make->self.recurs = true;
}

static void define(fz_code *make) {
    int most = fz_chance(make, 15) ? 9 : 4, takes = fz_roll(make, most);
    begin(make, takes, fz_roll(make, most));
    fz_say(make, ": w%d", make->count);
    if (make->self.takes > 0 && fz_chance(make, 20)) {
        recursion(make);
    } else {
        block(make, fz_chance(make, 50) ? 12 : 5);
        fz_adjust(make, make->self.leaves);
    }
    fz_say(make, ";");
    make->self.cost = make->cost;
    make->words[make->count++] = make->self;
}

/* Near a bound of the parameter stack, so that words go beyond it: 64 cells below its base, and
 * 64 above its 6144. */
static void to_a_bound(fz_code *make) {
    if (fz_chance(make, 60)) {
        fz_say(make, "DEPTH %d + 0 DO DROP LOOP", fz_roll(make, 66));
    } else {
        fz_say(make, "6140 DEPTH - 16 / 0 DO I DUP 2DUP 2DUP 2DUP 2DUP 2DUP 2DUP 2DUP LOOP");
        fz_say(make, "%d DEPTH - 0 DO I LOOP", 6209 - fz_roll(make, 40));
    }
}

/* Runs words hot, and takes in what they leave. */
static void runner(fz_code *make, int which) {
    static const char *const folds[] = {"ck @ 31 * + ck !", "ck +!", "ck @ XOR ck !"};
    int loop = fz_roll(make, 3);
    begin(make, 0, -1);
    int calls = 1 + fz_roll(make, 3), picked[4], cost = 8;
    for (int i = 0; i < calls; i++) {
        picked[i] = fz_chance(make, 60) ? make->count - 1 : fz_roll(make, make->count);
        cost += make->words[picked[i]].cost + 4;
    }
    int rounds = RUN_STEPS / cost;
    rounds = rounds > 60 ? 60 : rounds < 4 ? 4 : rounds;
    fz_say(make, ": r%d", which);
    if (fz_chance(make, 70))
        fz_say(make, "fix");
    if (make->wild && fz_chance(make, 15))
        to_a_bound(make);
    fz_say(make, "%d %s tick ++", rounds, loop == 0 ? "c0 ! BEGIN" : "0 DO");
    make->chain = loop != 0;
    make->held = 3;
    for (int i = 0; i < calls; i++) {
        call(make, picked[i]);
        if (fz_chance(make, 50))
            item(make);
    }
    while (make->depth > 0) {
        fz_say(make, "%s", folds[fz_roll(make, 3)]);
        make->depth--;
    }
    if (fz_chance(make, 30))
        fz_say(make, "fix");
    fz_say(make, loop == 0   ? "c0 -- c0 @ 0 <= UNTIL ;"
                 : loop == 1 ? "LOOP ;"
                             : "I 1 AND 1+ +LOOP ;");
}

/* --- programs --------------------------------------------------------------------- */

static void data(fz_code *make) {
    for (int i = 0; i < LEAVES; i++)
        leaf(make, i);
    fz_say(make, ": pc l0 l1 ; CREATE tt ' l0 , ' l1 , ' l2 , ' l3 , ");
    fz_say(make, "' l0 IS df ' l1 IS dg ' l2 tok ! %d ' ka CFA>PFA !", fz_roll(make, 9));
    fz_say(make, "%d ' kb CFA>PFA !", (int)fz_next(make->random));
    fz_say(make,
           ": ra DUP 1 < IF 3 + ELSE 1- dr 5 XOR THEN ; : rb DUP 2 < IF 9 + ELSE 2 - dr "
           "ka - THEN ; : rc DUP 2 AND IF ra ELSE rb THEN ; ' r%c IS dr",
           'a' + fz_roll(make, 3));
}

static void show(fz_code *make, int runs) {
    static const char *const ways[] = {"r%d ck @ . .S", "r%d .S", "r%d DEPTH . . .", "r%d r%d .S"};
    for (int i = 0; i < runs; i++) {
        fz_say(make, ways[fz_roll(make, 4)], i, i);
        fz_end_line(make);
    }
}

/* From a word on, all is defined anew. */
static void words_from(fz_code *make, int first) {
    make->count = first;
    for (int more = 1 + fz_roll(make, FZ_WORDS - first); more > 0 && room(make); more--) {
        define(make);
        fz_end_line(make);
    }
}

static void program(fz_code *make) {
    fz_prelude(make);
    data(make);
    fz_end_line(make);
    words_from(make, 0);
    for (int times = 1 + fz_roll(make, 2); times > 0 && room(make); times--) {
        int runs = 1 + fz_roll(make, 2);
        for (int i = 0; i < runs; i++) {
            runner(make, i);
            fz_end_line(make);
        }
        show(make, runs);
        for (int more = fz_roll(make, 3); more > 0; more--) {
            fz_meddle(make);
            show(make, runs);
        }
        if (times > 1) {
            int first = fz_roll(make, make->count);
            fz_say(make, "FORGET w%d", first);
            fz_end_line(make);
            words_from(make, first);
        }
    }
}

size_t fz_generate_code(fz_random *random, uint8_t *out, size_t limit) {
    fz_code made = {.random = random, .out = (char *)out, .limit = limit};
    made.wild = fz_chance(&made, 50);
    program(&made);
    return made.size;
}
