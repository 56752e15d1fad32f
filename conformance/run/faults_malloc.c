// SPDX-License-Identifier: Apache-2.0
// malloc and its kin, in the program that runs cases: the dynamic linker gives these to the library
// under test, and to the C++ library behind it, in place of the C library's. What is asked for is
// had from there all the same, unless a case wants it refused (faults.h).
//
// Only for C libraries that have their own under a second name, as glibc does; not for programs
// that are built with a sanitizer.
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "run/faults_gate.h"

// --- Where memory comes from
// ----------------------------------------------------------------------------------

// glibc's own, by the names that nobody stands in for.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

// A sanitizer that was loaded before the library under test brings its own, and would be passed
// over: its names are looked up behind those of the program.
#define SANITIZER __attribute__((weak))
extern SANITIZER void *__interceptor_malloc(size_t size);
extern SANITIZER void *__interceptor_calloc(size_t count, size_t size);
extern SANITIZER void *__interceptor_realloc(void *block, size_t size);
extern SANITIZER void *__interceptor_aligned_alloc(size_t alignment, size_t size);
extern SANITIZER void __interceptor_free(void *block);

static inline bool sanitizer_allocates(void)
{
  return __interceptor_malloc && __interceptor_calloc && __interceptor_realloc &&
         __interceptor_aligned_alloc && __interceptor_free;
}

__attribute__((constructor)) static void say_who_allocates(void)
{
  faults_obstacle =
      sanitizer_allocates() ? "a sanitizer allocates the memory of this process" : NULL;
}

static bool refuse(void)
{
  if (!faults_refuses()) return false;
  errno = ENOMEM;
  return true;
}

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// --- The names
// ------------------------------------------------------------------------------------------------

#define EXPORT __attribute__((visibility("default"), used))

// Under names of their own, so that the compiler assumes nothing of them.
EXPORT void *faults_malloc(size_t size) __asm__("malloc");
EXPORT void *faults_calloc(size_t count, size_t size) __asm__("calloc");
EXPORT void *faults_realloc(void *block, size_t size) __asm__("realloc");
EXPORT void *faults_memalign(size_t alignment, size_t size) __asm__("memalign");
EXPORT void *faults_aligned_alloc(size_t alignment, size_t size) __asm__("aligned_alloc");
EXPORT int faults_posix_memalign(void **out, size_t alignment,
                                 size_t size) __asm__("posix_memalign");
EXPORT void faults_free(void *block) __asm__("free");

void *faults_malloc(size_t size)
{
  if (UNLIKELY(sanitizer_allocates())) return __interceptor_malloc(size);
  if (!UNLIKELY(faults_gate.watched)) return __libc_malloc(size);
  return refuse() ? NULL : faults_took(__libc_malloc(size), size);
}

void *faults_calloc(size_t count, size_t size)
{
  if (UNLIKELY(sanitizer_allocates())) return __interceptor_calloc(count, size);
  if (!UNLIKELY(faults_gate.watched)) return __libc_calloc(count, size);
  return refuse() ? NULL : faults_took(__libc_calloc(count, size), count * size);
}

void *faults_realloc(void *block, size_t size)
{
  if (UNLIKELY(sanitizer_allocates())) return __interceptor_realloc(block, size);
  if (!UNLIKELY(faults_gate.watched)) {
    if (UNLIKELY(faults_gate.known)) faults_gave_back(block);
    return __libc_realloc(block, size);
  }
  if (refuse()) return NULL;
  void *moved = __libc_realloc(block, size);
  if (moved || size == 0) faults_gave_back(block);
  return faults_took(moved, size);
}

void *faults_memalign(size_t alignment, size_t size)
{
  if (UNLIKELY(sanitizer_allocates())) return __interceptor_aligned_alloc(alignment, size);
  if (!UNLIKELY(faults_gate.watched)) return __libc_memalign(alignment, size);
  return refuse() ? NULL : faults_took(__libc_memalign(alignment, size), size);
}

void *faults_aligned_alloc(size_t alignment, size_t size)
{
  return faults_memalign(alignment, size);
}

int faults_posix_memalign(void **out, size_t alignment, size_t size)
{
  if (alignment % sizeof(void *) || alignment & (alignment - 1) || alignment == 0) return EINVAL;
  int before = errno;
  void *block = faults_memalign(alignment, size);
  errno = before;
  if (!block) return ENOMEM;
  *out = block;
  return 0;
}

void faults_free(void *block)
{
  if (UNLIKELY(sanitizer_allocates())) {
    __interceptor_free(block);
    return;
  }
  if (UNLIKELY(faults_gate.known)) faults_gave_back(block);
  __libc_free(block);
}
