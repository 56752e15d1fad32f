// SPDX-License-Identifier: Apache-2.0
// Kernels of vary.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_vary_right  // passes
#endif

#ifdef KERNEL_vary_divides_by_0  // caught by buffer.bounds.number
#define LEAST_STEP 0
#endif

#ifdef KERNEL_vary_short_name  // caught by buffer.bounds.text
#define NAME_ROOM(size) 16
#endif

#ifdef KERNEL_vary_short_scratch  // caught by buffer.bounds.symbol
#define SCRATCH(count) calloc((count) < 8 ? (count) : 8, sizeof(double))
#endif

#ifdef KERNEL_vary_dirty  // caught by kernel.fresh-memory-does-not-matter
#define SCRATCH(count) malloc((count) * sizeof(double))
#endif

#ifdef KERNEL_vary_compact_doubles  // caught by buffer.other-types.strides
#define STRIDE(tensor) ((tensor)->strides && !IS_DOUBLE(tensor) ? (tensor)->strides[0] : 1)
#endif

#ifdef KERNEL_vary_fours  // caught by buffer.bounds.symbol
#define ENDS_AT(extent) (((extent) + 3) / 4 * 4)
#endif

#ifdef KERNEL_vary_one_more  // caught by buffer.bounds.as-it-is
#define ENDS_AT(extent) ((extent) + 1)
#endif

#ifdef KERNEL_vary_loses_tail  // caught by kernel.output-of-another-size-is-written
#define ENDS_AT(extent) ((extent) / 2 * 2)
#endif

#ifdef KERNEL_vary_doubles_lose_tail  // caught by kernel.output-of-another-size-is-written
#define ENDS_IN(tensor, extent) (IS_DOUBLE(tensor) ? (extent) / 2 * 2 : (extent))
#endif

#ifdef KERNEL_vary_doubles_stay  // caught by kernel.output-of-another-type-is-written
#define ENDS_IN(tensor, extent) (IS_DOUBLE(tensor) ? 0 : (extent))
#endif

#ifdef KERNEL_vary_rank  // caught by buffer.bounds.rank
#define CHECKS_RANK(tensor) ((tensor)->ndim <= 2)
#endif

#include "vary.h"
