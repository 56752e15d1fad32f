// SPDX-License-Identifier: Apache-2.0
// What functions among the arguments of a call were given, for whoever compares what calls come to.
#ifndef TVMFFI_CONFORMANCE_KERNEL_KERNEL_GIVEN_H_
#define TVMFFI_CONFORMANCE_KERNEL_KERNEL_GIVEN_H_

#include "kernel/kernel_apart.h"

// From here on it is noted; what was before is forgotten.
void kernel_given_begin(void);

// For functions among the arguments: notes the arguments of one call, elements of tensors on the host included where they lie
// side by side. Nothing between kernel_given_end and kernel_given_begin.
void kernel_given_note(Iut *iut, const TVMFFIAny *args, int32_t count);

// Adds what was noted to an outcome (NULL: to none), in the order of the calls; as much of it as there was room for. False if
// the outcome has no room.
bool kernel_given_end(ApartOutcome *outcome);

#endif  // TVMFFI_CONFORMANCE_KERNEL_KERNEL_GIVEN_H_
