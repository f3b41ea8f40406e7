/* move_words.c: tables of the move words and drop words of all piece types.
 *
 * A script's tables are lists in memory: pairs of a word and its move type.  Here they become
 * sequences of fvm_loop_word without the words of other move types.  This file owns these
 * sequences, and marks the cells from which they are made as watched: a store to one of them makes
 * all tables invalid.  It also finds out whether drop words need an empty position.  A move word
 * that replaces words of a list has an effect at once; other changes have one at the next board
 * position.  board_scan.c runs the words. */
#include "game/move_words.h"

#include "vm/translate.h"

#include "generated/ops.h"

#include <stdlib.h>

/* The address of the list of move words (or drop words) of a piece type, 0: none. */
static fvm_addr list_of(const fvm *vm, const fvm_scan *s, fvm_cell type, uint32_t field) {
    fvm_addr at = s->pieces + FVM_PIECE_BYTES * ((uint32_t)type - 1) + field;
    return type >= 1 && type <= s->scan_types && fvm_in(vm, at, 4) ? (fvm_addr)fvm_get(vm, at) : 0;
}

int32_t fvm_words_of_list(const fvm *vm, fvm_addr list) {
    enum { MAX_WORDS = 128 }; /* the constant `#Moves` of the library */
    if (!fvm_in(vm, list, fvm_pair_of_list(0, MAX_WORDS)) ||
        (uint32_t)fvm_get(vm, list) != (FVM_CODE_TAG | FVM_OP_VAR))
        return -1;
    const fvm_cell count = fvm_get(vm, list + FVM_WORDS_COUNT);
    return count <= MAX_WORDS ? (count > 0 ? count : 0) : -1;
}

/* Stores the move type of the last entry of a list in *type; false: the list has no entries. */
static bool last_type_of(const fvm *vm, fvm_addr list, fvm_cell *type) {
    const int32_t words = list != 0 ? fvm_words_of_list(vm, list) : 0;
    if (words > 0)
        *type = fvm_get(vm, fvm_pair_of_list(list, words - 1) + FVM_PAIR_TYPE);
    return words > 0;
}

/* Whether a scan runs the move words of pieces of an owner. */
static bool moves_pieces_of(const fvm_scan *s, fvm_cell owner, fvm_cell for_player) {
    if (s->other_count < 0)
        return owner == for_player;
    for (int i = 0; i < s->other_count; i++)
        if (s->others[i] == owner)
            return true;
    return owner == 0;
}

bool fvm_last_scanned_type(const fvm *vm, const fvm_scan *s, fvm_cell for_player, fvm_cell *type) {
    for (fvm_cell piece = s->scan_types; piece > 0 && s->other_count != 0; piece--)
        if (last_type_of(vm, list_of(vm, s, piece, FVM_FIELD_DROPS), type))
            return s->scan_positions > 0;
    const fvm_addr board = fvm_scan_cells(vm, s);
    for (fvm_cell pos = s->scan_positions - 1; pos >= 0 && board != 0; pos--) {
        const fvm_cell piece = fvm_get(vm, board + 4u * (uint32_t)pos);
        if (piece != 0 && moves_pieces_of(s, FVM_OWNER(piece), for_player) &&
            last_type_of(vm, list_of(vm, s, FVM_TYPE(piece), FVM_FIELD_MOVES), type))
            return true;
    }
    return false;
}

/* --- making a table --------------------------------------------------------------- */

enum { MAX_PAIRS = 1 << 18 }; /* in all lists together; the rest counts as damaged */
static const fvm_addr OUTSIDE_MEMORY = (fvm_addr)-8; /* an address outside memory */

typedef struct {
    fvm *vm;
    const fvm_scan *s;
    fvm_loop_word *words; /* NULL: the words are only counted */
    uint32_t count;
    uint32_t pairs; /* in the lists, with those of other move types */
    bool damaged;   /* see fvm_move_table */
} maker;

static void add(maker *m, fvm_loop_word word) {
    if (m->words != NULL)
        m->words[m->count] = word;
    m->count++;
}

/* Marks the cells of a range as watched.  A script may have set the address to any number, so that
 * the range may wrap around. */
static void mark_watched(maker *m, fvm_addr at, uint32_t bytes) {
    const fvm_addr first = at & ~3u;
    for (uint32_t offset = 0; m->words != NULL && offset < bytes + (at - first); offset += 4)
        if (fvm_in(m->vm, first + offset, 4))
            fvm_mark_cell(m->vm, (first + offset) >> 2, FVM_CELL_MOVE_WORDS);
}

/* Adds the words of a list.  Sets m->damaged if it is not a list that fvm_words_of_list knows. */
static void add_list(maker *m, fvm_addr list, fvm_cell piece) {
    const fvm *vm = m->vm;
    const fvm_addr body = fvm_body(vm, list);
    const fvm_cell demanded_type = m->s->demanded_type;
    m->damaged |= fvm_words_of_list(vm, list) < 0;
    if (!fvm_in(vm, body, 4)) {
        add(m, (fvm_loop_word){.piece = piece, .pair = body != 0 ? body : 1});
        return;
    }
    mark_watched(m, list, 4);
    mark_watched(m, body, 4);
    fvm_addr pair = body + FVM_WORDS_PAIRS - FVM_WORDS_COUNT;
    for (fvm_cell count = fvm_get(vm, body); count > 0; count--, pair += FVM_PAIR_BYTES) {
        if (!fvm_in(vm, pair, FVM_PAIR_BYTES) || m->pairs >= MAX_PAIRS) {
            const fvm_addr end = m->pairs < MAX_PAIRS ? pair : OUTSIDE_MEMORY;
            add(m, (fvm_loop_word){.piece = piece, .pair = end});
            return;
        }
        m->pairs++;
        const fvm_addr word = (fvm_addr)fvm_get(vm, pair);
        const fvm_cell type = fvm_get(vm, pair + FVM_PAIR_TYPE);
        mark_watched(m, pair, FVM_PAIR_BYTES);
        if (fvm_in(vm, word, 4))
            mark_watched(m, word, 4);
        if (demanded_type == 0 || type == demanded_type) {
            add(m, (fvm_loop_word){.word = word, .type = type, .piece = piece, .pair = pair});
            piece = 0;
        }
    }
}

/* Adds a list of one type as a sequence; returns the index of its first item. */
static uint32_t add_sequence(maker *m, const fvm_move_table *t, fvm_cell type, uint32_t field) {
    const fvm_addr list = list_of(m->vm, m->s, type, field);
    const uint32_t first = m->count;
    if (list == 0)
        return FVM_NO_WORDS_AT;
    add_list(m, list, 0);
    add(m, (fvm_loop_word){.type = t->has_drops});
    return first;
}

/* Adds the drop words of all types as one sequence. */
static void add_drops(maker *m, fvm_move_table *t) {
    for (fvm_cell type = 1; type <= t->types; type++) {
        const fvm_addr list = list_of(m->vm, m->s, type, FVM_FIELD_DROPS);
        const uint32_t first = m->count;
        if (list == 0)
            continue;
        t->last_drop_type = type;
        if (!t->separate_drops)
            add_list(m, list, type);
        t->final_type = m->count == first ? type : 0;
    }
    t->has_drops = m->count > FVM_DROPS_AT;
    add(m, (fvm_loop_word){0});
}

/* Adds all words.  If they are only counted, t->starts is not set. */
static void add_words(maker *m, fvm_move_table *t) {
    m->count = FVM_DROPS_AT;
    m->pairs = 0;
    add_drops(m, t);
    for (fvm_cell type = 0; type <= t->types; type++) {
        const uint32_t moves = add_sequence(m, t, type, FVM_FIELD_MOVES);
        const uint32_t drops = t->separate_drops ? add_sequence(m, t, type, FVM_FIELD_DROPS)
                                                 : (uint32_t)FVM_NO_WORDS_AT;
        if (type > 0)
            mark_watched(m, t->pieces + FVM_PIECE_BYTES * ((uint32_t)type - 1), FVM_PIECE_BYTES);
        if (m->words != NULL) {
            t->starts[type] = m->words + moves;
            t->starts[t->types + 1 + type] = m->words + drops;
        }
    }
    if (m->words != NULL) {
        m->words[FVM_POSITION_END] = (fvm_loop_word){0};
        m->words[FVM_NO_WORDS_AT] = (fvm_loop_word){.type = t->has_drops};
    }
}

/* Lists the move types of the words.  A type that is not one of the first eight may be listed more
 * than once: comparing all types with each other could take long. */
static void list_move_types(fvm_move_table *t) {
    enum { COMPARED = 8 };
    t->move_type_count = 0;
    for (const fvm_loop_word *word = t->words; word < t->words + t->count; word++) {
        const uint32_t compared = t->move_type_count < COMPARED ? t->move_type_count : COMPARED;
        uint32_t i = 0;
        while (i < compared && t->move_types[i] != word->type)
            i++;
        if (word->pair != 0 && i == compared)
            t->move_types[t->move_type_count++] = word->type;
    }
}

/* Makes a table; NULL: out of memory. */
static fvm_move_table *make_table(fvm *vm, const fvm_scan *s) {
    fvm_move_table table = {.pieces = s->pieces,
                            .types = s->scan_types,
                            .demanded_type = s->demanded_type,
                            .separate_drops = s->other_count >= 0};
    maker m = {.vm = vm, .s = s};
    add_words(&m, &table);
    const size_t head = sizeof table + sizeof(fvm_loop_word *[2]) * ((size_t)table.types + 1);
    const size_t words = (size_t)m.count * sizeof(fvm_loop_word);
    const size_t types = (size_t)m.count * sizeof *table.move_types;
    const size_t sums = sizeof(fvm_draw_sums) * ((size_t)table.types + 1);
    fvm_move_table *t = malloc(head + words + types + sums + m.count * sizeof(uint16_t));
    if (t == NULL)
        return NULL;
    vm->unmetered_work += 4 * m.pairs;
    table.count = m.count;
    table.damaged = m.damaged;
    table.words = m.words = (fvm_loop_word *)((char *)t + head);
    table.move_types = (fvm_cell *)((char *)t + head + words);
    table.sums = (fvm_draw_sums *)((char *)table.move_types + types);
    table.bounds = (uint16_t *)((char *)table.sums + sums);
    *t = table;
    add_words(&m, t);
    list_move_types(t);
    return t;
}

/* --- drop words that need an empty position ----------------------------------------- */

enum { ANY = -1 };

/* Whether a word is a definition whose cells contain tokens of words with these opcodes (ANY: any
 * cell).  The cells are watched. */
static bool consists_of(maker *m, fvm_addr word, const int *ops, int count) {
    const fvm *vm = m->vm;
    if (fvm_opcode_at(vm, word) != FVM_OP_COLON)
        return false;
    mark_watched(m, word, FVM_BODY + 4u * (uint32_t)count);
    for (int i = 0; i < count; i++) {
        const fvm_addr cell = word + FVM_BODY + 4u * (fvm_addr)i;
        if (ops[i] != ANY && !fvm_has_opcode(vm, cell, ops[i]))
            return false;
        if (ops[i] == FVM_OP_VAR)
            mark_watched(m, (fvm_addr)fvm_get(vm, cell), 4);
    }
    return true;
}

/* Whether a word is the library's `empty?`: $pos @ board[] @ 0= */
static bool is_empty_test(maker *m, fvm_addr word) {
    static const int ops[] = {FVM_OP_VAR,   FVM_OP_FETCH, FVM_OP_BOARD,
                              FVM_OP_FETCH, FVM_OP_ZEQ,   FVM_OP_RETURN};
    return consists_of(m, word, ops, sizeof ops / sizeof *ops) &&
           (fvm_addr)fvm_get(m->vm, word + FVM_BODY) + FVM_BODY == m->vm->lib.pos;
}

/* Whether a word is the library's `verify`: NOT IF $Exit ENDIF */
static bool is_verify(maker *m, fvm_addr word) {
    static const int ops[] = {FVM_OP_NOT, FVM_OP_ZBRANCH, ANY, FVM_OP_EXIT, FVM_OP_RETURN};
    return consists_of(m, word, ops, sizeof ops / sizeof *ops) &&
           (fvm_addr)fvm_get(m->vm, word + FVM_BODY + 8) == word + FVM_BODY + 16;
}

bool fvm_drops_need_empty(fvm *vm, const fvm_move_table *t) {
    static const int ops[] = {FVM_OP_COLON, FVM_OP_COLON};
    maker m = {.vm = vm, .words = t->words};
    for (const fvm_loop_word *word = t->words + FVM_DROPS_AT; word->pair != 0; word++)
        if (!consists_of(&m, word->word, ops, 2) ||
            !is_empty_test(&m, (fvm_addr)fvm_get(vm, word->word + FVM_BODY)) ||
            !is_verify(&m, (fvm_addr)fvm_get(vm, word->word + FVM_BODY + 4)))
            return false;
    return true;
}

/* --- the tables of the VM -------------------------------------------------------------- */

static bool fits(const fvm_move_table *t, const fvm_scan *s) {
    return t != NULL && t->pieces == s->pieces && t->types == s->scan_types &&
           t->demanded_type == s->demanded_type && t->separate_drops == (s->other_count >= 0);
}

void fvm_move_tables_free(fvm *vm) {
    for (int i = 0; i < FVM_MOVE_TABLES; i++) {
        free(GAME(vm)->move_tables[i]);
        GAME(vm)->move_tables[i] = NULL;
    }
}

/* Makes another table the first, or makes one; false: out of memory. */
FVM_NOINLINE static bool select_other(fvm *vm, const fvm_scan *s) {
    fvm_move_table **const tables = GAME(vm)->move_tables;
    int found = 0;
    if (vm->move_words_changed)
        fvm_move_tables_free(vm);
    vm->move_words_changed = false;
    while (found < FVM_MOVE_TABLES && !fits(tables[found], s))
        found++;
    fvm_move_table *t = found < FVM_MOVE_TABLES ? tables[found] : make_table(vm, s);
    if (t == NULL)
        return false;
    if (found == FVM_MOVE_TABLES)
        free(tables[--found]);
    for (; found > 0; found--)
        tables[found] = tables[found - 1];
    tables[0] = t;
    return true;
}

bool fvm_move_table_select(fvm *vm, const fvm_scan *s) {
    return (!vm->move_words_changed && fits(GAME(vm)->move_tables[0], s)) || select_other(vm, s);
}

void fvm_move_tables_forget_code(fvm *vm) {
    for (int i = 0; i < FVM_MOVE_TABLES; i++) {
        fvm_move_table *t = GAME(vm)->move_tables[i];
        for (uint32_t word = 0; t != NULL && word < t->count; word++)
            t->words[word].code = 0;
    }
}
