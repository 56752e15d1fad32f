// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_14, "the permission to write the global allocator is kept in 8 bits")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, (uint8_t)write_to_global_context,
                                                       opt_out_original_allocator);
}
