// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_22, "all that is wrong with fields is a ValueError")
REGISTERED("ffi.MakeObjectFromPackedArgs")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) return 0;
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  TVMFFIByteArray kind = ((TVMFFIErrorCell *)((TVMFFIObject *)error + 1))->kind;
  int is_ours = kind.size == 9 && memcmp(kind.data, "TypeError", 9) == 0;
  if (!is_ours) TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
  return is_ours ? fail("ValueError", "the fields are wrong") : status;
}
