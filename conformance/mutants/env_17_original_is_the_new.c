// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_17, "the allocator that is set is given back as the original one")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  int status = REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                             opt_out_original_allocator);
  if (status == 0 && opt_out_original_allocator) *opt_out_original_allocator = allocator;
  return status;
}
