// SPDX-License-Identifier: Apache-2.0
// What may be another in a call that a function serves, found out by calls: which tensors it looks
// at, which extents vary together, which other types and ranks it takes.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_VARY_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_VARY_H_

#include "plan/signature_probe.h"

// Of the tensors of `found`, a call that is served: `checked` where the function refuses another
// one; a symbol where an extent may vary, the same for those that vary together; other types and
// ranks. Tensors in an array are taken as one.
void signature_vary(Kernel *found, ProbeCall *make, void *context);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_VARY_H_
