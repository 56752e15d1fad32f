// SPDX-License-Identifier: Apache-2.0
// A library that brings the loader of a kind that it embeds: its constructor calls the function whose
// address a case writes, as a decimal number, to an environment variable. It needs getenv of the C
// library and no symbol of a runtime.
#include <stdlib.h>

#include "exported.h"

// The library, which imports a module of kind conform_node with the value 7.
EXPORTED const unsigned char __tvm_ffi__library_bin[] = {
    89,  0,   0,   0,   0, 0, 0, 0,                                        // nbytes
    3,   0,   0,   0,   0, 0, 0, 0,                                        // three rows
    0,   0,   0,   0,   0, 0, 0, 0, 1,   0,   0,   0,   0,   0,   0,   0,  // rows 0 and 1
    1,   0,   0,   0,   0, 0, 0, 0,                                        // row 2
    1,   0,   0,   0,   0, 0, 0, 0, 1,   0,   0,   0,   0,   0,   0,   0,  // one child: module 1
    4,   0,   0,   0,   0, 0, 0, 0, '_', 'l', 'i', 'b',                    // module 0
    12,  0,   0,   0,   0, 0, 0, 0, 'c', 'o', 'n', 'f', 'o', 'r', 'm', '_',
    'n', 'o', 'd', 'e', 1, 0, 0, 0, 0,   0,   0,   0,   '7'};

__attribute__((constructor)) static void call_the_case(void)
{
  const char *digits = getenv("TVMFFI_CONFORM_CONSTRUCTOR");
  uintptr_t address = 0;
  void (*call)(void);
  for (; digits && *digits; ++digits) address = 10 * address + (uintptr_t)(*digits - '0');
  if (!address) return;
  __builtin_memcpy(&call, &address, sizeof call);
  call();
}

MODULE_FUNCTION(self)
{
  return give_integer(result, 400);
}
