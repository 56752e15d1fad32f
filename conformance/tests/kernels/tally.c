// SPDX-License-Identifier: Apache-2.0
// Kernels of tally.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_tally_right  // passes
#endif

#ifdef KERNEL_tally_stands_still  // caught by kernel.sequence-gives-what-is-listed saying 10
#define ADD(count, n) (*(count) = *(count) > 5 ? *(count) : *(count) + (n))
#endif

#ifdef KERNEL_tally_takes_all  // caught by kernel.sequence-gives-what-is-listed saying non-zero
#define REFUSED(n) 0
#endif

#ifdef KERNEL_tally_counts_refused  // caught by kernel.sequence-gives-what-is-listed saying 10
#define REFUSED(n) ((n) < 0 && ((tally)->count += (n), 1))
#endif

#ifdef KERNEL_tally_shares  // caught by kernel.sequence-gives-what-is-listed
#include <stdint.h>
static int64_t shared;
#define WHERE(tally) ((void)(tally), &shared)
#endif

#include "tally.h"
