// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(VER_2, "a version has a fourth number")
OVERRIDE(GetVersion, TVMFFIVersion *out_version)
{
  REFERENCE(GetVersion)(out_version);
  memset((char *)out_version + 12, 0, 4);
}
