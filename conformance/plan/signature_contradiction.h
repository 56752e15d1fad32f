// SPDX-License-Identifier: Apache-2.0
// Where a signature file and the module itself say different things of a function.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_CONTRADICTION_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_CONTRADICTION_H_

#include <stdbool.h>
#include <stddef.h>

#include "signature/signature.h"

// Whether no function of which `module` is true (from metadata, or from an error about the number of
// arguments) is called as `file` says; `text` is what the two say, without the name of the function.
// What one of them leaves open, and what the headers may convert, is none.
bool signature_contradicts(const Signature *file, const Signature *module, char *text,
                           size_t capacity);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_CONTRADICTION_H_
