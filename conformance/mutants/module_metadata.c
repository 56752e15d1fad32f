// SPDX-License-Identifier: Apache-2.0
// Mutants of the metadata of functions.
#include "mutants/loading.h"
#include "mutants/wrapped.h"

MUTANT_REGISTERED(MOD_66, no_metadata, "ffi.ModuleGetFunctionMetadata", "no function has metadata")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  if (status == 0) *result = none_value();
  return status;
}

MUTANT_REGISTERED(MOD_67, no_descriptions, "ffi.ModuleGetFunctionDoc",
                  "no function has a description")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && is_object(result)) TVMFFIObjectDecRef(result->v_obj);
  if (status == 0) *result = none_value();
  return status;
}

MUTANT_REGISTERED(MOD_68, empty_description, "ffi.ModuleGetFunctionDoc",
                  "a function without a description has an empty one")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFINone) result->type_index = kTVMFFISmallStr;
  return status;
}

MUTANT_REGISTERED(MOD_68, empty_metadata, "ffi.ModuleGetFunctionMetadata",
                  "a function without metadata has an empty text")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFINone) result->type_index = kTVMFFISmallStr;
  return status;
}

MUTANT_REGISTERED(MOD_69, imports_described_always, "ffi.ModuleGetFunctionDoc",
                  "imports are asked for a description whether they should be or not")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 1;
  return ORIGINAL(changed, 3, result);
}

MUTANT_REGISTERED(MOD_69, own_metadata_only, "ffi.ModuleGetFunctionMetadata",
                  "imports are not asked for metadata")
{
  TVMFFIAny changed[3];
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  memcpy(changed, args, sizeof changed);
  changed[2].v_int64 = 0;
  return ORIGINAL(changed, 3, result);
}

MUTANT_REGISTERED(MOD_70, error_replaced, "ffi.ModuleGetFunctionDoc",
                  "whatever a description raises becomes a RuntimeError")
{
  int status = ORIGINAL(args, num_args, result);

  return status == 0 ? 0 : fail("RuntimeError", "there is no description");
}

MUTANT_REGISTERED(MOD_70, none_instead, "ffi.ModuleGetFunctionMetadata",
                  "a function whose metadata can not be had has none")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || !is_raised("ConformError")) return status;
  forget_error();
  *result = none_value();
  return 0;
}

MUTANT_REGISTERED(MOD_71, anything_goes, "ffi.ModuleGetFunctionMetadata",
                  "metadata may be anything")
{
  int status = ORIGINAL(args, num_args, result);

  if (status == 0 || num_args != 3 || !is_raised("TypeError")) return status;
  forget_error();
  *result = none_value();
  return 0;
}

static int description_found;

MUTANT_WRAP(MOD_105, type_error, dlsym, "a symbol that returns no metadata is a TypeError")
{
  void *address = REAL(dlsym)(handle, symbol);
  description_found |= address && strstr(symbol, "metadata");
  return address;
}

ALSO_REGISTERED(MOD_105, type_error, "ffi.ModuleGetFunctionMetadata")
{
  description_found = 0;
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFINone || !description_found) return status;
  return fail("TypeError", "the metadata are not a string");
}
