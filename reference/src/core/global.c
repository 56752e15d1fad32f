// SPDX-License-Identifier: Apache-2.0
#include "core/global.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic(GlobalFind *) find_function;

void global_set_find(GlobalFind *find)
{
  atomic_store_explicit(&find_function, find, memory_order_relaxed);
}

int global_find(const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  GlobalFind *find = atomic_load_explicit(&find_function, memory_order_relaxed);
  if (find != NULL) return find(name, out);
  *out = NULL;
  return 0;
}
