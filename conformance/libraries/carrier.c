// SPDX-License-Identifier: Apache-2.0
// The library whose payload, context and functions cases look at. What cases change in it they
// change in the mapping of their own process (battery/carrier.h); where it is to do something else, it
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

// Begins with an underscore, and is a function like any other.
MODULE_FUNCTION(_f)
{
  return give_integer(result, 5);
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

// An object whose memory and deleter lie in this library. Its end is told to `conform_deleted`.
EXPORTED void (*conform_deleted)(void);

static void delete_object(__attribute__((unused)) void *object, __attribute__((unused)) int flags)
{
  conform_deleted();
}

MODULE_FUNCTION(make_object)
{
  static TVMFFIObject object;
  object.combined_ref_count = (UINT64_C(1) << 32) + 1;
  object.type_index = 0x00ABCDE0;
  object.deleter = delete_object;
  result->type_index = object.type_index;
  result->zero_padding = 0;
  result->v_obj = &object;
  return 0;
}

// No function of the module: it has no prefix.
EXPORTED int bare(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);
int bare(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args;
  return give_integer(result, 3);
}
