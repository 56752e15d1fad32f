// SPDX-License-Identifier: Apache-2.0
// A payload in a file that is a library. For the main process: the worker has no libelf.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_PAYLOAD_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_PAYLOAD_H_

#include "fuzz/fuzz.h"

// Writes the input into a copy of a library of ours that has room for it, so that its last byte is
// the last before an unmapped page, and points __tvm_ffi__library_bin there. False, with errno or
// without, if that can't be done.
bool fuzz_payload_put(const char *path, const FuzzInput *input);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_PAYLOAD_H_
