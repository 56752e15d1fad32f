// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_24, "an error that an allocator reports is dropped")

static _Thread_local DLPackManagedTensorAllocator real;

static void drop(void *context, const char *kind, const char *message)
{
  (void)context, (void)kind, (void)message;
}

static int stand_in(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*report)(void *context, const char *kind, const char *message))
{
  (void)report;
  return real(prototype, out, context, drop);
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
