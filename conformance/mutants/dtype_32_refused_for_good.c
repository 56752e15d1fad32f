// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include "mutants/mutant.h"

MUTANT(DTYPE_32, "a custom type that was refused is refused for ever")

static int refuse(const char *message)
{
  TVMFFIErrorSetRaisedFromCStr("ValueError", message);
  return -1;
}

OVERRIDE(DataTypeToString, const DLDataType *dtype, TVMFFIAny *out)
{
  static bool refused;
  if (dtype->code < 129) return REFERENCE(DataTypeToString)(dtype, out);
  if (refused) return refuse("no custom types");
  int status = REFERENCE(DataTypeToString)(dtype, out);
  refused = status != 0;
  return status;
}
