// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(ENV_12, "until one is set there is an allocator that always fails")

static int was_set;

static int fail(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                void (*report)(void *context, const char *kind, const char *message))
{
  (void)prototype, (void)out;
  report(context, "RuntimeError", "there is no allocator");
  return -1;
}

OVERRIDE(EnvSetDLPackManagedTensorAllocator, DLPackManagedTensorAllocator allocator,
         int write_to_global_context, DLPackManagedTensorAllocator *opt_out_original_allocator)
{
  was_set = 1;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}

OVERRIDE(EnvGetDLPackManagedTensorAllocator, void)
{
  return was_set ? REFERENCE(EnvGetDLPackManagedTensorAllocator)() : fail;
}
