// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(INT_14, "big integers are the same key if they are the same object")

static bool is_same(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return one->v_obj == other->v_obj;
}

OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  const TVMFFIByteArray name = {"__any_equal__", 13};
  TVMFFIAny *column = (TVMFFIAny *)(uintptr_t)TVMFFIGetTypeAttrColumn(&name)->data;
  column[kTVMFFIBigInt] =
      (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = __extension__(void *) is_same};
  return REFERENCE(BigIntFromByteArray)(input, out);
}
