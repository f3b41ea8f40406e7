/* os.h: what the core needs from the operating system.
 *
 * Each file of this folder implements all functions for one system.  All files may be compiled
 * together: those for other systems are empty.  No other file of native/ knows its system. */
#ifndef FVM_OS_H
#define FVM_OS_H

#include <stdbool.h>
#include <stddef.h>

/* Defines which file is used.  FVM_OS_STANDARD, which may also be chosen when the core is compiled,
 * needs only the standard library. */
#if defined(FVM_OS_STANDARD)
#elif defined(_WIN32)
#define FVM_OS_WINDOWS 1
#elif defined(__wasm__)
#define FVM_OS_WASM 1
#elif defined(__APPLE__)
#define FVM_OS_MACOS 1
#elif defined(__unix__)
#define FVM_OS_UNIX 1
#else
#define FVM_OS_STANDARD 1
#endif

/* C functions use the calling convention of Windows on x86-64, instead of System V's. */
#if defined(__x86_64__) && (defined(_WIN64) || defined(__CYGWIN__))
#define FVM_OS_WIN64_CALLS 1
#endif

/* --- memory ------------------------------------------------------------------------- */

/* Allocates zeroed memory that uses no physical memory until it is accessed; NULL: no memory. */
void *fvm_reserve(size_t bytes);
/* The same for large memory of which little is used: only what fvm_commit has returned true for may
 * be accessed.  Windows counts all other memory as used. */
void *fvm_reserve_addresses(size_t bytes);
bool fvm_commit(void *from, size_t bytes); /* false: no memory */
/* Frees memory of both kinds, if it is not NULL. */
void fvm_release(void *memory, size_t bytes);

/* --- memory for machine code, which is never writable and executable at the same time --- */

/* Whether a thread may write to such memory or execute it.  What it may not do ends the process. */
typedef enum { FVM_WRITABLE, FVM_EXECUTABLE } fvm_code_access;

/* Allocates memory for machine code, which is writable.  NULL: no memory, or the system does not
 * allow machine code. */
void *fvm_reserve_code(size_t bytes);
void fvm_release_code(void *memory, size_t bytes);
/* Sets the access of the calling thread to the whole memory.  False: the system refuses. */
bool fvm_protect_code(void *memory, size_t bytes, fvm_code_access access);
/* Removes what was at these addresses before from the caches of instructions. */
void fvm_publish_code(const void *from, const void *to);

/* --- time and threads --------------------------------------------------------------- */

double fvm_now(void); /* seconds of a monotonic clock */
void fvm_yield(void); /* lets other threads run */

#endif
