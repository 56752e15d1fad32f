// SPDX-License-Identifier: Apache-2.0
// Kernels of shelf.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_shelf_right  // passes
#endif

#ifdef KERNEL_shelf_lent  // caught by kernel.arguments-keep-their-counts saying references of x
// It does the same, but its file does not say that it keeps x.
#endif

#ifdef KERNEL_shelf_keeps_each  // caught by kernel.arguments-keep-their-counts saying references of x
#define TAKE(x) (TVMFFIObjectIncRef(x), TVMFFIObjectIncRef(x))
#endif

#ifdef KERNEL_shelf_memory  // caught by buffer.nothing-is-kept
// It keeps where the elements of x are, without x. (Nothing but shelf_put is called.)
#define ONLY_MEMORY 1
#endif

#include "shelf.h"
