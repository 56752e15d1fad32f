// SPDX-License-Identifier: Apache-2.0
// Mutants of what all containers share, and of texts.
#include <unistd.h>

#include "mutants/container_body.h"

MUTANT_UNREGISTERED(CON_1, no_array_size, "ffi.ArraySize", "ffi.ArraySize is not registered");

MUTANT_UNREGISTERED(CON_82, no_bytes, "ffi.Bytes", "ffi.Bytes is not registered");

MUTANT_UNREGISTERED(CON_2, no_missing_value, "ffi.MapGetItemOrMissing",
                    "ffi.MapGetItemOrMissing is not registered");

MUTANT_UNREGISTERED(CON_3, no_search, "ffi.ArrayContains", "ffi.ArrayContains is not registered");

MUTANT_UNREGISTERED(CON_4, dicts_cannot_be_walked, "ffi.DictForwardIterFunctor",
                    "ffi.DictForwardIterFunctor is not registered");

MUTANT_UNREGISTERED(CON_4, no_slices, "ffi.ListReplaceSlice",
                    "ffi.ListReplaceSlice is not registered");

MUTANT_REGISTERED(CON_5, dict_held_twice, "ffi.Dict",
                  "a new dict has a reference that nobody releases")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectIncRef(result->v_obj);
  return status;
}

static TVMFFIAny empty;

MUTANT_REGISTERED(CON_5, one_empty_list, "ffi.List", "all empty lists are one object")
{
  if (num_args != 0) return ORIGINAL(args, num_args, result);
  if (!empty.v_obj && ORIGINAL(args, 0, &empty) != 0) return -1;
  TVMFFIObjectIncRef(empty.v_obj);
  *result = empty;
  return 0;
}

MUTANT_REGISTERED(CON_6, raw_strings_kept, "ffi.Array", "an array keeps raw C strings as they are")
{
  int status = ORIGINAL(args, num_args, result);
  for (int32_t i = 0; status == 0 && i < num_args; ++i)
    if (args[i].type_index == kTVMFFIRawStr) elements(result)[i] = args[i];
  return status;
}

MUTANT_REGISTERED(CON_6, slot_kept, "ffi.ListAppend",
                  "an object that is moved into a list stays in its slot, too")
{
  TVMFFIObject **slot = NULL, *object = NULL;
  if (num_args == 2 && args[1].type_index == kTVMFFIObjectRValueRef) {
    slot = args[1].v_ptr;
    object = *slot;
  }
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && slot) *slot = object;
  return status;
}

MUTANT_REGISTERED(CON_6, two_references, "ffi.DictSetItem",
                  "a value that is set in a dict gains two references")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(&args[2])) TVMFFIObjectIncRef(args[2].v_obj);
  return status;
}

MUTANT_REGISTERED(CON_7, borrowed, "ffi.ArrayGetItem",
                  "an element that is read is borrowed from the array")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  return status;
}

MUTANT_REGISTERED(CON_7, map_retained, "ffi.MapGetItem", "whoever reads a value retains the map")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectIncRef(args[0].v_obj);
  return status;
}

MUTANT_REGISTERED(CON_8, keys_forgotten, "ffi.Map", "a map that dies forgets its keys")
{
  int status = ORIGINAL(args, num_args, result);
  for (int32_t i = 0; status == 0 && i < num_args; i += 2)
    if (is_object(&args[i])) TVMFFIObjectIncRef(args[i].v_obj);
  return status;
}

static void (*delete_array)(void *self, int flags);

static void delete_late(void *self, int flags)
{
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak)
    delete_array(self, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

MUTANT_REGISTERED(CON_8, waits_for_weak_holders, "ffi.Array",
                  "an array keeps its elements as long as somebody holds it weakly")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  delete_array = result->v_obj->deleter;
  result->v_obj->deleter = delete_late;
  return 0;
}

MUTANT_REGISTERED(CON_9, kept_on_failure, "ffi.Array",
                  "an array that cannot be made keeps the objects that it took")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) return 0;
  for (int32_t i = 0; i < num_args && args[i].type_index != kTVMFFIObjectRValueRef; ++i)
    if (is_object(&args[i])) TVMFFIObjectIncRef(args[i].v_obj);
  return status;
}

MUTANT_REGISTERED(CON_9, none_instead, "ffi.Map", "a map takes None for what cannot be owned")
{
  TVMFFIAny owned[64];
  if (num_args > 64) return ORIGINAL(args, num_args, result);
  memcpy(owned, args, (size_t)num_args * sizeof *owned);
  for (int32_t i = 0; i < num_args; ++i)
    if (owned[i].type_index == kTVMFFIObjectRValueRef && !*(void **)owned[i].v_ptr)
      owned[i] = (TVMFFIAny){.type_index = kTVMFFINone};
  return ORIGINAL(owned, num_args, result);
}

MUTANT_REGISTERED(CON_10, any_object, "ffi.MapSize",
                  "the size of any object is read as if it were a map")
{
  if (num_args != 1 || !is_object(&args[0])) return ORIGINAL(args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = (int64_t)map_body(&args[0])->size};
  return 0;
}

MUTANT_REGISTERED(CON_10, index_rounded, "ffi.ArrayGetItem", "a float may be an index")
{
  if (num_args != 2 || args[1].type_index != kTVMFFIFloat) return ORIGINAL(args, num_args, result);
  TVMFFIAny rounded[2] = {args[0], {.type_index = kTVMFFIInt}};
  rounded[1].v_int64 = (int64_t)args[1].v_float64;
  return ORIGINAL(rounded, 2, result);
}

MUTANT_REGISTERED(CON_10, value_error, "ffi.ArraySize",
                  "a value that is not an array is a ValueError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 1) return status;
  return fail("ValueError", "not an array");
}

MUTANT_REGISTERED(CON_11, index_error, "ffi.ArrayGetItem", "an argument too few is an IndexError")
{
  if (num_args < 2) return fail("IndexError", "an argument is missing");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_11, more_are_ignored, "ffi.MapCount",
                  "arguments that are too many are ignored")
{
  return ORIGINAL(args, num_args > 2 ? 2 : num_args, result);
}

static void *volatile lost;

MUTANT_REGISTERED(CON_12, a_little_is_lost, "ffi.Map", "each map loses some memory")
{
  lost = malloc(48);
  return ORIGINAL(args, num_args, result);
}

static volatile int64_t wanted;

MUTANT_REGISTERED(CON_13, one_index_for_all, "ffi.ArrayGetItem",
                  "the index that is looked for lies where all threads write")
{
  static _Thread_local unsigned calls;
  if (num_args != 2 || args[1].type_index != kTVMFFIInt) return ORIGINAL(args, num_args, result);
  wanted = args[1].v_int64;
  if (++calls % 7 == 0) usleep(20);
  TVMFFIAny shared[2] = {args[0], {.type_index = kTVMFFIInt, .v_int64 = wanted}};
  return ORIGINAL(shared, 2, result);
}

MUTANT_REGISTERED(CON_53, copied, "ffi.String", "a string object is copied, not shared")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIStr) return ORIGINAL(args, num_args, result);
  return TVMFFIStringFromByteArray((TVMFFIByteArray *)(args[0].v_obj + 1), result);
}

MUTANT_REGISTERED(CON_53, one_reference_too_many, "ffi.Bytes",
                  "bytes that are given back gain two references")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && args[0].type_index == kTVMFFIBytes) TVMFFIObjectIncRef(result->v_obj);
  return status;
}

MUTANT_REGISTERED(CON_54, bytes_become_text, "ffi.String", "small bytes are taken for a text")
{
  if (num_args != 1 || args[0].type_index != kTVMFFISmallBytes)
    return ORIGINAL(args, num_args, result);
  *result = args[0];
  result->type_index = kTVMFFISmallStr;
  return 0;
}

MUTANT_REGISTERED(CON_54, value_error, "ffi.Bytes", "a value that is not bytes is a ValueError")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 || num_args != 1 ? status : fail("ValueError", "not bytes");
}
