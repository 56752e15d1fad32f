// SPDX-License-Identifier: Apache-2.0
// Kernels of move.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_move_right  // passes
#endif

#ifdef KERNEL_move_two_devices  // caught by buffer.two-devices
#define SAME_DEVICE(a, b) ((a).device_type == (b).device_type)
#endif

#include "move.h"
