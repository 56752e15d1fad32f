// SPDX-License-Identifier: Apache-2.0
#include "battery/scope_signs.h"

#include <string.h>

#include "clause_level.h"

static TVMFFIByteArray name_of(const char *text)
{
  return (TVMFFIByteArray){text, strlen(text)};
}

// What it hands out is not released: the process ends after the question.
static bool registers_any(Iut *iut, const char *const *names)
{
  for (; *names; ++names) {
    TVMFFIByteArray name = name_of(*names);
    TVMFFIObjectHandle function = NULL;
    if (iut->FunctionGetGlobal(&name, &function) == 0 && function) return true;
  }
  return false;
}

static bool knows_any(Iut *iut, const char *const *keys)
{
  for (; *keys; ++keys) {
    TVMFFIByteArray key = name_of(*keys);
    int32_t index = 0;
    if (iut->TypeKeyToIndex(&key, &index) == 0) return true;
  }
  return false;
}

unsigned scope_signs(Iut *iut)
{
  static const char *const functions[] = {
      "ffi.Array",
      "ffi.Map",
      "ffi.String",
      "ffi.ModuleLoadFromFile",
      "ffi.FunctionListGlobalNamesFunctor",
      NULL,
  };
  static const char *const types[] = {"ffi.Array", "ffi.Map", "ffi.List", "ffi.Dict", NULL};
  unsigned scopes = CLAUSE_SCOPE_CORE;
  if (iut->present[FN_FunctionGetGlobal] && registers_any(iut, functions))
    scopes |= CLAUSE_SCOPE_FRONTEND;
  if (iut->present[FN_TypeKeyToIndex] && knows_any(iut, types)) scopes |= CLAUSE_SCOPE_HEADERS;
  return scopes;
}
