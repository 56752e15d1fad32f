// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_27,
       "a value that is the same as the last one made is taken for it, and not counted again")

static _Thread_local TVMFFIAny last;

OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  TVMFFIAny given = *view;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status != 0) return status;
  if (given.type_index > kTVMFFIFunction && memcmp(&given, &last, sizeof given) == 0)
    TVMFFIObjectDecRef(out->v_obj);
  last = *out;
  return 0;
}
