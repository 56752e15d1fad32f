// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(VER_4, "asking for the version raises an error by the way")
OVERRIDE(GetVersion, TVMFFIVersion *out_version)
{
  REFERENCE(GetVersion)(out_version);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "no build number");
}
