/* move_words.h: the move words and drop words of piece types, in the form in which they run.
 *
 * Included by move_words.c, board_scan.c and random_move.c only. */
#ifndef FVM_MOVE_WORDS_H
#define FVM_MOVE_WORDS_H

#include "game/board_scan.h"

/* The sums over a sequence of words, for random_draw.c. */
typedef struct {
    uint32_t bounds; /* of the bounds of its words */
    int32_t passes;  /* number of words that may add a pass */
} fvm_draw_sums;

/* The words of one move type, or of all. */
struct fvm_move_table {
    fvm_addr pieces;
    fvm_cell types;
    fvm_cell demanded_type; /* only words of this move type; 0: all words */
    bool separate_drops; /* each type has a sequence of drop words; false: there is one for all */
    fvm_cell last_drop_type; /* the last type with a list of drop words; 0: none */
    bool has_drops;          /* the table contains a drop word */
    fvm_cell final_type;     /* the last type with a list of drop words, if its words are not in the
                                table; else 0 */
    bool damaged;            /* a list has a form that only fvm_scan_board supports */
    fvm_loop_word *words;    /* sequences, each with its end */
    uint32_t count;          /* of items of `words` */
    fvm_cell *move_types;    /* the move types of the words, some more than once */
    uint32_t move_type_count;
    uint32_t bounds_of;      /* number of the search whose bounds follow; 0: none */
    uint16_t *bounds;        /* by index in `words`, for random_draw.c */
    fvm_draw_sums drop_sums; /* of the drop words of all types */
    fvm_draw_sums *sums;     /* by type: of its move words */
    uint32_t most_bounds;    /* the largest sum of bounds at one position */
    bool drops_need_empty;   /* drop words add no move at a position with a piece */
    /* The first move word of each type, then the first drop word of each type if these are
     * separate; index 0 of both parts, and types without a list: FVM_NO_WORDS_AT. */
    fvm_loop_word *starts[];
};

/* Indexes of sequences in `words`. */
enum {
    FVM_POSITION_END = 0, /* the end of all words of a position */
    FVM_NO_WORDS_AT = 1,  /* no words; the drop words of all types follow */
    FVM_DROPS_AT = 2      /* the drop words of all types */
};

/* Whether each drop word begins with the library's words `empty? verify`.  The cells that show it
 * are watched: a store to one of them makes the table invalid. */
bool fvm_drops_need_empty(fvm *vm, const fvm_move_table *t);
/* Makes the table for a scan the first of move_tables; false: out of memory. */
bool fvm_move_table_select(fvm *vm, const fvm_scan *s);
/* Must be called before the words run again after machine code has been discarded. */
void fvm_move_tables_forget_code(fvm *vm);

/* The type of a piece; 0 if the table has no words of its type. */
static inline fvm_cell fvm_table_type(const fvm_move_table *t, fvm_cell piece) {
    const fvm_cell type = FVM_TYPE(piece);
    return type <= t->types ? type : 0;
}

/* The sequence of a type.  field: FVM_FIELD_MOVES, or FVM_FIELD_DROPS if these are separate. */
static inline fvm_loop_word *fvm_move_sequence(const fvm_move_table *t, fvm_cell type,
                                               uint32_t field) {
    return t->starts[(type >= 1 && type <= t->types ? type : 0) +
                     (field == FVM_FIELD_DROPS ? t->types + 1 : 0)];
}

#endif
