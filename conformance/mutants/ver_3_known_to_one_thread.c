// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(VER_3, "the version is known to the thread that loaded the library, and to no other")

static _Thread_local TVMFFIVersion known;

OVERRIDE(GetVersion, TVMFFIVersion *out_version)
{
  *out_version = known;
}

__attribute__((constructor)) static void learn(void)
{
  REFERENCE(GetVersion)(&known);
}
