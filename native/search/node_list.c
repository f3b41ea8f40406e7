/* node_list.c: how a node of a search gets its moves.
 *
 * It owns how much of a list is generated.  alpha_beta.c and original_nodes.c decide which moves a
 * search needs. */
#include "search/node_list.h"

#include "game/move_generation.h"
#include "search/script_memory.h"

fvm_status fvm_node_list_generate(fvm *vm, fvm_list_need need, fvm_node_list *list) {
    FVM_ASSERT(!need.continuable || need.moves > 0);
    list->last_type = fvm_get(vm, FVM_K_LAST_TYPE);
    if (need.moves == 0) {
        const fvm_status status = fvm_omit_list(vm);
        list->state = FVM_OMITTED_LIST;
        list->start = fvm_here(vm);
        return status;
    }
    const bool all = need.moves == FVM_ALL_MOVES, counted = !all && !need.continuable;
    const fvm_list_part part = {.moves = all ? 0 : need.moves,
                                .counted = counted,
                                .rest = need.continuable ? &list->rest : NULL};
    const fvm_status status = fvm_generate_part(vm, part);
    list->state = counted                  ? FVM_SHORT_LIST
                  : GAME(vm)->list_is_part ? FVM_FIRST_MOVES
                                           : FVM_COMPLETE_LIST;
    return status;
}

fvm_status fvm_node_list_replace(fvm *vm, fvm_list_need need, fvm_node_list *list) {
    FVM_ASSERT(list->state == FVM_OMITTED_LIST || list->state == FVM_SHORT_LIST);
    const fvm_scan_variables saved = fvm_scan_variables_save(vm);
    const fvm_cell last_type = fvm_get(vm, FVM_K_LAST_TYPE); /* hooks may have generated lists */
    fvm_put_if_changed(vm, FVM_K_LAST_TYPE, list->last_type);
    fvm_status status = fvm_node_list_free(vm, list);
    if (status == FVM_OK)
        status = fvm_node_list_generate(vm, need, list);
    fvm_put_if_changed(vm, FVM_K_LAST_TYPE, last_type);
    fvm_scan_variables_restore(vm, &saved);
    return status;
}

fvm_status fvm_node_list_continue(fvm *vm, fvm_node_list *list, int32_t moves) {
    FVM_ASSERT(list->state == FVM_FIRST_MOVES);
    const fvm_status status = fvm_continue_list(vm, &list->rest, moves);
    if (!GAME(vm)->list_is_part)
        list->state = FVM_COMPLETE_LIST;
    return status;
}

fvm_status fvm_node_list_free(fvm *vm, const fvm_node_list *list) {
    FVM_ASSERT(list->state != FVM_NO_LIST);
    if (list->state != FVM_OMITTED_LIST)
        return fvm_free_list(vm);
    fvm_set_here_back(vm, list->start);
    return FVM_OK;
}
