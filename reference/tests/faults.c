// SPDX-License-Identifier: Apache-2.0
// The linker sends the program's requests for memory here (--wrap), where one can be refused.
#include <errno.h>
#include <stddef.h>

#include "probe.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static _Thread_local int left;  // requests until the one that fails; 0 for none

void faults_arm(int n)
{
  left = n;
}

bool faults_disarm(void)
{
  bool came = left == 0;
  left = 0;
  return came;
}

static _Thread_local FaultsMeter metered;

void faults_meter(FaultsMeter *since)
{
  *since = metered;
  metered = (FaultsMeter){0, 0};
}

static bool refused(size_t size)
{
  ++metered.requests;
  metered.bytes += size;
  if (left == 0 || --left != 0) return false;
  errno = ENOMEM;
  return true;
}

void *__wrap_malloc(size_t size)
{
  return refused(size) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  return refused(count * size) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
  return refused(size) ? NULL : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  return refused(size) ? NULL : __real_aligned_alloc(alignment, size);
}
