// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_17, "a thread without an allocator is given the global one as the original")
OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  DLPackManagedTensorAllocator seen = TVMFFIEnvGetDLPackManagedTensorAllocator();
  int status = REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                             opt_out_original_allocator);
  if (status == 0 && opt_out_original_allocator) *opt_out_original_allocator = seen;
  return status;
}
