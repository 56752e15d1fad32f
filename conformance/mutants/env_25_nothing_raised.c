// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_25, "an allocator that makes nothing and succeeds makes the call fail without an error")

static _Thread_local DLPackManagedTensorAllocator real;

static int stand_in(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*report)(void *context, const char *kind, const char *message))
{
  int status = real(prototype, out, context, report);
  return status == 0 && !*out ? -1 : status;
}

OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  DLPackManagedTensorAllocator own = NULL;
  real = TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!real) return REFERENCE(EnvTensorAlloc)(prototype, out);
  TVMFFIEnvSetDLPackManagedTensorAllocator(stand_in, 0, &own);
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return status;
}
