// SPDX-License-Identifier: Apache-2.0
// Kernels of relay.h, a block each, for which KERNEL_<name> is defined; the comment behind that is what
// has to come of it.

#ifdef KERNEL_relay_goes_on  // caught by kernel.nested-failure-is-passed-on.look-up
#define LOOKUP_CODE(code) ((void)(code), 0)
#endif

#ifdef KERNEL_relay_loses_error  // caught by kernel.nested-failure-is-passed-on.call
#define CALL_CODE(code) ((code) ? (TVMFFIErrorMoveFromRaised(&found), (code)) : 0)
#endif

#ifdef KERNEL_relay_right  // passes
#endif

#ifdef KERNEL_relay_swallows_failure  // caught by kernel.error-of-a-callee-is-passed-on
#define CALL_CODE(code) ((void)(code), 0)
#endif

#include "relay.h"
