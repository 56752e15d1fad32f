// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>

#include "mutants/mutant.h"

MUTANT(ENV_15, "a global allocator comes before that of the thread")

static _Atomic(DLPackManagedTensorAllocator) global;

OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  if (write_to_global_context) global = allocator;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}

OVERRIDE(EnvGetDLPackManagedTensorAllocator, void)
{
  DLPackManagedTensorAllocator first = global;
  return first ? first : REFERENCE(EnvGetDLPackManagedTensorAllocator)();
}
