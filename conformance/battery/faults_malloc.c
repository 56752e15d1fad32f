// SPDX-License-Identifier: Apache-2.0
// malloc and its kin, in the program that runs cases: the dynamic linker gives these to the library
// under test, and to the C++ library behind it, in place of the C library's. What is asked for is
// had from there all the same, unless a case wants it refused (faults.h).
//
// Not for programs that are built with a sanitizer.
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "battery/faults_fence.h"
#include "battery/faults_gate.h"

// --- Where memory comes from ---------------------------------------------------------------------

#ifdef __GLIBC__

// Its own, by the names that nobody stands in for.
extern void *own_malloc(size_t size) __asm__("__libc_malloc");
extern void *own_calloc(size_t count, size_t size) __asm__("__libc_calloc");
extern void *own_realloc(void *block, size_t size) __asm__("__libc_realloc");
extern void *own_memalign(size_t alignment, size_t size) __asm__("__libc_memalign");
extern void own_free(void *block) __asm__("__libc_free");

#else

// Others (musl) have no second name and no gauge: what stands behind this program's functions is
// looked up, and counted.
static atomic_size_t in_use;

static size_t own_heap(void)
{
  return atomic_load_explicit(&in_use, memory_order_relaxed);
}

static void *counted(void *block)
{
  size_t size = malloc_usable_size(block);
  atomic_fetch_add_explicit(&in_use, size, memory_order_relaxed);
  return block;
}

static void uncounted(void *block)
{
  atomic_fetch_sub_explicit(&in_use, malloc_usable_size(block), memory_order_relaxed);
}

// Finds the function of this name once; to do it twice at the same time does no harm.
static void *find(_Atomic(void *) *known, const char *name)
{
  void *address = atomic_load_explicit(known, memory_order_relaxed);
  if (address) return address;
  address = dlsym(RTLD_NEXT, name);
  if (!address) abort();
  atomic_store_explicit(known, address, memory_order_relaxed);
  return address;
}

// Behind this, `library_s` is the C library's function of this name.
#define FIND(name)                   \
  static _Atomic(void *) known;      \
  void *found = find(&known, #name); \
  __typeof__(name) *library_s;       \
  memcpy(&library_s, &found, sizeof found)

static void *own_malloc(size_t size)
{
  FIND(malloc);
  return counted(library_s(size));
}

// Not the C library's: musl's calls the malloc of this program.
static void *own_calloc(size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  void *block = own_malloc(bytes);
  return block ? memset(block, 0, bytes) : NULL;
}

static void *own_realloc(void *block, size_t size)
{
  FIND(realloc);
  size_t before = malloc_usable_size(block);
  void *moved = library_s(block, size);
  if (!moved && size) return NULL;
  atomic_fetch_sub_explicit(&in_use, before, memory_order_relaxed);
  return counted(moved);
}

static void *own_memalign(size_t alignment, size_t size)
{
  FIND(aligned_alloc);
  return counted(library_s(alignment, size));
}

static void own_free(void *block)
{
  FIND(free);
  uncounted(block);
  library_s(block);
}

#endif

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
#ifndef __GLIBC__
  if (!sanitizer_allocates()) faults_heap = own_heap;
#endif
}

static bool refuse(void)
{
  if (!faults_refuses()) return false;
  errno = ENOMEM;
  return true;
}

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// A block of the fenced heap, if that is in use and has room.
static inline void *fenced(size_t size, size_t alignment)
{
  return UNLIKELY(faults_fenced) ? faults_fence_take(size, alignment) : NULL;
}

// --- The names -----------------------------------------------------------------------------------

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
  void *block = fenced(size, 1);
  if (UNLIKELY(block)) return block;
  if (!UNLIKELY(faults_gate.watched)) return own_malloc(size);
  return refuse() ? NULL : faults_took(own_malloc(size), size);
}

void *faults_calloc(size_t count, size_t size)
{
  if (UNLIKELY(sanitizer_allocates())) return __interceptor_calloc(count, size);
  size_t bytes;
  if (UNLIKELY(faults_fenced) && !__builtin_mul_overflow(count, size, &bytes)) {
    void *block = fenced(bytes, 1);
    if (block) return memset(block, 0, bytes);
  }
  if (!UNLIKELY(faults_gate.watched)) return own_calloc(count, size);
  return refuse() ? NULL : faults_took(own_calloc(count, size), count * size);
}

void *faults_realloc(void *block, size_t size)
{
  if (UNLIKELY(sanitizer_allocates())) return __interceptor_realloc(block, size);
  if (UNLIKELY(block && faults_fence_holds(block))) {
    const size_t before = faults_fence_size(block);
    void *moved = faults_malloc(size);
    if (moved) memcpy(moved, block, before < size ? before : size);
    if (moved || size == 0) faults_fence_drop(block);
    return moved;
  }
  if (!UNLIKELY(faults_gate.watched)) {
    if (UNLIKELY(faults_gate.known)) faults_gave_back(block, malloc_usable_size(block));
    return own_realloc(block, size);
  }
  if (refuse()) return NULL;
  size_t before = malloc_usable_size(block);
  void *moved = own_realloc(block, size);
  if (moved || size == 0) faults_gave_back(block, before);
  return faults_took(moved, size);
}

void *faults_memalign(size_t alignment, size_t size)
{
  if (UNLIKELY(sanitizer_allocates())) return __interceptor_aligned_alloc(alignment, size);
  void *block = fenced(size, alignment);
  if (UNLIKELY(block)) return block;
  if (!UNLIKELY(faults_gate.watched)) return own_memalign(alignment, size);
  return refuse() ? NULL : faults_took(own_memalign(alignment, size), size);
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
  if (UNLIKELY(block && faults_fence_holds(block))) {
    faults_fence_drop(block);
    return;
  }
  if (UNLIKELY(faults_gate.known || faults_gate.watched))
    faults_gave_back(block, malloc_usable_size(block));
  own_free(block);
}
