// SPDX-License-Identifier: Apache-2.0
// The CUDA driver names its threads, by /proc/self/task/N/comm, and gives up (error 304) where it
// can't. In the sandbox nothing in /proc can be written: there, what it writes goes nowhere.
//
// The worker exports these two names, so the dynamic linker gives them to the driver, and to the
// library under test, in place of the C library's. Every other file is opened as ever.
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default"), used))

// Under names of their own, as in debug_files.c.
EXPORT FILE *thread_names_fopen(const char *path, const char *mode) __asm__("fopen");
EXPORT FILE *thread_names_fopen64(const char *path, const char *mode) __asm__("fopen64");

typedef FILE *Opening(const char *path, const char *mode);

static bool is_thread_name(const char *path)
{
  static const char task[] = "/proc/self/task/", comm[] = "/comm";
  if (!path || strncmp(path, task, sizeof task - 1) != 0) return false;
  const char *number = path + sizeof task - 1;
  size_t digits = strspn(number, "0123456789");
  return digits && strcmp(number + digits, comm) == 0;
}

static FILE *open_stream(_Atomic(void *) *known, const char *name, const char *path,
                         const char *mode)
{
  Opening *real;
  void *address = atomic_load_explicit(known, memory_order_relaxed);
  if (!address) address = dlsym(RTLD_NEXT, name);
  // Some C libraries (musl) have one of the two only.
  if (!address) address = dlsym(RTLD_NEXT, "fopen");
  atomic_store_explicit(known, address, memory_order_relaxed);
  memcpy(&real, &address, sizeof real);
  FILE *file = real(path, mode);
  bool refused = !file && errno == EACCES && is_thread_name(path);
  return refused ? real("/dev/null", mode) : file;
}

FILE *thread_names_fopen(const char *path, const char *mode)
{
  static _Atomic(void *) known;
  return open_stream(&known, "fopen", path, mode);
}

FILE *thread_names_fopen64(const char *path, const char *mode)
{
  static _Atomic(void *) known;
  return open_stream(&known, "fopen64", path, mode);
}
