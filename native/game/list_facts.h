/* list_facts.h: what a search may assume of lists, and lists that are generated in part.
 *
 * Hooks often read little of a list whose moves are not searched.  The facts say how much of it a
 * search must generate; the analysis of the script finds them (analysis/list_analysis.h). */
#ifndef FVM_LIST_FACTS_H
#define FVM_LIST_FACTS_H

#include "game/game.h"

enum { FVM_PASS_WORDS = 8 }; /* no moves are drawn if more words may add a pass */

/* What a list must provide: hooks read it, or move words must run. */
typedef enum {
    FVM_LIST_UNREAD,
    FVM_LIST_EMPTINESS,
    FVM_LIST_COUNT, /* the number of moves, which need not be stored (fvm_list_part.counted) */
    FVM_LIST_CONTENTS
} fvm_list_use;

/* What a search may assume. */
typedef struct {
    /* What OnIsGameOver, OnEvaluate and OnIsTerminal? need.  FVM_LIST_UNREAD: no list is needed.
     * FVM_LIST_EMPTINESS: an incomplete list, which is empty only if the complete list is empty,
     * gives the same results.  In both cases omitting move words leaves no difference, provided
     * that `from`, `here` and, if it may be read, the current piece are those after a scan of the
     * whole board. */
    fvm_list_use use;
    fvm_list_use game_over_use; /* the same for OnIsGameOver, which may generate other lists */
    bool counts_moves;          /* lists whose moves are not searched need only be counted */
    fvm_list_part hook_lists;   /* what lists need that hooks generate */
    /* The moves of incomplete lists need only be counted, and the last one that is needed may end
     * its move word. */
    bool ends_words;
    /* The complete list has the same moves if it is generated after the position hooks. */
    bool can_follow_hooks;
    /* The first moves of a list may be searched before the other moves are generated: */
    bool can_be_begun;     /* by a search that restores all memory after a move */
    bool can_be_continued; /* by a search that restores only the board and the turn */
    /* An incomplete list must begin with the first moves of the complete list. */
    bool ordered;
    /* Playouts may draw moves by running single move words after OnGenerateMoves.  Each move word
     * generates the same moves if other move words have not run before it, and neither move words
     * nor OnNextTurn depend on the lists that exist: that is proven, promised by the script (the
     * constant independent-moves) or checked if memory is guarded before each word.  OnIsGameOver
     * tests at most whether there are moves.  Priorities may still remove moves from a list, and a
     * list contains only one pass. */
    bool can_be_drawn;
    /* If moves can be drawn: the move words that may add a pass, and their number. */
    int32_t passing_count;
    fvm_addr passing[FVM_PASS_WORDS];
    bool reads_piece; /* words that run after a list may read the current piece */
    /* The first moves of the best priority are the first moves of a list: priorities do not change,
     * and $uniqueMoves is off. */
    bool has_first_moves;
    fvm_cell best_rank; /* the best priority of a move type; 0: there are no priorities */
    /* Words that do not run would leave other memory: the text of the next list's first move, or
     * arrays.  It is seen if the game continues with this memory, since positions compare it. */
    bool leaves_differences;
    /* Records of moves have texts, which no word that runs in a search reads. */
    bool texts_unread;
} fvm_list_facts;

/* The variables of the library that generating a list changes, besides those that lists own. */
typedef struct {
    fvm_cell from, here, piece;
} fvm_scan_variables;

static inline fvm_scan_variables fvm_scan_variables_save(const fvm *vm) {
    return (fvm_scan_variables){fvm_lib_get(vm, vm->lib.from), fvm_lib_get(vm, vm->lib.pos),
                                fvm_lib_get(vm, vm->lib.piece)};
}
static inline void fvm_scan_variables_restore(fvm *vm, const fvm_scan_variables *saved) {
    fvm_lib_put(vm, vm->lib.from, saved->from);
    fvm_lib_put(vm, vm->lib.pos, saved->here);
    fvm_lib_put(vm, vm->lib.piece, saved->piece);
}

/* Generates at least a part of the list; list_is_part: it is not complete.  The facts
 * decide whether its moves may be any moves, and which priority counts. */
fvm_status fvm_generate_part(fvm *vm, const fvm_list_facts *facts, fvm_list_part part);
/* Adds moves to the newest list, whose generation has stopped at *rest: at least `moves` unless it
 * is complete then, 0: all.  *rest is set again.  `from`, `here` and the current piece do not
 * change. */
fvm_status fvm_continue_list(fvm *vm, const fvm_list_facts *facts, fvm_list_rest *rest,
                             int32_t moves);

/* Does what fvm_generate_part does besides making a list, which would begin at HERE.  facts->use
 * must be FVM_LIST_UNREAD. */
fvm_status fvm_omit_list(fvm *vm, const fvm_list_facts *facts);

#endif
