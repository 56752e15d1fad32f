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

#ifdef KERNEL_number_within_right  // passes
#define TAKES_FLOAT true
#define IN_LIMITS(number) ((number) >= -8 && (number) <= 8)
#define COMPLAINT(number) ((number) - (number) == 0 ? "n must be from -8 to 8" : "n must be finite")
#endif

#ifdef KERNEL_number_within_alone  // caught by kernel.excluded-value-is-refused saying nan for n
#define TAKES_FLOAT true
#define IN_LIMITS(number) ((number) >= -8 && (number) <= 8)
#define COMPLAINT(number) "n must be from -8 to 8"
#endif

#ifdef KERNEL_number_powers_right  // passes
#define IN_LIMITS(number) ((number) == 1 || (number) == 2 || (number) == 4)
#endif

#ifdef KERNEL_number_powers_and_zero  // caught by kernel.excluded-value-is-refused saying 0 for n
// The listed numbers that the condition rules out are not all that is tried.
#define IN_LIMITS(number) ((number) == 0 || (number) == 1 || (number) == 2 || (number) == 4)
#endif

#ifdef KERNEL_number_late  // judged by kernels.not-judged, and in one case alone
// Each call takes longer than calls that nobody listed may take.
#include <unistd.h>
#define BEFORE usleep(1600000)
#define TAKES_FLOAT true
#endif

#include "number.h"
