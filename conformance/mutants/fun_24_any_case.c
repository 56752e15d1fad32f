// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_24, "upper and lower case are the same in names")

enum { MOST = 64 };

static TVMFFIByteArray lower(const TVMFFIByteArray *name, char buffer[MOST])
{
  if (name->size > MOST) return *name;
  for (size_t i = 0; i < name->size; ++i)
    buffer[i] =
        name->data[i] >= 'A' && name->data[i] <= 'Z' ? (char)(name->data[i] + 32) : name->data[i];
  return (TVMFFIByteArray){buffer, name->size};
}

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  char buffer[MOST];
  TVMFFIByteArray key = lower(name, buffer);
  return REFERENCE(FunctionGetGlobal)(&key, out);
}

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  char buffer[MOST];
  TVMFFIByteArray key = lower(name, buffer);
  return REFERENCE(FunctionSetGlobal)(&key, f, allow_override);
}
