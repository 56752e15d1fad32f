// SPDX-License-Identifier: Apache-2.0
// Does not tell its version: it never returns.
#include "hostile.h"

__attribute__((visibility("default"))) void TVMFFIGetVersion(TVMFFIVersion *out)
{
  while (!zero) continue;
  out->major = 0;
}
