// SPDX-License-Identifier: Apache-2.0
// Mutants of method descriptions in the table of global functions.
#include "mutants/mutant.h"

MUTANT(FUN_33, no_reference, FunctionSetGlobalFromMethodInfo,
       "a method description does not retain its function")
{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
  if (status == 0 && method_info->method.type_index == kTVMFFIFunction)
    TVMFFIObjectDecRef(method_info->method.v_obj);
  return status;
}

MUTANT(FUN_33, static_methods_only, FunctionSetGlobalFromMethodInfo,
       "a method description without the static flag registers nothing")
{
  if (!(method_info->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) &&
      method_info->method.type_index == kTVMFFIFunction)
    return 0;
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
}

MUTANT(FUN_34, doc_demanded, FunctionSetGlobalFromMethodInfo,
       "a method description without doc is refused")
{
  if (method_info->doc.data)
    return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
  return fail("ValueError", "doc must not be NULL");
}

static volatile size_t length;

MUTANT(FUN_34, metadata_read_to_a_nul, FunctionSetGlobalFromMethodInfo,
       "the metadata of a method description is read up to a NUL")
{
  if (method_info->metadata.data) length = strlen(method_info->metadata.data);
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
}

static TVMFFIByteArray borrowed;
static TVMFFIObjectHandle method;

MUTANT(FUN_34, names_borrowed, FunctionSetGlobalFromMethodInfo,
       "the table points to the name of a method description")
{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
  if (status != 0 || method_info->name.size == 0) return status;
  borrowed = method_info->name;
  method = method_info->method.type_index == kTVMFFIFunction ? method_info->method.v_obj : NULL;
  return 0;
}

ALSO(FUN_34, names_borrowed, FunctionGetGlobal)
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out || *out != method) return status;
  if (borrowed.size == name->size && memcmp(borrowed.data, name->data, name->size) == 0) return 0;
  TVMFFIObjectDecRef(*out);
  *out = NULL;
  return 0;
}

MUTANT(FUN_35, any_object_will_do, FunctionSetGlobalFromMethodInfo,
       "a method may be an object of any type")
{
  TVMFFIMethodInfo copy = *method_info;
  if (method_info->method.type_index < kTVMFFIStaticObjectBegin)
    return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
  // The reference looks at the object, too.
  TVMFFIObject *object = method_info->method.v_obj;
  int32_t type_index = object->type_index;
  object->type_index = copy.method.type_index = kTVMFFIFunction;
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(&copy, allow_override);
  object->type_index = type_index;
  return status;
}

MUTANT(FUN_35, object_retained, FunctionSetGlobalFromMethodInfo,
       "an object that is refused as a method keeps the reference that was taken for it")
{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
  if (status != 0 && method_info->method.type_index >= kTVMFFIStaticObjectBegin &&
      method_info->method.type_index != kTVMFFIFunction)
    TVMFFIObjectIncRef(method_info->method.v_obj);
  return status;
}

MUTANT(FUN_35, passed_over, FunctionSetGlobalFromMethodInfo,
       "a method that is not a function is ignored silently")
{
  if (method_info->method.type_index != kTVMFFIFunction) return 0;
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
}

MUTANT(FUN_35, value_error, FunctionSetGlobalFromMethodInfo,
       "a method that is not a function raises a ValueError")
{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
  if (status != 0 && method_info->method.type_index != kTVMFFIFunction)
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the method is not a function");
  return status;
}

MUTANT(FUN_36, always_replaces, FunctionSetGlobalFromMethodInfo,
       "a method description replaces what is registered, permission or not")
{
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, 1);
}

MUTANT(FUN_36, never_replaces, FunctionSetGlobalFromMethodInfo,
       "a method description never replaces what is registered")
{
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, 0);
}

MUTANT(FUN_45, value_error_for_descriptions, FunctionSetGlobalFromMethodInfo,
       "a method description for a taken name raises a ValueError")
{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
  if (status != 0 && method_info->method.type_index == kTVMFFIFunction)
    TVMFFIErrorSetRaisedFromCStr("ValueError", "the name is taken");
  return status;
}
