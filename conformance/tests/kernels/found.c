// SPDX-License-Identifier: Apache-2.0
// Kernels of found.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_found_device  // caught by buffer.device-of-one-tensor
#define CHECKS_DEVICE(tensor) \
  ((tensor)->dtype.code == kDLInt || (tensor)->device.device_type == kDLCPU)
#endif

#ifdef KERNEL_found_dtype  // caught by buffer.bounds.dtype
#define CHECKS_TYPE(tensor, wanted, bits_wanted) \
  ((wanted) == kDLInt || ((tensor)->dtype.code == (wanted) && (tensor)->dtype.bits == 32))
#endif

#ifdef KERNEL_found_element  // caught by buffer.bounds.element
#define CHECKS_ELEMENT(element, extent) ((element) >= 0 && (element) <= (extent))
#endif

#ifdef KERNEL_found_extent  // caught by buffer.bounds.extent
#define CHECKS_EXTENT(where, y) ((where)->shape[0] >= 1 && (y)->shape[0] >= 1)
#endif

#ifdef KERNEL_found_far_below  // caught by buffer.bounds.element
#define CHECKS_ELEMENT(element, extent) \
  ((element) < (extent) && ((element) >= 0 || (element) < -1000))
#endif

#ifdef KERNEL_found_offset  // caught by buffer.byte-offset.64-bytes
#define DATA(tensor) ((tensor)->data)
#endif

#ifdef KERNEL_found_remembers  // caught by kernel.earlier-call-does-not-matter
static float first;
#define GIVES(element) (first != 0 ? first : (first = (element)))
#endif

#ifdef KERNEL_found_right  // passes
#endif

#ifdef KERNEL_found_trusts_elements  // passes
#define CHECKS_ELEMENT(element, extent) true
#endif

#if defined KERNEL_found_two_widths || defined KERNEL_found_one_width || \
    defined KERNEL_found_one_width_of_parts
#define CHECKS_TYPE(tensor, wanted, bits_wanted) \
  ((tensor)->dtype.code == (wanted) &&           \
   ((tensor)->dtype.bits == 32 || ((wanted) == kDLInt && (tensor)->dtype.bits == 64)))
#endif

#ifdef KERNEL_found_two_widths  // passes
#define AT(tensor, i)                                              \
  ((tensor)->dtype.bits == 64 ? ((const int64_t *)DATA(tensor))[i] \
                              : ((const int32_t *)DATA(tensor))[i])
#endif

#ifdef KERNEL_found_one_width  // caught by buffer.indices-of-either-width
#define AT(tensor, i) (((const int32_t *)DATA(tensor))[i])
#endif

#ifdef KERNEL_found_one_width_of_parts  // caught by buffer.indices-of-either-width
#define AT(tensor, i) (((const int32_t *)DATA(tensor))[i])
#define GIVES(element) ((element) - (float)(int)(element))
#endif

#include "found.h"
