// SPDX-License-Identifier: Apache-2.0
// Kernels of handle.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_handle_as_int_moves  // caught by kernel.same-call-gives-the-same
#define GIVEN kTVMFFIInt
#define FIRST static int calls
#define GIVE (char *)x->data + x->byte_offset + ++calls
#endif

#ifdef KERNEL_handle_as_int_right  // passes
#define GIVEN kTVMFFIInt
#define GIVE (char *)x->data + x->byte_offset
#endif

#ifdef KERNEL_handle_leaks  // caught by kernel.good-call-leaks-nothing
#include <stdlib.h>
#define FIRST                 \
  static char *volatile last; \
  last = malloc(100)
#define GIVE (last ? p : NULL)
#endif

#ifdef KERNEL_handle_moves  // caught by kernel.same-call-gives-the-same
#define FIRST static int calls
#define GIVE p + ++calls
#endif

#ifdef KERNEL_handle_new  // passes
// Only the caller can release it.
#include <stdlib.h>
#define GIVE malloc(100)
#endif

#ifdef KERNEL_handle_no_offset  // caught by buffer.byte-offset.256-bytes
#define GIVE x->data
#endif

#ifdef KERNEL_handle_of_another  // caught by kernel.same-call-gives-the-same
// The pointer in one call, the data in the next.
#define FIRST static int calls
#define GIVE (++calls % 2 ? (void *)p : (char *)x->data + x->byte_offset)
#endif

#ifdef KERNEL_handle_of_data  // passes
#define GIVE (char *)x->data + x->byte_offset + 4
#endif

#ifdef KERNEL_handle_of_the_first  // caught by kernel.same-call-gives-the-same
#define FIRST         \
  static char *first; \
  if (!first) first = p
#define GIVE first
#endif

#ifdef KERNEL_handle_own  // passes
// Of memory that is its own nothing can be said but that it is there.
#include <stdlib.h>
#define FIRST                     \
  static _Thread_local char *own; \
  if (!own) own = malloc(1)
#define GIVE own
#endif

#ifdef KERNEL_handle_right  // passes
#define GIVE p
#endif

#include "handle.h"
