// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_18, "an allocator is set only for those who ask for the original one")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  if (opt_out_original_allocator)
    return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                         opt_out_original_allocator);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "no place for the original allocator");
  return -1;
}
