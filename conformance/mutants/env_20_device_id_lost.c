// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_20, "an allocator is asked for memory of device 0")

static _Thread_local DLPackManagedTensorAllocator real;

static int stand_in(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*report)(void *context, const char *kind, const char *message))
{
  DLTensor asked = *prototype;
  asked.device.device_id = 0;
  return real(&asked, out, context, report);
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
