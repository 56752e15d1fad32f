// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_13, "every allocator is set for all threads")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  (void)write_to_global_context;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, 1, opt_out_original_allocator);
}
