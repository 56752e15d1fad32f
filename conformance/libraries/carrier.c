// SPDX-License-Identifier: Apache-2.0
// The library whose payload, context and functions cases look at. What cases change in it they
// change in the mapping of their own process (run/carrier.h); where it is to do something else, it
// calls back.
#include "exported.h"

// The tree of nothing but this library.
EXPORTED _Alignas(64) const unsigned char __tvm_ffi__library_bin[] = {
    44, 0, 0, 0, 0, 0, 0, 0,                                                         // nbytes
    2,  0, 0, 0, 0, 0, 0, 0,                                                         // two rows
    0,  0, 0, 0, 0, 0, 0, 0, 0,   0,   0,   0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  // no children
    4,  0, 0, 0, 0, 0, 0, 0, '_', 'l', 'i', 'b'};

EXPORTED void *__tvm_ffi__library_ctx;

// Variables that a case registers as context symbols.
EXPORTED void *__conform_first, *__conform_second;

// What `relay` calls, and what the metadata is asked of.
EXPORTED TVMFFISafeCallType conform_relay, conform_describe;

// Each library here tells by this number which one it is.
MODULE_FUNCTION(self)
{
  return give_integer(result, 100);
}

MODULE_FUNCTION(of_carrier)
{
  return give_integer(result, 1000);
}

MODULE_FUNCTION(main)
{
  return give_integer(result, 4711);
}

// Has the same name, with its prefix, as a variable of older generators.
MODULE_FUNCTION(library_ctx)
{
  return give_integer(result, 17);
}

MODULE_FUNCTION(relay)
{
  return conform_relay(self, args, num_args, result);
}

// What the module is called with.
MODULE_FUNCTION(handle)
{
  return give_integer(result, self != 0);
}

MODULE_FUNCTION(arguments)
{
  int64_t sum = 0;
  for (int32_t i = 0; i < num_args; ++i) sum = 10 * sum + args[i].v_int64;
  return give_integer(result, sum);
}

// A function that is described, one that is described by the case, and one whose descriptions fail.
MODULE_FUNCTION(described)
{
  return give_integer(result, 1);
}

MODULE_FUNCTION(_metadata_described)
{
  return give_short_text(result, "{\"a\":1}");
}

MODULE_FUNCTION(_doc_described)
{
  return give_short_text(result, "a doc");
}

MODULE_FUNCTION(relayed)
{
  return give_integer(result, 2);
}

MODULE_FUNCTION(_metadata_relayed)
{
  return conform_describe(self, args, num_args, result);
}

MODULE_FUNCTION(_doc_relayed)
{
  return conform_describe(self, args, num_args, result);
}

// A description without a function.
MODULE_FUNCTION(_metadata_absent)
{
  return give_short_text(result, "{}");
}

// No function of the module: it has no prefix.
EXPORTED int bare(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);
int bare(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  return give_integer(result, 3);
}
