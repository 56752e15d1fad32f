// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_16, "a global allocator can be replaced and not removed")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(
      allocator, allocator ? write_to_global_context : 0, opt_out_original_allocator);
}
