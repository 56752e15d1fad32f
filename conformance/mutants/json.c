// SPDX-License-Identifier: Apache-2.0
// Mutants of the functions that read and write JSON.
#include <stdio.h>

#include "mutants/container_body.h"

MUTANT_UNREGISTERED(JSON_1, cannot_be_written, "ffi.json.Stringify",
                    "ffi.json.Stringify is not registered");

MUTANT_REGISTERED(JSON_2, true_is_one, "ffi.json.Parse", "true and false become ints")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFIBool) result->type_index = kTVMFFIInt;
  return status;
}

MUTANT_REGISTERED(JSON_3, through_a_float, "ffi.json.Parse", "ints are read as floats first")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFIInt && result->v_int64 != INT64_MAX) {
    result->v_int64 = (int64_t)(double)result->v_int64;
  }
  return status;
}

MUTANT_REGISTERED(JSON_4, of_32_bits, "ffi.json.Parse", "floats are rounded to 32 bits")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFIFloat) {
    result->v_float64 = (float)result->v_float64;
  }
  return status;
}

MUTANT_REGISTERED(JSON_5, not_a_number_is_none, "ffi.json.Parse", "NaN becomes None")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFIFloat && result->v_float64 != result->v_float64) {
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
  }
  return status;
}

MUTANT_REGISTERED(JSON_6, ends_at_nul, "ffi.json.Parse", "a small string ends at its first NUL")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFISmallStr) {
    result->small_str_len = (uint32_t)strnlen(result->v_bytes, result->small_str_len);
  }
  return status;
}

// The text of an argument that is a string.
static TVMFFIByteArray json_argument(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFIStr) return *(const TVMFFIByteArray *)(arg->v_obj + 1);
  if (arg->type_index != kTVMFFISmallStr) return (TVMFFIByteArray){"", 0};
  return (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
}

MUTANT_REGISTERED(JSON_7, ascii_only, "ffi.json.Parse", "characters outside ASCII are refused")
{
  TVMFFIByteArray text = json_argument(args);
  for (size_t i = 0; i < text.size; ++i) {
    if (text.data[i] & 0x80) return fail("ValueError", "no ASCII");
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(JSON_8, lists, "ffi.json.Parse", "arrays become lists")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIArray) return status;
  TVMFFIAny array = *result;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  status = registered_call_by_name("ffi.List", sequence(&array)->data,
                                   (int32_t)sequence(&array)->size, result);
  TVMFFIObjectDecRef(array.v_obj);
  return status;
}

MUTANT_REGISTERED(JSON_9, dicts, "ffi.json.Parse", "objects become dicts")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIMap) return status;
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return registered_call_by_name("ffi.Dict", NULL, 0, result);
}

MUTANT_REGISTERED(JSON_10, stops_early, "ffi.json.Parse", "what follows a comment is not read")
{
  TVMFFIByteArray text = json_argument(args);
  for (size_t i = 0; i + 1 < text.size; ++i) {
    if (text.data[i] != '/' || text.data[i + 1] != '/') continue;
    TVMFFIByteArray before = {text.data, i};
    TVMFFIAny cut;
    if (TVMFFIStringFromByteArray(&before, &cut) != 0) return -1;
    int status = ORIGINAL(&cut, 1, result);
    if (is_object(&cut)) TVMFFIObjectDecRef(cut.v_obj);
    return status;
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(JSON_13, largest_as_float, "ffi.json.Stringify",
                  "the largest int is written as a float")
{
  if (args[0].type_index == kTVMFFIArray && sequence(&args[0])->size == 4) {
    TVMFFIAny items[4];
    memcpy(items, sequence(&args[0])->data, sizeof items);
    for (int i = 0; i < 4; ++i) {
      if (items[i].type_index != kTVMFFIInt || items[i].v_int64 != INT64_MAX) continue;
      items[i] = (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = 9223372036854775807.0};
    }
    TVMFFIAny changed[2] = {{.type_index = kTVMFFINone}, args[1]};
    if (registered_call_by_name("ffi.Array", items, 4, &changed[0]) != 0) return -1;
    int status = ORIGINAL(changed, num_args, result);
    TVMFFIObjectDecRef(changed[0].v_obj);
    return status;
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(JSON_14, of_15_digits, "ffi.json.Stringify", "floats are written with 15 digits")
{
  char text[40];
  if (args[0].type_index != kTVMFFIFloat) return ORIGINAL(args, num_args, result);
  double number = args[0].v_float64;
  snprintf(text, sizeof text, number == (double)(int64_t)number ? "%.1f" : "%.15g", number);
  TVMFFIByteArray bytes = {text, strlen(text)};
  return TVMFFIStringFromByteArray(&bytes, result);
}

MUTANT_REGISTERED(JSON_15, always_lines, "ffi.json.Stringify", "None is an indent of 2")
{
  TVMFFIAny changed[2] = {args[0], args[1]};
  if (changed[1].type_index == kTVMFFINone) {
    changed[1] = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 2};
  }
  return ORIGINAL(changed, 2, result);
}

MUTANT_REGISTERED(JSON_16, always_two, "ffi.json.Stringify", "every indent is 2")
{
  TVMFFIAny changed[2] = {args[0], args[1]};
  if (changed[1].type_index == kTVMFFIInt && changed[1].v_int64 > 2) changed[1].v_int64 = 2;
  return ORIGINAL(changed, 2, result);
}

MUTANT_UNREGISTERED(JSON_20, not_from_text, "ffi.FromJSONGraphString",
                    "ffi.FromJSONGraphString is not registered");

// Own: what a registered map function gives for a map and a key.
static TVMFFIAny json_item(const TVMFFIAny *map, const char *key)
{
  TVMFFIAny args[2] = {*map, {.type_index = kTVMFFIRawStr, .v_c_str = key}};
  TVMFFIAny value = {.type_index = kTVMFFINone};
  registered_call_by_name("ffi.MapGetItem", args, 2, &value);
  return value;
}

MUTANT_REGISTERED(JSON_21, root_is_zero, "ffi.ToJSONGraph", "the root is said to be node 0")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIAny nodes = json_item(result, "nodes");
  TVMFFIAny items[4] = {{.type_index = kTVMFFIRawStr, .v_c_str = "root_index"},
                        {.type_index = kTVMFFIInt, .v_int64 = 0},
                        {.type_index = kTVMFFIRawStr, .v_c_str = "nodes"},
                        nodes};
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  status = registered_call_by_name("ffi.Map", items, 4, result);
  TVMFFIObjectDecRef(nodes.v_obj);
  return status;
}

MUTANT_REGISTERED(JSON_22, no_metadata, "ffi.ToJSONGraph", "metadata is left out")
{
  TVMFFIAny changed[2] = {args[0], {.type_index = kTVMFFINone}};
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(JSON_23, empty_is_none, "ffi.ToJSONGraphString", "empty bytes are stored as None")
{
  TVMFFIAny changed[2] = {args[0], args[1]};
  if (changed[0].type_index == kTVMFFISmallBytes && changed[0].small_str_len == 0) {
    changed[0].type_index = kTVMFFINone;
  }
  return ORIGINAL(changed, num_args, result);
}

MUTANT_REGISTERED(JSON_24, copies, "ffi.FromJSONGraph", "the last of several elements is a copy")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIArray || sequence(result)->size < 4)
    return status;
  TVMFFIAny *last = &elements(result)[2], copy = {.type_index = kTVMFFINone};
  if (last->type_index != kTVMFFIArray) return status;
  if (registered_call_by_name("ffi.DeepCopy", last, 1, &copy) != 0) return -1;
  TVMFFIObjectDecRef(last->v_obj);
  *last = copy;
  return 0;
}

MUTANT_REGISTERED(JSON_29, sign_lost, "ffi.ToJSONGraph", "integers of any size lose their sign")
{
  TVMFFIAny positive = {.type_index = kTVMFFINone}, changed[2] = {args[0], args[1]};
  if (args[0].type_index != kTVMFFIBigInt) return ORIGINAL(args, num_args, result);
  TVMFFIByteArray words = TVMFFIBigIntGetContentByteArray(&args[0]);
  uint64_t ones[8] = {0};
  int64_t highest = 0;
  memcpy(&highest, words.data + words.size - 8, 8);
  for (size_t i = 0; i < words.size / 8 && i < 7; ++i) {
    memcpy(&ones[i], words.data + 8 * i, 8);
    if (highest < 0) ones[i] = ~ones[i];
  }
  TVMFFIByteArray bytes = {(const char *)ones, words.size};
  if (TVMFFIBigIntFromByteArray(&bytes, &positive) != 0) return -1;
  changed[0] = positive;
  int status = ORIGINAL(changed, num_args, result);
  if (is_object(&positive)) TVMFFIObjectDecRef(positive.v_obj);
  return status;
}
