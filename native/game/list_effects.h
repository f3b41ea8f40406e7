/* list_effects.h: what a script can observe of a list whose moves are not searched. */
#ifndef FVM_LIST_EFFECTS_H
#define FVM_LIST_EFFECTS_H

#include "game/game.h"

/* What OnIsGameOver, OnEvaluate and OnIsTerminal? read of the list. */
typedef enum {
    FVM_LIST_UNREAD,
    FVM_LIST_EMPTINESS,
    FVM_LIST_COUNT, /* the number of moves: the list may have no moves (vm->counts_moves) */
    FVM_LIST_CONTENTS
} fvm_list_use;

typedef struct {
    /* FVM_LIST_UNREAD, FVM_LIST_EMPTINESS: an incomplete list (which may be empty only if the
     * complete list is empty, unless the list is unread) gives the same results, and omitting move
     * words leaves no difference, provided that `from`, `here` and the current piece are those
     * after a scan of the whole board. */
    fvm_list_use use;
    /* The moves of lists that are not searched may only be counted, also of lists that the hooks
     * generate. */
    bool counts_moves;
    /* The same for incomplete lists, and the last move of such a list may end its move word. */
    bool ends_words;
    /* The complete list may be generated after the three hooks have run, with the same moves. */
    bool can_follow_hooks;
    /* The first moves of a list may be searched before the others are generated. */
    bool can_be_continued;
    /* An incomplete list must begin with the first moves of the complete list. */
    bool ordered;
    /* The text of the next list's first move may depend on the last edit of this list. */
    bool next_text_depends;
} fvm_list_effects;

fvm_list_effects fvm_find_list_effects(fvm *vm);

/* Whether each move word generates the same moves if other move words have not run before it, and
 * neither move words nor OnNextTurn depend on the lists that exist.  Priorities may still remove
 * moves from a list. */
bool fvm_move_words_are_independent(fvm *vm);

/* Whether nothing reads later what move words leave in memory while a list is generated. */
bool fvm_move_words_leave_nothing(fvm *vm);

/* Whether move words change no boards while a list is generated. */
bool fvm_move_words_leave_boards(fvm *vm);

#endif
