// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(INT_14, "of big integers only the two lowest words are compared, as all of them have two")

static const uint64_t *words(const TVMFFIAny *value)
{
  return (const uint64_t *)(value->v_obj + 1) + 1;
}

static bool is_same(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return memcmp(words(one), words(other), 16) == 0;
}

static int64_t hash(const TVMFFIAny *value)
{
  return (int64_t)(words(value)[0] * 31 + words(value)[1]);
}

static void replace(const char *name, size_t size, void *function)
{
  const TVMFFIByteArray text = {name, size};
  TVMFFIAny *column = (TVMFFIAny *)(uintptr_t)TVMFFIGetTypeAttrColumn(&text)->data;
  column[kTVMFFIBigInt] = (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = function};
}

OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  replace("__any_equal__", 13, __extension__(void *) is_same);
  replace("__any_hash__", 12, __extension__(void *) hash);
  return REFERENCE(BigIntFromByteArray)(input, out);
}
