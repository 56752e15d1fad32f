// SPDX-License-Identifier: Apache-2.0
// caught by kernel.late-refusal-leaves-nothing saying after calls refused
// A sum that a refused call had begun is gone on with by the next.
#define BEGIN sum_so_far
#define END(sum) (sum_so_far = (sum))

namespace graft
{
static thread_local double sum_so_far = 0;
}  // namespace graft

#include "graft.h"
