// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(FUN_25, "the table remembers where a name is and not what it says")

enum { MOST = 8192 };

static const char *places[MOST];
static size_t sizes[MOST];
static TVMFFIObjectHandle functions[MOST];
static int count;

static int find(const TVMFFIByteArray *name)
{
  for (int i = 0; i < count; ++i)
    if (sizes[i] == name->size && memcmp(places[i], name->data, name->size) == 0) return i;
  return -1;
}

OVERRIDE(FunctionSetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle f, int allow_override)
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0 || count == MOST || !name->data) return status;
  int place = find(name) < 0 ? count++ : find(name);
  places[place] = name->data;
  sizes[place] = name->size;
  functions[place] = f;
  return 0;
}

OVERRIDE(FunctionGetGlobal, const TVMFFIByteArray *name, TVMFFIObjectHandle *out)
{
  int place = name->data ? find(name) : -1;
  if (place < 0 && name->data) {
    *out = NULL;
    return 0;
  }
  if (place < 0) return REFERENCE(FunctionGetGlobal)(name, out);
  *out = functions[place];
  return TVMFFIObjectIncRef(*out);
}
