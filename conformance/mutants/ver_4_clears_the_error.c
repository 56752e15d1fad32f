// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(VER_4, "asking for the version clears the raised error")
OVERRIDE(GetVersion, TVMFFIVersion *out_version)
{
  REFERENCE(GetVersion)(out_version);
  TVMFFIErrorSetRaised(NULL);
}
