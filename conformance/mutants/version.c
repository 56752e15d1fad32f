// SPDX-License-Identifier: Apache-2.0
// Mutants of the version function.
#include "mutants/mutant.h"

MUTANT_WITHOUT(VER_1, missing, GetVersion, "there is no TVMFFIGetVersion");

MUTANT(VER_2, patch_not_written, GetVersion, "a patch number of the caller is left as it is")
{
  uint32_t patch = out_version->patch;
  REFERENCE(GetVersion)(out_version);
  out_version->patch = patch;
}

MUTANT(VER_2, sixteen_bytes, GetVersion, "a version has a fourth number")
{
  REFERENCE(GetVersion)(out_version);
  memset((char *)out_version + 12, 0, 4);
}

static _Thread_local TVMFFIVersion known;

MUTANT(VER_3, known_to_one_thread, GetVersion,
       "the version is known to the thread that loaded the library, and to no other")
{
  *out_version = known;
}

AT_LOAD(VER_3, known_to_one_thread)
{
  REFERENCE(GetVersion)(&known);
}

MUTANT(VER_4, clears_the_error, GetVersion, "asking for the version clears the raised error")
{
  REFERENCE(GetVersion)(out_version);
  TVMFFIErrorSetRaised(NULL);
}

MUTANT(VER_4, raises_an_error, GetVersion, "asking for the version raises an error by the way")
{
  REFERENCE(GetVersion)(out_version);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "no build number");
}
