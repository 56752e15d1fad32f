// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_8, "words that are not at a multiple of 8 are read from the multiple below")
OVERRIDE(BigIntFromByteArray, const TVMFFIByteArray *input, TVMFFIAny *out)
{
  TVMFFIByteArray aligned = {(const char *)((uintptr_t)input->data & ~(uintptr_t)7), input->size};
  return REFERENCE(BigIntFromByteArray)(&aligned, out);
}
