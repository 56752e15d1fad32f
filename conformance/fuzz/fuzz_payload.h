// SPDX-License-Identifier: Apache-2.0
// A payload in a file that is a library. For the main process: the worker has no libelf.
#ifndef TVMFFI_CONFORMANCE_FUZZ_FUZZ_PAYLOAD_H_
#define TVMFFI_CONFORMANCE_FUZZ_FUZZ_PAYLOAD_H_

#include "fuzz/fuzz.h"

// Copies one of the suite's libraries, which are in the folder `libraries`, to `path`, and puts the
// input into the copy: its last byte is the last before an unmapped page, and
// __tvm_ffi__library_bin points to it. False, with a reason, if that fails.
bool fuzz_payload_write(const char *libraries, const FuzzInput *input, const char *path,
                        char *error, size_t error_size);

#endif  // TVMFFI_CONFORMANCE_FUZZ_FUZZ_PAYLOAD_H_
