// SPDX-License-Identifier: Apache-2.0
// Kernels of make.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_make_right  // passes
#endif

#ifdef KERNEL_make_unchecked  // caught by kernel.refused-allocation-is-passed-on
#define CHECKED 0
#endif

#include "make.h"
