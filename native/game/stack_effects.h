/* stack_effects.h: which items of the stack instructions and words use and leave.
 *
 * For the analysis of lists only (array_fills.c). */
#ifndef FVM_STACK_EFFECTS_H
#define FVM_STACK_EFFECTS_H

#include "game/word_code.h"

typedef struct {
    enum {
        FVM_EFFECT_NOT_COMPUTED,
        FVM_EFFECT_COMPUTING,
        FVM_EFFECT_KNOWN,
        FVM_EFFECT_VARIES
    } state;
    int16_t popped, pushed; /* an item that a primitive only reads counts as both */
    bool calls;             /* words of the script may run */
} fvm_effect;

typedef struct {
    const fvm_flow *flow;
    const bool *tokens;  /* per word: EXECUTE may run it */
    fvm_effect *effects; /* per word, computed when it is needed */
    fvm_effect executed; /* the effect of the words that EXECUTE may run */
} fvm_stack_effects;

/* false: no memory.  fvm_stack_effects_close must be called in both cases. */
bool fvm_stack_effects_open(fvm_stack_effects *a, const fvm_flow *flow, const bool *tokens);
void fvm_stack_effects_close(fvm_stack_effects *a);
/* The effect of an instruction, with that of the word that it calls. */
fvm_effect fvm_step_effect(fvm_stack_effects *a, const fvm_step *step);
/* The effect of a part of a definition, if the depth of the stack is the same on all paths.  No
 * branch may lead from elsewhere into the part; paths that end the definition count only if the
 * part contains its end. */
fvm_effect fvm_code_effect(fvm_stack_effects *a, const fvm_code *code, fvm_addr from, fvm_addr to);
/* For a primitive that only copies and reorders its inputs: the number of the input, as a digit,
 * that each output is; NULL: any other primitive. */
const char *fvm_outputs_of(int op);

#endif
