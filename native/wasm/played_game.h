/* played_game.h: what the files of the WebAssembly module share. */
#ifndef FVM_PLAYED_GAME_H
#define FVM_PLAYED_GAME_H

#include "forthvm.h"
#include "vm/layout.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

/* The VM of the game; NULL before play_new. */
fvm *played_vm(void);

/* The memory of the current position before its moves were generated. */
const fvm_snapshot *played_position(void);

/* The text of a move in the VM's memory, valid until the next call. */
const char *played_text(fvm_addr move);

/* The hook of traces (stepping.c). */
int played_trace_stop(void *host, int32_t reasons);

#endif
