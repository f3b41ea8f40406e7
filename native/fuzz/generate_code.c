/* generate_code.c: generates programs that test the JIT.
 *
 * Owns the definitions of a program and the words that run them until they are hot.  The generator
 * tracks stack effects, so that programs do not fail early; failures happen in a later iteration.
 * Each line of the text is a separate run.  It must not run anything. */
#include "generate_code.h"

enum {
    LEAVES = 4,      /* l0 to l3 ( n -- m ): words that are executed by their tokens */
    RUN_STEPS = 3500 /* approximate number of steps of a run */
};

/* --- definitions ------------------------------------------------------------------ */

static void begin_definition(fz_program *gen, int pops, int pushes) {
    gen->self = (fz_effect){.pops = pops, .pushes = pushes};
    gen->depth = pops;
    gen->floor = gen->return_cells = gen->loop_frames = gen->pushed_cells = gen->nesting =
        gen->cost = 0;
    gen->iterations = 1;
    gen->equal_depth = false;
}

/* Defines the leaf l<which>, which programs execute by its token. */
static void define_leaf(fz_program *gen, int which) {
    fz_emit(gen, ": l%d", which);
    begin_definition(gen, 1, 1);
    /* Words of at most 4 steps cannot execute this leaf, so it does not call itself. */
    for (int i = fz_random_below(gen, 3); i >= 0; i--)
        fz_emit_stack_word(gen, 4);
    fz_set_depth(gen, 1);
    fz_emit(gen, ";");
}

/* Emits recursive calls without own cells on the return stack, some of which the JIT inlines. */
static void emit_bare_recursion(fz_program *gen) {
    /* By the number of results of the first call: moves the argument above these results. */
    static const char *const restore[] = {"", "SWAP", "ROT"};
    int pops = gen->self.pops, pushes = gen->self.pushes;
    if (pops == 1 && pushes < FZ_COUNT(restore)) {
        fz_emit(gen, "DUP 1- RECURSE %s 2 - RECURSE", restore[pushes]);
        gen->depth = 2 * pushes;
        gen->cost *= 3;
    } else {
        fz_emit(gen, pops > 1 && fz_chance(gen, 50) ? "OVER ck +! 1- RECURSE" : "1- RECURSE");
        gen->depth = pushes;
    }
}

/* Emits a recursive call with a block before it that runs while an item is on the return stack. */
static void emit_recursion_with_cell(fz_program *gen) {
    fz_emit(gen, "DUP >R");
    gen->depth = gen->self.pops;
    fz_push_return_cell(gen);
    gen->equal_depth = true;
    fz_emit_block(gen, 3);
    fz_set_depth(gen, gen->self.pops - 1);
    fz_emit(gen, "R> 1- RECURSE");
    gen->return_cells = gen->pushed_cells = 0;
    gen->depth = gen->self.pushes;
}

static void emit_recursion(fz_program *gen) {
    bool different_depths = fz_chance(gen, 15);
    fz_emit(gen, "DUP 1 < IF");
    fz_set_depth(gen, gen->self.pushes);
    if (different_depths)
        fz_emit_push(gen);
    fz_emit(gen, "ELSE");
    if (fz_chance(gen, 50))
        emit_recursion_with_cell(gen);
    else
        emit_bare_recursion(gen);
    fz_emit_block(gen, fz_chance(gen, 50) ? 3 : 1);
    fz_set_depth(gen, gen->self.pushes);
    fz_emit(gen, "THEN");
    gen->cost *= 6;
    gen->self.recursive = true;
}

static void define_word(fz_program *gen) {
    int most = fz_chance(gen, 15) ? 9 : 4, pops = fz_random_below(gen, most);
    begin_definition(gen, pops, fz_random_below(gen, most));
    fz_emit(gen, ": w%d", gen->count);
    if (gen->self.pops > 0 && fz_chance(gen, 20)) {
        emit_recursion(gen);
    } else {
        fz_emit_block(gen, fz_chance(gen, 50) ? 12 : 5);
        fz_set_depth(gen, gen->self.pushes);
    }
    fz_emit(gen, ";");
    gen->self.cost = gen->cost;
    gen->words[gen->count++] = gen->self;
}

/* Emits code that brings the depth near a bound of the parameter stack, so that later words exceed
 * it.  The bounds are 64 cells below the base, and 6144 + 64 items. */
static void emit_depth_near_bound(fz_program *gen) {
    if (fz_chance(gen, 60)) {
        fz_emit(gen, "DEPTH %d + 0 DO DROP LOOP", fz_random_below(gen, 66));
    } else {
        fz_emit(gen, "6140 DEPTH - 16 / 0 DO I DUP 2DUP 2DUP 2DUP 2DUP 2DUP 2DUP 2DUP LOOP");
        fz_emit(gen, "%d DEPTH - 0 DO I LOOP", 6209 - fz_random_below(gen, 40));
    }
}

/* Defines a runner: a word that calls words in a loop until they are hot, and adds their results to
 * the checksum ck. */
static void define_runner(fz_program *gen, int which) {
    static const char *const folds[] = {"ck @ 31 * + ck !", "ck +!", "ck @ XOR ck !"};
    int loop = fz_random_below(gen, 3);
    begin_definition(gen, 0, -1);
    int calls = 1 + fz_random_below(gen, 3), picked[4], cost = 8;
    for (int i = 0; i < calls; i++) {
        picked[i] = fz_chance(gen, 60) ? gen->count - 1 : fz_random_below(gen, gen->count);
        cost += gen->words[picked[i]].cost + 4;
    }
    int iterations = RUN_STEPS / cost;
    iterations = iterations > 60 ? 60 : iterations < 4 ? 4 : iterations; /* between 4 and 60 */
    fz_emit(gen, ": r%d", which);
    if (fz_chance(gen, 70))
        fz_emit(gen, "fix");
    if (gen->fails_later && fz_chance(gen, 15))
        emit_depth_near_bound(gen);
    fz_emit(gen, "%d %s tick ++", iterations, loop == 0 ? "c0 ! BEGIN" : "0 DO");
    gen->loop_frames = loop != 0;
    gen->return_cells = 3;
    for (int i = 0; i < calls; i++) {
        fz_emit_call(gen, picked[i]);
        if (fz_chance(gen, 50))
            fz_emit_item(gen);
    }
    while (gen->depth > 0) {
        fz_emit(gen, "%s", folds[fz_random_below(gen, 3)]);
        gen->depth--;
    }
    if (fz_chance(gen, 30))
        fz_emit(gen, "fix");
    fz_emit(gen, loop == 0   ? "c0 -- c0 @ 0 <= UNTIL ;"
                 : loop == 1 ? "LOOP ;"
                             : "I 1 AND 1+ +LOOP ;");
}

/* --- programs --------------------------------------------------------------------- */

/* Defines the leaves and sets tokens, DEFER words and constants. */
static void emit_data(fz_program *gen) {
    for (int i = 0; i < LEAVES; i++)
        define_leaf(gen, i);
    fz_emit(gen, ": pc l0 l1 ; CREATE tt ' l0 , ' l1 , ' l2 , ' l3 , ");
    fz_emit(gen, "' l0 IS df ' l1 IS dg ' l2 tok ! %d ' ka CFA>PFA !", fz_random_below(gen, 9));
    fz_emit(gen, "%d ' kb CFA>PFA !", (int)fz_next(gen->random));
    fz_emit(gen,
            ": ra DUP 1 < IF 3 + ELSE 1- dr 5 XOR THEN ; : rb DUP 2 < IF 9 + ELSE 2 - dr "
            "ka - THEN ; : rc DUP 2 AND IF ra ELSE rb THEN ; ' r%c IS dr",
            'a' + fz_random_below(gen, 3));
}

/* Emits lines that call the runners and print their results. */
static void emit_runs(fz_program *gen, int runs) {
    static const char *const lines[] = {"r%d ck @ . .S", "r%d .S", "r%d DEPTH . . .", "r%d r%d .S"};
    for (int i = 0; i < runs; i++) {
        fz_emit(gen, lines[fz_random_below(gen, 4)], i, i);
        fz_end_line(gen);
    }
}

/* Defines the words from w<first> on. */
static void define_words_from(fz_program *gen, int first) {
    gen->count = first;
    for (int more = 1 + fz_random_below(gen, FZ_WORDS - first); more > 0 && fz_has_space(gen);
         more--) {
        define_word(gen);
        fz_end_line(gen);
    }
}

static void emit_program(fz_program *gen) {
    fz_emit_prelude(gen);
    emit_data(gen);
    fz_end_line(gen);
    define_words_from(gen, 0);
    for (int rounds = 1 + fz_random_below(gen, 2); rounds > 0 && fz_has_space(gen); rounds--) {
        int runs = 1 + fz_random_below(gen, 2);
        for (int i = 0; i < runs; i++) {
            define_runner(gen, i);
            fz_end_line(gen);
        }
        emit_runs(gen, runs);
        for (int more = fz_random_below(gen, 3); more > 0; more--) {
            fz_emit_change_between_runs(gen);
            emit_runs(gen, runs);
        }
        if (rounds > 1) {
            int first = fz_random_below(gen, gen->count);
            fz_emit(gen, "FORGET w%d", first);
            fz_end_line(gen);
            define_words_from(gen, first);
        }
    }
}

size_t fz_generate_code(fz_random *random, uint8_t *out, size_t limit) {
    fz_program program = {.random = random, .out = (char *)out, .limit = limit};
    program.fails_later = fz_chance(&program, 50);
    emit_program(&program);
    return program.size;
}
