// SPDX-License-Identifier: Apache-2.0
#include "mutants/registered.h"

MUTANT(REG_38, "a field whose default can't be made stays as it is")
REGISTERED("ffi.MakeObjectFromPackedArgs")
{
  int status = ORIGINAL(args, num_args, result);
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  const TVMFFIByteArray *kind =
      raised ? &((TVMFFIErrorCell *)((TVMFFIObject *)raised + 1))->kind : NULL;
  if (kind && kind->size == 20 && memcmp(kind->data, "conform.DefaultError", 20) == 0) {
    TVMFFIObjectDecRef(raised);
    *result = (TVMFFIAny){.type_index = kTVMFFINone};
    return 0;
  }
  TVMFFIErrorSetRaised(raised);
  if (raised) TVMFFIObjectDecRef(raised);
  return status;
}
