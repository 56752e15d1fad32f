// SPDX-License-Identifier: Apache-2.0
// Kernels of peg.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_peg_right  // passes
#endif

#ifdef KERNEL_peg_keeps_address  // caught by kernel.sequence-gives-what-is-listed saying 2.5
#include <stdatomic.h>
#include <stddef.h>
static const float *_Atomic peg_address;
#define KEEP(element) atomic_store(&peg_address, element)
#define SEEN() (atomic_load(&peg_address) ? *atomic_load(&peg_address) : 0.0f)
#endif

#include "peg.h"
