/* jit.h: defines FVM_JIT if there is a JIT for this processor, and declares its hooks.
 *
 * FVM_NO_JIT excludes the JIT from the build.  vm/jit_hooks.h declares the interface to the VM. */
#ifndef FVM_JIT_H
#define FVM_JIT_H

#include "vm/vm.h"

#if !defined(FVM_NO_JIT)
#if defined(__x86_64__)
#define FVM_JIT_X64 1
#elif defined(__aarch64__)
#define FVM_JIT_ARM64 1
#endif
#endif

#if defined(FVM_JIT_X64) || defined(FVM_JIT_ARM64)
#define FVM_JIT 1
extern const fvm_jit_hooks fvm_jit;
#endif

#endif
