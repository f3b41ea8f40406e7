/* traced_interpreter.c: the second instance of the inner interpreter, which shows every token
 * to trace.c. */
#define FVM_TRACED 1
#include "vm/inner_interpreter.c"
