// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ANY_1, "the padding of a value that holds an object is left as it was in the output")
OVERRIDE(AnyViewToOwnedAny, const TVMFFIAny *view, TVMFFIAny *out)
{
  uint32_t padding = out->zero_padding;
  int status = REFERENCE(AnyViewToOwnedAny)(view, out);
  if (status == 0 && out->type_index >= kTVMFFIStaticObjectBegin) out->zero_padding = padding;
  return status;
}
