// SPDX-License-Identifier: Apache-2.0
// Signatures as text: what signature_read_file reads.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WRITE_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WRITE_H_

#include <jansson.h>

#include "signature/signature.h"

// What stands in a file under the name of the function (own). What is not from a file is tentative:
// parameters without names get some, and tensors a type and a shape to be corrected.
json_t *signature_write_function(const Signature *signature);

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WRITE_H_
