// SPDX-License-Identifier: Apache-2.0
// What comes out of a call is made of its arguments, not of what memory held that it was given.
#include <stdlib.h>

#include "kernel/kernel_battery.h"

CHAPTER(kernel);

enum { VARIANTS_MOST = 14 };

// False where nothing can be said of this call.
static bool judge(Iut *iut, const Kernel *kernel)
{
  char difference[160];
  const FreshEnd end = kernel_fresh_memory(iut, kernel, difference);
  if (end == FRESH_UNKNOWN) return false;
  if (end == FRESH_DIFFERS)
    note_call(new_right_call(iut, kernel), "with fresh memory full of 0x5a: ");
  return expect_that(end == FRESH_SAME, "the same comes out, whatever fresh memory held", "%s not",
                     difference);
}

KERNEL_CASE(fresh_memory_does_not_matter, .clauses = {KER_54},
            .needs = KERNEL_NEEDS_EXAMPLE | KERNEL_NEEDS_RUN, .patience = 3,
            .title = "results do not depend on what their memory held before, nor scratch memory")
{
  Kernel *variant = malloc(sizeof *variant);
  if (!variant) case_inconclusive("no memory for a signature");
  if (!judge(iut, kernel))
    case_not_applicable("it is refused, does not give the same twice, or uses a device");
  for (unsigned i = 0; i < VARIANTS_MOST && kernel_variant(kernel, i, variant); ++i)
    judge(iut, variant);
  free(variant);
}
