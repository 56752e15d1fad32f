// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>

#include "mutants/mutant.h"

MUTANT(ENV_20, "a thread asks the global allocator though it has its own")

static _Atomic(DLPackManagedTensorAllocator) global;

OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  if (write_to_global_context) global = allocator;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}

OVERRIDE(EnvTensorAlloc, DLTensor *prototype, TVMFFIObjectHandle *out)
{
  DLPackManagedTensorAllocator own = NULL;
  if (!global) return REFERENCE(EnvTensorAlloc)(prototype, out);
  REFERENCE(EnvSetDLPackManagedTensorAllocator)(global, 0, &own);
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  REFERENCE(EnvSetDLPackManagedTensorAllocator)(own, 0, NULL);
  return status;
}
