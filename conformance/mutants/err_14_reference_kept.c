// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ERR_14, "an error of C strings keeps the reference of its making")
OVERRIDE(ErrorSetRaisedFromCStr, const char *kind, const char *message)

{
  TVMFFIByteArray texts[] = {{kind, strlen(kind)}, {message, strlen(message)}, {NULL, 0}};
  TVMFFIObjectHandle error = NULL;
  if (TVMFFIErrorCreate(&texts[0], &texts[1], &texts[2], &error) == 0) TVMFFIErrorSetRaised(error);
}
