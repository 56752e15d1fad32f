// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(VER_2, "a patch number of the caller is left as it is")
OVERRIDE(GetVersion, TVMFFIVersion *out_version)
{
  uint32_t patch = out_version->patch;
  REFERENCE(GetVersion)(out_version);
  out_version->patch = patch;
}
