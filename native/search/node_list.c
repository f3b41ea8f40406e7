/* node_list.c: how a node of a search gets its moves.
 *
 * It owns how much of a list is generated.  alpha_beta.c and original_nodes.c decide which moves a
 * search needs. */
#include "search/node_list.h"

#include "search/script_memory.h"

fvm_status fvm_node_list_generate(fvm *vm, const fvm_list_facts *facts, fvm_list_need need,
                                  fvm_node_list *list) {
    /* A list that cannot be continued must be complete if its moves are searched, unless it can be
     * omitted until then. */
    const bool omissible = need.use == FVM_LIST_UNREAD && facts->can_follow_hooks;
    const bool complete =
        need.use == FVM_LIST_CONTENTS || (need.searched && !need.continuable && !omissible);
    const bool counted =
        !complete && !need.searched && (need.use == FVM_LIST_COUNT || facts->ends_words);
    list->last_type = fvm_get(vm, FVM_K_LAST_TYPE);
    if (!complete && need.use == FVM_LIST_UNREAD) {
        const fvm_status status = fvm_omit_list(vm, facts);
        list->state = FVM_OMITTED_LIST;
        list->start = fvm_here(vm);
        return status;
    }
    const fvm_list_part part = {.moves = !complete && need.use != FVM_LIST_COUNT ? need.moves : 0,
                                .counted = counted,
                                .rest = need.continuable ? &list->rest : NULL};
    const fvm_status status = fvm_generate_part(vm, facts, part);
    list->state = !GAME(vm)->list_is_part && !counted ? FVM_COMPLETE_LIST
                  : need.continuable                  ? FVM_FIRST_MOVES
                                                      : FVM_SHORT_LIST;
    return status;
}

fvm_status fvm_node_list_replace(fvm *vm, const fvm_list_facts *facts, fvm_list_need need,
                                 fvm_node_list *list) {
    const fvm_scan_variables saved = fvm_scan_variables_save(vm);
    const fvm_cell last_type = fvm_get(vm, FVM_K_LAST_TYPE); /* hooks may have generated lists */
    fvm_put_if_changed(vm, FVM_K_LAST_TYPE, list->last_type);
    fvm_status status = fvm_node_list_free(vm, list);
    if (status == FVM_OK)
        status = fvm_node_list_generate(vm, facts, need, list);
    fvm_put_if_changed(vm, FVM_K_LAST_TYPE, last_type);
    fvm_scan_variables_restore(vm, &saved);
    return status;
}

fvm_status fvm_node_list_continue(fvm *vm, const fvm_list_facts *facts, fvm_node_list *list,
                                  int32_t moves) {
    const fvm_status status = fvm_continue_list(vm, facts, &list->rest, moves);
    if (!GAME(vm)->list_is_part)
        list->state = FVM_COMPLETE_LIST;
    return status;
}

fvm_status fvm_node_list_free(fvm *vm, const fvm_node_list *list) {
    if (list->state != FVM_OMITTED_LIST)
        return fvm_free_list(vm);
    fvm_set_here_back(vm, list->start);
    return FVM_OK;
}
