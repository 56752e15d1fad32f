// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(INT_20, "the columns of hash and equality end before the type of big integers")

static TVMFFITypeAttrColumn shorter[2];

OVERRIDE(GetTypeAttrColumn, const TVMFFIByteArray *name)
{
  const TVMFFITypeAttrColumn *column = REFERENCE(GetTypeAttrColumn)(name);
  if (!column || name->size < 9 || memcmp(name->data, "__any_", 6) != 0) return column;
  TVMFFITypeAttrColumn *own = &shorter[name->data[6] == 'h'];
  *own = *column;
  if (own->size > kTVMFFIBigInt) own->size = kTVMFFIBigInt;
  return own;
}
