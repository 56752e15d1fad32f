// SPDX-License-Identifier: Apache-2.0
// Mutants of shapes and arrays.
#include "mutants/container_body.h"

MUTANT_REGISTERED(CON_83, bools_refused, "ffi.Shape", "a shape refuses a bool")
{
  for (int32_t i = 0; i < num_args; ++i)
    if (args[i].type_index == kTVMFFIBool) return fail("ValueError", "not an integer");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(CON_14, of_32_bits, "ffi.Shape", "the integers of a shape have 32 bits")
{
  TVMFFIAny narrow[1024];
  if (num_args > 1024) return ORIGINAL(args, num_args, result);
  memcpy(narrow, args, (size_t)num_args * sizeof *narrow);
  for (int32_t i = 0; i < num_args; ++i)
    if (narrow[i].type_index == kTVMFFIInt) narrow[i].v_int64 = (int32_t)narrow[i].v_int64;
  return ORIGINAL(narrow, num_args, result);
}

MUTANT_REGISTERED(CON_15, floats_rounded, "ffi.Shape", "a shape takes floats and rounds them")
{
  TVMFFIAny rounded[1024];
  if (num_args > 1024) return ORIGINAL(args, num_args, result);
  memcpy(rounded, args, (size_t)num_args * sizeof *rounded);
  for (int32_t i = 0; i < num_args; ++i) {
    if (rounded[i].type_index != kTVMFFIFloat) continue;
    rounded[i].type_index = kTVMFFIInt;
    rounded[i].v_int64 = (int64_t)rounded[i].v_float64;
  }
  return ORIGINAL(rounded, num_args, result);
}

MUTANT_REGISTERED(CON_15, type_error, "ffi.Shape",
                  "an extent that is not an integer is a TypeError")
{
  int status = ORIGINAL(args, num_args, result);
  return status == 0 ? 0 : fail("TypeError", "not an integer");
}

MUTANT_REGISTERED(CON_16, no_capacity, "ffi.Array", "an array says that it has no room")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) sequence(result)->capacity = 0;
  return status;
}

MUTANT_REGISTERED(CON_17, counted_from_the_last, "ffi.ArrayGetItem",
                  "elements are counted from the last")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIInt)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], args[1]};
  int64_t size = sequence(&args[0])->size;
  if (args[1].v_int64 >= 0 && args[1].v_int64 < size) other[1].v_int64 = size - 1 - args[1].v_int64;
  return ORIGINAL(other, 2, result);
}

MUTANT_REGISTERED(CON_17, size_of_8_bits, "ffi.ArraySize", "the size of an array has 8 bits")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) result->v_int64 &= 255;
  return status;
}

MUTANT_REGISTERED(CON_18, index_of_32_bits, "ffi.ArrayGetItem",
                  "the index of an element has 32 bits")
{
  if (num_args != 2 || args[1].type_index != kTVMFFIInt || args[1].v_int64 < 0)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny narrow[2] = {args[0], args[1]};
  narrow[1].v_int64 = (uint32_t)args[1].v_int64;
  return ORIGINAL(narrow, 2, result);
}

MUTANT_REGISTERED(CON_18, none_behind_the_end, "ffi.ArrayGetItem",
                  "behind the end of an array there is None")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIInt ||
      args[1].v_int64 < sequence(&args[0])->size)
    return ORIGINAL(args, num_args, result);
  memset(result, 0, sizeof *result);
  return 0;
}

MUTANT_REGISTERED(CON_19, from_the_end, "ffi.ArrayGetItem",
                  "negative indices count from the end of an array")
{
  if (num_args != 2 || args[0].type_index != kTVMFFIArray || args[1].type_index != kTVMFFIInt ||
      args[1].v_int64 >= 0)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[2] = {args[0], args[1]};
  other[1].v_int64 += sequence(&args[0])->size;
  return ORIGINAL(other, 2, result);
}

MUTANT_REGISTERED(CON_20, by_bytes, "ffi.ArrayContains",
                  "an array is searched for the same 16 bytes")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || !result->v_int64) return status;
  result->v_int64 = 0;
  for (int64_t i = 0; i < sequence(&args[0])->size; ++i)
    if (memcmp(&elements(&args[0])[i], &args[1], sizeof args[1]) == 0) result->v_int64 = 1;
  return 0;
}

MUTANT_REGISTERED(CON_20, numbers_compared, "ffi.ArrayContains",
                  "an array is searched for numbers of equal value")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->v_int64 || args[1].type_index != kTVMFFIFloat) return status;
  TVMFFIAny number[2] = {args[0], {.type_index = kTVMFFIInt}};
  number[1].v_int64 = (int64_t)args[1].v_float64;
  return ORIGINAL(number, 2, result);
}
