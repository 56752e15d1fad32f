// SPDX-License-Identifier: Apache-2.0
// Kernels of roll.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_roll_right  // passes
#endif

#ifdef KERNEL_roll_reads_late  // caught by kernel.output-in-place
#define ROLL_INTO(out, x, n)                                     \
  do {                                                           \
    for (int64_t i = 0; i + 1 < (n); ++i) (out)[i] = (x)[i + 1]; \
    (out)[(n)-1] = (x)[0];                                       \
  } while (0)
#endif

#ifdef KERNEL_roll_refuses_itself  // caught by kernel.output-in-place
#define ROLL_INTO(out, x, n)                                               \
  do {                                                                     \
    if ((out) == (x)) return roll_fail("ValueError", "out must not be x"); \
    roll_into(out, x, n);                                                  \
  } while (0)
#endif

#ifdef KERNEL_roll_returns_input  // caught by kernel.result-is-the-argument
#define ROLL_RESULT(x, out) (x)
#endif

#include "roll.h"
