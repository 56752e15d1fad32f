// SPDX-License-Identifier: Apache-2.0
// The library that policies and earlier reports are checked against. It exports two functions, one of
// them by a name of the ABI, and needs one of libc. A unique symbol, by which the library stays in
// memory, is something to find whatever it is checked against.
#include <stdlib.h>

__attribute__((visibility("default"))) int __tvm_ffi_add_one(void *self, const void *args,
                                                             int count, void *result);
__attribute__((visibility("default"))) void *fuzz_allocate(size_t size);

__asm__(
    ".data\n"
    ".globl fuzz_once\n"
    ".type fuzz_once, %gnu_unique_object\n"
    ".size fuzz_once, 1\n"
    "fuzz_once: .byte 0\n"
    ".text\n");

int __tvm_ffi_add_one(void *self, const void *args, int count, void *result)
{
  (void)self, (void)args, (void)result;
  return count == 1 ? 0 : -1;
}

void *fuzz_allocate(size_t size)
{
  return malloc(size);
}
