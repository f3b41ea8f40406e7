/* generate_structures.c: the control structures of programs that test the JIT.
 *
 * Owns branches, loops, calls and uses of the return stack, and how they are nested.
 * generate_code.c decides which definitions a program has. */
#include "generate_code.h"

enum {
    COUNTERS = 6,   /* number of the variables c0 to c5, the counters of loops */
    MAX_NESTING = 4 /* maximum number of nested structures */
};

bool fz_has_space(const fz_program *gen) { return gen->size + 1500 < gen->limit; }

/* --- structures ------------------------------------------------------------------- */

static void emit_if(fz_program *gen) {
    fz_emit_condition(gen);
    fz_emit(gen, "IF");
    int from = gen->depth;
    bool has_else = fz_chance(gen, 60);
    int depth = from + (has_else ? fz_random_below(gen, 3) - (from > gen->floor) : 0);
    bool different_depths = !gen->equal_depth && fz_chance(gen, 6);
    fz_emit_block(gen, 4);
    fz_set_depth(gen, depth);
    if (different_depths)
        fz_emit_push(gen);
    if (has_else) {
        fz_emit(gen, "ELSE");
        gen->depth = from;
        fz_emit_block(gen, 4);
        fz_set_depth(gen, depth);
    }
    gen->depth = depth;
    fz_emit(gen, fz_chance(gen, 80) ? "THEN" : "ENDIF");
}

/* Emits a chain of IF … ELSE that selects one of several blocks by the top item. */
static void emit_case_chain(fz_program *gen) {
    int count = 2 + fz_random_below(gen, 3), from;
    fz_require_items(gen, 1);
    fz_emit(gen, "3 AND");
    gen->depth--;
    from = gen->depth;
    for (int i = 0; i < count; i++) {
        fz_emit(gen, "DUP %d = IF DROP", i);
        gen->depth = from;
        fz_emit_block(gen, 2);
        fz_set_depth(gen, from + 1);
        fz_emit(gen, "ELSE");
    }
    fz_emit(gen, "DROP");
    gen->depth = from;
    fz_set_depth(gen, from + 1);
    for (int i = 0; i < count; i++)
        fz_emit(gen, "THEN");
}

typedef struct {
    int depth, floor, return_cells, loop_frames, pushed_cells, iterations;
    bool equal_depth;
} scope;

/* Enters a loop or block and returns the outer state for leave_scope. */
static scope enter_scope(fz_program *gen, int iterations, bool loop) {
    scope outer = {gen->depth,        gen->floor,      gen->return_cells, gen->loop_frames,
                   gen->pushed_cells, gen->iterations, gen->equal_depth};
    gen->iterations *= iterations;
    if (loop) {
        gen->return_cells += 3;
        gen->loop_frames++;
        gen->pushed_cells = 0;
    }
    return outer;
}

static void leave_scope(fz_program *gen, scope outer) {
    gen->floor = outer.floor;
    gen->return_cells = outer.return_cells;
    gen->loop_frames = outer.loop_frames;
    gen->pushed_cells = outer.pushed_cells;
    gen->iterations = outer.iterations;
    gen->equal_depth = outer.equal_depth;
}

void fz_push_return_cell(fz_program *gen) {
    gen->return_cells++;
    gen->pushed_cells++;
    gen->loop_frames = 0;
}

static void emit_counted_loop(fz_program *gen) {
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
    /* kind: 0 special bounds, 1 a limit from the stack, 2 and 3 downwards, 4 to 7 upwards. */
    int iterations = 1 + fz_random_below(gen, 5), kind = fz_random_below(gen, 8);
    if (kind == 0) {
        fz_emit(gen, "%s", starts[fz_random_below(gen, FZ_COUNT(starts))]);
    } else if (kind == 1) {
        fz_require_items(gen, 1);
        fz_emit(gen, "3 AND 1+ 0 DO");
        gen->depth--;
    } else if (kind < 4) {
        int base = fz_random_below(gen, 7) - 3;
        fz_emit(gen, "%d %d DO", base, base + iterations);
    } else {
        int base = fz_random_below(gen, 7) - 3;
        fz_emit(gen, "%d %d DO", base + iterations, base);
    }
    scope outer = enter_scope(gen, iterations, true);
    fz_emit_block(gen, 4);
    fz_set_depth(gen, outer.depth);
    if (fz_chance(gen, 20)) {
        fz_emit_condition(gen);
        fz_emit(gen, "IF LEAVE THEN");
        fz_set_depth(gen, outer.depth);
    }
    leave_scope(gen, outer);
    fz_add_cost(gen, 3 * iterations);
    if (kind == 2 || kind == 3)
        fz_emit(gen, "%s", down[fz_random_below(gen, kind == 2 ? 5 : 6)]);
    else if (kind == 1 || kind == 4)
        fz_emit(gen, "%s", ends[fz_random_below(gen, FZ_COUNT(ends))]);
    else
        fz_emit(gen, "LOOP");
}

/* Emits a loop of words whose items the JIT keeps in registers. */
static void emit_register_loop(fz_program *gen) {
    enum { BEGIN_UNTIL, DO_LOOP, DO_PLUS_LOOP, KINDS };
    int iterations = 2 + fz_random_below(gen, 6), kind = fz_random_below(gen, KINDS);
    fz_require_items(gen, 1 + fz_random_below(gen, 6));
    if (kind == BEGIN_UNTIL)
        fz_emit(gen, "%d BEGIN", iterations);
    else
        fz_emit(gen, "%d 0 DO", iterations);
    scope outer = enter_scope(gen, iterations, kind != BEGIN_UNTIL);
    if (kind == BEGIN_UNTIL)
        fz_emit(gen, ">R");
    for (int i = 1 + fz_random_below(gen, 6); i > 0; i--) {
        if (fz_chance(gen, 70)) {
            fz_emit_plain_stack_word(gen);
        } else if (fz_chance(gen, 50)) {
            fz_emit_copy(gen);
        } else {
            fz_emit_condition(gen);
            fz_emit(gen, "IF");
            int from = gen->depth;
            fz_emit_plain_stack_word(gen);
            fz_set_depth(gen, from);
            fz_emit(gen, "THEN");
        }
    }
    fz_set_depth(gen, outer.depth);
    fz_emit(gen, kind == BEGIN_UNTIL ? "R> 1- DUP 0= UNTIL DROP"
                 : kind == DO_LOOP   ? "LOOP"
                                     : "2 +LOOP");
    leave_scope(gen, outer);
    fz_add_cost(gen, iterations);
}

/* Emits loops that change the depth of the stack in each iteration. */
static void emit_varying_depth(fz_program *gen) {
    int iterations = 1 + fz_random_below(gen, 12);
    if (fz_chance(gen, 50)) {
        fz_require_items(gen, 1);
        fz_emit(gen, "%d 0 DO DUP I %s LOOP", iterations, fz_chance(gen, 50) ? "+" : "XOR");
        gen->depth += iterations;
    }
    iterations = gen->depth - gen->floor - 1;
    if (iterations > 0) {
        iterations = 1 + fz_random_below(gen, iterations);
        fz_emit(gen, "%d 0 DO %s LOOP", iterations, fz_chance(gen, 50) ? "+" : "SWAP I + XOR");
        gen->depth -= iterations;
    }
    fz_add_cost(gen, 12);
}

static int next_counter(fz_program *gen) { return gen->counter++ % COUNTERS; }

static void emit_begin_loop(fz_program *gen) {
    int iterations = 1 + fz_random_below(gen, 5), which = next_counter(gen),
        kind = fz_random_below(gen, 5);
    scope outer = enter_scope(gen, iterations, false);
    fz_add_cost(gen, 4);
    switch (kind) {
    case 0:
        fz_emit(gen, "%d BEGIN >R", iterations);
        fz_push_return_cell(gen);
        fz_emit_block(gen, 4);
        fz_set_depth(gen, outer.depth);
        fz_emit(gen, "R> 1- DUP 0= UNTIL DROP");
        break;
    case 1:
        fz_emit(gen, "%d BEGIN", iterations);
        gen->floor = ++gen->depth;
        gen->equal_depth = true;
        fz_emit_block(gen, 4);
        fz_set_depth(gen, gen->floor);
        fz_emit(gen, "1- DUP 0 <= UNTIL DROP");
        gen->depth--;
        break;
    case 2:
        fz_emit(gen, "%d c%d ! BEGIN c%d @ 0 > WHILE", iterations, which, which);
        fz_emit_block(gen, 4);
        fz_set_depth(gen, outer.depth);
        fz_emit(gen, "c%d -- REPEAT", which);
        break;
    case 3:
        fz_emit(gen, "%d c%d ! BEGIN", iterations, which);
        fz_emit_block(gen, 4);
        fz_set_depth(gen, outer.depth);
        fz_emit(gen, "-1 c%d +! c%d @ 0 > NOT UNTIL", which, which);
        break;
    default:
        fz_emit(gen, "%d BEGIN", iterations);
        gen->floor = ++gen->depth;
        gen->equal_depth = true;
        fz_emit_block(gen, 3);
        fz_set_depth(gen, gen->floor);
        fz_emit(gen, "1- DUP 0 > WHILE");
        fz_emit_block(gen, 3);
        fz_set_depth(gen, gen->floor);
        fz_emit(gen, "REPEAT DROP");
        gen->depth--;
    }
    leave_scope(gen, outer);
}

/* Emits a block during which an item is on the return stack. */
static void emit_return_cell(fz_program *gen) {
    scope outer = enter_scope(gen, 1, false);
    if (fz_chance(gen, 30)) {
        fz_require_items(gen, 1);
        fz_emit_condition(gen);
        fz_require_items(gen, 1);
        fz_emit(gen, "IF 1+ >R ELSE >R THEN");
    } else {
        fz_require_items(gen, 1);
        fz_emit(gen, ">R");
    }
    gen->depth--;
    fz_push_return_cell(gen);
    fz_emit_block(gen, 4);
    fz_emit(gen, "R>");
    gen->depth++;
    int depth = gen->depth;
    leave_scope(gen, outer);
    gen->depth = depth;
    fz_add_cost(gen, 2);
}

static void emit_return_stack_change(fz_program *gen) {
    static const char *const loops[] = {"R> 1+ >R",
                                        "R> R> 1- >R >R",
                                        "bump",
                                        "I 1+ RP@ !",
                                        "lim",
                                        "['] bump EXECUTE",
                                        "I 1+ DUP RP@ ! RP@ @ - va !"};
    if (gen->pushed_cells > 1)
        fz_emit(gen, "R> R> SWAP >R >R");
    else if (gen->pushed_cells > 0)
        fz_emit(gen, fz_chance(gen, 50) ? "R> 1+ >R" : "R> DROP 3 >R");
    else if (gen->loop_frames > 0)
        fz_emit(gen, "%s", loops[fz_random_below(gen, FZ_COUNT(loops))]);
    else
        fz_emit(gen, "RP@ @ DROP");
}

/* Emits an exit from the definition, possibly inside loops and with cells on the return stack. */
static void emit_early_exit(fz_program *gen) {
    static const char *const exits[] = {"EXIT",           "EXIT",           "rx", "xu", "xv",
                                        "['] rx EXECUTE", "['] xv EXECUTE", "jn"};
    if (gen->self.pushes < 0)
        return;
    fz_emit_condition(gen);
    fz_emit(gen, "IF");
    scope outer = enter_scope(gen, 1, false);
    gen->floor = 0;
    int last = FZ_COUNT(exits) - 1, chosen = fz_random_below(gen, last + (gen->self.pushes > 0));
    fz_set_depth(gen, gen->self.pushes - (chosen == last)); /* the last exit pushes an item */
    for (int cells = gen->return_cells; cells > 0;) { /* remove all cells from the return stack */
        bool loop =
            cells >= 3 && cells == gen->return_cells && gen->loop_frames > 0 && fz_chance(gen, 60);
        fz_emit(gen, loop ? "UNLOOP" : "R> DROP");
        cells -= loop ? 3 : 1;
    }
    fz_emit(gen, "%s THEN", exits[chosen]);
    gen->depth = outer.depth;
    leave_scope(gen, outer);
}

void fz_emit_call(fz_program *gen, int which) {
    const fz_effect *word = &gen->words[which];
    fz_require_items(gen, word->pops);
    if (word->recursive)
        fz_emit(gen, "%d AND", fz_chance(gen, 50) ? 3 : 7);
    fz_emit(gen, "w%d", which);
    gen->depth += word->pushes - word->pops;
    fz_add_cost(gen, word->cost + 2);
}

static void emit_some_call(fz_program *gen) {
    int which = gen->count == 0 ? -1 : fz_random_below(gen, gen->count);
    if (which >= 0 && gen->cost + gen->words[which].cost * gen->iterations < 2 * FZ_WORD_STEPS)
        fz_emit_call(gen, which);
}

/* Emits code that pushes more items than there are registers, and reorders them. */
static void emit_many_items(fz_program *gen) {
    int count = 4 + fz_random_below(gen, 20), from = gen->depth;
    for (int i = 0; i < count; i++)
        fz_emit_push(gen);
    for (int i = 0; i < count; i++)
        if (fz_chance(gen, 30))
            fz_emit_stack_word(gen, 100);
        else
            fz_emit(gen, fz_chance(gen, 50) ? "ROT" : "SWAP");
    while (gen->depth > from + 2 && fz_chance(gen, 85)) {
        fz_emit(gen, "DROP");
        gen->depth--;
    }
    fz_emit_copy(gen);
    fz_set_depth(gen, from + 1);
}

static void emit_structure(fz_program *gen) {
    static void (*const all[])(fz_program *) = {emit_if,
                                                emit_if,
                                                emit_if,
                                                emit_if,
                                                emit_case_chain,
                                                emit_counted_loop,
                                                emit_counted_loop,
                                                emit_register_loop,
                                                emit_register_loop,
                                                emit_begin_loop,
                                                emit_return_cell,
                                                emit_return_cell,
                                                emit_varying_depth,
                                                emit_many_items,
                                                emit_early_exit,
                                                emit_early_exit,
                                                fz_emit_change,
                                                emit_return_stack_change,
                                                fz_emit_change,
                                                emit_counted_loop,
                                                emit_begin_loop};
    gen->nesting++;
    all[fz_random_below(gen, FZ_COUNT(all))](gen);
    gen->nesting--;
}

void fz_emit_item(fz_program *gen) {
    int choice = fz_random_below(gen, 100);
    if (choice < 16)
        fz_emit_push(gen);
    else if (choice < 48)
        fz_emit_stack_word(gen, 100);
    else if (choice < 58)
        fz_emit_copy(gen);
    else if (choice < 66)
        fz_emit_memory_word(gen);
    else if (choice < 80)
        emit_some_call(gen);
    else if (gen->nesting < MAX_NESTING && fz_has_space(gen) && gen->cost < FZ_WORD_STEPS)
        emit_structure(gen);
}

void fz_emit_block(fz_program *gen, int most) {
    for (int i = fz_random_below(gen, most + 1); i >= 0 && gen->cost < FZ_WORD_STEPS * 2; i--)
        fz_emit_item(gen);
}
