// SPDX-License-Identifier: Apache-2.0
// The library that policies and earlier reports are held against: it exports two functions, one of
// them by a name of the ABI, and needs one of libc.
#include <stdlib.h>

__attribute__((visibility("default"))) int __tvm_ffi_add_one(void *self, const void *args,
                                                             int count, void *result);
__attribute__((visibility("default"))) void *fuzz_allocate(size_t size);

int __tvm_ffi_add_one(void *self, const void *args, int count, void *result)
{
  (void)self, (void)args, (void)result;
  return count == 1 ? 0 : -1;
}

void *fuzz_allocate(size_t size)
{
  return malloc(size);
}
