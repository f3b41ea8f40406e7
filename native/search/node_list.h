/* node_list.h: how a node of a search gets its moves.
 *
 * Without a promise of the script (game/promises.h) every list is complete.  With promises a node
 * begins with as much of its list as hooks read, or with its first moves.  If the moves are
 * searched after that, it generates the list again, or continues it. */
#ifndef FVM_NODE_LIST_H
#define FVM_NODE_LIST_H

#include "game/promises.h"

enum { FVM_ALL_MOVES = -1 };

typedef struct {
    enum {
        FVM_NO_LIST,      /* not generated */
        FVM_OMITTED_LIST, /* nothing reads the list, so there is none */
        FVM_SHORT_LIST,   /* to search its moves, it must be generated again */
        FVM_FIRST_MOVES,  /* the first moves, to which others can be added */
        FVM_COMPLETE_LIST
    } state;
    fvm_addr start;     /* of an omitted list */
    fvm_list_rest rest; /* of first moves */
    fvm_cell last_type; /* FVM_K_LAST_TYPE before the list: a forced pass may have this type */
} fvm_node_list;

/* What a node needs of its list. */
typedef struct {
    int32_t moves;    /* this many moves are enough; FVM_ALL_MOVES; 0: none */
    bool continuable; /* the moves are searched, and others can be added to them */
} fvm_list_need;

/* Generates what is needed of the list. */
fvm_status fvm_node_list_generate(fvm *vm, fvm_list_need need, fvm_node_list *list);
/* Generates the list again after hooks have run: what they left in `from`, `here` and the current
 * piece remains. */
fvm_status fvm_node_list_replace(fvm *vm, fvm_list_need need, fvm_node_list *list);
/* Adds moves to a list of first moves: at least `moves` unless it is complete then, 0: all. */
fvm_status fvm_node_list_continue(fvm *vm, fvm_node_list *list, int32_t moves);
/* Frees the list, also one that has been omitted: what hooks have appended to the dictionary since
 * is dropped. */
fvm_status fvm_node_list_free(fvm *vm, const fvm_node_list *list);

#endif
