// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_7, "bytes behind the last whole word are passed over")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  TVMFFIByteArray whole = {input->data, input->size / 8 * 8};
  return REFERENCE(BigIntFromByteArray)(&whole, out);
}
