// SPDX-License-Identifier: Apache-2.0
// Calls that a function needs before each of its own: those that make the objects it takes.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_NEEDS_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_NEEDS_H_

#include "plan/kernel.h"
#include "signature/signature_build.h"

// One of them, as it was found: `call` is borrowed. Its result is kept under the name `keep`, where that
// is not "": what is of kind KERNEL_OBJECT among the arguments of later calls has the name in `text`.
typedef struct SignatureNeed {
  const Kernel *call;
  const char *keep;
} SignatureNeed;

// The kinds that `known` says of the parameters and the result, behind these calls. Tentative. Own (malloc);
// NULL without memory, or where an argument of one of the calls can't be written, as a callback.
Signature *signature_with_needs(const Signature *known, const SignatureNeed *needs, size_t count);

// Adds what a call of `from` needs to a signature that is built.
SignatureRange signature_copy_needs(SignatureBuild *build, const Signature *from);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_NEEDS_H_
