// SPDX-License-Identifier: Apache-2.0
// Mutants of the list of types and the singletons.
#include "mutants/container_body.h"

MUTANT_UNREGISTERED(REG_2, no_type_keys, "ffi.GetRegisteredTypeKeys",
                    "ffi.GetRegisteredTypeKeys is not registered");

MUTANT_UNREGISTERED(REG_3, no_missing_value, "ffi.GetInvalidObject",
                    "ffi.GetInvalidObject is not registered");

MUTANT_REGISTERED(REG_16, built_in_only, "ffi.GetRegisteredTypeKeys",
                  "only the keys of built-in types are listed")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIAny all = *result, some[256];
  int32_t count = 0;
  for (int64_t i = 0; i < sequence(&all)->size && count < 256; ++i) {
    TVMFFIAny *key = &elements(&all)[i];
    TVMFFIByteArray text = {key->v_bytes, key->small_str_len};
    int32_t type_index = 0;
    if (is_object(key)) text = *(TVMFFIByteArray *)(key->v_obj + 1);
    TVMFFITypeKeyToIndex(&text, &type_index);
    if (type_index < kTVMFFIDynObjectBegin) some[count++] = *key;
  }
  memset(result, 0, sizeof *result);
  status = registered_call_by_name("ffi.Array", some, count, result);
  TVMFFIObjectDecRef(all.v_obj);
  return status;
}

MUTANT_REGISTERED(REG_16, ends_at_a_gap, "ffi.GetRegisteredTypeKeys",
                  "the list of type keys ends where a hundred indices are free")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIAny all = *result;
  int64_t count = 0;
  for (int32_t last = 0; count < sequence(&all)->size; ++count) {
    TVMFFIAny *key = &elements(&all)[count];
    TVMFFIByteArray text = {key->v_bytes, key->small_str_len};
    int32_t type_index = 0;
    if (is_object(key)) text = *(TVMFFIByteArray *)(key->v_obj + 1);
    TVMFFITypeKeyToIndex(&text, &type_index);
    if (type_index > last + 100) break;
    last = type_index;
  }
  memset(result, 0, sizeof *result);
  status = registered_call_by_name("ffi.Array", elements(&all), (int32_t)count, result);
  TVMFFIObjectDecRef(all.v_obj);
  return status;
}

MUTANT_REGISTERED(REG_17, backwards, "ffi.GetRegisteredTypeKeys",
                  "the type keys are listed from the last to the first")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIAny *keys = elements(result);
  for (int64_t i = 0, j = sequence(result)->size - 1; i < j; ++i, --j) {
    TVMFFIAny kept = keys[i];
    keys[i] = keys[j];
    keys[j] = kept;
  }
  return 0;
}

MUTANT_REGISTERED(REG_24, borrowed, "ffi.GetInvalidObject", "the missing value is lent, not given")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) TVMFFIObjectDecRef(result->v_obj);
  return status;
}

MUTANT_REGISTERED(REG_24, new_each_time, "ffi.GetInvalidObject",
                  "each caller gets a missing value of its own")
{
  TVMFFIObject *object = calloc(1, sizeof *object);
  if (!object) return fail("InternalError", "out of memory");
  object->combined_ref_count = (UINT64_C(1) << 32) + 1;
  object->type_index = kTVMFFIObject;
  *result = (TVMFFIAny){.type_index = kTVMFFIObject, .v_obj = object};
  return 0;
}

MUTANT_REGISTERED(REG_25, the_missing_value, "ffi.GetKwargsObject",
                  "the mark of keyword arguments is the missing value")
{
  return registered_call_by_name("ffi.GetInvalidObject", args, num_args, result);
}

MUTANT_REGISTERED(TYPE_67, bare_key, "ffi.GetRegisteredTypeKeys",
                  "a type of the runtime's own has a key without a namespace")
{
  static const TVMFFIByteArray key = {"Settings", 8};
  TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  return ORIGINAL(args, num_args, result);
}
