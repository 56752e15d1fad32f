// SPDX-License-Identifier: Apache-2.0
// Kernels of narrow.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_narrow_right  // passes
#endif

#ifdef KERNEL_narrow_flushes  // caught by kernel.choice-is-explored saying tiny elements
#define CLIPPED(half) (((half)&0x7c00) == 0 ? (half)&0x8000 : narrow_clip(half))
#endif

#ifdef KERNEL_narrow_loses_sign_of_zero  // caught by kernel.choice-is-explored saying -0
#define CLIPPED(half) ((half) == 0x8000 ? 0 : narrow_clip(half))
#endif

#ifdef KERNEL_narrow_sums_in_half  // caught by kernel.choice-is-explored saying sums are long
#define SUM(sum) narrow_number(narrow_half(sum))
#endif

#ifdef KERNEL_narrow_last_of_equal  // caught by kernel.choice-is-explored saying equal elements
#define BEFORE(a, b) ((a) <= (b))
#endif

#ifdef KERNEL_narrow_unsigned_keys  // caught by kernel.choice-is-explored saying equal elements
#define BEFORE(a, b) ((uint32_t)(a) < (uint32_t)(b))
#endif

#include "narrow.h"
