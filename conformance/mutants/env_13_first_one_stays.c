// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_13, "an allocator stays until it is removed or a global one is set")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  DLPackManagedTensorAllocator before = TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (before && allocator && !write_to_global_context) allocator = before;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}
