// SPDX-License-Identifier: Apache-2.0
// Mutants of the names of global functions and their metadata.
#include "mutants/registered.h"

static void end_names(void *names)
{
  TVMFFIObjectDecRef(names);
}

MUTANT_UNREGISTERED(REG_1, no_metadata, "ffi.GetGlobalFuncMetadata",
                    "ffi.GetGlobalFuncMetadata is not registered");

MUTANT_UNREGISTERED(REG_1, nothing_is_removed, "ffi.FunctionRemoveGlobal",
                    "ffi.FunctionRemoveGlobal is not registered");

static int call_names_from_minus_one(void *names, const TVMFFIAny *args, int32_t num_args,
                                     TVMFFIAny *result)
{
  if (num_args == 1 && args[0].v_int64 < -1) return fail("IndexError", "no such name");
  return registered_call(names, args, num_args, result);
}

MUTANT_REGISTERED(REG_5, minus_one_only, "ffi.FunctionListGlobalNamesFunctor",
                  "only -1 gives the number of names")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, call_names_from_minus_one, end_names, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}

static int call_names_first_twice(void *names, const TVMFFIAny *args, int32_t num_args,
                                  TVMFFIAny *result)
{
  TVMFFIAny number = {0}, minus_one = {.type_index = kTVMFFIInt, .v_int64 = -1}, other = *args;
  if (registered_call(names, &minus_one, 1, &number) != 0) return -1;
  if (num_args == 1 && args[0].v_int64 == number.v_int64) other.v_int64 = 0;
  int status = registered_call(names, &other, num_args, result);
  if (status == 0 && result->type_index == kTVMFFIInt) ++result->v_int64;
  return status;
}

MUTANT_REGISTERED(REG_6, first_name_twice, "ffi.FunctionListGlobalNamesFunctor",
                  "the first name is listed again at the end")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, call_names_first_twice, end_names, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}

static int call_names_but_last(void *names, const TVMFFIAny *args, int32_t num_args,
                               TVMFFIAny *result)
{
  TVMFFIAny number = {0}, minus_one = {.type_index = kTVMFFIInt, .v_int64 = -1};
  if (registered_call(names, &minus_one, 1, &number) != 0) return -1;
  if (num_args == 1 && args[0].v_int64 == number.v_int64 - 1)
    return fail("IndexError", "no such name");
  int status = registered_call(names, args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFIInt) --result->v_int64;
  return status;
}

MUTANT_REGISTERED(REG_6, last_one_left_out, "ffi.FunctionListGlobalNamesFunctor",
                  "the name at the last position is left out")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, call_names_but_last, end_names, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}

static int call_names_anew(void *original, const TVMFFIAny *args, int32_t num_args,
                           TVMFFIAny *result)
{
  TVMFFIAny names = {0};
  if (ORIGINAL(NULL, 0, &names) != 0) return -1;
  int status = registered_call(names.v_obj, args, num_args, result);
  TVMFFIObjectDecRef(names.v_obj);
  return status;
}

MUTANT_REGISTERED(REG_7, up_to_date, "ffi.FunctionListGlobalNamesFunctor",
                  "a list of names follows what is registered")
{
  TVMFFIObjectHandle wrapper = NULL;
  if (TVMFFIFunctionCreate(original, call_names_anew, NULL, &wrapper) != 0) return -1;
  *result = (TVMFFIAny){.type_index = kTVMFFIFunction, .v_obj = wrapper};
  return 0;
}

static int call_names_or_none(void *names, const TVMFFIAny *args, int32_t num_args,
                              TVMFFIAny *result)
{
  int status = registered_call(names, args, num_args, result);
  if (status == 0 || num_args != 1 || args[0].type_index != kTVMFFIInt) return status;
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIObjectDecRef(error);
  memset(result, 0, sizeof *result);
  return 0;
}

MUTANT_REGISTERED(REG_8, none_behind_the_end, "ffi.FunctionListGlobalNamesFunctor",
                  "behind the last name there is None")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, call_names_or_none, end_names, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}

static int call_names_or_value_error(void *names, const TVMFFIAny *args, int32_t num_args,
                                     TVMFFIAny *result)
{
  int status = registered_call(names, args, num_args, result);
  return status == 0 ? 0 : fail("ValueError", "no such name");
}

MUTANT_REGISTERED(REG_8, value_error, "ffi.FunctionListGlobalNamesFunctor",
                  "a position behind the last name is a ValueError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  TVMFFIObjectHandle wrapper = NULL;
  status = TVMFFIFunctionCreate(result->v_obj, call_names_or_value_error, end_names, &wrapper);
  if (status == 0) result->v_obj = wrapper;
  return status;
}

MUTANT_REGISTERED(REG_9, beginning_is_enough, "ffi.FunctionRemoveGlobal",
                  "the beginning of a name is enough to remove it")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->v_int64 || args[0].type_index != kTVMFFIRawStr) return status;
  TVMFFIAny longer = args[0];
  char name[64] = "";
  strncat(name, args[0].v_c_str, sizeof name - 2);
  strcat(name, "e");
  longer.v_c_str = name;
  return ORIGINAL(&longer, 1, result);
}

MUTANT_REGISTERED(REG_9, reference_kept, "ffi.FunctionRemoveGlobal",
                  "the table keeps its reference to a function whose name is removed")
{
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr) registered_find(args[0].v_c_str);
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REG_9, unknown_raises, "ffi.FunctionRemoveGlobal",
                  "a name that is not registered cannot be removed")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->v_int64) return status;
  return fail("KeyError", "no such name");
}

static char removed[64];

MUTANT_REGISTERED(REG_10, taken_for_good, "ffi.FunctionRemoveGlobal",
                  "a name that was removed stays taken")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->v_int64 && args[0].type_index == kTVMFFIRawStr)
    strncpy(removed, args[0].v_c_str, sizeof removed - 1);
  return status;
}

ALSO(REG_10, taken_for_good, FunctionSetGlobal)
{
  if (!allow_override && name->size > 0 && name->size == strlen(removed) &&
      memcmp(name->data, removed, name->size) == 0)
    return fail("RuntimeError", "the name is taken");
  return REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}

static int refuse(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)self, (void)args, (void)num_args, (void)result;
  return fail("RuntimeError", "the function is no more");
}

MUTANT_REGISTERED(REG_11, ended_with_its_name, "ffi.FunctionRemoveGlobal",
                  "a function whose name was removed cannot be called")
{
  TVMFFIObject *function = NULL;
  if (num_args == 1 && args[0].type_index == kTVMFFIRawStr)
    function = registered_find(args[0].v_c_str);
  int status = ORIGINAL(args, num_args, result);
  if (!function) return status;
  ((TVMFFIFunctionCell *)(function + 1))->safe_call = refuse;
  TVMFFIObjectDecRef(function);
  return status;
}

MUTANT_REGISTERED(REG_12, cut_at_nul, "ffi.GetGlobalFuncMetadata", "metadata end at the first NUL")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIStr) return status;
  TVMFFIByteArray *text = (TVMFFIByteArray *)(result->v_obj + 1);
  text->size = strnlen(text->data, text->size);
  return 0;
}

MUTANT_REGISTERED(REG_12, not_ascii_replaced, "ffi.GetGlobalFuncMetadata",
                  "metadata are made ASCII")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 || result->type_index != kTVMFFIStr) return status;
  TVMFFIByteArray *text = (TVMFFIByteArray *)(result->v_obj + 1);
  char *ascii = malloc(text->size + 1);
  if (!ascii) return 0;
  for (size_t i = 0; i < text->size; ++i) ascii[i] = text->data[i] < 0 ? '?' : text->data[i];
  TVMFFIByteArray changed = {ascii, text->size};
  TVMFFIObjectDecRef(result->v_obj);
  status = TVMFFIStringFromByteArray(&changed, result);
  free(ascii);
  return status;
}

MUTANT_REGISTERED(REG_13, none, "ffi.GetGlobalFuncMetadata",
                  "a function without metadata has None as such")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && result->type_index == kTVMFFISmallStr && result->small_str_len == 0)
    memset(result, 0, sizeof *result);
  return status;
}

MUTANT_REGISTERED(REG_14, empty, "ffi.GetGlobalFuncMetadata",
                  "a name that is not registered has empty metadata")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIRawStr) return ORIGINAL(args, num_args, result);
  void *function = registered_find(args[0].v_c_str);
  if (!function) {
    *result = (TVMFFIAny){.type_index = kTVMFFISmallStr};
    return 0;
  }
  TVMFFIObjectDecRef(function);
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REG_14, key_error, "ffi.GetGlobalFuncMetadata",
                  "asking for the metadata of an unknown name is a KeyError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 || num_args != 1 || args[0].type_index != kTVMFFIRawStr) return status;
  return fail("KeyError", "no such name");
}

static char known[64];
static TVMFFIAny metadata;

MUTANT_REGISTERED(REG_15, first_ones_kept, "ffi.GetGlobalFuncMetadata",
                  "metadata are those that were asked for first")
{
  if (num_args != 1 || args[0].type_index != kTVMFFIRawStr) return ORIGINAL(args, num_args, result);
  if (strcmp(known, args[0].v_c_str) == 0) return TVMFFIAnyViewToOwnedAny(&metadata, result);
  int status = ORIGINAL(args, num_args, result);
  if (status != 0) return status;
  strncpy(known, args[0].v_c_str, sizeof known - 1);
  return TVMFFIAnyViewToOwnedAny(result, &metadata);
}
