// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_16, "setting NULL as the allocator of a thread changes nothing")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  DLPackManagedTensorAllocator original = NULL;
  if (allocator || write_to_global_context)
    return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                         opt_out_original_allocator);
  int status = REFERENCE(EnvSetDLPackManagedTensorAllocator)(NULL, 0, &original);
  if (status == 0 && opt_out_original_allocator) *opt_out_original_allocator = original;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(original, 0, NULL);
}
