// SPDX-License-Identifier: Apache-2.0
// Kernels of copy.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_copy_right  // passes
#endif

#ifdef KERNEL_copy_returns_argument  // caught by kernel.fresh-result
#define COPY_OF(x) (TVMFFIObjectIncRef(x), (x))
#endif

#include "copy.h"
