// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_25, "an allocator that makes nothing and succeeds gives the handle NULL")

static _Thread_local DLPackManagedTensorAllocator real;
static _Thread_local int nothing_made;

static int stand_in(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*report)(void *context, const char *kind, const char *message))
{
  int status = real(prototype, out, context, report);
  nothing_made = status == 0 && !*out;
  return status;
}

OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  DLPackManagedTensorAllocator own = NULL;
  real = TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!real) return REFERENCE(EnvTensorAlloc)(prototype, out);
  TVMFFIEnvSetDLPackManagedTensorAllocator(stand_in, 0, &own);
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  if (!nothing_made) return status;
  TVMFFIErrorSetRaised(NULL);
  *out = NULL;
  return 0;
}
