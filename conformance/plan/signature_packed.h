// SPDX-License-Identifier: Apache-2.0
// Functions that take any number of tensors: no error of theirs says how many arguments there are.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_PACKED_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_PACKED_H_

#include "plan/signature_probe.h"

// For a kernel of which nothing is known: looks for a call with a few tensors that is served, with one
// more, too, and not with a text in its place. Then `kernel` is KERNEL_PROBED, found and variadic.
// Makes at most `most` calls.
bool signature_search_packed(Kernel *kernel, unsigned most, ProbeCall *make, void *context);

// The same of a function that takes a text, and refuses a call without arguments, with an int or a float.
bool signature_search_text(Kernel *kernel, ProbeCall *make, void *context);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_PACKED_H_
