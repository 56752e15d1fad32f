// SPDX-License-Identifier: Apache-2.0
// What calls have shown of a function, joined with what was known before.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_FOUND_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_FOUND_H_

#include "plan/kernel.h"
#include "signature/signature_build.h"

// The signature `known` (NULL: nothing is known) with the call that was found for `kernel`: types,
// shapes and values are from SIGNATURE_FROM_PROBING, the rest is from where it was. It is tentative.
// Where it is `narrow`, a variant is the alternative of that call. Own (malloc); NULL without memory, or
// where no call was found.
Signature *signature_with_found(const Signature *known, const Kernel *kernel, bool narrow);

// A type with the types within it, copied into a signature that is built; `from` is sound, so that it is
// SIGNATURE_DEPTH_MAX deep at most.
SignatureType signature_copy_type(SignatureBuild *build, const Signature *from, uint32_t index);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_FOUND_H_
