// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_20, "the output of an allocator is not set before it is called")

static _Thread_local DLPackManagedTensorAllocator real;

static int stand_in(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*report)(void *context, const char *kind, const char *message))
{
  static DLManagedTensorVersioned rubbish;
  DLManagedTensorVersioned *made = &rubbish;
  int status = real(prototype, &made, context, report);
  if (made != &rubbish) *out = made;
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
  return status;
}
