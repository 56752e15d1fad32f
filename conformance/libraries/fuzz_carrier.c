// SPDX-License-Identifier: Apache-2.0
// What the fuzzer makes the libraries of its findings from: it writes the payload where this one
// has room, so that its last byte is the last of a page, and moves the symbol there. The page
// behind it belongs to the library, for a reproducer to make it unreadable.
#include "exported.h"

EXPORTED _Alignas(4096) unsigned char __tvm_ffi__library_bin[ROOM + 4096] = {1};

EXPORTED void *__tvm_ffi__library_ctx;

// A context symbol, for those who register it.
EXPORTED void *__conform_first;

MODULE_FUNCTION(self)
{
  return give_integer(result, 100);
}
