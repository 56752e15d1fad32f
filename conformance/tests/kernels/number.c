// SPDX-License-Identifier: Apache-2.0
// Kernels of number.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_number_float_right  // passes
#define TAKES_FLOAT true
#endif

#ifdef KERNEL_number_float_true_is_two  // caught by argument.int-for-float
#define TAKES_FLOAT true
#define TRUE_IS 2
#endif

#ifdef KERNEL_number_right  // passes
#endif

#ifdef KERNEL_number_true_is_two  // caught by argument.int-and-bool
#define TRUE_IS 2
#endif

#ifdef KERNEL_number_below_right  // passes
#define TAKES_FLOAT true
#define IN_LIMITS(number) ((number) < 1.5)
#endif

#ifdef KERNEL_number_below_or_at  // caught by kernel.excluded-value-is-refused saying 1.5 for n
#define TAKES_FLOAT true
#define IN_LIMITS(number) ((number) <= 1.5)
#endif

#include "number.h"
