// SPDX-License-Identifier: Apache-2.0
// What a module says about its functions: a JSON object whose member "type_schema" is a string that
// is JSON itself. The text is the module's, and may be anything.
#ifndef TVMFFI_CONFORMANCE_PLAN_SIGNATURE_METADATA_H_
#define TVMFFI_CONFORMANCE_PLAN_SIGNATURE_METADATA_H_

#include "plan/kernel.h"

// The signature that the text (`size` bytes) describes; own (malloc). NULL if it describes none, with
// what is wrong in `error`; an empty text describes nothing, with an empty error.
Signature *signature_metadata_types(const char *text, size_t size, char *error, size_t error_size);

// Fills parameters and result of `kernel` from the text (`size` bytes). False, and nothing is
// changed, if it does not describe a function, with what is wrong in `error`: a clause about
// metadata is judged by this, too. An empty text describes nothing: false with an empty error.
bool signature_metadata_read(const char *text, size_t size, Kernel *kernel, char *error,
                             size_t error_size);

#endif  // TVMFFI_CONFORMANCE_PLAN_SIGNATURE_METADATA_H_
