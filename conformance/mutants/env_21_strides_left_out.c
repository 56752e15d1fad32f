// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_21, "a tensor that was allocated has no strides if the allocator gave none")

static _Thread_local DLPackManagedTensorAllocator real;
static _Thread_local int strided;

static int stand_in(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                    void (*report)(void *context, const char *kind, const char *message))
{
  int status = real(prototype, out, context, report);
  strided = status == 0 && *out && (*out)->dl_tensor.strides;
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
  if (status == 0 && !strided) ((DLTensor *)((TVMFFIObject *)*out + 1))->strides = NULL;
  return status;
}
