// SPDX-License-Identifier: Apache-2.0
// Mutants of which tensor allocator is in force.
#include <stdatomic.h>

#include "mutants/mutant.h"

static int was_set;

static int fail_to_allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                            void (*report)(void *context, const char *kind, const char *message))
{
  (void)prototype, (void)out;
  report(context, "RuntimeError", "there is no allocator");
  return -1;
}

MUTANT(ENV_12, one_at_first, EnvSetDLPackManagedTensorAllocator,
       "until one is set there is an allocator that always fails")
{
  was_set = 1;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}

ALSO(ENV_12, one_at_first, EnvGetDLPackManagedTensorAllocator)
{
  return was_set ? REFERENCE(EnvGetDLPackManagedTensorAllocator)() : fail_to_allocate;
}

MUTANT(ENV_13, always_global, EnvSetDLPackManagedTensorAllocator,
       "every allocator is set for all threads")
{
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, 1, opt_out_original_allocator);
}

MUTANT(ENV_13, first_one_stays, EnvSetDLPackManagedTensorAllocator,
       "an allocator stays until it is removed or a global one is set")
{
  DLPackManagedTensorAllocator before = TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (before && allocator && !write_to_global_context) allocator = before;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}

MUTANT(ENV_14, never_global, EnvSetDLPackManagedTensorAllocator,
       "an allocator is set for the calling thread only")
{
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, 0, opt_out_original_allocator);
}

MUTANT(ENV_14, permission_of_8_bits, EnvSetDLPackManagedTensorAllocator,
       "the permission to write the global allocator is kept in 8 bits")
{
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, (uint8_t)write_to_global_context,
                                                       opt_out_original_allocator);
}

static _Atomic(DLPackManagedTensorAllocator) global;

MUTANT(ENV_15, global_one_first, EnvSetDLPackManagedTensorAllocator,
       "a global allocator comes before that of the thread")
{
  if (write_to_global_context) global = allocator;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}

ALSO(ENV_15, global_one_first, EnvGetDLPackManagedTensorAllocator)
{
  DLPackManagedTensorAllocator first = global;
  return first ? first : REFERENCE(EnvGetDLPackManagedTensorAllocator)();
}

MUTANT(ENV_16, global_one_stays, EnvSetDLPackManagedTensorAllocator,
       "a global allocator can be replaced and not removed")
{
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(
      allocator, allocator ? write_to_global_context : 0, opt_out_original_allocator);
}

MUTANT(ENV_16, null_ignored, EnvSetDLPackManagedTensorAllocator,
       "setting NULL as the allocator of a thread changes nothing")
{
  DLPackManagedTensorAllocator original = NULL;
  if (allocator || write_to_global_context)
    return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                         opt_out_original_allocator);
  int status = REFERENCE(EnvSetDLPackManagedTensorAllocator)(NULL, 0, &original);
  if (status == 0 && opt_out_original_allocator) *opt_out_original_allocator = original;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(original, 0, NULL);
}

MUTANT(ENV_17, original_is_the_new, EnvSetDLPackManagedTensorAllocator,
       "the allocator that is set is given back as the original one")
{
  int status = REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                             opt_out_original_allocator);
  if (status == 0 && opt_out_original_allocator) *opt_out_original_allocator = allocator;
  return status;
}

MUTANT(ENV_17, original_is_what_was_seen, EnvSetDLPackManagedTensorAllocator,
       "a thread without an allocator is given the global one as the original")
{
  DLPackManagedTensorAllocator seen = TVMFFIEnvGetDLPackManagedTensorAllocator();
  int status = REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                             opt_out_original_allocator);
  if (status == 0 && opt_out_original_allocator) *opt_out_original_allocator = seen;
  return status;
}

MUTANT(ENV_18, place_demanded, EnvSetDLPackManagedTensorAllocator,
       "an allocator is set only for those who ask for the original one")
{
  if (opt_out_original_allocator)
    return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                         opt_out_original_allocator);
  return fail("ValueError", "no place for the original allocator");
}
