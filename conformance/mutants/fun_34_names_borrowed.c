// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_34, "the table points to the name of a method description")

static TVMFFIByteArray borrowed;
static TVMFFIObjectHandle method;

OVERRIDE(FunctionSetGlobalFromMethodInfo, const TVMFFIMethodInfo *info, int allow_override)
{
  int status = REFERENCE(FunctionSetGlobalFromMethodInfo)(info, allow_override);
  if (status != 0 || info->name.size == 0) return status;
  borrowed = info->name;
  method = info->method.type_index == kTVMFFIFunction ? info->method.v_obj : NULL;
  return 0;
}

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  int status = REFERENCE(FunctionGetGlobal)(name, out);
  if (status != 0 || !*out || *out != method) return status;
  if (borrowed.size == name->size && memcmp(borrowed.data, name->data, name->size) == 0) return 0;
  TVMFFIObjectDecRef(*out);
  *out = NULL;
  return 0;
}
