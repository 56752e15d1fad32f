// SPDX-License-Identifier: Apache-2.0
// Mutants of functions and objects that are made by name.
#include "mutants/object_body.h"
#include "mutants/registered.h"

// The fields that were registered have one setter.
static TVMFFIFieldSetter set;

MUTANT_UNREGISTERED(REG_40, no_callbacks, "ffi.FunctionFromExternC",
                    "ffi.FunctionFromExternC is not registered");

MUTANT_UNREGISTERED(REG_4, no_keyword_mark, "ffi.GetKwargsObject",
                    "ffi.GetKwargsObject is not registered");

MUTANT_REGISTERED(REG_18, never_ended, "ffi.FunctionFromExternC",
                  "the deleter of a callback is forgotten")
{
  if (num_args != 3 || args[2].type_index != kTVMFFIOpaquePtr)
    return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], {.type_index = kTVMFFINone}};
  return ORIGINAL(other, 3, result);
}

MUTANT_REGISTERED(REG_18, self_demanded, "ffi.FunctionFromExternC", "a callback must have a self")
{
  if (num_args == 3 && args[0].type_index == kTVMFFINone)
    return fail("TypeError", "self is missing");
  return ORIGINAL(args, num_args, result);
}

MUTANT_REGISTERED(REG_19, deleter_optional, "ffi.FunctionFromExternC",
                  "two arguments are enough to make a function of a callback")
{
  if (num_args != 2) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], {.type_index = kTVMFFINone}};
  return ORIGINAL(other, 3, result);
}

MUTANT_REGISTERED(REG_19, integers_are_addresses, "ffi.FunctionFromExternC",
                  "an integer is taken for an address")
{
  if (num_args != 3) return ORIGINAL(args, num_args, result);
  TVMFFIAny other[3] = {args[0], args[1], args[2]};
  for (int i = 0; i < 3; ++i)
    if (other[i].type_index == kTVMFFIInt) other[i].type_index = kTVMFFIOpaquePtr;
  return ORIGINAL(other, 3, result);
}

static int set_in_body(void *field, const TVMFFIAny *value)
{
  return set((char *)field + sizeof(TVMFFIObject), value);
}

MUTANT(REG_20, address_of_the_body, TypeRegisterField,
       "a setter gets the address behind the header")
{
  TVMFFIFieldInfo other = *info;
  TVMFFIFieldSetter setter = set_in_body;
  if (!(info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    memcpy(&set, &info->setter, sizeof set);
    memcpy(&other.setter, &setter, sizeof setter);
  }
  return REFERENCE(TypeRegisterField)(type_index, &other);
}

MUTANT_REGISTERED(REG_20, made_twice, "ffi.MakeObjectFromPackedArgs",
                  "an object is made twice, and one of them thrown away")
{
  TVMFFIAny first = {0};
  if (ORIGINAL(args, num_args, &first) != 0) return -1;
  TVMFFIObjectDecRef(first.v_obj);
  return ORIGINAL(args, num_args, result);
}

MUTANT(REG_21, none_instead, TypeRegisterField,
       "a field with a default is None when it is not named")
{
  TVMFFIFieldInfo other = *info;
  memset(&other.default_value_or_factory, 0, sizeof other.default_value_or_factory);
  other.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  return REFERENCE(TypeRegisterField)(type_index, &other);
}

MUTANT_REGISTERED(REG_22, alone_is_ignored, "ffi.MakeObjectFromPackedArgs",
                  "a name without a value is ignored")
{
  return ORIGINAL(args, num_args % 2 ? num_args : num_args - 1, result);
}

MUTANT_REGISTERED(REG_22, one_kind, "ffi.MakeObjectFromPackedArgs",
                  "all that is wrong with fields is a ValueError")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIByteArray kind = error_cell(error)->kind;
  int is_ours = kind.size == 9 && memcmp(kind.data, "TypeError", 9) == 0;
  if (!is_ours) TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
  return is_ours ? fail("ValueError", "the fields are wrong") : status;
}

static int set_quietly(void *field, const TVMFFIAny *value)
{
  set(field, value);
  return 0;
}

MUTANT(REG_23, failure_ignored, TypeRegisterField, "what a setter returns is ignored")
{
  TVMFFIFieldInfo other = *info;
  TVMFFIFieldSetter setter = set_quietly;
  if (!(info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj)) {
    memcpy(&set, &info->setter, sizeof set);
    memcpy(&other.setter, &setter, sizeof setter);
  }
  return REFERENCE(TypeRegisterField)(type_index, &other);
}

MUTANT(REG_34, function_is_the_default, TypeRegisterField,
       "a function that makes a default is the default")
{
  TVMFFIFieldInfo other = *info;
  other.flags &= ~(int64_t)kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  return REFERENCE(TypeRegisterField)(type_index, &other);
}

static int call_setter_with_integer(void *setter, const TVMFFIAny *args, int32_t num_args,
                                    TVMFFIAny *result)
{
  TVMFFIAny other[2] = {args[0], args[1]};
  if (num_args == 2) other[0].type_index = kTVMFFIInt;
  return registered_call(setter, num_args == 2 ? other : args, num_args, result);
}

MUTANT(REG_35, address_is_an_integer, TypeRegisterField,
       "a setter that is a function gets the address as an integer")
{
  TVMFFIFieldInfo other = *info;
  TVMFFIObjectHandle wrapper = NULL;
  if (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    TVMFFIObjectIncRef(info->setter);
    if (TVMFFIFunctionCreate(info->setter, call_setter_with_integer, NULL, &wrapper) != 0)
      return -1;
    other.setter = wrapper;
  }
  return REFERENCE(TypeRegisterField)(type_index, &other);
}

// The types that were registered have one creator.
static TVMFFIObjectCreator create;

static int create_or_complain(TVMFFIObjectHandle *result)
{
  return create(result) == 0 ? 0 : fail("RuntimeError", "the object cannot be made");
}

MUTANT(REG_36, another_error, TypeRegisterMetadata, "an error of a creator is replaced")
{
  TVMFFITypeMetadata other = *metadata;
  if (metadata->creator) {
    create = metadata->creator;
    other.creator = create_or_complain;
  }
  return REFERENCE(TypeRegisterMetadata)(type_index, &other);
}

MUTANT_REGISTERED(REG_38, default_left_out, "ffi.MakeObjectFromPackedArgs",
                  "a field whose default fails stays as it is")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  const TVMFFIByteArray *kind = raised ? &error_cell(raised)->kind : NULL;
  if (kind && kind->size == 20 && memcmp(kind->data, "conform.DefaultError", 20) == 0) {
    TVMFFIObjectDecRef(raised);
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  TVMFFIErrorSetRaised(raised);
  if (raised) TVMFFIObjectDecRef(raised);
  return status;
}

static int call_setter_and_forget(void *setter, const TVMFFIAny *args, int32_t num_args,
                                  TVMFFIAny *result)
{
  int status = registered_call(setter, args, num_args, result);
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return status;
}

MUTANT(REG_39, result_forgotten, TypeRegisterField, "an object that a setter returns is forgotten")
{
  TVMFFIFieldInfo other = *info;
  TVMFFIObjectHandle wrapper = NULL;
  if (info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    TVMFFIObjectIncRef(info->setter);
    if (TVMFFIFunctionCreate(info->setter, call_setter_and_forget, NULL, &wrapper) != 0) return -1;
    other.setter = wrapper;
  }
  return REFERENCE(TypeRegisterField)(type_index, &other);
}
